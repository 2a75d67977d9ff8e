#include "statements.hpp"

#include <algorithm>

#include "../program/operands.hpp"

namespace cetaev::codegen {

namespace {

// More than this many operands do not read well in one line.
constexpr std::size_t longest_line = 8;

Term leaf(Term::Kind kind, std::string name = {}, std::size_t index = 0) {
  Term term;
  term.kind = kind;
  term.name = std::move(name);
  term.index = index;
  return term;
}

Term constant(const Rational& value) {
  Term term;
  term.value = value;
  return term;
}

Term combine(Term::Kind kind, Terms operands, Function function = Function::sin) {
  Term term;
  term.kind = kind;
  term.function = function;
  term.leaves = 0;
  for (const Term& operand : operands) term.leaves += operand.leaves;
  term.operands = std::move(operands);
  return term;
}

bool is_one(const Term& t) { return t.kind == Term::Kind::constant && t.value.is_one(); }

Term product_of(Term a, Term b) {
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  return combine(Term::Kind::multiply, {std::move(a), std::move(b)});
}

class Lowering {
 public:
  Lowering(const Program& program, const std::vector<std::string>& inputs, std::size_t first_parameter,
           const std::vector<std::size_t>& codes, Names names)
      : program_(program), inputs_(inputs), first_parameter_(first_parameter), codes_(codes), names_(std::move(names)) {
    registers_.resize(program.register_count());
    uses_.resize(program.register_count(), 0);
  }

  Body run() {
    count_uses();
    std::size_t next = 0;
    for (const auto& exact : program_.exact_constants())
      registers_[next++] = exact ? constant(*exact) : leaf(Term::Kind::pi);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (uses_[next] > 0) body_.used.push_back(inputs_[i]);
      registers_[next++] = leaf(i < first_parameter_ ? Term::Kind::name : Term::Kind::parameter, inputs_[i]);
    }
    for (const Instruction& i : program_.instructions()) {
      if (i.operation == Operation::solve) {
        next = solve(i.a, next);
      } else {
        if (uses_[next] > 0) keep(next, value(i));
        ++next;
      }
    }
    for (const std::uint32_t r : program_.outputs()) body_.outputs.push_back(registers_[r]);
    return std::move(body_);
  }

 private:
  // From the end: what nothing uses is not counted as a user.
  void count_uses() {
    is_output_.resize(uses_.size());
    for (const std::uint32_t r : program_.outputs()) {
      ++uses_[r];
      is_output_[r] = true;
    }
    std::size_t next = program_.register_count();
    const auto instructions = program_.instructions();
    for (std::size_t k = instructions.size(); k-- > 0;) {
      const Instruction& i = instructions[k];
      next -= width(program_, i);
      if (i.operation != Operation::solve && uses_[next] == 0) continue;
      // powers are products of their base with itself
      const std::size_t times = i.operation == Operation::square || i.operation == Operation::integer_power ? 2 : 1;
      for_each_operand(program_, i, [&](std::uint32_t r) { uses_[r] += times; });
    }
  }

  // Puts a value into its register, under a name of its own where it has several users.
  void keep(std::size_t place, Term term) {
    const bool long_part = term.leaves > longest_line && !is_output_[place];
    if (!term.is_leaf() && (uses_[place] > 1 || long_part)) term = named(std::move(term));
    registers_[place] = std::move(term);
  }

  Term named(Term term) {
    if (term.is_leaf()) return term;
    std::string name = name_for(term);
    body_.statements.push_back({name, std::move(term), std::nullopt});
    return leaf(Term::Kind::name, std::move(name));
  }

  // sin_phi, x_2; c1, c2, … for what has no short name
  std::string name_for(const Term& term) {
    const auto plain = [](const Term& t) { return t.kind == Term::Kind::name || t.kind == Term::Kind::parameter; };
    if (term.kind == Term::Kind::function && term.operands.size() == 1 && plain(term.operands[0])) {
      return names_.take(std::string(name_of(term.function)) + "_" + term.operands[0].name);
    }
    if (term.kind == Term::Kind::multiply && plain(term.operands[0]) && plain(term.operands[1]) &&
        term.operands[0].name == term.operands[1].name) {
      return names_.take(term.operands[0].name + "_2");
    }
    return names_.next("c");
  }

  Term power(const Term& base, std::uint32_t n) {
    if (n == 1) return base;
    const Term half = named(power(base, n / 2));
    Term square = combine(Term::Kind::multiply, {half, half});
    return n % 2 == 0 ? square : product_of(std::move(square), base);
  }

  // x + k y, with the sign in the operation
  static Term sum(Term x, Term y) {
    if (y.kind == Term::Kind::constant && y.value.sign() < 0)
      return combine(Term::Kind::subtract, {std::move(x), constant(-y.value)});
    if (y.kind == Term::Kind::negate) return combine(Term::Kind::subtract, {std::move(x), y.operands[0]});
    if (y.kind == Term::Kind::multiply && y.operands[0].kind == Term::Kind::constant &&
        y.operands[0].value.sign() < 0) {
      Term positive = product_of(constant(-y.operands[0].value), y.operands[1]);
      return combine(Term::Kind::subtract, {std::move(x), std::move(positive)});
    }
    return combine(Term::Kind::add, {std::move(x), std::move(y)});
  }

  Term value(const Instruction& i) {
    const auto& a = registers_[i.a];
    switch (i.operation) {
      case Operation::add: return sum(a, registers_[i.b]);
      case Operation::subtract: return combine(Term::Kind::subtract, {a, registers_[i.b]});
      case Operation::multiply: return product_of(a, registers_[i.b]);
      case Operation::divide: return combine(Term::Kind::divide, {a, registers_[i.b]});
      case Operation::negate: return combine(Term::Kind::negate, {a});
      case Operation::multiply_add: return sum(registers_[i.c], product_of(a, registers_[i.b]));
      case Operation::square: return power(a, 2);
      case Operation::integer_power: return power(a, i.b);
      case Operation::square_root: return combine(Term::Kind::root, {a});
      case Operation::power: return combine(Term::Kind::power, {a, registers_[i.b]});
      case Operation::function: return combine(Term::Kind::function, {a}, static_cast<Function>(i.b));
      case Operation::function_of_two:
        return combine(Term::Kind::function, {a, registers_[i.b]}, static_cast<Function>(i.c));
      case Operation::solve: break;
    }
    return a;
  }

  std::size_t solve(std::size_t number, std::size_t next) {
    const Program::System& system = program_.systems()[number];
    Statement::Solve solve;
    solve.code = codes_[number];
    solve.size = system.size;
    solve.sides = system.right_hand_sides;
    const auto [known, fresh] = matrices_.try_emplace(system.matrix);
    if (fresh) known->second = names_.next("matrix");
    solve.matrix = known->second;
    solve.factored = !fresh;
    solve.solution = names_.next("solution");
    if (fresh) {
      for (const std::uint32_t r : system.matrix) solve.entries.push_back(registers_[r]);
    }
    for (const std::uint32_t r : system.right) solve.right.push_back(registers_[r]);
    const std::size_t count = solve.size * solve.sides;
    for (std::size_t k = 0; k < count; ++k) registers_[next++] = leaf(Term::Kind::unknown, solve.solution, k);
    body_.statements.push_back({{}, {}, std::move(solve)});
    return next;
  }

  const Program& program_;
  const std::vector<std::string>& inputs_;
  std::size_t first_parameter_;
  const std::vector<std::size_t>& codes_;
  Names names_;
  std::vector<Term> registers_;
  std::vector<std::size_t> uses_;
  std::vector<bool> is_output_;
  std::map<std::vector<std::uint32_t>, std::string> matrices_;
  Body body_;
};

}  // namespace

Body lower(const Program& program, const std::vector<std::string>& inputs, std::size_t first_parameter,
           const std::vector<std::size_t>& codes, Names names) {
  return Lowering(program, inputs, first_parameter, codes, std::move(names)).run();
}

}  // namespace cetaev::codegen
