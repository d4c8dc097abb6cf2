// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <vector>

namespace headroom::emulation {

/// The places of the cards that CUDA shows, in its order, as CUDA_VISIBLE_DEVICES says: numbers or
/// the beginnings of identifiers ("GPU-6865"). As with the driver the list ends before the first
/// word that names no card, and names one twice shows none.
/// @param text  null: all of them
[[nodiscard]] std::vector<int> visible_cards(const char* text, int cards);

/// "GPU-68656164-726f-6f6d-0000-000000000000", the card's place in the last two digits.
[[nodiscard]] std::string card_identifier(int place);

}  // namespace headroom::emulation
