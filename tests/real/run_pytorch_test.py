#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""run_pytorch_test.py HEADROOM PYTHON: `headroom run` around the published PyTorch, unmodified.

PYTHON imports torch (2.6 or newer, for CUDA). Exit 77 where it does not, with what is missing. What the
program itself prints must be what it prints without headroom: the figures of gpt2_step.py are those of
tests/real/pytorch_over_emulation."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PYTHON = sys.argv[1], sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parent
EMULATION = pathlib.Path(HEADROOM).resolve().parent.parent / "emulation"
EXAMPLES = HERE.parent.parent / "examples"
GENERATE = EXAMPLES / "pytorch_program" / "generate.py"
sys.path.insert(0, str(HERE.parent / "field"))
from over_emulation import packages  # noqa: E402

version = packages(PYTHON)[0]["torch"]
PRINTED_BY_GPT2 = {"cold_forward": (6148340736, 6972687360, 7077888000, 7077888000),
                   "cold_backward": (1315400192, 7795162624, 8726249472, 8726249472),
                   "cold_update": (2631494144, 3286002176, 8726249472, 8726249472),
                   "warm_backward": (2626382336, 9101102592, 10376708096, 10376708096)}


class RunPyTorch(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"

    def run_it(self, *command, device="emulated:24GB", options=(), code=0, environment=None):
        for each in self.folder.glob("artifact*.json"):
            each.unlink()
        done = subprocess.run([HEADROOM, "run", "--device", device, "--output", self.artifact, *options, "--", PYTHON, *command],
                              text=True, capture_output=True, timeout=240, check=False, cwd=self.folder,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, done.stderr[-3000:])
        return done, json.loads(self.artifact.read_text())

    def counted(self, *command, environment):
        """The same, with the calls counted that reach an emulated card of 24 GB, as those of a real one are."""
        libraries = sorted((str(each) for each in EMULATION.glob("lib*.so*") if not each.name.startswith("libheadroom")), reverse=True)
        return self.run_it(*command, device="cuda:0", environment={
            "LD_LIBRARY_PATH": str(EMULATION), "LD_PRELOAD": ":".join(libraries), "HEADROOM_EMULATED_CARD": "24 GB",
            "HEADROOM_EMULATED_CONTEXT": "500 MiB", **environment})[1]

    def script(self, text):
        file = self.folder / "script.py"
        file.write_text(text)
        return file

    def levels(self, artifact, name="run", which=0):
        phase = [each for each in artifact["phases"] if each["name"] == name][which]
        end = phase["readings"][0]["end"]
        return tuple(end[f"{each}_bytes"] for each in ("allocated_current", "allocated_peak", "reserved_current",
                                                       "reserved_peak"))

    def printed(self, done):
        """The program's own four counters, by phase."""
        return {line.split()[0]: tuple(map(int, line.split()[1:])) for line in done.stdout.splitlines()}

    def test_a_training_step_prints_what_it_prints_alone_and_its_phases_are_read(self):
        counted = {}
        for kind in ("auto", "whole"):
            done, artifact = self.run_it(HERE / "gpt2_step.py", "0", options=("--phases", kind, "--context-bytes", "0 B"))
            printed = self.printed(done)
            if version.startswith("2.15.0"):
                for phase, figures in PRINTED_BY_GPT2.items():
                    self.assertEqual(printed[phase], figures)
            counted[kind] = self.levels(artifact)
            self.assertEqual(counted[kind][1], max(each[1] for each in printed.values()))
            self.assertEqual(counted[kind][3], max(each[3] for each in printed.values()))
            if kind == "auto":
                names = [each["name"] for each in artifact["phases"]]
                self.assertEqual(names, ["run", "model_load"] + [f"{step}_{part}" for step in ("cold", "warm") for part in
                                                                 ("forward", "loss", "backward", "update")])
                prompt = 8 * 1024 * 8  # between load and forward the program makes its input
                self.assertEqual(self.levels(artifact, "model_load")[1], printed["model_load"][1] + prompt)
                for phase in ("cold_backward", "cold_update", "warm_backward", "warm_update"):
                    self.assertEqual(self.levels(artifact, phase)[1], printed[phase][1], phase)
                process = artifact["program"]["processes"][0]
                self.assertIn("pytorch 2.", process["framework"])
                self.assertEqual(artifact["program"]["weights"], [{"dtype": "float32", "bits": 32, "parameters": 163037184}])
                card = process["devices"][0]
                self.assertGreaterEqual(card["reserved_peak_bytes"], card["framework_reserved_peak_bytes"])
        self.assertEqual(counted["auto"], counted["whole"])

    def test_a_compiled_model_has_phases_and_makes_the_graphs_that_it_makes_alone(self):
        for compiled in ("torch.compile(model, backend='aot_eager')", "model.compile(backend='aot_eager') or model"):
            script = self.script("import torch\n"
                                 "class Model(torch.nn.Module):  # 2.9 compiles nothing of a Sequential by its compile()\n"
                                 "    def __init__(self):\n"
                                 "        super().__init__()\n"
                                 "        self.layers = torch.nn.ModuleList(torch.nn.Linear(256, 256) for _ in range(3))\n"
                                 "    def forward(self, x):\n"
                                 "        for layer in self.layers:\n"
                                 "            x = torch.relu(layer(x))\n"
                                 "        return x\n"
                                 "model = Model().cuda()\n"
                                 "optimizer = torch.optim.AdamW(model.parameters())\n"
                                 f"step = {compiled}\n"
                                 "for _ in range(2):\n"
                                 "    step(torch.ones(32, 256, device='cuda')).mean().backward()\n"
                                 "    optimizer.step()\n"
                                 "    optimizer.zero_grad()\n"
                                 "counted = torch._dynamo.utils.counters\n"
                                 "print(counted['stats']['unique_graphs'], sum(counted['graph_break'].values()))\n")
            counted = {}
            for kind in ("auto", "whole"):
                done, artifact = self.run_it(script, options=("--phases", kind))
                self.assertEqual(done.stdout, "1 0\n", "one graph, no break")
                self.assertNotIn("hooks", done.stderr, "a warning of PyTorch's of what looks on")
                counted[kind] = self.levels(artifact)
                names = [each["name"] for each in artifact["phases"]]
                self.assertEqual(names, ["run", "model_load"] + [f"{step}_{part}" for step in ("cold", "warm") for part in
                                                                 ("forward", "loss", "backward", "update")]
                                 if kind == "auto" else ["run"])
            self.assertEqual(counted["auto"], counted["whole"])

    def test_counted_calls_give_what_the_card_itself_says_and_the_program_prints(self):
        for settings in ("", "expandable_segments:True", "backend:cudaMallocAsync"):
            with self.subTest(settings):
                environment = {"PYTORCH_CUDA_ALLOC_CONF": settings, "PYTORCH_ALLOC_CONF": settings}
                done, said = self.run_it(HERE / "gpt2_step.py", "0", environment=environment)
                printed = self.printed(done)
                self.assertEqual(self.levels(said)[1::2], tuple(max(each[i] for each in printed.values()) for i in (1, 3)))
                for phase in ("cold_backward", "cold_update", "warm_backward", "warm_update"):
                    self.assertEqual(self.levels(said, phase), printed[phase], phase)
                counted = self.counted(HERE / "gpt2_step.py", "0", environment=environment)
                self.assertTrue(counted["prediction"] and counted["program"]["counted"])
                for artifact in (said, counted):
                    for phase in artifact["phases"]:
                        phase["kept"] = [(each["begin"], each["end"]) for each in phase["readings"]]
                self.assertGreater(len(said["phases"]), 8)
                for one, other in zip(said["phases"], counted["phases"], strict=True):
                    self.assertEqual((one["name"], one["kept"]), (other["name"], other["kept"]))
                self.assertEqual([each["devices"] for each in said["program"]["processes"]],
                                 [each["devices"] for each in counted["program"]["processes"]])

    def test_a_generation_passes_its_budget_and_fails_one_byte_below(self):
        command = (GENERATE, "--layers", "2", "--prompt", "256", "--tokens", "4")
        _, artifact = self.run_it(*command, device="emulated:rtx4090")
        budget = self.folder / "budget.json"
        made = subprocess.run([HEADROOM, "budget", "new", "--from", self.artifact, "--output", budget], text=True,
                              capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        peak = self.levels(artifact)[1]
        text = json.loads(budget.read_text())
        self.assertEqual(text["limits"]["allocated_peak"], "envelope")
        self.assertEqual([each["bits"] for each in text["weights"]], [16])
        self.assertTrue(text["reserve"] and all(each["basis"] == "assumed" for each in text["reserve"]))
        self.run_it(*command, device="emulated:rtx4090", options=("--budget", budget))
        text["limits"]["allocated_peak"] = f"{peak - 1} B"
        budget.write_text(json.dumps(text))
        done, artifact = self.run_it(*command, device="emulated:rtx4090", options=("--budget", budget), code=1)
        self.assertEqual(artifact["outcome"], "exceeded")
        self.assertIn("over by 1 B", done.stderr)

    def test_seven_billion_parameters_fit_24_gb_and_not_15(self):
        done, artifact = self.run_it(GENERATE, device="emulated:rtx4090")
        # 6 738 415 616 parameters of 2 bytes, and the prompt.
        self.assertEqual(self.levels(artifact, "model_load")[:2], (13476831232 + 16384,) * 2)
        self.assertLess(self.levels(artifact)[3], 24 * 10**9)
        self.assertIn("warm_forward", [each["name"] for each in artifact["phases"]])
        page = (EXAMPLES.parent / "docs" / "sizing.md").read_text(encoding="utf-8")
        for phase in ("model_load", "cold_forward", "warm_forward") if version.startswith("2.15.0") else ():
            highest = [max(self.levels(artifact, phase, which)[counter] for which in
                           range(sum(each["name"] == phase for each in artifact["phases"]))) for counter in (1, 3)]
            row = next(line for line in page.splitlines() if line.startswith(f"| `{phase}`"))
            self.assertEqual([int("".join(filter(str.isdigit, cell))) for cell in row.split("|")[2:4]], highest, phase)
        done, artifact = self.run_it(GENERATE, device="emulated:15GB", code=5)
        self.assertEqual(artifact["outcome"], "out_of_memory")
        failed = next(each for each in artifact["phases"] if each["error"])
        self.assertEqual(failed["name"], "cold_forward")
        self.assertIn("OutOfMemoryError: CUDA out of memory. Tried to allocate", failed["error"]["message"])
        self.assertGreater(failed["error"]["requested_bytes"], 0)
        self.assertIn("CUDA out of memory", done.stderr)

    def test_the_examples_keep_their_budgets_and_not_a_byte_less(self):
        torchrun = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "8")
        examples = [("sharded_training", "train", torchrun, 8)]
        if subprocess.run([PYTHON, "-c", "import importlib.metadata as m; m.version('transformers')"], capture_output=True,
                          check=False).returncode == 0:
            examples.append(("huggingface_generation", "generate", (), 1))
        for folder, name, before, cards in examples:
            program, budget = EXAMPLES / folder / f"{name}.py", EXAMPLES / folder / f"{name}.json"
            options = ("--devices", str(cards), "--budget")
            _, artifact = self.run_it(*before, program, device="emulated:rtx4090", options=(*options, budget))
            text = json.loads(budget.read_text())
            counted = {(each["bits"], each["parameters"]) for each in artifact["program"]["weights"]}
            self.assertEqual(counted, {(each["bits"], each["parameters"]) for each in text["weights"]})
            text["limits"]["allocated_peak"] = f"{self.levels(artifact)[1] - 1} B"
            (self.folder / "budget.json").write_text(json.dumps(text))
            judged = subprocess.run([HEADROOM, "check", "--budget", self.folder / "budget.json", self.artifact], text=True, capture_output=True,
                                    check=False)
            self.assertEqual(judged.returncode, 1, judged.stderr)
            self.assertIn("over by 1 B", judged.stdout)

    def test_the_allocation_log_replays_to_the_same_peak(self):
        log, trace = self.folder / "log.pickle", self.folder / "log.trace"
        _, artifact = self.run_it(GENERATE, "--layers", "2", "--prompt", "256", "--tokens", "4", options=("--snapshot", log))
        tool = HERE.parent.parent / "tools" / "trace_from_pytorch_snapshot.py"
        made = subprocess.run([sys.executable, tool, log, "--capacity", "24GB", "--output", trace], text=True, capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        replayed = subprocess.run([HEADROOM, "replay", trace, "--device", "plan:24GB", "--json"], text=True,
                                  capture_output=True, check=False)
        peak = self.levels(artifact)[1]
        self.assertIn(f": {peak}", replayed.stdout, replayed.stderr)

    def test_counters_are_the_same_with_one_thread_of_the_host_and_with_eight(self):
        script = self.script("import os, sys, torch\n"
                             "threads = int(os.environ['OMP_NUM_THREADS'])\n"
                             "torch.set_num_threads(threads)\ntorch.set_num_interop_threads(threads)\n"
                             "assert (torch.get_num_threads(), torch.get_num_interop_threads()) == (threads, threads)\n"
                             "data = torch.utils.data.TensorDataset(torch.ones(64, 512), torch.ones(64, 512))\n"
                             "batches = torch.utils.data.DataLoader(data, 8, num_workers=threads, pin_memory=True)\n"
                             "parts = [torch.nn.Linear(512, 512).cuda() for _ in range(8)]\n"
                             "optimizer = torch.optim.AdamW([each for part in parts for each in part.parameters()])\n"
                             "for inputs, targets in batches:\n"
                             "    inputs, targets = inputs.cuda(non_blocking=True), targets.cuda(non_blocking=True)\n"
                             "    loss = sum(torch.nn.functional.mse_loss(part(inputs), targets) for part in parts)\n"
                             "    loss.backward()\n    optimizer.step()\n    optimizer.zero_grad()\n"
                             "print('end', *(torch.cuda.memory_stats()[f'{counter}_bytes.all.{when}']\n"
                             "      for counter in ('allocated', 'reserved') for when in ('current', 'peak')))\n")
        for program in (script, HERE / "gpt2_step.py"):
            found = []
            for threads in ("1", "8", "8"):
                done, artifact = self.run_it(program, environment={"OMP_NUM_THREADS": threads})
                phases = [(each["name"], [(reading["begin"], reading["end"]) for reading in each["readings"]]) for each in artifact["phases"]]
                found.append((self.printed(done), phases, [each["devices"] for each in artifact["program"]["processes"]]))
            self.assertGreater(len(found[0][1]), 8)
            self.assertEqual(found, [found[0]] * 3)

    def test_a_program_that_catches_its_out_of_memory_is_no_pass(self):
        script = self.script("import torch\ntry:\n    torch.empty(1 << 40, device='cuda')\nexcept torch.OutOfMemoryError:\n    print('went on')\n")
        done, artifact = self.run_it(script, code=6)
        self.assertEqual((done.stdout, artifact["outcome"]), ("went on\n", "unknown"))

    def test_ranges_of_nvtx_have_the_frameworks_figures(self):
        script = self.script("import torch\n"
                             "with torch.cuda.nvtx.range('outer'):\n"
                             "    kept = torch.empty(10 << 20, dtype=torch.uint8, device='cuda')\n"
                             "    with torch.cuda.nvtx.range('inner'):\n"
                             "        torch.empty(30 << 20, dtype=torch.uint8, device='cuda')\n"
                             "torch.cuda.reset_peak_memory_stats()\nprint(torch.cuda.max_memory_allocated())\n")
        done, artifact = self.run_it(script, options=("--phases", "nvtx"))
        self.assertEqual(done.stdout, f"{10 << 20}\n")
        self.assertEqual(self.levels(artifact, "inner"), (10 << 20, 40 << 20, 40 << 20, 40 << 20))
        self.assertEqual(self.levels(artifact, "outer")[1], 40 << 20, "it began before CUDA did")
        self.assertEqual([each["parent"] for each in artifact["phases"]], [None, "run", "outer"])

    def test_statistics_without_the_hooks_in_python_are_those_at_its_end(self):
        script = self.script("import torch\n"
                             "with torch.cuda.nvtx.range('inner'):\n"
                             "    kept = torch.empty((10 << 20) + 1, dtype=torch.uint8, device='cuda')\n"
                             "    torch.empty(30 << 20, dtype=torch.uint8, device='cuda')\n")
        peaks = []
        for options in ((), ("-E",)):
            _, artifact = self.run_it(*options, script)
            peaks.append(self.levels(artifact)[1::2])
        self.assertEqual(peaks, [((40 << 20) + 512, 42 << 20)] * 2)
        coverage = artifact["devices"][0]["counter_source"]["coverage"]["allocated_peak"]
        self.assertEqual((coverage["available"], coverage["exact"]), (True, False), "the program may have reset it")
        self.assertEqual(self.levels(artifact, "inner")[:2], (None, None), "read at the end alone")

    def test_the_processes_of_one_card_are_reported_each_and_together(self):
        script = self.script("import torch, torch.multiprocessing as processes\n"
                             "def work(rank, gate):\n"
                             "    kept = torch.empty((rank + 1) * (30 << 20), dtype=torch.uint8, device='cuda')\n"
                             "    gate.wait()\n"
                             "if __name__ == '__main__':\n"
                             "    context = processes.get_context('spawn')\n"
                             "    gate = context.Barrier(2)\n"
                             "    all = [context.Process(target=work, args=(rank, gate)) for rank in range(2)]\n"
                             "    [each.start() for each in all]\n    [each.join() for each in all]\n")
        _, artifact = self.run_it(script)
        self.assertEqual(len(artifact["program"]["processes"]), 2)
        self.assertEqual(self.levels(artifact)[1:], (90 << 20, 90 << 20, 90 << 20))
        self.assertFalse(artifact["devices"][0]["counter_source"]["coverage"]["allocated_peak"]["exact"])
        each = [json.loads((self.folder / f"artifact.process-{number}.json").read_text()) for number in (1, 2)]
        self.assertEqual(sorted(self.levels(one)[3] for one in each), [30 << 20, 60 << 20])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
