// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace headroom::cli {
namespace {

const run_segment::device_levels& levels_of(const card_user& user, int device) {
  return user.slot->devices[static_cast<std::size_t>(device)];
}

bytes value_of(const std::atomic<std::int64_t>& level) { return bytes{level.load()}; }

const logged_levels* find(const std::vector<logged_levels>& all, int device) {
  for (const logged_levels& each : all) {
    if (each.device == device) return &each;
  }
  return nullptr;
}

const logged_levels* framework_levels(const card_user& user, int device) {
  if (user.told == nullptr || !user.told->framework) return nullptr;
  return find(user.told->framework->devices, device);
}

bool unread_framework(const card_user& user) {
  return user.told != nullptr && !user.told->framework && user.told->unread_framework;
}

void put(source_reading& into, const logged_levels& read) {
  into[counter_id::allocated_current] = read.allocated;
  into[counter_id::allocated_peak] = read.allocated_peak;
  into[counter_id::reserved_current] = read.reserved;
  into[counter_id::reserved_peak] = read.reserved_peak;
  into.requested_current = read.requested;
  into.requested_peak = read.requested_peak;
  into.retries = read.retries;
  into.refusals = read.refusals;
}

void describe_framework(device_record& device, const logged_framework& framework) {
  device.allocator.name = framework.name + " " + framework.allocator;
  if (!framework.settings.empty()) {
    device.allocator.settings = {{"PYTORCH_ALLOC_CONF", framework.settings}};
  }
  device.source.name = framework.name;
  const bool pools = framework.allocator == "cudaMallocAsync";
  const std::string blocks = "live blocks of the framework's allocator, after its rounding";
  const std::string held = "what the framework's allocator took from the card, in use or cached";
  device.source[counter_id::allocated_current] = {true, true, blocks};
  device.source[counter_id::allocated_peak] = {true, true, blocks};
  device.source[counter_id::reserved_current] = {true, true, held};
  device.source[counter_id::reserved_peak] = {true, !pools, held};
  if (framework.at_exit) {
    for (const counter_id id : {counter_id::allocated_peak, counter_id::reserved_peak}) {
      device.source[id].exact = false;
      device.source[id].covers += "; since the program's own last reset of its peaks";
    }
  }
}

void describe_driver(device_record& device, bool counted, bool allocated, std::string_view of) {
  device.allocator.name = "the program's own";
  device.source.name = counted ? "calls of the driver, counted" : "the card";
  const std::string blocks =
      allocated ? fmt::format(
                      "what the driver handed out to {}: cudaMalloc as asked for, pools' "
                      "and graphs' blocks, memory without an address",
                      of)
                : "a framework's allocator is between driver and program, and was not read";
  const std::string held =
      counted ? fmt::format(
                    "what {} took from the card: pieces of 2 MiB that a block touches, and what "
                    "pools and graphs say they hold; the context left out",
                    of)
              : fmt::format("what {} took from the card, its context left out", of);
  for (const counter_id id : {counter_id::allocated_current, counter_id::allocated_peak}) {
    device.source[id] = {allocated, allocated, blocks};
  }
  for (const counter_id id : {counter_id::reserved_current, counter_id::reserved_peak}) {
    device.source[id] = {true, true, held};
  }
}

/// What a process's context takes: of a real card as NVML said, where it did.
std::optional<bytes> context_of(const run_facts& facts, const card_user& user, int device) {
  if (facts.counted &&
      (user.told == nullptr ||
       std::count(user.told->contexts.begin(), user.told->contexts.end(), device) == 0)) {
    return std::nullopt;
  }
  return value_of(levels_of(user, device).context);
}

/// Several processes on one card: the card knows what all took at one moment, the frameworks only
/// what each handed out.
void read_together(const run_facts& facts, int device, const std::vector<card_user>& users,
                   card_reading& into) {
  const bool any_framework = std::any_of(users.begin(), users.end(), [&](const card_user& each) {
    return framework_levels(each, device) != nullptr || unread_framework(each);
  });
  describe_driver(into.device, facts.counted, !any_framework, "all processes together");
  const auto& all = facts.segment->together[static_cast<std::size_t>(device)];
  bytes allocated{0};
  bytes reserved{0};
  std::int64_t refusals = 0;
  for (const card_user& each : users) {
    allocated += value_of(levels_of(each, device).allocated.now);
    reserved += value_of(levels_of(each, device).taken.now);
    refusals += levels_of(each, device).refusals.load();
  }
  source_reading& end = into.whole.end;
  // They may have ended one after the other: never more than they held at one time.
  const std::string at_end = "what each process held when it ended, added up, at most the peak";
  for (const counter_id id : {counter_id::reserved_current, counter_id::allocated_current}) {
    into.device.source[id].exact = false;
    into.device.source[id].covers += "; " + at_end;
  }
  reserved = std::min(reserved, value_of(all.taken.peak));
  allocated = std::min(allocated, value_of(all.allocated.peak));
  end[counter_id::reserved_current] = reserved;
  end[counter_id::reserved_peak] = value_of(all.taken.peak);
  end.refusals = refusals;
  if (!any_framework) {
    end[counter_id::allocated_current] = allocated;
    end[counter_id::allocated_peak] = value_of(all.allocated.peak);
    return;
  }
  bytes peaks{0};
  bytes levels{0};
  for (const card_user& each : users) {
    const logged_levels* const told = framework_levels(each, device);
    if (told == nullptr && levels_of(each, device).taken.peak.load() == 0) continue;  // a context
    if (told == nullptr || !told->allocated_peak || !told->allocated) return;
    peaks += *told->allocated_peak;
    levels += *told->allocated;
  }
  const std::string sum = "live blocks of the frameworks' allocators, each process's added up";
  // Their blocks lie in what they took.
  into.device.source[counter_id::allocated_current] = {true, false, sum + "; " + at_end};
  into.device.source[counter_id::allocated_peak] = {true, false, sum + ": peaks of any moments"};
  end[counter_id::allocated_current] = std::min(levels, reserved);
  end[counter_id::allocated_peak] = peaks;
}

void read_alone(const run_facts& facts, int device, const card_user& user, card_reading& into) {
  source_reading& end = into.whole.end;
  if (const logged_levels* const told = framework_levels(user, device)) {
    describe_framework(into.device, *user.told->framework);
    return put(end, *told);
  }
  const bool hidden = unread_framework(user);
  describe_driver(into.device, facts.counted, !hidden, "the program");
  const auto& own = levels_of(user, device);
  end[counter_id::reserved_current] = value_of(own.taken.now);
  end[counter_id::reserved_peak] = value_of(own.taken.peak);
  end.refusals = own.refusals.load();
  if (hidden) return;
  end[counter_id::allocated_current] = value_of(own.allocated.now);
  end[counter_id::allocated_peak] = value_of(own.allocated.peak);
}

}  // namespace

std::string device_id(const run_facts& facts, int device) {
  return fmt::format("cuda:{}", facts.first + device);
}

const run_card& card_of(const run_facts& facts, int device) {
  return facts.cards[static_cast<std::size_t>(device)];
}

const card_user* only_taker(const std::vector<card_user>& users, int device) {
  if (users.size() == 1) return &users.front();
  const card_user* only = nullptr;
  for (const card_user& each : users) {
    const auto& levels = levels_of(each, device);
    if (levels.taken.peak.load() == 0 && levels.refusals.load() == 0) continue;
    if (only != nullptr) return nullptr;
    only = &each;
  }
  return only;
}

bool uses(const card_user& user, int device) {
  const auto& levels = levels_of(user, device);
  return levels.taken.peak.load() > 0 || levels.context.load() > 0 || levels.refusals.load() > 0;
}

std::vector<card_user> users_of(const run_facts& facts) {
  std::vector<card_user> all;
  std::map<std::int64_t, std::int64_t> times;
  for (const run_segment::process_slot& slot : facts.segment->processes) {
    const std::int64_t process = slot.process.load();
    if (process == 0) break;
    for (card_user& earlier : all) {
      earlier.replaced |= earlier.slot->process.load() == process &&
                          earlier.slot->started.load() == slot.started.load();
    }
    const std::int64_t identity = identity_of(process, times[process]++);
    const card_user user{static_cast<int>(all.size()) + 1, identity, false, &slot,
                         facts.log.find(identity)};
    for (int device = 0; device < static_cast<int>(facts.cards.size()); ++device) {
      if (!uses(user, device)) continue;
      all.push_back(user);
      break;
    }
  }
  return all;
}

card_reading read_card_levels(const run_facts& facts, int device,
                              const std::vector<card_user>& users) {
  card_reading read;
  device_info& info = read.device.info;
  info.id = device_id(facts, device);
  info.kind = device_kind::cuda;
  const run_card& card = card_of(facts, device);
  info.name = card.name;
  if (!card.identifier.empty()) info.uuid = card.identifier;
  info.compute_capability = card.capability;
  info.capacity = card.capacity;
  info.emulated = card.emulated || facts.log.emulated;
  read.whole.device = info.id;
  read.whole.begin_allocated = bytes{0};
  read.whole.begin_reserved = bytes{0};
  if (const card_user* const only = only_taker(users, device)) {
    read_alone(facts, device, *only, read);
  } else {
    read_together(facts, device, users, read);
  }
  std::optional<bytes> contexts = bytes{0};
  bytes taken{0};
  for (const card_user& each : users) {
    const std::optional<bytes> context = context_of(facts, each, device);
    if (contexts && context) *contexts += *context;
    if (!context) contexts.reset();
    taken += value_of(levels_of(each, device).taken.now);
  }
  std::optional<bytes> held;
  if (contexts) {
    const auto at = static_cast<std::size_t>(device);
    held = std::min(taken, value_of(facts.segment->together[at].taken.peak)) +
           std::min(*contexts, value_of(facts.segment->contexts[at].peak));
  }
  read.whole.system.total = card.capacity;
  // Of a real card others may hold as much as they like.
  if (!facts.counted && held) read.whole.system.free = card.capacity - *held;
  read.whole.system.process = held;
  read.whole.outside =
      outside_allocator_of(read.whole.system, read.whole.end[counter_id::reserved_current]);
  return read;
}

std::optional<device_reading> read_phase_levels(const run_facts& facts, int device,
                                                const card_user& user, const logged_phase& phase) {
  const logged_levels* const driver = find(phase.driver, device);
  const logged_levels* const framework = find(phase.framework, device);
  if (driver == nullptr) return std::nullopt;
  device_reading read;
  read.device = device_id(facts, device);
  // One source for a column: where the process has a framework's figures, they are its figures.
  const bool at_exit =
      user.told != nullptr && user.told->framework && user.told->framework->at_exit;
  const bool by_framework = framework_levels(user, device) != nullptr && !at_exit;
  const logged_levels* const source = by_framework ? framework : driver;
  if (source != nullptr) {
    put(read.end, *source);
    read.begin_allocated = source->begin_allocated;
    read.begin_reserved = source->begin_reserved;
  }
  if (!by_framework && (at_exit || unread_framework(user))) {
    read.end[counter_id::allocated_current].reset();
    read.end[counter_id::allocated_peak].reset();
    read.begin_allocated.reset();
  }
  const bytes capacity = card_of(facts, device).capacity;
  read.system.total = capacity;
  if (!facts.counted && driver->used) read.system.free = capacity - *driver->used;
  if (driver->reserved && driver->context && context_of(facts, user, device)) {
    read.system.process = *driver->reserved + *driver->context;
  }
  read.outside = outside_allocator_of(read.system, read.end[counter_id::reserved_current]);
  return read;
}

std::vector<process_levels> levels_of_process(const run_facts& facts, const card_user& user) {
  std::vector<process_levels> all;
  for (int device = 0; device < static_cast<int>(facts.cards.size()); ++device) {
    if (!uses(user, device)) continue;
    const auto& own = levels_of(user, device);
    process_levels read;
    read.device = device_id(facts, device);
    read.reserved_peak = value_of(own.taken.peak);
    read.allocated_peak = value_of(own.allocated.peak);
    read.context = context_of(facts, user, device);
    read.refusals = own.refusals.load();
    if (const logged_levels* const told = framework_levels(user, device)) {
      read.framework_reserved_peak = told->reserved_peak;
      read.framework_allocated_peak = told->allocated_peak;
    }
    all.push_back(std::move(read));
  }
  return all;
}

}  // namespace headroom::cli
