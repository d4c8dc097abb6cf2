# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Arguments and outputs of the snapshot converter."""

import unittest

from converter_testing import ConverterTest, event

import headroom_trace  # noqa: I001  (of the tools, found through the line above)

GOOD = [event("alloc", 0x1000, 1)]


class Arguments(ConverterTest):
    def test_capacity_is_needed(self):
        self.assert_refused(
            self.run_snapshot(self.snapshot(GOOD), capacity=None), 3, "--capacity 24GB", "total_memory"
        )

    def test_capacities_that_are_not_exact_sizes(self):
        path = self.snapshot(GOOD)
        for text, found in (
            ("24", "has no unit"),
            ("24G", "unknown unit 'G'"),
            ("24gb", "unknown unit 'gb'"),
            ("24KB", "unknown unit 'KB'"),
            ("-1 GB", "not a number"),
            ("nan GB", "not a number"),
            ("1e3 GB", "not a number"),
            ("24  GB", "not a number"),
            ("9223372036854775808 B", "above 9223372036854775807 B"),
            ("0 B", "holds nothing"),
            ("0.4 B", "less than half a byte"),
            ("\u0664 GB", "not a number"),
            (".5 GB", "not a number"),
            ("", "not a number"),
        ):
            with self.subTest(text=text):
                self.assert_refused(self.run_snapshot(path, capacity=text), 3, found)

    def test_sizes_are_exact(self):
        path = self.snapshot(GOOD)
        for text, size in (
            ("24GB", 24 * 10**9),
            ("22.5 GiB", 24159191040),
            ("0.5B", 1),
            ("1.4999 B", 1),
            ("8.589934592GB", 2**33),
            ("9223372036854775807 B", 2**63 - 1),
            ("3 kB", 3000),
            ("2TiB", 2**41),
        ):
            with self.subTest(text=text):
                self.assertIn(f"capacity {size}", self.trace_of(path, capacity=text))

    def test_wrong_arguments(self):
        self.assert_refused(
            self.run_tool("trace_from_pytorch_snapshot.py", apart=True), 3, "SNAPSHOT.pickle", "--help"
        )
        path = self.snapshot(GOOD)
        self.assert_refused(self.run_snapshot(path, "--device", "x"), 3, "--device")
        self.assert_refused(self.run_snapshot(path, "--frobnicate"), 3, "--frobnicate")

    def test_help(self):
        result = self.run_tool("trace_from_pytorch_snapshot.py", "--help", apart=True)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"exit codes: 0 done; 3", result.stdout)


class Outputs(ConverterTest):
    def test_the_default_name_and_a_chosen_one(self):
        path = self.snapshot(GOOD)
        self.assertEqual(self.run_snapshot(path, apart=True).returncode, 0)
        self.assertEqual(self.run_snapshot(path, "--output", "other").returncode, 0)
        self.assertEqual((self.folder / "run.trace").read_bytes(), (self.folder / "other").read_bytes())
        self.assertEqual((self.folder / "other").stat().st_mode & 0o111, 0)

    def test_nothing_is_overwritten(self):
        path = self.snapshot([GOOD, GOOD])
        taken = self.write("run.device1.trace", b"mine")
        result = self.run_snapshot(path)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(b"run.device1.trace: exists and is not overwritten", result.stderr)
        self.assertEqual(taken.read_bytes(), b"mine")
        self.assertFalse((self.folder / "run.device0.trace").exists())

    def test_a_name_taken_in_the_meantime_is_not_overwritten(self):
        taken = self.write("run.trace", b"mine")
        with self.assertRaises(headroom_trace.Problem) as caught:
            headroom_trace.write_new_file(str(taken), ["theirs"])
        self.assertEqual(caught.exception.exit_code, 4)
        self.assertEqual(taken.read_bytes(), b"mine")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.trace"])

    def test_a_link_to_nowhere_is_not_followed(self):
        (self.folder / "link").symlink_to("target")
        self.assertEqual(self.run_snapshot(self.snapshot(GOOD), "--output", "link").returncode, 4)
        self.assertFalse((self.folder / "target").exists())

    def test_a_folder_that_is_not_there(self):
        self.assert_refused(
            self.run_snapshot(self.snapshot(GOOD), "--output", "none/x.trace"), 4, "cannot be written"
        )


if __name__ == "__main__":
    unittest.main()
