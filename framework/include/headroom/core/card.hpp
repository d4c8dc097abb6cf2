// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One figure of a card, with where it comes from.
template <class Value>
struct card_figure {
  Value value{};
  bool published = false;  ///< false: assumed
  std::string source;
};

struct compute_capability {
  int major = 0;
  int minor = 0;
};

/// A kind of card as data (`headroom-card/1`, folder cards): for emulated cards and planning.
struct card {
  std::string name;   ///< as in emulated:NAME: "rtx4090"
  std::string title;  ///< "GeForce RTX 4090"
  card_figure<bytes> nominal;
  std::optional<card_figure<bytes>> declared;  ///< what such a card tells programs, where known
  card_figure<compute_capability> capability;
  card_figure<int> multiprocessors;
  card_figure<bytes> level2_cache;
  card_figure<bytes> shared_per_multiprocessor;
  card_figure<bytes> shared_per_block;  ///< at most, when a kernel asks for it
  card_figure<bytes> workspace;         ///< of the matrix library, one handle
  card_figure<bytes> context;           ///< of a process, with the modules it loads

  /// Declared where that is known, else nominal.
  [[nodiscard]] bytes capacity() const { return declared ? declared->value : nominal.value; }
  /// "declared, published", "nominal, assumed to be what the card declares"
  [[nodiscard]] std::string_view capacity_words() const;
};

/// The cards that come with headroom, by name in alphabetical order.
[[nodiscard]] std::vector<std::string> card_names();
/// @return nothing where no card has the name
[[nodiscard]] std::optional<card> find_card(std::string_view name);
/// What to write in place of an unknown name: the nearest one, or all.
[[nodiscard]] std::string advice_for_card(std::string_view name);

/// @param file  stands for the text in messages
/// @throws usage_error with every fault, one a line
[[nodiscard]] card parse_card(std::string_view text, std::string_view file);
/// A file of one's own. @throws usage_error with every fault, one a line
[[nodiscard]] card read_card(const std::filesystem::path& file);

}  // namespace headroom
