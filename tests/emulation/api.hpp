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
#include <cstdio>
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
[[gnu::weak]] int headroom_emulation_other_process(int device, unsigned process,
                                                   std::uint64_t bytes);
[[gnu::weak]] void headroom_emulation_fail_call(const char* call, std::uint64_t nth, int error);
}

/// False where the real runtime is loaded in the emulation's place: a test is then a question to a
/// card, and its answer says whether the emulation is right (tests/cuda/run_on_gpu).
inline bool over_emulation() { return headroom_emulation_calls != nullptr; }

/// Describes the card of this process. Only before its first call: ctest runs each test in a
/// process of its own. A real card cannot be described: the question is not asked (exit code 77),
/// but that a card keeps all contents goes without saying.
/// @param setting  "CONTENTS" for HEADROOM_EMULATED_CONTENTS
inline void set_card(const std::string& setting, const std::string& value) {
  if (!over_emulation() && setting != "CONTENTS") {
    std::fprintf(stderr, "not asked: a card is not made to have %s %s\n", setting.c_str(),
                 value.c_str());
    std::_Exit(77);
  }
  setenv(("HEADROOM_EMULATED_" + setting).c_str(), value.c_str(), 1);
}

constexpr std::size_t operator""_kib(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_mib(unsigned long long n) { return n << 20; }
constexpr std::size_t operator""_gib(unsigned long long n) { return n << 30; }

/// Before the tests a real card is filled up to 1 GiB, which is what the emulated one has.
class filled_card final : public testing::Environment {
 public:
  void SetUp() override {
    if (over_emulation()) return;
    std::size_t total = 0;
    ASSERT_EQ(cudaMemGetInfo(&left_, &total), cudaSuccess);
    void* ballast = nullptr;  // until the process ends
    if (left_ > 1_gib) {
      ASSERT_EQ(cudaMalloc(&ballast, left_ - 1_gib), cudaSuccess);
    }
    ASSERT_EQ(cudaMemGetInfo(&left_, &total), cudaSuccess);
  }
  /// What was left before the test.
  [[nodiscard]] static std::size_t left() { return left_; }

 private:
  static inline std::size_t left_ = 1_gib;
};
inline const testing::Environment* const the_filled_card =
    testing::AddGlobalTestEnvironment(new filled_card);

/// What a device of 1 GiB has left: a real one's is shifted to it. Ends the test when it cannot be
/// read.
inline std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return over_emulation() ? free : free + 1_gib - filled_card::left();
}
