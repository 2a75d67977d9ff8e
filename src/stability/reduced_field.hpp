// The equations of motion in the state that a linearisation is about: coordinates that are not ignorable, and velocities.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/expr/ball.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

// Rows and columns of a regular part of a matrix, as large as there is one; entries row after row.
struct RegularPart {
  std::vector<std::size_t> rows, columns;
};
RegularPart regular_part(std::vector<double> a, std::size_t rows, std::size_t columns);

class ReducedField {
 public:
  // In independent velocities, or in the quasi-velocities of the model. Throws what the form throws, and not-steady where time stands in the
  // equations and must not.
  enum class Time { must_not_stand, may_stand };
  // Equations that are evaluated often are worth some algebra before.
  enum class Equations { shortened, as_derived };
  ReducedField(Groundwork& work, const AdmissibleState& at, bool quasi, Time time = Time::must_not_stand,
               Equations equations = Equations::shortened);
  // Time does not stand in them, by proof.
  bool autonomous() const { return autonomous_; }

  const System& system() const { return system_; }
  const FirstOrderSystem& form() const { return form_; }
  const FirstOrderSystem::Jacobian& jacobian() const;
  // y of the form at a state of the system.
  std::vector<double> state(const State& at, std::span<const double> parameters) const;
  // All positions and velocities.
  State full(std::span<const double> y, std::span<const double> parameters) const;

  const std::vector<std::size_t>& ignorable() const { return ignorable_; }  // positions
  const std::vector<std::size_t>& kept() const { return kept_; }            // indices of y
  bool is_position(std::size_t i) const { return position_[i].has_value(); }
  // Those of y that the constraints determine by the others, at a state; in the order of the rows that do.
  struct Dependent {
    std::vector<std::size_t> rows, components;
  };
  Dependent dependent(std::span<const double> y, std::span<const double> parameters) const;

  // f of what is kept, and what the constraints leave of zero; and their derivatives by all of y, row after row. Not finite where the
  // equations are singular.
  template <class Number>
  struct Values {
    std::vector<Number> rates, constraints;
  };
  Values<double> values(std::span<const double> y, std::span<const double> parameters) const;
  Values<Ball> values(std::span<const Ball> y, std::span<const Ball> parameters, long bits) const;
  Values<double> derivatives(std::span<const double> y, std::span<const double> parameters) const;
  Values<Ball> derivatives(std::span<const Ball> y, std::span<const Ball> parameters, long bits) const;
  // Those of the constraints alone, which cost less.
  std::vector<double> constraint_slopes(std::span<const double> y, std::span<const double> parameters) const;

  // y, t, parameters: what programs take.
  std::vector<double> inputs(std::span<const double> y, std::span<const double> parameters) const;
  // Of the rates that are kept and of the constraints, row after row: derivatives along directions in which symbols change as their seeds say.
  Program slopes_program(std::vector<std::vector<Derivation::Seed>> directions) const;

  // A along the constraints, of the components that are kept and independent.
  std::vector<std::size_t> independent(const Dependent& dependent) const;
  std::optional<std::vector<Ball>> matrix(const Dependent& dependent, std::span<const Ball> y,
                                          std::span<const Ball> parameters, long bits) const;
  // From the derivatives.
  std::optional<std::vector<Ball>> matrix(const Dependent& dependent, const Values<Ball>& slopes, long bits) const;
  std::optional<std::vector<double>> matrix(const Dependent& dependent, const Values<double>& slopes) const;
  // How what is kept follows the independent components: kept × independent.
  std::optional<std::vector<Ball>> lift(const Dependent& dependent, std::span<const Ball> y,
                                        std::span<const Ball> parameters, long bits) const;

  const std::vector<Expr>& constraints() const { return constraints_; }
  // What has to vanish, with these values of the other symbols, for the rates and the constraints to: right-hand sides of the linear systems
  // the rates are solutions of, rates, constraints, less what is proved to. All of it holds where none of the conditions vanishes. Nothing
  // where a linear system has no exact solution. Throws as prove_zero.
  struct Vanishing {
    std::vector<Expr> equations, conditions;
  };
  std::optional<Vanishing> what_vanishes(std::span<const Replacement> values) const;
  // The same as numbers, without algebra: an entry for each equation that may be left. Nothing where a linear system cannot be solved.
  std::optional<std::vector<Ball>> left_of_zero(std::span<const Ball> y, std::span<const Ball> parameters,
                                                long bits) const;

 private:
  std::vector<Expr> kept_rates() const;
  // All unknowns of this linear system are rates that have to vanish.
  bool has_to_vanish(const LinearBlock& block, std::span<const Expr> rates) const;
  // By coordinate.
  std::vector<bool> of_symmetry(Groundwork& work, bool quasi) const;
  void find_ignorable(const std::vector<bool>& by_symmetry);
  using ExpressionsBehind = std::function<std::vector<Expr>(std::span<const Expr>)>;
  // Of the positions that are not in use, those whose rates contain the time or themselves, by way of others, too.
  std::vector<bool> driven_by_themselves(const std::vector<bool>& in_use, const std::vector<bool>& by_symmetry,
                                         const ExpressionsBehind& expressions_behind) const;
  bool contains(std::span<const Expr> expressions, Expr symbol) const;

  System system_;
  bool autonomous_ = true;
  FirstOrderSystem form_;
  std::vector<std::optional<std::size_t>> position_;  // of each of y: the coordinate, or none
  std::vector<std::size_t> ignorable_, kept_;
  std::vector<Expr> constraints_;
  Program velocities_;
  FirstOrderProgram program_;
  // Made when they are first asked for, by whichever thread: to prove something about the equations takes none of them.
  struct Later {
    std::once_flag differentiated, values_lowered, derivatives_lowered, column_lowered, constraint_slopes_lowered,
        left_of_zero_lowered;
    FirstOrderSystem::Jacobian jacobian;
    Program values, derivatives, column, constraint_slopes, left_of_zero;
  };
  // From the derivatives of the constraints.
  std::optional<std::vector<Ball>> lift(const Dependent& dependent, std::span<const Ball> slopes, long bits) const;
  const Program& value_program() const;
  const Program& derivative_program() const;
  const Program& constraint_slope_program() const;
  const Program& left_of_zero_program() const;
  bool column_by_column() const;
  const Program& column_program() const;  // takes directions behind the other inputs
  template <class Number, class Run>
  Values<Number> columns(std::vector<Number> inputs, const Number& one, const Run& run) const;
  Program slopes_program(std::vector<std::vector<Derivation::Seed>> directions, const std::vector<Expr>& inputs) const;
  std::vector<Expr> slopes_of_constraints() const;
  std::unique_ptr<Later> later_ = std::make_unique<Later>();
};

}  // namespace cetaev
