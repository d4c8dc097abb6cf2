// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/plan_device.hpp>

#include "conformance/device_source.hpp"

/// Sources with one mistake each. The suite must refuse every one of them.
namespace headroom::conformance {
namespace {

/// Reads another source, and spoils what it reads.
class spoiled_source final : public source_under_test, private counter_source {
 public:
  using spoiler = std::function<void(source_reading&, const source_reading& at_reset)>;
  explicit spoiled_source(spoiler spoil) : spoil_(std::move(spoil)) {}

  counter_source& source() override { return *this; }
  void* allocate(bytes size) override { return under_.allocate(size); }
  void give_back(void* address, bytes size) override { under_.give_back(address, size); }

 private:
  source_description describe_counters() const override {
    return under_.source().describe_counters();
  }
  source_reading read() const override {
    source_reading all = under_.source().read();
    spoil_(all, at_reset_);
    return all;
  }
  void reset_peaks() override {
    under_.source().reset_peaks();
    at_reset_ = under_.source().read();
  }

  mutable device_source under_{std::make_unique<plan_device>("24GB")};
  source_reading at_reset_;
  spoiler spoil_;
};

named_source spoiled(std::string name, spoiled_source::spoiler spoil) {
  return {std::move(name),
          [spoil = std::move(spoil)] { return std::make_unique<spoiled_source>(spoil); }, ""};
}

using enum counter_id;

}  // namespace

std::vector<named_source> sources() {
  return {spoiled("PeakRestartsAtZero",
                  [](source_reading& all, const source_reading& at_reset) {
                    const bytes since = at_reset[allocated_current].value_or(bytes{0});
                    all[allocated_peak] = std::max(bytes{0}, *all[allocated_peak] - since);
                  }),
          spoiled("PeakIsTheLevel",
                  [](source_reading& all, const source_reading&) {
                    all[allocated_peak] = all[allocated_current];
                    all.at_allocated_peak.reset();
                  }),
          spoiled("MissingIsZero",
                  [](source_reading& all, const source_reading&) {
                    all[reserved_current] = all[reserved_peak] = bytes{0};
                  }),
          spoiled("MissingIsAllOnes",
                  [](source_reading& all, const source_reading&) {
                    all[reserved_peak] = bytes{std::numeric_limits<std::int64_t>::max()};
                  }),
          spoiled("AvailableAndNotRead",
                  [](source_reading& all, const source_reading&) { all[reserved_peak].reset(); }),
          spoiled("CountsTwice",
                  [](source_reading& all, const source_reading&) {
                    all = source_reading(all);
                    all[allocated_current] = *all[allocated_current] * 2;
                  }),
          spoiled("SeesNothing",
                  [](source_reading& all, const source_reading&) {
                    for (const counter_id id : all_counters) all[id] = bytes{0};
                    all.requested_current = all.requested_peak = bytes{0};
                    all.at_allocated_peak.reset();
                  }),
          spoiled("TagsOfAnotherMoment",
                  [](source_reading& all, const source_reading&) {
                    (*all.at_allocated_peak->by_tag)[tag::other] += bytes{1};
                  }),
          spoiled("NeverCountsRefusals",
                  [](source_reading& all, const source_reading&) { all.refusals = 0; })};
}

}  // namespace headroom::conformance
