# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Reads files that nobody has vouched for, in a process that is bounded by their size."""

import contextlib
import gzip
import io
import lzma
import os
import signal
import sys

from headroom_trace import INVALID_INPUT, OUTPUT_REFUSED, Problem, reason_of, say, shown_path

_reading = []  # the file at hand, for messages about memory
_in_child = []  # not empty in the process that run() made: only that one is bounded


@contextlib.contextmanager
def open_input(path):
    """A buffered binary stream over a file, unpacked if it starts as a gzip or xz file does."""
    try:
        raw = open(path, "rb")
    except (OSError, ValueError) as error:
        raise Problem(f"cannot be read: {reason_of(error)}") from None
    with raw:
        _reading[:] = [shown_path(path)]
        start = raw.peek(6)
        packed = True
        if start.startswith(b"\x1f\x8b"):
            stream = io.BufferedReader(gzip.GzipFile(fileobj=raw))
        elif start.startswith(b"\xfd7zXZ\x00"):
            stream = io.BufferedReader(lzma.LZMAFile(raw))
        else:
            stream, packed = raw, False
        if _in_child:
            _limit_memory(os.fstat(raw.fileno()).st_size * (1024 if packed else 64))
        with stream:
            yield stream


def _limit_memory(size):
    """Bounds this process by what its input may need, so that a hostile file cannot exhaust the machine."""
    try:
        import resource

        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (min(2 * 2**30 + size, machine * 3 // 4), hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError, AttributeError):
        pass  # no such limit on this system: the work goes on without it


def run(work):
    """Runs `work`, which returns an exit code, in a child process, and ends this one as it ended.

    A file can be made so that merely reading it overflows the interpreter's stack; in a child that is
    a message too.
    """
    if not hasattr(os, "fork"):
        sys.exit(guarded(work))
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _in_child.append(True)
        code = guarded(work)
        os._exit(code)
    while True:
        try:
            _, status = os.waitpid(child, 0)
            break
        except KeyboardInterrupt:  # the child has it as well, and ends
            continue
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGINT:
            sys.exit(130)
        say(
            f"{os.path.basename(sys.argv[0])}: reading the input ended the reader (signal {number}): the file "
            "is damaged, hostile or too large for this machine; record it again"
        )
        sys.exit(INVALID_INPUT)
    sys.exit(os.WEXITSTATUS(status))


def guarded(work):
    """The exit code of `work`; a Problem is one line on stderr."""
    try:
        try:
            code = work()
        except SystemExit as end:  # --help
            code = end.code or 0
        sys.stdout.flush()
        return code
    except Problem as problem:
        say(problem)
        return problem.exit_code
    except MemoryError:
        say(
            f"{''.join(_reading)}: needs more memory than a file of its size may take: it is damaged or "
            "hostile, or the machine is too small for it; record fewer events"
        )
        return INVALID_INPUT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return OUTPUT_REFUSED
    except KeyboardInterrupt:
        return 130
    finally:
        sys.stderr.flush()
