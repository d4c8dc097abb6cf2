// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "fresh_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <headroom/core/error.hpp>
#include <system_error>

namespace headroom::cli {
namespace {

constexpr std::size_t most_message = std::size_t{64} << 10;

volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t running_child = 0;

// A signal for this process alone has to reach the child that it waits for.
void on_signal(int number) {
  received_signal = number;
  if (running_child > 0) ::kill(static_cast<pid_t>(running_child), number);
}

[[noreturn]] void cannot_start(std::string_view what, int code) {
  throw error(fmt::format("no fresh process can be started: {}: {}", what,
                          std::generic_category().message(code)));
}

/// In the child: nothing that allocates.
[[noreturn]] void become(const char* executable, char* const* arguments, int error_pipe) {
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(error_pipe, STDERR_FILENO);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ::execv(executable, arguments);
  ::_exit(127);
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    const auto room = most_message - std::min(most_message, text.size());
    text.append(block.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

}  // namespace

process_end run_fresh(const console& io, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{io.executable};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& each : all) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) cannot_start("pipe", errno);
  io.out.flush();
  const pid_t child = ::fork();
  if (child < 0) {
    const int code = errno;
    ::close(pipe[0]);
    ::close(pipe[1]);
    cannot_start("fork", code);
  }
  if (child == 0) become(all.front().c_str(), pointers.data(), pipe[1]);
  running_child = child;
  ::close(pipe[1]);
  process_end end;
  end.message = read_all(pipe[0]);
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  if (WIFSIGNALED(status)) {
    end.code = -1;
    end.signal = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
  if (end.code == 127) cannot_start(io.executable, ENOENT);
  return end;
}

void end_by_signal(const console& io, int signal) {
  io.out.flush();
  io.err.flush();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

interrupt_guard::interrupt_guard() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigaction(SIGINT, &action, &before_interrupt_);
  ::sigaction(SIGTERM, &action, &before_terminate_);
}

interrupt_guard::~interrupt_guard() {
  ::sigaction(SIGINT, &before_interrupt_, nullptr);
  ::sigaction(SIGTERM, &before_terminate_, nullptr);
}

int interrupt_guard::received() { return received_signal; }

}  // namespace headroom::cli
