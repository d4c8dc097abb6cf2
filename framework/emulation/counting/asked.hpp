// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headroom::counting {

// What is asked of the real libraries. Nothing here changes their state, or takes memory of a card.

struct pool_levels {
  std::uint64_t reserved, used;
};
struct graph_levels {
  std::uint64_t reserved, used, high;  ///< high: of used, since the program's last reset
};
/// @return nothing where the library does not say
[[nodiscard]] std::optional<pool_levels> ask_pool(const void* pool, bool by_runtime);
[[nodiscard]] std::optional<graph_levels> ask_graphs(int device, bool by_runtime);

/// The calling thread's; -1 where it has none.
[[nodiscard]] int current_device(bool by_runtime);
/// The device's current pool; null where the library does not say.
[[nodiscard]] const void* pool_of_device(int device, bool by_runtime);
/// Whether what is queued on a stream is captured into a graph.
[[nodiscard]] bool captures(const void* stream, bool by_runtime);

/// "GPU-..." of a device, as nvidia-smi shows it; "" where the driver does not say.
[[nodiscard]] std::string identifier_of(int device);
/// What NVML says that this process holds of a device. @return nothing where it does not say
[[nodiscard]] std::optional<std::uint64_t> held_by_process(const std::string& identifier);

/// Whether the CUDA libraries of this process are the emulation's.
[[nodiscard]] bool emulation_loaded();

/// A line in the log of the run.
void tell(const char* event, const std::string& what);
/// That NVML said what the process holds of a card.
void tell_context(int card);
/// A call succeeded that took memory which is not counted.
void tell_uncounted(const char* library, const char* call);

}  // namespace headroom::counting
