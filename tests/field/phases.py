# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What the programs of the field tests share: a line of PyTorch's four counters after each phase."""
import sys
import time

import torch

peaks = [0]  # of the phases shown


def show(phase):
    """Prints the phase's allocated current and peak, reserved current and peak, and begins the next."""
    torch.cuda.synchronize()
    stats = torch.cuda.memory_stats()
    figures = [stats[f"{counter}_bytes.all.{when}"] for counter in ("allocated", "reserved") for when in ("current", "peak")]
    print(phase, *figures, flush=True)
    peaks.append(torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


def run(main):
    """Runs the program; prints the peak of the whole run, or that memory did not suffice."""
    try:
        main(*sys.argv[1:])
        print("peak", max(*peaks, torch.cuda.max_memory_allocated()), flush=True)
    except torch.OutOfMemoryError as error:
        print("out of memory:", str(error).split(".", maxsplit=1)[0], flush=True)
    # A process that ends while PyTorch's thread for backward still drops its objects is aborted.
    time.sleep(0.2)
