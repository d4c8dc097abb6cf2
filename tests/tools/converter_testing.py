# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What the converters' tests share: running a tool, and writing snapshots and profiles by hand."""

import contextlib
import importlib
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent.parent / "tools"
FIXTURES = HERE / "fixtures"
MIB = 2**20

sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True

import guarded  # noqa: E402  (of the tools, found through the line above)


def event(action, address=None, size=512, stream=0, **others):
    """An entry of a device's history as PyTorch writes it."""
    entry = {
        "action": action,
        "size": size,
        "stream": stream,
        "time_us": 1,
        "pool_id": (0, 0),
        "compile_context": "N/A",
        "user_metadata": "",
    }
    if address is not None:
        entry["addr"] = address
    return {**entry, **others}


def freed(address, size=512, stream=0, **others):
    """A free that nothing waits for: its request and its completion."""
    return [
        event("free_requested", address, size, stream, **others),
        event("free_completed", address, size, stream, **others),
    ]


def segment(address, size, *blocks, stream=0, kind="small", device=0, pool=(0, 0), expandable=False):
    """A segment of (size, state) or (size, state, requested) blocks; the rest of it is free."""
    entries, position = [], address
    for length, state, *requested in blocks:
        entries.append(
            {
                "address": position,
                "size": length,
                "state": state,
                "frames": [],
                "requested_size": requested[0] if requested else length,
            }
        )
        position += length
    if position < address + size:
        entries.append(
            {
                "address": position,
                "size": address + size - position,
                "state": "inactive",
                "frames": [],
                "requested_size": 0,
            }
        )
    return {
        "device": device,
        "address": address,
        "total_size": size,
        "stream": stream,
        "segment_type": kind,
        "segment_pool_id": pool,
        "is_expandable": expandable,
        "blocks": entries,
        "frames": [],
    }


class ConverterTest(unittest.TestCase):
    """Runs the tools in a folder of its own."""

    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def snapshot(self, events, segments=(), settings=None, name="run.pickle", **others):
        """Writes a snapshot. `events` is one history, or a list of histories."""
        histories = events if events and isinstance(events[0], list) else [events]
        document = {
            "segments": list(segments),
            "device_traces": histories,
            "allocator_settings": settings or {},
            **others,
        }
        return self.write(name, pickle.dumps(document))

    def run_tool(self, tool, *arguments, apart=False):
        """Runs a tool here, which is quick, or apart in a process of its own, as its users do."""
        arguments = [str(argument) for argument in arguments]
        if apart:
            environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
            environment.pop("PYTHONUNBUFFERED", None)  # it would hide output that is never flushed
            return subprocess.run(
                [sys.executable, str(TOOLS / tool), *arguments],
                capture_output=True,
                cwd=self.folder,
                env=environment,
                timeout=300,
                check=False,
            )
        out, err, folder = io.StringIO(), io.StringIO(), os.getcwd()
        module = importlib.import_module(tool[: -len(".py")])
        try:
            os.chdir(self.folder)
            with (
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                unittest.mock.patch.object(sys, "argv", [tool, *arguments]),
            ):
                code = guarded.guarded(module.main)
        finally:
            os.chdir(folder)
        return subprocess.CompletedProcess(arguments, code, out.getvalue().encode(), err.getvalue().encode())

    def run_snapshot(self, path, *arguments, capacity="24GB", apart=False):
        given = ["--capacity", capacity] if capacity is not None else []
        return self.run_tool("trace_from_pytorch_snapshot.py", path, *given, *arguments, apart=apart)

    def trace_of(self, path, *arguments, **options):
        """The lines of the trace that the snapshot tool writes to standard output."""
        result = self.run_snapshot(path, "--output", "-", *arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode().splitlines()

    def events_of(self, path, *arguments, **options):
        """Those lines without the head and the comments."""
        lines = self.trace_of(path, *arguments, **options)
        return [line for line in lines[1:] if line.split()[0] not in ("#", "capacity", "setting")]

    def assert_refused(self, result, exit_code, *texts):
        """One line on stderr that has every text, the exit code, and nothing left behind."""
        message = result.stderr.decode()
        self.assertEqual(result.returncode, exit_code, message)
        self.assertEqual(len(message.splitlines()), 1, message)
        for text in texts:
            self.assertIn(text, message)
        self.assertEqual(result.stdout, b"")
        self.assertEqual([path.name for path in self.folder.glob("*.trace")], [])
        self.assertEqual([path.name for path in self.folder.glob(".*")], [])


def memory_event(time, address, change, allocated, reserved, device=0, kind=1, name="[memory]"):
    """A report of the allocator as the profiler exports it."""
    arguments = {
        "Bytes": change,
        "Total Allocated": allocated,
        "Total Reserved": reserved,
        "Device Id": device,
        "Device Type": kind,
        "finished": False,
    }
    if address is not None:
        arguments["Addr"] = address
    return {
        "ph": "i",
        "cat": "cpu_instant_event",
        "s": "t",
        "name": name,
        "pid": 1,
        "tid": 1,
        "ts": time,
        "args": arguments,
    }


def profile(events, devices=({"id": 0, "name": "a card", "totalGlobalMem": 24_000_000_000},)):
    return json.dumps(
        {"schemaVersion": 1, "deviceProperties": list(devices), "traceEvents": events, "traceName": "x"}
    ).encode()
