// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

// How a recorder drives the stand-in: exported by its libcudart.
extern "C" {
/// What the device has. Before the allocator is set up.
void standin_set_capacity(std::uint64_t bytes);
/// Everything queued on the stream so far has passed.
void standin_complete(void* stream);
/// Which segment or address range holds the address, in the order of taking, and where in it.
void standin_locate(const void* address, std::uint64_t* ordinal, std::uint64_t* offset);
}
