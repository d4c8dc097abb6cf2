# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""A chain of operations on each element, as it is and compiled. Prints both peaks, in sizes of the tensor."""
import torch


def chain(x):
    return torch.relu(torch.tanh(x * 2 + 1) * x)


x = torch.randn(16 << 20, device="cuda")
with torch.no_grad():
    for each in (chain, torch.compile(chain)):
        each(x)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        each(x)
        torch.cuda.synchronize()
        print(torch.cuda.max_memory_allocated() / x.nbytes)
