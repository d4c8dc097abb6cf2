// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A call that the emulation does not model, or whose memory is not counted, as the program made
/// it.
struct unmodelled_call {
  std::string library;        ///< "libcudart.so.13"
  std::string name;           ///< "cudaCreateTextureObject"
  bool may_allocate = false;  ///< on a real card it could have taken memory
  friend bool operator==(const unmodelled_call&, const unmodelled_call&) = default;
};

/// What one process held of one card.
struct process_levels {
  std::string device;
  bytes reserved_peak;   ///< taken from the card, its context left out
  bytes allocated_peak;  ///< handed out by the driver: a framework's allocator may cut it further
  std::optional<bytes> context;  ///< of the context and modules: allowed for, or as NVML said
  std::optional<bytes> framework_reserved_peak;   ///< what the framework's allocator says
  std::optional<bytes> framework_allocated_peak;  ///< what the framework's allocator says
  std::int64_t refusals = 0;                      ///< requests that the card refused
  friend bool operator==(const process_levels&, const process_levels&) = default;
};

/// A process of a program that used a card.
struct program_process {
  int number = 0;         ///< from 1, in the order in which they began to use a card
  int parent = 0;         ///< number of the process that started it, 0 when that used no card
  std::string command;    ///< as it was started
  std::string framework;  ///< "pytorch 2.15.0, native allocator"; "" where none was read
  bool ended = false;     ///< by itself, so that its last readings are those of its end
  std::vector<process_levels> devices;
  friend bool operator==(const program_process&, const program_process&) = default;
};

/// Parameters as a framework reports them.
struct program_weights {
  std::string dtype;
  int bits = 0;
  std::int64_t parameters = 0;
  friend bool operator==(const program_weights&, const program_weights&) = default;
};

/// The revision and the dtype of a program that ran without a budget, which would have described
/// it.
inline constexpr std::string_view not_stated = "not stated";

/// A program that ran as it is, under `headroom run`: what series of workloads do not have.
struct program_record {
  std::vector<std::string> command;
  std::string phases;                ///< "auto", "nvtx" or "whole"
  std::string capacity_basis;        ///< "declared, published"
  bool counted = false;              ///< by a library before CUDA's, not by an emulated card itself
  std::optional<int> exit_code;      ///< absent when a signal ended it
  std::optional<int> signal;         ///< that ended it
  std::optional<std::string> doubt;  ///< why what it ran may not be what was asked for
  std::vector<program_process> processes;
  std::vector<unmodelled_call> unmodelled;
  std::vector<std::string> gaps;         ///< what modelled calls did not do
  std::int64_t kernels_left_out = 0;     ///< launches
  std::vector<program_weights> weights;  ///< of the first process that reports them
  friend bool operator==(const program_record&, const program_record&) = default;
};

/// Whether a call could take memory of a card, by its name: all that does not just ask, set or
/// give back.
[[nodiscard]] bool may_allocate(std::string_view call);

}  // namespace headroom
