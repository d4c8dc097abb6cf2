// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/memory.hpp"
#include "../card/transfer.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

/// @param body  (device_session&, address, size) -> result
template <class Session, class Body>
result with_symbol(Session& now, const void* symbol, Body body) {
  variable* known = modules().find_variable(symbol);
  if (known == nullptr) return result::invalid_symbol;
  address at = 0;
  const result answer = address_of(now.all, now.on, *known, at);
  return answer == result::success ? body(at, known->size) : answer;
}

bool fits(std::size_t size, std::size_t offset, std::size_t whole) {
  return offset <= whole && size <= whole - offset;
}

cudaError_t copy_to(call which, const void* symbol, const void* from, std::size_t size,
                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  return answer_on_stream(which, stream, [&](device_session& now, headroom::emulation::stream& on) {
    return with_symbol(now, symbol, [&](address at, std::size_t whole) {
      if (!fits(size, offset, whole)) return result::invalid_value;
      return copy(now.all, now.lock, on,
                  plain_transfer(at + offset, number(from), size, static_cast<direction>(kind)),
                  waits);
    });
  });
}

cudaError_t copy_from(call which, void* to, const void* symbol, std::size_t size,
                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  return answer_on_stream(which, stream, [&](device_session& now, headroom::emulation::stream& on) {
    return with_symbol(now, symbol, [&](address at, std::size_t whole) {
      if (!fits(size, offset, whole)) return result::invalid_value;
      return copy(now.all, now.lock, on,
                  plain_transfer(number(to), at + offset, size, static_cast<direction>(kind)),
                  waits);
    });
  });
}

}  // namespace

cudaError_t cudaGetSymbolAddress(void** at, const void* symbol) {
  return answer_on_device(call::cudaGetSymbolAddress_, [&](device_session& now) {
    if (at == nullptr) return result::invalid_value;
    return with_symbol(now, symbol, [&](address where, std::size_t) {
      *at = pointer(where);
      return result::success;
    });
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  return answer_on_device(call::cudaGetSymbolSize_, [&](device_session& now) {
    if (size == nullptr) return result::invalid_value;
    return with_symbol(now, symbol, [&](address, std::size_t whole) {
      *size = whole;
      return result::success;
    });
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                               std::size_t offset, cudaMemcpyKind kind) {
  return copy_to(call::cudaMemcpyToSymbol_, symbol, from, size, offset, kind, nullptr, true);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to(call::cudaMemcpyToSymbolAsync_, symbol, from, size, offset, kind, stream, false);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from(call::cudaMemcpyFromSymbol_, to, symbol, size, offset, kind, nullptr, true);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_from(call::cudaMemcpyFromSymbolAsync_, to, symbol, size, offset, kind, stream, false);
}
