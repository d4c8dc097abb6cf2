// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <string>

/// "offset of cudaDeviceProp::major" and the number.
using abi_facts = std::map<std::string, long>;

[[nodiscard]] abi_facts facts_of_emulation();
[[nodiscard]] abi_facts facts_of_toolkit();
