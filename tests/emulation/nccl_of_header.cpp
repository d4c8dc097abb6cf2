// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#if __has_include(<nccl.h>)
#include <nccl.h>
#endif

#include "nccl_facts.hpp"
#include "support/call_shape.hpp"

nccl_facts nccl_facts_of_header() {
#if defined(NCCL_VERSION_CODE) && NCCL_VERSION_CODE >= 22800
#include "nccl_facts.inc"
#else
  return {};
#endif
}
