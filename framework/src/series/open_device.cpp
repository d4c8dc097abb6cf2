// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/open_device.hpp>
#include <set>
#ifdef HEADROOM_WITH_CUDA
#include <headroom/cuda/cuda_device.hpp>
#endif

namespace headroom {
namespace {

constexpr std::string_view forms =
    "write auto, cpu, cpu:SIZE (the host, as if it had so much), cuda:N (cuda:0), cuda:GPU-... or "
    "cuda:MIG-... (as nvidia-smi -L shows it), or plan:SIZE (plan:24GB, plan:80GiB); several as "
    "cuda:0,cuda:1 or plan:24GB*2";

constexpr int most_devices = 1024;

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
  return {true, "", cuda::is_emulated()};
#else
  return {false, fmt::format("cuda:{} is not there: this build has no CUDA backend; configure with "
                             "-DHEADROOM_CUDA=ON",
                             index)};
#endif
}

/// What stands before "#1", which tells alike devices apart.
std::string_view without_number(std::string_view text) {
  const std::size_t mark = text.find('#');
  if (mark == std::string_view::npos) return text;
  const std::string_view digits = text.substr(mark + 1);
  if (digits.empty() || digits.size() > 4 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    refuse(text, "what follows # is not a number");
  }
  return text.substr(0, mark);
}

/// One device of a list.
device_request parse_one(std::string_view text) {
  device_request request;
  request.text = text;
  if (text == "auto") {
    request.automatic = true;
    request.id = "cpu";  // where there is no GPU
  } else if (text.substr(0, 3) == "cpu" && (text.size() == 3 || text[3] == '#')) {
    request.kind = device_kind::cpu;
    request.id = text;
    static_cast<void>(without_number(text));
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
    request.capacity = read_capacity(text, without_number(text).substr(5));
    request.id = text;
  } else if (text.substr(0, 4) == "cpu:") {
    request.capacity = read_capacity(text, without_number(text).substr(4));
    const std::size_t mark = text.find('#');
    request.id = "cpu";
    if (mark != std::string_view::npos) request.id += text.substr(mark);
  } else {
    refuse(text, "no such device");
  }
  return request;
}

/// "plan:24GB*2" as 2 of "plan:24GB".
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    int times = 1;
    if (const std::size_t star = part.find('*'); star != std::string_view::npos) {
      const char* const last = part.data() + part.size();
      const auto [stop, failure] = std::from_chars(part.data() + star + 1, last, times);
      if (failure != std::errc() || stop != last || times < 1 || times > most_devices) {
        refuse(text, fmt::format("what follows * is not a number from 1 to {}", most_devices));
      }
      part = part.substr(0, star);
      if (part == "auto" || part.substr(0, 5) == "cuda:") {
        refuse(text, "only cpu and plan can be multiplied");
      }
    }
    parts.insert(parts.end(), static_cast<std::size_t>(times), std::string(part));
    begin = end + 1;
  }
  return parts;
}

/// The number behind # of those that are alike, where none was written.
void number_alike(std::vector<std::string>& parts) {
  const std::vector<std::string> as_written = parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].substr(0, 3) != "cpu" && parts[i].substr(0, 5) != "plan:") continue;
    if (parts[i].find('#') != std::string::npos) continue;
    const auto alike = std::count(as_written.begin(), as_written.end(), as_written[i]);
    if (alike < 2) continue;
    const auto before = std::count(
        as_written.begin(), as_written.begin() + static_cast<std::ptrdiff_t>(i), as_written[i]);
    parts[i] += fmt::format("#{}", before);
  }
}

}  // namespace

device_request parse_device_request(std::string_view text) {
  std::vector<std::string> parts = split(text);
  if (parts.size() == 1) {
    device_request only = parse_one(parts.front());
    only.text = text;
    return only;
  }
  number_alike(parts);
  device_request request;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    device_request one = parse_one(parts[i]);
    if (one.automatic) refuse(text, "auto stands alone");
    if (std::count(parts.begin(), parts.end(), parts[i]) > 1) {
      refuse(text, fmt::format("{} is named twice; each device takes part once", parts[i]));
    }
    if (i == 0) {
      request = std::move(one);
    } else {
      request.others.push_back(std::move(one));
    }
  }
  request.text = text;
  return request;
}

device_request request_for(const device_request& request, int count) {
  if (request.count() == count) return request;
  if (request.count() > 1) {
    throw usage_error(fmt::format("device \"{}\": {} devices, and the workload runs on {}",
                                  request.text, request.count(), count));
  }
  if (!request.automatic && request.kind == device_kind::cuda &&
      !(request.chosen && find_cuda(count - 1).available)) {
    throw usage_error(
        fmt::format("device \"{}\": one device, and the workload runs on {}; name "
                    "them all, for example cuda:0,cuda:1",
                    request.text, count));
  }
  std::string text = request.text;
  if (request.automatic || (request.chosen && request.kind == device_kind::cuda)) {
    if (find_cuda(count - 1).available) {
      std::string cards = "cuda:0";
      for (int i = 1; i < count; ++i) cards += fmt::format(",cuda:{}", i);
      return parse_device_request(cards);
    }
    text = "cpu";
  }
  return parse_device_request(fmt::format("{}*{}", text, count));
}

device_availability find_device(const device_request& request) {
  if (request.automatic) return {true, ""};
  device_availability all{true, ""};
  if (request.kind == device_kind::cuda) {
    const found_index found = index_of(request);
    if (!found.missing.empty()) return {false, found.missing};
    all = find_cuda(found.index);
    if (!all.available) return all;
  }
  for (const device_request& other : request.others) {
    const device_availability there = find_device(other);
    if (!there.available) return there;
    all.emulated = all.emulated || there.emulated;
  }
  return all;
}

std::unique_ptr<device> open_device(const device_request& request, const allocator_choice& choice) {
  if (!request.others.empty()) {
    throw usage_error(fmt::format("device \"{}\": {} devices, where one is needed", request.text,
                                  request.count()));
  }
  if (request.automatic) {
    device_request chosen = request;
    chosen.automatic = false;
    chosen.kind = find_cuda(0).available ? device_kind::cuda : device_kind::cpu;
    return open_device(chosen, choice);
  }
  switch (request.kind) {
    case device_kind::cpu:
      return std::make_unique<cpu_device>(choice, request.capacity, request.id);
    case device_kind::plan:
      return std::make_unique<plan_device>(std::string_view(request.id).substr(5), choice);
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

std::vector<std::unique_ptr<device>> open_devices(const device_request& request,
                                                  const allocator_choice& choice) {
  std::vector<std::unique_ptr<device>> devices;
  device_request first = request;
  first.others.clear();
  devices.push_back(open_device(first, choice));
  for (const device_request& other : request.others) {
    allocator_choice own = choice;
    if (!own.event_log.empty()) {  // a file a device
      own.event_log.replace_extension(
          fmt::format("{}{}", devices.size(), choice.event_log.extension().string()));
    }
    devices.push_back(open_device(other, own));
  }
  std::set<std::string> ids;  // a card has several names
  for (const auto& each : devices) {
    if (ids.insert(each->info().id).second) continue;
    throw usage_error(fmt::format("device \"{}\": {} is named twice; each device takes part once",
                                  request.text, each->info().id));
  }
  return devices;
}

std::vector<device*> pointers_to(const std::vector<std::unique_ptr<device>>& devices) {
  std::vector<device*> pointers;
  for (const auto& each : devices) pointers.push_back(each.get());
  return pointers;
}

std::string ids_of(const std::vector<std::unique_ptr<device>>& devices) {
  std::string ids;
  for (const auto& each : devices) ids += (ids.empty() ? "" : ",") + each->info().id;
  return ids;
}

std::vector<std::string> built_backends() {
#ifdef HEADROOM_WITH_CUDA
  return {"cpu", "plan", "cuda"};
#else
  return {"cpu", "plan"};
#endif
}

}  // namespace headroom
