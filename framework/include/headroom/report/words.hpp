// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <string>
#include <string_view>

namespace headroom {

/// "cold pass", "warmup 2 of 3", "warm repeat 3 of 5"; "" outside of passes.
[[nodiscard]] std::string pass_words(pass_kind pass, int repeat, const protocol& of);

/// "warm_forward, warm repeat 3 of 5"
[[nodiscard]] std::string place_words(const std::string& phase, pass_kind pass, int repeat,
                                      const protocol& of);

/// "prediction, not a GPU measurement", or "measurement" when every device is a real CUDA device.
[[nodiscard]] std::string_view standing_words(bool prediction);

/// "cpu (prediction, not a GPU measurement)", every device named.
[[nodiscard]] std::string devices_words(const series_record& series);

/// "dense forward float32: batch 2, context 128"
[[nodiscard]] std::string workload_words(const workload_description& work);

/// "expandable_segments:True,max_split_size_mb:64", as PYTORCH_ALLOC_CONF has it; "defaults" where
/// nothing is set.
[[nodiscard]] std::string settings_words(const allocator_settings& settings);

/// One line for a console or log: test, outcome, device and standing.
[[nodiscard]] std::string outcome_line(const series_record& series, const verdict& result);

/// A text from a file, on one line: what a terminal would obey instead of showing is escaped.
[[nodiscard]] std::string printable(std::string_view text);

/// Breaks text at blanks so that no line is longer than `width` columns where a word allows it;
/// lines after the first are indented by `indent` blanks.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 80);

/// As wrap, for a text whose first line begins in column `column` too, behind what stands there.
[[nodiscard]] std::string wrap_column(std::string_view text, std::size_t column,
                                      std::size_t width = 80);

}  // namespace headroom
