// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <memory>
#include <thread>
#include <vector>

#include "api.hpp"

namespace {

void add_one(void* data) { ++*static_cast<int*>(data); }

class EmulatedGraphs : public testing::Test {
 protected:
  EmulatedGraphs() {
    for (cudaStream_t* each : {&first_, &second_}) {
      EXPECT_EQ(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking), cudaSuccess);
    }
    EXPECT_EQ(cudaEventCreate(&fork_), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&join_), cudaSuccess);
  }
  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_EQ(cudaStreamBeginCapture(first_, mode), cudaSuccess);
  }
  cudaError_t end() { return cudaStreamEndCapture(first_, &graph_); }
  cudaStreamCaptureStatus status() {
    cudaStreamCaptureStatus now{};
    EXPECT_EQ(cudaStreamIsCapturing(first_, &now), cudaSuccess);
    return now;
  }
  void run() {
    cudaGraphExec_t ready = nullptr;
    ASSERT_EQ(cudaGraphInstantiateWithFlags(&ready, graph_, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(ready, first_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
    ASSERT_EQ(cudaGraphExecDestroy(ready), cudaSuccess);
  }
  std::uint64_t graph_memory(cudaGraphMemAttributeType which) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, which, &value), cudaSuccess);
    return value;
  }
  cudaStream_t first_ = nullptr;
  cudaStream_t second_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  int count_ = 0;
};

TEST_F(EmulatedGraphs, CapturedWorkIsDoneAtEachLaunchAndNotBefore) {
  begin();
  EXPECT_EQ(status(), cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaLaunchHostFunc(first_, add_one, &count_), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(first_, add_one, &count_), cudaSuccess);
  ASSERT_EQ(end(), cudaSuccess);
  EXPECT_EQ(status(), cudaStreamCaptureStatusNone);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count_, 0);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph_, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u);
  run();
  run();
  EXPECT_EQ(count_, 4);
  EXPECT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph_), cudaErrorInvalidValue);
}

TEST_F(EmulatedGraphs, AForkedStreamMustBeJoined) {
  begin();
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, fork_, 0), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(second_, add_one, &count_), cudaSuccess);
  EXPECT_EQ(end(), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph_, nullptr);

  begin();
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second_, fork_, 0), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(second_, add_one, &count_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(join_, second_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first_, join_, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(second_, &graph_), cudaErrorStreamCaptureUnmatched);
  ASSERT_EQ(end(), cudaSuccess);
  run();
  EXPECT_EQ(count_, 1);
}

TEST_F(EmulatedGraphs, SynchronizingACapturingStreamInvalidatesIt) {
  begin();
  EXPECT_EQ(cudaStreamSynchronize(first_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(status(), cudaStreamCaptureStatusInvalidated);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
}

TEST_F(EmulatedGraphs, AllocatingDuringACaptureDependsOnTheMode) {
  void* at = nullptr;
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&at, 1), cudaSuccess);
  ASSERT_EQ(end(), cudaSuccess);
  begin(cudaStreamCaptureModeThreadLocal);
  std::thread([&] { EXPECT_EQ(cudaMalloc(&at, 1), cudaSuccess); }).join();
  EXPECT_EQ(cudaMalloc(&at, 1), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeGlobal);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaMalloc(&at, 1), cudaSuccess) << "the thread says that it knows what it does";
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  std::thread([&] {
    EXPECT_EQ(cudaMalloc(&at, 1), cudaErrorStreamCaptureUnsupported) << "in any thread";
  }).join();
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
}

TEST_F(EmulatedGraphs, TheLegacyStreamCannotBeUsedWhileABlockingStreamCaptures) {
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, add_one, &count_), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(blocking, &graph_), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed),
            cudaErrorStreamCaptureUnsupported);
}

TEST_F(EmulatedGraphs, CapturesMayNotMeetNorWaitForOtherWork) {
  begin();
  ASSERT_EQ(cudaEventRecord(fork_, first_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(fork_), cudaErrorCapturedEvent);
  ASSERT_EQ(cudaStreamBeginCapture(second_, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(second_, fork_, 0), cudaErrorStreamCaptureMerge);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(second_, &graph_), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaEventRecord(join_, second_), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(first_, join_, 0), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
}

TEST_F(EmulatedGraphs, NodesRunInTheOrderOfTheirEdges) {
  std::vector<int> seen;
  struct note {
    std::vector<int>* into;
    int number;
  };
  note one{&seen, 1};
  note two{&seen, 2};
  const auto take = [](void* data) {
    const note& what = *static_cast<note*>(data);
    what.into->push_back(what.number);
  };
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  cudaGraphNode_t first = nullptr;
  cudaGraphNode_t second = nullptr;
  cudaHostNodeParams what{take, &two};
  ASSERT_EQ(cudaGraphAddHostNode(&second, graph_, nullptr, 0, &what), cudaSuccess);
  what.userData = &one;
  ASSERT_EQ(cudaGraphAddHostNode(&first, graph_, nullptr, 0, &what), cudaSuccess);
#if HEADROOM_ABI_MAJOR >= 13 || defined(HEADROOM_TEST_WITH_TOOLKIT)
  ASSERT_EQ(cudaGraphAddDependencies(graph_, &first, &second, nullptr, 1), cudaSuccess);
#else
  ASSERT_EQ(cudaGraphAddDependencies(graph_, &first, &second, 1), cudaSuccess);
#endif
  run();
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST_F(EmulatedGraphs, MemoryNodesTakeMemoryWhenTheyRun) {
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  cudaMemAllocNodeParams wanted{};
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
  wanted.bytesize = 8_mib;
  cudaGraphNode_t taking = nullptr;
  cudaGraphNode_t giving = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&taking, graph_, nullptr, 0, &wanted), cudaSuccess);
  ASSERT_NE(wanted.dptr, nullptr);
  EXPECT_EQ(free_memory(), 1_gib);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&giving, graph_, &taking, 1, wanted.dptr), cudaSuccess);
  run();
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemHigh), 8_mib);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrReservedMemCurrent), 8_mib);
  EXPECT_EQ(free_memory(), 1_gib - 8_mib) << "kept for the next launch";
  ASSERT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
}

TEST_F(EmulatedGraphs, CapturedAllocationsAreTheGraphs) {
  void* at = nullptr;
  begin();
  ASSERT_EQ(cudaMallocAsync(&at, 8_mib, first_), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(at, 0, 8_mib, first_), cudaSuccess);
  ASSERT_EQ(end(), cudaSuccess);
  run();
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 8_mib);
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&ready, graph_, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(ready, first_), cudaErrorInvalidValue) << "its memory is still live";
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(ready, first_), cudaSuccess);
  ASSERT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u);
}

TEST_F(EmulatedGraphs, AnObjectOfTheProgramsEndsWithItsGraph) {
  cudaUserObject_t object = nullptr;
  ASSERT_EQ(cudaUserObjectCreate(&object, &count_, add_one, 1, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphRetainUserObject(graph_, object, 1, 1), cudaSuccess);
  EXPECT_EQ(count_, 0);
  ASSERT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
  EXPECT_EQ(count_, 1);
}

TEST_F(EmulatedGraphs, AnExecutableTakesAGraphOfTheSameShape) {
  begin();
  ASSERT_EQ(cudaLaunchHostFunc(first_, add_one, &count_), cudaSuccess);
  ASSERT_EQ(end(), cudaSuccess);
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&ready, graph_, 0), cudaSuccess);
  int other = 0;
  begin();
  ASSERT_EQ(cudaLaunchHostFunc(first_, add_one, &other), cudaSuccess);
  ASSERT_EQ(end(), cudaSuccess);
  cudaGraphExecUpdateResultInfo info{};
  ASSERT_EQ(cudaGraphExecUpdate(ready, graph_, &info), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(ready, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(count_, 0);
  EXPECT_EQ(other, 1);
  cudaGraph_t empty = nullptr;
  ASSERT_EQ(cudaGraphCreate(&empty, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(ready, empty, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
}

}  // namespace
