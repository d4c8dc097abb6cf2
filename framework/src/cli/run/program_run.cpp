// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_run.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "child_environment.hpp"

namespace headroom::cli {
namespace {

std::vector<std::string> environment_for(const program_request& what, const run_device& on,
                                         const shared_files& shared) {
  child_settings with;
  with.emulation = what.emulation;
  with.card = on.setting;
  with.devices = static_cast<int>(on.cards.size());
  with.context = on.cards.front().context;
  if (on.counted()) {
    for (const run_card& each : on.cards) with.cards.push_back(each.identifier);
    if (on.subset) with.first = on.first;
  }
  with.phases = what.phases;
  with.segment = shared.segment_path();
  with.log = shared.log_path();
  if (!what.snapshot.empty()) with.snapshot = std::filesystem::absolute(what.snapshot).string();
  with.most_launches = what.most_launches;
  std::vector<std::string> own;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) own.emplace_back(*line);
  return child_environment(own, with);
}

bool anyone_lives(const run_segment& segment) {
  for (const run_segment::process_slot& slot : segment.processes) {
    const std::int64_t process = slot.process.load();
    if (process == 0) return false;
    if (slot.ended.load() == 0 && start_of_process(process) == slot.started.load()) return true;
  }
  return false;
}

}  // namespace

verdict judge_program(const run_facts& facts, const series_record& series) {
  return facts.against != nullptr ? judge(series, *facts.against) : judge_without_budget(series);
}

program_run run_program(const program_request& what, const run_device& on) {
  program_run run;
  run.shared = std::make_unique<shared_files>();
  program_start start;
  start.file = what.file;
  start.command = what.command;
  start.environment = environment_for(what, on, *run.shared);
  if (what.timeout) start.timeout = *what.timeout;
  run_segment& segment = run.shared->segment();
  run_facts& facts = run.facts;
  facts.command = what.command;
  facts.test = what.test;
  facts.phases = what.phases;
  facts.cards = on.cards;
  facts.counted = on.counted();
  facts.first = on.first;
  facts.driver = on.driver;
  facts.against = what.against;
  facts.segment = &segment;
  facts.end = run_program_to_end(start, [&] { return anyone_lives(segment); });
  segment.sweep_ended();
  facts.log = read_run_log(run.shared->log());
  run.series = series_of_run(facts);
  run.result = judge_program(facts, run.series);
  return run;
}

// A name in the kernel alone: no folder has to be writable, and it ends with its process.
card_turn::card_turn(const run_device& on, const std::function<void()>& waits) {
  sigset_t signals{};
  sigset_t before{};
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, each);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  bool told = false;
  for (const run_card& card : on.cards) {
    const std::string name = "headroom-card-" + card.identifier;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(),
                std::min(name.size(), sizeof address.sun_path - 1));
    const int turn = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (turn < 0) continue;
    held_.push_back(turn);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    while (received_ == 0 && ::bind(turn, reinterpret_cast<const sockaddr*>(&address), size) != 0 &&
           errno == EADDRINUSE) {
      if (!std::exchange(told, true)) waits();
      wait_a_little(signals);
    }
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

void card_turn::wait_a_little(const sigset_t& signals) {
  constexpr timespec pause{0, 20'000'000};
  const int number = ::sigtimedwait(&signals, nullptr, &pause);
  if (number > 0) received_ = number;
}

card_turn::~card_turn() {
  for (const int each : held_) ::close(each);
}

}  // namespace headroom::cli
