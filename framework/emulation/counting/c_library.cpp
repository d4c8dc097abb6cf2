// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The C library's look-ups by name, past the wrappers of them that stand in this library. Every way
// to ask for them leads through one of the two; so the first is found in the C library's own table.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "real.hpp"

namespace headroom::counting {
namespace {

constexpr const char* versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};

/// The tables of a loaded library by which its functions are found.
struct symbol_tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hashes = nullptr;
};

symbol_tables tables_of(const dl_phdr_info& library) {
  symbol_tables found;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    if (library.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* each =
        reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
    for (; each->d_tag != DT_NULL; ++each) {
      const ElfW(Addr) at = each->d_un.d_ptr;
      const ElfW(Addr) place = at < library.dlpi_addr ? library.dlpi_addr + at : at;
      if (each->d_tag == DT_SYMTAB) found.symbols = reinterpret_cast<const ElfW(Sym)*>(place);
      if (each->d_tag == DT_STRTAB) found.names = reinterpret_cast<const char*>(place);
      if (each->d_tag == DT_GNU_HASH) found.hashes = reinterpret_cast<const std::uint32_t*>(place);
    }
  }
  return found;
}

/// Through the table of hashes that the loader itself uses: counts of buckets, of symbols that are
/// not in it, of words of its filter; the filter; the buckets; the hashes in chains.
void* find_in(const dl_phdr_info& library, std::string_view name) {
  const symbol_tables in = tables_of(library);
  if (in.symbols == nullptr || in.names == nullptr || in.hashes == nullptr) return nullptr;
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  const std::uint32_t buckets = in.hashes[0];
  const std::uint32_t left_out = in.hashes[1];
  const std::uint32_t* const first =
      in.hashes + 4 + in.hashes[2] * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  if (buckets == 0) return nullptr;
  std::uint32_t number = first[hash % buckets];
  if (number < left_out) return nullptr;
  const std::uint32_t* const chains = first + buckets;
  for (;; ++number) {
    const std::uint32_t known = chains[number - left_out];
    const ElfW(Sym)& symbol = in.symbols[number];
    if ((known | 1u) == (hash | 1u) && symbol.st_value != 0 && name == in.names + symbol.st_name) {
      return reinterpret_cast<void*>(library.dlpi_addr + symbol.st_value);
    }
    if ((known & 1u) != 0) return nullptr;
  }
}

dlvsym_function* of_c_library() {
  void* found = nullptr;
  const auto look = [](dl_phdr_info* library, std::size_t, void* into) {
    const std::string_view path = library->dlpi_name;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (name != "libc.so.6" && name != "libdl.so.2") return 0;
    void*& result = *static_cast<void**>(into);
    result = find_in(*library, "dlvsym");
    return result == nullptr ? 0 : 1;
  };
  dl_iterate_phdr(look, &found);
  return reinterpret_cast<dlvsym_function*>(found);
}

/// The next behind this library in the order of loading: another tool's, or the C library's.
template <class Function>
Function* next(const char* name, std::atomic<Function*>& known) {
  // Without a lock: whoever replaces malloc may come here while this is looked up.
  Function* found = known.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  dlvsym_function* const ask = of_c_library();
  for (const char* version : versions) {
    if (found == nullptr && ask != nullptr) {
      found = reinterpret_cast<Function*>(ask(RTLD_NEXT, name, version));
    }
  }
  known.store(found, std::memory_order_release);
  return found;
}

}  // namespace

dlsym_function* real_dlsym() {
  static std::atomic<dlsym_function*> known = nullptr;
  return next("dlsym", known);
}

dlvsym_function* real_dlvsym() {
  static std::atomic<dlvsym_function*> known = nullptr;
  return next("dlvsym", known);
}

}  // namespace headroom::counting
