# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Runs recorded with PyTorch: `headroom replay` of their traces gives the figures that PyTorch reported.

    replayed_runs_test.py PROGRAM

Exits with 77 where PROGRAM has no such command.
"""

import subprocess
import sys
import unittest

from recorded_runs import LATE, RECORDINGS, RecordedTest, figures_of

FIGURES = (
    "allocated_bytes.all.current",
    "allocated_bytes.all.peak",
    "reserved_bytes.all.current",
    "reserved_bytes.all.peak",
    "requested_bytes.all.current",
    "requested_bytes.all.peak",
    "active_bytes.all.current",
    "segment.all.current",
    "num_alloc_retries",
    "num_ooms",
)
PROGRAM = []


class Replayed(RecordedTest):
    def replay(self, text, capacity):
        trace = self.write("run.replayed", text.encode())
        command = [*PROGRAM, "replay", str(trace), "--device", f"plan:{capacity}B", "--events"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        self.assertIn(
            result.returncode, (0, 1), result.stderr
        )  # 1: something did not fit, as in the recording
        rows = [line.split() for line in result.stdout.splitlines() if line[:1].isdigit()]
        return dict(zip(FIGURES, map(int, rows[-1][2:12])))

    def test_every_recording(self):
        for name in RECORDINGS:
            arguments = ["--keep-layout"] if name in LATE else []
            with self.subTest(name=name):
                text = self.trace_text(name, *arguments)
                self.compare(name, self.replay(text, figures_of(name)["capacity_bytes"]))


if __name__ == "__main__":
    PROGRAM.append(sys.argv.pop(1))
    if subprocess.run([*PROGRAM, "replay", "--help"], capture_output=True, check=False).returncode != 0:
        print(f"skipped: {PROGRAM[0]} has no replay command")
        sys.exit(77)
    unittest.main()
