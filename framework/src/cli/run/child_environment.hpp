// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// What the child's environment is made of.
struct child_settings {
  std::filesystem::path emulation;  ///< folder of the libraries
  std::string card;                 ///< as in HEADROOM_EMULATED_CARD; "": real calls are counted
  std::vector<std::string> cards;   ///< identifiers, where they are counted
  std::optional<int> first;         ///< of the cards to show, where the driver shows others too
  int devices = 1;
  bytes context;
  std::string phases;              ///< "auto", "nvtx", "whole"
  std::string segment;             ///< path of the shared segment
  std::string log;                 ///< path of the log
  std::string snapshot;            ///< file for PyTorch's allocation log, "" for none
  std::int64_t most_launches = 0;  ///< 0: as many as the program likes
};

/// Lines "NAME=VALUE". Values that are there already are kept, in their order: a preloaded library
/// of the user's stays before ours, which sanitizers need; in the search paths ours come first.
/// What counts stands before CUDA libraries that are preloaded.
/// @param own  the environment of this process
[[nodiscard]] std::vector<std::string> child_environment(const std::vector<std::string>& own,
                                                         const child_settings& with);

}  // namespace headroom::cli
