// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "profile.hpp"

#include <headroom/core/bytes.hpp>
#include <headroom/core/size_text.hpp>

namespace headroom::emulation {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t gb = 1000 * 1000 * 1000;

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

/// Capacities are the nominal ones of the makers' data sheets (basis: assumed); processors and
/// caches from the architectures' white papers.
struct known_card {
  const char* id;
  const char* name;
  std::uint64_t capacity;
  int major, minor, processors;
  std::uint64_t level2_cache;
};
constexpr known_card known_cards[] = {
    {"a100-40gb", "Emulated A100 40GB", 40 * gb, 8, 0, 108, 40 * mib},
    {"a100-80gb", "Emulated A100 80GB", 80 * gb, 8, 0, 108, 40 * mib},
    {"a10g", "Emulated A10G", 24 * gb, 8, 6, 80, 6 * mib},
    {"b200", "Emulated B200", 180 * gb, 10, 0, 148, 126 * mib},
    {"h100", "Emulated H100", 80 * gb, 9, 0, 132, 50 * mib},
    {"h200", "Emulated H200", 141 * gb, 9, 0, 132, 50 * mib},
    {"l4", "Emulated L4", 24 * gb, 8, 9, 58, 48 * mib},
    {"l40s", "Emulated L40S", 48 * gb, 8, 9, 142, 96 * mib},
    {"rtx4090", "Emulated RTX 4090", 24 * gb, 8, 9, 128, 72 * mib},
    {"rtx6000-ada", "Emulated RTX 6000 Ada", 48 * gb, 8, 9, 142, 96 * mib},
    {"t4", "Emulated T4", 16 * gb, 7, 5, 40, 4 * mib},
};

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

std::optional<card_profile> find_profile(std::string_view id) {
  for (const known_card& known : known_cards) {
    if (id != known.id) continue;
    card_profile profile;
    profile.id = known.id;
    profile.name = known.name;
    profile.capacity = known.capacity;
    profile.processors = known.processors;
    profile.level2_cache = known.level2_cache;
    if (set_capability(profile, known.major, known.minor)) return profile;
  }
  return std::nullopt;
}

std::string profile_ids() {
  std::string text;
  for (const known_card& known : known_cards) {
    if (!text.empty()) text += ", ";
    text += known.id;
  }
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
