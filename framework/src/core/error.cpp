// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <utility>

namespace headroom {
namespace {

std::string lines_of(const std::vector<file_problem>& problems) {
  std::string text;
  for (const file_problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.text();
  }
  return text;
}

std::string text_of(const out_of_memory_facts& facts) {
  const memory_counters& held = facts.counters;
  return fmt::format(
      "out of memory on {}: asked {} B for {} (rounded {} B); allocated {} B (peak {} B), "
      "reserved {} B (peak {} B); capacity {} B; device free {}",
      facts.device, facts.requested.n, name_of(facts.what), facts.rounded.n,
      held.allocated.current.n, held.allocated.peak.n, held.reserved.current.n,
      held.reserved.peak.n, facts.capacity.n,
      facts.system_free ? format_bytes(*facts.system_free) : "not measured");
}

}  // namespace

std::string file_problem::text() const {
  std::string text = file;
  if (line > 0) text += fmt::format(":{}", line);
  if (!text.empty()) text += ": ";
  if (!pointer.empty()) text += pointer + ": ";
  return text + message;
}

budget_error::budget_error(std::vector<file_problem> problems)
    : error(lines_of(problems)), problems_(std::move(problems)) {}

out_of_memory::out_of_memory(out_of_memory_facts facts)
    : error(text_of(facts)), facts_(std::move(facts)) {}

}  // namespace headroom
