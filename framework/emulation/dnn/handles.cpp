// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::dnn;

namespace {

std::unordered_map<const void*, std::unique_ptr<handle>>& handles() {
  static auto* all = new std::unordered_map<const void*, std::unique_ptr<handle>>;
  return *all;
}

}  // namespace

headroom::emulation::dnn::handle* headroom::emulation::dnn::find_handle(const void* which) {
  const auto found = handles().find(which);
  return found == handles().end() ? nullptr : found->second.get();
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* made) {
  return answer(call::cudnnCreate_, [&](session& now) {
    if (made == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    device* const on = current_device(now.all, now.me);
    if (on == nullptr) return CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
    if (on->fault != result::success) return CUDNN_STATUS_NOT_INITIALIZED;
    auto fresh = std::make_unique<handle>();
    fresh->on = on;
    *made = reinterpret_cast<cudnnHandle_t>(fresh.get());
    handles().emplace(fresh.get(), std::move(fresh));
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t which) {
  return answer_about(call::cudnnDestroy_, which, [&](session& now, const handle& of) {
    wait_for_device(now.all, now.lock, *of.on);
    handles().erase(which);
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t which, cudaStream_t wanted) {
  return answer_about(call::cudnnSetStream_, which, [&](session& now, handle& of) {
    if (stream_of(now.all, now.me, *of.on, wanted) == nullptr) return CUDNN_STATUS_BAD_PARAM;
    of.stream = wanted;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t which, cudaStream_t* into) {
  return answer_about(call::cudnnGetStream_, which, [&](session&, const handle& of) {
    if (into == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    *into = static_cast<cudaStream_t>(of.stream);
    return CUDNN_STATUS_SUCCESS;
  });
}
