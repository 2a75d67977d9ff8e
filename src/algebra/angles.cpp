#include "angles.hpp"

#include <algorithm>

namespace cetaev::algebra {

namespace {

constexpr long largest_multiple = 200;

long machine_multiple(const Rational& r) {
  const auto n = r.to_long();
  if (!n || *n > largest_multiple || *n < -largest_multiple) throw Exhausted();
  return *n;
}

bool is_twelfths(const Rational& r) { return (Rational(12) * r).is_integer(); }

// The common denominator of the multiples of π whose sines and cosines are not square roots.
Rational fine_divisor_of_pi(const Decomposition& parts) {
  Rational result = 1;
  for (const auto& terms : parts.arguments) {
    for (const Decomposition::Term& term : terms) {
      if (!term.is_given || term.index != 0 || is_twelfths(term.times)) continue;
      result = least_common_multiple(result, term.times.denominator());
    }
  }
  return result;
}

}  // namespace

AngleKernels::Pair AngleKernels::zero_angle() const {
  Ring& ring = generators_.ring();
  return {Fraction(ring, 1), Fraction(ring)};
}

// cos(a+b) = ca cb + σ sa sb, sin(a+b) = sa cb + ca sb
AngleKernels::Pair AngleKernels::add(const Pair& a, const Pair& b) const {
  return {a.cosine * b.cosine + Rational(sigma_) * (a.sine * b.sine), a.sine * b.cosine + a.cosine * b.sine};
}

AngleKernels::Pair AngleKernels::multiple(const Pair& a, long n) const {
  if (n < 0) {
    Pair result = multiple(a, -n);
    result.sine = -result.sine;
    return result;
  }
  Pair result = zero_angle();
  for (long i = 0; i < n; ++i) result = i == 0 ? a : add(result, a);
  return result;
}

std::size_t AngleKernels::add_base(const Argument& argument, const Rational& divisor) {
  Ring& ring = generators_.ring();
  const Rational factor = divisor.inverse();
  const bool circular = sigma_ < 0;
  const std::size_t c =
      generators_.add({ScaledFunction{circular ? Function::cos : Function::cosh, argument.expr, factor}, !circular});
  const std::size_t s =
      generators_.add({ScaledFunction{circular ? Function::sin : Function::sinh, argument.expr, factor}});
  const Poly cosine = ring.generator(c);
  const Poly difference = cosine * cosine - Poly(ring, 1);
  ring.set_relation(s, 2, circular ? -difference : difference);
  bases_.push_back({factor * argument.value, {Fraction(cosine), Fraction(ring.generator(s))}});
  return bases_.size() - 1;
}

// cos and sin of rπ for r a multiple of 1/12
AngleKernels::Pair AngleKernels::multiple_of_pi(const Rational& r) {
  Ring& ring = generators_.ring();
  const Rational half(1, 2);
  Pair result = zero_angle();
  const long twelfths = *(Rational(12) * (r - Rational(2) * (half * r).floor())).to_long();
  // (cos, sin) of π/2 as often as it fits, then of the rest 0, …, 5 twelfths
  const Pair quarter{Fraction(ring), Fraction(ring, 1)};
  for (long i = 0; i < twelfths / 6; ++i) result = add(result, quarter);
  Pair rest = zero_angle();
  switch (twelfths % 6) {
    case 1:
    case 5: {
      // cos 15° = (√6 + √2)/4, sin 15° = (√6 − √2)/4
      const Fraction root2 = roots_.root_of_integer(2, half);
      const Fraction root6 = root2 * roots_.root_of_integer(3, half);
      rest = {Rational(1, 4) * (root6 + root2), Rational(1, 4) * (root6 - root2)};
      break;
    }
    case 2:
    case 4: rest = {half * roots_.root_of_integer(3, half), Fraction(ring, half)}; break;
    case 3: rest = {half * roots_.root_of_integer(2, half), half * roots_.root_of_integer(2, half)}; break;
    default: break;
  }
  if (twelfths % 6 > 3) std::swap(rest.cosine, rest.sine);
  return add(result, rest);
}

void AngleKernels::plan(std::vector<Argument> arguments, const std::optional<Argument>& pi) {
  std::erase_if(arguments, [&](const Argument& a) { return knows(a.expr); });
  if (arguments.empty()) return;
  std::stable_sort(arguments.begin(), arguments.end(), [](const Argument& a, const Argument& b) {
    return a.value.numerator.length() < b.value.numerator.length();
  });

  std::vector<Fraction> given;
  if (pi) given.push_back(pi->value);
  for (const BaseAngle& base : bases_) given.push_back(base.angle);
  std::vector<Fraction> values;
  values.reserve(arguments.size());
  for (const Argument& argument : arguments) values.push_back(argument.value);
  const Decomposition parts = decompose(given, values);

  std::vector<std::size_t> base_of(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (parts.divisors[i]) base_of[i] = add_base(arguments[i], *parts.divisors[i]);
  }
  const Rational pi_divisor = pi ? fine_divisor_of_pi(parts) : Rational(1);
  std::optional<std::size_t> pi_base;
  if (!pi_divisor.is_one()) pi_base = add_base(*pi, pi_divisor);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Pair pair = zero_angle();
    for (const Decomposition::Term& term : parts.arguments[i]) {
      const bool is_pi = term.is_given && pi && term.index == 0;
      if (is_pi && is_twelfths(term.times)) {
        pair = add(pair, multiple_of_pi(term.times));
      } else if (is_pi) {
        pair = add(pair, multiple(bases_[*pi_base].pair, machine_multiple(term.times * pi_divisor)));
      } else if (term.times.is_integer()) {
        const std::size_t base = term.is_given ? term.index - (pi ? 1 : 0) : base_of[term.index];
        pair = add(pair, multiple(bases_[base].pair, machine_multiple(term.times)));
      } else {
        // Base angles made earlier cannot be divided any more: the relation is not used.
        pair = bases_[add_base(arguments[i], 1)].pair;
        break;
      }
    }
    pairs_.emplace(arguments[i].expr.id(), std::move(pair));
  }
}

}  // namespace cetaev::algebra
