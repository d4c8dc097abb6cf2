// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/series_record.hpp>
#include <optional>
#include <vector>

#include "program_series.hpp"

namespace headroom::cli {

/// A process that used a card, with what it told.
struct card_user {
  int number = 0;             ///< from 1
  std::int64_t identity = 0;  ///< as in the log
  bool replaced = false;      ///< it became another program (exec)
  const run_segment::process_slot* slot = nullptr;
  const logged_process* told = nullptr;  ///< null where its words were lost
};

/// Processes that took memory of any card, or made a context, in the order in which they began.
[[nodiscard]] std::vector<card_user> users_of(const run_facts& facts);
[[nodiscard]] bool uses(const card_user& user, int device);
/// The one of several that took memory of the card, where the others have no more than a context
/// there; null where there are more of them, or none.
[[nodiscard]] const card_user* only_taker(const std::vector<card_user>& users, int device);

/// "cuda:0"
[[nodiscard]] std::string device_id(const run_facts& facts, int device);
/// A card by its number among those of the run.
[[nodiscard]] const run_card& card_of(const run_facts& facts, int device);

/// One card as those processes saw it: how its counters were read, and their values over the run.
struct card_reading {
  device_record device;
  device_reading whole;
};
[[nodiscard]] card_reading read_card_levels(const run_facts& facts, int device,
                                            const std::vector<card_user>& users);

/// The counters of one card over one phase of a process.
[[nodiscard]] std::optional<device_reading> read_phase_levels(const run_facts& facts, int device,
                                                              const card_user& user,
                                                              const logged_phase& phase);

/// What a process held, for the program record.
[[nodiscard]] std::vector<process_levels> levels_of_process(const run_facts& facts,
                                                            const card_user& user);

}  // namespace headroom::cli
