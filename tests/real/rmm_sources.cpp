// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <cuda/memory_resource>
#include <headroom/device/address_segments.hpp>
#include <headroom/sources/rmm_source.hpp>
#include <new>

#include "conformance/source_under_test.hpp"

namespace headroom::conformance {
namespace {

// RMM's own calls without a stream wait for one, which needs a driver.
cuda::stream_ref stream() { return cuda::stream_ref{static_cast<cudaStream_t>(nullptr)}; }

/// A memory resource over addresses without memory.
class address_resource {
 public:
  void* allocate_sync(std::size_t size, std::size_t = 0) {
    const std::lock_guard hold(*lock_);
    void* const address = segments_->take(bytes{static_cast<std::int64_t>(size)});
    if (address == nullptr) throw std::bad_alloc();
    return address;
  }
  void deallocate_sync(void* address, std::size_t size, std::size_t = 0) noexcept {
    const std::lock_guard hold(*lock_);
    segments_->give_back(address, bytes{static_cast<std::int64_t>(size)});
  }
  void* allocate(cuda::stream_ref, std::size_t size, std::size_t = 0) {
    return allocate_sync(size);
  }
  void deallocate(cuda::stream_ref, void* address, std::size_t size, std::size_t = 0) noexcept {
    deallocate_sync(address, size);
  }
  bool operator==(const address_resource& other) const { return segments_ == other.segments_; }
  bool operator!=(const address_resource& other) const { return !(*this == other); }
  friend void get_property(const address_resource&, cuda::mr::device_accessible) noexcept {}

  [[nodiscard]] bytes held() const {
    const std::lock_guard hold(*lock_);
    return segments_->capacity() - *segments_->free_now();
  }

 private:
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
  std::shared_ptr<address_segments> segments_ =
      std::make_shared<address_segments>(24_GB, "addresses");
};

class rmm_under_test final : public source_under_test {
 public:
  explicit rmm_under_test(bool with_reserved)
      : source_(adaptor_, with_reserved
                              ? std::function<bytes()>([from = resource_] { return from.held(); })
                              : std::function<bytes()>()) {}
  counter_source& source() override { return source_; }
  void* allocate(bytes size) override {
    return adaptor_.allocate(stream(), static_cast<std::size_t>(size.n), 256);
  }
  void give_back(void* address, bytes size) override {
    adaptor_.deallocate(stream(), address, static_cast<std::size_t>(size.n), 256);
  }

 private:
  address_resource resource_;
  rmm::mr::statistics_resource_adaptor adaptor_{resource_};
  rmm_source source_;
};

}  // namespace

std::vector<named_source> sources() {
  return {{"Rmm", [] { return std::make_unique<rmm_under_test>(false); }, ""},
          {"RmmWithWhatIsHeld", [] { return std::make_unique<rmm_under_test>(true); }, ""}};
}

TEST(RmmSource, LeavesTheProgramsCountersAsTheyWere) {
  rmm::mr::statistics_resource_adaptor adaptor{address_resource()};
  void* const before = adaptor.allocate(stream(), 1000, 256);
  {
    rmm_source source(adaptor);
    EXPECT_EQ(source.read()[counter_id::allocated_current], bytes{1000});
    EXPECT_EQ(source.read()[counter_id::allocated_peak], bytes{1000});
    void* const between = adaptor.allocate(stream(), 500, 256);
    adaptor.deallocate(stream(), between, 500, 256);
    source.reset_peaks();
    EXPECT_EQ(source.read()[counter_id::allocated_peak], bytes{1000});
  }
  EXPECT_EQ(adaptor.get_bytes_counter().value, 1000);
  EXPECT_EQ(adaptor.get_bytes_counter().peak, 1500);
  adaptor.deallocate(stream(), before, 1000, 256);
}

}  // namespace headroom::conformance
