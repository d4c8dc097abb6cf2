// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda.h>

#include <headroom/device/segment_source.hpp>
#include <map>
#include <string>

namespace headroom::cuda {

/// Segments from cudaMalloc; ranges from the driver's virtual memory management, whose calls are
/// looked up at run time so that nothing links the driver's library.
class cuda_segments : public segment_source {
 public:
  /// @param index of the device @param capacity what the device declares
  cuda_segments(int index, bytes capacity);

  void* take(bytes size) override;
  void give_back(void* address, bytes size) noexcept override;
  [[nodiscard]] bool has_ranges() const override;
  void* reserve_range(bytes size) override;
  void release_range(void* address, bytes size) noexcept override;
  bool map(void* address, bytes size) override;
  void unmap(void* address, bytes size) noexcept override;
  [[nodiscard]] bytes capacity() const override { return capacity_; }
  [[nodiscard]] std::optional<bytes> free_now() const override;
  [[nodiscard]] std::string device_id() const override;

 private:
  bool map_page(void* address, bytes size);

  struct piece {
    CUmemGenericAllocationHandle handle = 0;
    std::size_t size = 0;
  };
  int index_;
  bytes capacity_;
  std::map<CUdeviceptr, piece> pieces_;  // memory behind ranges, by address
};

}  // namespace headroom::cuda
