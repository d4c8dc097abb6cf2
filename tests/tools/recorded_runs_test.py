# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Runs recorded with PyTorch: their traces, replayed in a slow model, give the figures that PyTorch reported.

The model knows the default settings only; replayed_runs_test.py has all of them.
"""

import lzma
import pickle
import unittest

from allocator_model import Model
from recorded_runs import FIXTURES, LATE, RECORDINGS, RecordedTest, expected, figures_of


class Modelled(RecordedTest):
    def test_there_are_recordings(self):
        self.assertGreaterEqual(len(RECORDINGS), 15)

    def test_default_settings_in_the_model(self):
        names = [name for name in RECORDINGS if not figures_of(name)["settings"]]
        self.assertGreaterEqual(len(names), 10)
        for name in names:
            with self.subTest(name=name):
                arguments = ["--keep-layout"] if name in LATE else []
                self.compare(name, Model().replay(self.trace_text(name, *arguments)).figures())

    def test_without_the_layout_everything_but_reserved_bytes(self):
        for name in sorted(LATE):
            with self.subTest(name=name):
                got = Model().replay(self.trace_text(name)).figures()
                wanted = {
                    key: value
                    for key, value in expected(name).items()
                    if key[:8] not in ("reserved", "segment.")
                }
                self.assertEqual({key: got[key] for key in wanted}, wanted)
                self.assertLessEqual(
                    got["reserved_bytes.all.peak"], expected(name)["reserved_bytes.all.peak"]
                )

    def test_requested_bytes_with_other_settings(self):
        for name in RECORDINGS:
            settings = figures_of(name)["settings"]
            if settings and "pressure" not in name:  # the model's rules let other allocations fail
                with self.subTest(name=name):
                    got = Model().replay(self.trace_text(name)).figures()
                    for key in ("requested_bytes.all.current", "requested_bytes.all.peak"):
                        self.assertEqual(got[key], expected(name)[key])

    def test_settings_are_those_of_the_recording(self):
        for name in RECORDINGS:
            lines = self.trace_text(name).splitlines()
            written = sorted(
                line.split(" ", 1)[1].replace(" ", ":", 1) for line in lines if line.startswith("setting ")
            )
            wanted = figures_of(name)["settings"].replace(
                "[256:1,512:2,1024:4,>:8]", "[256:1;512:2;1024:4;>:8]"
            )
            self.assertEqual(
                written, sorted(text.replace(";", ",") for text in wanted.split(",") if text), name
            )

    def test_the_cut_history_says_what_is_lost(self):
        result = self.run_snapshot(FIXTURES / "truncated.pickle.xz", "--output", "-")
        self.assertIn(b"113 blocks", result.stderr)
        self.assertIn(b"max_entries (300)", result.stderr)

    def test_several_devices_convert_as_each_alone(self):
        devices = [self.load("training"), self.load("streams")]
        for number, snapshot in enumerate(devices):
            for segment in snapshot["segments"]:
                segment["device"] = number
        both = {
            "segments": sum((snapshot["segments"] for snapshot in devices), []),
            "allocator_settings": {},
            "device_traces": [snapshot["device_traces"][0] for snapshot in devices],
        }
        self.assertEqual(self.run_snapshot(self.write("run.pickle", pickle.dumps(both))).returncode, 0)
        for number, name in enumerate(("training", "streams")):
            got = (self.folder / f"run.device{number}.trace").read_text()
            self.compare(name, Model().replay(got).figures())

    def load(self, name):
        with lzma.open(FIXTURES / f"{name}.pickle.xz") as packed:
            return pickle.load(packed)

    def test_a_profile_gives_the_allocated_bytes(self):
        result = self.run_tool(
            "trace_from_pytorch_profiler.py", FIXTURES / "profiled.trace.json.xz", "--output", "-"
        )
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        got = Model().replay(result.stdout.decode()).figures()
        for key in ("allocated_bytes.all.current", "allocated_bytes.all.peak", "num_ooms"):
            self.assertEqual(got[key], expected("profiled")[key], key)


if __name__ == "__main__":
    unittest.main()
