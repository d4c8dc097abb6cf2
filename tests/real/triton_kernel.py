# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""A kernel written in Triton: launched as it is, and with its block size picked by timing."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.autotune(configs=[triton.Config({"BLOCK": 128 << i}, num_warps=4) for i in range(3)], key=["count"])
@triton.jit
def tuned_kernel(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(out + at, tl.load(x + at, mask=inside) * tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def product_kernel(a, b, c, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    square = at[:, None] * SIZE + at[None, :]
    tl.store(c + square, tl.dot(tl.load(a + square), tl.load(b + square)))


count = 1_000_000
x, y, out = (torch.ones(count, device="cuda") for _ in range(3))
compiled = add_kernel[(triton.cdiv(count, 1024),)](x, y, out, count, BLOCK=1024)
torch.cuda.synchronize()
print("registers", compiled.n_regs, "spills", compiled.n_spills)
torch.cuda.reset_peak_memory_stats()
tuned_kernel[lambda chosen: (triton.cdiv(count, chosen["BLOCK"]),)](x, y, out, count)
print("picked", tuned_kernel.best_config.kwargs["BLOCK"], "peak", torch.cuda.max_memory_allocated())
a, b, c = (torch.ones(128, 128, device="cuda", dtype=torch.float16) for _ in range(3))
product = product_kernel[(1,)](a, b, c, SIZE=128)
torch.cuda.synchronize()
print("shared", product.metadata.shared)
