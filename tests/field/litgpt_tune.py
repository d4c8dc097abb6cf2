# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""litgpt_tune.py KIND MODEL MICROBATCH TOKENS: three fine-tuning steps by the litgpt package, as its own scripts do them through
Fabric with AdamW in bfloat16; the longest sample first, then shorter ones. KIND is lora (adapters of rank 8, on queries and values),
adapter or adapter_v2."""
import importlib

import torch
from lightning import Fabric
from litgpt.utils import chunked_cross_entropy
from phases import run, show

LOW_RANK = {"lora_r": 8, "lora_alpha": 16, "lora_dropout": 0.05, "lora_query": True, "lora_value": True}


def main(kind, model_name, microbatch, tokens):
    microbatch, tokens = int(microbatch), int(tokens)
    package = importlib.import_module(f"litgpt.{kind}")
    fabric = Fabric(devices=1, precision="bf16-true")
    config = package.Config.from_name(model_name, **(LOW_RANK if kind == "lora" else {}))
    with fabric.init_module(empty_init=False):
        model = package.GPT(config)
    getattr(package, f"mark_only_{kind}_as_trainable")(model)
    # What goes through Fabric's module comes out in float32: logits, and with them the loss.
    model = fabric.setup_module(model)
    trained = [each for each in model.parameters() if each.requires_grad]
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(trained, lr=3e-4, weight_decay=0.01))
    model.max_seq_length = tokens
    model.train()
    show("model_load")
    for step, length in (("cold", tokens), ("warm", tokens // 2), ("warm", tokens // 2)):
        for each in model.modules():  # this release keeps what it computed of a prompt from one step to the next
            if getattr(each, "adapter_kv_cache", None) is not None:
                each.adapter_kv_cache = None
        ids = torch.ones(microbatch, length, dtype=torch.long, device="cuda")
        logits = model(ids, lm_head_chunk_size=128)
        show(f"{step}_forward")
        logits[-1] = logits[-1][..., :-1, :]
        loss = chunked_cross_entropy(logits, ids[..., 1:])
        show(f"{step}_loss")
        fabric.backward(loss)
        show(f"{step}_backward")
        optimizer.step()
        optimizer.zero_grad()
        show(f"{step}_update")


run(main)
