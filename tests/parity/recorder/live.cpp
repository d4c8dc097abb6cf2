// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// live [--seconds N] [--events N] [--seed N] [--jobs N] [--keep FILE]: compares random traces until
// one of the bounds is reached, or without end. Exit 0: no difference; 1: a difference, shrunk and
// printed as a trace.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "live_run.hpp"
#include "shrink.hpp"
#include "support/random_trace.hpp"

namespace {

struct options {
  double seconds = 1e300;
  double events = 1e300;
  std::uint64_t seed = 1;
  std::uint64_t jobs = 1;
};

/// @return false for what it does not know
bool read(int count, char** arguments, options& wanted) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    char* end = nullptr;
    const double value = std::strtod(arguments[i + 1], &end);
    if (*end != '\0' || value < 0) return false;
    if (name == "--seconds") {
      wanted.seconds = value;
    } else if (name == "--events") {
      wanted.events = value;
    } else if (name == "--seed") {
      wanted.seed = std::strtoull(arguments[i + 1], nullptr, 10);
    } else if (name == "--jobs" && value >= 1) {
      wanted.jobs = static_cast<std::uint64_t>(value);
    } else {
      return false;
    }
  }
  return count % 2 == 1;
}

int report(std::uint64_t seed, const live_trace& trace, const difference& found) {
  std::printf("seed %" PRIu64 ": differs at event %zu of %zu\n  reference %s\n  headroom  %s\n",
              seed, found.event, trace.events.size(), found.theirs.c_str(), found.ours.c_str());
  std::fflush(stdout);
  const live_trace least = shrink(trace);
  const std::optional<difference> left = compare(least);
  std::printf("shrunk to %zu events:\n%s", least.events.size(), least.text().c_str());
  if (left) {
    std::printf("# reference %s\n# headroom  %s\n", left->theirs.c_str(), left->ours.c_str());
  }
  return 1;
}

/// One job's share of the seeds. @return the exit code
int run(const options& wanted, std::uint64_t job) {
  const auto begin = std::chrono::steady_clock::now();
  double events = 0;
  std::uint64_t traces = 0;
  for (std::uint64_t seed = wanted.seed + job;; seed += wanted.jobs) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (taken.count() >= wanted.seconds ||
        events * static_cast<double>(wanted.jobs) >= wanted.events) {
      std::printf("job %" PRIu64 ": %" PRIu64
                  " traces, %.0f events, no difference (next seed %" PRIu64 ")\n",
                  job, traces, events, seed);
      return 0;
    }
    const live_trace trace = random_trace(seed);
    const std::optional<difference> found = compare(trace);
    if (found) return report(seed, trace, *found);
    events += static_cast<double>(trace.events.size());
    ++traces;
  }
}

}  // namespace

int main(int count, char** arguments) {
  options wanted;
  if (!read(count, arguments, wanted)) {
    std::fprintf(stderr, "usage: live [--seconds N] [--events N] [--seed N] [--jobs N]\n");
    return 3;
  }
  std::vector<pid_t> jobs;
  for (std::uint64_t job = 0; job < wanted.jobs; ++job) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 2;
      try {
        code = run(wanted, job);
      } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
      }
      std::fflush(stdout);
      _exit(code);
    }
    jobs.push_back(child);
  }
  int worst = 0;
  for (const pid_t child : jobs) {
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    worst = code > worst ? code : worst;
  }
  return worst;
}
