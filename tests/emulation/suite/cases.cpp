// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cases.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <headroom/core/budget_file.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::test {
namespace {

using options = std::vector<std::pair<std::string, std::string>>;

/// Sizes and options on top of an operation's own.
struct variation {
  options chosen;
  dimensions sizes = {};
};
struct small_operation {
  std::string workload;
  std::string operation;
  dimensions sizes;
  std::vector<variation> variations;
};

const std::vector<dimensions::entry> small_model{{"layers", 2},     {"width", 32},   {"heads", 4},
                                                 {"kv_heads", 2},   {"head_dim", 8}, {"ffn", 48},
                                                 {"vocabulary", 61}};

dimensions with_model(dimensions sizes) {
  for (const auto& [name, value] : small_model) sizes.set(name, value);
  return sizes;
}

std::vector<variation> of_training() {
  return {{{}},
          {{{"optimizer", "sgd"}}},
          {{{"checkpointing", "every_layer"}}},
          {{{"checkpointing", "every_2"}}},
          {{{"checkpointing", "sqrt"}}}};
}

std::vector<small_operation> small_operations() {
  std::vector<small_operation> all;
  all.push_back({"dense",
                 "forward",
                 {{"batch", 2}, {"context", 24}, {"width", 40}, {"layers", 3}},
                 {{{}}, {{{"adapters", "4"}}}}});

  small_operation train{"dense",
                        "train",
                        {{"batch", 4}, {"context", 8}, {"width", 32}, {"layers", 4}},
                        of_training()};
  for (variation more : std::vector<variation>{
           {{{"loss", "mean_squared_error"}}},
           {{}, {{"microbatches", 2}}},
           {{}, {{"replicas", 2}}},
           {{{"checkpointing", "every_layer"}, {"verify", "checkpointing"}}, {{"microbatches", 2}}},
           {{{"adapters", "4"}}},
           {{{"adapters", "4"}, {"checkpointing", "every_layer"}}}}) {
    train.variations.push_back(std::move(more));
  }
  all.push_back(std::move(train));

  all.push_back({"decoder",
                 "generate",
                 with_model({{"sequences", 2}, {"prompt", 11}, {"decode", 5}}),
                 {{{{"cache", "growing"}}},
                  {{{"cache", "growing"}, {"attention", "materialised"}, {"lengths", "11, 3"}}},
                  {{{"cache", "static"}, {"tied", "yes"}}},
                  {{{"cache", "static"}, {"over_capacity", "truncate"}}, {{"capacity", 14}}},
                  {{{"cache", "sliding_window"}}, {{"window", 6}}},
                  {{{"cache", "quantized"}}},
                  {{{"cache", "offloaded"}, {"lengths", "11, 4"}}},
                  {{{"cache", "paged"}, {"lengths", "5, 11"}}, {{"block_tokens", 4}}},
                  {{{"cache", "paged"}}, {{"block_tokens", 4}, {"shared_prefix", 5}}},
                  {{{"weights", "int8"}}, {{"group", 16}}},
                  {{{"weights", "int4"}, {"staging", "float32"}}, {{"group", 16}}}}});

  small_operation decoder_train{"decoder", "train", with_model({{"batch", 2}, {"context", 12}}),
                                of_training()};
  for (variation more : std::vector<variation>{{{{"tied", "yes"}}, {{"microbatches", 2}}},
                                               {{{"attention", "materialised"}}}}) {
    decoder_train.variations.push_back(std::move(more));
  }
  all.push_back(std::move(decoder_train));
  return all;
}

std::string name_of(const workload_description& of) {
  std::string name = of.name + "_" + of.operation + "_" + of.dtype;
  for (const auto& [option, value] : of.options) name += "_" + option + "_" + value;
  for (const auto& [size, value] : of.requested.entries()) {
    if (size == "microbatches" || size == "capacity" || size == "replicas" ||
        size == "shared_prefix")
      name += "_" + size;
  }
  for (char& each : name) {
    if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
  }
  return name;
}

constexpr std::uint64_t seed = 20;

}  // namespace

void PrintTo(const suite_case& each, std::ostream* out) { *out << each.name; }

std::vector<suite_case> shipped_cases() {
  std::vector<suite_case> all;
  const auto folder = std::filesystem::path(HEADROOM_SOURCE_DIR) / "budgets";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const budget shipped = read_budget(entry.path());
    const auto& limit = shipped.limits[counter_id::allocated_peak];
    all.push_back({entry.path().stem().string(),
                   shipped.workload,
                   {0, 1},
                   limit && limit->at_most ? *limit->at_most : shipped.envelope()});
  }
  std::sort(all.begin(), all.end(),
            [](const suite_case& a, const suite_case& b) { return a.name < b.name; });
  return all;
}

small_cases make_small_cases() {
  small_cases made;
  const std::vector<small_operation> known = small_operations();
  for (const workload_entry& entry : kernels::bundled_workloads().entries()) {
    for (const std::string& operation : entry.operations) {
      const auto sizes = std::find_if(known.begin(), known.end(), [&](const auto& each) {
        return each.workload == entry.name && each.operation == operation;
      });
      if (sizes == known.end()) {
        made.sizeless.push_back(entry.name + " " + operation);
        continue;
      }
      for (const std::string& dtype : entry.dtypes) {
        for (const variation& each : sizes->variations) {
          workload_description what{entry.name, operation,    entry.revision, seed,
                                    dtype,      sizes->sizes, each.chosen};
          for (const auto& [name, value] : each.sizes.entries()) what.requested.set(name, value);
          made.cases.push_back({name_of(what), what, {1, 1}});
        }
      }
    }
  }
  return made;
}

}  // namespace headroom::test
