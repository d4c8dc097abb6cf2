// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// One workload on cuda:0 with each of the allocators.
#include <gmock/gmock.h>

#include <headroom/series/comparable.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/workloads.hpp>

#include "../api.hpp"
#include "cases.hpp"

namespace headroom::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

series_record measured_with(const char* allocator) {
  const std::unique_ptr<device> on =
      open_device(parse_device_request("cuda:0"), parse_allocator_choice(allocator));
  const suite_case what = make_small_cases().cases.at(0);
  const std::unique_ptr<workload> work = kernels::make_workload(what.what);
  series_options options;
  options.protocol = what.passes;
  return run_series(*on, *work, options);
}

TEST(AllocatorsOverEmulation, AreNotComparableAndSayWhy) {
  const series_record caching = measured_with("caching");
  const series_record pool = measured_with("cuda-async");
  const series_record plain = measured_with("plain");
  for (const series_record* each : {&caching, &pool, &plain}) {
    EXPECT_EQ(each->setup_error, std::nullopt);
    EXPECT_EQ(each->failed_phase(), nullptr);
  }
  EXPECT_THAT(why_not_comparable(caching, measured_with("caching")), testing::IsEmpty());
  EXPECT_THAT(why_not_comparable(caching, pool), Contains(HasSubstr("the allocator differs")));
  EXPECT_THAT(why_not_comparable(pool, plain), Contains(HasSubstr("the allocator differs")));
  EXPECT_GT(headroom_emulation_calls("cudaMallocFromPoolAsync"), 0);
}

}  // namespace
}  // namespace headroom::test
