#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""dense_training_golden.py > dense_training.json

Trains one small dense network with PyTorch, in double precision on the CPU, and prints what headroom's own
training must reproduce: output, loss, every gradient, and the weights after three steps of AdamW. All inputs
are numbers of float32, so that both sides start from the same values."""

import json
import random
import struct

import torch

BATCH, CONTEXT, WIDTH, LAYERS = 2, 3, 5, 3
ADAMW = {"learning_rate": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01}
STEPS = 3


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def numbers(source, count, scale):
    return [float32(source.uniform(-scale, scale)) for _ in range(count)]


def listed(tensor):
    return [float(f"{value:.10g}") for value in tensor.detach().flatten().tolist()]


def forward(x, layers):
    for weight, bias in layers:
        x = torch.nn.functional.gelu(x @ weight + bias, approximate="tanh")
    return x


def train(inputs, kind):
    as_tensor = lambda values, *shape: torch.tensor(values, dtype=torch.float64).reshape(*shape)
    layers = [
        (as_tensor(each["weight"], WIDTH, WIDTH).requires_grad_(), as_tensor(each["bias"], WIDTH).requires_grad_())
        for each in inputs["layers"]
    ]
    x = as_tensor(inputs["x"], BATCH * CONTEXT, WIDTH)

    def loss_of(y):
        if kind == "cross_entropy":
            return torch.nn.functional.cross_entropy(y, torch.tensor(inputs["classes"]))
        return torch.nn.functional.mse_loss(y, as_tensor(inputs["values"], BATCH * CONTEXT, WIDTH))

    optimizer = torch.optim.AdamW(
        [parameter for pair in layers for parameter in pair],
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
            result["gradients"] = [{"weight": listed(w.grad), "bias": listed(b.grad)} for w, b in layers]
        optimizer.step()
    result["losses"] = [float(f"{value:.10g}") for value in losses]
    result["trained"] = [{"weight": listed(w), "bias": listed(b)} for w, b in layers]
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
    document = {
        "made_with": f"PyTorch {torch.__version__.split('+')[0]}, float64, CPU",
        "dimensions": {"batch": BATCH, "context": CONTEXT, "width": WIDTH, "layers": LAYERS},
        "adamw": ADAMW,
        "inputs": inputs,
        "cross_entropy": train(inputs, "cross_entropy"),
        "mean_squared_error": train(inputs, "mean_squared_error"),
    }
    print(json.dumps(document, indent=None).replace('], "', '],\n "').replace('}, "', '},\n "').replace("}, {", "},\n {"))


if __name__ == "__main__":
    main()
