// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "check_writer.hpp"

#include <fmt/format.h>

#include <headroom/report/failure_text.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string shown(const fs::path& file) { return printable(file.string()); }

std::string totals_words(const check_totals& totals) {
  int all = 0;
  std::string words;
  for (const auto& [name, count] : totals) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, name);
    all += count;
  }
  return fmt::format("{} series: {}", all, words);
}

std::string_view standing(const checked_artifact& each) {
  return each.stored.series.prediction() ? " (prediction)" : "";
}

class text_writer final : public check_writer {
 public:
  explicit text_writer(std::ostream& out) : out_(out) {}

  void begin(const budget& against) override {
    out_ << "against " << printable(against.name) << ", " << printable(against.file) << '\n';
  }
  void artifact(const checked_artifact& each) override {
    out_ << check_line(each) << '\n';
    if (const std::string why = check_failure(each); !why.empty()) {  // which has the warnings
      out_ << '\n' << why << '\n';
      return;
    }
    for (const std::string& warning : each.result.warnings) {
      out_ << "  " << wrap("warning: " + printable(warning), 4, 78) << '\n';
    }
  }
  void unreadable(const fs::path& file, std::string_view message) override {
    out_ << shown(file) << ": not an artifact\n" << message << '\n';
  }
  void unfinished(const fs::path& file, const start_record& /*started*/) override {
    out_ << shown(file) << ": started, not finished: nothing was measured\n";
  }
  void end(const check_totals& totals) override { out_ << wrap(totals_words(totals), 2) << '\n'; }

 private:
  std::ostream& out_;
};

json limit_json(const limit_verdict& each) {
  const auto size = [](const std::optional<bytes>& value) {
    return value ? json(value->n) : json(nullptr);
  };
  return {{"device", each.device},
          {"counter", name_of(each.counter)},
          {"scope", name_of(each.scope)},
          {"bound", name_of(each.bound)},
          {"phase", each.phase},
          {"limit_bytes", size(each.limit)},
          {"measured_bytes", size(each.measured)},
          {"verdict", name_of(each.result)},
          {"line", each.line}};
}

/// One document, written piece by piece.
class json_writer final : public check_writer {
 public:
  explicit json_writer(std::ostream& out) : out_(out) {}

  void begin(const budget& against) override {
    out_ << "{\n  \"schema\": \"headroom-check/1\",\n  \"budget\": " << text(against.name)
         << ",\n  \"budget_file\": " << text(against.file) << ",\n  \"artifacts\": [";
  }
  void artifact(const checked_artifact& each) override {
    json limits = json::array();
    for (const limit_verdict& judged : each.result.limits) limits.push_back(limit_json(judged));
    add({{"file", each.file.string()},
         {"outcome", name_of(each.result.outcome)},
         {"reason", each.result.reason},
         {"stored_outcome", name_of(each.stored.result.outcome)},
         {"prediction", each.stored.series.prediction()},
         {"warnings", each.result.warnings},
         {"limits", limits}});
  }
  void unreadable(const fs::path& file, std::string_view message) override {
    add({{"file", file.string()}, {"outcome", nullptr}, {"reason", message}});
  }
  void unfinished(const fs::path& file, const start_record& started) override {
    add({{"file", file.string()},
         {"outcome", nullptr},
         {"reason", "started at " + started.created + ", not finished"}});
  }
  void end(const check_totals& totals) override {
    out_ << (first_ ? "]" : "\n  ]") << ",\n  \"totals\": " << dump(json(totals)) << "\n}\n";
  }

 private:
  static std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  static std::string text(const std::string& value) { return dump(json(value)); }
  void add(const json& value) {
    out_ << (first_ ? "\n    " : ",\n    ") << dump(value);
    first_ = false;
  }

  std::ostream& out_;
  bool first_ = true;
};

/// Workflow commands of GitHub Actions: annotations at the line of the budget that is not kept.
class github_writer final : public check_writer {
 public:
  explicit github_writer(std::ostream& out) : out_(out) {}

  void begin(const budget& against) override { budget_ = against.file; }
  void artifact(const checked_artifact& each) override {
    for (const std::string& warning : each.result.warnings) {
      annotate("warning", 0, shown(each.file), warning);
    }
    if (each.result.outcome == outcome::within) return;
    const std::string title =
        fmt::format("{}: {}", each.against.name, words_of(each.result.outcome));
    const std::string why = check_failure(each);
    bool placed = false;
    for (const limit_verdict& judged : each.result.limits) {
      if (judged.result != ruling::exceeded) continue;
      annotate("error", judged.line, title, why);
      placed = true;
    }
    if (!placed) annotate("error", 0, title, why);
  }
  void unreadable(const fs::path& file, std::string_view message) override {
    annotate("error", 0, shown(file) + ": not an artifact", message);
  }
  void unfinished(const fs::path& file, const start_record& /*started*/) override {
    annotate("error", 0, "started, not finished", shown(file));
  }
  void end(const check_totals& totals) override { out_ << totals_words(totals) << '\n'; }

 private:
  static std::string escaped(std::string_view text, bool property) {
    std::string result;
    for (const char c : text) {
      if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','))) {
        result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
      } else {
        result += c;
      }
    }
    return result;
  }
  void annotate(std::string_view kind, int line, std::string_view title, std::string_view text) {
    out_ << "::" << kind << " file=" << escaped(printable(budget_), true);
    if (line > 0) out_ << ",line=" << line;
    out_ << ",title=" << escaped(printable(title), true) << "::" << escaped(text, false) << '\n';
  }

  std::ostream& out_;
  std::string budget_;
};

/// Test Anything Protocol, version 14.
class tap_writer final : public check_writer {
 public:
  explicit tap_writer(std::ostream& out) : out_(out) {}

  void begin(const budget& /*against*/) override { out_ << "TAP version 14\n"; }
  void artifact(const checked_artifact& each) override {
    const bool skipped = each.result.outcome == outcome::skipped;
    const bool green = each.result.outcome == outcome::within || skipped;
    point(green, check_line(each), skipped ? " # SKIP " + printable(each.result.reason) : "");
    if (!skipped) comment(check_failure(each));
  }
  void unreadable(const fs::path& file, std::string_view message) override {
    point(false, shown(file) + ": not an artifact", "");
    comment(message);
  }
  void unfinished(const fs::path& file, const start_record& /*started*/) override {
    point(false, shown(file) + ": started, not finished", "");
  }
  void end(const check_totals& /*totals*/) override { out_ << "1.." << points_ << '\n'; }

 private:
  void point(bool green, std::string_view text, std::string_view directive) {
    std::string name;
    for (const char c : text) name += c == '#' ? std::string("\\#") : std::string(1, c);
    out_ << (green ? "ok " : "not ok ") << ++points_ << " - " << name << directive << '\n';
  }
  void comment(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out_ << "# " << text.substr(0, end) << '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::ostream& out_;
  int points_ = 0;
};

}  // namespace

std::string check_failure(const checked_artifact& each) {
  if (each.result.outcome == outcome::within) return "";
  const std::string text = failure_text(each.stored.series, each.result, each.against, each.file);
  std::string safe;  // an artifact's texts may hold anything
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    safe += printable(std::string_view(text).substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return safe;
}

std::string check_line(const checked_artifact& each) {
  const verdict& result = each.result;
  std::string line =
      fmt::format("{}: {}{}", shown(each.file), words_of(result.outcome), standing(each));
  if (result.outcome == outcome::within) line += ", " + result.reason;
  return line;
}

std::unique_ptr<check_writer> make_check_writer(std::string_view format, std::ostream& out) {
  if (format == "json") return std::make_unique<json_writer>(out);
  if (format == "github") return std::make_unique<github_writer>(out);
  if (format == "junit") return make_junit_writer(out);
  if (format == "tap") return std::make_unique<tap_writer>(out);
  return std::make_unique<text_writer>(out);
}

}  // namespace headroom::cli
