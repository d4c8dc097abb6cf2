// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// headroom's own CUDA backend, unmodified, over the emulated card: its counters beside those of the
// plan device, and the proof that it was the CUDA code that ran.
#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <random>
#include <vector>

#include "api.hpp"

namespace headroom {
namespace {

using namespace headroom::literals;

/// The same requests on both; the counters are compared after each.
void expect_equal_counters(const allocator_settings& settings, unsigned seed) {
  const auto card = cuda::open_device(0, settings);
  plan_device plan("1 GiB", settings);
  std::vector<std::pair<allocation, allocation>> live;
  std::mt19937 random(seed);
  const std::vector<stream_id> streams[] = {{{}, card->create_stream()},
                                            {{}, plan.create_stream()}};
  int refused = 0;
  for (int event = 0; event < 3000; ++event) {
    const auto pick = random();
    if (pick % 100 == 0) {
      EXPECT_EQ(card->allocator().empty_cache(), plan.allocator().empty_cache());
    } else if (live.empty() || pick % 100 < 55) {
      const bytes size{static_cast<std::int64_t>(random() % (1u << (8 + random() % 21)))};
      const std::size_t stream = random() % 2;
      const auto take = [&](device& from, stream_id on, allocation& into) {
        try {
          into = from.allocator().allocate(size, on, tag::activations);
          return true;
        } catch (const out_of_memory&) {
          return false;
        }
      };
      std::pair<allocation, allocation> both;
      const bool on_card = take(*card, streams[0][stream], both.first);
      ASSERT_EQ(on_card, take(plan, streams[1][stream], both.second)) << "event " << event;
      if (on_card) {
        live.push_back(both);
      } else {
        ++refused;
      }
    } else {
      const std::size_t which = random() % live.size();
      card->allocator().deallocate(live[which].first);
      plan.allocator().deallocate(live[which].second);
      live[which] = live.back();
      live.pop_back();
    }
    ASSERT_EQ(card->counters().read().counters, plan.counters().read().counters)
        << "event " << event;
  }
  EXPECT_GT(refused, 0) << "the card must have been filled";
  for (const auto& [ours, planned] : live) {
    card->allocator().deallocate(ours);
    plan.allocator().deallocate(planned);
  }
}

TEST(CudaBackendOverEmulation, CountersEqualThePlans) {
  expect_equal_counters({}, 1);
  EXPECT_GT(headroom_emulation_calls("cudaMalloc"), 0) << "it was the CUDA code that ran";
  EXPECT_GT(headroom_emulation_calls("cudaFree"), 0);
}

TEST(CudaBackendOverEmulation, ExpandableSegmentsEqualThePlans) {
  expect_equal_counters(parse_allocator_settings("expandable_segments:True"), 2);
  EXPECT_GT(headroom_emulation_calls("cuMemCreate"), 0);
  EXPECT_GT(headroom_emulation_calls("cuMemMap"), 0);
}

TEST(CudaBackendOverEmulation, SaysThatItIsEmulated) {
  const auto card = cuda::open_device(0, {});
  EXPECT_EQ(card->info().name.substr(0, 8), "Emulated");
  EXPECT_EQ(card->info().compute_capability, "9.0");
  EXPECT_EQ(card->info().capacity, 1_GiB);
  EXPECT_EQ(card->read_system().free, 1_GiB);
}

TEST(CudaBackendOverEmulation, CopiesAndFillsInStreamOrder) {
  set_card("CONTENTS", "all");
  const auto card = cuda::open_device(0, {});
  const allocation memory = card->allocator().allocate(8_MiB, {}, tag::inputs);
  const std::vector<int> ones(1 << 20, 1);
  const stream_id other = card->create_stream();
  card->fill_zero(memory.address, 8_MiB, {});
  card->copy_to_device(memory.address, ones.data(), 4_MiB, {});
  card->order_after(other, {});
  auto* const second = static_cast<char*>(memory.address) + (4 << 20);
  card->copy_on_device(second, memory.address, 4_MiB, other);
  std::vector<int> back(1 << 20);
  card->copy_to_host(back.data(), second, 4_MiB, other);
  card->synchronize(other);
  EXPECT_EQ(back, ones);
  card->allocator().deallocate(memory);
}

TEST(CudaBackendOverEmulation, AMissingOrderBetweenStreamsShows) {
  set_card("CONTENTS", "all");
  const auto card = cuda::open_device(0, {});
  const allocation memory = card->allocator().allocate(8_MiB, {}, tag::inputs);
  card->fill_zero(memory.address, 8_MiB, {});
  card->synchronize();
  const std::vector<int> ones(1 << 20, 1);
  card->copy_to_device(memory.address, ones.data(), 4_MiB, {});
  const stream_id other = card->create_stream();  // and no order_after
  std::vector<int> back(1 << 20);
  card->copy_to_host(back.data(), memory.address, 4_MiB, other);
  card->synchronize(other);
  EXPECT_EQ(back[0], 0);
  card->allocator().deallocate(memory);
}

TEST(CudaBackendOverEmulation, TheDriversPoolCountsWhatItGives) {
  allocator_choice choice;
  choice.kind = allocator_kind::cuda_async;
  const auto card = cuda::open_device(0, choice);
  const allocation first = card->allocator().allocate(1_MiB, {}, tag::activations);
  const allocation second = card->allocator().allocate(40_MiB, {}, tag::activations);
  source_reading now = card->counters().read();
  EXPECT_EQ(now[counter_id::allocated_current], 41_MiB);
  EXPECT_EQ(now[counter_id::reserved_current], 72_MiB) << "a segment of 32 MiB and one of 40";
  card->allocator().deallocate(second);
  card->counters().reset_peaks();
  now = card->counters().read();
  EXPECT_EQ(now[counter_id::allocated_current], 1_MiB);
  EXPECT_EQ(now[counter_id::allocated_peak], 1_MiB) << "never below what is live";
  EXPECT_THROW(static_cast<void>(card->allocator().allocate(1_GiB, {}, tag::activations)),
               out_of_memory);
  card->allocator().deallocate(first);
  EXPECT_EQ(card->allocator().empty_cache(), 32_MiB);
  EXPECT_EQ(card->counters().read()[counter_id::reserved_current], 0_B);
  EXPECT_GT(headroom_emulation_calls("cudaMallocFromPoolAsync"), 0);
}

TEST(CudaBackendOverEmulation, ADeviceThatIsNotThereIsNamed) {
  try {
    static_cast<void>(cuda::open_device(1, {}));
    FAIL() << "was opened";
  } catch (const device_error& fault) {
    EXPECT_NE(std::string(fault.what()).find("cuda:1 is not there: the driver shows 1 device(s)"),
              std::string::npos)
        << fault.what();
  }
}

}  // namespace
}  // namespace headroom
