// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The part of NCCL's interface that the emulation implements, in its own words. The same from
// NCCL 2.21 to 2.30.
#include "runtime_structs.hpp"

using ncclComm_t = struct ncclComm*;

struct ncclUniqueId {
  char internal[128];
};
enum ncclResult_t {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
};
enum ncclRedOp_t : int { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 };
enum ncclDataType_t {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11
};
enum ncclScalarResidence_t { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 };
/// Members behind these differ between versions, and are not looked at.
struct ncclConfig_t {
  std::size_t size;
  unsigned magic;  ///< 0xcafebeef
  unsigned version;
};

extern "C" {
ncclResult_t ncclGetVersion(int* version);
const char* ncclGetErrorString(ncclResult_t result);
const char* ncclGetLastError(ncclComm_t of);

ncclResult_t ncclGetUniqueId(ncclUniqueId* id);
ncclResult_t ncclCommInitRank(ncclComm_t* made, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config);
ncclResult_t ncclCommInitRankScalable(ncclComm_t* made, int ranks, int rank, int ids,
                                      ncclUniqueId* id, ncclConfig_t* config);
ncclResult_t ncclCommInitAll(ncclComm_t* made, int count, const int* devices);
ncclResult_t ncclCommSplit(ncclComm_t of, int color, int key, ncclComm_t* made,
                           ncclConfig_t* config);
ncclResult_t ncclCommFinalize(ncclComm_t of);
ncclResult_t ncclCommDestroy(ncclComm_t of);
ncclResult_t ncclCommAbort(ncclComm_t of);
ncclResult_t ncclCommGetAsyncError(ncclComm_t of, ncclResult_t* error);
ncclResult_t ncclCommCount(ncclComm_t of, int* count);
ncclResult_t ncclCommCuDevice(ncclComm_t of, int* device);
ncclResult_t ncclCommUserRank(ncclComm_t of, int* rank);
ncclResult_t ncclCommRegister(ncclComm_t of, void* buffer, std::size_t size, void** handle);
ncclResult_t ncclCommDeregister(ncclComm_t of, void* handle);
ncclResult_t ncclMemAlloc(void** at, std::size_t size);
ncclResult_t ncclMemFree(void* at);

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* made, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t of);
ncclResult_t ncclRedOpDestroy(ncclRedOp_t which, ncclComm_t of);

ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t of,
                               cudaStream_t stream);
ncclResult_t ncclBroadcast(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclBcast(void* buffer, std::size_t count, ncclDataType_t type, int root,
                       ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclAlltoAll(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                          ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        int root, ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclScatter(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                         int root, ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t of, cudaStream_t stream);
ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t of, cudaStream_t stream);
}
