// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/bytes.hpp>
#include <headroom/device/allocator_choice.hpp>
#include <string>

namespace headroom::test {

/// How a series ended, and what it left.
struct fault_outcome {
  bool told = false;  ///< it was not within its budget, or the device could not be opened
  bool valid_artifact = true;
  bool unread = false;  ///< a reading lacks what the device has free
  std::int64_t retries = 0;
  bytes leaked;  ///< of the devices and their allocators, when all is given back
  std::string reason;
};

/// A shipped budget's series, shortened, as often as wanted.
class faulty_series {
 public:
  /// @param device_text  "cuda:0", or as many as the budget's workload runs on
  faulty_series(const std::string& budget_name, std::string device_text);

  /// Runs it once. @param refused  requests that are refused
  [[nodiscard]] fault_outcome run(const rehearsal_plan& refused) const;

  /// On one device: refuses every request to the allocator, and every request of the allocator to
  /// the driver, alone and with all later ones. Failures where one does not end as it should.
  /// @return how many
  /// @param part  of `parts`, from 0: every so manieth request alone, so that parts can run side by
  ///              side
  int refuse_each_request(int part = 0, int parts = 1) const;

 private:
  void expect_end(const rehearsed_refusal& refusal) const;

  budget against_;
  std::string device_text_;
};

}  // namespace headroom::test
