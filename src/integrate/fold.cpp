#include "fold.hpp"

#include <cmath>

#include "accuracy.hpp"
#include "cetaev/detail/constraint/describe.hpp"

namespace cetaev {

namespace {

// Values of the determinant within a step between which it is taken to change its sign once or not at all.
constexpr int looks_for_folds = 16;

Program slopes(const MotionEquations& along, const Terms& terms, const std::optional<GivenVelocities>& given) {
  std::vector<Expr> all = terms.constraints.jacobian.entries;
  if (given) all.insert(all.end(), given->slopes.begin(), given->slopes.end());
  return along.observing(all);
}

}  // namespace

FoldPlan::FoldPlan(const MotionEquations& equations, const Terms& terms, const FirstOrderSystem& form)
    : along(equations),
      n(equations.system()->size()),
      k(terms.constraints.size()),
      rows(form.rows),
      dependent(form.chosen),
      given(GivenVelocities::of(form)),
      jacobian(slopes(equations, terms, given)),
      diagnosis(
          ErrorCode::singular_dependent,
          "a fold: " +
              (given ? given->if_undetermined : singular_dependent(equations.system(), form.chosen, {})).message() +
              ", and " + std::string(form.form.name()) +
              " can take no others; the motion goes on in forms that solve for none, as `multipliers`") {}

FoldWatch::FoldWatch(const FoldPlan& plan, std::span<const double> parameters)
    : plan_(plan),
      run_(plan.jacobian),
      inputs_(plan.along, parameters),
      values_(plan.jacobian.output_count()),
      y_(plan.along.size()),
      chosen_(plan.rows.size(), plan.rows.size()) {
  if (plan.given) of_given_.emplace(*plan.given);
}

void FoldWatch::start(double t, std::span<const double> y) { last_ = look(t, y); }

void FoldWatch::begin_given_as(const GivenQuality& other) {
  if (!of_given_) return;
  of_given_->begin_as(other);
  last_ = measured();
}

double FoldWatch::look(double t, std::span<const double> y) {
  run_(inputs_.at(t, y), values_);
  return measured();
}

double FoldWatch::measured() {
  const DenseView JT = transposed_view(values_.data(), plan_.k, plan_.n);
  if (of_given_) {
    quality_ = of_given_->look(JT, std::span(values_).subspan(plan_.k * plan_.n));
    return of_given_->determinant();
  }
  for (std::size_t i = 0; i < plan_.rows.size(); ++i) {
    for (std::size_t j = 0; j < plan_.rows.size(); ++j) chosen_(j, i) = JT(plan_.dependent[j], plan_.rows[i]);
  }
  best_.compute(JT);
  own_.compute(chosen_);
  const std::size_t last = plan_.rows.size() - 1;
  quality_ = own_.pivot(last) / best_.pivot(last);
  return determinant_in_place(chosen_).mantissa;  // its sign is all that is asked for
}

std::optional<double> FoldWatch::find(const LastStep& step) {
  const auto at = [&](double t) {
    step.interpolate(t, y_);
    return look(t, y_);
  };
  const double begin = step.previous_time(), end = step.time();
  double a = begin, value = last_;
  for (int part = 1; part <= looks_for_folds; ++part) {
    double b = part == looks_for_folds ? end : begin + (end - begin) * part / looks_for_folds;
    value = part == looks_for_folds ? look(end, step.state()) : at(b);
    if (value * last_ > 0) {
      a = b;
      continue;
    }
    for (double t = a + (b - a) / 2; t != a && t != b; t = a + (b - a) / 2) (at(t) * last_ > 0 ? a : b) = t;
    return b;
  }
  last_ = value;
  return std::nullopt;
}

bool FoldWatch::serves() const { return quality_ > accuracy::serves_again; }

}  // namespace cetaev
