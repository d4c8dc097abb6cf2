# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What the trace converters share: sizes, messages, trace lines and new files."""

import argparse
import contextlib
import errno
import os
import re
import sys
import tempfile

INVALID_INPUT = 3
OUTPUT_REFUSED = 4
EXIT_CODES = (
    "exit codes: 0 done; 3 the input or the arguments are not valid; 4 an output exists or cannot be written"
)

LARGEST = 2**63 - 1  # bytes are signed 64-bit numbers in headroom
UNITS = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}


class Problem(Exception):
    """Ends the program with one line on stderr and an exit code."""

    def __init__(self, message, exit_code=INVALID_INPUT):
        super().__init__(message)
        self.exit_code = exit_code


@contextlib.contextmanager
def about(path):
    """Puts the name of the input before the problems found with it."""
    try:
        yield
    except Problem as problem:
        if problem.exit_code == INVALID_INPUT:
            raise Problem(f"{shown_path(path)}: {problem}") from None
        raise


def shown(value):
    """A short one-line text for a value from a file that may be hostile."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (list, tuple, dict, set, frozenset, bytes, bytearray)):
        return f"a {type(value).__name__} of length {len(value)}"
    if isinstance(value, str):
        text = ascii(value[:60])
        return text + " ..." if len(value) > 60 else text
    return repr(value)


def parse_size(text):
    """Bytes of "24GB" or "22.5 GiB": NUMBER UNIT, exact, rounded to the nearest byte (a half goes up)."""
    advice = 'write a number and a unit, for example "24GB", "22.5 GiB" or "25438126080 B"'
    match = re.fullmatch(r"([0-9]+)(?:\.([0-9]+))? ?([A-Za-z]*)", text, re.ASCII)
    if not match:
        raise Problem(f"size {shown(text)} is not a number and a unit; {advice}")
    whole, fraction, unit = match[1], match[2] or "", match[3]
    if unit not in UNITS:
        found = f"unknown unit {shown(unit)}" if unit else "has no unit"
        raise Problem(f"size {shown(text)}: {found}; units are {', '.join(UNITS)}; {advice}")
    if len(whole) + len(fraction) > 60:
        raise Problem(f"size {shown(text)} has too many digits; {advice}")
    scale = 10 ** len(fraction)
    size = (2 * int(whole + fraction) * UNITS[unit] + scale) // (2 * scale)
    if size > LARGEST:
        raise Problem(f"size {shown(text)} is above {LARGEST} B; write a smaller size")
    if size == 0 and int(whole + fraction) != 0:
        raise Problem(f"size {shown(text)} is less than half a byte; {advice}")
    return size


def format_size(size):
    """Rounded and exact: "6.00 GiB (6442450944 B)"; below 1 KiB just "512 B"."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if size >= UNITS[unit]:
            hundredths = (200 * size + UNITS[unit]) // (2 * UNITS[unit])
            return f"{hundredths // 100}.{hundredths % 100:02} {unit} ({size} B)"
    return f"{size} B"


def counted(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class ArgumentParser(argparse.ArgumentParser):
    """Wrong arguments are invalid input."""

    def error(self, message):
        raise Problem(f"{self.prog}: {message}; see {self.prog} --help")


def capacity_argument(text):
    try:
        size = parse_size(text)
    except Problem as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    if size == 0:
        raise argparse.ArgumentTypeError("a capacity of 0 B holds nothing; write the card's memory")
    return size


def reason_of(error):
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def shown_path(path):
    """A path as a message may show it: on one line, whatever bytes it has."""
    return path if path.isprintable() else ascii(path)


def plan_outputs(path, output, devices):
    """Where the trace of each device goes: run.trace for one, run.deviceN.trace for several.

    None of them exists yet.
    """
    if output is None:
        folder, name = os.path.split(path)
        stem = re.sub(r"(\.(pickle|pkl|json|trace|pt))*(\.(gz|xz))?$", "", name)
        output = os.path.join(folder, (stem or name) + ".trace")
    if len(devices) > 1:
        if output == "-":
            raise Problem(
                "there are several devices, and standard output takes one trace; choose with --device: "
                f"{', '.join(map(str, devices))}"
            )
        stem, ending = os.path.splitext(output)
        outputs = [f"{stem}.device{device}{ending}" for device in devices]
    else:
        outputs = [output]
    for output in outputs:
        _refuse_existing(output)
    return outputs


def _refuse_existing(path):
    if path != "-" and os.path.lexists(path):
        raise Problem(
            f"{shown_path(path)}: exists and is not overwritten; remove it or name another --output",
            OUTPUT_REFUSED,
        )


class Block:
    """One allocation in a trace. Its number is given when its line is written."""

    __slots__ = ("address", "requested", "stream", "size", "waits_on", "number")

    def __init__(self, address, requested, stream, size=None):
        self.address = address
        self.requested = requested
        self.stream = stream
        self.size = size  # with what rounding and splitting left; None: not known
        self.waits_on = None  # number of the made-up stream that keeps it from being used again
        self.number = 0


def event_lines(operations, last=0):
    """The lines of (kind, block, value). Blocks are numbered from `last` on as they are allocated.

    @return the last number given
    """
    for kind, block, value in operations:
        if kind == "a":
            last += 1
            block.number = last
            yield f"a {last} {value} {block.requested}\n"
        elif kind == "f":
            yield f"f {block.number}\n"
        elif kind == "u":
            yield f"u {block.number} {value}\n"
        elif kind == "s":
            yield f"s {value}\n"
        else:
            yield f"{kind}\n"
    return last


def say(text):
    print(text, file=sys.stderr)


def write_new_file(path, lines):
    """Writes a file whole or not at all, and never over another. "-" is standard output."""
    if path == "-":
        sys.stdout.writelines(lines)
        sys.stdout.flush()
        return
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".headroom-trace-", dir=os.path.dirname(path) or ".")
        with open(handle, "w", encoding="utf-8", newline="\n") as out:
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        _move_without_replacing(temporary, path)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except OSError as error:
        raise Problem(
            f"{shown_path(path)}: cannot be written: {reason_of(error)}; name another --output",
            OUTPUT_REFUSED,
        ) from None
    finally:
        if temporary is not None and os.path.lexists(temporary):
            os.unlink(temporary)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _move_without_replacing(temporary, path):
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        with open(path, "x"):  # a file system without links: take the name first, then fill it
            pass
        os.replace(temporary, path)
