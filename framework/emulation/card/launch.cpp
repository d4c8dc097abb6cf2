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
// Sixteen, for kernels that ask for it.
constexpr std::uint64_t most_blocks_of_cluster = 16;

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
           ", \"message\": " + json_string(text) + "}");
  std::fflush(nullptr);
  std::_Exit(3);
}

/// Blocks that run together need a card that has clusters, and a grid made up of them.
result check_clusters(const device& on, const launch_shape& shape) {
  const extent3& cluster = shape.cluster;
  if (cluster.count() == 1) return result::success;
  if (cluster.count() == 0 || cluster.count() > most_blocks_of_cluster || on.profile.major < 9) {
    return result::invalid_cluster_size;
  }
  const bool whole = shape.grid.x % cluster.x == 0 && shape.grid.y % cluster.y == 0 &&
                     shape.grid.z % cluster.z == 0;
  return whole ? result::success : result::invalid_cluster_size;
}

}  // namespace

std::uint64_t dynamic_shared_of(const kernel& which) {
  if (which.dynamic_shared != 0) {
    return std::max(shared_by_default - std::min(shared_by_default, which.code.shared),
                    static_cast<std::uint64_t>(which.dynamic_shared));
  }
  return shared_by_default - std::min(shared_by_default, which.code.shared);
}

result allow_dynamic_shared(const device& on, kernel& which, int size) {
  if (size < 0 ||
      static_cast<std::uint64_t>(size) + which.code.shared > on.profile.shared_per_block_optin) {
    return result::invalid_value;
  }
  which.dynamic_shared = size;
  return result::success;
}

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
  const kernel_code& code = which.code;
  if (code.exact_threads != 0 && block.count() != code.exact_threads) return result::invalid_value;
  if (code.most_threads != 0 && block.count() > code.most_threads) return result::invalid_value;
  if (block.count() > threads_by_registers(code.registers)) return result::launch_out_of_resources;
  if (shape.dynamic_shared > dynamic_shared_of(which)) return result::invalid_value;
  if (shape.cooperative) {
    const int blocks =
        resident_blocks(on, block.count(), code.shared + shape.dynamic_shared, code.registers);
    const auto resident =
        static_cast<std::uint64_t>(on.profile.processors) * static_cast<std::uint64_t>(blocks);
    if (grid.count() > resident) return result::cooperative_too_large;
  }
  return check_clusters(on, shape);
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
