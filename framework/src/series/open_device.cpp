// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/open_device.hpp>
#ifdef HEADROOM_WITH_CUDA
#include <headroom/cuda/cuda_device.hpp>
#endif

namespace headroom {
namespace {

constexpr std::string_view forms =
    "write auto, cpu, cpu:SIZE (the host, as if it had so much), cuda:N (cuda:0), cuda:GPU-... or "
    "cuda:MIG-... (as nvidia-smi -L shows it), or plan:SIZE (plan:24GB, plan:80GiB)";

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw usage_error(fmt::format("device \"{}\": {}; {}", text, why, forms));
}

/// Which device a request means; says why there is none.
struct found_index {
  int index = 0;
  std::string missing;
};
found_index index_of(const device_request& request) {
  if (request.uuid.empty()) return {request.index, ""};
#ifdef HEADROOM_WITH_CUDA
  const cuda::uuid_search found = cuda::find_uuid(request.uuid);
  if (found.index) return {*found.index, ""};
  return {0, fmt::format("cuda:{} is not there: {}", request.uuid, found.reason)};
#else
  return {0, fmt::format("cuda:{} is not there: this build has no CUDA backend; configure with "
                         "-DHEADROOM_CUDA=ON",
                         request.uuid)};
#endif
}

bytes read_capacity(std::string_view text, std::string_view size_text) {
  const size_result size = parse_size(size_text);
  if (!size.value) refuse(text, size.found + "; " + size.advice);
  if (size.value->n == 0) refuse(text, "a capacity of 0 holds nothing");
  return *size.value;
}

device_availability find_cuda(int index) {
#ifdef HEADROOM_WITH_CUDA
  const cuda::device_survey survey = cuda::survey_devices();
  if (survey.count == 0) {
    return {false, fmt::format("cuda:{} is not there: {}", index, survey.reason)};
  }
  if (index >= survey.count) {
    return {false, fmt::format("cuda:{} is not there: the driver shows {} device(s)", index,
                               survey.count)};
  }
  return {true, ""};
#else
  return {false, fmt::format("cuda:{} is not there: this build has no CUDA backend; configure with "
                             "-DHEADROOM_CUDA=ON",
                             index)};
#endif
}

}  // namespace

device_request parse_device_request(std::string_view text) {
  device_request request;
  request.text = text;
  if (text == "auto") {
    request.automatic = true;
  } else if (text == "cpu") {
    request.kind = device_kind::cpu;
  } else if (text.substr(0, 5) == "cuda:") {
    request.kind = device_kind::cuda;
    const std::string_view digits = text.substr(5);
    if (digits.substr(0, 4) == "GPU-" || digits.substr(0, 4) == "MIG-") {
      if (digits.size() == 4) refuse(text, "the name ends after its first letters");
      request.uuid = digits;
      return request;
    }
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), request.index);
    if (failure != std::errc() || end != digits.data() + digits.size() || request.index < 0) {
      refuse(text, "N is not a number from 0");
    }
  } else if (text.substr(0, 5) == "plan:") {
    request.kind = device_kind::plan;
    request.capacity = read_capacity(text, text.substr(5));
  } else if (text.substr(0, 4) == "cpu:") {
    request.capacity = read_capacity(text, text.substr(4));
  } else {
    refuse(text, "no such device");
  }
  return request;
}

device_availability find_device(const device_request& request) {
  if (request.automatic || request.kind != device_kind::cuda) return {true, ""};
  const found_index found = index_of(request);
  return found.missing.empty() ? find_cuda(found.index) : device_availability{false, found.missing};
}

std::unique_ptr<device> open_device(const device_request& request, const allocator_choice& choice) {
  if (request.automatic) {
    device_request chosen = request;
    chosen.automatic = false;
    chosen.kind = find_cuda(0).available ? device_kind::cuda : device_kind::cpu;
    return open_device(chosen, choice);
  }
  switch (request.kind) {
    case device_kind::cpu:
      return std::make_unique<cpu_device>(choice, request.capacity);
    case device_kind::plan:
      return std::make_unique<plan_device>(std::string_view(request.text).substr(5), choice);
    case device_kind::cuda:
      break;
  }
  const device_availability there = find_device(request);
  if (!there.available) throw device_error(there.reason);
#ifdef HEADROOM_WITH_CUDA
  return cuda::open_device(index_of(request).index, choice);
#else
  throw device_error(there.reason);
#endif
}

std::vector<std::string> built_backends() {
#ifdef HEADROOM_WITH_CUDA
  return {"cpu", "plan", "cuda"};
#else
  return {"cpu", "plan"};
#endif
}

}  // namespace headroom
