// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// What the compiler's host code asks of the runtime when a module is loaded and a kernel launched.
#include "runtime_structs.hpp"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** module);
void __cudaUnregisterFatBinary(void** module);
void __cudaRegisterFunction(void** module, const char* host, char* device, const char* name,
                            int thread_limit, void* tid, void* bid, dim3* block, dim3* grid,
                            int* warp_size);
void __cudaRegisterVar(void** module, char* host, char* device, const char* name, int external,
                       std::size_t size, int constant, int global);
void __cudaRegisterManagedVar(void** module, void** host, char* device, const char* name,
                              int external, std::size_t size, int constant, int global);
char __cudaInitModule(void** module);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     struct CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream);
}
