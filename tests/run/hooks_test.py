#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""hooks_test.py HEADROOM PROGRAM: what `headroom run` reads of PyTorch, and the phases that its hooks mark,
over stand_in/torch.py in PyTorch's place. With PyTorch itself: tests/real/run_pytorch_test.py."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEADROOM = sys.argv[1]
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in"
MIB = 1 << 20
STEP = """
def forward(): torch.take(4 * MIB); return 1
def loss(): torch.take(1 * MIB); torch.give(); return 1
def backward(): torch.take(16 * MIB); torch.give(); torch.give()
def update(): torch.take(2 * MIB); torch.give()
def train(model, criterion):
    model(); criterion(); torch.autograd.backward(backward); torch.step(update)
"""


class Hooks(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"

    def run_it(self, text, options=(), code=0, before="", environment=None):
        for each in self.folder.glob("artifact*.json"):
            each.unlink()
        script = self.folder / "script.py"
        script.write_text(f"import os, sys, threading\n{before}\nimport torch\nMIB = 1 << 20\n{STEP}\n{text}\n")
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:1GiB", "--output", self.artifact, "--context-bytes", "64 MiB", *options,
                               "--", sys.executable, script], text=True, capture_output=True, timeout=60, check=False, cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": str(STAND_IN), **(environment or {})})
        self.assertEqual(done.returncode, code, done.stderr)
        done.stderr = " ".join(done.stderr.split())
        return done, json.loads(self.artifact.read_text())

    @staticmethod
    def phases(artifact):
        return [each["name"] for each in artifact["phases"]]

    def levels(self, artifact, name="run", which=0, device=0):
        phase = [each for each in artifact["phases"] if each["name"] == name][which]
        read = phase["readings"][device]
        return (read["begin"]["allocated_current_bytes"], *(read["end"][f"{each}_bytes"] for each in ("allocated_current", "allocated_peak")))

    def test_a_step_has_its_phases_cold_and_then_warm(self):
        _, artifact = self.run_it("model = torch.Module(forward, 1000); criterion = torch.nn.modules.loss._Loss(loss)\n"
                                  "torch.take(8 * MIB)\nfor _ in range(2): train(model, criterion)\nwith torch.no_grad(): model()")
        self.assertEqual(self.phases(artifact), ["run", "model_load", *(f"{kind}_{name}" for kind in ("cold", "warm") for name in
                                                                         ("forward", "loss", "backward", "update")), "evaluation"])
        for kind in ("cold", "warm"):
            self.assertEqual(self.levels(artifact, f"{kind}_forward"), (8 * MIB, 12 * MIB, 12 * MIB))
            self.assertEqual(self.levels(artifact, f"{kind}_loss"), (12 * MIB, 12 * MIB, 13 * MIB))
            self.assertEqual(self.levels(artifact, f"{kind}_backward"), (12 * MIB, 8 * MIB, 28 * MIB))
            self.assertEqual(self.levels(artifact, f"{kind}_update"), (8 * MIB, 8 * MIB, 10 * MIB))
        self.assertEqual(self.levels(artifact), (0, 12 * MIB, 28 * MIB))
        self.assertEqual(artifact["program"]["weights"], [{"dtype": "float16", "bits": 16, "parameters": 1000}])

    def test_a_loss_without_a_module_is_one_too(self):
        _, artifact = self.run_it("torch.take(1)\ntorch.Module(forward)(); loss(); torch.autograd.backward(backward)")
        self.assertEqual(self.phases(artifact), ["run", "model_load", "cold_forward", "cold_loss", "cold_backward"])
        loaded = next(each for each in artifact["phases"] if each["name"] == "model_load")["readings"][0]["end"]
        # The framework's own, though the driver gave it 2 MiB.
        self.assertEqual([loaded[f"{each}_bytes"] for each in ("requested_current", "allocated_current", "reserved_current")], [1, 512, 512])

    def test_requested_bytes_are_those_before_rounding(self):
        _, artifact = self.run_it("torch.take(1000)")
        end = artifact["phases"][0]["readings"][0]["end"]
        self.assertEqual((end["requested_peak_bytes"], end["allocated_peak_bytes"]), (1000, 1024))

    def test_figures_are_the_same_with_and_without_phases(self):
        text = "model = torch.Module(forward)\ntorch.take(1000)\ntrain(model, torch.nn.modules.loss._Loss(loss))"
        runs = [self.run_it(text, options=("--phases", kind))[1] for kind in ("auto", "nvtx", "whole")]
        self.assertEqual([self.levels(each) for each in runs], [self.levels(runs[0])] * 3)
        self.assertEqual([len(each["phases"]) for each in runs], [6, 1, 1])

    def test_an_inference_has_a_cold_and_a_warm_forward(self):
        _, artifact = self.run_it("inner = torch.Module(forward); model = torch.Module(lambda: inner())\n"
                                  "torch.take(1)\nwith torch.no_grad():\n    for _ in range(3): model(); torch.give()")
        self.assertEqual(self.phases(artifact), ["run", "model_load", "cold_forward", "warm_forward", "warm_forward"])

    def test_the_programs_own_peaks_are_as_if_nobody_looked_on(self):
        text = ("print(torch.cuda.max_memory_allocated())\ntorch.take(8 * MIB); torch.give()\nmodel = torch.Module(forward)\n"
                "model()\nprint(torch.cuda.max_memory_allocated())\ntorch.cuda.reset_peak_memory_stats()\n"
                "print(torch.cuda.max_memory_allocated())\nmodel(); torch.give(); torch.give()\nprint(torch.cuda.max_memory_allocated())\n"
                "torch.cuda.reset_peak_memory_stats(); print(torch.cuda.max_memory_allocated())")
        done, artifact = self.run_it(text)
        self.assertEqual([int(each) / MIB for each in done.stdout.split()], [0, 8, 4, 8, 0])
        self.assertEqual(self.levels(artifact)[2], 8 * MIB)

    def test_a_peak_before_the_programs_own_reset_is_the_runs(self):
        _, artifact = self.run_it("torch.take(8 * MIB); torch.give()\ntorch.cuda.reset_peak_memory_stats()\ntorch.take(MIB)")
        self.assertEqual(self.levels(artifact), (0, MIB, 8 * MIB))

    def test_looking_for_torch_does_not_keep_it_from_being_looked_at(self):
        _, artifact = self.run_it("torch.take(1000)", before="import importlib.util\nimportlib.util.find_spec('torch')")
        self.assertEqual(artifact["program"]["processes"][0]["framework"], "pytorch 0.0 stand-in, native")
        self.assertEqual(self.levels(artifact)[2], 1024)

    def test_an_out_of_memory_has_phase_request_and_the_frameworks_words(self):
        done, artifact = self.run_it("torch.take(1)\ntorch.Module(lambda: torch.take(2048 * MIB + 1))()", code=5)
        failed = next(each for each in artifact["phases"] if each["error"])
        self.assertEqual((failed["name"], failed["error"]["kind"], failed["error"]["requested_bytes"]),
                         ("cold_forward", "out_of_memory", 2048 * MIB + 1))
        self.assertIn("_OutOfMemory: CUDA out of memory. Tried to allocate", failed["error"]["message"])

    def test_a_request_that_was_refused_and_given_up_is_no_pass(self):
        _, artifact = self.run_it("torch.take(1000)\ntry: torch.take(2048 * MIB)\nexcept torch.cuda.OutOfMemoryError: pass", code=6)
        self.assertIn("the program went on", artifact["outcome_reason"])

    def test_an_error_within_backward_fails_that_phase(self):
        done, artifact = self.run_it("def wrong(): raise ValueError('of theirs')\ntorch.Module(forward)()\ntorch.autograd.grad(wrong)", code=5)
        self.assertIn("Traceback (most recent call last)", done.stderr)
        failed = [(each["name"], each["error"]["message"]) for each in artifact["phases"] if each["error"]]
        self.assertEqual(failed, [("cold_backward", "ValueError: of theirs")])

    def test_a_forward_of_another_thread_does_not_end_this_ones(self):
        text = ("inside = threading.Event(); done = threading.Event()\nother = torch.Module(lambda: torch.take(MIB))\n"
                "def outer():\n    torch.take(2 * MIB)\n    thread = threading.Thread(target=other); thread.start(); thread.join()\n"
                "    torch.take(4 * MIB)\n    return 1\nwith torch.no_grad(): torch.Module(outer)()")
        _, artifact = self.run_it("torch.take(1)\n" + text)
        self.assertEqual(self.phases(artifact), ["run", "model_load", "cold_forward"])
        self.assertEqual(self.levels(artifact, "cold_forward")[2], 7 * MIB + 512)

    def test_what_is_within_a_forward_that_has_no_phase_has_none_either(self):
        # The other thread's forward begins within this one's, and goes on when this one has ended.
        text = ("inside = threading.Event(); ended = threading.Event()\ninner = torch.Module(lambda: torch.take(MIB))\n"
                "def outer():\n    inside.set(); ended.wait(); inner()\nthread = threading.Thread(target=torch.Module(outer))\n"
                "def first():\n    thread.start(); inside.wait()\nwith torch.no_grad(): torch.Module(first)()\nended.set(); thread.join()")
        _, artifact = self.run_it("torch.take(1)\n" + text)
        self.assertEqual(self.phases(artifact), ["run", "model_load", "cold_forward"])

    def test_an_out_of_memory_of_the_programs_own_is_one(self):
        _, artifact = self.run_it("torch.take(1)\nraise torch.cuda.OutOfMemoryError('of theirs')", code=5)
        self.assertEqual(artifact["outcome"], "out_of_memory")

    def test_cards_are_read_each(self):
        _, artifact = self.run_it("torch.take(MIB, 1)\nmodel = torch.Module(lambda: (torch.take(2 * MIB, 1), torch.take(512)))\nmodel()",
                                  options=("--devices", "2"))
        phase = next(each for each in artifact["phases"] if each["name"] == "cold_forward")
        self.assertEqual([(each["device"], each["end"]["allocated_peak_bytes"]) for each in phase["readings"]], [("cuda:0", 512), ("cuda:1", 3 * MIB)])

    def test_a_worker_that_ends_without_exit_handlers_has_told_its_figures(self):
        _, artifact = self.run_it("torch.take(4 * MIB); torch.give(); torch.take(MIB)\nos._exit(0)")
        self.assertEqual(self.levels(artifact), (0, MIB, 4 * MIB))

    def test_an_end_out_of_another_thread_does_not_wait(self):
        _, artifact = self.run_it("torch.take(MIB)\ndef leave(): os._exit(0)\nthreading.Thread(target=leave).start()\n"
                                  "threading.Event().wait()", code=6)
        self.assertIn("did not end by itself", artifact["outcome_reason"])

    def test_figures_that_could_not_be_told_are_missed(self):
        _, artifact = self.run_it("torch.take(MIB)\ndef none(*_, **__): raise OSError('no more files')\nos.open = none", code=6)
        self.assertIn("had to tell of themselves could not be written", artifact["outcome_reason"])

    def test_processes_one_after_the_other_never_held_more_than_one_of_them(self):
        _, artifact = self.run_it("torch.take((30 if len(sys.argv) == 1 else 20) * MIB)",
                                  before="import subprocess\nif len(sys.argv) == 1: subprocess.run([sys.executable, __file__, 'second'], check=True)")
        end = artifact["phases"][0]["readings"][0]["end"]
        self.assertEqual([end[f"{each}_bytes"] for each in ("allocated_current", "reserved_current", "reserved_peak")], [30 * MIB] * 3)
        self.assertEqual(len(artifact["program"]["processes"]), 2)

    def test_a_request_that_the_card_alone_refused_is_the_frameworks_to_settle(self):
        _, artifact = self.run_it("torch.take(MIB)\nimport ctypes\nruntime = ctypes.CDLL('libcudart.so.13')\n"
                                  "assert runtime.cudaMalloc(ctypes.byref(ctypes.c_void_p()), ctypes.c_size_t(2 << 30)) == 2")
        self.assertEqual(artifact["outcome"], "within")

    def test_a_child_made_by_fork_does_not_speak_for_its_parent(self):
        self.run_it("torch.take(MIB)\nif os.fork() == 0: sys.exit(0)\nos.wait()", options=("--snapshot", self.folder / "log.pickle"))
        self.assertEqual([each.name for each in self.folder.glob("log.pickle*")], ["log.pickle"])

    def test_a_snapshot_is_written(self):
        self.run_it("torch.take(MIB)\nos.environ.clear()", options=("--snapshot", self.folder / "log.pickle"))
        self.assertEqual((self.folder / "log.pickle").read_text(), "a snapshot")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
