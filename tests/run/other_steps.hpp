// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

/// Steps of program.cpp that take memory in other ways than cudaMalloc. Errors go to standard
/// error.
///   driver=BYTES lookup=BYTES entry=BYTES (cuMemAlloc, found by dlsym, cuGetProcAddress and
///   cudaGetDriverEntryPointByVersion)  driver_give (the last of these)  version=BYTES (cudaMalloc,
///   found by dlvsym)
///   create=BYTES (memory without an address, mapped, its handle kept twice)  unmap  release (once)
///   pitch=BYTES (ten rows)  pool=BYTES (of a pool of its own)  destroy (that pool, then its block)
///   graph=BYTES (captured, launched twice: given back within)  keep=BYTES (not given back)
///   trim (what graphs left)  reset (the device)  threads=N (each takes and gives back)
///   spread=N (128 blocks, taken by N threads, all held at once, then a half given back)
///   share=PERCENT (of the card)  managed=BYTES  launch=N (kernels)
/// and steps that a careful program leaves out: clearenv, _exit=CODE, most_files=N, file_size=BYTES
/// (limits of the process).
/// @return whether there is such a step
bool other_step(const std::string& name, long number);
