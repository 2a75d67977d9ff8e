// What the description of the commands tells people and shells.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace cetaev::app {

std::string help(const Program& program);
std::string help(const Program& program, const Command& command);

// cetaev(1), for man.
std::string manual_page(const Program& program);

// Functions of the shell, to be sourced or to be put where it looks for them.
std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);

// What they have in common.
std::string usage(const Program& program, const Command& command);  // "cetaev run MODEL [OPTION]…"
// The help of an option with its choices and what holds without it.
std::string explanation(const Option& option);
// The options of a command, --help among them.
std::vector<Option> all_options(const std::vector<Option>& options);

struct ExitStatus {
  int code;
  std::string meaning;
};
const std::vector<ExitStatus>& exit_statuses();

}  // namespace cetaev::app
