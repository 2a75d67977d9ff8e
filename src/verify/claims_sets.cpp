// Sets of constraints held against each other:
//
//   dot(B', d) = 0, cross(P1', P2') = 0 => dot(P1', d) = 0, dot(P2', d) = 0 unless B' = 0, d = 0
//
// in the names of a model, whose own constraints play no part. An implication is true when it holds on some branch of its
// premise and every state found where it fails is one of the exceptions; <=> asks for both directions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../model/unicode.hpp"
#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/model/read.hpp"
#include "claim_body.hpp"

namespace cetaev::verify {

namespace {

constexpr double vanishes_below = 1e-7;

// Parts between commas that stand outside all brackets.
std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> result(1);
  int open = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') --open;
    if (c == ',' && open == 0) {
      result.emplace_back();
    } else if (c != ' ' || !result.back().empty()) {  // no space at the beginning
      result.back() += c;
    }
  }
  return result;
}

std::string list(const std::vector<std::string>& constraints) {
  std::string result;
  for (const std::string& c : constraints) result += (result.empty() ? "\"" : ", \"") + c + "\"";
  return "[" + result + "]";
}

struct Implied {
  std::vector<std::string> from, to, unless;
  bool both = false;
};

Implied parse(const std::string& line, const ClaimBody& body, std::size_t offset) {
  Implied result;
  std::size_t sign = line.find("<=>");
  result.both = sign != std::string::npos;
  if (!result.both) sign = line.find("=>");
  if (sign == std::string::npos)
    body.document->source.fail(ErrorCode::parse_error, "sets are compared by => or <=>", offset);
  const std::size_t unless = line.find(" unless ");
  const std::size_t second = sign + (result.both ? 3 : 2);
  result.from = parts(line.substr(0, sign));
  result.to = parts(line.substr(second, unless == std::string::npos ? unless : unless - second));
  if (unless != std::string::npos) result.unless = parts(line.substr(unless + 8));
  return result;
}

class Comparison {
 public:
  Comparison(const ClaimBody& body, const ModelUse& use, const Implied& implied, Outcome& outcome)
      : use_(use), outcome_(outcome) {
    const auto [text, file] = Benches::text(*body.document, use);
    std::string whole(text);
    const auto add = [&](const std::string& name, const std::vector<std::string>& constraints) {
      whole += "\n[alternatives." + name + "]\nconstraints = " + list(constraints) + "\n";
    };
    add("claim-from", implied.from);
    add("claim-to", implied.to);
    if (!implied.unless.empty()) add("claim-unless", implied.unless);
    system_ = read_model(whole, file, use.settings);
    first_ = with_alternative(system_, alternative("claim-from"));
    second_ = with_alternative(system_, alternative("claim-to"));
    if (!implied.unless.empty()) exceptions_ = alternative("claim-unless").constraints;
    const Equivalence found = compare_sets(first_, second_);
    judge(found.forward, second_, implied.to);
    if (implied.both) judge(found.backward, first_, implied.from);
  }

 private:
  const Alternative& alternative(const std::string& name) const {
    for (const Alternative& a : system_->alternatives)
      if (a.name == name) return a;
    throw Error(ErrorCode::bad_model, "the set " + name + " is missing");
  }

  // One of the exceptions (as written: all components of one equation) is the case at this state.
  bool excepted(const ExceptionalState& at) const {
    std::map<std::size_t, bool> holds;
    std::vector<Value> values;
    for (std::size_t i = 0; i < system_->size(); ++i) {
      values.emplace_back(system_->motion.q[i], at.state.q[i]);
      values.emplace_back(system_->motion.v[i], at.state.v[i]);
      values.emplace_back(system_->motion.a[i], at.accelerations.empty() ? 0 : at.accelerations[i]);
    }
    values.emplace_back(system_->motion.t, at.state.t);
    const std::vector<double> parameters = parameter_values(system_);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(system_->parameters[i].symbol, parameters[i]);
    for (const Constraint& exception : exceptions_) {
      const bool zero = std::abs(evaluate(exception.expression, values)) < vanishes_below;
      holds[exception.entry] = (!holds.contains(exception.entry) || holds[exception.entry]) && zero;
    }
    for (const auto& [entry, all] : holds)
      if (all) return true;
    return false;
  }

  // The conclusion as a system, and its equations as they are written.
  void judge(const Direction& direction, const System& conclusion, const std::vector<std::string>& written) {
    // an equation that is 0 = 0 in every component is left out of a set, and no evidence
    for (std::size_t entry = 0; entry < written.size(); ++entry) {
      const auto from_it = [&](const Constraint& c) { return c.entry == entry && !c.expression.is_zero(); };
      if (std::none_of(conclusion->constraints.begin(), conclusion->constraints.end(), from_it))
        outcome_.is_undecided(written[entry] + " says nothing: 0 = 0");
    }
    for (const Implication& implication : direction.implications) {
      ++outcome_.comparisons;
      const std::string label = conclusion->constraints[implication.constraint].label();
      if (implication.holds == Holds::undecided) {
        outcome_.is_undecided(label + " on " + describe_use(use_));
        continue;
      }
      for (const ExceptionalState& at : implication.exceptions) {
        ++outcome_.states;
        if (implication.holds != Holds::no && excepted(at)) continue;
        outcome_.fails(std::abs(at.value),
                       fmt::format("{}{} on {} at {}", label,
                                   at.special.description.empty() ? "" : ", where " + at.special.description,
                                   describe_use(use_), describe_state(system_, at.state)));
      }
      if (implication.holds == Holds::no && implication.exceptions.empty())
        outcome_.fails(0, label + " at no state found on " + describe_use(use_));
    }
  }

  const ModelUse& use_;
  Outcome& outcome_;
  System system_, first_, second_;
  std::vector<Constraint> exceptions_;
};

}  // namespace

Outcome check_sets(const ClaimBody& body, const Form& form, Benches&) {
  Outcome outcome;
  for (const ModelUse& use : body.on) {
    ++outcome.models;
    for (std::size_t i = 0; i < form.lines.size(); ++i)
      Comparison(body, use, parse(form.lines[i], body, form.offsets[i]), outcome);
  }
  return outcome;
}

}  // namespace cetaev::verify
