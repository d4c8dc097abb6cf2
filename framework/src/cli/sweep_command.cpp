// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/new_file.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/sweep_report.hpp>
#include <headroom/report/words.hpp>
#include <optional>

#include "option_values.hpp"
#include "points.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "variation.hpp"

namespace headroom::cli {
namespace {

sweep_point point_of(std::int64_t value, const fresh_point& ran) {
  sweep_point point;
  point.value = value;
  if (!ran.stored) {
    point.note = ran.message;
    return point;
  }
  const stored_artifact& stored = *ran.stored;
  point.artifact = ran.artifact.string();
  point.outcome = stored.result.outcome;
  // What ran with other sizes is no reading for this value.
  point.whole =
      ran_whole(stored.series) && stored.series.executed == stored.series.workload.requested;
  if (point.whole) point.highest = judged_peaks(stored.series);
  if (!point.whole || stored.result.outcome == outcome::exceeded) point.note = stored.result.reason;
  return point;
}

class sweep_command final : public command {
 public:
  explicit sweep_command(const program& of) : program_(of), request_(of) {}

  [[nodiscard]] command_words words() const override {
    return {
        .name = "sweep",
        .purpose = "a series for each value of one dimension, each in a fresh process",
        .arguments = "--vary NAME=VALUES --output FOLDER",
        .details =
            "Varies one dimension and keeps the others. Every value is a series of its own in "
            "a fresh process; every point is kept, failures included, and nothing is "
            "interpolated. A point whose artifact is in the folder is not run again, so a sweep "
            "that was stopped goes on where it was. With --budget its limits are applied to "
            "every value.",
        .exits =
            "0 every point is done, or within the budget\n"
            "1 a point exceeds the budget\n"
            "2 the device is not there; nothing was measured\n"
            "3 an option is not valid, or the workload refuses a value\n"
            "4 an output exists or could not be written\n"
            "5 a point failed or ran out of memory; its artifact holds it\n"
            "6 with --budget: a point is unknown\n"
            "Where several are true, the first of 3, 4, 2, 5, 6, 1.",
        .example =
            "headroom sweep --vary batch=1..64*2 --output sweep-batch \\\n"
            "  --workload dense --context 128 --width 1024 --layers 4 \\\n"
            "  --device plan:24GB --chart batch.svg",
        .runs_series = true};
  }

  void declare(CLI::App& options) override {
    options
        .add_option("--vary", vary_,
                    "the dimension and its values: batch=1,2,4, or a range, batch=1..64*2, "
                    "batch=8..64+8")
        ->type_name("NAME=VALUES");
    options.add_option("--output", output_, "folder for the artifacts; made where it is not there")
        ->type_name("FOLDER");
    request_.declare(options);
    options.add_option("--chart", chart_, "write a chart of the four counters; a new file")
        ->type_name("FILE.svg");
    options.add_option("--json-lines", lines_, "write one JSON object a point; a new file")
        ->type_name("FILE");
    options.add_flag("--json", json_, "print one JSON document");
  }

  exit_code run(const console& io) override {
    if (vary_.empty()) {
      throw usage_error("sweep: --vary is missing; write for example --vary batch=1,2,4");
    }
    if (output_.empty()) {
      throw usage_error("sweep: --output is missing; name a folder for the artifacts");
    }
    const variation varied = parse_variation(vary_);
    request_.other_sizes = true;
    measure_request request = request_.read(varied.name);
    for (const std::string& file : {chart_, lines_}) {
      if (!file.empty()) refuse_existing(file);
    }
    request_options::settle_automatic(request.device, io);
    require_device(request.device);
    require_folder(output_);
    sweep_report sweep = describe(request, varied);
    exit_code worst = exit_code::done;
    const int signal = run_points(io, request, varied, sweep, worst);
    if (signal != 0) stop(io, sweep, varied, signal);
    if (!chart_.empty()) write_new_file(chart_, sweep_chart(sweep));
    if (!lines_.empty()) write_new_file(lines_, sweep_lines(sweep));
    io.out << (json_ ? sweep_json(sweep) : sweep_text(sweep));
    return worst;
  }

 private:
  static sweep_report describe(const measure_request& request, const variation& varied) {
    sweep_report sweep;
    workload_description fixed = request.work;
    dimensions others;
    for (const auto& [name, value] : request.work.requested.entries()) {
      if (name != varied.name) others.set(name, value);
    }
    fixed.requested = others;
    sweep.title = workload_words(fixed);
    sweep.device = request.device.text;
    sweep.settings = request.allocator_text.empty() ? "defaults" : request.allocator_text;
    sweep.dimension = varied.name;
    if (request.against) sweep.budget = request.against->name;
    return sweep;
  }

  /// @return the signal that stopped it, 0 for none
  int run_points(const console& io, const measure_request& asked, const variation& varied,
                 sweep_report& sweep, exit_code& worst) const {
    const interrupt_guard guard;
    const progress shown(io);
    for (std::size_t i = 0; i < varied.values.size(); ++i) {
      const std::int64_t value = varied.values[i];
      shown.say(
          fmt::format("{} {}: point {} of {}", varied.name, value, i + 1, varied.values.size()));
      measure_request request = asked;
      request.work.requested.set(varied.name, value);
      const fresh_point ran = run_point(io, request, point_path(output_, varied.name, value));
      if (ran.interrupted) return interrupt_guard::received();
      if (ran.code == exit_code::no_output) throw output_error(ran.message);
      sweep.points.push_back(point_of(value, ran));
      worst = worse(worst, ran.code);
      if (ran.stored && !ran.stored->series.devices.empty()) {
        sweep.prediction = ran.stored->series.prediction();
        sweep.capacity = ran.stored->series.devices.front().info.capacity;
      }
      if (!io.terminal) say(io, varied.name, value, ran);
      if (interrupt_guard::received() != 0) return interrupt_guard::received();
    }
    return 0;
  }

  static void say(const console& io, const std::string& name, std::int64_t value,
                  const fresh_point& ran) {
    const std::string end =
        ran.stored ? std::string(words_of(ran.stored->result.outcome)) : ran.message;
    const bool alone = ran.stored && !ran.stored->against && ran.code == exit_code::done;
    io.err << name << ' ' << value << ": " << (alone ? "done" : printable(end))
           << (ran.kept ? " (was there)" : "") << '\n'
           << std::flush;
  }

  /// Shows what is finished, then ends as the signal asks.
  [[noreturn]] void stop(const console& io, const sweep_report& sweep, const variation& varied,
                         int signal) const {
    io.out << (json_ ? sweep_json(sweep) : sweep_text(sweep)) << std::flush;
    io.err << program_.name << ": stopped after " << sweep.points.size() << " of "
           << varied.values.size() << " points; run the same command again to go on\n"
           << std::flush;
    end_by_signal(io, signal);
  }

  const program& program_;
  request_options request_;
  std::string vary_;
  std::string output_;
  std::string chart_;
  std::string lines_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> make_sweep(const program& of) {
  return std::make_unique<sweep_command>(of);
}

}  // namespace headroom::cli
