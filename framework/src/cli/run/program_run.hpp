// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <headroom/series/verdict.hpp>
#include <memory>
#include <optional>

#include "program_series.hpp"
#include "run_device.hpp"
#include "shared_files.hpp"

namespace headroom::cli {

/// What is asked of a program, whatever the card.
struct program_request {
  std::filesystem::path file;
  std::vector<std::string> command;
  std::string test;
  std::string phases;
  const budget* against = nullptr;  ///< null: none
  std::optional<std::chrono::seconds> timeout;
  std::int64_t most_launches = 0;   ///< of an emulated card; 0: no limit
  std::filesystem::path snapshot;   ///< for PyTorch's allocation log; empty: none
  std::filesystem::path emulation;  ///< folder of headroom's libraries
};

/// A program that ran to its end on one kind of card.
struct program_run {
  std::unique_ptr<shared_files> shared;  ///< what the facts' segment lies in
  run_facts facts;
  series_record series;
  verdict result;
};

/// @throws usage_error when the program cannot be started
[[nodiscard]] program_run run_program(const program_request& what, const run_device& on);

/// By the budget of the run, where it has one.
[[nodiscard]] verdict judge_program(const run_facts& facts, const series_record& series);

/// Keeps other runs of headroom, of this machine's or container's, off a card until it ends: where
/// two would be compared with a prediction, they would count each other's pressure.
class card_turn {
 public:
  /// Waits for it. @param waits  called once where it has to
  card_turn(const run_device& on, const std::function<void()>& waits);
  ~card_turn();
  card_turn(const card_turn&) = delete;
  card_turn& operator=(const card_turn&) = delete;
  /// The signal that ended the waiting, 0 for none.
  [[nodiscard]] int received() const { return received_; }

 private:
  void wait_a_little(const sigset_t& signals);

  int received_ = 0;
  std::vector<int> held_;
};

}  // namespace headroom::cli
