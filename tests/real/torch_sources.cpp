// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <c10/cuda/CUDACachingAllocator.h>
#include <gtest/gtest.h>

#include <headroom/sources/torch_source.hpp>

#include "conformance/source_under_test.hpp"
#include "parity/recorder/reference.hpp"

namespace headroom::conformance {
namespace {

namespace torch_allocator = c10::cuda::CUDACachingAllocator;

/// PyTorch's allocator over addresses without memory; one for the whole process.
void begin_torch() { static const reference begun(24_GB, ""); }

class torch_under_test final : public source_under_test {
 public:
  counter_source& source() override { return source_; }
  void* allocate(bytes size) override {
    return torch_allocator::raw_alloc(static_cast<std::size_t>(size.n));
  }
  void give_back(void* address, bytes) override { torch_allocator::raw_delete(address); }

 private:
  torch_source source_;
};

}  // namespace

std::vector<named_source> sources() {
  return {{"Torch",
           [] {
             begin_torch();
             return std::make_unique<torch_under_test>();
           },
           ""}};
}

TEST(TorchSource, IsRefusedBeforePyTorchBegins) {
  EXPECT_EXIT(
      {
        try {
          const torch_source early;
        } catch (const usage_error&) {
          std::_Exit(0);
        }
        std::_Exit(1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(TorchSource, NamesItsBackend) {
  begin_torch();
  EXPECT_EQ(torch_source().describe_counters().name, "PyTorch CUDA allocator, backend native");
  EXPECT_TRUE(torch_source().describe_counters()[counter_id::reserved_peak].exact);
}

}  // namespace headroom::conformance
