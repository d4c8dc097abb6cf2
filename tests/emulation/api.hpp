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

/// Ends a test that only the emulation can answer (exit code 77): the question is not asked.
[[noreturn]] inline void not_asked(const std::string& why) {
  std::fprintf(stderr, "not asked: %s\n", why.c_str());
  std::_Exit(77);
}
/// To begin such a test. @param why  what a card does not do
inline void of_the_emulation_alone(const std::string& why) {
  if (!over_emulation()) not_asked(why);
}

/// How often the call was made in this process. A card does not count.
inline void expect_calls(const char* name, std::int64_t count) {
  if (!over_emulation()) return;
  EXPECT_EQ(headroom_emulation_calls(name), count) << name;
}

/// Describes the card of this process. Only before its first call: ctest runs each test in a
/// process of its own. A real card cannot be described: the question is not asked (exit code 77),
/// but that a card keeps all contents goes without saying.
/// @param setting  "CONTENTS" for HEADROOM_EMULATED_CONTENTS
inline void set_card(const std::string& setting, const std::string& value) {
  if (!over_emulation() && setting != "CONTENTS") {
    not_asked("a card is not made to have " + setting + " " + value);
  }
  setenv(("HEADROOM_EMULATED_" + setting).c_str(), value.c_str(), 1);
}

constexpr std::size_t operator""_kib(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_mib(unsigned long long n) { return n << 20; }
constexpr std::size_t operator""_gib(unsigned long long n) { return n << 30; }

/// Before the tests a real card is filled up to 1 GiB, which is what the emulated one has. One that
/// cannot be filled is not asked; without one, every call's error is the answer.
class filled_card final : public testing::Environment {
 public:
  void SetUp() override {
    if (over_emulation()) return;
    std::size_t total = 0;
    if (cudaMemGetInfo(&left_, &total) != cudaSuccess) return;
    void* ballast = nullptr;  // until the process ends
    if (left_ < 1_gib) not_asked("less than 1 GiB of the card is free");
    if (left_ > 1_gib && cudaMalloc(&ballast, left_ - 1_gib) != cudaSuccess) {
      not_asked("the card cannot be filled up to 1 GiB");
    }
    if (cudaMemGetInfo(&left_, &total) != cudaSuccess) not_asked("the card cannot be read");
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
