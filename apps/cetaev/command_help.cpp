#include "command_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev::app {

namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t widest_name = 22;  // longer ones have a line of their own

struct Row {
  std::string name, meaning;
};

// Words broken into lines; those after the first are indented.
std::string lines_of(std::string line, std::size_t indent, const std::string& words) {
  std::string text;
  std::istringstream rest(words);
  bool first = true;
  for (std::string word; rest >> word; first = false) {
    if (!first && text::display_width(line) + 1 + text::display_width(word) > line_width) {
      text += line + "\n";
      line = std::string(indent, ' ');
      first = true;
    }
    line += (first ? "" : " ") + word;
  }
  return text + line + "\n";
}

// Names to the left, what they mean to the right.
std::string table(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows)
    if (text::display_width(row.name) <= widest_name) width = std::max(width, text::display_width(row.name));
  const std::size_t indent = width + 4;
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  " + row.name;
    const std::size_t used = text::display_width(line);
    const bool own_line = used > indent - 2;
    if (own_line) {
      text += line + "\n";
      line.clear();
    }
    line += std::string(indent - (own_line ? 0 : used), ' ');
    text += lines_of(line, indent, row.meaning);
  }
  return text;
}

std::string heading(const Option& option) {
  std::string text = fmt::format("{}", fmt::join(names_of(option), ", "));
  if (!option.shown.empty()) text += " " + option.shown;
  return text + (option.value.several ? " …" : "");
}

std::string section(const std::string& title, const std::vector<Option>& options) {
  std::vector<Row> rows;
  for (const Option& option : options) rows.push_back({heading(option), explanation(option)});
  return rows.empty() ? "" : title + "\n" + table(rows) + "\n";
}

std::string shown_examples(const std::vector<std::string>& examples) {
  return fmt::format("{}\n  {}\n", examples.size() > 1 ? "Examples" : "Example", fmt::join(examples, "\n  "));
}

}  // namespace

std::string usage(const Program& program, const Command& command) {
  std::string text = program.name + " " + command.name;
  for (const Option& argument : command.arguments) {
    const std::string name = argument.names + (argument.value.several ? "…" : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text + " [OPTION]…";
}

std::string explanation(const Option& option) {
  std::string text = option.help;
  if (!option.value.choices.empty()) text += fmt::format("; one of {}", fmt::join(option.value.choices, ", "));
  if (!option.preset.empty()) text += fmt::format(" [{}]", option.preset);
  return text;
}

std::vector<Option> all_options(const std::vector<Option>& options) {
  std::vector<Option> all = options;
  all.push_back(help_option());
  return all;
}

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> statuses = {
      {0, "done"},
      {1, "a check or comparison that was asked for does not hold"},
      {2, "bad input or usage"},
      {3, "the mathematics says no, with a named diagnosis"},
      {4, "the machine says no: cannot write, out of memory"},
      {70, "an internal error: a bug of the program, please report it"},
  };
  return statuses;
}

std::string help(const Program& program) {
  std::vector<Row> rows;
  for (const Command& command : program.commands) rows.push_back({command.name, command.summary});
  return fmt::format(
      "{0}: {1}\n\nUsage: {0} COMMAND [ARGUMENT]… [OPTION]…\n\nCommands\n{2}\n{3}{4}\n"
      "`{0} COMMAND --help` says more about a command.\n",
      program.name, program.summary, table(rows), section("Options", all_options(program.options)),
      shown_examples(program.examples));
}

std::string help(const Program& program, const Command& command) {
  return fmt::format("{}\nUsage: {}\n\n{}{}{}", lines_of(program.name + " " + command.name + ": ", 0, command.summary),
                     usage(program, command), section("Arguments", command.arguments),
                     section("Options", all_options(command.options)), shown_examples(command.examples));
}

}  // namespace cetaev::app
