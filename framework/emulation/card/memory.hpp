// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "card.hpp"

namespace headroom::emulation {

/// Takes device memory. Requests above half a granule get granules of their own; smaller ones share
/// granules in units of 512 bytes (how the driver shares them is not documented: assumed).
/// @param at  the address; 0 for no bytes
[[nodiscard]] result take(card& all, device& on, std::uint64_t size, address& at);
/// Gives back what take, take_managed or a pool gave. Waits for the device first, as cudaFree does,
/// but for memory of a pool, whose accesses the program answers for.
/// @return invalid_value for what take did not give
[[nodiscard]] result give_back(card& all, card_lock& lock, address at);

/// The same without waiting.
[[nodiscard]] result release_block(card& all, address at);

/// Host memory that the device can use; contents are kept.
[[nodiscard]] result take_host(card& all, device& on, std::uint64_t size, unsigned flags,
                               address& at);
[[nodiscard]] result give_back_host(card& all, card_lock& lock, address at);
[[nodiscard]] result register_host(card& all, device& on, address at, std::uint64_t size,
                                   unsigned flags);
[[nodiscard]] result unregister_host(card& all, card_lock& lock, address at);

/// Memory on both sides: host memory here, not counted as the device's (where it lies when it is
/// touched is not modelled). Its contents are kept.
[[nodiscard]] result take_managed(card& all, device& on, std::uint64_t size, unsigned flags,
                                  address& at);

/// The address of a module's variable on the device, with memory behind it.
[[nodiscard]] result address_of(card& all, device& on, variable& of, address& at);

/// Gives the managed variables of modules their memory, and the program its pointers to them.
[[nodiscard]] result place_managed_variables(card& all, device& on);

/// Whether contents of a taking of that size are kept.
[[nodiscard]] bool keeps_contents(const card& all, std::uint64_t taken);

}  // namespace headroom::emulation
