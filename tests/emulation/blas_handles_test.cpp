// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>

#include "blas_api.hpp"

namespace {

class EmulatedBlas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cublasCreate_v2(&blas_), CUBLAS_STATUS_SUCCESS); }
  cublasHandle_t blas_ = nullptr;
};

TEST_F(EmulatedBlas, TheVersionIsThatOfItsMajor) {
  int version = 0;
  ASSERT_EQ(cublasGetVersion_v2(blas_, &version), CUBLAS_STATUS_SUCCESS);
  int major = 0;
  ASSERT_EQ(cublasGetProperty(MAJOR_VERSION, &major), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version / 10000, major);
#ifdef HEADROOM_ABI_MAJOR
  EXPECT_EQ(major, HEADROOM_ABI_MAJOR);
#endif
  EXPECT_EQ(cublasLtGetVersion(), static_cast<std::size_t>(version));
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
}

TEST_F(EmulatedBlas, ModesAreKept) {
  EXPECT_EQ(cublasSetMathMode(blas_, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  EXPECT_EQ(cublasGetMathMode(blas_, &math), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_DEVICE;
  EXPECT_EQ(cublasGetPointerMode_v2(blas_, &pointers), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, CUBLAS_POINTER_MODE_HOST);
  EXPECT_EQ(cublasSetSmCountTarget(blas_, -1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetAtomicsMode(blas_, CUBLAS_ATOMICS_ALLOWED), CUBLAS_STATUS_SUCCESS);
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  EXPECT_EQ(cublasGetAtomicsMode(blas_, &atomics), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(atomics, CUBLAS_ATOMICS_ALLOWED);
}

TEST_F(EmulatedBlas, AStreamIsALiveOneOfItsDevice) {
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreate(&on), cudaSuccess);
  ASSERT_EQ(cublasSetStream_v2(blas_, on), CUBLAS_STATUS_SUCCESS);
  cudaStream_t found = nullptr;
  EXPECT_EQ(cublasGetStream_v2(blas_, &found), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found, on);
  ASSERT_EQ(cudaStreamDestroy(on), cudaSuccess);
  EXPECT_EQ(cublasSetStream_v2(blas_, on), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(EmulatedBlas, AWorkspaceIsAlignedMemoryOfTheDevice) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  EXPECT_EQ(cublasSetWorkspace_v2(blas_, at, 4_mib), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSetWorkspace_v2(blas_, static_cast<char*>(at) + 16, 1_mib),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetWorkspace_v2(blas_, at, 4_mib + 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetWorkspace_v2(blas_, nullptr, 0), CUBLAS_STATUS_SUCCESS);
}

TEST_F(EmulatedBlas, WhatIsNoLiveHandleIsRefused) {
  ASSERT_EQ(cublasDestroy_v2(blas_), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy_v2(blas_), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream_v2(nullptr, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasCreate_v2(nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(EmulatedBlas, APlannedFaultIsAnsweredOnce) {
  of_the_emulation_alone("calls do not fail as planned");
  headroom_emulation_fail_call("cublasSetStream_v2", 2, CUBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(cublasSetStream_v2(blas_, nullptr), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSetStream_v2(blas_, nullptr), CUBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(cublasSetStream_v2(blas_, nullptr), CUBLAS_STATUS_SUCCESS);
}

TEST_F(EmulatedBlas, ACallThatIsLeftOutNeedsAHandleAndIsCounted) {
  constexpr double one = 1;
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 64), cudaSuccess);
  auto* const d = static_cast<double*>(at);
#ifdef HEADROOM_TEST_WITH_TOOLKIT
  EXPECT_EQ(cublasDgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d, 1, d, 1, &one, d, 1),
            CUBLAS_STATUS_SUCCESS);
  expect_calls("cublasDgemm_v2", 1);
#else
  static_cast<void>(one);
  static_cast<void>(d);
#endif
  expect_calls("cublasDdot_v2", 0);  // exported, and not modelled
}

/// Descriptors of one product.
struct lt_product {
  lt_product() {
    EXPECT_EQ(cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 2, 2, 2), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
  }
  ~lt_product() {
    EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescDestroy(description), CUBLAS_STATUS_SUCCESS);
  }
  lt_product(const lt_product&) = delete;
  lt_product& operator=(const lt_product&) = delete;
  cublasStatus_t ask(cublasLtHandle_t handle, int most, int& given) {
    return cublasLtMatmulAlgoGetHeuristic(handle, description, layout, layout, layout, layout,
                                          preference, most, &found, &given);
  }
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t found{};
};

TEST_F(EmulatedBlas, TheHeuristicHasOneResultWithTheLargestWorkspaceAllowed) {
  cublasLtHandle_t lt = nullptr;
  ASSERT_EQ(cublasLtCreate(&lt), CUBLAS_STATUS_SUCCESS);
  lt_product of;
  const std::uint64_t most = 32_mib;
  ASSERT_EQ(cublasLtMatmulPreferenceSetAttribute(
                of.preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most),
            CUBLAS_STATUS_SUCCESS);
  int given = 0;
  ASSERT_EQ(of.ask(lt, 4, given), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(given, 1);
  EXPECT_EQ(of.found.workspaceSize, most);
  EXPECT_EQ(of.found.state, CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(of.ask(lt, 0, given), CUBLAS_STATUS_INVALID_VALUE);
  // A handle of cuBLAS holds one of cuBLASLt.
  EXPECT_EQ(of.ask(reinterpret_cast<cublasLtHandle_t>(blas_), 1, given), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtDestroy(lt), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(of.ask(lt, 1, given), CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_F(EmulatedBlas, AProductOfLtIsLeftOutAndNeedsALiveStream) {
  of_the_emulation_alone("products are not left out");
  set_card("CONTENTS", "all");
  lt_product of;
  constexpr float one = 1;
  float* const a = on_device(std::vector<float>(4, 1));
  const auto multiply = [&](cudaStream_t on) {
    return cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(blas_), of.description, &one, a,
                          of.layout, a, of.layout, &one, a, of.layout, a, of.layout, nullptr,
                          nullptr, 0, on);
  };
  EXPECT_EQ(multiply(nullptr), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(a, 4), std::vector<float>(4, 1));
  expect_calls("cublasLtMatmul", 1);
  EXPECT_EQ(multiply(reinterpret_cast<cudaStream_t>(a)), CUBLAS_STATUS_EXECUTION_FAILED);
}

}  // namespace
