// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/environment.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t value_column = 14;
constexpr int most_devices = 64;

/// One device, and whether a series could run on it.
struct device_entry {
  std::string id;
  bool available = false;
  bool prediction = true;
  std::string reason;               // why it is not available
  std::optional<device_info> info;  // where it was opened
};

device_entry look_at(const std::string& text) {
  const device_request request = parse_device_request(text);
  const device_availability there = find_device(request);
  device_entry entry{text, there.available, request.kind != device_kind::cuda, there.reason, {}};
  if (!entry.available || request.kind == device_kind::plan) return entry;
  try {
    entry.info = open_device(request)->info();
    entry.prediction = entry.info->prediction();
  } catch (const device_error& fault) {
    entry.available = false;
    entry.reason = fault.what();
  }
  return entry;
}

/// What "auto" stands for here.
std::string automatic_device() {
  return find_device(parse_device_request("cuda:0")).available ? "cuda:0" : "cpu";
}

std::vector<device_entry> all_devices() {
  std::vector<device_entry> entries;
  for (int i = 0; i < most_devices; ++i) {
    entries.push_back(look_at(fmt::format("cuda:{}", i)));
    if (entries.back().available) continue;
    if (i > 0) entries.pop_back();  // the first one says why there is none
    break;
  }
  entries.push_back(look_at("cpu"));
  return entries;
}

std::string line(std::string_view name, std::string_view value) {
  return fmt::format("{:<14}{}\n", name, wrap_column(printable(value), value_column));
}

std::string or_none(const std::optional<std::string>& value) { return value.value_or("none"); }

std::string words_of(const device_entry& entry) {
  if (!entry.available) return entry.reason;
  std::string words(entry.prediction ? "predictions" : "measurements");
  if (entry.info) {
    words += fmt::format("; {}, {}", entry.info->name, format_exact(entry.info->capacity));
    if (entry.info->compute_capability) {
      words += fmt::format(", compute capability {}", *entry.info->compute_capability);
    }
  }
  return words;
}

json optional_json(const std::optional<std::string>& value) {
  return value ? json(*value) : json(nullptr);
}

json device_json(const device_entry& entry) {
  json each = {{"id", entry.id},
               {"available", entry.available},
               {"counts_as", entry.prediction ? "prediction" : "measurement"},
               {"reason", entry.reason}};
  each["name"] = entry.info ? json(entry.info->name) : json(nullptr);
  each["uuid"] = entry.info ? optional_json(entry.info->uuid) : json(nullptr);
  each["compute_capability"] =
      entry.info ? optional_json(entry.info->compute_capability) : json(nullptr);
  each["capacity_bytes"] = entry.info ? json(entry.info->capacity.n) : json(nullptr);
  return each;
}

class environment_command final : public command {
 public:
  explicit environment_command(const program& of) : program_(of) {}

  [[nodiscard]] command_words words() const override {
    return {.name = "environment",
            .purpose = "what this machine and this build have; which devices can measure",
            .arguments = "",
            .details =
                "Operating system, processor, compiler, CUDA versions, libraries, and the devices: "
                "those that would give measurements, those that give predictions, and why one is "
                "not there. A plan device is always there.",
            .exits =
                "0 done\n2 the device named with --device is not there\n3 an option is not "
                "valid",
            .example =
                "headroom environment\n"
                "headroom environment --device cuda:0 --json"};
  }

  void declare(CLI::App& options) override {
    options.add_option("--device", device_, "look at this one alone: cuda:0, cpu, plan:24GB, auto")
        ->type_name("DEVICE");
    options.add_flag("--json", json_, "print one JSON document");
  }

  exit_code run(const console& io) override {
    std::vector<device_entry> devices;
    if (device_) {
      const device_request asked = device_option("--device", *device_);
      devices.push_back(look_at(asked.automatic ? automatic_device() : *device_));
      if (!devices.front().available) throw device_error(devices.front().reason);
    } else {
      devices = all_devices();
    }
    io.out << (json_ ? json_of(devices) : text_of(devices));
    return exit_code::done;
  }

 private:
  [[nodiscard]] std::string text_of(const std::vector<device_entry>& devices) const {
    const environment_record where = capture_environment();
    const tool_record tool = this_tool();
    std::string text =
        line("headroom", tool.version + (tool.revision ? ", revision " + *tool.revision : ""));
    text += line("system", where.os);
    text += line("processor", where.host_cpu);
    text += line("compiler", where.compiler);
    text += line("backends", fmt::format("{}", fmt::join(where.backends, ", ")));
    text += line("CUDA Toolkit", or_none(where.cuda_toolkit) + ", of this build");
    text += line("CUDA runtime", or_none(where.cuda_runtime));
    text += line("CUDA driver", or_none(where.cuda_driver));
    text += line("NVML", or_none(where.nvml));
    for (const auto& [name, version] : program_.libraries) text += line(name, version);
    text += line("allocator", "caching, settings: defaults unless --allocator is given");
    if (const char* const set = std::getenv("PYTORCH_ALLOC_CONF")) {
      text += line("", fmt::format("PYTORCH_ALLOC_CONF is \"{}\" and is not read", set));
    }
    text += "\ndevices\n";
    for (const device_entry& each : devices) {
      text += line("  " + each.id, words_of(each));
    }
    if (!device_) text += line("  plan:SIZE", "predictions, against any capacity: plan:24GB");
    return text;
  }

  [[nodiscard]] std::string json_of(const std::vector<device_entry>& devices) const {
    const environment_record where = capture_environment();
    const tool_record tool = this_tool();
    json libraries = json::object();
    for (const auto& [name, version] : program_.libraries) libraries[name] = version;
    json list = json::array();
    for (const device_entry& each : devices) list.push_back(device_json(each));
    const char* const set = std::getenv("PYTORCH_ALLOC_CONF");
    const json document = {
        {"schema", "headroom-environment/1"},
        {"tool", {{"version", tool.version}, {"revision", optional_json(tool.revision)}}},
        {"os", where.os},
        {"host_cpu", where.host_cpu},
        {"compiler", where.compiler},
        {"backends", where.backends},
        {"cuda_toolkit", optional_json(where.cuda_toolkit)},
        {"cuda_runtime", optional_json(where.cuda_runtime)},
        {"cuda_driver", optional_json(where.cuda_driver)},
        {"nvml", optional_json(where.nvml)},
        {"libraries", libraries},
        {"allocator",
         {{"name", "caching"}, {"pytorch_alloc_conf", set ? json(set) : json(nullptr)}}},
        {"devices", list}};
    return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
  }

  const program& program_;
  std::optional<std::string> device_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> make_environment(const program& of) {
  return std::make_unique<environment_command>(of);
}

}  // namespace headroom::cli
