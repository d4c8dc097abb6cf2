// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "measured.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::test {
namespace {

/// One cpu or plan stands for so many alike; cards are named.
device_request request_of(const std::string& device_text, int count) {
  std::string text = device_text;
  for (int i = 1; device_text == "cuda:0" && i < count; ++i) text += fmt::format(",cuda:{}", i);
  return request_for(parse_device_request(text), count);
}

std::string text_of(const std::optional<bytes>& value) {
  return value ? fmt::format("{} B", value->n) : "not read";
}

/// The counters of a phase, to be compared as text.
std::string text_of(const phase_record& phase) {
  std::string text =
      fmt::format("{} {} {} in {}: {}", name_of(phase.pass), phase.name, phase.repeat,
                  phase.parent.value_or("no phase"), name_of(phase.status));
  for (const device_reading& reading : phase.readings) {
    text += fmt::format("; begin {}, {}", text_of(reading.begin_allocated),
                        text_of(reading.begin_reserved));
    for (const counter_id id : all_counters) {
      text += fmt::format(", {} {}", words_of(id), text_of(reading.end[id]));
    }
    text += fmt::format(", requested {}, peak {}", text_of(reading.end.requested_current),
                        text_of(reading.end.requested_peak));
    if (!reading.end.at_allocated_peak) continue;
    const peak_moment& peak = *reading.end.at_allocated_peak;
    text += fmt::format("; at the peak {} of {}", peak.allocated.n, text_of(peak.reserved));
    for (const tag each : all_tags) {
      if (peak.by_tag) text += fmt::format(", {} {}", name_of(each), (*peak.by_tag)[each].n);
    }
  }
  return text;
}

}  // namespace

measured measure(const workload_maker& make, const protocol& passes, const std::string& device_text,
                 keep when) {
  std::vector<std::unique_ptr<recorded_device>> devices;  // go after the workload
  std::vector<device*> taking_part;
  std::unique_ptr<workload> made = make();
  for (auto& each : open_devices(request_of(device_text, made->device_count()))) {
    devices.push_back(std::make_unique<recorded_device>(std::move(each), when));
    taking_part.push_back(devices.back().get());
  }
  series_options options;
  options.protocol = passes;
  options.on_phase_end = [&](const phase_record& phase) {
    for (const auto& each : devices) each->phase_ended(phase);
  };
  measured result;
  result.series = run_series(taking_part, *made, options);
  made.reset();  // what it holds is given back, and kept
  for (const auto& each : devices) {
    result.kept.insert(result.kept.end(), each->kept().begin(), each->kept().end());
  }
  return result;
}

measured measure(const suite_case& what, const std::string& device_text, keep when) {
  return measure([&] { return kernels::make_workload(what.what); }, what.passes, device_text, when);
}

void expect_equal_counters(const series_record& expected, const series_record& found) {
  ASSERT_EQ(expected.setup_error, found.setup_error);
  ASSERT_EQ(expected.phases.size(), found.phases.size());
  ASSERT_GE(expected.phases.size(), 4U);
  for (std::size_t i = 0; i < expected.phases.size(); ++i) {
    EXPECT_EQ(expected.phases[i].status, phase_status::ok);
    EXPECT_EQ(text_of(expected.phases[i]), text_of(found.phases[i]));
    if (found.phases[i].error) ADD_FAILURE() << found.phases[i].error->message;
  }
}

std::string difference(const std::vector<kept_block>& expected,
                       const std::vector<kept_block>& found, const tolerance& allowed) {
  if (expected.empty()) return "nothing was kept";
  if (expected.size() != found.size()) {
    return fmt::format("{} blocks expected, {} found", expected.size(), found.size());
  }
  constexpr int most = 5;
  int lines = 0;
  std::string text;
  for (std::size_t i = 0; i < expected.size() && lines < most; ++i) {
    const std::string each = difference(expected[i], found[i], allowed);
    if (each.empty()) continue;
    text += each + '\n';
    ++lines;
  }
  return text;
}

}  // namespace headroom::test
