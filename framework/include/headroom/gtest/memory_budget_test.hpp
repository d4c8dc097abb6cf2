// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/gtest/matchers.hpp>
#include <headroom/gtest/measured_series.hpp>
#include <headroom/series/workload.hpp>
#include <memory>
#include <optional>

namespace headroom {

/// A fixture that measures a workload against a budget file.
///
/// HEADROOM_DEVICE        auto (default), cpu, cuda:N, plan:SIZE
/// HEADROOM_ALLOCATOR     caching (default), plain, cuda-async, or settings of the caching
///                        allocator (max_split_size_mb:128); in place of the fixture's
/// HEADROOM_REHEARSE      refuses requests: allocation:N, segment:N, N+, N-M; never a pass
/// HEADROOM_EVENT_LOG     a folder: what is asked of the allocator, as a trace for headroom replay
/// HEADROOM_REQUIRE=cuda  a missing GPU is a failure, not a skip or a prediction
/// HEADROOM_ARTIFACT_DIR  where artifacts go (default: headroom-artifacts in the current folder)
class MemoryBudgetTest : public testing::Test {
 protected:
  /// By default the BUDGET of headroom_add_budget_test (HEADROOM_BUDGET).
  [[nodiscard]] virtual std::filesystem::path budget_file() const;
  /// Makes the workload that the budget describes.
  [[nodiscard]] virtual std::unique_ptr<workload> make_workload(
      const headroom::budget& against) = 0;
  [[nodiscard]] virtual headroom::allocator_settings allocator_settings() const { return {}; }

  /// Reads the budget and looks whether the device is there; skips or fails where it is not. A
  /// fixture that overrides it calls it first.
  void SetUp() override;

  [[nodiscard]] const headroom::budget& budget() const { return *budget_; }

  /// Runs one series on a newly opened device and writes its artifact. What a workload throws is
  /// part of the result. @throws output_error, device_error, usage_error
  [[nodiscard]] measured_series measure();

  /// measure(), and a failure unless the series is within its budget.
  void expect_within_budget();

 private:
  std::optional<headroom::budget> budget_;
};

/// Runs the selected tests. @return what main returns: 1 when one failed or none was selected, 77
/// when there was nothing but skips, since a skip must not look like a pass (CTest:
/// SKIP_RETURN_CODE 77). headroom::gtest brings a main that does this; a main of your own calls it
/// in place of RUN_ALL_TESTS().
[[nodiscard]] int run_all_tests();

}  // namespace headroom

/// One test, Fixture.FitsBudget: cold pass, warmed repeats, artifact, verdict.
#define HEADROOM_BUDGET_TEST(Fixture) \
  TEST_F(Fixture, FitsBudget) { expect_within_budget(); }
