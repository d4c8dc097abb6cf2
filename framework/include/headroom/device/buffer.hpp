// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/allocator.hpp>
#include <headroom/device/device.hpp>
#include <memory>
#include <utility>

namespace headroom {

/// Device memory that is given back when its owner goes. Move-only. A buffer that outlives its
/// device has lost its memory, and ends without touching what is no longer there.
class buffer {
 public:
  buffer() = default;
  /// @throws out_of_memory
  buffer(device& on, bytes size, tag what, stream_id stream = {})
      : account_(on.buffers()),
        allocator_(&on.allocator()),
        block_(allocator_->allocate(size, stream, what)),
        tag_(what) {
    account_->take(tag_, block_.size);
  }
  buffer(buffer&& other) noexcept
      : account_(std::move(other.account_)),
        allocator_(std::exchange(other.allocator_, nullptr)),
        block_(std::exchange(other.block_, {})),
        tag_(other.tag_) {}
  buffer& operator=(buffer&& other) noexcept {
    if (this != &other) {
      reset();
      account_ = std::move(other.account_);
      allocator_ = std::exchange(other.allocator_, nullptr);
      block_ = std::exchange(other.block_, {});
      tag_ = other.tag_;
    }
    return *this;
  }
  ~buffer() { reset(); }

  /// Gives the memory back now.
  void reset() noexcept {
    if (account_ && !account_->closed()) {
      if (block_.address != nullptr) allocator_->deallocate(block_);
      account_->give_back(tag_, block_.size);
    }
    account_.reset();
    allocator_ = nullptr;
    block_ = {};
  }

  [[nodiscard]] void* address() const { return block_.address; }
  [[nodiscard]] bytes size() const { return block_.requested; }
  [[nodiscard]] const allocation& block() const { return block_; }

 private:
  std::shared_ptr<buffer_account> account_;
  headroom::allocator* allocator_ = nullptr;
  allocation block_;
  tag tag_ = tag::other;
};

}  // namespace headroom
