# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Pickles that try to import, call or exhaust something: refused in one line, and nothing of them runs."""

import builtins
import gzip
import os
import pickle
import struct
import sys
import unittest

from converter_testing import ConverterTest, event

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Calls:
    """Pickles as a call of `function`."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


class Outside:
    """Pickles as a reference to something outside the pickle."""


class OutsidePickler(pickle._Pickler):
    def persistent_id(self, obj):
        return "outside" if isinstance(obj, Outside) else None


def snapshot_with(thing):
    return {"segments": [], "device_traces": [[event("alloc", 1, 1), thing]], "allocator_settings": {}}


class Hostile(ConverterTest):
    def setUp(self):
        super().setUp()
        self.mark = self.folder / "it-ran"

    def refuse(self, content, *texts, apart=False):
        path = self.folder / "run.pickle"
        path.write_bytes(content)
        self.assert_refused(self.run_snapshot(path, apart=apart), 3, "run.pickle", *texts)
        self.assertFalse(self.mark.exists(), "something of the pickle ran")

    def test_the_mark_would_be_seen(self):
        pickle.loads(pickle.dumps(Calls(os.system, f"touch {self.mark}")))
        self.assertTrue(self.mark.exists())

    def test_calls_in_every_protocol(self):
        for protocol in PROTOCOLS:
            for function, arguments in (
                (os.system, (f"touch {self.mark}",)),
                (builtins.open, (str(self.mark), "w")),
                (builtins.eval, (f"open({str(self.mark)!r}, 'w')",)),
            ):
                for thing in (
                    Calls(function, *arguments),
                    snapshot_with(Calls(function, *arguments)),
                    [[{"deep": ({"deeper": Calls(function, *arguments)},)}]],
                ):
                    with self.subTest(protocol=protocol, function=function.__name__):
                        self.refuse(
                            pickle.dumps(thing, protocol),
                            "refused: the pickle asks for",
                            "Nothing of it was run",
                        )

    def test_the_name_asked_for_is_shown(self):
        self.refuse(pickle.dumps(Calls(os.system, f"touch {self.mark}")), "'posix.system'", apart=True)

    def test_a_name_made_to_spoil_the_message_is_escaped(self):
        name = "os\u2028\x1b[2Jsystem"
        content = (
            b"\x80\x04"
            + b"".join(b"\x8c" + bytes([len(part)]) + part for part in (b"os", name.encode()))
            + b"\x93."
        )
        self.refuse(content, "\\u2028\\x1b[2J")

    def test_old_opcodes_for_objects(self):
        command = f"touch {self.mark}".encode()
        for content in (
            b"(S'" + command + b"'\nios\nsystem\n.",  # INST
            b"(cos\nsystem\nS'" + command + b"'\no.",  # OBJ
            b"cos\nsystem\n(S'" + command + b"'\ntR.",
        ):  # GLOBAL, REDUCE
            with self.subTest(content=content[:4]):
                self.refuse(content, "refused: the pickle asks for 'os.system'")

    def test_the_extension_registry(self):
        for content in (b"\x80\x02\x82\x01.", b"\x80\x02\x83\x01\x00.", b"\x80\x02\x84\x01\x00\x00\x00."):
            with self.subTest(content=content):
                self.refuse(content, "not a pickle that can be read")

    def test_persistent_ids(self):
        for protocol in PROTOCOLS:
            with open(self.folder / "out", "wb") as out:
                OutsidePickler(out, protocol).dump(snapshot_with(Outside()))
            with self.subTest(protocol=protocol):
                self.refuse(
                    (self.folder / "out").read_bytes(),
                    "refused: the pickle refers to an object outside itself",
                )

    def test_buffers_outside(self):
        self.refuse(b"\x80\x05\x97.", "not a pickle that can be read")

    def test_building_state_into_plain_containers(self):
        for content in (
            b"\x80\x04}}\x8c\x01aK\x01sb.",  # into __dict__
            b"\x80\x04}}\x8c\x09__class__K\x01sb.",
            b"\x80\x04]N}\x8c\x01aK\x01s\x86b.",
        ):  # into slots
            with self.subTest(content=content):
                self.refuse(content, "not a pickle that can be read (AttributeError")

    def test_calling_a_string(self):
        self.refuse(b"\x80\x04\x8c\x06systemX\x04\x00\x00\x00true\x85R.", "not a pickle that can be read")

    def test_classes_without_a_call(self):
        self.refuse(pickle.dumps(snapshot_with(dict)), "refused: the pickle asks for")
        self.refuse(pickle.dumps(snapshot_with(Hostile)), "refused: the pickle asks for")
        self.refuse(pickle.dumps(snapshot_with(1j)), "refused: the pickle asks for")


class Exhausting(ConverterTest):
    def refuse(self, content, *texts):
        path = self.folder / "run.pickle"
        path.write_bytes(content)
        self.assert_refused(self.run_snapshot(path, apart=True), 3, *texts)

    @unittest.skipUnless(sys.platform == "linux", "needs a limit on memory")
    def test_a_memo_of_sixteen_gigabytes(self):
        self.refuse(b"\x80\x04Nr\xff\xff\xff\x7f.", "needs more memory")

    def test_lengths_beyond_the_file(self):
        for code in (b"\x8e", b"\x8d", b"\x96"):  # bytes, text and bytearray with a length of 8 bytes
            for length in (2**20, 2**40, 2**62, 2**64 - 1):
                with self.subTest(code=code, length=length):
                    self.refuse(b"\x80\x05" + code + struct.pack("<Q", length) + b"x.", "run.pickle: n")

    def test_a_number_of_a_million_digits(self):
        number = 10**1_000_000
        self.refuse(
            pickle.dumps({"segments": [], "device_traces": [[event("alloc", 1, number)]]}),
            "an integer of 3321929 bits",
        )
        self.refuse(b"I" + b"9" * 1_000_000 + b"\n.", "run.pickle: not a pickle that can be read")

    def test_a_key_nested_a_million_deep(self):
        self.refuse(b"\x80\x04})" + b"\x85" * 1_000_000 + b"Ns.", "the file is damaged, hostile")

    def test_a_list_that_holds_itself(self):
        self.refuse(b"\x80\x04]\x94h\x00a.", "the snapshot: found a list")

    @unittest.skipUnless(sys.platform == "linux", "needs a limit on memory")
    def test_a_small_file_that_unpacks_to_much(self):
        content = b"\x80\x04" + b"]" * 40_000_000 + b"."
        path = self.write("run.pickle.gz", gzip.compress(content, 6))
        self.assert_refused(self.run_snapshot(path, apart=True), 3, "run.pickle.gz: needs more memory")


if __name__ == "__main__":
    unittest.main()
