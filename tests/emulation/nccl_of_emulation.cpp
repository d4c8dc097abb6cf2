// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "emulation/abi/nccl_calls.hpp"
#include "nccl_facts.hpp"
#include "support/call_shape.hpp"

nccl_facts nccl_facts_of_emulation() {
#include "nccl_facts.inc"
}
