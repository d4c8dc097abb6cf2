// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "loaded_module.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "calls.hpp"
#include "memory.hpp"
#include "module_code.hpp"

namespace headroom::emulation {
namespace {

constexpr std::string_view elf_begin = "\x7f\x45LF";

const void* add_kernel(loaded_module& to, kernel_code code) {
  const void* const handle = to.handles.emplace_back(std::make_unique<char>()).get();
  to.kernels.emplace(code.name, handle);
  modules().add_loaded(&to, handle, std::move(code));
  return handle;
}

void forget(card& all, loaded_module& which) {
  modules().remove_loaded(&which);
  for (const auto& [name, each] : which.variables) {
    for (const auto& [device, at] : each.addresses) {
      all.blocks.erase(at);
      all.addresses.release(at, each.size);
    }
  }
}

result keep(card& all, const device& on, module_image read, bool library, loaded_module*& made) {
  auto fresh = std::make_unique<loaded_module>();
  fresh->device = library ? -1 : on.index;
  fresh->names_known = read.names_known;
  for (kernel_code& each : read.kernels) add_kernel(*fresh, std::move(each));
  for (const variable_code& each : read.variables) {
    variable& kept = fresh->variables[each.name];
    kept.size = each.size;
    kept.contents = each.contents;
  }
  if (!read.names_known)
    note_assumption("a compressed module: it has whatever kernel is asked for");
  made = fresh.get();
  all.modules.emplace(made, std::move(fresh));
  return result::success;
}

/// Whether a file has all of the packed code that it begins with. What begins otherwise is whole.
bool is_whole(const std::string& image) {
  if (image.size() < 4) return false;
  if (!is_packed_code(image.data())) return true;
  constexpr std::size_t head = 16;  // a magic number, a version, its own size, that of the rest
  std::uint16_t header_size = 0;
  std::uint64_t size = 0;
  if (image.size() < head) return false;
  std::memcpy(&header_size, image.data() + 6, sizeof header_size);
  std::memcpy(&size, image.data() + 8, sizeof size);
  return header_size <= image.size() && size <= image.size() - header_size;
}

}  // namespace

result load_module(card& all, const device& on, const void* image, bool library,
                   loaded_module*& made) {
  if (image == nullptr) return result::invalid_value;
  module_image read;
  const result verdict = read_image(image, on.profile.major, on.profile.minor, read);
  return verdict == result::success ? keep(all, on, std::move(read), library, made) : verdict;
}

result load_module_file(card& all, const device& on, const char* file, bool library,
                        loaded_module*& made) {
  if (file == nullptr) return result::invalid_value;
  std::ifstream in(file, std::ios::binary);
  if (!in) return result::file_not_found;
  const std::string image{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return result::file_not_found;
  if (image.starts_with(elf_begin)) {
    // Unlike an image in memory it has a known end.
    module_image read;
    const result verdict =
        read_machine_code(image.data(), image.size(), on.profile.major, on.profile.minor, read);
    return verdict == result::success ? keep(all, on, std::move(read), library, made) : verdict;
  }
  if (!is_whole(image)) return result::invalid_image;
  return load_module(all, on, image.c_str(), library, made);
}

result unload_module(card& all, const void* handle) {
  const auto found = all.modules.find(handle);
  if (found == all.modules.end()) return result::invalid_handle;
  forget(all, *found->second);
  all.modules.erase(found);
  return result::success;
}

void unload_modules(card& all, const device& of) {
  std::erase_if(all.modules, [&](const auto& entry) {
    const bool gone = entry.second->device == of.index;
    if (gone) forget(all, *entry.second);
    return gone;
  });
}

loaded_module* module_of(card& all, const void* handle) {
  const auto found = all.modules.find(handle);
  return found == all.modules.end() ? nullptr : found->second.get();
}

const void* kernel_in(loaded_module& of, std::string_view name) {
  const auto found = of.kernels.find(name);
  if (found != of.kernels.end()) return found->second;
  if (of.names_known) return nullptr;
  kernel_code code;
  code.name = name;
  return add_kernel(of, std::move(code));
}

result variable_in(card& all, device& on, loaded_module& of, std::string_view name, address& at,
                   std::uint64_t& size) {
  const auto found = of.variables.find(name);
  if (found == of.variables.end()) {
    if (of.names_known) return result::not_found;
    note_gap("a variable of a compressed module");
    return result::not_supported;
  }
  size = found->second.size;
  return address_of(all, on, found->second, at);
}

}  // namespace headroom::emulation
