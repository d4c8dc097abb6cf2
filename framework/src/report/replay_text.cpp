// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/replay_answer.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <iterator>

namespace headroom {
namespace {

/// "58.9 %". Events count from 0, so that the last one is not the whole log.
std::string share_of(std::uint64_t event, std::uint64_t events) {
  if (events == 0) return "0.0 %";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(event) / static_cast<double>(events));
}

/// What was cached, apart by whether the request might have had it.
struct cached_split {
  cached_pool own;
  bytes others;
};

cached_split split_of(const refused_request& refused) {
  cached_split result;
  const bool small = refused.facts.rounded <= 1_MiB;
  for (const cached_pool& pool : refused.cached) {
    if (pool.stream == refused.stream && pool.small == small) {
      result.own = pool;
    } else {
      result.others += pool.total;
    }
  }
  return result;
}

class answer_writer {
 public:
  explicit answer_writer(const replay_answer& answer)
      : answer_(answer), replayed_(answer.asked.replayed) {}

  std::string write() {
    head();
    if (replayed_.first_refusal) refusal(*replayed_.first_refusal);
    peaks();
    alive();
    if (answer_.asked.search) smallest(*answer_.asked.search);
    if (!answer_.others.empty()) others();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void field(std::string_view name, std::string_view value) {
    line("  {:<11}{}", name, wrap_column(value, 13));
  }

  void head() {
    const replay_plan& plan = answer_.asked.plan;
    line("{} on {}: {}", answer_.trace, plan.device, replayed_.fits() ? "fits" : "does not fit");
    field("counts as", standing_words(true));
    field("capacity", format_exact(plan.capacity));
    field("settings", settings_words(plan.settings));
    field("log", fmt::format("{} events, {} allocations", replayed_.events, replayed_.allocations));
    field("retries",
          replayed_.retries == 0
              ? "0"
              : fmt::format("{}: cached memory was given back, and the request tried again",
                            replayed_.retries));
    field("failed",
          fmt::format("{} request{}", replayed_.refusals, replayed_.refusals == 1 ? "" : "s"));
  }

  void refusal(const refused_request& refused) {
    const memory_counters& held = refused.facts.counters;
    const bytes cached = held.reserved.current - held.allocated.current;
    const cached_split split = split_of(refused);
    line("\nThe first request that fails: event {}, {} of the log, line {}", refused.event,
         share_of(refused.event, replayed_.events), refused.line);
    field("asked", fmt::format("{} for {}", format_exact(refused.facts.requested),
                               name_of(refused.facts.what)));
    field("allocated", format_exact(held.allocated.current));
    field("reserved", format_exact(held.reserved.current));
    field("cached", fmt::format("{}: reserved, not allocated, and of no use to this request",
                                format_exact(cached)));
    if (split.own.blocks > 0) {
      field("",
            fmt::format("{} in {} free blocks, the largest of {}", format_binary(split.own.total),
                        split.own.blocks, format_exact(split.own.largest)));
    }
    if (split.others.n > 0) {
      field("", fmt::format("{} kept for other streams, or for {} requests",
                            format_binary(split.others),
                            refused.facts.rounded <= 1_MiB ? "larger" : "smaller"));
    }
    if (refused.facts.capacity < answer_.asked.plan.capacity) {
      field("allowed",
            fmt::format("{} by per_process_memory_fraction", format_exact(refused.facts.capacity)));
    }
    if (refused.facts.system_free) {
      field("not taken",
            fmt::format("{} of the capacity", format_exact(*refused.facts.system_free)));
    }
  }

  void peaks() {
    line("\nPeaks{}",
         replayed_.fits() ? "" : " (partial: not what the log needs, requests failed)");
    text_table table({align::left, align::left, align::left});
    const auto row = [&](const char* name, bytes peak, const replay_moment& moment,
                         const std::string& beside) {
      table.add({name, format_exact(peak),
                 fmt::format("event {}, {} of the log", moment.event,
                             share_of(moment.event, replayed_.events))});
      table.add({"", beside, ""});
    };
    const replay_moment& allocated = replayed_.allocated_peak;
    const replay_moment& reserved = replayed_.reserved_peak;
    row("allocated", allocated.allocated, allocated,
        fmt::format("reserved then {}", format_binary(allocated.reserved)));
    row("reserved", reserved.reserved, reserved,
        fmt::format("allocated then {}", format_binary(reserved.allocated)));
    text_ += table.text(2);
  }

  void alive() {
    const live_summary& alive = replayed_.at_allocated_peak;
    line("\nAlive at the allocated peak: {} block{}", alive.all.blocks,
         alive.all.blocks == 1 ? "" : "s");
    text_table tags({align::left, align::right, align::right});
    for (const tag each : all_tags) {
      const block_sum& sum = alive.by_tag[static_cast<std::size_t>(each)];
      if (sum.blocks == 0) continue;
      tags.add({std::string(name_of(each)),
                fmt::format("{} block{}", sum.blocks, sum.blocks == 1 ? "" : "s"),
                format_binary(sum.allocated)});
    }
    text_ += tags.text(2);
    if (alive.largest.empty()) return;
    line("  the largest");
    text_table blocks({align::left, align::right, align::left, align::left});
    for (const traced_block& block : alive.largest) {
      blocks.add({fmt::format("block {}", block.id), format_binary(block.held.size),
                  std::string(name_of(block.what)), fmt::format("since event {}", block.since)});
    }
    text_ += blocks.text(4);
  }

  void smallest(const capacity_search& search) {
    const std::optional<bytes> border = search.smallest();
    line("\nThe smallest capacity that fits");
    if (!border) {
      line("  none up to {}", format_binary(largest_capacity));
      return;
    }
    line(
        "  {}{}", format_exact(*border),
        *border > search.step ? fmt::format("; {} less does not", format_binary(search.step)) : "");
    line("  tried by replay: {} capacities from {} to {}", search.probes.size(),
         format_binary(search.probes.front().capacity),
         format_binary(search.probes.back().capacity));
    if (const std::optional<bytes> exception = search.exception()) {
      line("  {}",
           wrap_column(fmt::format("but {} does not fit: with this allocator and log, more memory "
                                   "does not always help; --json lists what was tried",
                                   format_exact(*exception)),
                       2));
    }
  }

  void others() {
    line("\nUnder other settings, on {}", answer_.asked.plan.device);
    text_table table({align::left, align::left, align::right, align::right, align::right});
    table.add({"settings", "fits", "allocated", "reserved", "smallest"});
    table.add({"", "", "peak", "peak", "capacity"});
    const auto row = [&](const replay_trial& trial) {
      const std::optional<bytes> border =
          trial.search ? trial.search->smallest() : std::optional<bytes>{};
      table.add({settings_words(trial.plan.settings), trial.replayed.fits() ? "yes" : "no",
                 format_binary(trial.replayed.allocated_peak.allocated),
                 format_binary(trial.replayed.reserved_peak.reserved),
                 border         ? format_binary(*border)
                 : trial.search ? "none"
                                : "not asked"});
    };
    row(answer_.asked);
    for (const replay_trial& trial : answer_.others) row(trial);
    text_ += table.text(2);
    line("  where it does not fit, the peaks are partial");
  }

  const replay_answer& answer_;
  const replay_report& replayed_;
  std::string text_;
};

}  // namespace

std::string replay_text(const replay_answer& answer) { return answer_writer(answer).write(); }

}  // namespace headroom
