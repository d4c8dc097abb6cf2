# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What each action of a snapshot becomes in the trace."""

import unittest

from converter_testing import MIB, ConverterTest, event, freed, segment

A, B, C = 0x1000, 0x2000, 0x3000


class Actions(ConverterTest):
    def test_the_head_names_format_source_and_capacity(self):
        path = self.snapshot(
            [event("alloc", A, 100)], [segment(0, 2 * MIB, (A, "inactive"), (512, "active_allocated"))]
        )
        self.assertEqual(
            self.trace_of(path, capacity="22.5 GiB"),
            [
                "headroom-trace 1",
                "# from a PyTorch memory snapshot, device 0, 1 recorded event",
                "capacity 24159191040",
                "a 1 0 100",
            ],
        )

    def test_allocations_keep_their_requested_sizes_and_ids_rise(self):
        path = self.snapshot(
            [event("segment_alloc", 0, 2 * MIB), event("alloc", A, 100), event("alloc", B, 7)]
            + freed(A, 100)
            + [event("alloc", A, 3)]
            + freed(B, 7),
            [segment(0, 2 * MIB)],
        )
        self.assertEqual(self.events_of(path), ["a 1 0 100", "a 2 0 7", "f 1", "a 3 0 3", "f 2"])

    def test_streams_are_numbered_as_they_appear_and_the_default_one_is_0(self):
        path = self.snapshot(
            [event("alloc", A, 1, 0x77), event("alloc", B, 2, 0), event("alloc", C, 3, 0x66)]
        )
        self.assertEqual(self.events_of(path), ["a 1 1 1", "a 2 0 2", "a 3 2 3"])
        self.assertIn("# stream 1: PyTorch's 0x77", self.trace_of(path))

    def test_a_private_pool_is_a_stream_of_its_own(self):
        path = self.snapshot([event("alloc", A, 1), event("alloc", B, 2, pool_id=(0, 1))])
        self.assertEqual(self.events_of(path), ["a 1 0 1", "a 2 1 2"])
        self.assertIn(b"1 private memory pool", self.run_snapshot(path, "--output", "-").stderr)

    def test_a_free_that_waits_passes_where_it_completed(self):
        path = self.snapshot(
            [
                event("alloc", A, 1),
                event("alloc", B, 2),
                event("free_requested", A, 1),
                event("free_requested", B, 2),
                event("alloc", C, 3),
                event("free_completed", B, 2),
                event("alloc", B, 4),
                event("free_completed", A, 1),
                event("alloc", A, 5),
            ]
        )
        self.assertEqual(
            self.events_of(path),
            [
                "a 1 0 1",
                "a 2 0 2",
                "u 1 1",
                "f 1",
                "u 2 2",
                "f 2",
                "a 3 0 3",
                "s 2",
                "a 4 0 4",
                "s 1",
                "a 5 0 5",
            ],
        )

    def test_made_up_streams_are_used_again_and_stay_apart_from_real_ones(self):
        events = [event("alloc", C, 9, 0x77)]
        for _ in range(3):
            events += (
                [
                    event("alloc", A, 1),
                    event("free_requested", A, 1),
                    event("alloc", B, 2),
                    event("free_completed", A, 1),
                    event("alloc", A, 1),
                ]
                + freed(A, 1)
                + freed(B, 2)
            )
        uses = [line for line in self.events_of(self.snapshot(events)) if line[0] in "us"]
        self.assertEqual(uses, ["u 2 2", "s 2", "u 5 2", "s 2", "u 8 2", "s 2"])

    def test_a_failed_allocation_is_freed_right_after(self):
        path = self.snapshot(
            [event("alloc", A, 1), event("oom", size=10**12, device_free=5 * 10**9), event("alloc", B, 2)]
        )
        self.assertEqual(self.events_of(path), ["a 1 0 1", "a 2 0 1000000000000", "f 2", "a 3 0 2"])
        self.assertIn(b'--capacity "5000000000 B"', self.run_snapshot(path, "--output", "-").stderr)

    def test_snapshots_and_annotations_in_the_history_change_nothing(self):
        path = self.snapshot(
            [
                event("alloc", A, 1),
                event("free_requested", A, 1),
                event("snapshot", 0, 0),
                event("annotate", A, 0),
                event("free_completed", A, 1),
            ]
        )
        self.assertEqual(self.events_of(path), ["a 1 0 1", "f 1"])

    def test_a_recording_without_completions_frees_at_the_request(self):
        path = self.snapshot([event("alloc", A, 1), event("free_requested", A, 1), event("alloc", A, 2)])
        self.assertEqual(self.events_of(path), ["a 1 0 1", "f 1", "a 2 0 2"])

    def test_a_recording_without_requests_frees_at_the_completion(self):
        path = self.snapshot([event("alloc", A, 1), event("free_completed", A, 1), event("alloc", A, 2)])
        self.assertEqual(self.events_of(path), ["a 1 0 1", "f 1", "a 2 0 2"])


class Settings(ConverterTest):
    def settings_of(self, settings):
        lines = self.trace_of(self.snapshot([event("alloc", A, 1)], settings=settings))
        return [line[len("setting ") :] for line in lines if line.startswith("setting ")]

    def test_the_text_of_the_configuration_is_taken_over(self):
        text = (
            "expandable_segments:True, max_split_size_mb:64,roundup_power2_divisions:[256:1, 512:2,>:8],"
            "garbage_collection_threshold:0.6,per_process_memory_fraction:0.9,max_non_split_rounding_mb:24"
        )
        self.assertEqual(
            self.settings_of({"PYTORCH_CUDA_ALLOC_CONF": text}),
            [
                "max_split_size_mb 64",
                "max_non_split_rounding_mb 24",
                "roundup_power2_divisions [256:1,512:2,>:8]",
                "garbage_collection_threshold 0.6",
                "per_process_memory_fraction 0.9",
                "expandable_segments True",
            ],
        )

    def test_values_without_a_text_are_taken_over(self):
        divisions = {str(2**power): 4 for power in range(16)}
        found = {
            "PYTORCH_CUDA_ALLOC_CONF": "",
            "max_split_size": 32 * MIB,
            "garbage_collection_threshold": 0.75,
            "expandable_segments": True,
            "roundup_power2_divisions": divisions,
        }
        self.assertEqual(
            self.settings_of(found),
            [
                "max_split_size_mb 32",
                "roundup_power2_divisions 4",
                "garbage_collection_threshold 0.75",
                "expandable_segments True",
            ],
        )
        divisions["1"] = 8
        self.assertIn("roundup_power2_divisions [1:8,2:4,", self.settings_of(found)[1])

    def test_defaults_write_nothing(self):
        found = {
            "PYTORCH_CUDA_ALLOC_CONF": "",
            "max_split_size": -1,
            "garbage_collection_threshold": 0.0,
            "expandable_segments": False,
            "roundup_power2_divisions": {"1": 0, "2": 0},
        }
        self.assertEqual(self.settings_of(found), [])

    def test_settings_without_a_place_are_named(self):
        path = self.snapshot(
            [event("alloc", A, 1)], settings={"PYTORCH_CUDA_ALLOC_CONF": "pinned_num_register_threads:8"}
        )
        self.assertIn(
            b"left out, a trace has no place for them: pinned_num_register_threads",
            self.run_snapshot(path, "--output", "-").stderr,
        )


class Devices(ConverterTest):
    def several(self):
        return self.snapshot(
            [[event("alloc", A, 1)], [], [event("alloc", A, 2), event("alloc", B, 3)]],
            [segment(2**40, 2 * MIB, (512, "active_allocated", 9), device=2)],
        )

    def test_each_device_gets_its_file(self):
        result = self.run_snapshot(self.several())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            sorted(path.name for path in self.folder.glob("*.trace")),
            ["run.device0.trace", "run.device2.trace"],
        )
        self.assertIn("a 1 0 9\n", (self.folder / "run.device2.trace").read_text())

    def test_one_device_can_be_chosen(self):
        self.assertEqual(self.events_of(self.several(), "--device", "0"), ["a 1 0 1"])

    def test_a_device_that_is_not_there_is_refused(self):
        self.assert_refused(self.run_snapshot(self.several(), "--device", "1"), 3, "device 1", "has 0, 2")

    def test_standard_output_takes_one(self):
        self.assert_refused(self.run_snapshot(self.several(), "--output", "-"), 3, "--device: 0, 2")


if __name__ == "__main__":
    unittest.main()
