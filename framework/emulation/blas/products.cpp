// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The products that are computed. Checked as cuBLAS documents it, then queued.
#include <algorithm>
#include <optional>

#include "../abi/blas_calls.hpp"
#include "../card/calls.hpp"
#include "../card/transfer.hpp"
#include "answer.hpp"
#include "product.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::blas;

namespace {

/// A product as the calls give it.
struct asked {
  cublasOperation_t op_a, op_b;
  std::int64_t m, n, k;
  const void* alpha;
  const void* beta;
  const void* a;
  const void* b;
  void* c;
  int type_a, type_b, type_c;
  std::int64_t leading_a, leading_b, leading_c;
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
  std::int64_t count = 1;
  int compute = CUBLAS_COMPUTE_32F;
};

bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

bool valid(const asked& what) {
  if (!is_operation(what.op_a) || !is_operation(what.op_b)) return false;
  if (what.m < 0 || what.n < 0 || what.k < 0 || what.count < 0) return false;
  const auto at_least = [](std::int64_t leading, std::int64_t rows) {
    return leading >= std::max<std::int64_t>(1, rows);
  };
  return at_least(what.leading_a, what.op_a == CUBLAS_OP_N ? what.m : what.k) &&
         at_least(what.leading_b, what.op_b == CUBLAS_OP_N ? what.k : what.n) &&
         at_least(what.leading_c, what.m) && what.alpha != nullptr && what.beta != nullptr;
}

std::optional<element> element_of(int type) {
  if (type == CUDA_R_32F) return element::float32;
  if (type == CUDA_R_16BF) return element::bfloat16;
  return std::nullopt;
}

/// With sums in float32, and alpha and beta too.
bool sums_in_float32(int compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return true;
    default:
      return false;
  }
}

matrix stored(const void* at, element type, cublasOperation_t op, std::int64_t rows,
              std::int64_t columns, std::int64_t leading, std::int64_t stride) {
  if (op != CUBLAS_OP_N) std::swap(rows, columns);
  return {reinterpret_cast<address>(at), type, rows, columns, leading, stride};
}

/// @return nothing where it is not among those that are computed. alpha and beta are not set.
std::optional<product> computable(const asked& what) {
  const auto a = element_of(what.type_a);
  const auto b = element_of(what.type_b);
  const auto c = element_of(what.type_c);
  if (!a || !b || !c || *a != *b || (*a == element::float32 && *c != *a)) return std::nullopt;
  if (!sums_in_float32(what.compute)) return std::nullopt;
  product out;
  out.a = stored(what.a, *a, what.op_a, what.m, what.k, what.leading_a, what.stride_a);
  out.b = stored(what.b, *b, what.op_b, what.k, what.n, what.leading_b, what.stride_b);
  out.c = stored(what.c, *c, CUBLAS_OP_N, what.m, what.n, what.leading_c, what.stride_c);
  out.transpose_a = what.op_a != CUBLAS_OP_N;
  out.transpose_b = what.op_b != CUBLAS_OP_N;
  out.k = what.k;
  out.count = what.count;
  return out;
}

bool reachable(card& all, const matrix& which, std::int64_t count) {
  const std::int64_t last = (count - 1) * which.stride;
  const std::int64_t elements = (which.columns - 1) * which.leading + which.rows;
  const auto begin =
      which.at + static_cast<address>(std::min<std::int64_t>(0, last) * size_of(which.type));
  const auto length =
      static_cast<std::uint64_t>((std::max(last, -last) + elements) * size_of(which.type));
  const reach seen = reach_in_turn(all, begin, length);
  return seen.valid && seen.backed;
}

/// The product's turn has come: with the card unlocked, as it may run long.
result run(card& all, product what, const float* alpha, const float* beta) {
  {
    const card_lock lock(card_mutex());
    // Of the device in that pointer mode, read in the product's turn.
    for (const float* const scale : {alpha, beta}) {
      if (scale == nullptr) continue;
      if (!reach_in_turn(all, reinterpret_cast<address>(scale), sizeof *scale).valid) {
        return result::illegal_address;
      }
      (scale == alpha ? what.alpha : what.beta) = *scale;
    }
    if (alpha != nullptr && alpha == beta) what.beta = *beta;
    const bool reads = what.k > 0 && what.alpha != 0.0F;
    if (reads && (!reachable(all, what.a, what.count) || !reachable(all, what.b, what.count))) {
      return result::illegal_address;
    }
    if (!reachable(all, what.c, what.count)) return result::illegal_address;
  }
  multiply(what);
  return result::success;
}

operation operation_of(card& all, const blas_handle& of, const asked& what, const char* gap) {
  if (all.set.behind != contents::all) return left_out();
  std::optional<product> wanted = computable(what);
  if (!wanted) {
    note_gap(gap);
    return left_out();
  }
  const auto* alpha = static_cast<const float*>(what.alpha);
  const auto* beta = static_cast<const float*>(what.beta);
  if (of.pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    wanted->alpha = *alpha;
    wanted->beta = *beta;
    alpha = nullptr;
    beta = nullptr;
  }
  return {[&all, whole = *wanted, alpha, beta] { return run(all, whole, alpha, beta); }, true, 0};
}

cublasStatus_t queue(call which, cublasHandle_t handle, const asked& what, const char* gap) {
  return answer_about(which, handle, [&](session& now, const blas_handle& of) {
    if (!valid(what)) return CUBLAS_STATUS_INVALID_VALUE;
    if (what.m == 0 || what.n == 0 || what.count == 0) return CUBLAS_STATUS_SUCCESS;
    return enqueue_on(now, of, of.stream, [&] { return operation_of(now.all, of, what, gap); });
  });
}

constexpr const char* types_gap =
    "a cuBLAS product of other types than float32 and bfloat16: left out";

}  // namespace

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const float* alpha, const float* a,
                              int leading_a, const float* b, int leading_b, const float* beta,
                              float* c, int leading_c) {
  return queue(call::cublasSgemm_v2_, handle,
               {op_a, op_b, m, n, k, alpha, beta, a, b, c, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                leading_a, leading_b, leading_c},
               types_gap);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const float* alpha, const float* a, int leading_a,
                                         long long stride_a, const float* b, int leading_b,
                                         long long stride_b, const float* beta, float* c,
                                         int leading_c, long long stride_c, int count) {
  return queue(call::cublasSgemmStridedBatched_, handle,
               {op_a,      op_b,      m,        n,          k,          alpha,      beta,
                a,         b,         c,        CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, leading_a,
                leading_b, leading_c, stride_a, stride_b,   stride_c,   count},
               types_gap);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType_t type_a, int leading_a, const void* b,
                            cudaDataType_t type_b, int leading_b, const void* beta, void* c,
                            cudaDataType_t type_c, int leading_c, cublasComputeType_t compute,
                            cublasGemmAlgo_t) {
  return queue(call::cublasGemmEx_, handle,
               {op_a,   op_b,   m,         n,         k,         alpha, beta, a, b, c,      type_a,
                type_b, type_c, leading_a, leading_b, leading_c, 0,     0,    0, 1, compute},
               types_gap);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType_t type_a,
                                          int leading_a, long long stride_a, const void* b,
                                          cudaDataType_t type_b, int leading_b, long long stride_b,
                                          const void* beta, void* c, cudaDataType_t type_c,
                                          int leading_c, long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  return queue(call::cublasGemmStridedBatchedEx_, handle,
               {op_a,      op_b,      m,        n,        k,        alpha,  beta,
                a,         b,         c,        type_a,   type_b,   type_c, leading_a,
                leading_b, leading_c, stride_a, stride_b, stride_c, count,  compute},
               types_gap);
}
