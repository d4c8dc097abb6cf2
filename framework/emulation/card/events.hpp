// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "queue.hpp"

namespace headroom::emulation {

event* create_event(card& all, device& on, unsigned flags);
void destroy_event(card& all, event& which);
/// The event stands for the end of what the stream has been given so far.
[[nodiscard]] result record(card& all, card_lock& lock, event& what, stream& on);

}  // namespace headroom::emulation
