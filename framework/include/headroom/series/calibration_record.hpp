// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// One figure of a program, as an emulated card had it and as another card did.
struct calibrated_figure {
  std::string phase;                  ///< "context" of a process: what that takes of the card
  std::optional<std::string> parent;  ///< of the phase
  std::string device;                 ///< id of the emulated card
  std::string counter;                ///< "allocated_peak", the highest over the phase's repeats
  std::optional<bytes> predicted;
  std::optional<bytes> measured;
  /// measured - predicted; absent where one of them is
  [[nodiscard]] std::optional<bytes> difference() const;
  friend bool operator==(const calibrated_figure&, const calibrated_figure&) = default;
};

/// The same program on another card, beside the emulated one whose series this belongs to: what the
/// emulation's figures are worth.
struct calibration_record {
  std::string device;  ///< id of the other: "cuda:0"
  std::string name;    ///< as its driver reports it
  std::string compute_capability;
  bytes capacity;         ///< what it declares
  bool emulated = false;  ///< the other is an emulated card as well: nothing was measured
  /// Of the same compute capability, and of the capacity within a fiftieth: the other's own verdict
  /// then counts.
  bool alike = false;
  std::string artifact;  ///< id of the other's own artifact
  std::string outcome;   ///< of the other
  std::vector<calibrated_figure> figures;
  friend bool operator==(const calibration_record&, const calibration_record&) = default;
};

}  // namespace headroom
