// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cublas_library.hpp"

#include <gmock/gmock.h>

#include <headroom/core/error.hpp>
#include <string>

namespace headroom::kernels {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const char* file, const char* folder) {
  try {
    (void)cublas_library::load(file, folder);
  } catch (const device_error& error) {
    return error.what();
  }
  return "loaded";
}

TEST(CublasLibrary, SaysWhereItWasLookedFor) {
  EXPECT_THAT(
      refusal("libcublas.so.0", "/nowhere"),
      AllOf(HasSubstr("libcublas.so.0"), HasSubstr("/nowhere"), HasSubstr("LD_LIBRARY_PATH")));
}

TEST(CublasLibrary, RefusesALibraryWithoutItsCalls) {
  EXPECT_THAT(refusal("libm.so.6", "/nowhere"),
              AllOf(HasSubstr("libm.so.6 has no call cublasCreate_v2"), HasSubstr("CUDA")));
}

}  // namespace
}  // namespace headroom::kernels
