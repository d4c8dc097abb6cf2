// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "address_space.hpp"
#include "json_text.hpp"
#include "other_libraries.hpp"
#include "run_environment.hpp"

namespace headroom::emulation {
namespace {

constexpr int most_refusals_told = 100;

/// Told by the C library to the handlers of exit, or by who ends the process without them.
std::atomic<int> exit_status = 0;

std::int64_t nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string command_line() {
  std::string text = "[";
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  std::string words;
  char block[4096];
  for (ssize_t got = 0; file >= 0 && words.size() < 65536;
       words.append(block, static_cast<std::size_t>(got))) {
    got = ::read(file, block, sizeof block);
    if (got <= 0) break;
  }
  if (file >= 0) ::close(file);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\0', at), words.size());
    text += (at == 0 ? "" : ", ") + json_string(std::string_view(words).substr(at, end - at));
    at = end + 1;
  }
  return text + "]";
}

std::string line_of(const char* kind) {
  return "{\"event\": \"" + std::string(kind) + "\", \"process\": " + std::to_string(getpid());
}

run_segment::process_slot* claim(run_segment& segment) {
  if (auto* const slot = segment.claim(getpid())) return slot;
  const std::string fault = "more than " + std::to_string(run_segment::most_processes) +
                            " processes of one run use a card";
  tell_run(line_of("fault") + ", \"what\": " + json_string(fault) + "}");
  std::fprintf(stderr, "headroom: %s\n", fault.c_str());
  std::_Exit(3);
}

}  // namespace

std::unique_ptr<run_channel> run_channel::open(int devices, std::uint64_t capacity) {
  const std::string path = run_variable_of("SEGMENT");
  if (path.empty()) return nullptr;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  void* memory = MAP_FAILED;
  if (file >= 0) {
    memory = mmap(nullptr, sizeof(run_segment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
  }
  auto* const segment = static_cast<run_segment*>(memory);
  if (memory == MAP_FAILED || segment->version.load() != run_segment::known_version) {
    std::fprintf(
        stderr,
        "headroom: the run that this process came from has ended, is another user's or another "
        "container's, or of another version of headroom: what it takes of the card is not "
        "counted\n");
    return nullptr;
  }
  lines_are_lost_to(segment);
  return std::unique_ptr<run_channel>(new run_channel(segment, claim(*segment), devices, capacity));
}

run_channel::run_channel(run_segment* segment, run_segment::process_slot* slot, int devices,
                         std::uint64_t capacity)
    : segment_(segment), slot_(slot), devices_(devices), capacity_(capacity) {
  on_exit([](int status, void*) { run_channel::exits_with(status); }, nullptr);
  tell_run(line_of("process") + json_member("parent", getppid()) +
           ", \"command\": " + command_line() + "}");
  prove_meter();
}

run_channel::~run_channel() = default;

run_segment::device_levels& run_channel::own(int device) const {
  return slot_->devices[static_cast<std::size_t>(device)];
}

run_segment::device_levels& run_channel::together(int device) const {
  return segment_->together[static_cast<std::size_t>(device)];
}

bool run_channel::take(int device, std::uint64_t size, bool context) {
  const auto wanted = static_cast<std::int64_t>(size);
  const auto capacity = static_cast<std::int64_t>(capacity_);
  // What a killed process held is free again, as with a driver.
  if (!segment_->take(device, wanted, capacity) &&
      (!segment_->sweep_ended() || !segment_->take(device, wanted, capacity))) {
    return false;
  }
  if (context) {
    own(device).context.fetch_add(wanted);
    segment_->contexts[static_cast<std::size_t>(device)].add(wanted);
    return true;
  }
  own(device).taken.add(wanted);
  together(device).taken.add(wanted);
  const std::int64_t now = own(device).taken.now.load();
  for (open_phase& each : phases_) {
    std::int64_t& peak = each.devices[static_cast<std::size_t>(device)].taken_peak;
    peak = std::max(peak, now);
  }
  return true;
}

void run_channel::give_back(int device, std::uint64_t size, bool context) {
  const auto gone = static_cast<std::int64_t>(size);
  if (context) {
    own(device).context.fetch_sub(gone);
    segment_->contexts[static_cast<std::size_t>(device)].add(-gone);
  } else {
    own(device).taken.add(-gone);
    together(device).taken.add(-gone);
  }
  segment_->used[static_cast<std::size_t>(device)].fetch_sub(gone);
}

void run_channel::hand_out(int device, std::int64_t change) {
  own(device).allocated.add(change);
  together(device).allocated.add(change);
  const std::int64_t now = own(device).allocated.now.load();
  for (open_phase& each : phases_) {
    std::int64_t& peak = each.devices[static_cast<std::size_t>(device)].allocated_peak;
    peak = std::max(peak, now);
  }
}

void run_channel::refuse(int device, std::uint64_t size) {
  own(device).refusals.fetch_add(1);
  together(device).refusals.fetch_add(1);
  if (++refusals_told_ > most_refusals_told) return;
  tell_run(line_of("refused") + json_member("device", device) +
           json_member("requested_bytes", static_cast<std::int64_t>(size)) +
           json_member("taken_bytes", own(device).taken.now.load()) +
           json_member("used_bytes", static_cast<std::int64_t>(used(device))) +
           json_member("phase", innermost()) + "}");
}

std::uint64_t run_channel::used(int device) const {
  return static_cast<std::uint64_t>(segment_->used[static_cast<std::size_t>(device)].load());
}

std::uint64_t run_channel::taken(int device) const {
  return static_cast<std::uint64_t>(own(device).taken.now.load());
}

void run_channel::end_context(int device) {
  give_back(device, static_cast<std::uint64_t>(own(device).context.load()), true);
}

void run_channel::prove_meter() {
  // On the slot's own levels alone: the probe must not raise a peak that is judged.
  const std::int64_t before = own(0).taken.now.load();
  own(0).taken.now.fetch_add(static_cast<std::int64_t>(granularity));
  const std::int64_t during = own(0).taken.now.load();
  own(0).taken.now.fetch_sub(static_cast<std::int64_t>(granularity));
  tell_run(line_of("probe") +
           json_member("requested_bytes", static_cast<std::int64_t>(granularity)) +
           json_member("before_bytes", before) + json_member("during_bytes", during) +
           json_member("after_bytes", own(0).taken.now.load()) + "}");
}

int run_channel::innermost() const {
  const long self = gettid();
  for (auto each = phases_.rbegin(); each != phases_.rend(); ++each) {
    if (each->thread == self) return each->number;
  }
  return 0;
}

std::string run_channel::innermost_name() const {
  const int wanted = innermost();
  for (const open_phase& each : phases_) {
    if (each.number == wanted) return each.name;
  }
  return "none";
}

int run_channel::begin_phase(const std::string& name, const std::string& by) {
  open_phase fresh;
  fresh.number = ++last_phase_;
  fresh.parent = innermost();
  fresh.thread = gettid();
  fresh.begin = nanoseconds();
  fresh.name = name;
  fresh.by = by;
  for (int i = 0; i < devices_; ++i) {
    const std::int64_t allocated = own(i).allocated.now.load();
    const std::int64_t taken = own(i).taken.now.load();
    fresh.devices.push_back({allocated, allocated, taken, taken});
  }
  tell_run(line_of("begin") + json_member("phase", fresh.number) +
           json_member("parent", fresh.parent) + ", \"name\": " + json_string(name) +
           ", \"by\": " + json_string(by) + "}");
  phases_.push_back(std::move(fresh));
  return last_phase_;
}

void run_channel::close_phase(std::size_t which, const std::string& framework, const char* status) {
  const open_phase& done = phases_[which];
  std::string line = line_of("phase") + json_member("phase", done.number) +
                     json_member("parent", done.parent) + ", \"name\": " + json_string(done.name) +
                     ", \"by\": " + json_string(done.by) + ", \"status\": \"" + status + "\"" +
                     json_member("nanoseconds", nanoseconds() - done.begin) + ", \"driver\": [";
  for (int i = 0; i < devices_; ++i) {
    const levels& each = done.devices[static_cast<std::size_t>(i)];
    line += (i == 0 ? "{" : ", {") + ("\"device\": " + std::to_string(i)) +
            json_member("begin_allocated_bytes", each.begin_allocated) +
            json_member("begin_reserved_bytes", each.begin_taken) +
            json_member("allocated_bytes", own(i).allocated.now.load()) +
            json_member("allocated_peak_bytes", each.allocated_peak) +
            json_member("reserved_bytes", own(i).taken.now.load()) +
            json_member("reserved_peak_bytes", each.taken_peak) +
            json_member("context_bytes", own(i).context.load()) +
            json_member("used_bytes", static_cast<std::int64_t>(used(i))) +
            json_member("refusals", own(i).refusals.load()) + "}";
  }
  line += "], \"framework\": " + (framework.empty() ? std::string("[]") : framework) + "}";
  tell_run(line);
  phases_.erase(phases_.begin() + static_cast<std::ptrdiff_t>(which));
}

bool run_channel::end_phase(int number, const std::string& framework, bool failed) {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    if (phases_[i].number != number) continue;
    close_phase(i, framework, failed ? "failed" : "ok");
    return true;
  }
  return false;
}

void run_channel::exits_with(int status) { exit_status = status & 0xff; }

void run_channel::end(const std::string& report) {
  while (!phases_.empty()) close_phase(phases_.size() - 1, "", "open");
  tell_run(line_of("end") +
           ", \"caching_allocator\": " + (caching_allocator_loaded() ? "true" : "false") +
           json_member("exit_code", exit_status) + ", \"report\": " + report + "}");
  segment_->end(*slot_);
}

}  // namespace headroom::emulation
