// What a motion can be computed by, under the names that users write.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/formulation/form.hpp"

namespace cetaev {

// Of integration.
enum class Method { taylor, dop853, adams, bdf };
// What computes the equations.
enum class Backend { jit, interpreter };

std::string to_string(Method method);
std::string to_string(Backend backend);
std::ostream& operator<<(std::ostream& out, Method method);
std::ostream& operator<<(std::ostream& out, Backend backend);

// Throw bad-model, with the closest name as the suggestion, where there is no such thing.
Backend parse_backend(std::string_view name);

std::vector<std::string> backend_names();

// Nothing is "auto": the program chooses.
std::string to_string(const std::optional<Method>& method);
std::optional<Method> parse_method(std::string_view name);
std::string to_string(const std::optional<Form>& form);
std::optional<Form> parse_form(std::string_view name);
// Those of the methods or principles, then "auto".
std::vector<std::string> method_names();
std::vector<std::string> form_names();

}  // namespace cetaev
