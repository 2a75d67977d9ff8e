#include "examples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "../integrate/inputs.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/error.hpp"

namespace cetaev::gpu {

namespace {

constexpr int nearby_states = 12;

std::vector<double> values_at(const Program& program, std::span<const double> inputs) {
  std::vector<double> values(program.output_count());
  if (Interpreter(program)(inputs, values) >= 0) values.clear();
  return values;
}

bool regular(std::size_t m, std::vector<double> matrix) {
  std::vector<double> none(m);
  return eliminate(m, 1, matrix.data(), none.data()) != 0;
}

}  // namespace

void leave_to_processor(const std::string& why) {
  throw Error(ErrorCode::bad_model, why + ": that is followed with --device cpu");
}

Examples::Examples(const MotionPlan& plan)
    : plan_(plan),
      equations_(plan.prepared()->equations),
      size_(equations_.size()),
      n_(size_ - (equations_.has_work() ? 1 : 0)) {
  const State& start = plan_.initial();
  std::vector<double> y = equations_.state(start, plan_.lambda(start));
  states_.push_back(y);
  Random random(1);
  for (int k = 1; k <= nearby_states; ++k) {
    std::vector<double> other = y;
    for (double& value : other) value += random.uniform(-1, 1) * (1 + std::abs(value)) * k / nearby_states;
    states_.push_back(std::move(other));
  }
}

std::vector<PivotOrder> Examples::orders_of(const Program& program, const Program* statics) const {
  std::vector<PivotOrder> result;
  MotionInputs inputs(equations_, equations_.parameters());
  for (const Program::System& system : program.systems()) {
    const Program entries = program.restricted_to(system.matrix);
    std::vector<bool> zero;
    for (const std::uint32_t r : system.matrix)
      zero.push_back(r < program.constants().size() && program.constants()[r] == 0);
    std::vector<std::vector<double>> examples;
    for (const std::vector<double>& y : states_) {
      std::vector<double> in = inputs.at(plan_.initial().t, y);
      if (statics != nullptr) {
        const std::vector<double> s = values_at(*statics, in);
        if (s.empty() && statics->output_count() > 0) continue;
        in.resize(size_ + 1);
        in.insert(in.end(), s.begin(), s.end());
      }
      const std::vector<double> matrix = values_at(entries, in);
      if (!matrix.empty() && std::all_of(matrix.begin(), matrix.end(), [](double x) { return std::isfinite(x); }))
        examples.push_back(matrix);
    }
    PivotOrder order = pivot_order(system.size, zero, examples);
    if (order.empty() && examples.size() > 1)  // of the state of the model alone
      order = pivot_order(system.size, zero, std::span(examples).first(1));
    if (order.empty()) leave_to_processor("no order of pivots serves the equations at the initial state");
    result.push_back(std::move(order));
  }
  return result;
}

std::vector<double> Examples::inputs_of_rows(const std::vector<double>& y) const {
  const std::size_t n = equations_.system()->size();
  std::vector<double> in(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(std::min(2 * n, n_)));
  in.resize(2 * n, 0.0);
  in.push_back(plan_.initial().t);
  in.insert(in.end(), equations_.parameters().begin(), equations_.parameters().end());
  return in;
}

Examples::Independent Examples::independent_rows(const ProjectionPlan::Rows& rows, const Lines::Values& texts) const {
  const std::size_t n = equations_.system()->size(), k = rows.count;
  std::vector<std::vector<double>> values;
  for (const std::vector<double>& y : states_) {
    values.push_back(values_at(*rows.program, inputs_of_rows(y)));
    if (values.back().empty()) values.pop_back();
  }
  Independent found;
  for (std::size_t row = 0; row < k; ++row) {
    std::vector<std::size_t> tried = found.rows;
    tried.push_back(row);
    const std::size_t m = n + tried.size();
    std::vector<bool> zero(m * m, true);
    std::vector<std::vector<double>> examples;
    for (const std::vector<double>& at : values) {
      std::vector<double> matrix(m * m, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          matrix[i * m + j] = at[k + k * n + i * n + j];
          zero[i * m + j] = texts[k + k * n + i * n + j].is_zero();
        }
        for (std::size_t j = 0; j < tried.size(); ++j) {
          matrix[i * m + n + j] = matrix[(n + j) * m + i] = at[k + tried[j] * n + i];
          zero[i * m + n + j] = zero[(n + j) * m + i] = texts[k + tried[j] * n + i].is_zero();
        }
      }
      if (std::all_of(matrix.begin(), matrix.end(), [](double x) { return std::isfinite(x); }) && regular(m, matrix))
        examples.push_back(std::move(matrix));
    }
    if (examples.empty()) continue;
    PivotOrder order = pivot_order(m, zero, examples);
    if (order.empty()) order = pivot_order(m, zero, std::span(examples).first(1));
    if (order.empty()) continue;
    found = {std::move(tried), std::move(order)};
  }
  if (found.order.empty()) leave_to_processor("the constraints determine nothing at the initial state");
  return found;
}

std::vector<double> Examples::rounding_in(const ProjectionPlan::Rows& rows, bool single) const {
  std::vector<double> floor(rows.count, 0.0);
  const int digits = single ? std::numeric_limits<float>::digits : std::numeric_limits<double>::digits;
  for (const std::vector<double>& y : states_) {
    std::vector<Ball> in, out;
    for (const double value : inputs_of_rows(y)) in.push_back(Ball::from_double(value));
    if (run_in_balls(*rows.residuals, in, out, digits) >= 0) continue;
    for (std::size_t i = 0; i < rows.count; ++i)
      if (std::isfinite(out[i].radius())) floor[i] = std::max(floor[i], out[i].radius());
  }
  for (double& value : floor) value = value > 0 ? std::exp2(std::ceil(std::log2(value))) : 0;
  return floor;
}

}  // namespace cetaev::gpu
