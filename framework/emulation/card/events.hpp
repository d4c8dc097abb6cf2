// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "queue.hpp"

namespace headroom::emulation {

event* create_event(card& all, device& on, unsigned flags);
void destroy_event(card& all, event& which);
/// The event stands for the end of what the stream has been given so far.
[[nodiscard]] result record(card& all, card_lock& lock, event& what, stream& on);
/// Later work of the stream comes after the event. One that was never recorded is passed.
[[nodiscard]] result wait_in(card& all, card_lock& lock, stream& on, const event& awaited);
/// @return success, not_ready, or an error
[[nodiscard]] result query(card& all, card_lock& lock, thread_state& me, const event& asked);
/// Does the work that the event stands for.
[[nodiscard]] result synchronize(card& all, card_lock& lock, const event& awaited);

/// Milliseconds from one event to a later one. No time is modelled: a tenth of a millisecond for
/// each piece of work queued in between, the later event included. So it is never 0, the same in
/// every run, and a program that repeats work until some time has passed does not repeat it long.
[[nodiscard]] result elapsed(const event& begin, const event& end, float& milliseconds);

/// Queues a call of the program's own code.
[[nodiscard]] result launch_host(card& all, card_lock& lock, stream& on, void (*function)(void*),
                                 void* data);

}  // namespace headroom::emulation
