// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// torch_parity TRACE: the trace through PyTorch's allocator and through headroom's. After every
// event what headroom::torch_source reads must be what headroom's own allocator reads. Exit 1: it
// is not. PyTorch reads its settings once a process, so a process has one trace.
#include <cstdio>
#include <exception>
#include <fstream>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/replay.hpp>
#include <headroom/sources/torch_source.hpp>
#include <map>

#include "parity/recorder/reference.hpp"

namespace {

using namespace headroom;

bool same(const source_reading& a, const source_reading& b) {
  return a.counters == b.counters && a.requested_current == b.requested_current &&
         a.requested_peak == b.requested_peak && a.retries == b.retries && a.refusals == b.refusals;
}

void print(const char* who, const source_reading& read) {
  std::printf("  %-9s", who);
  for (const counter_id id : all_counters) {
    std::printf(" %s %lld", std::string(name_of(id)).c_str(),
                read[id] ? static_cast<long long>(read[id]->n) : -1LL);
  }
  std::printf(" retries %lld refusals %lld\n", static_cast<long long>(read.retries.value_or(-1)),
              static_cast<long long>(read.refusals.value_or(-1)));
}

std::string settings_text(const allocator_settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings.entries()) {
    text += (text.empty() ? "" : ",") + name + ":" + value;
  }
  return text;
}

/// Ids of a trace may be large; those that the reference takes are few.
class small_ids {
 public:
  std::uint64_t of(const trace_event& event) {
    const auto found = known_.find(event.id);
    if (event.operation == trace_operation::allocate) {
      const std::uint64_t id = spare_.empty() ? known_.size() : spare_.back();
      if (!spare_.empty()) spare_.pop_back();
      known_[event.id] = id;
      return id;
    }
    if (found == known_.end()) return 0;
    const std::uint64_t id = found->second;
    if (event.operation == trace_operation::free) {
      known_.erase(found);
      spare_.push_back(id);
    }
    return id;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> known_;
  std::vector<std::uint64_t> spare_;
};

int compare(const char* file) {
  std::ifstream in(file);
  trace_reader reader(in, file);
  address_segments segments(reader.header().capacity, "plan");
  ticket_clock clock;
  caching_allocator own(segments, clock, reader.header().settings);
  replay run(own, clock);
  reference torch(reader.header().capacity, settings_text(reader.header().settings));
  const torch_source source;
  small_ids ids;
  std::uint64_t events = 0;
  for (; const std::optional<trace_event> event = reader.next(); ++events) {
    (void)run.apply(*event);
    trace_event renamed = *event;
    renamed.id = ids.of(*event);
    (void)torch.apply(renamed);
    if (same(source.read(), own.read())) continue;
    std::printf("%s: differs after event %llu\n", file, static_cast<unsigned long long>(events));
    print("PyTorch", source.read());
    print("headroom", own.read());
    return 1;
  }
  std::printf("%s: %llu events, no difference\n", file, static_cast<unsigned long long>(events));
  return events > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: torch_parity TRACE\n");
    return 3;
  }
  try {
    return compare(arguments[1]);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], fault.what());
    return 2;
  }
}
