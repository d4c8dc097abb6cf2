# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""litgpt_generate.py MODEL DTYPE PROMPT NEW: generation by the litgpt package with random weights; DTYPE is bfloat16 or
float32, PROMPT and NEW are tokens."""
import torch
from litgpt import GPT, Config
from litgpt.generate.base import generate
from phases import run


def main(model_name, dtype, prompt, new):
    prompt, new = int(prompt), int(new)
    torch.set_default_dtype(getattr(torch, dtype))
    with torch.device("cuda"):
        model = GPT(Config.from_name(model_name)).eval()
        tokens = torch.ones(prompt, dtype=torch.int64)
        model.max_seq_length = prompt + new
        model.set_kv_cache(batch_size=1)
    with torch.inference_mode():
        generate(model, tokens, prompt + new, temperature=0.8, top_k=200, eos_id=None)


run(main)
