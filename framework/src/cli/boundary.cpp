// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/words.hpp>

#include "progress.hpp"
#include "variation.hpp"

namespace headroom::cli {
namespace {

measure_request at_value(const boundary_question& asked, std::int64_t value) {
  measure_request request = asked.request;
  request.work.requested.set(asked.dimension, value);
  return request;
}

bool ended_as(const fresh_point& point, bool fits) {
  return point.stored && fits_device(point.stored->series, point.stored->result) == fits;
}

boundary_neighbour run_neighbour(const console& io, const boundary_question& asked,
                                 std::int64_t value, bool fits) {
  boundary_neighbour neighbour{value, fits, {}, {}};
  measure_request request = at_value(asked, value);
  const auto run = [&](const std::filesystem::path& path) {
    fresh_point point = run_point(io, request, path);
    if (point.interrupted) throw unknown_error("stopped");
    if (!point.stored) throw output_error(point.message);
    return point;
  };
  neighbour.planned = run(point_path(asked.folder, asked.dimension, value));
  if (!asked.confirm) return neighbour;
  request.device = *asked.confirm;
  std::string id = asked.confirm->text;
  std::replace(id.begin(), id.end(), ':', '-');
  neighbour.confirmed = run(point_path(asked.folder, id + "-" + asked.dimension, value));
  return neighbour;
}

}  // namespace

bool fits_device(const series_record& series, const verdict& result) {
  if (series.setup_error) throw unknown_error(*series.setup_error);
  switch (result.outcome) {
    case outcome::within:
      return true;
    case outcome::exceeded:
    case outcome::out_of_memory:
      return false;
    case outcome::unknown:
    case outcome::failed:
    case outcome::setup_error:
    case outcome::skipped:
      break;
  }
  throw unknown_error(fmt::format("{}: {}", words_of(result.outcome), result.reason));
}

bool boundary_answer::agrees() const {
  return std::all_of(neighbours.begin(), neighbours.end(), [](const boundary_neighbour& each) {
    return ended_as(each.planned, each.fits) &&
           (!each.confirmed || ended_as(*each.confirmed, each.fits));
  });
}

boundary_answer answer_boundary(const program& of, const console& io, boundary_question question) {
  boundary_answer answer;
  const interrupt_guard guard;
  const progress shown(io);
  const auto fits = [&](std::int64_t value) {
    if (interrupt_guard::received() != 0) throw unknown_error("stopped");
    shown.say(fmt::format("{} {} on {}", question.dimension, value, question.request.device.text));
    const measure_request request = at_value(question, value);
    try {
      const measured_request done = run_request(of, request);
      return fits_device(done.series, done.result);
    } catch (const unknown_error& fault) {
      throw unknown_error(fmt::format("{} {}: {}", question.dimension, value, fault.what()));
    } catch (const usage_error& fault) {
      throw usage_error(fmt::format("{} {}: {}", question.dimension, value, fault.what()));
    }
  };
  answer.search = find_boundary(question.from, question.to, fits);
  require_folder(question.folder);
  const auto neighbour = [&](std::optional<std::int64_t> value, bool ends_well) {
    if (!value) return;
    shown.say(fmt::format("{} {} in a fresh process", question.dimension, *value));
    answer.neighbours.push_back(run_neighbour(io, question, *value, ends_well));
  };
  neighbour(answer.search.largest_that_fits(), true);
  neighbour(answer.search.smallest_that_fails(), false);
  answer.asked = std::move(question);
  return answer;
}

}  // namespace headroom::cli
