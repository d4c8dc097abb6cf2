// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A CUDA program as its arguments say, one step after the other:
//   device=N  take=BYTES  must=BYTES (ends with 7 where it is refused)  give (the last) async=BYTES
//   push=NAME  pop  start=NAME  end (the last started)   NVTX ranges
//   fork=N (each child does the rest)  leave (a child does the rest, this one ends once it met)
//   meet=N (waits until N processes did, or were refused what they must have)
//   wait=FILE  touch=FILE  exit=N  abort  kill  sleep=MS  error=TEXT
//   print=TEXT  call=NAME (any call of the libraries)  static (asks as a runtime within would)
//   give_async (the last)  sync  exec (this program anew, with the steps behind it)
//   pop_late (when the program's own objects end)  and those of other_steps.hpp
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cuda_runtime_api.h>
#else
#include "emulation/abi/runtime_calls.hpp"
#endif
#include "other_steps.hpp"

namespace {

// What NVTX's headers put into a program: tables that an injected library fills in.
using function = void (*)();
std::array<function, 17> places{};
std::array<function*, 17> table{};
function** table_address = table.data();

int functions_of(int module, function*** out, unsigned* size) {
  *out = table_address;
  *size = module == 1 ? static_cast<unsigned>(table.size()) : 0;
  return module == 1 ? 1 : 0;
}
struct callbacks {
  std::size_t size;
  int (*functions)(int, function***, unsigned*);
};
const void* exported(std::uint32_t number) {
  static const callbacks all{sizeof(callbacks), functions_of};
  return number == 1 ? &all : nullptr;
}

template <class Function>
Function* nvtx(std::size_t number) {
  static const bool ready = [] {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = &places[i];
    const char* const path = std::getenv("NVTX_INJECTION64_PATH");
    void* const library = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY);
    void* const begin = library == nullptr ? nullptr : dlsym(library, "InitializeInjectionNvtx2");
    using initialize = int(const void* (*)(std::uint32_t));
    return begin != nullptr && reinterpret_cast<initialize*>(begin)(exported) == 1;
  }();
  return ready ? reinterpret_cast<Function*>(places[number]) : nullptr;
}

/// Ends a range when all that is a thread's has ended.
struct late_end {
  bool asked = false;
  ~late_end() {
    if (asked) nvtx<int()>(11)();
  }
};
late_end at_the_end;

struct program {
  std::vector<void*> taken;
  std::vector<std::uint64_t> ranges;
  std::vector<pid_t> children;
  std::atomic<int>* met = shared_count();

  /// One that the children have as well.
  static std::atomic<int>* shared_count() {
    void* const at = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? nullptr : new (at) std::atomic<int>(0);
  }
  void wait_until_met(long count) const {
    while (met->load() < count) usleep(1000);
  }

  static void check(cudaError_t answer, const char* what) {
    if (answer == cudaSuccess) return;
    std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(answer));
  }

  int fork_children(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        children.clear();
        return 0;
      }
      children.push_back(child);
    }
    int worst = 0;
    for (const pid_t each : children) {
      int status = 0;
      waitpid(each, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) > worst) worst = WEXITSTATUS(status);
    }
    std::exit(worst);
  }

  void step(const std::string& name, const std::string& value) {
    const long number = std::atol(value.c_str());
    void* at = nullptr;
    if (other_step(name, number)) return;
    if (name == "device") check(cudaSetDevice(static_cast<int>(number)), "cudaSetDevice");
    if (name == "take" || name == "must") {
      const cudaError_t answer = cudaMalloc(&at, static_cast<std::size_t>(number));
      check(answer, "cudaMalloc");
      if (answer != cudaSuccess && name == "must") {
        met->fetch_add(1);
        std::exit(7);
      }
      taken.push_back(at);
    }
    if (name == "async") {
      check(cudaMallocAsync(&at, static_cast<std::size_t>(number), nullptr), "cudaMallocAsync");
      taken.push_back(at);
    }
    if (name == "give") {
      check(cudaFree(taken.back()), "cudaFree");
      taken.pop_back();
    }
    if (name == "give_async") {
      check(cudaFreeAsync(taken.back(), nullptr), "cudaFreeAsync");
      taken.pop_back();
    }
    if (name == "sync") check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (name == "push") {
      if (auto* const push = nvtx<int(const char*)>(9)) push(value.c_str());
    }
    if (name == "pop") {
      if (auto* const pop = nvtx<int()>(11)) pop();
    }
    if (name == "pop_late") at_the_end.asked = true;
    if (name == "start") {
      auto* const start = nvtx<std::uint64_t(const char*)>(5);
      ranges.push_back(start == nullptr ? 0 : start(value.c_str()));
    }
    if (name == "end") {
      if (auto* const end = nvtx<void(std::uint64_t)>(7)) end(ranges.back());
      ranges.pop_back();
    }
    if (name == "fork") fork_children(static_cast<int>(number));
    if (name == "leave" && fork() != 0) {
      wait_until_met(1);
      _exit(0);
    }
    if (name == "meet") {
      met->fetch_add(1);
      wait_until_met(number);
    }
    if (name == "touch") std::fclose(std::fopen(value.c_str(), "w"));
    while (name == "wait" && access(value.c_str(), F_OK) != 0) usleep(5000);
    if (name == "exit") std::exit(static_cast<int>(number));
    if (name == "abort") std::abort();
    if (name == "kill") raise(SIGKILL);
    if (name == "sleep") usleep(static_cast<useconds_t>(number * 1000));
    if (name == "print") std::printf("%s\n", value.c_str());
    if (name == "error") std::fprintf(stderr, "%s\n", value.c_str());
    if (name == "call" || name == "static") {
      // By name, as they are not among what this program links.
      void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
      const char* const wanted = name == "static" ? "cuGetExportTable" : value.c_str();
      void* found = dlsym(RTLD_DEFAULT, wanted);
      if (found == nullptr && driver != nullptr) found = dlsym(driver, wanted);
      const void* table_of = nullptr;
      using call = int(const void**, const void*);
      if (found != nullptr) reinterpret_cast<call*>(found)(&table_of, nullptr);
    }
  }
};

}  // namespace

int main(int count, char** arguments) {
  program all;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "exec") {
      arguments[i] = arguments[0];
      execv("/proc/self/exe", arguments + i);
    }
    const std::size_t sign = argument.find('=');
    all.step(argument.substr(0, sign), sign == std::string::npos ? "" : argument.substr(sign + 1));
  }
  return 0;
}
