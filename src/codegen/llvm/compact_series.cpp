#include <algorithm>
#include <vector>

#include "cetaev/detail/series/coefficients.hpp"
#include "compact.hpp"
#include "lanes.hpp"

namespace cetaev::native {

namespace {

// Coefficients forwards and, from the highest order down, backwards: both factors of a convolution are then read in the
// direction of memory.
template <unsigned lanes>
struct Backend {
  using Value = Lanes<lanes>;
  using Functions = LaneFunctions<lanes>;

  const SeriesProgram& p;
  std::size_t stride;  // order + 1
  double* forwards;
  double* backwards;
  double* reciprocals;
  double* inverses;
  const std::size_t* inverse_of;  // where the inverse of each system begins
  double* rest;
  double* scratch;
  int singular = -1;

  Value get(std::uint32_t r, std::int32_t k) const { return Value::load(forwards + (r * stride + k) * lanes); }
  void set(std::uint32_t r, std::int32_t k, const Value& x) {
    x.store(forwards + (r * stride + k) * lanes);
    x.store(backwards + (r * stride + stride - 1 - k) * lanes);
    if (k == 0) (Value::of(1) / x).store(reciprocals + std::size_t{r} * lanes);
  }
  static Value zero() { return Value::of(0); }
  static Value add(const Value& x, const Value& y) { return x + y; }
  static Value subtract(const Value& x, const Value& y) { return x - y; }
  static Value negate(const Value& x) { return -x; }
  static Value multiply(const Value& x, const Value& y) { return x * y; }
  static Value divide(const Value& x, const Value& y) { return x / y; }
  static Value square_root(const Value& x) {
    return x.map([](double a) { return std::sqrt(a); });
  }
  static Value scale(double factor, const Value& x) { return Value::of(factor) * x; }
  static Value quotient(const Value& x, std::int32_t k) { return x / Value::of(k); }
  Value dot(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) const {
    const double* x = forwards + (a * stride + lo) * lanes;
    const double* y = backwards + (b * stride + stride - 1 - (k - lo)) * lanes;
    std::int32_t n = hi - lo + 1;
    Value sum = zero();
    if constexpr (lanes == 1) {
      // pairs of terms in the lanes
      using Pair = Lanes<2>;
      Pair even = Pair::of(0), odd = Pair::of(0);
      for (; n >= 4; n -= 4, x += 4, y += 4) {
        even = Pair::fused(Pair::load(x), Pair::load(y), even);
        odd = Pair::fused(Pair::load(x + 2), Pair::load(y + 2), odd);
      }
      even = even + odd;
      sum.v[0] = even.v[0] + even.v[1];
    } else {
      Value odd = zero();
      for (; n >= 2; n -= 2, x += 2 * lanes, y += 2 * lanes) {
        sum = Value::fused(Value::load(x), Value::load(y), sum);
        odd = Value::fused(Value::load(x + lanes), Value::load(y + lanes), odd);
      }
      sum = sum + odd;
    }
    for (; n > 0; --n, x += lanes, y += lanes) sum = Value::fused(Value::load(x), Value::load(y), sum);
    return sum;
  }
  Value reciprocal(std::uint32_t r) const { return Value::load(reciprocals + std::size_t{r} * lanes); }
  Value sign(std::uint32_t r) const {
    return get(r, 0).map([](double a) { return std::copysign(1.0, a); });
  }
  Value start(const SeriesInstruction& i) const {
    const Value b = get(i.b, 0);
    if (i.start == Operation::power) return Functions::two(slot_power, b, get(i.c, 0));
    if (i.start == Operation::arctangent2) return Functions::two(slot_arctangent2, b, get(i.c, 0));
    return Functions::one(slot_of(i.function), b);
  }

  Value entry(std::uint32_t r) const { return p.degree(r) < 0 ? zero() : get(r, 0); }

  // M (M⁻¹ | x) = (1 | F)
  void factor(std::uint32_t number, const Program::System& s) {
    const std::size_t n = s.size, m = s.right_hand_sides, columns = n + m;
    double* const matrix = scratch;
    double* const right = matrix + n * n * lanes;
    for (std::size_t i = 0; i < n * n; ++i) entry(s.matrix[i]).store(matrix + i * lanes);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) Value::of(i == j ? 1 : 0).store(right + (i * columns + j) * lanes);
      for (std::size_t j = 0; j < m; ++j) entry(s.right[i * m + j]).store(right + (i * columns + n + j) * lanes);
    }
    if (!Functions::solve(n, columns, matrix, right, right + n * columns * lanes) && singular < 0)
      singular = static_cast<int>(number);
    double* const inverse = inverses + inverse_of[number] * lanes;
    for (std::size_t i = 0; i < n; ++i) {
      const auto solved = [&](std::size_t j) { return Value::load(right + (i * columns + j) * lanes); };
      for (std::size_t j = 0; j < n; ++j) solved(j).store(inverse + (i * n + j) * lanes);
      for (std::size_t j = 0; j < m; ++j) {
        const auto unknown = static_cast<std::uint32_t>(s.solution + i * m + j);
        if (p.degree(unknown) >= 0) set(unknown, 0, solved(n + j));
      }
    }
    for (std::size_t side = 0; side < m; ++side) refine(number, s, static_cast<std::uint32_t>(side));
  }
  // x + M⁻¹ (F − M x), as the interpreter has it: near a singular matrix the series is no better than its first terms.
  void refine(std::uint32_t number, const Program::System& s, std::uint32_t side) {
    const auto unknown = [&](std::uint32_t i) { return s.solution + i * s.right_hand_sides + side; };
    for (std::uint32_t i = 0; i < s.size; ++i) {
      Value left = entry(s.right[i * s.right_hand_sides + side]);
      for (std::uint32_t j = 0; j < s.size; ++j) left = left - entry(s.matrix[i * s.size + j]) * entry(unknown(j));
      left.store(rest + std::size_t{i} * lanes);
    }
    for (std::uint32_t i = 0; i < s.size; ++i) {
      if (p.degree(unknown(i)) >= 0) set(unknown(i), 0, get(unknown(i), 0) + times_inverse(number, s, i));
    }
  }
  void begin_rest(std::uint32_t) {}
  void set_rest(std::uint32_t i, const std::optional<Value>& x) {
    x.value_or(zero()).store(rest + std::size_t{i} * lanes);
  }
  Value times_inverse(std::uint32_t number, const Program::System& s, std::uint32_t i) const {
    const double* const row = inverses + (inverse_of[number] + std::size_t{i} * s.size) * lanes;
    Value sum = zero();
    for (std::size_t j = 0; j < s.size; ++j) sum = sum + Value::load(row + j * lanes) * Value::load(rest + j * lanes);
    return sum;
  }
};

template <unsigned lanes>
class SeriesInLanes final : public CompactSeries {
 public:
  SeriesInLanes(const SeriesProgram& program, unsigned order) : p_(program), order_(order) {
    for (const Program::System& s : p_.systems()) {
      const std::size_t n = s.size;
      inverse_of_.push_back(inverses_);
      inverses_ += n * n;
      largest_ = std::max(largest_, n);
      scratch_ = std::max(scratch_, 2 * n * (2 * n + s.right_hand_sides));
    }
  }

  std::size_t workspace_size() const override {
    return (2 * array() + p_.register_count() + inverses_ + largest_ + scratch_) * lanes;
  }

  int run(const double* statics, const double* t, const double* y, double* coefficients,
          double* workspace) const override {
    Backend<lanes> b{p_, order_ + 1, workspace, nullptr, nullptr, nullptr, inverse_of_.data(), nullptr, nullptr};
    b.backwards = b.forwards + array() * lanes;
    b.reciprocals = b.backwards + array() * lanes;
    b.inverses = b.reciprocals + p_.register_count() * lanes;
    b.rest = b.inverses + inverses_ * lanes;
    b.scratch = b.rest + largest_ * lanes;
    const auto at = [](const double* array, std::size_t i) { return Lanes<lanes>::load(array + i * lanes); };
    for (std::uint32_t i = 0; i < p_.static_count(); ++i) b.set(i, 0, at(statics, i));
    for (std::size_t i = 0; i < p_.state_count(); ++i) b.set(p_.state(i), 0, at(y, i));
    b.set(p_.time(), 0, at(t, 0));
    if (order_ > 0) b.set(p_.time(), 1, Lanes<lanes>::of(1));
    SeriesCoefficients<Backend<lanes>> series(p_, b);
    const auto order = static_cast<std::int32_t>(order_);
    for (std::int32_t k = 0; k < order; ++k) {
      series.round(k);
      if (b.singular >= 0) return b.singular;
    }
    series.advance_state(order);
    double* out = coefficients;
    const auto put = [&](std::uint32_t r, std::int32_t k) {
      (k <= p_.degree(r) ? b.get(r, k) : Lanes<lanes>::of(0)).store(out);
      out += lanes;
    };
    for (std::int32_t k = 0; k <= order; ++k) {
      for (std::size_t i = 0; i < p_.state_count(); ++i) put(p_.state(i), k);
    }
    for (std::int32_t k = 0; k < order; ++k) {
      for (const std::uint32_t r : p_.further()) put(r, k);
    }
    return -1;
  }

 private:
  std::size_t array() const { return p_.register_count() * (order_ + 1); }

  SeriesProgram p_;
  unsigned order_;
  std::vector<std::size_t> inverse_of_;
  std::size_t inverses_ = 0, largest_ = 0, scratch_ = 0;
};

}  // namespace

std::unique_ptr<CompactSeries> make_compact(const SeriesProgram& program, unsigned order, unsigned lanes) {
  switch (lanes) {
    case 1: return std::make_unique<SeriesInLanes<1>>(program, order);
    case 2: return std::make_unique<SeriesInLanes<2>>(program, order);
    case 4: return std::make_unique<SeriesInLanes<4>>(program, order);
    default: return std::make_unique<SeriesInLanes<8>>(program, order);
  }
}

}  // namespace cetaev::native
