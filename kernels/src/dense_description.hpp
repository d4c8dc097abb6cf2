// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::kernels {

inline constexpr std::string_view workspace_option = "matrix_workspace";
inline constexpr std::string_view adapters_option = "adapters";
inline constexpr std::string_view adapter_scale_option = "adapter_scale";

/// Seeds of tensors that belong to no network: seed_of(seed, number).
inline constexpr std::uint64_t input_number = ~std::uint64_t{0} - 1;
inline constexpr std::uint64_t evaluation_number = input_number - 1;

/// @param operation  the only one that is accepted
/// @throws usage_error for another operation, or for a dimension or an option that is not listed
void check_dense_names(const workload_description& of, std::string_view operation,
                       std::span<const std::string_view> dimensions,
                       std::span<const std::string_view> options);

/// batch, context, width, layers and dtype, and the rank in the option adapters.
/// @throws usage_error when one is missing or below 1, or when the rank is above the width
[[nodiscard]] dense_shape read_dense_shape(const workload_description& of);

/// A dimension of "dense". @throws usage_error when it is missing or below 1
[[nodiscard]] std::int64_t read_dense_size(const workload_description& of, std::string_view name);

/// The option adapter_scale, or 1. @throws usage_error when it is not a number above 0, or when
/// there are no adapters
[[nodiscard]] float read_adapter_scale(const workload_description& of);

/// The number in an option, or `otherwise`. @throws usage_error when it is not above 0 and finite
[[nodiscard]] double read_number(const workload_description& of, std::string_view option,
                                 double otherwise);

/// What an artifact records of adapters: nothing where there are none.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> adapter_settings(
    const dense_shape& dims, float scale);

/// The option matrix_workspace: a size, or a card's name for the figure of its profile. The same on
/// every device, so that it is planned. @throws usage_error when it is neither, or below 1 B
[[nodiscard]] bytes read_workspace(const workload_description& of);

}  // namespace headroom::kernels
