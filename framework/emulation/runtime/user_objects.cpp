// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "answer.hpp"
#include "graphs.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

user_object* object_of(cudaUserObject_t handle) { return reinterpret_cast<user_object*>(handle); }

}  // namespace

cudaError_t cudaUserObjectCreate(cudaUserObject_t* made, void* object, void (*destroy)(void*),
                                 unsigned references, unsigned flags) {
  return answer(call::cudaUserObjectCreate_, [&](session&) {
    constexpr unsigned no_destructor_sync = 1;
    if (made == nullptr || destroy == nullptr || references == 0 || flags != no_destructor_sync) {
      return result::invalid_value;
    }
    *made = reinterpret_cast<cudaUserObject_t>(new user_object{object, destroy, references});
    return result::success;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned number) {
  return answer(call::cudaUserObjectRetain_, [&](session&) {
    if (object == nullptr || number == 0) return result::invalid_value;
    object_of(object)->references += number;
    return result::success;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned number) {
  const cudaError_t answered = answer(call::cudaUserObjectRelease_, [&](session&) {
    return object == nullptr || number == 0 ? result::invalid_value : result::success;
  });
  if (answered == cudaSuccess) release(*object_of(object), number);
  return answered;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned number,
                                      unsigned flags) {
  return answer(call::cudaGraphRetainUserObject_, [&](session& now) {
    graph* of = graph_of(now.all, handle);
    constexpr unsigned move = 1;
    if (of == nullptr || object == nullptr || number == 0 || flags > move) {
      return result::invalid_value;
    }
    of->objects.emplace_back(object_of(object), number);
    if (flags != move) object_of(object)->references += number;
    return result::success;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned number) {
  const cudaError_t answered = answer(call::cudaGraphReleaseUserObject_, [&](session& now) {
    graph* of = graph_of(now.all, handle);
    if (of == nullptr) return result::invalid_value;
    for (auto it = of->objects.begin(); it != of->objects.end(); ++it) {
      if (it->first != object_of(object) || it->second != number) continue;
      of->objects.erase(it);
      return result::success;
    }
    return result::invalid_value;
  });
  if (answered == cudaSuccess) release(*object_of(object), number);
  return answered;
}
