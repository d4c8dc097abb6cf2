// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/report/words.hpp>
#include <headroom/report/xml_text.hpp>

#include "check_writer.hpp"
#include "unnamed_file.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

/// Counts stand in front in this format: the cases wait in a temporary file until they are known.
class junit_writer final : public check_writer {
 public:
  explicit junit_writer(std::ostream& out) : out_(out), cases_(unnamed_file("the cases")) {}

  void begin(const budget& against) override { suite_ = printable(against.name); }
  void artifact(const checked_artifact& each) override {
    const verdict& result = each.result;
    const std::string_view words = words_of(result.outcome);
    switch (result.outcome) {
      case outcome::within:
        return add(each.file, "");
      case outcome::skipped:
        ++skipped_;
        return add(each.file,
                   fmt::format(R"(<skipped message="{}"/>)", xml_text(printable(result.reason))));
      case outcome::exceeded:
        ++failures_;
        return add(each.file, element("failure", words, check_failure(each)));
      default:
        ++errors_;
        return add(each.file, element("error", words, check_failure(each)));
    }
  }
  void unreadable(const fs::path& file, std::string_view message) override {
    ++errors_;
    add(file, element("error", "not an artifact", message));
  }
  void unfinished(const fs::path& file, const start_record& started) override {
    ++errors_;
    add(file, element("error", "not finished", "started at " + printable(started.created)));
  }
  void end(const check_totals& /*totals*/) override {
    out_ << R"(<?xml version="1.0" encoding="UTF-8"?>)" << '\n'
         << fmt::format(R"(<testsuites><testsuite name="{}" tests="{}" failures="{}" errors="{}" )"
                        R"(skipped="{}">)",
                        xml_text(suite_), tests_, failures_, errors_, skipped_)
         << '\n';
    cases_.flush();
    cases_.seekg(0);
    if (tests_ > 0) out_ << cases_.rdbuf();
    out_ << "</testsuite></testsuites>\n";
  }

 private:
  static std::string element(std::string_view kind, std::string_view message,
                             std::string_view text) {
    return fmt::format(R"(<{0} message="{1}">{2}</{0}>)", kind, xml_text(message), xml_text(text));
  }
  void add(const fs::path& file, std::string_view inside) {
    ++tests_;
    cases_ << fmt::format(R"(<testcase classname="{}" name="{}">{}</testcase>)", xml_text(suite_),
                          xml_text(printable(file.string())), inside)
           << '\n';
  }

  std::ostream& out_;
  std::fstream cases_;
  std::string suite_;
  int tests_ = 0;
  int failures_ = 0;
  int errors_ = 0;
  int skipped_ = 0;
};

}  // namespace

std::unique_ptr<check_writer> make_junit_writer(std::ostream& out) {
  return std::make_unique<junit_writer>(out);
}

}  // namespace headroom::cli
