// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace headroom {
namespace {

const std::string examples = HEADROOM_SOURCE_DIR "/tests/schema/budget/";

struct outcome {
  int exit = -1;
  std::string output;
};

/// @param redirect "2>&1" for both streams, "2>/dev/null" for stdout, "2>&1 >/dev/null" for stderr
outcome validate(const std::string& arguments, const std::string& redirect) {
  outcome result;
  const std::string command =
      std::string("'" HEADROOM_VALIDATE_BUDGET "' ") + arguments + ' ' + redirect;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  return result;
}

std::string file(const char* name) { return "'" + examples + name + "' "; }

TEST(ValidateBudget, SaysNothingOfValidFiles) {
  const outcome result =
      validate(file("accept/minimal.json") + file("accept/devices.json"), "2>&1");
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.output, "");
}

TEST(ValidateBudget, PrintsEveryFaultOfEveryFileOnStderr) {
  const std::string files = file("reject/zero_bits.json") + file("accept/minimal.json") +
                            file("reject/unknown_counter.json") + "/nowhere/budget.json";
  const outcome faults = validate(files, "2>&1 >/dev/null");
  EXPECT_EQ(faults.exit, 3);
  EXPECT_EQ(faults.output,
            examples +
                "reject/zero_bits.json:8: /weights/0/bits: found the number 0; write an integer "
                "from 1 to 1024\n" +
                examples +
                "reject/unknown_counter.json:10: /limits: \"reserved_peak\" is not limited; write "
                "a size such as \"4 GiB\", \"envelope\", or {\"waived\": \"the reason\"}\n" +
                examples +
                "reject/unknown_counter.json:12: /limits/reserved_peek: unknown key "
                "\"reserved_peek\"; write \"reserved_peak\"\n"
                "/nowhere/budget.json: there is no such file; give the path of a file\n");
  EXPECT_EQ(validate(files, "2>/dev/null").output, "");
}

TEST(ValidateBudget, PrintsWhatATestNeeds) {
  const auto need = [](const char* name) {
    return validate("--print-vram-mib " + file(name), "2>/dev/null").output;
  };
  EXPECT_EQ(need("accept/minimal.json"), "64\n") << "limit of reserved_peak";
  EXPECT_EQ(need("accept/zero_limit.json"), "7\n") << "envelope of 6 MiB and 4000 B, rounded up";
  EXPECT_EQ(need("accept/devices.json"), "80\n") << "cold limit of one device";
  EXPECT_EQ(need("accept/cold_and_warm_apart.json"), "70\n");
  EXPECT_EQ(need("accept/largest_numbers.json"), "8796093022208\n");
  EXPECT_EQ(need("reject/zero_bits.json"), "");
}

TEST(ValidateBudget, RefusesArgumentsItDoesNotKnow) {
  EXPECT_EQ(validate("--print-vram", "2>&1").exit, 3);
  EXPECT_EQ(validate("--print-vram", "2>&1").output,
            "unknown option \"--print-vram\"; write --print-vram-mib, --help or a file\n");
  EXPECT_EQ(validate("", "2>&1").exit, 3);
  EXPECT_EQ(validate("--print-vram-mib", "2>&1").exit, 3);
  EXPECT_EQ(validate("--help", "2>/dev/null").exit, 0);
  EXPECT_EQ(validate("-- --help", "2>&1").exit, 3) << "the name of a file";
}

}  // namespace
}  // namespace headroom
