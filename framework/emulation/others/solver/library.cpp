// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int wrong = 3;  // CUSOLVER_STATUS_INVALID_VALUE
constexpr bool of_cuda12 = HEADROOM_ABI_MAJOR == 12;

}  // namespace

extern "C" {
int cusolverGetVersion(int* version) {
  return put(call::cusolverGetVersion_, version, of_cuda12 ? 11705 : 12004, wrong);
}
int cusolverGetProperty(int part, int* value) {
  return property(call::cusolverGetProperty_, part, value,
                  {of_cuda12 ? 11 : 12, of_cuda12 ? 7 : 0, of_cuda12 ? 5 : 4}, wrong);
}
}
