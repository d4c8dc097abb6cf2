// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "kernels.hpp"

#include "card.hpp"

namespace headroom::emulation {

void kernel_registry::add_module(const void* module, const void* wrapper) {
  code_.insert_or_assign(module, module_code(wrapper));
}

loaded_code kernel_registry::loaded_on(const kernel& which, int major, int minor) const {
  const auto code = code_.find(which.module);
  return (code == code_.end() ? module_code() : code->second).loaded_on(major, minor);
}

bool kernel_registry::runs_on(const kernel& which, int major, int minor) const {
  const auto code = code_.find(which.module);
  return code == code_.end() || code->second.runs_on(major, minor);
}

void kernel_registry::add(const void* module, const void* handle, const char* name) {
  kernel& known = kernels_[handle];
  known.handle = handle;
  known.name = name;
  known.module = module;
}

void kernel_registry::add(const void* module, const variable& described) {
  variable& known = variables_[described.handle] = described;
  known.module = module;
}

void kernel_registry::remove_module(const void* module) {
  code_.erase(module);
  // Counts of what was launched outlive the module, for the report; its variables do not.
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.module == module; });
  std::erase_if(kernels_, [&](const auto& entry) {
    return entry.second.module == module && entry.second.launched == 0;
  });
}

kernel* kernel_registry::find(const void* handle) {
  const auto found = kernels_.find(handle);
  return found == kernels_.end() || found->second.module == nullptr ? nullptr : &found->second;
}

variable* kernel_registry::find_variable(const void* handle) {
  const auto found = variables_.find(handle);
  return found == variables_.end() ? nullptr : &found->second;
}

std::vector<const kernel*> kernel_registry::launched() const {
  std::vector<const kernel*> all;
  for (const auto& [handle, known] : kernels_) {
    if (known.launched > 0) all.push_back(&known);
  }
  return all;
}

std::vector<variable*> kernel_registry::managed_variables() {
  std::vector<variable*> all;
  for (auto& [handle, known] : variables_) {
    if (known.managed_pointer != nullptr) all.push_back(&known);
  }
  return all;
}

void kernel_registry::set_twin(const void* handle, host_twin twin, std::vector<std::size_t> sizes) {
  kernel& known = kernels_[handle];
  known.handle = handle;
  known.twin = twin;
  known.argument_sizes = std::move(sizes);
}

}  // namespace headroom::emulation

void headroom_emulation_set_host_twin(const void* kernel, void (*twin)(void**),
                                      const std::size_t* argument_sizes,
                                      std::size_t argument_count) {
  headroom::emulation::modules_lock lock;
  lock.modules.set_twin(kernel, twin, {argument_sizes, argument_sizes + argument_count});
}

std::uint64_t headroom_emulation_launches_left_out() {
  const headroom::emulation::modules_lock lock;
  std::uint64_t sum = 0;
  for (const auto* each : lock.modules.launched()) sum += each->left_out;
  return sum;
}
