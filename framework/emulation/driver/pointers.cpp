// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

template <class Value>
result put(void* into, Value value) {
  std::memcpy(into, &value, sizeof value);
  return result::success;
}

/// @param of  null: no known block
result attribute_of(card& all, const block* of, address at, CUpointer_attribute which, void* into) {
  if (of == nullptr) return result::invalid_value;
  const device* on = all.devices[static_cast<std::size_t>(of->device)].get();
  const bool host = of->on_host();
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return put(into, reinterpret_cast<CUcontext>(const_cast<device*>(on)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(into, static_cast<unsigned>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put(into, at);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!host && of->kind != block_kind::managed) return result::invalid_value;
      return put(into, at);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return put(into, of->id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return put(into, static_cast<unsigned>(of->kind == block_kind::managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put(into, of->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return put(into, of->begin);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return put(into, static_cast<std::size_t>(of->size));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return put(into, 1u);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return put(into, 0u);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return put(into, std::uint64_t{0});
    default:
      return result::invalid_value;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr at) {
  return answer_in_context(call::cuPointerGetAttribute_, [&](context_session& now) {
    if (value == nullptr) return result::invalid_value;
    return attribute_of(now.all, now.all.blocks.find(at), at, attribute, value);
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr at) {
  return answer_in_context(call::cuPointerGetAttributes_, [&](context_session& now) {
    if (attributes == nullptr || values == nullptr || count == 0) return result::invalid_value;
    const block* const of = now.all.blocks.find(at);
    for (unsigned i = 0; i < count; ++i) {
      if (attribute_of(now.all, of, at, attributes[i], values[i]) == result::success) continue;
      // An address that is not known has no attributes; the smallest of them has four bytes.
      std::memset(values[i], 0, sizeof(unsigned));
    }
    return result::success;
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, std::size_t* size, CUdeviceptr at) {
  return answer_in_context(call::cuMemGetAddressRange_v2_, [&](context_session& now) {
    const block* const of = now.all.blocks.find(at);
    if (of == nullptr) return result::not_found;
    if (begin != nullptr) *begin = of->begin;
    if (size != nullptr) *size = of->size;
    return result::success;
  });
}
