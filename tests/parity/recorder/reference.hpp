// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/replay.hpp>
#include <memory>
#include <string>

/// PyTorch's own CUDA caching allocator (libc10_cuda, as its wheel has it) over the emulated card.
/// Its settings are read once a process, so a process has one.
class reference {
 public:
  /// @param settings as in PYTORCH_ALLOC_CONF
  /// @throws std::exception where they are refused
  reference(headroom::bytes capacity, const std::string& settings);
  ~reference();
  reference(const reference&) = delete;
  reference& operator=(const reference&) = delete;

  /// @param event  its id is an index: ids are few and start at 0
  /// @return false where a request failed
  bool apply(const headroom::trace_event& event);
  /// Begins to fetch what this program keeps of the event's block, as a timing does some events
  /// ahead: a program that frees a block has it at hand.
  void expect(const headroom::trace_event& event) const;
  /// The line of the event just applied, as headroom::replay_line has it.
  [[nodiscard]] std::string line(std::uint64_t index, const headroom::trace_event& event,
                                 bool granted) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};
