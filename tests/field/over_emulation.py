# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""What the runners of the field tests share: packages of a Python, and a program's environment over the emulated card."""
import json
import os
import re
import subprocess
import sys

BY_MAJOR = {
    "12": "cudart.so.12 cublas.so.12 cublasLt.so.12 cufft.so.11 cusolver.so.11 nvrtc.so.12 cupti.so.12",
    "13": "cudart.so.13 cublas.so.13 cublasLt.so.13 cufft.so.12 cusolver.so.12 nvrtc.so.13 cupti.so.13",
}
OF_BOTH = "cuda.so.1 nvidia-ml.so.1 cudnn.so.9 nccl.so.2 cusparse.so.12 cusparseLt.so.0 curand.so.10 cufile.so.0 nvshmem_host.so.3"
QUESTION = """
import importlib.metadata, json, pathlib, re, sys
found = {name: importlib.metadata.version(name) for name in sys.argv[1:]}
text = pathlib.Path(importlib.metadata.distribution('torch').locate_file('torch/version.py')).read_text()
print(json.dumps([found, re.search(r"^cuda[^=]*= '([0-9]+)", text, re.M).group(1)]))
"""


def packages(python, *names):
    """Versions of the packages, and CUDA's major version. Ends with 77 where one lacks, with the reason."""
    done = subprocess.run([python, "-c", QUESTION, "torch", *names], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"skipped: {python}: {(done.stderr.strip().splitlines() or ['does not run'])[-1]}")
        sys.exit(77)
    return json.loads(done.stdout)


def environment(folder, major, card, **more):
    """A program's environment: its own search path may come first, so libraries are named as well."""
    names = (BY_MAJOR[major] + " " + OF_BOTH).split()
    preload = ":".join(str(folder / ("lib" + name)) for name in names)
    return {**os.environ, "HEADROOM_EMULATED_CARD": card, "LD_LIBRARY_PATH": str(folder), "LD_PRELOAD": preload,
            "OMP_NUM_THREADS": "1", **more}


def fill(page, mark, lines):
    """Puts the lines between a page's marks."""
    text = page.read_text(encoding="utf-8")
    body = "\n".join((f"<!-- {mark} -->", *lines, "<!-- end -->"))
    page.write_text(re.sub(f"<!-- {mark} -->.*?<!-- end -->", lambda _: body, text, count=1, flags=re.S), encoding="utf-8")
