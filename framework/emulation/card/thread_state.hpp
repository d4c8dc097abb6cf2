// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "result.hpp"

namespace headroom::emulation {

struct stream;

/// Three numbers, as of a grid.
struct extent3 {
  unsigned x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// What <<<...>>> says.
struct launch_shape {
  extent3 grid, block;
  std::uint64_t dynamic_shared = 0;  ///< bytes
  void* stream = nullptr;
  bool cooperative = false;
  extent3 cluster = {};  ///< blocks that run together
};

enum class capture_mode { global = 0, thread_local_only = 1, relaxed = 2 };

/// What the runtime keeps for each thread.
struct thread_state {
  int device = 0;
  result last = result::success;
  bool in_host_code = false;  ///< in a callback: calls are not permitted
  capture_mode mode = capture_mode::global;
  std::vector<launch_shape> shapes;    ///< pushed call configurations
  std::map<int, stream*> own_streams;  ///< per-thread default streams, by device
  std::vector<int> contexts;           ///< the driver's stack: devices, -1 for none
  std::uint64_t polls = 0;             ///< questions answered "not ready" since it last queued work
  bool queued = false;                 ///< it has queued work: else it only watches
  std::uint64_t order_seen = 0;        ///< of a watcher: pieces of work queued when it last asked
};

[[nodiscard]] thread_state& this_thread();

}  // namespace headroom::emulation
