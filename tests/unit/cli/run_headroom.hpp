// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/cli/exit_code.hpp>
#include <headroom/cli/program.hpp>
#include <headroom_kernels/workloads.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace headroom::cli {

/// For GoogleTest's messages.
inline void PrintTo(exit_code code, std::ostream* out) { *out << static_cast<int>(code); }

/// What one run of the program printed, and how it ended.
struct ended {
  exit_code code;
  std::string out;
  std::string err;
};

/// The program under test: headroom with its workloads.
inline program tested_program() {
  program of;
  of.workloads = kernels::bundled_workloads();
  of.libraries = {{"BLAS", "a matrix library"}};
  return of;
}

/// Runs a command in this process. @param input what stands on its standard input
inline ended run_program(const program& of, const std::string& executable,
                         const std::vector<std::string>& arguments, const std::string& input = "",
                         bool terminal = false) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(of, arguments, {in, out, err, terminal, executable});
  return {static_cast<exit_code>(code), out.str(), err.str()};
}

inline ended run_headroom(const std::vector<std::string>& arguments, const std::string& input = "",
                          bool terminal = false) {
  return run_program(tested_program(), HEADROOM_PROGRAM, arguments, input, terminal);
}

/// The text with a folder's path, which differs from run to run, as FOLDER.
inline std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    text.replace(at, folder.size(), "FOLDER");
  }
  return text;
}

/// What a command says of these arguments, which it refuses.
inline std::string refusal(const char* command, std::vector<std::string> arguments,
                           const std::string& input = "") {
  arguments.insert(arguments.begin(), command);
  const ended got = run_headroom(arguments, input);
  EXPECT_EQ(got.code, exit_code::invalid_input) << testing::PrintToString(arguments);
  EXPECT_EQ(got.out, "");
  return got.err;
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Options of a workload that runs in no time.
inline const std::vector<std::string> small_dense{
    "--workload", "dense",    "--batch", "1",         "--context", "8",        "--width",
    "16",         "--layers", "2",       "--repeats", "2",         "--warmup", "1"};

}  // namespace headroom::cli
