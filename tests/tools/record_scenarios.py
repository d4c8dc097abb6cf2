# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What record_snapshot.py runs. Each scenario starts the recording itself and returns what it keeps alive."""


def transformer(torch, width=256, layers=2, vocabulary=1000):
    """A language model of two encoder layers, on the device."""
    nn = torch.nn

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(vocabulary, width)
            layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
            self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
            self.head = nn.Linear(width, vocabulary, bias=False)

        def forward(self, ids):
            return self.head(self.layers(self.tokens(ids)))

    return Model().cuda()


def train(torch, model, optimizer, steps, batch=8, context=64, between=None):
    for step in range(steps):
        ids = torch.ones(batch, context + 16 * step, dtype=torch.long, device="cuda")
        scores = model(ids)
        loss = torch.nn.functional.cross_entropy(scores.flatten(0, 1), ids.flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        del ids, scores, loss
        if between:
            between(step)


def training(torch, recording):
    """Two steps, recorded from the start."""
    recording.start()
    model = transformer(torch)
    train(torch, model, torch.optim.AdamW(model.parameters()), 2)
    return model


def late(torch, recording):
    """Recording starts after a first step: weights and optimizer state are there already."""
    model = transformer(torch)
    optimizer = torch.optim.AdamW(model.parameters())
    train(torch, model, optimizer, 1)
    recording.start()
    train(torch, model, optimizer, 2)
    return model, optimizer


def truncated(torch, recording):
    """As training, with a history that keeps the last 300 events only."""
    recording.max_entries = 300
    return training(torch, recording)


def empty_cache(torch, recording):
    """The cache is emptied between steps, once with nothing to give back and once before a large request."""
    recording.start()
    torch.cuda.empty_cache()
    model = transformer(torch)
    optimizer = torch.optim.AdamW(model.parameters())
    train(torch, model, optimizer, 2, between=lambda step: torch.cuda.empty_cache())
    kept = torch.empty(40 << 20, dtype=torch.uint8, device="cuda")
    return model, optimizer, kept


def streams(torch, recording):
    """Blocks that another stream uses when they are freed; some pass, some are still waiting at the end."""
    recording.start()
    copies, reductions = torch.cuda.Stream(), torch.cuda.Stream()
    kept = []
    for round_number in range(30):
        size = (round_number * 7919) % 3_000_000 + 1
        values = torch.empty(size, dtype=torch.uint8, device="cuda")
        with torch.cuda.stream(copies):
            copied = torch.empty(size // 2 + 1, dtype=torch.uint8, device="cuda")
            values.record_stream(copies)
        with torch.cuda.stream(reductions):
            reduced = torch.empty(size // 3 + 1, dtype=torch.uint8, device="cuda")
            copied.record_stream(reductions)
            values.record_stream(reductions)
        del values
        del copied
        if round_number % 5 == 4:
            torch.cuda.synchronize()
        if round_number % 7 == 6:
            copies.synchronize()
        if round_number == 20:
            torch.cuda.empty_cache()
        if round_number % 2:
            kept.append(reduced)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    last = torch.empty(5_000_000, dtype=torch.uint8, device="cuda")
    last.record_stream(copies)
    del last
    return kept


def pressure(torch, recording):
    """Cached memory has to be given back, and two requests fail."""
    recording.start()
    kept = [torch.empty(60 << 20, dtype=torch.uint8, device="cuda")]
    for size in (30, 45, 50, 70, 110, 33):
        filled = torch.empty((size << 20) + 1, dtype=torch.uint8, device="cuda")
        small = torch.empty(size * 1000, dtype=torch.uint8, device="cuda")
        del filled
        kept.append(small)
    side = torch.cuda.Stream()
    waiting = torch.empty(80 << 20, dtype=torch.uint8, device="cuda")
    waiting.record_stream(side)
    del waiting
    kept.append(torch.empty(120 << 20, dtype=torch.uint8, device="cuda"))
    for size in (100_000_001, 7_000_001):
        fill = []
        try:
            while True:
                fill.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        except torch.OutOfMemoryError:
            del fill
    return kept


def walk(torch, recording):
    """Requests and frees in an order that a seed decides, for the settings that change sizes and splits."""
    import random

    chosen = random.Random(20260101)
    recording.start()
    kept = []
    for _ in range(600):
        if kept and chosen.random() < 0.47:
            kept.pop(chosen.randrange(len(kept)))
        else:
            size = int(2 ** chosen.uniform(0, 25.5))
            kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
    return kept


def waiting(torch, recording):
    """Recording starts while freed blocks still wait for other streams."""
    side = torch.cuda.Stream()

    def freed_late(size):
        values = torch.empty(size, dtype=torch.uint8, device="cuda")
        values.record_stream(side)

    kept = [torch.empty(3_000_000, dtype=torch.uint8, device="cuda")]
    freed_late(7_000_000)
    freed_late(2000)
    recording.start()
    freed_late(5_000_000)
    kept.append(torch.empty(300, dtype=torch.uint8, device="cuda"))
    side.synchronize()
    kept.append(torch.empty(6_500_000, dtype=torch.uint8, device="cuda"))
    freed_late(1000)
    return kept


def private_pool(torch, recording):
    """A memory pool of its own, beside the default one."""
    recording.start()
    pool = torch.cuda.MemPool()
    kept = [torch.empty(1000, dtype=torch.uint8, device="cuda")]
    with torch.cuda.use_mem_pool(pool):
        first = torch.empty(20_000_000, dtype=torch.uint8, device="cuda")
        del first
        kept.append(torch.empty(12_000_000, dtype=torch.uint8, device="cuda"))
    kept.append(torch.empty(12_000_000, dtype=torch.uint8, device="cuda"))
    return kept, pool


def profiled(torch, recording):
    """A training step under the profiler, with the snapshot's history of the same step beside it."""
    model = transformer(torch)
    optimizer = torch.optim.AdamW(model.parameters())
    train(torch, model, optimizer, 1)
    cpu = torch.profiler.ProfilerActivity.CPU
    with torch.profiler.profile(activities=[cpu], profile_memory=True) as profile:
        recording.start()
        train(torch, model, optimizer, 1)
        torch.cuda.empty_cache()
        kept = torch.empty(25 << 20, dtype=torch.uint8, device="cuda")
        try:
            torch.empty(1 << 40, dtype=torch.uint8, device="cuda")
        except torch.OutOfMemoryError:
            pass
    recording.profile = profile
    return model, optimizer, kept


SCENARIOS = {  # name: what runs, capacity in bytes, allocator settings
    "training": (training, 24_000_000_000, ""),
    "late": (late, 24_000_000_000, ""),
    "truncated": (truncated, 24_000_000_000, ""),
    "empty_cache": (empty_cache, 24_000_000_000, ""),
    "streams": (streams, 24_000_000_000, ""),
    "pressure": (pressure, 318_767_104, ""),
    "training_expandable": (training, 24_000_000_000, "expandable_segments:True"),
    "pressure_expandable": (pressure, 318_767_104, "expandable_segments:True"),
    "waiting": (waiting, 24_000_000_000, ""),
    "private_pool": (private_pool, 24_000_000_000, ""),
    "walk": (walk, 262_144_000, ""),
    "walk_max_split": (walk, 314_572_800, "max_split_size_mb:20,max_non_split_rounding_mb:24"),
    "walk_collected": (
        walk,
        1_073_741_824,
        "garbage_collection_threshold:0.3,per_process_memory_fraction:0.5",
    ),
    "walk_rounded": (walk, 1_073_741_824, "roundup_power2_divisions:[256:1,512:2,1024:4,>:8]"),
    "profiled": (profiled, 24_000_000_000, ""),
}
