// From the text of a model file to a System, or to one error that says where and why.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// `settings` are NAME=VALUE overrides: of a parameter, of x or x' in [initial], or of t. NAME= unsets: a parameter has
// the file's value again, and an initial value is as if the file had none. Throws Error.
System read_model(std::string_view text, const std::string& file, std::span<const std::string> settings = {});
System read_model_file(const std::string& path, std::span<const std::string> settings = {});

// What is tried in the place of what a file says. Lists that are there replace the file's; an empty text in them stands for nothing, so that
// {""} is the empty list.
//
// What the file says about its own lists goes with them: with other constraints its `dependent` and [quasi_velocities], and of `lambda` and
// `lambda0` those that have another number of entries than there now are constraints or auxiliary functions.
struct ModelChanges {
  std::vector<std::string> settings;  // as above
  std::optional<std::vector<std::string>> constraints, auxiliary;
  std::optional<std::string> transpositional;  // the name of a point of view
  // Equations of positions and time to be followed, "x = sin(t)", behind the constraints of the model.
  std::vector<std::string> along = {};
};
System read_model_with(const ModelChanges& changes, std::string_view text, const std::string& file);
System read_model_file_with(const ModelChanges& changes, const std::string& path);

// The text of a file of the user's. Throws bad-model when there is none or it is absurdly large.
std::string read_text_file(const std::string& path);

// One expression in the names of the system; for tests and tools. Scalars only.
Expr parse_expression(const System& system, std::string_view text);

}  // namespace cetaev
