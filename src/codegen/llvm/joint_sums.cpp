#include "joint_sums.hpp"

#include <algorithm>
#include <set>

#include "cetaev/detail/series/coefficients.hpp"

namespace cetaev::native {

namespace {

// Only looks which sums the recurrences ask for.
struct Listing {
  struct Value {};
  const SeriesPlan& plan;
  std::int32_t round;
  std::vector<SeriesProduct>& sums;

  static Value get(std::uint32_t, std::int32_t) { return {}; }
  static void set(std::uint32_t, std::int32_t, Value) {}
  static Value zero() { return {}; }
  static Value add(Value, Value) { return {}; }
  static Value subtract(Value, Value) { return {}; }
  static Value negate(Value) { return {}; }
  static Value multiply(Value, Value) { return {}; }
  static Value divide(Value, Value) { return {}; }
  static Value square_root(Value) { return {}; }
  static Value scale(double, Value) { return {}; }
  static Value quotient(Value, std::int32_t) { return {}; }
  Value dot(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) const {
    const SeriesPlan::Range range = plan.joint_part(a, b, k, lo, hi, round);
    if (range.lo <= range.hi) sums.push_back({a, b, k, range});
    return {};
  }
  static Value reciprocal(std::uint32_t) { return {}; }
  static Value sign(std::uint32_t) { return {}; }
  static Value start(const SeriesInstruction&) { return {}; }
  static void factor(std::uint32_t, const Program::System&) {}
  static void begin_rest(std::uint32_t) {}
  static void set_rest(std::uint32_t, std::optional<Value>) {}
  static Value times_inverse(std::uint32_t, const Program::System&, std::uint32_t) { return {}; }
};

}  // namespace

JointSums::JointSums(const SeriesProgram& program, const SeriesPlan& plan, Emitter& emitter, unsigned order,
                     unsigned lanes, std::function<Value(std::uint32_t, std::int32_t)> coefficient)
    : p_(program),
      plan_(plan),
      e_(emitter),
      order_(static_cast<std::int32_t>(order)),
      lanes_(lanes),
      coefficient_(std::move(coefficient)) {}

void JointSums::begin_round(std::int32_t round) {
  round_ = round;
  if (begins_block(round)) list();
}

void JointSums::list() {
  listed_.clear();
  next_listed_ = 0;
  sums_.clear();
  const std::int32_t last = lanes_ == 1 ? round_ : std::min(round_ + block, order_) - 1;
  std::vector<std::vector<SeriesProduct>> of_rounds;
  std::size_t longest = 0;
  for (std::int32_t k = round_; k <= last; ++k) {
    Listing listing{plan_, round_, of_rounds.emplace_back()};
    SeriesCoefficients<Listing> series(p_, listing);
    for (const SeriesInstruction& i : p_.instructions()) series.instruction(i, k);
    longest = std::max(longest, of_rounds.back().size());
  }
  // sums of the same factors next to each other
  for (std::size_t i = 0; i < longest; ++i) {
    for (const std::vector<SeriesProduct>& sums : of_rounds) {
      if (i < sums.size()) listed_.push_back(sums[i]);
    }
  }
}

std::pair<SeriesPlan::Range, Value> JointSums::part_of(const SeriesProduct& sum) {
  SeriesProduct part = sum;
  part.range = plan_.joint_part(sum.a, sum.b, sum.k, sum.range.lo, sum.range.hi, first_of_block(round_));
  if (part.range.lo > part.range.hi) return {part.range, nullptr};
  while (!sums_.contains(key_of(part))) lanes_ == 1 ? sum_vectors() : sum_lanes();
  return {part.range, sums_[key_of(part)]};
}

std::pair<std::size_t, std::size_t> JointSums::next_group() {
  const std::size_t first = next_listed_;
  next_listed_ = std::min(listed_.size(), first + group());
  return {first, next_listed_};
}

void JointSums::sum_vectors() {
  constexpr std::int32_t width = 2;
  Value const memory = e_.argument(SeriesArguments::workspace);
  struct Part {
    std::size_t sum;
    std::size_t x, x_start, y;  // places in memory
  };
  std::map<std::size_t, std::vector<Part>> parts;  // by the place in an array that is read backwards
  const auto [first, last] = next_group();
  for (std::size_t i = first; i < last; ++i) {
    const auto& [a, b, k, range] = listed_[i];
    const bool second = plan_.second_backwards(a, b);
    // first terms of both, in the direction of memory
    const std::size_t x = second ? plan_.forwards(a, range.lo) : plan_.forwards(b, k - range.hi);
    const std::size_t y = second ? plan_.backwards(b, k - range.lo) : plan_.backwards(a, range.hi);
    const std::size_t base = plan_.backwards(second ? b : a);
    for (std::int32_t t = 0; t <= range.hi - range.lo; t += width) {
      const auto at = static_cast<std::size_t>(t);
      parts[y + at - base].push_back({i - first, x + at, x, y + at});
    }
  }
  std::vector<std::array<Value, 2>> sums(last - first);
  std::vector<std::size_t> terms(last - first);
  for (const auto& [place, here] : parts) {
    std::map<std::size_t, Value> read;
    const auto vector = [&](std::size_t at, std::size_t start) {
      Value& x = read[at];
      if (x != nullptr) return x;
      // where vectors are not aligned, distances from a near pointer have shorter instructions
      Value& base = bases_[start % width == 0 ? 0 : start];
      if (base == nullptr) base = start % width == 0 ? memory : e_.address(memory, start);
      return x = e_.load_doubles(base, start % width == 0 ? at : at - start, width);
    };
    for (const Part& part : here) {
      Value const x = vector(part.x, part.x_start);
      Value const y = vector(part.y, 0);
      Value& sum = sums[part.sum][terms[part.sum]++ % 2];
      sum = sum == nullptr ? e_.multiply(x, y) : e_.fused(x, y, sum);
    }
  }
  for (std::size_t i = first; i < last; ++i) {
    const auto& [even, odd] = sums[i - first];
    sums_[key_of(listed_[i])] = e_.sum(odd == nullptr ? even : e_.add(even, odd), width);
  }
}

// The same with several lanes, where every coefficient is a vector: by the coefficient of one of the factors.
void JointSums::sum_lanes() {
  struct Part {
    std::size_t sum;
    std::uint32_t x;
    std::int32_t i;
    std::uint32_t y;
    std::int32_t j;
  };
  std::map<std::int32_t, std::vector<Part>> parts;  // by j
  std::set<std::uint32_t> leading;
  const auto [first, last] = next_group();
  for (std::size_t n = first; n < last; ++n) {
    const auto& [a, b, k, range] = listed_[n];
    const bool by_a = leading.contains(a) && !leading.contains(b);
    leading.insert(by_a ? a : b);
    for (std::int32_t j = range.lo; j <= range.hi; ++j) {
      const Part part = by_a ? Part{n - first, b, k - j, a, j} : Part{n - first, a, j, b, k - j};
      parts[part.j].push_back(part);
    }
  }
  std::vector<Value> sums(last - first);
  std::map<std::pair<std::uint32_t, std::int32_t>, Value> read, before;
  for (const auto& [j, here] : parts) {
    before = std::exchange(read, {});
    const auto coefficient = [&](std::uint32_t r, std::int32_t i) {
      Value& x = read[{r, i}];
      if (x != nullptr) return x;
      const auto found = before.find({r, i});
      return x = found != before.end() ? found->second : coefficient_(r, i);
    };
    for (const Part& part : here) {
      Value const x = coefficient(part.x, part.i);
      Value const y = coefficient(part.y, part.j);
      Value& sum = sums[part.sum];
      sum = sum == nullptr ? e_.multiply(x, y) : e_.fused(x, y, sum);
    }
  }
  for (std::size_t n = first; n < last; ++n) {
    sums_[key_of(listed_[n])] = sums[n - first];
  }
}

}  // namespace cetaev::native
