// Two models of the same thing: do the motions of one, seen in the coordinates of the other, agree with those of that?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/formulation/compare.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// Coordinates of a model as functions of those of another and of time.
class CoordinateMap {
 public:
  // "x1 = r*cos(phi)", …: names of one model on the left, of the other on the right. Coordinates that no equation gives are those of the same
  // name. Throws parse-error, unknown-name and bad-model.
  CoordinateMap(const System& first, const System& second, const std::vector<std::string>& equations);

  bool from_first() const { return from_first_; }  // the names on the left are the second's
  const System& from() const { return from_; }
  const System& to() const { return to_; }
  State operator()(const State& at) const;
  // Of accelerations at a state.
  std::vector<double> accelerations(const State& at, const std::vector<double>& a) const;

 private:
  bool from_first_ = true;
  System from_, to_;
  Program states_, accelerations_;
  std::vector<double> parameters_;
};

struct TwoModels {
  std::string from, to;  // names of the models
  Form from_form = Form::multipliers, to_form = Form::multipliers;
  double tolerance = 0;
  // At states of the one model: accelerations of it, mapped, and of the other.
  std::optional<Difference> at_initial, worst;
  std::optional<Error> initial_error;
  std::size_t states = 0, skipped = 0;
  // The states that the map takes off the constraints of the other model, the largest residual, and the constraint.
  std::size_t off_constraints = 0;
  double residual = 0;
  std::size_t constraint = 0;
  bool agree() const;

  struct Motions {
    double t_end = 0, threshold = 0;
    double largest = 0;  // relative to the size of the states
    MotionDifference position, velocity;
    std::optional<double> part_at;
    MotionSummary from, to;
    bool agree() const { return !part_at; }
  };
  std::optional<Motions> motions;
};

struct TwoModelsOptions {
  ComparisonOptions at_states;
  Form first = Form::multipliers, second = Form::multipliers;
  std::optional<double> t_end;  // motions, too
  double threshold = 1e-8;
  std::optional<Method> method;
};

// At random admissible states of the model that is mapped, and along its motion from its initial state.
TwoModels compare_models(const System& first, const System& second, const std::vector<std::string>& map,
                         const TwoModelsOptions& options);

// A model with a parameter that goes to a limit, beside another.
struct Limit {
  std::string name;  // of the parameter
  double t_end = 0;
  std::vector<double> values, differences;  // largest relative difference of the motions
  std::vector<std::optional<double>>
      orders;                   // between one value and the next: in the parameter, or 1/it where it grows
  std::optional<double> order;  // the last of them that stands above rounding
  enum class Verdict { converges, does_not, undecided } verdict = Verdict::undecided;
};
std::string_view to_string(Limit::Verdict verdict);

struct LimitOptions {
  double from = 0, to = 0;
  std::size_t count = 0;
  std::optional<double> t_end;
  Form first = Form::multipliers, second = Form::multipliers;
};
// The values in equal ratios where both ends have the same sign, else at equal distances. A parameter of the same name of the other model has them, too.
Limit find_limit(const System& model, const System& other, const std::string& name, const std::vector<std::string>& map,
                 const LimitOptions& options);

}  // namespace cetaev
