// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/report/series_report.hpp>
#include <memory>

#include "option_values.hpp"
#include "phase_progress.hpp"
#include "processes.hpp"
#include "request_options.hpp"

namespace headroom::cli {
namespace {

class measure_command final : public command {
 public:
  explicit measure_command(const program& of) : program_(of), request_(of) {}

  [[nodiscard]] command_words words() const override {
    return {.name = "measure",
            .purpose = "one series of a workload: cold pass, warmups, warm repeats",
            .arguments = "",
            .details =
                "Runs one series between synchronized boundaries, reads the four counters of each "
                "phase and writes an artifact. With --budget the series is judged; without one it "
                "is recorded alone. Only cuda:N gives measurements: what other devices give is "
                "called a prediction in the artifact and wherever it is shown.\n"
                "--processes N runs N fresh processes in place of repeats, each with a series of "
                "its own (one warm repeat unless --repeats is given).",
            .exits =
                "0 done; with --budget: within it\n"
                "1 the budget is exceeded\n"
                "2 the device is not there; nothing was measured\n"
                "3 an option or the budget is not valid\n"
                "4 the output exists or could not be written\n"
                "5 the workload failed or ran out of memory; the artifact holds it\n"
                "6 with --budget: unknown; or the meter did not prove itself",
            .example =
                "headroom measure --workload dense --device plan:24GB \\\n"
                "  --batch 2 --context 128 --width 1024 --layers 4\n"
                "headroom measure --budget budgets/dense_forward_typical.json \\\n"
                "  --device cuda:0 --output dense.json",
            .runs_series = true};
  }

  void declare(CLI::App& options) override {
    request_.declare(options);
    options.add_flag("--other-sizes", request_.other_sizes,
                     "with --budget: take its limits for other sizes than its own; the artifact "
                     "says so");
    options.add_option("--processes", processes_, "fresh processes in place of repeats")
        ->type_name("N");
    options
        .add_option("--output", output_,
                    "the artifact, a new file (default: a new name in HEADROOM_ARTIFACT_DIR, or in "
                    "headroom-artifacts)")
        ->type_name("FILE.json");
    options.add_flag("--quiet", quiet_, "no lines while it runs");
    options.add_flag("--json", json_, "print one JSON document");
    // What --processes gives to each of its processes.
    options.add_option("--process", process_, "")->group("");
  }

  exit_code run(const console& io) override {
    measure_request request = request_.read("");
    read_process(request.passes);
    std::filesystem::path path = output_;
    if (!path.empty()) refuse_existing(path);
    request_options::settle_automatic(request.device, io);
    require_device(request.device);
    if (processes_) return run_processes(io, request, path);
    std::function<void(const phase_record&)> shown;
    std::unique_ptr<phase_progress> progress;
    if (!quiet_) {
      progress = std::make_unique<phase_progress>(io, request.passes);
      shown = std::ref(*progress);
    }
    const measured_request done = run_request_into(program_, request, path, shown);
    progress.reset();
    const budget* const against = done.against ? &*done.against : nullptr;
    io.out << (json_ ? series_json(done.series, done.result, against, path)
                     : series_text(done.series, done.result, against, path));
    return exit_of(done.result);
  }

 private:
  void read_process(protocol& passes) const {
    if (!process_) return;
    const std::size_t bar = process_->find('/');
    passes.processes = small_number("--process", process_->substr(bar + 1), 1);
    passes.process = small_number("--process", process_->substr(0, bar), 1, passes.processes);
  }

  exit_code run_processes(const console& io, const measure_request& asked,
                          const std::filesystem::path& path) const {
    measure_request request = asked;
    request.passes.processes = small_number("--processes", *processes_, 1, 10'000);
    if (!request_.repeats_given()) {
      request.passes.repeats = 1;
      request.passes.warmup = 0;
    }
    const process_series all = run_in_processes(io, request, path);
    io.out << (json_ ? processes_json(all) : processes_text(all));
    if (interrupt_guard::received() != 0) end_by_signal(io, interrupt_guard::received());
    return all.worst;
  }

  const program& program_;
  request_options request_;
  std::optional<std::string> processes_;
  std::optional<std::string> process_;
  std::string output_;
  bool quiet_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> make_measure(const program& of) {
  return std::make_unique<measure_command>(of);
}

}  // namespace headroom::cli
