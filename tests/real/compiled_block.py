# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""compiled_block.py MODE: three training steps of four transformer blocks, as they are (eager), or compiled in one
of torch.compile's modes. Prints the four counters of each step as torch.cuda.memory_stats has them, and how many
graphs torch.compile made."""
import sys

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, width=512, heads=8):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inner, self.outer = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.inner(self.first(x)).split(width, -1)
        query, key, value = (each.view(batch, length, self.heads, -1).transpose(1, 2) for each in parts)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.outer(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(functional.gelu(self.up(self.second(x))))


def main(mode):
    torch.manual_seed(0)
    model = nn.Sequential(*[Block() for _ in range(4)]).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    step_of = model if mode == "eager" else torch.compile(model, mode=mode)
    x = torch.randn(8, 256, 512, device="cuda")
    for step in range(3):
        torch.cuda.reset_peak_memory_stats()
        if mode == "reduce-overhead":
            torch.compiler.cudagraph_mark_step_begin()
        step_of(x).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        counted = torch.cuda.memory_stats()
        print(step, *(counted[f"{each}_bytes.all.{kind}"] for each in ("allocated", "reserved") for kind in ("current", "peak")))
    if mode != "eager":
        print("graphs", torch._dynamo.utils.counters["stats"]["unique_graphs"],
              "breaks", sum(torch._dynamo.utils.counters["graph_break"].values()))


main(sys.argv[1])
