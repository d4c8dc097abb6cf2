#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Turns a PyTorch memory snapshot into headroom traces, one a device. Needs no PyTorch.

The snapshot is the pickle that torch.cuda.memory._dump_snapshot writes, plain or packed with gzip or xz.
docs/from-pytorch.md says how to record one, and what a trace made from it can and cannot show.
"""

from guarded import run
from headroom_trace import (
    EXIT_CODES,
    ArgumentParser,
    Problem,
    about,
    capacity_argument,
    counted,
    event_lines,
    format_size,
    plan_outputs,
    say,
    write_new_file,
)
from pytorch_history import History, Limits
from pytorch_layout import start_layout
from pytorch_report import report
from pytorch_settings import garbage_collection_threshold, memory_fraction, trace_settings
from pytorch_snapshot import read_snapshot
from pytorch_start import DEFAULT_POOL, DEFAULT_STREAM


def parse_arguments():
    parser = ArgumentParser(
        prog="trace_from_pytorch_snapshot.py",
        epilog=EXIT_CODES,
        description="Turn a PyTorch memory snapshot into headroom traces, one a device.",
    )
    parser.add_argument(
        "snapshot",
        metavar="SNAPSHOT.pickle",
        help="what torch.cuda.memory._dump_snapshot wrote; .gz and .xz are read as well",
    )
    parser.add_argument(
        "--capacity",
        type=capacity_argument,
        metavar="SIZE",
        help='memory of the card that the snapshot was recorded on, for example "24GB" or "25438126080 B"; '
        "headroom replay asks about other cards with its --device",
    )
    parser.add_argument(
        "--device", type=int, metavar="N", help="only this device; otherwise one file a device"
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="where the trace goes, - for standard output; by default SNAPSHOT.trace, "
        "with several devices SNAPSHOT.deviceN.trace",
    )
    parser.add_argument(
        "--keep-layout",
        action="store_true",
        help="rebuild the segments that were held when the history begins, free gaps included, so that the "
        "reserved bytes are those of the recording; wants a card at least as large",
    )
    return parser.parse_args()


def chosen_devices(snapshot, number):
    there = [device for device in snapshot.devices if device.events]
    if not there:
        raise Problem(
            "the snapshot has no history, only the state at its end; call "
            "torch.cuda.memory._record_memory_history() before the work, then dump again"
        )
    if number is None:
        return there
    found = [device for device in there if device.number == number]
    if not found:
        raise Problem(
            f"there is no history of device {number}; the snapshot has "
            f"{', '.join(str(device.number) for device in there)}"
        )
    return found


def check_capacity(history, capacity):
    if history.held_most > capacity:
        raise Problem(
            f"device {history.device.number} held {format_size(history.held_most)} of segments, more than "
            f"--capacity {capacity} B; give the memory of the card it was recorded on, and ask "
            "headroom replay about smaller ones"
        )


def limits_of(capacity, settings):
    threshold = garbage_collection_threshold(settings)
    partial = threshold is not None or "max_split_size_mb" in settings
    return Limits(capacity, partial, None if threshold is None else int(capacity * threshold))


def trace_lines(history, capacity, settings, layout):
    device, start = history.device, history.start
    events = counted(len(device.events), "recorded event")
    yield "headroom-trace 1\n"
    yield f"# from a PyTorch memory snapshot, device {device.number}, {events}\n"
    for (pool, stream), number in start.streams.items():
        if (pool, stream) != DEFAULT_STREAM:
            inside = "" if pool == DEFAULT_POOL else f" in pool {pool}"
            yield f"# stream {number}: PyTorch's {stream:#x}{inside}\n"
    if history.waits:
        first = len(start.streams)
        yield f"# streams from {first}: made up, for blocks that some other stream still used when freed\n"
    yield f"capacity {capacity}\n"
    for name, value in settings.items():
        yield f"setting {name} {value}\n"
    last = 0
    if layout:
        blocks = counted(len(start.early), "block")
        yield f"# synthetic: {blocks} alive before the first recorded event, by address\n"
        last = yield from event_lines(layout, last)
        yield "# recorded from here on\n"
    yield from event_lines(history.operations, last)


def main():
    arguments = parse_arguments()
    with about(arguments.snapshot):
        return convert(arguments, read_snapshot(arguments.snapshot))


def convert(arguments, snapshot):
    devices = chosen_devices(snapshot, arguments.device)
    settings, left_out = trace_settings(snapshot.settings)
    if arguments.capacity is None:
        raise Problem(
            "a snapshot does not say how much memory the card has; write --capacity SIZE, for example "
            "--capacity 24GB, or the exact bytes of torch.cuda.get_device_properties(0).total_memory as "
            '--capacity "25438126080 B"'
        )
    outputs = plan_outputs(arguments.snapshot, arguments.output, [device.number for device in devices])
    limits = limits_of(int(arguments.capacity * memory_fraction(settings)), settings)
    histories = [History(device, limits) for device in devices]
    for history in histories:
        check_capacity(history, arguments.capacity)
    for history, target in zip(histories, outputs):
        layout = start_layout(history, arguments.keep_layout, settings)
        write_new_file(target, trace_lines(history, arguments.capacity, settings, layout))
        report(history, arguments, target)
    if left_out:
        say(f"settings left out, a trace has no place for them: {', '.join(left_out)}")
    return 0


if __name__ == "__main__":
    run(main)
