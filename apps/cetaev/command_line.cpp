// The one file that knows CLI11.
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "cetaev/error.hpp"

namespace cetaev::app {

namespace {

void take_each(const CLI::Option& parsed, const Option& option, const CLI::results_t& values) {
  for (const std::string& value : values) {
    const std::string problem = option.value.take(value);
    if (!problem.empty()) throw CLI::ValidationError(parsed.get_name(), problem);
  }
}

void describe_to(CLI::App& app, const Option& option) {
  if (option.value.kind == Value::Kind::flag) {
    CLI::Option* parsed = app.add_flag_function(option.names, [&option](std::int64_t count) {
      if (count > 0) option.value.take("");
    });
    if (!option.excludes.empty()) parsed->excludes(app.get_option(option.excludes));
    return;
  }
  const bool argument = option.names[0] != '-';
  // the callback needs the option that it belongs to
  auto self = std::make_shared<CLI::Option*>(nullptr);
  CLI::Option* parsed = app.add_option(option.names, [self, &option](const CLI::results_t& values) {
    take_each(**self, option, values);
    return true;
  });
  *self = parsed;
  parsed->required(option.required);
  if (!option.shown.empty()) parsed->type_name(option.shown);  // what is said to be missing
  if (!option.value.several) return;
  if (argument || option.value.in_a_row) {
    parsed->expected(1, -1)->allow_extra_args()->take_all();
  } else {
    parsed->expected(1)->allow_extra_args(false)->take_all();
  }
}

// To describe the options of all commands takes longer than all else that a short command does.
bool named(const Command& command, int argc, const char* const* argv) {
  return std::find(argv + std::min(argc, 1), argv + argc, command.name) != argv + argc;
}

std::string list_of(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) names += (names.empty() ? "" : ", ") + command.name;
  return names;
}

}  // namespace

void Command::add(Option option) { (option.names[0] == '-' ? options : arguments).push_back(std::move(option)); }

std::vector<std::string> names_of(const Option& option) { return CLI::detail::split(option.names, ','); }

const Option& help_option() {
  static bool ignored = false;
  static const Option option = {.names = "-h,--help", .help = "this text", .value = flag(ignored)};
  return option;
}

Request parse(const Program& program, int argc, const char* const* argv) {
  // CLI11 would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-' &&
      std::ranges::find(program.commands, argv[1], &Command::name) == program.commands.end())
    throw Error(ErrorCode::bad_model,
                fmt::format("there is no command '{}'; there are {}", argv[1], list_of(program.commands)));

  CLI::App app(program.summary, program.name);
  app.set_help_flag(help_option().names);
  for (const Option& option : program.options) describe_to(app, option);
  for (const Command& command : program.commands) {
    CLI::App* sub = app.add_subcommand(command.name);
    if (!named(command, argc, argv)) continue;
    for (const Option& option : command.arguments) describe_to(*sub, option);
    for (const Option& option : command.options) describe_to(*sub, option);
  }
  app.require_subcommand(0, 1);

  Request request;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    request.help = true;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::bad_model, std::string(error.what()) + "; see `" + program.name + " --help`");
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (!chosen.empty())
    request.command = &*std::ranges::find(program.commands, chosen.front()->get_name(), &Command::name);
  return request;
}

Value names(std::vector<std::string>& target) {
  return {.kind = Value::Kind::text, .take = [&target](const std::string& list) {
            target.clear();
            std::string name;
            for (const char c : list + ",") {
              if (c != ',') {
                if (c != ' ') name += c;
                continue;
              }
              if (name.empty()) return "'" + list + "' has an empty name; write NAME,NAME";
              target.push_back(std::exchange(name, {}));
            }
            return std::string();
          }};
}

}  // namespace cetaev::app
