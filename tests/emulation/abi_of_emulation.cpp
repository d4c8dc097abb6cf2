// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "abi_facts.hpp"
#include "emulation/abi/device_properties.hpp"
#include "emulation/abi/driver_types.hpp"
#include "emulation/abi/graph_structs.hpp"
#include "emulation/abi/module_types.hpp"

abi_facts facts_of_emulation() {
#include "abi_facts_of.inc"
}
