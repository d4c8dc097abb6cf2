// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// How the limits of a budget come together, for people: weights, reserve with reasons, envelope,
/// every limit with its line, devices and history.
[[nodiscard]] std::string budget_text(const budget& of);
/// One JSON document (`headroom-budget-report/1`).
[[nodiscard]] std::string budget_json(const budget& of);

/// A complete, valid starting file from a series that ran whole: the weights by formula, a reserve
/// item for each tag at the highest allocated peak, limits at what was read. Every reserve item is
/// `assumed`: a person has to say what makes it up.
/// @param weights  what they are made of; where it is empty, what the tag `weights` held
/// @throws usage_error when the series did not run whole, or a counter was not measured
[[nodiscard]] std::string new_budget_text(const series_record& series,
                                          std::span<const weight_group> weights,
                                          std::string_view name);

}  // namespace headroom
