// From polynomials in generators back to expressions.
#include "field.hpp"

namespace cetaev::algebra {

Expr Field::expression(std::size_t generator) {
  if (expressions_.size() <= generator) expressions_.resize(generators_->ring().generator_count());
  if (expressions_[generator]) return expressions_[generator];
  const auto& meaning = (*generators_)[generator].meaning;
  Expr result;
  if (const auto* itself = std::get_if<Itself>(&meaning)) {
    result = itself->expr;
    // The logarithm that stands behind b^s was never written.
    for (const FunctionKernel& kernel : function_kernels_) {
      if (!result && kernel.value.numerator == ring().generator(generator))
        result = log(expression(kernel.arguments[0]));
    }
  } else if (const auto* function = std::get_if<ScaledFunction>(&meaning)) {
    result = apply(function->function, function->factor * function->argument);
  } else if (const auto* exponential = std::get_if<Exponential>(&meaning)) {
    const Expr node = exponential->node;
    if (exponential->node_is_argument) {
      result = exp(exponential->factor * node);
    } else if (node.kind() == Kind::power) {
      result = pow(node.operands()[0], exponential->factor * node.operands()[1]);
    } else {
      result = exp(exponential->factor * node.operands()[0]);
    }
  } else if (const auto absolute = absolutes_.find(generator); absolute != absolutes_.end()) {
    result = absolute->second.multiple.inverse() * abs(expression(absolute->second.argument));
  } else {
    const Root& root = std::get<Root>(meaning);
    const Rational degree(static_cast<long>(root.degree));
    const Expr radicand = expression(root.radicand);
    const Expr denominator = expression(root.denominator);
    if (root.absolute && root.denominator.is_one()) {
      result = pow(abs(radicand), Rational(2) / degree);
    } else {
      result = pow((root.absolute ? pow(radicand, 2) : radicand) / denominator, degree.inverse()) * denominator;
    }
  }
  // The recursion above may have moved the list.
  expressions_[generator] = result;
  return result;
}

Expr Field::expression(const Poly& p) {
  std::vector<Context::Term> terms;
  Rational constant;
  for (std::size_t k = 0; k < p.length(); ++k) {
    const std::vector<unsigned long> exponents = p.exponents(k);
    std::vector<Context::Term> factors;
    for (std::size_t g = 0; g < exponents.size(); ++g) {
      if (exponents[g] != 0) factors.push_back({expression(g), Rational(static_cast<long>(exponents[g]))});
    }
    if (factors.empty()) {
      constant += p.coefficient(k);
    } else {
      terms.push_back({context_->power_product(1, factors), p.coefficient(k)});
    }
  }
  return context_->linear_combination(constant, terms);
}

Expr Field::expression(const Fraction& f) {
  if (f.is_zero()) return context_->zero();
  std::vector<Context::Term> factors{{expression(f.numerator), Rational(1)}};
  for (const auto& [index, exponent] : f.denominators) {
    factors.push_back({expression(ring().denominator(index)), Rational(-exponent)});
  }
  return context_->power_product(f.scale, factors);
}

}  // namespace cetaev::algebra
