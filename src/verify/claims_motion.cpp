// Functions of time put into the equations of motion: every coordinate is defined by an expression in t and parameters,
// x := …, and multipliers that belong to the state by lambda[nu] := …
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claim_body.hpp"
#include "lowering.hpp"

namespace cetaev::verify {

namespace {

constexpr std::size_t instants = 6;
constexpr double zero_power = -40;

class Solution {
 public:
  Solution(const ClaimBody& body, const Form& form, const ModelUse& use, Bench& bench, Outcome& outcome)
      : body_(body), use_(use), system_(bench.system()), outcome_(outcome) {
    if (bench.samples().empty()) {
      outcome.is_undecided("no admissible state was found on " + describe_use(use));
      return;
    }
    frame_ = bench.samples().front().frame;
    Lowering lowering(bench, *frame_, body.random);
    for (const Statement& given : body.given) lowering.define(given);
    for (const Statement& s : form.statements) {
      if (!s.is_definition()) s.origin.fail(ErrorCode::bad_model, "a motion is defined with :=", 0);
      lowering.define(s);  // a coordinate in another's formula is its function of time
    }
    for (const std::string& name : system_->coordinates) {
      if (!lowering.is_defined(name)) throw Error(ErrorCode::bad_model, "the motion does not say what " + name + " is");
      q_.push_back(lowering.defined(name, {}));
    }
    if (lowering.is_defined("lambda"))
      for (std::size_t v = 0; v < frame_->setting->rank(); ++v)
        lambda_.push_back(lowering.defined("lambda", {static_cast<long>(v + 1)}));
    numbers_ = lowering.needed().numbers;
    compile();
    for (std::size_t i = 0; i < instants; ++i) at(i);
  }

 private:
  std::vector<Expr> differentiated(const std::vector<Expr>& list) const {
    std::vector<Expr> result;
    for (const Expr e : list) result.push_back(derivative(e, system_->motion.t));
    return result;
  }

  void compile() {
    const std::vector<Expr> v = differentiated(q_), a = differentiated(v), lambda_dot = differentiated(lambda_);
    outputs_ = q_;
    for (const auto& list : {v, a, lambda_, lambda_dot}) outputs_.insert(outputs_.end(), list.begin(), list.end());
    // f and φ of the constraints along the motion
    std::vector<Replacement> along;
    for (std::size_t i = 0; i < q_.size(); ++i) {
      along.emplace_back(system_->motion.q[i], q_[i]);
      along.emplace_back(system_->motion.v[i], v[i]);
      along.emplace_back(system_->motion.a[i], a[i]);
    }
    for (const Constraint& constraint : system_->constraints)
      outputs_.push_back(substitute(constraint.expression, along));
    const Setting& setting = *frame_->setting;
    form_ = std::make_unique<CompiledForm>(setting, find_principle(body_.along)->derive(setting));
  }

  void at(std::size_t number) {
    std::vector<BallValue> values;
    const Ball t = Bench::some_number(number, "t");
    values.emplace_back(system_->motion.t, t);
    const std::vector<Ball> parameters = parameter_balls(system_, OnSet::bits);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(system_->parameters[i].symbol, parameters[i]);
    for (const auto& [name, symbol] : numbers_) values.emplace_back(symbol, Bench::some_number(0, name));
    const std::vector<Ball> found = evaluate_balls(outputs_, values, OnSet::bits);
    const std::size_t n = system_->size(), k = lambda_.size();
    const std::string place = fmt::format("on {} at t = {:.4g}", describe_use(use_), t.midpoint());

    std::vector<Ball> inputs(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(2 * n));
    inputs.push_back(t);
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    for (std::size_t i = 0; i < k; ++i) inputs.push_back(found[3 * n + i]);
    for (const Ball& ball : inputs) {
      if (ball.is_finite()) continue;
      outcome_.is_undecided("not defined " + place);
      return;
    }
    for (std::size_t i = 3 * n + 2 * k; i < found.size(); ++i)
      judge(found[i], Ball(), "the constraint " + system_->constraints[i - 3 * n - 2 * k].label() + " " + place);
    const CompiledForm::BallValues motion = form_->evaluate(inputs, OnSet::bits);
    for (std::size_t i = 0; i < n; ++i) judge(found[2 * n + i], motion.a[i], system_->coordinates[i] + "'' " + place);
    for (std::size_t i = 0; i < k; ++i) judge(found[3 * n + k + i], motion.lambda_dot[i], "lambda' " + place);
    ++outcome_.states;
  }

  void judge(const Ball& left, const Ball& right, const std::string& what) {
    const Ball d = left - right;
    ++outcome_.comparisons;
    if (!d.is_finite()) {
      outcome_.is_undecided("not defined: " + what);
      return;
    }
    const double scale = std::max({0.0, left.magnitude_log10(), right.magnitude_log10()});
    if (d.magnitude_log10() - scale < zero_power) return;
    if (!d.contains_zero()) {
      outcome_.fails(d.midpoint(), fmt::format("{:.6g} against {:.6g}, {}", left.midpoint(), right.midpoint(), what));
    } else {
      outcome_.is_undecided("too close to call: " + what);
    }
  }

  const ClaimBody& body_;
  const ModelUse& use_;
  System system_;
  Outcome& outcome_;
  const Frame* frame_ = nullptr;
  std::vector<Expr> q_, lambda_, outputs_;
  std::map<std::string, Expr> numbers_;
  std::unique_ptr<CompiledForm> form_;
};

}  // namespace

Outcome check_motion(const ClaimBody& body, const Form& form, Benches& benches) {
  Outcome outcome;
  outcome.digits = static_cast<int>(-zero_power);
  for (const ModelUse& use : body.on) {
    Bench& bench = benches.get(*body.document, use);
    const std::lock_guard lock(bench.mutex());
    Solution(body, form, use, bench, outcome);
    ++outcome.models;
  }
  return outcome;
}

}  // namespace cetaev::verify
