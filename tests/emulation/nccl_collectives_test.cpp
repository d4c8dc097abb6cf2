// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cmath>
#include <cstdint>

#include "ranks.hpp"

namespace {

template <class Value>
ncclDataType_t type_of();
// clang-format off
template <> ncclDataType_t type_of<std::int8_t>() { return ncclInt8; }
template <> ncclDataType_t type_of<std::uint8_t>() { return ncclUint8; }
template <> ncclDataType_t type_of<std::int32_t>() { return ncclInt32; }
template <> ncclDataType_t type_of<std::uint32_t>() { return ncclUint32; }
template <> ncclDataType_t type_of<std::int64_t>() { return ncclInt64; }
template <> ncclDataType_t type_of<std::uint64_t>() { return ncclUint64; }
template <> ncclDataType_t type_of<float>() { return ncclFloat32; }
template <> ncclDataType_t type_of<double>() { return ncclFloat64; }
// clang-format on

template <class Value>
class NcclOfType : public testing::Test {};
using types = testing::Types<std::int8_t, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t,
                             std::uint64_t, float, double>;
TYPED_TEST_SUITE(NcclOfType, types);

TYPED_TEST(NcclOfType, EveryOperationOfThreeRanks) {
  const auto codes = run_ranks(3, [](rank_session& me) {
    const auto rank = static_cast<TypeParam>(me.rank);
    // 1 2 3; 3 3 3; 5 4 1
    const std::vector<TypeParam> own{static_cast<TypeParam>(1 + 2 * rank),
                                     static_cast<TypeParam>(2 + rank),
                                     static_cast<TypeParam>(me.rank == 2 ? 1 : 3)};
    const std::vector<std::pair<ncclRedOp_t, std::vector<TypeParam>>> wanted{
        {ncclSum, {9, 9, 7}}, {ncclProd, {15, 24, 9}}, {ncclMax, {5, 4, 3}}, {ncclMin, {1, 2, 1}}};
    for (const auto& [op, values] : wanted) {
      device_values<TypeParam> buffer(own);
      EXPECT_EQ(
          ncclAllReduce(buffer.data(), buffer.data(), 3, type_of<TypeParam>(), op, me.of, nullptr),
          ncclSuccess);
      EXPECT_EQ(buffer.read(), values) << "operation " << op;
    }
    device_values<TypeParam> buffer(own);
    EXPECT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 2, type_of<TypeParam>(), ncclAvg, me.of,
                            nullptr),
              ncclSuccess);
    EXPECT_EQ(buffer.read()[0], static_cast<TypeParam>(3));
    EXPECT_EQ(ncclCommDestroy(me.of), ncclSuccess);
  });
  EXPECT_EQ(codes, all_passed(3));
}

TEST(NcclTypes, SmallFloatsAreSummedAndRoundedOnce) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    const bool first = me.rank == 0;
    // float16: 1 + 2 = 3; 2048 + 1 rounds to even. bfloat16: 1 + 2 = 3; 256 + 1 rounds to even
    const std::vector<std::uint16_t> half =
        first ? std::vector<std::uint16_t>{0x3c00, 0x6800, 0x0001}
              : std::vector<std::uint16_t>{0x4000, 0x3c00, 0x0001};
    device_values<std::uint16_t> halves(half);
    EXPECT_EQ(ncclAllReduce(halves.data(), halves.data(), 3, ncclFloat16, ncclSum, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(halves.read(), (std::vector<std::uint16_t>{0x4200, 0x6800, 0x0002}));
    const std::vector<std::uint16_t> brain = first ? std::vector<std::uint16_t>{0x3f80, 0x4380}
                                                   : std::vector<std::uint16_t>{0x4000, 0x3f80};
    device_values<std::uint16_t> brains(brain);
    EXPECT_EQ(ncclAllReduce(brains.data(), brains.data(), 2, ncclBfloat16, ncclSum, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(brains.read(), (std::vector<std::uint16_t>{0x4040, 0x4380}));
    // e4m3: 1 + 1.5 = 2.5; 448 + 448 stays the largest. e5m2: 1 + 1.5; the largest overflows
    const std::vector<std::uint8_t> e4 =
        first ? std::vector<std::uint8_t>{0x38, 0x7e} : std::vector<std::uint8_t>{0x3c, 0x7e};
    device_values<std::uint8_t> fours(e4);
    EXPECT_EQ(ncclAllReduce(fours.data(), fours.data(), 2, ncclFloat8e4m3, ncclSum, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(fours.read(), (std::vector<std::uint8_t>{0x42, 0x7e}));
    const std::vector<std::uint8_t> e5 =
        first ? std::vector<std::uint8_t>{0x3c, 0x7b} : std::vector<std::uint8_t>{0x3e, 0x7b};
    device_values<std::uint8_t> fives(e5);
    EXPECT_EQ(ncclAllReduce(fives.data(), fives.data(), 2, ncclFloat8e5m2, ncclSum, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(fives.read(), (std::vector<std::uint8_t>{0x41, 0x7c}));
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclCollectives, EachGivesWhatIsDocumented) {
  const auto codes = run_ranks(4, [](rank_session& me) {
    const int r = me.rank;
    const std::vector<int> own{10 * r, 10 * r + 1, 10 * r + 2, 10 * r + 3};
    device_values<int> send(own);
    const auto fresh = [](std::size_t n) { return device_values<int>(std::vector<int>(n, -1)); };
    const std::vector<int> untouched{-1};

    const auto reduced = fresh(1);
    EXPECT_EQ(ncclReduce(send.data(), reduced.data(), 1, ncclInt32, ncclSum, 2, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(reduced.read(), r == 2 ? std::vector<int>{60} : untouched);

    const auto part = fresh(1);
    EXPECT_EQ(ncclReduceScatter(send.data(), part.data(), 1, ncclInt32, ncclMax, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(part.read(), std::vector<int>{30 + r});

    const auto told = fresh(4);
    EXPECT_EQ(ncclBroadcast(send.data(), told.data(), 4, ncclInt32, 3, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(told.read(), (std::vector<int>{30, 31, 32, 33}));

    const auto in_place = device_values<int>({r});
    EXPECT_EQ(ncclBcast(in_place.data(), 1, ncclInt32, 1, me.of, nullptr), ncclSuccess);
    EXPECT_EQ(in_place.read(), std::vector<int>{1});

    const auto all = fresh(4);
    EXPECT_EQ(ncclAllGather(send.data() + 1, all.data(), 1, ncclInt32, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(all.read(), (std::vector<int>{1, 11, 21, 31}));

    const auto crossed = fresh(4);
    EXPECT_EQ(ncclAlltoAll(send.data(), crossed.data(), 1, ncclInt32, me.of, nullptr), ncclSuccess);
    EXPECT_EQ(crossed.read(), (std::vector<int>{r, 10 + r, 20 + r, 30 + r}));

    const auto gathered = fresh(4);
    EXPECT_EQ(ncclGather(send.data(), gathered.data(), 1, ncclInt32, 0, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(gathered.read(),
              r == 0 ? (std::vector<int>{0, 10, 20, 30}) : std::vector<int>(4, -1));

    const auto scattered = fresh(1);
    EXPECT_EQ(ncclScatter(send.data(), scattered.data(), 1, ncclInt32, 1, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(scattered.read(), std::vector<int>{10 + r});
  });
  EXPECT_EQ(codes, all_passed(4));
}

TEST(NcclMessages, GoAroundARingInOneGroup) {
  const auto codes = run_ranks(3, [](rank_session& me) {
    const int next = (me.rank + 1) % 3;
    const int before = (me.rank + 2) % 3;
    for (int round = 0; round < 100; ++round) {
      device_values<int> out({100 * round + me.rank});
      device_values<int> in({-1});
      EXPECT_EQ(ncclGroupStart(), ncclSuccess);
      EXPECT_EQ(ncclRecv(in.data(), 1, ncclInt32, before, me.of, nullptr), ncclSuccess);
      EXPECT_EQ(ncclSend(out.data(), 1, ncclInt32, next, me.of, nullptr), ncclSuccess);
      EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
      EXPECT_EQ(in.read(), std::vector<int>{100 * round + before});
    }
  });
  EXPECT_EQ(codes, all_passed(3));
}

TEST(NcclOperations, ASumMultipliesEachRanksPartFirst) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    float half = 0.5f;
    ncclRedOp_t scaled = ncclSum;
    ASSERT_EQ(ncclRedOpCreatePreMulSum(&scaled, &half, ncclFloat32, ncclScalarHostImmediate, me.of),
              ncclSuccess);
    half = 100;
    device_values<float> buffer({me.rank == 0 ? 2.f : 4.f});
    EXPECT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclFloat32, scaled, me.of, nullptr),
              ncclSuccess);
    EXPECT_EQ(buffer.read(), std::vector<float>{3.f});
    EXPECT_EQ(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclFloat64, scaled, me.of, nullptr),
              ncclInvalidArgument);
    EXPECT_EQ(ncclRedOpDestroy(scaled, me.of), ncclSuccess);
    EXPECT_EQ(ncclRedOpDestroy(scaled, me.of), ncclInvalidArgument);
  });
  EXPECT_EQ(codes, all_passed(2));
}

TEST(NcclContents, OfLargeBuffersAreCountedAndNotExchanged) {
  const auto codes = run_ranks(2, [](rank_session& me) {
    constexpr std::size_t count = 64_mib;
    void* large = nullptr;
    ASSERT_EQ(cudaMalloc(&large, count), cudaSuccess);
    const std::size_t before = free_memory();
    for (int i = 0; i < 5000; ++i) {  // more than there are places for parts
      EXPECT_EQ(ncclAllReduce(large, large, count, ncclUint8, ncclSum, me.of, nullptr),
                ncclSuccess);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(free_memory(), before);
    EXPECT_EQ(headroom_emulation_calls("ncclAllReduce"), 5000);
  });
  EXPECT_EQ(codes, all_passed(2));
}

}  // namespace
