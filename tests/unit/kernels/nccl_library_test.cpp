// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "nccl_library.hpp"

#include <gmock/gmock.h>

#include "support/call_shape.hpp"
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HEADROOM_HAS_NCCL_HEADER
#endif

namespace headroom::kernels {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(NcclLibrary, SaysWhereItWasLookedFor) {
  const nccl_search search = find_nccl("libnccl.so.0", "/nowhere", false);
  EXPECT_FALSE(search.found);
  EXPECT_THAT(search.missing,
              HasSubstr("libnccl.so.0 is not where the loader looks, nor in /nowhere"));
}

TEST(NcclLibrary, RefusesALibraryWithoutItsCalls) {
  const nccl_search search = find_nccl("libm.so.6", "/nowhere", false);
  EXPECT_FALSE(search.found);
  EXPECT_EQ(search.missing,
            "libm.so.6 cannot be used: it has no call ncclGetVersion; NCCL 2.4 or newer is needed");
}

TEST(NcclLibrary, RefusesARealOneForEmulatedCards) {
  const nccl_search search = find_nccl("libm.so.6", "/nowhere", true);
  EXPECT_FALSE(search.found);
  EXPECT_THAT(search.missing, HasSubstr("libm.so.6 is not where the loader looks"));
}

TEST(NcclLibrary, NamesItsVersionAsItsMakersDo) {
  EXPECT_EQ(nccl_version_text(22809), "2.28.9");
  EXPECT_EQ(nccl_version_text(23007), "2.30.7");
  EXPECT_EQ(nccl_version_text(2708), "2.7.8");
}

TEST(NcclLibrary, IsDeclaredAsItsOwnHeaderDeclaresIt) {
#ifdef HEADROOM_HAS_NCCL_HEADER
  using test::call_shape;
  EXPECT_EQ(nccl_abi::success, static_cast<int>(ncclSuccess));
  EXPECT_EQ(nccl_abi::float32, static_cast<int>(ncclFloat32));
  EXPECT_EQ(nccl_abi::sum, static_cast<int>(ncclSum));
  const nccl_library ours;
#define EXPECT_SHAPE(member, call) \
  EXPECT_EQ(call_shape(ours.member), call_shape(decltype(&call){})) << #call
  EXPECT_SHAPE(version, ncclGetVersion);
  EXPECT_SHAPE(result_text, ncclGetErrorString);
  EXPECT_SHAPE(last_text, ncclGetLastError);
  EXPECT_SHAPE(init_all, ncclCommInitAll);
  EXPECT_SHAPE(destroy, ncclCommDestroy);
  EXPECT_SHAPE(abort, ncclCommAbort);
  EXPECT_SHAPE(async_error, ncclCommGetAsyncError);
  EXPECT_SHAPE(group_start, ncclGroupStart);
  EXPECT_SHAPE(group_end, ncclGroupEnd);
  EXPECT_SHAPE(all_reduce, ncclAllReduce);
#undef EXPECT_SHAPE
#else
  GTEST_SKIP() << "there is no nccl.h here (NCCL's package, or nvidia-nccl-cu13 of pip)";
#endif
}

}  // namespace
}  // namespace headroom::kernels
