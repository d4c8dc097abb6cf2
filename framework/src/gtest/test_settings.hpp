// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/device/allocator_choice.hpp>
#include <headroom/series/open_device.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// What the environment asks of a test.
struct test_settings {
  device_request device;
  bool pinned = false;         ///< the test itself names its device (HEADROOM_PINNED_DEVICE)
  bool cuda_required = false;  ///< HEADROOM_REQUIRE=cuda
  std::optional<allocator_choice> allocator;  ///< HEADROOM_ALLOCATOR
  rehearsal_plan rehearsed;                   ///< HEADROOM_REHEARSE
  std::filesystem::path event_log_folder;     ///< HEADROOM_EVENT_LOG; "" for no log
  bool under_ctest = false;  ///< HEADROOM_CTEST: started by headroom_add_budget_test
  std::filesystem::path
      budget_file;  ///< HEADROOM_BUDGET: the one that CMake has checked; "" if none
  std::filesystem::path
      artifact_folder;  ///< HEADROOM_ARTIFACT_DIR, else headroom_add_budget_test's
};

/// @throws usage_error that names the variable, what was found and what to write
[[nodiscard]] test_settings read_test_settings();

/// Where the allocator of this test's device is to be logged; "" for nowhere. The folder is made.
/// @throws output_error when it cannot be
[[nodiscard]] std::filesystem::path event_log_path(const test_settings& settings,
                                                   std::string_view test);

/// What to do about the device before anything runs.
enum class device_answer { run, skip, fail };
struct device_decision {
  device_answer answer = device_answer::run;
  std::string reason;
};
[[nodiscard]] device_decision decide(const test_settings& settings);

}  // namespace headroom
