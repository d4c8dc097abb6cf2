// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "ledger.hpp"

#include <pthread.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "../card/run_environment.hpp"
#include "asked.hpp"

namespace headroom::counting {
namespace {

constexpr std::uint64_t piece_size = std::uint64_t{2} << 20;
constexpr int unknown_card = -2;
constexpr int no_card = -1;

struct process_state {
  std::mutex guard;
  std::unique_ptr<ledger> books;
  bool looked = false;  ///< for a run
  bool told = false;    ///< that it ends
};

// Never destroyed: calls may come until the very end. The child of a fork begins anew, whatever
// its parent's threads were doing.
process_state*& state() {
  static process_state* one = [] {
    pthread_atfork(nullptr, nullptr, [] { state() = new process_state; });
    return new process_state;
  }();
  return one;
}

std::vector<std::string> cards_of_run() {
  std::vector<std::string> all;
  std::istringstream names(emulation::run_variable("HEADROOM_COUNT_CARDS"));
  for (std::string each; std::getline(names, each, ',');) all.push_back(each);
  return all;
}

}  // namespace

std::mutex& ledger::guard() { return state()->guard; }

ledger* ledger::get() {
  process_state& now = *state();
  if (!now.looked) {
    now.looked = true;
    std::vector<std::string> cards = cards_of_run();
    // A real card refuses by itself: nothing is refused here.
    auto channel = emulation::run_channel::open(static_cast<int>(cards.size()),
                                                std::numeric_limits<std::int64_t>::max());
    if (channel != nullptr) now.books.reset(new ledger(std::move(channel), std::move(cards)));
  }
  return now.books.get();
}

void ledger::end() {
  process_state& now = *state();
  if (now.books == nullptr || now.told) return;
  now.told = true;
  now.books->refresh();
  now.books->channel().end("{}");
}

ledger::ledger(std::unique_ptr<emulation::run_channel> channel, std::vector<std::string> cards)
    : channel_(std::move(channel)), cards_(std::move(cards)) {
  card_numbers_.fill(unknown_card);
  if (emulation_loaded()) tell("emulated", "the CUDA libraries are those of an emulated card");
}

int ledger::card_of(int device) {
  if (device < 0 || device >= most_devices) return no_card;
  int& number = card_numbers_[static_cast<std::size_t>(device)];
  if (number != unknown_card) return number;
  const std::string identifier = identifier_of(device);
  number = no_card;
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (cards_[i] == identifier) number = static_cast<int>(i);
  }
  if (number == no_card) tell("gap", "memory of a card that the run was not given: " + identifier);
  return number;
}

void ledger::read_context(int device, int card) {
  bool& known = context_read_[static_cast<std::size_t>(device)];
  if (known) return;
  known = true;
  const std::optional<std::uint64_t> held = held_by_process(identifier_of(device));
  const std::uint64_t taken = channel_->taken(card);
  if (!held || *held < taken) return;
  static_cast<void>(channel_->take(card, *held - taken, true));
  tell_context(card);
}

void ledger::change_taken(int device, std::int64_t change) {
  const int card = card_of(device);
  if (card < 0 || change == 0) return;
  if (change > 0) {
    static_cast<void>(channel_->take(card, static_cast<std::uint64_t>(change), false));
    read_context(device, card);
  } else {
    channel_->give_back(card, static_cast<std::uint64_t>(-change), false);
  }
}

void ledger::change_handed_out(int device, std::int64_t change) {
  const int card = card_of(device);
  if (card >= 0 && change != 0) channel_->hand_out(card, change);
}

/// Pieces that a block fills are its own; its first and last may be shared with others.
void ledger::touch(address at, std::uint64_t size, int device, bool leave) {
  const address end = at + size;
  const std::uint64_t first_whole = (at + piece_size - 1) / piece_size;
  const std::uint64_t behind_whole = end / piece_size;
  std::int64_t count =
      behind_whole > first_whole ? static_cast<std::int64_t>(behind_whole - first_whole) : 0;
  const auto share = [&](std::uint64_t piece) {
    if (!leave) {
      if (++pieces_[piece] == 1) ++count;
      return;
    }
    const auto found = pieces_.find(piece);
    if (found == pieces_.end() || --found->second > 0) return;
    pieces_.erase(found);
    ++count;
  };
  const std::uint64_t first = at / piece_size;
  const std::uint64_t last = (end - 1) / piece_size;
  if (first != first_whole) share(first);
  if (last >= behind_whole && (last != first || first == first_whole)) share(last);
  change_taken(device, (leave ? -count : count) * static_cast<std::int64_t>(piece_size));
}

void ledger::take(int device, address at, std::uint64_t size) {
  if (at == 0 || size == 0) return;
  refresh();
  blocks_[at] = {at, size, device, nullptr};
  touch(at, size, device, false);
  change_handed_out(device, static_cast<std::int64_t>(size));
}

std::optional<held_block> ledger::take_out(address at) {
  const auto found = blocks_.find(at);
  if (found == blocks_.end()) return std::nullopt;
  const held_block which = found->second;
  blocks_.erase(found);
  return which;
}

void ledger::gone(const held_block& which) {
  if (which.pool == nullptr) {
    touch(which.at, which.size, which.device, true);
    change_handed_out(which.device, -static_cast<std::int64_t>(which.size));
    return;
  }
  for (known_pool& each : pools_) {
    if (each.handle != which.pool) continue;
    --each.blocks;
    if (!each.destroyed) return read(each);
    // It cannot be asked any more, and ends with its last block.
    constexpr std::uint64_t unit = 512;
    const std::uint64_t size = (which.size + unit - 1) / unit * unit;
    const std::uint64_t less = each.blocks == 0 ? each.used : std::min(each.used, size);
    change_handed_out(each.device, -static_cast<std::int64_t>(less));
    each.used -= less;
    if (each.blocks > 0) return;
    change_taken(each.device, -static_cast<std::int64_t>(each.reserved));
    std::erase_if(pools_, [&](const known_pool& one) { return &one == &each; });
    return;
  }
}

void ledger::refuse(int device, std::uint64_t size) {
  const int card = card_of(device);
  if (card >= 0) channel_->refuse(card, size);
}

void ledger::reset(int device) {
  std::vector<held_block> ended;
  for (const auto& [at, each] : blocks_) {
    if (each.device == device && each.pool == nullptr) ended.push_back(each);
  }
  for (const held_block& each : ended) {
    blocks_.erase(each.at);
    gone(each);
  }
  std::erase_if(blocks_, [&](const auto& each) { return each.second.device == device; });
  for (const known_pool& each : pools_) {
    if (each.device != device) continue;
    change_handed_out(device, -static_cast<std::int64_t>(each.used));
    change_taken(device, -static_cast<std::int64_t>(each.reserved));
  }
  std::erase_if(pools_, [&](const known_pool& each) { return each.device == device; });
  graph_memory& graphs = graphs_[static_cast<std::size_t>(device)];
  change_handed_out(device, -static_cast<std::int64_t>(graphs.used));
  change_taken(device, -static_cast<std::int64_t>(graphs.reserved));
  graphs = {};
  context_read_[static_cast<std::size_t>(device)] = false;
  if (const int card = card_of(device); card >= 0) channel_->end_context(card);
}

}  // namespace headroom::counting
