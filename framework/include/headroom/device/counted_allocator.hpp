// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/allocator.hpp>
#include <headroom/device/counter_source.hpp>

namespace headroom {

/// An allocator that is the source of its own counters.
class counted_allocator : public allocator, public counter_source {};

}  // namespace headroom
