// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "address_space.hpp"
#include "blocks.hpp"
#include "device.hpp"
#include "kernels.hpp"
#include "settings.hpp"
#include "stream.hpp"
#include "thread_state.hpp"

namespace headroom::emulation {

using card_lock = std::unique_lock<std::mutex>;

/// Guards everything here: modules, cards, streams. Held by every call but inside the program's own
/// code (callbacks, host twins).
[[nodiscard]] std::mutex& card_mutex();
/// Kernels and variables of loaded modules. They are registered before a card is described.
/// Guarded by card_mutex.
[[nodiscard]] kernel_registry& modules();

class capture;
class memory_pool;
class run_channel;
class virtual_memory;
struct executable_graph;
struct graph;
struct graph_memory;
struct loaded_module;

struct modules_lock {
  std::unique_lock<std::mutex> lock{card_mutex()};
  kernel_registry& modules = emulation::modules();
};

/// The emulated cards of this process.
struct card {
  explicit card(const settings& described);
  ~card();

  /// The process's own, described by its environment. Where that is not valid, says so on standard
  /// error and ends the process with exit code 3. Needs card_mutex.
  static card& get();
  /// @return null before the first get()
  static card* existing();

  settings set;
  int process;                       ///< that described it; not that of a later child
  std::unique_ptr<run_channel> run;  ///< null outside of `headroom run`
  address_space addresses;
  block_map blocks;
  std::unique_ptr<virtual_memory> ranges;
  /// By index: those that CUDA shows, then those that CUDA_VISIBLE_DEVICES hides.
  std::vector<std::unique_ptr<device>> devices;
  int visible = 0;  ///< how many of them CUDA shows
  std::vector<std::unique_ptr<memory_pool>> pools;
  std::unordered_map<const void*, stream*> streams;  ///< live ones by handle
  std::unordered_set<const void*> events;            ///< live ones
  std::vector<std::unique_ptr<event>> all_events;
  std::vector<event*> spare_events;
  std::condition_variable changed;  ///< a stream's host code has ended
  std::uint64_t launches = 0;       ///< kernels so far
  std::uint64_t order = 0;          ///< pieces of work queued so far, on all streams
  unsigned long long last_stream_id = 0;
  std::uint64_t host_bytes = 0;  ///< pinned, given by the runtime
  std::uint64_t managed_bytes = 0;
  std::vector<std::unique_ptr<capture>> captures;  ///< ended ones too: events may refer to them
  int live_captures = 0;
  unsigned long long last_capture_id = 0;
  std::unordered_map<const void*, std::unique_ptr<graph>> graphs;
  std::unordered_map<const void*, std::unique_ptr<executable_graph>> executable_graphs;
  std::map<address, graph_memory> graph_memories;
  std::unordered_map<const void*, std::unique_ptr<loaded_module>> modules;  ///< of the driver
};

/// The device of the thread, its context made at first use. @return null: memory for the context
/// is lacking
[[nodiscard]] device* current_device(card& all, thread_state& me);
/// Makes a device's primary context. @return false when its memory is lacking
[[nodiscard]] bool activate(card& all, device& on);

/// @param handle  0 or 1: the legacy default stream; 2: the thread's own
/// @return null for what is no live stream
[[nodiscard]] stream* stream_of(card& all, thread_state& me, device& on, const void* handle);
/// @return null for what is no live event
[[nodiscard]] event* event_of(card& all, const void* handle);

}  // namespace headroom::emulation
