#include "flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// A rank is told to this part of the largest row.
constexpr double least_row = 1e-10;

class Beginning : public Recorder {
 public:
  void sample(const MotionPoint& point) override {
    if (seen_) return;
    seen_ = true;
    state = {point.t, {point.q.begin(), point.q.end()}, {point.v.begin(), point.v.end()}};
  }
  State state;

 private:
  bool seen_ = false;
};

}  // namespace

TangentFlow::TangentFlow(const System& system, MotionOptions options, const std::string& parameter,
                         Directions directions)
    : system_(system), options_(std::move(options)), n_(system->size()), parameters_(parameter_values(system)) {
  Groundwork work = Groundwork::apart(system);
  initial_ = work.initial().state;
  const System& own = work.system();
  const ConstraintSet& set = work.terms().constraints;
  std::vector<Expr> rows, symbols = own->motion.q;
  symbols.insert(symbols.end(), own->motion.v.begin(), own->motion.v.end());
  for (const std::size_t i : set.position_rows) rows.push_back(set.residual[i]);
  for (const std::size_t i : set.velocity_rows) rows.push_back(set.phi[i]);
  row_count_ = rows.size();
  rows_ = Program(jacobian(rows, symbols).entries, state_symbols(own));
  dimension_ = tangents(initial_).columns();
  carried_ = dimension_;
  if (carried().numbers() > most_carried) {
    if (directions == Directions::all)
      throw Error(ErrorCode::not_applicable,
                  fmt::format("with {} directions beside a motion of {} coordinates there are {} numbers to be carried "
                              "along, more than {}: left out",
                              dimension_, n_, carried().numbers(), most_carried));
    carried_ = std::min(dimension_, std::max<std::size_t>(2, most_carried / (2 * n_)) - 1);
  }
  options_.variations.assign(carried_, {});
  if (!parameter.empty()) {
    varied_ = given_value(own, parameter).parameter;
    std::vector<Derivation::Seed> seeds;
    const std::vector<Expr> changes = parameter_changes(own, parameter);
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (!changes[i].is_zero()) seeds.emplace_back(own->parameters[i].symbol, changes[i]);
    Derivation along(seeds);
    std::vector<Expr> slopes;
    for (const Expr row : rows) slopes.push_back(along(row));
    slopes_ = Program(slopes, state_symbols(own));
    options_.variations.push_back(parameter);
  }
  options_.samples = 2;
  motion_ = std::make_unique<const CompiledMotion>(std::move(work), options_);
}

void TangentFlow::set(double value) {
  if (value_ == value) return;
  value_ = value;
  own_motion_.reset();
  parameters_ = parameter_values(with_parameter(system_, varied_.value(), value));
}

DenseMatrix TangentFlow::rows_at(const State& at) const {
  std::vector<double> entries(rows_.output_count());
  Interpreter run(rows_);
  run(state_values(at, parameters_), entries);
  if (!all_finite(entries)) throw Error(ErrorCode::non_finite, "the constraints have no derivatives at this state");
  return DenseMatrix::from_rows(entries.data(), row_count_, 2 * n_);
}

DenseMatrix TangentFlow::tangents(const State& at) const {
  if (row_count_ == 0) return DenseMatrix::identity(2 * n_);
  DenseMatrix rows = rows_at(at);
  for (std::size_t i = 0; i < row_count_; ++i)
    if (const double size = row_length(rows, i); size > 0) rows.scale_row(i, 1 / size);
  PivotedQr qr(least_row);
  const DenseMatrix columns = transposed(rows);
  qr.compute(columns);
  DenseMatrix result(2 * n_, 2 * n_ - qr.rank());
  qr.complement(qr.rank(), result);
  return result;
}

std::vector<double> TangentFlow::following(const State& at) const {
  std::vector<double> right(row_count_);
  if (row_count_ == 0) return std::vector<double>(2 * n_);
  Interpreter run(slopes_);
  run(state_values(at, parameters_), right);
  if (!all_finite(right)) throw Error(ErrorCode::non_finite, "the constraints have no derivatives at this state");
  for (double& entry : right) entry = -entry;
  const DenseMatrix rows = rows_at(at);
  std::vector<double> result = LeastNorm(rows, least_row).solve(right);
  const std::vector<double> met = rows * result;
  if (distance(met, right) > std::sqrt(least_row) * (1 + largest_magnitude(right)))
    throw Error(ErrorCode::not_applicable,
                "no admissible states lie beside this one at other values of '" + options_.variations.back() + "'");
  return result;
}

MotionSummary TangentFlow::run(const MotionStart& start, Recorders& recorders) const {
  if (!value_) return motion_->run(start, recorders);
  if (!own_motion_) {
    if (std::optional<MotionSummary> summary = motion_->run_with(parameters_, start, recorders))
      return std::move(*summary);
    own_motion_ = std::make_unique<const CompiledMotion>(with_parameter(system_, *varied_, *value_), options_);
  }
  return own_motion_->run(start, recorders);
}

TangentFlow::Advanced TangentFlow::advance(const State& from, const DenseMatrix& directions, double t_end,
                                           Recorder* also, const std::vector<double>& with_parameter) const {
  const std::size_t each = 2 * n_;
  MotionStart start{.state = from, .t_end = t_end, .changes = std::vector<double>(each * options_.variations.size())};
  std::copy(directions.entries().begin(), directions.entries().end(), start.changes.begin());
  std::copy(with_parameter.begin(), with_parameter.end(),
            start.changes.begin() + static_cast<std::ptrdiff_t>(each * carried_));
  Beginning beginning;
  Recorders recorders;
  recorders.add(beginning);
  if (also != nullptr) recorders.add(*also);
  const MotionSummary summary = run(start, recorders);
  if (summary.status != MotionStatus::finished && summary.status != MotionStatus::interrupted) {
    if (summary.diagnosis) throw *summary.diagnosis;
    throw Error(ErrorCode::not_applicable, "an event of the model stops the motion before its end");
  }
  Advanced result{.from = beginning.state,
                  .to = summary.last,
                  .directions = DenseMatrix(each, directions.columns()),
                  .by_parameter = {},
                  .steps = summary.steps,
                  .interrupted = summary.status == MotionStatus::interrupted};
  for (std::size_t k = 0; k < directions.columns(); ++k) {
    const MotionSummary::Variation& own = summary.variations[k];
    const auto middle = std::copy(own.q.begin(), own.q.end(), result.directions.column(k).begin());
    std::copy(own.v.begin(), own.v.end(), middle);
  }
  if (varied_) {
    const MotionSummary::Variation& own = summary.variations.back();
    result.by_parameter = own.q;
    result.by_parameter.insert(result.by_parameter.end(), own.v.begin(), own.v.end());
  }
  return result;
}

}  // namespace cetaev
