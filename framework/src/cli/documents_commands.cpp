// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// completion and man: what they print is made from the same words and options as --help.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <headroom/core/error.hpp>
#include <headroom/series/environment.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "help.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

/// A command with its options declared.
struct described_command {
  std::unique_ptr<command> made;
  std::unique_ptr<CLI::App> options;
};

std::vector<described_command> describe_all(const program& of) {
  std::vector<described_command> all;
  for (const command_maker make : all_commands()) {
    described_command each{make(of), std::make_unique<CLI::App>()};
    each.made->declare(*each.options);
    add_help_option(*each.options);
    all.push_back(std::move(each));
  }
  return all;
}

std::string identifier(std::string name) {
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return name;
}

/// "--help" of "-h, --help"
std::string long_name(const std::string& name) {
  const std::size_t at = name.find("--");
  return at == std::string::npos ? name : name.substr(at);
}

/// Words without the doubled ones, in their order.
class word_list {
 public:
  void add(const std::string& word) {
    if (std::find(words_.begin(), words_.end(), word) == words_.end()) words_.push_back(word);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(words_, " ")); }

 private:
  std::vector<std::string> words_;
};

std::string bash_completion(const program& of) {
  word_list firsts;
  std::string cases;  // commands of two words
  std::string plain;  // commands of one, which may also be the first of two
  const std::vector<described_command> all = describe_all(of);
  for (const described_command& each : all) {
    const std::string name(each.made->words().name);
    const std::string first = name.substr(0, name.find(' '));
    firsts.add(first);
    word_list words;
    for (const described_command& other : all) {
      const std::string_view second = other.made->words().name;
      if (second.starts_with(name + ' ')) words.add(std::string(second.substr(name.size() + 1)));
    }
    for (const option_words& option : options_of(*each.options)) {
      if (!option.positional) words.add(long_name(option.name));
    }
    const std::string line = fmt::format("words=\"{}\" ;;\n", words.text());
    (name == first ? plain : cases) += fmt::format(
        "    \"{}\"{}) {}", name == first ? name + " " : name, name == first ? "*" : "", line);
  }
  // The first word of commands that all have two.
  for (const described_command& each : all) {
    const std::string name(each.made->words().name);
    const std::size_t blank = name.find(' ');
    if (blank == std::string::npos) continue;
    const std::string first = name.substr(0, blank);
    if (plain.find("\"" + first + " \"") != std::string::npos) continue;
    word_list seconds;
    for (const described_command& other : all) {
      const std::string_view second = other.made->words().name;
      if (second.starts_with(first + ' ')) seconds.add(std::string(second.substr(blank + 1)));
    }
    plain += fmt::format("    \"{} \"*) words=\"{} --help\" ;;\n", first, seconds.text());
  }
  word_list workloads;
  for (const workload_entry& each : of.workloads.entries()) workloads.add(each.name);
  const std::string function = "_" + identifier(of.name);
  return fmt::format(
      "# bash completion for {0}: put it where your shell looks for completions, or run\n"
      "#   source <({0} completion bash)\n"
      "{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{2} --help --version\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [ \"$previous\" = --workload ]; then\n"
      "    COMPREPLY=($(compgen -W \"{3}\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}\" in\n"
      "{4}{5}"
      "    *) return ;;\n"
      "  esac\n"
      "  if [ \"$COMP_CWORD\" = 2 ] || [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F {1} {0}\n",
      of.name, function, firsts.text(), workloads.text(), cases, plain);
}

/// Text for troff: what it would obey is escaped.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

/// Each line a paragraph of its own.
std::string roff_lines(std::string_view text, std::string_view between) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!result.empty()) result += std::string(between) + '\n';
    result += roff(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string man_command_text(const program& of, const described_command& each) {
  const command_words words = each.made->words();
  std::string text = fmt::format(".SS {} {}\n", roff(of.name), roff(words.name));
  text += roff_lines(words.details, ".PP");
  for (const option_words& option : options_of(*each.options)) {
    text += ".TP\n\\fB" + roff(option.name) + "\\fR";
    if (!option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
    text += '\n' + roff(option.what) + '\n';
  }
  text += ".PP\nExit code:\n.RS\n.nf\n" + roff(words.exits) + "\n.fi\n.RE\n";
  text += ".PP\nExample:\n.RS\n.nf\n" + roff(with_program_name(of, words.example)) + "\n.fi\n.RE\n";
  return text;
}

std::string man_page(const program& of) {
  std::string title = of.name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string text =
      fmt::format(".TH {} 1 \"\" \"headroom {}\"\n", roff(title), this_tool().version);
  text += fmt::format(".SH NAME\n{} \\- device memory as a tested contract\n", roff(of.name));
  text += fmt::format(
      ".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
      "[\\fIARGUMENTS\\fR]\n.SH COMMANDS\n",
      roff(of.name));
  for (const described_command& each : describe_all(of)) text += man_command_text(of, each);
  text += ".SH ENVIRONMENT\n.TP\n\\fBHEADROOM_ARTIFACT_DIR\\fR\n" +
          roff(
              "where artifacts go that are not named: by default headroom-artifacts in the current "
              "folder\n");
  text += ".SH EXIT STATUS\n.nf\n" + roff(exit_code_words()) + ".fi\n";
  return text;
}

class completion_command final : public command {
 public:
  explicit completion_command(const program& of) : program_(of) {}
  [[nodiscard]] command_words words() const override {
    return {
        .name = "completion",
        .purpose = "completion for the shell",
        .arguments = "SHELL",
        .details = "Prints a script that completes commands, options and workloads.",
        .exits = "0 done\n3 there is none for that shell",
        .example = "headroom completion bash >headroom.bash\nsource <(headroom completion bash)"};
  }
  void declare(CLI::App& options) override { options.add_option("SHELL", shell_, "bash"); }
  exit_code run(const console& io) override {
    const std::array<std::string, 1> known{"bash"};
    if (shell_.empty()) throw usage_error("completion: no shell; write bash");
    static_cast<void>(one_of("completion", shell_, known));
    io.out << bash_completion(program_);
    return exit_code::done;
  }

 private:
  const program& program_;
  std::string shell_;
};

class man_command final : public command {
 public:
  explicit man_command(const program& of) : program_(of) {}
  [[nodiscard]] command_words words() const override {
    return {.name = "man",
            .purpose = "the manual page, as troff",
            .arguments = "",
            .details = "Prints the manual page of all commands, from the words of --help.",
            .exits = "0 done",
            .example = "headroom man | man -l -"};
  }
  void declare(CLI::App& /*options*/) override {}
  exit_code run(const console& io) override {
    io.out << man_page(program_);
    return exit_code::done;
  }

 private:
  const program& program_;
};

}  // namespace

std::unique_ptr<command> make_completion(const program& of) {
  return std::make_unique<completion_command>(of);
}
std::unique_ptr<command> make_man(const program& of) { return std::make_unique<man_command>(of); }

}  // namespace headroom::cli
