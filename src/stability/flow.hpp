// Motions together with what lies beside them: directions that the constraints allow, carried along.
#pragma once

#include <memory>
#include <optional>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {

// What is carried of a motion and of directions beside it, by component: one step takes about as many operations for each as there are
// coordinates.
struct Carried {
  std::size_t coordinates = 0, directions = 0;
  std::size_t numbers() const { return 2 * coordinates * (1 + directions); }
  double effort(std::size_t steps) const {
    return static_cast<double>(steps) * static_cast<double>(numbers()) * static_cast<double>(coordinates);
  }
  // Small ones are followed as long as is asked for.
  bool is_large() const { return numbers() > 400; }
};
// Of large ones: what there may be of numbers at once, which are as many equations to be compiled, and of effort, which is a minute or two.
inline constexpr std::size_t most_carried = 4096;
inline constexpr double most_effort = 4e7;

class TangentFlow {
 public:
  // Where a parameter is named, its value may be another one, and motions with a little more of it are carried along, too.
  // Of more directions than may be carried there are as many as may, unless all are wanted: then it throws not-applicable.
  enum class Directions { all, as_many_as_may_be };
  TangentFlow(const System& system, MotionOptions options, const std::string& parameter = {},
              Directions directions = Directions::all);

  const State& initial() const { return initial_; }
  // Of the set of admissible states, near the initial one.
  std::size_t dimension() const { return dimension_; }
  Carried carried() const { return {n_, carried_}; }
  const std::vector<double>& parameters() const { return parameters_; }
  // From here on the parameter has this value, and those that are formulas of it follow.
  void set(double value);

  // An orthonormal basis of the directions (δq, δv) that the constraints allow at a state.
  DenseMatrix tangents(const State& at) const;
  // The shortest way (δq, δv) by which a state follows the constraints when the parameter grows. Throws not-applicable where there is none.
  std::vector<double> following(const State& at) const;

  struct Advanced {
    State from, to;  // the first one put on the constraints
    DenseMatrix directions;
    std::vector<double> by_parameter;  // of a motion that began with `with_parameter`
    std::size_t steps = 0;
    bool interrupted = false;
  };
  // Throws the diagnosis of a motion that ends before. `also` sees the steps.
  Advanced advance(const State& from, const DenseMatrix& directions, double t_end, Recorder* also = nullptr,
                   const std::vector<double>& with_parameter = {}) const;

 private:
  DenseMatrix rows_at(const State& at) const;
  MotionSummary run(const MotionStart& start, Recorders& recorders) const;

  System system_;
  MotionOptions options_;
  std::size_t n_;
  std::optional<std::size_t> varied_;  // the parameter
  std::optional<double> value_;        // where it is not the model's
  std::vector<double> parameters_;
  Program rows_;    // of the constraints on positions, then on velocities: derivatives by q and v
  Program slopes_;  // of the same: by the parameter
  std::size_t row_count_ = 0;
  State initial_;
  std::size_t dimension_ = 0, carried_ = 0;
  std::unique_ptr<const CompiledMotion> motion_;
  // one for the value alone, where the equations of the model do not serve it
  mutable std::unique_ptr<const CompiledMotion> own_motion_;
};

}  // namespace cetaev
