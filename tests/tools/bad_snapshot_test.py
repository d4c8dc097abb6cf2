# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Snapshots that are damaged, of another structure, or contradict themselves."""

import gzip
import lzma
import pickle
import unittest

from converter_testing import FIXTURES, MIB, ConverterTest, event, freed, segment

A, B = 0x1000, 0x2000
GOOD = [event("alloc", A, 1)]


class Files(ConverterTest):
    def refuse(self, content, *texts, name="run.pickle"):
        self.assert_refused(self.run_snapshot(self.write(name, content)), 3, name, *texts)

    def test_cut_off_anywhere(self):
        content = pickle.dumps({"segments": [], "device_traces": [GOOD], "allocator_settings": {}})
        for length in range(len(content)):
            with self.subTest(length=length):
                self.refuse(content[:length])

    def test_packed_and_cut_off(self):
        recorded = lzma.decompress((FIXTURES / "pressure.pickle.xz").read_bytes())
        for name, packed in (
            ("run.pickle.gz", gzip.compress(recorded)),
            ("run.pickle.xz", lzma.compress(recorded)),
        ):
            for length in (7, 20, len(packed) // 2, len(packed) - 1):
                with self.subTest(name=name, length=length):
                    self.refuse(packed[:length], "ends early or is damaged", name=name)
        spoilt = bytearray(gzip.compress(recorded))
        spoilt[len(spoilt) // 2] ^= 0xFF
        self.refuse(bytes(spoilt), name="run.pickle.gz")

    def test_not_a_pickle(self):
        for content in (
            b"hello\n",
            b"{}",
            b"PK\x03\x04" + b"\0" * 100,
            b"\0" * 1000,
            b"\x80\x09.",
            b'{"traceEvents": []}',
        ):
            with self.subTest(content=content[:5]):
                self.refuse(content, "not a pickle that can be read", "_dump_snapshot")

    def test_something_after_the_end(self):
        self.refuse(pickle.dumps({"segments": [], "device_traces": [GOOD]}) + b"\n", "bytes after the end")

    def test_files_that_cannot_be_read(self):
        self.assert_refused(
            self.run_snapshot(self.folder / "none.pickle"), 3, "none.pickle: cannot be read: No such file"
        )
        (self.folder / "folder").mkdir()
        self.assert_refused(self.run_snapshot(self.folder / "folder"), 3, "cannot be read: Is a directory")

    def test_gzip_and_xz_are_read(self):
        content = pickle.dumps({"segments": [], "device_traces": [GOOD]})
        for name, packed in (("a.pickle.gz", gzip.compress(content)), ("b.pickle", lzma.compress(content))):
            self.assertEqual(self.events_of(self.write(name, packed)), ["a 1 0 1"])


class Structure(ConverterTest):
    def refuse(self, document, *texts):
        self.assert_refused(
            self.run_snapshot(self.write("run.pickle", pickle.dumps(document))), 3, "run.pickle: ", *texts
        )

    def refuse_event(self, entry, *texts):
        self.refuse({"segments": [], "device_traces": [GOOD + [entry]]}, "device_traces[0][1]", *texts)

    def refuse_segment(self, *segments, texts):
        self.refuse({"segments": list(segments), "device_traces": [GOOD]}, *texts)

    def test_other_documents(self):
        self.refuse(None, "the snapshot: found nothing")
        self.refuse(7, "the snapshot: found 7")
        self.refuse({}, "segments: found nothing; expected a list")
        self.refuse({"segments": []}, "device_traces: found nothing")
        self.refuse({"segments": {}, "device_traces": []}, "segments: found a dict of length 0")
        self.refuse({"segments": [], "device_traces": "x"}, "device_traces: found 'x'")
        self.refuse({"segments": [], "device_traces": [7]}, "device_traces[0]: found 7")
        self.refuse([{"address": 1}], "a list of segments, without a history")
        self.refuse({"segments": [], "device_traces": [[]] * 5000}, "found 5000 devices")
        self.refuse(
            {"segments": [], "device_traces": [GOOD], "allocator_settings": 3}, "allocator_settings: found 3"
        )

    def test_no_history(self):
        for traces in ([], [[]], [[], []]):
            self.refuse({"segments": [], "device_traces": traces}, "no history", "_record_memory_history()")

    def test_events(self):
        self.refuse_event(7, "found 7; expected a dict")
        self.refuse_event({"addr": 1}, ".action: found nothing")
        self.refuse_event(
            event("conjure", B), ".action: unknown action 'conjure'", "may be older than the PyTorch"
        )
        self.refuse_event(event(["alloc"], B), ".action: found a list")
        self.refuse_event(event("alloc"), ".addr: found nothing; expected a number")
        self.refuse_event(event("alloc", B, -1), ".size: found -1; expected 0 to 9223372036854775807")
        self.refuse_event(event("alloc", B, 2**63), ".size: found 9223372036854775808")
        self.refuse_event(event("alloc", B, 2**5000), ".size: found an integer of 5001 bits")
        self.refuse_event(event("alloc", B, 5.0), ".size: found 5.0")
        self.refuse_event(event("alloc", B, True), ".size: found True")
        self.refuse_event(event("alloc", B, "5" * 1000), ".size: found '5555", "...")
        self.refuse_event(event("alloc", -1), ".addr: found -1")
        self.refuse_event(event("alloc", 2**64), ".addr: found 18446744073709551616")
        self.refuse_event(event("alloc", B, stream="0"), ".stream: found '0'")
        self.refuse_event(event("alloc", B, pool_id=(0,)), ".pool_id: found a tuple of length 1")
        self.refuse_event(event("oom", size=5, device_free=-3), ".device_free: found -3")

    def test_segments(self):
        self.refuse_segment(7, texts=["segments[0]: found 7"])
        self.refuse_segment(
            {**segment(0, 2 * MIB), "total_size": -1}, texts=["segments[0].total_size: found -1"]
        )
        self.refuse_segment(
            {**segment(0, 2 * MIB), "total_size": MIB}, texts=["segments[0]: its blocks hold 2097152 B"]
        )
        self.refuse_segment(
            {**segment(0, 2 * MIB), "blocks": None}, texts=["segments[0].blocks: found nothing"]
        )
        self.refuse_segment({**segment(0, 2 * MIB), "device": -1}, texts=["segments[0].device: found -1"])
        self.refuse_segment(
            {**segment(0, 2 * MIB), "device": 10**9}, texts=["segments[0].device: found 1000000000"]
        )
        self.refuse_segment({**segment(0, 2 * MIB), "stream": None}, texts=["segments[0].stream: found None"])
        self.refuse_segment(
            {**segment(0, 2 * MIB), "segment_type": "big"}, texts=["segments[0].segment_type: found 'big'"]
        )
        self.refuse_segment(
            {**segment(0, 2 * MIB), "segment_pool_id": 1}, texts=["segments[0].segment_pool_id: found 1"]
        )
        self.refuse_segment(
            segment(0, 2 * MIB, (512, "odd")), texts=["segments[0].blocks[0].state: found 'odd'"]
        )
        moved = segment(0, 2 * MIB)
        moved["blocks"][0]["address"] = 512
        self.refuse_segment(moved, texts=["segments[0].blocks[0].address: found 512", "so 0 was expected"])
        self.refuse_segment(
            segment(0, 2 * MIB), segment(MIB, 2 * MIB), texts=["runs into the one at 1048576"]
        )

    def test_settings(self):
        for settings, text in (
            ({"PYTORCH_CUDA_ALLOC_CONF": 5}, "found 5"),
            (
                {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb"},
                "found 'max_split_size_mb'; expected NAME:VALUE",
            ),
            ({"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:\u20ac"}, "expected NAME:VALUE"),
            (
                {"PYTORCH_CUDA_ALLOC_CONF": "per_process_memory_fraction:7"},
                "per_process_memory_fraction is '7'",
            ),
            (
                {"PYTORCH_CUDA_ALLOC_CONF": "garbage_collection_threshold:x"},
                "garbage_collection_threshold is 'x'",
            ),
        ):
            self.refuse({"segments": [], "device_traces": [GOOD], "allocator_settings": settings}, text)


class Contradictions(ConverterTest):
    def refuse(self, events, *texts, segments=()):
        self.assert_refused(self.run_snapshot(self.snapshot(events, segments)), 3, *texts)

    def test_gaps_inside_a_history(self):
        again = "device_traces[0][{}]: the block at 0x1000 is handed out again without a free"
        twice = "device_traces[0][{}]: the block at 0x1000 is freed twice"
        self.refuse([event("alloc", A, 1), event("alloc", A, 2)], again.format(1), "without stopping")
        self.refuse(
            [event("alloc", A, 1), event("free_requested", A, 1), event("alloc", B, 1)]
            + freed(B, 1)
            + [event("alloc", A, 2)],
            again.format(5),
        )
        self.refuse([event("alloc", A, 1)] + freed(A) + freed(A), twice.format(3))
        self.refuse(
            [event("alloc", A, 1), event("free_requested", A), event("alloc", B), event("free_requested", A)]
            + freed(B),
            twice.format(3),
        )
        self.refuse([event("alloc", A, 1)] + freed(A) + [event("free_completed", A)], twice.format(3))

    def test_more_taken_than_held(self):
        self.refuse(
            [event("segment_alloc", A, 2 * MIB), event("alloc", A, 1)], "takes 2097152 B more from the driver"
        )

    def test_more_held_than_the_card_has(self):
        path = self.snapshot(
            [event("segment_alloc", 0, 20 * MIB), event("segment_free", 0, 20 * MIB), event("alloc", A, 1)],
            [segment(2**30, 2 * MIB)],
        )
        self.assert_refused(
            self.run_snapshot(path, capacity="22 MB"),
            3,
            "held 22.00 MiB (23068672 B)",
            "--capacity 22000000 B",
        )
        self.assertEqual(self.run_snapshot(path, "--output", "-", capacity="22 MiB").returncode, 0)

    def test_a_difference_to_the_segments_is_said(self):
        stderr = self.run_snapshot(
            self.snapshot([event("alloc", A, 1)], [segment(0, 2 * MIB)]), "--output", "-"
        ).stderr
        self.assertIn(b"1 block differ", stderr)


if __name__ == "__main__":
    unittest.main()
