#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""templates_test.py HEADROOM SOURCES: the job templates in examples/ci are valid YAML of the form that GitHub
Actions reads, and every command, option and file in them is there. Exit 77 without PyYAML."""
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    print("skipped: no PyYAML, install python3-yaml")
    sys.exit(77)

HEADROOM, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
TEMPLATES = sorted((SOURCES / "examples" / "ci").glob("*.yml"))
OF_THE_RUNNER = {"git", "cmake", "ctest", "python3", "nvidia-smi", "pip"}
CMAKE_TEXT = "".join(each.read_text() for each in [SOURCES / "CMakeLists.txt", *SOURCES.glob("examples/*/CMakeLists.txt")])


def jobs_of(text):
    whole = yaml.safe_load(text)
    triggers = whole.get("on", whole.get(True))  # YAML 1.1 reads the key as a truth value
    if not triggers or not whole.get("name"):
        raise ValueError("no trigger, or no name")
    for job in whole["jobs"].values():
        if not job["runs-on"]:
            raise ValueError("a job that runs nowhere")
        for step in job["steps"]:
            if ("run" in step) == ("uses" in step):
                raise ValueError(f"a step that runs and uses, or neither: {step}")
    return whole["jobs"]


def commands_of(jobs):
    for job in jobs.values():
        for step in job["steps"]:
            for line in step.get("run", "").splitlines():
                yield shlex.split(line)


def fault_of(words):
    """What is not there of one command, "" for nothing."""
    program = words[0].replace("$HOME/venv/bin/", "").replace("$HOME/headroom/bin/", "")
    if program.startswith("headroom-source/"):
        return "" if (SOURCES / program.removeprefix("headroom-source/")).is_file() else f"no such file: {program}"
    if program == "headroom":
        asked = subprocess.run([HEADROOM, words[1], "--help"], text=True, capture_output=True, check=False)
        if asked.returncode != 0:
            return f"no such command: {words[1]}"
        unknown = [each for each in words[2:] if each.startswith("--") and each.split("=")[0] not in asked.stdout]
        return f"no such option: {unknown}" if unknown else ""
    if program not in OF_THE_RUNNER:
        return f"no such program: {program}"
    if program == "cmake":
        for name in re.findall(r"^-D(HEADROOM_\w+)", "\n".join(words), re.M):
            if not re.search(rf"(option\(|set\(){name}\b", CMAKE_TEXT):
                return f"no such option of CMake: {name}"
    return ""


class Templates(unittest.TestCase):
    def test_there_are_two(self):
        self.assertEqual([each.name for each in TEMPLATES], ["gpu_runner.yml", "hosted_runner.yml"])

    def test_every_command_is_there(self):
        for file in TEMPLATES:
            commands = list(commands_of(jobs_of(file.read_text())))
            self.assertGreater(len(commands), 8)
            for words in commands:
                with self.subTest(file=file.name, command=words):
                    self.assertEqual(fault_of(words), "")

    def test_scripts_are_valid_shell(self):
        for file in TEMPLATES:
            for job in jobs_of(file.read_text()).values():
                for step in job["steps"]:
                    subprocess.run(["bash", "-n"], input=step.get("run", ""), text=True, check=True)

    def test_steps_of_others_have_a_version(self):
        for file in TEMPLATES:
            for used in re.findall(r"uses: (\S+)", file.read_text()):
                self.assertRegex(used, r"^actions/[a-z-]+@v\d+$")

    def test_a_gpu_runner_that_measures_nothing_fails(self):
        jobs = {file.name: jobs_of(file.read_text()) for file in TEMPLATES}
        self.assertEqual(jobs["gpu_runner.yml"]["measured"]["env"]["HEADROOM_REQUIRE"], "cuda")
        self.assertNotIn("HEADROOM_REQUIRE", jobs["hosted_runner.yml"]["predicted"]["env"])

    def test_mistakes_are_found(self):
        for words in (["headroom-source/ctest/nothing"], ["$HOME/headroom/bin/headroom", "summarize", "."],
                      ["$HOME/headroom/bin/headroom", "summary", "--yaml", "."], ["cmake", "-DHEADROOM_CUDDA=OFF"], ["ninjja"]):
            self.assertNotEqual(fault_of(words), "", words)
        for text in ("jobs: {a: {runs-on: x, steps: []}}", "name: a\non: push\njobs: {a: {runs-on: x, steps: [{name: nothing}]}}"):
            with self.assertRaises(ValueError):
                jobs_of(text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
