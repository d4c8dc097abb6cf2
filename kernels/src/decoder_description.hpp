// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom_kernels/generation_plan.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

namespace headroom::kernels {

/// What a description asks for. @param executed  set to the dimensions that run
/// @throws usage_error that says what to write
[[nodiscard]] generation_shape read_generation(const workload_description& of,
                                               dimensions& executed);

/// The model: from the option `shape`, or from its dimensions. @throws usage_error
[[nodiscard]] decoder_shape read_decoder_shape(const workload_description& of);

/// A dimension. @throws usage_error when it is missing
[[nodiscard]] std::int64_t read_decoder_size(const workload_description& of, std::string_view name);

/// The option `staging`. @throws usage_error
[[nodiscard]] weight_staging read_staging(const workload_description& of);

/// The value of an option that is one of a few. @param choices  the first is the default
/// @throws usage_error with the choices
[[nodiscard]] std::string_view read_choice(const workload_description& of, std::string_view name,
                                           std::initializer_list<std::string_view> choices);

/// @throws usage_error for a dimension or an option that the operation does not know, or a size
/// below 1
void check_generation_names(const workload_description& of);
void check_training_names(const workload_description& of);

/// "layers 32, width 4096, ...", as an artifact records it.
[[nodiscard]] std::string text_of(const decoder_shape& dims);

}  // namespace headroom::kernels
