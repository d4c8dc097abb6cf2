// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/stream.hpp>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// One block handed out. A plain value: whoever holds it gives it back once (buffer.hpp does).
struct allocation {
  void* address = nullptr;  ///< null for a request of zero bytes
  bytes requested;          ///< bytes asked for
  bytes size;               ///< bytes counted as allocated
  void* record = nullptr;   ///< the allocator's own
};

/// Name and settings of an allocator, as an artifact records them.
struct allocator_description {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// Hands out device memory. Thread-safe.
class allocator {
 public:
  virtual ~allocator() = default;

  /// Memory for work on `stream`. Zero bytes give a null allocation and change nothing.
  /// @throws out_of_memory with the facts of the moment; the counters are as before the call
  /// @throws usage_error when the size is negative or cannot be rounded up
  [[nodiscard]] virtual allocation allocate(bytes requested, stream_id stream, tag what) = 0;

  /// Gives a block back. Work queued on the block's own stream may still use it.
  virtual void deallocate(const allocation& block) noexcept = 0;

  /// The block is also used by work queued on `stream`; freed, it is not handed out again before
  /// that stream has passed the use.
  virtual void record_use(const allocation& block, stream_id stream) = 0;

  /// Waits for pending blocks, then gives whole free segments back. @return bytes given back
  virtual bytes empty_cache() = 0;

  [[nodiscard]] virtual allocator_description describe() const = 0;
};

}  // namespace headroom
