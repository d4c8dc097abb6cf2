# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Reads the memory events of a Chrome trace of the PyTorch profiler, and brings them into order."""

import lzma
import zlib
from decimal import Decimal
from typing import NamedTuple, Optional

from guarded import open_input
from headroom_trace import LARGEST, Problem, reason_of, shown
from json_stream import JsonStream

GPU_TYPES = (1, 6)  # CUDA, and HIP
CPU_TYPE = 0
WINDOW = 64  # how far time stamps of several threads may be out of order, in events


class MemoryEvent(NamedTuple):
    """One report of the allocator. `address` is None where an allocation failed."""

    time: Decimal
    address: Optional[int]
    change: int  # bytes, negative for a free
    allocated: int  # bytes of all blocks after it
    reserved: int  # bytes of all segments after it


class Profile:
    """events    {device: [MemoryEvent, ...]} in the order in which the allocator worked
    capacity  {device: bytes}, where the trace names them
    others    events of devices that are no GPU of the CUDA kind
    gaps      {device: places where the totals do not follow from the events}
    """

    def __init__(self, path):
        self.events, self.capacity, self.gaps, self.others = {}, {}, {}, 0
        try:
            with open_input(path) as stream:
                self._read(stream)
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
            raise Problem(
                f"the file ends early or is damaged ({reason_of(error)}); copy it again or export the trace "
                "again"
            ) from None

    def _read(self, stream):
        walk = JsonStream(stream, "traceEvents")
        for index, event in enumerate(walk.items()):
            if isinstance(event, dict) and event.get("name") in ("[memory]", "[OutOfMemory]"):
                self._add(event, f"traceEvents[{index}]")
        self._read_devices(walk.members.get("deviceProperties", []))
        for device, events in self.events.items():
            events.sort(key=lambda event: event.time)
            self.events[device], self.gaps[device] = _in_order(events)

    def _add(self, event, place):
        arguments = event.get("args")
        if not isinstance(arguments, dict):
            raise Problem(
                f"{place}.args: found {shown(arguments)}; expected an object with Addr, Bytes, Device Id and "
                "Device Type; export the trace with PyTorch 1.13 or newer and profile_memory=True"
            )
        failed = event["name"] == "[OutOfMemory]"
        kind = _number(arguments, "Device Type", place, -1)
        if kind not in GPU_TYPES:
            self.others += kind != CPU_TYPE
            return
        device = _number(arguments, "Device Id", place, 0)
        if device >= 1024:
            raise Problem(f"{place}.args.Device Id: found {device}; expected less than 1024")
        time = event.get("ts")
        if not isinstance(time, (int, Decimal)) or isinstance(time, bool):
            raise Problem(f"{place}.ts: found {shown(time)}; expected a number")
        change = _number(arguments, "Bytes", place, 1 if failed else -LARGEST)
        address = None if failed else _number(arguments, "Addr", place, 0, 2**64 - 1)
        if change != 0:
            self.events.setdefault(device, []).append(
                MemoryEvent(
                    Decimal(time),
                    address,
                    change,
                    _number(arguments, "Total Allocated", place, 0),
                    _number(arguments, "Total Reserved", place, 0),
                )
            )

    def _read_devices(self, found):
        for device in found if isinstance(found, list) else []:
            if isinstance(device, dict) and type(device.get("id")) is int:
                capacity = device.get("totalGlobalMem")
                if type(capacity) is int and 0 < capacity <= LARGEST:
                    self.capacity[device["id"]] = capacity


def _number(arguments, key, place, least, most=LARGEST):
    value = arguments.get(key)
    if type(value) is not int:
        raise Problem(
            f"{place}.args.{key}: found {'nothing' if value is None else shown(value)}; expected a whole "
            "number, as PyTorch 1.13 or newer writes it with profile_memory=True"
        )
    if not least <= value <= most:
        raise Problem(f"{place}.args.{key}: found {shown(value)}; expected {least} to {most}")
    return value


def before(event):
    """Allocated bytes before an event."""
    return event.allocated if event.address is None else event.allocated - event.change


def _in_order(events):
    """Threads stamp their events before they get the allocator's lock; its totals tell the order.

    @return (events, places where no event continues the total)
    """
    ordered, gaps, pending = [], 0, list(reversed(events))
    while pending:
        following = None
        if ordered:
            total = ordered[-1].allocated
            for distance in range(1, min(WINDOW, len(pending)) + 1):
                if before(pending[-distance]) == total:
                    following = len(pending) - distance
                    break
            gaps += following is None
        ordered.append(pending.pop(len(pending) - 1 if following is None else following))
    return ordered, gaps
