// cetaev(1) in the language of man(7).
#include <fmt/format.h>

#include <algorithm>

#include "cetaev/detail/text/utf8.hpp"
#include "command_help.hpp"

namespace cetaev::app {

namespace {

// Letters as they are: a minus that can be copied, no requests, and beyond ASCII the names that every roff knows.
std::string escaped(std::string_view words) {
  std::string result;
  const std::u32string points = text::code_points(words);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char32_t c = points[i];
    if (c == U'-') {
      result += "\\-";
    } else if (c == U'\\') {
      result += "\\e";
    } else if (c == U'\'') {
      result += "\\(aq";
    } else if (c == U'`') {
      result += "\\(ga";
    } else if (c == U'.' && i == 0) {
      result += "\\&.";
    } else if (c < 0x80) {
      result += static_cast<char>(c);
    } else {
      result += fmt::format("\\[u{:04X}]", static_cast<unsigned>(c));
    }
  }
  return result;
}

std::string bold(std::string_view words) { return "\\fB" + escaped(words) + "\\fR"; }
std::string italic(std::string_view words) { return "\\fI" + escaped(words) + "\\fR"; }

std::string entry(const Option& option) {
  const bool argument = option.names[0] != '-';
  std::string heading;
  for (const std::string& name : names_of(option))
    heading += (heading.empty() ? "" : ", ") + (argument ? italic(name) : bold(name));
  if (!option.shown.empty()) heading += " " + italic(option.shown);
  if (option.value.several) heading += " " + escaped("…");
  return ".TP\n" + heading + "\n" + escaped(explanation(option)) + "\n";
}

std::string entries(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) text += entry(option);
  return text;
}

std::string example_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += ".PP\n.RS 4\n.nf\n" + escaped(line) + "\n.fi\n.RE\n";
  return text;
}

std::string command_section(const Program& program, const Command& command) {
  return ".SS " + escaped(command.name) + "\n" + escaped(command.summary) +
         (command.summary.ends_with('?') ? "" : ".") + "\n.PP\n" + bold(usage(program, command)) + "\n" +
         entries(command.arguments) + entries(command.options) + example_lines(command.examples);
}

}  // namespace

std::string manual_page(const Program& program) {
  std::string capitals = program.name;
  std::ranges::transform(capitals, capitals.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  std::string page = fmt::format(".\\\" made by `{0} --man`\n.TH {1} 1 \"\" \"{0} {2}\" \"User commands\"\n",
                                 program.name, capitals, program.version);
  page += ".SH NAME\n" + escaped(program.name) + " \\- " + escaped(program.summary) + "\n";
  page += ".SH SYNOPSIS\n" + bold(program.name) + " " + italic("COMMAND") + " [" + italic("ARGUMENT") + "]" +
          escaped("…") + " [" + italic("OPTION") + "]" + escaped("…") + "\n";
  page += ".SH DESCRIPTION\n" +
          escaped(
              "Reads a model file, or takes a model of the gallery, which is part of the program: a Lagrangian or "
              "points with masses, and constraints, as on paper. Says what kind of system it is, derives its "
              "equations by every principle, and computes its motion.") +
          "\n" + entries(all_options(program.options)) + example_lines(program.examples);
  page += ".SH COMMANDS\n" + escaped("Each takes --help, too.") + "\n";
  for (const Command& command : program.commands) page += command_section(program, command);
  page += ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses())
    page += fmt::format(".TP\n{}\n{}\n", bold(std::to_string(status.code)), escaped(status.meaning));
  return page;
}

}  // namespace cetaev::app
