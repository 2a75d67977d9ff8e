// The commands of the program. Each adds itself to the command line and, when chosen, says what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev::app {

// Runs the chosen command and returns its exit code.
using Action = std::function<int()>;

void add_eval(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_derive(CLI::App& program, Action& action);
void add_equivalent(CLI::App& program, Action& action);
void add_run(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_plot(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_gallery(CLI::App& program, Action& action);

// What the commands that take a model have in common.
struct ModelOptions {
  std::string model;                  // a path or a gallery name
  std::vector<std::string> settings;  // NAME=VALUE
  bool json = false;
};
void add_model_arguments(CLI::App& command, ModelOptions& options);  // MODEL and --set
void add_model_options(CLI::App& command, ModelOptions& options);    // those and --json
// --form NAME, repeatable, checked against the registry of principles.
void add_form_option(CLI::App& command, std::vector<std::string>& forms, const std::string& help);
System load(const ModelOptions& options);

// Checks of options: a decimal number, and a whole one, as in model files. CLI11 alone also takes "", 0x10 and 1_000.
std::string is_number(const std::string& text);
std::string is_whole_number(const std::string& text);
// Refuses to write where an input of the command lies.
void spare_input(const std::string& input, const std::string& output);

// Refuses an empty name of a file that was written on the command line.
void require_name(const CLI::Option& option, const std::string& name);

// Writes to standard output; throws cannot-write when that fails.
void print(const std::string& text);
// Writes a file as a whole or not at all: what stood there before stays when something goes wrong. Throws cannot-write.
void write_file(const std::string& path, const std::string& text);

// The closest of the names, or nothing when none is close.
std::string closest_gallery_name(const std::string& name);

}  // namespace cetaev::app
