// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "ordered_workload.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <headroom/cuda/cuda_error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::test {
namespace {

constexpr std::int64_t count = 1 << 16;
constexpr bytes size{count * 4};

/// Host memory that copies use in their turn, not at the call.
class pinned_numbers {
 public:
  pinned_numbers() {
    HEADROOM_CUDA_CHECK(cudaMallocHost(&memory_, static_cast<std::size_t>(size.n)));
    std::fill_n(numbers(), count, 0.0F);
  }
  ~pinned_numbers() { cuda::report(cudaFreeHost(memory_), "cudaFreeHost"); }
  pinned_numbers(const pinned_numbers&) = delete;
  pinned_numbers& operator=(const pinned_numbers&) = delete;
  [[nodiscard]] float* numbers() { return static_cast<float*>(memory_); }

 private:
  void* memory_ = nullptr;
};

kernels::tensor_view view_of(const buffer& of) {
  return {of.address(), kernels::shape{{"rows", 1}, {"numbers", count}}, kernels::dtype::float32};
}

class ordered_workload final : public workload {
 public:
  explicit ordered_workload(order_mistake mistake) : mistake_(mistake) {}
  ~ordered_workload() override {
    if (on_ != nullptr) on_->synchronize();
  }

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }

  void load(run_context& run) override {
    on_ = &run.device();
    other_ = on_->create_stream();
    copied_ = buffer(*on_, size, tag::weights, other_);
    brought_back_ = buffer(*on_, size, tag::weights, other_);
    on_->fill_zero(copied_.address(), size, other_);
    on_->fill_zero(brought_back_.address(), size, other_);
  }
  void make_inputs(run_context&) override {}

  void run_pass(run_context&) override {
    ++passes_;
    {
      const buffer made(*on_, size, tag::activations);
      kernels::fill_uniform(*on_, {}, view_of(made), passes_, 1.0F);
      if (mistake_ != order_mistake::no_wait) on_->order_after(other_, {});
      kernels::copy_rows(*on_, other_, kernels::matrix_of(view_of(made)),
                         kernels::matrix_of(view_of(copied_)));
      if (mistake_ != order_mistake::no_recorded_use) {
        on_->allocator().record_use(made.block(), other_);
      }
    }
    const buffer next(*on_, size, tag::activations);
    kernels::fill_uniform(*on_, {}, view_of(next), passes_ + 100, 1.0F);
    // One stream is ahead of the other: its own numbers are in the block that it was given.
    if (mistake_ == order_mistake::no_recorded_use) on_->synchronize(stream_id{});
    bring_back();
    on_->order_after({}, other_);
  }

 private:
  /// The numbers go to the host, and from there to another block.
  void bring_back() {
    on_->copy_to_host(from_device_.numbers(), copied_.address(), size, other_);
    if (mistake_ != order_mistake::no_synchronize) on_->synchronize(other_);
    std::copy_n(from_device_.numbers(), count, to_device_.numbers());
    on_->copy_to_device(brought_back_.address(), to_device_.numbers(), size, other_);
    if (mistake_ != order_mistake::host_memory_reused) on_->synchronize(other_);
    std::fill_n(to_device_.numbers(), count, 0.0F);
  }

  order_mistake mistake_;
  workload_description description_{"ordered", "step", "1", 0, "float32", {{"count", count}}, {}};
  device* on_ = nullptr;
  stream_id other_;
  std::uint64_t passes_ = 0;
  pinned_numbers from_device_;
  pinned_numbers to_device_;
  buffer copied_;
  buffer brought_back_;
};

}  // namespace

std::string_view name_of(order_mistake which) {
  switch (which) {
    case order_mistake::none:
      return "none";
    case order_mistake::no_wait:
      return "no_wait";
    case order_mistake::no_recorded_use:
      return "no_recorded_use";
    case order_mistake::no_synchronize:
      return "no_synchronize";
    case order_mistake::host_memory_reused:
      return "host_memory_reused";
  }
  return "";
}

std::unique_ptr<workload> make_ordered_workload(order_mistake mistake) {
  return std::make_unique<ordered_workload>(mistake);
}

}  // namespace headroom::test
