// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/artifact.hpp>

#include "../command.hpp"
#include "../fresh_process.hpp"
#include "../measuring.hpp"
#include "../option_values.hpp"
#include "child_environment.hpp"
#include "child_program.hpp"
#include "program_series.hpp"
#include "program_text.hpp"
#include "run_device.hpp"
#include "shared_files.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

class run_command final : public command {
 public:
  explicit run_command(const program& of) : program_(of) {}

  [[nodiscard]] command_words words() const override {
    return {
        .name = "run",
        .purpose = "any CUDA program, as it is, under a budget",
        .arguments = "--device DEVICE -- COMMAND...",
        .details =
            "On an emulated card, starts the command with that card's CUDA libraries in place of "
            "the "
            "real ones; on cuda:N, with a library before the real ones that counts and changes "
            "nothing. Passes its input, output and signals through, and reads what it takes of the "
            "card: from the driver's level for every program, and from PyTorch's own allocator "
            "where a Python process uses it. On an emulated card device memory is addresses "
            "without "
            "memory, and kernels are left out: what comes of it is a prediction, in seconds, on a "
            "machine with no GPU.\n"
            "A budget's limits judge the whole run; its phase_limits judge phases. With --phases "
            "auto (the default) these are PyTorch's model load, forward, loss, backward and "
            "update, "
            "the first step apart from later ones, and NVTX ranges; with nvtx the ranges alone; "
            "with "
            "whole none.\n"
            "The program's own output is not touched; the summary goes to standard error.",
        .exits =
            "0 within the budget; without one: done\n"
            "1 the budget is exceeded\n"
            "2 the device is not there; nothing was measured\n"
            "3 an option, the budget or the command is not valid\n"
            "4 the output exists or could not be written\n"
            "5 the program failed or ran out of memory; the artifact holds it\n"
            "6 unknown: it never used CUDA, or made calls that are not modelled",
        .example =
            "headroom run --device emulated:rtx4090 --budget generate.json \\\n"
            "  -- python generate.py --tokens 64\n"
            "headroom run --device emulated:24GB --devices 8 \\\n"
            "  -- torchrun --nproc-per-node 8 train.py\n"
            "headroom run --device emulated:my_card.json -- ./simulate\n"
            "headroom run --device cuda:0 --budget generate.json -- python generate.py"};
  }

  void declare(CLI::App& options) override {
    options
        .add_option(
            "--device", device_,
            "emulated:CARD (a name in cards/, or a file of your own), emulated:SIZE, cuda:N")
        ->type_name("DEVICE");
    options
        .add_option("--devices", devices_,
                    "how many cards, from the one that --device names (default 1)")
        ->type_name("N");
    options.add_option("--budget", budget_, "judge by this file")->type_name("FILE");
    options
        .add_option("--output", output_,
                    "the artifact, a new file (default: a new name in HEADROOM_ARTIFACT_DIR, or in "
                    "headroom-artifacts)")
        ->type_name("FILE.json");
    options.add_option("--phases", phases_, "auto (default), nvtx or whole")->type_name("KIND");
    options
        .add_option("--context-bytes", context_,
                    "what the context and modules of a process take (default: the card's, assumed)")
        ->type_name("SIZE");
    options
        .add_option("--timeout", timeout_,
                    "seconds after which the program is ended: it then failed (default: none)")
        ->type_name("SECONDS");
    options
        .add_option("--max-launches", launches_,
                    "kernels after which the program is ended: it then failed (default: none)")
        ->type_name("N");
    options
        .add_option(
            "--snapshot", snapshot_,
            "PyTorch's allocation log, a new file, for tools/trace_from_pytorch_snapshot.py and "
            "headroom replay")
        ->type_name("FILE.pickle");
    options.add_flag("--quiet", quiet_, "no summary");
    options.add_option("--test", test_, "")->group("");
  }

  [[nodiscard]] bool takes_rest() const override { return true; }
  void take_rest(std::span<const std::string> rest) override {
    command_.assign(rest.begin(), rest.end());
  }

  exit_code run(const console& io) override {
    run_facts facts = read_options();
    const std::optional<budget> against =
        budget_ ? std::optional(read_budget(*budget_)) : std::nullopt;
    fs::path path = output_;
    if (!path.empty()) refuse_existing(path);
    if (!snapshot_.empty()) refuse_existing(snapshot_);
    const int count =
        devices_ ? small_number("--devices", *devices_, 1, run_segment::most_devices) : 1;
    const run_device device = read_run_device(device_, count, context_);
    program_start start;
    start.file = find_program(command_.front());
    start.command = command_;
    if (timeout_)
      start.timeout = std::chrono::seconds(whole_number("--timeout", *timeout_, 1, 1'000'000));
    const shared_files shared;
    start.environment = environment_for(device, facts, shared, io);
    const budget* const budget_or_none = against ? &*against : nullptr;
    artifact_file artifact =
        path.empty() ? artifact_file(artifact_folder(), test_, device.text, budget_or_none)
                     : artifact_file::at(path, test_, device.text, budget_or_none);
    io.out.flush();
    facts.cards = device.cards;
    facts.counted = device.counted();
    facts.first = device.first;
    facts.driver = device.driver;
    facts.against = budget_or_none;
    facts.segment = &shared.segment();
    facts.end = run_program_to_end(start, [&] { return anyone_lives(shared.segment()); });
    shared.segment().sweep_ended();
    facts.log = read_run_log(shared.log());
    return settle(io, facts, artifact);
  }

 private:
  [[nodiscard]] run_facts read_options() const {
    if (command_.empty()) {
      throw usage_error(
          "run: no command; write it behind --, as in headroom run --device "
          "emulated:rtx4090 -- python train.py");
    }
    run_facts facts;
    facts.command = command_;
    facts.test = test_;
    const std::vector<std::string> kinds{"auto", "nvtx", "whole"};
    facts.phases = one_of("--phases", phases_, kinds);
    return facts;
  }

  [[nodiscard]] std::vector<std::string> environment_for(const run_device& device,
                                                         const run_facts& facts,
                                                         const shared_files& shared,
                                                         const console& io) const {
    child_settings with;
    with.emulation = emulation_folder(io.executable);
    with.card = device.setting;
    with.devices = static_cast<int>(device.cards.size());
    with.context = device.cards.front().context;
    if (device.counted()) {
      for (const run_card& each : device.cards) with.cards.push_back(each.identifier);
      if (device.subset) with.first = device.first;
    }
    with.phases = facts.phases;
    with.segment = shared.segment_path();
    with.log = shared.log_path();
    if (!snapshot_.empty()) with.snapshot = fs::absolute(snapshot_).string();
    if (launches_ && device.counted()) {
      throw usage_error(
          "--max-launches is for emulated cards, which leave kernels out; use --timeout");
    }
    if (launches_) with.most_launches = whole_number("--max-launches", *launches_, 1);
    std::vector<std::string> own;
    for (char** line = environ; line != nullptr && *line != nullptr; ++line)
      own.emplace_back(*line);
    return child_environment(own, with);
  }

  static bool anyone_lives(const run_segment& segment) {
    for (const run_segment::process_slot& slot : segment.processes) {
      const std::int64_t process = slot.process.load();
      if (process == 0) return false;
      if (slot.ended.load() == 0 && start_of_process(process) == slot.started.load()) return true;
    }
    return false;
  }

  exit_code settle(const console& io, const run_facts& facts, artifact_file& artifact) const {
    series_record series = series_of_run(facts);
    series.id = artifact.id();
    const auto judged = [&](const series_record& one) {
      return facts.against != nullptr ? judge(one, *facts.against) : judge_without_budget(one);
    };
    const verdict result = judged(series);
    artifact.finish(series, result, facts.against);
    const std::vector<fs::path> each = write_processes(facts, series, artifact.path(), judged);
    if (!quiet_) {
      io.err << '\n'
             << series_text(series, result, facts.against, artifact.path())
             << program_text(series, each);
      for (const int living : facts.end.living) {
        io.err << fmt::format("  warning    process {} of the program is still running\n", living);
      }
    }
    if (facts.end.received != 0) end_by_signal(io, facts.end.received);
    return exit_of(result);
  }

  /// Of several processes, an artifact each: NAME.process-N.json.
  template <class Judge>
  static std::vector<fs::path> write_processes(const run_facts& facts, const series_record& series,
                                               const fs::path& path, const Judge& judged) {
    std::vector<fs::path> written;
    if (!series.program || series.program->processes.size() < 2) return written;
    std::string stem = path.filename().string();
    if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
    for (const program_process& process : series.program->processes) {
      const fs::path own =
          path.parent_path() / fmt::format("{}.process-{}.json", stem, process.number);
      artifact_file file =
          artifact_file::at(own, facts.test, facts.cards.front().name, facts.against);
      series_record one = series_of_process(facts, process.number);
      one.id = file.id();
      file.finish(one, judged(one), facts.against);
      written.push_back(own);
    }
    return written;
  }

  const program& program_;
  std::string device_;
  std::optional<std::string> devices_;
  std::optional<std::string> budget_;
  std::string output_;
  std::string phases_ = "auto";
  std::optional<std::string> context_;
  std::optional<std::string> timeout_;
  std::optional<std::string> launches_;
  std::string snapshot_;
  std::string test_;
  bool quiet_ = false;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<command> make_run(const program& of) { return std::make_unique<run_command>(of); }

}  // namespace headroom::cli
