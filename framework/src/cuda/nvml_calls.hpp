// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

/// The part of NVML's binary interface that is read: names, results and structures as its
/// documentation gives them. Shared with the tests' own NVML.
namespace headroom::cuda::nvml_abi {

using device_handle = void*;

enum result : int {
  success = 0,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7
};

/// nvmlMemory_t
struct memory_1 {
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;
};
/// nvmlMemory_v2_t
struct memory_2 {
  unsigned version;
  std::uint64_t total;
  std::uint64_t reserved;  ///< by driver and firmware
  std::uint64_t free;
  std::uint64_t used;
};
inline constexpr unsigned memory_2_version = sizeof(memory_2) | (2U << 24);

/// nvmlProcessInfo_t
struct process_3 {
  unsigned pid;
  std::uint64_t used;
  unsigned gpu_instance;
  unsigned compute_instance;
};
/// What stands for a value that NVML does not give.
inline constexpr std::uint64_t not_available = ~std::uint64_t{0};

static_assert(sizeof(memory_1) == 24 && sizeof(memory_2) == 40 && sizeof(process_3) == 24);

using init_call = int();
using text_call = int(char* text, unsigned length);
using error_text_call = const char*(int result);
using by_uuid_call = int(const char* uuid, device_handle* device);
using memory_1_call = int(device_handle device, memory_1* memory);
using memory_2_call = int(device_handle device, memory_2* memory);
using processes_call = int(device_handle device, unsigned* count, process_3* processes);

}  // namespace headroom::cuda::nvml_abi
