// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>

#include "arithmetic.hpp"
#include "group.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::nccl;

namespace {

/// The buffers and elements of a call.
struct buffers {
  const void* send;
  void* receive;
  std::size_t count;
  ncclDataType_t type;
};

ncclResult_t call_of(call which, job_kind kind, const buffers& with, int op, int root,
                     ncclComm_t handle, cudaStream_t stream) {
  return answer_about(which, handle, [&](session& now, const std::shared_ptr<communicator>& of) {
    job what;
    what.of = of;
    what.kind = kind;
    what.send = reinterpret_cast<address>(with.send);
    what.receive = reinterpret_cast<address>(with.receive);
    what.count = with.count;
    what.type = with.type;
    what.op = op;
    what.root = root;
    what.stream = stream;
    return submit(now, std::move(what));
  });
}

}  // namespace

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclAllReduce_, job_kind::all_reduce, {send, receive, count, type}, op, 0,
                 of, stream);
}
ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclReduce_, job_kind::reduce, {send, receive, count, type}, op, root, of,
                 stream);
}
ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t of,
                               cudaStream_t stream) {
  return call_of(call::ncclReduceScatter_, job_kind::reduce_scatter, {send, receive, count, type},
                 op, 0, of, stream);
}
ncclResult_t ncclBroadcast(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclBroadcast_, job_kind::broadcast, {send, receive, count, type}, 0, root,
                 of, stream);
}
ncclResult_t ncclBcast(void* buffer, std::size_t count, ncclDataType_t type, int root,
                       ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclBcast_, job_kind::broadcast, {buffer, buffer, count, type}, 0, root, of,
                 stream);
}
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclAllGather_, job_kind::all_gather, {send, receive, count, type}, 0, 0, of,
                 stream);
}
ncclResult_t ncclAlltoAll(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                          ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclAlltoAll_, job_kind::all_to_all, {send, receive, count, type}, 0, 0, of,
                 stream);
}
ncclResult_t ncclGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        int root, ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclGather_, job_kind::gather, {send, receive, count, type}, 0, root, of,
                 stream);
}
ncclResult_t ncclScatter(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                         int root, ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclScatter_, job_kind::scatter, {send, receive, count, type}, 0, root, of,
                 stream);
}
ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclSend_, job_kind::send, {send, nullptr, count, type}, 0, peer, of,
                 stream);
}
ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t of, cudaStream_t stream) {
  return call_of(call::ncclRecv_, job_kind::receive, {nullptr, receive, count, type}, 0, peer, of,
                 stream);
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* made, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t handle) {
  return answer_about(call::ncclRedOpCreatePreMulSum_, handle,
                      [&](session&, const std::shared_ptr<communicator>& of) {
                        const std::size_t size = size_of(type);
                        if (made == nullptr || scalar == nullptr || size == 0) {
                          return fail(ncclInvalidArgument, "no type, or a pointer is null");
                        }
                        scaled_sum sum;
                        sum.type = type;
                        if (residence == ncclScalarDevice) {
                          sum.device_scalar = reinterpret_cast<address>(scalar);
                        } else {
                          std::memcpy(sum.scalar.data(), scalar, size);
                        }
                        of->sums.emplace_back(sum);
                        *made =
                            static_cast<ncclRedOp_t>(ncclAvg + static_cast<int>(of->sums.size()));
                        return ncclSuccess;
                      });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t which, ncclComm_t handle) {
  return answer_about(
      call::ncclRedOpDestroy_, handle, [&](session&, const std::shared_ptr<communicator>& of) {
        const auto index = static_cast<std::size_t>(static_cast<int>(which) - ncclAvg - 1);
        if (which <= ncclAvg || index >= of->sums.size() || !of->sums[index]) {
          return fail(ncclInvalidArgument, "no such operation");
        }
        of->sums[index].reset();
        return ncclSuccess;
      });
}
