// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "live_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <headroom/device/address_segments.hpp>
#include <stdexcept>

#include "reference.hpp"

namespace {

/// @return what one side says instead of a line, when it throws
template <typename Run>
std::string text_of(Run run) {
  try {
    return run();
  } catch (const std::exception& fault) {
    std::string text = fault.what();
    return "throws: " + text.substr(0, text.find('\n'));
  }
}

/// "EVENT\nTHEIRS\nOURS" at the first difference, else nothing.
std::string run_both(const live_trace& trace) {
  std::optional<reference> theirs;
  std::optional<headroom::allocator_settings> settings;
  const std::string begun = text_of([&] {
    theirs.emplace(trace.capacity, trace.settings_text());
    return std::string("begins");
  });
  const std::string ours_begun = text_of([&] {
    settings = headroom::parse_allocator_settings(trace.settings_text());
    return std::string("begins");
  });
  if (begun != ours_begun) {
    const bool both_refuse = begun != "begins" && ours_begun != "begins";
    return both_refuse ? "" : fmt::format("0\n{}\n{}", begun, ours_begun);
  }
  headroom::address_segments source(trace.capacity, "plan");
  headroom::ticket_clock clock;
  headroom::caching_allocator allocator(source, clock, *settings);
  headroom::replay run(allocator, clock);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const headroom::trace_event& event = trace.events[i];
    const std::string expected = text_of([&] {
      const bool granted = theirs->apply(event);
      return theirs->line(i, event, granted);
    });
    const std::string got = text_of([&] {
      const headroom::replay_step step = run.apply(event);
      return headroom::replay_line(i, event, step, allocator);
    });
    if (expected != got) return fmt::format("{}\n{}\n{}", i, expected, got);
  }
  return "";
}

}  // namespace

std::optional<difference> compare(const live_trace& trace) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("live: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("live: cannot fork");
  if (child == 0) {
    close(ends[0]);
    // PyTorch warns on standard error of what the emulated card lacks.
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    const std::string found = run_both(trace);
    const bool written =
        write(ends[1], found.data(), found.size()) == static_cast<ssize_t>(found.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string found;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    found.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return difference{0, "one of both ended its process",
                      fmt::format("wait status {:#x}", static_cast<unsigned>(status))};
  }
  if (found.empty()) return std::nullopt;
  const std::size_t first = found.find('\n');
  const std::size_t second = found.find('\n', first + 1);
  return difference{std::stoul(found.substr(0, first)), found.substr(first + 1, second - first - 1),
                    found.substr(second + 1)};
}
