#include "witness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev::model {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// How far beyond the error bound a value must be: the bound is first order and does not know the library's last bit.
constexpr double margin = 1e3;

Witness::Value rounded(double value, double error) { return {value, error + epsilon * std::abs(value)}; }

Witness::Value raised(const Witness::Value& base, double exponent) {
  const double value = std::pow(base.value, exponent);
  return rounded(value, std::abs(exponent * value / base.value) * base.error);
}

Witness::Value function_value(Function function, const Witness::Value& u, const Witness::Value& second) {
  const double x = u.value;
  const auto with_slope = [&](double value, double slope) { return rounded(value, std::abs(slope) * u.error); };
  switch (function) {
    case Function::sin: return with_slope(std::sin(x), 1);
    case Function::cos: return with_slope(std::cos(x), 1);
    case Function::tan: return with_slope(std::tan(x), 1 + std::tan(x) * std::tan(x));
    case Function::asin: return with_slope(std::asin(x), 1 / std::sqrt(1 - x * x));
    case Function::acos: return with_slope(std::acos(x), 1 / std::sqrt(1 - x * x));
    case Function::atan: return with_slope(std::atan(x), 1);
    case Function::atan2: {
      const double distance = std::hypot(x, second.value);
      return rounded(std::atan2(x, second.value), (u.error + second.error) / distance);
    }
    case Function::sinh: return with_slope(std::sinh(x), std::cosh(x));
    case Function::cosh: return with_slope(std::cosh(x), std::sinh(x));
    case Function::tanh: return with_slope(std::tanh(x), 1);
    case Function::asinh: return with_slope(std::asinh(x), 1);
    case Function::acosh: return with_slope(std::acosh(x), 1 / std::sqrt(x * x - 1));
    case Function::atanh: return with_slope(std::atanh(x), 1 / (1 - x * x));
    case Function::exp: return with_slope(std::exp(x), std::exp(x));
    case Function::log: return with_slope(std::log(x), 1 / x);
    case Function::abs: return with_slope(std::abs(x), 1);
    case Function::elliptic_f:
    case Function::elliptic_e:
    case Function::amplitude:
    case Function::delta:
    case Function::epsilon: {
      // symbols lie between 0 and 1, and so do most parameters; where one does not, its slope is not bounded by this and nothing is said
      const double m = second.value;
      if (!(m > -10 && m < 0.99)) break;
      const double slope = std::max(4.0, std::abs(m)) / std::pow(1 - std::max(m, 0.0), 1.5) * (1 + std::abs(x));
      return rounded(cetaev::function_value(function, x, m), slope * (u.error + second.error));
    }
  }
  return {std::numeric_limits<double>::quiet_NaN(), 0};
}

}  // namespace

Witness::Value Witness::symbol_value(Expr e) const {
  // Multiples of the golden ratio modulo 1: well spread, away from 0 and 1, no two alike.
  double unused = 0;
  const double shift = moved_.contains(e.id()) ? 0.37 : 0;
  return {0.3 + 0.6 * std::modf(std::numbers::phi * (e.id() + 1) + shift, &unused), 0};
}

Witness::Value Witness::compute(Expr e) const {
  const auto value_of = [&](Expr operand) { return known_.at(operand.id()); };
  switch (e.kind()) {
    case Kind::number: return rounded(e.number().to_double(), 0);
    case Kind::pi: return rounded(std::numbers::pi, 0);
    case Kind::symbol: return symbol_value(e);
    case Kind::sum: {
      double value = e.constant().to_double(), size = std::abs(value), error = 0;
      for (std::size_t i = 0; i < e.size(); ++i) {
        const double c = e.coefficient(i).to_double();
        const Value term = value_of(e.term(i));
        value += c * term.value;
        size += std::abs(c * term.value);
        error += std::abs(c) * term.error;
      }
      return {value, error + static_cast<double>(e.size() + 1) * epsilon * size};
    }
    case Kind::product: {
      Value result{1, 0};
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Value factor = raised(value_of(e.base(i)), e.exponent(i).to_double());
        result = rounded(result.value * factor.value,
                         std::abs(result.value) * factor.error + result.error * std::abs(factor.value));
      }
      return result;
    }
    case Kind::power: {
      const Value base = value_of(e.operands()[0]), exponent = value_of(e.operands()[1]);
      Value result = raised(base, exponent.value);
      result.error += std::abs(result.value * std::log(base.value)) * exponent.error;
      return result;
    }
    case Kind::function: {
      const auto arguments = e.operands();
      return function_value(e.function(), value_of(arguments[0]),
                            arguments.size() > 1 ? value_of(arguments[1]) : Value{});
    }
  }
  return {};
}

Witness::Value Witness::at(Expr e) {
  std::vector<Expr> pending{e};
  while (!pending.empty()) {
    const Expr node = pending.back();
    if (known_.contains(node.id())) {
      pending.pop_back();
      continue;
    }
    const std::size_t before = pending.size();
    if (node.kind() != Kind::number && node.kind() != Kind::symbol && node.kind() != Kind::pi)
      for (const Expr operand : node.operands())
        if (!known_.contains(operand.id())) pending.push_back(operand);
    if (pending.size() != before) continue;
    known_.emplace(node.id(), compute(node));
    pending.pop_back();
  }
  return known_.at(e.id());
}

bool Witness::nonzero(Expr e) {
  const Value v = at(e);
  // Comparisons with nan are false.
  return std::isfinite(v.value) && std::abs(v.value) > margin * v.error && std::abs(v.value) > 1e-200;
}

bool Witness::differ(const Value& a, const Value& b) {
  const double difference = std::abs(a.value - b.value);
  return std::isfinite(difference) && difference > margin * (a.error + b.error) && difference > 1e-200;
}

}  // namespace cetaev::model
