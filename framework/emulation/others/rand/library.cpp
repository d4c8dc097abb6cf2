// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {
constexpr int wrong = 103;  // CURAND_STATUS_TYPE_ERROR
}

extern "C" {
int curandGetVersion(int* version) { return put(call::curandGetVersion_, version, 10400, wrong); }
int curandGetProperty(int part, int* value) {
  return property(call::curandGetProperty_, part, value, {10, 4, 0}, wrong);
}
}
