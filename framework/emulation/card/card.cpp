// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "card.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "capture.hpp"
#include "framework_at_exit.hpp"
#include "json_text.hpp"
#include "loaded_module.hpp"
#include "other_libraries.hpp"
#include "pool.hpp"
#include "run_channel.hpp"
#include "run_environment.hpp"
#include "virtual_memory.hpp"
#include "visible.hpp"

namespace headroom::emulation {
namespace {

card* the_card = nullptr;

settings settings_of_process() {
  settings_result read = read_settings(run_environment());
  if (const std::string other = conflicting_library(); !other.empty()) read.faults.push_back(other);
  if (read.faults.empty()) return *read.value;
  for (const std::string& fault : read.faults) {
    tell_run("{\"event\": \"fault\", \"process\": " + std::to_string(getpid()) +
             ", \"what\": " + json_string(fault) + "}");
    std::fprintf(stderr, "headroom: emulated card: %s\n", fault.c_str());
  }
  std::fflush(nullptr);  // what the program has printed so far
  std::_Exit(3);
}

}  // namespace

std::mutex& card_mutex() {
  static std::mutex one;
  return one;
}

kernel_registry& modules() {
  static auto* one = new kernel_registry;  // outlives every module's own end
  return *one;
}

thread_state& this_thread() {
  static thread_local thread_state one;
  return one;
}

card::card(const settings& described)
    : set(described),
      process(getpid()),
      run(run_channel::open(set.devices, set.profile.capacity)),
      ranges(std::make_unique<virtual_memory>(*this)) {
  std::vector<int> places = visible_cards(std::getenv("CUDA_VISIBLE_DEVICES"), set.devices);
  visible = static_cast<int>(places.size());
  for (int place = 0; place < set.devices; ++place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  for (int index = 0; index < set.devices; ++index) {
    const int place = places[static_cast<std::size_t>(index)];
    device& fresh = *devices.emplace_back(std::make_unique<device>(index, place, set.profile));
    fresh.memory.look_on(run.get());
    fresh.default_pool = fresh.pool = create_pool(*this, fresh, 0);
  }
  if (run != nullptr) tell_framework_at_exit();
}

card::~card() = default;

card& card::get() {
  if (the_card == nullptr) the_card = new card(settings_of_process());
  return *the_card;
}

card* card::existing() { return the_card; }

bool activate(card& all, device& on) {
  if (on.active) return true;
  if (!on.memory.take(all.set.context, true)) {
    on.memory.refuse(all.set.context);
    return false;
  }
  on.active = true;
  return true;
}

device* current_device(card& all, thread_state& me) {
  device& on = *all.devices[static_cast<std::size_t>(me.device)];
  return activate(all, on) ? &on : nullptr;
}

event* event_of(card& all, const void* handle) {
  return all.events.contains(handle) ? static_cast<event*>(const_cast<void*>(handle)) : nullptr;
}

}  // namespace headroom::emulation
