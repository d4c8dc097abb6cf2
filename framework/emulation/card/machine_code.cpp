// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Machine code is an ELF file. What NVIDIA puts into its sections is not documented: seen in what
// the compilers of 12.9, 13.0 and 13.4 make, and checked by tests with what they say of it
// themselves.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "layout_at.hpp"
#include "module_image.hpp"

namespace headroom::emulation {
namespace {

constexpr std::uint16_t card_machine = 190;
constexpr unsigned char first_layout = 7;   // of CUDA 12: the architecture in the lowest byte
constexpr unsigned char second_layout = 8;  // of CUDA 13: in the byte above
// Of .nv.info and .nv.compat: a form, a number, then a value of two bytes or that many bytes.
constexpr unsigned char form_sized = 4;
constexpr unsigned char note_most_threads = 0x05;
constexpr unsigned char note_exact_threads = 0x10;
constexpr unsigned char note_stack = 0x12;
constexpr unsigned char note_registers = 0x2f;
constexpr unsigned char compat_exact = 0x09;
// From 9.0 on the system keeps a kibibyte of each block's shared memory. The section has it, what
// the compiler says of the kernel has not.
constexpr std::uint64_t system_shared = 1024;

bool within(std::uint64_t offset, std::uint64_t size, std::uint64_t whole) {
  return offset <= whole && size <= whole - offset;
}

struct section {
  std::string_view name;
  Elf64_Shdr header;
};

class machine_code {
 public:
  machine_code(const char* image, std::uint64_t most) : image_(image) {
    if (!within(0, sizeof head_, most)) return;
    head_ = layout_at<Elf64_Ehdr>(image);
    if (head_.e_ident[EI_CLASS] != ELFCLASS64 || head_.e_machine != card_machine) return;
    if (head_.e_shentsize != sizeof(Elf64_Shdr) || head_.e_shoff > (std::uint64_t{1} << 40)) return;
    // The image says itself how long it is: headers of segments and sections come last.
    size_ = std::max(head_.e_shoff + std::uint64_t{head_.e_shnum} * sizeof(Elf64_Shdr),
                     head_.e_phoff + std::uint64_t{head_.e_phnum} * head_.e_phentsize);
    whole_ = size_ <= most && head_.e_shstrndx < head_.e_shnum && read_sections();
  }
  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] int architecture() const {
    const unsigned char layout = head_.e_ident[EI_ABIVERSION];
    return static_cast<int>(layout <= first_layout ? head_.e_flags & 255u
                                                   : (head_.e_flags >> 8) & 255u);
  }
  /// It runs on that architecture alone (sm_90a).
  [[nodiscard]] bool exact() const {
    if (head_.e_ident[EI_ABIVERSION] <= first_layout) return (head_.e_flags & 0x800u) != 0;
    if ((head_.e_flags & 8u) != 0) return true;
    bool found = false;
    for (const section& each : sections_) {
      if (each.name != ".nv.compat") continue;
      each_note(each, [&](unsigned char number, std::uint16_t value, const char*) {
        found = found || (number == compat_exact && value == 1);
      });
    }
    return found;
  }
  void describe(module_image& into) const {
    for (const section& each : sections_) {
      if (each.header.sh_type == SHT_SYMTAB) read_symbols(each, into);
    }
  }

 private:
  bool read_sections() {
    for (unsigned i = 0; i < head_.e_shnum; ++i) {
      const auto header =
          layout_at<Elf64_Shdr>(image_ + head_.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
      if (header.sh_type != SHT_NOBITS && !within(header.sh_offset, header.sh_size, size_)) {
        return false;
      }
      sections_.push_back({{}, header});
    }
    const Elf64_Shdr& names = sections_[head_.e_shstrndx].header;
    for (section& each : sections_) each.name = text_in(names, each.header.sh_name);
    return true;
  }
  [[nodiscard]] std::string_view text_in(const Elf64_Shdr& table, std::uint64_t offset) const {
    if (table.sh_type != SHT_STRTAB || offset >= table.sh_size) return {};
    const char* const at = image_ + table.sh_offset + offset;
    return {at, strnlen(at, table.sh_size - offset)};
  }
  [[nodiscard]] std::uint64_t size_of(const std::string& name) const {
    for (const section& each : sections_) {
      if (each.name == name) return each.header.sh_size;
    }
    return 0;
  }
  /// @param tell  (number, value of two bytes, its bytes where it has more, else null)
  template <class Tell>
  void each_note(const section& of, Tell tell) const {
    const char* at = image_ + of.header.sh_offset;
    const char* const end = at + of.header.sh_size;
    while (end - at >= 4) {
      const auto form = static_cast<unsigned char>(at[0]);
      const auto number = static_cast<unsigned char>(at[1]);
      const auto value = layout_at<std::uint16_t>(at + 2);
      at += 4;
      if (form == form_sized && end - at < value) return;
      tell(number, value, form == form_sized ? at : nullptr);
      if (form == form_sized) at += value;
    }
  }
  [[nodiscard]] static std::uint64_t product_of(const char* three) {
    std::uint64_t product = 1;
    for (int i = 0; i < 3; ++i) product *= layout_at<std::uint32_t>(three + 4 * i);
    return product;
  }
  /// A number for each symbol that the module's notes name.
  [[nodiscard]] std::map<std::uint32_t, std::uint32_t> numbers_of(unsigned char wanted) const {
    std::map<std::uint32_t, std::uint32_t> found;
    for (const section& each : sections_) {
      if (each.name != ".nv.info") continue;
      each_note(each, [&](unsigned char number, std::uint16_t size, const char* at) {
        if (number == wanted && at != nullptr && size == 8) {
          found[layout_at<std::uint32_t>(at)] = layout_at<std::uint32_t>(at + 4);
        }
      });
    }
    return found;
  }
  void read_symbols(const section& table, module_image& into) const {
    if (table.header.sh_link >= sections_.size()) return;
    const Elf64_Shdr& names = sections_[table.header.sh_link].header;
    const auto registers = numbers_of(note_registers);
    const auto stacks = numbers_of(note_stack);
    for (std::uint32_t i = 0; i < table.header.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol =
          layout_at<Elf64_Sym>(image_ + table.header.sh_offset + i * sizeof(Elf64_Sym));
      const std::string name(text_in(names, symbol.st_name));
      if (symbol.st_shndx >= sections_.size() || name.empty()) continue;
      const section& where = sections_[symbol.st_shndx];
      const int kind = ELF64_ST_TYPE(symbol.st_info);
      // Functions that other kernels call have code too, but no block of parameters.
      if (kind == STT_FUNC && where.name == ".text." + name &&
          size_of(".nv.constant0." + name) > 0) {
        into.kernels.push_back(described(name));
        const auto known = registers.find(i);
        if (known != registers.end())
          into.kernels.back().registers = static_cast<int>(known->second);
        const auto stack = stacks.find(i);
        if (stack != stacks.end()) into.kernels.back().local = stack->second;
      }
      const bool held = where.name.starts_with(".nv.global") || where.name == ".nv.constant3";
      if (kind == STT_OBJECT && held) into.variables.push_back(variable(name, symbol, where));
    }
  }
  [[nodiscard]] kernel_code described(const std::string& name) const {
    kernel_code code;
    code.name = name;
    code.machine = code.portable = architecture();
    code.shared = size_of(".nv.shared." + name);
    if (code.machine >= 90) code.shared -= std::min(code.shared, system_shared);
    code.constant = size_of(".nv.constant3");
    for (const section& each : sections_) {
      if (each.name != ".nv.info." + name) continue;
      each_note(each, [&](unsigned char number, std::uint16_t size, const char* at) {
        if (at == nullptr || size < 12) return;
        if (number == note_most_threads) code.most_threads = product_of(at);
        if (number == note_exact_threads) code.exact_threads = product_of(at);
      });
    }
    return code;
  }
  [[nodiscard]] variable_code variable(const std::string& name, const Elf64_Sym& symbol,
                                       const section& where) const {
    variable_code of{name, symbol.st_size, {}};
    const Elf64_Shdr& held = where.header;
    const std::uint64_t offset = symbol.st_value - std::min(symbol.st_value, held.sh_addr);
    if (held.sh_type != SHT_NOBITS && within(offset, symbol.st_size, held.sh_size)) {
      of.contents.assign(image_ + held.sh_offset + offset, symbol.st_size);
    }
    return of;
  }

  const char* image_;
  Elf64_Ehdr head_{};
  std::uint64_t size_ = 0;
  bool whole_ = false;
  std::vector<section> sections_;
};

}  // namespace

result read_machine_code(const char* image, std::uint64_t most, int major, int minor,
                         module_image& into) {
  const machine_code code(image, most);
  if (!code.whole()) return result::invalid_image;
  const int architecture = code.architecture();
  const int device = major * 10 + minor;
  if (architecture / 10 != major || architecture > device ||
      (code.exact() && architecture != device)) {
    return result::no_kernel_image;
  }
  code.describe(into);
  return result::success;
}

}  // namespace headroom::emulation
