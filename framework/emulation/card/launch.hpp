// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "queue.hpp"

namespace headroom::emulation {

/// Queues a kernel. One with a host twin is run on the host in stream order, where the contents of
/// all memory are kept; any other is left out and counted.
[[nodiscard]] result launch(card& all, card_lock& lock, stream& on, kernel& which,
                            const launch_shape& shape, void** arguments);
/// Whether a device takes a launch of that shape.
[[nodiscard]] result check(const device& on, const kernel& which, const launch_shape& shape);
/// Dynamic shared memory that a launch of the kernel may ask for, in bytes.
[[nodiscard]] std::uint64_t dynamic_shared_of(const kernel& which);
/// Raises it. @return invalid_value beyond what the device has, with the kernel's static part
[[nodiscard]] result allow_dynamic_shared(const device& on, kernel& which, int size);
/// What is run when the kernel's turn comes: nothing where it is left out.
[[nodiscard]] operation operation_of(const card& all, const kernel& which, void** arguments);

}  // namespace headroom::emulation
