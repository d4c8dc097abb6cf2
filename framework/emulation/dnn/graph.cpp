// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "graph.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "../card/calls.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::dnn;

namespace {

constexpr int int64_type = 3;
constexpr int int32_type = 23;
constexpr int descriptor_type = 15;

std::unordered_map<const void*, std::unique_ptr<descriptor>>& descriptors() {
  static auto* all = new std::unordered_map<const void*, std::unique_ptr<descriptor>>;
  return *all;
}
descriptor* find_descriptor(const void* which) {
  const auto found = descriptors().find(which);
  return found == descriptors().end() ? nullptr : found->second.get();
}

std::int64_t workspace_of(const card& all, const descriptor& of) {
  const bool takes_some = of.convolves() && of.engine_number() == 0;
  return takes_some ? static_cast<std::int64_t>(all.set.dnn_workspace) : 0;
}

std::string assumption(const card& all) {
  return "cuDNN: " + std::to_string(all.set.dnn_workspace) +
         " B of workspace for each convolution (HEADROOM_EMULATED_DNN_WORKSPACE)";
}

/// What one answers in place of a setting that was never made.
cudnnStatus_t give_number(int type, std::int64_t value, std::int64_t room, std::int64_t* count,
                          void* into) {
  if (count != nullptr) *count = 1;
  if (room < 1 || into == nullptr) return CUDNN_STATUS_SUCCESS;
  if (type == int32_type) {
    const auto narrow = static_cast<std::int32_t>(value);
    std::memcpy(into, &narrow, sizeof narrow);
  } else {
    std::memcpy(into, &value, sizeof value);
  }
  return CUDNN_STATUS_SUCCESS;
}

/// Engine 0 takes every graph. Convolutions have engine 1 as well, which needs no workspace: a
/// program that finds the card full tries the next.
std::int64_t engines_of(const descriptor& graph) { return graph.convolves() ? 2 : 1; }

std::shared_ptr<descriptor> make_engine(const setting& graph, std::int64_t number) {
  auto made = std::make_shared<descriptor>();
  made->type = static_cast<int>(kind::engine);
  made->finalized = true;
  made->settings[engine_graph] = graph;
  std::vector<char> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  made->settings[engine_index] = {int64_type, 1, std::move(bytes), {}};
  return made;
}

cudnnStatus_t give_configs(const descriptor& of, std::int64_t room, std::int64_t* count,
                           void* into) {
  const auto graph = of.settings.find(heuristics_graph);
  if (graph == of.settings.end()) return CUDNN_STATUS_BAD_PARAM;
  // Callers take the count for what was written where there was room for any.
  const std::int64_t all = engines_of(of);
  const std::int64_t given = into == nullptr || room == 0 ? 0 : std::min(room, all);
  if (count != nullptr) *count = given == 0 ? all : given;
  for (std::int64_t i = 0; i < given; ++i) {
    void* each = nullptr;
    std::memcpy(&each, static_cast<char*>(into) + i * static_cast<std::int64_t>(sizeof each),
                sizeof each);
    descriptor* const config = find_descriptor(each);
    if (config == nullptr) return CUDNN_STATUS_BAD_PARAM;
    config->settings[config_engine] = {descriptor_type, 1, {}, {make_engine(graph->second, i)}};
    config->finalized = true;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t give_setting(const setting& from, std::int64_t room, std::int64_t* count,
                           void* into) {
  if (count != nullptr) *count = from.count;
  if (into == nullptr) return CUDNN_STATUS_SUCCESS;
  const auto given = static_cast<std::size_t>(std::min(room, from.count));
  if (from.type != descriptor_type) {
    if (given > 0) std::memcpy(into, from.bytes.data(), given * size_of_type(from.type));
    return CUDNN_STATUS_SUCCESS;
  }
  // The caller made the descriptors, which become copies.
  for (std::size_t i = 0; i < given; ++i) {
    void* target = nullptr;
    std::memcpy(&target, static_cast<char*>(into) + i * sizeof target, sizeof target);
    descriptor* const copy = find_descriptor(target);
    if (copy == nullptr) return CUDNN_STATUS_BAD_PARAM;
    *copy = *from.descriptors[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t give(const card& all, const descriptor& of, int name, int type, std::int64_t room,
                   std::int64_t* count, void* into) {
  const auto found = of.settings.find(name);
  if (found != of.settings.end()) {
    return found->second.type == type ? give_setting(found->second, room, count, into)
                                      : CUDNN_STATUS_BAD_PARAM;
  }
  switch (name) {
    case heuristics_results:
      return give_configs(of, room, count, into);
    case plan_workspace:
    case config_workspace:
      return give_number(type, workspace_of(all, of), room, count, into);
    case graph_engine_count:
      return give_number(type, engines_of(of), room, count, into);
    case engine_index:
    case config_shared_memory:
      return give_number(type, 0, room, count, into);
    case config_intermediates:
    case config_knobs:
    case engine_knobs:
    case engine_numerical_notes:
    case engine_behavior_notes:
      if (count != nullptr) *count = 0;
      return CUDNN_STATUS_SUCCESS;
    default:
      note_gap(("cudnnBackendGetAttribute: attribute " + std::to_string(name)).c_str());
      return CUDNN_STATUS_NOT_SUPPORTED;
  }
}

}  // namespace

const descriptor* descriptor::part(int name) const {
  const auto found = settings.find(name);
  const bool any = found != settings.end() && !found->second.descriptors.empty();
  return any ? found->second.descriptors.front().get() : nullptr;
}

bool descriptor::convolves() const {
  if (type >= static_cast<int>(kind::convolution_forward) &&
      type <= static_cast<int>(kind::convolution_backward_data)) {
    return true;
  }
  for (const int name :
       {heuristics_graph, plan_config, config_engine, engine_graph, graph_operations}) {
    const auto found = settings.find(name);
    if (found == settings.end()) continue;
    for (const auto& each : found->second.descriptors) {
      if (each->convolves()) return true;
    }
  }
  return false;
}

std::int64_t descriptor::engine_number() const {
  if (const auto found = settings.find(engine_index); found != settings.end()) {
    std::int64_t number = 0;
    std::memcpy(&number, found->second.bytes.data(),
                std::min(sizeof number, found->second.bytes.size()));
    return number;
  }
  for (const int name : {plan_config, config_engine}) {
    if (const descriptor* const inner = part(name)) return inner->engine_number();
  }
  return 0;
}

std::size_t headroom::emulation::dnn::size_of_type(int type) {
  constexpr int handle_type = 0, boolean = 2, double_type = 5, pointer = 6, character = 24;
  constexpr int fraction = 26, last_known = 63;
  switch (type) {
    case handle_type:
    case int64_type:
    case double_type:
    case pointer:
    case descriptor_type:
    case fraction:
      return 8;
    case boolean:
    case character:
      return 1;
    default:  // a float, or one of the enumerators
      return type > 0 && type <= last_known ? 4 : 0;
  }
}

cudnnStatus_t cudnnBackendCreateDescriptor(int type, cudnnBackendDescriptor_t* made) {
  return answer(call::cudnnBackendCreateDescriptor_, [&](session&) {
    if (made == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (type < 0 || type > static_cast<int>(kind::last)) return CUDNN_STATUS_NOT_SUPPORTED;
    auto fresh = std::make_unique<descriptor>();
    fresh->type = type;
    *made = fresh.get();
    descriptors().emplace(fresh.get(), std::move(fresh));
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t which) {
  return answer(call::cudnnBackendDestroyDescriptor_, [&](session&) {
    return which == nullptr || descriptors().erase(which) > 0 ? CUDNN_STATUS_SUCCESS
                                                              : CUDNN_STATUS_BAD_PARAM;
  });
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t which) {
  return answer(call::cudnnBackendFinalize_, [&](session&) {
    descriptor* const of = find_descriptor(which);
    if (of == nullptr) return CUDNN_STATUS_BAD_PARAM;
    if (of->type == static_cast<int>(kind::plan) && of->part(plan_config) == nullptr) {
      return CUDNN_STATUS_BAD_PARAM;
    }
    of->finalized = true;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t which, int name, int type,
                                       std::int64_t count_of, const void* values) {
  return answer(call::cudnnBackendSetAttribute_, [&](session&) {
    descriptor* const of = find_descriptor(which);
    const std::size_t size = size_of_type(type);
    if (of == nullptr || size == 0 || count_of < 0) return CUDNN_STATUS_BAD_PARAM;
    if (values == nullptr && count_of > 0) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    setting fresh{type, count_of, {}, {}};
    const auto* from = static_cast<const char*>(values);
    const auto length = static_cast<std::size_t>(count_of) * size;
    if (type != descriptor_type) {
      if (length > 0) fresh.bytes.assign(from, from + length);
    } else {
      for (std::size_t at = 0; at < length; at += size) {
        void* each = nullptr;
        std::memcpy(&each, from + at, sizeof each);
        const descriptor* const known = find_descriptor(each);
        if (known == nullptr) return CUDNN_STATUS_BAD_PARAM;
        fresh.descriptors.push_back(std::make_shared<descriptor>(*known));
      }
    }
    of->settings[name] = std::move(fresh);
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t which, int name, int type,
                                       std::int64_t room, std::int64_t* count_of, void* values) {
  return answer(call::cudnnBackendGetAttribute_, [&](session& now) {
    const descriptor* const of = find_descriptor(which);
    if (of == nullptr || room < 0) return CUDNN_STATUS_BAD_PARAM;
    if (!of->finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
    return give(now.all, *of, name, type, room, count_of, values);
  });
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t about, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t pack) {
  return answer_about(call::cudnnBackendExecute_, about, [&](session& now, const handle& of) {
    const descriptor* const what = find_descriptor(plan);
    const descriptor* const with = find_descriptor(pack);
    if (what == nullptr || with == nullptr || what->type != static_cast<int>(kind::plan)) {
      return CUDNN_STATUS_BAD_PARAM;
    }
    if (!what->finalized || !with->finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
    if (what->convolves()) note_assumption(assumption(now.all));
    return leave_out(now, of);
  });
}
