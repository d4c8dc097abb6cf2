// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <headroom/core/new_file.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/level_history.hpp>
#include <headroom/report/replay_answer.hpp>
#include <headroom/report/words.hpp>

#include "command.hpp"
#include "progress.hpp"
#include "trace_input.hpp"

namespace headroom::cli {
namespace {

// Tried where nothing else was asked for and the log does not fit: each has helped someone.
constexpr std::array usual_settings{"", "expandable_segments:True", "max_split_size_mb:128",
                                    "roundup_power2_divisions:8"};

/// @param option for the message: "--allocator"
allocator_settings settings_of(std::string_view option, const std::string& text) {
  try {
    return parse_allocator_settings(text);
  } catch (const usage_error& fault) {
    throw usage_error(fmt::format("{}: {}", option, fault.what()));
  }
}

bytes capacity_of(std::string_view device) {
  constexpr std::string_view kind = "plan:";
  if (!device.starts_with(kind)) {
    throw usage_error(
        fmt::format("--device {}: a log is replayed against a capacity alone; write plan:SIZE, for "
                    "example plan:24GB",
                    quoted_text(device)));
  }
  const size_result size = parse_size(device.substr(kind.size()));
  if (!size.value) {
    throw usage_error(
        fmt::format("--device {}: {}; {}", quoted_text(device), size.found, size.advice));
  }
  if (size.value->n == 0) {
    throw usage_error("--device: a capacity of 0 holds nothing; write plan:24GB, for example");
  }
  return *size.value;
}

class replay_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "replay",
            .purpose = "whether a recorded allocation log fits a capacity and allocator settings",
            .arguments = "TRACE",
            .details =
                "Replays an allocation log (docs/trace-format.md) through the caching allocator "
                "against a capacity: the peaks and when they happen, what is alive then, the first "
                "request that fails and what was cached at that moment, and the smallest capacity "
                "that fits. No GPU is needed; all figures are predictions.",
            .exits =
                "0 the log fits\n1 it does not\n3 the trace or an option is not valid\n4 the "
                "output exists or could not be written",
            .example =
                "headroom replay step.trace --device plan:24GB\n"
                "headroom replay step.trace --device plan:24GB \\\n"
                "  --allocator expandable_segments:True --chart step.svg"};
  }

  void declare(CLI::App& options) override {
    options.add_option("TRACE", trace_, "the log, or - for standard input");
    options
        .add_option("--device", device_,
                    "replay against this capacity instead of the one that the trace states")
        ->type_name("plan:SIZE");
    options
        .add_option("--allocator", allocator_,
                    "settings as in PYTORCH_ALLOC_CONF, in place of all that the trace states; "
                    "\"\" for the defaults")
        ->type_name("SETTINGS");
    options
        .add_option("--try-settings", others_,
                    "show these settings beside it; may be repeated. When it is left out, some "
                    "usual ones are tried if the log does not fit")
        ->type_name("SETTINGS")
        ->allow_extra_args(false);
    options.add_flag("--no-search", no_search_,
                     "one replay: leave out the smallest capacity and the usual settings");
    options.add_flag("--events", events_, "print one line an event, and nothing else");
    options.add_flag("--json", json_, "print one JSON document");
    options.add_option("--chart", chart_, "write a chart of both levels; the file must be new")
        ->type_name("FILE.svg");
  }

  exit_code run(const console& io) override {
    check_options();
    const bool once = events_ || (no_search_ && others_.empty());
    trace_input input(trace_, io.in, !once);
    replay_answer answer;
    answer.trace = input.name();
    replay_asked(input, answer.asked, io);
    if (!events_) {
      compare(input, answer, io);
      io.out << (json_ ? replay_json(answer) : replay_text(answer));
    }
    return answer.asked.replayed.fits() ? exit_code::done : exit_code::exceeded;
  }

 private:
  void check_options() {
    if (trace_.empty()) {
      throw usage_error("replay: no trace; write headroom replay TRACE, or - for standard input");
    }
    if (events_ && (json_ || !others_.empty())) {
      throw usage_error(fmt::format("--events prints lines only; leave {} out",
                                    json_ ? "--json" : "--try-settings"));
    }
    if (!device_.empty()) capacity_ = capacity_of(device_);
    if (allocator_) settings_ = settings_of("--allocator", *allocator_);
    for (const std::string& text : others_) {
      other_settings_.push_back(settings_of("--try-settings", text));
    }
    if (!chart_.empty() && std::filesystem::exists(chart_)) {
      throw output_error(fmt::format(
          "{}: exists, and is not overwritten; give another name or move it away", chart_));
    }
  }

  [[nodiscard]] replay_plan plan_for(const trace_header& header) const {
    replay_plan plan;
    plan.capacity = capacity_.value_or(header.capacity);
    plan.device = capacity_ ? device_ : fmt::format("plan:{}B", header.capacity.n);
    plan.settings = settings_.value_or(header.settings);
    return plan;
  }

  void replay_asked(trace_input& input, replay_trial& asked, const console& io) {
    trace_reader trace = input.open();
    asked.plan = plan_for(trace.header());
    level_history allocated;
    level_history reserved;
    std::vector<chart_mark> marks;
    std::uint64_t event_number = 0;
    if (events_) io.out << replay_heading() << '\n';
    replay_watcher watcher;
    if (events_ || !chart_.empty()) {
      watcher = [&](const trace_event& event, const replay_step& step,
                    const caching_allocator& after) {
        if (events_) io.out << replay_line(event_number, event, step, after) << '\n';
        if (!chart_.empty()) {
          const source_reading now = after.read();
          allocated.add(*now[counter_id::allocated_current]);
          reserved.add(*now[counter_id::reserved_current]);
        }
        ++event_number;
      };
    }
    asked.replayed = replay_trace(trace, asked.plan, watcher);
    if (!chart_.empty()) write_chart(input.name(), asked, allocated, reserved);
  }

  void write_chart(const std::string& name, const replay_trial& asked,
                   const level_history& allocated, const level_history& reserved) const {
    line_chart chart;
    const std::string log = std::filesystem::path(name).filename().string();
    chart.title = fmt::format("Predicted device memory over the log {}", log);
    chart.subtitle = fmt::format("{}, allocator settings: {}; {}", asked.plan.device,
                                 settings_words(asked.plan.settings), standing_words(true));
    chart.x_title = "events of the log";
    chart.y_title = "memory";
    chart.x_end = static_cast<double>(asked.replayed.events);
    if (const std::uint64_t events = allocated.events_in_a_bucket(); events > 1) {
      chart.x_title += fmt::format(" (each step: lowest to highest of {} events)", events);
    }
    chart.lines = {{"allocated", allocated.highest(), allocated.lowest(), true},
                   {"reserved", reserved.highest(), reserved.lowest(), false}};
    chart.levels = {{"capacity", asked.plan.capacity}};
    if (asked.replayed.first_refusal) {
      chart.marks = {
          {"first request that fails", static_cast<double>(asked.replayed.first_refusal->event)}};
    }
    write_new_file(chart_, line_chart_svg(chart));
  }

  void compare(trace_input& input, replay_answer& answer, const console& io) {
    const progress shown(io);
    const trace_opener open = [&] { return input.open(); };
    const auto search = [&](replay_trial& trial) {
      if (no_search_) return;
      trial.search = search_capacity(open, trial.plan, trial.replayed, [&](bytes capacity) {
        shown.say(fmt::format("replaying at {} under {}", format_binary(capacity),
                              settings_words(trial.plan.settings)));
      });
    };
    search(answer.asked);
    if (others_.empty() && !no_search_ && !answer.asked.replayed.fits()) {
      for (const char* const text : usual_settings) {
        const allocator_settings usual = parse_allocator_settings(text);
        if (usual != answer.asked.plan.settings) other_settings_.push_back(usual);
      }
    }
    for (const allocator_settings& settings : other_settings_) {
      replay_trial trial{{answer.asked.plan.device, answer.asked.plan.capacity, settings}, {}, {}};
      trace_reader trace = open();
      trial.replayed = replay_trace(trace, trial.plan);
      search(trial);
      answer.others.push_back(std::move(trial));
    }
  }

  std::string trace_;
  std::string device_;
  std::optional<std::string> allocator_;
  std::vector<std::string> others_;
  bool no_search_ = false;
  bool events_ = false;
  bool json_ = false;
  std::string chart_;

  std::optional<bytes> capacity_;
  std::optional<allocator_settings> settings_;
  std::vector<allocator_settings> other_settings_;
};

}  // namespace

std::unique_ptr<command> make_replay(const program& /*of*/) {
  return std::make_unique<replay_command>();
}

}  // namespace headroom::cli
