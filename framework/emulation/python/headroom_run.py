# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What `headroom run` reads of PyTorch: the statistics of its own allocator, and phases by its global
hooks. Nothing is allocated, synchronized or given back here: the counters are those of a run without.

Peaks are read by resetting them. The program's own view of them is kept: what it reads, and its own
resets, are as if nobody else looked on."""
import atexit
import ctypes
import functools
import importlib
import importlib.util
import json
import operator
import os
import sys
import threading

COUNTED = bool(os.environ.get("HEADROOM_COUNT_LOG"))  # a real card's calls are counted
LOG = os.environ.get("HEADROOM_COUNT_LOG") or os.environ.get("HEADROOM_RUN_LOG", "")
# Read now: the program may clear its environment.
PHASES = os.environ.get("HEADROOM_RUN_PHASES", "auto")
SNAPSHOT = os.environ.get("HEADROOM_RUN_SNAPSHOT", "")
AT_EXIT = []  # what this module says at the end of a process
COUNTERS = {"allocated": "allocated_bytes", "reserved": "reserved_bytes", "requested": "requested_bytes"}


def tell(event):
    """Appends a line to the log of the run. Where it cannot be written the run learns that one is missing."""
    event = {"event": event.pop("event"), "process": os.getpid(), **event}
    line = (json.dumps(event) + "\n").encode()
    try:
        file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            whole = os.write(file, line) == len(line)
        finally:
            os.close(file)
    except OSError:
        whole = False
    if not whole and (card := the_card()) is not None:
        card.headroom_run_lose_line()


@functools.lru_cache(maxsize=1)
def the_card():
    """The library that counts for this process, None where there is none."""
    try:
        card = ctypes.CDLL(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                                        "libheadroom_count.so" if COUNTED else "libheadroom_card.so"))
        card.headroom_run_begin_phase.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        card.headroom_run_answer.argtypes = [ctypes.c_char_p]
        return card
    except (OSError, AttributeError):
        return None


class Statistics:
    """PyTorch's counters of each device, with a peak for each phase that is open."""

    def __init__(self, torch, card_of):
        self.torch, self.card_of = torch, card_of
        self.lock = threading.RLock()
        self.read_raw = torch._C._cuda_memoryStats
        self.reset_raw = torch._C._cuda_resetPeakMemoryStats
        self.floors = {}  # by device: the program's peaks since its own last reset
        self.whole = {}  # by device: peaks of the whole run
        self.open = {}  # by phase: begin levels and peaks of each device
        self.ready = False

    def reset(self, device):
        """The program resets its peaks."""
        with self.lock:
            if self.ready:
                self.fold()
            self.floors.pop(device, None)
            self.reset_raw(device)

    def device_view(self, raw_read):
        @functools.wraps(raw_read)
        def read(device):
            if not self.ready:
                return raw_read(device)
            with self.lock:
                raw = raw_read(device)
                for name, kinds in self.floors.get(int(device), {}).items():
                    for kind, peak in kinds.items():
                        if name in raw and kind in raw[name]:
                            raw[name][kind]["peak"] = max(raw[name][kind]["peak"], peak)
                return raw

        return read

    def fold(self):
        """Takes the peaks of now into all that is open. @return raw statistics of each device"""
        found = {}
        for device in range(self.torch.cuda.device_count()):
            raw = self.read_raw(device)
            if raw["reserved_bytes"]["all"]["peak"] == 0 and device not in self.whole:
                continue
            found[device] = raw
            for peaks in [self.whole.setdefault(device, {})] + [
                    each.setdefault(device, {"begin": (0, 0)}) for each in self.open.values()]:
                for name, key in COUNTERS.items():
                    peaks[name] = max(peaks.get(name, 0), raw[key]["all"]["peak"])
        return found

    def begin(self, number):
        with self.lock:
            found = self.fold()
            fresh = self.open[number] = {}
            for device, raw in found.items():
                floors = self.floors.setdefault(device, {})
                for name, kinds in raw.items():
                    if isinstance(kinds, dict):
                        for kind, values in kinds.items():
                            if isinstance(values, dict) and "peak" in values:
                                floor = floors.setdefault(name, {})
                                floor[kind] = max(floor.get(kind, 0), values["peak"])
                self.reset_raw(device)
                fresh[device] = {"begin": (raw["allocated_bytes"]["all"]["current"],
                                           raw["reserved_bytes"]["all"]["current"])}

    def end(self, number):
        """Levels of the phase, as the log has them."""
        with self.lock:
            found = self.fold()
            peaks = self.open.pop(number, None)
            if peaks is None:  # it began before CUDA did: its peaks are those of the run
                peaks = {device: {"begin": (0, 0), **self.whole[device]} for device in found}
            return [self.levels(self.card_of(device), raw, peaks.get(device, {"begin": (0, 0)}))
                    for device, raw in found.items() if self.card_of(device) >= 0]

    def of_run(self):
        with self.lock:
            return [self.levels(self.card_of(device), raw, self.whole[device])
                    for device, raw in self.fold().items() if self.card_of(device) >= 0]

    @staticmethod
    def levels(device, raw, peaks):
        read = {"device": device}
        if "begin" in peaks:
            read["begin_allocated_bytes"], read["begin_reserved_bytes"] = peaks["begin"]
        for name, key in COUNTERS.items():
            current = raw[key]["all"]["current"]
            read[f"{name}_bytes"] = current
            read[f"{name}_peak_bytes"] = max(peaks.get(name, 0), current)
        read["retries"], read["refusals"] = raw["num_alloc_retries"], raw["num_ooms"]
        return read


class Watch:
    """Phases of a PyTorch program, and what it says when it fails."""

    READ_BEGIN, READ_END = 1, 2

    def __init__(self, torch, card):
        self.torch, self.card = torch, card
        self.statistics = Statistics(torch, card.headroom_run_card)
        self.phase = None  # (number, name) of the one that these hooks have open
        self.thread = threading.local()
        self.owner = None  # thread of the forward that is open
        self.cold, self.updated, self.trained = True, False, False
        self.roots = set()
        self.weights = None
        self.reader = None
        self.process = 0  # that uses CUDA: a child made by fork cannot
        self.watching = False  # forwards are phases

    def install(self):
        torch, statistics = self.torch, self.statistics
        torch.nn.Module.__call__ = self.around_forward(torch.nn.Module.__call__)
        self.hide_from_compiler()
        torch._C._cuda_memoryStats = statistics.device_view(statistics.read_raw)
        torch._C._cuda_resetPeakMemoryStats = lambda device: statistics.reset(int(device))
        if hasattr(torch._C, "_accelerator_getDeviceStats"):
            torch._C._accelerator_getDeviceStats = statistics.device_view(torch._C._accelerator_getDeviceStats)
            torch._C._accelerator_resetPeakStats = lambda device: statistics.reset(int(device))
        self.replace_excepthook()
        atexit.register(self.at_exit)
        AT_EXIT.append(self.at_exit)
        torch.cuda._lazy_call(self.cuda_begins)

    def cuda_begins(self):
        try:
            self.look_on()
        except Exception as fault:  # the program must run as ever; the run says what it lacks
            tell({"event": "gap", "what": f"PyTorch could not be looked at: {fault!r}"})

    def look_on(self):
        self.statistics.ready = True
        self.process = os.getpid()
        self.reader = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_int)(self.read)
        self.card.headroom_run_set_reader(self.reader)
        try:
            self.torch._C._cuda_attach_out_of_memory_observer(self.refused)
        except Exception:  # a private interface: without it the last words still tell
            pass
        self.tell_framework()
        if SNAPSHOT:
            self.torch.cuda.memory._record_memory_history("all", context=None, max_entries=100_000_000)
        if PHASES == "auto":
            self.watch_phases()
            self.begin("model_load")

    def read(self, what, number):
        """Called at the boundaries of every phase, these hooks' and NVTX's."""
        try:
            if what == self.READ_BEGIN:
                self.statistics.begin(number)
            else:
                self.card.headroom_run_answer(json.dumps(self.statistics.end(number)).encode())
                self.tell_framework()
        except Exception as fault:
            tell({"event": "gap", "what": f"PyTorch's statistics could not be read: {fault!r}"})

    def watch_phases(self):
        torch = self.torch
        self.watching = True
        for name in ("backward", "grad"):
            setattr(torch.autograd, name, self.around_backward(getattr(torch.autograd, name)))
        optimizer = importlib.import_module("torch.optim.optimizer")
        optimizer.register_optimizer_step_pre_hook(self.update_begins)
        optimizer.register_optimizer_step_post_hook(self.update_ends)

    def begin(self, name):
        self.end()
        number = self.card.headroom_run_begin_phase(name.encode(), b"pytorch")
        self.phase = (number, name)

    def end(self, failed=False):
        if self.phase is not None:
            self.card.headroom_run_end_phase(self.phase[0], int(failed))
            self.phase = None

    def named(self, kind):
        return ("cold_" if self.cold else "warm_") + kind

    def within(self, *kinds):
        return self.phase is not None and self.phase[1].endswith(kinds)

    def forward_begins(self, module):
        depth = self.thread.depth = getattr(self.thread, "depth", 0) + 1
        if depth > 1 or self.owner is not None or self.within("backward", "update"):
            return
        learns = self.torch.is_grad_enabled()
        if self.updated or (not learns and not self.trained and id(module) in self.roots):
            self.cold = False
        self.owner = threading.get_ident()
        if isinstance(module, self.torch.nn.modules.loss._Loss):
            if not self.within("loss"):
                self.begin(self.named("loss"))
            return
        self.roots.add(id(module))
        if self.weights is None:  # before FSDP gathers the root's parts; a lazy module has none yet
            self.weights = self.parameters_of(module) or None
        self.begin("evaluation" if self.trained and not learns else self.named("forward"))

    def forward_ends(self, module, result):
        self.thread.depth = getattr(self.thread, "depth", 1) - 1
        if self.thread.depth > 0 or self.owner != threading.get_ident():
            return
        self.owner = None
        if not self.within("forward", "evaluation"):
            return
        if self.weights is None and self.within("forward"):
            self.weights = self.parameters_of(module)
        if result is not None and self.within("forward") and self.torch.is_grad_enabled():
            self.begin(self.named("loss"))
        else:
            self.end()

    def around_forward(self, original):
        """Not by PyTorch's hooks on all modules: torch.compile warns of them and makes other graphs. In its
        place before torch.compile's own modules are imported, this is what they take for the call itself."""

        @functools.wraps(original)
        def call(module, *arguments, **named):
            if not self.watching:
                return original(module, *arguments, **named)
            self.forward_begins(module)
            result = None
            try:
                result = original(module, *arguments, **named)
                return result
            finally:
                self.forward_ends(module, result)

        return call

    def hide_from_compiler(self):
        """torch.compile looks at every function that is called while what it compiled runs, but at none of these."""
        frames = getattr(getattr(self.torch._C, "_dynamo", None), "eval_frame", None)
        if hasattr(frames, "set_code_exec_strategy"):  # since PyTorch 2.7
            alone = frames._FrameExecStrategy(frames._FrameAction.SKIP, frames._FrameAction.DEFAULT)
        elif not hasattr(frames, "skip_code"):
            return

        def skip(code):
            if hasattr(frames, "skip_code"):
                frames.skip_code(code)
            else:
                frames.set_code_exec_strategy(code, alone)

        functions = [getattr(each, "__func__", each) for kind in (Watch, Statistics) for each in vars(kind).values()]
        codes = [each.__code__ for each in (tell, *functions) if hasattr(each, "__code__")]
        while codes:
            code = codes.pop()
            skip(code)
            codes += [each for each in code.co_consts if hasattr(each, "co_consts")]

    def around_backward(self, original):
        @functools.wraps(original)
        def backward(*arguments, **named):
            if self.owner is not None or self.within("backward", "update"):
                return original(*arguments, **named)
            self.trained = True
            self.begin(self.named("backward"))
            try:
                result = original(*arguments, **named)
            except BaseException:
                self.end(failed=True)
                raise
            self.end()
            return result

        return backward

    def is_compiling(self):
        """Whether torch.compile reads the caller, to make a graph of it."""
        compiler = getattr(self.torch, "compiler", None)
        return compiler is not None and compiler.is_dynamo_compiling()

    def update_begins(self, *_):
        if self.is_compiling():
            return
        self.begin(self.named("update"))

    def update_ends(self, *_):
        if self.is_compiling():
            return
        self.end()
        self.updated = True

    def parameters_of(self, module):
        """Parameters on a device, by dtype: of a sharded tensor, the part that is here."""
        found = {}
        try:
            for each in module.parameters():
                here = each.to_local() if hasattr(each, "to_local") else each
                if here.is_cuda:
                    key = (str(here.dtype).replace("torch.", ""), here.element_size() * 8)
                    found[key] = found.get(key, 0) + here.numel()
        except Exception:
            return []
        return [{"dtype": dtype, "bits": bits, "parameters": count}
                for (dtype, bits), count in found.items() if count > 0]

    def refused(self, device, requested, *_):
        tell({"event": "framework_refused", "device": self.card.headroom_run_card(device), "requested_bytes": requested,
              "phase": self.card.headroom_run_innermost_phase()})

    def tell_framework(self):
        settings = os.environ.get("PYTORCH_ALLOC_CONF") or os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
        tell({"event": "framework", "name": f"pytorch {self.torch.__version__}",
              "allocator": self.torch.cuda.get_allocator_backend(), "settings": settings,
              "devices": self.statistics.of_run(), "weights": self.weights or []})

    def replace_excepthook(self):
        before = sys.excepthook

        def last_words(kind, value, trace):
            refused = isinstance(value, self.torch.cuda.OutOfMemoryError)
            tell({"event": "exception", "message": f"{kind.__name__}: {value}", "out_of_memory": refused})
            before(kind, value, trace)

        sys.excepthook = last_words

    def write_snapshot(self):
        """The allocation log, under the name asked for, or with the process's number where that is taken."""
        if SNAPSHOT:
            self.torch.cuda.memory._dump_snapshot(f"{SNAPSHOT}.{os.getpid()}" if os.path.exists(SNAPSHOT) else SNAPSHOT)

    def at_exit(self):
        if not self.statistics.ready or self.process != os.getpid():
            return
        try:
            self.end()
            self.tell_framework()
            self.write_snapshot()
        except Exception as fault:
            tell({"event": "gap", "what": f"PyTorch's last statistics could not be read: {fault!r}"})
        finally:
            self.card.headroom_run_set_reader(None)


class Finder:
    """Lets torch be imported as ever, and looks on from then on. Many look for it before they import it
    (importlib.util.find_spec), some without importing it at all."""

    def __init__(self):
        self.within = threading.local()

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or getattr(self.within, "asks", False):
            return None
        self.within.asks = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.within.asks = False
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            card = the_card()
            if card is None or not hasattr(module._C, "_cuda_memoryStats"):
                return
            try:
                Watch(module, card).install()
            except Exception as fault:  # the program must run as ever; the run says what it lacks
                tell({"event": "gap", "what": f"PyTorch could not be looked at: {fault!r}"})

        spec.loader.exec_module = exec_module
        return spec


def watch_exit():
    """Workers of multiprocessing, and others, end by os._exit, which runs no exit handlers: what they would
    say then is said before. Not out of other threads, which may end a process whose first one hangs."""
    leave = os._exit

    @functools.wraps(leave)
    def _exit(status):
        if threading.current_thread() is threading.main_thread() and (card := the_card()) is not None:
            for last_words in AT_EXIT:
                last_words()
            card.headroom_run_end(operator.index(status))
        leave(status)

    os._exit = _exit


def watch_imports():
    sys.meta_path.insert(0, Finder())
    watch_exit()
