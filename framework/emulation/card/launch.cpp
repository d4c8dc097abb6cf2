// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "json_text.hpp"
#include "occupancy.hpp"
#include "run_channel.hpp"

namespace headroom::emulation {
namespace {

constexpr std::size_t argument_alignment = 16;

/// Copies of a launch's arguments, which the program may change once the launch has returned.
class argument_pack {
 public:
  argument_pack(const std::vector<std::size_t>& sizes, void** arguments) : pointers_(sizes.size()) {
    std::size_t whole = 0;
    for (const std::size_t size : sizes) whole += round_up(size, argument_alignment);
    storage_ = std::make_unique<slot[]>(whole / argument_alignment);
    auto* at = reinterpret_cast<char*>(storage_.get());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::memcpy(at, arguments[i], sizes[i]);
      pointers_[i] = at;
      at += round_up(sizes[i], argument_alignment);
    }
  }
  [[nodiscard]] void** pointers() { return pointers_.data(); }

 private:
  struct alignas(argument_alignment) slot {
    char bytes[argument_alignment];
  };
  std::unique_ptr<slot[]> storage_;
  std::vector<void*> pointers_;
};

/// A loop that waits for what a kernel would write has no other end.
[[noreturn]] void end_by_launches(card& all, const kernel& last) {
  std::string where = last.name;
  if (all.run) where += " in phase " + all.run->innermost_name();
  const std::string text = "more than " + std::to_string(all.set.launches) +
                           " kernels were launched, the last one " + where +
                           "; raise the limit, or look for a loop that waits for a value that a "
                           "kernel would write: an emulated card leaves kernels out";
  std::fprintf(stderr, "headroom: emulated card: %s\n", text.c_str());
  tell_run("{\"event\": \"exception\", \"process\": " + std::to_string(getpid()) +
           ", \"message\": " + quoted(text) + "}");
  std::fflush(nullptr);
  std::_Exit(3);
}

}  // namespace

result check(const device& on, const kernel& which, const launch_shape& shape) {
  if (!modules().runs_on(which, on.profile.major, on.profile.minor)) {
    return result::no_kernel_image;
  }
  const extent3& grid = shape.grid;
  const extent3& block = shape.block;
  if (grid.count() == 0 || block.count() == 0) return result::invalid_configuration;
  if (grid.x > 2147483647u || grid.y > 65535u || grid.z > 65535u) {
    return result::invalid_configuration;
  }
  if (block.x > 1024u || block.y > 1024u || block.z > 64u || block.count() > 1024u) {
    return result::invalid_configuration;
  }
  const std::uint64_t allowed =
      std::max(shared_by_default, static_cast<std::uint64_t>(which.dynamic_shared));
  if (shape.dynamic_shared > allowed) return result::invalid_value;
  if (shape.cooperative) {
    const auto resident =
        static_cast<std::uint64_t>(on.profile.processors) *
        (static_cast<std::uint64_t>(on.profile.threads_per_processor) / block.count());
    if (grid.count() > resident) return result::cooperative_too_large;
  }
  return result::success;
}

operation operation_of(const card& all, const kernel& which, void** arguments) {
  if (which.twin == nullptr || all.set.behind != contents::all) return {{}, false, 0};
  auto pack = std::make_shared<argument_pack>(which.argument_sizes, arguments);
  return {[pack, twin = which.twin] {
            twin(pack->pointers());
            return result::success;
          },
          true, 0};
}

result launch(card& all, card_lock& lock, stream& on, kernel& which, const launch_shape& shape,
              void** arguments) {
  const result verdict = check(*on.on, which, shape);
  if (verdict != result::success) return verdict;
  operation what = operation_of(all, which, arguments);
  ++which.launched;
  if (all.set.launches != 0 && ++all.launches > all.set.launches) end_by_launches(all, which);
  if (!what.run) ++which.left_out;
  enqueue(all, lock, on, std::move(what));
  return result::success;
}

}  // namespace headroom::emulation
