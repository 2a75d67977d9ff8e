#include "time_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "accuracy.hpp"
#include "cetaev/expr/ball.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Instructions in balls for all terms together: counted, so that every machine finds the same.
constexpr double search_budget = 1e6;
constexpr long search_bits = 64;
// A power of a function that is as flat at its zeros as the terms that a step compares.
const Rational flat_power(8);

// May it hide something from the derivatives at another time? Sums, products, sines and cosines do not.
bool may_hide(Expr e) {
  switch (e.kind()) {
    case Kind::power: return true;
    case Kind::function: return e.function() != Function::sin && e.function() != Function::cos;
    case Kind::product:
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Rational& n = e.exponent(i);
        if (e.base(i).is_number() || e.base(i).kind() == Kind::pi) continue;
        if (n.sign() < 0 || !n.is_integer() || (n > flat_power && e.base(i).kind() == Kind::function)) return true;
      }
      return false;
    default: return false;
  }
}

// Parts of the time of a motion in which a term is bounded.
struct Part {
  double begin, end, at_begin, at_end;
  double spread,
      steepest;  // of the values, and the largest slope times the length: at most, infinite where nothing is known
  bool defined = false, monotone = false;  // for certain, whatever its size

  double length() const { return end - begin; }
  double change() const { return std::abs(at_end - at_begin); }
  double bound() const { return std::min(spread, steepest); }
};

struct Larger {
  bool operator()(const Part& a, const Part& b) const {
    return a.bound() != b.bound() ? a.bound() < b.bound() : a.length() < b.length();
  }
};

class TermSearch {
 public:
  TermSearch(const Program& term, std::span<const double> parameters, double tolerance)
      : term_(term),
        run_(term),
        tolerance_(std::max(tolerance, accuracy::newton_is_done(1))),
        inputs_(1 + parameters.size()),
        balls_(inputs_.size()) {
    std::copy(parameters.begin(), parameters.end(), inputs_.begin() + 1);
    for (std::size_t i = 1; i < inputs_.size(); ++i) balls_[i] = Ball::from_double(inputs_[i]);
  }

  // False where the budget does not suffice.
  bool search(double begin, double end, double& budget) {
    first_ = begin;
    last_ = end;
    open_.push(part(begin, end, value(begin), value(end)));
    while (!open_.empty()) {
      const Part top = open_.top();
      if (is_done(top)) {
        open_.pop();
        done_.push_back(top);
        continue;
      }
      budget -= 2 * static_cast<double>(term_.instructions().size() + 1);
      if (budget < 0) return false;
      open_.pop();
      const double middle = top.begin + 0.5 * (top.end - top.begin), there = value(middle);
      open_.push(part(top.begin, middle, top.at_begin, there));
      open_.push(part(middle, top.end, there, top.at_end));
    }
    return true;
  }

  void add_stops(std::vector<double>& stops) {
    std::sort(done_.begin(), done_.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
    // quiet parts one after the other were cut for want of better bounds: a step may be as long as all of them
    double longest = 0, quiet = 0;
    for (const Part& p : done_) {
      quiet = is_quiet(p) || is_beyond_numbers(p) ? quiet + p.length() : 0;
      longest = std::max({longest, quiet, p.length()});
    }
    for (const Part& p : done_) {
      if (is_quiet(p) || is_beyond_numbers(p) || accuracy::looks_of_a_step * p.length() > longest) continue;
      stops.push_back(p.begin);
      stops.push_back(p.end);
    }
  }

  // Parts that cannot be cut, in which it changes all the same.
  void add_jumps(std::vector<TimeTerms::Jump>& jumps, bool of_constraints) const {
    for (const Part& p : done_) {
      // what leaves the range of doubles does not jump
      if (!is_shortest(p) || is_quiet(p) || (p.defined && !std::isfinite(p.change()))) continue;
      jumps.push_back(
          {p.begin, p.end, of_constraints, p.change() <= accuracy::of_a_cusp * (high_ - low_), grows_without_bound(p)});
    }
  }

 private:
  // From one distance to a tenth of it by as much as from there to a hundredth, or more: so does a logarithm.
  bool grows_without_bound(const Part& p) const {
    if (std::isfinite(p.spread)) return false;
    const double length = last_ - first_, side = p.begin - accuracy::far_from_a_pole * length > first_ ? -1 : 1;
    const double at = p.begin + (p.end - p.begin) / 2;
    const auto size = [&](double distance) {
      std::array<double, 2> out{};
      std::vector<double> inputs = inputs_;
      inputs[0] = at + side * distance * length;
      Interpreter run(term_);
      run(inputs, out);
      return std::abs(out[0]);
    };
    const double a = size(accuracy::far_from_a_pole),
                 b = size(std::sqrt(accuracy::far_from_a_pole * accuracy::near_a_pole)),
                 c = size(accuracy::near_a_pole);
    return b > a && c - b > accuracy::like_a_logarithm * (b - a);
  }

  // Beside the whole range. At a jump the slopes say nothing, but the ends do.
  bool is_quiet(const Part& p) const {
    const double little = tolerance_ * (high_ > low_ ? high_ - low_ : 0);
    return p.bound() <= little && p.change() <= little;
  }

  double value(double t) {
    std::array<double, 2> out{};
    inputs_[0] = t;
    run_(inputs_, out);
    if (std::isfinite(out[0])) {
      low_ = std::min(low_, out[0]);
      high_ = std::max(high_, out[0]);
    }
    return out[0];
  }

  Part part(double begin, double end, double at_begin, double at_end) {
    balls_[0] = Ball::between(begin, end);
    std::vector<Ball> out;
    Part p{
        begin, end, at_begin, at_end, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    if (run_in_balls(term_, balls_, out, search_bits) < 0) {
      if (out[0].is_finite()) p.spread = 2 * out[0].radius();
      if (out[1].is_finite()) p.steepest = out[1].magnitude() * p.length();
      p.defined = out[0].is_finite() && out[1].is_finite();
      p.monotone = p.defined && !out[1].contains_zero();
    }
    return p;
  }

  bool is_done(const Part& p) const {
    if (is_quiet(p) || is_beyond_numbers(p)) return true;
    if (p.steepest <= accuracy::as_the_ends_show * p.change() && p.change() <= 2 * p.steepest) return true;
    return is_shortest(p);
  }
  // From end to end larger than doubles are: what is made of it there is what is made of infinity.
  static bool is_beyond_numbers(const Part& p) {
    return p.monotone && std::isinf(p.at_begin) && p.at_begin == p.at_end;
  }
  static bool is_shortest(const Part& p) {
    return p.length() <= accuracy::told_apart(std::max(std::abs(p.begin), std::abs(p.end)));
  }

  const Program& term_;
  Interpreter run_;
  double tolerance_;
  std::vector<double> inputs_;
  std::vector<Ball> balls_;
  double first_ = 0, last_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
  std::priority_queue<Part, std::vector<Part>, Larger> open_;
  std::vector<Part> done_;
};

// Terms jump together, in the same parts or in neighbours, and in doubles as far beside as these round times.
void join(std::vector<TimeTerms::Jump>& jumps, double first, double last_of_all) {
  for (TimeTerms::Jump& jump : jumps) {
    const double rounding = accuracy::told_apart(std::max(std::abs(jump.before), std::abs(jump.beyond)));
    jump.before = std::max(jump.before - rounding, first);
    jump.beyond = std::min(jump.beyond + rounding, last_of_all);
  }
  std::sort(jumps.begin(), jumps.end(), [](const auto& a, const auto& b) { return a.before < b.before; });
  std::size_t kept = 0;
  for (const TimeTerms::Jump& jump : jumps) {
    if (kept == 0 || jump.before > jumps[kept - 1].beyond) {
      jumps[kept++] = jump;
      continue;
    }
    TimeTerms::Jump& last = jumps[kept - 1];
    last.beyond = std::max(last.beyond, jump.beyond);
    last.of_constraints = last.of_constraints || jump.of_constraints;
    last.cusp = last.cusp && jump.cusp;
    last.pole = last.pole || jump.pole;
  }
  jumps.resize(kept);
}

void leave_out_cusps(std::vector<TimeTerms::Jump>& jumps, double first, double last_of_all) {
  const double aside = accuracy::beside_a_cusp * (last_of_all - first);
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    TimeTerms::Jump& jump = jumps[i];
    // not into another one
    if (!jump.cusp || (i > 0 && jumps[i - 1].beyond + 2 * aside > jump.before) ||
        (i + 1 < jumps.size() && jumps[i + 1].before < jump.beyond + 2 * aside))
      continue;
    jump.before = std::max(jump.before - aside, first);
    jump.beyond = std::min(jump.beyond + aside, last_of_all);
  }
}

// Not from before the start, and where time tells them apart.
void approach_poles(std::vector<TimeTerms::Jump>& jumps, double t_start, double t_end) {
  const double span = t_end - t_start;
  for (TimeTerms::Jump& jump : jumps) {
    const double at = jump.middle();
    jump.far = at - accuracy::far_from_a_pole * span;
    jump.near = at - accuracy::near_a_pole * span;
    const double least = accuracy::few_numbers(std::max(std::abs(t_start), std::abs(t_end)));
    jump.pole = jump.pole && (at - t_start) / span > 2 * accuracy::far_from_a_pole &&
                std::abs(accuracy::near_a_pole * span) > least;
  }
}

}  // namespace

namespace {

// What of expressions depends on time alone.
class OfTime {
 public:
  // The inputs are t and the parameters.
  OfTime(Expr t, std::span<const Expr> inputs, std::span<const Expr> roots) {
    for (const Expr e : topological(roots)) {
      Of kind = Of::parameters;
      if (e == t) kind = Of::time;
      if (e.is_symbol() && std::find(inputs.begin(), inputs.end(), e) == inputs.end()) kind = Of::others;
      for (const Expr operand : e.operands()) kind = std::max(kind, of_.at(operand.node()));
      of_.emplace(e.node(), kind);
    }
  }

  // All of it, or those factors of a product.
  std::optional<Expr> part_of(Expr e) const {
    const Of kind = of_.at(e.node());
    if (kind == Of::time) return e;
    if (kind == Of::parameters || e.kind() != Kind::product) return std::nullopt;
    std::optional<Expr> part;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (of_.at(e.base(i).node()) != Of::time) continue;
      const Expr factor = pow(e.base(i), e.exponent(i));
      part = part ? *part * factor : factor;
    }
    return part;
  }

 private:
  enum class Of { parameters, time, others };
  std::unordered_map<const Node*, Of> of_;
};

}  // namespace

TimeTerms::TimeTerms(const MotionEquations& equations) {
  const FirstOrderSystem& form = equations.form();
  std::vector<Expr> roots = form.residual;
  roots.insert(roots.end(), form.velocities.begin(), form.velocities.end());
  std::unordered_set<const Node*> of_constraints;
  for (const Expr e : topological(roots)) of_constraints.insert(e.node());
  roots.insert(roots.end(), form.rates.begin(), form.rates.end());
  for (const SolveStep& step : form.steps) {
    roots.insert(roots.end(), step.block.matrix.entries.begin(), step.block.matrix.entries.end());
    roots.insert(roots.end(), step.block.right.entries.begin(), step.block.right.entries.end());
    if (step.block.matrix.rows == 1) roots.push_back(pow(step.block.matrix(0, 0), Rational(-1)));  // a quotient
  }
  roots.push_back(equations.system()->lagrangian);  // the energy jumps with it
  has_poles_ = equations.variational() != nullptr || depends_on(equations.system()->lagrangian, std::array{form.t});
  std::vector<Expr> inputs = {form.t};
  inputs.insert(inputs.end(), form.parameters.begin(), form.parameters.end());
  const OfTime of_time(form.t, inputs, roots);
  std::vector<Expr> known;
  for (const Expr e : topological(roots)) {
    const std::optional<Expr> term = of_time.part_of(e);
    if (!term || !may_hide(*term) || std::find(known.begin(), known.end(), *term) != known.end()) continue;
    known.push_back(*term);
    terms_.push_back(
        {Program(std::vector{*term, derivative(*term, form.t)}, inputs), of_constraints.contains(e.node())});
  }
}

TimeTerms::Stops TimeTerms::stops(std::span<const double> parameters, double t_start, double t_end,
                                  double tolerance) const {
  Stops result;
  double budget = search_budget;
  auto left = static_cast<double>(terms_.size());
  for (const auto& [program, of_constraints] : terms_) {
    TermSearch search(program, parameters, tolerance);
    // one that cannot be searched takes no more than its part
    const double part = budget / left--;
    double of_it = part;
    const bool done = search.search(std::min(t_start, t_end), std::max(t_start, t_end), of_it);
    budget -= part - of_it;
    if (done) {
      search.add_stops(result.times);
      search.add_jumps(result.jumps, of_constraints);
    } else {
      result.searched = false;
    }
  }
  std::vector<double>& times = result.times;
  join(result.jumps, std::min(t_start, t_end), std::max(t_start, t_end));
  for (Jump& jump : result.jumps) jump.cusp = jump.cusp && has_poles_;
  leave_out_cusps(result.jumps, std::min(t_start, t_end), std::max(t_start, t_end));
  approach_poles(result.jumps, t_start, t_end);
  for (const Jump& jump : result.jumps) {
    times.push_back(t_end < t_start ? jump.beyond : jump.before);
    if (jump.pole) times.insert(times.end(), {jump.far, jump.near});
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase_if(times, [&](double t) { return t == t_start || t == t_end; });
  if (t_end < t_start) {
    std::reverse(times.begin(), times.end());
    std::reverse(result.jumps.begin(), result.jumps.end());
    for (Jump& jump : result.jumps) std::swap(jump.before, jump.beyond);
  }
  return result;
}

}  // namespace cetaev
