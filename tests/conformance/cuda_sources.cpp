// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/open_device.hpp>

#include "conformance/device_source.hpp"

namespace headroom::conformance {

/// Those of cuda:0: a card, or the emulation of one.
std::vector<named_source> sources() {
  const device_request card = parse_device_request("cuda:0");
  const std::string missing = find_device(card).reason;
  std::vector<named_source> all;
  for (const auto& [name, choice] :
       {std::pair{"Caching", "caching"}, std::pair{"Expandable", "expandable_segments:True"},
        std::pair{"Plain", "plain"}, std::pair{"StreamOrderedPool", "cuda-async"}}) {
    all.push_back({name,
                   [card, choice = std::string(choice)] {
                     return std::make_unique<device_source>(
                         open_device(card, parse_allocator_choice(choice)));
                   },
                   missing});
  }
  return all;
}

}  // namespace headroom::conformance
