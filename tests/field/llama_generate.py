# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""llama_generate.py: a 7B Llama of the transformers package in bfloat16: load, prefill of 2 048 tokens, 64 decoded tokens."""
import torch
from phases import run, show
from transformers import LlamaConfig, LlamaForCausalLM

SHAPE = LlamaConfig(hidden_size=4096, intermediate_size=11008, num_hidden_layers=32, num_attention_heads=32,
                    num_key_value_heads=32, vocab_size=32000, max_position_embeddings=4096)


def main():
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = LlamaForCausalLM(SHAPE).eval()
    show("model_load")
    ids = torch.ones(1, 2048, dtype=torch.long, device="cuda")
    with torch.no_grad():
        cache = model(ids, use_cache=True).past_key_values
        show("prefill")
        for _ in range(64):
            cache = model(ids[:, :1], past_key_values=cache, use_cache=True).past_key_values
        show("decode")


run(main)
