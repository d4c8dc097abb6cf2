// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>

#include "conformance/device_source.hpp"

namespace headroom::conformance {
namespace {

named_source on_plan(std::string name, const char* choice, const char* rehearsed = "") {
  return {std::move(name),
          [choice, rehearsed] {
            allocator_choice chosen = parse_allocator_choice(choice);
            chosen.rehearsed = parse_rehearsal(rehearsed);
            return std::make_unique<device_source>(std::make_unique<plan_device>("24GB", chosen));
          },
          ""};
}
named_source on_cpu(std::string name, const char* choice) {
  return {std::move(name),
          [choice] {
            return std::make_unique<device_source>(
                std::make_unique<cpu_device>(parse_allocator_choice(choice), 1_GiB));
          },
          ""};
}

}  // namespace

std::vector<named_source> sources() {
  return {on_plan("CachingOnPlan", "caching"),
          on_plan("ExpandableOnPlan", "expandable_segments:True"),
          on_plan("PlainOnPlan", "plain"),
          on_plan("RehearsedOnPlan", "caching", "allocation:1000000"),
          on_cpu("CachingOnCpu", "caching"),
          on_cpu("PlainOnCpu", "plain")};
}

}  // namespace headroom::conformance
