# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Turns the history of one device into the events of a trace.

What a history lacks and a trace needs is worked out here: uses on other streams, and calls that emptied the
cache. docs/from-pytorch.md says how far each can be known.
"""

from bisect import bisect_right
from typing import NamedTuple, Optional

from headroom_trace import Block
from pytorch_start import DEFAULT_POOL, Start

SMALL_SEGMENT = 2 * 2**20  # segments of the small pool, which serves requests up to SMALL_LARGEST
SMALL_LARGEST = 2**20
CARD_SHARE = 20  # a card's context and other processes rarely take more than a twentieth


class Limits(NamedTuple):
    """What the converter knows of the card and of the settings in force."""

    capacity: int  # what PyTorch may take of the card
    partial: bool  # settings let the allocator give back single segments by itself
    collect_above: Optional[int]  # reserved bytes above which it does so before it takes a new one


class History:
    """The events of one device as operations for event_lines, and what was worked out on the way.

    waits        blocks freed while another stream used them
    emptied      e lines
    nearly_full  bytes wanted where an e could also be an allocation that a fuller card refused
    failed       out-of-memory events
    reach        bytes that PyTorch could have had, as the out-of-memory events show it; None without one
    held_most    highest bytes of all segments
    """

    def __init__(self, device, limits):
        self.device = device
        self.limits = limits
        self.start = Start(device)
        self.operations = []
        self.waits = self.emptied = self.failed = 0
        self.nearly_full = []
        self.reach = None
        self._idle, self._made_up = [], len(self.start.streams)
        self._read_limits()
        self._convert()

    def _take_stream(self):
        """A stream that only one waiting block uses, so that it can pass without the others."""
        if self._idle:
            return self._idle.pop()
        self._made_up += 1
        return self._made_up - 1

    def _read_limits(self):
        """What was held at most, and what PyTorch could have had where an allocation failed."""
        reserved = self.held_most = self.start.reserved
        for action, _, size, _, free in self.device.events:
            if action in ("segment_alloc", "segment_map"):
                reserved += size
                self.held_most = max(self.held_most, reserved)
            elif action in ("segment_free", "segment_unmap"):
                reserved -= size
            elif action == "oom" and free is not None:
                self.reach = max(self.reach or 0, reserved + free)

    # Events

    def _convert(self):
        self._live, self._waiting = {}, {}
        for block in self.start.early:
            if block.address in self.start.early_waiting:
                block.waits_on = self._take_stream()
                self._waiting[block.address] = block
            else:
                self._live[block.address] = block
        self._segments = {
            address: size
            for address, (size, stream) in self.start.segments.items()
            if stream[0] == DEFAULT_POOL
        }
        self._reserved = self.start.reserved
        self._open_group()
        events, skip = self.device.events, False
        for index, event in enumerate(events):
            action = event.action
            if skip:
                skip = False
            elif action == "alloc":
                block = Block(event.address, event.size, event.stream)
                self._live[event.address] = block
                self._allocation(block)
            elif action == "oom":
                self.failed += 1
                block = Block(None, event.size, event.stream)
                self._allocation(block, failed=True)
                self.operations.append(("f", block, None))
            elif action == "free_requested":
                self._close_group()
                skip = self._free(index, event.address)
            elif action == "free_completed":
                self._complete(event.address)
            else:
                self._segment(event)
        self._close_group()

    def _free(self, index, address):
        """@return whether the next event, the completion, is part of this one"""
        block = self._live.pop(address)
        if self.start.waits(index):
            self.waits += 1
            block.waits_on = self._take_stream()
            self._waiting[address] = block
            self.operations.append(("u", block, block.waits_on))
            self.operations.append(("f", block, None))
            return False
        self.operations.append(("f", block, None))
        return self.start.completions

    def _complete(self, address):
        block = self._waiting.pop(address, None)
        if block is not None:
            self._completed.append(block.waits_on)
            self._completed_at.append(address)
            self._completed_late = self._completed_late or bool(self._given)
        elif address in self._live:  # the recording skipped the request, or begins right after it
            self._close_group()
            self.operations.append(("f", self._live.pop(address), None))

    def _segment(self, event):
        if event.action in ("segment_free", "segment_unmap"):
            self._given.append(event)
            self._reserved -= event.size
            self._taken_first = self._taken_first or self._taken > 0
            self._segments.pop(event.address, None)
        else:
            self._taken += event.size
            self._reserved += event.size
            if event.action == "segment_alloc" and event.stream[0] == DEFAULT_POOL:
                self._segments[event.address] = event.size

    # Between two calls of the program lies a group of events that one call caused: waiting blocks that
    # passed, segments given back, segments taken.

    def _open_group(self):
        self._completed, self._completed_at, self._completed_late = [], [], False
        self._given, self._taken = [], 0
        self._taken_first = False
        self._before = self._reserved

    def _allocation(self, block, failed=False):
        inside = failed or bool(self._given) and self._under_pressure(block)
        if self._given and not inside:
            self._empty_cache()
        if not inside:
            self._pass(self._completed)
        elif self.limits.partial and not self._completed_late and not failed and self._holds_unused_segment():
            self._pass(self._completed)  # single segments were given back, so nothing was waited for
            self._completed = []
        self.operations.append(("a", block, self.start.streams[block.stream]))
        if inside:  # what waited was waited for inside the call: it passes by itself, at the latest now
            self._pass(self._completed)
        self._open_group()

    def _close_group(self):
        """The group belongs to no allocation."""
        if self._given:
            self._empty_cache()
        elif self._completed:
            if not self._waiting and not self._holds_unused_segment():
                self._empty_cache()
            else:
                self._pass(self._completed)
        self._open_group()

    def _empty_cache(self):
        self.emptied += 1
        self.operations.append(("e", None, None))
        self._idle.extend(self._completed)
        self._completed = []

    def _pass(self, streams):
        self.operations.extend(("s", None, stream) for stream in streams)
        self._idle.extend(streams)

    def _under_pressure(self, block):
        """Whether memory was given back inside the allocation of `block`, which the driver refused.

        The other reading is a call of empty_cache right before it.
        """
        if self._taken_first:
            return True
        if self._taken == 0 or any(self._would_have_served(given, block) for given in self._given):
            return False
        if self.limits.partial and self._holds_unused_segment():
            return True  # a call would have given back every one
        if self.limits.collect_above is not None and self._before > self.limits.collect_above:
            return True
        wanted = self._before + self._taken
        if wanted > self.limits.capacity:
            return True
        if self.held_most < wanted and wanted > self.limits.capacity - self.limits.capacity // CARD_SHARE:
            self.nearly_full.append(wanted)
        return False

    def _would_have_served(self, given, block):
        """Whether what was given back was free and large enough for `block`."""
        if self.limits.partial or given.stream != block.stream or given.size < block.requested:
            return False
        if given.action == "segment_free" and (given.size == SMALL_SEGMENT) != (
            block.requested <= SMALL_LARGEST
        ):
            return False  # of the other pool
        return not any(
            given.address <= address < given.address + given.size for address in self._completed_at
        )

    def _holds_unused_segment(self):
        """Whether some segment has no block. Private pools keep theirs anyhow and do not count."""
        if self.start.expandable:
            return False
        starts = sorted(self._segments)
        used = set()
        for blocks in (self._live, self._waiting):
            for address in blocks:
                at = bisect_right(starts, address) - 1
                if at >= 0 and address < starts[at] + self._segments[starts[at]]:
                    used.add(at)
        return len(used) < len(starts)
