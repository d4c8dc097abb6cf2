// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_error.hpp>
#include <source_location>
#include <vector>

#include "nccl_library.hpp"
#include "reduction_backend.hpp"

namespace headroom::kernels {
namespace {

class nccl_reduction final : public reduction {
 public:
  nccl_reduction(const nccl_library& calls, std::span<device* const> devices)
      : calls_(calls), devices_(devices.begin(), devices.end()) {
    int version = 0;
    check(calls_.version(&version), "ncclGetVersion");
    version_ = nccl_version_text(version);
    std::vector<int> numbers;
    for (device* each : devices_) {
      static_cast<void>(each->native_stream({}));  // makes it the current one
      HEADROOM_CUDA_CHECK(cudaGetDevice(&numbers.emplace_back()));
    }
    std::vector<nccl_abi::communicator> made(devices_.size(), nullptr);
    check(calls_.init_all(made.data(), static_cast<int>(made.size()), numbers.data()),
          "ncclCommInitAll");
    communicators_ = std::move(made);
  }
  ~nccl_reduction() override {
    for (const nccl_abi::communicator each : communicators_) {
      const int result = calls_.destroy(each);
      if (result != nccl_abi::success) {
        std::fprintf(stderr, "headroom: ncclCommDestroy: %s\n", calls_.result_text(result));
      }
    }
  }

  void add_up(std::span<void* const> parts, std::size_t count, stream_id stream,
              const device_observer& at) override {
    if (communicators_.empty()) throw device_error("NCCL: the reduction has failed before");
    try {
      queue(parts, count, stream, at);
    } catch (...) {
      abort();  // what some devices have begun would wait for the others for ever
      throw;
    }
  }

  [[nodiscard]] std::string text() const override {
    return fmt::format("NCCL {}, float32", version_);
  }

 private:
  void queue(std::span<void* const> parts, std::size_t count, stream_id stream,
             const device_observer& at) {
    check(calls_.group_start(), "ncclGroupStart");
    try {
      for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (at) at(i);
        check(calls_.all_reduce(parts[i], parts[i], count, nccl_abi::float32, nccl_abi::sum,
                                communicators_[i], devices_[i]->native_stream(stream)),
              "ncclAllReduce", i);
      }
    } catch (...) {
      static_cast<void>(calls_.group_end());  // the thread is in the group until then
      throw;
    }
    if (at) at(std::nullopt);
    const int ended = calls_.group_end();
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (at) at(i);
      int result = nccl_abi::success;
      check(calls_.async_error(communicators_[i], &result), "ncclCommGetAsyncError", i);
      check(result, "ncclCommGetAsyncError", i);
    }
    if (at) at(std::nullopt);
    check(ended, "ncclGroupEnd");
  }

  void abort() noexcept {
    for (const nccl_abi::communicator each : communicators_) {
      const int result = calls_.abort(each);
      if (result != nccl_abi::success) {
        std::fprintf(stderr, "headroom: ncclCommAbort: %s\n", calls_.result_text(result));
      }
    }
    communicators_.clear();
  }

  /// @param at  the device; none: what is of all of them
  void check(int result, const char* call, std::optional<std::size_t> at = {},
             std::source_location place = std::source_location::current()) const {
    if (result == nccl_abi::success) return;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (!at || *at == i) ids.push_back(devices_[i]->info().id);
    }
    std::string more = calls_.last_text == nullptr ? "" : calls_.last_text(nullptr);
    while (!more.empty() && std::isspace(static_cast<unsigned char>(more.back()))) more.pop_back();
    throw device_error(fmt::format("NCCL: {}{}{} in {} of {} at {}:{}", calls_.result_text(result),
                                   more.empty() ? "" : ": ", more, call, fmt::join(ids, ", "),
                                   place.file_name(), place.line()));
  }

  const nccl_library& calls_;
  std::vector<device*> devices_;
  std::string version_;
  std::vector<nccl_abi::communicator> communicators_;  // one a device
};

}  // namespace

nccl_reduction_result make_nccl_reduction(std::span<device* const> devices) {
  const nccl_search& nccl = system_nccl(devices.front()->info().emulated);
  if (!nccl.found) return {nullptr, nccl.missing};
  return {std::make_unique<nccl_reduction>(*nccl.found, devices), ""};
}

}  // namespace headroom::kernels
