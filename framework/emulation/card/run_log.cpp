// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "run_environment.hpp"

// Names of the variables by which a run is found: an emulated card's, and those of a run that
// counts the calls of a real one, may be around the same process.
#ifndef HEADROOM_RUN_NAME
#define HEADROOM_RUN_NAME "HEADROOM_RUN"
#endif

namespace headroom::emulation {
namespace {

/// Of this process's run, once it is open.
std::atomic<run_segment*> segment_of_run = nullptr;

/// Past the program's own limit of a file's size a write is a signal, which must not reach it.
bool write_whole(int file, const std::string& text) {
  sigset_t over{};
  sigset_t before{};
  sigemptyset(&over);
  sigaddset(&over, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &over, &before);
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size());
  constexpr timespec at_once{};
  if (written < 0 && errno == EFBIG && sigismember(&before, SIGXFSZ) == 0) {
    sigtimedwait(&over, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return whole;
}

}  // namespace

std::string run_variable_of(const std::string& what) {
  return run_variable(HEADROOM_RUN_NAME "_" + what);
}

void lines_are_lost_to(run_segment* segment) { segment_of_run = segment; }

void tell_run(const std::string& line) {
  const std::string path = run_variable_of("LOG");
  if (path.empty()) return;
  // Opened for each line: the program may close files that it does not know.
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0 || !write_whole(file, line + "\n")) lose_line();
  if (file >= 0) ::close(file);
}

void lose_line() {
  if (run_segment* const segment = segment_of_run.load()) segment->lost_lines.fetch_add(1);
}

}  // namespace headroom::emulation
