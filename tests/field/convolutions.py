# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""convolutions.py resnet | unet: two training steps of a residual network (50 layers, 32 x 3 x 224 x 224) or of a U-Net
(4 x 1 x 256 x 256) under bfloat16 autocast with SGD."""
import torch
from phases import run, show
from torch import nn
from torch.nn import functional


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3, 1 x 1, each with batch normalization, beside a shortcut."""

    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity() if inputs == outputs and stride == 1 else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return functional.relu(self.body(x) + self.shortcut(x))


def resnet():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, 2 if stage > 0 and block == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000)), (32, 3, 224, 224)


def twice(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.GroupNorm(8, outputs), nn.SiLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1), nn.GroupNorm(8, outputs), nn.SiLU())


class UNet(nn.Module):
    """Four levels down and up, joined at each."""

    WIDTHS = (64, 128, 256, 512)

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList(twice(a, b) for a, b in zip((1, *self.WIDTHS), self.WIDTHS))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(self.WIDTHS, self.WIDTHS[1:]))
        self.join = nn.ModuleList(twice(2 * a, a) for a in self.WIDTHS[:-1])
        self.head = nn.Conv2d(self.WIDTHS[0], 2, 1)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else functional.max_pool2d(x, 2))
            kept.append(x)
        for level in reversed(range(len(self.up))):
            x = self.join[level](torch.cat((self.up[level](x), kept[level]), 1))
        return self.head(x).mean((2, 3))


def main(kind):
    model, shape = resnet() if kind == "resnet" else (UNet(), (4, 1, 256, 256))
    model = model.cuda().train()
    show("model_load")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    images = torch.ones(shape, device="cuda")
    labels = torch.zeros(shape[0], dtype=torch.long, device="cuda")
    for step in ("cold", "warm"):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = functional.cross_entropy(model(images), labels)
        show(f"{step}_forward")
        loss.backward()
        show(f"{step}_backward")
        optimizer.step()
        show(f"{step}_update")
        optimizer.zero_grad()
        del loss


run(main)
