// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <headroom/core/workload_description.hpp>
#include <headroom/series/open_device.hpp>
#include <string>
#include <vector>

namespace headroom::kernels {

/// What one run of checkpointing_benchmark measures.
struct checkpointing_options {
  device_request device;
  std::vector<std::string> policies;  ///< "none" first, each once
  std::vector<std::int64_t> layers;   ///< each once
  std::int64_t batch = 4;
  std::int64_t context = 256;
  std::int64_t width = 512;
  std::string dtype = "float32";
  std::filesystem::path artifact_folder;
  std::filesystem::path output;  ///< of --benchmark_out; "" where there is none
  bool own_table = true;         ///< false: Google Benchmark's --benchmark_format
  bool help = false;
  std::vector<std::string> for_benchmark;  ///< arguments for Google Benchmark

  /// The training of one row.
  [[nodiscard]] workload_description training(const std::string& policy,
                                              std::int64_t of_layers) const;
};

/// @param arguments  without the program's name
/// @throws usage_error that says what to write; policies and sizes are the workload's to judge
[[nodiscard]] checkpointing_options read_checkpointing_options(
    const std::vector<std::string>& arguments);

[[nodiscard]] std::string checkpointing_help();

}  // namespace headroom::kernels
