// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "request_options.hpp"

#include <CLI/CLI.hpp>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>

#include "option_values.hpp"

namespace headroom::cli {

void request_options::declare(CLI::App& options, bool with_budget) {
  options
      .add_option("--device", device_,
                  "auto (default): cuda:0 where there is one, else cpu; cuda:N measures; cpu, "
                  "cpu:SIZE and plan:SIZE predict")
      ->type_name("DEVICE");
  options
      .add_option("--allocator", allocator_,
                  "caching (default), plain, cuda-async, or settings of the caching one as in "
                  "PYTORCH_ALLOC_CONF")
      ->type_name("SETTINGS");
  options.add_option("--warmup", warmup_, "passes that are not judged (default 3)")->type_name("N");
  options.add_option("--repeats", repeats_, "judged passes after the warmup (default 5)")
      ->type_name("N");
  options.add_flag("--empty-cache-between-repeats", empty_cache_,
                   "give cached memory back before each warmup and repeat; recorded, another kind "
                   "of series");
  options.add_flag("--touch", touch_,
                   "use the libraries once before the model is loaded, so that what they take is "
                   "there; recorded, another kind of series");
  if (with_budget) {
    options
        .add_option("--budget", budget_,
                    "judge by this file, which also says what is run and how often")
        ->type_name("FILE");
  }
  work_.declare(options);
}

measure_request request_options::read(std::string_view varied) const {
  measure_request request;
  request.device = device_option("--device", device_);
  request.allocator_text = allocator_.value_or("");
  request.allocator = allocator_option("--allocator", request.allocator_text);
  if (budget_) {
    request.against = read_budget(*budget_);
    request.passes = request.against->protocol;
  }
  if (warmup_) request.passes.warmup = small_number("--warmup", *warmup_, 0);
  if (repeats_) request.passes.repeats = small_number("--repeats", *repeats_, 1);
  if (empty_cache_) request.passes.empty_cache_between_repeats = true;
  if (touch_) request.passes.touch = true;
  request.other_sizes = other_sizes;
  if (other_sizes && varied.empty() && !request.against) {
    throw usage_error(
        "--other-sizes is for --budget: it takes the budget's limits for other sizes");
  }
  request.work = work_.describe(request.against ? &*request.against : nullptr, other_sizes, varied);
  return request;
}

void request_options::settle_automatic(device_request& device, const console& io) {
  if (!device.automatic) return;
  const device_availability there = find_device(parse_device_request("cuda:0"));
  device = parse_device_request(there.available ? "cuda:0" : "cpu");
  device.chosen = true;
  if (!there.available) {
    io.err << "no GPU (" << there.reason << "): on cpu, which gives a prediction\n";
  }
}

}  // namespace headroom::cli
