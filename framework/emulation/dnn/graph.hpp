// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace headroom::emulation::dnn {

/// What the numbers of descriptors and attributes mean, where it matters here.
enum class kind : int {
  engine = 2,
  engine_config = 3,
  heuristics = 4,
  plan = 5,
  convolution_forward = 10,
  convolution_backward_filter = 11,
  convolution_backward_data = 12,
  operation_graph = 15,
  last = 63,
};
enum attribute : int {
  heuristics_graph = 201,
  heuristics_results = 202,
  config_engine = 300,
  config_intermediates = 301,
  config_knobs = 302,
  config_workspace = 303,
  config_shared_memory = 304,
  plan_config = 401,
  plan_workspace = 402,
  graph_operations = 801,
  graph_engine_count = 802,
  engine_graph = 1300,
  engine_index = 1301,
  engine_knobs = 1302,
  engine_numerical_notes = 1303,
  engine_behavior_notes = 1305,
};

struct descriptor;

/// What was set: bytes, or other descriptors as they were then.
struct setting {
  int type = 0;
  std::int64_t count = 0;
  std::vector<char> bytes;
  std::vector<std::shared_ptr<const descriptor>> descriptors;
};

/// Of the graph interface: its attributes, kept as they were set.
struct descriptor {
  int type = 0;
  bool finalized = false;
  std::map<int, setting> settings;

  /// @return null where none was set
  [[nodiscard]] const descriptor* part(int name) const;
  /// Whether this, or what it refers to, is a convolution's operation.
  [[nodiscard]] bool convolves() const;
  /// Of an engine, or of a configuration's or a plan's: 0 where none was set.
  [[nodiscard]] std::int64_t engine_number() const;
};

/// Bytes of an attribute's element; 0 for no known type.
[[nodiscard]] std::size_t size_of_type(int type);

}  // namespace headroom::emulation::dnn
