// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <limits>

#include "blas_api.hpp"

namespace {

/// Small integers: every sum of their products is exact in float32, in any order.
std::vector<float> integers(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& each : values) {
    seed = seed * 1103515245u + 12345u;
    each = static_cast<float>(static_cast<int>(seed >> 16) % 7 - 3);
  }
  return values;
}

struct shape {
  bool transpose_a, transpose_b;
  int m, n, k, leading_a, leading_b, leading_c;
};

/// From the definition: column-major, one element after the other.
std::vector<float> expected(const shape& of, float alpha, const std::vector<float>& a,
                            const std::vector<float>& b, float beta, std::vector<float> c) {
  const auto at = [](int row, int column, int leading) {
    return static_cast<std::size_t>(column) * static_cast<std::size_t>(leading) +
           static_cast<std::size_t>(row);
  };
  for (int j = 0; j < of.n; ++j) {
    for (int i = 0; i < of.m; ++i) {
      float sum = 0;
      for (int p = 0; p < of.k; ++p) {
        sum += a[of.transpose_a ? at(p, i, of.leading_a) : at(i, p, of.leading_a)] *
               b[of.transpose_b ? at(j, p, of.leading_b) : at(p, j, of.leading_b)];
      }
      float& into = c[at(i, j, of.leading_c)];
      into = alpha * sum + (beta == 0 ? 0 : beta * into);
    }
  }
  return c;
}

cublasOperation_t op(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
std::size_t elements(int leading, int columns) {
  return static_cast<std::size_t>(leading) * static_cast<std::size_t>(columns);
}

class EmulatedProducts : public testing::Test {
 protected:
  EmulatedProducts() { set_card("CONTENTS", "all"); }
  void SetUp() override { ASSERT_EQ(cublasCreate_v2(&blas_), CUBLAS_STATUS_SUCCESS); }
  /// c[0] of 2 by 2 ones
  cublasStatus_t multiply_ones(const float* a, float* c) {
    constexpr float one = 1;
    constexpr float zero = 0;
    return cublasSgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &zero, c, 2);
  }
  cublasHandle_t blas_ = nullptr;
};

constexpr shape shapes[] = {
    {false, false, 3, 4, 5, 3, 5, 3},        {true, false, 3, 4, 5, 7, 6, 5},
    {false, true, 3, 4, 5, 4, 9, 3},         {true, true, 3, 4, 5, 5, 4, 8},
    {false, true, 260, 3, 300, 261, 3, 262}, {true, false, 2, 259, 513, 513, 514, 2},
    {false, false, 1, 1, 0, 1, 1, 1},
};

TEST_F(EmulatedProducts, Float32IsColumnMajorWithTransposesAndLeadingDimensions) {
  for (const shape& of : shapes) {
    SCOPED_TRACE(&of - shapes);
    const auto a = integers(elements(of.leading_a, of.transpose_a ? of.m : of.k) + 1, 1);
    const auto b = integers(elements(of.leading_b, of.transpose_b ? of.k : of.n) + 1, 2);
    const auto c = integers(elements(of.leading_c, of.n), 3);
    for (const float beta : {0.0F, 2.0F}) {
      constexpr float alpha = 0.5F;
      float* const at = on_device(c);
      ASSERT_EQ(cublasSgemm_v2(blas_, op(of.transpose_a), op(of.transpose_b), of.m, of.n, of.k,
                               &alpha, on_device(a), of.leading_a, on_device(b), of.leading_b,
                               &beta, at, of.leading_c),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(on_host(at, c.size()), expected(of, alpha, a, b, beta, c));
    }
  }
  expect_calls("cublasSgemm_v2", 14);
}

TEST_F(EmulatedProducts, Bfloat16IsSummedInFloat32AndRoundedOnce) {
  constexpr shape of{true, false, 3, 4, 300, 301, 302, 5};
  auto a = integers(elements(of.leading_a, of.m), 4);
  auto b = integers(elements(of.leading_b, of.n), 5);
  const auto c = integers(elements(of.leading_c, of.n), 6);
  constexpr float alpha = 1;
  constexpr float beta = 1;
  const auto narrowed = [](const std::vector<float>& values) {
    std::vector<std::uint16_t> out;
    for (const float each : values) out.push_back(to_bfloat16(each));
    return out;
  };
  const auto multiply = [&](void* into, cudaDataType_t type) {
    return cublasGemmEx(blas_, CUBLAS_OP_T, CUBLAS_OP_N, of.m, of.n, of.k, &alpha,
                        on_device(narrowed(a)), CUDA_R_16BF, of.leading_a, on_device(narrowed(b)),
                        CUDA_R_16BF, of.leading_b, &beta, into, type, of.leading_c,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  };
  const auto wanted = expected(of, alpha, a, b, beta, c);
  float* const wide = on_device(c);
  ASSERT_EQ(multiply(wide, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(wide, c.size()), wanted);
  std::uint16_t* const narrow = on_device(narrowed(c));
  ASSERT_EQ(multiply(narrow, CUDA_R_16BF), CUBLAS_STATUS_SUCCESS);
  const auto found = on_host(narrow, c.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(from_bfloat16(found[i]), wanted[i], std::abs(wanted[i]) / 256) << i;
  }
}

TEST_F(EmulatedProducts, TiesOfBfloat16GoToEven) {
  // 257 and 259 lie in the middle between two bfloat16.
  const auto a = on_device(std::vector<std::uint16_t>{to_bfloat16(256), to_bfloat16(1)});
  const auto b = on_device(
      std::vector<std::uint16_t>{to_bfloat16(1), to_bfloat16(1), to_bfloat16(1), to_bfloat16(3)});
  std::uint16_t* const c = on_device(std::vector<std::uint16_t>(2));
  constexpr float alpha = 1;
  constexpr float beta = 0;
  ASSERT_EQ(cublasGemmEx(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, 2, &alpha, a, CUDA_R_16BF, 1, b,
                         CUDA_R_16BF, 2, &beta, c, CUDA_R_16BF, 1, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  const auto found = on_host(c, 2);
  EXPECT_EQ(from_bfloat16(found[0]), 256);
  EXPECT_EQ(from_bfloat16(found[1]), 260);
}

TEST_F(EmulatedProducts, ABatchStepsByItsStrides) {
  constexpr shape of{false, false, 2, 2, 3, 2, 3, 2};
  constexpr long long stride_a = 7;
  constexpr long long stride_b = 0;  // one b for all
  constexpr long long stride_c = 5;
  const auto a = integers(21, 7);
  const auto b = integers(6, 8);
  const std::vector<float> c(15, -1);
  float* const at = on_device(c);
  constexpr float alpha = 1;
  constexpr float beta = 0;
  ASSERT_EQ(cublasSgemmStridedBatched(blas_, CUBLAS_OP_N, CUBLAS_OP_N, of.m, of.n, of.k, &alpha,
                                      on_device(a), of.leading_a, stride_a, on_device(b),
                                      of.leading_b, stride_b, &beta, at, of.leading_c, stride_c, 3),
            CUBLAS_STATUS_SUCCESS);
  std::vector<float> wanted;
  for (int entry = 0; entry < 3; ++entry) {
    const std::vector<float> part(a.begin() + entry * stride_a, a.end());
    const auto one = expected(of, 1, part, b, 0, std::vector<float>(4));
    wanted.insert(wanted.end(), one.begin(), one.end());
    wanted.push_back(-1);
  }
  EXPECT_EQ(on_host(at, c.size()), wanted);
}

TEST_F(EmulatedProducts, WhatAFactorOfZeroLeavesOutIsNotRead) {
  const std::vector<float> nothing(4, std::numeric_limits<float>::quiet_NaN());
  float* const c = on_device(nothing);
  ASSERT_EQ(multiply_ones(on_device(std::vector<float>(4, 1)), c), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 2)) << "beta is 0";
  constexpr float zero = 0;
  constexpr float one = 1;
  ASSERT_EQ(cublasSgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &zero, on_device(nothing), 2,
                           on_device(nothing), 2, &one, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 2)) << "alpha is 0";
}

TEST_F(EmulatedProducts, AreDoneInTheOrderOfTheirStream) {
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream_v2(blas_, on), CUBLAS_STATUS_SUCCESS);
  float* const a = on_device(std::vector<float>(4));
  float* const c = on_device(std::vector<float>(4));
  ASSERT_EQ(multiply_ones(a, c), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(multiply_ones(c, a), CUBLAS_STATUS_SUCCESS);
  const std::vector<float> ones(4, 1);
  ASSERT_EQ(cudaMemcpy(a, ones.data(), 16, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 0)) << "the legacy stream does not wait";
  ASSERT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 2)) << "what a held in the product's turn";
  EXPECT_EQ(on_host(a, 4), std::vector<float>(4, 8));
}

TEST_F(EmulatedProducts, FactorsOnTheDeviceAreReadInTheirTurn) {
  ASSERT_EQ(cublasSetPointerMode_v2(blas_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream_v2(blas_, on), CUBLAS_STATUS_SUCCESS);
  float* const factors = on_device(std::vector<float>{1, 0});
  float* const a = on_device(std::vector<float>(4, 1));
  float* const c = on_device(std::vector<float>(4, 1));
  ASSERT_EQ(cublasSgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, factors, a, 2, a, 2,
                           factors + 1, c, 2),
            CUBLAS_STATUS_SUCCESS);
  const float later[] = {3, 5};
  ASSERT_EQ(cudaMemcpy(factors, later, sizeof later, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 11));
}

TEST_F(EmulatedProducts, ACapturedProductIsDoneAtEachLaunch) {
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream_v2(blas_, on), CUBLAS_STATUS_SUCCESS);
  float* const a = on_device(std::vector<float>(4, 1));
  float* const c = on_device(std::vector<float>(4, 0));
  ASSERT_EQ(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal), cudaSuccess);
  constexpr float one = 1;
  ASSERT_EQ(cublasSgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &one, c, 2),
            CUBLAS_STATUS_SUCCESS);
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(on, &captured), cudaSuccess);
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&ready, captured, 0), cudaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(ready, on), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(on_host(c, 4), std::vector<float>(4, 6));
}

TEST_F(EmulatedProducts, MemoryThatIsNotTheDevicesIsAStickyErrorOfItsTurn) {
  std::vector<float> host(4, 1);
  float* const c = on_device(host);
  EXPECT_EQ(multiply_ones(host.data(), c), CUBLAS_STATUS_SUCCESS) << "queued";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(multiply_ones(c, c), CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_F(EmulatedProducts, AMatrixThatEndsBehindItsMemoryIsAnError) {
  constexpr float one = 1;
  float* const a = on_device(std::vector<float>(4, 1));
  ASSERT_EQ(cublasSgemm_v2(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 1 << 20, &one,
                           on_device(std::vector<float>(4)), 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST_F(EmulatedProducts, ValuesThatAreNotAllowedAreRefused) {
  constexpr float one = 1;
  float* const a = on_device(std::vector<float>(64, 1));
  const auto multiply = [&](int m, int n, int k, int leading_a, int leading_b, int leading_c,
                            const float* alpha, cublasOperation_t op_a) {
    return cublasSgemm_v2(blas_, op_a, CUBLAS_OP_N, m, n, k, alpha, a, leading_a, a, leading_b,
                          &one, a, leading_c);
  };
  EXPECT_EQ(multiply(2, 3, 4, 2, 4, 2, &one, CUBLAS_OP_N), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(-1, 3, 4, 2, 4, 2, &one, CUBLAS_OP_N), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 1, 4, 2, &one, CUBLAS_OP_N), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 2, 4, 2, &one, CUBLAS_OP_T), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 2, 3, 2, &one, CUBLAS_OP_N), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 2, 4, 1, &one, CUBLAS_OP_N), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 2, 4, 2, nullptr, CUBLAS_OP_N), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(2, 3, 4, 2, 4, 2, &one, static_cast<cublasOperation_t>(3)),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(0, 3, 4, 1, 4, 1, &one, CUBLAS_OP_N), CUBLAS_STATUS_SUCCESS);
}

TEST_F(EmulatedProducts, OtherTypesAreLeftOut) {
  constexpr float one = 1;
  std::uint16_t* const a = on_device(std::vector<std::uint16_t>(4, 1));
  ASSERT_EQ(
      cublasGemmEx(blas_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_16F, 2, a, CUDA_R_16F,
                   2, &one, a, CUDA_R_16F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(a, 4), std::vector<std::uint16_t>(4, 1));
}

TEST(EmulatedProductsWithoutContents, AreLeftOutAndCounted) {
  of_the_emulation_alone("products are not left out");
  cublasHandle_t blas = nullptr;
  ASSERT_EQ(cublasCreate_v2(&blas), CUBLAS_STATUS_SUCCESS);
  constexpr float one = 1;
  float* const a = on_device(std::vector<float>(4, 1));  // small, so its contents are kept
  ASSERT_EQ(cublasSgemm_v2(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &one, a, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(on_host(a, 4), std::vector<float>(4, 1));
  expect_calls("cublasSgemm_v2", 1);
}

}  // namespace
