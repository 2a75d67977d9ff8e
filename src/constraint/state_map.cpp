#include "state_map.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/constraint/around.hpp"

namespace cetaev {

namespace {

constexpr long enclosing_bits = 128;

// Of sharp values: those that tell 1e-308 from nothing beside 1e308, and what exponentials need besides.
constexpr long sharp_bits = 2048, most_exponential_bits = 1L << 16;

bool is_exponential(Function f) {
  return f == Function::exp || f == Function::sinh || f == Function::cosh || f == Function::tanh;
}

}  // namespace

class StateMap::Enclosed : public EnclosedEquations {
 public:
  Enclosed(const Restricted& programs, std::vector<Ball> inputs, std::vector<std::size_t> places, std::size_t rows)
      : programs_(programs), inputs_(std::move(inputs)), places_(std::move(places)), rows_(rows) {}

  std::size_t equations() const override { return rows_; }
  std::size_t unknowns() const override { return places_.size(); }
  std::size_t cost() const override { return programs_.derivatives.instructions().size() + 1; }

  void values(std::span<const Ball> x, std::vector<Ball>& f) override {
    put(x);
    run_in_balls(programs_.values, inputs_, f, enclosing_bits);
  }

  bool sharp_values(std::span<const Ball> x, std::vector<Ball>& f) override {
    put(x);
    std::vector<Ball> exponents;
    run_in_balls(programs_.exponents, inputs_, exponents, enclosing_bits);
    double bits = 0;  // 1 − tanh u, about 2 e⁻²ᵘ, has its first one at 2 u / ln 2
    for (const Ball& u : exponents)
      if (u.is_finite()) bits = std::max(bits, 3 * u.magnitude());
    if (bits > most_exponential_bits) return false;
    run_in_balls(programs_.values, inputs_, f, sharp_bits + static_cast<long>(bits));
    return true;
  }

  Inside derivatives(std::span<const Ball> x, std::vector<Ball>& f, std::vector<Ball>& j) override {
    put(x);
    run_in_balls(programs_.derivatives, inputs_, outputs_, enclosing_bits);
    const auto begin = outputs_.begin();
    const auto slopes = begin + static_cast<std::ptrdiff_t>(rows_);
    const auto cuts = slopes + static_cast<std::ptrdiff_t>(rows_ * places_.size());
    f.assign(begin, slopes);
    j.assign(slopes, cuts);
    const auto margins = cuts + static_cast<std::ptrdiff_t>(2 * programs_.branch_cuts);
    if (std::any_of(margins, outputs_.end(), [](const Ball& margin) { return margin.upper() < 0; }))
      return Inside::undefined;
    // atan2(y, x) jumps where y = 0 and x is not positive
    for (auto cut = cuts; cut != margins; cut += 2) {
      if (cut[0].contains_zero() && !(cut[1].lower() > 0)) return Inside::may_jump;
    }
    return Inside::smooth;
  }

 private:
  void put(std::span<const Ball> x) {
    for (std::size_t i = 0; i < places_.size(); ++i) inputs_[places_[i]] = x[i];
  }

  const Restricted& programs_;
  std::vector<Ball> inputs_, outputs_;
  std::vector<std::size_t> places_;
  std::size_t rows_;
};

StateMap::StateMap(const System& system, std::span<const Expr> values, const Matrix& jacobian,
                   std::span<const std::size_t> rows, std::size_t first)
    : inputs_(state_symbols(system)),
      columns_(rows.empty() ? system->size() : jacobian.columns),
      first_(first),
      kinds_(kinds_of(system)) {
  inputs_.insert(inputs_.end(), system->motion.a.begin(), system->motion.a.end());
  for (const std::size_t i : rows) {
    values_.push_back(values[i]);
    const std::vector<Expr> symbols = free_symbols(values_.back());
    for (std::size_t j = 0; j < columns_; ++j) {
      jacobian_.push_back(jacobian(i, j));
      occurs_.push_back(std::find(symbols.begin(), symbols.end(), inputs_[first + j]) != symbols.end());
    }
  }
  std::vector<Expr> outputs = values_;
  outputs.insert(outputs.end(), jacobian_.begin(), jacobian_.end());
  program_ = std::make_unique<Program>(outputs, inputs_);
  interpreter_ = std::make_unique<Interpreter>(*program_);
  outputs_.resize(outputs.size());
}

void StateMap::evaluate(std::span<const double> inputs, std::vector<double>& f, DenseMatrix& jacobian) {
  (*interpreter_)(inputs, outputs_);
  std::copy_n(outputs_.begin(), rows(), f.begin());
  for (std::size_t i = 0; i < rows(); ++i) {
    for (std::size_t j = 0; j < columns_; ++j) jacobian(i, j) = outputs_[rows() + i * columns_ + j];
  }
}

std::vector<double> StateMap::jacobian_errors(std::span<const Ball> inputs) const {
  std::vector<Ball> outputs;
  run_in_balls(*program_, inputs, outputs, enclosing_bits);
  return row_errors(std::span(outputs).subspan(rows()), columns_);
}

std::unique_ptr<EnclosedEquations> StateMap::enclosed(const std::vector<std::size_t>& rows,
                                                      const std::vector<std::size_t>& columns,
                                                      std::span<const double> inputs) {
  const auto [known, fresh] = restricted_.try_emplace({rows, columns});
  Restricted& programs = known->second;
  if (fresh) {
    std::vector<Expr> outputs;
    for (const std::size_t i : rows) outputs.push_back(values_[i]);
    programs.values = Program(outputs, inputs_);
    const std::vector<Expr> positive = margins(outputs, inputs_);
    const std::vector<Expr> nodes = topological(outputs);
    std::vector<Expr> exponents;
    for (const Expr e : nodes) {
      if (e.kind() == Kind::power) exponents.push_back(e.operands()[1] * log(e.operands()[0]));
      if (e.kind() == Kind::function && is_exponential(e.function())) exponents.push_back(e.operands()[0]);
    }
    programs.exponents = Program(exponents, inputs_);
    for (const std::size_t i : rows) {
      for (const std::size_t j : columns) outputs.push_back(jacobian_[i * columns_ + j]);
    }
    for (const Expr e : nodes) {
      if (e.kind() != Kind::function || e.function() != Function::atan2) continue;
      outputs.insert(outputs.end(), {e.operands()[0], e.operands()[1]});
      ++programs.branch_cuts;
    }
    outputs.insert(outputs.end(), positive.begin(), positive.end());
    programs.derivatives = Program(outputs, inputs_);
  }
  std::vector<Ball> balls;
  for (const double value : inputs) balls.push_back(but_for_rounding(value));
  std::vector<std::size_t> places;
  for (const std::size_t j : columns) places.push_back(first_ + j);
  return std::make_unique<Enclosed>(programs, std::move(balls), std::move(places), rows.size());
}

ZeroSet zero_set_of(StateMap& map, std::vector<double> inputs) {
  const auto put = [first = map.first()](const std::vector<double>& x, std::vector<double>& values) {
    std::copy(x.begin(), x.end(), values.begin() + static_cast<std::ptrdiff_t>(first));
  };
  return ZeroSet(
      map.rows(), map.columns(),
      [&map, put, inputs](const auto& x, auto& f, auto& j) mutable {
        put(x, inputs);
        map.evaluate(inputs, f, j);
      },
      ZeroSet::Enclosure{[&map](std::size_t row, std::size_t unknown) { return map.occurs(row, unknown); },
                         [&map, put, inputs](const auto& rows, const auto& unknowns, const auto& x) mutable {
                           put(x, inputs);
                           return map.enclosed(rows, unknowns, inputs);
                         }},
      map.kinds());
}

}  // namespace cetaev
