#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""beside_test.py HEADROOM PROGRAM: `headroom run --device emulated:... --beside cuda:0`. The card that is
there is an emulated one too, of a profile of its own, which the counted run meets as a driver."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PROGRAM = sys.argv[1], sys.argv[2]
EMULATION = pathlib.Path(HEADROOM).resolve().parent.parent / "emulation"
MIB = 1 << 20


class Beside(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"
        self.other = self.folder / "artifact.cuda-0.json"

    def run_it(self, *steps, card="1 GiB", context="64 MiB", options=(), environment=None, code=0, program=PROGRAM):
        """@return what ended, the emulated card's artifact, and the other's"""
        own = {**os.environ, **(environment or {})}
        if card is not None:
            own.update({"LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": card, "HEADROOM_EMULATED_CONTEXT": context})
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:1GiB", "--context-bytes", "64 MiB",
                               *(() if "--beside" in options else ("--beside", "cuda:0")),
                               "--output", self.artifact, *options, "--", program, *steps], text=True, capture_output=True,
                              timeout=60, check=False, cwd=self.folder, env=own)
        self.assertEqual(done.returncode, code, done.stderr)
        done.stderr = " ".join(done.stderr.split())
        return done, *(json.loads(each.read_text()) if each.exists() else None for each in (self.artifact, self.other))

    def budget(self, peak):
        waived = {"waived": "not looked at here"}
        file = self.folder / "budget.json"
        file.write_text(json.dumps({
            "schema": "headroom-budget/1", "name": "program", "description": "a program",
            "workload": {"name": "program", "operation": "run", "revision": "1", "seed": 0, "dtype": "none", "dimensions": {}},
            "weights": [], "reserve": [],
            "limits": {"allocated_peak": f"{peak} B", "reserved_peak": waived, "allocated_current": waived, "reserved_current": waived}}))
        return ("--budget", file)

    @staticmethod
    def figure(artifact, counter, phase="run"):
        found = next(each for each in artifact["calibration"]["figures"] if each["phase"] == phase and each["counter"] == counter)
        return found["predicted_bytes"], found["measured_bytes"], found["difference_bytes"]

    def test_an_equal_card_has_equal_figures(self):
        done, artifact, other = self.run_it(f"take={64 * MIB}", "push=step", f"async={5 * MIB}", "pop", "push=step", "share=10", "pop")
        calibration = artifact["calibration"]
        self.assertEqual({each["difference_bytes"] for each in calibration["figures"]}, {0})
        self.assertEqual({each["phase"] for each in calibration["figures"]}, {"run", "step", "context"})
        self.assertEqual((calibration["alike"], calibration["emulated"], calibration["outcome"]), (True, True, "within"))
        self.assertEqual((calibration["artifact"], calibration["device"]), (other["id"], "cuda:0"))
        self.assertEqual((artifact["program"]["counted"], other["program"]["counted"]), (False, True))
        self.assertNotIn("calibration", other)
        self.assertIn("figures 9 of 9 are equal", done.stderr)
        for each in (self.artifact, self.other):
            summary = subprocess.run([HEADROOM, "summary", each], text=True, capture_output=True, check=False)
            self.assertEqual(summary.returncode, 0, summary.stdout + summary.stderr)

    def test_another_card_shows_by_how_much_and_decides_nothing(self):
        done, artifact, other = self.run_it("share=10", card="2 GiB", options=self.budget(120 * MIB))
        predicted, measured, difference = self.figure(artifact, "allocated_peak")
        self.assertEqual((predicted, measured), ((1 << 30) // 100 * 10, (2 << 30) // 100 * 10))
        self.assertEqual(difference, measured - predicted)
        self.assertFalse(artifact["calibration"]["alike"])
        self.assertEqual((artifact["outcome"], other["outcome"], artifact["calibration"]["outcome"]),
                         ("within", "exceeded", "exceeded"))
        self.assertIn(f"{difference:+} B", done.stderr)
        self.assertIn("this decides nothing", done.stderr)

    def test_a_smaller_figure_is_a_negative_difference(self):
        _, artifact, _ = self.run_it("share=10", card="512 MiB")
        self.assertEqual(self.figure(artifact, "allocated_peak")[2], (1 << 29) // 100 * 10 - (1 << 30) // 100 * 10)

    def test_what_a_context_takes_is_compared(self):
        _, artifact, _ = self.run_it(f"take={MIB}", context="96 MiB")
        self.assertEqual(self.figure(artifact, "process 1", "context"), (64 * MIB, 96 * MIB, 32 * MIB))
        self.assertEqual(self.figure(artifact, "reserved_peak")[2], 0)

    def test_a_card_of_a_tenth_more_is_another(self):
        _, artifact, _ = self.run_it("take=1000", card="1100 MiB")
        self.assertFalse(artifact["calibration"]["alike"])

    def test_phases_of_one_name_are_told_apart_by_what_they_lie_in(self):
        _, artifact, _ = self.run_it("push=a", "push=x", f"take={5 * MIB}", "pop", "pop", "push=b", "push=x", f"take={9 * MIB}", "pop", "pop")
        figures = [each for each in artifact["calibration"]["figures"] if (each["phase"], each["counter"]) == ("x", "allocated_peak")]
        self.assertEqual([(each["predicted_bytes"], each["difference_bytes"]) for each in figures], [(5 * MIB, 0), (14 * MIB, 0)])

    def test_the_second_card_is_compared_with_the_only_emulated_one(self):
        _, artifact, _ = self.run_it(f"take={MIB}", options=("--beside", "cuda:1"), environment={"HEADROOM_EMULATED_DEVICES": "2"})
        self.assertEqual({each["difference_bytes"] for each in artifact["calibration"]["figures"]}, {0})

    def test_a_snapshot_is_of_the_emulated_run_alone(self):
        said = self.folder / "said"
        script = f"import os, subprocess\nopen({str(said)!r}, 'a').write(os.environ.get('HEADROOM_RUN_SNAPSHOT', 'none') + ';')\n"
        script += f"raise SystemExit(subprocess.call([{PROGRAM!r}, 'take=1']))"
        self.run_it("-c", script, program=sys.executable, options=("--snapshot", self.folder / "log.pickle"))
        self.assertEqual(said.read_text(), f"{self.folder / 'log.pickle'};none;")

    def test_on_a_card_that_is_alike_the_budget_holds_too(self):
        budget = self.budget((1 << 30) // 100 * 50)
        _, artifact, other = self.run_it("share=50", card="1034 MiB", options=budget, code=1)
        self.assertEqual((artifact["outcome"], other["outcome"]), ("within", "exceeded"))
        self.assertTrue(artifact["calibration"]["alike"])

    def test_where_it_fails_there_the_figures_are_kept(self):
        _, artifact, other = self.run_it(f"must={700 * MIB}", card="512 MiB")
        self.assertEqual((artifact["outcome"], other["outcome"]), ("within", "out_of_memory"))
        self.assertEqual(self.figure(artifact, "allocated_peak")[0], 700 * MIB)

    def test_a_phase_of_one_alone_has_no_difference(self):
        script = ("import os, subprocess, sys\n"
                  f"sys.exit(subprocess.call([{PROGRAM!r}, 'take=1000'] + ([] if 'HEADROOM_RUN_LOG' in os.environ else ['push=extra', 'pop'])))")
        self.run_it("take=1")
        self.artifact.unlink()
        self.other.unlink()
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:1GiB", "--beside", "cuda:0", "--output", self.artifact, "--",
                               sys.executable, "-c", script], text=True, capture_output=True, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": "1 GiB"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.figure(json.loads(self.artifact.read_text()), "allocated_peak", "extra"), (None, 1000, None))

    def test_without_a_card_nothing_is_compared_and_it_says_why(self):
        done, artifact, other = self.run_it("take=1000", card=None)
        self.assertIn("beside it cuda:0 is not there: no CUDA driver was found", done.stderr)
        self.assertNotIn("calibration", artifact)
        self.assertIsNone(other)

    def test_where_a_measurement_is_required_it_has_to_be_one(self):
        for card, text in ((None, "no CUDA driver was found"), ("1 GiB", "cuda:0 is an emulated card")):
            done, artifact, _ = self.run_it("take=1000", card=card, environment={"HEADROOM_REQUIRE": "cuda"}, code=2)
            self.assertIn(text, done.stderr)
            self.assertIsNone(artifact)

    def test_bad_input_says_what_to_write(self):
        for device, beside in (("cuda:0", "cuda:0"), ("emulated:1GiB", "emulated:2GiB")):
            done = subprocess.run([HEADROOM, "run", "--device", device, "--beside", beside, "--output", self.artifact, "--", PROGRAM],
                                  text=True, capture_output=True, check=False,
                                  env={**os.environ, "LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": "1 GiB"})
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("write --device emulated:CARD --beside cuda:0", " ".join(done.stderr.split()))

    def test_runs_on_one_card_take_turns(self):
        inside = self.folder / "inside"
        script = (f"import os, sys, time\nif 'HEADROOM_COUNT_LOG' in os.environ:\n    os.mkdir({str(inside)!r})\n    time.sleep(0.3)\n"
                  f"    os.rmdir({str(inside)!r})\nos.execv({PROGRAM!r}, [{PROGRAM!r}, 'take=1000'])\n")
        own = {**os.environ, "LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": "1 GiB"}
        all_runs = [subprocess.Popen([HEADROOM, "run", "--device", "emulated:1GiB", "--beside", "cuda:0", "--output",
                                      self.folder / f"{number}.json", "--", sys.executable, "-c", script], env=own,
                                     stderr=subprocess.PIPE, text=True) for number in range(3)]
        for each in all_runs:
            said = each.communicate(timeout=60)[1]
            self.assertEqual(each.returncode, 0, said)  # two at once would find the folder there

    def test_an_interrupt_while_it_waits_for_its_turn_keeps_the_first_run(self):
        with socket.socket(socket.AF_UNIX) as holder:
            holder.bind("\0headroom-card-GPU-68656164-726f-6f6d-0000-000000000000")
            running = subprocess.Popen([HEADROOM, "run", "--device", "emulated:1GiB", "--beside", "cuda:0", "--output", self.artifact, "--",
                                        PROGRAM, "take=1000"], stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": "1 GiB"})
            first = running.stderr.readline()
            running.send_signal(signal.SIGINT)
            said = " ".join(running.communicate(timeout=30)[1].split())
        self.assertIn("another run has cuda:0; this one waits for its turn", first)
        self.assertEqual(running.returncode, -signal.SIGINT)
        self.assertIn("the run was interrupted before it", said)
        artifact = json.loads(self.artifact.read_text())
        self.assertEqual(artifact["outcome"], "within")
        self.assertNotIn("calibration", artifact)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
