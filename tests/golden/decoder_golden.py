#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""decoder_golden.py > decoder.json

Runs two small decoders with PyTorch, in double precision on the CPU, and prints what headroom's own decoder
must reproduce: logits of every token, with and without a sliding window, and the loss and every gradient of
one training step. Attention is PyTorch's own, over keys and values repeated for each query head; rotary
positions are complex products. All weights are numbers of float32, so that both sides start from the same
values."""

import json
import random
import struct

import torch

SIZES = {
    "one_layer": {
        "layers": 1, "width": 6, "heads": 4, "kv_heads": 2, "head_dim": 4, "ffn": 10, "vocabulary": 11,
        "tied": False, "rotary_base": 10000.0, "norm_epsilon": 1e-5,
    },
    "two_layers_tied": {
        "layers": 2, "width": 10, "heads": 3, "kv_heads": 1, "head_dim": 6, "ffn": 7, "vocabulary": 9,
        "tied": True, "rotary_base": 500.0, "norm_epsilon": 1e-6,
    },
}
SEQUENCES = [9, 4]
WINDOW = 3
TRAIN_BATCH, TRAIN_CONTEXT = 2, 5


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def numbers(source, shape, scale):
    count = 1
    for size in shape:
        count *= size
    return {"shape": shape, "values": [float32(source.uniform(-scale, scale)) for _ in range(count)]}


def listed(tensor):
    return [float(f"{value:.10g}") for value in tensor.detach().flatten().tolist()]


def weights_of(source, sizes):
    width, ffn = sizes["width"], sizes["ffn"]
    queries = sizes["heads"] * sizes["head_dim"]
    keys = sizes["kv_heads"] * sizes["head_dim"]
    made = {"embedding": numbers(source, [sizes["vocabulary"], width], 1.5)}
    for i in range(sizes["layers"]):
        made[f"{i}.attention_norm"] = numbers(source, [width], 1.7)
        made[f"{i}.projections"] = numbers(source, [width, queries + 2 * keys], 0.8)
        made[f"{i}.attention_output"] = numbers(source, [queries, width], 0.6)
        made[f"{i}.mlp_norm"] = numbers(source, [width], 1.7)
        made[f"{i}.gate_up"] = numbers(source, [width, 2 * ffn], 0.8)
        made[f"{i}.down"] = numbers(source, [ffn, width], 0.7)
    made["final_norm"] = numbers(source, [width], 1.7)
    if not sizes["tied"]:
        made["output"] = numbers(source, [sizes["vocabulary"], width], 0.8)
    return made


def rotated(x, base):
    """x: [heads, tokens, dimension]; pair i is the complex number of i and i + dimension / 2."""
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), frequency)
    turned = torch.complex(x[..., :half], x[..., half:]) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], dim=-1)


def forward(tokens, weights, sizes, window):
    """Logits of every token of one sequence, [tokens, vocabulary]."""
    heads, kv_heads, dim = sizes["heads"], sizes["kv_heads"], sizes["head_dim"]
    count = len(tokens)
    norm = lambda x, w: torch.nn.functional.rms_norm(x, (sizes["width"],), w, sizes["norm_epsilon"])
    place = torch.arange(count)
    seen = place[:, None] >= place[None, :]
    if window:
        seen &= place[:, None] - place[None, :] < window
    x = weights["embedding"][torch.tensor(tokens)]
    for i in range(sizes["layers"]):
        projected = norm(x, weights[f"{i}.attention_norm"]) @ weights[f"{i}.projections"]
        q, k, v = projected.split([heads * dim, kv_heads * dim, kv_heads * dim], dim=-1)
        by_head = lambda y, n: y.reshape(count, n, dim).transpose(0, 1)
        q = rotated(by_head(q, heads), sizes["rotary_base"])
        k = rotated(by_head(k, kv_heads), sizes["rotary_base"]).repeat_interleave(heads // kv_heads, dim=0)
        v = by_head(v, kv_heads).repeat_interleave(heads // kv_heads, dim=0)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        x = x + y.transpose(0, 1).reshape(count, heads * dim) @ weights[f"{i}.attention_output"]
        gate, up = (norm(x, weights[f"{i}.mlp_norm"]) @ weights[f"{i}.gate_up"]).chunk(2, dim=-1)
        x = x + (torch.nn.functional.silu(gate) * up) @ weights[f"{i}.down"]
    output = weights["embedding"] if sizes["tied"] else weights["output"]
    return norm(x, weights["final_norm"]) @ output.T


def case(source, sizes):
    given = weights_of(source, sizes)
    weights = {
        name: torch.tensor(each["values"], dtype=torch.float64).reshape(each["shape"]).requires_grad_()
        for name, each in given.items()
    }
    sequences = [[source.randrange(sizes["vocabulary"]) for _ in range(length)] for length in SEQUENCES]
    batch = [[source.randrange(sizes["vocabulary"]) for _ in range(TRAIN_CONTEXT)] for _ in range(TRAIN_BATCH)]
    classes = [[source.randrange(sizes["vocabulary"]) for _ in range(TRAIN_CONTEXT)] for _ in range(TRAIN_BATCH)]
    logits = torch.cat([forward(tokens, weights, sizes, 0) for tokens in batch])
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(classes).flatten())
    loss.backward()
    return {
        "sizes": sizes,
        "weights": {name: each["values"] for name, each in given.items()},
        "sequences": sequences,
        "logits": [listed(forward(tokens, weights, sizes, 0)) for tokens in sequences],
        "window": WINDOW,
        "window_logits": [listed(forward(tokens, weights, sizes, WINDOW)) for tokens in sequences],
        "training": {
            "batch": batch,
            "classes": classes,
            "loss": float(f"{loss.item():.10g}"),
            "gradients": {name: listed(each.grad) for name, each in weights.items()},
        },
    }


def main():
    source = random.Random(4321)
    document = {
        "made_with": f"PyTorch {torch.__version__.split('+')[0]}, float64, CPU",
        **{name: case(source, sizes) for name, sizes in SIZES.items()},
    }
    print(json.dumps(document).replace('], "', '],\n "').replace('}, "', '},\n "'))


if __name__ == "__main__":
    main()
