// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "card_survey.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

namespace headroom::cli {
namespace {

// As far as they are used, in the driver's own numbers: 0 is success.
constexpr int capability_major = 75;
constexpr int capability_minor = 76;

template <class Function>
Function* function(void* driver, const char* name) {
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

std::string identifier_text(const std::array<unsigned char, 16>& bytes) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

nlohmann::json describe(void* driver, int number) {
  std::array<char, 256> name{};
  std::array<unsigned char, 16> identifier{};
  int device = 0;
  int major = 0;
  int minor = 0;
  std::size_t capacity = 0;
  auto* const get = function<int(int*, int)>(driver, "cuDeviceGet");
  auto* const get_name = function<int(char*, int, int)>(driver, "cuDeviceGetName");
  auto* const get_identifier = function<int(void*, int)>(driver, "cuDeviceGetUuid_v2");
  auto* const get_total = function<int(std::size_t*, int)>(driver, "cuDeviceTotalMem_v2");
  auto* const get_attribute = function<int(int*, int, int)>(driver, "cuDeviceGetAttribute");
  if (get == nullptr || get_name == nullptr || get_identifier == nullptr || get_total == nullptr ||
      get_attribute == nullptr || get(&device, number) != 0 ||
      get_name(name.data(), static_cast<int>(name.size()) - 1, device) != 0 ||
      get_identifier(identifier.data(), device) != 0 || get_total(&capacity, device) != 0 ||
      get_attribute(&major, capability_major, device) != 0 ||
      get_attribute(&minor, capability_minor, device) != 0) {
    return {};
  }
  return {{"name", name.data()},
          {"identifier", identifier_text(identifier)},
          {"capability", fmt::format("{}.{}", major, minor)},
          {"capacity", capacity}};
}

nlohmann::json ask_driver() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) {
    return {{"missing",
             "no CUDA driver was found (libcuda.so.1); install NVIDIA's driver, or name "
             "an emulated card"}};
  }
  nlohmann::json found{{"emulated", dlsym(driver, "headroom_emulation_calls") != nullptr},
                       {"cards", nlohmann::json::array()}};
  auto* const begin = function<int(unsigned)>(driver, "cuInit");
  const int answer = begin == nullptr ? -1 : begin(0);
  if (answer != 0) {
    found["missing"] = fmt::format("the CUDA driver does not start: error {} of cuInit", answer);
    return found;
  }
  int version = 0;
  int count = 0;
  if (auto* const get = function<int(int*)>(driver, "cuDriverGetVersion")) get(&version);
  if (auto* const get = function<int(int*)>(driver, "cuDeviceGetCount")) get(&count);
  found["driver"] = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  for (int number = 0; number < count; ++number) {
    const nlohmann::json one = describe(driver, number);
    if (one.is_null()) {
      found["missing"] = fmt::format("the CUDA driver does not describe its device {}", number);
      return found;
    }
    found["cards"].push_back(one);
  }
  if (count == 0) found["missing"] = "the CUDA driver shows no device";
  return found;
}

/// What a child process finds, as text; "" where it ended before.
std::string answer_of_child() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const std::string text =
        ask_driver().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const bool whole =
        ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(whole ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got = 0;
       child > 0 && ((got = ::read(ends[0], block.data(), block.size())) > 0 || errno == EINTR);) {
    if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    errno = 0;
  }
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

card_survey survey_cards() {
  card_survey survey;
  const nlohmann::json found = nlohmann::json::parse(answer_of_child(), nullptr, false);
  if (!found.is_object()) {
    survey.missing = "the CUDA driver ended the process that asked it";
    return survey;
  }
  survey.missing = found.value("missing", "");
  survey.emulated = found.value("emulated", false);
  survey.driver = found.value("driver", "");
  if (!survey.missing.empty()) return survey;
  for (const nlohmann::json& each : found["cards"]) {
    survey.cards.push_back({each.value("name", ""), each.value("identifier", ""),
                            each.value("capability", ""),
                            bytes{each.value("capacity", std::int64_t{0})}});
  }
  return survey;
}

}  // namespace headroom::cli
