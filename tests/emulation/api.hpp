// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The CUDA runtime's interface, as the Toolkit's headers declare it or as the emulation's own do:
// the same tests are built with both.
#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cuda_runtime_api.h>
#else
#include "emulation/abi/runtime_calls.hpp"
#endif

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

// Not of the CUDA interface: the emulation's own. Weak, as a program must run without them.
extern "C" {
[[gnu::weak]] std::int64_t headroom_emulation_calls(const char* name);
[[gnu::weak]] void headroom_emulation_each_call(void (*tell)(void* context, const char* name,
                                                             std::uint64_t count),
                                                void* context);
[[gnu::weak]] std::uint64_t headroom_emulation_launches_left_out();
[[gnu::weak]] void headroom_emulation_set_host_twin(const void* kernel, void (*twin)(void**),
                                                    const std::size_t* argument_sizes,
                                                    std::size_t argument_count);
[[gnu::weak]] void headroom_emulation_fail_call(const char* call, std::uint64_t nth, int error);
}

/// Describes the card of this process. Only before its first call: ctest runs each test in a
/// process of its own.
/// @param setting  "CONTENTS" for HEADROOM_EMULATED_CONTENTS
inline void set_card(const std::string& setting, const std::string& value) {
  setenv(("HEADROOM_EMULATED_" + setting).c_str(), value.c_str(), 1);
}

constexpr std::size_t operator""_kib(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_mib(unsigned long long n) { return n << 20; }
constexpr std::size_t operator""_gib(unsigned long long n) { return n << 30; }

/// What the device has left. Ends the test when it cannot be read.
inline std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return free;
}
