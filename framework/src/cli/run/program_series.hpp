// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/run_segment.hpp>
#include <headroom/series/series_record.hpp>

#include "child_process.hpp"
#include "run_log.hpp"

namespace headroom::cli {

/// A card that the program saw.
struct run_card {
  std::string name;        ///< "Emulated GeForce RTX 4090"
  std::string capability;  ///< "8.9"
  bytes capacity;
  std::string capacity_basis;
  bytes context;  ///< allowed for; of an emulated card alone
  std::string context_basis;
  std::string identifier;  ///< "GPU-...", of cards that a driver describes
  bool emulated = true;
};

/// Everything that is known of a run once it has ended.
struct run_facts {
  std::vector<std::string> command;
  std::string test;
  std::string phases;
  std::vector<run_card> cards;  ///< at least one
  bool counted = false;         ///< by interposition, not by the emulated card itself
  int first = 0;                ///< N of the first card's cuda:N
  std::string driver;           ///< "13.0", where it was counted
  program_end end;
  run_log log;
  const run_segment* segment = nullptr;
  const budget* against = nullptr;  ///< null: none
};

/// The whole run as a series: each card by itself. Where several processes used a card, its
/// counters are of all of them together.
[[nodiscard]] series_record series_of_run(const run_facts& facts);

/// One process of several, by its number in program_record::processes.
[[nodiscard]] series_record series_of_process(const run_facts& facts, int number);

}  // namespace headroom::cli
