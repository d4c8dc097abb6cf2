# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""The part of a trace before the recorded events: blocks that were alive already, and their segments.

Rebuilding the segments relies on the allocator's default rules: a piece goes where the only room is. While all
other segments are full, pieces written in address order land where they were.
"""

from bisect import bisect_right

from headroom_trace import Block, Problem
from pytorch_history import SMALL_LARGEST, SMALL_SEGMENT

UNIT = 512
MIB = 2**20
SPLIT_ABOVE = MIB  # in the large pool a rest up to this stays with its block
LARGE_SMALLEST = 10 * MIB


def start_layout(history, keep, settings):
    """@return the operations that bring a fresh allocator to where the history begins"""
    operations = []
    keep = keep and bool(history.start.early or history.start.segments)
    if keep:
        _refuse_other_rules(history, settings)
        _rebuild(history, operations)
    else:
        operations.extend(_allocated(history, block) for block in history.start.early)
    for block in history.start.early:
        if block.address in history.start.early_waiting:
            operations.append(("u", block, block.waits_on))
            operations.append(("f", block, None))
    if operations:
        operations.append(("r", None, None))
    return operations


def _allocated(history, block):
    return "a", block, history.start.streams[block.stream]


def _refuse_other_rules(history, settings):
    other = [name for name in ("max_split_size_mb", "roundup_power2_divisions") if name in settings]
    if history.start.expandable:
        other.append("expandable_segments")
    if other:
        raise Problem(
            "--keep-layout rebuilds segments by the default rules, and the recording has "
            f"{', '.join(other)}; leave --keep-layout out"
        )


def _rebuild(history, operations):
    starts = sorted(history.start.segments)
    inside = {start: [] for start in starts}
    for block in history.start.early:
        at = bisect_right(starts, block.address) - 1
        if at < 0 or block.address + block.requested > starts[at] + history.start.segments[starts[at]][0]:
            raise Problem(
                f"--keep-layout: the block at {block.address:#x} lies in no segment that was held when the "
                "history begins; leave --keep-layout out"
            )
        inside[starts[at]].append(block)
    fillers = []
    for start in starts:
        size, stream = history.start.segments[start]
        fillers.extend(_rebuild_segment(history, operations, start, size, stream, inside[start]))
    operations.extend(("f", filler, None) for filler in fillers)


def _rebuild_segment(history, operations, start, size, stream, blocks):
    """Fills one new segment from its start to its end.

    @return the fillers, to be freed when every segment is full
    """
    small = size == SMALL_SEGMENT
    pieces = list(_pieces(start, size, blocks, small))
    if not small and (size < LARGE_SMALLEST or any(length <= SMALL_LARGEST for length, _ in pieces)):
        raise Problem(
            f"--keep-layout: the segment at {start:#x} of {size} B was not made by the default rules; "
            "leave --keep-layout out"
        )

    def allocate(length):
        filler = Block(None, length, stream)
        operations.append(_allocated(history, filler))
        return filler

    def free(filler):
        operations.append(("f", filler, None))

    if not small:
        free(allocate(size))  # a segment of this size, empty
    fillers, loose = [], []
    for length, block in pieces:
        if block is None:
            fillers.append(allocate(length))
        elif length == _rounded(block.requested):
            operations.append(_allocated(history, block))
        else:
            loose.append((allocate(length), block))
    for filler, block in loose:  # the only free piece is now this one, and its rest too small to split off
        free(filler)
        operations.append(_allocated(history, block))
    return fillers


def _pieces(start, size, blocks, small):
    """(length, block or None for a free gap), from the segment's start to its end."""
    position, end = start, start + size
    for block, following in zip(blocks, [other.address for other in blocks[1:]] + [end]):
        yield from _gap(block.address - position, small)
        length = block.size or _rounded(block.requested)
        rest = following - block.address - length
        if not small and 0 < rest <= SPLIT_ABOVE:  # too small to be free by itself
            length += rest
        yield length, block
        position = block.address + length
    yield from _gap(end - position, small)


def _gap(length, small):
    while small and length > SMALL_LARGEST:
        yield SMALL_LARGEST, None
        length -= SMALL_LARGEST
    if length > 0:
        yield length, None


def _rounded(size):
    return max(UNIT, (size + UNIT - 1) // UNIT * UNIT)
