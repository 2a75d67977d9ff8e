// Small pieces from which the principles put their linear systems together.
#pragma once

#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

Matrix zeros(const Setting& s, std::size_t rows, std::size_t columns);
Matrix transpose(const Matrix& m);
Matrix multiply(const Setting& s, const Matrix& a, const Matrix& b);
std::vector<Expr> multiply(const Setting& s, const Matrix& a, const std::vector<Expr>& x);
Expr dot(const Setting& s, const std::vector<Expr>& a, const std::vector<Expr>& b);
Matrix column(const std::vector<Expr>& entries);
Matrix columns_of(const Matrix& m, const std::vector<std::size_t>& columns);

// H a − b of the free system as expressions in the acceleration symbols: E L − F.
std::vector<Expr> free_equations(const Setting& s);

// λ₁ … λ_r as symbols, and their derivatives.
std::vector<Expr> lambda_symbols(const Setting& s);
std::vector<Expr> lambda_dot_symbols(const Setting& s);

// What to count the reactions of the rows of J in, so that they stand beside the inertias K at comparable size: K_ii/J_i for the smallest inertia
// K_ii/J_i² that each feels, or that any of them feels, by the constant factors of both, where that inertia is tiny or huge by its value, as
// of a body of micrograms or of rows in micrometres; else 1.
std::vector<Expr> units_of_reactions(const Setting& s, const Matrix& K, const Matrix& J);

// [[K, −Jᵀ], [J, 0]] (a, μ) = (f, c) as a step; fills form.a and `reaction` by its unknowns.
SolveStep bordered_step(const Setting& s, const Matrix& K, const std::vector<Expr>& f, const std::string& stem,
                        std::vector<Expr>& a, std::vector<Expr>& reaction);

// E L − F = g(q,v,a,t) + Σ λ̇_α ∂φ_α/∂v,  φ = 0: what vakonomic mechanics and its modifications have in common. The step that gives a
// and λ̇, one of Newton's method where g is not linear in a (form.iterated), and the equations to print; g may be given another way there.
SolveStep driven_step(const Setting& s, const std::vector<Expr>& g, const std::string& stem, Formulation& form);
void append_driven_equations(const Setting& s, const std::vector<Expr>& g, Formulation& form);

// The steps that compute the jets of α; singular where the chosen velocities cannot carry the constraints.
std::vector<SolveStep> jet_steps(const Setting& s, const Jets& jets);
// "the constraints cannot be solved for the dependent velocity y' at this state"
std::string singular_dependent_message(const Setting& s);

// All accelerations from the independent ones: a_dep = drift + γ a_ind.
std::vector<Expr> complete(const Setting& s, const Jets& jets, const std::vector<Expr>& a_independent);

// The system E_r = 0, linear in the symbols a_ind, as a step.
SolveStep linear_step(const Setting& s, const std::vector<Expr>& equations, const std::vector<Expr>& unknowns,
                      const std::string& stem);

// The constraints themselves, as equations to print.
void append_constraints(const Setting& s, Formulation& form);

}  // namespace cetaev
