// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>

#include "boundary.hpp"
#include "option_values.hpp"
#include "request_options.hpp"
#include "variation.hpp"

namespace headroom::cli {
namespace {

class boundary_command final : public command {
 public:
  explicit boundary_command(const program& of) : program_(of), request_(of) {}

  [[nodiscard]] command_words words() const override {
    return {.name = "boundary",
            .purpose = "the largest value that fits a device or a budget, the smallest that fails",
            .arguments = "--vary NAME --to N --device plan:SIZE",
            .details =
                "Searches one dimension by bisection on the plan device, then runs the two "
                "neighbours of the border in fresh processes and keeps their artifacts. Nothing "
                "promises that a larger value needs more: further values are tried, and where the "
                "border is none that is said, with the points.\n"
                "--confirm runs the two neighbours on another device too: cuda:0, or cpu (as if it "
                "had the plan's capacity; it needs that much of the host).",
            .exits =
                "0 the border was found, or every value fits\n"
                "1 no value fits\n"
                "2 the device that confirms is not there; nothing was measured\n"
                "3 an option is not valid, or the workload refuses a value\n"
                "4 an output could not be written\n"
                "6 a value is unknown, or a run ended in another way than the search",
            .example =
                "headroom boundary --vary batch --from 1 --to 4096 \\\n"
                "  --workload dense --context 2048 --width 4096 --layers 32 \\\n"
                "  --device plan:24GB",
            .runs_series = true};
  }

  void declare(CLI::App& options) override {
    options.add_option("--vary", vary_, "the dimension")->type_name("NAME");
    options.add_option("--from", from_, "the smallest value (default 1)")->type_name("N");
    options.add_option("--to", to_, "the largest value")->type_name("N");
    options.add_option("--confirm", confirm_, "run the two neighbours here too: cuda:0, cpu")
        ->type_name("DEVICE");
    options
        .add_option("--output", output_,
                    "folder for the artifacts (default: a new one in HEADROOM_ARTIFACT_DIR, or in "
                    "headroom-artifacts)")
        ->type_name("FOLDER");
    request_.declare(options);
    options.add_flag("--json", json_, "print one JSON document");
  }

  exit_code run(const console& io) override {
    boundary_question question = read_question();
    boundary_answer answer;
    try {
      answer = answer_boundary(program_, io, std::move(question));
    } catch (const unknown_error& fault) {
      io.err << program_.name << ": " << fault.what() << '\n';
      if (interrupt_guard::received() != 0) end_by_signal(io, interrupt_guard::received());
      return exit_code::unknown;
    }
    io.out << (json_ ? boundary_json(answer) : boundary_text(answer));
    if (!answer.agrees()) return exit_code::unknown;
    return answer.search.largest_that_fits() ? exit_code::done : exit_code::exceeded;
  }

 private:
  boundary_question read_question() {
    if (vary_.empty()) {
      throw usage_error("boundary: --vary is missing; name a dimension, for example --vary batch");
    }
    if (!to_) throw usage_error("boundary: --to is missing; write the largest value to try");
    boundary_question question;
    question.dimension = vary_;
    question.from = from_ ? whole_number("--from", *from_, 1) : 1;
    question.to = whole_number("--to", *to_, 1);
    if (question.to <= question.from) {
      throw usage_error(fmt::format("--to {}: not above --from {}; write a larger value",
                                    question.to, question.from));
    }
    request_.other_sizes = true;
    question.request = request_.read(vary_);
    if (question.request.device.kind != device_kind::plan) {
      throw usage_error(
          fmt::format("--device {}: a border is searched on a plan device; write plan:SIZE, for "
                      "example plan:24GB, and --confirm for another device",
                      quoted_text(question.request.device.text)));
    }
    if (confirm_) question.confirm = read_confirm(question.request.device);
    question.folder = output_.empty()
                          ? artifact_folder() / fmt::format("boundary-{}-{}", vary_, ::getpid())
                          : std::filesystem::path(output_);
    return question;
  }

  [[nodiscard]] device_request read_confirm(const device_request& plan) const {
    device_request device = device_option("--confirm", *confirm_);
    if (device.automatic || device.kind == device_kind::plan) {
      throw usage_error(fmt::format("--confirm {}: write cuda:N or cpu", quoted_text(*confirm_)));
    }
    // The host has another capacity: it is held to the one that was searched.
    if (device.kind == device_kind::cpu && !device.capacity) {
      device = parse_device_request(fmt::format("cpu:{}B", plan.capacity->n));
    }
    require_device(device);
    return device;
  }

  const program& program_;
  request_options request_;
  std::string vary_;
  std::optional<std::string> from_;
  std::optional<std::string> to_;
  std::optional<std::string> confirm_;
  std::string output_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> make_boundary(const program& of) {
  return std::make_unique<boundary_command>(of);
}

}  // namespace headroom::cli
