// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/device/allocator.hpp>
#include <headroom/device/buffer_account.hpp>
#include <headroom/device/counter_source.hpp>
#include <headroom/device/rehearsal.hpp>
#include <headroom/device/stream.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

enum class device_kind { cuda, cpu, plan };
[[nodiscard]] std::string_view name_of(device_kind kind);

struct device_info {
  std::string id;  ///< "cuda:0", "cpu", "plan:24GB"
  device_kind kind = device_kind::cpu;
  std::string name;                               ///< as the driver reports it
  std::optional<std::string> uuid;                ///< cuda only
  std::optional<std::string> compute_capability;  ///< cuda only: "9.0"
  bytes capacity;                                 ///< what the device declares
  bool emulated = false;                          ///< a cuda device over the emulation

  /// Everything but a real CUDA device gives a prediction, never a GPU measurement.
  [[nodiscard]] bool prediction() const { return kind != device_kind::cuda || emulated; }
};

/// What the system says of the device, other processes included. Absent where it could not be read.
struct system_reading {
  std::optional<bytes> free;
  std::optional<bytes> total;
  std::optional<bytes> process;   ///< this process's use
  std::optional<bytes> reserved;  ///< what driver and firmware keep; no part of free
  std::string process_reason;     ///< why process is absent; "" when it is not, or nothing was read
};

/// One device and its memory. Work runs in streams; a call that queues work returns before it is
/// done.
class device {
 public:
  virtual ~device() { buffers_->close(); }
  device() = default;
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  [[nodiscard]] virtual const device_info& info() const = 0;
  [[nodiscard]] virtual headroom::allocator& allocator() = 0;
  [[nodiscard]] virtual counter_source& counters() = 0;
  [[nodiscard]] virtual system_reading read_system() const = 0;
  /// What refuses requests to rehearse out of memory; null where nothing does.
  [[nodiscard]] virtual rehearsal* rehearsed() { return nullptr; }

  /// Whether memory has contents and kernels run: false on the plan device.
  [[nodiscard]] virtual bool computes() const = 0;

  [[nodiscard]] virtual stream_id create_stream() = 0;
  /// Work queued on `waiter` from now on runs after the work queued on `before` so far.
  virtual void order_after(stream_id waiter, stream_id before) = 0;
  virtual void synchronize(stream_id stream) = 0;
  /// All streams.
  virtual void synchronize() = 0;
  /// cudaStream_t on cuda, null elsewhere. A cuda device becomes the calling thread's current one,
  /// as a launch into the stream needs.
  [[nodiscard]] virtual void* native_stream(stream_id stream) = 0;

  /// Queued copies between host and device memory; nothing happens where the device does not
  /// compute.
  /// @param to, from  the host side must stay valid until the stream is synchronized
  virtual void copy_to_device(void* to, const void* from, bytes size, stream_id stream) = 0;
  /// @throws usage_error on a device that does not compute: there is nothing to read
  virtual void copy_to_host(void* to, const void* from, bytes size, stream_id stream) = 0;
  virtual void copy_on_device(void* to, const void* from, bytes size, stream_id stream) = 0;
  virtual void fill_zero(void* to, bytes size, stream_id stream) = 0;

  /// What its buffers hold; outlives the device where one of them does.
  [[nodiscard]] const std::shared_ptr<buffer_account>& buffers() const { return buffers_; }

 private:
  std::shared_ptr<buffer_account> buffers_ = std::make_shared<buffer_account>();
};

}  // namespace headroom
