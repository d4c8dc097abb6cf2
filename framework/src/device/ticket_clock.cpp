// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstdint>
#include <headroom/device/ticket_clock.hpp>
#include <vector>

namespace headroom {

/// Nodes are only ever added to a bucket's list, so that finding a stream takes no lock.
struct ticket_clock::stream_state {
  struct order {
    std::uint64_t from;  ///< points of this stream above this number wait
    stream_point before;
  };

  explicit stream_state(stream_id of) : id(of) {}

  stream_id id;
  std::atomic<std::uint64_t> queued = 0;
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> waits = false;  ///< whether `orders` may hold something
  std::vector<order> orders;        ///< guarded by ticket_clock::orders_
  stream_state* next = nullptr;
};

ticket_clock::~ticket_clock() {
  for (std::atomic<stream_state*>& bucket : buckets_) {
    for (stream_state* state = bucket; state != nullptr;) {
      stream_state* const next = state->next;
      delete state;
      state = next;
    }
  }
}

ticket_clock::stream_state& ticket_clock::state_of(stream_id stream) {
  std::atomic<stream_state*>& bucket = buckets_[stream.n % bucket_count];
  stream_state* first = bucket.load(std::memory_order_acquire);
  stream_state* made = nullptr;
  while (true) {
    for (stream_state* state = first; state != nullptr; state = state->next) {
      if (state->id == stream) {
        delete made;
        return *state;
      }
    }
    if (made == nullptr) made = new stream_state(stream);
    made->next = first;
    if (bucket.compare_exchange_strong(first, made, std::memory_order_acq_rel)) return *made;
  }
}

stream_point ticket_clock::record(stream_id stream) {
  return {stream, state_of(stream).queued.fetch_add(1) + 1};
}

bool ticket_clock::passed(const stream_point& point) {
  return state_of(point.stream).done.load() >= point.number;
}

void ticket_clock::wait(const stream_point& point) { pass(state_of(point.stream), point.number); }

void ticket_clock::pass(stream_state& state, std::uint64_t number) {
  std::vector<stream_point> first;
  if (state.waits) {
    const std::lock_guard lock(orders_);
    std::erase_if(state.orders, [&](const stream_state::order& order) {
      if (order.from >= number) return false;
      first.push_back(order.before);
      return true;
    });
    state.waits = !state.orders.empty();
  }
  for (const stream_point& point : first) pass(state_of(point.stream), point.number);
  std::uint64_t done = state.done;
  while (done < number && !state.done.compare_exchange_weak(done, number)) {
  }
}

void ticket_clock::order_after(stream_id waiter, stream_id before) {
  if (waiter == before) return;
  const stream_point point = record(before);
  stream_state& state = state_of(waiter);
  const std::lock_guard lock(orders_);
  state.orders.push_back({state.queued, point});
  state.waits = true;
}

void ticket_clock::complete(stream_id stream) { wait(record(stream)); }

void ticket_clock::complete_all() {
  for (std::atomic<stream_state*>& bucket : buckets_) {
    for (stream_state* state = bucket; state != nullptr; state = state->next) complete(state->id);
  }
}

}  // namespace headroom
