# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""The recordings of record_snapshot.py, and what PyTorch reported of them."""

import json

from converter_testing import FIXTURES, ConverterTest

RECORDINGS = sorted(path.name[: -len(".pickle.xz")] for path in FIXTURES.glob("*.pickle.xz"))
LATE = {"late", "profiled", "truncated", "waiting"}  # their history does not reach back to the start
BEFORE_THE_HISTORY = {"truncated": {"allocated_bytes.all.peak", "requested_bytes.all.peak"}}


def figures_of(name):
    with open(FIXTURES / f"{name}.json", encoding="utf-8") as text:
        return json.load(text)


def expected(name):
    """What PyTorch reported for the part that was recorded."""
    found = figures_of(name)
    counted_up = {
        key: found["after"][key] - found["before"][key] for key in ("num_alloc_retries", "num_ooms")
    }
    return {
        key: value
        for key, value in {**found["after"], **counted_up}.items()
        if key not in BEFORE_THE_HISTORY.get(name, ())
    }


class RecordedTest(ConverterTest):
    def trace_text(self, name, *arguments):
        figures = figures_of(name)
        lines = self.trace_of(
            FIXTURES / f"{name}.pickle.xz", *arguments, capacity=f"{figures['capacity_bytes']} B"
        )
        return "\n".join(lines) + "\n"

    def compare(self, name, got):
        wanted = expected(name)
        self.assertEqual({key: got[key] for key in wanted}, wanted)
