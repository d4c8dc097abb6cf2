// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "profile.hpp"

#include <headroom/core/bytes.hpp>
#include <headroom/core/card.hpp>
#include <headroom/core/size_text.hpp>

namespace headroom::emulation {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;

/// Limits by compute capability, as the CUDA programming guide's table of technical
/// specifications gives them.
struct architecture {
  int major, minor;
  std::uint64_t shared_per_processor, shared_per_block_optin;
  int threads_per_processor, blocks_per_processor;
};
constexpr architecture architectures[] = {
    {7, 0, 96 * kib, 96 * kib, 2048, 32},   {7, 5, 64 * kib, 64 * kib, 1024, 16},
    {8, 0, 164 * kib, 163 * kib, 2048, 32}, {8, 6, 100 * kib, 99 * kib, 1536, 16},
    {8, 7, 164 * kib, 163 * kib, 1536, 16}, {8, 9, 100 * kib, 99 * kib, 1536, 24},
    {9, 0, 228 * kib, 227 * kib, 2048, 32}, {10, 0, 228 * kib, 227 * kib, 2048, 32},
    {12, 0, 100 * kib, 99 * kib, 1536, 32},
};

std::uint64_t unsigned_of(bytes size) { return static_cast<std::uint64_t>(size.n); }

}  // namespace

bool set_capability(card_profile& profile, int major, int minor) {
  for (const architecture& known : architectures) {
    if (known.major != major || known.minor != minor) continue;
    profile.major = major;
    profile.minor = minor;
    profile.shared_per_processor = known.shared_per_processor;
    profile.shared_per_block_optin = known.shared_per_block_optin;
    profile.threads_per_processor = known.threads_per_processor;
    profile.blocks_per_processor = known.blocks_per_processor;
    return true;
  }
  return false;
}

std::string known_capabilities() {
  std::string text;
  for (const architecture& known : architectures) {
    if (!text.empty()) text += ", ";
    text += std::to_string(known.major) + "." + std::to_string(known.minor);
  }
  return text;
}

std::optional<card_profile> profile_of(const headroom::card& described) {
  card_profile profile;
  const compute_capability& version = described.capability.value;
  if (!set_capability(profile, version.major, version.minor)) return std::nullopt;
  profile.id = described.name;
  profile.name = "Emulated " + described.title;
  profile.capacity = unsigned_of(described.capacity());
  profile.processors = described.multiprocessors.value;
  profile.level2_cache = unsigned_of(described.level2_cache.value);
  profile.shared_per_processor = unsigned_of(described.shared_per_multiprocessor.value);
  profile.shared_per_block_optin = unsigned_of(described.shared_per_block.value);
  return profile;
}

std::optional<card_profile> find_profile(std::string_view id) {
  const std::optional<headroom::card> known = find_card(id);
  return known ? profile_of(*known) : std::nullopt;
}

std::string profile_ids() {
  std::string text;
  for (const std::string& name : card_names()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<card_profile> profile_of_size(std::uint64_t capacity, int major, int minor) {
  card_profile profile;
  profile.id = std::to_string(capacity) + " B";
  profile.name = "Emulated " + format_bytes(bytes{static_cast<std::int64_t>(capacity)});
  profile.capacity = capacity;
  profile.processors = 132;
  profile.level2_cache = 50 * mib;
  if (!set_capability(profile, major, minor)) return std::nullopt;
  return profile;
}

}  // namespace headroom::emulation
