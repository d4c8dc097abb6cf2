#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""hostile_test.py HEADROOM PROGRAM: `headroom run` around programs that end, start and limit themselves in
ways that a run must not lose, and given what users mistype. None may read as a pass that is none."""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEADROOM, PROGRAM = sys.argv[1], sys.argv[2]
MIB = 1 << 20
# What a user's shell has, and no more.
PLAIN = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
# A Python program of CUDA's runtime.
CUDA = ("import ctypes, os, sys\ncuda = ctypes.CDLL('libcudart.so.13')\nat = ctypes.c_void_p()\n"
        "def take(size): return cuda.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(size))\n")


class Hostile(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"

    def command(self, *command, device="emulated:1GiB", options=()):
        return [HEADROOM, "run", "--device", device, "--output", self.artifact, "--context-bytes", "64 MiB", *options, "--", *command]

    def run_it(self, *command, options=(), environment=None, code=None, program=None):
        for each in self.folder.glob("artifact*.json"):
            each.unlink()
        done = subprocess.run(self.command(*((program,) if program else ()), *command, options=options), text=True, capture_output=True,
                              timeout=60, check=False, cwd=self.folder, env={**PLAIN, **(environment or {})}, stdin=subprocess.DEVNULL)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        done.stderr = " ".join(done.stderr.split())
        return done, json.loads(self.artifact.read_text()) if self.artifact.exists() else None

    def steps(self, *steps, **more):
        return self.run_it(PROGRAM, *steps, **more)

    def script(self, text, name="script"):
        file = self.folder / name
        file.write_text(text)
        file.chmod(0o755)
        return file

    def levels(self, artifact, name="run"):
        phase = next(each for each in artifact["phases"] if each["name"] == name)
        return tuple(phase["readings"][0]["end"][f"{each}_bytes"]
                     for each in ("allocated_current", "allocated_peak", "reserved_current", "reserved_peak"))

    # What lies in a process besides

    def test_a_runtime_loaded_by_its_path_lies_idle(self):
        # PyTorch loads each library of NVIDIA's packages so, where they are installed. Any library does that has the name.
        other = self.folder / "nvidia" / "libcudart.so.13"
        other.parent.mkdir()
        emulation = pathlib.Path(self.run_it(sys.executable, "-c", "import os; print(os.environ['LD_LIBRARY_PATH'])")[0].stdout.strip().split(":")[0])
        shutil.copy(emulation / "libcurand.so.10", other)
        _, artifact = self.run_it(sys.executable, "-c", f"{CUDA}ctypes.CDLL({str(other)!r})\nassert take({3 * MIB}) == 0", code=0)
        self.assertEqual(self.levels(artifact)[1], 3 * MIB)

    # Commands that cannot be started

    def test_what_cannot_be_started_says_why_and_what_to_write(self):
        self.script("#!/bin/sh\r\necho\r\n", "windows")
        self.script("echo hello\n", "bare")
        for command, text in (("./windows", "its first line ends as lines of Windows do"),
                              ("./bare", "its first line names no interpreter; begin it with #!/bin/sh, or write the interpreter before it (sh bare)"),
                              (".", "no such command in PATH"), ("./", "a folder, not a program"), ("", "no such command in PATH")):
            with self.subTest(command):
                done, artifact = self.run_it(command, code=3)
                self.assertIn(text, done.stderr)
                self.assertIsNone(artifact)
                self.assertEqual([each.name for each in self.folder.glob("artifact*")], [])

    def test_a_program_with_rights_of_its_own_is_refused(self):
        copy = self.folder / "copy"
        copy.write_bytes(pathlib.Path(PROGRAM).read_bytes())
        copy.chmod(0o755)
        try:  # cap_net_raw, in the form of version 2
            os.setxattr(copy, "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))
        except OSError as fault:
            self.skipTest(f"no capabilities can be given to a file here: {fault}")
        self.folder.chmod(0o777)
        other = {"user": 65534} if os.geteuid() == 0 else {}  # root gains nothing by them, and is not refused
        done = subprocess.run(self.command(copy, "take=1"), text=True, capture_output=True, check=False, env=PLAIN, **other)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("runs with rights of its own (file capabilities", " ".join(done.stderr.split()))
        if other:
            self.run_it(copy, "take=1", code=0)

    def test_a_command_without_the_mark_before_it_is_told_of_it(self):
        done = subprocess.run([HEADROOM, "run", "--device", "emulated:1GiB", PROGRAM, "take=1"], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("; what is to be run stands behind --", " ".join(done.stderr.split()))

    # Variables that get lost

    def test_a_command_that_starts_the_program_without_the_variables_is_no_pass(self):
        done, artifact = self.run_it("env", "-i", "/bin/true", code=6)
        self.assertEqual(artifact["outcome"], "setup_error")
        self.assertIn("kept headroom's variables from it (env -i, sudo, another user, a container)", done.stderr)

    def test_a_program_that_clears_its_environment_is_counted(self):
        for steps in (("clearenv", f"take={4 * MIB}"), (f"take={4 * MIB}", "clearenv")):
            _, artifact = self.steps(*steps, "call=cudaCreateTextureObject", code=6)
            self.assertEqual(self.levels(artifact)[3], 4 * MIB)
            self.assertIn("cudaCreateTextureObject", artifact["outcome_reason"])
            self.assertEqual(artifact["program"]["processes"][0]["ended"], True)

    def test_a_snapshot_of_another_run_is_not_the_programs(self):
        done, _ = self.run_it("sh", "-c", f'echo "[$HEADROOM_RUN_SNAPSHOT]"; {PROGRAM} take=1', environment={"HEADROOM_RUN_SNAPSHOT": "/x"}, code=0)
        self.assertEqual(done.stdout, "[]\n")

    # Limits of the process

    def test_a_limit_of_a_files_size_ends_nobody_and_is_said(self):
        _, artifact = self.steps("take=1000", "file_size=0", "call=cudaCreateTextureObject", code=6)
        self.assertEqual(artifact["program"]["exit_code"], 0)
        self.assertIn("had to tell of themselves could not be written", artifact["outcome_reason"])

    def test_a_limit_from_the_start_is_said_too(self):
        _, artifact = self.steps("file_size=0", "take=1000", code=6)
        self.assertIn("could not be written: was the program out of file descriptors", artifact["outcome_reason"])

    def test_a_limit_of_open_files_is_said(self):
        _, artifact = self.steps("take=1000", "most_files=3", "call=cudaCreateTextureObject", code=6)
        self.assertIn("(ulimit -n, ulimit -f)", artifact["outcome_reason"])

    # Programs that become another, and end in their own way

    def test_a_program_that_becomes_another_gives_back_what_it_held(self):
        _, artifact = self.steps(f"take={700 * MIB}", "push=first", "pop", "exec", f"must={600 * MIB}", "push=second", "pop", code=6)
        self.assertEqual(self.levels(artifact)[3], 700 * MIB)
        self.assertEqual([each["ended"] for each in artifact["program"]["processes"]], [False, True])
        self.assertIn("process 1 of the program became another one (exec)", artifact["outcome_reason"])
        for number, size, name in ((1, 700, "first"), (2, 600, "second")):
            one = json.loads((self.folder / f"artifact.process-{number}.json").read_text())
            self.assertEqual(self.levels(one)[3], size * MIB)
            self.assertEqual([each["name"] for each in one["phases"]], ["run", name])

    def test_processes_one_after_the_other_never_held_more_than_one_of_them(self):
        _, artifact = self.run_it("sh", "-c", f"{PROGRAM} take={30 * MIB}; {PROGRAM} take={20 * MIB}", code=0)
        self.assertEqual(self.levels(artifact), (30 * MIB,) * 4)
        reading = artifact["phases"][0]["readings"][0]
        self.assertEqual(reading["system"]["end"]["process_bytes"], (30 + 64) * MIB)
        _, artifact = self.run_it("sh", "-c", f"{PROGRAM} take={30 * MIB} give take={10 * MIB}; {PROGRAM} take={4 * MIB}", code=0)
        self.assertEqual(self.levels(artifact), (14 * MIB, 30 * MIB) * 2)

    def test_contexts_of_processes_that_ended_without_a_word_are_free_again(self):
        text = f"for each in $(seq 20); do {PROGRAM} take=1 _exit=0; done; {PROGRAM} must={800 * MIB}"
        _, artifact = self.run_it("sh", "-c", text, code=6)
        self.assertEqual(self.levels(artifact)[3], 800 * MIB)

    def test_of_a_process_the_one_that_started_it_is_told(self):
        text = CUDA + f"import subprocess\ntake(1000)\nfor _ in range(2): subprocess.run([{PROGRAM!r}, 'take=1'], check=True)"
        _, artifact = self.run_it(sys.executable, "-c", text, code=0)
        self.assertEqual([each["parent"] for each in artifact["program"]["processes"]], [0, 1, 1])

    def test_a_phase_is_within_those_of_its_own_thread(self):
        text = (CUDA + "import threading\ntake(1)\ncard = ctypes.CDLL('libheadroom_card.so')\nbegin, end = card.headroom_run_begin_phase, "
                "card.headroom_run_end_phase\nouter = begin(b'outer', b'nvtx')\ndef work(): end(begin(b'work', b'nvtx'), 0)\n"
                "other = threading.Thread(target=work)\nother.start(); other.join()\nend(begin(b'inner', b'nvtx'), 0)\nend(outer, 0)")
        _, artifact = self.run_it(sys.executable, "-c", text, code=0)
        self.assertEqual({each["name"]: each["parent"] for each in artifact["phases"]},
                         {"run": None, "outer": "run", "inner": "outer", "work": "run"})

    def test_before_it_uses_a_card_a_program_may_become_another(self):
        self.steps("push=none", "exec", "take=1000", code=0)

    def test_an_end_without_exit_handlers_is_no_pass(self):
        _, artifact = self.steps(f"take={4 * MIB}", "_exit=0", code=6)
        self.assertIn("process 1 of the program did not end by itself (a signal, or _exit", artifact["outcome_reason"])
        self.assertEqual(self.levels(artifact)[3], 4 * MIB)
        self.steps("take=1000", "_exit=3", code=5)

    def test_a_process_that_failed_fails_itself_and_leaves_a_doubt_of_the_whole(self):
        python = self.script("#!/bin/sh\nexec " + sys.executable + " -c " + shlex.quote(CUDA + "take(3000)\nos._exit(7)") + "\n", "worker")
        for failing, code in ((f"{PROGRAM} take=3000 exit=3", 3), (python, 7)):
            with self.subTest(code):
                _, artifact = self.run_it("sh", "-c", f"{PROGRAM} take=1000; {failing}; true", code=6)
                self.assertIn(f"process 2 of the program ended with exit code {code}, and the program went on", artifact["outcome_reason"])
                well, badly = (json.loads((self.folder / f"artifact.process-{number}.json").read_text()) for number in (1, 2))
                self.assertEqual((well["outcome"], badly["outcome"]), ("within", "failed"))
                self.assertEqual(badly["phases"][0]["error"]["message"], f"the process ended with exit code {code}")

    def test_an_end_of_pythons_without_exit_handlers_is_told(self):
        _, artifact = self.run_it(sys.executable, "-c", CUDA + f"take({4 * MIB})\nos._exit(0)", code=0)
        self.assertEqual(self.levels(artifact)[3], 4 * MIB)
        _, artifact = self.run_it(sys.executable, "-c", CUDA + "take(1000)\nif os.fork() == 0: os._exit(0)\nos.wait()", code=0)
        self.assertEqual(len(artifact["program"]["processes"]), 1)

    def test_workers_of_multiprocessing_are_counted_however_they_start(self):
        for way in ("fork", "spawn", "forkserver"):
            script = self.script("import multiprocessing\n" + CUDA.replace("cuda = ", "def cuda_of(): return ").replace(
                "cuda.", "cuda_of().") + f"if __name__ == '__main__':\n    start = multiprocessing.get_context({way!r})\n"
                f"    all = [start.Process(target=take, args=({4 * MIB},)) for _ in range(2)]\n    for each in all: each.start()\n"
                "    for each in all: each.join()\n", "workers.py")
            with self.subTest(way):
                _, artifact = self.run_it(sys.executable, script, code=0)
                self.assertEqual([each["ended"] for each in artifact["program"]["processes"]], [True, True])

    def test_more_processes_than_a_run_has_places_for_are_no_pass(self):
        done, artifact = self.run_it("sh", "-c", f"{PROGRAM} fork=260 take=1; exit 0", code=6)
        self.assertEqual(artifact["outcome"], "setup_error")
        self.assertIn("more than 256 processes of one run use a card", artifact["outcome_reason"])

    def test_ranges_of_the_programs_own_objects_end_with_them(self):
        _, artifact = self.steps("take=1000", "push=outer", "push=inner", "pop_late", code=0)
        self.assertEqual([each["name"] for each in artifact["phases"]], ["run", "outer", "inner"])

    def test_a_helper_that_ends_a_moment_later_is_no_process_left_behind(self):
        done, _ = self.run_it("sh", "-c", f"sleep 0.1 & {PROGRAM} take=1000", code=0)
        self.assertNotIn("still running", done.stderr)

    # Signals and time

    def test_past_the_timeout_nobody_is_left(self):
        left = self.folder / "left"
        done, artifact = self.run_it("sh", "-c", f"(trap '' TERM; echo $$ > {left}; while :; do sleep 0.1; done) & {PROGRAM} take=1000 sleep=60000",
                                     options=("--timeout", "1"), code=5)
        self.assertNotIn("is still running", done.stderr)

    def test_a_program_that_ends_in_good_order_when_told_to_is_judged(self):
        ready = self.folder / "ready"
        text = f"trap 'exit 0' TERM; {PROGRAM} take={4 * MIB}; touch {ready}; while :; do sleep 0.05; done"
        running = subprocess.Popen(self.command("sh", "-c", text), stderr=subprocess.PIPE, text=True, env=PLAIN)
        while not ready.exists():
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        said = running.communicate(timeout=30)[1]
        self.assertEqual(running.returncode, 0, said)
        self.assertEqual(json.loads(self.artifact.read_text())["outcome"], "within")

    def test_whoever_ignores_the_ends_of_children_is_no_hindrance(self):
        command = [str(each) for each in self.command(PROGRAM, "take=1000")]
        text = f"import os, signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nos.execv({HEADROOM!r}, {command!r})"
        done = subprocess.run([sys.executable, "-c", text], check=False, env=PLAIN, timeout=30, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_timeout_is_a_failure_however_the_program_ends_then(self):
        text = f"trap 'exit 0' TERM; {PROGRAM} take=1000; while :; do sleep 0.05; done"
        _, artifact = self.run_it("sh", "-c", text, options=("--timeout", "1"), code=5)
        self.assertEqual(artifact["program"]["exit_code"], 0)

    def test_a_variable_about_real_cards_hides_no_emulated_one(self):
        for value in ("", "3", "-1"):
            _, artifact = self.steps(f"take={4 * MIB}", environment={"CUDA_VISIBLE_DEVICES": value}, code=0)
            self.assertEqual(self.levels(artifact)[3], 4 * MIB)

    def test_a_process_is_not_blamed_for_another_that_failed(self):
        _, artifact = self.run_it("sh", "-c", f"{PROGRAM} take=1; {PROGRAM} take=2 abort", code=5)
        outcomes = [json.loads((self.folder / f"artifact.process-{number}.json").read_text())["outcome"] for number in (1, 2)]
        self.assertEqual((artifact["outcome"], outcomes), ("failed", ["within", "failed"]))

    # Where output goes

    def test_closed_files_of_headrooms_own_change_nothing(self):
        shell = " ".join(f"'{each}'" for each in self.command(PROGRAM, f"take={4 * MIB}"))
        done = subprocess.run(["sh", "-c", f"exec {shell} <&- >&- 2>&-"], check=False, env=PLAIN)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.levels(json.loads(self.artifact.read_text()))[3], 4 * MIB)

    def test_artifacts_of_an_earlier_runs_processes_are_refused_before_the_program_starts(self):
        ran = self.folder / "ran"
        command = self.command("sh", "-c", f"touch {ran}; {PROGRAM} take=1")
        earlier = self.folder / "artifact.process-2.json"
        for name in ("artifact.process-2.json", "artifact.process-x.json", "artifact.process-.json", "other.process-1.json"):
            (self.folder / name).write_text("earlier")
        refused = subprocess.run(command, text=True, capture_output=True, check=False, env=PLAIN)
        self.assertEqual(refused.returncode, 4)
        self.assertIn("artifact.process-2.json: an earlier run's artifact of one process", " ".join(refused.stderr.split()))
        self.assertFalse(ran.exists())
        self.assertFalse((self.folder / "artifact.started.json").exists())
        earlier.unlink()
        done = subprocess.run(command, text=True, capture_output=True, check=False, env=PLAIN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(ran.exists())

    def test_where_a_file_cannot_be_written_at_the_end_the_rest_is_written_and_said(self):
        for name, kept in (("artifact", ("artifact.process-1", "artifact.process-2")), ("artifact.process-1", ("artifact", "artifact.process-2"))):
            taken = self.folder / f"{name}.json"
            with self.subTest(name):
                for each in self.folder.glob("artifact*.json"):
                    each.unlink()
                text = f"{PROGRAM} take={4 * MIB}; {PROGRAM} take=1; echo taken > {taken}"
                done = subprocess.run(self.command("sh", "-c", text), text=True, capture_output=True, check=False, env=PLAIN)
                self.assertEqual(done.returncode, 4, done.stderr)
                said = " ".join(done.stderr.split())
                self.assertIn("run 4.00 MiB", said)
                self.assertIn(f"{taken}: exists", said)
                for each in kept:
                    self.assertTrue(json.loads((self.folder / f"{each}.json").read_text())["id"])
                self.assertEqual(taken.read_text(), "taken\n")

    # Phases

    def test_a_range_that_is_open_at_the_end_is_none_that_failed(self):
        _, artifact = self.steps("push=left", "take=1000", code=0)
        self.assertEqual([(each["name"], each["status"]) for each in artifact["phases"]], [("run", "ok"), ("left", "ok")])
        for each in artifact["phases"]:
            self.assertEqual(each["readings"][0]["system"]["end"]["free_bytes"], (1024 - 64 - 2) * MIB)

    def test_odd_names_are_names(self):
        names = ['a "quoted" one', "größe ✓", "a|b,c;d", "x" * 5000, "two\nlines", "\x1b[31mred"]
        steps = [word for name in names for word in (f"push={name}", "pop")]
        done, artifact = self.steps("take=1000", *steps, code=0)
        self.assertEqual([each["name"] for each in artifact["phases"][1:]], names)
        self.assertNotIn("\x1b", done.stderr)

    def test_of_a_thousand_names_the_table_shows_the_first(self):
        done, artifact = self.steps("take=1000", *(word for number in range(1000) for word in (f"push=name{number}", "pop")), code=0)
        self.assertEqual(len(artifact["phases"]), 1001)
        self.assertIn("and 901 more phases, in the artifact", done.stderr)
        names = [word for number in range(150) for word in (f"push=name{number}", "pop")]
        done, _ = self.steps("take=1000", *names, "push=last", f"must={2000 * MIB}", code=5)
        self.assertIn(" last, failed ", done.stderr)

    def test_of_many_ranges_the_one_that_failed_is_kept(self):
        steps = ["take=1000"]
        for number in range(1, 201):
            steps += ["push=step", f"take={2000 * MIB}", "pop"] if number == 150 else ["push=step", "pop"]
        _, artifact = self.steps(*steps, "exit=3", code=5)
        self.assertEqual(artifact["outcome"], "out_of_memory")
        self.assertLess(len(artifact["phases"]), 64)
        self.assertEqual([(each["name"], each["repeat"]) for each in artifact["phases"] if each["status"] == "failed" and each["name"] != "run"],
                         [("step", 149)])  # of those behind the cold one

    def test_of_many_ranges_the_lowest_is_kept_too(self):
        steps = ["take=4000000"]
        for number in range(200):
            steps += ["give", "push=step", "pop", "take=4000000"] if number == 150 else ["push=step", "pop"]
        _, artifact = self.steps(*steps, code=0)
        phases = [each for each in artifact["phases"] if each["name"] == "step"]
        self.assertLess(len(phases), 64)
        self.assertIn(0, [each["readings"][0]["end"]["allocated_peak_bytes"] for each in phases])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
