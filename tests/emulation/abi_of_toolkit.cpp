// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "abi_facts.hpp"

static_assert(CUDART_VERSION / 1000 == HEADROOM_ABI_MAJOR, "headers of another major version");

abi_facts facts_of_toolkit() {
#include "abi_facts_of.inc"
}
