// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/workload.hpp>
#include <memory>
#include <string_view>

namespace headroom::test {

/// What is left out of the order of a workload's two streams.
enum class order_mistake {
  none,
  no_wait,            ///< a stream reads what another one writes, and does not wait for it
  no_recorded_use,    ///< a block is given back and taken again while another stream still reads it
  no_synchronize,     ///< the host reads what a copy is still to bring
  host_memory_reused  ///< the host writes over what a copy is still to read
};
[[nodiscard]] std::string_view name_of(order_mistake which);

/// Numbers are made on the default stream, copied on another one, and brought to the host and back.
[[nodiscard]] std::unique_ptr<workload> make_ordered_workload(order_mistake mistake);

}  // namespace headroom::test
