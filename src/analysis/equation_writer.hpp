// What writes the equations of a system: the object behind write_equations. Forms stand in equation_forms.cpp, what is beside them (explicit
// parts, transpositional relations, objects of the papers, energy) in equation_parts.cpp.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/formulation/symmetry.hpp"
#include "link_lines.hpp"
#include "model_names.hpp"

namespace cetaev {

class EquationWriter {
 public:
  EquationWriter(Groundwork& work, const EquationOptions& options);
  WrittenSystem write();

 private:
  bool beyond_reading() const;  // is the Lagrangian?
  std::vector<Form> asked_for() const;
  bool all_are_meant() const { return options_.forms.empty() && !options_.energy && options_.objects.empty(); }
  // Without constraints most forms say the same.
  static void find_same(WrittenSystem& result);
  void use_names(WrittenSystem& result) const;
  void use_names(WrittenForm& form, ModelNames& names) const;
  void solve_for_dependent(const State& state);
  Expr prepared(Expr e) const { return options_.numeric ? with_parameter_values(system_, e) : e; }
  std::vector<Expr> collected(Expr e) { return collected_by(e, system_->motion.v); }
  // By the velocities in any case: the file has it as it was given.
  std::vector<Expr> lagrangian();

  // Unknowns and velocity terms on the left, the rest, with the reactions, on the right.
  WrittenEquation equation(const std::string& label, Expr e, const std::vector<Expr>& unknowns,
                           const std::vector<Expr>& reactions, std::vector<Expr>& nonzero);
  // Their equations are rates, as a first-order system has them: only unknowns on the left.
  bool in_quasi_velocities() const { return velocities_.size() > system_->size(); }
  // At the values of the parameters, wherever the system is: m r² + I, 2 + sin q.
  bool is_known_nonzero(Expr condition) const;
  // Without equations for derivatives of dependent velocities that no other equation has in it, and with conditions by whatever divides in the lines as they
  // stand: equations that were left as derived divide, too.
  void complete(WrittenForm& form);
  void complete_conditions(WrittenForm& form);
  void leave_out_unused_lines(WrittenForm& form);
  static std::size_t reaction_count(const Simplifier::Equation& found, const std::vector<Expr>& reactions);
  // symbol = the rest of an equation that is linear in the symbol
  WrittenEquation solved_for(Expr symbol, Expr e, std::vector<Expr>& nonzero);
  static WrittenForm titled(const Principle& principle);
  WrittenForm form(const Principle& principle);

  // Equations in quasi-velocities may be shorter in axes that turn with the system, where it is the same in all directions, and with some
  // velocities standing for what they are. Simplified where they are shorter as derived.
  void shorten_by_other_velocities(const Principle& principle, const Formulation& derived, WrittenForm& result);
  // Or step by step, where they are far beyond reading.
  void write_quasi_by_steps(const Principle& principle, Formulation derived, WrittenForm& result);
  static Formulation with_velocities(Formulation derived);
  std::string in_words(const BodyVelocities& velocities) const;
  static bool says_motion(const Formulation& derived);
  // Links of a chain without constraints: every term stands for itself, so that one line may be written for many.
  bool are_links_alone() const;
  // Are all equations of motion too large even to be simplified?
  static bool nothing_can_be_read(const Formulation& derived);
  static double as_derived(const Formulation& derived);
  // As it will be printed: with names, or one line for many.
  double length(WrittenForm form);
  // The last things: what terms have in common, signs; its length.
  void finish(WrittenForm& form) const;
  // What recurs is lost where fractions are cleared and products multiplied out, so the equations as they were derived may be the shorter ones, and those with some
  // of them simplified may be longer than both. The shortest of these three is taken; with less effort than all takes, the shortest of those that it suffices for.
  // So more is never longer.
  void write_shorter(WrittenForm& result, const Principle& principle, const Formulation& derived);
  // One line for many links, with an effort of its own, whatever is given for the rest. False where there is none.
  bool write_as_chain(WrittenForm& result, const Principle& principle, const Formulation& derived);
  // Lines that each use those before them, of equations that are beyond a page themselves, where these lines are half as long: recursions over links where the system has
  // them, steps of a computation else. Whether they are is found with an effort of its own, the same whatever is given for the rest.
  bool write_by_lines(WrittenForm& result, const Principle& principle, const Formulation& derived);
  // The equations with what the lines of links say in them; nothing where the form has no place for these.
  std::optional<Formulation> in_links(const Principle& principle, const Formulation& derived, const LinkLines& lines);
  bool says_what_multipliers_do(const Principle& principle, const Formulation& derived) const;
  std::optional<WrittenForm> by_links(const Principle& principle, const Formulation& derived);
  WrittenForm by_steps(const Principle& principle, const Formulation& derived);
  // All of a form but the lines behind "where".
  static std::vector<Expr*> written_in(WrittenForm& form);
  // Names for what recurs in all of the form but its lines of links.
  void name_steps_of(WrittenForm& form);
  // As it was derived, ordered by the unknowns.
  void fill_in_steps(WrittenForm& result, const Principle& principle, const Formulation& derived);
  const std::optional<LinkLines>& links();
  void write_lagrangian_by_links(WrittenSystem& result);
  // Returns for each of the first equations, as far as the effort suffices, how many conditions belong to those up to it.
  std::vector<std::size_t> fill(WrittenForm& result, const Principle& principle, const Formulation& derived);
  // The derivatives γ of the dependent velocities, where α has a closed form.
  std::vector<Replacement> known_gamma() const;
  static std::vector<Expr> expressions_of(const Formulation& derived);

  // α, L* and B, which these equations are about
  void explicit_part(WrittenForm& result, const Principle& principle);
  // What gives the derivatives of dependent velocities without a closed form, of those that the equations have in them.
  void implicit_part(WrittenForm& result, const Formulation& derived);
  // Those that are zero, for nothing stands on the right of what gives them.
  std::vector<Replacement> vanishing_jets() const;
  std::vector<Replacement> in_alpha() const;
  // δ(q̇) − Dₜ(δq) = A δq: the rows of A that are not zero
  void transpositional(WrittenForm& result, const Matrix& A);
  WrittenObject written(PaperObject object);
  // By accelerations, multipliers and velocities, where it is a polynomial in them.
  std::vector<Expr> collected_by(Expr e);
  // Or as it was given, where that is much shorter. With an effort of its own: the same whatever is given for the equations.
  std::vector<Expr> collected_by(Expr e, std::span<const Expr> symbols);
  std::vector<WrittenDefinition> energy();

  Groundwork& work_;
  std::optional<Symmetry> symmetry_;
  System system_;
  const EquationOptions& options_;
  Simplifier simplifier_, plain_;  // the second leaves everything as it stands
  // Chains are written with this effort at least: without any they are longer and take longer to print.
  static constexpr double effort_of_chains = 10;
  Simplifier of_velocities_, of_chains_, of_links_;
  std::optional<ModelNames> names_;  // to measure with
  std::optional<std::optional<LinkLines>> links_;
  std::map<std::vector<Expr>, std::vector<Expr>> independent_;  // conditions that were looked at
  std::map<Expr, std::vector<Expr>>
      conditions_of_divisor_;  // that have to be written, once for all the ways an equation is tried in
  bool generic_;
  Setting setting_;
  bool in_steps_ = false;                // are equations ordered by their unknowns and left as they were derived?
  const LinkLines* in_lines_ = nullptr;  // whose names the equations at hand are written with
  std::optional<Expr> multiplied_out_;   // the Lagrangian of a chain that is beyond reading
  std::vector<Expr> velocities_;         // that terms are ordered by: v, and u of the form at hand
  std::vector<Form> forms_;
  std::optional<std::vector<Expr>> alpha_;
  bool alpha_is_readable_ = true;  // or too long for what it is inserted in to be read
  std::vector<Replacement> in_alpha_;
};

}  // namespace cetaev
