# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""gpt_training.py CHANGES: an epoch of training a GPT-2 (124M) shape, 52 batches of 8 x 1 024 tokens with an evaluation at every
15th, then 50 generated tokens; what is left at its end. CHANGES of the seven that the source makes in turn are made:
1 no stored causal mask, 2 tensor cores, 3 fused AdamW, 4 pinned batches, 5 bfloat16, 6 PyTorch's own normalization and GELU,
7 PyTorch's own attention, on joined projections."""
import sys

import torch
from phases import run, show
from torch import nn
from torch.nn import functional

LAYERS, WIDTH, HEADS, VOCABULARY, BATCH, CONTEXT, DROPOUT = 12, 768, 12, 50257, 8, 1024, 0.1
BATCHES, EVERY, NEW = 52, 15, 50
changes = int(sys.argv[1])


class Normalization(nn.Module):
    """In single operations, each of whose results backward keeps."""

    def __init__(self):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x):
        middle, spread = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True, unbiased=False)
        normal = (x - middle) / torch.sqrt(spread + 1e-5)
        return self.scale * normal + self.shift


class Gelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))))


def split(x):
    return x.view(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)


class Attention(nn.Module):
    """Scores, mask, softmax and dropout one after another."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out, self.dropout = nn.Linear(WIDTH, WIDTH), nn.Dropout(DROPOUT)
        if changes < 1:
            self.register_buffer("mask", torch.triu(torch.ones(CONTEXT, CONTEXT), diagonal=1))

    def forward(self, x):
        tokens = x.shape[1]
        key, query, value = split(self.key(x)), split(self.query(x)), split(self.value(x))
        scores = query @ key.transpose(2, 3)
        if changes < 1:
            hidden = self.mask.bool()[:tokens, :tokens]
        else:
            hidden = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool, device=x.device), diagonal=1)
        scores.masked_fill_(hidden, -torch.inf)
        weights = self.dropout(torch.softmax(scores / (WIDTH // HEADS)**0.5, dim=-1))
        return self.out((weights @ value).transpose(1, 2).reshape(x.shape))


class JoinedAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.joined, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        query, key, value = self.joined(x).view(*x.shape[:2], 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True,
                                                        dropout_p=DROPOUT if self.training else 0.0)
        return self.out(mixed.transpose(1, 2).contiguous().view(x.shape))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = JoinedAttention() if changes >= 7 else Attention()
        self.wide = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh") if changes >= 6 else Gelu(),
                                  nn.Linear(4 * WIDTH, WIDTH))
        self.first, self.second = (nn.LayerNorm(WIDTH) if changes >= 6 else Normalization() for _ in range(2))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x):
        kept = x
        x = self.dropout(self.attention(self.first(x)))
        x = x + kept
        kept = x
        x = self.dropout(self.wide(self.second(x)))
        return x + kept


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.dropout, self.blocks = nn.Dropout(DROPOUT), nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.norm = nn.LayerNorm(WIDTH) if changes >= 6 else Normalization()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        # Both live until the call returns, as the source's do.
        tokens, positions = self.tokens(ids), self.positions(torch.arange(ids.shape[1], device=ids.device))
        x = tokens + positions
        x = self.dropout(x)
        return self.head(self.norm(self.blocks(x)))


def batch():
    ids = torch.ones(BATCH, CONTEXT, dtype=torch.long)
    return ids.pin_memory() if changes >= 4 else ids


def loss_of(model, inputs, targets):
    inputs, targets = inputs.to("cuda"), targets.to("cuda")
    logits = model(inputs)
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def evaluate(model):
    model.eval()
    with torch.no_grad():
        for _ in ("training", "validation"):
            loss_of(model, batch(), batch()).item()
    model.train()


def generate(model):
    model.eval()
    with torch.no_grad():
        ids = torch.ones(1, 4, dtype=torch.long).to("cuda")
        for _ in range(NEW):
            logits = model(ids[:, -CONTEXT:])[:, -1, :]
            ids = torch.cat((ids, torch.argmax(logits, dim=-1, keepdim=True)), dim=1)
    model.train()


def main(_):
    if changes >= 2:
        torch.set_float32_matmul_precision("high")
    model = Model().to("cuda")
    if changes >= 5:
        model.to(torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, weight_decay=0.1, fused=True if changes >= 3 else None)
    show("model_load")
    for number in range(BATCHES):
        optimizer.zero_grad()
        loss = loss_of(model, batch(), batch())
        loss.backward()
        optimizer.step()
        if number % EVERY == 0:
            evaluate(model)
    generate(model)
    show("epoch")


run(main)
