#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""run_test.py HEADROOM PROGRAM: `headroom run` around a CUDA program that knows nothing of it.

PROGRAM is tests/run/program.cpp over the emulated runtime. Every artifact is read by headroom's own
strict reader too."""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HEADROOM, PROGRAM = sys.argv[1], sys.argv[2]
MIB = 1 << 20


class Run(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"

    def run_it(self, *steps, device="emulated:1GiB", options=(), program=PROGRAM, environment=None, code=None):
        """Runs the program under headroom run. @return what ended, and the artifact"""
        for each in self.folder.glob("artifact*.json"):
            each.unlink()
        command = [HEADROOM, "run", "--device", device, "--output", self.artifact, "--context-bytes", "64 MiB", *options,
                   "--", program, *steps]
        done = subprocess.run(command, text=True, capture_output=True, timeout=60, check=False, cwd=self.folder,
                              env={**os.environ, **(environment or {})})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        done.stderr = " ".join(done.stderr.split())  # lines are broken where they get long
        return done, json.loads(self.artifact.read_text()) if self.artifact.exists() else None

    def budget(self, **changes):
        """A budget with every counter waived but those given, as sizes in bytes."""
        waived = {"waived": "not looked at here"}
        limits = {name: waived for name in ("allocated_peak", "reserved_peak", "allocated_current", "reserved_current")}
        more = {name: changes.pop(name) for name in ("phase_limits", "accepted_calls", "steady_state") if name in changes}
        limits.update({name: f"{size} B" for name, size in changes.items()})
        file = self.folder / "budget.json"
        file.write_text(json.dumps({
            "schema": "headroom-budget/1", "name": "program", "description": "a program",
            "workload": {"name": "program", "operation": "run", "revision": "1", "seed": 0, "dtype": "none",
                         "dimensions": {}},
            "weights": [], "reserve": [], "limits": limits, **more}))
        return ("--budget", file)

    def phase(self, artifact, name="run"):
        return next(each for each in artifact["phases"] if each["name"] == name)

    def levels(self, artifact, name="run", device="cuda:0"):
        reading = next(each for each in self.phase(artifact, name)["readings"] if each["device"] == device)
        end = reading["end"]
        return tuple(end[f"{each}_bytes"] for each in ("allocated_current", "allocated_peak", "reserved_current",
                                                       "reserved_peak"))

    # What is counted

    def test_counts_what_was_taken_from_the_card_and_handed_out(self):
        done, artifact = self.run_it(f"take={64 * MIB + 1}", f"take={3 * MIB}", "give", "take=1000", code=0)
        self.assertEqual(self.levels(artifact), (64 * MIB + 1001, 67 * MIB + 1, 68 * MIB, 70 * MIB))
        self.assertTrue(artifact["prediction"])
        device = artifact["devices"][0]
        self.assertTrue(device["emulated"])
        self.assertEqual((device["name"], device["capacity_bytes"]), ("Emulated 1073741824 B", 1 << 30))
        self.assertEqual(artifact["program"]["processes"][0]["devices"][0]["context_bytes"], 64 * MIB)
        self.assertIn("prediction, not a GPU measurement", done.stderr)
        summary = subprocess.run([HEADROOM, "summary", self.artifact], text=True, capture_output=True, check=False)
        self.assertEqual(summary.returncode, 0, summary.stdout + summary.stderr)

    def test_stream_ordered_memory_counts_by_block_and_segment(self):
        _, artifact = self.run_it(f"async={5 * MIB}", f"async={2 * MIB}", code=0)
        self.assertEqual(self.levels(artifact), (7 * MIB, 7 * MIB, 32 * MIB, 32 * MIB))

    def test_the_programs_output_is_its_own(self):
        done, _ = self.run_it("print=a line", "error=another", "take=1", code=0)
        self.assertEqual(done.stdout, "a line\n")
        self.assertTrue(done.stderr.startswith("another "))

    def test_another_process_context_leaves_a_card_its_phases(self):
        _, artifact = self.run_it("-c", f"{PROGRAM} sync; {PROGRAM} push=step take={10 * MIB + 1} pop", program="/bin/sh", code=0)
        self.assertEqual([each["devices"][0]["context_bytes"] for each in artifact["program"]["processes"]], [64 * MIB] * 2)
        self.assertEqual(self.levels(artifact, "step")[1::2], (10 * MIB + 1, 12 * MIB))
        self.assertEqual(self.phase(artifact)["readings"][0]["system"]["end"]["process_bytes"], (12 + 64) * MIB)

    def test_cards_are_counted_each(self):
        _, artifact = self.run_it("take=1000", "device=1", f"take={4 * MIB}", options=("--devices", "3"), code=0)
        self.assertEqual([each["id"] for each in artifact["devices"]], ["cuda:0", "cuda:1"])
        self.assertEqual(self.levels(artifact, device="cuda:1")[1:4:2], (4 * MIB, 4 * MIB))

    def test_a_profile_brings_its_capacity_and_context(self):
        command = [HEADROOM, "run", "--device", "emulated:t4", "--output", self.artifact, "--", PROGRAM, "take=1"]
        subprocess.run(command, check=True, capture_output=True)
        artifact = json.loads(self.artifact.read_text())
        self.assertEqual(artifact["devices"][0]["name"], "Emulated T4")
        self.assertEqual(artifact["devices"][0]["compute_capability"], "7.5")
        self.assertEqual(artifact["program"]["capacity_basis"], "declared, published")
        self.assertEqual(artifact["program"]["processes"][0]["devices"][0]["context_bytes"], 500 * MIB)

    # What the budget says

    def test_a_budget_at_the_peak_is_kept_and_one_byte_less_is_not(self):
        steps = (f"take={64 * MIB}", "give")
        done, artifact = self.run_it(*steps, options=self.budget(allocated_peak=64 * MIB), code=0)
        self.assertEqual(artifact["outcome"], "within")
        self.assertIn("within budget: program", done.stderr)
        done, artifact = self.run_it(*steps, options=self.budget(allocated_peak=64 * MIB - 1), code=1)
        self.assertEqual(artifact["outcome"], "exceeded")
        self.assertIn("over by 1 B", done.stderr)
        check = subprocess.run([HEADROOM, "check", "--budget", self.folder / "budget.json", self.artifact],
                               capture_output=True, text=True, check=False)
        self.assertEqual(check.returncode, 1, check.stderr)

    def test_a_phase_that_never_comes_leaves_the_verdict_open(self):
        limits = {"phase_limits": [{"phase": "solve", "limits": {"allocated_peak": "1 GiB"}}]}
        done, artifact = self.run_it("take=1000", options=self.budget(allocated_peak=MIB, **limits), code=6)
        self.assertEqual(artifact["outcome"], "unknown")
        self.assertIn("no such phase in this series", done.stderr)

    def test_growth_is_judged_only_where_the_budget_asks(self):
        asked = {"steady_state": {"growth": "0 B"}}
        self.run_it("take=1000", options=self.budget(allocated_peak=MIB, **asked), code=6)

    # How it ends

    def test_a_program_that_fails_by_itself_failed(self):
        done, artifact = self.run_it("take=1000", "exit=3", options=self.budget(allocated_peak=MIB), code=5)
        self.assertEqual((artifact["outcome"], artifact["program"]["exit_code"]), ("failed", 3))
        self.assertIn("ended with exit code 3", done.stderr)

    def test_a_crash_keeps_what_was_read_until_then(self):
        for end, number in (("abort", signal.SIGABRT), ("kill", signal.SIGKILL)):
            with self.subTest(end):
                _, artifact = self.run_it(f"take={8 * MIB}", "push=solve", f"take={4 * MIB}", end, code=5)
                self.assertEqual((artifact["outcome"], artifact["program"]["signal"]), ("failed", number))
                self.assertEqual(self.levels(artifact), (12 * MIB,) * 4)
                failed = [each["name"] for each in artifact["phases"] if each["error"]]
                self.assertEqual(failed, ["solve"])

    def test_memory_that_the_card_lacks_is_out_of_memory(self):
        done, artifact = self.run_it(f"take={512 * MIB}", "push=grow", f"must={600 * MIB}", code=5)
        self.assertEqual(artifact["outcome"], "out_of_memory")
        error = self.phase(artifact, "grow")["error"]
        self.assertEqual((error["kind"], error["requested_bytes"], error["device"]), ("out_of_memory", 600 * MIB, "cuda:0"))
        self.assertIn("600.00 MiB (629145600 B)", done.stderr)

    def test_the_context_takes_of_the_card_too(self):
        self.run_it(f"must={960 * MIB}", code=0)
        self.run_it(f"must={962 * MIB}", code=5)

    def test_a_program_that_goes_on_without_memory_is_no_pass(self):
        done, artifact = self.run_it(f"take={2048 * MIB}", options=self.budget(allocated_peak=MIB), code=6)
        self.assertEqual(artifact["outcome"], "unknown")
        self.assertIn("the program went on", done.stderr)

    def test_a_program_without_cuda_was_not_measured(self):
        for program in ("/bin/true", PROGRAM):
            with self.subTest(program):
                done, artifact = self.run_it(program=program, code=6)
                self.assertEqual(artifact["outcome"], "setup_error")
                self.assertIn("never used CUDA", done.stderr)

    def test_past_the_timeout_everything_is_ended(self):
        done, artifact = self.run_it("take=1000", "push=forever", "fork=1", "sleep=60000",
                                     options=("--timeout", "1"), code=5)
        self.assertEqual(artifact["outcome"], "failed")
        self.assertIn("still running after", done.stderr)
        self.assertIn("a value that a kernel would write", done.stderr)

    def test_where_time_ran_out_is_named(self):
        done, artifact = self.run_it(f"take={4 * MIB}", "push=outer", "push=load", "pop", "push=forever", f"take={2 * MIB}",
                                     "sleep=60000", options=("--timeout", "1"), code=5)
        failed = [(each["name"], each["parent"]) for each in artifact["phases"] if each["error"]]
        self.assertEqual(failed, [("forever", "outer")])
        self.assertIn("phase forever: still running after", artifact["outcome_reason"])
        self.assertEqual(self.levels(artifact)[3], 6 * MIB)

    def test_past_the_last_launch_kernel_and_phase_are_named(self):
        self.run_it("take=1000", "push=wait", "launch=4", "pop", options=("--max-launches", "4"), code=0)
        done, artifact = self.run_it("take=1000", "push=wait", "launch=5", "pop", options=("--max-launches", "4"), code=5)
        failed = [each for each in artifact["phases"] if each["error"]]
        self.assertEqual([each["name"] for each in failed], ["wait"])
        self.assertIn("more than 4 kernels were launched, the last one spin in phase wait", failed[0]["error"]["message"])
        self.assertIn("more than 4 kernels were launched, the last one spin in phase wait", done.stderr)
        done, artifact = self.run_it("launch=5", options=("--max-launches", "4"), code=5)
        self.assertIn("spin in phase none", done.stderr)

    def test_an_allocation_log_that_nobody_wrote_is_missed(self):
        log = self.folder / "log.pickle"
        done, _ = self.run_it("take=1000", options=("--snapshot", log), code=0)
        self.assertFalse(log.exists())
        self.assertIn("no process wrote PyTorch's allocation log", done.stderr)
        log.write_text("theirs")
        done, artifact = self.run_it("take=1000", options=("--snapshot", log), code=4)
        self.assertEqual(log.read_text(), "theirs")
        self.assertIsNone(artifact)

    def test_an_interrupt_ends_the_program_and_keeps_the_artifact(self):
        ready = self.folder / "ready"
        running = subprocess.Popen([HEADROOM, "run", "--device", "emulated:1GiB", "--output", self.artifact, "--", PROGRAM,
                                    f"take={MIB * 4}", f"touch={ready}", "sleep=60000"], stderr=subprocess.PIPE, text=True)
        while not ready.exists():
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
        self.assertEqual(running.returncode, -signal.SIGINT)
        artifact = json.loads(self.artifact.read_text())
        self.assertEqual((artifact["outcome"], self.levels(artifact)[3]), ("failed", 4 * MIB))

    # Phases

    def test_nvtx_ranges_are_phases_nested(self):
        _, artifact = self.run_it(f"take={10 * MIB}", "push=step", f"take={20 * MIB}", "push=solve", f"take={30 * MIB}",
                                  "give", "pop", "give", "pop", f"take={5 * MIB}", code=0)
        self.assertEqual([(each["name"], each["parent"]) for each in artifact["phases"]],
                         [("run", None), ("step", "run"), ("solve", "step")])
        self.assertEqual(self.levels(artifact, "solve"), (30 * MIB, 60 * MIB, 30 * MIB, 60 * MIB))
        self.assertEqual(self.levels(artifact, "step"), (10 * MIB, 60 * MIB, 10 * MIB, 60 * MIB))
        self.assertEqual(self.phase(artifact, "solve")["readings"][0]["begin"]["allocated_current_bytes"], 30 * MIB)

    def test_ranges_that_overlap_are_each_counted(self):
        _, artifact = self.run_it("start=first", f"take={2 * MIB}", "start=second", f"take={4 * MIB}", "give", "end",
                                  "give", "end", code=0)
        self.assertEqual(self.levels(artifact, "first")[1], 6 * MIB)
        self.assertEqual(self.levels(artifact, "second")[1], 6 * MIB)

    def test_a_repeated_range_is_cold_once_and_then_warm(self):
        _, artifact = self.run_it(*(["push=step", "take=1000", "give", "pop"] * 3), code=0)
        self.assertEqual([(each["pass"], each["repeat"]) for each in artifact["phases"][1:]],
                         [("cold", 1), ("warm", 1), ("warm", 2)])

    def test_of_a_thousand_ranges_the_highest_are_kept(self):
        steps = []
        for number in range(300):
            steps += ["push=step", f"take={(7 if number == 150 else 2) * MIB}", "give", "pop"]
        _, artifact = self.run_it(*steps, code=0)
        self.assertLess(len(artifact["phases"]), 64)
        self.assertIn(7 * MIB, [each["readings"][0]["end"]["allocated_peak_bytes"] for each in artifact["phases"][1:]])
        self.assertEqual(artifact["phases"][-1]["repeat"], 299)  # the last: of those behind the cold one
        self.assertIn("of 300 of step", json.dumps(artifact["workload"]["settings"]))

    def test_phases_change_no_counter(self):
        steps = (f"take={10 * MIB}", "push=step", f"take={20 * MIB}", "give", "pop", f"async={3 * MIB}")
        counted = [self.levels(self.run_it(*steps, options=("--phases", kind), code=0)[1])
                   for kind in ("auto", "nvtx", "whole")]
        self.assertEqual(counted[0], counted[1])
        self.assertEqual(counted[0], counted[2])
        _, whole = self.run_it(*steps, options=("--phases", "whole"), code=0)
        self.assertEqual(len(whole["phases"]), 1)

    # Several processes

    def test_processes_share_a_card_and_are_reported_each(self):
        _, artifact = self.run_it("fork=2", f"must={300 * MIB}", "meet=2", code=0)
        self.assertEqual(len(artifact["program"]["processes"]), 2)
        self.assertEqual(self.levels(artifact)[3], 600 * MIB)
        each = [json.loads((self.folder / f"artifact.process-{number}.json").read_text()) for number in (1, 2)]
        self.assertEqual([self.levels(one)[3] for one in each], [300 * MIB] * 2)
        self.run_it("fork=3", f"must={400 * MIB}", "meet=3", device="emulated:1000MiB", code=5)

    def test_what_a_killed_process_held_is_free_again(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{PROGRAM} take={700 * MIB} kill\n{PROGRAM} must={700 * MIB}\n")
        script.chmod(0o755)
        _, artifact = self.run_it(program=script, code=6)
        self.assertEqual(self.levels(artifact)[3], 700 * MIB)
        self.assertIn("process 1 of the program did not end by itself", artifact["outcome_reason"])

    def test_a_process_that_lives_on_is_named(self):
        done, artifact = self.run_it("leave", f"take={4 * MIB}", "meet=1", "sleep=8000")
        self.assertIn("is still running", done.stderr)
        self.assertEqual(artifact["outcome"], "unknown")

    def test_a_process_that_ends_soon_after_is_waited_for(self):
        _, artifact = self.run_it("leave", f"take={4 * MIB}", "meet=1", "sleep=800", code=0)
        self.assertEqual(self.levels(artifact)[3], 4 * MIB)

    def test_a_process_that_lives_on_and_never_used_cuda_is_named(self):
        _, artifact = self.run_it("leave", "meet=1", "sleep=3000", code=6)
        self.assertIn("before it used CUDA, and left process", artifact["outcome_reason"])

    # What cannot be reached, and what is not modelled

    def test_a_call_that_could_take_memory_leaves_the_verdict_open(self):
        limits = {"allocated_peak": MIB}
        done, artifact = self.run_it("take=1", "call=cudaCreateTextureObject", options=self.budget(**limits), code=6)
        self.assertEqual([each["name"] for each in artifact["program"]["unmodelled"]], ["cudaCreateTextureObject"])
        self.assertIn("could have taken memory: cudaCreateTextureObject", done.stderr)
        accepted = [{"call": "cudaCreateTextureObject", "why": "a handle alone"}]
        self.run_it("take=1", "call=cudaCreateTextureObject", options=self.budget(accepted_calls=accepted, **limits), code=0)

    def test_a_call_that_only_asks_is_listed_and_does_not_decide(self):
        _, artifact = self.run_it("take=1", "call=cudaGetTextureObjectResourceDesc", code=0)
        self.assertFalse(artifact["program"]["unmodelled"][0]["may_allocate"])

    def test_a_static_runtime_is_named_with_what_to_do(self):
        done, artifact = self.run_it("static", code=6)
        self.assertEqual(artifact["outcome"], "setup_error")
        self.assertIn("CMAKE_CUDA_RUNTIME_LIBRARY Shared", done.stderr)

    def refused(self, text, *, program, device="emulated:1GiB", options=()):
        done, artifact = self.run_it(program=program, device=device, options=options, code=3)
        self.assertIn(text, done.stderr)
        self.assertIsNone(artifact)

    def test_programs_that_no_library_can_be_put_under_are_named(self):
        def elf(name, bits=2, loader=None):
            text = b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9)
            parts = 0 if loader is None else 1
            text += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 64, 0, 0, 64, 56, parts, 0, 0, 0)
            if loader:
                text += struct.pack("<IIQQQQQQ", 3, 4, 120, 0, 0, len(loader) + 1, 0, 1) + loader.encode() + b"\0"
            file = self.folder / name
            file.write_bytes(text)
            file.chmod(0o755)
            return file
        self.refused("is a program of 32 bits", program=elf("small", bits=1))
        self.refused("is linked statically", program=elf("alone"))
        self.refused("is a program for musl", program=elf("musl", loader="/lib/ld-musl-x86_64.so.1"))
        shared = elf("rights", loader="/lib64/ld-linux-x86-64.so.2")
        shared.chmod(0o2755)
        self.refused("with another user's or group's rights", program=shared)
        script = self.folder / "script"
        script.write_text(f"#!{elf('inner', bits=1)}\n")
        script.chmod(0o755)
        self.refused("inner is a program of 32 bits", program=script)

    def test_bad_input_says_what_to_write(self):
        self.refused("no such command in PATH", program="no-such-command-here")
        self.refused("no such file", program="./nothing")
        (self.folder / "train.py").write_text("")
        self.refused("name its interpreter before it", program="./train.py")
        self.refused("no such card; write \"rtx4090\"", program=PROGRAM, device="emulated:rtx4080")
        self.refused("write \"kB\" (1000) or \"KiB\" (1024)", program=PROGRAM, device="emulated:24KB")
        self.refused("write emulated:CARD", program=PROGRAM, device="plan:24GB")
        self.refused("leaves nothing of the card's", program=PROGRAM, device="emulated:60MiB")
        self.refused("--phases", program=PROGRAM, options=("--phases", "some"))
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:t4"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("write it behind --", done.stderr)

    def test_arguments_reach_the_program_as_they_are(self):
        odd = ("--help", "{}", "[1, 2]", "", "a b", "--", "größe", "-x=3")
        script = "import sys; print(sys.argv[1:])"
        done, _ = self.run_it("-c", script, *odd, program=sys.executable)
        self.assertEqual(done.stdout, f"{list(odd)}\n")

    def test_a_real_card_that_is_not_there_is_not_measured(self):
        done = subprocess.run([HEADROOM, "run", "--device", "cuda:63", "--output", self.artifact, "--", PROGRAM, "take=1"],
                              text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("cuda:63 is not there", done.stderr)
        self.assertFalse(self.artifact.exists())

    def test_nothing_is_overwritten(self):
        self.run_it("take=1", code=0)
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:1GiB", "--output", self.artifact, "--", PROGRAM, "take=1"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 4, done.stderr)

    # What was there before

    def test_libraries_and_paths_of_the_users_stay_in_their_order(self):
        own = self.folder / "own.so"
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", own], check=True)
        environment = {"LD_PRELOAD": str(own), "LD_LIBRARY_PATH": "/a:/b", "PYTHONPATH": f"{self.folder}:/c",
                       "NVTX_INJECTION64_PATH": "/their/tool.so"}
        script = "import os; print(*(os.environ[n] for n in ('LD_PRELOAD', 'LD_LIBRARY_PATH', 'PYTHONPATH', 'NVTX_INJECTION64_PATH')), sep='\\n')"
        done, _ = self.run_it("-c", script, program=sys.executable, environment=environment)
        preload, libraries, python, nvtx = done.stdout.splitlines()
        self.assertTrue(preload.startswith(f"{own}:/"), preload)
        self.assertTrue(libraries.endswith("/emulation:/a:/b"), libraries)
        self.assertTrue(python.endswith(f"/emulation/python:{self.folder}:/c"), python)
        self.assertEqual(nvtx, "/their/tool.so")

    def test_the_users_sitecustomize_runs_as_ever(self):
        (self.folder / "sitecustomize.py").write_text("import sys; sys.their_own = 5\n")
        done, _ = self.run_it("-c", "import sys, sitecustomize; print(sys.their_own, sitecustomize.__file__)",
                              program=sys.executable, environment={"PYTHONPATH": str(self.folder)})
        self.assertEqual(done.stdout, f"5 {self.folder}/sitecustomize.py\n")

    def test_no_folder_for_temporary_files_is_needed(self):
        self.run_it("take=1", environment={"TMPDIR": "/nonexistent"}, code=0)

    def test_a_program_that_closes_all_files_is_counted(self):
        script = ("import os, subprocess, sys\nos.closerange(3, 256)\n"
                  f"sys.exit(subprocess.call([{PROGRAM!r}, 'take={MIB * 4}', 'call=cudaCreateTextureObject'], close_fds=True))")
        _, artifact = self.run_it("-c", script, program=sys.executable)
        self.assertEqual(self.levels(artifact)[3], 4 * MIB)
        self.assertEqual(len(artifact["program"]["unmodelled"]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
