// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstdio>
#include <headroom/device/buffer_account.hpp>
#include <string>

namespace headroom {

tag_table buffer_account::by_tag() const {
  tag_table made;
  for (const tag each : all_tags) {
    made[each] = bytes{held_[static_cast<std::size_t>(each)].load(std::memory_order_relaxed)};
  }
  return made;
}

void buffer_account::close() noexcept {
  closed_.store(true, std::memory_order_release);
  const tag_table left = by_tag();
  if (left.total() == bytes{}) return;
  try {
    std::string text;
    for (const tag each : all_tags) {
      if (left[each] == bytes{}) continue;
      text += text.empty() ? "" : ", ";
      text += std::to_string(left[each].n) + " B of " + std::string(name_of(each));
    }
    std::fprintf(
        stderr,
        "headroom: a device ends before what holds its memory: %s; that memory goes with the "
        "device. End workloads, tensors and buffers before it\n",
        text.c_str());
  } catch (...) {
    std::fputs("headroom: a device ends before what holds its memory\n", stderr);
  }
}

}  // namespace headroom
