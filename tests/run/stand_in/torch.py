# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""As much of PyTorch as headroom's hooks touch, over an allocator that hands out what it takes from the card:
for tests of the hooks alone, without PyTorch. take(BYTES) and give() are its tensors."""
import contextlib
import ctypes
import sys
import types

__version__ = "0.0 stand-in"


def _part(name, **members):
    part = sys.modules[f"{__name__}.{name}"] = types.ModuleType(f"{__name__}.{name}")
    part.__dict__.update(members)
    return part


class _Allocator:
    """Counters of each device, as torch._C has them."""

    def __init__(self):
        self.levels = [{"current": 0, "peak": 0} for _ in range(2)]
        self.rounded = [{"current": 0, "peak": 0} for _ in range(2)]
        self.blocks, self.refused = [], [0, 0]
        self.runtime = None

    def change(self, device, size):
        for level, by in ((self.levels[device], size), (self.rounded[device], (abs(size) + 511) // 512 * 512 * (1 if size > 0 else -1))):
            level["current"] += by
            level["peak"] = max(level["peak"], level["current"])

    def stats(self, device):
        def all_of(level):
            return {kind: dict(level) for kind in ("all", "large_pool")}

        return {"allocated_bytes": all_of(self.rounded[device]), "reserved_bytes": all_of(self.rounded[device]),
                "requested_bytes": all_of(self.levels[device]), "num_alloc_retries": 0, "num_ooms": self.refused[device]}

    def reset(self, device):
        for level in (self.levels[device], self.rounded[device]):
            level["peak"] = level["current"]


_allocator = _Allocator()
_observers, _waiting = [], []
_hooks = {"before": [], "after": [], "update": [], "updated": []}
_grad = [True]
_C = types.SimpleNamespace(_cuda_memoryStats=_allocator.stats, _cuda_resetPeakMemoryStats=_allocator.reset,
                           _cuda_attach_out_of_memory_observer=_observers.append)


class _OutOfMemory(RuntimeError):
    pass


def _begin():
    if _allocator.runtime is None:
        _allocator.runtime = ctypes.CDLL("libcudart.so.13")
        for each in _waiting:
            each()


cuda = _part("cuda", device_count=lambda: 2, _lazy_call=lambda f: _waiting.append(f) if _allocator.runtime is None else f(),
             OutOfMemoryError=_OutOfMemory, get_allocator_backend=lambda: "native", init=_begin)
cuda.max_memory_allocated = lambda device=0: _C._cuda_memoryStats(device)["allocated_bytes"]["all"]["peak"]
cuda.reset_peak_memory_stats = lambda device=0: _C._cuda_resetPeakMemoryStats(device)
cuda.memory = types.SimpleNamespace(_record_memory_history=lambda *_, **__: None,
                                    _dump_snapshot=lambda name: open(name, "w").write("a snapshot"))


def take(size, device=0):
    _begin()
    at = ctypes.c_void_p()
    rounded = (size + 511) // 512 * 512
    _allocator.runtime.cudaSetDevice(device)
    if _allocator.runtime.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(rounded)) != 0:
        _allocator.refused[device] += 1
        for each in _observers:
            each(device, size, 0, 0)
        raise _OutOfMemory(f"CUDA out of memory. Tried to allocate {size} B")
    _allocator.change(device, size)
    _allocator.blocks.append((device, size, at))


def give():
    device, size, at = _allocator.blocks.pop()
    _allocator.runtime.cudaFree(at)
    _allocator.change(device, -size)


class Module:
    """Its forward is a function; its parameters are of one dtype."""

    def __init__(self, forward, parameters=0):
        self.forward, self.count = forward, parameters

    def __call__(self, *given):
        result = None
        for each in _hooks["before"]:
            each(self, given)
        try:
            result = self.forward(*given)
        finally:
            for each in _hooks["after"]:
                each(self, given, result)
        return result

    def parameters(self):
        yield types.SimpleNamespace(is_cuda=True, dtype="torch.float16", element_size=lambda: 2, numel=lambda: self.count)


class _Loss(Module):
    pass


nn = _part("nn", Module=Module)
nn.modules = _part("nn.modules")
nn.modules.module = _part("nn.modules.module", register_module_forward_pre_hook=_hooks["before"].append,
                          register_module_forward_hook=lambda hook, always_call: _hooks["after"].append(hook))
nn.modules.loss = _part("nn.modules.loss", _Loss=_Loss)
autograd = _part("autograd", backward=lambda work: work(), grad=lambda work: work())
optim = _part("optim")
optim.optimizer = _part("optim.optimizer", register_optimizer_step_pre_hook=_hooks["update"].append,
                        register_optimizer_step_post_hook=_hooks["updated"].append)


def step(work):
    """An optimizer's."""
    for each in _hooks["update"]:
        each()
    work()
    for each in _hooks["updated"]:
        each()


def is_grad_enabled():
    return _grad[0]


@contextlib.contextmanager
def no_grad():
    before, _grad[0] = _grad[0], False
    yield
    _grad[0] = before
