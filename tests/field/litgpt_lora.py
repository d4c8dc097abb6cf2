# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""litgpt_lora.py MODEL MICROBATCH TOKENS: three fine-tuning steps by the litgpt package: low-rank adapters (8, on
queries and values), AdamW, bfloat16, at the length of the longest sample."""
import torch
from litgpt.lora import GPT, Config, mark_only_lora_as_trainable
from litgpt.utils import chunked_cross_entropy
from phases import run


def main(model_name, microbatch, tokens):
    microbatch, tokens = int(microbatch), int(tokens)
    torch.set_default_dtype(torch.bfloat16)
    config = Config.from_name(model_name, lora_r=8, lora_alpha=16, lora_dropout=0.05, lora_query=True, lora_value=True)
    with torch.device("cuda"):
        model = GPT(config)
        mark_only_lora_as_trainable(model)
        model.max_seq_length = tokens
    trained = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=3e-4, weight_decay=0.01)
    model.train()
    for _ in range(3):
        ids = torch.ones(microbatch, tokens, dtype=torch.long, device="cuda")
        logits = model(ids, lm_head_chunk_size=128)
        logits[-1] = logits[-1][..., :-1, :]
        chunked_cross_entropy(logits, ids[..., 1:]).backward()
        optimizer.step()
        optimizer.zero_grad()


run(main)
