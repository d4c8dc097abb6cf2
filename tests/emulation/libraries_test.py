#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""libraries_test.py FOLDER SOURCES: the stand-in libraries as a loader and a program meet them.

Names, versions and SONAMEs are those of the real libraries; what is called without being modelled is
refused or warned of, and named in the report. One process for each case."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv[1])
SOURCES = pathlib.Path(sys.argv[2])
VERSIONED = [f"lib{name}.so.{major}" for name in ("cudart", "cublas", "cublasLt") for major in (12, 13)]
LIBRARIES = {**{name: name for name in VERSIONED}, "libcuda.so.1": None, "libnvidia-ml.so.1": None}
# Libraries whose work is not modelled: file, version of the symbols, a call and what it answers.
REFUSING = (
    ("libcufft.so.11", "libcufft.so.11", "cufftCreate", 16), ("libcufft.so.12", "libcufft.so.12", "cufftCreate", 16),
    ("libcusolver.so.11", "libcusolver.so.11", "cusolverDnCreate", 9),
    ("libcusolver.so.12", "libcusolver.so.12", "cusolverDnCreate", 9),
    ("libcusparse.so.12", "libcusparse.so.12", "cusparseCreate", 10), ("libcusparseLt.so.0", None, "cusparseLtInit", 10),
    ("libcurand.so.10", "libcurand.so.10", "curandCreateGenerator", 203),
    ("libnvrtc.so.12", "libnvrtc.so.12", "nvrtcCreateProgram", 11),
    ("libnvrtc.so.13", "libnvrtc.so.13", "nvrtcCreateProgram", 11),
    ("libnvJitLink.so.12", "libnvJitLink.so.12", "nvJitLinkDestroy", 6),
    ("libnvJitLink.so.13", "libnvJitLink.so.13", "nvJitLinkDestroy", 6),
    ("libcupti.so.12", "libcupti.so.12", "cuptiSubscribe", 27), ("libcupti.so.13", "libcupti.so.13", "cuptiSubscribe", 27),
    ("libcufile.so.0", None, "cuFileDriverOpen", 5007),
    ("libnvshmem_host.so.3", "NVSHMEM", "nvshmemid_hostlib_init_attr", 3),
    ("libcudnn.so.9", "libcudnn.so.9", "cudnnRNNForward", 3000), ("libnccl.so.2", None, "ncclCommGrow", 5),
)
LIBRARIES.update({name: version for name, version, _, _ in REFUSING})


def run(code, library="libcudart.so.13", **settings):
    """Runs Python code with the library loaded as `cuda`, in a process of its own."""
    environment = {"HEADROOM_EMULATED_" + name: value for name, value in settings.items()}
    environment.setdefault("HEADROOM_EMULATED_CARD", "1 GiB")
    environment["PATH"] = "/usr/bin:/bin"
    program = f"import ctypes, os, sys\ncuda = ctypes.CDLL({str(FOLDER / library)!r})\n" + code
    return subprocess.run([sys.executable, "-c", program], env=environment, text=True,
                          capture_output=True, timeout=60, check=False)


class Libraries(unittest.TestCase):
    def test_names_and_versions_are_those_of_the_real_libraries(self):
        for library, version in LIBRARIES.items():
            with self.subTest(library):
                lines = subprocess.run(["nm", "-D", "--defined-only", FOLDER / library], text=True,
                                       capture_output=True, check=True).stdout.splitlines()
                found = {line.split()[-1] for line in lines if line.split()[1] == "T"}
                wanted = (SOURCES / "symbols" / f"{library}.txt").read_text().split()
                self.assertGreater(len(wanted), 20)
                missing = {name + (f"@@{version}" if version else "") for name in wanted} - found
                self.assertEqual(missing, set())
                dynamic = subprocess.run(["readelf", "-d", FOLDER / library], text=True,
                                         capture_output=True, check=True).stdout
                self.assertIn(f"soname: [{library}]", dynamic)

    def test_a_call_that_is_not_modelled_is_refused_and_named(self):
        done = run("sys.exit(cuda.cudaCreateTextureObject() != 801)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("call not modelled: cudaCreateTextureObject (1)", done.stderr)

    def test_each_library_refuses_by_its_own_number(self):
        for library, call, number in (("libcublas.so.12", "cublasDdot_v2", 15), ("libcublasLt.so.13", "cublasLtMatrixTransform", 15),
                                      ("libnvidia-ml.so.1", "nvmlDeviceGetFanSpeed", 3),
                                      *((name, call, number) for name, _, call, number in REFUSING)):
            with self.subTest(library):
                done = run(f"sys.exit(cuda.{call}() != {number})", library=library)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"call not modelled: {call} (1)", done.stderr)

    def test_what_answers_with_text_a_pointer_or_a_length_gives_no_number_for_it(self):
        for library, call, kind, wanted in (
                ("libcusparse.so.12", "cusparseGetErrorName", "c_char_p", b"CUSPARSE_STATUS_NOT_SUPPORTED"),
                ("libcusparseLt.so.0", "cusparseLtGetErrorName", "c_char_p", b"CUSPARSE_STATUS_NOT_SUPPORTED"),
                ("libcudnn.so.9", "cudnnGetErrorString", "c_char_p", b"CUDNN_STATUS_NOT_SUPPORTED"),
                ("libnccl.so.2", "ncclGetErrorString", "c_char_p", b"unknown"),
                ("libnvrtc.so.13", "nvrtcGetErrorString", "c_char_p", b"unknown"),
                ("libnvshmem_host.so.3", "nvshmem_malloc", "c_void_p", None),
                ("libcufile.so.0", "cuFileRead", "c_ssize_t", -5007)):
            with self.subTest(call):
                argument = {"cusparseGetErrorName": 10, "cudnnGetErrorString": 3000}.get(call, 99)
                done = run(f"cuda.{call}.restype = ctypes.{kind}\nprint(repr(cuda.{call}({argument})))", library=library)
                self.assertEqual(done.stdout.strip(), repr(wanted), done.stderr)

    def test_every_library_gives_its_version(self):
        for library, call, wanted in (("libcusparse.so.12", "cusparseGetVersion", 12603), ("libcufft.so.11", "cufftGetVersion", 11401),
                                      ("libcufft.so.12", "cufftGetVersion", 12000), ("libcusolver.so.12", "cusolverGetVersion", 12004),
                                      ("libcurand.so.10", "curandGetVersion", 10400), ("libnccl.so.2", "ncclGetVersion", 23007)):
            with self.subTest(library):
                arguments = "None, ctypes.byref(n)" if call == "cusparseGetVersion" else "ctypes.byref(n)"
                done = run(f"n = ctypes.c_int()\nassert cuda.{call}({arguments}) == 0\nprint(n.value)", library=library)
                self.assertEqual(done.stdout.strip(), str(wanted), done.stderr)

    def test_a_refusal_of_another_library_is_not_the_runtimes_last_error(self):
        code = (f"ctypes.CDLL({str(FOLDER / 'libcublas.so.13')!r}).cublasDdot_v2()\n"
                "sys.exit(cuda.cudaGetLastError())")
        self.assertEqual(run(code).returncode, 0)

    def test_a_product_that_is_left_out_needs_a_handle(self):
        code = ("handle = ctypes.c_void_p()\n"
                "before = cuda.cublasDgemm_v2(None)\n"
                "cuda.cublasCreate_v2(ctypes.byref(handle))\n"
                "sys.exit((before, cuda.cublasDgemm_v2(handle)) != (1, 0))")
        done = run(code, library="libcublas.so.13")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_call_that_is_not_modelled_passes_with_a_warning_where_set(self):
        done = run("cuda.cudaCreateTextureObject(); sys.exit(cuda.cudaCreateTextureObject())",
                   UNMODELLED="warn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("cudaCreateTextureObject is not modelled; it did nothing"), 1)
        self.assertIn("call not modelled: cudaCreateTextureObject (2)", done.stderr)

    def test_the_report_says_what_was_called_and_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            name = pathlib.Path(folder, "report.json")
            code = ("at = ctypes.c_void_p()\n"
                    "cuda.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(3 << 20))\n"
                    "cuda.cudaFree(at)\ncuda.cudaCreateTextureObject()\n")
            first = run(code, REPORT=str(name))
            self.assertEqual(first.returncode, 0, first.stderr)
            report = json.loads(name.read_text())
            self.assertIs(report["prediction"], True)
            device = report["devices"][0]
            self.assertEqual((device["used_bytes"], device["used_peak_bytes"]), (0, 4 << 20))
            library = next(each for each in report["libraries"] if each["name"] == "libcudart.so.13")
            self.assertEqual(library["calls"], {"cudaMalloc": 1, "cudaFree": 1})
            self.assertEqual(library["unmodelled"], {"cudaCreateTextureObject": 1})
            run(code, REPORT=str(name))
            self.assertEqual(len(list(pathlib.Path(folder).iterdir())), 2, "nothing is overwritten")

    def test_a_static_runtime_is_named_with_what_to_change(self):
        done = run("t = ctypes.c_void_p(1)\n"
                   "sys.exit(cuda.cuGetExportTable(ctypes.byref(t), None) != 500 or t.value is not None)",
                   library="libcuda.so.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("links the CUDA runtime statically", done.stderr)
        self.assertIn("CMAKE_CUDA_RUNTIME_LIBRARY Shared", done.stderr)

    def test_another_driver_in_the_process_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "libcuda.so.1")
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", other], check=True)
            done = run(f"ctypes.CDLL({str(other)!r})\nn = ctypes.c_int()\ncuda.cudaGetDeviceCount(ctypes.byref(n))")
            self.assertEqual(done.returncode, 3)
            self.assertIn("both an emulated card and a driver", done.stderr)

    def test_a_runtime_of_another_major_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "libcudart.so.11.0")
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", other], check=True)
            done = run(f"ctypes.CDLL({str(other)!r})\nn = ctypes.c_int()\ncuda.cudaGetDeviceCount(ctypes.byref(n))")
            self.assertEqual(done.returncode, 3)
            self.assertIn("runtimes of CUDA 12 and 13 are emulated, and no others", done.stderr)

    def test_another_runtime_in_the_process_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "libcudart.so.13")
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", other], check=True)
            done = run(f"ctypes.CDLL({str(other)!r})\nn = ctypes.c_int()\ncuda.cudaGetDeviceCount(ctypes.byref(n))")
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"the CUDA runtime in this process is {other}, not the emulation's", done.stderr)

    def test_a_folder_may_be_named_by_a_relative_path(self):
        code = ("import ctypes, sys\n"
                "cuda = ctypes.CDLL('emulation/libcudart.so.13')\n"
                "n = ctypes.c_int()\nsys.exit(cuda.cudaGetDeviceCount(ctypes.byref(n)))")
        done = subprocess.run([sys.executable, "-c", code], cwd=FOLDER.parent, text=True, check=False,
                              env={"HEADROOM_EMULATED_CARD": "1 GiB"}, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_both_majors_share_one_card(self):
        code = (f"other = ctypes.CDLL({str(FOLDER / 'libcudart.so.12')!r})\n"
                "at = ctypes.c_void_p()\n"
                "cuda.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(4 << 20))\n"
                "free, total = ctypes.c_size_t(), ctypes.c_size_t()\n"
                "other.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))\n"
                "sys.exit(total.value - free.value != 4 << 20)")
        self.assertEqual(run(code).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
