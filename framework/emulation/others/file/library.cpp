// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

/// As CUfileError_t.
struct answer {
  int of_file;
  int of_driver;
};

constexpr int platform_not_supported = 5007;

/// A length is negative where there was an error.
long refuse(call which) {
  count(which);
  return -platform_not_supported;
}

}  // namespace

extern "C" {
answer cuFileGetVersion(int* version) {
  return {put(call::cuFileGetVersion_, version, 1150, 5022), 0};
}
long cuFileUseCount() {
  count(call::cuFileUseCount_);
  return 0;
}
long cuFileRead(void*, void*, std::size_t, long, long) { return refuse(call::cuFileRead_); }
long cuFileReadv(void*, const void*, std::size_t, long, unsigned) {
  return refuse(call::cuFileReadv_);
}
long cuFileWrite(void*, const void*, std::size_t, long, long) { return refuse(call::cuFileWrite_); }
long cuFileWritev(void*, const void*, std::size_t, long, unsigned) {
  return refuse(call::cuFileWritev_);
}
}
