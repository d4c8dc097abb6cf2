// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "descriptors.hpp"

#include "../blas/answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::blas;
using headroom::emulation::lt::descriptor;

namespace {

// Numbers of attributes, as cuBLASLt's documentation gives them.
enum matmul_attribute {
  compute_type,
  scale_type,
  pointer_mode,
  transpose_a,
  transpose_b,
  transpose_c,
  fill_mode,
  epilogue
};
enum layout_attribute {
  layout_type,
  layout_order,
  layout_rows,
  layout_columns,
  layout_leading,
  layout_batch_count,
  layout_batch_stride
};
enum preference_attribute { search_mode, most_workspace };

/// @param set  puts the attributes that a new descriptor has
template <class Descriptor, class Set>
cublasStatus_t make(call which, Descriptor** into, Set set) {
  return answer(which, [&](session&) {
    if (into == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *into = new Descriptor;
    set(**into);
    return CUBLAS_STATUS_SUCCESS;
  });
}

template <class Descriptor>
cublasStatus_t forget(call which, Descriptor* what) {
  return answer(which, [&](session&) {
    delete what;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t set(call which, descriptor* what, int attribute, const void* value,
                   std::size_t size) {
  return answer(which, [&](session&) {
    if (what == nullptr || value == nullptr || size == 0) return CUBLAS_STATUS_INVALID_VALUE;
    const auto known = what->attributes.find(attribute);
    if (known != what->attributes.end() && known->second.size() != size) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
    const auto* const bytes = static_cast<const char*>(value);
    what->attributes[attribute].assign(bytes, bytes + size);
    return CUBLAS_STATUS_SUCCESS;
  });
}

/// An attribute that was not set and has no known beginning is refused, not answered with zeros.
cublasStatus_t get(call which, const descriptor* what, int attribute, void* value, std::size_t size,
                   std::size_t* written) {
  return answer(which, [&](session&) {
    if (what == nullptr || (value == nullptr && size > 0)) return CUBLAS_STATUS_INVALID_VALUE;
    const auto found = what->attributes.find(attribute);
    if (found == what->attributes.end()) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (written != nullptr) *written = found->second.size();
    if (size == 0 && written != nullptr) return CUBLAS_STATUS_SUCCESS;
    if (size != found->second.size()) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(value, found->second.data(), size);
    return CUBLAS_STATUS_SUCCESS;
  });
}

}  // namespace

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t compute, cudaDataType_t scale) {
  return make(call::cublasLtMatmulDescCreate_, description, [&](descriptor& fresh) {
    fresh.put(compute_type, static_cast<std::int32_t>(compute));
    fresh.put(scale_type, static_cast<std::int32_t>(scale));
    for (const int attribute : {pointer_mode, transpose_a, transpose_b, transpose_c}) {
      fresh.put(attribute, std::int32_t{0});
    }
    fresh.put(epilogue, std::uint32_t{1});  // none
  });
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return forget(call::cublasLtMatmulDescDestroy_, description);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description, int attribute,
                                              const void* value, std::size_t size) {
  return set(call::cublasLtMatmulDescSetAttribute_, description, attribute, value, size);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description, int attribute,
                                              void* value, std::size_t size, std::size_t* written) {
  return get(call::cublasLtMatmulDescGetAttribute_, description, attribute, value, size, written);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t leading) {
  return make(call::cublasLtMatrixLayoutCreate_, layout, [&](descriptor& fresh) {
    fresh.put(layout_type, static_cast<std::uint32_t>(type));
    fresh.put(layout_order, std::int32_t{0});  // column-major
    fresh.put(layout_rows, rows);
    fresh.put(layout_columns, columns);
    fresh.put(layout_leading, leading);
    fresh.put(layout_batch_count, std::int32_t{1});
    fresh.put(layout_batch_stride, std::int64_t{0});
  });
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return forget(call::cublasLtMatrixLayoutDestroy_, layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                                const void* value, std::size_t size) {
  return set(call::cublasLtMatrixLayoutSetAttribute_, layout, attribute, value, size);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                                void* value, std::size_t size,
                                                std::size_t* written) {
  return get(call::cublasLtMatrixLayoutGetAttribute_, layout, attribute, value, size, written);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return make(call::cublasLtMatmulPreferenceCreate_, preference, [](descriptor& fresh) {
    fresh.put(search_mode, std::uint32_t{0});
    fresh.put(most_workspace, std::uint64_t{0});
  });
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return forget(call::cublasLtMatmulPreferenceDestroy_, preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    int attribute, const void* value,
                                                    std::size_t size) {
  return set(call::cublasLtMatmulPreferenceSetAttribute_, preference, attribute, value, size);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    int attribute, void* value, std::size_t size,
                                                    std::size_t* written) {
  return get(call::cublasLtMatmulPreferenceGetAttribute_, preference, attribute, value, size,
             written);
}
