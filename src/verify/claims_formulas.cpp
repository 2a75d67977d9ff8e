// Formulas evaluated in balls at random admissible states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../model/unicode.hpp"
#include "claim_body.hpp"
#include "lowering.hpp"

namespace cetaev::verify {

namespace {

// |left − right| beside the larger side: zero below this many digits, surely not zero above the other.
constexpr double zero_below = -50, nonzero_above = -30;
constexpr double vanishing = 1e-40;  // a term of this size is none

// The inputs of the program for a list of comparisons, in step with `values`.
struct Inputs {
  std::vector<Expr> symbols;
  std::vector<Ball> values;
  void add(std::span<const Expr> more, std::span<const Ball> numbers) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      symbols.push_back(more[i]);
      // a list that the motion does not have is not a number in the formulas either
      values.push_back(i < numbers.size() ? numbers[i] : Ball::anything());
    }
  }
};

void add_motion(Inputs& inputs, const Lowering& lowering, const std::string& form, const MotionValues& motion) {
  inputs.add(lowering.acceleration_symbols(form), motion.a);
  inputs.add(lowering.lambda_symbols(form), motion.lambda);
  inputs.add(lowering.lambda_dot_symbols(form), motion.lambda_dot);
}

void judge(const LoweredComparison& c, const Ball& left, const Ball& right, const Ball& difference,
           const std::string& place, Outcome& outcome) {
  const std::string where = c.indices.empty() ? place : c.indices + " on " + place;
  if (!difference.is_finite()) {
    outcome.is_undecided("not a number: " + c.statement->text + " with " + where);
    return;
  }
  const double scale = std::max({0.0, left.magnitude_log10(), right.magnitude_log10()});
  const double size = difference.magnitude_log10() - scale;
  const bool zero = size < zero_below;
  const bool nonzero = difference.is_finite() && !difference.contains_zero() && size > nonzero_above;
  // what is zero to the digits that count is shown as zero
  const auto number = [&](const Ball& b) { return b.magnitude_log10() - scale < zero_below ? 0 : b.midpoint(); };
  const auto numbers = [&] {
    if (!zero) return fmt::format("{:.6g} against {:.6g}, {}", number(left), number(right), where);
    return number(left) == 0 ? "it vanishes, " + where : fmt::format("both sides are {:.6g}, {}", number(left), where);
  };
  bool yes = false, no = false;
  switch (c.relation) {
    case Statement::Relation::equal: yes = zero, no = nonzero; break;
    case Statement::Relation::not_equal: yes = nonzero, no = zero; break;
    case Statement::Relation::less: yes = nonzero && difference.midpoint() < 0, no = zero || !yes; break;
    case Statement::Relation::greater: yes = nonzero && difference.midpoint() > 0, no = zero || !yes; break;
  }
  ++outcome.comparisons;
  if (no) outcome.fails(zero ? 0 : difference.midpoint(), numbers());
  if (!yes && !no) outcome.is_undecided("too close to call: " + numbers());
}

// The summands of both sides: an equation between sums that are zero because all of their summands are says nothing.
void add_terms(Expr side, std::vector<Expr>& terms) {
  if (side.kind() != Kind::sum) {
    terms.push_back(side);
    return;
  }
  for (std::size_t i = 0; i < side.size(); ++i) terms.push_back(side.coefficient(i) * side.term(i));
  if (!side.constant().is_zero()) terms.push_back(side.context().number(side.constant()));
}

// "… = 0", an inequality: that something vanishes, or does not, is the claim itself.
bool is_about_zero(const Statement& s) {
  const auto zero = [&](std::uint32_t side) {
    return s.nodes[side].kind == FormulaNode::Kind::number && s.nodes[side].text == "0";
  };
  return std::any_of(s.comparisons.begin(), s.comparisons.end(), [&](const Statement::Comparison& c) {
    return c.relation != Statement::Relation::equal || zero(c.left) || zero(c.right);
  });
}

void try_on(const ClaimBody& body, const Form& form, const ModelUse& use, Bench& bench, Outcome& outcome) {
  std::map<const Frame*, std::pair<std::unique_ptr<Lowering>, std::vector<LoweredComparison>>> lowered;
  std::size_t states = 0;
  bool about_zero = false;
  double largest = 0;
  std::string obstacle = "no admissible state was found";
  for (const Sample& sample : bench.samples()) {
    auto& [lowering, comparisons] = lowered[sample.frame];
    if (!lowering) {
      lowering = std::make_unique<Lowering>(bench, *sample.frame, body.random);
      for (const Statement& given : body.given) lowering->define(given);
      for (const Statement& s : form.statements) {
        if (s.is_definition()) {
          lowering->define(s);
          continue;
        }
        std::vector<LoweredComparison> more = lowering->lower(s);
        comparisons.insert(comparisons.end(), more.begin(), more.end());
      }
    }
    Inputs inputs;
    inputs.add(state_symbols(bench.system()), sample.inputs);
    try {
      add_motion(inputs, *lowering, "", bench.motion(sample, body.along));
      for (const std::string& name : lowering->needed().forms)
        add_motion(inputs, *lowering, name, bench.motion(sample, name));
    } catch (const Error& error) {
      obstacle = error.message();
      continue;
    }
    for (const auto& [name, symbol] : lowering->needed().numbers) {
      const Ball number = Bench::some_number(sample.number, name);
      inputs.add(std::span(&symbol, 1), std::span(&number, 1));
    }
    std::vector<Expr> outputs, terms;
    for (const LoweredComparison& c : comparisons) {
      outputs.push_back(c.left);
      outputs.push_back(c.right);
      outputs.push_back(c.left - c.right);
      add_terms(c.left, terms);
      add_terms(c.right, terms);
      about_zero = about_zero || is_about_zero(*c.statement);
    }
    outputs.insert(outputs.end(), terms.begin(), terms.end());
    std::vector<Ball> values;
    const Program program(outputs, inputs.symbols, lowering->blocks());
    if (run_in_balls(program, inputs.values, values, OnSet::bits) >= 0) {
      obstacle = "a matrix is singular";
      continue;
    }
    ++states;
    const std::string place = describe_use(use) + " at " + describe_state(bench.system(), sample.state->rounded);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
      judge(comparisons[i], values[3 * i], values[3 * i + 1], values[3 * i + 2], place, outcome);
    for (std::size_t i = 3 * comparisons.size(); i < values.size(); ++i)
      if (values[i].is_finite()) largest = std::max(largest, std::abs(values[i].midpoint()));
    if (outcome.example.empty()) outcome.example = place;
  }
  if (states == 0) outcome.is_undecided("on " + describe_use(use) + ": " + obstacle);
  if (largest > vanishing) {
    outcome.largest = std::max(outcome.largest, largest);
  } else if (states > 0 && !about_zero) {
    ++outcome.silent;
  }
  outcome.states += states;
}

}  // namespace

Outcome check_formulas(const ClaimBody& body, const Form& form, Benches& benches) {
  Outcome outcome;
  outcome.digits = static_cast<int>(-zero_below);
  for (const ModelUse& use : body.on) {
    Bench& bench = benches.get(*body.document, use);
    const std::lock_guard lock(bench.mutex());
    try_on(body, form, use, bench, outcome);
    ++outcome.models;
  }
  outcome.models -= outcome.silent;
  if (outcome.comparisons == 0) outcome.is_undecided("there is nothing to compare on these models");
  if (outcome.models == 0) outcome.is_undecided("every term is zero on these models");
  return outcome;
}

}  // namespace cetaev::verify
