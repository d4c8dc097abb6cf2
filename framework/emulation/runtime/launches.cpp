// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/launch.hpp"

#include "../abi/registration_calls.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

extent3 extent_of(const dim3& size) { return {size.x, size.y, size.z}; }

cudaError_t launch_on(call which, const void* handle, const launch_shape& shape, void** arguments) {
  return answer_on_stream(which, static_cast<cudaStream_t>(shape.stream),
                          [&](device_session& now, stream& on) {
                            kernel* known = modules().find(handle);
                            if (known == nullptr) return result::invalid_device_function;
                            return launch(now.all, now.lock, on, *known, shape, arguments);
                          });
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch_on(call::cudaLaunchKernel_, kernel,
                   {extent_of(grid), extent_of(block), shared, stream, false, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  return launch_on(call::cudaLaunchCooperativeKernel_, kernel,
                   {extent_of(grid), extent_of(block), shared, stream, true}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* shape, const void* kernel,
                                void** arguments) {
  if (shape == nullptr) {
    return answer(call::cudaLaunchKernelExC_, [](session&) { return result::invalid_value; });
  }
  bool cooperative = false;
  for (unsigned i = 0; i < shape->numAttrs; ++i) {
    const cudaLaunchAttribute& each = shape->attrs[i];
    if (each.id == cudaLaunchAttributeCooperative) cooperative = each.val.cooperative != 0;
  }
  return launch_on(call::cudaLaunchKernelExC_, kernel,
                   {extent_of(shape->gridDim),
                    extent_of(shape->blockDim),
                    shape->dynamicSmemBytes,
                    shape->stream,
                    cooperative,
                    {}},
                   arguments);
}

// What the compiler makes of kernel<<<...>>>(...): the shape is pushed, the kernel's own stub pops
// it and launches.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     struct CUstream_st* stream) {
  count(call::__cudaPushCallConfiguration_);
  this_thread().shapes.push_back({extent_of(grid), extent_of(block), shared, stream, false, {}});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  count(call::__cudaPopCallConfiguration_);
  thread_state& me = this_thread();
  if (me.shapes.empty()) return keep(me, result::missing_configuration);
  const launch_shape shape = me.shapes.back();
  me.shapes.pop_back();
  *grid = dim3(shape.grid.x, shape.grid.y, shape.grid.z);
  *block = dim3(shape.block.x, shape.block.y, shape.block.z);
  *shared = shape.dynamic_shared;
  *static_cast<void**>(stream) = shape.stream;
  return cudaSuccess;
}

// A kernel's handle is the address by which it was registered.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  count(call::__cudaGetKernel_);
  const modules_lock locked;
  if (locked.modules.find(host) == nullptr) {
    return keep(this_thread(), result::invalid_device_function);
  }
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch_on(call::__cudaLaunchKernel_, kernel,
                   {extent_of(grid), extent_of(block), shared, stream, false, {}}, arguments);
}
