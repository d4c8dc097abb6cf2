# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Brings headroom_run into the Python processes of `headroom run`, then runs the sitecustomize that
this one stands before, as if it were alone."""
import importlib.machinery
import importlib.util
import os
import sys


def _run_the_next():
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if os.environ.get("HEADROOM_COUNT_LOG") or os.environ.get("HEADROOM_RUN_LOG"):
    import headroom_run

    headroom_run.watch_imports()
_run_the_next()
