// Derivatives of what a program computes, instruction by instruction.
//
// c = a b has δc = δa b + a δb, two products for one, however many factors a and b are products of: derivatives of expressions, in which products
// of many factors are one, have as many terms as there are factors, each a product of as many.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "cetaev/program/program.hpp"
#include "operands.hpp"

namespace cetaev {

class ProgramTangents {
 public:
  ProgramTangents(const Program& source, std::span<const Program::Direction> directions)
      : source_(source), places_(source.register_count()), copied_(source.register_count()) {
    result_.program.input_count_ = source.input_count_;
    add_constants();
    const std::size_t given = source.constants_.size() + source.input_count_;
    for (std::size_t r = 0; r < given; ++r) {
      const std::size_t shift =
          r < source.constants_.size() ? 0 : result_.program.constants_.size() - source.constants_.size();
      places_[r] = static_cast<std::uint32_t>(r + shift);
      copied_[r] = true;
    }
    next_ = static_cast<std::uint32_t>(result_.program.constants_.size() + source.input_count_);
    tangents_.assign(directions.size(), std::vector<std::optional<std::uint32_t>>(source.register_count()));
    take_seeds(directions);
    std::uint32_t out = static_cast<std::uint32_t>(given);
    for (const Instruction& i : source.instructions_) {
      take(i, out);
      out += width(source, i);
    }
  }

  // Nothing where a function has no rule here.
  std::optional<Program::WithTangents> finish(std::span<const Program::Wanted> outputs) {
    if (!has_rules_) return std::nullopt;
    for (const auto& [output, direction] : outputs) {
      const std::uint32_t r = source_.outputs_[output];
      const std::optional<std::uint32_t> own = direction ? tangents_[*direction][r] : places_[r];
      result_.program.outputs_.push_back(own.value_or(zero_));
    }
    result_.program.register_count_ = next_;
    return std::move(result_);
  }

 private:
  using Tangent = std::optional<std::uint32_t>;  // nothing is zero

  std::uint32_t constant(const Rational& value) {
    Program& p = result_.program;
    const auto found = std::ranges::find(p.exact_constants_, std::optional(value));
    if (found != p.exact_constants_.end()) return static_cast<std::uint32_t>(found - p.exact_constants_.begin());
    p.constants_.push_back(value.to_double());
    p.exact_constants_.emplace_back(value);
    return static_cast<std::uint32_t>(p.constants_.size() - 1);
  }
  // They come before all other registers.
  void add_constants() {
    result_.program.constants_ = source_.constants_;
    result_.program.exact_constants_ = source_.exact_constants_;
    zero_ = constant(Rational(0));
    one_ = constant(Rational(1));
    for (const Instruction& i : source_.instructions_)
      if (i.operation == Operation::integer_power) (void)constant(Rational(static_cast<std::int32_t>(i.b)));
  }

  std::uint32_t emit(Operation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    const auto [place, is_new] = known_.try_emplace({static_cast<std::uint32_t>(operation), a, b, c}, next_);
    if (is_new) {
      result_.program.instructions_.push_back({operation, a, b, c});
      ++next_;
    }
    return place->second;
  }
  std::uint32_t function(Function f, std::uint32_t of) {
    return emit(Operation::function, of, static_cast<std::uint32_t>(f));
  }

  // What inputs change by is computed before anything that they change.
  void take_seeds(std::span<const Program::Direction> directions) {
    std::vector<bool> needed(source_.register_count());
    for (const Program::Direction& direction : directions)
      for (const auto& [input, output] : direction) needed[source_.outputs_[output]] = true;
    const auto first = static_cast<std::uint32_t>(source_.constants_.size() + source_.input_count_);
    std::vector<std::uint32_t> registers;  // of instructions
    std::uint32_t out = first;
    for (const Instruction& i : source_.instructions_) {
      registers.push_back(out);
      out += width(source_, i);
    }
    for (std::size_t n = registers.size(); n-- > 0;) {
      const Instruction& i = source_.instructions_[n];
      if (i.operation == Operation::solve) {
        for (std::uint32_t w = 0; w < width(source_, i); ++w) has_rules_ = has_rules_ && !needed[registers[n] + w];
      } else if (needed[registers[n]]) {
        for_each_register(i, [&](std::uint32_t r) { needed[r] = true; });
      }
    }
    for (std::size_t n = 0; has_rules_ && n < registers.size(); ++n)
      if (needed[registers[n]]) copy(source_.instructions_[n], registers[n]);
    for (std::size_t k = 0; has_rules_ && k < directions.size(); ++k) {
      for (const auto& [input, output] : directions[k]) {
        const std::uint32_t seed = places_[source_.outputs_[output]];
        if (seed != zero_) tangents_[k][source_.constants_.size() + input] = seed;
      }
    }
  }

  void copy(const Instruction& i, std::uint32_t out) {
    if (copied_[out]) return;
    Instruction moved = i;
    for_each_register(moved, [&](std::uint32_t& r) { r = places_[r]; });
    places_[out] = emit(moved.operation, moved.a, moved.b, moved.c);
    copied_[out] = true;
  }

  void take(const Instruction& i, std::uint32_t out) {
    if (!has_rules_) return;
    if (i.operation == Operation::solve) return solve(i, out);
    copy(i, out);
    for (std::vector<Tangent>& own : tangents_) {
      bool any = false;
      for_each_register(i, [&](std::uint32_t r) { any = any || own[r]; });
      if (any) own[out] = tangent(i, places_[out], own);
    }
  }

  // Sums and products of tangents
  Tangent product(const Tangent& x, std::uint32_t y) {
    return x ? Tangent(emit(Operation::multiply, *x, y)) : std::nullopt;
  }
  Tangent sum(const Tangent& x, const Tangent& y) {
    if (!x || !y) return x ? x : y;
    return emit(Operation::add, *x, *y);
  }
  Tangent difference(const Tangent& x, const Tangent& y) {
    if (!y) return x;
    return x ? emit(Operation::subtract, *x, *y) : emit(Operation::negate, *y);
  }
  Tangent quotient(const Tangent& x, std::uint32_t y) {
    return x ? Tangent(emit(Operation::divide, *x, y)) : std::nullopt;
  }
  // x y + z
  Tangent product_and(const Tangent& x, std::uint32_t y, const Tangent& z) {
    if (!x || !z) return sum(product(x, y), z);
    return emit(Operation::multiply_add, *x, y, *z);
  }

  Tangent tangent(const Instruction& i, std::uint32_t out, const std::vector<Tangent>& own) {
    const std::uint32_t a = places_[i.a];
    const Tangent da = own[i.a];
    switch (i.operation) {
      case Operation::add: return sum(da, own[i.b]);
      case Operation::subtract: return difference(da, own[i.b]);
      case Operation::negate: return difference({}, da);
      case Operation::multiply: return product_and(da, places_[i.b], product(own[i.b], a));
      case Operation::multiply_add: return product_and(da, places_[i.b], product_and(own[i.b], a, own[i.c]));
      case Operation::divide: return quotient(difference(da, product(own[i.b], out)), places_[i.b]);
      case Operation::square: return product(da, emit(Operation::add, a, a));
      case Operation::square_root: return quotient(da, emit(Operation::add, out, out));
      case Operation::integer_power: return product(da, slope_of_power(a, static_cast<std::int32_t>(i.b)));
      case Operation::function: return of_function(static_cast<Function>(i.b), a, out, da);
      default: has_rules_ = false; return {};
    }
  }
  std::uint32_t slope_of_power(std::uint32_t a, std::int32_t n) {
    const std::uint32_t below = n == 2   ? a
                                : n == 3 ? emit(Operation::square, a)
                                         : emit(Operation::integer_power, a, static_cast<std::uint32_t>(n - 1));
    return emit(Operation::multiply, constant(Rational(n)), below);
  }
  Tangent of_function(Function f, std::uint32_t a, std::uint32_t out, const Tangent& da) {
    switch (f) {
      case Function::sin: return product(da, function(Function::cos, a));
      case Function::cos: return difference({}, product(da, function(Function::sin, a)));
      case Function::tan: return product(da, emit(Operation::add, emit(Operation::square, out), one_));
      case Function::sinh: return product(da, function(Function::cosh, a));
      case Function::cosh: return product(da, function(Function::sinh, a));
      case Function::exp: return product(da, out);
      case Function::log: return quotient(da, a);
      default: has_rules_ = false; return {};
    }
  }

  // M x = F, and M δx = δF − δM x for all directions together.
  void solve(const Instruction& i, std::uint32_t out) {
    const Program::System& given = source_.systems_[i.a];
    Program::System plain = given;
    for_each_entry(plain, [&](std::uint32_t& r) { r = places_[r]; });
    const std::uint32_t solution = put(plain, i.a);
    for (std::uint32_t w = 0; w < width(source_, i); ++w) places_[out + w] = solution + w;
    // row by row, so that what is alike in all directions stands together
    const std::uint32_t sides = given.right_hand_sides;
    std::vector<std::vector<Tangent>> all(tangents_.size() * sides);  // by direction and right-hand side
    for (std::uint32_t row = 0; row < given.size; ++row) {
      for (std::size_t c = 0; c < all.size(); ++c) {
        const std::vector<Tangent>& own = tangents_[c / sides];
        const auto side = static_cast<std::uint32_t>(c % sides);
        Tangent right = own[given.right[row * sides + side]];
        for (std::uint32_t j = 0; j < given.size; ++j)
          right = difference(right, product(own[given.matrix[row * given.size + j]], solution + j * sides + side));
        all[c].push_back(right);
      }
    }
    std::vector<std::vector<Tangent>> columns;
    std::vector<std::pair<std::size_t, std::uint32_t>> of;  // the direction and the right-hand side
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (std::ranges::none_of(all[c], [](const Tangent& one) { return one.has_value(); })) continue;
      columns.push_back(std::move(all[c]));
      of.emplace_back(c / sides, static_cast<std::uint32_t>(c % sides));
    }
    if (columns.empty()) return;
    Program::System varied = plain;
    varied.right_hand_sides = static_cast<std::uint32_t>(columns.size());
    varied.right.clear();
    for (std::uint32_t row = 0; row < given.size; ++row)
      for (const std::vector<Tangent>& column : columns) varied.right.push_back(column[row].value_or(zero_));
    const std::uint32_t changes = put(varied, i.a);
    for (std::uint32_t row = 0; row < given.size; ++row) {
      for (std::size_t c = 0; c < of.size(); ++c)
        tangents_[of[c].first][out + row * given.right_hand_sides + of[c].second] =
            static_cast<std::uint32_t>(changes + row * of.size() + c);
    }
  }
  std::uint32_t put(Program::System system, std::uint32_t from) {
    Program& p = result_.program;
    system.solution = next_;
    next_ += unknown_count(system);
    p.instructions_.push_back({Operation::solve, static_cast<std::uint32_t>(p.systems_.size()), 0, 0});
    p.systems_.push_back(std::move(system));
    result_.systems.push_back(from);
    return p.systems_.back().solution;
  }

  const Program& source_;
  Program::WithTangents result_;
  std::vector<std::uint32_t> places_;  // of the source's registers
  std::vector<bool> copied_;
  std::vector<std::vector<Tangent>> tangents_;  // by direction, and by the source's register
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> known_;
  std::uint32_t next_ = 0, zero_ = 0, one_ = 0;
  bool has_rules_ = true;
};

std::optional<Program::WithTangents> Program::with_tangents(std::span<const Direction> directions,
                                                            std::span<const Wanted> outputs) const {
  return ProgramTangents(*this, directions).finish(outputs);
}

}  // namespace cetaev
