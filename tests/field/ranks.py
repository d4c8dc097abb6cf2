# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""ranks.py ddp | fsdp | tensor: two training steps of a small transformer under torchrun, each rank on a card of its own; every
rank prints its counters, its number first."""
import os
import sys
import time

import torch
from torch import distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

WIDTH, LAYERS, HEADS, BATCH, CONTEXT = 1024, 4, 16, 2, 512


class Block(nn.Module):
    """Attention and two linear layers, each behind a normalization."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, tokens, _ = x.shape
        heads = [each(self.norm1(x)).view(batch, tokens, -1, WIDTH // HEADS).transpose(1, 2) for each in (self.q, self.k, self.v)]
        mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, -1))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


def spread(model, kind, ranks):
    if kind == "ddp":
        return DistributedDataParallel(model)
    mesh = init_device_mesh("cuda", (ranks,))
    if kind == "fsdp":
        from torch.distributed.fsdp import fully_shard
        for block in model:
            fully_shard(block, mesh=mesh)
        return fully_shard(model, mesh=mesh)
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    plan = {name: ColwiseParallel() for name in ("q", "k", "v", "up")} | {name: RowwiseParallel() for name in ("out", "down")}
    for block in model:
        parallelize_module(block, mesh, plan)
    return model


def main(kind):
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl", device_id=torch.device("cuda", torch.cuda.current_device()))
    whole = torch.tensor([rank + 1.0]).cuda()  # copied there: kernels are left out, and would leave zero
    distributed.all_reduce(whole)
    assert whole.item() == ranks * (ranks + 1) / 2, whole
    model = spread(nn.Sequential(*(Block() for _ in range(LAYERS))).cuda(), kind, ranks)
    # Parameters that are split and ones that are not do not go into one call together.
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=kind != "tensor")
    for step in ("cold", "warm"):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(torch.ones(BATCH, CONTEXT, WIDTH, device="cuda")).float().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch.cuda.synchronize()
        stats = torch.cuda.memory_stats()
        figures = [stats[f"{counter}_bytes.all.{when}"] for counter in ("allocated", "reserved") for when in ("current", "peak")]
        sys.stdout.write(" ".join(map(str, (rank, step, *figures))) + "\n")  # one write, which others' do not break
        sys.stdout.flush()
    distributed.destroy_process_group()
    # A process that ends while PyTorch's thread for backward still drops its objects is aborted.
    time.sleep(0.2)


main(sys.argv[1])
