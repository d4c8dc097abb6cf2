# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Generation with a model of the transformers package: the shape of a model with 8 billion parameters in bfloat16 as a
configuration in code, nothing is downloaded. A prompt of 1 024 tokens, 64 new ones, the cache given to each forward."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

SHAPE = LlamaConfig(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32,
                    num_key_value_heads=8, vocab_size=128256, max_position_embeddings=8192)


def main():
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = LlamaForCausalLM(SHAPE).eval()
    ids = torch.ones(1, 1024, dtype=torch.long, device="cuda")
    with torch.inference_mode():
        cache = None
        # What is generated does not matter for memory, and values of an emulated card are zeros: generate() would wait
        # for an end that never comes.
        for _ in range(64):
            out = model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
            cache, ids = out.past_key_values, out.logits[:, -1:].argmax(-1)
    print(f"{torch.cuda.max_memory_allocated() / 1e9:.2f} GB at most")


if __name__ == "__main__":
    main()
