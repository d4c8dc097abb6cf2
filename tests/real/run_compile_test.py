#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""run_compile_test.py HEADROOM PYTHON: `headroom run` around torch.compile and Triton, unmodified.

PYTHON imports torch and triton. Exit 77 where it does not, or where Triton lacks what it compiles with: a C
compiler and Python's headers."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PYTHON = sys.argv[1], sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "field"))
from over_emulation import packages  # noqa: E402

packages(PYTHON, "triton")
HEADERS = subprocess.run([PYTHON, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])"], capture_output=True,
                         text=True, check=True).stdout.strip()
if not (pathlib.Path(HEADERS) / "Python.h").exists():
    print(f"skipped: no {HEADERS}/Python.h: Triton compiles with it (python3-dev)")
    sys.exit(77)
if not (os.environ.get("CC") or shutil.which("gcc") or shutil.which("clang")):
    print("skipped: no C compiler: Triton compiles with it")
    sys.exit(77)


class RunCompiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.caches = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.caches.cleanup)
        cls.known = {}

    def run_it(self, *command, cache="kept", options=()):
        """What the program printed, and the artifact. A cache of its own, or the one of all tests."""
        with tempfile.TemporaryDirectory() as folder:
            artifact = pathlib.Path(folder) / "artifact.json"
            caches = pathlib.Path(self.caches.name) / cache
            done = subprocess.run(
                [HEADROOM, "run", "--device", "emulated:a100-40gb", "--output", artifact, *options, "--", PYTHON, *command],
                text=True, capture_output=True, timeout=600, check=False, cwd=folder,
                env={**os.environ, "TRITON_CACHE_DIR": str(caches / "triton"), "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor")})
            self.assertEqual(done.returncode, 0, done.stderr[-4000:])
            self.assertNotIn("global hooks", done.stderr, "PyTorch warns of what looks on")
            read = json.loads(artifact.read_text())
        self.assertEqual((read["outcome"], read["program"]["unmodelled"]), ("within", []), done.stderr[-2000:])
        return done.stdout, read

    def block(self, mode, **named):
        """Counters of each step of compiled_block.py, allocated and reserved, current and peak."""
        printed, artifact = self.run_it(HERE / "compiled_block.py", mode, **named)
        lines = [line.split() for line in printed.splitlines()]
        steps = [tuple(map(int, each[1:])) for each in lines if each[0].isdigit()]
        self.assertEqual(len(steps), 3, printed)
        if mode != "eager":
            self.assertEqual(lines[-1], ["graphs", "1", "breaks", "0"], "the model is one graph")
        end = next(each for each in artifact["phases"] if each["name"] == "run")["readings"][0]["end"]
        self.assertEqual((end["allocated_peak_bytes"], end["reserved_peak_bytes"]),
                         (max(each[1] for each in steps), max(each[3] for each in steps)))
        return steps, artifact

    def once(self, mode):
        if mode not in self.known:
            self.known[mode] = self.block(mode)[0]
        return self.known[mode]

    def test_a_kernel_of_tritons_is_left_out_and_its_code_is_read(self):
        printed, artifact = self.run_it(HERE / "triton_kernel.py")
        said = dict(zip(words := printed.split(), words[1:]))
        self.assertGreater(int(said["registers"]), 8)
        self.assertEqual(said["spills"], "0")
        self.assertEqual(said["picked"], "128", "all take the same time: the first")
        self.assertGreater(int(said["shared"]), 48 << 10, "more than a block has without asking")
        # Three tensors of 4 000 256 B, and the 256 MiB by which Triton empties the card's cache between two timings.
        self.assertEqual(int(said["peak"]), 3 * 4000256 + (256 << 20))

    def test_a_cold_cache_changes_the_first_step_alone_and_a_warm_one_nothing(self):
        cold, warm, again = (self.block("default", cache="cold")[0] for _ in range(3))
        self.assertEqual(warm, again)
        self.assertGreater(cold[0][1], warm[0][1], "kernels are tuned on tensors of their own")
        self.assertEqual([each[:2] for each in cold[1:]], [each[:2] for each in warm[1:]], "allocated")

    def test_phases_change_no_graph_and_no_counter(self):
        self.once("default")  # the cache is warm for both
        looked_at, artifact = self.block("default", options=("--phases", "auto"))
        left_alone, _ = self.block("default", options=("--phases", "whole"))
        self.assertEqual(looked_at, left_alone)
        names = [each["name"] for each in artifact["phases"]]
        self.assertEqual(names, ["run", "model_load"] + [f"{step}_{part}" for step in ("cold", "warm", "warm") for part in
                                                         ("forward", "loss", "backward", "update")])

    def test_a_fused_kernel_needs_no_tensors_between(self):
        printed, _ = self.run_it(HERE / "compiled_chain.py")
        # One after the other: the input, what the last has written and what the next writes. Fused: input and output.
        self.assertEqual(printed.split(), ["3.0", "2.0"])

    def test_graphs_keep_their_pool(self):
        compiled, captured = self.once("default"), self.once("reduce-overhead")
        self.assertGreater(captured[-1][2], compiled[-1][2], "the pool of the graphs stays reserved")
        self.assertLess(captured[-1][1], captured[-2][1], "a graph that is replayed asks the allocator for nothing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
