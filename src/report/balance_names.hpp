// The symbols that stand for the energies and the terms of their balances.
#pragma once

#include <string>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

// What stands on the left of a definition: ẏ, L*, B[y,x], E*, −∂L/∂t.
std::string left_side(Typesetter& typeset, const WrittenDefinition& definition);

// "-dL/dt + F v" for the rate whose terms follow definition `at` in the list.
std::string rate(Typesetter& typeset, const std::vector<WrittenDefinition>& list, std::size_t at);

// A term of Voronec's equations that vanishes; several of them are said in one line.
bool is_zero_term(const WrittenDefinition& definition);
// "a = b = c", whose last is zero; or, when there are many, "the other B".
std::string equal(const std::vector<std::string>& symbols, const std::string& stem, const std::string& others);

// Is it a rate, said by the sum of the terms that follow?
bool is_rate(const WrittenDefinition& definition);

// δ(ẋ) − (δx)˙
std::string transposition(Typesetter& typeset, const std::string& coordinate);

}  // namespace cetaev
