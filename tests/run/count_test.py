#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""count_test.py HEADROOM PROGRAM: `headroom run --device cuda:N`, which counts the calls of the
driver that is there. Here that driver is an emulated card's: what is counted must be what the card
itself says under `--device emulated:...`, to the byte, in every phase."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PROGRAM = sys.argv[1], sys.argv[2]
EMULATION = pathlib.Path(HEADROOM).resolve().parent.parent / "emulation"
MIB = 1 << 20
# As little of a driver as a survey and a block of memory need.
DRIVER = """
#include <stddef.h>
#include <string.h>
static unsigned long long next = 0x7f0000000000ULL;
int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int* version) { *version = 12080; return 0; }
int cuDeviceGetCount(int* count) { *count = 1; return 0; }
int cuDeviceGet(int* device, int number) { *device = number; return 0; }
int cuDeviceGetName(char* name, int size, int device) { strncpy(name, "Testing Card", size); return 0; }
int cuDeviceTotalMem_v2(size_t* size, int device) { *size = 1 << 30; return 0; }
int cuDeviceGetAttribute(int* value, int which, int device) { *value = which == 75 ? 8 : 9; return 0; }
int cuDeviceGetUuid_v2(unsigned char* to, int device) { unsigned char all[16] = {UUID}; memcpy(to, all, 16); return 0; }
int cuCtxGetDevice(int* device) { *device = 0; return 0; }
int cuMemAlloc_v2(unsigned long long* at, size_t size) {
  *at = next;
  next += (size + 0x1fffff) & ~0x1fffffULL;
  return size > (1 << 30) ? 2 : 0;
}
int cuMemFree_v2(unsigned long long at) { return 0; }
"""
# As little of NVML as tells what a process holds of a part of a card.
NVML = """
#include <string.h>
#include <unistd.h>
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByUUID(const char* name, void** device) {
  *device = (void*)1;
  return strcmp(name, "MIG-07070707-0707-0707-0707-070707070707") == 0 ? 0 : 6;
}
struct held { unsigned pid; unsigned long long bytes; unsigned instance, part; };
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, struct held* all) {
  all[0].pid = getpid() + 1;
  all[0].bytes = 1;
  all[1].pid = getpid();
  all[1].bytes = 100 << 20;
  *count = 2;
  return 0;
}
"""


class Count(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.artifact = self.folder / "artifact.json"

    def run_it(self, *steps, device="cuda:0", options=(), program=PROGRAM, environment=None, code=None):
        """Runs the program under headroom run, over an emulated card of 1 GiB as the driver that is there."""
        for each in self.folder.glob("artifact*.json"):
            each.unlink()
        own = {**os.environ, "LD_LIBRARY_PATH": str(EMULATION), "HEADROOM_EMULATED_CARD": "1 GiB",
               "HEADROOM_EMULATED_CONTEXT": "64 MiB", **(environment or {})}
        if device.startswith("emulated"):
            options = ("--context-bytes", "64 MiB", *options)
        done = subprocess.run([HEADROOM, "run", "--device", device, "--output", self.artifact, *options, "--", program, *steps],
                              text=True, capture_output=True, timeout=60, check=False, cwd=self.folder,
                              env={name: value for name, value in own.items() if value is not None})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        done.stderr = " ".join(done.stderr.split())
        return done, json.loads(self.artifact.read_text()) if self.artifact.exists() else None

    @staticmethod
    def levels(artifact, name="run"):
        phase = next(each for each in artifact["phases"] if each["name"] == name)
        return tuple(phase["readings"][0]["end"][f"{each}_bytes"]
                     for each in ("allocated_current", "allocated_peak", "reserved_current", "reserved_peak"))

    @staticmethod
    def readings(artifact):
        """All that a card says of itself."""
        phases = [(each["name"], each["parent"], each["pass"], each["repeat"], each["status"],
                   [(one["device"], one["begin"], {key: one["end"][key] for key in one["end"]}) for one in each["readings"]])
                  for each in artifact["phases"]]
        processes = [(each["number"], each["ended"], each["devices"]) for each in artifact["program"]["processes"]]
        return phases, processes

    def agree(self, *steps, options=(), code=0):
        """The same steps on the card itself and counted. @return both artifacts"""
        _, said = self.run_it(*steps, device="emulated:1GiB", options=options, code=code)
        _, counted = self.run_it(*steps, options=options, code=code,
                                 environment={"HEADROOM_EMULATED_DEVICES": options[1] if options else "1"})
        self.maxDiff = None
        self.assertEqual(self.readings(said), self.readings(counted))
        return said, counted

    # The same figures

    def test_plain_memory(self):
        _, counted = self.agree(f"take={64 * MIB + 1}", f"take={3 * MIB}", "give", "take=1000")
        self.assertEqual(self.levels(counted), (64 * MIB + 1001, 67 * MIB + 1, 68 * MIB, 70 * MIB))
        self.assertEqual(counted["program"]["processes"][0]["devices"][0]["context_bytes"], 64 * MIB)

    def test_a_context_that_takes_nothing_is_not_one_that_nobody_knows(self):
        for context in ("0 B", "64 MiB"):
            _, artifact = self.run_it("take=1000", environment={"HEADROOM_EMULATED_CONTEXT": context}, code=0)
            self.assertEqual(artifact["program"]["processes"][0]["devices"][0]["context_bytes"], int(context.split()[0]) * MIB)

    def test_small_blocks_share_pieces(self):
        steps = [f"take={size}" for size in (1000, 700000, 900000, 512, 1 << 20, 1, 600000, 600000)]
        self.agree(*steps, "give", "give", "give", "take=300000", *["give"] * 3)

    def test_pitched_memory(self):
        _, counted = self.agree("pitch=1000", "pitch=3000000")
        self.assertEqual(self.levels(counted)[0], 10 * 1024 + 10 * 3000320)

    def test_pools_and_what_they_keep(self):
        self.agree(f"async={5 * MIB}", f"async={40 * MIB}", "give_async", "sync", f"take={8 * MIB}", "push=step", f"async={MIB}",
                   "give", "sync", "pop")
        self.agree(f"async={5 * MIB}", "give_async", "push=between", "sync", f"take={64 * MIB}", "pop")

    def test_a_pool_that_is_destroyed_before_its_block(self):
        self.agree(f"pool={5 * MIB}", "destroy", f"take={MIB}")

    def test_graphs(self):
        for steps in ((f"graph={6 * MIB}", f"take={MIB}", "trim", f"take={40 * MIB}"), (f"keep={6 * MIB}", f"graph={20 * MIB}")):
            said, _ = self.agree(*steps)
            self.assertGreater(self.levels(said)[3], 20 * MIB)

    def test_memory_of_the_driver_however_it_is_found(self):
        for way in ("driver", "lookup", "entry"):
            with self.subTest(way):
                _, counted = self.agree("take=1000", f"{way}={30 * MIB}", f"{way}=5000", "driver_give", f"{way}={MIB}")
                self.assertEqual(self.levels(counted)[0], 31 * MIB + 1000)

    def test_memory_of_the_runtime_found_by_name_and_version(self):
        _, counted = self.agree("take=1000", f"version={30 * MIB}")
        self.assertEqual(self.levels(counted)[0], 30 * MIB + 1000)

    def test_each_kind_of_memory_may_be_freed_by_the_others_call(self):
        # cudaFreeAsync of a cudaMalloc block, which goes back to the card, and cudaFree of a pool's, which stays with the pool.
        _, counted = self.agree(f"take={5 * MIB}", f"take={8 * MIB}", "give_async", "sync", f"take={2 * MIB}")
        self.assertEqual(self.levels(counted), (7 * MIB, 13 * MIB, 8 * MIB, 14 * MIB))
        _, counted = self.agree(f"async={5 * MIB}", f"async={3 * MIB}", "give", "push=after", f"async={3 * MIB}", "pop")
        self.assertEqual(self.levels(counted)[:2], (8 * MIB, 8 * MIB))

    def test_memory_without_an_address_stays_until_nobody_has_it(self):
        for steps in ((), ("release",), ("release", "release"), ("release", "release", "unmap"), ("unmap", "release"),
                      ("unmap", "release", "release")):
            with self.subTest(steps):
                self.agree("take=1000", f"create={20 * MIB}", *steps, f"take={50 * MIB}")

    def test_a_reset_gives_everything_back(self):
        self.agree(f"take={20 * MIB}", f"async={5 * MIB}", "reset", f"take={2 * MIB}")

    def test_phases_nested_and_repeated(self):
        said, counted = self.agree(f"take={10 * MIB}", "push=step", f"take={20 * MIB}", "push=solve", f"take={30 * MIB}", "give", "pop",
                                   "give", "pop", "push=step", f"async={5 * MIB}", "pop", "start=over", "take=1", "end")
        self.assertEqual(len(said["phases"]), 5)
        self.assertEqual(self.levels(counted, "solve"), (30 * MIB, 60 * MIB, 30 * MIB, 60 * MIB))

    def test_several_cards(self):
        _, counted = self.agree("take=1000", "device=2", f"take={4 * MIB}", options=("--devices", "3"))
        self.assertEqual([each["id"] for each in counted["devices"]], ["cuda:0", "cuda:2"])
        self.assertNotEqual(counted["devices"][0]["uuid"], counted["devices"][1]["uuid"])

    def test_several_processes(self):
        steps = ("fork=2", f"must={300 * MIB}", "meet=2")
        _, said = self.run_it(*steps, device="emulated:1GiB", code=0)
        _, counted = self.run_it(*steps, code=0)
        self.assertEqual(self.levels(said)[3], 600 * MIB)
        self.assertEqual(self.readings(said)[0], self.readings(counted)[0])
        each = [json.loads((self.folder / f"artifact.process-{number}.json").read_text()) for number in (1, 2)]
        self.assertEqual([self.levels(one)[3] for one in each], [300 * MIB] * 2)

    def test_threads(self):
        _, counted = self.run_it("take=1000", "threads=8", code=0)
        self.assertEqual(self.levels(counted)[0::2], (1000, 2 * MIB))

    def test_the_same_memory_is_counted_the_same_from_one_thread_and_from_eight(self):
        for device in ("emulated:1GiB", "cuda:0"):
            # The first block is one thread's: by it a real card's context is told apart.
            counted = [self.readings(self.run_it("take=1", "push=step", f"spread={threads}", "pop", device=device, code=0)[1])
                       for threads in (1, 8, 8)]
            self.assertEqual(counted, [counted[0]] * 3, device)
            self.assertEqual(self.levels(self.run_it("spread=8", device=device, code=0)[1])[1], 64 * (6 * MIB + 513), device)

    def test_phases_change_no_counter(self):
        steps = (f"take={10 * MIB}", "push=step", f"take={20 * MIB}", "give", "pop", f"async={3 * MIB}")
        counted = [self.levels(self.run_it(*steps, options=("--phases", kind), code=0)[1]) for kind in ("auto", "nvtx", "whole")]
        self.assertEqual(counted, [counted[0]] * 3)

    # How it ends

    def test_a_refused_request_is_out_of_memory(self):
        for request in (f"must={2048 * MIB}",):
            _, said = self.run_it("take=1000", "push=load", request, device="emulated:1GiB", code=5)
            _, counted = self.run_it("take=1000", "push=load", request, code=5)
            for artifact in (said, counted):
                failed = next(each for each in artifact["phases"] if each["error"])
                self.assertEqual((failed["name"], failed["error"]["kind"], failed["error"]["requested_bytes"]),
                                 ("load", "out_of_memory", 2048 * MIB))

    def test_a_killed_process_keeps_what_was_read(self):
        _, counted = self.run_it(f"take={4 * MIB}", "kill", code=5)
        self.assertEqual(self.levels(counted)[3], 4 * MIB)

    def test_a_program_without_cuda_was_not_measured(self):
        done, artifact = self.run_it(program="/bin/true", code=6)
        self.assertEqual(artifact["outcome"], "setup_error")
        self.assertIn("took no memory of these cards", done.stderr)

    def test_what_is_not_counted_is_said(self):
        for device in ("cuda:0", "emulated:1GiB"):
            _, artifact = self.run_it("take=1000", f"managed={MIB}", device=device, code=6)
            self.assertEqual([each["name"] for each in artifact["program"]["unmodelled"]], ["cudaMallocManaged"])
            self.assertIn("memory: cudaMallocManaged; accept by name", artifact["outcome_reason"])

    # What it counts as

    def test_over_an_emulated_card_it_is_a_prediction_and_says_so(self):
        done, artifact = self.run_it("take=1000", code=0)
        self.assertTrue(artifact["prediction"])
        self.assertTrue(artifact["devices"][0]["emulated"])
        self.assertTrue(artifact["devices"][0]["name"].startswith("Emulated"))
        self.assertTrue(artifact["program"]["counted"])
        self.assertIn("prediction, not a GPU measurement", done.stderr)
        summary = subprocess.run([HEADROOM, "summary", self.artifact], text=True, capture_output=True, check=False)
        self.assertEqual(summary.returncode, 0, summary.stdout + summary.stderr)

    def test_where_a_measurement_is_required_an_emulated_card_is_refused(self):
        done, artifact = self.run_it("take=1000", environment={"HEADROOM_REQUIRE": "cuda"}, code=2)
        self.assertIn("HEADROOM_REQUIRE=cuda, and cuda:0 is an emulated card", done.stderr)
        self.assertIsNone(artifact)
        done, _ = self.run_it("take=1000", environment={"HEADROOM_REQUIRE": "gpu"}, code=3)
        self.assertIn("write cuda, or leave it unset", done.stderr)

    def test_without_a_driver_it_says_what_is_missing(self):
        done, artifact = self.run_it("take=1000", environment={"LD_LIBRARY_PATH": None}, code=2)
        self.assertIn("cuda:0 is not there: no CUDA driver was found (libcuda.so.1)", done.stderr)
        self.assertIsNone(artifact)
        done, _ = self.run_it("take=1000", device="cuda:1", code=2)
        self.assertIn("the driver shows 1 device(s)", done.stderr)
        done, _ = self.run_it("take=1000", options=("--devices", "2"), code=2)
        self.assertIn("2 were asked for", done.stderr)

    def test_options_of_emulated_cards_are_refused(self):
        for option, value in (("--context-bytes", "1 MiB"), ("--max-launches", "5")):
            done, _ = self.run_it("take=1000", options=(option, value), code=3)
            self.assertIn(f"{option} is for emulated cards", done.stderr)

    def test_a_card_of_several_is_shown_alone(self):
        script = "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"
        three = {"HEADROOM_EMULATED_DEVICES": "3"}
        for shown, device, seen in ((None, "cuda:1", "1"), ("2,0,1", "cuda:1", "0"), ("2,0", "cuda:0", "2")):
            done, _ = self.run_it("-c", script, device=device, program=sys.executable,
                                  environment={**three, "CUDA_VISIBLE_DEVICES": shown})
            self.assertEqual(done.stdout, seen + "\n")
        _, artifact = self.run_it(f"take={4 * MIB}", device="cuda:1", environment=three, code=0)
        self.assertEqual((artifact["devices"][0]["id"], self.levels(artifact)[3]), ("cuda:1", 4 * MIB))
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\nCUDA_VISIBLE_DEVICES=0 exec {PROGRAM} take=1000\n")
        script.chmod(0o755)
        _, artifact = self.run_it(program=script, device="cuda:1", environment=three, code=6)
        self.assertIn("a card that the run was not given", " ".join(artifact["program"]["gaps"]))

    def test_a_process_that_hides_cards_is_counted_by_the_card_it_uses(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\nCUDA_VISIBLE_DEVICES=2 {PROGRAM} take={4 * MIB}\nCUDA_VISIBLE_DEVICES=1 {PROGRAM} take={6 * MIB}\n")
        script.chmod(0o755)
        _, artifact = self.run_it(program=script, options=("--devices", "3"), environment={"HEADROOM_EMULATED_DEVICES": "3"}, code=0)
        self.assertEqual([(each["device"], each["end"]["reserved_peak_bytes"]) for each in artifact["phases"][0]["readings"]],
                         [("cuda:1", 6 * MIB), ("cuda:2", 4 * MIB)])

    def driver(self, uuid):
        """A folder with a driver that is no emulation."""
        numbers = ",".join(f"0x{uuid[at:at + 2]}" for at in range(0, 32, 2))
        self.library("libcuda.so.1", DRIVER.replace("UUID", numbers))
        return str(self.folder)

    def test_over_a_driver_that_is_no_emulation_it_is_a_measurement(self):
        script = ("import ctypes\ncuda = ctypes.CDLL('libcuda.so.1')\nat = ctypes.c_ulonglong()\n"
                  "def take(size): return cuda.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(size))\n"
                  "first = take(5 << 20), at.value\ntake(1000)\ncuda.cuMemFree_v2(ctypes.c_ulonglong(first[1]))\n")
        done, artifact = self.run_it("-c", script, program=sys.executable, code=0,
                                     environment={"LD_LIBRARY_PATH": self.driver("07" * 16), "HEADROOM_REQUIRE": "cuda"})
        self.assertFalse(artifact["prediction"])
        device = artifact["devices"][0]
        self.assertEqual((device["name"], device["emulated"], device["uuid"], device["compute_capability"], device["capacity_bytes"]),
                         ("Testing Card", False, "GPU-07070707-0707-0707-0707-070707070707", "8.9", 1 << 30))
        self.assertEqual(artifact["environment"]["cuda_driver"], "12.8")
        self.assertEqual(self.levels(artifact), (1000, (5 << 20) + 1000, 2 * MIB, 8 * MIB))
        self.assertIsNone(artifact["program"]["processes"][0]["devices"][0]["context_bytes"])
        self.assertNotIn("prediction", done.stderr)
        _, artifact = self.run_it("-c", script + "take(2 << 30)", program=sys.executable, code=6,
                                  environment={"LD_LIBRARY_PATH": self.driver("07" * 16)})
        self.assertIn("the program went on", artifact["outcome_reason"])

    def test_of_a_part_of_a_card_the_context_is_read_too(self):
        self.library("libnvidia-ml.so.1", NVML)
        script = "import ctypes\ncuda = ctypes.CDLL('libcuda.so.1')\ncuda.cuMemAlloc_v2(ctypes.byref(ctypes.c_ulonglong()), ctypes.c_size_t(1000))"
        for device in ("cuda:0", "cuda:MIG-07070707-0707-0707-0707-070707070707"):
            _, artifact = self.run_it("-c", script, program=sys.executable, device=device, code=0,
                                      environment={"LD_LIBRARY_PATH": self.driver("07" * 16)})
            self.assertEqual(artifact["program"]["processes"][0]["devices"][0]["context_bytes"], 98 * MIB)

    def test_a_program_that_brings_an_emulation_with_it_is_marked_as_emulated(self):
        _, artifact = self.run_it("take=1000", code=0)
        uuid = artifact["devices"][0]["uuid"].replace("GPU-", "").replace("-", "")
        folder = self.driver(uuid)
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\nLD_LIBRARY_PATH={EMULATION} exec {PROGRAM} take=1000\n")
        script.chmod(0o755)
        _, artifact = self.run_it(program=script, environment={"LD_LIBRARY_PATH": folder}, code=0)
        self.assertEqual((artifact["devices"][0]["name"], artifact["devices"][0]["emulated"], artifact["prediction"]),
                         ("Testing Card", True, True))
        _, artifact = self.run_it(program=script, environment={"LD_LIBRARY_PATH": folder, "HEADROOM_REQUIRE": "cuda"}, code=6)
        self.assertIn("HEADROOM_REQUIRE=cuda, and the program's CUDA libraries are those of an emulated card",
                      artifact["outcome_reason"])

    def test_a_card_has_its_identifier_as_a_name_too(self):
        three = {"HEADROOM_EMULATED_DEVICES": "3"}
        _, artifact = self.run_it(f"take={4 * MIB}", device="cuda:2", environment=three, code=0)
        name = artifact["devices"][0]["uuid"]
        _, again = self.run_it(f"take={4 * MIB}", device=f"cuda:{name}", environment=three, code=0)
        self.assertEqual(again["devices"][0]["id"], "cuda:2")
        done, _ = self.run_it("take=1", device=f"cuda:{name[:-2]}ff", environment=three, code=2)
        self.assertIn("the driver shows 3 device(s)", done.stderr)

    # Interposition changes nothing

    def library(self, name, text):
        file = self.folder / name
        subprocess.run(["cc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-x", "c", "-", "-o", file, "-ldl"], input=text, text=True, check=True)
        return str(file)

    def test_the_users_libraries_stay_in_order_and_find_their_next(self):
        first = self.library("first.so", "#include <dlfcn.h>\nint which(void) { int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, \"which\");"
                                         " return next ? next() : 1; }")
        second = self.library("second.so", "int which(void) { return 2; }")
        script = "import ctypes, os; print(ctypes.CDLL(None).which(), os.environ['LD_PRELOAD'])"
        done, _ = self.run_it("-c", script, program=sys.executable, environment={"LD_PRELOAD": f"{first}:{second}"})
        self.assertEqual(done.stdout, f"2 {first}:{second}:{EMULATION}/libheadroom_count.so\n", done.stderr)
        runtime = f"{EMULATION}/libcudart.so.13"
        done, _ = self.run_it("-c", script, program=sys.executable, environment={"LD_PRELOAD": f"{first}:{runtime}:{second}"})
        self.assertIn(f" {first}:{EMULATION}/libheadroom_count.so:{runtime}:{second}", done.stdout)

    def test_paths_of_the_users_stay_and_the_emulations_are_not_put_there(self):
        names = ("LD_LIBRARY_PATH", "PYTHONPATH", "NVTX_INJECTION64_PATH")
        script = f"import os; print(*(os.environ.get(n) for n in {names}))"
        done, _ = self.run_it("-c", script, program=sys.executable,
                              environment={"PYTHONPATH": "/c", "NVTX_INJECTION64_PATH": "/their/tool.so"})
        self.assertEqual(done.stdout, f"{EMULATION} {EMULATION}/python:/c /their/tool.so\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
