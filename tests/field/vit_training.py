# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""vit_training.py PRECISION BATCH STEPS: fine-tuning of a vision transformer (24 layers of 1024, patches of 16 x 16 of images of
224 x 224, ten classes) with Adam; gradients are cleared after forward, and an evaluation ends it. PRECISION is 32, in plain PyTorch,
or one of Fabric's; an update comes every STEPS batches."""
import torch
from lightning import Fabric
from phases import run, show
from torch import nn
from torch.nn import functional

WIDTH, LAYERS, HEADS, PATCH, SIDE, CLASSES = 1024, 24, 16, 16, 224, 10


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH, eps=1e-6), nn.LayerNorm(WIDTH, eps=1e-6)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.wide = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dropout(0.0), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.0))
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        inner = self.first(x)
        x = self.dropout(self.attention(inner, inner, inner, need_weights=False)[0]) + x
        return x + self.wide(self.second(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.whole = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.positions = nn.Parameter(torch.zeros(1, (SIDE // PATCH)**2 + 1, WIDTH))
        self.dropout, self.blocks = nn.Dropout(0.0), nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.norm, self.head = nn.LayerNorm(WIDTH, eps=1e-6), nn.Linear(WIDTH, CLASSES)

    def forward(self, images):
        x = self.patches(images).reshape(len(images), WIDTH, -1).permute(0, 2, 1)
        x = torch.cat((self.whole.expand(len(x), -1, -1), x), dim=1)
        return self.head(self.norm(self.blocks(self.dropout(x + self.positions)))[:, 0])


def main(precision, batch, steps):
    batch, steps = int(batch), int(steps)
    fabric = Fabric(accelerator="cuda", devices=1, precision="32-true" if precision == "32" else precision)
    model = Model()
    if precision == "32":
        model.to("cuda")
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-5)
    if precision != "32":
        model, optimizer = fabric.setup(model, optimizer)
    show("model_load")
    for number in range(3 * steps):
        model.train()
        images, labels = torch.ones(batch, 3, SIDE, SIDE).to("cuda"), torch.ones(batch, dtype=torch.long).to("cuda")
        logits = model(images)
        loss = functional.cross_entropy(logits, labels) / steps
        if steps == 1:
            optimizer.zero_grad()
        fabric.backward(loss)
        if number % steps == 0:
            optimizer.step()
            if steps > 1:
                optimizer.zero_grad()
        model.eval()
    with torch.no_grad():
        for _ in range(2):
            logits = model(images)
    show("epoch")


run(main)
