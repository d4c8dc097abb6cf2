// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "child_environment.hpp"

#include <algorithm>
#include <map>
#include <sstream>

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

void put_emulation(variables& all, const child_settings& with) {
  put_before(all, "LD_LIBRARY_PATH", with.emulation.string());
  // A wheel's own search path comes before LD_LIBRARY_PATH: what is loaded by then it takes.
  std::string& preloaded = all["LD_PRELOAD"];
  preloaded += (preloaded.empty() ? "" : ":") + libraries_in(with.emulation);
  // It hides real cards; how many emulated ones there are was asked for. What the program sets
  // itself holds.
  all.erase("CUDA_VISIBLE_DEVICES");
  all["HEADROOM_EMULATED_CARD"] = with.card;
  all["HEADROOM_EMULATED_DEVICES"] = std::to_string(with.devices);
  all["HEADROOM_EMULATED_CONTEXT"] = std::to_string(with.context.n) + " B";
  if (with.most_launches > 0) {
    all["HEADROOM_EMULATED_LAUNCHES"] = std::to_string(with.most_launches);
  }
  all["HEADROOM_RUN_SEGMENT"] = with.segment;
  all["HEADROOM_RUN_LOG"] = with.log;
}

std::string with_library_before_cuda(const std::string& preloaded, const std::string& own) {
  std::string text;
  bool placed = false;
  std::istringstream files(preloaded);
  for (std::string each; files >> each;) {
    const bool cuda = each.substr(each.rfind('/') + 1).starts_with("libcuda");
    if (cuda && !placed) text += (text.empty() ? "" : ":") + own;
    placed = placed || cuda;
    text += (text.empty() ? "" : ":") + each;
  }
  return placed ? text : text + (text.empty() ? "" : ":") + own;
}

/// The cards to show, of those that are shown to this process.
std::string visible_cards(const variables& all, int first, std::size_t count) {
  std::vector<std::string> shown;
  const auto set = all.find("CUDA_VISIBLE_DEVICES");
  std::istringstream list(set == all.end() ? "" : set->second);
  for (std::string each; std::getline(list, each, ',');) shown.push_back(each);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = static_cast<std::size_t>(first) + i;
    text += (i == 0 ? "" : ",") + (number < shown.size() ? shown[number] : std::to_string(number));
  }
  return text;
}

void put_counting(variables& all, const child_settings& with, const fs::path& library) {
  std::string& preloaded = all["LD_PRELOAD"];
  std::replace(preloaded.begin(), preloaded.end(), ':', ' ');
  preloaded = with_library_before_cuda(preloaded, library.string());
  if (with.first) {
    all["CUDA_VISIBLE_DEVICES"] = visible_cards(all, *with.first, with.cards.size());
  }
  std::string identifiers;
  for (const std::string& each : with.cards) identifiers += (identifiers.empty() ? "" : ",") + each;
  all["HEADROOM_COUNT_CARDS"] = identifiers;
  all["HEADROOM_COUNT_SEGMENT"] = with.segment;
  all["HEADROOM_COUNT_LOG"] = with.log;
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
  const bool counted = with.card.empty();
  const fs::path counting = with.emulation / "libheadroom_count.so";
  const fs::path ranges = with.emulation / "libheadroom_nvtx.so";
  if (counted) {
    put_counting(all, with, counting);
  } else {
    put_emulation(all, with);
  }
  put_before(all, "PYTHONPATH", with.emulation.string() + "/python");
  std::string& nvtx = all["NVTX_INJECTION64_PATH"];
  if (nvtx.empty() || nvtx == ranges || nvtx == counting) {
    nvtx = with.phases == "whole" ? "" : (counted ? counting : ranges).string();
  }
  if (nvtx.empty()) all.erase("NVTX_INJECTION64_PATH");
  all.erase("HEADROOM_RUN_SNAPSHOT");
  if (!with.snapshot.empty()) all["HEADROOM_RUN_SNAPSHOT"] = with.snapshot;
  all["HEADROOM_RUN_PHASES"] = with.phases;
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

}  // namespace headroom::cli
