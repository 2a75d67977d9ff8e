// Source code of a system's first-order equations, for other languages: one self-contained file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cetaev/model/system.hpp"

namespace cetaev {

enum class Language { c, cpp, python, cuda, matlab };

// By the names of `cetaev derive --format`: c, cpp, python, cuda, matlab.
std::optional<Language> find_language(std::string_view name);

// hamel where the model has quasi-velocities that serve everywhere, else multipliers.
std::string default_export_form(const System& system);

// A file with the parameters (the model's values are the defaults), the right-hand side of y' = f(t, y), the constraint
// residual, the energy and ∂f/∂y. `form` is the name of a principle; empty: the default. Throws the form's own diagnosis
// where it does not apply.
std::string export_code(const System& system, std::string_view form, Language language);

}  // namespace cetaev
