// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The part of cuDNN 9's interface that the emulation implements, in its own words. Enumerators are
// numbers: what is set is kept, and seldom looked at.
#include "runtime_structs.hpp"

using cudnnHandle_t = struct cudnnContext*;
using cudnnBackendDescriptor_t = void*;
using cudnnDescriptor_t = void*;  ///< of a tensor, a filter, a convolution, an activation

enum cudnnStatus_t {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1001,
  CUDNN_STATUS_BAD_PARAM = 2000,
  CUDNN_STATUS_BAD_PARAM_NULL_POINTER = 2002,
  CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED = 2004,
  CUDNN_STATUS_NOT_SUPPORTED = 3000,
  CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED = 4004,
  CUDNN_STATUS_EXECUTION_FAILED = 5000
};

extern "C" {
std::size_t cudnnGetVersion();
std::size_t cudnnGetCudartVersion();
cudnnStatus_t cudnnGetProperty(int part, int* value);
const char* cudnnGetErrorString(cudnnStatus_t status);
void cudnnGetLastErrorString(char* text, std::size_t size);
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle);
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle);
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream);
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream);

cudnnStatus_t cudnnBackendCreateDescriptor(int type, cudnnBackendDescriptor_t* made);
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t which);
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t which);
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t which, int name, int type,
                                       std::int64_t count, const void* values);
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t which, int name, int type,
                                       std::int64_t room, std::int64_t* count, void* values);
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t pack);

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnDescriptor_t* made);
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnDescriptor_t which);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnDescriptor_t which, int type, int dimensions,
                                         const int* sizes, const int* strides);
cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnDescriptor_t which, int room, int* type,
                                         int* dimensions, int* sizes, int* strides);
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnDescriptor_t* made);
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnDescriptor_t which);
cudnnStatus_t cudnnSetActivationDescriptor(cudnnDescriptor_t which, int mode, int nan,
                                           double ceiling);

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, int mode, int operations, cudnnDescriptor_t x, cudnnDescriptor_t z,
    cudnnDescriptor_t y, cudnnDescriptor_t scale, cudnnDescriptor_t activation, std::size_t* size);
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, int mode, int operations, cudnnDescriptor_t x, cudnnDescriptor_t y,
    cudnnDescriptor_t dy, cudnnDescriptor_t dz, cudnnDescriptor_t dx, cudnnDescriptor_t scale,
    cudnnDescriptor_t activation, std::size_t* size);
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(cudnnHandle_t handle, int mode,
                                                                   int operations,
                                                                   cudnnDescriptor_t activation,
                                                                   cudnnDescriptor_t x,
                                                                   std::size_t* size);
// Behind the handle, arguments are not looked at: the work is left out.
cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(cudnnHandle_t handle);
cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t handle);
cudnnStatus_t cudnnBatchNormalizationBackwardEx(cudnnHandle_t handle);
}
