// Closed forms q(t) of a model: do they start where the motion starts, satisfy the constraints and the equations of motion, and
// go where the computed motion goes?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "along_motion.hpp"
#include "cetaev/constraint/admissible.hpp"
#include "cetaev/constraint/on_set.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev::verify {

namespace {

constexpr std::size_t wanted_times = 6;
// Closed form and computed motion lie this close, beside their size.
constexpr double close = 1e-10;
constexpr double of_state = 1e-4;

class ClosedForms {
 public:
  ClosedForms(const System& system, const ComputedMotion& motion)
      : system_(system), motion_(motion), claims_(system->closed_form) {
    for (const ClosedForm& claim : claims_) {
      items_.push_back({VerifiedItem::Kind::closed_form, system->coordinates[claim.coordinate],
                        VerifiedItem::Outcome::holds, "", claim.position});
    }
  }

  std::vector<VerifiedItem> verified() {
    if (claims_.empty()) return {};
    if (motion_.error || motion_.samples().size() == 0) {
      for (VerifiedItem& item : items_)
        refuse(item, "there is no motion to hold it to: " + (motion_.error ? motion_.error->message() : "no samples"));
      return items_;
    }
    beside_the_motion();
    if (claims_.size() == system_->size()) in_the_equations();
    for (VerifiedItem& item : items_) {
      if (item.outcome != VerifiedItem::Outcome::fails) {
        item.evidence =
            (times_ > 0 ? fmt::format("satisfies constraints and equations of motion to {} digits at {} random times; ",
                                      OnSet::wanted_digits, times_)
                        : std::string()) +
            item.evidence;
      }
    }
    return items_;
  }

 private:
  static void refuse(VerifiedItem& item, const std::string& why) {
    if (item.outcome == VerifiedItem::Outcome::fails) return;  // the first reason is the plainest
    item.outcome = VerifiedItem::Outcome::fails;
    item.evidence = why;
  }

  // q(t) in doubles at the samples, the first of which is the initial state, and between them.
  void beside_the_motion() {
    const std::array all = {&motion_.samples(), &motion_.between()};
    double overall = 0;
    for (const Samples* s : all)
      for (std::size_t i = 0; i < system_->size(); ++i)
        overall = std::max({overall, size_of(s->q[i]), size_of(s->v[i])});
    std::vector<Value> values = parameters();
    values.emplace_back(system_->motion.t, 0);
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const std::size_t i = claims_[c].coordinate;
      const std::array both = {claims_[c].expression, derivative(claims_[c].expression, system_->motion.t)};
      // a coordinate is computed to the digits of the whole state
      const auto scale = [&](const std::vector<double>& a, const std::vector<double>& b) {
        return std::max(size_of(a), size_of(b)) + of_state * overall;
      };
      const double scale_q = scale(all[0]->q[i], all[1]->q[i]), scale_v = scale(all[0]->v[i], all[1]->v[i]);
      double largest = 0, when = 0, there = 0, claimed = 0;
      for (const Samples* s : all) {
        for (std::size_t k = 0; k < s->size(); ++k) {
          values.back().second = s->t[k];
          const std::vector<double> q = evaluate(both, values);
          if (s == all[0] && k == 0 && !starts(c, q, {s->q[i][0], s->v[i][0]}, {scale_q, scale_v})) break;
          const double away = std::isfinite(q[0]) ? std::abs(q[0] - s->q[i][k]) : HUGE_VAL;
          if (away > largest) largest = away, when = s->t[k], there = s->q[i][k], claimed = q[0];
        }
        if (items_[c].outcome == VerifiedItem::Outcome::fails) break;
      }
      if (items_[c].outcome == VerifiedItem::Outcome::fails) continue;
      if (!(largest <= close * scale_q)) {
        refuse(items_[c], fmt::format("at t = {:.6g} it {}, the computed motion {:.12g}", when, given(claimed), there));
      } else {
        items_[c].evidence = fmt::format("within {:.1e} of the computed motion to t = {:.6g}",
                                         scale_q > 0 ? largest / scale_q : 0, all[0]->t.back());
      }
    }
  }

  static double size_of(const std::vector<double>& values) {
    double size = 0;
    for (const double x : values) size = std::max(size, std::abs(x));
    return size;
  }

  static std::string given(double value) {
    return std::isfinite(value) ? fmt::format("gives {:.12g}", value) : "is not defined";
  }

  bool starts(std::size_t c, const std::vector<double>& claimed, std::array<double, 2> there,
              std::array<double, 2> scale) {
    const std::string& name = system_->coordinates[claims_[c].coordinate];
    for (std::size_t order = 0; order < 2; ++order) {
      if (std::abs(claimed[order] - there[order]) <= close * scale[order]) continue;
      refuse(items_[c], fmt::format("at the start it {} for {}{}, the initial state has {:.12g}", given(claimed[order]),
                                    name, order == 0 ? "" : "'", there[order]));
      return false;
    }
    return true;
  }

  // φ(q(t), q'(t), t) = 0 and q''(t) = a(q(t), q'(t), t) in balls.
  void in_the_equations() {
    const double begin = motion_.samples().t.front(), end = motion_.samples().t.back();
    Random random(20);
    for (std::size_t k = 0; k < wanted_times && !any_fails(); ++k) {
      const double share = (static_cast<double>(k) + random.uniform(0.05, 0.95)) / wanted_times;
      if (at(begin + share * (end - begin))) ++times_;
    }
    if (times_ == 0 && !any_fails() && why_not_.empty()) why_not_ = "the equations of motion are singular along it";
    if (!why_not_.empty())
      for (VerifiedItem& item : items_)
        if (item.outcome != VerifiedItem::Outcome::fails) item.evidence += "; not put into the equations: " + why_not_;
  }

  bool any_fails() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const VerifiedItem& item) { return item.outcome == VerifiedItem::Outcome::fails; });
  }

  bool at(double t) {
    const std::size_t n = system_->size();
    const Motion& m = system_->motion;
    std::vector<Expr> q(n), v(n), a(n);
    for (const ClosedForm& claim : claims_) {
      q[claim.coordinate] = claim.expression;
      v[claim.coordinate] = derivative(claim.expression, m.t);
      a[claim.coordinate] = derivative(v[claim.coordinate], m.t);
    }
    std::vector<BallValue> now = {{m.t, Ball::from_double(t)}};
    const std::vector<Ball> parameters = parameter_balls(system_, OnSet::bits);
    for (std::size_t i = 0; i < parameters.size(); ++i) now.emplace_back(system_->parameters[i].symbol, parameters[i]);

    std::vector<Replacement> along;
    for (std::size_t i = 0; i < n; ++i) along.insert(along.end(), {{m.q[i], q[i]}, {m.v[i], v[i]}, {m.a[i], a[i]}});
    for (const Constraint& constraint : system_->constraints) {
      double value = 0;
      if (zero_at(substitute(constraint.expression, along), now, &value)) continue;
      refuse(items_[involved(constraint.expression)],
             fmt::format("with the closed form the constraint {} is off by {:.3g} at t = {:.6g}", constraint.label(),
                         value, t));
      return false;
    }

    // the accelerations that the principle gives at the state of the closed form
    std::vector<Expr> roots = q;
    roots.insert(roots.end(), v.begin(), v.end());
    std::vector<Ball> inputs = evaluate_balls(roots, now, OnSet::bits);
    State rounded{t, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      if (!inputs[i].is_finite() || !inputs[n + i].is_finite()) return false;
      rounded.q.push_back(inputs[i].midpoint());
      rounded.v.push_back(inputs[n + i].midpoint());
    }
    inputs.push_back(now.front().second);
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    std::vector<Ball> accelerations;
    try {
      const Derived& here = derived_at(rounded);
      const CompiledForm& form = *here.form;
      if (motion_.form == cetaev::Form::vakonomic) return with_multipliers(*here.setting, along, now, t);
      if (!form.form().lambda.empty()) {
        why_not_ = "the equations have multipliers in their state";
        return false;
      }
      accelerations = form.evaluate(inputs, OnSet::bits).a;
    } catch (const Error& error) {
      why_not_ = error.message();
      return false;
    }
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const std::size_t i = claims_[c].coordinate;
      if (!accelerations[i].is_finite()) return false;
      std::vector<BallValue> values = now;
      values.emplace_back(m.a[i], accelerations[i]);
      double value = 0;
      if (!zero_at(a[i] - m.a[i], values, &value))
        refuse(
            items_[c],
            fmt::format("its second derivative at t = {:.6g} differs by {:.3g} from what the equations of motion give",
                        t, value));
    }
    return true;
  }

  // The vakonomic equations E L − F = Σ (λ E φ + λ̇ ∂φ/∂v) along q(t) are linear in λ and λ̇: there have to be λ that satisfy all of them,
  // with λ̇ their derivatives.
  bool with_multipliers(const Setting& setting, const std::vector<Replacement>& along,
                        const std::vector<BallValue>& now, double t) {
    const std::size_t n = system_->size();
    const std::vector<Expr> phi = setting.phi();
    const std::size_t unknowns = 2 * phi.size();
    std::vector<std::vector<Expr>> columns;
    for (const Expr f : phi) columns.push_back(lagrangian_derivative(f, system_->motion));
    for (const Expr f : phi) columns.push_back(gradient(f, system_->motion.v));
    columns.push_back(lagrangian_derivative(system_->lagrangian, system_->motion));
    for (std::size_t i = 0; i < n; ++i) columns.back()[i] = columns.back()[i] - system_->forces[i];
    // and their derivatives by t, row by row
    std::vector<Expr> entries;
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::vector<Expr>& column : columns) entries.push_back(substitute(column[i], along));
    }
    for (std::size_t i = 0, count = entries.size(); i < count; ++i)
      entries.push_back(derivative(entries[i], system_->motion.t));
    const std::vector<Ball> values = evaluate_balls(entries, now, OnSet::bits);
    const std::size_t width = unknowns + 1;
    const auto at = [&](std::size_t row, std::size_t column, bool rate) -> const Ball& {
      return values[(rate ? n * width : 0) + row * width + column];
    };
    DenseMatrix transposed(unknowns, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < unknowns; ++j) transposed(j, i) = at(i, j, false).midpoint();
    }
    PivotedQr rows_by_size(rank_tolerance);
    rows_by_size.compute(transposed);
    if (rows_by_size.rank() < unknowns) {
      why_not_ = "the equations do not determine the multipliers along it";
      return false;
    }
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < unknowns; ++k) rows.push_back(rows_by_size.column(k));
    std::vector<Ball> matrix, x;
    for (const std::size_t i : rows) {
      for (std::size_t j = 0; j < unknowns; ++j) matrix.push_back(at(i, j, false));
      x.push_back(at(i, unknowns, false));
    }
    if (!solve_in_balls(matrix, x, unknowns, 1, OnSet::bits)) return false;
    std::vector<Ball> rate;  // M ẋ = ṙ − Ṁ x
    for (const std::size_t i : rows) {
      rate.push_back(at(i, unknowns, true));
      for (std::size_t j = 0; j < unknowns; ++j) rate.back() -= at(i, j, true) * x[j];
    }
    if (!solve_in_balls(matrix, rate, unknowns, 1, OnSet::bits)) return false;
    const auto close_to_zero = [](const Ball& off) { return off.magnitude_log10() < -OnSet::wanted_digits; };
    const auto differ = [&](std::size_t claim, const Ball& off) {
      refuse(items_[claim],
             fmt::format("with it no multipliers satisfy the vakonomic equations at t = {:.6g}: they are off by {:.3g}",
                         t, off.midpoint()));
    };
    for (std::size_t i = 0; i < n; ++i) {
      Ball off = at(i, unknowns, false);
      for (std::size_t j = 0; j < unknowns; ++j) off -= at(i, j, false) * x[j];
      if (!close_to_zero(off)) differ(claim_about(i), off);
    }
    for (std::size_t j = 0; j < phi.size(); ++j) {
      const Ball off = rate[j] - x[phi.size() + j];
      if (!close_to_zero(off)) differ(involved(phi[j]), off);
    }
    return true;
  }

  std::size_t claim_about(std::size_t coordinate) const {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      if (claims_[c].coordinate == coordinate) return c;
    }
    return 0;
  }

  // The claim that a constraint speaks of first; some claim if it speaks of none.
  std::size_t involved(Expr constraint) const {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const std::size_t i = claims_[c].coordinate;
      if (depends_on(constraint, std::array{system_->motion.q[i], system_->motion.v[i], system_->motion.a[i]}))
        return c;
    }
    return 0;
  }

  struct Derived {
    std::vector<std::size_t> rows, dependent;
    std::unique_ptr<Setting> setting;
    std::unique_ptr<CompiledForm> form;
  };

  const Derived& derived_at(const State& state) {
    if (!terms_) terms_.emplace(system_), admissible_.emplace(system_);
    const RankReport rank = admissible_->rank(state);
    for (const Derived& known : derived_)
      if (known.rows == rank.independent_rows && known.dependent == rank.pivot_columns) return known;
    Derived fresh{rank.independent_rows, rank.pivot_columns, nullptr, nullptr};
    fresh.setting = std::make_unique<Setting>(system_, *terms_, fresh.rows, fresh.dependent);
    fresh.form = std::make_unique<CompiledForm>(*fresh.setting, motion_.form->derive(*fresh.setting));
    derived_.push_back(std::move(fresh));
    return derived_.back();
  }

  std::vector<Value> parameters() const {
    std::vector<Value> values;
    const std::vector<double> numbers = parameter_values(system_);
    for (std::size_t i = 0; i < numbers.size(); ++i) values.emplace_back(system_->parameters[i].symbol, numbers[i]);
    return values;
  }

  System system_;
  const ComputedMotion& motion_;
  const std::vector<ClosedForm>& claims_;
  std::vector<VerifiedItem> items_;
  std::optional<Terms> terms_;
  std::optional<Admissible> admissible_;
  std::vector<Derived> derived_;
  std::size_t times_ = 0;
  std::string why_not_;
};

}  // namespace

std::vector<VerifiedItem> verify_closed_forms(const System& system, const ComputedMotion& motion) {
  return ClosedForms(system, motion).verified();
}

}  // namespace cetaev::verify
