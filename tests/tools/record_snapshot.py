#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Records the fixtures of the converters' tests with PyTorch.

    record_snapshot.py FOLDER [SCENARIO...]

Each scenario runs in a process of its own and leaves NAME.pickle.xz (the memory snapshot),
NAME.trace.json.xz (the profiler's Chrome trace, where the scenario has one) and NAME.json: what
torch.cuda.memory_stats reported when recording started and when it ended. It needs PyTorch with a
GPU, or the emulated card's folder (--emulation build/no-cuda/emulation), which is then of each
scenario's size; on a larger card the fraction of memory that PyTorch may use is set to the same figure.
The fixtures in this folder were recorded with PyTorch 2.15.0 over stand-ins for the CUDA libraries.
"""

import argparse
import json
import lzma
import os
import pickle
import subprocess
import sys
import tempfile

from record_scenarios import SCENARIOS

COUNTERS = (
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


class Recording:
    """Starts the history, reads the counters beside it, and writes what was recorded."""

    def __init__(self, torch, max_entries=1_000_000):
        self.torch = torch
        self.max_entries = max_entries
        self.before = None

    def start(self):
        memory = self.torch.cuda.memory
        memory._record_memory_history(max_entries=self.max_entries, context=None, stacks="python")
        self.torch.cuda.reset_peak_memory_stats()
        self.before = self.statistics()

    def statistics(self):
        found = self.torch.cuda.memory_stats()
        return {name: found.get(name, 0) for name in COUNTERS}

    def finish(self, path, settings):
        after = self.statistics()
        snapshot = self.torch.cuda.memory._snapshot()
        with lzma.open(path + ".pickle.xz", "wb") as out:
            pickle.dump(snapshot, out)
        capacity = self.torch.cuda.get_device_properties(0).total_memory
        figures = {
            "torch": self.torch.__version__,
            "capacity_bytes": capacity,
            "settings": settings,
            "max_entries": self.max_entries,
            "before": self.before,
            "after": after,
        }
        with open(path + ".json", "w", encoding="utf-8") as out:
            json.dump(figures, out, indent=1)
            out.write("\n")


def scrub(document):
    """Takes names of the machine out of a Chrome trace and keeps what concerns memory."""

    def concerns_memory(event):
        return event.get("name") in ("[memory]", "[OutOfMemory]") or event.get("ph") == "M"

    events = [dict(event, pid=1, tid=1) for event in document["traceEvents"] if concerns_memory(event)]
    others = [event for event in document["traceEvents"] if not concerns_memory(event)][:200]
    others = [
        dict(event, pid=1, tid=1, args={}) for event in others if event.get("name", "").startswith("aten::")
    ]
    return {
        "schemaVersion": document["schemaVersion"],
        "deviceProperties": document["deviceProperties"],
        "displayTimeUnit": document.get("displayTimeUnit", "ms"),
        "traceEvents": others + events,
        "traceName": "profiled.trace.json",
    }


def run_scenario(name, folder):
    import torch

    work, capacity, settings = SCENARIOS[name]
    torch.manual_seed(1234)
    torch.backends.cuda.enable_cudnn_sdp(False)
    total = torch.cuda.get_device_properties(0).total_memory
    if total > capacity and "fraction" not in settings:
        torch.cuda.set_per_process_memory_fraction(capacity / total)
    recording = Recording(torch)
    kept = work(torch, recording)
    path = os.path.join(folder, name)
    recording.finish(path, settings)
    if hasattr(recording, "profile"):
        with tempfile.TemporaryDirectory() as temporary:
            exported = os.path.join(temporary, "profile.json")
            recording.profile.export_chrome_trace(exported)
            with open(exported, encoding="utf-8") as text, lzma.open(path + ".trace.json.xz", "wt") as out:
                json.dump(scrub(json.load(text)), out)
    del kept


def emulated(folder, capacity):
    """Variables for a process over the emulated card: a wheel's own search path comes before others."""
    names = ["libcudart.so.13", "libcuda.so.1", "libcublas.so.13", "libcublasLt.so.13", "libnvidia-ml.so.1"]
    paths = [os.path.join(os.path.abspath(folder), name) for name in names]
    for path in paths:
        if not os.path.exists(path):
            sys.exit(f"record_snapshot: {path} is not there; build the emulation")
    return {
        "HEADROOM_EMULATED_CARD": f"{capacity} B",
        "LD_LIBRARY_PATH": os.path.abspath(folder),
        "LD_PRELOAD": ":".join(paths),
    }


def main():
    parser = argparse.ArgumentParser(description="record the fixtures of the converters' tests")
    parser.add_argument("folder", help="where the files go")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    parser.add_argument("--emulation", help="folder of the emulated card's libraries; default: a GPU")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.scenarios or SCENARIOS:
        if name not in SCENARIOS:
            parser.error(f"no scenario {name!r}")
        if arguments.here:
            run_scenario(name, arguments.folder)
            continue
        environment = dict(os.environ)
        if arguments.emulation:
            environment.update(emulated(arguments.emulation, SCENARIOS[name][1]))
        if SCENARIOS[name][2]:
            environment["PYTORCH_ALLOC_CONF"] = SCENARIOS[name][2]
        command = [sys.executable, os.path.abspath(__file__), arguments.folder, name, "--here"]
        subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
