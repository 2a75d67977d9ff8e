// Factors that stay the same are gathered: (2 m (v w)) / (J + m a²) becomes one number times v w.
//
// Every value is a static factor, with a sign, times a register; products and quotients multiply the factors, which are
// computed once, and sums take them in as they are. What is left to do at every state is what moves.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "cetaev/program/program.hpp"
#include "operands.hpp"

namespace cetaev {

class StaticFactors {
 public:
  StaticFactors(const Program& source, std::size_t moving) : source_(source), values_(source.register_count()) {
    result_.input_count_ = source.input_count_;
    result_.constants_ = source.constants_;
    result_.exact_constants_ = source.exact_constants_;
    one_ = constant_one();
    next_ = static_cast<std::uint32_t>(result_.constants_.size() + source.input_count_);
    const auto constants = static_cast<std::uint32_t>(source.constants_.size());
    const std::uint32_t shift = static_cast<std::uint32_t>(result_.constants_.size()) - constants;
    for (std::uint32_t r = 0; r < constants + source.input_count_; ++r) {
      Value& value = values_[r];
      value.place = r < constants ? r : r + shift;
      value.is_static = r < constants || r >= constants + moving;
    }
    std::uint32_t out = constants + static_cast<std::uint32_t>(source.input_count_);
    for (const Instruction& i : source.instructions_) {
      if (i.operation == Operation::solve) {
        solve(i, out);
      } else {
        values_[out] = value_of(i);
      }
      out += width(source, i);
    }
    for (const std::uint32_t r : source.outputs_) result_.outputs_.push_back(plain(values_[r]));
    result_.register_count_ = next_;
  }

  Program take() { return std::move(result_); }

 private:
  // ± factor · register; a static value has no factor and no sign.
  struct Value {
    std::uint32_t place = 0;
    bool is_static = false;
    bool negative = false;
    std::optional<std::uint32_t> factor;
  };

  // The register of the number 1, for reciprocals.
  std::uint32_t constant_one() {
    const auto found = std::find(result_.constants_.begin(), result_.constants_.end(), 1.0);
    if (found != result_.constants_.end()) return static_cast<std::uint32_t>(found - result_.constants_.begin());
    result_.constants_.push_back(1.0);
    result_.exact_constants_.emplace_back(Rational(1));
    return static_cast<std::uint32_t>(result_.constants_.size() - 1);
  }

  std::uint32_t emit(Operation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    const auto [place, is_new] = known_.try_emplace({static_cast<std::uint32_t>(operation), a, b, c}, next_);
    if (is_new) {
      result_.instructions_.push_back({operation, a, b, c});
      ++next_;
    }
    return place->second;
  }
  static Value moving(std::uint32_t place) { return {place, false, false, {}}; }

  // The value itself in a register.
  std::uint32_t plain(const Value& v) {
    if (v.factor) return emit(Operation::multiply, signed_factor(v), v.place);
    return v.negative ? emit(Operation::negate, v.place) : v.place;
  }
  std::uint32_t signed_factor(const Value& v) { return v.negative ? emit(Operation::negate, *v.factor) : *v.factor; }
  std::optional<std::uint32_t> product(std::optional<std::uint32_t> x, std::optional<std::uint32_t> y) {
    if (!x || *x == one_) return y;
    if (!y || *y == one_) return x;
    return emit(Operation::multiply, *x, *y);
  }
  std::optional<std::uint32_t> quotient(std::optional<std::uint32_t> x, std::optional<std::uint32_t> y) {
    if (!y) return x;
    return emit(Operation::divide, x.value_or(one_), *y);
  }
  // A static value as a factor of what moves.
  std::optional<std::uint32_t> as_factor(const Value& v) { return v.is_static ? std::optional(v.place) : v.factor; }

  Value multiply(const Value& a, const Value& b) {
    if (a.is_static && b.is_static) return {emit(Operation::multiply, a.place, b.place), true, false, {}};
    Value result = moving(a.is_static ? b.place : b.is_static ? a.place : emit(Operation::multiply, a.place, b.place));
    result.negative = a.negative != b.negative;
    result.factor = product(as_factor(a), as_factor(b));
    return result;
  }
  Value divide(const Value& a, const Value& b) {
    if (a.is_static && b.is_static) return {emit(Operation::divide, a.place, b.place), true, false, {}};
    if (a.is_static) {
      Value result = moving(emit(Operation::divide, quotient(a.place, b.factor).value(), b.place));
      result.negative = b.negative;
      return result;
    }
    Value result = b.is_static ? a : moving(emit(Operation::divide, a.place, b.place));
    result.negative = a.negative != b.negative;
    result.factor = quotient(a.factor, as_factor(b));
    return result;
  }
  // a ± b, with a sign common to both taken out
  Value add(Value a, Value b, bool minus) {
    if (a.is_static && b.is_static)
      return {emit(minus ? Operation::subtract : Operation::add, a.place, b.place), true, false, {}};
    b.negative = b.negative != minus;
    if (!a.is_static && !b.is_static && a.factor == b.factor) {
      Value result = a.negative == b.negative ? moving(emit(Operation::add, a.place, b.place))
                     : a.negative             ? moving(emit(Operation::subtract, b.place, a.place))
                                              : moving(emit(Operation::subtract, a.place, b.place));
      result.negative = a.negative && b.negative;
      result.factor = a.factor;
      return result;
    }
    if (!b.factor) std::swap(a, b);
    if (!b.factor) {  // one static, or both without a factor
      if (a.negative && b.negative) {
        Value result = moving(emit(Operation::add, a.place, b.place));
        result.negative = true;
        return result;
      }
      if (a.negative) return moving(emit(Operation::subtract, b.place, a.place));
      return moving(emit(b.negative ? Operation::subtract : Operation::add, a.place, b.place));
    }
    // b.factor · b + a, the sign of a outside
    const bool outside = a.negative && !a.factor;
    b.negative = b.negative != outside;
    Value result = moving(emit(Operation::multiply_add, signed_factor(b), b.place, outside ? a.place : plain(a)));
    result.negative = outside;
    return result;
  }

  // The register of a source's register here; whether it is static.
  bool take(std::uint32_t& r) {
    const Value value = values_[r];
    r = plain(value);
    return value.is_static;
  }

  Value value_of(const Instruction& i) {
    const Value a = values_[i.a];
    const auto b = [&] { return values_[i.b]; };
    switch (i.operation) {
      case Operation::multiply: return multiply(a, b());
      case Operation::divide: return divide(a, b());
      case Operation::add: return add(a, b(), false);
      case Operation::subtract: return add(a, b(), true);
      case Operation::multiply_add:
        if (!(a.is_static && b().is_static) || !values_[i.c].is_static)
          return add(multiply(a, b()), values_[i.c], false);
        break;
      case Operation::negate:
        if (a.is_static) break;
        return {a.place, false, !a.negative, a.factor};
      case Operation::square:
      case Operation::integer_power: {
        if (a.is_static) break;
        Value result = moving(emit(i.operation, a.place, i.b));
        if (a.factor) result.factor = emit(i.operation, *a.factor, i.b);
        result.negative = a.negative && i.operation == Operation::integer_power && i.b % 2 == 1;
        return result;
      }
      default: break;
    }
    bool all_static = true;
    Instruction moved = i;
    for_each_register(moved, [&](std::uint32_t& r) { all_static = take(r) && all_static; });
    return {emit(moved.operation, moved.a, moved.b, moved.c), all_static, false, {}};
  }

  void solve(const Instruction& i, std::uint32_t out) {
    Program::System system = source_.systems_[i.a];
    bool all_static = true;
    for_each_entry(system, [&](std::uint32_t& r) { all_static = take(r) && all_static; });
    system.solution = next_;
    for (std::uint32_t w = 0; w < width(source_, i); ++w) values_[out + w] = {next_++, all_static, false, {}};
    result_.instructions_.push_back({Operation::solve, static_cast<std::uint32_t>(result_.systems_.size()), 0, 0});
    result_.systems_.push_back(std::move(system));
  }

  const Program& source_;
  Program result_;
  std::vector<Value> values_;  // of the source's registers
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> known_;
  std::uint32_t next_ = 0, one_ = 0;
};

Program Program::with_static_factors(std::size_t moving) const { return StaticFactors(*this, moving).take(); }

}  // namespace cetaev
