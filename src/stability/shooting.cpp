#include "shooting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/derivative.hpp"
#include "reduced_field.hpp"

namespace cetaev {

namespace {

// A motion that changes more slowly than this part of the state is steady as far as it is known.
constexpr double told_from_rest = 1e-6;

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

}  // namespace

DenseMatrix Return::monodromy() const {
  DenseMatrix result(z.size(), z.size());
  for (std::size_t r = 0; r < z.size(); ++r) {
    for (std::size_t j = 0; j < z.size(); ++j) result(r, j) = S(z[r], j);
  }
  return result;
}

Shooting::Shooting(const System& system, const MotionOptions& options, const std::string& parameter)
    : work_(Groundwork::apart(system)),
      n_(system->size()),
      flow_(system, options, parameter),
      varies_(!parameter.empty()),
      turns_(n_),
      kept_(2 * n_, true),
      equations_(work_.system(), work_.terms()) {
  const ReducedField field(work_, work_.initial(), false, ReducedField::Time::may_stand);
  autonomous_ = field.autonomous();
  ignorable_ = field.ignorable();
  for (const std::size_t i : ignorable_) kept_[i] = false;
  // dependent velocities may turn with ignorable coordinates; the independent ones tell
  for (std::size_t i = 0; i < n_; ++i) {
    const Expr v = work_.system()->motion.v[i];
    kept_[n_ + i] = std::any_of(field.form().state.begin(), field.form().state.end(),
                                [&](const StateVariable& one) { return one.symbol == v; });
  }
}

std::string Shooting::name(std::size_t i) const { return system()->coordinates[i % n_] + (i < n_ ? "" : "'"); }

std::vector<std::size_t> Shooting::chart(const State& at) const {
  const DenseMatrix tangents = flow_.tangents(at);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 2 * n_; ++i)
    if (kept_[i]) rows.push_back(i);
  if (rows.empty() || tangents.columns() == 0)
    throw Error(
        ErrorCode::not_applicable,
        "there is one motion alone here: the constraints determine it, but for coordinates that nothing depends on");
  DenseMatrix columns(tangents.columns(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < tangents.columns(); ++k) columns(k, r) = tangents(rows[r], k);
  }
  PivotedQr qr(least_pivot_of_newton);
  qr.compute(columns);
  std::vector<std::size_t> z;
  for (std::size_t k = 0; k < qr.rank(); ++k) z.push_back(rows[qr.column(k)]);
  std::sort(z.begin(), z.end());
  return z;
}

Return Shooting::shoot(const State& from, double T, const std::vector<std::size_t>& chart, Recorder* also) const {
  Return here;
  here.from = from;
  here.z = chart;
  // directions along each of z: tangents · X with rows z of it the identity
  const DenseMatrix tangents = flow_.tangents(from);
  DenseMatrix part(here.z.size(), tangents.columns());
  for (std::size_t r = 0; r < here.z.size(); ++r) {
    for (std::size_t k = 0; k < tangents.columns(); ++k) part(r, k) = tangents(here.z[r], k);
  }
  here.along = DenseMatrix(2 * n_, here.z.size());
  if (!here.z.empty()) {
    const LeastNorm inverse(part, least_pivot_of_newton);
    for (std::size_t j = 0; j < here.z.size(); ++j) {
      std::vector<double> unit(here.z.size());
      unit[j] = 1;
      add_product(tangents, inverse.solve(unit), here.along.column(j));
    }
  }
  if (varies_) {
    here.along_parameter = flow_.following(from);
    std::vector<double> back;
    for (const std::size_t i : here.z) back.push_back(-here.along_parameter[i]);
    add_product(here.along, back, here.along_parameter);
  }
  TangentFlow::Advanced there = flow_.advance(from, here.along, from.t + T, also, here.along_parameter);
  steps_ += there.steps;
  if (there.interrupted) throw Error(ErrorCode::not_periodic, "interrupted before a periodic motion was found");
  here.from = there.from;
  here.to = there.to;
  here.S = std::move(there.directions);
  here.by_parameter = std::move(there.by_parameter);
  measure(here);
  return here;
}

void Shooting::measure(Return& here) const {
  here.difference.assign(2 * n_, 0.0);
  here.residual = 0;
  here.size = 1;
  for (std::size_t i = 0; i < 2 * n_; ++i) {
    const double before = i < n_ ? here.from.q[i] : here.from.v[i - n_];
    const double after = i < n_ ? here.to.q[i] : here.to.v[i - n_];
    const double turned = i < n_ ? 2 * std::numbers::pi * turns_[i] : 0;
    here.difference[i] = after - before - turned;
    if (!kept_[i]) continue;
    here.residual = std::max(here.residual, std::abs(here.difference[i]));
    here.size = std::max(here.size, std::abs(before));
  }
}

void Shooting::find_turns(Return& here) {
  for (std::size_t i = 0; i < n_; ++i) {
    if (!kept_[i]) continue;
    const int turns = static_cast<int>(std::lround((here.to.q[i] - here.from.q[i]) / (2 * std::numbers::pi)));
    if (turns != 0 && is_an_angle(system(), i)) turns_[i] = turns;
  }
  measure(here);
}

std::vector<double> Shooting::rates(const State& at) const {
  std::vector<double> result = at.v, multipliers(work_.terms().constraints.phi.size());
  result.resize(2 * n_);
  equations_.evaluate(state_values(at, parameters()), workspace_, std::span(result).subspan(n_), multipliers);
  return result;
}

bool Shooting::moves_at(const Return& here) const {
  const std::vector<double> now = rates(here.from);
  double largest = 0;
  for (const std::size_t i : here.z) largest = std::max(largest, std::abs(now[i]));
  return largest > told_from_rest * here.size;
}

// The equations a period later are the same: told at some states, by all accelerations there.
void Shooting::require_period(double period) const {
  constexpr std::uint64_t states = 4;
  constexpr double same = 1e-9;
  for (std::uint64_t seed = 1; seed <= states; ++seed) {
    std::optional<State> at = seed == 1 ? std::optional(initial()) : work_.admissible().random(seed);
    if (!at) continue;
    std::vector<double> now, later;
    try {
      now = rates(*at);
      at->t += period;
      later = rates(*at);
    } catch (const Error&) {
      continue;
    }
    if (distance(now, later) > same * (1 + largest_magnitude(now)))
      throw Error(ErrorCode::not_periodic,
                  fmt::format("time stands in the equations, and {:.9g} is no period of them: a motion comes back only "
                              "where they do; give a whole number of their periods, to all digits, as 2*pi/3",
                              period));
  }
}

PeriodicMotion Shooting::motion(const Return& here, double period) const {
  PeriodicMotion result;
  result.period = period;
  result.state = here.from;
  result.residual = here.residual;
  result.ignorable = ignorable_;
  result.turns = turns_;
  judge(here, result);
  return result;
}

void Shooting::judge(const Return& here, PeriodicMotion& result) const {
  const std::size_t m = here.z.size();
  for (const std::size_t i : here.z) result.components.push_back(name(i));
  const DenseMatrix M = m == 0 ? DenseMatrix(0, 0) : here.monodromy();
  auto found = m == 0 ? std::optional(std::vector<std::complex<double>>()) : eigenvalues(M);
  if (!found) throw Error(ErrorCode::not_periodic, "the multipliers of the periodic motion were not found");
  result.multipliers = *found;
  std::sort(result.multipliers.begin(), result.multipliers.end(), [](const auto& a, const auto& b) {
    if (std::abs(a) != std::abs(b)) return std::abs(a) > std::abs(b);
    return a.imag() > b.imag();
  });
  // along the motion itself nothing grows or decays
  const bool moves = autonomous_;
  std::size_t on_circle = 0;
  bool leaves = false;
  // M is known but for a part δ of it, and two multipliers that are one may stand apart by √δ |M|
  const double double_one = told_from_circle * std::max(1.0, largest_magnitude(M.entries()));
  for (std::size_t i = 0; i < result.multipliers.size(); ++i) {
    const std::complex<double> multiplier = result.multipliers[i];
    double told = told_from_circle;
    for (std::size_t k = 0; k < result.multipliers.size(); ++k)
      if (k != i && std::abs(multiplier - result.multipliers[k]) <= 2 * double_one) told = double_one;
    const double size = std::abs(multiplier);
    if (std::abs(size - 1) <= told) {
      ++on_circle;
    } else if (size > 1) {
      leaves = true;
    }
  }
  if (leaves) {
    result.stable = false;
    result.because = "a multiplier lies outside the unit circle";
  } else if (on_circle == (moves ? 1 : 0)) {
    result.stable = true;
    result.because = moves ? "all multipliers but that of the motion itself lie inside the unit circle"
                           : "all multipliers lie inside the unit circle";
  } else {
    result.because = fmt::format("{} multipliers lie on the unit circle{}: they decide nothing", on_circle,
                                 moves ? ", one of them that of the motion itself" : "");
  }
}

}  // namespace cetaev
