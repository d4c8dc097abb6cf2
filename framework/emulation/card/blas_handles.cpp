// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "blas_handles.hpp"

#include <memory>
#include <unordered_map>

namespace headroom::emulation {
namespace {

using live_handles = std::unordered_map<const void*, std::unique_ptr<blas_handle>>;

live_handles& handles() {
  static auto* all = new live_handles;
  return *all;
}

}  // namespace

blas_handle& create_blas_handle(device& on) {
  auto fresh = std::make_unique<blas_handle>();
  fresh->on = &on;
  blas_handle& kept = *fresh;
  handles().emplace(&kept, std::move(fresh));
  return kept;
}

blas_handle* find_blas_handle(const void* handle) {
  const auto found = handles().find(handle);
  return found == handles().end() ? nullptr : found->second.get();
}

void destroy_blas_handle(const blas_handle& which) { handles().erase(&which); }

}  // namespace headroom::emulation
