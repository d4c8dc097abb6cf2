// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/size_text.hpp>
#include <headroom/report/estimate_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t formula_indent = 4;

std::string total_name(const estimate_answer& answer) {
  if (answer.has_reserve) return "envelope";
  return answer.figures.terms.size() > 1 ? "sum" : "";
}

/// The rows of a table, with each term's formula behind its row.
std::string table_text(const estimate_answer& answer) {
  text_table table({align::left, align::right, align::right, align::right, align::left});
  const auto add = [&](std::string_view name, bytes size, std::string_view last) {
    table.add({printable(name), fmt::format("{}", size.n), format_in_unit(size, "GB"),
               format_in_unit(size, "GiB"), std::string(last)});
  };
  table.add({"", "bytes", "GB", "GiB", "basis"});
  for (const estimate_term& term : answer.figures.terms) {
    add(term.name, term.size, name_of(term.basis));
  }
  const estimate& figures = answer.figures;
  if (const std::string name = total_name(answer); !name.empty()) {
    add(name, figures.total(), name_of(figures.total_basis()));
  }
  if (answer.capacity) {
    add("capacity", *answer.capacity, "");
    add("headroom", *answer.capacity - figures.total(),
        "capacity - " +
            (total_name(answer).empty() ? figures.terms.front().name : total_name(answer)));
  }
  return table.text(2);
}

std::string formulas_text(const estimate& of) {
  std::string text;
  for (const estimate_term& term : of.terms) {
    text += fmt::format("  {}\n    = {}\n", printable(term.name),
                        wrap_column(printable(term.formula), formula_indent + 2));
  }
  return text;
}

std::string answer_words(const estimate_answer& answer) {
  const std::string capacity =
      fmt::format("{} ({} GiB)", answer.capacity_text, format_in_unit(*answer.capacity, "GiB"));
  switch (*answer.answer()) {
    case capacity_answer::fits:
      return fmt::format(
          "Fits {}, if the reserve is right: it stands for all that is left out below.", capacity);
    case capacity_answer::does_not_fit:
      return answer.figures.computed() > *answer.capacity || !answer.has_reserve
                 ? fmt::format("Does not fit {}: what is computed alone is more.", capacity)
                 : fmt::format("Does not fit {} with this reserve.", capacity);
    case capacity_answer::cannot_be_told:
      break;
  }
  return fmt::format(
      "Whether it fits {} cannot be told from this: what is left out below needs memory too. Give "
      "a --reserve for it, or measure.",
      capacity);
}

json figure(bytes size) {
  return {{"size_bytes", size.n},
          {"gb", format_in_unit(size, "GB")},
          {"gib", format_in_unit(size, "GiB")}};
}

}  // namespace

std::optional<capacity_answer> estimate_answer::answer() const {
  if (!capacity) return std::nullopt;
  return answer_for(figures, has_reserve, *capacity);
}

std::string estimate_text(const estimate_answer& answer) {
  std::string text =
      answer.title + "\n\n" + table_text(answer) + '\n' + formulas_text(answer.figures);
  if (answer.capacity) text += '\n' + wrap(answer_words(answer), 0) + '\n';
  text += answer.has_reserve ? "\nThe reserve has to cover\n" : "\nLeft out\n";
  for (const std::string& each : answer.figures.left_out) {
    text += fmt::format("  {}\n", wrap_column(each, 2));
  }
  return text + "\nGB is 10^9 bytes, GiB is 2^30. A planning figure, never an observed peak.\n";
}

std::string estimate_json(const estimate_answer& answer) {
  json terms = json::array();
  for (const estimate_term& term : answer.figures.terms) {
    json each = {{"name", term.name}};
    each.update(figure(term.size));
    each["basis"] = name_of(term.basis);
    each["formula"] = term.formula;
    terms.push_back(each);
  }
  json total = figure(answer.figures.total());
  total["basis"] = name_of(answer.figures.total_basis());
  json capacity = nullptr;
  if (answer.capacity) {
    capacity = figure(*answer.capacity);
    capacity["headroom_bytes"] = (*answer.capacity - answer.figures.total()).n;
    capacity["answer"] = name_of(*answer.answer());
  }
  const json document = {{"schema", "headroom-estimate/1"},
                         {"of", answer.of},
                         {"terms", terms},
                         {answer.has_reserve ? "envelope" : "sum", total},
                         {"capacity", capacity},
                         {"left_out", answer.figures.left_out}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom
