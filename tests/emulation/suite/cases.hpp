// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/bytes.hpp>
#include <headroom/core/workload_description.hpp>
#include <ostream>
#include <string>
#include <vector>

/// What is run over the emulated card.
namespace headroom::test {

struct suite_case {
  std::string name;  ///< of letters, digits and underscores
  workload_description what;
  protocol passes;
  bytes most_allocated = {};  ///< of a shipped budget
};
void PrintTo(const suite_case& each, std::ostream* out);

/// The workloads of all shipped budgets, with one warm repeat: further ones repeat what it did.
/// Budgets that come later are among them by being there.
[[nodiscard]] std::vector<suite_case> shipped_cases();

/// Each registered operation in each of its dtypes, with each of its policies, in sizes that take
/// no time. An operation that is registered and has no size here is in `sizeless`.
struct small_cases {
  std::vector<suite_case> cases;
  std::vector<std::string> sizeless;
};
[[nodiscard]] small_cases make_small_cases();

}  // namespace headroom::test
