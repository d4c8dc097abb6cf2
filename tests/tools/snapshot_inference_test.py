# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What a history lacks and the trace needs: who emptied the cache, and what was there before the first event."""

import unittest

from converter_testing import MIB, ConverterTest, event, freed, segment

A, B, C = 0x1000, 0x2000, 0x3000


class Cache(ConverterTest):
    """Segments given back: by a call of empty_cache, or inside an allocation that the driver refused."""

    NEXT = [segment(2**30, 30 * MIB, (30 * MIB, "active_allocated"), kind="large")]

    def large(self, address, size):
        return [event("segment_alloc", address, size), event("alloc", address, size)]

    def test_given_back_with_no_segment_taken_after_is_a_call(self):
        path = self.snapshot(
            self.large(0, 20 * MIB) + freed(0, 20 * MIB) + [event("segment_free", 0, 20 * MIB)]
        )
        self.assertEqual(self.events_of(path), ["a 1 0 20971520", "f 1", "e"])

    def test_given_back_before_a_segment_that_had_room_anyhow_is_a_call(self):
        path = self.snapshot(
            self.large(0, 20 * MIB)
            + freed(0, 20 * MIB)
            + [event("segment_free", 0, 20 * MIB)]
            + self.large(2**30, 30 * MIB),
            self.NEXT,
        )
        self.assertEqual(self.events_of(path), ["a 1 0 20971520", "f 1", "e", "a 2 0 31457280"])

    def test_given_back_before_a_segment_that_had_no_room_is_the_allocation_itself(self):
        path = self.snapshot(
            self.large(0, 20 * MIB)
            + freed(0, 20 * MIB)
            + [event("segment_free", 0, 20 * MIB)]
            + self.large(2**30, 30 * MIB),
            self.NEXT,
        )
        self.assertEqual(self.events_of(path, capacity="49 MiB"), ["a 1 0 20971520", "f 1", "a 2 0 31457280"])
        self.assertEqual(
            self.events_of(path, capacity="50 MiB"), ["a 1 0 20971520", "f 1", "e", "a 2 0 31457280"]
        )

    def test_a_cached_segment_that_would_have_served_was_given_back_by_a_call(self):
        path = self.snapshot(
            self.large(0, 40 * MIB)
            + freed(0, 40 * MIB)
            + [event("segment_free", 0, 40 * MIB)]
            + self.large(2**30, 30 * MIB),
            self.NEXT,
        )
        self.assertEqual(self.events_of(path, capacity="50 MiB")[2:], ["e", "a 2 0 31457280"])

    def test_what_waited_inside_a_refused_allocation_passes_after_it(self):
        path = self.snapshot(
            self.large(0, 20 * MIB)
            + [
                event("free_requested", 0, 20 * MIB),
                event("alloc", 2**29, 1),
                event("free_completed", 0, 20 * MIB),
                event("segment_free", 0, 20 * MIB),
            ]
            + self.large(2**30, 30 * MIB),
            self.NEXT,
        )
        self.assertEqual(
            self.events_of(path, capacity="49 MiB"),
            ["a 1 0 20971520", "u 1 1", "f 1", "a 2 0 1", "a 3 0 31457280", "s 1"],
        )

    def test_what_waited_when_the_cache_was_emptied_needs_no_s(self):
        path = self.snapshot(
            self.large(0, 20 * MIB)
            + [
                event("free_requested", 0, 20 * MIB),
                event("alloc", 2**29, 1),
                event("free_completed", 0, 20 * MIB),
                event("segment_free", 0, 20 * MIB),
            ]
        )
        self.assertEqual(self.events_of(path), ["a 1 0 20971520", "u 1 1", "f 1", "a 2 0 1", "e"])

    def test_mapped_and_unmapped_pages_are_read_like_segments(self):
        settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "expandable_segments": True}
        path = self.snapshot(
            [event("segment_map", 0, 20 * MIB), event("alloc", 0, 20 * MIB)]
            + freed(0, 20 * MIB)
            + [
                event("segment_unmap", 0, 20 * MIB),
                event("segment_map", 2**30, 40 * MIB),
                event("alloc", 2**30, 30 * MIB),
            ],
            [segment(2**30, 40 * MIB, (30 * MIB, "active_allocated"), kind="large", expandable=True)],
            settings,
        )
        self.assertEqual(self.events_of(path, capacity="49 MiB")[2:], ["a 2 0 31457280"])
        self.assertEqual(self.events_of(path, capacity="60 MiB")[2:], ["e", "a 2 0 31457280"])
        self.assertIn("setting expandable_segments True", self.trace_of(path))

    def test_collection_gives_back_by_itself(self):
        settings = {
            "PYTORCH_CUDA_ALLOC_CONF": "garbage_collection_threshold:0.3,per_process_memory_fraction:0.8"
        }
        events = (
            self.large(0, 20 * MIB)
            + freed(0, 20 * MIB)
            + [event("segment_free", 0, 20 * MIB)]
            + self.large(2**30, 30 * MIB)
        )
        path = self.snapshot(events, self.NEXT, settings)
        self.assertNotIn("e", self.events_of(path, capacity="62 MiB"))  # 50 MiB are above 0.8 of it
        self.assertNotIn("e", self.events_of(path, capacity="83 MiB"))  # 20 MiB are above 0.3 of 0.8 of it
        self.assertIn("e", self.events_of(path, capacity="84 MiB"))

    def test_a_nearly_full_card_is_pointed_out(self):
        path = self.snapshot(
            self.large(0, 20 * MIB)
            + freed(0, 20 * MIB)
            + [event("segment_free", 0, 20 * MIB)]
            + self.large(2**30, 30 * MIB),
            self.NEXT,
        )
        advice = f'--capacity "{50 * MIB - 1} B"'.encode()
        self.assertIn(advice, self.run_snapshot(path, "--output", "-", capacity="51 MiB").stderr)
        self.assertNotIn(b"nearly full", self.run_snapshot(path, "--output", "-", capacity="60 MiB").stderr)


class Start(ConverterTest):
    """Blocks that were alive before the first event."""

    def test_they_come_first_in_address_order_under_a_comment(self):
        held = segment(
            0x10000, 2 * MIB, (1024, "active_allocated", 700), (512, "active_allocated"), (512, "inactive")
        )
        path = self.snapshot([event("alloc", 0x90000, 5)] + freed(0x10600, 300), [held])
        lines = self.trace_of(path)
        start = lines.index("# synthetic: 3 blocks alive before the first recorded event, by address")
        self.assertEqual(
            lines[start + 1 :],
            ["a 1 0 700", "a 2 0 512", "a 3 0 300", "r", "# recorded from here on", "a 4 0 5", "f 3"],
        )

    def test_what_is_lost_is_said(self):
        held = segment(0, 2 * MIB, *[(512, "active_allocated")] * 7)
        stderr = self.run_snapshot(
            self.snapshot([event("alloc", A + B, 5)], [held]), "--output", "-"
        ).stderr.decode()
        self.assertIn("7 blocks of 3.50 KiB (3584 B) and 2.00 MiB (2097152 B) of segments", stderr)
        self.assertIn("at least 8 events", stderr)
        self.assertIn("max_entries (1)", stderr)
        self.assertIn("unknown before: 512 B at 0x0, stream 0", stderr)
        self.assertIn("and 2 more", stderr)

    def test_a_history_from_the_start_loses_nothing(self):
        path = self.snapshot(
            [event("segment_alloc", 0, 2 * MIB), event("alloc", 0, 512)],
            [segment(0, 2 * MIB, (512, "active_allocated"))],
        )
        self.assertEqual(len(self.run_snapshot(path, "--output", "-").stderr.splitlines()), 1)

    def test_a_block_that_waited_before_waits_in_the_trace(self):
        path = self.snapshot(
            [event("alloc", A, 1), event("free_completed", B, 2), event("alloc", B, 3)] + freed(B, 3)
        )
        self.assertEqual(
            self.events_of(path), ["a 1 0 2", "u 1 1", "f 1", "r", "a 2 0 1", "s 1", "a 3 0 3", "f 3"]
        )

    def test_a_block_that_still_waits_at_the_end_waits_in_the_trace(self):
        held = segment(0, 2 * MIB, (512, "active_pending_free", 9))
        self.assertEqual(
            self.events_of(self.snapshot([event("alloc", A, 1)], [held])),
            ["a 1 0 9", "u 1 1", "f 1", "r", "a 2 0 1"],
        )

    def test_a_free_cut_in_half_by_the_start_is_a_free(self):
        path = self.snapshot([event("free_completed", A, 7), event("alloc", A, 1)] + freed(A, 1))
        self.assertEqual(self.events_of(path), ["a 1 0 7", "r", "f 1", "a 2 0 1", "f 2"])

    def test_completions_in_a_row_at_the_start_were_waits(self):
        path = self.snapshot(
            [event("free_completed", A, 7), event("free_completed", B, 8), event("alloc", A, 1)] + freed(A, 1)
        )
        self.assertEqual(
            self.events_of(path),
            ["a 1 0 7", "a 2 0 8", "u 1 1", "f 1", "u 2 2", "f 2", "r", "s 1", "s 2", "a 3 0 1", "f 3"],
        )

    def test_blocks_without_a_requested_size_count_with_their_size(self):
        held = segment(0, 2 * MIB, (1024, "active_allocated"))
        for block in held["blocks"]:
            del block["requested_size"], block["address"]
        self.assertEqual(self.events_of(self.snapshot([event("alloc", A, 1)], [held]))[0], "a 1 0 1024")

    def test_keep_layout_rebuilds_gaps_and_rests(self):
        held = segment(
            0,
            22 * MIB,
            (3 * MIB, "inactive"),
            (4 * MIB, "active_allocated", 4 * MIB - 512 * 1024),
            (12 * MIB, "active_allocated"),
            kind="large",
        )
        events = self.events_of(self.snapshot([event("alloc", 2**30, 1)], [held]), "--keep-layout")
        self.assertEqual(
            events,
            [
                f"a 1 0 {22 * MIB}",
                "f 1",
                f"a 2 0 {3 * MIB}",
                f"a 3 0 {4 * MIB}",
                f"a 4 0 {12 * MIB}",
                f"a 5 0 {3 * MIB}",
                "f 3",
                f"a 6 0 {4 * MIB - 512 * 1024}",
                "f 2",
                "f 5",
                "r",
                "a 7 0 1",
            ],
        )

    def test_keep_layout_knows_the_rest_of_a_block_from_a_gap(self):
        rest = 512 * 1024
        held = segment(
            0,
            20 * MIB,
            (4 * MIB, "active_allocated", 4 * MIB - rest),
            (6 * MIB, "inactive"),
            (10 * MIB, "active_allocated"),
            kind="large",
        )
        events = self.events_of(self.snapshot([event("alloc", 2**30, 1)], [held]), "--keep-layout")
        self.assertEqual(events[2:5], [f"a 2 0 {4 * MIB}", f"a 3 0 {6 * MIB}", f"a 4 0 {10 * MIB}"])
        self.assertEqual(events[5:8], ["f 2", f"a 5 0 {4 * MIB - rest}", "f 3"])

    def test_keep_layout_gives_a_rest_too_small_to_be_free_to_its_block(self):
        held = segment(0, 20 * MIB, (5 * MIB, "inactive"), (15 * MIB, "active_allocated"), kind="large")
        early = freed(0, 5 * MIB - 1000)
        events = self.events_of(self.snapshot([event("alloc", 2**30, 1)] + early, [held]), "--keep-layout")
        self.assertEqual(
            events,
            [
                f"a 1 0 {20 * MIB}",
                "f 1",
                f"a 2 0 {5 * MIB}",
                f"a 3 0 {15 * MIB}",
                "f 2",
                f"a 4 0 {5 * MIB - 1000}",
                "r",
                "a 5 0 1",
                "f 4",
            ],
        )

    def test_keep_layout_is_refused_where_other_rules_held(self):
        held = segment(0, 2 * MIB, (512, "active_allocated"))
        path = self.snapshot(
            [event("alloc", A, 1)], [held], {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:64"}
        )
        self.assert_refused(
            self.run_snapshot(path, "--keep-layout"), 3, "max_split_size_mb", "leave --keep-layout out"
        )


if __name__ == "__main__":
    unittest.main()
