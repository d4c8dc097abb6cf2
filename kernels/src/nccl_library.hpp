// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace headroom::kernels {

/// The part of NCCL's binary interface that is used, as its documentation gives it: the same since
/// NCCL 2.4. An enumeration is an int there.
namespace nccl_abi {

using communicator = struct ncclComm*;

inline constexpr int success = 0;
inline constexpr int float32 = 7;
inline constexpr int sum = 0;

using version_call = int(int* version);
using result_text_call = const char*(int result);
using last_text_call = const char*(communicator of);
using init_all_call = int(communicator* made, int count, const int* devices);
using communicator_call = int(communicator of);
using error_call = int(communicator of, int* result);
using group_call = int();
using all_reduce_call = int(const void* send, void* receive, std::size_t count, int type,
                            int operation, communicator of, void* stream);

}  // namespace nccl_abi

/// The calls of NCCL that are made. The library is loaded when a reduction first needs it: no build
/// has to have it.
struct nccl_library {
  nccl_abi::version_call* version = nullptr;
  nccl_abi::result_text_call* result_text = nullptr;
  nccl_abi::last_text_call* last_text = nullptr;  ///< null before NCCL 2.13
  nccl_abi::init_all_call* init_all = nullptr;
  nccl_abi::communicator_call* destroy = nullptr;
  nccl_abi::communicator_call* abort = nullptr;
  nccl_abi::error_call* async_error = nullptr;
  nccl_abi::group_call* group_start = nullptr;
  nccl_abi::group_call* group_end = nullptr;
  nccl_abi::all_reduce_call* all_reduce = nullptr;
};

struct nccl_search {
  std::optional<nccl_library> found;
  std::string missing;  ///< why it was not: where it was looked for, or what it lacks
};

/// Stays loaded where it is found.
/// @param file      as the loader takes it: a name or a path
/// @param folder    where else to look
/// @param emulated  the cards are: a real NCCL does not run on them
[[nodiscard]] nccl_search find_nccl(const char* file, const char* folder, bool emulated);
/// libnccl.so.2, where the loader looks and in the folder of the Toolkit; looked for once.
[[nodiscard]] const nccl_search& system_nccl(bool emulated);

/// @param code  22809 as "2.28.9"
[[nodiscard]] std::string nccl_version_text(int code);

}  // namespace headroom::kernels
