// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_device.hpp>
#include <headroom/cuda/cuda_error.hpp>
#include <headroom/device/allocator_stack.hpp>
#include <vector>

#include "cuda_segments.hpp"
#include "event_clock.hpp"
#include "nvml.hpp"
#include "process_view.hpp"
#include "stream_pool.hpp"

namespace headroom::cuda {
namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string uuid_digits(const cudaUUID_t& uuid) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

device_info read_info(int index) {
  cudaDeviceProp properties{};
  HEADROOM_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  device_info info;
  info.id = fmt::format("cuda:{}", index);
  info.kind = device_kind::cuda;
  info.name = properties.name;
  const std::string digits = uuid_digits(properties.uuid);
  info.uuid = nvml::system().uuid_of(digits).value_or("GPU-" + digits);
  info.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  info.capacity = bytes{static_cast<std::int64_t>(properties.totalGlobalMem)};
  info.emulated = is_emulated();
  return info;
}

class cuda_device : public device {
 public:
  cuda_device(int index, const allocator_choice& choice)
      : index_(index),
        info_(read_info(index)),
        segments_(index, info_.capacity),
        clock_(index),
        stack_(stack_of(choice)) {}

  [[nodiscard]] const device_info& info() const override { return info_; }
  [[nodiscard]] headroom::allocator& allocator() override { return stack_.top(); }
  [[nodiscard]] counter_source& counters() override { return stack_.top(); }
  [[nodiscard]] rehearsal* rehearsed() override { return stack_.rehearsed(); }
  [[nodiscard]] bool computes() const override { return true; }

  [[nodiscard]] system_reading read_system() const override {
    system_reading reading = nvml::system().read(*info_.uuid, this_process());
    // The runtime's own answer is what an allocation would meet; a MIG device's part included.
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaSetDevice(index_) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) {
      reading.free = bytes{static_cast<std::int64_t>(free)};
      reading.total = bytes{static_cast<std::int64_t>(total)};
    } else {
      (void)cudaGetLastError();
      reading.free.reset();  // NVML's answer is of the whole card
      reading.total.reset();
    }
    return reading;
  }

  [[nodiscard]] stream_id create_stream() override { return clock_.create_stream(); }
  [[nodiscard]] void* native_stream(stream_id stream) override {
    select();
    return clock_.native(stream);
  }

  void order_after(stream_id waiter, stream_id before) override {
    select();
    cudaEvent_t event = nullptr;
    HEADROOM_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    const cudaError_t recorded = cudaEventRecord(event, clock_.native(before));
    const cudaError_t waits =
        recorded == cudaSuccess ? cudaStreamWaitEvent(clock_.native(waiter), event, 0) : recorded;
    report(cudaEventDestroy(event), "cudaEventDestroy");  // takes effect once it has passed
    check(recorded, "cudaEventRecord");
    check(waits, "cudaStreamWaitEvent");
  }

  void synchronize(stream_id stream) override {
    select();
    HEADROOM_CUDA_CHECK(cudaStreamSynchronize(clock_.native(stream)));
    stack_.completed(stream);
  }
  void synchronize() override {
    select();
    HEADROOM_CUDA_CHECK(cudaDeviceSynchronize());
    stack_.completed();
  }

  void copy_to_device(void* to, const void* from, bytes size, stream_id stream) override {
    copy(to, from, size, cudaMemcpyHostToDevice, stream);
  }
  void copy_to_host(void* to, const void* from, bytes size, stream_id stream) override {
    copy(to, from, size, cudaMemcpyDeviceToHost, stream);
  }
  void copy_on_device(void* to, const void* from, bytes size, stream_id stream) override {
    copy(to, from, size, cudaMemcpyDeviceToDevice, stream);
  }
  void fill_zero(void* to, bytes size, stream_id stream) override {
    if (size.n == 0) return;
    select();
    HEADROOM_CUDA_CHECK(
        cudaMemsetAsync(to, 0, static_cast<std::size_t>(size.n), clock_.native(stream)));
  }

 private:
  [[nodiscard]] allocator_stack stack_of(const allocator_choice& choice) {
    if (choice.kind != allocator_kind::cuda_async) {
      return allocator_stack(segments_, clock_, choice);
    }
    return allocator_stack(std::make_unique<stream_pool>(index_, segments_, clock_), segments_,
                           choice);
  }
  void select() const { HEADROOM_CUDA_CHECK(cudaSetDevice(index_)); }

  void copy(void* to, const void* from, bytes size, cudaMemcpyKind kind, stream_id stream) {
    if (size.n == 0) return;
    select();
    HEADROOM_CUDA_CHECK(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(size.n), kind, clock_.native(stream)));
  }

  int index_;
  device_info info_;
  cuda_segments segments_;
  event_clock clock_;
  allocator_stack stack_;
};

}  // namespace

versions read_versions() {
  versions found;
  found.toolkit = version_text(CUDART_VERSION);
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) found.runtime = version_text(version);
  // 0 stands for "no driver".
  if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0) {
    found.driver = version_text(version);
  }
  (void)cudaGetLastError();
  found.nvml = nvml::system().version();
  return found;
}

bool is_emulated() { return dlsym(RTLD_DEFAULT, "headroom_emulation_calls") != nullptr; }

uuid_search find_uuid(std::string_view uuid) {
  uuid_search result;
  std::vector<std::string> seen;
  const int count = survey_devices().count;
  for (int index = 0; index < count; ++index) {
    seen.push_back(read_info(index).uuid.value_or(""));
    if (seen.back().rfind(uuid, 0) != 0) continue;
    if (result.index) {
      return {{},
              fmt::format("{} begins the names of cuda:{} and cuda:{}; write more of it", uuid,
                          *result.index, index)};
    }
    result.index = index;
  }
  if (!result.index) {
    result.reason =
        fmt::format("the driver shows no {}, but {}", uuid,
                    seen.empty() ? "no device" : fmt::format("{}", fmt::join(seen, ", ")));
  }
  return result;
}

device_survey survey_devices() {
  device_survey survey;
  const cudaError_t result = cudaGetDeviceCount(&survey.count);
  if (result == cudaSuccess && survey.count > 0) return survey;
  (void)cudaGetLastError();
  survey.count = 0;
  survey.reason = result == cudaSuccess ? "the driver shows no device"
                                        : fmt::format("{} ({})", cudaGetErrorString(result),
                                                      cudaGetErrorName(result));
  return survey;
}

std::unique_ptr<device> open_device(int index, const allocator_choice& choice) {
  const device_survey survey = survey_devices();
  if (index < 0 || index >= survey.count) {
    throw device_error(survey.count == 0
                           ? fmt::format("cuda:{} is not there: {}", index, survey.reason)
                           : fmt::format("cuda:{} is not there: the driver shows {} device(s), "
                                         "cuda:0 to cuda:{}",
                                         index, survey.count, survey.count - 1));
  }
  return std::make_unique<cuda_device>(index, choice);
}

}  // namespace headroom::cuda
