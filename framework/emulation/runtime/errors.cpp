// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

// Reading an error is allowed everywhere, and says nothing of a device.
cudaError_t cudaGetLastError() {
  count(call::cudaGetLastError_);
  thread_state& me = this_thread();
  const result last = me.last;
  me.last = result::success;
  return static_cast<cudaError_t>(last);
}

cudaError_t cudaPeekAtLastError() {
  count(call::cudaPeekAtLastError_);
  return static_cast<cudaError_t>(this_thread().last);
}

const char* cudaGetErrorName(cudaError_t error) {
  count(call::cudaGetErrorName_);
  const result_words* words = words_of(error);
  return words == nullptr ? "unrecognized error code" : words->runtime_name;
}

const char* cudaGetErrorString(cudaError_t error) {
  count(call::cudaGetErrorString_);
  const result_words* words = words_of(error);
  return words == nullptr ? "unrecognized error code" : words->text;
}
