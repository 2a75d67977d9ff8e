#include "field.hpp"

#include <algorithm>

namespace cetaev::algebra {

namespace {

constexpr std::size_t most_levels = 12;
constexpr std::size_t most_generators = 400;
constexpr std::size_t most_nodes = 50'000;
// Greater powers are left to what counts their costs.
constexpr long most_of_a_generator = 100;

bool is_circular(Function f) { return f == Function::sin || f == Function::cos || f == Function::tan; }
bool is_hyperbolic(Function f) { return f == Function::sinh || f == Function::cosh || f == Function::tanh; }

bool is_odd(Function f) {
  return f == Function::asin || f == Function::atan || f == Function::asinh || f == Function::atanh;
}

bool is_exponential(Expr e) {
  return e.kind() == Kind::power || (e.kind() == Kind::function && e.function() == Function::exp);
}

// The generator that this is.
std::optional<std::size_t> generator_of(const Fraction& f) {
  if (!f.scale.is_one() || !f.denominators.empty() || f.numerator.length() != 1 || f.numerator.total_degree() != 1)
    return std::nullopt;
  const std::vector<unsigned long> exponents = f.numerator.exponents(0);
  return static_cast<std::size_t>(std::ranges::find(exponents, 1U) - exponents.begin());
}

void add_once(std::vector<Expr>& list, Expr e) {
  if (std::find(list.begin(), list.end(), e) == list.end()) list.push_back(e);
}

}  // namespace

Field::Field(std::span<const Expr> roots, Budget& budget) {
  const std::vector<Expr> order = topological(roots);
  if (order.size() > most_nodes) throw Exhausted();
  if (!roots.empty()) context_ = &roots.front().context();
  has_exponentials_ = std::any_of(order.begin(), order.end(), is_exponential);
  sort_into_levels(order);
  generators_.emplace(count_generators(order), budget);
  roots_.emplace(*generators_);
  circular_.emplace(*generators_, *roots_, -1);
  hyperbolic_.emplace(*generators_, *roots_, 1);
  exponentials_.emplace(*generators_, *roots_);
  for (Level& level : levels_) {
    plan(level);
    for (const Expr e : level.nodes) values_.emplace(e.id(), convert(e));
  }
}

void Field::sort_into_levels(std::span<const Expr> order) {
  std::unordered_map<std::uint32_t, std::size_t> level_of;
  level_of.reserve(order.size());
  const auto at = [&](std::size_t level) -> Level& {
    if (level > most_levels) throw Exhausted();
    if (level >= levels_.size()) levels_.resize(level + 1);
    return levels_[level];
  };
  at(0);
  for (const Expr e : order) {
    std::size_t level = 0;
    for (const Expr operand : e.operands()) level = std::max(level, level_of.at(operand.id()));
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.exponent(i).is_integer()) continue;
        const std::size_t own = level_of.at(e.base(i).id()) + 1;
        at(own).roots.push_back({e.base(i), e.exponent(i)});
        level = std::max(level, own);
      }
    } else if (e.kind() == Kind::power) {
      at(++level).powers.push_back(e);
    } else if (e.kind() == Kind::function) {
      at(++level);
      sort_function(e, level);
    }
    at(level).nodes.push_back(e);
    level_of.emplace(e.id(), level);
  }
  has_kernels_ = levels_.size() > 1;
}

void Field::sort_function(Expr e, std::size_t level) {
  Level& own = levels_[level];
  const Function f = e.function();
  if (is_circular(f)) {
    add_once(own.circular, e.operands()[0]);
  } else if (is_hyperbolic(f)) {
    add_once(own.hyperbolic, e.operands()[0]);
  } else if (f == Function::exp) {
    own.exponentials.push_back(e);
  } else if (f == Function::abs) {
    own.absolute.push_back(e);
  } else {
    own.functions.push_back(e);
  }
}

// An upper bound, except that a root may split into more factors than foreseen; then there is no room and no answer.
std::size_t Field::count_generators(std::span<const Expr> order) const {
  std::size_t count = 0;
  bool pi = false;
  for (const Expr e : order) {
    count += e.is_symbol() ? 1 : 0;
    pi = pi || e.kind() == Kind::pi;
  }
  for (const Level& level : levels_) {
    count += level.functions.size() + 2 * level.powers.size() + level.exponentials.size();
    count += 2 * (level.circular.size() + level.hyperbolic.size());
    count += 4 * (level.roots.size() + level.absolute.size());
  }
  count += pi ? 3 + 2 * levels_.size() : 0;
  if (count > most_generators) throw Exhausted();
  return std::max<std::size_t>(count, 1);
}

Fraction Field::function_kernel(Function function, std::vector<Fraction> arguments, Expr node) {
  for (const FunctionKernel& kernel : function_kernels_) {
    if (kernel.function != function) continue;
    if (std::equal(arguments.begin(), arguments.end(), kernel.arguments.begin(), equal)) return kernel.value;
    if (is_odd(function) && equal(-arguments[0], kernel.arguments[0])) return -kernel.value;
  }
  if (is_odd(function) && arguments[0].is_zero()) return Fraction(ring());
  const std::size_t g = generators_->add({Itself{node}, node && node.is_nonnegative()});
  Fraction value(ring().generator(g));
  if (function == Function::log) logarithms_.push_back({value, arguments[0]});
  function_kernels_.push_back({function, std::move(arguments), value});
  return value;
}

void Field::plan(Level& level) {
  for (const Expr e : level.functions) {
    std::vector<Fraction> arguments;
    for (const Expr argument : e.operands()) arguments.push_back((*this)(argument));
    function_values_.emplace(e.id(), function_kernel(e.function(), std::move(arguments), e));
  }

  std::vector<RootKernels::Request> requests;
  for (const RootUse& use : level.roots) requests.push_back({(*this)(use.base), use.exponent});
  // |u| = (u²)^½
  for (const Expr e : level.absolute) requests.push_back({power((*this)(e.operands()[0]), 2), Rational(1, 2)});
  const std::vector<Fraction> powers = roots_->plan(requests);
  for (std::size_t i = 0; i < level.roots.size(); ++i) {
    root_values_.emplace(std::pair(level.roots[i].base.id(), level.roots[i].exponent), powers[i]);
  }
  for (std::size_t i = 0; i < level.absolute.size(); ++i) {
    const Fraction& value = powers[level.roots.size() + i];
    remember_absolute((*this)(level.absolute[i].operands()[0]), value);
    function_values_.emplace(level.absolute[i].id(), value);
  }

  const auto arguments_of = [&](const std::vector<Expr>& list) {
    std::vector<AngleKernels::Argument> arguments;
    arguments.reserve(list.size());
    for (const Expr e : list) arguments.push_back({e, (*this)(e)});
    return arguments;
  };
  circular_->plan(arguments_of(level.circular), pi_);
  if (has_exponentials_) {
    plan_exponentials(level);
  } else {
    hyperbolic_->plan(arguments_of(level.hyperbolic), std::nullopt);
  }
}

// A root is written as the magnitude that it came from: the radicand loses all digits where it vanishes.
void Field::remember_absolute(const Fraction& argument, const Fraction& value) {
  if (!value.denominators.empty() || value.numerator.length() != 1) return;
  const std::vector<unsigned long> exponents = value.numerator.exponents(0);
  const auto it = std::find_if(exponents.begin(), exponents.end(), [](unsigned long e) { return e != 0; });
  if (it == exponents.end() || *it != 1 || std::any_of(it + 1, exponents.end(), [](unsigned long e) { return e != 0; }))
    return;
  const auto generator = static_cast<std::size_t>(it - exponents.begin());
  const auto* root = std::get_if<Root>(&(*generators_)[generator].meaning);
  if (root == nullptr || root->absolute || root->degree != 2 || !root->denominator.is_one()) return;
  absolutes_.try_emplace(generator, Absolute{argument, value.scale * value.numerator.coefficient(0)});
}

void Field::plan_exponentials(Level& level) {
  std::vector<ExponentialKernels::Argument> arguments;
  for (const Expr e : level.exponentials) arguments.push_back({e, false, (*this)(e.operands()[0])});
  for (const Expr e : level.powers) {
    const auto exponent = (*this)(e.operands()[1]);
    arguments.push_back({e, false, exponent * logarithm(e.operands()[0])});
  }
  // Beside exponentials, sinh and cosh are made of them: cosh u + sinh u = exp u.
  for (const Expr u : level.hyperbolic) arguments.push_back({u, true, (*this)(u)});
  exponentials_->plan(std::move(arguments), logarithms_);
}

Fraction Field::logarithm(Expr base) {
  std::vector<Fraction> arguments{(*this)(base)};
  if (arguments[0].is_zero()) throw Exhausted();
  return function_kernel(Function::log, std::move(arguments), Expr());
}

Fraction Field::convert(Expr e) {
  switch (e.kind()) {
    case Kind::number: return Fraction(ring(), e.number());
    case Kind::pi: {
      const std::size_t g = generators_->add({Itself{e}, true});
      pi_.emplace(AngleKernels::Argument{e, Fraction(ring().generator(g))});
      return pi_->value;
    }
    case Kind::symbol: {
      const std::size_t g = generators_->add({Itself{e}});
      bare_.emplace(e.id(), g);
      return Fraction(ring().generator(g));
    }
    case Kind::sum: return convert_sum(e);
    case Kind::product: return convert_product(e);
    case Kind::power: return exponentials_->of(e);
    case Kind::function: {
      Fraction value = convert_function(e);
      if (const auto g = generator_of(value)) bare_.emplace(e.id(), *g);
      return value;
    }
  }
  throw Exhausted();
}

Fraction Field::convert_sum(Expr e) {
  const Fraction one(ring(), 1);
  std::vector<Multiple> terms{{e.constant(), &one}};
  terms.reserve(e.size() + 1);
  for (std::size_t i = 0; i < e.size(); ++i) terms.push_back({e.coefficient(i), &(*this)(e.term(i))});
  return combination(ring(), terms);
}

Fraction Field::convert_product(Expr e) {
  // what is a power of a generator below its relation, in one term
  std::vector<unsigned long> powers(ring().capacity());
  std::vector<bool> is_in_term(e.size(), false);
  std::size_t count = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const auto n = e.exponent(i).to_long();
    const auto generator = bare_.find(e.base(i).id());
    if (generator == bare_.end() || !n || *n <= 0 || *n > most_of_a_generator) continue;
    const unsigned long power = powers[generator->second] + static_cast<unsigned long>(*n);
    const unsigned long degree = ring().relation_degree(generator->second);
    if (degree != 0 && power >= degree) continue;
    powers[generator->second] = power;
    is_in_term[i] = true;
    ++count;
  }
  ring().charge_terms(static_cast<double>(count));
  Fraction result = count > 0 ? Fraction(ring().monomial(powers)) : Fraction(ring(), 1);
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Rational& exponent = e.exponent(i);
    if (is_in_term[i]) continue;
    if (exponent.is_integer()) {
      const Fraction& base = (*this)(e.base(i));
      const auto n = exponent.to_long();
      if (!n) throw Exhausted();
      if (*n < 0 && base.is_zero()) throw ZeroDenominator(e.base(i));
      result = result * power(base, *n);
    } else {
      result = result * root_values_.at({e.base(i).id(), exponent});
    }
  }
  return result;
}

Fraction Field::convert_function(Expr e) {
  const Function f = e.function();
  const Expr u = e.operands()[0];
  const auto quotient = [&](const Fraction& sine, const Fraction& cosine) {
    if (cosine.is_zero()) throw ZeroDenominator(apply(f == Function::tan ? Function::cos : Function::cosh, u));
    return sine * inverse(cosine);
  };
  if (is_circular(f)) {
    const AngleKernels::Pair& pair = circular_->of(u);
    return f == Function::sin ? pair.sine : f == Function::cos ? pair.cosine : quotient(pair.sine, pair.cosine);
  }
  if (is_hyperbolic(f)) {
    std::optional<AngleKernels::Pair> own;
    if (has_exponentials_) {
      const Fraction& up = exponentials_->of_hyperbolic(u);
      const Fraction down = inverse(up);
      own.emplace(AngleKernels::Pair{Rational(1, 2) * (up + down), Rational(1, 2) * (up - down)});
    }
    const AngleKernels::Pair& pair = own ? *own : hyperbolic_->of(u);
    return f == Function::sinh ? pair.sine : f == Function::cosh ? pair.cosine : quotient(pair.sine, pair.cosine);
  }
  if (f == Function::exp) return exponentials_->of(e);
  return function_values_.at(e.id());
}

}  // namespace cetaev::algebra
