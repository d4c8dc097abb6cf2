# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""llama_train.py full | sharded RANKS [7b | 70b]: two training steps of that shape (7b where not said) with activation
checkpointing and AdamW in bfloat16, 1 x 2 048 tokens; "sharded" is one rank of RANKS over a process group that does nothing."""
import torch
from phases import run, show
from transformers import LlamaConfig, LlamaForCausalLM

OF_ALL = {"vocab_size": 32000, "max_position_embeddings": 4096, "use_cache": False}
SHAPES = {"7b": LlamaConfig(hidden_size=4096, intermediate_size=11008, num_hidden_layers=32, num_attention_heads=32,
                            num_key_value_heads=32, **OF_ALL),
          "70b": LlamaConfig(hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
                             num_key_value_heads=8, **OF_ALL)}


def shard(model, ranks):
    from torch import distributed
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.testing._internal.distributed.fake_pg import FakeStore
    distributed.init_process_group("fake", rank=0, world_size=ranks, store=FakeStore())
    mesh = init_device_mesh("cuda", (ranks,))
    for block in model.model.layers:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    model.to_empty(device="cuda")


def main(kind, ranks="1", shape="7b"):
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("meta" if kind == "sharded" else "cuda"):
        model = LlamaForCausalLM(SHAPES[shape])
    model.gradient_checkpointing_enable()
    model.train()
    if kind == "sharded":
        shard(model, int(ranks))
    show("model_load")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, foreach=True)
    for step in ("cold", "warm"):
        ids = torch.ones(1, 2048, dtype=torch.long, device="cuda")
        loss = model(ids, labels=ids).loss
        show(f"{step}_forward")
        loss.backward()
        show(f"{step}_backward")
        optimizer.step()
        show(f"{step}_update")
        optimizer.zero_grad()


run(main)
