# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Two training steps of a GPT-2 (124M) shape under bfloat16 autocast with AdamW; prints PyTorch's four
counters after each phase. Argument 1: checkpoint every layer."""
import sys
import time

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

LAYERS, WIDTH, HEADS, VOCABULARY, BATCH, CONTEXT = 12, 768, 12, 50257, 8, 1024
CHECKPOINTED = sys.argv[1:] == ["1"]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.joined, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, context, width = x.shape
        heads = self.joined(self.first(x)).view(batch, context, 3, HEADS, width // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, context, width))
        return x + self.down(functional.gelu(self.up(self.second(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if CHECKPOINTED else block(x)
        return self.head(self.norm(x))


def show(phase):
    torch.cuda.synchronize()
    read = torch.cuda.memory_stats()
    print(phase, *(read[f"{counter}_bytes.all.{when}"] for counter in ("allocated", "reserved")
                   for when in ("current", "peak")))
    torch.cuda.reset_peak_memory_stats()


torch.backends.cuda.enable_cudnn_sdp(False)
model = Model().cuda()
show("model_load")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in ("cold", "warm"):
    inputs = torch.ones(BATCH, CONTEXT, dtype=torch.long, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = functional.cross_entropy(model(inputs).view(-1, VOCABULARY), inputs.view(-1))
    show(f"{step}_forward")
    loss.backward()
    show(f"{step}_backward")
    optimizer.step()
    show(f"{step}_update")
    optimizer.zero_grad()
    del loss
# A process that ends while PyTorch's thread for backward still drops its objects is aborted.
time.sleep(0.2)
