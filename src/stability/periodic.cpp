// Shooting: z(T) = z(0) on the constraints, up to ignorable coordinates and turns of angles, by Newton's method
//
//   (S(T) − 1) δz + z'(T) δT = −(z(T) − z(0))
//
// of least length, since periodic motions come in families and every state of one is as good as the others. S(T) is the matrix whose
// eigenvalues are Floquet's multipliers.
#include "cetaev/stability/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "flow.hpp"
#include "reduced_field.hpp"
#include "spectrum.hpp"

namespace cetaev {

namespace {

constexpr int most_iterations = 60, most_halvings = 12;
constexpr double least_pivot_of_newton = 1e-9;
// A motion that changes more slowly than this part of the state is steady as far as it is known.
constexpr double told_from_rest = 1e-6;
// The period that was given, or so many times as long, or as short.
constexpr double most_times = 3;
// What comes back to this, beside the size of the state, has come back; a multiplier is told from the unit circle to the root of it, since
// those of a family are double.
constexpr double come_back = 1e-9, told_from_circle = 1e-5;

// Is the system the same when this coordinate has made a turn? By proof.
bool is_an_angle(const System& system, std::size_t i) {
  const Expr q = system->motion.q[i];
  Context& context = *system->context;
  const std::vector<Replacement> turn = {{q, q + context.number(Rational(2)) * context.pi()}};
  const auto same = [&](Expr e) {
    if (!depends_on(e, std::span(&q, 1))) return true;
    return prove_zero(substitute(e, turn) - e).verdict == Verdict::proved;
  };
  if (!same(system->lagrangian)) return false;
  if (!std::all_of(system->forces.begin(), system->forces.end(), same)) return false;
  return std::all_of(system->constraints.begin(), system->constraints.end(),
                     [&](const Constraint& constraint) { return same(constraint.expression); });
}

class Shooting {
 public:
  Shooting(const System& system, const MotionOptions& options)
      : work_(Groundwork::apart(system)), n_(system->size()), flow_(system, options) {
    const ReducedField field(work_, work_.initial(), false, ReducedField::Time::may_stand);
    autonomous_ = field.autonomous();
    result_.ignorable = field.ignorable();
    result_.turns.assign(n_, 0);
    kept_.assign(2 * n_, true);
    for (const std::size_t i : result_.ignorable) kept_[i] = false;
    // dependent velocities may turn with ignorable coordinates; the independent ones tell
    for (std::size_t i = 0; i < n_; ++i) {
      const Expr v = work_.system()->motion.v[i];
      kept_[n_ + i] = std::any_of(field.form().state.begin(), field.form().state.end(),
                                  [&](const StateVariable& one) { return one.symbol == v; });
    }
  }

  PeriodicMotion run(double period) {
    if (!autonomous_) require_period(period);
    State state = flow_.initial();
    double T = period;
    Return here = shoot(state, T);
    find_turns(here);
    for (int iteration = 0; iteration < most_iterations && here.residual > 0; ++iteration) {
      const auto [change, longer] = newton(here);
      double factor = 1;
      bool better = false;
      for (int halving = 0; halving < most_halvings && !better; ++halving, factor /= 2) {
        State next = here.from;
        for (std::size_t i = 0; i < n_; ++i) {
          next.q[i] += factor * change[i];
          next.v[i] += factor * change[n_ + i];
        }
        const double next_T = T + factor * longer;
        // every state comes back after no time at all
        if (!(next_T / period > 1 / most_times) || next_T / period > most_times) continue;
        try {
          Return there = shoot(next, next_T);
          better = there.residual < here.residual;
          if (!better) continue;
          here = std::move(there);
          T = next_T;
        } catch (const Error&) {
          // shorter
        }
      }
      if (!better) break;
    }
    if (!(here.residual <= come_back * here.size))
      throw Error(ErrorCode::not_periodic,
                  fmt::format("no periodic motion was found near the initial state with a period near {:.6g}: the best "
                              "one comes back to {:.2g} after {:.6g}",
                              period, here.residual, T));
    if (autonomous_ && !moves_at(here))
      throw Error(ErrorCode::not_periodic,
                  "what was found is no periodic motion but a steady one, which comes back after any time: " +
                      describe_positions(work_.system(), here.from.q, all_indices(n_)) +
                      "; begin further away from it, with a period nearer to that of a motion");
    result_.period = T;
    result_.state = here.from;
    result_.residual = here.residual;
    judge(here);
    return std::move(result_);
  }

 private:
  struct Return {
    State from, to;
    std::vector<std::size_t> z;  // components that tell states near by apart
    DenseMatrix along, S;        // how everything follows z at the start, and everything at the end
    std::vector<double> difference;
    double residual = 0, size = 1;
  };

  std::string name(std::size_t i) const { return work_.system()->coordinates[i % n_] + (i < n_ ? "" : "'"); }

  // Of all that is kept, as many components as there are independent directions: those that the largest parts of these lie in.
  void choose(Return& here) const {
    const DenseMatrix tangents = flow_.tangents(here.from);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 2 * n_; ++i)
      if (kept_[i]) rows.push_back(i);
    DenseMatrix columns(tangents.columns(), rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t k = 0; k < tangents.columns(); ++k) columns(k, r) = tangents(rows[r], k);
    }
    PivotedQr qr(least_pivot_of_newton);
    qr.compute(columns);
    here.z.clear();
    for (std::size_t k = 0; k < qr.rank(); ++k) here.z.push_back(rows[qr.column(k)]);
    std::sort(here.z.begin(), here.z.end());
    // directions along each of them: tangents · X with rows z of it the identity
    DenseMatrix part(here.z.size(), tangents.columns());
    for (std::size_t r = 0; r < here.z.size(); ++r) {
      for (std::size_t k = 0; k < tangents.columns(); ++k) part(r, k) = tangents(here.z[r], k);
    }
    const LeastNorm inverse(part, least_pivot_of_newton);
    here.along = DenseMatrix(2 * n_, here.z.size());
    for (std::size_t j = 0; j < here.z.size(); ++j) {
      std::vector<double> unit(here.z.size());
      unit[j] = 1;
      add_product(tangents, inverse.solve(unit), here.along.column(j));
    }
  }

  Return shoot(const State& from, double T) const {
    Return here;
    here.from = from;
    choose(here);
    TangentFlow::Advanced there = flow_.advance(from, here.along, from.t + T);
    here.from = there.from;
    here.to = there.to;
    here.S = std::move(there.directions);
    if (there.interrupted) throw Error(ErrorCode::not_periodic, "interrupted before a periodic motion was found");
    measure(here);
    return here;
  }

  void measure(Return& here) const {
    here.difference.assign(2 * n_, 0.0);
    here.residual = 0;
    here.size = 1;
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const double before = i < n_ ? here.from.q[i] : here.from.v[i - n_];
      const double after = i < n_ ? here.to.q[i] : here.to.v[i - n_];
      const double turned = i < n_ ? 2 * std::numbers::pi * result_.turns[i] : 0;
      here.difference[i] = after - before - turned;
      if (!kept_[i]) continue;
      here.residual = std::max(here.residual, std::abs(here.difference[i]));
      here.size = std::max(here.size, std::abs(before));
    }
  }

  // Angles may come back by whole turns.
  void find_turns(Return& here) {
    for (std::size_t i = 0; i < n_; ++i) {
      if (!kept_[i]) continue;
      const int turns = static_cast<int>(std::lround((here.to.q[i] - here.from.q[i]) / (2 * std::numbers::pi)));
      if (turns != 0 && is_an_angle(work_.system(), i)) result_.turns[i] = turns;
    }
    measure(here);
  }

  std::pair<std::vector<double>, double> newton(const Return& here) const {
    const std::size_t m = here.z.size(), columns = m + (autonomous_ ? 1 : 0);
    DenseMatrix system(m, columns);
    std::vector<double> right;
    const std::vector<double> rates = autonomous_ ? rates_of(work_, here.to) : std::vector<double>();
    for (std::size_t r = 0; r < m; ++r) {
      for (std::size_t j = 0; j < m; ++j) system(r, j) = here.S(here.z[r], j) - (r == j ? 1 : 0);
      if (autonomous_) system(r, m) = rates[here.z[r]];
      right.push_back(-here.difference[here.z[r]]);
    }
    std::vector<double> change(2 * n_);
    if (m == 0) return {change, 0};
    std::vector<double> step = LeastNorm(system, least_pivot_of_newton).solve(right);
    const double longer = autonomous_ ? step.back() : 0;
    step.resize(m);
    add_product(here.along, step, change);
    return {change, longer};
  }

  // The equations a period later are the same: told at some states, by all accelerations there.
  void require_period(double period) {
    constexpr std::uint64_t states = 4;
    constexpr double same = 1e-9;
    for (std::uint64_t seed = 1; seed <= states; ++seed) {
      std::optional<State> at = seed == 1 ? std::optional(flow_.initial()) : work_.admissible().random(seed);
      if (!at) continue;
      std::vector<double> now, later;
      try {
        now = rates_of(work_, *at);
        at->t += period;
        later = rates_of(work_, *at);
      } catch (const Error&) {
        continue;
      }
      if (distance(now, later) > same * (1 + largest_magnitude(now)))
        throw Error(
            ErrorCode::bad_model,
            fmt::format("time stands in the equations, and {:.9g} is no period of them: a motion comes back only "
                        "where they do",
                        period));
    }
  }

  // Does what tells states apart change at the start, in a part of the period that can be told?
  bool moves_at(const Return& here) const {
    const std::vector<double> rates = rates_of(work_, here.from);
    double largest = 0;
    for (const std::size_t i : here.z) largest = std::max(largest, std::abs(rates[i]));
    return largest > told_from_rest * here.size;
  }

  void judge(const Return& here) {
    const std::size_t m = here.z.size();
    DenseMatrix monodromy(m, m);
    for (std::size_t r = 0; r < m; ++r) {
      for (std::size_t j = 0; j < m; ++j) monodromy(r, j) = here.S(here.z[r], j);
      result_.components.push_back(name(here.z[r]));
    }
    auto found = m == 0 ? std::optional(std::vector<std::complex<double>>()) : eigenvalues(monodromy);
    if (!found) throw Error(ErrorCode::not_periodic, "the multipliers of the periodic motion were not found");
    result_.multipliers = *found;
    std::sort(result_.multipliers.begin(), result_.multipliers.end(), [](const auto& a, const auto& b) {
      if (std::abs(a) != std::abs(b)) return std::abs(a) > std::abs(b);
      return a.imag() > b.imag();
    });
    // along the motion itself nothing grows or decays
    const bool moves = autonomous_;
    std::size_t on_circle = 0;
    bool leaves = false, all_inside = true;
    for (const std::complex<double> multiplier : result_.multipliers) {
      const double size = std::abs(multiplier);
      if (std::abs(size - 1) <= told_from_circle) {
        ++on_circle;
      } else if (size > 1) {
        leaves = true;
      }
      all_inside = all_inside && size < 1 - told_from_circle;
    }
    if (leaves) {
      result_.stable = false;
      result_.because = "a multiplier lies outside the unit circle";
    } else if (on_circle == (moves ? 1 : 0)) {
      result_.stable = true;
      result_.because = moves ? "all multipliers but that of the motion itself lie inside the unit circle"
                              : "all multipliers lie inside the unit circle";
    } else {
      result_.because = fmt::format("{} multipliers lie on the unit circle{}: they decide nothing", on_circle,
                                    moves ? ", one of them that of the motion itself" : "");
    }
  }

  Groundwork work_;
  std::size_t n_;
  TangentFlow flow_;
  bool autonomous_ = true;
  std::vector<bool> kept_;
  PeriodicMotion result_;
};

}  // namespace

PeriodicMotion find_periodic(const System& system, double period, const MotionOptions& options) {
  if (!std::isfinite(period) || !(period > 0))
    throw Error(ErrorCode::bad_model, "a period is a finite time greater than zero");
  return Shooting(system, options).run(period);
}

}  // namespace cetaev
