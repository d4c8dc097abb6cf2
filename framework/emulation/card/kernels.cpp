// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "kernels.hpp"

#include "card.hpp"

namespace headroom::emulation {

void kernel_registry::add_module(const void* module, const void* wrapper) {
  modules_[module].code = module_code(wrapper);
}

loaded_code kernel_registry::loaded_on(const kernel& which, int major, int minor) const {
  if (which.loaded && which.code.machine != 0) return {which.code.machine, which.code.portable};
  const auto found = modules_.find(which.module);
  return (found == modules_.end() ? module_code() : found->second.code).loaded_on(major, minor);
}

bool kernel_registry::runs_on(const kernel& which, int major, int minor) const {
  const auto found = modules_.find(which.module);
  return found == modules_.end() || found->second.code.runs_on(major, minor);
}

void kernel_registry::add(const void* module, const void* handle, const char* name) {
  kernel& known = kernels_[handle];
  known.handle = handle;
  known.name = name;
  known.module = module;
  modules_[module].kernels.push_back(handle);
}

void kernel_registry::add(const void* module, const variable& described) {
  variable& known = variables_[described.handle] = described;
  known.module = module;
  modules_[module].variables.push_back(described.handle);
}

void kernel_registry::remove_module(const void* module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return;
  // Counts of what was launched outlive the module, for the report; its variables do not. Another
  // module may have registered the same address since.
  for (const void* const handle : found->second.variables) {
    const auto known = variables_.find(handle);
    if (known != variables_.end() && known->second.module == module) variables_.erase(known);
  }
  for (const void* const handle : found->second.kernels) {
    const auto known = kernels_.find(handle);
    if (known == kernels_.end() || known->second.module != module) continue;
    if (known->second.launched == 0) kernels_.erase(known);
  }
  modules_.erase(found);
}

void kernel_registry::add_loaded(const void* module, const void* handle, kernel_code code) {
  kernel& known = kernels_[handle] = {};
  known.handle = handle;
  known.module = module;
  known.loaded = true;
  known.code = std::move(code);
  known.name = known.code.name.c_str();
  modules_[module].kernels.push_back(handle);
}

void kernel_registry::remove_loaded(const void* module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return;
  for (const void* const handle : found->second.kernels) {
    const auto known = kernels_.find(handle);
    if (known == kernels_.end() || known->second.module != module) continue;
    const kernel& each = known->second;
    if (each.launched > 0) {
      const auto kept = gone_.try_emplace(each.name).first;
      kept->second.name = kept->first.c_str();
      kept->second.launched += each.launched;
      kept->second.left_out += each.left_out;
    }
    kernels_.erase(known);
  }
  modules_.erase(found);
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
  for (const auto& [name, known] : gone_) all.push_back(&known);
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
