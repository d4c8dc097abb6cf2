// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "child_process.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <headroom/core/error.hpp>
#include <system_error>

namespace headroom::cli {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::array passed_on{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr std::chrono::seconds grace{2};
constexpr std::chrono::milliseconds moment{300};

/// Blocks the signals that run_program_to_end waits for.
class signal_guard {
 public:
  signal_guard() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    for (const int each : passed_on) sigaddset(&set_, each);
    // Where whoever started this one ignores it, no child could be waited for.
    child_handling_ = std::signal(SIGCHLD, SIG_DFL);
    ::sigprocmask(SIG_BLOCK, &set_, &before_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  ~signal_guard() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    if (child_handling_ != SIG_ERR) std::signal(SIGCHLD, child_handling_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  signal_guard(const signal_guard&) = delete;
  signal_guard& operator=(const signal_guard&) = delete;
  [[nodiscard]] const sigset_t& waited_for() const { return set_; }
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t set_{};
  sigset_t before_{};
  void (*child_handling_)(int) = SIG_ERR;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& each : texts) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

pid_t start(const program_start& what, const signal_guard& guard) {
  std::vector<std::string> words = what.command;
  std::vector<std::string> environment = what.environment;
  posix_spawnattr_t attributes{};
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &guard.before());
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int fault = ::posix_spawn(&child, what.file.c_str(), nullptr, &attributes,
                                  pointers_to(words).data(), pointers_to(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  if (fault == ENOEXEC) {
    throw usage_error(
        fmt::format("{} is no program of this machine's, and its first line names no interpreter; "
                    "begin it with #!/bin/sh, or write the interpreter before it (sh {})",
                    what.file.string(), what.file.filename().string()));
  }
  if (fault != 0) {
    throw usage_error(fmt::format("{} cannot be started: {}", what.file.string(),
                                  std::generic_category().message(fault)));
  }
  return child;
}

/// Processes whose parent, or parent's parent ..., is this one.
std::vector<int> descendants() {
  std::vector<int> all;
  const auto add = [&](const auto& self, int parent) -> void {
    std::ifstream in(fmt::format("/proc/{0}/task/{0}/children", parent));
    for (int child = 0; in >> child;) {
      all.push_back(child);
      self(self, child);
    }
  };
  add(add, ::getpid());
  return all;
}

void signal_all(int number) {
  for (const int each : descendants()) ::kill(each, number);
}

void note_status(program_end& end, int status) {
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
}

/// Takes in every process that has ended. @return whether the child is among them
bool take_in(pid_t child, program_end& end) {
  bool ended = false;
  int status = 0;
  for (pid_t each = 0; (each = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (each != child) continue;
    note_status(end, status);
    ended = true;
  }
  return ended;
}

class waiting {
 public:
  waiting(const program_start& what, const signal_guard& guard)
      : what_(what), guard_(guard), begin_(clock::now()), child_(start(what, guard)) {}

  program_end run(const std::function<bool()>& living) {
    while (!take_in(child_, end_)) {
      wait_for_signal();
      check_timeout();
    }
    end_.seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    // Helpers of the program's (multiprocessing's resource tracker) end a moment after it.
    const clock::time_point soon = clock::now() + moment;
    wait_while([&] {
      const bool for_any = end_.timed_out || clock::now() < soon;
      return living() || (for_any && !descendants().empty());
    });
    if (end_.timed_out) {  // whoever did not heed the first word
      signal_all(SIGKILL);
      wait_while([] { return !descendants().empty(); });
    }
    end_.living = descendants();
    while (wait_for_signal({})) {  // one that came with the program's end would end this process
    }
    return end_;
  }

 private:
  /// For no longer than the processes that are left behind have.
  template <class Condition>
  void wait_while(Condition condition) {
    const clock::time_point until = clock::now() + grace;
    while (clock::now() < until && condition()) {
      wait_for_signal();
      take_in(child_, end_);
    }
  }

  /// @return whether one came
  bool wait_for_signal(timespec pause = {0, 20'000'000}) {
    siginfo_t info{};
    const int number = ::sigtimedwait(&guard_.waited_for(), &info, &pause);
    if (number <= 0) return false;
    if (number == SIGINT || number == SIGTERM) end_.received = number;
    // From the terminal, it has reached the child too. One that has ended has no number any more.
    const bool runs = !end_.code && !end_.signal;
    if (number != SIGCHLD && info.si_code != SI_KERNEL && runs) ::kill(child_, number);
    return true;
  }

  void check_timeout() {
    if (!what_.timeout) return;
    const auto passed = clock::now() - begin_;
    if (!end_.timed_out && passed > *what_.timeout) {
      end_.timed_out = true;
      signal_all(SIGTERM);
    } else if (end_.timed_out && passed > *what_.timeout + grace) {
      signal_all(SIGKILL);
    }
  }

  const program_start& what_;
  const signal_guard& guard_;
  clock::time_point begin_;
  pid_t child_;
  program_end end_;
};

}  // namespace

program_end run_program_to_end(const program_start& what, const std::function<bool()>& living) {
  const signal_guard guard;
  return waiting(what, guard).run(living);
}

}  // namespace headroom::cli
