# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Reads a PyTorch memory snapshot: a pickle of plain containers, checked before anything uses it.

A pickle is a program. This reader lets it build lists, tuples, dicts, sets, strings and numbers, and refuses
everything that would look up or call something; so nothing of a hostile file runs.
"""

import gc
import lzma
import pickle
import zlib
from typing import NamedTuple, Optional

from guarded import open_input
from headroom_trace import Problem, shown

ACTIONS = frozenset(
    (
        "alloc",
        "free_requested",
        "free_completed",
        "segment_alloc",
        "segment_free",
        "segment_map",
        "segment_unmap",
        "oom",
    )
)
NOTES = frozenset(("snapshot", "annotate"))  # they change no memory
STATES = frozenset(("active_allocated", "active_awaiting_free", "active_pending_free", "inactive"))
LARGEST_ADDRESS = 2**64 - 1
LARGEST_SIZE = 2**63 - 1
MOST_DEVICES = 1024


class Event(NamedTuple):
    """One entry of a device's history. `address` is None for an oom; `free` is given for an oom only."""

    action: str
    address: Optional[int]
    size: int
    stream: tuple  # (memory pool, stream)
    free: Optional[int]


class Block(NamedTuple):
    address: int
    size: int
    requested: int
    state: str


class Segment(NamedTuple):
    address: int
    size: int
    stream: tuple
    small: bool
    expandable: bool
    blocks: list


class Device(NamedTuple):
    number: int
    events: list
    segments: list


class Snapshot(NamedTuple):
    devices: list
    settings: dict


class PlainUnpickler(pickle.Unpickler):
    """Plain containers, numbers and strings; nothing that imports or calls."""

    def find_class(self, module, name):
        raise Problem(
            f"refused: the pickle asks for {shown(f'{module}.{name}')}; a memory snapshot holds only plain "
            "containers, numbers and strings. Nothing of it was run; do not load it with other tools either"
        )

    def persistent_load(self, pid):
        raise Problem(
            "refused: the pickle refers to an object outside itself; a memory snapshot holds only plain "
            "containers, numbers and strings. Nothing of it was run"
        )


def read_snapshot(path):
    """@raises Problem for a file that is not a snapshot, with what was found and what to write"""
    gc.disable()  # millions of objects without cycles: searching them takes longer than reading
    try:
        with open_input(path) as stream:
            found = PlainUnpickler(stream).load()
            if stream.read(1):
                raise Problem("there are bytes after the end of the pickle; write one snapshot a file")
        return _snapshot(found)
    except (Problem, MemoryError):
        raise
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        raise Problem(
            f"the file ends early or is damaged ({_one_line(error)}); copy it again or "
            "dump the snapshot again"
        ) from None
    except Exception as error:  # what a damaged pickle can raise has no common type
        raise Problem(
            f"not a pickle that can be read ({_one_line(error)}); give the file that "
            "torch.cuda.memory._dump_snapshot wrote"
        ) from None
    finally:
        gc.freeze()
        gc.enable()


def _one_line(error):
    text = " ".join(str(error).split()) or type(error).__name__
    text = ascii(text[:100])[1:-1]
    return f"{type(error).__name__}: {text}" if text != type(error).__name__ else text


def _snapshot(found):
    if isinstance(found, list) and all(isinstance(item, dict) for item in found[:3]):
        raise Problem(
            "this is a list of segments, without a history; dump with torch.cuda.memory._dump_snapshot "
            "after torch.cuda.memory._record_memory_history()"
        )
    _expect(found, dict, "the snapshot", "a dict with segments and device_traces")
    segments = _expect(found.get("segments"), list, "segments", "a list")
    traces = _expect(found.get("device_traces"), list, "device_traces", "a list, one history a device")
    if len(traces) > MOST_DEVICES:
        raise Problem(f"device_traces: found {len(traces)} devices; at most {MOST_DEVICES} are read")
    by_device = {}
    for index, segment in enumerate(segments):
        number, read = _segment(segment, f"segments[{index}]")
        by_device.setdefault(number, []).append(read)
    devices = []
    for number in range(max([len(traces) - 1] + list(by_device)) + 1):
        history = _expect(
            traces[number] if number < len(traces) else [], list, f"device_traces[{number}]", "a list"
        )
        events = _events(history, number)
        devices.append(Device(number, events, _sorted_segments(by_device.get(number, []))))
    settings = found.get("allocator_settings", {})
    return Snapshot(devices, _expect(settings, dict, "allocator_settings", "a dict"))


def _events(history, number):
    events = []
    for index, entry in enumerate(history):
        try:
            action = entry["action"]
            if action in NOTES:
                continue
            if action in ACTIONS:
                size, stream, pool = entry["size"], entry.get("stream", 0), entry.get("pool_id", (0, 0))
                address, free = (None, entry.get("device_free")) if action == "oom" else (entry["addr"], None)
                # bool is an int in Python, and never a size
                if (
                    type(size) is int
                    and 0 <= size <= LARGEST_SIZE
                    and type(stream) is int
                    and _is_pool(pool)
                    and (
                        type(address) is int
                        and 0 <= address <= LARGEST_ADDRESS
                        or address is None
                        and action == "oom"
                    )
                    and (free is None or type(free) is int and 0 <= free <= LARGEST_SIZE)
                ):
                    events.append(Event(action, address, size, (tuple(pool), stream), free))
                    continue
        except (KeyError, TypeError, AttributeError):
            pass
        _explain_event(entry, f"device_traces[{number}][{index}]")
    return events


def _is_pool(pool):
    return (
        isinstance(pool, (tuple, list)) and len(pool) == 2 and type(pool[0]) is int and type(pool[1]) is int
    )


def _explain_event(entry, place):
    """Raises the problem that _events saw, spelled out."""
    _expect(entry, dict, place, "a dict with action, addr, size and stream")
    action = _expect(entry.get("action"), str, f"{place}.action", "the name of an action")
    if action not in ACTIONS:
        raise Problem(
            f"{place}.action: unknown action {shown(action)}; known are "
            f"{', '.join(sorted(ACTIONS | NOTES))}; this tool may be older than the PyTorch that wrote it"
        )
    _number(entry, "size", place, LARGEST_SIZE)
    if action == "oom":
        if entry.get("device_free") is not None:
            _number(entry, "device_free", place, LARGEST_SIZE)
    else:
        _number(entry, "addr", place, LARGEST_ADDRESS)
    if type(entry.get("stream", 0)) is not int:
        raise Problem(f"{place}.stream: found {shown(entry['stream'])}; expected a number")
    raise Problem(f"{place}.pool_id: found {shown(entry.get('pool_id'))}; expected two numbers")


def _segment(segment, place):
    _expect(segment, dict, place, "a dict that describes a segment")
    device = _number(segment, "device", place, MOST_DEVICES - 1) if "device" in segment else 0
    address = _number(segment, "address", place, LARGEST_ADDRESS)
    size = _number(segment, "total_size", place, LARGEST_SIZE)
    stream = segment.get("stream", 0)
    if type(stream) is not int:
        raise Problem(f"{place}.stream: found {shown(stream)}; expected a number")
    pool = segment.get("segment_pool_id", (0, 0))
    if not _is_pool(pool):
        raise Problem(f"{place}.segment_pool_id: found {shown(pool)}; expected two numbers")
    kind = segment.get("segment_type", "large")
    if kind not in ("small", "large"):
        raise Problem(f"{place}.segment_type: found {shown(kind)}; expected 'small' or 'large'")
    blocks, position = [], address
    for index, block in enumerate(_expect(segment.get("blocks"), list, f"{place}.blocks", "a list")):
        read = _block(block, f"{place}.blocks[{index}]", position)
        position = read.address + read.size
        blocks.append(read)
    if position != address + size:
        raise Problem(
            f"{place}: its blocks hold {position - address} B and the segment {size} B; they must be equal"
        )
    return device, Segment(
        address, size, (tuple(pool), stream), kind == "small", segment.get("is_expandable") is True, blocks
    )


def _block(block, place, position):
    _expect(block, dict, place, "a dict that describes a block")
    size = _number(block, "size", place, LARGEST_SIZE)
    address = _number(block, "address", place, LARGEST_ADDRESS) if "address" in block else position
    if address != position:
        raise Problem(
            f"{place}.address: found {address}; the blocks of a segment follow one another, so {position} "
            "was expected"
        )
    requested = _number(block, "requested_size", place, LARGEST_SIZE) if "requested_size" in block else size
    state = block.get("state")
    if not isinstance(state, str) or state not in STATES:
        raise Problem(f"{place}.state: found {shown(state)}; known are {', '.join(sorted(STATES))}")
    return Block(address, size, requested if 0 < requested <= size else size, state)


def _sorted_segments(segments):
    segments.sort(key=lambda segment: segment.address)
    for before, after in zip(segments, segments[1:]):
        if before.address + before.size > after.address:
            raise Problem(
                f"segments: the one at {before.address} runs into the one at {after.address}; the file is "
                "damaged"
            )
    return segments


def _expect(value, kind, place, wanted):
    if not isinstance(value, kind):
        found = "nothing" if value is None else shown(value)
        raise Problem(
            f"{place}: found {found}; expected {wanted}, as torch.cuda.memory._dump_snapshot writes it"
        )
    return value


def _number(entry, key, place, largest):
    value = entry.get(key)
    if type(value) is not int:
        raise Problem(
            f"{place}.{key}: found {'nothing' if value is None else shown(value)}; expected a number"
        )
    if not 0 <= value <= largest:
        raise Problem(f"{place}.{key}: found {shown(value)}; expected 0 to {largest}")
    return value
