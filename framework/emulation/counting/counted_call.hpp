// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "asked.hpp"
#include "ledger.hpp"
#include "real.hpp"

namespace headroom::counting {

constexpr int success = 0;
constexpr int out_of_memory = 2;  ///< the runtime's number and the driver's

/// Around one real call: calls it, and then, once, does what belongs in the books.
/// @param body  () -> int, the real call @param note  (ledger&), where it succeeded
/// @param refused  bytes that were asked for, 0 where a refusal is no request for memory
template <class Call, class Note>
int counted_call(bool by_runtime, std::uint64_t refused, Call body, Note note) {
  const nesting depth;
  const int answer = body();
  if (!depth.outermost() || (answer != success && (answer != out_of_memory || refused == 0))) {
    return answer;
  }
  const std::lock_guard lock(ledger::guard());
  ledger* const books = ledger::get();
  if (books == nullptr) return answer;
  if (answer == success) {
    note(*books);
  } else {
    books->refuse(current_device(by_runtime), refused);
  }
  return answer;
}

/// Around a call that frees a block.
template <class Call>
int freeing_call(std::uint64_t at, Call body) {
  const nesting depth;
  if (!depth.outermost()) return body();
  std::optional<held_block> held;
  {
    const std::lock_guard lock(ledger::guard());
    if (ledger* const books = ledger::get()) held = books->take_out(at);
  }
  const int answer = body();
  const std::lock_guard lock(ledger::guard());
  ledger* const books = ledger::get();
  if (books == nullptr) return answer;
  if (held && answer != success) {
    books->put_back(*held);
  } else if (held) {
    books->gone(*held);
  } else {
    books->refresh();  // memory of a graph
  }
  return answer;
}

/// Around a call that takes memory of a pool, or plans that of a graph. The pool is the device's
/// own where it is null.
template <class Call>
int pooled_call(bool by_runtime, const void* stream, const void* pool, std::uint64_t size,
                const std::uint64_t& at, Call body) {
  return counted_call(by_runtime, size, body, [&](ledger& books) {
    const int device = current_device(by_runtime);
    if (captures(stream, by_runtime)) return;
    const void* const from = pool != nullptr ? pool : pool_of_device(device, by_runtime);
    if (from == nullptr) return;
    books.take_pooled(device, at, size, from, by_runtime ? level::runtime : level::driver);
  });
}

}  // namespace headroom::counting
