// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom/series/phase_recorder.hpp>

namespace headroom {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

phase_error describe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const out_of_memory& refused) {
    const out_of_memory_facts& facts = refused.facts();
    return {"out_of_memory", refused.what(), facts.requested, facts.what, facts.device};
  } catch (const device_error& broken) {
    return {"device_error", broken.what(), std::nullopt, std::nullopt, ""};
  } catch (const std::exception& other) {
    return {"workload_error", other.what(), std::nullopt, std::nullopt, ""};
  } catch (...) {
    return {"workload_error", "an exception that is not a std::exception", std::nullopt,
            std::nullopt, ""};
  }
}

}  // namespace

phase_recorder::phase_recorder(std::span<device* const> devices)
    : devices_(devices.begin(), devices.end()) {
  for (device* each : devices_) scopes_.emplace_back(each->counters());
}

void phase_recorder::enter_pass(pass_kind pass, int repeat) {
  pass_ = pass;
  repeat_ = repeat;
}

/// Work that fails is noticed when its device is waited for.
void phase_recorder::synchronize_all() {
  for (device* each : devices_) {
    enter_device(*each);
    each->synchronize();
  }
  leave_devices();
}

void phase_recorder::open(std::string_view name) {
  phase_record begun;
  begun.name = name;
  begun.pass = pass_;
  begun.repeat = repeat_;
  if (!open_.empty()) begun.parent = phases_[open_.back()].name;
  open_.push_back(phases_.size());
  phases_.push_back(std::move(begun));
  opened_at_.push_back(std::chrono::steady_clock::now());
  synchronize_all();  // what fails here is this phase's, which fail() ends
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const source_reading begin = scopes_[i].open();
    device_reading reading;
    reading.device = devices_[i]->info().id;
    reading.begin_allocated = begin[counter_id::allocated_current];
    reading.begin_reserved = begin[counter_id::reserved_current];
    reading.system_begin = devices_[i]->read_system();
    if (devices_[i]->info().kind == device_kind::cuda) {
      reading.outside_begin = outside_allocator_of(reading.system_begin, reading.begin_reserved);
    }
    phases_[open_.back()].readings.push_back(std::move(reading));
  }
  opened_at_.back() = std::chrono::steady_clock::now();
}

void phase_recorder::read_ends(phase_record& phase) {
  phase.seconds = seconds_between(opened_at_.back(), std::chrono::steady_clock::now());
  // A phase that failed while it began has not all readings.
  for (std::size_t i = 0; i < phase.readings.size(); ++i) {
    device_reading& reading = phase.readings[i];
    reading.end = scopes_[i].close();
    reading.system = devices_[i]->read_system();
    if (devices_[i]->info().kind != device_kind::cuda) continue;
    reading.outside =
        outside_allocator_of(reading.system, reading.end[counter_id::reserved_current]);
    reading.unaccounted = unaccounted_of(reading);
  }
}

void phase_recorder::end_innermost() {
  const std::size_t index = open_.back();
  open_.pop_back();
  opened_at_.pop_back();
  if (on_phase_end) on_phase_end(phases_[index]);
}

void phase_recorder::close() {
  if (open_.empty()) throw usage_error("phase_recorder::close: no phase is open");
  synchronize_all();
  phase_record& phase = phases_[open_.back()];
  read_ends(phase);
  phase.status = phase_status::ok;
  inner_failed_ = false;
  end_innermost();
}

void phase_recorder::fail(const std::exception_ptr& error) noexcept {
  if (open_.empty()) return;
  phase_record& phase = phases_[open_.back()];
  phase.status = phase_status::failed;
  // The innermost phase holds the error; the phases around it only failed with it.
  if (!inner_failed_) {
    phase.error = describe(error);
    if (phase.error->device.empty()) phase.error->device = at_;
  }
  leave_devices();
  inner_failed_ = true;
  for (device* each : devices_) {
    try {
      each->synchronize();
    } catch (...) {
      // A device that failed may refuse this too; the counters can be read all the same.
    }
  }
  try {
    read_ends(phase);
    end_innermost();
  } catch (...) {
    open_.pop_back();
    opened_at_.pop_back();
  }
}

void phase_recorder::add_not_run(std::string_view name, pass_kind pass, int repeat) {
  phase_record phase;
  phase.name = name;
  phase.pass = pass;
  phase.repeat = repeat;
  phases_.push_back(std::move(phase));
}

}  // namespace headroom
