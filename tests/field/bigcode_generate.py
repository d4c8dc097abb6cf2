# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""bigcode_generate.py PROMPT NEW: generation by the transformers package's model of 15.5 billion parameters with one head of keys and
values, bfloat16, random weights; PROMPT and NEW are tokens."""
import torch
from phases import run, show
from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM

SHAPE = GPTBigCodeConfig(n_embd=6144, n_inner=24576, n_layer=40, n_head=48, n_positions=8192, vocab_size=49152, multi_query=True)


def main(prompt, new):
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = GPTBigCodeForCausalLM(SHAPE).eval()
    show("model_load")
    ids = torch.ones(1, int(prompt), dtype=torch.long).to("cuda")
    with torch.no_grad():
        cache, seen = None, ids
        for _ in range(int(new)):
            answer = model(seen, past_key_values=cache, use_cache=True, logits_to_keep=0)
            cache, logits = answer.past_key_values, answer.logits[:, -1, :].float()
            seen = torch.argmax(logits, dim=-1, keepdim=True)
            ids = torch.cat((ids, seen), dim=1)
    show("generation")


run(main)
