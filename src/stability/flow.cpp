#include "flow.hpp"

#include <algorithm>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/output/samples.hpp"

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

TangentFlow::TangentFlow(const System& system, MotionOptions options)
    : n_(system->size()), parameters_(parameter_values(system)) {
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
  options.variations.assign(dimension_, {});
  options.samples = 2;
  motion_ = std::make_unique<const CompiledMotion>(std::move(work), options);
}

DenseMatrix TangentFlow::tangents(const State& at) const {
  if (row_count_ == 0) return DenseMatrix::identity(2 * n_);
  std::vector<double> entries(rows_.output_count());
  Interpreter run(rows_);
  run(state_values(at, parameters_), entries);
  if (!all_finite(entries)) throw Error(ErrorCode::non_finite, "the constraints have no derivatives at this state");
  DenseMatrix rows = DenseMatrix::from_rows(entries.data(), row_count_, 2 * n_);
  for (std::size_t i = 0; i < row_count_; ++i)
    if (const double size = row_length(rows, i); size > 0) rows.scale_row(i, 1 / size);
  PivotedQr qr(least_row);
  const DenseMatrix columns = transposed(rows);
  qr.compute(columns);
  DenseMatrix result(2 * n_, 2 * n_ - qr.rank());
  qr.complement(qr.rank(), result);
  return result;
}

TangentFlow::Advanced TangentFlow::advance(const State& from, const DenseMatrix& directions, double t_end,
                                           Recorder* also) const {
  MotionStart start{.state = from, .t_end = t_end, .changes = std::vector<double>(2 * n_ * dimension_)};
  std::copy(directions.entries().begin(), directions.entries().end(), start.changes.begin());
  Beginning beginning;
  Recorders recorders;
  recorders.add(beginning);
  if (also != nullptr) recorders.add(*also);
  const MotionSummary summary = motion_->run(start, recorders);
  if (summary.status != MotionStatus::finished && summary.status != MotionStatus::interrupted) {
    if (summary.diagnosis) throw *summary.diagnosis;
    throw Error(ErrorCode::not_applicable, "an event of the model stops the motion before its end");
  }
  Advanced result{beginning.state, summary.last, DenseMatrix(2 * n_, directions.columns()), summary.steps,
                  summary.status == MotionStatus::interrupted};
  for (std::size_t k = 0; k < directions.columns(); ++k) {
    const MotionSummary::Variation& own = summary.variations[k];
    std::copy(own.q.begin(), own.q.end(), result.directions.column(k).begin());
    std::copy(own.v.begin(), own.v.end(), result.directions.column(k).begin() + static_cast<std::ptrdiff_t>(n_));
  }
  return result;
}

std::vector<double> rates_of(const Groundwork& work, const State& at) {
  std::vector<double> result = at.v;
  const auto found = Multipliers(work.system(), work.terms()).evaluate(at);
  result.insert(result.end(), found.a.begin(), found.a.end());
  return result;
}

}  // namespace cetaev
