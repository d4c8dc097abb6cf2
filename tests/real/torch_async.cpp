// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// PyTorch's other backend, over the emulated card. It is chosen when the library is loaded: start
// this with PYTORCH_ALLOC_CONF=backend:cudaMallocAsync.
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <headroom/sources/torch_source.hpp>

#include "parity/recorder/reference.hpp"

namespace headroom {
namespace {

namespace torch_allocator = c10::cuda::CUDACachingAllocator;

void begin_torch() { static const reference begun(24_GB, "backend:cudaMallocAsync"); }

/// Memory that a graph takes when it is launched, given back at once.
void run_graph_of(std::size_t size) {
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemAllocNodeParams wanted{};
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location = {cudaMemLocationTypeDevice, {0}};
  wanted.bytesize = size;
  cudaGraphNode_t take = nullptr;
  cudaGraphNode_t give = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&give, graph, &take, 1, wanted.dptr), cudaSuccess);
  cudaGraphExec_t made = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(made, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(made), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
}

TEST(TorchAsyncSource, SaysThatItsReservedPeakIsABound) {
  begin_torch();
  const source_description said = torch_source().describe_counters();
  EXPECT_EQ(said.name, "PyTorch CUDA allocator, backend cudaMallocAsync");
  EXPECT_FALSE(said[counter_id::reserved_peak].exact);
  EXPECT_EQ(said[counter_id::reserved_peak].covers,
            "the high marks of two pools of the driver added up: a bound");
  EXPECT_TRUE(said[counter_id::allocated_peak].exact);
  EXPECT_TRUE(said[counter_id::reserved_current].exact);
}

TEST(TorchAsyncSource, ReadsThePool) {
  begin_torch();
  const torch_source source;
  void* const held = torch_allocator::raw_alloc(40u << 20);
  EXPECT_EQ(source.read()[counter_id::allocated_current], 40_MiB);
  EXPECT_GE(*source.read()[counter_id::reserved_current], 40_MiB);
  EXPECT_EQ(source.read().requested_current, std::nullopt) << "this backend does not keep it";
  torch_allocator::raw_delete(held);
  EXPECT_EQ(source.read()[counter_id::allocated_current], bytes{0});
  EXPECT_EQ(source.read()[counter_id::allocated_peak], 40_MiB);
}

TEST(TorchAsyncSource, ItsReservedPeakMayBeAboveWhatWasEverHeld) {
  begin_torch();
  torch_source source;
  torch_allocator::emptyCache();
  source.reset_peaks();
  run_graph_of(96u << 20);  // and nothing of it is left
  ASSERT_EQ(source.read()[counter_id::reserved_current], bytes{0});
  void* const held = torch_allocator::raw_alloc(64u << 20);
  const source_reading now = source.read();
  EXPECT_LE(*now[counter_id::reserved_current], 96_MiB);
  EXPECT_GE(*now[counter_id::reserved_peak], 160_MiB) << "96 MiB and 64 MiB, never together";
  torch_allocator::raw_delete(held);
}

}  // namespace
}  // namespace headroom
