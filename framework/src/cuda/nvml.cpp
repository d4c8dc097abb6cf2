// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <vector>

#include "nvml_calls.hpp"

namespace headroom::cuda {

using namespace nvml_abi;

struct nvml::calls {
  init_call* init = nullptr;
  init_call* shut_down = nullptr;
  text_call* version = nullptr;
  error_text_call* error_text = nullptr;
  by_uuid_call* by_uuid = nullptr;
  memory_1_call* memory_1 = nullptr;
  memory_2_call* memory_2 = nullptr;
  processes_call* processes = nullptr;

  [[nodiscard]] bool complete() const {
    return init != nullptr && shut_down != nullptr && by_uuid != nullptr &&
           (memory_1 != nullptr || memory_2 != nullptr);
  }
};

namespace {

bytes to_bytes(std::uint64_t value) { return bytes{static_cast<std::int64_t>(value)}; }

template <class Function>
void look_up(void* library, const char* name, Function*& into) {
  into = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

const nvml& nvml::system() {
  static const nvml loaded("libnvidia-ml.so.1");
  return loaded;
}

nvml::nvml(const char* library)
    : library_(dlopen(library, RTLD_NOW | RTLD_LOCAL)), calls_(std::make_unique<calls>()) {
  if (library_ == nullptr) {
    missing_ = fmt::format("NVML is not there: {}", dlerror());
    return;
  }
  look_up(library_, "nvmlInit_v2", calls_->init);
  look_up(library_, "nvmlShutdown", calls_->shut_down);
  look_up(library_, "nvmlSystemGetNVMLVersion", calls_->version);
  look_up(library_, "nvmlErrorString", calls_->error_text);
  look_up(library_, "nvmlDeviceGetHandleByUUID", calls_->by_uuid);
  look_up(library_, "nvmlDeviceGetMemoryInfo", calls_->memory_1);
  look_up(library_, "nvmlDeviceGetMemoryInfo_v2", calls_->memory_2);
  look_up(library_, "nvmlDeviceGetComputeRunningProcesses_v3", calls_->processes);
  if (!calls_->complete()) {
    missing_ = fmt::format("{} has not the calls of NVML that are needed", library);
  } else if (const int result = calls_->init(); result != success) {
    missing_ = fmt::format("NVML does not start: {}", words_of(result));
  }
}

nvml::~nvml() {
  if (missing_.empty()) calls_->shut_down();
  if (library_ != nullptr) dlclose(library_);
}

std::string nvml::words_of(int result) const {
  const char* const text = calls_->error_text != nullptr ? calls_->error_text(result) : nullptr;
  return text != nullptr ? fmt::format("{} (NVML error {})", text, result)
                         : fmt::format("NVML error {}", result);
}

std::optional<std::string> nvml::version() const {
  if (!missing_.empty()) return std::nullopt;
  std::array<char, 96> text{};
  std::string name = "version not known";
  if (calls_->version != nullptr &&
      calls_->version(text.data(), static_cast<unsigned>(text.size() - 1)) == success) {
    name = text.data();
  }
  return fmt::format("{}, memory query {}, process query {}", name,
                     calls_->memory_2 != nullptr ? "2" : "1",
                     calls_->processes != nullptr ? "3" : "none");
}

std::optional<std::string> nvml::uuid_of(std::string_view digits) const {
  if (!missing_.empty()) return std::nullopt;
  for (const char* prefix : {"GPU-", "MIG-"}) {
    std::string uuid = fmt::format("{}{}", prefix, digits);
    device_handle device = nullptr;
    if (calls_->by_uuid(uuid.c_str(), &device) == success) return uuid;
  }
  return std::nullopt;
}

system_reading nvml::read(const std::string& uuid, const process_view& own) const {
  system_reading reading;
  reading.process_reason = missing_;
  if (!missing_.empty()) return reading;
  device_handle device = nullptr;
  if (const int result = calls_->by_uuid(uuid.c_str(), &device); result != success) {
    reading.process_reason = fmt::format("NVML does not find {}: {}", uuid, words_of(result));
    return reading;
  }
  memory_2 memory{memory_2_version, 0, 0, 0, 0};
  memory_1 older{};
  if (calls_->memory_2 != nullptr && calls_->memory_2(device, &memory) == success) {
    reading.total = to_bytes(memory.total);
    reading.free = to_bytes(memory.free);
    reading.reserved = to_bytes(memory.reserved);
  } else if (calls_->memory_1 != nullptr && calls_->memory_1(device, &older) == success) {
    reading.total = to_bytes(older.total);
    reading.free = to_bytes(older.free);
  }
  const process_answer answer = read_process(device, uuid.rfind("MIG-", 0) == 0, own);
  reading.process = answer.used;
  reading.process_reason = answer.reason;
  return reading;
}

nvml::process_answer nvml::read_process(void* device, bool mig, const process_view& own) const {
  if (calls_->processes == nullptr) return {{}, "this NVML does not list processes"};
  if (!own.hidden.empty()) return {{}, own.hidden};
  std::vector<process_3> found(64);
  int result = insufficient_size;
  unsigned count = 0;
  // Others may begin while the list is made longer.
  for (int tries = 0; result == insufficient_size && tries < 5; ++tries) {
    if (count > found.size()) found.resize(count * 2);
    count = static_cast<unsigned>(found.size());
    result = calls_->processes(device, &count, found.data());
  }
  if (result == no_permission) return {{}, "no permission to list the device's processes"};
  if (result != success) {
    return {{},
            fmt::format("NVML does not list processes{}: {}", mig ? " of a MIG device" : "",
                        words_of(result))};
  }
  for (unsigned i = 0; i < count; ++i) {
    if (found[i].pid != own.pid) continue;
    if (found[i].used != not_available) return {to_bytes(found[i].used), ""};
    return {{},
            mig ? "NVML gives no bytes of a MIG device's processes: no permission?"
                : "NVML gives no bytes of processes here"};
  }
  return {
      {},
      fmt::format("NVML lists {} processes of the device, and not this one, {}", count, own.pid)};
}

}  // namespace headroom::cuda
