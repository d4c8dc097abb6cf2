// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

// The wrappers, by address alone: each is declared as it is where it is defined.
extern "C" {
#define HEADROOM_COUNTED(name) void headroom_wrapper_##name() __asm__(#name);
#include "calls.inc"
}

namespace headroom::counting {
namespace {

constexpr auto call_count = static_cast<std::size_t>(call::count_);
constexpr std::array<const char*, call_count> names{
#define HEADROOM_COUNTED(name) #name,
#define HEADROOM_ASKED(name) #name,
#include "calls.inc"
};

void* wrapper(std::size_t which) {
  static const std::array<void*, call_count> all{
#define HEADROOM_COUNTED(name) reinterpret_cast<void*>(headroom_wrapper_##name),
#define HEADROOM_ASKED(name) nullptr,
#include "calls.inc"
  };
  return all[which];
}

std::array<std::atomic<void*>, call_count> functions{};

int not_supported() { return 801; }

/// Files of this process whose names begin so. Only listed here: the loader's lock is held.
std::vector<std::string> loaded(std::string_view begin) {
  struct search {
    std::string_view begin;
    std::vector<std::string> found;
  } wanted{begin, {}};
  const auto look = [](dl_phdr_info* library, std::size_t, void* data) {
    search& into = *static_cast<search*>(data);
    const std::string_view path = library->dlpi_name;
    if (path.substr(path.rfind('/') + 1).starts_with(into.begin)) into.found.emplace_back(path);
    return 0;
  };
  dl_iterate_phdr(look, &wanted);
  return wanted.found;
}

void* find(std::size_t which) {
  const char* const name = names[which];
  void* found = real_dlsym()(RTLD_NEXT, name);
  const bool runtime = std::string_view(name).starts_with("cuda");
  if (found == nullptr) {
    for (const std::string& path : loaded(runtime ? "libcudart.so" : "libcuda.so")) {
      void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
      if (handle == nullptr) continue;
      found = real_dlsym()(handle, name);
      dlclose(handle);
      if (found != nullptr) break;
    }
  }
  if (found == nullptr && !runtime) {
    // Whoever calls CUDA has a driver: an emulated runtime alone does without loading it.
    static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver != nullptr) found = real_dlsym()(driver, name);
  }
  return found == wrapper(which) ? nullptr : found;
}

std::size_t number_of(const std::string& name) {
  std::size_t i = 0;
  while (i < call_count && (wrapper(i) == nullptr || name != names[i])) ++i;
  return i;
}

void* wrapper_of(std::size_t number, void* found) {
  if (number == call_count || found == wrapper(number)) return found;
  void* none = nullptr;
  functions[number].compare_exchange_strong(none, found);
  return wrapper(number);
}

}  // namespace

void* real_function(call which) {
  const auto number = static_cast<std::size_t>(which);
  void* known = functions[number].load(std::memory_order_acquire);
  if (known != nullptr) return known;
  known = find(number);
  if (known == nullptr) return reinterpret_cast<void*>(not_supported);
  functions[number].store(known, std::memory_order_release);
  return known;
}

void* wrapper_of_symbol(const char* name, void* found) {
  return found == nullptr ? nullptr : wrapper_of(number_of(name), found);
}

void* wrapper_of_entry(const char* name, void* found, int version, bool thread_stream) {
  constexpr int versions_known_below = 14000;
  // The driver's own look-up has no suffixes: the version says which is meant. Its own name alone
  // is two functions among those here.
  constexpr int second_lookup = 12000;
  if (found == nullptr || version >= versions_known_below) return found;
  const std::string plain = name;
  if (plain == "cuGetProcAddress" && version < second_lookup) {
    return wrapper_of_symbol(name, found);
  }
  for (const char* suffix : {thread_stream ? "_ptsz" : "", "_v2", ""}) {
    const std::size_t number = number_of(plain + suffix);
    if (suffix[0] == '\0' && plain == "cuGetProcAddress") continue;
    if (number != call_count) return wrapper_of(number, found);
  }
  return found;
}

}  // namespace headroom::counting
