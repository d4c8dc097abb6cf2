// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {
struct card;  // headroom/core/card.hpp
}

namespace headroom::emulation {

/// A kind of card: what programs ask of a device before they launch anything.
struct card_profile {
  std::string id;              ///< as in HEADROOM_EMULATED_CARD: "rtx4090"
  std::string name;            ///< always begins with "Emulated": no report can take it for a card
  std::uint64_t capacity = 0;  ///< bytes that the device declares
  int major = 9;               ///< compute capability
  int minor = 0;
  int processors = 1;                        ///< streaming multiprocessors
  std::uint64_t level2_cache = 0;            ///< bytes
  std::uint64_t shared_per_processor = 0;    ///< bytes of shared memory
  std::uint64_t shared_per_block_optin = 0;  ///< bytes, with cudaFuncSetAttribute
  int threads_per_processor = 2048;
  int blocks_per_processor = 32;
};

/// @return nothing where the card's architecture is not known
[[nodiscard]] std::optional<card_profile> profile_of(const headroom::card& described);
/// @return the profile of one of headroom's own cards, or nothing
[[nodiscard]] std::optional<card_profile> find_profile(std::string_view id);
/// "a100-40gb, a100-80gb, ...": for messages
[[nodiscard]] std::string profile_ids();

/// A card of any capacity.
/// @param major, minor  compute capability; limits are those of its architecture
/// @return nothing where the architecture is not known
[[nodiscard]] std::optional<card_profile> profile_of_size(std::uint64_t capacity, int major,
                                                          int minor);
/// The limits of another architecture in place of the profile's own.
/// @return false where the architecture is not known; the profile is unchanged
[[nodiscard]] bool set_capability(card_profile& profile, int major, int minor);
/// "7.5, 8.0, ..."
[[nodiscard]] std::string known_capabilities();

}  // namespace headroom::emulation
