// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "recorded_device.hpp"

#include <fmt/format.h>

#include <map>

namespace headroom::test {
namespace {

struct live_block {
  bytes size;
  stream_id stream;
  std::string what;  // "block 17, weights"
};

}  // namespace

/// The device's allocator, which knows what is live.
class recorded_device::recorder final : public headroom::allocator {
 public:
  recorder(device& under, keep when) : under_(under), when_(when) {}

  allocation allocate(bytes requested, stream_id stream, tag what) override {
    const allocation made = under_.allocator().allocate(requested, stream, what);
    if (when_ == keep::nothing || made.address == nullptr) return made;
    live_.insert_or_assign(
        made.address,
        live_block{requested, stream, fmt::format("block {}, {}", ++asked_, name_of(what))});
    if (when_ == keep::at_frees && under_.computes()) {
      const std::vector<std::byte> unwritten(static_cast<std::size_t>(requested.n),
                                             std::byte{0xff});
      under_.copy_to_device(made.address, unwritten.data(), requested, stream);
    }
    return made;
  }
  void deallocate(const allocation& block) noexcept override {
    const auto found = live_.find(block.address);
    if (found != live_.end()) {
      if (when_ == keep::at_frees) read("", found->first, found->second);
      live_.erase(found);
    }
    under_.allocator().deallocate(block);
  }
  void record_use(const allocation& block, stream_id stream) override {
    under_.allocator().record_use(block, stream);
  }
  bytes empty_cache() override { return under_.allocator().empty_cache(); }
  [[nodiscard]] allocator_description describe() const override {
    return under_.allocator().describe();
  }

  void read_all(const std::string& where) {
    // In the order in which they were asked for: addresses are the device's own.
    std::map<std::string, const void*> ordered;
    for (const auto& [address, block] : live_) ordered.emplace(block.what, address);
    for (const auto& [what, address] : ordered) read(where, address, live_.at(address));
  }

  [[nodiscard]] keep when() const { return when_; }
  [[nodiscard]] const std::vector<kept_block>& kept() const { return kept_; }

 private:
  void read(const std::string& where, const void* address, const live_block& block) {
    if (!under_.computes()) return;
    kept_block made{where + block.what, {}};
    made.contents.resize(static_cast<std::size_t>(block.size.n));
    under_.copy_to_host(made.contents.data(), address, block.size, block.stream);
    under_.synchronize(block.stream);
    kept_.push_back(std::move(made));
  }

  device& under_;
  keep when_;
  std::int64_t asked_ = 0;
  std::map<const void*, live_block> live_;
  std::vector<kept_block> kept_;
};

recorded_device::recorded_device(std::unique_ptr<device> under, keep when)
    : under_(std::move(under)), recorder_(std::make_unique<recorder>(*under_, when)) {}
recorded_device::~recorded_device() = default;

void recorded_device::phase_ended(const phase_record& phase) {
  if (recorder_->when() != keep::at_phase_ends || phase.status != phase_status::ok) return;
  if (phase.parent || phase.pass == pass_kind::warmup) return;
  recorder_->read_all(fmt::format("{} {}, ", phase.name, phase.repeat));
}

const std::vector<kept_block>& recorded_device::kept() const { return recorder_->kept(); }
headroom::allocator& recorded_device::allocator() { return *recorder_; }

}  // namespace headroom::test
