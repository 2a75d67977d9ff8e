// From the text of a model file to a System, or to one error that says where and why.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cetaev/model/system.hpp"

namespace cetaev {

// `settings` are NAME=VALUE overrides: of a parameter, of x or x' in [initial], or of t. NAME= unsets: a parameter has
// the file's value again, and an initial value is as if the file had none. Throws Error.
System read_model(std::string_view text, const std::string& file, std::span<const std::string> settings = {});
System read_model_file(const std::string& path, std::span<const std::string> settings = {});

// The text of a file of the user's. Throws bad-model when there is none or it is absurdly large.
std::string read_text_file(const std::string& path);

// One expression in the names of the system; for tests and tools. Scalars only.
Expr parse_expression(const System& system, std::string_view text);

}  // namespace cetaev
