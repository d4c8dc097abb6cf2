# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""The allocator settings of a memory snapshot, as the settings of a trace."""

import re

from headroom_trace import Problem, shown

TRACE_SETTINGS = (
    "max_split_size_mb",
    "max_non_split_rounding_mb",
    "roundup_power2_divisions",
    "garbage_collection_threshold",
    "per_process_memory_fraction",
    "expandable_segments",
)
MIB = 2**20


def trace_settings(found):
    """@return ({name: value} for the trace, names that a trace has no place for)"""
    text = found.get("PYTORCH_CUDA_ALLOC_CONF", "")
    if not isinstance(text, str):
        raise Problem(f"allocator_settings.PYTORCH_CUDA_ALLOC_CONF: found {shown(text)}; expected a text")
    settings, others = {}, []
    for name, value in _split(text):
        if name in TRACE_SETTINGS:
            settings[name] = value
        elif name:
            others.append(name)
    for name, value in _values(found):  # set by a call, so that the text does not have it
        settings.setdefault(name, value)
    return {name: settings[name] for name in TRACE_SETTINGS if name in settings}, others


def memory_fraction(settings):
    """The share of the card that PyTorch may take."""
    return _share(settings, "per_process_memory_fraction") or 1.0


def garbage_collection_threshold(settings):
    """@return a share of what PyTorch may take, or None where nothing is collected"""
    return _share(settings, "garbage_collection_threshold")


def _share(settings, name):
    text = settings.get(name)
    if text is None:
        return None
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0.0 < share <= 1.0:
        raise Problem(f"allocator_settings: {name} is {shown(text)}; expected a number above 0, at most 1")
    return share


def _split(text):
    """NAME:VALUE pairs; a VALUE may be a list in brackets."""
    text = re.sub(r"\s", "", text)
    if not re.fullmatch(r"[!-~]{0,4096}", text):
        raise Problem(
            f"allocator_settings.PYTORCH_CUDA_ALLOC_CONF: found {shown(text)}; expected NAME:VALUE,..."
        )
    for pair in re.findall(r"(?:\[[^]]*\]|[^,\[])+", text):
        name, _, value = pair.partition(":")
        if not name or not value:
            raise Problem(
                f"allocator_settings.PYTORCH_CUDA_ALLOC_CONF: found {shown(pair)}; expected NAME:VALUE"
            )
        yield name, value


def _values(found):
    split = found.get("max_split_size")
    if type(split) is int and 0 < split < 2**62 and split % MIB == 0:
        yield "max_split_size_mb", str(split // MIB)
    threshold = found.get("garbage_collection_threshold")
    if type(threshold) is float and 0.0 < threshold < 1.0:
        yield "garbage_collection_threshold", repr(threshold)
    if found.get("expandable_segments") is True:
        yield "expandable_segments", "True"
    divisions = found.get("roundup_power2_divisions")
    if isinstance(divisions, dict):
        listed = [
            (key, value)
            for key, value in divisions.items()
            if isinstance(key, str) and key.isdecimal() and type(value) is int and value > 0
        ]
        if listed and len({value for _, value in listed}) == 1 and len(listed) == len(divisions):
            yield "roundup_power2_divisions", str(listed[0][1])
        elif listed:
            listed.sort(key=lambda pair: int(pair[0]))
            yield "roundup_power2_divisions", "[" + ",".join(f"{key}:{value}" for key, value in listed) + "]"
