// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// NVTX ranges as phases of a run. NVTX loads this library where NVTX_INJECTION64_PATH names it,
// once for each file of the program that has NVTX inside, and lets it put its functions into a
// table: the tools interface that NVTX's headers document. Declared here as far as it is used.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../card/run_phases.hpp"

namespace {

using function = void (*)();
using function_table = function**;  // places of the functions, by number

struct callbacks_table {
  std::size_t size;
  int (*get_module_functions)(int module, function_table* table, unsigned* size);
};
using get_export_table = const void* (*)(std::uint32_t number);

constexpr std::uint32_t callbacks_number = 1;
constexpr int core_module = 1;
constexpr int domains_module = 5;

union message_text {
  const char* ascii;
  const wchar_t* wide;
  const std::string* registered;
};
struct attributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t color_type;
  std::uint32_t color;
  std::int32_t payload_type, reserved;
  std::uint64_t payload;
  std::int32_t message_type;  // 0 none, 1 ASCII, 2 wide, 3 registered
  message_text message;
};
static_assert(offsetof(attributes, message) == 40, "as in NVTX's headers");

std::string narrow(const wchar_t* text) {
  std::string out;
  for (; text != nullptr && *text != 0; ++text) {
    const auto c = static_cast<std::uint32_t>(*text);
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80u | ((c >> shift) & 63u));
    };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xC0u | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xE0u | (c >> 12));
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xF0u | ((c >> 18) & 7u));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return out;
}

std::string name_of(const attributes* from) {
  if (from == nullptr) return "range";
  switch (from->message_type) {
    case 1:
      return from->message.ascii == nullptr ? "range" : from->message.ascii;
    case 2:
      return narrow(from->message.wide);
    case 3:
      return from->message.registered == nullptr ? "range" : *from->message.registered;
    default:
      return "range";
  }
}

int begin(const std::string& name) {
  return headroom_run_begin_phase(name.empty() ? "range" : name.c_str(), "nvtx");
}

using stacks = std::map<const void*, std::vector<int>>;
thread_local stacks* own_stacks = nullptr;

/// The first thread's are kept: ranges may end when its objects are gone, with the program's own.
struct end_of_thread {
  ~end_of_thread() {
    if (gettid() != getpid()) delete std::exchange(own_stacks, nullptr);
  }
};

// Ranges that are pushed end in the order of a stack, one for each domain and thread.
std::vector<int>& stack_of(const void* domain) {
  if (own_stacks == nullptr) {
    static thread_local const end_of_thread end;
    static_cast<void>(end);
    own_stacks = new stacks;
  }
  return (*own_stacks)[domain];
}

int push(const void* domain, const std::string& name) {
  std::vector<int>& stack = stack_of(domain);
  stack.push_back(begin(name));
  return static_cast<int>(stack.size()) - 1;
}

int pop(const void* domain) {
  std::vector<int>& stack = stack_of(domain);
  if (stack.empty()) return -2;  // as NVTX answers
  headroom_run_end_phase(stack.back(), 0);
  stack.pop_back();
  return static_cast<int>(stack.size());
}

std::uint64_t start(const std::string& name) { return static_cast<std::uint64_t>(begin(name)); }
void end(std::uint64_t range) { headroom_run_end_phase(static_cast<int>(range), 0); }

const char* or_range(const char* text) { return text == nullptr ? "range" : text; }

// The functions, as NVTX calls them.
std::uint64_t start_ex(const attributes* a) { return start(name_of(a)); }
std::uint64_t start_ascii(const char* text) { return start(or_range(text)); }
std::uint64_t start_wide(const wchar_t* text) { return start(narrow(text)); }
int push_ex(const attributes* a) { return push(nullptr, name_of(a)); }
int push_ascii(const char* text) { return push(nullptr, or_range(text)); }
int push_wide(const wchar_t* text) { return push(nullptr, narrow(text)); }
int pop_any() { return pop(nullptr); }
/// Ranges that NVIDIA's libraries put around their own work are no phases of the program's.
bool of_a_library(const void* domain) {
  if (domain == nullptr) return false;
  const std::string& name = *static_cast<const std::string*>(domain);
  for (const char* const each :
       {"CCCL", "NCCL", "cuBLAS", "CUBLAS", "cuDNN", "CUDNN", "cuFFT", "cuSPARSE", "cuSOLVER"}) {
    if (name == each) return true;
  }
  return false;
}

std::uint64_t domain_start(void* domain, const attributes* a) {
  return of_a_library(domain) ? 0 : start(name_of(a));
}
void domain_end(void*, std::uint64_t range) { end(range); }
int domain_push(void* domain, const attributes* a) {
  if (!of_a_library(domain)) return push(domain, name_of(a));
  std::vector<int>& stack = stack_of(domain);
  stack.push_back(0);  // no phase: ending it does nothing
  return static_cast<int>(stack.size()) - 1;
}
int domain_pop(void* domain) { return pop(domain); }

/// A text by a handle: the same handle for the same text, for good.
const std::string* registered(std::string text) {
  static std::mutex guard;
  static auto* const known = new std::unordered_map<std::string, const std::string*>;
  const std::lock_guard lock(guard);
  const auto [at, fresh] = known->try_emplace(std::move(text), nullptr);
  if (fresh) at->second = new std::string(at->first);
  return at->second;
}
const std::string* register_ascii(void*, const char* text) { return registered(or_range(text)); }
const std::string* register_wide(void*, const wchar_t* text) { return registered(narrow(text)); }
/// A domain by its name; NVTX's own default domain is null.
const std::string* create_domain(const char* text) { return registered(or_range(text)); }
const std::string* create_domain_wide(const wchar_t* text) { return registered(narrow(text)); }

template <class Function>
void put(function_table table, unsigned size, unsigned number, Function* with) {
  if (number < size && table[number] != nullptr) {
    *table[number] = reinterpret_cast<function>(with);
  }
}

}  // namespace

/// Called by NVTX. @return 1 when the tool is there, 0 when it is not
extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtx2(get_export_table get) {
  const auto* const callbacks = static_cast<const callbacks_table*>(get(callbacks_number));
  if (callbacks == nullptr || callbacks->size < sizeof(callbacks_table)) return 0;
  function_table table = nullptr;
  unsigned size = 0;
  if (callbacks->get_module_functions(core_module, &table, &size) != 0 && table != nullptr) {
    put(table, size, 4, start_ex);
    put(table, size, 5, start_ascii);
    put(table, size, 6, start_wide);
    put(table, size, 7, end);
    put(table, size, 8, push_ex);
    put(table, size, 9, push_ascii);
    put(table, size, 10, push_wide);
    put(table, size, 11, pop_any);
  }
  if (callbacks->get_module_functions(domains_module, &table, &size) != 0 && table != nullptr) {
    put(table, size, 2, domain_start);
    put(table, size, 3, domain_end);
    put(table, size, 4, domain_push);
    put(table, size, 5, domain_pop);
    put(table, size, 10, register_ascii);
    put(table, size, 11, register_wide);
    put(table, size, 12, create_domain);
    put(table, size, 13, create_domain_wide);
  }
  return 1;
}
