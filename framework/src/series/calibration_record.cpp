// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/calibration_record.hpp>

#include "artifact_fields.hpp"
#include "program_json.hpp"

namespace headroom {

std::optional<bytes> calibrated_figure::difference() const {
  bytes between;
  if (!predicted || !measured || !checked_add(measured->n, -predicted->n, between.n)) {
    return std::nullopt;
  }
  return between;
}

namespace detail {
namespace {

using json = nlohmann::ordered_json;

json to_json(const std::optional<bytes>& value) { return value ? json(value->n) : json(nullptr); }

calibrated_figure read_figure(const json_node& node, problem_list& problems) {
  calibrated_figure result;
  artifact_fields fields(node, problems);
  fields.text("phase", result.phase);
  fields.text("parent", result.parent);
  fields.text("device", result.device);
  fields.text("counter", result.counter);
  fields.size("predicted_bytes", result.predicted);
  fields.size("measured_bytes", result.measured);
  std::optional<bytes> difference;
  fields.size("difference_bytes", difference, bytes{INT64_MIN});
  fields.finish();
  if (difference != result.difference()) {
    problems.add(node, "\"difference_bytes\" is not measured less predicted");
  }
  return result;
}

}  // namespace

calibration_record read_calibration(const json_node& node, problem_list& problems) {
  calibration_record result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  fields.text("name", result.name);
  fields.text("compute_capability", result.compute_capability);
  fields.size("capacity_bytes", result.capacity);
  fields.flag("emulated", result.emulated);
  fields.flag("alike", result.alike);
  fields.text("artifact", result.artifact);
  fields.text("outcome", result.outcome);
  fields.list("figures", result.figures, read_figure);
  fields.finish();
  return result;
}

nlohmann::ordered_json calibration_json(const calibration_record& record) {
  json figures = json::array();
  for (const calibrated_figure& each : record.figures) {
    figures.push_back({{"phase", each.phase},
                       {"parent", each.parent ? json(*each.parent) : json(nullptr)},
                       {"device", each.device},
                       {"counter", each.counter},
                       {"predicted_bytes", to_json(each.predicted)},
                       {"measured_bytes", to_json(each.measured)},
                       {"difference_bytes", to_json(each.difference())}});
  }
  return {{"device", record.device},
          {"name", record.name},
          {"compute_capability", record.compute_capability},
          {"capacity_bytes", record.capacity.n},
          {"emulated", record.emulated},
          {"alike", record.alike},
          {"artifact", record.artifact},
          {"outcome", record.outcome},
          {"figures", figures}};
}

}  // namespace detail
}  // namespace headroom
