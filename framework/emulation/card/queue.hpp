// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>

#include "card.hpp"

namespace headroom::emulation {

/// What is put into a stream, or, while it captures, into a graph.
struct operation {
  std::function<result()> run;  ///< empty: changes nothing (a kernel that is left out)
  bool host_code = false;       ///< the program's own code: runs with the card unlocked
  int node = 5;                 ///< what it is in a graph: a node_kind, "empty" where not said
};

/// Queues an operation on the stream, after what its order asks for.
/// @param lock  held; given up and taken again where a full queue must be worked off
/// @return where the operation stands
point enqueue(card& all, card_lock& lock, stream& on, operation what);
/// Makes later work of the stream wait for the point.
void enqueue_wait(card& all, card_lock& lock, stream& on, const point& awaited);

/// The place behind everything queued on the stream so far. For the legacy stream, and for blocking
/// streams, that includes the work of the others which it comes after.
[[nodiscard]] point end_of(card& all, card_lock& lock, stream& on);

/// Does the work up to the point. Errors of that work become the device's sticky error.
void wait_for(card& all, card_lock& lock, const point& awaited);
/// Does everything queued on the device.
void wait_for_device(card& all, card_lock& lock, device& on);

/// The thread asks whether the point has passed. @return the answer
[[nodiscard]] bool poll(card& all, card_lock& lock, thread_state& me, const point& awaited);

/// @return a new stream; never null
stream* create_stream(card& all, device& on, unsigned flags, int priority);
void destroy_stream(card& all, stream& which);

}  // namespace headroom::emulation
