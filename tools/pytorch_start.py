# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What a device held when its history begins, found from the whole history and the segments at its end."""

from headroom_trace import Block, Problem

DEFAULT_POOL = (0, 0)
DEFAULT_STREAM = (DEFAULT_POOL, 0)


class Start:
    """The streams of a history, and the blocks and segments that were there before its first event.

    early          blocks, by address
    early_waiting  addresses of those that were freed and still waited for another stream
    segments       {address: (size, stream)}, without expandable ones
    reserved       bytes of all segments, expandable ones included
    unexplained    blocks on which the history and the segments at its end differ
    """

    def __init__(self, device):
        self._device, self._events = device, device.events
        self._place = f"device_traces[{device.number}]"
        self.requests = any(event.action == "free_requested" for event in self._events)
        self.completions = any(event.action == "free_completed" for event in self._events)
        # A completion at the very start is the half of a free whose request was cut off, unless more follow:
        # then an allocation found all of them waiting.
        self.cut_short = self._events[0].action == "free_completed" and not (
            len(self._events) > 1 and self._events[1].action == "free_completed"
        )
        self.streams = {DEFAULT_STREAM: 0}
        for item in self._events + device.segments:
            self.streams.setdefault(item.stream, len(self.streams))
        self._still_waiting = {
            block.address
            for segment in device.segments
            for block in segment.blocks
            if block.state not in ("inactive", "active_allocated")
        }
        self._early, self.early_waiting = {}, set()
        self._live, self._waiting, self._freed = set(), set(), set()
        self._follow_blocks()
        self._compare_with_segments()
        self.early = [self._early[address] for address in sorted(self._early)]
        self._undo_segments()

    def lost_at_least(self):
        """Events that must have come before the first one: each block was allocated, each segment taken."""
        return len(self.early) + len(self.segments) + len(self.early_waiting) + self.cut_short

    def waits(self, index):
        """Whether the block whose free is asked for at `index` was still used by another stream."""
        address = self._events[index].address
        if not self.completions:  # the recording skipped them, or none came to pass
            return address in self._still_waiting
        return not self._is(index + 1, "free_completed", address)

    def _is(self, index, action, address):
        return (
            0 <= index < len(self._events)
            and self._events[index].action == action
            and self._events[index].address == address
        )

    def _follow_blocks(self):
        for index, event in enumerate(self._events):
            if event.action == "alloc":
                if event.address in self._live or event.address in self._waiting:
                    self._gap(index, "is handed out again without a free")
                self._live.add(event.address)
                self._freed.discard(event.address)
            elif event.action == "free_requested":
                self._follow_request(index, event)
            elif event.action == "free_completed":
                self._follow_completion(index, event)

    def _follow_request(self, index, event):
        address = event.address
        if address in self._live:
            self._live.remove(address)
        elif address in self._waiting or address in self._freed:
            self._gap(index, "is freed twice without an allocation between")
        else:
            self._early[address] = Block(address, event.size, event.stream)
        (self._waiting if self.waits(index) else self._freed).add(address)

    def _follow_completion(self, index, event):
        address = event.address
        if address in self._waiting:
            self._waiting.remove(address)
        elif address in self._live:
            self._live.remove(address)
        elif address not in self._freed:
            self._early[address] = Block(address, event.size, event.stream)
            if self.requests and not (index == 0 and self.cut_short):
                self.early_waiting.add(address)
        elif not self._is(index - 1, "free_requested", address):
            self._gap(index, "is freed twice without an allocation between")
        self._freed.add(address)

    def _gap(self, index, what):
        raise Problem(
            f"{self._place}[{index}]: the block at {self._events[index].address:#x} {what}, so events are "
            "missing inside the history; record it without stopping and without skip_actions"
        )

    def _compare_with_segments(self):
        unseen = self._live | self._waiting
        self.unexplained = 0
        for segment in self._device.segments:
            for block in segment.blocks:
                if block.state == "inactive":
                    continue
                if block.address in unseen:
                    unseen.remove(block.address)
                elif block.address in self._freed:
                    self.unexplained += 1
                else:
                    self._early[block.address] = Block(
                        block.address, block.requested, segment.stream, block.size
                    )
                    if block.state != "active_allocated":
                        self.early_waiting.add(block.address)
        self.unexplained += len(unseen)

    def _undo_segments(self):
        held = self._device.segments
        self.expandable = any(segment.expandable for segment in held)
        self.reserved = sum(segment.size for segment in held)
        self.segments = {
            segment.address: (segment.size, segment.stream) for segment in held if not segment.expandable
        }
        for event in reversed(self._events):
            if event.action in ("segment_alloc", "segment_map"):
                self.reserved -= event.size
                self.segments.pop(event.address, None)
            elif event.action in ("segment_free", "segment_unmap"):
                self.reserved += event.size
                if event.action == "segment_free":
                    self.segments[event.address] = (event.size, event.stream)
            self.expandable = self.expandable or event.action in ("segment_map", "segment_unmap")
        if self.reserved < 0:
            raise Problem(
                f"{self._place}: the history takes {-self.reserved} B more from the driver than the segments "
                "at its end hold; the file is damaged, or mixes two recordings"
            )
