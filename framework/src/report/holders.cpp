// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "holders.hpp"

#include <fmt/format.h>

#include <headroom/core/size_text.hpp>
#include <headroom/report/words.hpp>
#include <optional>

namespace headroom {
namespace {

std::string row(std::string_view name, bytes size, std::string_view note) {
  const std::string text = fmt::format("{:<17}{:>12}  {}", name, format_binary(size), note);
  return fmt::format("    {}\n", wrap(text, 35, 76));
}

// What the budget foresees for a tag: the weights, or the reserve items of that name.
std::optional<bytes> foreseen(tag each, const budget& against) {
  if (each == tag::weights) return against.weight_bytes();
  std::optional<bytes> sum;
  for (const reserve_item& item : against.reserve) {
    if (item.name == name_of(each)) sum = sum.value_or(bytes{0}) + item.size;
  }
  return sum;
}

const peak_moment* moment_of(const series_record& series, const limit_verdict& judged) {
  for (const phase_record& phase : series.phases) {
    if (phase.name != judged.phase || phase.pass != judged.pass || phase.repeat != judged.repeat) {
      continue;
    }
    for (const device_reading& reading : phase.readings) {
      const auto& moment = reading.end.at_allocated_peak;
      if (reading.device == judged.device && moment && moment->by_tag) return &*moment;
    }
  }
  return nullptr;
}

}  // namespace

std::string envelope_text(const budget& against) {
  std::string text =
      fmt::format("  the envelope of {} is made up of\n", format_exact(against.envelope()));
  for (const weight_group& each : against.weights) {
    text += row(each.name, storage_bytes(each),
                fmt::format("computed: weights, {} x {} bit", each.parameters, each.bits));
  }
  for (const reserve_item& each : against.reserve) {
    text += row(each.name, each.size, fmt::format("{}: {}", name_of(each.basis), each.why));
  }
  return text;
}

holders holders_of(const series_record& series, const limit_verdict& judged,
                   const budget& against) {
  const peak_moment* moment = moment_of(series, judged);
  if (moment == nullptr) {
    return {"  who holds the bytes was not measured: the counters know no tags\n", ""};
  }
  holders result{fmt::format("  held at the allocated peak of {}\n", printable(judged.phase)), ""};
  for (const tag each : all_tags) {
    const bytes held = (*moment->by_tag)[each];
    const std::optional<bytes> planned = foreseen(each, against);
    if (held.n == 0 && !planned) continue;
    result.text += row(name_of(each), held, format_bytes(held));
    if (!planned) {
      result.text += fmt::format("{:35}the budget has no reserve of this name\n", "");
    } else if (held > *planned) {
      const std::string over = format_exact(held - *planned);
      result.text += fmt::format("{:35}above the budget by {}\n", "", over);
      result.suspects += fmt::format("{}{}", result.suspects.empty() ? "" : ", ", name_of(each));
    }
  }
  return result;
}

}  // namespace headroom
