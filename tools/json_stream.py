# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Walks through a large JSON text item by item, holding one item at a time."""

import codecs
import json
from decimal import Decimal

from headroom_trace import Problem

CHUNK = 2**20
LONGEST_VALUE = 64 * 2**20  # characters of one event, or of one entry beside the events
SPACE = " \t\r\n"


class JsonStream:
    """Reads a top-level object whose member `key` is a long list, or the list itself.

    Fractions come as Decimal, so that time stamps keep every digit.
    """

    def __init__(self, stream, key):
        self._stream = stream
        self._text = codecs.getincrementaldecoder("utf-8")(
            "replace"
        )  # a strange kernel name spoils no figure
        self._decoder = json.JSONDecoder(parse_float=Decimal)
        self._key = key
        self._buffer, self._at, self._line = "", 0, 1
        self._ended = False
        self.members = {}  # the other members of the object, complete when the list has been walked through

    def items(self):
        """The elements of the list, in order. @raises Problem with the line where the text is not such JSON"""
        if self._peek() == "[":
            yield from self._elements()
        else:
            yield from self._object()
        if self._peek() != "":
            self._fail("text after the end of the document")

    def _object(self):
        self._take("{", "a Chrome trace starts with { or [")
        found = False
        while self._peek() != "}":
            name = self._value()
            if not isinstance(name, str):
                self._fail("a key that is not a string")
            self._take(":", f'expected ":" after "{name[:40]}"')
            if name == self._key:
                if found:
                    self._fail(f'"{name}" appears twice')
                if self._peek() != "[":
                    self._fail(f'"{name}" is not a list')
                found = True
                yield from self._elements()
            else:
                self.members[name] = self._value()
            if self._peek() != "}":
                self._take(",", 'expected "," or "}"')
        self._at += 1
        if not found:
            raise Problem(
                f'there is no "{self._key}"; give what export_chrome_trace of the PyTorch profiler wrote'
            )

    def _elements(self):
        self._at += 1
        while self._peek() != "]":
            yield self._value()
            if self._peek() != "]":
                self._take(",", 'expected "," or "]"')
        self._at += 1

    def _value(self):
        """One whole value. One at the end of what was read so far may go on: it needs a character after it."""
        self._peek()
        wanted = CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
                if end < len(self._buffer) or self._ended:
                    self._line += self._buffer.count("\n", self._at, end)
                    self._at = end
                    return value
                problem = None
            except (ValueError, RecursionError) as error:
                problem = error.with_traceback(None)  # it would keep this frame, and the frame the text
            if self._ended:
                self._explain(problem)
            held = len(self._buffer) - self._at
            if held > LONGEST_VALUE:
                self._fail(f"no whole value within {LONGEST_VALUE} characters")
            self._more(min(wanted, LONGEST_VALUE + 1 - held))
            wanted *= 2

    def _explain(self, problem):
        if isinstance(problem, json.JSONDecodeError):
            self._line += self._buffer.count("\n", self._at, problem.pos)
            if problem.pos >= len(self._buffer.rstrip()) or problem.msg.startswith("Unterminated"):
                self._fail("the text ends early; export the trace again")
            self._fail(problem.msg)
        self._fail(
            "nested too deeply" if isinstance(problem, RecursionError) else "a number with too many digits"
        )

    def _peek(self):
        """The next character that is not space, or "" at the end."""
        while True:
            while self._at < len(self._buffer):
                character = self._buffer[self._at]
                if character not in SPACE:
                    return character
                self._line += character == "\n"
                self._at += 1
            if self._ended:
                return ""
            self._more(CHUNK)

    def _take(self, character, otherwise):
        found = self._peek()
        if found != character:
            self._fail("the text ends early; export the trace again" if found == "" else otherwise)
        self._at += 1

    def _more(self, count):
        read = self._stream.read(count)
        self._ended = len(read) < count
        self._buffer = self._buffer[self._at :] + self._text.decode(read, self._ended)
        self._at = 0

    def _fail(self, what):
        raise Problem(f"line {self._line}: {what}")
