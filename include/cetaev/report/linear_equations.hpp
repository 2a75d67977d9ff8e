// The linear equations of small motions, for people, papers and programs: what `cetaev derive --linear` prints.
#pragma once

#include <string>

#include "cetaev/codegen/export.hpp"
#include "cetaev/report/typeset.hpp"
#include "cetaev/stability/linear_equations.hpp"

namespace cetaev {

// With parameters by their values, but for a speed, where `numeric`.
std::string to_text(const LinearEquations& found, Notation notation, bool numeric = false);
std::string to_latex(const LinearEquations& found, bool numeric = false);
// The matrices written out, and, under "short", as `named` has them, the same with names.
std::string to_json(const LinearEquations& found, bool numeric = false, const LinearEquations* named = nullptr);
// Source code: M, C, K as functions of the parameters, of which what kept its name is one, and the equations solved for the rates.
std::string to_code(const LinearEquations& found, Language language);

}  // namespace cetaev
