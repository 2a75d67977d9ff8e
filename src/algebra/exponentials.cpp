#include "exponentials.hpp"

#include <algorithm>

namespace cetaev::algebra {

std::size_t ExponentialKernels::add_base(const Argument& argument, const Rational& divisor) {
  const Rational factor = divisor.inverse();
  const std::size_t g = generators_.add({Exponential{argument.node, argument.is_hyperbolic, factor}, true});
  bases_.push_back({factor * argument.value, Fraction(generators_.ring().generator(g))});
  return bases_.size() - 1;
}

void ExponentialKernels::plan(std::vector<Argument> arguments, std::span<const Logarithm> logarithms) {
  if (arguments.empty()) return;
  std::stable_sort(arguments.begin(), arguments.end(), [](const Argument& a, const Argument& b) {
    return a.value.numerator.length() < b.value.numerator.length();
  });

  std::vector<Fraction> given;
  for (const Logarithm& logarithm : logarithms) given.push_back(logarithm.value);
  for (const Base& base : bases_) given.push_back(base.exponent);
  std::vector<Fraction> values;
  values.reserve(arguments.size());
  for (const Argument& argument : arguments) values.push_back(argument.value);
  const Decomposition parts = decompose(given, values);

  std::vector<std::size_t> base_of(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (parts.divisors[i]) base_of[i] = add_base(arguments[i], *parts.divisors[i]);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::optional<Fraction> product = Fraction(generators_.ring(), 1);
    for (const Decomposition::Term& term : parts.arguments[i]) {
      if (term.is_given && term.index < logarithms.size()) {
        product = *product * roots_.root(logarithms[term.index].base, term.times);
        continue;
      }
      // An exponential made earlier has no root of its own in the ring: then the relation is not used.
      if (!term.times.is_integer()) {
        product.reset();
        break;
      }
      const auto exponent = term.times.to_long();
      if (!exponent) throw Exhausted();
      const std::size_t base = term.is_given ? term.index - logarithms.size() : base_of[term.index];
      product = *product * power(bases_[base].value, *exponent);
    }
    if (!product) product = bases_[add_base(arguments[i], 1)].value;
    values_.emplace(std::pair(arguments[i].node.id(), arguments[i].is_hyperbolic), std::move(*product));
  }
}

}  // namespace cetaev::algebra
