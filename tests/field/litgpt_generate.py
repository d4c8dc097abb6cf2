# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""litgpt_generate.py MODEL DTYPE PROMPT NEW: generation by the litgpt package with random weights, as its own script does it
through Fabric; DTYPE is bfloat16 or float32, PROMPT and NEW are tokens."""
import torch
from lightning import Fabric
from litgpt import GPT, Config
from litgpt.generate.base import generate
from phases import run, show


def main(model_name, dtype, prompt, new):
    prompt, new = int(prompt), int(new)
    fabric = Fabric(devices=1, precision={"bfloat16": "bf16-true", "float32": "32-true"}[dtype])
    with fabric.init_module(empty_init=True):
        model = GPT(Config.from_name(model_name)).eval()
    show("model_load")
    with fabric.init_tensor():
        model.max_seq_length = prompt + new
        model.set_kv_cache(batch_size=1)
    model = fabric.setup_module(model)
    with torch.inference_mode():
        generate(model, torch.ones(prompt, dtype=torch.int64, device="cuda"), prompt + new, temperature=0.8, top_k=200)
    show("generation")


run(main)
