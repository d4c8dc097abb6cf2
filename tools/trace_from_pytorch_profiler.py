#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Turns the memory events of a PyTorch profiler's Chrome trace into headroom traces, one a device.

Needs no PyTorch. Profile with profile_memory=True; plain, gzip and xz files are read. The file is walked through
event by event, so memory follows the number of memory events, not the size of the file. docs/from-pytorch.md
says what is lost.
"""

from guarded import run
from headroom_trace import (
    EXIT_CODES,
    ArgumentParser,
    Block,
    Problem,
    about,
    capacity_argument,
    counted,
    event_lines,
    format_size,
    plan_outputs,
    say,
    shown_path,
    write_new_file,
)
from pytorch_profile import Profile, before

MIB = 2**20


def parse_arguments():
    parser = ArgumentParser(
        prog="trace_from_pytorch_profiler.py",
        epilog=EXIT_CODES,
        description="Turn the memory events of a PyTorch profiler trace into headroom traces.",
    )
    parser.add_argument(
        "trace",
        metavar="TRACE.json",
        help="what export_chrome_trace wrote, with profile_memory=True; .gz and .xz are read as well",
    )
    parser.add_argument(
        "--capacity",
        type=capacity_argument,
        metavar="SIZE",
        help='memory of the card, for example "24GB"; by default what the trace says of it',
    )
    parser.add_argument(
        "--device", type=int, metavar="N", help="only this device; otherwise one file a device"
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="where the trace goes, - for standard output; by default the input's name with .trace, "
        "with several devices .deviceN.trace",
    )
    return parser.parse_args()


class Conversion:
    """The operations of one device, and what was worked out on the way."""

    def __init__(self, number, events, capacity):
        self.number, self.events, self.capacity = number, events, capacity
        self.early, self.operations = [], []
        self.emptied = self.failed = 0
        self._live = {}
        reserved = events[0].reserved
        for index, event in enumerate(events):
            if event.reserved < reserved and not self._refused(event, reserved):
                self.emptied += 1
                self.operations.append(("e", None, None))
            reserved = event.reserved
            self._convert(index, event)
        self._add_the_rest()

    def _refused(self, event, reserved):
        """Whether memory went back because the driver had no room for this allocation."""
        return (
            event.address is None or event.change > 0 and reserved + segment_for(event.change) > self.capacity
        )

    def _convert(self, index, event):
        if event.address is None:
            self.failed += 1
            block = Block(None, event.change, 0)
            self.operations += [("a", block, 0), ("f", block, None)]
        elif event.change > 0:
            if event.address in self._live:
                raise Problem(
                    f"device {self.number}: the block at {event.address:#x} is handed out twice without "
                    f"a free (memory event {index}); events are missing, so profile again"
                )
            block = self._live[event.address] = Block(event.address, event.change, 0)
            self.operations.append(("a", block, 0))
        else:
            block = self._live.pop(event.address, None)
            if block is None:
                block = Block(event.address, -event.change, 0)
                self.early.append(block)
            elif block.requested != -event.change:
                raise Problem(
                    f"device {self.number}: the block at {event.address:#x} has {block.requested} B and is "
                    f"freed with {-event.change} B (memory event {index}); events are missing, so profile again"
                )
            self.operations.append(("f", block, None))

    def _add_the_rest(self):
        """What was alive before and never freed is known as a total. It is split so that rounding adds nothing."""
        self.start = before(self.events[0])
        self.early.sort(key=lambda block: block.address)
        self.rest = self.start - sum(block.requested for block in self.early)
        if self.rest < 0:
            raise Problem(
                f"device {self.number}: {format_size(-self.rest)} more are freed than were allocated; events "
                "are missing, so profile again"
            )
        large = self.rest // (2 * MIB) * (2 * MIB)
        if large < 10 * MIB:
            large = 0
        pieces = [large] if large else []
        small = self.rest - large
        pieces += [MIB] * (small // MIB) + ([small % MIB] if small % MIB else [])
        self.early += [Block(None, piece, 0) for piece in pieces]

    def lines(self):
        yield "headroom-trace 1\n"
        yield (
            f"# from a PyTorch profiler trace, device {self.number}, {counted(len(self.events), 'memory event')}; "
            "sizes are rounded ones, streams are not known\n"
        )
        yield f"capacity {self.capacity}\n"
        last = 0
        if self.early:
            yield f"# synthetic: {self.start} B alive before the first event\n"
            last = yield from event_lines([("a", block, 0) for block in self.early] + [("r", None, None)])
            yield "# recorded from here on\n"
        yield from event_lines(self.operations, last)


def segment_for(size):
    """Bytes that the allocator takes from the driver for a request that nothing cached fits."""
    if size <= MIB:
        return 2 * MIB
    if size < 10 * MIB:
        return 20 * MIB
    return (size + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)


def chosen_devices(profile, number):
    if not profile.events:
        raise Problem("there are no memory events of a GPU; profile with profile_memory=True")
    if number is None:
        return sorted(profile.events)
    if number not in profile.events:
        raise Problem(
            f"there are no memory events of device {number}; the trace has "
            f"{', '.join(map(str, sorted(profile.events)))}"
        )
    return [number]


def capacity_of(profile, device, given):
    capacity = given or profile.capacity.get(device)
    if capacity is None:
        raise Problem(
            f"the trace does not say how much memory device {device} has; write --capacity SIZE, for example "
            "--capacity 24GB"
        )
    held = max(event.reserved for event in profile.events[device])
    if held > capacity:
        raise Problem(
            f"device {device} held {format_size(held)} of segments, more than its capacity of {capacity} B; "
            "give the memory of the card it was recorded on, and ask headroom replay about smaller ones"
        )
    return capacity


def convert(arguments, profile):
    devices = chosen_devices(profile, arguments.device)
    outputs = plan_outputs(arguments.trace, arguments.output, devices)
    conversions = [
        Conversion(device, profile.events[device], capacity_of(profile, device, arguments.capacity))
        for device in devices
    ]
    for conversion, target in zip(conversions, outputs):
        write_new_file(target, conversion.lines())
        report(conversion, profile.gaps[conversion.number], arguments.trace, target)
    if profile.others:
        say(f"  {counted(profile.others, 'memory event')} of other kinds of devices left out")
    return 0


def report(conversion, gaps, path, target):
    say(
        f"{shown_path(path)}: device {conversion.number}: {counted(len(conversion.events), 'memory event')}"
        + ("" if target == "-" else f" -> {shown_path(target)}")
    )
    say(
        "  a profile has rounded sizes and no streams: requested bytes read as allocated ones, and everything is "
        "on stream 0"
    )
    if conversion.start:
        start, rest = format_size(conversion.start), format_size(conversion.rest)
        say(
            f"  {start} were alive before the first event, {rest} of them never freed and known as a total only; "
            "what came before is lost, and the segments held then "
            f"({format_size(conversion.events[0].reserved)} with the first event) are not rebuilt"
        )
    if conversion.emptied:
        say(f"  {counted(conversion.emptied, 'e line')}: reserved bytes fell, as after empty_cache")
    if conversion.failed:
        say(f"  {counted(conversion.failed, 'allocation')} failed; each is freed right after in the trace")
    if gaps:
        say(
            f"  {counted(gaps, 'place')} where the total does not follow from the events: some are missing or "
            "could not be brought into order"
        )


def main():
    arguments = parse_arguments()
    with about(arguments.trace):
        return convert(arguments, Profile(arguments.trace))


if __name__ == "__main__":
    run(main)
