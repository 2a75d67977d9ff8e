// From the graph to instructions.
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Registers are numbered provisionally while the number of constants is not yet known: constants count down from the
// top of the range and are moved to the front at the end.
class Lowering {
 public:
  Lowering(std::span<const Expr> outputs, std::span<const Expr> inputs) : input_count_(inputs.size()) {
    const std::vector<Expr> order = topological(outputs);
    if (order.empty()) return;
    places_.assign(order.back().id() + 1, nowhere);
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].id() < places_.size()) places_[inputs[i].id()] = i;
    }
    mark_exact_operands(order, outputs);
    for (const Expr e : order) {
      if (places_[e.id()] == nowhere && needed_[e.id()]) places_[e.id()] = lower(e);
    }
    for (const Expr e : outputs) outputs_.push_back(places_[e.id()]);
  }

  void finish(std::vector<double>& constants, std::vector<Instruction>& instructions, std::vector<std::uint32_t>& outputs) {
    const auto offset = static_cast<std::uint32_t>(constants_.size());
    const auto place = [&](std::uint32_t r) { return is_constant(r) ? nowhere - 1 - r : r + offset; };
    for (Instruction& i : instructions_) {
      i.a = place(i.a);
      if (uses_register_b(i.operation)) i.b = place(i.b);
      if (i.operation == Operation::multiply_add) i.c = place(i.c);
    }
    for (std::uint32_t& r : outputs_) r = place(r);
    constants = std::move(constants_);
    instructions = std::move(instructions_);
    outputs = std::move(outputs_);
  }

 private:
  static bool uses_register_b(Operation operation) {
    switch (operation) {
      case Operation::negate:
      case Operation::square:
      case Operation::square_root:
      case Operation::integer_power:
      case Operation::function: return false;
      default: return true;
    }
  }

  // Coefficients and exponents are read where they are used; they need no register of their own.
  void mark_exact_operands(std::span<const Expr> order, std::span<const Expr> outputs) {
    needed_.assign(places_.size(), false);
    for (const Expr e : outputs) needed_[e.id()] = true;
    for (const Expr e : order) {
      const auto operands = e.operands();
      switch (e.kind()) {
        case Kind::sum:
          for (std::size_t i = 1; i < operands.size(); i += 2) needed_[operands[i].id()] = true;
          break;
        case Kind::product:
          for (std::size_t i = 0; i < operands.size(); i += 2) needed_[operands[i].id()] = true;
          break;
        default:
          for (const Expr operand : operands) needed_[operand.id()] = true;
      }
    }
  }

  bool is_constant(std::uint32_t r) const { return r > nowhere - 1 - constants_.size(); }

  std::uint32_t constant(double value) {
    const auto [place, fresh] = constant_places_.try_emplace(value, static_cast<std::uint32_t>(constants_.size()));
    if (fresh) constants_.push_back(value);
    return nowhere - 1 - place->second;
  }

  std::uint32_t emit(Operation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    instructions_.push_back({operation, a, b, c});
    return static_cast<std::uint32_t>(input_count_ + instructions_.size() - 1);
  }

  std::uint32_t place_of(Expr e) const { return places_[e.id()]; }

  std::uint32_t lower(Expr e) {
    switch (e.kind()) {
      case Kind::number: return constant(e.number().to_double());
      case Kind::pi: return constant(std::numbers::pi);
      case Kind::symbol: throw std::invalid_argument("no input for the symbol " + std::string(e.name()));
      case Kind::sum: return lower_sum(e);
      case Kind::product: return lower_product(e);
      case Kind::power: return emit(Operation::power, place_of(e.operands()[0]), place_of(e.operands()[1]));
      case Kind::function:
        if (e.function() == Function::atan2) {
          return emit(Operation::arctangent2, place_of(e.operands()[0]), place_of(e.operands()[1]));
        }
        return emit(Operation::function, place_of(e.operands()[0]), static_cast<std::uint32_t>(e.function()));
    }
    return nowhere;
  }

  // Starts with a term that needs no sign, so that x − y is one instruction.
  std::uint32_t lower_sum(Expr e) {
    std::size_t lead = 0;
    while (lead < e.size() && !e.coefficient(lead).is_one()) ++lead;
    std::uint32_t total = nowhere;
    if (lead < e.size()) total = place_of(e.term(lead));
    if (!e.constant().is_zero()) {
      const std::uint32_t c = constant(e.constant().to_double());
      total = total == nowhere ? c : emit(Operation::add, total, c);
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (i == lead) continue;
      const std::uint32_t term = place_of(e.term(i));
      const Rational& k = e.coefficient(i);
      if (total == nowhere) {
        total = k == Rational(-1) ? emit(Operation::negate, term)
                                  : emit(Operation::multiply, constant(k.to_double()), term);
      } else if (k.is_one()) {
        total = emit(Operation::add, total, term);
      } else if (k == Rational(-1)) {
        total = emit(Operation::subtract, total, term);
      } else {
        total = emit(Operation::multiply_add, constant(k.to_double()), term, total);
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
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Rational& exponent = e.exponent(i);
      multiply(exponent.sign() > 0 ? above : below, lower_power(place_of(e.base(i)), exponent.abs()));
    }
    if (below == nowhere) return above;
    return emit(Operation::divide, above == nowhere ? constant(1) : above, below);
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
    return emit(Operation::power, base, constant(exponent.to_double()));
  }

  std::size_t input_count_;
  std::vector<std::uint32_t> places_;  // register of every node, by its number
  std::vector<bool> needed_;
  std::map<double, std::uint32_t> constant_places_;
  std::vector<double> constants_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
};

}  // namespace

Program::Program(std::span<const Expr> outputs, std::span<const Expr> inputs) : input_count_(inputs.size()) {
  Lowering(outputs, inputs).finish(constants_, instructions_, outputs_);
}

}  // namespace cetaev
