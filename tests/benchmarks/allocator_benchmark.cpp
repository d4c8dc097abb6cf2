// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// One allocation and one free, in steady state, with 100 to 1 000 000 live blocks. An item is such
// a pair. Sizes are mixed: each power of two from 512 B to 16 MiB is as likely as another.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/allocator_stack.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "large_array.hpp"

namespace headroom {
namespace {

using namespace headroom::literals;

constexpr bytes plenty{std::int64_t{1} << 55};

/// Within one cache line, so that fetching it early fetches it whole.
struct alignas(32) held_allocation {
  allocation block;
};

struct plan_allocator {
  address_segments source{plenty, "plan"};
  ticket_clock clock;
  caching_allocator allocator{source, clock};
};

/// What the n-th pair frees and allocates: any of the live blocks is as likely as another.
class draws {
 public:
  static constexpr std::uint64_t ahead = 16;

  draws(std::size_t live, double least_exponent, double most_exponent) : live_(live) {
    std::mt19937_64 random(live);
    std::uniform_real_distribution<> exponent(least_exponent, most_exponent);
    for (std::int64_t& size : sizes_) size = static_cast<std::int64_t>(std::exp2(exponent(random)));
  }
  [[nodiscard]] std::size_t slot(std::uint64_t n) const {
    return static_cast<std::size_t>(mixed(n) % live_);
  }
  [[nodiscard]] std::int64_t size(std::uint64_t n) const { return sizes_[mixed(n) >> 52U]; }

 private:
  static std::uint64_t mixed(std::uint64_t n) {
    n *= 0x9e3779b97f4a7c15U;
    n = (n ^ (n >> 32U)) * 0xd6e8feb86659fd93U;
    return n ^ (n >> 32U);
  }
  std::uint64_t live_;
  std::vector<std::int64_t> sizes_ = std::vector<std::int64_t>(std::size_t{1} << 12U);
};

void caching_pair(benchmark::State& state) {
  const auto live = static_cast<std::size_t>(state.range(0));
  const draws drawn(live, 9, 24);
  plan_allocator on;
  large_array<held_allocation> blocks(live);
  std::uint64_t next = 0;
  const auto allocate = [&] {
    const std::uint64_t i = next++;
    return on.allocator.allocate(bytes{drawn.size(i)}, {}, all_tags[i % tag_count]);
  };
  for (held_allocation& held : blocks) held.block = allocate();
  const auto pair = [&] {
    // Handles are fetched early and, as far as the processor can, past the caches, which are the
    // allocator's: what is timed is the allocator.
    __builtin_prefetch(&blocks[drawn.slot(next + draws::ahead)], 0, 0);
    allocation& block = blocks[drawn.slot(next)].block;
    on.allocator.deallocate(block);
    block = allocate();
  };
  for (std::size_t i = 0; i < 2 * live; ++i) pair();  // from a fresh pool to a steady state
  for (auto _ : state) pair();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(caching_pair)->RangeMultiplier(10)->Range(100, 1'000'000);

/// The host's own allocator beside it, with sizes that fit a host.
void malloc_pair(benchmark::State& state) {
  const auto live = static_cast<std::size_t>(state.range(0));
  const draws drawn(live, 4, 9);
  large_array<void*> blocks(live);
  std::uint64_t next = 0;
  const auto allocate = [&] { return std::malloc(static_cast<std::size_t>(drawn.size(next++))); };
  for (void*& block : blocks) block = allocate();
  const auto pair = [&] {
    __builtin_prefetch(&blocks[drawn.slot(next + draws::ahead)], 0, 0);
    void*& block = blocks[drawn.slot(next)];
    std::free(block);
    block = allocate();
    benchmark::DoNotOptimize(block);
  };
  for (std::size_t i = 0; i < 2 * live; ++i) pair();
  for (auto _ : state) pair();
  for (void* block : blocks) std::free(block);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(malloc_pair)->RangeMultiplier(10)->Range(100, 1'000'000);

/// What the snapshot by tag costs at its dearest: with 1 each pair is a new peak and its end, and
/// the table is copied each time; with 0 the same pairs stay below an older peak.
void pair_at_a_peak(benchmark::State& state) {
  plan_allocator on;
  on.allocator.deallocate(on.allocator.allocate(1_GiB, {}, tag::weights));
  if (state.range(0) == 1) on.allocator.reset_peaks();
  constexpr std::int64_t rounds = 1024;
  std::int64_t round = 0;
  for (auto _ : state) {
    if (++round == rounds) {
      round = 0;
      if (state.range(0) == 1) on.allocator.reset_peaks();
    }
    const bytes size = 2_MiB + round * 512_B;  // of the block of 1 GiB: nothing else differs
    on.allocator.deallocate(on.allocator.allocate(size, {}, tag::activations));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pair_at_a_peak)->Arg(0)->Arg(1);

/// The same pairs with an event log: two events more a pair. It goes to a file in the temporary
/// folder, which is removed.
void logged_pair(benchmark::State& state) {
  address_segments source(plenty, "plan");
  ticket_clock clock;
  const auto folder = std::filesystem::temp_directory_path();
  const auto file = folder / ("headroom-event-log-" + std::to_string(::getpid()) + ".trace");
  {
    allocator_choice choice;
    if (state.range(0) == 1) choice.event_log = file;
    allocator_stack stack(source, clock, choice);
    std::int64_t round = 0;
    for (auto _ : state) {
      round = (round + 1) % 1024;
      const bytes size = 2_MiB + round * 512_B;
      stack.top().deallocate(stack.top().allocate(size, {}, tag::activations));
    }
  }
  std::filesystem::remove(file);
  state.SetItemsProcessed(2 * state.iterations());
}
BENCHMARK(logged_pair)->Arg(0)->Arg(1);

/// Many threads on one allocator, each with a stream and blocks of its own.
void pairs_of_threads(benchmark::State& state) {
  static std::unique_ptr<plan_allocator> shared;
  if (state.thread_index() == 0) shared = std::make_unique<plan_allocator>();
  const draws drawn(64, 9, 24);
  std::array<allocation, 64> blocks{};
  std::uint64_t next = 0;
  const stream_id stream{static_cast<std::uint32_t>(state.thread_index())};
  for (auto _ : state) {
    allocation& block = blocks[drawn.slot(next)];
    shared->allocator.deallocate(block);
    block = shared->allocator.allocate(bytes{drawn.size(next++)}, stream, tag::other);
  }
  for (const allocation& block : blocks) shared->allocator.deallocate(block);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pairs_of_threads)->ThreadRange(1, 8)->UseRealTime();

}  // namespace
}  // namespace headroom
