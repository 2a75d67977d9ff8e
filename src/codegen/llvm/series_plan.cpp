#include "series_plan.hpp"

#include <algorithm>
#include <numeric>

#include "cetaev/detail/series/coefficients.hpp"

namespace cetaev::native {

namespace {

// Coefficients of this many rounds before the present one count as found lately, too. One would keep vectors from being
// read while half of them is on its way to memory, but was measured to be slower by a tenth.
constexpr std::int32_t lately = 0;
constexpr std::int32_t shortest_vector_part = 4;

}  // namespace

// Runs the recurrences to see what they read.
struct SeriesSurvey {
  struct Value {};

  SeriesPlan& plan;
  std::int32_t round = 0;

  void count(std::size_t n = 1) const { plan.lengths_[static_cast<std::size_t>(round)] += n; }
  Value get(std::uint32_t r, std::int32_t k) const {
    const bool has_place = plan.p_.state(0) <= r && r < plan.p_.time() && k == 0;
    if (plan.in_memory(r) && !has_place && (plan.round_of(r, k) < round || (r < plan.p_.time() && k == round)))
      plan.any_[r] = true;
    return {};
  }
  void set(std::uint32_t, std::int32_t, Value) const { count(2); }
  static Value zero() { return {}; }
  Value add(Value, Value) const { return count(), Value{}; }
  Value subtract(Value, Value) const { return count(), Value{}; }
  Value negate(Value) const { return count(), Value{}; }
  Value multiply(Value, Value) const { return count(), Value{}; }
  Value divide(Value, Value) const { return count(), Value{}; }
  Value square_root(Value) const { return count(), Value{}; }
  Value scale(double, Value) const { return count(), Value{}; }
  Value quotient(Value, std::int32_t) const { return count(2), Value{}; }
  Value dot(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) const {
    const SeriesPlan::Range old = plan.found_early(a, b, k, lo, hi, round);
    if (old.lo <= old.hi) orient(a, b);
    const SeriesPlan::Range range = plan.vector_part(a, b, k, lo, hi, round);
    for (std::int32_t j = lo; j <= hi; ++j) {
      if (range.lo <= j && j <= range.hi) continue;
      get(a, j);
      get(b, k - j);
      count(2);
    }
    if (range.lo <= range.hi) count(static_cast<std::size_t>(3 * (range.hi - range.lo + 1) / 2 + 2));
    return {};
  }
  void orient(std::uint32_t a, std::uint32_t b) const {
    const auto [place, fresh] = plan.orientation_.try_emplace({a, b});
    if (!fresh) return;
    const auto missing = [&](std::uint32_t f, std::uint32_t back) {
      return (plan.forward_[f] ? 0 : 1) + (plan.backward_[back] ? 0 : 1);
    };
    place->second = missing(a, b) <= missing(b, a);
    plan.forward_[place->second ? a : b] = true;
    plan.backward_[place->second ? b : a] = true;
  }
  Value reciprocal(std::uint32_t r) const {
    plan.divides_[r] = true;
    return count(), Value{};
  }
  Value sign(std::uint32_t r) const {
    get(r, 0);
    return count(2), Value{};
  }
  Value start(const SeriesInstruction& i) const {
    get(i.b, 0);
    if (i.start != Operation::function) get(i.c, 0);
    return count(4), Value{};
  }
  void factor(std::uint32_t, const Program::System& s) const {
    for (const std::uint32_t r : s.matrix) get(r, 0);
    for (const std::uint32_t r : s.right) get(r, 0);
    const std::size_t n = s.size, m = s.right_hand_sides;
    count(n <= 3 ? 8 * n * (n + m) : 4 * n * (n + m));
  }
  static void begin_rest(std::uint32_t) {}
  static void set_rest(std::uint32_t, std::optional<Value>) {}
  Value times_inverse(std::uint32_t, const Program::System& s, std::uint32_t) const {
    return count(std::size_t{2} * s.size), Value{};
  }
};

SeriesPlan::SeriesPlan(const SeriesProgram& program, unsigned order, unsigned lanes)
    : p_(program),
      order_(static_cast<std::int32_t>(order)),
      vectors_(lanes == 1),
      any_(p_.register_count()),
      forward_(p_.register_count()),
      backward_(p_.register_count()),
      divides_(p_.register_count()),
      forwards_(p_.register_count(), nowhere),
      backwards_(p_.register_count(), nowhere),
      reciprocals_(p_.register_count(), nowhere),
      lengths_(order + 1) {
  SeriesSurvey survey{*this};
  SeriesCoefficients<SeriesSurvey> series(p_, survey);
  for (std::int32_t k = 0; k < order_; ++k) {
    survey.round = k;
    for (const SeriesInstruction& i : p_.instructions()) series.instruction(i, k);
    for (const std::uint32_t r : p_.further()) {
      if (k <= p_.degree(r)) survey.get(r, k);
      survey.count();
    }
    series.advance_state(k + 1);
  }
  const auto room = [&](std::size_t values) { return std::exchange(size_, size_ + values + values % 2); };
  for (std::uint32_t r = 0; r < p_.register_count(); ++r) {
    if (divides_[r]) reciprocals_[r] = room(1);
    if (!in_memory(r) && !backward_[r] && !forward_[r]) continue;
    if (forward_[r] || (any_[r] && !backward_[r])) forwards_[r] = room(order + 1);
    if (backward_[r]) backwards_[r] = room(order + 1);
  }
  std::size_t scratch = 0;
  for (const Program::System& s : p_.systems()) {
    const std::size_t n = s.size;
    inverses_.push_back(room(n * n));
    scratch = std::max(scratch, 2 * n * (2 * n + s.right_hand_sides));
  }
  scratch_ = room(scratch);
}

SeriesPlan::Range SeriesPlan::found_early(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo,
                                          std::int32_t hi, std::int32_t round) const {
  constexpr Range none = {0, -1};
  if (!vectors_ || a < p_.static_count() || b < p_.static_count()) return none;
  while (lo <= hi && round_of(b, k - lo) >= round - lately) ++lo;
  while (lo <= hi && round_of(a, hi) >= round - lately) --hi;
  return hi - lo + 1 < shortest_vector_part ? none : Range{lo, hi};
}

SeriesPlan::Range SeriesPlan::vector_part(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t from,
                                          std::int32_t to, std::int32_t round) const {
  auto [lo, hi] = found_early(a, b, k, from, to, round);
  if (lo > hi) return {lo, hi};
  // backwards arrays are read at even places, so that sums in the same round read the same vectors
  if (second_backwards(a, b)) {
    if ((order_ - k + lo) % 2 != 0) ++lo;
    if ((hi - lo) % 2 == 0) --hi;
  } else {
    if ((order_ - hi) % 2 != 0) --hi;
    if ((hi - lo) % 2 == 0) ++lo;
  }
  return {lo, hi};
}

SeriesPlan::Range SeriesPlan::joint_part(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo,
                                         std::int32_t hi, std::int32_t round) const {
  if (vectors_) return vector_part(a, b, k, lo, hi, round);
  if (a < p_.static_count() || b < p_.static_count()) return {0, -1};
  while (lo <= hi && round_of(b, k - lo) >= round) ++lo;
  while (lo <= hi && round_of(a, hi) >= round) --hi;
  return {lo, hi};
}

std::size_t SeriesPlan::length() const { return std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{0}); }

}  // namespace cetaev::native
