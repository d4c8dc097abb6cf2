// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "faults.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace headroom::emulation {

std::atomic<int> planned_faults = 0;

namespace {

struct plan {
  std::string call;
  std::uint64_t left;
  result answer;
};

std::mutex& plans_mutex() {
  static std::mutex one;
  return one;
}
std::vector<plan>& plans() {
  static auto* all = new std::vector<plan>;
  return *all;
}

}  // namespace

result next_fault(const char* call) {
  const std::lock_guard lock(plans_mutex());
  for (auto it = plans().begin(); it != plans().end(); ++it) {
    if (it->call != call || --it->left > 0) continue;
    const result answer = it->answer;
    plans().erase(it);
    --planned_faults;
    return answer;
  }
  return result::success;
}

}  // namespace headroom::emulation

void headroom_emulation_fail_call(const char* call, std::uint64_t nth, int error) {
  using namespace headroom::emulation;
  if (call == nullptr || nth == 0) return;
  const std::lock_guard lock(plans_mutex());
  plans().push_back({call, nth, static_cast<result>(error)});
  ++planned_faults;
}
