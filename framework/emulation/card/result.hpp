// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

namespace headroom::emulation {

/// What a call answers. The numbers are those of the ABI: cudaError_t and CUresult share them.
enum class result : int {
#define HEADROOM_RESULT(member, number, runtime_name, driver_name, text) member = number,
#define HEADROOM_RUNTIME_RESULT(member, number, runtime_name, text) member = number,
#include "results.inc"
};

struct result_words {
  const char* runtime_name;
  const char* driver_name;  ///< "" where the driver has no such answer
  const char* text;
};

/// @return null for a number that is no answer known here
[[nodiscard]] const result_words* words_of(int number);

}  // namespace headroom::emulation
