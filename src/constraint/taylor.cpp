#include "taylor.hpp"

#include <limits>

#include "enclosed.hpp"

namespace cetaev {

Monomials::Monomials(std::vector<std::size_t> degrees) : degrees_(std::move(degrees)) {
  std::size_t size = 1;
  std::size_t total = 0;
  for (const std::size_t d : degrees_) {
    strides_.push_back(size);
    size *= d + 1;
    total += d;
  }
  line_ = degrees_.empty() ? 1 : degrees_[0] + 1;
  degree_.resize(size);
  by_degree_.resize(total + 1);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < degrees_.size(); ++i) degree_[k] += exponent(k, i);
    by_degree_[degree_[k]].push_back(static_cast<std::uint32_t>(k));
  }
  const auto divides = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < degrees_.size(); ++i) {
      if (exponent(a, i) > exponent(b, i)) return false;
    }
    return true;
  };
  splits_.resize(size / line_);
  for (std::size_t line = 0; line < splits_.size(); ++line) {
    for (std::size_t part = 0; part <= line; ++part) {
      if (!divides(part * line_, line * line_)) continue;
      splits_[line].emplace_back(part * line_, (line - part) * line_);
    }
    product_cost_ += splits_[line].size() * line_ * (line_ + 1) / 2;
  }
}

namespace {

using Act = TaylorCode::Act;

class Translation {
 public:
  Translation(TaylorCode& code, const Program& program) : code_(code), program_(program) {}

  void run() {
    for (const auto& exact : program_.exact_constants()) place_.push_back(exact ? constant(*exact) : emit({Act::pi}));
    for (std::uint32_t i = 0; i < program_.input_count(); ++i) {
      code_.inputs.push_back(emit({Act::input, i}));
      place_.push_back(code_.inputs.back());
    }
    for (const Instruction& i : program_.instructions()) place_.push_back(translate(i));
    for (const std::uint32_t r : program_.outputs()) code_.outputs.push_back(place_[r]);
  }

 private:
  std::uint32_t emit(TaylorCode::Step step) {
    code_.steps.push_back(step);
    return static_cast<std::uint32_t>(code_.steps.size() - 1);
  }
  std::uint32_t constant(const Rational& value) {
    code_.constants.push_back(value);
    return emit({Act::constant, static_cast<std::uint32_t>(code_.constants.size() - 1)});
  }
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) { return emit({Act::multiply, a, b}); }
  // y with E y = rate
  std::uint32_t integral(std::uint32_t rate, Function f, std::uint32_t x, std::uint32_t y = 0) {
    return emit({Act::integral, rate, 0, x, y, f});
  }
  std::uint32_t power(std::uint32_t base, std::uint32_t n) {
    if (n == 0) return constant(Rational(1));
    std::uint32_t result = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t square = base;; square = multiply(square, square)) {
      if (n & 1) result = result == std::numeric_limits<std::uint32_t>::max() ? square : multiply(result, square);
      n >>= 1;
      if (n == 0) return result;
    }
  }

  // sin and cos, sinh and cosh: E s = c E x, E c = ∓ s E x; c stands before the registers it refers to
  std::pair<std::uint32_t, std::uint32_t> sine_and_cosine(std::uint32_t x, Function sine, Function cosine) {
    const std::uint32_t rate = emit({Act::euler, x});
    const auto next = static_cast<std::uint32_t>(code_.steps.size());
    const bool circular = sine == Function::sin;
    const std::uint32_t s = next + 1, c = circular ? next + 4 : next + 3;
    const std::uint32_t s_rate = multiply(rate, c);
    integral(s_rate, sine, x);
    std::uint32_t c_rate = multiply(rate, s);
    if (circular) c_rate = emit({Act::negate, c_rate});
    integral(c_rate, cosine, x);
    return {s, c};
  }
  std::uint32_t exponential(std::uint32_t x) {
    const std::uint32_t rate = emit({Act::euler, x});
    const auto next = static_cast<std::uint32_t>(code_.steps.size());
    multiply(rate, next + 1);
    return integral(next, Function::exp, x);
  }
  std::uint32_t logarithm(std::uint32_t x) {
    return integral(emit({Act::divide, emit({Act::euler, x}), x}), Function::log, x);
  }
  // f with f'(x) = ±1/d, or ±1/√d
  std::uint32_t by_derivative(Function f, std::uint32_t x, std::uint32_t d, bool root, bool minus) {
    std::uint32_t rate = emit({Act::divide, emit({Act::euler, x}), root ? emit({Act::root, d}) : d});
    if (minus) rate = emit({Act::negate, rate});
    return integral(rate, f, x);
  }

  std::uint32_t function(Function f, std::uint32_t x) {
    switch (f) {
      case Function::sin: return sine_and_cosine(x, Function::sin, Function::cos).first;
      case Function::cos: return sine_and_cosine(x, Function::sin, Function::cos).second;
      case Function::sinh: return sine_and_cosine(x, Function::sinh, Function::cosh).first;
      case Function::cosh: return sine_and_cosine(x, Function::sinh, Function::cosh).second;
      case Function::tan: {
        const auto [s, c] = sine_and_cosine(x, Function::sin, Function::cos);
        return emit({Act::divide, s, c});
      }
      case Function::tanh: {
        const auto [s, c] = sine_and_cosine(x, Function::sinh, Function::cosh);
        return emit({Act::divide, s, c});
      }
      case Function::exp: return exponential(x);
      case Function::log: return logarithm(x);
      case Function::abs: return emit({Act::absolute, x});
      default: break;
    }
    const std::uint32_t one = constant(Rational(1));
    const std::uint32_t square = multiply(x, x);
    const auto plus = [&] { return emit({Act::add, one, square}); };
    const auto minus = [&] { return emit({Act::subtract, one, square}); };
    switch (f) {
      case Function::asin: return by_derivative(f, x, minus(), true, false);
      case Function::acos: return by_derivative(f, x, minus(), true, true);
      case Function::atan: return by_derivative(f, x, plus(), false, false);
      case Function::asinh: return by_derivative(f, x, plus(), true, false);
      case Function::acosh: return by_derivative(f, x, emit({Act::subtract, square, one}), true, false);
      default: return by_derivative(f, x, minus(), false, false);  // atanh
    }
  }

  std::uint32_t translate(const Instruction& i) {
    const std::uint32_t a = i.operation == Operation::solve ? 0 : place_[i.a];
    const auto b = [&] { return place_[i.b]; };
    switch (i.operation) {
      case Operation::add: return emit({Act::add, a, b()});
      case Operation::subtract: return emit({Act::subtract, a, b()});
      case Operation::multiply: return multiply(a, b());
      case Operation::divide: return emit({Act::divide, a, b()});
      case Operation::negate: return emit({Act::negate, a});
      case Operation::multiply_add: return emit({Act::add, multiply(a, b()), place_[i.c]});
      case Operation::square: return multiply(a, a);
      case Operation::square_root: return emit({Act::root, a});
      case Operation::integer_power: return power(a, i.b);
      case Operation::power: return exponential(multiply(b(), logarithm(a)));
      case Operation::arctangent2: {
        // E atan2(y, x) = (x E y − y E x)/(x² + y²)
        const std::uint32_t x = b();
        const std::uint32_t above =
            emit({Act::subtract, multiply(x, emit({Act::euler, a})), multiply(a, emit({Act::euler, x}))});
        const std::uint32_t below = emit({Act::add, multiply(a, a), multiply(x, x)});
        return integral(emit({Act::divide, above, below}), Function::atan2, a, x);
      }
      case Operation::function: return function(static_cast<Function>(i.b), a);
      case Operation::solve: break;  // programs of this stage have none
    }
    return 0;
  }

  TaylorCode& code_;
  const Program& program_;
  std::vector<std::uint32_t> place_;  // of the program's registers
};

}  // namespace

TaylorCode::TaylorCode(const Program& program, const std::vector<bool>& varying, const std::vector<bool>& late) {
  Translation(*this, program).run();
  varies.assign(steps.size(), false);
  depends_on_late.assign(steps.size(), false);
  // Integrals of functions refer forward; they vary with their argument.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    const auto take = [&](std::uint32_t from) {
      if (varies[from]) varies[i] = true;
      if (depends_on_late[from]) depends_on_late[i] = true;
    };
    switch (s.kind) {
      case Act::constant:
      case Act::pi: break;
      case Act::input:
        varies[i] = varying[s.a];
        depends_on_late[i] = late[s.a];
        break;
      case Act::negate:
      case Act::root:
      case Act::euler:
      case Act::absolute: take(s.a); break;
      case Act::integral:
        take(s.a);
        take(s.x);
        if (s.function == Function::atan2) take(s.y);
        break;
      default:
        take(s.a);
        if (s.b < i) take(s.b);
    }
  }
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Act::input || !varies[i]) continue;
    series_steps.push_back(i);
    if (depends_on_late[i]) late_steps.push_back(i);
    if (steps[i].kind == Act::multiply || steps[i].kind == Act::divide || steps[i].kind == Act::root) ++products;
  }
}

template <class Scalar>
TaylorRun<Scalar>::TaylorRun(const TaylorCode& code, const Monomials& monomials)
    : code_(code), monomials_(monomials), size_(monomials.size()), registers_(code.steps.size() * size_) {}

template <class Scalar>
void TaylorRun<Scalar>::run(const std::vector<std::uint32_t>& steps, std::size_t degree) {
  if (degree == 0) return start();
  for (const std::uint32_t number : steps) {
    for (const std::uint32_t monomial : monomials_.of_degree(degree)) step(number, monomial);
  }
}

template <class Scalar>
void TaylorRun<Scalar>::start() {
  for (std::uint32_t i = 0; i < code_.steps.size(); ++i) {
    const TaylorCode::Step& s = code_.steps[i];
    Scalar& out = *at(i);
    switch (s.kind) {
      case Act::constant: out = Scalar::constant(code_.constants[s.a]); break;
      case Act::pi: out = Scalar::pi(); break;
      case Act::euler: out.clear(); break;
      case Act::integral:
        out = s.function == Function::atan2 ? Scalar::arctangent2(*at(s.x), *at(s.y))
                                            : Scalar::apply(s.function, *at(s.x));
        break;
      default: step(i, 0);
    }
  }
}

template <class Scalar>
void TaylorRun<Scalar>::step(std::uint32_t number, std::size_t k) {
  const TaylorCode::Step& s = code_.steps[number];
  Scalar* const out = at(number);
  const Scalar* const a = at(s.a);
  const Scalar* const b = at(s.b);
  Scalar& result = out[k];
  switch (s.kind) {
    case Act::add:
      result = a[k];
      result += b[k];
      break;
    case Act::subtract:
      result = a[k];
      result -= b[k];
      break;
    case Act::negate:
      result = a[k];
      result.negate();
      break;
    case Act::multiply:
      // a number times a series is no convolution
      if (!code_.varies[s.a] || !code_.varies[s.b]) {
        const bool number_first = !code_.varies[s.a];
        result = number_first ? b[k] : a[k];
        result *= number_first ? a[0] : b[0];
      } else {
        Scalar total;
        monomials_.add_product(total, a, b, k);
        result = std::move(total);
      }
      break;
    case Act::divide: {
      // b y = a
      result.clear();
      Scalar total;
      if (code_.varies[s.b] && k > 0) {
        monomials_.add_product(total, b, out, k);
        total.negate();
      }
      total += a[k];
      total /= b[0];
      result = std::move(total);
      break;
    }
    case Act::root: {
      if (k == 0) {
        result = Scalar::root(a[0]);
        break;
      }
      result.clear();
      Scalar total;
      monomials_.add_product(total, out, out, k);
      total.negate();
      total += a[k];
      total /= out[0];
      total /= 2;
      result = std::move(total);
      break;
    }
    case Act::euler:
      result = a[k];
      result *= static_cast<long>(monomials_.degree(k));
      break;
    case Act::integral:
      result = a[k];
      result /= static_cast<long>(monomials_.degree(k));
      break;
    case Act::absolute:
      result = a[k];
      if (a[0].contains_zero()) {
        result /= a[0];  // no derivative there: not finite
      } else if (a[0].is_negative()) {
        result.negate();
      }
      break;
    case Act::constant:
    case Act::pi:
    case Act::input: break;
  }
}

template class TaylorRun<Precise>;
template class TaylorRun<Quick>;

}  // namespace cetaev
