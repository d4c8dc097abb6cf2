// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "child_environment.hpp"

#include <algorithm>
#include <map>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using variables = std::map<std::string, std::string>;

void put_before(variables& all, const std::string& name, const std::string& value) {
  std::string& known = all[name];
  known = known.empty() ? value : value + ":" + known;
}

/// Every stand-in but the card, which they bring; the newest major first, whose names without a
/// version a program then finds.
std::string libraries_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& each : fs::directory_iterator(folder)) {
    const std::string name = each.path().filename().string();
    if (name.starts_with("lib") && name.find(".so") != std::string::npos &&
        !name.starts_with("libheadroom")) {
      files.push_back(each.path().string());
    }
  }
  std::sort(files.rbegin(), files.rend());
  std::string text;
  for (const std::string& each : files) text += (text.empty() ? "" : ":") + each;
  return text;
}

}  // namespace

std::vector<std::string> child_environment(const std::vector<std::string>& own,
                                           const child_settings& with) {
  variables all;
  for (const std::string& line : own) {
    const std::size_t sign = line.find('=');
    if (sign != std::string::npos && sign > 0) {
      all.emplace(line.substr(0, sign), line.substr(sign + 1));
    }
  }
  const std::string folder = with.emulation.string();
  put_before(all, "LD_LIBRARY_PATH", folder);
  // A wheel's own search path comes before LD_LIBRARY_PATH: what is loaded by then it takes.
  std::string& preloaded = all["LD_PRELOAD"];
  preloaded += (preloaded.empty() ? "" : ":") + libraries_in(with.emulation);
  put_before(all, "PYTHONPATH", folder + "/python");
  const fs::path nvtx = with.emulation / "libheadroom_nvtx.so";
  if (with.phases != "whole" && fs::exists(nvtx) && !all.contains("NVTX_INJECTION64_PATH")) {
    all["NVTX_INJECTION64_PATH"] = nvtx.string();
  }
  all["HEADROOM_EMULATED_CARD"] = with.card;
  all["HEADROOM_EMULATED_DEVICES"] = std::to_string(with.devices);
  all["HEADROOM_EMULATED_CONTEXT"] = std::to_string(with.context.n) + " B";
  if (with.most_launches > 0) {
    all["HEADROOM_EMULATED_LAUNCHES"] = std::to_string(with.most_launches);
  }
  all.erase("HEADROOM_RUN_SNAPSHOT");
  if (!with.snapshot.empty()) all["HEADROOM_RUN_SNAPSHOT"] = with.snapshot;
  all["HEADROOM_RUN_SEGMENT"] = with.segment;
  all["HEADROOM_RUN_LOG"] = with.log;
  all["HEADROOM_RUN_PHASES"] = with.phases;
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

}  // namespace headroom::cli
