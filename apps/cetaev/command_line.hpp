// The commands of the program and their options, described once. The parser, the help, the manual page and the completion
// of shells are made from this description.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace cetaev::app {

// A value of the command line: what it may be, and where it goes.
struct Value {
  enum class Kind { flag, text, number, choice, model, gallery_name, input_file, output_file };

  Kind kind = Kind::text;
  bool several = false;                // may be given again; each is taken
  bool in_a_row = false;               // several may follow the option
  std::vector<std::string> choices{};  // of a choice
  std::vector<std::string> endings{};  // of files, for shells to offer: ".csv"
  // Puts the value in its place (a flag has none), and returns what is wrong with it; nothing when it is taken.
  std::function<std::string(const std::string&)> take{};
};

// An option or, if its name does not begin with a dash, an argument.
struct Option {
  std::string names{};  // "--form", "-o,--out,--output", "MODEL"
  std::string shown{};  // what stands for the value of an option: "FILE"
  std::string help{};
  Value value{};
  std::string preset{};    // the value without the option, where people should know it
  std::string excludes{};  // the name of an option that does not go with this one
  bool required = false;   // of an argument
};

struct Command {
  std::string name{}, summary{};
  std::vector<Option> arguments{}, options{};
  std::vector<std::string> examples{};
  std::function<int()> action{};  // runs the command and returns its exit code

  void add(Option option);
};

struct Program {
  std::string name{}, version{}, summary{};
  std::vector<Option> options{};  // those without a command
  std::vector<Command> commands{};
  std::vector<std::string> examples{};
};

// What the arguments of the program ask for. The options have their values.
struct Request {
  const Command* command = nullptr;
  bool help = false;
};
// Throws bad-model where the arguments fit no command.
Request parse(const Program& program, int argc, const char* const* argv);

// The names of an option one by one: "-o", "--out".
std::vector<std::string> names_of(const Option& option);
// --help, which every command has.
const Option& help_option();

// Reads a number as model files have it, decimal; returns what is wrong with it. For double, int, long and unsigned long.
template <class Number>
std::string read_number(const std::string& text, Number& value);

namespace detail {

template <class Target>
inline constexpr bool is_list = std::is_same_v<Target, std::vector<std::string>>;

inline void put(std::string& target, const std::string& text) { target = text; }
inline void put(std::optional<std::string>& target, const std::string& text) { target = text; }
inline void put(std::vector<std::string>& target, const std::string& text) { target.push_back(text); }

template <class Target>
struct NumberOf {
  using Type = Target;
};
template <class Number>
struct NumberOf<std::optional<Number>> {
  using Type = Number;
};

std::string is_one_of(const std::vector<std::string>& choices, const std::string& text);
std::string is_file_name(const std::string& text);

}  // namespace detail

// Values by their kind. A target is a string, an optional one, or a list of them; of numbers, a number or an optional one.

inline Value flag(bool& target) {
  return {.kind = Value::Kind::flag, .take = [&target](const std::string&) {
            target = true;
            return std::string();
          }};
}

template <class Target>
Value text(Target& target, Value::Kind kind = Value::Kind::text) {
  return {.kind = kind, .several = detail::is_list<Target>, .take = [&target](const std::string& value) {
            detail::put(target, value);
            return std::string();
          }};
}

// Several, with commas between them; not empty ones.
Value names(std::vector<std::string>& target);

// Of numbers not less than `least`.
template <class Target>
Value number(Target& target, double least = -std::numeric_limits<double>::infinity()) {
  return {.kind = Value::Kind::number, .take = [&target, least](const std::string& value) {
            typename detail::NumberOf<Target>::Type read{};
            const std::string problem = read_number(value, read);
            if (!problem.empty()) return problem;
            if (static_cast<double>(read) < least) return "'" + value + "' is too small";
            target = read;
            return std::string();
          }};
}

template <class Target>
Value choice(std::vector<std::string> choices, Target& target) {
  Value value = text(target, Value::Kind::choice);
  value.choices = choices;
  value.take = [choices = std::move(choices), &target](const std::string& text) {
    const std::string problem = detail::is_one_of(choices, text);
    if (problem.empty()) detail::put(target, text);
    return problem;
  };
  return value;
}

// A file to read. It has a name.
inline Value input_file(std::vector<std::string> endings, std::string& target) {
  Value value = text(target, Value::Kind::input_file);
  value.endings = std::move(endings);
  value.take = [&target](const std::string& text) {
    target = text;
    return detail::is_file_name(text);
  };
  return value;
}

// A file to write.
inline Value output_file(std::vector<std::string> endings, std::string& target) {
  Value value = input_file(std::move(endings), target);
  value.kind = Value::Kind::output_file;
  return value;
}

}  // namespace cetaev::app
