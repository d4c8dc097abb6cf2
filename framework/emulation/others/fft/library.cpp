// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int wrong = 4;  // CUFFT_INVALID_VALUE
constexpr bool of_cuda12 = HEADROOM_ABI_MAJOR == 12;

}  // namespace

extern "C" {
int cufftGetVersion(int* version) {
  return put(call::cufftGetVersion_, version, of_cuda12 ? 11401 : 12000, wrong);
}
int cufftGetProperty(int part, int* value) {
  return property(call::cufftGetProperty_, part, value,
                  {of_cuda12 ? 11 : 12, of_cuda12 ? 4 : 0, of_cuda12 ? 1 : 0}, wrong);
}
}
