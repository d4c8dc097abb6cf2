// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::dnn;

namespace {

constexpr int most_dimensions = 8;

/// Of a tensor or an activation; what is not looked at is not kept.
struct shape {
  int type = 0;
  int dimensions = 0;
  std::array<int, most_dimensions> sizes{}, strides{};
};

std::unordered_map<const void*, std::unique_ptr<shape>>& shapes() {
  static auto* all = new std::unordered_map<const void*, std::unique_ptr<shape>>;
  return *all;
}

cudnnStatus_t create(call which, cudnnDescriptor_t* made) {
  return answer(which, [&](session&) {
    if (made == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    auto fresh = std::make_unique<shape>();
    *made = fresh.get();
    shapes().emplace(fresh.get(), std::move(fresh));
    return CUDNN_STATUS_SUCCESS;
  });
}
cudnnStatus_t destroy(call which, cudnnDescriptor_t about) {
  return answer(which, [&](session&) {
    return about == nullptr || shapes().erase(about) > 0 ? CUDNN_STATUS_SUCCESS
                                                         : CUDNN_STATUS_BAD_PARAM;
  });
}
/// @param body  (shape&) -> cudnnStatus_t
template <class Body>
cudnnStatus_t with_shape(call which, const void* about, Body body) {
  return answer(which, [&](session&) {
    const auto found = shapes().find(about);
    return found == shapes().end() ? CUDNN_STATUS_BAD_PARAM : body(*found->second);
  });
}

}  // namespace

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnDescriptor_t* made) {
  return create(call::cudnnCreateTensorDescriptor_, made);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnDescriptor_t which) {
  return destroy(call::cudnnDestroyTensorDescriptor_, which);
}
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnDescriptor_t* made) {
  return create(call::cudnnCreateActivationDescriptor_, made);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnDescriptor_t which) {
  return destroy(call::cudnnDestroyActivationDescriptor_, which);
}
cudnnStatus_t cudnnSetActivationDescriptor(cudnnDescriptor_t which, int, int, double) {
  return with_shape(call::cudnnSetActivationDescriptor_, which,
                    [](shape&) { return CUDNN_STATUS_SUCCESS; });
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnDescriptor_t which, int type, int dimensions,
                                         const int* sizes, const int* strides) {
  return with_shape(call::cudnnSetTensorNdDescriptor_, which, [&](shape& of) {
    if (sizes == nullptr || strides == nullptr || dimensions < 1 || dimensions > most_dimensions) {
      return CUDNN_STATUS_BAD_PARAM;
    }
    of = {type, dimensions, {}, {}};
    std::copy_n(sizes, dimensions, of.sizes.begin());
    std::copy_n(strides, dimensions, of.strides.begin());
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnDescriptor_t which, int room, int* type,
                                         int* dimensions, int* sizes, int* strides) {
  return with_shape(call::cudnnGetTensorNdDescriptor_, which, [&](const shape& of) {
    if (type == nullptr || dimensions == nullptr || room < 0) return CUDNN_STATUS_BAD_PARAM;
    *type = of.type;
    *dimensions = of.dimensions;
    const int given = std::min(room, of.dimensions);
    if (sizes != nullptr) std::copy_n(of.sizes.begin(), given, sizes);
    if (strides != nullptr) std::copy_n(of.strides.begin(), given, strides);
    return CUDNN_STATUS_SUCCESS;
  });
}
