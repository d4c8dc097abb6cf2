#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""dense_training_golden.py > dense_training.json

Trains one small dense network with PyTorch, in double precision on the CPU, and prints what headroom's own
training must reproduce: output, loss, every gradient, and the weights after three steps of AdamW; then the same
with low-rank adapters on frozen weights. All inputs are numbers of float32, so that both sides start from the
same values."""

import json
import random
import struct

import torch

BATCH, CONTEXT, WIDTH, LAYERS = 2, 3, 5, 3
RANK, SCALE = 2, 0.75
ADAMW = {"learning_rate": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01}
STEPS = 3


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def numbers(source, count, scale):
    return [float32(source.uniform(-scale, scale)) for _ in range(count)]


def listed(tensor):
    return [float(f"{value:.10g}") for value in tensor.detach().flatten().tolist()]


def forward(x, layers):
    for layer in layers:
        y = x @ layer["weight"] + layer["bias"]
        if "down" in layer:
            y = y + SCALE * (x @ layer["down"]) @ layer["up"]
        x = torch.nn.functional.gelu(y, approximate="tanh")
    return x


def train(inputs, kind, adapted):
    as_tensor = lambda values, *shape: torch.tensor(values, dtype=torch.float64).reshape(*shape)
    layers = [
        {"weight": as_tensor(each["weight"], WIDTH, WIDTH), "bias": as_tensor(each["bias"], WIDTH)}
        for each in inputs["layers"]
    ]
    trained = ["weight", "bias"]
    if adapted:
        trained = ["down", "up"]
        for layer, each in zip(layers, inputs["adapters"]):
            layer["down"] = as_tensor(each["down"], WIDTH, RANK)
            layer["up"] = as_tensor(each["up"], RANK, WIDTH)
    for layer in layers:
        for name in trained:
            layer[name].requires_grad_()
    x = as_tensor(inputs["x"], BATCH * CONTEXT, WIDTH)

    def loss_of(y):
        if kind == "cross_entropy":
            return torch.nn.functional.cross_entropy(y, torch.tensor(inputs["classes"]))
        return torch.nn.functional.mse_loss(y, as_tensor(inputs["values"], BATCH * CONTEXT, WIDTH))

    optimizer = torch.optim.AdamW(
        [layer[name] for layer in layers for name in trained],
        lr=ADAMW["learning_rate"],
        betas=(ADAMW["beta1"], ADAMW["beta2"]),
        eps=ADAMW["epsilon"],
        weight_decay=ADAMW["weight_decay"],
    )
    result = {}
    losses = []
    for step in range(STEPS):
        optimizer.zero_grad()
        y = forward(x, layers)
        loss = loss_of(y)
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            result["output"] = listed(y)
            result["gradients"] = [{name: listed(layer[name].grad) for name in trained} for layer in layers]
        optimizer.step()
    result["losses"] = [float(f"{value:.10g}") for value in losses]
    result["trained"] = [{name: listed(layer[name]) for name in trained} for layer in layers]
    return result


def main():
    source = random.Random(1234)
    inputs = {
        "x": numbers(source, BATCH * CONTEXT * WIDTH, 1.0),
        "classes": [source.randrange(WIDTH) for _ in range(BATCH * CONTEXT)],
        "values": numbers(source, BATCH * CONTEXT * WIDTH, 1.0),
        "layers": [
            {"weight": numbers(source, WIDTH * WIDTH, 1.0), "bias": numbers(source, WIDTH, 0.2)}
            for _ in range(LAYERS)
        ],
    }
    inputs["adapters"] = [
        {"down": numbers(source, WIDTH * RANK, 1.0), "up": numbers(source, RANK * WIDTH, 1.0)} for _ in range(LAYERS)
    ]
    document = {
        "made_with": f"PyTorch {torch.__version__.split('+')[0]}, float64, CPU",
        "dimensions": {"batch": BATCH, "context": CONTEXT, "width": WIDTH, "layers": LAYERS},
        "adapters": {"rank": RANK, "scale": SCALE},
        "adamw": ADAMW,
        "inputs": inputs,
        "cross_entropy": train(inputs, "cross_entropy", False),
        "mean_squared_error": train(inputs, "mean_squared_error", False),
        "cross_entropy_adapters": train(inputs, "cross_entropy", True),
        "mean_squared_error_adapters": train(inputs, "mean_squared_error", True),
    }
    print(json.dumps(document, indent=None).replace('], "', '],\n "').replace('}, "', '},\n "').replace("}, {", "},\n {"))


if __name__ == "__main__":
    main()
