// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/convert.hpp>

#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

template <class From, class To>
struct convert_kernel {
  const From* x;
  To* y;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const { y[i] = narrow<To>(widen(x[i])); }
};

}  // namespace

void convert(device& on, stream_id stream, const tensor_view& x, const tensor_view& y) {
  if (!(x.dims == y.dims)) refuse("convert", {{"x", x}, {"y", y}}, "give both one shape");
  with_element(x.type, [&]<class From>(From*) {
    with_element(y.type, [&]<class To>(To*) {
      launch_elements(on, stream, x.dims.elements(),
                      convert_kernel<From, To>{elements_of<From>(x), elements_of<To>(y)});
    });
  });
}

}  // namespace headroom::kernels
