// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/reduction.hpp>
#include <utility>
#include <vector>

#include "reduction_backend.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::pair<reduction_choice, std::string_view>, 3> names{
    {{reduction_choice::automatic, "auto"},
     {reduction_choice::nccl, "nccl"},
     {reduction_choice::host, "host"}}};

/// The host's memory is that of the largest part.
class host_reduction final : public reduction {
 public:
  host_reduction(std::span<device* const> devices, std::string why)
      : devices_(devices.begin(), devices.end()), why_(std::move(why)) {}

  void add_up(std::span<void* const> parts, std::size_t count, stream_id stream,
              const device_observer& at) override {
    const bytes size{static_cast<std::int64_t>(count * sizeof(float))};
    sum_.resize(count);
    one_.resize(count);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (at) at(i);
      std::vector<float>& into = i == 0 ? sum_ : one_;
      devices_[i]->copy_to_host(into.data(), parts[i], size, stream);
      devices_[i]->synchronize(stream);
      if (i == 0) continue;
      for (std::size_t element = 0; element < count; ++element) sum_[element] += one_[element];
    }
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (at) at(i);
      devices_[i]->copy_to_device(parts[i], sum_.data(), size, stream);
      devices_[i]->synchronize(stream);  // the host's copy is used again
    }
  }

  [[nodiscard]] std::string text() const override {
    return "on the host, float32, in order" + why_;
  }

 private:
  std::vector<device*> devices_;
  std::string why_;
  std::vector<float> sum_;
  std::vector<float> one_;
};

bool is_card(const device* each) { return each->info().kind == device_kind::cuda; }

}  // namespace

std::string_view name_of(reduction_choice which) {
  return std::find_if(names.begin(), names.end(),
                      [&](const auto& each) { return each.first == which; })
      ->second;
}

reduction_choice reduction_choice_from_name(std::string_view name) {
  for (const auto& [which, known] : names) {
    if (known == name) return which;
  }
  throw usage_error(fmt::format(
      "reduction is {}; write \"auto\" (NCCL on cards where it is there), \"nccl\" or \"host\"",
      quoted_text(name)));
}

std::unique_ptr<reduction> make_reduction(reduction_choice which,
                                          std::span<device* const> devices) {
  std::string why;
  const bool cards = std::any_of(devices.begin(), devices.end(), is_card);
  if (cards && which != reduction_choice::host) {
    std::string missing = "it adds up among cards alone, and not every device is one";
    if (std::all_of(devices.begin(), devices.end(), is_card)) {
      nccl_reduction_result with = make_nccl_reduction(devices);
      if (with.made) return std::move(with.made);
      missing = with.missing;
    }
    if (which == reduction_choice::nccl) {
      throw device_error(fmt::format(
          "NCCL: {}; put its folder on LD_LIBRARY_PATH, or write the option reduction \"host\"",
          missing));
    }
    why = ", as there is no NCCL";
  }
  return std::make_unique<host_reduction>(devices, why);
}

}  // namespace headroom::kernels
