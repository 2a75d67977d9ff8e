// What motions tend to when a parameter goes to a limit:
//
//   z' -> z' - g*t/5 at 0.3 as rho = 0.1, 0.01, 0.001
//
// On the left, the state that the motion reaches at the given time; on the right, the state it starts from, t being the time
// at its end; !-> for what it does not tend to. The settings of the model say where the motion starts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "claim_body.hpp"

namespace cetaev::verify {

namespace {

// Beside the larger of 1 and the limit: there, not there, and as near as the integration can tell.
constexpr double arrived = 0.01, away = 0.1, exact = 1e-9;

struct Limit {
  std::string left, right, parameter;
  std::vector<std::string> values;
  double time = 0;
  bool tends = true;
};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

Limit parse(const std::string& line, const ClaimBody& body, std::size_t offset) {
  const auto fail = [&](const std::string& message) {
    body.document->source.fail(ErrorCode::parse_error, message, offset);
  };
  Limit result;
  const std::size_t arrow = line.find("->"), at = line.rfind(" at "), as = line.rfind(" as ");
  const std::size_t equals = line.find('=', as == std::string::npos ? line.size() : as);
  if (arrow == std::string::npos || at == std::string::npos || as == std::string::npos || equals == std::string::npos ||
      arrow > at || at > as)
    fail("a limit is written 'x -> y at TIME as PARAMETER = VALUE, VALUE, …'");
  result.tends = arrow == 0 || line[arrow - 1] != '!';
  result.left = trimmed(std::string_view(line).substr(0, result.tends ? arrow : arrow - 1));
  result.right = trimmed(std::string_view(line).substr(arrow + 2, at - arrow - 2));
  const std::string time = trimmed(std::string_view(line).substr(at + 4, as - at - 4));
  char* end = nullptr;
  result.time = std::strtod(time.c_str(), &end);
  if (time.empty() || *end != '\0' || !std::isfinite(result.time)) fail("the time of a limit is a number");
  result.parameter = trimmed(std::string_view(line).substr(as + 4, equals - as - 4));
  for (std::size_t begin = equals + 1; begin <= line.size();) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    result.values.push_back(trimmed(std::string_view(line).substr(begin, comma - begin)));
    begin = comma + 1;
  }
  if (result.values.size() < 3) fail("a limit needs at least three values of the parameter");
  return result;
}

double value(const System& system, const std::string& text, const State& state, double t) {
  std::vector<Value> values;
  State at = state;
  at.t = t;
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(at, parameter_values(system));
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  return evaluate(parse_expression(system, text), values);
}

// A motion: its first and its last state.
struct Motion {
  System system;
  State start, end;
};

class Ends : public Recorder {
 public:
  explicit Ends(Motion& motion) : motion_(motion) {}
  void sample(const MotionPoint& point) override {
    const State state{point.t, {point.q.begin(), point.q.end()}, {point.v.begin(), point.v.end()}};
    (first_ ? motion_.start : motion_.end) = state;
    first_ = false;
  }

 private:
  Motion& motion_;
  bool first_ = true;
};

// The motions of one form, each computed once.
class Motions {
 public:
  Motions(const ClaimBody& body, const ModelUse& use) : body_(body), use_(use) {}

  const Motion& get(const std::string& setting, double time) {
    std::unique_ptr<Motion>& motion = known_[{setting, time}];
    if (!motion) motion = compute(setting, time);
    return *motion;
  }
  std::size_t size() const { return known_.size(); }

 private:
  std::unique_ptr<Motion> compute(const std::string& setting, double time) const {
    const auto [text, file] = Benches::text(*body_.document, use_);
    std::vector<std::string> settings = use_.settings;
    settings.push_back(setting);
    auto result = std::make_unique<Motion>(Motion{read_model(text, file, settings), {}, {}});
    MotionOptions options = default_options(result->system);
    // of the forms of d'Alembert–Lagrange, the cheapest
    options.form = body_.along == "multipliers" ? "auto" : body_.along;
    options.backend = "interpreter";
    options.t_end = time;
    options.samples = 2;
    Ends ends(*result);
    const MotionSummary summary = run_motion(result->system, options, ends);
    if (summary.status != MotionStatus::finished)
      throw Error(ErrorCode::bad_model,
                  fmt::format("the motion of {} with {} ends at t = {:.4g}", use_.model, setting, summary.last.t));
    return result;
  }

  const ClaimBody& body_;
  const ModelUse& use_;
  std::map<std::pair<std::string, double>, std::unique_ptr<Motion>> known_;
};

void judge(const Limit& limit, const std::string& line, Motions& motions, const std::string& model, Outcome& outcome) {
  double last = 0, scale = 1, before = 0;
  bool nearer = true;
  std::string errors;
  for (std::size_t i = 0; i < limit.values.size(); ++i) {
    const Motion& motion = motions.get(limit.parameter + "=" + limit.values[i], limit.time);
    const double right = value(motion.system, limit.right, motion.start, motion.end.t);
    const double error = std::abs(value(motion.system, limit.left, motion.end, motion.end.t) - right);
    const double parameter = std::strtod(limit.values[i].c_str(), nullptr);
    errors += fmt::format("{}{:.2g}", errors.empty() ? "" : ", ", error);
    scale = std::max(1.0, std::abs(right));
    // at least like the root of the parameter, at every step
    if (i > 0) nearer = nearer && (error < std::sqrt(std::abs(parameter / before)) * last || error < exact * scale);
    before = parameter;
    last = error;
  }
  nearer = nearer && last < arrived * scale;
  const bool farther = last > away * scale;
  ++outcome.comparisons;
  if (!std::isfinite(last) || (!nearer && !farther)) {
    outcome.is_undecided("distances " + errors + " for " + line + " on " + model);
  } else if (nearer != limit.tends) {
    outcome.fails(last, "distances " + errors + " for " + line + " on " + model);
  } else if (outcome.reason.empty()) {
    outcome.reason = "distances " + errors;
  }
}

}  // namespace

Outcome check_limits(const ClaimBody& body, const Form& form, Benches&) {
  Outcome outcome;
  for (const ModelUse& use : body.on) {
    ++outcome.models;
    Motions motions(body, use);
    for (std::size_t i = 0; i < form.lines.size(); ++i)
      judge(parse(form.lines[i], body, form.offsets[i]), form.lines[i], motions, describe_use(use), outcome);
    outcome.states += motions.size();
  }
  return outcome;
}

}  // namespace cetaev::verify
