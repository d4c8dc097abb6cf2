// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "test_settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>
#include <optional>

namespace headroom {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// @param parse what throws usage_error, to which the variable's name is added
template <class Parse>
auto read_variable(const char* name, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const usage_error& wrong) {
    throw usage_error(fmt::format("{}: {}", name, wrong.what()));
  }
}

// CTest's resource scheduler names the GPU of each group: "id:cuda_1,slots:6000" gives cuda:1.
std::string scheduled_device(const std::string& name, const std::string& resource) {
  constexpr std::string_view prefix = "id:cuda_";
  if (resource.rfind(prefix, 0) != 0) {
    throw usage_error(fmt::format(
        "{} is \"{}\"; write resource ids as cuda_N in the CTest resource file", name, resource));
  }
  const std::size_t end = resource.find(',');
  return "cuda:" + resource.substr(prefix.size(), end - prefix.size());
}

std::optional<std::string> scheduled_devices() {
  std::optional<std::string> devices;
  for (int group = 0;; ++group) {
    const std::string name = fmt::format("CTEST_RESOURCE_GROUP_{}_VRAM_MIB", group);
    const auto resource = variable(name.c_str());
    if (!resource) return devices;
    const std::string next = scheduled_device(name, *resource);
    devices = devices ? *devices + "," + next : next;
  }
}

}  // namespace

test_settings read_test_settings() {
  test_settings settings;
  if (const auto pinned = variable("HEADROOM_PINNED_DEVICE")) {
    settings.device = read_variable("HEADROOM_PINNED_DEVICE", *pinned, parse_device_request);
    settings.pinned = true;
  } else {
    settings.device = read_variable("HEADROOM_DEVICE", variable("HEADROOM_DEVICE").value_or("auto"),
                                    parse_device_request);
  }
  const bool may_be_cuda = settings.device.automatic || settings.device.kind == device_kind::cuda;
  if (const auto scheduled = scheduled_devices(); scheduled && may_be_cuda) {
    settings.device = parse_device_request(*scheduled);
  }
  if (const auto required = variable("HEADROOM_REQUIRE")) {
    if (*required != "cuda") {
      throw usage_error(
          fmt::format("HEADROOM_REQUIRE is \"{}\"; write cuda, or leave it unset", *required));
    }
    settings.cuda_required = true;
  }
  if (const auto text = variable("HEADROOM_ALLOCATOR")) {
    settings.allocator = read_variable("HEADROOM_ALLOCATOR", *text, parse_allocator_choice);
  }
  if (const auto text = variable("HEADROOM_REHEARSE")) {
    settings.rehearsed = read_variable("HEADROOM_REHEARSE", *text, parse_rehearsal);
  }
  settings.event_log_folder = variable("HEADROOM_EVENT_LOG").value_or("");
  settings.under_ctest = variable("HEADROOM_CTEST").has_value();
  settings.budget_file = variable("HEADROOM_BUDGET").value_or("");
  settings.artifact_folder =
      variable("HEADROOM_ARTIFACT_DIR")
          .value_or(variable("HEADROOM_DEFAULT_ARTIFACT_DIR").value_or("headroom-artifacts"));
  return settings;
}

std::filesystem::path event_log_path(const test_settings& settings, std::string_view test) {
  if (settings.event_log_folder.empty()) return {};
  std::error_code failure;
  std::filesystem::create_directories(settings.event_log_folder, failure);
  if (failure) {
    throw output_error(fmt::format("HEADROOM_EVENT_LOG: {}: cannot be made: {}; name a folder",
                                   settings.event_log_folder.string(), failure.message()));
  }
  // The name of a process and a number: a test may measure more than once.
  static int measured = 0;
  return settings.event_log_folder /
         fmt::format("{}.{}-{}.trace", file_name_part(test), ::getpid(), ++measured);
}

device_decision decide(const test_settings& settings) {
  const device_request& device = settings.device;
  const bool prediction_by_design =
      settings.pinned && !device.automatic && device.kind != device_kind::cuda;
  if (settings.cuda_required && !prediction_by_design) {
    if (!device.automatic && device.kind != device_kind::cuda) {
      return {
          device_answer::fail,
          fmt::format("HEADROOM_REQUIRE=cuda, but HEADROOM_DEVICE={} asks for a prediction; set "
                      "HEADROOM_DEVICE to auto or cuda:N",
                      device.text)};
    }
    device_request gpu = device;
    gpu.automatic = false;
    gpu.kind = device_kind::cuda;
    const device_availability there = find_device(gpu);
    if (there.emulated) {
      return {
          device_answer::fail,
          fmt::format("HEADROOM_REQUIRE=cuda, and {} is an emulated card. Nothing was measured. "
                      "Run this with a real driver: without the emulation's folder in "
                      "LD_LIBRARY_PATH and its libraries in LD_PRELOAD",
                      gpu.text)};
    }
    if (!there.available) {
      return {
          device_answer::fail,
          fmt::format("HEADROOM_REQUIRE=cuda, and {}. Nothing was measured. Run this on a machine "
                      "with a GPU and its driver, or leave HEADROOM_REQUIRE unset for predictions",
                      there.reason)};
    }
  }
  if (const device_availability there = find_device(device); !there.available) {
    return {device_answer::skip, there.reason + ". Nothing was measured."};
  }
  return {};
}

}  // namespace headroom
