// Rigorous evaluation with Arb.
#include <arb.h>
#include <flint/fmpq.h>

#include <array>
#include <cmath>
#include <limits>

#include "ball_data.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "require_value.hpp"

namespace cetaev {

Ball::Ball() : data_(std::make_unique<Data>()) {}

Ball::Ball(const Rational& value, long bits) : Ball() {
  arb_set_fmpq(data_->value, reinterpret_cast<const fmpq*>(value.words()), bits);
}

Ball Ball::from_double(double value) {
  Ball ball;
  arb_set_d(ball.data_->value, value);
  return ball;
}

Ball Ball::anything() {
  Ball ball;
  arb_zero_pm_inf(ball.data_->value);
  return ball;
}

Ball::Ball(const Ball& other) : data_(std::make_unique<Data>(*other.data_)) {}
Ball::Ball(Ball&& other) noexcept = default;

Ball& Ball::operator=(const Ball& other) {
  if (!data_) data_ = std::make_unique<Data>();
  arb_set(data_->value, other.data_->value);
  return *this;
}

Ball& Ball::operator=(Ball&& other) noexcept = default;
Ball::~Ball() = default;

bool Ball::is_finite() const { return arb_is_finite(data_->value) != 0; }
bool Ball::contains_zero() const { return arb_contains_zero(data_->value) != 0; }
bool Ball::is_exact_zero() const { return arb_is_zero(data_->value) != 0; }
bool Ball::overlaps(const Ball& other) const { return arb_overlaps(data_->value, other.data_->value) != 0; }
double Ball::midpoint() const { return arf_get_d(arb_midref(data_->value), ARF_RND_NEAR); }
double Ball::radius() const { return mag_get_d(arb_radref(data_->value)); }

Ball Ball::center() const {
  Ball result;
  arb_get_mid_arb(result.data_->value, data_->value);
  return result;
}

double Ball::magnitude_log10() const {
  if (arb_is_zero(data_->value)) return -std::numeric_limits<double>::infinity();
  if (!is_finite()) return std::numeric_limits<double>::infinity();
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, data_->value);
  // mag_get_d_log2_approx covers magnitudes far outside the range of doubles
  const double result = mag_get_d_log2_approx(magnitude) * std::log10(2.0);
  mag_clear(magnitude);
  return result;
}

std::string Ball::to_string(int digits) const {
  char* text = arb_get_str(data_->value, digits, ARB_STR_NO_RADIUS);
  std::string result(text);
  flint_free(text);
  return result;
}

void set_rational(arb_t out, const Rational& r, slong bits) {
  arb_set_fmpq(out, reinterpret_cast<const fmpq*>(r.words()), bits);
}

void apply_in_balls(arb_t out, Function f, const arb_t x, slong bits) {
  switch (f) {
    case Function::sin: arb_sin(out, x, bits); break;
    case Function::cos: arb_cos(out, x, bits); break;
    case Function::tan: arb_tan(out, x, bits); break;
    case Function::asin: arb_asin(out, x, bits); break;
    case Function::acos: arb_acos(out, x, bits); break;
    case Function::atan: arb_atan(out, x, bits); break;
    case Function::sinh: arb_sinh(out, x, bits); break;
    case Function::cosh: arb_cosh(out, x, bits); break;
    case Function::tanh: arb_tanh(out, x, bits); break;
    case Function::asinh: arb_asinh(out, x, bits); break;
    case Function::acosh: arb_acosh(out, x, bits); break;
    case Function::atanh: arb_atanh(out, x, bits); break;
    case Function::exp: arb_exp(out, x, bits); break;
    case Function::log: arb_log(out, x, bits); break;
    case Function::abs: arb_abs(out, x); break;
    case Function::atan2: arb_indeterminate(out); break;
  }
}

namespace {

void raise(arb_t out, const arb_t base, const Rational& exponent, slong bits) {
  if (exponent.is_one()) {
    arb_set(out, base);
  } else if (exponent.is_integer()) {
    if (exponent == Rational(-1)) return arb_inv(out, base, bits);
    arb_pow_fmpz(out, base, exponent.words(), bits);
  } else if (exponent == Rational(1, 2)) {
    arb_sqrt(out, base, bits);
  } else if (exponent == Rational(-1, 2)) {
    arb_rsqrt(out, base, bits);
  } else {
    // b^(p/q) = (b^(1/q))^p, the real root of a non-negative number
    const auto degree = exponent.denominator().to_long();
    if (degree && *degree <= 64) {
      arb_root_ui(out, base, static_cast<ulong>(*degree), bits);
      arb_pow_fmpz(out, out, exponent.words(), bits);
    } else {
      arb_t e;
      arb_init(e);
      set_rational(e, exponent, bits);
      arb_pow(out, base, e, bits);
      arb_clear(e);
    }
  }
}

// The balls of the nodes met so far, by number; all cleared together.
class BallTable {
 public:
  explicit BallTable(std::size_t size) : balls_(_arb_vec_init(static_cast<slong>(size))), size_(size) {}
  ~BallTable() { _arb_vec_clear(balls_, static_cast<slong>(size_)); }
  BallTable(const BallTable&) = delete;
  BallTable& operator=(const BallTable&) = delete;
  arb_ptr operator[](std::size_t i) { return balls_ + i; }

 private:
  arb_ptr balls_;
  std::size_t size_;
};

}  // namespace

std::vector<Ball> evaluate_balls(std::span<const Expr> roots, std::span<const BallValue> given, long bits) {
  const std::vector<Expr> order = topological(roots);
  if (order.empty()) return {};
  // position of every node in `order`
  std::vector<std::uint32_t> place(order.back().id() + 1);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i].id()] = i;
  BallTable balls(order.size() + 1);
  std::vector<bool> known(place.size());
  for (const auto& [symbol, value] : given) {
    if (symbol.id() >= place.size()) continue;
    const std::uint32_t i = place[symbol.id()];
    if (order[i] != symbol) continue;
    known[symbol.id()] = true;
    arb_set(balls[i], value.data().value);
  }
  const auto ball = [&](Expr x) { return balls[place[x.id()]]; };
  const arb_ptr work = balls[order.size()];
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr e = order[i];
    const arb_ptr out = balls[i];
    switch (e.kind()) {
      case Kind::number: set_rational(out, e.number(), bits); break;
      case Kind::pi: arb_const_pi(out, bits); break;
      case Kind::symbol: require_value(known[e.id()], e); break;
      case Kind::sum:
        arb_set(out, ball(e.operands()[0]));
        for (std::size_t k = 0; k < e.size(); ++k)
          arb_addmul(out, ball(e.term(k)), ball(e.operands()[2 + 2 * k]), bits);
        break;
      case Kind::product:
        arb_one(out);
        for (std::size_t k = 0; k < e.size(); ++k) {
          raise(work, ball(e.base(k)), e.exponent(k), bits);
          arb_mul(out, out, work, bits);
        }
        break;
      case Kind::power: arb_pow(out, ball(e.operands()[0]), ball(e.operands()[1]), bits); break;
      case Kind::function:
        if (e.function() == Function::atan2) {
          arb_atan2(out, ball(e.operands()[0]), ball(e.operands()[1]), bits);
        } else {
          apply_in_balls(out, e.function(), ball(e.operands()[0]), bits);
        }
        break;
    }
  }
  std::vector<Ball> results(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) arb_set(results[i].data().value, ball(roots[i]));
  return results;
}

Ball evaluate_ball(Expr e, std::span<const BallValue> values, long bits) {
  return std::move(evaluate_balls(std::array{e}, values, bits)[0]);
}

}  // namespace cetaev
