// A motion, a time later: by how much it does not come back, and how that changes with where it begins, with the time and with a parameter.
#pragma once

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/stability/periodic.hpp"
#include "flow.hpp"

namespace cetaev {

// What comes back to this, beside the size of the state, has come back; a multiplier is told from the unit circle to the root of it, since
// those of a family are double.
constexpr double come_back = 1e-9, told_from_circle = 1e-5;
// A rank is told to this part of the largest row.
constexpr double least_pivot_of_newton = 1e-9;

struct Return {
  State from, to;
  std::vector<std::size_t> z;  // components of q, v that tell states near by apart
  DenseMatrix along, S;        // how everything follows z at the start, and everything at the end
  // the same by the parameter, z of the start being kept; empty where none is varied
  std::vector<double> along_parameter, by_parameter;
  std::vector<double> difference;  // end − start, but for turns
  double residual = 0, size = 1;

  DenseMatrix monodromy() const;  // S of z
};

class Shooting {
 public:
  // The parameter is one of the model, or none.
  Shooting(const System& system, const MotionOptions& options, const std::string& parameter = {});

  const System& system() const { return work_.system(); }
  std::size_t size() const { return n_; }
  bool autonomous() const { return autonomous_; }
  const State& initial() const { return flow_.initial(); }
  Carried carried() const { return flow_.carried(); }
  std::size_t steps() const { return steps_; }  // of all that was shot so far
  const std::vector<double>& parameters() const { return flow_.parameters(); }
  const std::vector<int>& turns() const { return turns_; }
  // Does a component of q, v have to come back?
  bool comes_back(std::size_t i) const { return kept_[i]; }
  std::string name(std::size_t i) const;
  void set(double value) { flow_.set(value); }

  // Of all that is kept, as many components as there are independent directions: those that the largest parts of these lie in.
  std::vector<std::size_t> chart(const State& at) const;
  // Throws the diagnosis of a motion that ends before, and not-periodic where it is interrupted. `also` sees the steps.
  Return shoot(const State& from, double T, const std::vector<std::size_t>& chart, Recorder* also = nullptr) const;
  // Angles may come back by whole turns: as many as they make now.
  void find_turns(Return& here);

  // How q and v change.
  std::vector<double> rates(const State& at) const;
  // Does what tells states apart change at the start, in a part of the period that can be told?
  bool moves_at(const Return& here) const;
  // Throws not-periodic where the equations are not the same this much later.
  void require_period(double period) const;

  PeriodicMotion motion(const Return& here, double period) const;

 private:
  void measure(Return& here) const;
  void judge(const Return& here, PeriodicMotion& result) const;

  mutable Groundwork work_;
  std::size_t n_;
  TangentFlow flow_;
  bool autonomous_ = true, varies_;
  std::vector<std::size_t> ignorable_;
  std::vector<int> turns_;
  std::vector<bool> kept_;
  Multipliers equations_;
  mutable Multipliers::Workspace workspace_{equations_};
  mutable std::size_t steps_ = 0;
};

// Newton's method from a state, with a period near that one. Throws not-periodic.
struct Returned {
  Return at;
  double period = 0;
};
Returned find_return(Shooting& shooting, const State& from, double period);

}  // namespace cetaev
