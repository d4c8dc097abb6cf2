// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/launch.hpp"

#include <algorithm>

#include "../card/occupancy.hpp"
#include "functions.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

CUresult launch_on(call which, CUfunction function, const launch_shape& shape, void** arguments) {
  return answer_on_stream(
      which, static_cast<CUstream>(shape.stream), [&](context_session& now, stream& on) {
        kernel* const known = function_of(function);
        if (known == nullptr) return result::invalid_handle;
        const loaded_module* const of = module_of(now.all, known->module);
        if (of != nullptr && of->device >= 0 && of->device != on.on->index) {
          return result::invalid_handle;
        }
        const result verdict = launch(now.all, now.lock, on, *known, shape, arguments);
        // The driver has no answer of its own for a wrong shape.
        return verdict == result::invalid_configuration ? result::invalid_value : verdict;
      });
}

result blocks_at_once(const device& on, const kernel& of, int block_size, std::size_t shared,
                      int* blocks) {
  if (blocks == nullptr || block_size <= 0) return result::invalid_value;
  *blocks = resident_blocks(on, static_cast<std::uint64_t>(block_size), shared + of.code.shared,
                            of.code.registers);
  return result::success;
}

launch_shape shape_of(const CUlaunchConfig& said) {
  launch_shape shape{{said.gridDimX, said.gridDimY, said.gridDimZ},
                     {said.blockDimX, said.blockDimY, said.blockDimZ},
                     said.sharedMemBytes,
                     said.hStream,
                     false,
                     {}};
  for (unsigned i = 0; said.attrs != nullptr && i < said.numAttrs; ++i) {
    const CUlaunchAttribute& each = said.attrs[i];
    if (each.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = each.value.cooperative != 0;
    if (each.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& size = each.value.clusterDim;
      shape.cluster = {size.x, size.y, size.z};
    }
  }
  return shape;
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void**) {
  return launch_on(
      call::cuLaunchKernel_, function,
      {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, false, {}},
      arguments);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** arguments) {
  return launch_on(
      call::cuLaunchCooperativeKernel_, function,
      {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, true, {}}, arguments);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* shape, CUfunction function, void** arguments,
                          void**) {
  if (shape == nullptr) {
    return answer(call::cuLaunchKernelEx_, [](session&) { return result::invalid_value; });
  }
  return launch_on(call::cuLaunchKernelEx_, function, shape_of(*shape), arguments);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function,
                                                     int block_size, std::size_t shared) {
  return about_function(call::cuOccupancyMaxActiveBlocksPerMultiprocessor_, function,
                        [&](context_session& now, const kernel& of) {
                          return blocks_at_once(now.on, of, block_size, shared, blocks);
                        });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int block_size, std::size_t shared,
                                                              unsigned flags) {
  return about_function(call::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_, function,
                        [&](context_session& now, const kernel& of) {
                          if (flags > 1) return result::invalid_value;
                          return blocks_at_once(now.on, of, block_size, shared, blocks);
                        });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* size, CUfunction function, int blocks,
                                                 int block_size) {
  return about_function(call::cuOccupancyAvailableDynamicSMemPerBlock_, function,
                        [&](context_session& now, const kernel& of) {
                          if (size == nullptr || blocks <= 0 || block_size <= 0)
                            return result::invalid_value;
                          const std::uint64_t whole =
                              shared_for_blocks(now.on, static_cast<std::uint64_t>(blocks));
                          *size = whole - std::min(whole, of.code.shared);
                          return result::success;
                        });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* said) {
  return about_function(
      call::cuOccupancyMaxActiveClusters_, function, [&](context_session& now, const kernel& of) {
        if (clusters == nullptr || said == nullptr) return result::invalid_value;
        const launch_shape shape = shape_of(*said);
        const result verdict = check(now.on, of, shape);
        if (verdict != result::success) {
          return verdict == result::invalid_configuration ? result::invalid_value : verdict;
        }
        const auto blocks = static_cast<std::uint64_t>(resident_blocks(
            now.on, shape.block.count(), shape.dynamic_shared + of.code.shared, of.code.registers));
        // How a card's processors are grouped is not modelled: all of them in one.
        *clusters = static_cast<int>(
            blocks * static_cast<std::uint64_t>(now.on.profile.processors) / shape.cluster.count());
        return result::success;
      });
}
