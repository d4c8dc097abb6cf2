// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <headroom/core/run_segment.hpp>

namespace headroom {

std::int64_t start_of_process(std::int64_t process) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(process));
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[1024];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  // "PID (NAME) STATE ...": the name may hold anything, the start is the 20th field behind it.
  const char* at = std::strrchr(text, ')');
  if (at == nullptr || std::strlen(at) < 4) return 0;
  at += 2;
  if (*at == 'Z' || *at == 'X') return 0;
  for (int field = 3; field < 22; ++field) {
    at = std::strchr(at, ' ');
    if (at == nullptr) return 0;
    ++at;
  }
  return std::strtoll(at, nullptr, 10);
}

run_segment::process_slot* run_segment::claim(std::int64_t process) noexcept {
  const std::int64_t begin = start_of_process(process);
  for (process_slot& slot : processes) {
    std::int64_t nobody = 0;
    if (slot.process.compare_exchange_strong(nobody, process)) {
      slot.started = begin;
      return &slot;
    }
    if (nobody == process && slot.started.load() == begin) end(slot);
  }
  return nullptr;
}

void run_segment::end(process_slot& slot) noexcept {
  std::int64_t live = 0;
  if (!slot.ended.compare_exchange_strong(live, 1)) return;
  for (std::size_t i = 0; i < most_devices; ++i) {
    const std::int64_t taken = slot.devices[i].taken.now.load();
    const std::int64_t context = slot.devices[i].context.load();
    used[i].fetch_sub(taken + context);
    together[i].taken.now.fetch_sub(taken);
    together[i].allocated.now.fetch_sub(slot.devices[i].allocated.now.load());
    contexts[i].now.fetch_sub(context);
  }
}

bool run_segment::sweep_ended() noexcept {
  bool any = false;
  for (process_slot& slot : processes) {
    const std::int64_t process = slot.process.load();
    if (process == 0) break;  // they are taken in order
    if (slot.ended.load() != 0 || start_of_process(process) == slot.started.load()) continue;
    end(slot);
    any = true;
  }
  return any;
}

}  // namespace headroom
