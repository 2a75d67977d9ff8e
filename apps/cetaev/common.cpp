#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cetaev/detail/text/printable.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/open_model.hpp"
#include "command.hpp"

namespace cetaev::app {

void add_model_arguments(Command& command, ModelOptions& options) {
  command.add({.names = "MODEL",
               .help = "a model file, or the name of a gallery model",
               .value = text(options.model, Value::Kind::model),
               .required = true});
  command.add({.names = "--set",
               .shown = "NAME=VALUE",
               .help = "override a parameter, x or x' of the initial state, or t; without VALUE, unset it",
               .value = text(options.settings)});
}

void add_model_options(Command& command, ModelOptions& options) {
  add_model_arguments(command, options);
  command.add(json_option(options.json));
}

void add_trial_options(Command& command, ModelOptions& options) {
  command.add({.names = "--constraint",
               .shown = "EQUATION",
               .help = "constraints in the place of the model's; once for each, empty for none",
               .value = text(options.constraints)});
  command.add({.names = "--auxiliary",
               .shown = "EXPRESSION",
               .help = "auxiliary functions in the place of the model's; once for each, empty for none",
               .value = text(options.auxiliary)});
  std::vector<std::string> views;
  for (const Transpositional::View view : named_views()) views.emplace_back(name_of(view));
  command.add({.names = "--transpositional",
               .shown = "NAME",
               .help = "whose transpositional relations mvm1 has, in the place of the model's",
               .value = choice(views, options.transpositional)});
}

Option json_option(bool& target) {
  return {.names = "--json", .help = "print one JSON document", .value = flag(target)};
}

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const Principle& principle : principles()) names.emplace_back(principle.name);
  return names;
}

void add_map_option(Command& command, std::vector<std::string>& map) {
  command.add({.names = "--map",
               .shown = "\"NAME = EXPR\"",
               .help = "a coordinate of one model in those of the other; coordinates of the same name need none",
               .value = text(map)});
}

void add_accuracy_options(Command& command, std::optional<std::string>& method, std::optional<double>& tolerance) {
  command.add({.names = "--tolerance",
               .shown = "TOL",
               .help = "of one step, relative to the size of the state",
               .value = number(tolerance),
               .preset = "1e-14"});
  command.add({.names = "--method",
               .shown = "NAME",
               .help = "the method of integration",
               .value = choice(method_names(), method),
               .preset = "auto"});
}

void add_motion_options(Command& command, std::optional<std::string>& form, std::optional<double>& t_end,
                        std::optional<long>& samples) {
  std::vector<std::string> forms = form_names();
  forms.insert(forms.begin(), "auto");
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle to integrate; auto is the cheapest regular one",
               .value = choice(forms, form),
               .preset = "auto"});
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "the time at which the motion ends",
               .value = number(t_end),
               .preset = "10"});
  command.add({.names = "--samples",
               .shown = "N",
               .help = "how many states to record, at equal times",
               .value = number(samples),
               .preset = "1001"});
}

void add_notation_options(Command& command, bool& ascii, bool& unicode) {
  command.add({.names = "--ascii", .help = "text in the model language: x', x''", .value = flag(ascii)});
  command.add({.names = "--unicode",
               .help = "text in Unicode: ẋ, ẍ (the default on a terminal)",
               .value = flag(unicode),
               .excludes = "--ascii"});
}

namespace {

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

Notation notation(bool ascii, bool unicode, bool to_standard_output) {
  if (ascii) return Notation::ascii;
  if (unicode) return Notation::unicode;
  return to_standard_output && isatty(STDOUT_FILENO) == 1 && is_utf8_locale() ? Notation::unicode : Notation::ascii;
}

System load(const ModelOptions& options) {
  ModelChanges changes{options.settings, {}, {}, options.transpositional, options.along};
  if (!options.constraints.empty()) changes.constraints = options.constraints;
  if (!options.auxiliary.empty()) changes.auxiliary = options.auxiliary;
  return open_model(options.model, changes);
}

namespace {

template <class Number>
bool reads_as(std::string_view text, Number& value) {
  // one sign, and a plus that from_chars does not know
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

// CLI11 alone also takes "", 0x10 and 1_000.
template <class Number>
std::string read_number(const std::string& text, Number& value) {
  if (reads_as(text, value)) return "";
  if constexpr (std::is_floating_point_v<Number>) return fmt::format("'{}' is not a decimal number", text);
  long whole = 0;
  unsigned long positive = 0;
  return reads_as(text, whole) || reads_as(text, positive) ? fmt::format("'{}' is out of range", text)
                                                           : fmt::format("'{}' is not a whole number", text);
}

template std::string read_number(const std::string&, double&);
template std::string read_number(const std::string&, int&);
template std::string read_number(const std::string&, long&);
template std::string read_number(const std::string&, unsigned long&);

namespace detail {

std::string is_one_of(const std::vector<std::string>& choices, const std::string& text) {
  if (std::ranges::find(choices, text) != choices.end()) return "";
  return fmt::format("{} not in {{{}}}", text, fmt::join(choices, ","));
}

std::string is_file_name(const std::string& text) { return text.empty() ? "the name of a file is missing" : ""; }

}  // namespace detail

bool is_figure(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".pdf") || path.ends_with(".png");
}

void spare_input(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored) && std::filesystem::is_regular_file(input, ignored))
    throw Error(ErrorCode::bad_model, fmt::format("'{}' is the input of this command and is not overwritten", output));
}

void print(const std::string& output) {
  const std::string text = text::printable(output);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw Error(ErrorCode::cannot_write, "cannot write to standard output");
}

}  // namespace cetaev::app
