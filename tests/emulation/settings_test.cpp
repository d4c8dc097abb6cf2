// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include "api.hpp"

namespace {

/// What a program's first call does with these settings.
void first_call() {
  int count = 0;
  std::exit(cudaGetDeviceCount(&count) == cudaSuccess ? 0 : 1);
}

void expect_refused(const std::string& text) {
  EXPECT_EXIT(first_call(), testing::ExitedWithCode(3), text);
}

/// A file of the sources. A build that was carried elsewhere has none: the question is not asked.
std::string source_file(const std::string& name) {
  const std::string file = HEADROOM_SOURCE_DIR "/" + name;
  if (access(file.c_str(), R_OK) != 0) not_asked("the sources are not here: " + file);
  return file;
}

TEST(EmulatedSettings, ValidOnesAreTaken) {
  set_card("CARD", "24 GB");
  set_card("CAPABILITY", "8.0");
  set_card("DEVICES", "8");
  set_card("CONTEXT", "400 MiB");
  set_card("CONTENTS", "none");
  set_card("UNMODELLED", "warn");
  EXPECT_EXIT(first_call(), testing::ExitedWithCode(0), "");
}

TEST(EmulatedSettings, ACardMustBeNamed) {
  // A process that starts without: one that clears its environment keeps the card that it began
  // with.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  unsetenv("HEADROOM_EMULATED_CARD");
  expect_refused("HEADROOM_EMULATED_CARD is not set: which card. Write a size .*a100-40gb");
}

TEST(EmulatedSettings, ACardNeedsCapacity) {
  set_card("CARD", "0 B");
  expect_refused("HEADROOM_EMULATED_CARD=\"0 B\": a card without capacity");
}

TEST(EmulatedSettings, AnUnknownCardIsRefusedWithTheKnownOnes) {
  set_card("CARD", "rtx4080");
  expect_refused("\"rtx4080\": neither a size .* nor a known card; write \"rtx4090\"");
}

TEST(EmulatedSettings, ACardNearNoneIsRefusedWithAllOfThem) {
  set_card("CARD", "voodoo");
  expect_refused("\"voodoo\": .* the cards are \"a100-40gb\", .* and \"t4\"");
}

TEST(EmulatedSettings, ACardMayComeFromAFile) {
  set_card("CARD", source_file("cards/t4.json"));
  EXPECT_EXIT(first_call(), testing::ExitedWithCode(0), "");
}

TEST(EmulatedSettings, AFileThatIsNoCardIsRefusedWithItsFaults) {
  set_card("CARD", source_file("CMakePresets.json"));
  expect_refused("CMakePresets.json.*key \"schema\" is missing");
}

TEST(EmulatedSettings, AnAmbiguousSizeIsRefused) {
  set_card("CARD", "24 KB");
  expect_refused("24 KB.*kB.*KiB");
}

TEST(EmulatedSettings, EveryFaultIsNamed) {
  set_card("DEVICES", "0");
  set_card("CONTENTS", "some");
  set_card("CAPABILITY", "3.5");
  expect_refused(
      "CAPABILITY=\"3.5\": not a known compute capability.*\n.*CONTENTS=\"some\": write one of "
      "all, "
      "none, small\n.*DEVICES=\"0\": write a whole number from 1 to 64");
}

TEST(EmulatedSettings, ATypingMistakeIsNotPassedOver) {
  set_card("DEVICE", "2");
  expect_refused("HEADROOM_EMULATED_DEVICE=\"2\": no such setting; there are CARD");
}

TEST(EmulatedSettings, AContextMustFit) {
  set_card("CONTEXT", "1 GiB");
  expect_refused("HEADROOM_EMULATED_CONTEXT leaves nothing of the card's capacity");
}

}  // namespace
