// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <csignal>

#include "ranks.hpp"

namespace {

/// One sum over all ranks of 1 each.
int count_ranks(ncclComm_t of) {
  device_values<int> one({1});
  EXPECT_EQ(ncclAllReduce(one.data(), one.data(), 1, ncclInt32, ncclSum, of, nullptr), ncclSuccess);
  return one.read()[0];
}

TEST(NcclCommunicators, KnowTheirRanks) {
  const auto codes = run_ranks(3, [](rank_session& me) {
    int number = -1;
    EXPECT_EQ(ncclCommCount(me.of, &number), ncclSuccess);
    EXPECT_EQ(number, 3);
    EXPECT_EQ(ncclCommUserRank(me.of, &number), ncclSuccess);
    EXPECT_EQ(number, me.rank);
    EXPECT_EQ(ncclCommCuDevice(me.of, &number), ncclSuccess);
    EXPECT_EQ(number, 0);
    EXPECT_EQ(ncclCommFinalize(me.of), ncclSuccess);
    EXPECT_EQ(ncclCommDestroy(me.of), ncclSuccess);
    EXPECT_EQ(ncclCommCount(me.of, &number), ncclInvalidArgument);
  });
  EXPECT_EQ(codes, all_passed(3));
}

TEST(NcclCommunicators, SplitByColorInTheOrderOfKeys) {
  const auto codes = run_ranks(4, [](rank_session& me) {
    ncclComm_t part = nullptr;
    const bool none = me.rank == 3;
    ASSERT_EQ(ncclCommSplit(me.of, none ? -1 : me.rank % 2, -me.rank, &part, nullptr), ncclSuccess);
    ASSERT_EQ(part == nullptr, none);
    if (!none) {
      int rank = -1;
      EXPECT_EQ(ncclCommUserRank(part, &rank), ncclSuccess);
      EXPECT_EQ(rank, me.rank == 0 ? 1 : 0) << "keys descend";
      EXPECT_EQ(count_ranks(part), me.rank % 2 == 0 ? 2 : 1);
    }
    EXPECT_EQ(count_ranks(me.of), 4);
  });
  EXPECT_EQ(codes, all_passed(4));
}

TEST(NcclCommunicators, OfOneProcessOnEveryDevice) {
  set_card("DEVICES", "3");
  ncclComm_t all[3];
  ASSERT_EQ(ncclCommInitAll(all, 4, nullptr), ncclInvalidArgument);
  ASSERT_EQ(ncclCommInitAll(all, 3, nullptr), ncclSuccess);
  std::vector<void*> buffers(3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(cudaSetDevice(i), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&buffers[static_cast<std::size_t>(i)], 4), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(buffers[static_cast<std::size_t>(i)], &i, 4, cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ASSERT_EQ(ncclGroupStart(), ncclSuccess);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ncclAllReduce(buffers[i], buffers[i], 1, ncclInt32, ncclSum, all[i], nullptr),
              ncclSuccess);
  }
  ASSERT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
  for (std::size_t i = 0; i < 3; ++i) {
    int value = -1;
    ASSERT_EQ(cudaSetDevice(static_cast<int>(i)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&value, buffers[i], 4, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(value, 3);
    EXPECT_EQ(ncclCommDestroy(all[i]), ncclSuccess);
  }
}

TEST(NcclOrder, AResultIsSeenByWhatWaitsForItAlone) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    cudaStream_t on = nullptr;
    cudaStream_t other = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    device_values<int> buffer({me.rank + 1});
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclInt32, ncclSum, me.of, on),
              ncclSuccess);
    int seen = 0;
    ASSERT_EQ(cudaMemcpyAsync(&seen, buffer.data(), 4, cudaMemcpyDeviceToHost, other), cudaSuccess);
    EXPECT_EQ(seen, me.rank + 1) << "nothing orders the two streams";
    ASSERT_EQ(cudaMemcpyAsync(&seen, buffer.data(), 4, cudaMemcpyDeviceToHost, on), cudaSuccess);
    EXPECT_EQ(seen, 3);
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclOrder, ARankMayGoOnBeforeTheOthersCame) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    // Rank 0 waits for a message that rank 1 sends after it has called, and never waits itself.
    device_values<int> buffer({1});
    device_values<int> message({me.rank});
    EXPECT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclInt32, ncclSum, me.of, nullptr),
              ncclSuccess);
    if (me.rank == 1) {
      EXPECT_EQ(ncclSend(message.data(), 1, ncclInt32, 0, me.of, nullptr), ncclSuccess);
    } else {
      EXPECT_EQ(ncclRecv(message.data(), 1, ncclInt32, 1, me.of, nullptr), ncclSuccess);
      EXPECT_EQ(buffer.read(), std::vector<int>{2});
      EXPECT_EQ(message.read(), std::vector<int>{1});
    }
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclOrder, AGraphExchangesEachTimeItRuns) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    cudaStream_t on = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
    device_values<int> buffer({me.rank + 1});
    ASSERT_EQ(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal), cudaSuccess);
    ASSERT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclInt32, ncclSum, me.of, on),
              ncclSuccess);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(on, &graph), cudaSuccess);
    cudaGraphExec_t made = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
    for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(made, on), cudaSuccess);
    EXPECT_EQ(buffer.read(), std::vector<int>{6});
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclFaults, ARankThatDiesIsNamed) {
  const auto codes = run_ranks(3, [](rank_session& me) {
    EXPECT_EQ(count_ranks(me.of), 3);
    if (me.rank == 1) raise(SIGKILL);
    testing::internal::CaptureStderr();
    device_values<int> one({1});
    ncclAllReduce(one.data(), one.data(), 1, ncclInt32, ncclSum, me.of, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    ncclResult_t error = ncclSuccess;
    EXPECT_EQ(ncclCommGetAsyncError(me.of, &error), ncclSuccess);
    EXPECT_EQ(error, ncclRemoteError);
    EXPECT_THAT(ncclGetLastError(me.of),
                testing::ContainsRegex("rank 1 of 3 .process [0-9]+. has ended before its part in "
                                       "all-reduce number 2, 1 of int32"));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("rank 1 of 3"));
    EXPECT_EQ(ncclAllReduce(one.data(), one.data(), 1, ncclInt32, ncclSum, me.of, nullptr),
              ncclRemoteError);
  });
  EXPECT_EQ(codes, (std::vector<int>{0, 128 + SIGKILL, 0}));
}

TEST(NcclFaults, ARankThatDoesNotComeIsNamedWhenTheLimitHasPassed) {
  set_card("RANK_LIMIT", "1");
  ncclUniqueId id;
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  ncclComm_t of = nullptr;
  EXPECT_EQ(ncclCommInitRank(&of, 2, id, 0), ncclRemoteError);
  EXPECT_THAT(ncclGetLastError(nullptr), testing::HasSubstr("rank 1 of 2 did not come within 1 s"));
}

TEST(NcclFaults, RanksThatDoNotAgreeAreToldOfBothCalls) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    device_values<int> buffer({1, 2});
    const std::size_t count = me.rank == 0 ? 1 : 2;
    EXPECT_EQ(
        ncclAllReduce(buffer.data(), buffer.data(), count, ncclInt32, ncclSum, me.of, nullptr),
        ncclSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_THAT(ncclGetLastError(me.of),
                testing::HasSubstr("ranks do not agree: rank " + std::to_string(me.rank)));
    EXPECT_THAT(ncclGetLastError(me.of), testing::HasSubstr("2 of int32"));
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclFaults, AnAbortEndsTheWaitsOfEveryRank) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    if (me.rank == 1) {
      EXPECT_EQ(ncclCommAbort(me.of), ncclSuccess);
      return;
    }
    device_values<int> one({1});
    ncclAllReduce(one.data(), one.data(), 1, ncclInt32, ncclSum, me.of, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_THAT(ncclGetLastError(me.of), testing::HasSubstr("has aborted"));
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclFaults, ACallThatFailsInAGroupFailsTheGroup) {
  set_card("DEVICES", "2");
  ncclComm_t all[2];
  ASSERT_EQ(ncclCommInitAll(all, 2, nullptr), ncclSuccess);
  std::vector<device_values<int>> ones;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaSetDevice(i), cudaSuccess);
    ones.emplace_back(std::vector<int>{1});
  }
  const auto reduce_all = [&] {
    EXPECT_EQ(ncclGroupStart(), ncclSuccess);
    for (std::size_t i = 0; i < 2; ++i) {
      static_cast<void>(
          ncclAllReduce(ones[i].data(), ones[i].data(), 1, ncclInt32, ncclSum, all[i], nullptr));
    }
    return ncclGroupEnd();
  };
  const auto values = [&] {
    std::vector<int> read;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(cudaSetDevice(i), cudaSuccess);
      read.push_back(ones[static_cast<std::size_t>(i)].read().front());
    }
    return read;
  };
  headroom_emulation_fail_call("ncclAllReduce", 2, ncclInternalError);
  EXPECT_EQ(reduce_all(), ncclInternalError);
  headroom_emulation_fail_call("ncclGroupEnd", 1, ncclSystemError);
  EXPECT_EQ(reduce_all(), ncclSystemError);
  EXPECT_EQ(values(), (std::vector<int>{1, 1})) << "no call of either group was begun";
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage) << "the group has ended";
  EXPECT_EQ(reduce_all(), ncclSuccess);
  EXPECT_EQ(values(), (std::vector<int>{2, 2}));
}

TEST(NcclFaults, BadCallsAreRefusedWithTheReason) {
  ncclUniqueId id{};
  ncclComm_t of = nullptr;
  EXPECT_EQ(ncclCommInitRank(&of, 1, id, 0), ncclInvalidUsage);
  EXPECT_THAT(ncclGetLastError(nullptr), testing::HasSubstr("not one that ncclGetUniqueId"));
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  EXPECT_EQ(ncclCommInitRank(&of, 1, id, 1), ncclInvalidArgument);
  ncclConfig_t config{};
  EXPECT_EQ(ncclCommInitRankConfig(&of, 1, id, 0, &config), ncclInvalidArgument);
  ASSERT_EQ(ncclCommInitRank(&of, 1, id, 0), ncclSuccess);
  ncclComm_t again = nullptr;
  EXPECT_EQ(ncclCommInitRank(&again, 1, id, 0), ncclInvalidUsage);
  EXPECT_THAT(ncclGetLastError(nullptr), testing::HasSubstr("the unique id is used up"));
  device_values<int> one({1});
  const auto reduce = [&](void* at, ncclDataType_t type, ncclRedOp_t op) {
    return ncclAllReduce(at, at, 1, type, op, of, nullptr);
  };
  EXPECT_EQ(reduce(nullptr, ncclInt32, ncclSum), ncclInvalidArgument);
  EXPECT_EQ(reduce(one.data(), static_cast<ncclDataType_t>(12), ncclSum), ncclInvalidArgument);
  EXPECT_EQ(reduce(one.data(), ncclInt32, static_cast<ncclRedOp_t>(5)), ncclInvalidArgument);
  EXPECT_EQ(ncclBroadcast(one.data(), one.data(), 1, ncclInt32, 1, of, nullptr),
            ncclInvalidArgument);
  EXPECT_EQ(reduce(one.data(), ncclInt32, ncclSum), ncclSuccess);
  int host = 0;
  EXPECT_EQ(reduce(&host, ncclInt32, ncclSum), ncclUnhandledCudaError);
}

}  // namespace
