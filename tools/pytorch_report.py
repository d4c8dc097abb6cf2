# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What a conversion tells people: what was written, and what the recording does not tell."""

from headroom_trace import counted, format_size, say, shown_path
from pytorch_start import DEFAULT_POOL

LISTED = 5  # blocks named one by one


def report(history, arguments, target):
    device = history.device
    written = "" if target == "-" else f" -> {shown_path(target)}"
    events = counted(len(device.events), "event")
    say(f"{shown_path(arguments.snapshot)}: device {device.number}: {events}{written}")
    _report_start(history.start, len(device.events), arguments.keep_layout)
    _report_waits(history)
    _report_cache(history)
    if history.failed:
        _report_failures(history, arguments.capacity)
    pools = {pool for pool, _ in history.start.streams} - {DEFAULT_POOL}
    if pools:
        say(
            f"  {counted(len(pools), 'private memory pool')} (CUDA graphs, MemPool): each is a stream of its own "
            "in the trace; that a pool keeps its segments when the cache is emptied is not in the trace"
        )
    if history.start.unexplained:
        say(
            f"  {counted(history.start.unexplained, 'block')} differ between the history and the segments at its "
            "end, as when other threads allocate while the snapshot is taken"
        )


def _report_start(start, events, kept):
    if not start.early and not start.segments and start.reserved == 0:
        return
    held = format_size(sum(block.requested for block in start.early))
    say(
        f"  the history does not reach back to the start: {counted(len(start.early), 'block')} of {held} and "
        f"{format_size(start.reserved)} of segments were there before its first event"
    )
    say(
        f"  lost: at least {counted(start.lost_at_least(), 'event')} and every peak before; if the history is as "
        f"long as max_entries ({events}), its start was overwritten: record with more, or start earlier"
    )
    for block in start.early[:LISTED]:
        stream = start.streams[block.stream]
        say(f"    unknown before: {block.requested} B at {block.address:#x}, stream {stream}")
    if len(start.early) > LISTED:
        more = len(start.early) - LISTED
        say(f'    and {more} more; they are the allocations under "# synthetic" in the trace')
    if not kept:
        say(
            "  reserved bytes start from these blocks packed together, not from the segments that were held; "
            "--keep-layout rebuilds those"
        )


def _report_waits(history):
    waits = history.waits + len(history.start.early_waiting)
    if waits:
        say(
            f"  {counted(waits, 'free')} waited for another stream; which one is not recorded, so each waits on a "
            "made-up stream that passes where the free completed"
        )


def _report_cache(history):
    if history.emptied:
        say(
            f"  {counted(history.emptied, 'e line')}: memory went back to the driver outside an allocation, as "
            "empty_cache does"
        )
    if history.nearly_full:
        reach = max(history.held_most, min(history.nearly_full) - 1)
        say(
            f"  {len(history.nearly_full)} of them right before a new segment, on a card that was nearly full. If "
            "the driver refused that segment, PyTorch had less than --capacity (a context and other processes "
            f'take their part): write --capacity "{reach} B", and the replay is refused there as well'
        )


def _report_failures(history, capacity):
    text = f"  {counted(history.failed, 'allocation')} failed; each is freed right after in the trace"
    if history.reach is not None and history.reach < capacity:
        text += (
            f"; at that time PyTorch could have {format_size(history.reach)} of {format_size(capacity)}: write "
            f'--capacity "{history.reach} B" for a replay that fails where the recording did'
        )
    say(text)
