// Source code of a system's first-order equations, for other languages: one self-contained file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cetaev/formulation/first_order.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

enum class Language { c, cpp, python, cuda, matlab };

// By the names of `cetaev derive --format`: c, cpp, python, cuda, matlab.
std::optional<Language> find_language(std::string_view name);

// The first-order system that is exported: `form` at the initial state of the model, or at a generic one where that is singular.
// Without a form: hamel where the model has quasi-velocities that serve everywhere, else multipliers. Throws the form's own
// diagnosis where it does not apply.
FirstOrderSystem equations_to_export(Groundwork& work, std::optional<Form> form = {});
FirstOrderSystem equations_to_export(const System& system, std::optional<Form> form = {});

// A file with the parameters (the model's values are the defaults), the right-hand side of y' = f(t, y), the constraint
// residual, the energy and ∂f/∂y.
std::string export_code(const FirstOrderSystem& equations, Language language);
std::string export_code(const System& system, std::optional<Form> form, Language language);

// Linear equations in such a file: their right-hand side, its derivatives, and the matrices that they are made of, which the parameters alone
// determine. `about` says what they are.
struct NamedMatrix {
  std::string name, description;
  Matrix matrix;
};
std::string export_linear(const FirstOrderSystem& equations, std::span<const NamedMatrix> matrices,
                          const std::string& about, Language language);

}  // namespace cetaev
