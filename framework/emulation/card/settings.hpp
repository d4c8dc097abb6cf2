// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "profile.hpp"

namespace headroom::emulation {

/// What stands behind the addresses of device memory.
enum class contents {
  none,   ///< nothing: reads give zeros, writes are left out
  small,  ///< host memory, page by page as it is touched, for takings of up to 2 MiB
  all,    ///< host memory, page by page as it is touched, for everything
};

/// What a call that is not modelled answers.
enum class unmodelled {
  refuse,  ///< "not supported"
  warn,    ///< success, with a warning on standard error
};

/// The emulated cards, as HEADROOM_EMULATED_* describes them.
struct settings {
  card_profile profile;               ///< HEADROOM_EMULATED_CARD, HEADROOM_EMULATED_CAPABILITY
  int devices = 1;                    ///< HEADROOM_EMULATED_DEVICES
  std::uint64_t context = 0;          ///< HEADROOM_EMULATED_CONTEXT: bytes taken at first use
  contents behind = contents::small;  ///< HEADROOM_EMULATED_CONTENTS
  unmodelled unknown_calls = unmodelled::refuse;  ///< HEADROOM_EMULATED_UNMODELLED
  std::uint64_t polls = 256;                      ///< HEADROOM_EMULATED_POLLS: see stream.hpp
  std::uint64_t dnn_workspace = 32u << 20;        ///< HEADROOM_EMULATED_DNN_WORKSPACE: bytes a plan
  std::uint64_t rank_limit = 600;                 ///< HEADROOM_EMULATED_RANK_LIMIT: seconds
  std::uint64_t launches = 0;  ///< HEADROOM_EMULATED_LAUNCHES: kernels until the end; 0: no limit
  std::string report;          ///< HEADROOM_EMULATED_REPORT: file for JSON, "" for none
};

/// Settings, or every fault that was found: what it is, where, what to write instead.
struct settings_result {
  std::optional<settings> value;
  std::vector<std::string> faults;
};

/// @param environment  lines "NAME=VALUE"; names that do not begin with HEADROOM_EMULATED_ are
///                     passed over, unknown ones that do are faults
[[nodiscard]] settings_result read_settings(const std::vector<std::string>& environment);

}  // namespace headroom::emulation
