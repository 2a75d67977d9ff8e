// The commands of the program, one file each, and what they have in common.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/detail/output/write_text.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/system.hpp"
#include "cetaev/report/typeset.hpp"
#include "command_line.hpp"

namespace cetaev::app {

Command eval_command();
Command check_command();
Command derive_command();
Command run_command();
Command sweep_command();
Command compare_command();
Command equivalent_command();
Command inverse_command();
Command limit_command();
Command linearize_command();
Command lyapunov_command();
Command periodic_command();
Command verify_command();
Command report_command();
Command plot_command();
Command transpose_command();
Command gallery_command();

// What the commands that take a model have in common.
struct ModelOptions {
  std::string model;                  // a path or a gallery name
  std::vector<std::string> settings;  // NAME=VALUE
  // In the place of the model's own, where they are given.
  std::vector<std::string> constraints, auxiliary;
  std::optional<std::string> transpositional;
  std::vector<std::string> along;  // a motion to be followed
  bool json = false;
};
void add_model_arguments(Command& command, ModelOptions& options);  // MODEL and --set
void add_model_options(Command& command, ModelOptions& options);    // those and --json
Option json_option(bool& target);
void add_trial_options(Command& command, ModelOptions& options);  // --constraint, --auxiliary and --transpositional

// --form, --t-end and --samples of a motion.
void add_motion_options(Command& command, std::optional<std::string>& form, std::optional<double>& t_end,
                        std::optional<long>& samples);

// --tolerance and --method.
void add_accuracy_options(Command& command, std::optional<std::string>& method, std::optional<double>& tolerance);

// --map of the coordinates of one model to those of another.
void add_map_option(Command& command, std::vector<std::string>& map);

// --ascii and --unicode, and what they mean: Unicode for people at a terminal that shows it; what goes into files and pipes is in the
// model language.
void add_notation_options(Command& command, bool& ascii, bool& unicode);
Notation notation(bool ascii, bool unicode, bool to_standard_output);

// The names of the principles, for --form.
std::vector<std::string> form_names();

System load(const ModelOptions& options);

// Is this the name of a figure: FILE.svg, FILE.pdf or FILE.png?
bool is_figure(const std::string& path);

// Refuses to write where an input of the command lies.
void spare_input(const std::string& input, const std::string& output);

// Writes to standard output; throws cannot-write when that fails.
void print(const std::string& text);
using output::write_text;

}  // namespace cetaev::app
