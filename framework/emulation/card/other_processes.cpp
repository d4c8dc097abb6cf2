// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "other_processes.hpp"

#include "card.hpp"

int headroom_emulation_other_process(int device, unsigned process, std::uint64_t bytes) {
  using namespace headroom::emulation;
  const card_lock lock(card_mutex());
  card& all = card::get();
  if (device < 0 || static_cast<std::size_t>(device) >= all.devices.size()) {
    return static_cast<int>(result::invalid_device);
  }
  auto& on = *all.devices[static_cast<std::size_t>(device)];
  std::uint64_t& has = on.others[process];
  on.memory.give_back(has);
  const bool fits = on.memory.take(bytes);
  if (fits) {
    has = bytes;
  } else if (!on.memory.take(has)) {
    has = 0;  // not reached: it was there a moment ago
  }
  if (has == 0) on.others.erase(process);
  return static_cast<int>(fits ? result::success : result::out_of_memory);
}
