// What of a system is to be watched along its motions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "given_velocities.hpp"
#include "looks.hpp"
#include "regularity.hpp"

namespace cetaev {

struct RegularityPlan::Data {
  explicit Data(const MotionEquations& e) : equations(e) {}

  const MotionEquations& equations;
  std::size_t n = 0, k = 0, rank = 0;
  Kinds kinds;
  double tolerance = 0;
  bool watch_J = false, watch_H = false;
  // The rows and velocities that the form has chosen, where there was a choice.
  bool chose_rows = false, chose_dependent = false;
  std::optional<GivenVelocities> given;
  struct Root {
    Expr under;
    std::string text;                       // with the root
    std::optional<std::size_t> constraint;  // in which it stands
  };
  std::vector<Root> roots;
  Program program;  // J, H, slopes of the given quasi-velocities, what stands under the roots
  std::optional<NativeProgram> program_in_code;
  // What vanishes where the model as it is written has no derivative: divisors and the like, asked where a motion cannot go on.
  std::vector<Expr> divisors;
  Program of_divisors;
  // Numbers that are not near zero as long as no quantity is, where there are some for all of them.
  std::optional<Program> guards;
  std::optional<NativeProgram> guards_in_code;
  // What was found by the values of the parameters and is relied upon: does it hold at others?
  struct Fact {
    std::vector<std::size_t> parameters;  // that it is about
    std::function<bool(std::span<const double> parameters)> holds;
  };
  std::vector<Fact> facts;
  void add_fact(std::span<const Expr> about, std::function<bool(std::span<const double> parameters)> holds);

  std::size_t count() const { return 2 + roots.size(); }
  bool empty() const { return !watch_J && !watch_H && roots.empty() && !given; }
  // Places among the outputs of the program.
  std::size_t at_inertia() const { return k * n; }
  std::size_t at_given() const { return at_inertia() + n * n; }
  std::size_t at_roots() const { return at_given() + (given ? given->slopes.size() : 0); }
  // Of Jᵀ, what the form has chosen.
  void choose(DenseView JT, DenseMatrix& chosen) const;
  // The last pivot of that beside the one of J itself, which depends on parameters alone.
  double quality_of_choice(const Program& of_J, std::span<const double> parameters) const;
};

}  // namespace cetaev
