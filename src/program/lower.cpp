// From the graph to instructions.
#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>

#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/error.hpp"
#include "cetaev/program/program.hpp"
#include "operands.hpp"

namespace cetaev {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Registers are numbered provisionally while the number of constants is not yet known: constants count down from the
// top of the range and are moved to the front at the end.
class Lowering {
 public:
  Lowering(std::span<const Expr> outputs, std::span<const Expr> inputs, std::span<const LinearBlock> blocks)
      : next_(static_cast<std::uint32_t>(inputs.size())) {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) place(inputs[i]) = i;
    for (const LinearBlock& block : blocks) solve(block);
    lower_all(outputs);
    for (const Expr e : outputs) outputs_.push_back(place(e));
  }

  struct Result {
    std::vector<std::optional<Rational>> constants;
    std::vector<Instruction> instructions;
    std::vector<std::uint32_t> outputs;
    std::vector<Program::System> systems;
    std::size_t register_count = 0;
  };

  Result finish() {
    const auto offset = static_cast<std::uint32_t>(constants_.size());
    const auto final_place = [&](std::uint32_t r) { return is_constant(r) ? nowhere - 1 - r : r + offset; };
    const auto move = [&](std::uint32_t& r) { r = final_place(r); };
    for (Instruction& i : instructions_) for_each_register(i, move);
    for (std::uint32_t& r : outputs_) move(r);
    for (Program::System& system : systems_) {
      for_each_entry(system, move);
      move(system.solution);
    }
    const std::size_t registers = constants_.size() + next_;
    return {std::move(constants_), std::move(instructions_), std::move(outputs_), std::move(systems_), registers};
  }

 private:
  // What has a register already is not looked at again. Coefficients and exponents are read where they are used; they need no register of
  // their own.
  void lower_all(std::span<const Expr> roots) {
    Walk walk;
    const auto need = [&](Expr e) {
      if (place(e) == nowhere) walk.visit(e);
    };
    for (const Expr e : roots) need(e);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const auto operands = walk[i].operands();
      switch (walk[i].kind()) {
        case Kind::sum:
          for (std::size_t k = 1; k < operands.size(); k += 2) need(operands[k]);
          break;
        case Kind::product:
          for (std::size_t k = 0; k < operands.size(); k += 2) need(operands[k]);
          break;
        default:
          for (const Expr operand : operands) need(operand);
      }
    }
    for (const Expr e : walk.in_order()) place(e) = lower(e);
  }

  void solve(const LinearBlock& block) {
    std::vector<Expr> entries = block.matrix.entries;
    entries.insert(entries.end(), block.right.entries.begin(), block.right.entries.end());
    lower_all(entries);
    Program::System system;
    system.size = static_cast<std::uint32_t>(block.matrix.rows);
    system.right_hand_sides = static_cast<std::uint32_t>(block.right.columns);
    for (const Expr e : block.matrix.entries) system.matrix.push_back(place(e));
    for (const Expr e : block.right.entries) system.right.push_back(place(e));
    system.solution = next_;
    instructions_.push_back({Operation::solve, static_cast<std::uint32_t>(systems_.size()), 0, 0});
    systems_.push_back(std::move(system));
    for (const Expr unknown : block.unknowns) place(unknown) = next_++;
  }

  // The register of a node, by its number.
  std::uint32_t& place(Expr e) {
    if (e.id() >= places_.size()) places_.resize(e.id() + 1 + places_.size() / 2, nowhere);
    return places_[e.id()];
  }

  bool is_constant(std::uint32_t r) const { return r > nowhere - 1 - constants_.size(); }

  std::uint32_t constant(const Rational& value) {
    const auto [place, fresh] = constant_places_.try_emplace(value, static_cast<std::uint32_t>(constants_.size()));
    if (fresh) constants_.emplace_back(value);
    return nowhere - 1 - place->second;
  }

  std::uint32_t pi() {
    if (!pi_place_) {
      pi_place_ = static_cast<std::uint32_t>(constants_.size());
      constants_.emplace_back(std::nullopt);
    }
    return nowhere - 1 - *pi_place_;
  }

  std::uint32_t emit(Operation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    instructions_.push_back({operation, a, b, c});
    return next_++;
  }

  std::uint32_t lower(Expr e) {
    switch (e.kind()) {
      case Kind::number: return constant(e.number());
      case Kind::pi: return pi();
      case Kind::symbol: throw Error(ErrorCode::unknown_name, "no input for the symbol " + std::string(e.name()));
      case Kind::sum: return lower_sum(e);
      case Kind::product: return lower_product(e);
      case Kind::power: return emit(Operation::power, place(e.operands()[0]), place(e.operands()[1]));
      case Kind::function:
        if (e.operands().size() == 2) {
          return emit(Operation::function_of_two, place(e.operands()[0]), place(e.operands()[1]),
                      static_cast<std::uint32_t>(e.function()));
        }
        if (e.function() == Function::log) {
          if (const auto which = grows_like_an_exponential(e.operands()[0]))
            return lower_logarithm(e.operands()[0], *which);
          if (is_function(e.operands()[0], Function::cosh))
            return lower_logarithm_of_cosine(place(e.operands()[0].operands()[0]));
        }
        return function(e.function(), place(e.operands()[0]));
    }
    return nowhere;
  }

  // Starts with a term that needs no sign, so that x − y is one instruction.
  std::uint32_t lower_sum(Expr e) {
    std::size_t lead = 0;
    while (lead < e.size() && !e.coefficient(lead).is_one()) ++lead;
    std::uint32_t total = nowhere;
    if (lead < e.size()) total = place(e.term(lead));
    if (!e.constant().is_zero()) {
      const std::uint32_t c = constant(e.constant());
      total = total == nowhere ? c : emit(Operation::add, total, c);
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (i == lead) continue;
      const std::uint32_t term = place(e.term(i));
      const Rational& k = e.coefficient(i);
      if (total == nowhere) {
        total = k == Rational(-1) ? emit(Operation::negate, term) : emit(Operation::multiply, constant(k), term);
      } else if (k.is_one()) {
        total = emit(Operation::add, total, term);
      } else if (k == Rational(-1)) {
        total = emit(Operation::subtract, total, term);
      } else {
        total = emit(Operation::multiply_add, constant(k), term, total);
      }
    }
    return total;
  }

  std::uint32_t lower_product(Expr e) {
    std::uint32_t above = nowhere;
    std::uint32_t below = nowhere;
    const auto multiply = [&](std::uint32_t& total, std::uint32_t factor) {
      total = total == nowhere ? factor : emit(Operation::multiply, total, factor);
    };
    // what is too large for a number above and below the line, and a number together: sinh(u)/cosh(u), exp(u)/(1 + exp(u))
    std::vector<Rational> left_out;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!is_large(e.base(i), e.exponent(i))) continue;
      if (left_out.empty()) left_out.resize(e.size());
      for (std::size_t j = 0; j < e.size(); ++j) {
        const Rational both = std::min(e.exponent(i) - left_out[i], -(e.exponent(j) - left_out[j]));
        if (both.sign() <= 0) continue;
        const std::optional<std::uint32_t> quotient = lower_quotient(e.base(i), e.base(j));
        if (!quotient) continue;
        multiply(above, lower_power(*quotient, both));
        left_out[i] = left_out[i] + both;
        left_out[j] = left_out[j] - both;
      }
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Rational exponent = left_out.empty() ? e.exponent(i) : e.exponent(i) - left_out[i];
      if (exponent.is_zero()) continue;
      multiply(exponent.sign() > 0 ? above : below, lower_power(place(e.base(i)), exponent.abs()));
    }
    if (above == nowhere && below == nowhere) return constant(Rational(1));
    if (below == nowhere) return above;
    return emit(Operation::divide, above == nowhere ? constant(Rational(1)) : above, below);
  }

  static bool is_function(Expr e, Function f) { return e.kind() == Kind::function && e.function() == f; }
  static bool is_large(Expr e, const Rational& exponent) {
    return exponent.sign() > 0 && (is_function(e, Function::sinh) || is_function(e, Function::exp));
  }
  // Of two bases, where it is a number though they are too large for one.
  std::optional<std::uint32_t> lower_quotient(Expr above, Expr below) {
    const Expr u = above.operands()[0];
    if (is_function(above, Function::sinh))
      return is_function(below, Function::cosh) && below.operands()[0] == u ? std::optional(hyperbolic_tangent(u))
                                                                            : std::nullopt;
    // 1/(k + (c + …) exp(−u))
    const std::optional<std::size_t> which = grows_like_an_exponential(below);
    if (!which || below.term(*which) != above) return std::nullopt;
    const std::uint32_t sum = emit(Operation::multiply_add, sum_without(below, *which), exponential_of_negative(u),
                                   constant(below.coefficient(*which)));
    return emit(Operation::divide, constant(Rational(1)), sum);
  }
  // log(k exp(u) + c + …) = m + log(k exp(u − m) + (c + …) exp(−m)), m = max(u, 0)
  std::uint32_t lower_logarithm(Expr sum, std::size_t which) {
    const std::uint32_t u = place(sum.term(which).operands()[0]);
    const std::uint32_t twice = emit(Operation::add, u, function(Function::abs, u));
    const std::uint32_t m = emit(Operation::multiply, constant(Rational(1, 2)), twice);
    const std::uint32_t large = function(Function::exp, emit(Operation::subtract, u, m));
    const std::uint32_t small = function(Function::exp, emit(Operation::negate, m));
    const std::uint32_t rest = emit(Operation::multiply, sum_without(sum, which), small);
    const std::uint32_t inner = emit(Operation::multiply_add, constant(sum.coefficient(which)), large, rest);
    return emit(Operation::add, m, function(Function::log, inner));
  }
  // log cosh u = m + log(1/2 + exp(−2 m)/2), m = |u|
  std::uint32_t lower_logarithm_of_cosine(std::uint32_t u) {
    const std::uint32_t m = function(Function::abs, u), half = constant(Rational(1, 2));
    const std::uint32_t small = function(Function::exp, emit(Operation::multiply, constant(Rational(-2)), m));
    const std::uint32_t inner = emit(Operation::multiply_add, half, small, half);
    return emit(Operation::add, m, function(Function::log, inner));
  }
  std::uint32_t function(Function f, std::uint32_t of) {
    return emit(Operation::function, of, static_cast<std::uint32_t>(f));
  }
  // The term exp(u) of a sum in which nothing else grows so fast.
  static std::optional<std::size_t> grows_like_an_exponential(Expr sum) {
    if (sum.kind() != Kind::sum) return std::nullopt;
    std::optional<std::size_t> which;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (is_function(sum.term(i), Function::exp) && !which) {
        which = i;
      } else if (grows(sum.term(i))) {
        return std::nullopt;
      }
    }
    return which;
  }
  std::uint32_t sum_without(Expr sum, std::size_t which) {
    std::uint32_t others = constant(sum.constant());
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (i != which) others = emit(Operation::multiply_add, constant(sum.coefficient(i)), place(sum.term(i)), others);
    return others;
  }
  static bool grows(Expr e) {
    const std::vector<Expr> nodes = topological(std::span(&e, 1));
    return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
      return is_function(node, Function::exp) || is_function(node, Function::sinh) ||
             is_function(node, Function::cosh) || node.kind() == Kind::power;
    });
  }
  std::uint32_t hyperbolic_tangent(Expr u) {
    const auto [place_of, fresh] = tangents_.try_emplace(u.id());
    if (fresh) place_of->second = function(Function::tanh, place(u));
    return place_of->second;
  }
  std::uint32_t exponential_of_negative(Expr u) {
    const auto [place_of, fresh] = exponentials_.try_emplace(u.id());
    if (fresh) place_of->second = function(Function::exp, emit(Operation::negate, place(u)));
    return place_of->second;
  }

  std::uint32_t lower_power(std::uint32_t base, const Rational& exponent) {
    if (exponent.is_one()) return base;
    if (exponent == Rational(2)) return emit(Operation::square, base);
    if (const auto n = exponent.to_long(); n && *n <= 64) {
      return emit(Operation::integer_power, base, static_cast<std::uint32_t>(*n));
    }
    if (exponent.denominator() == Rational(2)) {
      const std::uint32_t root = emit(Operation::square_root, base);
      if (exponent == Rational(1, 2)) return root;
      // b^(n + ½) = b^n √b
      return emit(Operation::multiply, lower_power(base, exponent - Rational(1, 2)), root);
    }
    return emit(Operation::power, base, constant(exponent));
  }

  std::uint32_t next_;  // the next register, constants not counted
  std::vector<std::uint32_t> places_;
  std::map<std::uint32_t, std::uint32_t> tangents_, exponentials_;  // tanh(u) and exp(−u) of nodes, by their numbers
  std::vector<Program::System> systems_;
  std::map<Rational, std::uint32_t> constant_places_;
  std::optional<std::uint32_t> pi_place_;
  std::vector<std::optional<Rational>> constants_;  // nothing: π
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
};

}  // namespace

Program::Program(std::span<const Expr> outputs, std::span<const Expr> inputs, std::span<const LinearBlock> blocks)
    : input_count_(inputs.size()) {
  Lowering::Result result = Lowering(outputs, inputs, blocks).finish();
  exact_constants_ = std::move(result.constants);
  for (const auto& exact : exact_constants_) constants_.push_back(exact ? exact->to_double() : std::numbers::pi);
  instructions_ = std::move(result.instructions);
  outputs_ = std::move(result.outputs);
  systems_ = std::move(result.systems);
  register_count_ = result.register_count;
}

}  // namespace cetaev
