# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""litgpt_lora.py MODEL MICROBATCH TOKENS: three fine-tuning steps by the litgpt package, as its own script does them through
Fabric: low-rank adapters (8, on queries and values), AdamW, bfloat16; the longest sample first, then shorter ones."""
import torch
from lightning import Fabric
from litgpt.lora import GPT, Config, mark_only_lora_as_trainable
from litgpt.utils import chunked_cross_entropy
from phases import run, show


def main(model_name, microbatch, tokens):
    microbatch, tokens = int(microbatch), int(tokens)
    fabric = Fabric(devices=1, precision="bf16-true")
    config = Config.from_name(model_name, lora_r=8, lora_alpha=16, lora_dropout=0.05, lora_query=True, lora_value=True)
    with fabric.init_module(empty_init=False):
        model = GPT(config)
    mark_only_lora_as_trainable(model)
    # What goes through Fabric's module comes out in float32: logits, and with them the loss.
    model = fabric.setup_module(model)
    trained = [each for each in model.parameters() if each.requires_grad]
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(trained, lr=3e-4, weight_decay=0.01))
    model.max_seq_length = tokens
    model.train()
    show("model_load")
    for step, length in (("cold", tokens), ("warm", tokens // 2), ("warm", tokens // 2)):
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
