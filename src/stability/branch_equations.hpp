// What a point of a branch of periodic motions solves, and how far a point is from solving it.
//
// The unknowns u are z (the state on the constraints, in a chart), T where time does not stand in the equations, and the value λ that is
// varied, each divided by its size: that of the state, of the period and of the range. The rows are
//
//   z(T) − z(0) = 0,   f·(z − z₀) = 0 (of motions that differ by their beginning, the one that begins next to the last),
//   g(z, T) − λ = 0 where λ is no parameter,   h(z, T) − h₀ = 0 of what is held.
//
// Each of g and h goes with a conserved quantity, by which one of the first rows follows from the others.
#pragma once

#include "cetaev/stability/continuation.hpp"
#include "shooting.hpp"

namespace cetaev {

// E, the period, or a component of the first state.
class BranchQuantity {
 public:
  // Throws unknown-name.
  BranchQuantity(const System& system, const std::string& name);
  static BranchQuantity energy(const System& system);  // whatever E is in the model
  bool is_parameter() const { return parameter_; }
  bool is_energy() const { return kind_ == Kind::energy; }
  const std::string& name() const { return name_; }
  double value(const State& at, double T, std::span<const double> parameters) const;
  // By q and v.
  std::vector<double> gradient(const State& at, std::span<const double> parameters) const;
  double by_period() const { return kind_ == Kind::period ? 1 : 0; }
  // The same explicitly by the parameter that is varied.
  double by_parameter(const State& at, std::span<const double> parameters) const;
  void vary(const System& system, const std::string& parameter);

 private:
  enum class Kind { energy, period, component };
  BranchQuantity(const System& system, Kind kind);
  std::string name_;
  Kind kind_ = Kind::component;
  bool parameter_ = false;
  std::size_t component_ = 0, n_;
  Program energy_, slope_;  // E and its derivatives by q and v; by the parameter
};

struct BranchPlace {
  Return at;
  double T = 0, value = 0;
  std::vector<double> leaves{};  // q' and v' at its start
};

class BranchEquations {
 public:
  BranchEquations(const System& system, const Along& along, const BranchOptions& options);

  Shooting& shooting() { return shooting_; }
  const Shooting& shooting() const { return shooting_; }
  bool varies_parameter() const { return varied_.is_parameter(); }
  std::size_t unknowns(const Return& at) const { return at.z.size() + (autonomous_ ? 2 : 1); }
  std::size_t conserved() const { return held_.size() + (varied_.is_parameter() ? 0 : 1); }

  // The first one; what is held is what it has. Throws as follow_periodic.
  BranchPlace first();
  // λ of a place that was found without it, and E there.
  double value_of(const Return& at, double T) const { return varied_.value(at.from, T, shooting_.parameters()); }
  double energy(const Return& at) const { return energy_.value(at.from, 0, shooting_.parameters()); }

  // Throws what the motion does.
  BranchPlace shoot(const State& from, double T, double value, const std::vector<std::size_t>& chart,
                    Recorder* also = nullptr);
  // From one place along u, in its chart.
  BranchPlace move(const BranchPlace& from, std::span<const double> u);
  // u of a place, seen from another in the chart of this.
  std::vector<double> seen_from(const BranchPlace& base, const BranchPlace& place) const;
  // q, v, T, λ, each by its size, of a direction in the chart of a place; and back in another chart.
  std::vector<double> everywhere(const BranchPlace& at, std::span<const double> u) const;
  std::vector<double> in_chart(const BranchPlace& at, std::span<const double> all) const;

  struct Rows {
    DenseMatrix matrix;  // by u
    std::vector<double> residual;
    std::size_t returns = 0;  // the first so many rows
  };
  Rows rows(const BranchPlace& at, const BranchPlace& base) const;
  // Has it come back, with all that is held?
  bool solved(const BranchPlace& at, const Rows& rows) const;

 private:
  double period_at(double value) const;
  double scale(std::size_t column, std::size_t m) const;

  System system_;
  Along along_;
  BranchQuantity varied_, energy_;
  std::vector<BranchQuantity> held_;
  std::vector<double> held_at_;
  Shooting shooting_;
  bool autonomous_;
  Expr period_, period_slope_;
  std::optional<std::size_t> parameter_;
  double state_size_ = 1, period_size_ = 1, range_;
};

}  // namespace cetaev
