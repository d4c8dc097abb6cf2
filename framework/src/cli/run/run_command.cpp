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
#include <initializer_list>

#include "../command.hpp"
#include "../fresh_process.hpp"
#include "../measuring.hpp"
#include "../option_values.hpp"
#include "calibration.hpp"
#include "child_program.hpp"
#include "program_run.hpp"
#include "program_text.hpp"
#include "run_artifacts.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

std::string not_compared(const std::string& why) {
  return fmt::format("\n  {:<11}{}\n", "beside it", wrap_column(why, 13));
}

class run_command final : public command {
 public:
  explicit run_command(const program& of) : program_(of) {}

  [[nodiscard]] command_words words() const override {
    return {.name = "run",
            .purpose = "any CUDA program, as it is, under a budget",
            .arguments = "--device DEVICE -- COMMAND...",
            .details =
                "On an emulated card, starts the command with that card's CUDA libraries in place "
                "of the real ones; on cuda:N, with a library before the real ones that counts and "
                "changes nothing. Passes its input, output and signals through, and reads what it "
                "takes of the card: from the driver's level for every program, and from PyTorch's "
                "own allocator where a Python process uses it. On an emulated card device memory "
                "is addresses without memory, and kernels are left out: what comes of it is a "
                "prediction, in seconds, on a machine with no GPU.\n"
                "A budget's limits judge the whole run; its phase_limits judge phases. With "
                "--phases auto (the default) these are PyTorch's model load, forward, loss, "
                "backward and update, the first step apart from later ones, and NVTX ranges; with "
                "nvtx the ranges alone; with whole none.\n"
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
    options
        .add_option("--beside", beside_,
                    "runs the command on this card too, where it is there, and puts its figures "
                    "beside those of the emulated one")
        ->type_name("cuda:N");
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
        .add_option("--snapshot", snapshot_,
                    "PyTorch's allocation log, a new file, for "
                    "tools/trace_from_pytorch_snapshot.py and headroom replay")
        ->type_name("FILE.pickle");
    options.add_flag("--quiet", quiet_, "no summary");
    options.add_option("--test", test_, "")->group("");
  }

  [[nodiscard]] bool takes_rest() const override { return true; }
  void take_rest(std::span<const std::string> rest) override {
    command_.assign(rest.begin(), rest.end());
  }

  exit_code run(const console& io) override {
    const std::optional<budget> against =
        budget_ ? std::optional(read_budget(*budget_)) : std::nullopt;
    program_request what = read_options(io);
    what.against = against ? &*against : nullptr;
    const int count =
        devices_ ? small_number("--devices", *devices_, 1, run_segment::most_devices) : 1;
    const run_device device = read_run_device(device_, count, context_);
    if (launches_ && device.counted()) {
      throw usage_error(
          "--max-launches is for emulated cards, which leave kernels out; use --timeout");
    }
    std::string no_other;
    const std::optional<run_device> other = find_other(device, count, no_other);
    refuse_earlier("");
    if (other) refuse_earlier(file_name_part(other->text));
    artifact_file artifact = artifact_for(what, device, "");
    std::optional<artifact_file> beside;
    if (other) beside.emplace(artifact_for(what, *other, file_name_part(other->text)));
    io.out.flush();
    program_run ran = start(what, device, artifact, beside);
    std::optional<program_run> second;
    int interrupted = ran.facts.end.received;
    if (other && interrupted == 0) {
      what.snapshot.clear();  // that of the emulated card's run
      second = run_beside(io, what, *other, *beside, interrupted);
    }
    if (other && !second) no_other = "the run was interrupted before it";
    if (!second) {
      const written_artifacts each = write_artifacts(ran, artifact);
      say(io, ran, artifact, each, no_other.empty() ? "" : not_compared(no_other));
      refuse_unwritten({each});
      if (other) end_by_signal(io, interrupted);
      return exit_code_of(io, ran);
    }
    ran.series.calibration = calibrate(ran, *second);
    // Both are on disk before anything is said: whoever reads may have gone.
    const written_artifacts of_first = write_artifacts(ran, artifact);
    const written_artifacts of_second = write_artifacts(*second, *beside);
    say(io, ran, artifact, of_first, calibration_text(*ran.series.calibration));
    say(io, *second, *beside, of_second, "");
    refuse_unwritten({of_first, of_second});
    const exit_code own = exit_code_of(io, ran);
    const exit_code others = exit_code_of(io, *second);
    return own == exit_code::done && ran.series.calibration->alike ? others : own;
  }

 private:
  [[nodiscard]] program_request read_options(const console& io) const {
    if (command_.empty()) {
      throw usage_error(
          "run: no command; write it behind --, as in headroom run --device emulated:rtx4090 -- "
          "python train.py");
    }
    program_request what;
    const std::vector<std::string> kinds{"auto", "nvtx", "whole"};
    what.phases = one_of("--phases", phases_, kinds);
    if (!output_.empty()) refuse_existing(output_);
    if (!snapshot_.empty()) refuse_existing(snapshot_);
    what.file = find_program(command_.front());
    what.command = command_;
    what.test = test_;
    what.snapshot = snapshot_;
    what.emulation = emulation_folder(io.executable);
    if (timeout_) {
      what.timeout = std::chrono::seconds(whole_number("--timeout", *timeout_, 1, 1'000'000));
    }
    if (launches_) what.most_launches = whole_number("--max-launches", *launches_, 1);
    return what;
  }

  /// The card of --beside. @param why_not  filled in where there is none
  [[nodiscard]] std::optional<run_device> find_other(const run_device& device, int count,
                                                     std::string& why_not) const {
    if (!beside_) return std::nullopt;
    if (device.counted() || !beside_->starts_with("cuda:")) {
      throw usage_error(
          fmt::format("--beside {}: a card beside an emulated one; write --device emulated:CARD "
                      "--beside cuda:0",
                      quoted_text(*beside_)));
    }
    try {
      return read_run_device(*beside_, count, std::nullopt);
    } catch (const device_error& missing) {
      if (cuda_required()) throw;
      why_not = missing.what();
      return std::nullopt;
    }
  }

  [[nodiscard]] artifact_file artifact_for(const program_request& what, const run_device& on,
                                           const std::string& part) const {
    if (output_.empty()) return {artifact_folder(), test_, on.text, what.against};
    return artifact_file::at(path_of(part), test_, on.text, what.against);
  }

  /// That --output asks for. @param part  of the card's, where it is not the first
  [[nodiscard]] fs::path path_of(const std::string& part) const {
    fs::path path = output_;
    if (!part.empty()) path.replace_filename(stem_of(path) + "." + part + ".json");
    return path;
  }

  /// Before anything is made: what a run could not write at its end.
  void refuse_earlier(const std::string& part) const {
    if (output_.empty()) return;
    refuse_existing(path_of(part));
    refuse_earlier_processes(path_of(part));
  }

  /// Once all is said: what could not be written.
  static void refuse_unwritten(std::initializer_list<written_artifacts> all) {
    for (const written_artifacts& each : all) {
      if (!each.fault.empty()) throw output_error(each.fault);
    }
  }

  /// A command that cannot be started leaves no record of a start.
  static program_run start(const program_request& what, const run_device& on,
                           artifact_file& artifact, std::optional<artifact_file>& beside) {
    try {
      program_run ran = run_program(what, on);
      ran.series.id = artifact.id();
      return ran;
    } catch (const usage_error&) {
      artifact.withdraw();
      if (beside) beside->withdraw();
      throw;
    }
  }

  /// @param received  a signal that came before its turn @return nothing then
  static std::optional<program_run> run_beside(const console& io, const program_request& what,
                                               const run_device& on, const artifact_file& file,
                                               int& received) {
    const card_turn turn(on, [&] {
      io.err << "headroom: another run has " << on.text << "; this one waits for its turn\n";
      io.err.flush();
    });
    received = turn.received();
    if (received != 0) return std::nullopt;
    program_run second = run_program(what, on);
    second.series.id = file.id();
    return second;
  }

  /// Says what came of a run.
  void say(const console& io, const program_run& run, const artifact_file& artifact,
           const written_artifacts& written, const std::string& more) const {
    if (quiet_) return;
    io.err << '\n'
           << series_text(run.series, run.result, run.facts.against, artifact.path())
           << program_text(run.series, written.processes) << more;
    if (std::error_code ignored; !snapshot_.empty() && !fs::exists(snapshot_, ignored)) {
      io.err << "  warning    no process wrote PyTorch's allocation log\n";
    }
    for (const int living : run.facts.end.living) {
      io.err << fmt::format("  warning    process {} of the program is still running\n", living);
    }
  }

  /// A program that was told to end, and did so in good order, is judged as any other.
  static exit_code exit_code_of(const console& io, const program_run& run) {
    const program_end& end = run.facts.end;
    if (end.received != 0 && end.code != std::optional<int>(0)) end_by_signal(io, end.received);
    return exit_of(run.result);
  }

  const program& program_;
  std::string device_;
  std::optional<std::string> devices_;
  std::optional<std::string> beside_;
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
