// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <headroom/core/size_text.hpp>

#include "run_device.hpp"

namespace headroom::cli {
namespace {

bool failed(const program_end& end) { return end.timed_out || end.code != std::optional<int>(0); }

/// The last request of these processes that nobody could meet. A framework tries again after the
/// card's refusal: only its own word is final.
const logged_refusal* last_refusal(const run_facts& facts, const std::vector<card_user>& users) {
  const logged_refusal* last = nullptr;
  for (const logged_refusal& each : facts.log.refusals) {
    for (const card_user& user : users) {
      if (user.identity != each.process) continue;
      const bool has_framework = user.told != nullptr && user.told->framework.has_value();
      if (each.by_framework || !has_framework) last = &each;
    }
  }
  return last;
}

std::string end_words(const program_end& end, const run_facts& facts) {
  if (end.timed_out) {
    return fmt::format("still running after {:.0f} s, and ended; raise --timeout{}", end.seconds,
                       facts.counted ? ""
                                     : ", or look for a loop that waits for a value that a kernel "
                                       "would write: an emulated card leaves kernels out");
  }
  if (end.signal) {
    return fmt::format("{} was ended by signal {} ({})", facts.command.front(), *end.signal,
                       ::strsignal(*end.signal));
  }
  return fmt::format("{} ended with exit code {}", facts.command.front(), end.code.value_or(-1));
}

std::string static_runtime_in(const run_log& log) {
  constexpr std::string_view words = "CUDA runtime linked statically: ";
  for (const std::string& gap : log.gaps) {
    if (gap.starts_with(words)) return gap.substr(words.size());
  }
  return "";
}

constexpr std::string_view static_advice =
    "links the CUDA runtime statically, and so cannot use an emulated card; in CMake, "
    "set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) before the target, or link CUDA::cudart";

/// "" where all that was told arrived.
std::string lost_words(const run_facts& facts) {
  const std::int64_t lost = facts.segment->lost_lines.load();
  if (lost == 0) return "";
  return fmt::format(
      "{} of what the program's processes had to tell of themselves could not be written: was the "
      "program out of file descriptors, or above its limit of a file's size (ulimit -n, ulimit "
      "-f)?",
      lost);
}

/// Why nothing was measured; "" when something was.
std::string why_unmeasured(const run_facts& facts, const std::vector<card_user>& users) {
  if (!facts.log.faults.empty()) return facts.log.faults.front();
  if (facts.counted && facts.log.emulated && cuda_required()) {
    return "HEADROOM_REQUIRE=cuda, and the program's CUDA libraries are those of an emulated card: "
           "nothing was measured";
  }
  const std::string fixed = static_runtime_in(facts.log);
  if (users.empty() && !fixed.empty()) return fmt::format("{} {}", fixed, static_advice);
  if (users.empty() && !failed(facts.end) && !facts.end.living.empty()) {
    return fmt::format(
        "the program ended before it used CUDA, and left process {} behind, which is still "
        "running: nothing was measured; let the program wait for it",
        facts.end.living.front());
  }
  if (users.empty() && !failed(facts.end)) {
    return facts.counted
               ? "the program took no memory of these cards by calls that can be counted, or what "
                 "started it kept headroom's variables from it (env -i, sudo, another user, a "
                 "container): nothing was measured"
               : "the program never used CUDA, or what started it kept headroom's variables from "
                 "it (env -i, sudo, another user, a container): nothing was measured";
  }
  if (!users.empty() && !facts.log.meter_proven) {
    if (std::string lost = lost_words(facts); !lost.empty()) return lost;
    return "the meter did not prove itself: its probe was not seen";
  }
  return "";
}

std::string doubt(const run_facts& facts, const std::vector<card_user>& users,
                  const logged_refusal* refused) {
  if (refused != nullptr) {
    return fmt::format(
        "a request of {} was refused on {}, and the program went on: what it ran then may not be "
        "the load that was asked for",
        format_exact(refused->requested), device_id(facts, refused->device));
  }
  if (const std::string fixed = static_runtime_in(facts.log); !fixed.empty()) {
    return fmt::format("{} {}", fixed, static_advice);
  }
  if (std::string lost = lost_words(facts); !lost.empty()) return lost;
  for (const card_user& user : users) {
    if (user.told != nullptr && user.told->ended) {
      if (user.told->exit_code == 0) continue;
      return fmt::format(
          "process {} of the program ended with exit code {}, and the program went on: what it ran "
          "may not be the load that was asked for",
          user.number, user.told->exit_code);
    }
    return fmt::format(
        "process {} of the program {}: its readings may be partial", user.number,
        user.replaced ? "became another one (exec) while it used a card"
                      : "did not end by itself (a signal, or _exit without its exit handlers)");
  }
  return "";
}

}  // namespace

int failed_number(const run_facts& facts, const card_user& user) {
  const bool failed_itself = user.told != nullptr && user.told->exit_code != 0;
  if (!failed(facts.end) && !failed_itself) return 0;
  if (const logged_refusal* const refused = last_refusal(facts, {user})) return refused->phase;
  int innermost = 0;
  for (const logged_phase& each : facts.log.phases) {
    if (each.process == user.identity && each.status != "ok") innermost = each.number;
  }
  return innermost;
}

void settle_end(const run_facts& facts, const std::vector<card_user>& users, bool one_process,
                series_record& series, phase_record& whole, phase_record* inner) {
  if (const std::string why = why_unmeasured(facts, users); !why.empty()) {
    series.setup_error = why;
    return;
  }
  const logged_refusal* const refused = last_refusal(facts, users);
  const bool alone = one_process && users.size() == 1;
  const int own_code = alone && users.front().told != nullptr ? users.front().told->exit_code : 0;
  if (!failed(facts.end) && own_code == 0) {
    if (const std::string why = doubt(facts, users, refused); !why.empty()) {
      series.program->doubt = why;
    }
    return;
  }
  phase_error error;
  error.kind = "workload_error";
  error.message = own_code == 0 ? end_words(facts.end, facts)
                                : fmt::format("the process ended with exit code {}", own_code);
  for (const card_user& user : users) {
    if (user.told == nullptr || user.told->error.empty()) continue;
    error.message = user.told->error;
    if (user.told->out_of_memory) error.kind = "out_of_memory";
  }
  if (refused != nullptr && !facts.end.timed_out) {
    error.kind = "out_of_memory";
    error.requested = refused->requested;
    error.device = device_id(facts, refused->device);
    const bool own_words = std::any_of(users.begin(), users.end(), [](const card_user& each) {
      return each.told != nullptr && !each.told->error.empty();
    });
    if (!own_words) {
      error.message = fmt::format("{} refused {}; {}", error.device,
                                  format_exact(refused->requested), error.message);
    }
  }
  if (alone && own_code == 0 && users.front().told != nullptr && users.front().told->ended &&
      users.front().told->error.empty() && refused == nullptr) {
    return;  // another process of the program failed
  }
  whole.status = phase_status::failed;
  if (inner == nullptr) {
    whole.error = std::move(error);
    return;
  }
  inner->status = phase_status::failed;
  inner->error = std::move(error);
}

}  // namespace headroom::cli
