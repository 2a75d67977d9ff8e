// Completion for bash and zsh: scripts that know the commands, their options and the values that options take.
#include <fmt/format.h>

#include <algorithm>

#include "cetaev/gallery.hpp"
#include "command_help.hpp"

namespace cetaev::app {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::string shell_quoted(std::string_view words) {
  std::string text = "'";
  for (const char c : words) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string gallery_names() {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery()) names.emplace_back(model.name);
  for (const ModelFamily& family : model_families()) names.emplace_back(family.name);
  std::ranges::sort(names);
  return joined(names);
}

std::vector<std::string> names_of_all(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (const Option& option : options)
    for (const std::string& name : names_of(option)) names.push_back(name);
  return names;
}

// ---- bash

// The function of the script that offers values of a kind; ":" for one of which nothing is known.
std::string bash_values(const Value& value) {
  switch (value.kind) {
    case Value::Kind::choice: return "_cetaev_words " + shell_quoted(joined(value.choices));
    case Value::Kind::model: return "_cetaev_words \"$_cetaev_gallery\"; _cetaev_files .toml";
    case Value::Kind::gallery_name: return "_cetaev_words \"$_cetaev_gallery\"";
    case Value::Kind::input_file:
    case Value::Kind::output_file:
      return value.endings.empty() ? "_cetaev_files ''" : "_cetaev_files " + joined(value.endings);
    default: return ":";
  }
}

// What follows an option that takes a value, what begins with a dash, and everything else.
std::string bash_case(const std::string& name, const std::vector<Option>& options, const std::string& others) {
  std::string text = fmt::format("    {})\n      case $before in\n", name);
  for (const Option& option : options)
    if (option.value.kind != Value::Kind::flag)
      text += fmt::format("        {}) {}; return ;;\n", joined(names_of(option), "|"), bash_values(option.value));
  text += fmt::format(
      "      esac\n      if [[ $word == -* ]]; then\n        _cetaev_words {}\n      else\n        {}\n"
      "      fi ;;\n",
      shell_quoted(joined(names_of_all(options))), others);
  return text;
}

constexpr std::string_view bash_functions = R"bash(
_cetaev_words() {
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$1" -- "$word")
}

# Files with one of these endings, and folders on the way to them.
_cetaev_files() {
  local found ending
  while IFS= read -r found; do
    if [[ -d $found ]]; then
      COMPREPLY+=("$found/")
      compopt -o nospace 2>/dev/null
      continue
    fi
    for ending in "$@"; do
      if [[ $found == *"$ending" ]]; then COMPREPLY+=("$found"); break; fi
    done
  done < <(compgen -f -- "$word")
}

_cetaev() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= i
  COMPREPLY=()
  compopt -o filenames 2>/dev/null
  # --form=NAME comes as three words
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  case $command in
)bash";

// ---- zsh

// In a description of _arguments.
std::string zsh_escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::string zsh_values(const Value& value) {
  switch (value.kind) {
    case Value::Kind::choice: return "(" + joined(value.choices) + ")";
    case Value::Kind::model: return "_cetaev_model";
    case Value::Kind::gallery_name: return "_cetaev_gallery";
    case Value::Kind::input_file:
    case Value::Kind::output_file: {
      if (value.endings.empty()) return "_files";
      std::vector<std::string> globs;
      for (const std::string& ending : value.endings) globs.push_back("*" + ending);
      return globs.size() == 1 ? "_files -g \"" + globs[0] + "\"" : "_files -g \"(" + joined(globs, "|") + ")\"";
    }
    default: return " ";
  }
}

// One specification for _arguments per name; names of one option exclude each other.
std::string zsh_specifications(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    const std::vector<std::string> names = names_of(option);
    for (const std::string& name : names) {
      std::vector<std::string> excluded = names;
      if (!option.excludes.empty()) excluded.push_back(option.excludes);
      std::string spec = option.value.several ? "*" : "(" + joined(excluded) + ")";
      const bool takes_value = option.value.kind != Value::Kind::flag;
      spec += name + (takes_value && name.starts_with("--") ? "=[" : "[") + zsh_escaped(option.help) + "]";
      if (takes_value) spec += ":" + zsh_escaped(option.shown) + ":" + zsh_values(option.value);
      text += " \\\n        " + shell_quoted(spec);
    }
  }
  return text;
}

std::string zsh_arguments(const std::vector<Option>& arguments) {
  std::string text;
  for (const Option& argument : arguments) {
    const std::string number = argument.value.several ? "*" : argument.required ? "" : ":";
    text += " \\\n        " + shell_quoted(number + ":" + argument.names + ":" + zsh_values(argument.value));
  }
  return text;
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::vector<std::string> commands;
  for (const Command& command : program.commands) commands.push_back(command.name);
  std::string text =
      fmt::format("# bash completion for {0}, made by `{0} --completion bash`\n\n_cetaev_gallery={1}\n{2}",
                  program.name, shell_quoted(gallery_names()), bash_functions);
  text += bash_case("''", all_options(program.options), "_cetaev_words " + shell_quoted(joined(commands)));
  for (const Command& command : program.commands) {
    // the arguments are of one kind, or there is one
    const std::string others = command.arguments.empty() ? ":" : bash_values(command.arguments.front().value);
    text += bash_case(command.name, all_options(command.options), others);
  }
  return text + fmt::format("  esac\n}}\n\ncomplete -F _cetaev {}\n", program.name);
}

std::string zsh_completion(const Program& program) {
  std::string text = fmt::format(
      "#compdef {0}\n# made by `{0} --completion zsh`\n\n"
      "_cetaev_gallery() {{\n  local -a models=({1})\n  _describe -t models 'gallery model' models\n}}\n\n"
      "_cetaev_model() {{\n  _alternative 'models:gallery model:_cetaev_gallery' 'files:model file:_files -g "
      "\"*.toml\"'\n}}\n\n"
      "_cetaev() {{\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n  local -a commands=(\n",
      program.name, gallery_names());
  for (const Command& command : program.commands)
    text += "    " + shell_quoted(command.name + ":" + zsh_escaped(command.summary)) + "\n";
  text += "  )\n  _arguments -C" + zsh_specifications(all_options(program.options)) +
          " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n"
          "  case $state in\n    command) _describe -t commands command commands ;;\n"
          "    argument)\n      case $words[1] in\n";
  for (const Command& command : program.commands) {
    text += fmt::format("      {})\n        _arguments{}{} ;;\n", command.name,
                        zsh_specifications(all_options(command.options)), zsh_arguments(command.arguments));
  }
  return text + "      esac ;;\n  esac\n}\n\n_cetaev \"$@\"\n";
}

}  // namespace cetaev::app
