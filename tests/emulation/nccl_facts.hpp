// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <string>

/// "ncclFloat32" and "7"; of a call, how its result and arguments are passed.
using nccl_facts = std::map<std::string, std::string>;

[[nodiscard]] nccl_facts nccl_facts_of_emulation();
/// Empty where there is no nccl.h.
[[nodiscard]] nccl_facts nccl_facts_of_header();
