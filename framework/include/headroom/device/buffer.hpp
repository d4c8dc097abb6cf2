// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/allocator.hpp>
#include <headroom/device/device.hpp>
#include <utility>

namespace headroom {

/// Device memory that is given back when its owner goes. Move-only.
class buffer {
 public:
  buffer() = default;
  /// @throws out_of_memory
  buffer(device& on, bytes size, tag what, stream_id stream = {})
      : allocator_(&on.allocator()), block_(allocator_->allocate(size, stream, what)) {}
  buffer(buffer&& other) noexcept
      : allocator_(std::exchange(other.allocator_, nullptr)),
        block_(std::exchange(other.block_, {})) {}
  buffer& operator=(buffer&& other) noexcept {
    if (this != &other) {
      reset();
      allocator_ = std::exchange(other.allocator_, nullptr);
      block_ = std::exchange(other.block_, {});
    }
    return *this;
  }
  ~buffer() { reset(); }

  /// Gives the memory back now.
  void reset() noexcept {
    if (allocator_ != nullptr && block_.address != nullptr) allocator_->deallocate(block_);
    allocator_ = nullptr;
    block_ = {};
  }

  [[nodiscard]] void* address() const { return block_.address; }
  [[nodiscard]] bytes size() const { return block_.requested; }
  [[nodiscard]] const allocation& block() const { return block_; }

 private:
  headroom::allocator* allocator_ = nullptr;
  allocation block_;
};

}  // namespace headroom
