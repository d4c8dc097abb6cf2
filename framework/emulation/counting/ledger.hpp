// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../card/run_channel.hpp"

namespace headroom::counting {

using address = std::uint64_t;
constexpr int most_devices = run_segment::most_devices;

/// How a pool, or a device's graphs, say what they hold: by the library through which they were
/// met.
enum class level : int { runtime, driver };

struct held_block {
  address at = 0;
  std::uint64_t size = 0;
  int device = 0;              ///< as the process numbers them
  const void* pool = nullptr;  ///< null: taken from the driver as it is
};

/// What this process holds of real cards, as its calls say. Device numbers are the process's own;
/// cards are those of the run, told by their identifiers. Every member needs its mutex.
///
/// Of plain memory, what was taken from a card is the pieces of 2 MiB that any live block touches,
/// by their addresses: so small blocks that share one are counted once, without a model of how the
/// driver shares. Of pools and graphs it is what they say they hold.
class ledger {
 public:
  /// @return null outside of a run of this kind
  static ledger* get();
  /// Tells the run that the process ends. Libraries that end later are counted all the same.
  static void end();
  static std::mutex& guard();

  void take(int device, address at, std::uint64_t size);
  void take_pooled(int device, address at, std::uint64_t size, const void* pool, level of);
  /// Takes a block out of the books until it is known whether the call that frees it succeeds: by
  /// then its address may be another block's. @return nothing for an address that is not known
  std::optional<held_block> take_out(address at);
  void put_back(const held_block& which) { blocks_.emplace(which.at, which); }
  void gone(const held_block& which);
  void refuse(int device, std::uint64_t size);
  /// Memory without an address: cuMemCreate.
  void create(int device, std::uint64_t handle, std::uint64_t size);
  void retain(std::uint64_t handle);
  void release(std::uint64_t handle);
  void map(address at, std::uint64_t size, std::uint64_t handle);
  void unmap(address at, std::uint64_t size);
  void pool_destroyed(const void* pool);
  /// A graph was launched, and may have taken memory.
  void graph_launched(int device, level of);
  /// The device's primary context ended, and all memory with it.
  void reset(int device);
  /// Reads again what pools and graphs hold: they give back when nobody calls.
  void refresh();
  /// The number among the run's cards, -1 for a card that the run was not given.
  [[nodiscard]] int card_of(int device);
  emulation::run_channel& channel() { return *channel_; }

 private:
  struct known_pool {
    const void* handle;
    int device;
    level of;
    std::uint64_t reserved = 0, used = 0;
    std::int64_t blocks = 0;
    bool destroyed = false;
  };
  struct graph_memory {
    std::optional<level> of;  ///< absent: no graph of this device took memory yet
    std::uint64_t reserved = 0, used = 0, high = 0;
  };
  struct physical {
    std::uint64_t size;
    int device;
    std::int64_t references, mapped;
  };
  struct mapping {
    std::uint64_t size, handle;
  };

  ledger(std::unique_ptr<emulation::run_channel> channel, std::vector<std::string> cards);
  void read_context(int device, int card);
  void change_taken(int device, std::int64_t change);
  void change_handed_out(int device, std::int64_t change);
  void touch(address at, std::uint64_t size, int device, bool leave);
  void read(known_pool& pool);
  void read(int device, graph_memory& graphs);
  void drop_if_unused(std::uint64_t handle);

  std::unique_ptr<emulation::run_channel> channel_;
  std::vector<std::string> cards_;  ///< identifiers of the run's cards
  std::array<int, most_devices> card_numbers_;
  std::array<bool, most_devices> context_read_{};
  std::pmr::unsynchronized_pool_resource nodes_;  ///< of the maps that every call changes
  std::pmr::unordered_map<address, held_block> blocks_{&nodes_};
  std::pmr::unordered_map<std::uint64_t, std::int64_t> pieces_{
      &nodes_};  ///< blocks that touch each
  std::vector<known_pool> pools_;
  std::array<graph_memory, most_devices> graphs_{};
  bool any_graph_ = false;
  std::unordered_map<std::uint64_t, physical> physical_;
  std::unordered_map<address, mapping> mappings_;
};

}  // namespace headroom::counting
