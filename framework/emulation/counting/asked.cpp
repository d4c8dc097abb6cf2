// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "asked.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "../abi/nvml_calls.hpp"
#include "../card/json_text.hpp"
#include "../card/run_channel.hpp"
#include "real.hpp"

namespace headroom::counting {
namespace {

// As in cudaMemPoolAttr and cudaGraphMemAttributeType, and in the driver's of the same meaning.
constexpr int pool_reserved = 5;
constexpr int pool_used = 7;
constexpr int graph_used = 0;
constexpr int graph_used_high = 1;
constexpr int graph_reserved = 2;

using ask_pool_function = int(const void*, int, void*);
using ask_graphs_function = int(int, int, void*);

/// NVML, loaded once; every member null where it is not there.
struct nvml {
  decltype(nvmlDeviceGetHandleByUUID)* find = nullptr;
  decltype(nvmlDeviceGetComputeRunningProcesses_v3)* processes = nullptr;

  static const nvml& get() {
    static const nvml one = [] {
      nvml made;
      void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) return made;
      const auto function = [&](const char* name) { return real_dlsym()(library, name); };
      auto* const begin = reinterpret_cast<decltype(nvmlInit_v2)*>(function("nvmlInit_v2"));
      if (begin == nullptr || begin() != NVML_SUCCESS) return made;
      made.find = reinterpret_cast<decltype(made.find)>(function("nvmlDeviceGetHandleByUUID"));
      made.processes = reinterpret_cast<decltype(made.processes)>(
          function("nvmlDeviceGetComputeRunningProcesses_v3"));
      return made;
    }();
    return one;
  }
};

}  // namespace

std::optional<pool_levels> ask_pool(const void* pool, bool by_runtime) {
  auto* const ask = real<ask_pool_function>(by_runtime ? call::cudaMemPoolGetAttribute_
                                                       : call::cuMemPoolGetAttribute_);
  pool_levels now{};
  if (ask(pool, pool_reserved, &now.reserved) != 0) return std::nullopt;
  if (ask(pool, pool_used, &now.used) != 0) return std::nullopt;
  return now;
}

std::optional<graph_levels> ask_graphs(int device, bool by_runtime) {
  auto* const ask = real<ask_graphs_function>(by_runtime ? call::cudaDeviceGetGraphMemAttribute_
                                                         : call::cuDeviceGetGraphMemAttribute_);
  graph_levels now{};
  if (ask(device, graph_reserved, &now.reserved) != 0) return std::nullopt;
  if (ask(device, graph_used, &now.used) != 0) return std::nullopt;
  if (ask(device, graph_used_high, &now.high) != 0) return std::nullopt;
  return now;
}

int current_device(bool by_runtime) {
  int device = -1;
  auto* const ask = real<int(int*)>(by_runtime ? call::cudaGetDevice_ : call::cuCtxGetDevice_);
  return ask(&device) == 0 ? device : -1;
}

const void* pool_of_device(int device, bool by_runtime) {
  const void* pool = nullptr;
  auto* const ask = real<int(const void**, int)>(by_runtime ? call::cudaDeviceGetMemPool_
                                                            : call::cuDeviceGetMemPool_);
  return ask(&pool, device) == 0 ? pool : nullptr;
}

bool captures(const void* stream, bool by_runtime) {
  // The legacy default stream cannot be captured, and to ask it is an error while others are.
  if (reinterpret_cast<std::uintptr_t>(stream) <= 1) return false;
  int status = 0;
  auto* const ask = real<int(const void*, int*)>(by_runtime ? call::cudaStreamIsCapturing_
                                                            : call::cuStreamIsCapturing_);
  return ask(stream, &status) == 0 && status == 1;
}

std::string identifier_of(int device) {
  std::array<unsigned char, 16> bytes{};
  if (real<int(void*, int)>(call::cuDeviceGetUuid_v2_)(bytes.data(), device) != 0) return "";
  std::string text = "GPU-";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

std::optional<std::uint64_t> held_by_process(const std::string& identifier) {
  const nvml& library = nvml::get();
  nvmlDevice_t device = nullptr;
  // The driver does not say whether a device is a part of a card (MIG): NVML names those otherwise.
  const std::string part = "MIG-" + identifier.substr(std::min<std::size_t>(identifier.size(), 4));
  if (library.find == nullptr || library.processes == nullptr ||
      (library.find(identifier.c_str(), &device) != NVML_SUCCESS &&
       library.find(part.c_str(), &device) != NVML_SUCCESS)) {
    return std::nullopt;
  }
  std::vector<nvmlProcessInfo_t> all(256);
  auto count = static_cast<unsigned>(all.size());
  if (library.processes(device, &count, all.data()) != NVML_SUCCESS) return std::nullopt;
  for (unsigned i = 0; i < count && i < all.size(); ++i) {
    // All ones: the driver does not say.
    if (all[i].pid == static_cast<unsigned>(getpid()) && all[i].usedGpuMemory != ~0ull) {
      return all[i].usedGpuMemory;
    }
  }
  return std::nullopt;  // a container has other numbers for its processes
}

bool emulation_loaded() {
  const auto look = [](dl_phdr_info* library, std::size_t, void*) {
    const std::string_view path = library->dlpi_name;
    return path.substr(path.rfind('/') + 1) == "libheadroom_card.so" ? 1 : 0;
  };
  return dl_iterate_phdr(look, nullptr) != 0;
}

void tell(const char* event, const std::string& what) {
  emulation::tell_run("{\"event\": \"" + std::string(event) +
                      "\", \"process\": " + std::to_string(getpid()) +
                      ", \"what\": " + emulation::json_string(what) + "}");
}

void tell_context(int card) {
  emulation::tell_run("{\"event\": \"context\", \"process\": " + std::to_string(getpid()) +
                      ", \"device\": " + std::to_string(card) + "}");
}

void tell_uncounted(const char* library, const char* name) {
  static std::mutex guard;
  static auto* told = new std::set<std::string>;
  const std::lock_guard lock(guard);
  if (!told->insert(name).second) return;
  emulation::tell_run("{\"event\": \"unmodelled\", \"process\": " + std::to_string(getpid()) +
                      ", \"library\": \"" + library + "\", \"call\": \"" + name + "\"}");
}

}  // namespace headroom::counting
