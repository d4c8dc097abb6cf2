# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Profiler traces: what becomes of their memory events, and what is refused."""

import gzip
import json
import lzma
import os
import resource
import subprocess
import sys
import unittest

from converter_testing import MIB, TOOLS, ConverterTest, memory_event, profile

A, B = 0x1000, 0x2000


class ProfileTest(ConverterTest):
    def run_profile(self, content, *arguments, name="run.json"):
        return self.run_tool("trace_from_pytorch_profiler.py", self.write(name, content), *arguments)

    def lines_of(self, events, *arguments, **options):
        result = self.run_profile(profile(events, **options), "--output", "-", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode().splitlines()

    def events_of(self, events, *arguments, **options):
        lines = self.lines_of(events, *arguments, **options)
        return [line for line in lines[1:] if line.split()[0] not in ("#", "capacity", "setting")]


class Events(ProfileTest):
    def test_allocations_and_frees(self):
        events = [
            memory_event(1.5, A, 512, 512, 2 * MIB),
            memory_event(2.5, B, 1024, 1536, 2 * MIB),
            memory_event(3.5, A, -512, 1024, 2 * MIB),
        ]
        self.assertEqual(self.events_of(events), ["a 1 0 512", "a 2 0 1024", "f 1"])

    def test_capacity_comes_from_the_trace_or_the_option(self):
        events = [memory_event(1, A, 512, 512, 2 * MIB)]
        self.assertIn("capacity 24000000000", self.lines_of(events))
        self.assertIn("capacity 48000000000", self.lines_of(events, "--capacity", "48GB"))
        self.assert_refused(self.run_profile(profile(events, ())), 3, "run.json: ", "--capacity 24GB")
        self.assert_refused(
            self.run_profile(profile(events), "--capacity", "2 MB"), 3, "held 2.00 MiB", "2000000 B"
        )

    def test_time_decides_and_not_the_place_in_the_file(self):
        events = [memory_event(2, A, -512, 0, 2 * MIB), memory_event(1, A, 512, 512, 2 * MIB)]
        self.assertEqual(self.events_of(events), ["a 1 0 512", "f 1"])

    def test_time_stamps_keep_their_nanoseconds(self):
        events = [memory_event(None, A, -512, 0, 2 * MIB), memory_event(None, A, 512, 512, 2 * MIB)]
        text = profile(events).decode()
        text = text.replace('"ts": null', '"ts": 1795969286521749.002', 1).replace(
            '"ts": null', '"ts": 1795969286521749.001', 1
        )
        result = self.run_profile(text.encode(), "--output", "-")
        self.assertEqual(result.stdout.decode().splitlines()[3:], ["a 1 0 512", "f 1"])

    def test_totals_decide_where_threads_stamped_out_of_order(self):
        events = [
            memory_event(1, A, 512, 512, 2 * MIB),
            memory_event(2, A + 512, 512, 1536, 2 * MIB),
            memory_event(3, B, 512, 1024, 2 * MIB),
            memory_event(4, B, -512, 1024, 2 * MIB),
        ]
        self.assertEqual(self.events_of(events), ["a 1 0 512", "a 2 0 512", "a 3 0 512", "f 2"])

    def test_what_was_alive_before_comes_first(self):
        total = 40 * MIB + 3 * 512
        events = [
            memory_event(1, A, 512, total + 512, 60 * MIB),
            memory_event(2, B, -1024, total - 512, 60 * MIB),
        ]
        self.assertEqual(
            self.events_of(events), ["a 1 0 1024", f"a 2 0 {40 * MIB}", "a 3 0 512", "r", "a 4 0 512", "f 1"]
        )
        self.assertIn(
            b"40.00 MiB (41944576 B) were alive before the first event, 40.00 MiB (41943552 B) of them never",
            self.run_profile(profile(events), "--output", "-").stderr,
        )

    def test_the_rest_is_split_so_that_rounding_adds_nothing(self):
        events = [memory_event(1, A, 512, 9 * MIB + 512, 60 * MIB)]
        self.assertEqual(self.events_of(events)[:10], [f"a {n} 0 {MIB}" for n in range(1, 10)] + ["r"])

    def test_reserved_bytes_that_fall_are_an_empty_cache(self):
        events = [
            memory_event(1, A, 30 * MIB, 30 * MIB, 30 * MIB),
            memory_event(2, A, -30 * MIB, 0, 30 * MIB),
            memory_event(3, B, 512, 512, 2 * MIB),
        ]
        self.assertEqual(self.events_of(events), ["a 1 0 31457280", "f 1", "e", "a 2 0 512"])

    def test_unless_the_driver_had_no_room(self):
        events = [
            memory_event(1, A, 30 * MIB, 30 * MIB, 30 * MIB),
            memory_event(2, A, -30 * MIB, 0, 30 * MIB),
            memory_event(3, B, 4 * MIB, 4 * MIB, 20 * MIB),
        ]
        self.assertEqual(
            self.events_of(events, "--capacity", "49 MiB"), ["a 1 0 31457280", "f 1", "a 2 0 4194304"]
        )
        self.assertEqual(self.events_of(events, "--capacity", "50 MiB")[2], "e")

    def test_a_failed_allocation_is_freed_right_after(self):
        events = [
            memory_event(1, A, 512, 512, 2 * MIB),
            memory_event(2, None, 10**12, 512, 2 * MIB, name="[OutOfMemory]"),
            memory_event(3, A, -512, 0, 2 * MIB),
        ]
        self.assertEqual(self.events_of(events), ["a 1 0 512", "a 2 0 1000000000000", "f 2", "f 1"])

    def test_the_host_and_other_devices_are_left_out(self):
        events = [
            memory_event(1, A, 512, 512, 2 * MIB),
            memory_event(2, B, 64, 64, 0, kind=0, device=-1),
            memory_event(3, B, 64, 64, 0, kind=20),
        ]
        self.assertEqual(self.events_of(events), ["a 1 0 512"])
        self.assertIn(
            b"1 memory event of other kinds", self.run_profile(profile(events), "--output", "-").stderr
        )

    def test_each_device_gets_its_file(self):
        events = [memory_event(1, A, 512, 512, 2 * MIB, device=3), memory_event(2, A, 1024, 1024, 2 * MIB)]
        path = self.write("run.json", profile(events))
        result = self.run_tool("trace_from_pytorch_profiler.py", path, "--capacity", "24GB", apart=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("a 1 0 512\n", (self.folder / "run.device3.trace").read_text())
        self.assertIn("a 1 0 1024\n", (self.folder / "run.device0.trace").read_text())
        self.assertEqual(self.events_of(events, "--device", "0"), ["a 1 0 1024"])
        self.assertEqual(self.run_profile(profile(events), "--capacity", "24GB").returncode, 4)

    def test_missing_events_are_said(self):
        events = [memory_event(1, A, 512, 512, 2 * MIB), memory_event(2, B, 512, 2048, 2 * MIB)]
        self.assertIn(b"1 place where the total", self.run_profile(profile(events), "--output", "-").stderr)


class BadProfiles(ProfileTest):
    def refuse(self, content, *texts, name="run.json"):
        self.assert_refused(self.run_profile(content, name=name), 3, name, *texts)

    def refuse_event(self, event, *texts):
        self.refuse(profile([{"name": "x"}, event]), "traceEvents[1]", *texts)

    def test_contradictions(self):
        self.refuse(
            profile([memory_event(1, A, 512, 512, 0), memory_event(2, A, 512, 1024, 0)]),
            "0x1000 is handed out twice",
        )
        self.refuse(
            profile([memory_event(1, A, 512, 512, 0), memory_event(2, A, -1024, 0, 0)]),
            "has 512 B and is freed with 1024 B",
        )
        self.refuse(
            profile([memory_event(1, A, -512, 0, 0), memory_event(2, B, -512, 0, 0)]), "512 B more are freed"
        )

    def test_events(self):
        good = memory_event(1, A, 512, 512, 512)
        for key, value, text in (
            ("Addr", None, "found nothing"),
            ("Addr", -1, "found -1"),
            ("Addr", "0x1", "found '0x1'"),
            ("Bytes", 2**63, "found 9223372036854775808"),
            ("Bytes", 1.5, "Decimal('1.5')"),
            ("Bytes", True, "found True"),
            ("Total Allocated", -1, "found -1"),
            ("Total Reserved", None, "found nothing"),
            ("Device Id", 5000, "less than 1024"),
            ("Device Type", "cuda", "found 'cuda'"),
            ("Bytes", float("nan"), "found nan"),
            ("Bytes", 10**600, "an integer of 1994 bits"),
        ):
            with self.subTest(key=key, value=str(value)[:20]):
                self.refuse_event({**good, "args": {**good["args"], key: value}}, f".args.{key}", text)
        self.refuse_event({**good, "args": None}, ".args: found None")
        self.refuse_event({**good, "args": {}}, "Device Type: found nothing", "PyTorch 1.13")
        self.refuse_event({**good, "ts": "now"}, ".ts: found 'now'")

    def test_no_memory_events(self):
        self.refuse(profile([{"name": "aten::add"}]), "profile_memory=True")
        self.refuse(profile([]), "profile_memory=True")
        self.assert_refused(
            self.run_profile(profile([memory_event(1, A, 512, 512, 0)]), "--device", "2"),
            3,
            "device 2",
            "has 0",
        )

    def test_not_such_json(self):
        for content, text in (
            (b"", "ends early"),
            (b"hello", "starts with"),
            (b"7", "starts with"),
            (b"{}", 'there is no "traceEvents"'),
            (b'{"traceEvents": 7}', "is not a list"),
            (b'{"traceEvents": [], "traceEvents": []}', "appears twice"),
            (b"[1 2]", 'expected ","'),
            (b'{"a" 1}', 'expected ":"'),
            (b'{"a": 1 "b": 2}', 'expected ","'),
            (b"{7: 1}", "not a string"),
            (b'{\n"a": tru}', "line 2: Expecting value"),
            (b'{"a": "x', "ends early"),
            (b'{"traceEvents": []} x', "text after the end"),
            (b'{"a":\n\n[1,]}', "line 3: "),
            (b'{"traceEvents": [' + b"[" * 200_000, "nested too deeply"),
            (b'{"a": ' + b"9" * 10_000 + b"}", "too many digits"),
            (b"\x80\x04N.", "starts with"),
        ):
            with self.subTest(content=content[:30]):
                self.refuse(content, text)

    def test_cut_off_anywhere(self):
        content = profile([memory_event(1, A, 512, 512, 0)])
        for length in range(0, len(content), 3):
            with self.subTest(length=length):
                self.refuse(content[:length])

    def test_a_number_across_two_reads_is_one_number(self):
        start, end = b'{"x": "', b'", "n": 123456, "traceEvents": ['
        event = json.dumps(memory_event(1, A, 512, 512, 0)).encode()
        for shift in range(-3, 4):
            padding = b"x" * (MIB - len(start) - end.index(b"456") + shift)
            content = start + padding + end + event + b"]}"
            result = self.run_profile(content, "--capacity", "24GB", "--output", "-")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_packed_and_cut_off(self):
        content = profile([memory_event(n, n * 512, 512, n * 512, 2 * MIB) for n in range(1, 500)])
        for name, packed in (
            ("run.json.gz", gzip.compress(content)),
            ("run.json.xz", lzma.compress(content)),
        ):
            self.assertEqual(self.run_profile(packed, "--output", "-", name=name).returncode, 0)
            self.refuse(packed[:-1], "ends early or is damaged", name=name)
            self.refuse(packed[: len(packed) // 2], "ends early or is damaged", name=name)

    def test_a_value_without_an_end(self):
        self.refuse(b'{"a": "' + b"x" * (70 * MIB), "no whole value within")

    def test_bytes_that_are_no_text_elsewhere_do_not_matter(self):
        content = profile([{"name": "?"}, memory_event(1, A, 512, 512, 0)]).replace(b'"?"', b'"\xff\xfe"')
        self.assertEqual(self.run_profile(content, "--output", "-").returncode, 0)


@unittest.skipUnless(sys.platform == "linux", "needs a limit on memory")
class Memory(ProfileTest):
    def test_it_follows_the_memory_events_and_not_the_file(self):
        """A trace of 300 MB is read within 100 MB of address space more than Python itself takes."""
        path = self.folder / "run.json"
        filler = json.dumps(
            {"ph": "X", "name": "aten::add", "ts": 1.25, "dur": 2.5, "args": {"Input": "x" * 900}}
        )
        with open(path, "w", encoding="utf-8") as out:
            out.write('{"traceEvents": [' + json.dumps(memory_event(1, A, 512, 512, 0)))
            for _ in range(300):
                out.write((",\n" + filler) * 1000)
            out.write("]}")
        limit = 160 * MIB
        command = [
            sys.executable,
            str(TOOLS / "trace_from_pytorch_profiler.py"),
            str(path),
            "--capacity",
            "24GB",
            "--output",
            "-",
        ]
        result = subprocess.run(
            command,
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(result.stdout.decode().splitlines()[3:], ["a 1 0 512"])


if __name__ == "__main__":
    unittest.main()
