// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "result.hpp"

namespace headroom::emulation {

const result_words* words_of(int number) {
  switch (number) {
#define HEADROOM_RESULT(member, number, runtime_name, driver_name, text)    \
  case number: {                                                            \
    static constexpr result_words words{#runtime_name, #driver_name, text}; \
    return &words;                                                          \
  }
#define HEADROOM_RUNTIME_RESULT(member, number, runtime_name, text) \
  case number: {                                                    \
    static constexpr result_words words{#runtime_name, "", text};   \
    return &words;                                                  \
  }
#include "results.inc"
    default:
      return nullptr;
  }
}

}  // namespace headroom::emulation
