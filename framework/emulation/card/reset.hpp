// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "card.hpp"

namespace headroom::emulation {

/// Does the device's work, gives back all that was taken from it, forgets its streams, and ends its
/// context. A sticky error stays: it takes a new process to be rid of it.
void reset(card& all, card_lock& lock, device& on);

}  // namespace headroom::emulation
