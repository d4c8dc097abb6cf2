// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/report/words.hpp>
#include <iterator>

#include "holders.hpp"

namespace headroom {
namespace {

constexpr std::size_t most_lines = 10;  // of one list; the rest is counted
constexpr std::size_t value_column = 12;

class failure_writer {
 public:
  failure_writer(const series_record& series, const verdict& result, const budget& against)
      : series_(series), result_(result), against_(against) {}

  std::string write(const std::filesystem::path& artifact) {
    headline();
    field("device", devices_words(series_));
    list_rehearsals();
    field("workload", workload_words(series_.workload));
    if (const phase_record* failed = series_.failed_phase()) failure(*failed);
    list_exceeded();
    // After a failure every limit is unknown for that one reason.
    if (series_.failed_phase() == nullptr) list_unknown();
    kept_limits();
    if (const limit_verdict* worst = worst_excess()) explain(*worst);
    for (const std::string& warning : result_.warnings) field("warning", warning);
    // Paths stay on one line, so that they can be copied.
    line("  budget    {}{}{}", against_.name, against_.file.empty() ? "" : ", ", against_.file);
    line("  artifact  {}", artifact.empty() ? "none: nothing was measured" : artifact.string());
    field("next", next_step());
    return text_;
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void field(std::string_view name, std::string_view value) {
    line("  {}", wrap(fmt::format("{:<10}{}", name, printable(value)), value_column, 78));
  }

  [[nodiscard]] std::string test_name() const {
    return printable(series_.test.empty() ? against_.name : series_.test);
  }

  void headline() {
    switch (result_.outcome) {
      case outcome::exceeded:
        line("Memory budget exceeded: {}", test_name());
        break;
      case outcome::unknown:
        line("Memory budget not judged (unknown): {}", test_name());
        break;
      case outcome::out_of_memory:
        line("Out of memory: {}", test_name());
        break;
      case outcome::failed:
        line("Workload failed: {}", test_name());
        break;
      case outcome::setup_error:
        line("Setup error, nothing measured: {}", test_name());
        break;
      case outcome::skipped:
        line("Skipped: {}", test_name());
        break;
      case outcome::within:
        line("Within budget: {}", test_name());
        break;
    }
    if (result_.outcome != outcome::exceeded && series_.failed_phase() == nullptr) {
      field("reason", result_.reason);
    }
  }

  void list_rehearsals() {
    for (const device_record& each : series_.devices) {
      if (!each.rehearsed) continue;
      field("rehearsal",
            fmt::format("{} refused {} of {} allocations and {} segments on {}",
                        each.rehearsed->plan, each.rehearsed->refused, each.rehearsed->allocations,
                        each.rehearsed->segments, each.info.id));
    }
  }

  void failure(const phase_record& failed) {
    field("phase", place_words(failed.name, failed.pass, failed.repeat, series_.protocol));
    if (series_.devices.size() > 1) {
      field("failed on", failed.error->device.empty() ? "device not known" : failed.error->device);
    }
    if (failed.error->requested) {
      field("asked", fmt::format("{} for {}", format_exact(*failed.error->requested),
                                 failed.error->what ? name_of(*failed.error->what) : "other"));
    }
    field("message", failed.error->message);
    for (const device_reading& reading : failed.readings) {
      const auto& peak = reading.end[counter_id::allocated_peak];
      field("reached", fmt::format("allocated peak {} on {}: partial, not what the workload needs",
                                   peak ? format_exact(*peak) : "not measured", reading.device));
    }
  }

  [[nodiscard]] static std::string percent_over(bytes excess, bytes limit) {
    if (limit.n <= 0) return "";
    const double share = 100.0 * static_cast<double>(excess.n) / static_cast<double>(limit.n);
    return fmt::format(", {:+.1f} %", share);
  }

  [[nodiscard]] std::string subject(const limit_verdict& each) const {
    std::string what(words_of(each.counter));
    if (each.scope == limit_scope::growth) what += " growth over the warm repeats";
    if (each.scope == limit_scope::headroom) what = "headroom over the reserved peak";
    if (series_.devices.size() > 1) what += " on " + printable(each.device);
    return what;
  }

  [[nodiscard]] std::string limit_words(const limit_verdict& each) const {
    std::string words = each.bound == bound::at_most ? "at most " : "at least ";
    words += each.limit ? format_exact(*each.limit) : "none";
    if (each.from_envelope) words += ", the envelope";
    return words;
  }

  void limit_lines(const limit_verdict& each) {
    line("    limit     {}", limit_words(each));
    if (each.line > 0 && !against_.file.empty()) {
      line("    written   {}:{}", against_.file, each.line);
    }
  }

  // Calls `print` for the first limits with a ruling, and counts the others.
  template <class Print>
  void list(ruling which, Print print) {
    std::size_t seen = 0;
    for (const limit_verdict& each : result_.limits) {
      if (each.result != which || ++seen > most_lines) continue;
      line("");
      print(each);
    }
    if (seen > most_lines) line("\n  and {} more", seen - most_lines);
  }

  void list_exceeded() {
    list(ruling::exceeded, [this](const limit_verdict& each) {
      const bytes excess = each.excess().value_or(bytes{0});
      if (each.bound == bound::at_most) {
        line("  {} over by {}{}", subject(each), format_exact(excess),
             percent_over(excess, each.limit.value_or(bytes{0})));
      } else {
        line("  {} short by {}", subject(each), format_exact(excess));
      }
      if (!each.phase.empty()) {
        line("    phase     {}",
             printable(place_words(each.phase, each.pass, each.repeat, series_.protocol)));
      }
      limit_lines(each);
      line("    measured  {}", each.measured ? format_exact(*each.measured) : "not measured");
    });
  }

  void list_unknown() {
    list(ruling::unknown, [this](const limit_verdict& each) {
      line("  {} unknown", subject(each));
      line("    because   {}", printable(each.reason));
      limit_lines(each);
    });
  }

  void kept_limits() {
    const auto kept =
        std::count_if(result_.limits.begin(), result_.limits.end(),
                      [](const limit_verdict& each) { return each.result == ruling::within; });
    const auto waived =
        std::count_if(result_.limits.begin(), result_.limits.end(),
                      [](const limit_verdict& each) { return each.result == ruling::waived; });
    if (result_.limits.empty()) return;
    line("");
    line("  {} other limit{} kept, {} waived", kept, kept == 1 ? "" : "s", waived);
  }

  [[nodiscard]] const limit_verdict* worst_excess() const {
    const limit_verdict* worst = nullptr;
    for (const limit_verdict& each : result_.limits) {
      const bool about_peak = each.counter == counter_id::allocated_peak ||
                              each.counter == counter_id::allocated_current;
      if (each.result != ruling::exceeded || each.bound != bound::at_most) continue;
      if (worst == nullptr || (about_peak && worst->counter != counter_id::allocated_peak)) {
        worst = &each;
      }
    }
    return worst;
  }

  // How the limit is made up and who holds the bytes, by the budget of the device that exceeds it.
  void explain(const limit_verdict& worst) {
    const auto device =
        std::find_if(series_.devices.begin(), series_.devices.end(),
                     [&](const device_record& each) { return each.info.id == worst.device; });
    const budget local = device == series_.devices.end()
                             ? against_
                             : against_.for_device(device->info.id, device->info.name);
    const holders held = holders_of(series_, worst, local);
    text_ += '\n' + envelope_text(local) + '\n' + held.text + '\n';
    suspects_ = held.suspects;
  }

  [[nodiscard]] std::string next_step() const {
    if (series_.rehearsed_device() != nullptr) {
      return "Out of memory was rehearsed, which is never a pass: unset HEADROOM_REHEARSE to "
             "measure.";
    }
    switch (result_.outcome) {
      case outcome::exceeded:
        return (suspects_.empty()
                    ? std::string("Compare the phases of the artifact with those of the "
                                  "last good run.")
                    : fmt::format("Look for what keeps {} alive in that phase.", suspects_)) +
               " If the growth is intended, raise the limit in a commit of its own that says why.";
      case outcome::out_of_memory:
        return "Lower the request named above, or choose a larger capacity; the artifact holds "
               "every phase up to the failure.";
      case outcome::failed:
        return "Mend the workload; its error stands above and in the artifact.";
      case outcome::setup_error:
        return "Mend what the reason names, then run again.";
      case outcome::unknown:
        return "A value that was not read is no proof. Measure it, or waive its limit with a "
               "reason.";
      case outcome::skipped:
        return "Set HEADROOM_REQUIRE=cuda to make this a failure.";
      case outcome::within:
        break;
    }
    return "Nothing to do.";
  }

  const series_record& series_;
  const verdict& result_;
  const budget& against_;
  std::string text_;
  std::string suspects_;
};

}  // namespace

std::string failure_text(const series_record& series, const verdict& result, const budget& against,
                         const std::filesystem::path& artifact) {
  return failure_writer(series, result, against).write(artifact);
}

}  // namespace headroom
