// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/core/error.hpp>
#include <headroom/series/workload_registry.hpp>

namespace headroom {
namespace {

workload_entry plain_entry(std::string name) {
  workload_entry entry;
  entry.name = std::move(name);
  entry.operations = {"forward"};
  entry.dtypes = {"float32"};
  entry.dimensions = {{"batch", "sequences of one pass"}};
  entry.make = [](const workload_description& of) -> std::unique_ptr<workload> {
    throw usage_error("made " + of.name);
  };
  return entry;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const usage_error& fault) {
    return fault.what();
  }
  return "nothing was refused";
}

TEST(WorkloadRegistry, MakesTheOneThatIsNamed) {
  workload_registry all;
  all.add(plain_entry("fluid"));
  all.add(plain_entry("solid"));
  workload_description work;
  work.name = "solid";
  EXPECT_EQ(refusal([&] { static_cast<void>(all.make(work)); }), "made solid");
}

TEST(WorkloadRegistry, NamesTheNearest) {
  workload_registry all;
  EXPECT_EQ(refusal([&] { static_cast<void>(all.at("fluid")); }),
            "there is no workload \"fluid\": this program has none");
  all.add(plain_entry("fluid"));
  EXPECT_EQ(refusal([&] { static_cast<void>(all.at("fluids")); }),
            "there is no workload \"fluids\"; there is \"fluid\"");
  EXPECT_EQ(refusal([&] { static_cast<void>(all.at("decoder")); }),
            "there is no workload \"decoder\"; there is \"fluid\"");
}

TEST(WorkloadRegistry, RefusesWhatNoCommandLineCouldName) {
  workload_registry all;
  all.add(plain_entry("fluid"));
  EXPECT_EQ(refusal([&] { all.add(plain_entry("fluid")); }),
            "workload \"fluid\": there is one of that name already");
  workload_entry wrong = plain_entry("wrong");
  wrong.dimensions[0].name = "Batch size";
  EXPECT_EQ(refusal([&] { all.add(wrong); }),
            "workload \"wrong\": the dimension \"Batch size\" cannot be an option; write its name "
            "with a-z, 0-9 and _, a letter first");
  wrong = plain_entry("wrong");
  wrong.make = nullptr;
  EXPECT_EQ(refusal([&] { all.add(wrong); }),
            "workload \"wrong\": it cannot be made; give the function make");
  EXPECT_EQ(all.entries().size(), 1U);
}

}  // namespace
}  // namespace headroom
