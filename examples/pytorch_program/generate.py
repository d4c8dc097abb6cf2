# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Generation with a decoder of 7 billion parameters in bfloat16: load, prefill of 2 048 tokens, 64
decoded ones. Plain PyTorch, which knows nothing of headroom."""
import argparse

import torch
from torch import nn
from torch.nn import functional

WIDTH, INNER, LAYERS, HEADS, VOCABULARY = 4096, 11008, 32, 32, 32000


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x, past):
        def heads(projected):
            return projected.view(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)

        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        if past is not None:
            key, value = torch.cat((past[0], key), 2), torch.cat((past[1], value), 2)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=past is None)
        return self.out(mixed.transpose(1, 2).reshape(x.shape)), (key, value)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
        self.gate, self.up = nn.Linear(WIDTH, INNER, bias=False), nn.Linear(WIDTH, INNER, bias=False)
        self.down = nn.Linear(INNER, WIDTH, bias=False)
        self.first, self.second = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)

    def forward(self, x, past):
        mixed, kept = self.attention(self.first(x), past)
        x = x + mixed
        inner = self.second(x)
        return x + self.down(functional.silu(self.gate(inner)) * self.up(inner)), kept


class Decoder(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids, cache=None):
        x, kept = self.tokens(ids), []
        for number, block in enumerate(self.blocks):
            x, pair = block(x, None if cache is None else cache[number])
            kept.append(pair)
        return self.head(self.norm(x)), kept


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--layers", type=int, default=LAYERS)
    options.add_argument("--prompt", type=int, default=2048)
    options.add_argument("--tokens", type=int, default=64)
    asked = options.parse_args()
    torch.backends.cuda.enable_cudnn_sdp(False)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Decoder(asked.layers).eval()
    ids = torch.ones(1, asked.prompt, dtype=torch.long, device="cuda")
    with torch.no_grad():
        _, cache = model(ids)
        for _ in range(asked.tokens):
            logits, cache = model(ids[:, :1], cache)
            del logits
    print(f"{torch.cuda.max_memory_allocated() / 1e9:.2f} GB at most")


if __name__ == "__main__":
    main()
