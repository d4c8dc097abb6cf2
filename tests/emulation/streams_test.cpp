// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "api.hpp"

#ifndef HEADROOM_TEST_WITH_TOOLKIT
extern "C" cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function,
                                               void* data);
#endif

namespace {

/// A piece of work that can be seen to be done: it notes its number.
struct note {
  std::vector<int>* into;
  int number;
};
void take_note(void* data) {
  const note& what = *static_cast<note*>(data);
  what.into->push_back(what.number);
}

class EmulatedStreams : public testing::Test {
 protected:
  cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, flags), cudaSuccess);
    return made;
  }
  void queue(cudaStream_t on, int number) {
    notes_.push_back(std::make_unique<note>(note{&seen_, number}));
    ASSERT_EQ(cudaLaunchHostFunc(on, take_note, notes_.back().get()), cudaSuccess);
  }
  cudaEvent_t recorded(cudaStream_t on) {
    cudaEvent_t made = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(made, on), cudaSuccess);
    return made;
  }
  using numbers = std::vector<int>;
  numbers seen_;

 private:
  std::vector<std::unique_ptr<note>> notes_;
};

TEST_F(EmulatedStreams, NothingIsDoneBeforeSomethingWaits) {
  const cudaStream_t on = stream();
  queue(on, 1);
  queue(on, 2);
  EXPECT_EQ(cudaStreamQuery(on), cudaErrorNotReady);
  EXPECT_EQ(seen_, numbers{});
  EXPECT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(seen_, (numbers{1, 2}));
  EXPECT_EQ(cudaStreamQuery(on), cudaSuccess);
}

TEST_F(EmulatedStreams, NonBlockingStreamsDoNotWaitForEachOther) {
  const cudaStream_t first = stream();
  const cudaStream_t second = stream();
  queue(first, 1);
  queue(second, 2);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(seen_, numbers{2});
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen_, (numbers{2, 1}));
}

TEST_F(EmulatedStreams, AnEventOrdersStreams) {
  const cudaStream_t first = stream();
  const cudaStream_t second = stream();
  queue(first, 1);
  const cudaEvent_t behind = recorded(first);
  queue(first, 3);
  ASSERT_EQ(cudaStreamWaitEvent(second, behind, 0), cudaSuccess);
  queue(second, 2);
  EXPECT_EQ(cudaEventQuery(behind), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(seen_, (numbers{1, 2})) << "and not what was queued behind the event";
  EXPECT_EQ(cudaEventQuery(behind), cudaSuccess);
}

TEST_F(EmulatedStreams, AnEventStandsForItsLastRecord) {
  const cudaStream_t on = stream();
  const cudaEvent_t event = recorded(on);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  queue(on, 1);
  ASSERT_EQ(cudaEventRecord(event, on), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, AnEventNeverRecordedIsComplete) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream(), event, 0), cudaSuccess);
}

TEST_F(EmulatedStreams, ADestroyedEventIsStillWaitedFor) {
  const cudaStream_t first = stream();
  const cudaStream_t second = stream();
  queue(first, 1);
  const cudaEvent_t behind = recorded(first);
  ASSERT_EQ(cudaStreamWaitEvent(second, behind, 0), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(behind), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(behind), cudaErrorInvalidResourceHandle);
  queue(second, 2);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(seen_, (numbers{1, 2}));
}

TEST_F(EmulatedStreams, TheLegacyStreamComesAfterBlockingStreamsAndTheyAfterIt) {
  const cudaStream_t blocking = stream(cudaStreamDefault);
  const cudaStream_t free = stream(cudaStreamNonBlocking);
  queue(blocking, 1);
  queue(free, 9);
  queue(nullptr, 2);
  queue(blocking, 3);
  EXPECT_EQ(cudaStreamSynchronize(blocking), cudaSuccess);
  EXPECT_EQ(seen_, (numbers{1, 2, 3})) << "the non-blocking stream is on its own";
}

TEST_F(EmulatedStreams, SynchronizingTheLegacyStreamWaitsForBlockingStreams) {
  const cudaStream_t blocking = stream(cudaStreamDefault);
  queue(blocking, 1);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, EachThreadHasADefaultStreamOfItsOwn) {
  queue(cudaStreamPerThread, 1);
  std::thread other([&] {
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    EXPECT_EQ(seen_, numbers{}) << "another thread's stream";
  });
  other.join();
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}

#ifndef HEADROOM_TEST_WITH_TOOLKIT
TEST_F(EmulatedStreams, CompiledForItStreamZeroIsTheThreadsOwn) {
  note mine{&seen_, 1};
  ASSERT_EQ(cudaLaunchHostFunc_ptsz(nullptr, take_note, &mine), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}
#endif

TEST_F(EmulatedStreams, AThreadThatPollsWaits) {
  set_card("POLLS", "10");
  const cudaStream_t on = stream();
  queue(on, 1);
  int asked = 1;
  while (cudaStreamQuery(on) == cudaErrorNotReady) ++asked;
  EXPECT_EQ(asked, 10);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, AThreadThatOnlyWatchesHurriesNothingWhileOthersQueue) {
  set_card("POLLS", "10");
  const cudaStream_t on = stream();
  const cudaStream_t other = stream();
  queue(on, 1);
  int asked = 0;
  std::thread watcher([&] {
    for (int i = 0; i < 9; ++i) EXPECT_EQ(cudaStreamQuery(on), cudaErrorNotReady);
  });
  watcher.join();
  EXPECT_EQ(seen_, numbers{});
  std::thread another([&] {
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 9; ++i) EXPECT_EQ(cudaStreamQuery(on), cudaErrorNotReady);
      std::thread([&] { queue(other, 2); }).join();
    }
    while (cudaStreamQuery(on) == cudaErrorNotReady) ++asked;
  });
  another.join();
  EXPECT_EQ(asked, 9);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, ADestroyedStreamsWorkIsDone) {
  const cudaStream_t on = stream();
  queue(on, 1);
  ASSERT_EQ(cudaStreamDestroy(on), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(on), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(seen_, numbers{});
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, AFullQueueIsWorkedOff) {
  const cudaStream_t on = stream();
  for (int i = 0; i < 5000; ++i) queue(on, i);
  EXPECT_EQ(seen_.size(), 5000u - 4096u);
  EXPECT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(seen_.size(), 5000u);
}

TEST_F(EmulatedStreams, CallsInACallbackAreNotPermitted) {
  cudaError_t answer = cudaSuccess;
  const cudaStream_t on = stream();
  ASSERT_EQ(cudaLaunchHostFunc(
                on,
                [](void* data) {
                  void* at = nullptr;
                  *static_cast<cudaError_t*>(data) = cudaMalloc(&at, 1);
                },
                &answer),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(answer, cudaErrorNotPermitted);
}

TEST_F(EmulatedStreams, FreeingMemoryDoesTheDevicesWork) {
  const cudaStream_t on = stream();
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  queue(on, 1);
  EXPECT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(seen_, numbers{1});
}

TEST_F(EmulatedStreams, ThreadsShareADevice) {
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      cudaStream_t on = nullptr;
      ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
      for (int i = 0; i < 100; ++i) {
        void* at = nullptr;
        ASSERT_EQ(cudaMalloc(&at, 1024), cudaSuccess);
        ASSERT_EQ(cudaMemsetAsync(at, i, 1024, on), cudaSuccess);
        ASSERT_EQ(cudaLaunchHostFunc(
                      on, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &done),
                  cudaSuccess);
        ASSERT_EQ(cudaFree(at), cudaSuccess);
      }
      ASSERT_EQ(cudaStreamDestroy(on), cudaSuccess);
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(done, 800);
  EXPECT_EQ(free_memory(), 1_gib);
}

}  // namespace
