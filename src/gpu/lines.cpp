#include "lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "../codegen/expression.hpp"
#include "../program/operands.hpp"
#include "cetaev/error.hpp"

namespace cetaev::gpu {

namespace {

std::string function_name(Function f) { return f == Function::abs ? "fabs" : std::string(name_of(f)); }

}  // namespace

Lines::Value number(double value) {
  const std::string text = codegen::literal(value);
  return {std::signbit(value) ? "(" + text + ")" : text, value};
}

Lines::Values elements(const std::string& name, std::size_t count) {
  Lines::Values result;
  for (std::size_t i = 0; i < count; ++i) result.push_back({fmt::format("{}[{}]", name, i)});
  return result;
}

Lines::Value Lines::name(const std::string& expression) {
  std::string result = fmt::format("r{}", count_++);
  line(fmt::format("const real {} = {};", result, expression));
  return {std::move(result)};
}

Lines::Value Lines::power(const Value& base, long exponent) {
  if (exponent < 0) return name(fmt::format("1.0/{}", power(base, -exponent).text));
  if (exponent == 0) return number(1);
  if (exponent == 1) return base;
  const Value half = power(base, exponent / 2);
  const Value square = name(half.text + "*" + half.text);
  return exponent % 2 == 0 ? square : name(square.text + "*" + base.text);
}

Lines::Value Lines::operation(const Instruction& i, const Values& registers) {
  const std::string& a = registers[i.a].text;
  const auto b = [&]() -> const std::string& { return registers[i.b].text; };
  switch (i.operation) {
    case Operation::add: return name(a + " + " + b());
    case Operation::subtract: return name(a + " - " + b());
    case Operation::multiply: return name(a + "*" + b());
    case Operation::divide: return name(a + "/" + b());
    case Operation::negate: return name("-" + a);
    case Operation::multiply_add: return name(a + "*" + b() + " + " + registers[i.c].text);
    case Operation::square: return name(a + "*" + a);
    case Operation::integer_power: return power(registers[i.a], static_cast<std::int32_t>(i.b));
    case Operation::square_root: return name("sqrt(" + a + ")");
    case Operation::power: return name("pow(" + a + ", " + b() + ")");
    case Operation::function_of_two:
      if (static_cast<Function>(i.c) != Function::atan2)
        throw Error(ErrorCode::not_applicable,
                    fmt::format("{} is an elliptic function, which GPUs do not have here; use --device cpu",
                                name_of(static_cast<Function>(i.c))));
      return name("atan2(" + a + ", " + b() + ")");
    case Operation::function: return name(function_name(static_cast<Function>(i.b)) + "(" + a + ")");
    case Operation::solve: break;
  }
  return registers[i.a];
}

Lines::Values Lines::add(const Program& program, const Values& inputs, std::span<const PivotOrder> orders) {
  Values registers;
  registers.reserve(program.register_count());
  for (const double constant : program.constants()) registers.push_back(number(constant));
  registers.insert(registers.end(), inputs.begin(), inputs.end());
  // sine and cosine of one argument are computed together
  std::map<std::uint32_t, int> circular;
  for (const Instruction& i : program.instructions()) {
    if (i.operation != Operation::function) continue;
    if (static_cast<Function>(i.b) == Function::sin) circular[i.a] |= 1;
    if (static_cast<Function>(i.b) == Function::cos) circular[i.a] |= 2;
  }
  std::map<std::uint32_t, std::pair<Value, Value>> pairs;
  for (const Instruction& i : program.instructions()) {
    const Function f = i.operation == Operation::function ? static_cast<Function>(i.b) : Function::abs;
    if ((f == Function::sin || f == Function::cos) && circular[i.a] == 3) {
      auto [pair, fresh] = pairs.try_emplace(i.a);
      if (fresh) {
        pair->second = {{fmt::format("r{}", count_)}, {fmt::format("r{}", count_ + 1)}};
        count_ += 2;
        const auto& [sine, cosine] = pair->second;
        line(fmt::format("real {0}, {1}; sincos({2}, &{0}, &{1});", sine.text, cosine.text, registers[i.a].text));
      }
      registers.push_back(f == Function::sin ? pair->second.first : pair->second.second);
    } else if (i.operation == Operation::solve) {
      const Program::System& system = program.systems()[i.a];
      Values matrix, right;
      for (const std::uint32_t r : system.matrix) matrix.push_back(registers[r]);
      for (const std::uint32_t r : system.right) right.push_back(registers[r]);
      for (Value& x : solve(system.size, system.right_hand_sides, std::move(matrix), std::move(right), orders[i.a]))
        registers.push_back(std::move(x));
    } else {
      registers.push_back(operation(i, registers));
    }
  }
  Values outputs;
  for (const std::uint32_t r : program.outputs()) outputs.push_back(registers[r]);
  return outputs;
}

Lines::Value Lines::times(const Value& a, const Value& b) {
  if (a.is_zero() || b.is_zero()) return number(0);
  return name(a.text + "*" + b.text);
}

// a − b c
Lines::Value Lines::minus_product(const Value& a, const Value& b, const Value& c) {
  if (b.is_zero() || c.is_zero()) return a;
  return name((a.is_zero() ? std::string() : a.text + " ") + "- " + b.text + "*" + c.text);
}

Lines::Values Lines::solve(std::size_t n, std::size_t sides, Values matrix, Values right, const PivotOrder& order) {
  std::vector<bool> row_used(n), column_used(n);
  Values over;   // one over the pivots
  Values sizes;  // of the rows
  for (std::size_t i = 0; i < n && checked_; ++i) {
    std::string size = "0.0";
    for (std::size_t j = 0; j < n; ++j)
      if (!matrix[i * n + j].is_zero()) size = fmt::format("fmax({}, fabs({}))", size, matrix[i * n + j].text);
    sizes.push_back(name(size));
  }
  for (const auto& [row, column] : order.pivots) {
    const Value pivot = matrix[row * n + column];
    if (!pivot.number) pivots_.push_back(pivot);
    row_used[row] = column_used[column] = true;
    over.push_back(name("1.0/" + pivot.text));
    for (std::size_t i = 0; i < n; ++i) {
      if (row_used[i] || matrix[i * n + column].is_zero()) continue;
      if (checked_ && !order.definite)
        line(fmt::format("fine = fine && fabs({})*{} >= least_pivot*fabs({})*{};", pivot.text, sizes[i].text,
                         matrix[i * n + column].text, sizes[row].text));
      const Value factor = times(matrix[i * n + column], over.back());
      for (std::size_t j = 0; j < n; ++j)
        if (!column_used[j]) matrix[i * n + j] = minus_product(matrix[i * n + j], factor, matrix[row * n + j]);
      for (std::size_t j = 0; j < sides; ++j)
        right[i * sides + j] = minus_product(right[i * sides + j], factor, right[row * sides + j]);
    }
  }
  Values x(n * sides);
  for (std::size_t k = n; k-- > 0;) {
    const auto [row, column] = order.pivots[k];
    for (std::size_t j = 0; j < sides; ++j) {
      Value sum = right[row * sides + j];
      for (std::size_t later = k + 1; later < n; ++later) {
        const std::size_t other = order.pivots[later].second;
        sum = minus_product(sum, matrix[row * n + other], x[other * sides + j]);
      }
      x[column * sides + j] = times(sum, over[k]);
    }
  }
  return x;
}

}  // namespace cetaev::gpu
