// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/calls.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::dnn;

namespace {

/// What a batch normalization needs beside its tensors is not documented: none is assumed.
cudnnStatus_t none(call which, const void* about, std::size_t* size) {
  return answer_about(which, about, [&](session&, const handle&) {
    if (size == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    note_assumption("cuDNN: no workspace and no reserve space for batch normalization");
    *size = 0;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t left_out(call which, const void* about) {
  return answer_about(which, about,
                      [](session& now, const handle& of) { return leave_out(now, of); });
}

}  // namespace

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t about, int, int, cudnnDescriptor_t, cudnnDescriptor_t, cudnnDescriptor_t,
    cudnnDescriptor_t, cudnnDescriptor_t, std::size_t* size) {
  return none(call::cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize_, about, size);
}
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t about, int, int, cudnnDescriptor_t, cudnnDescriptor_t, cudnnDescriptor_t,
    cudnnDescriptor_t, cudnnDescriptor_t, cudnnDescriptor_t, cudnnDescriptor_t, std::size_t* size) {
  return none(call::cudnnGetBatchNormalizationBackwardExWorkspaceSize_, about, size);
}
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(cudnnHandle_t about, int, int,
                                                                   cudnnDescriptor_t,
                                                                   cudnnDescriptor_t,
                                                                   std::size_t* size) {
  return none(call::cudnnGetBatchNormalizationTrainingExReserveSpaceSize_, about, size);
}
cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(cudnnHandle_t about) {
  return left_out(call::cudnnBatchNormalizationForwardTrainingEx_, about);
}
cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t about) {
  return left_out(call::cudnnBatchNormalizationForwardInference_, about);
}
cudnnStatus_t cudnnBatchNormalizationBackwardEx(cudnnHandle_t about) {
  return left_out(call::cudnnBatchNormalizationBackwardEx_, about);
}
