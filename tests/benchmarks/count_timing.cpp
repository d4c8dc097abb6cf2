// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// count_timing ROUNDS, under `headroom run --device cuda:0`: what counting adds to a call of the
// CUDA runtime. Each round calls the counting function and the runtime's own, which is found by its
// symbol version, one after the other; the median of the differences stands beside the runtime's
// own time. A pair takes memory and gives it back, so it is two calls.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "emulation/abi/runtime_calls.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
constexpr int pairs = 2000;

struct functions {
  decltype(cudaMalloc)* take;
  decltype(cudaFree)* give;
  decltype(cudaMallocAsync)* take_async;
  decltype(cudaFreeAsync)* give_async;
};

template <class Function>
Function* own(const char* name, Function* fallback) {
  static void* const runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
  void* const found = runtime == nullptr ? nullptr : dlvsym(runtime, name, "libcudart.so.13");
  return found == nullptr ? fallback : reinterpret_cast<Function*>(found);
}

double pair_ns(const functions& of, std::size_t size, bool async) {
  const auto begin = clock_type::now();
  for (int i = 0; i < pairs; ++i) {
    void* at = nullptr;
    if (async) {
      of.take_async(&at, size, nullptr);
      of.give_async(at, nullptr);
    } else {
      of.take(&at, size);
      of.give(at);
    }
  }
  return std::chrono::duration<double, std::nano>(clock_type::now() - begin).count() / pairs / 2;
}

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void compare(const char* what, std::size_t size, bool async, int rounds) {
  const functions counting{cudaMalloc, cudaFree, cudaMallocAsync, cudaFreeAsync};
  const functions direct{own("cudaMalloc", cudaMalloc), own("cudaFree", cudaFree),
                         own("cudaMallocAsync", cudaMallocAsync),
                         own("cudaFreeAsync", cudaFreeAsync)};
  std::vector<double> added;
  std::vector<double> alone;
  for (int round = 0; round < rounds; ++round) {
    const double with = pair_ns(counting, size, async);
    alone.push_back(pair_ns(direct, size, async));
    added.push_back(with - alone.back());
  }
  std::printf("%-28s %7.0f ns a call alone, %6.0f ns added\n", what, median(alone), median(added));
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 51;
  if (own<decltype(cudaMalloc)>("cudaMalloc", nullptr) == cudaMalloc) {
    std::fprintf(stderr, "nothing counts here: run it under headroom run --device cuda:0\n");
    return 1;
  }
  void* beside = nullptr;  // in a piece that the driver then need not take
  cudaMalloc(&beside, 1000);
  compare("cudaMalloc, 1000 B", 1000, false, rounds);
  compare("cudaMalloc, 64 MiB", 64u << 20, false, rounds);
  compare("cudaMallocAsync, 1 MiB", 1u << 20, true, rounds);
  void* held[64] = {};
  for (void*& each : held) cudaMallocAsync(&each, 1u << 20, nullptr);
  compare("cudaMalloc, beside a pool", 1000, false, rounds);
}
