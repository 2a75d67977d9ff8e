// Equations prepared for a reader as text, LaTeX and JSON: what `cetaev derive` prints.
#pragma once

#include <string>

#include "cetaev/analysis/check.hpp"
#include "cetaev/analysis/equations.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

// For a terminal: equations aligned, long sums broken. In ASCII or Unicode.
std::string to_text(const WrittenSystem& written, Notation notation);

// One align environment per form, to be put into a document that loads amsmath.
std::string to_latex(const WrittenSystem& written);
// A whole article: the model, what kind of system it is, the equations, the energy.
std::string to_latex_document(const WrittenSystem& written, const Check& check);

// The expressions as trees, with their text in the model language and in LaTeX beside them.
std::string to_json(const WrittenSystem& written);

// What kind of system it is, in a few sentences.
std::vector<std::string> sentences(const System& system, const Check& check);

}  // namespace cetaev
