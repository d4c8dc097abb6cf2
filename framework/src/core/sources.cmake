# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
# The sources of core: for the library, and for the validator that is built at configure time.
set(headroom_core_sources
    budget.cpp
    budget_checks.cpp
    budget_configurations.cpp
    budget_file.cpp
    budget_limits.cpp
    budget_parts.cpp
    counters.cpp
    error.cpp
    estimate.cpp
    json_document.cpp
    json_edit.cpp
    json_fields.cpp
    json_node.cpp
    json_syntax.cpp
    json_values.cpp
    kv_cache_estimate.cpp
    new_file.cpp
    quoted_text.cpp
    size_advice.cpp
    size_text.cpp
    tag.cpp
    text_file.cpp
    weight_estimate.cpp
    workload_description.cpp)
