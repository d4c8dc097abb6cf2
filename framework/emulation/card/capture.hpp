// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <thread>

#include "graph.hpp"

namespace headroom::emulation {

enum class capture_status { none = 0, active = 1, invalidated = 2 };

/// Work that goes into a graph in place of a stream's queue. Streams join it by waiting for one of
/// its events, and must have been joined again when it ends.
class capture {
 public:
  capture(unsigned long long id, stream& origin, capture_mode mode, std::unique_ptr<graph> into);

  [[nodiscard]] unsigned long long id() const { return id_; }
  [[nodiscard]] capture_status status() const { return status_; }
  [[nodiscard]] capture_mode mode() const { return mode_; }
  [[nodiscard]] std::thread::id thread() const { return thread_; }
  [[nodiscard]] const stream& origin() const { return *origin_; }
  [[nodiscard]] graph& into() { return *graph_; }
  [[nodiscard]] std::vector<graph_node*>& ends(const stream& of) { return ends_[&of]; }
  [[nodiscard]] bool live() const { return live_; }

  void invalidate() { status_ = capture_status::invalidated; }
  /// Adds a node behind all that the stream comes after.
  graph_node& add(const stream& on, node_kind kind);
  void join(stream& on, const std::vector<graph_node*>& behind);
  /// @return success with the graph, or why there is none. The capture has ended either way
  [[nodiscard]] result end(card& all, std::unique_ptr<graph>& made);

 private:
  unsigned long long id_;
  stream* origin_;
  capture_mode mode_;
  std::thread::id thread_ = std::this_thread::get_id();
  capture_status status_ = capture_status::active;
  bool live_ = true;
  std::unique_ptr<graph> graph_;
  std::unordered_map<const stream*, std::vector<graph_node*>> ends_;
};

[[nodiscard]] result begin_capture(card& all, stream& on, capture_mode mode,
                                   std::unique_ptr<graph> into, std::vector<graph_node*> after);
[[nodiscard]] result end_capture(card& all, stream& on, std::unique_ptr<graph>& made);

/// For calls that no capture allows on its stream: synchronize and query.
[[nodiscard]] result refuse_in_capture(stream& on);
/// For calls that touch what a capture cannot see (cudaMalloc and others), as the thread's mode has
/// it. Refusing invalidates the captures in question.
[[nodiscard]] result refuse_unsafe(card& all, const thread_state& me);
/// For work on the legacy stream while a blocking stream captures.
[[nodiscard]] result refuse_legacy(card& all, const stream& on);

}  // namespace headroom::emulation
