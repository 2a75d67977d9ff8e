// Equations prepared for a reader: simplified, collected, ordered and annotated. Writers turn them into text, LaTeX and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/expr/expr.hpp"
#include "cetaev/formulation/form.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/paper_objects.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// Σ left = Σ right, summands in the order in which they are to be read; an empty side is 0.
struct WrittenEquation {
  std::string label;  // what it is about: a coordinate, "constraint 1", …
  std::vector<Expr> left, right;
};

// One line for equations that differ by an index alone, or for one of them: names with an index in letters, "a_i", and Σ over another as a factor,
// "$sum2(j,1,20)".
struct WrittenFamily {
  std::string index;  // empty for one equation
  long first = 0, last = 0;
  WrittenEquation equation;
};

// What stands for something longer: α, L*, B, ᾱ, E, a named definition.
struct WrittenDefinition {
  enum class Kind {
    velocity,      // a dependent velocity as a function of the others: y' = …
    reduced,       // L* = …
    nonholonomic,  // B[ν, r] = …, `indices` are the two coordinates
    quasi,         // a quasi-velocity: u = …
    name,          // a name of the model that the equations use: d = P2 - P1; `value` has its components
    energy,        // E, E*, the terms of a balance; `symbol` says which
    where,         // what recurs in the equations of a form: Δ, an entry of the mass matrix
  };
  Kind kind = Kind::name;
  std::string symbol;                // "y'", "L*", "B", "u1", "d", "E*"
  std::vector<std::string> indices;  // coordinates
  std::vector<Expr> value;           // summands in order; for kind `name` of a vector its three components
  std::string comment;               // a word on what it is, may be empty
  std::vector<Expr> in_sums =
      {};  // over indices, to be read in the place of `value`; empty where there is nothing of the kind
};

inline const std::vector<Expr>& readable(const WrittenDefinition& definition) {
  return definition.in_sums.empty() ? definition.value : definition.in_sums;
}

struct WrittenForm {
  std::string name;   // "voronec"
  std::string title;  // "Voronec's equations"
  std::string state;  // what the state consists of
  std::vector<Expr> unknowns;
  std::vector<WrittenDefinition> definitions;
  std::optional<WrittenEquation> minimise;  // gauss: the left side is to be made least, subject to the equations
  std::vector<WrittenEquation> equations;   // of motion
  std::vector<WrittenFamily> families;      // in their place where there are many alike; none where these say no less
  bool link_by_link = false;                // recursions over velocities w, rates and forces, which stand in `where`
  bool step_by_step = false;                // what recurs in formulas beyond reading stands in `where`
  std::string same_as;                      // an earlier form with the same equations, which stand here all the same
  std::vector<WrittenEquation> constraints;
  std::vector<WrittenFamily> families_of_constraints;
  std::vector<WrittenDefinition> where;      // names that the equations use, each by those before it
  std::vector<std::vector<Expr>> conserved;  // momenta whose rates these equations say to be zero, by their summands
  std::vector<Expr> nonzero;                 // what was divided by: the equations hold where none of these is zero
  std::vector<WrittenDefinition> transpositional;  // rows of A that are not zero, kind name, symbol the coordinate
  double length = 0;                               // on paper, of all of it; a greater effort never makes it longer
  std::vector<std::string> notes;
  std::optional<Error> refusal;  // the form does not apply; everything else is empty
};

// An object of the papers: its arrays with the summands of each entry, none for zero; or why the model does not have it.
struct WrittenObject {
  struct Array {
    std::string symbol;
    std::vector<std::vector<std::string>> axes;
    std::vector<std::vector<Expr>> entries;
  };
  PaperObject object = PaperObject::W;
  std::vector<Array> arrays;
  std::vector<std::string> notes;
  std::optional<Error> refusal;
};

struct WrittenSystem {
  System system;
  std::vector<std::size_t> dependent;  // coordinates of the dependent velocities in use
  std::vector<Expr> lagrangian;        // summands
  std::vector<Expr>
      lagrangian_in_sums;  // over indices, to be read in its place; empty where there is nothing of the kind
  // Definitions and points that the formulas below use by name, then velocities that bodies share, each by those before it (kind `where`).
  std::vector<WrittenDefinition> names;
  std::vector<WrittenForm> forms;
  bool all_forms = false;                 // none was named: long ones may be left to be asked for
  std::vector<WrittenDefinition> energy;  // where it was asked for
  std::vector<WrittenObject> objects;     // those that were asked for
  std::vector<std::string> notes;         // redundant constraints, singular initial state, simplification cut short
  double effort = 0;                      // spent on simplification
  bool sufficient = true;                 // did the effort suffice for everything that was not too large by itself?
};

// The shorter way to write it.
inline const std::vector<Expr>& readable_lagrangian(const WrittenSystem& system) {
  return system.lagrangian_in_sums.empty() ? system.lagrangian : system.lagrangian_in_sums;
}

// Does another form of the system have the equations of this one, so that they need not be printed again?
bool stands_elsewhere(const WrittenSystem& system, const WrittenForm& form);

// The lines of `where` that the names of the system do not have already.
std::vector<WrittenDefinition> explained_here(const WrittenSystem& system, const WrittenForm& form);

struct EquationOptions {
  std::vector<Form> forms;  // all when none is named and neither the energy nor objects are asked for
  bool energy = false;
  bool numeric = false;    // parameters by their values
  bool expand = false;     // names of points, definitions and what recurs written out
  bool eliminate = false;  // multipliers eliminated where a form has them
  double budget = 10;      // effort of simplification in all, as Simplifier counts it
  std::vector<PaperObject> objects = {};

  bool operator==(const EquationOptions&) const = default;
};

// What is simplified, and so how it reads, goes with what was derived in the same context before: a fresh copy of the groundwork
// gives the same equations each time.
WrittenSystem write_equations(Groundwork& work, const EquationOptions& options);
WrittenSystem write_equations(const System& system, const EquationOptions& options);

}  // namespace cetaev
