#include "cetaev/analysis/along.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cetaev/detail/numeric/sampled.hpp"

namespace cetaev {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// d'Alembert–Lagrange along the samples of a motion, and everything that follows from accelerations and multipliers.
class AlongMotion {
 public:
  explicit AlongMotion(Groundwork work)
      : work_(std::move(work)),
        setting_(work_.setting()),
        form_(setting_, Form::multipliers->derive(setting_)),
        energies_(setting_),
        parameters_(parameter_values(work_.system())) {}

  const EnergyTerms& terms() const { return energies_.terms(); }
  Program program(std::span<const Expr> outputs) const { return energies_.program(outputs); }

  // The inputs of such a program; false where the accelerations do not exist.
  bool inputs(const State& state, std::vector<double>& values) const {
    values = state_values(state, parameters_);
    try {
      const CompiledForm::Values motion = form_.evaluate(state);
      values.insert(values.end(), motion.a.begin(), motion.a.end());
      std::vector<double> lambda(work_.system()->constraints.size(), 0.0);
      for (std::size_t i = 0; i < setting_.rows.size() && i < motion.multipliers.size(); ++i)
        lambda[setting_.rows[i]] = motion.multipliers[i];
      values.insert(values.end(), lambda.begin(), lambda.end());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

 private:
  Groundwork work_;
  const Setting& setting_;
  CompiledForm form_;
  Energies energies_;
  std::vector<double> parameters_;
};

// Which sample a run of fewer samples has in its place.
std::vector<std::size_t> chosen(std::size_t count, std::size_t most) {
  const std::size_t stride = std::max<std::size_t>(1, (count + most - 1) / most);
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < count; i += stride) list.push_back(i);
  if (!list.empty() && list.back() + 1 != count) list.push_back(count - 1);
  return list;
}

// use(i, k, value) for the k-th expression at the i-th sample; `none` where it is not defined.
template <typename Use>
void at_samples(const System& system, const Samples& samples, const std::vector<Expr>& expressions, Use use) {
  const Program program(expressions, state_symbols(system));
  Interpreter interpreter(program);
  const std::vector<double> parameters = parameter_values(system);
  std::vector<double> values(expressions.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool good = interpreter(state_values(samples.state(i), parameters), values) < 0;
    for (std::size_t k = 0; k < values.size(); ++k) use(i, k, good && std::isfinite(values[k]) ? values[k] : none);
  }
}

void note(ClaimAlong& claim, double difference) {
  claim.difference.push_back(std::isfinite(difference) ? difference : none);
  if (std::isfinite(difference)) {
    claim.largest = std::max(claim.largest, std::abs(difference));
  } else {
    ++claim.undefined;
  }
}

}  // namespace

double size_of(const System& system) {
  double size = written_size(system->lagrangian);
  for (const Constraint& constraint : system->constraints) size += written_size(constraint.expression);
  return size;
}

std::optional<EnergyAlong> energy_along(const Workbench& bench, const Samples& samples) {
  try {
    const AlongMotion along(bench.groundwork());
    const EnergyTerms& terms = along.terms();
    EnergyAlong story;
    std::vector<Expr> outputs = {terms.E, terms.dE_dt};
    for (const BalanceTerm& term : terms.balance) {
      outputs.push_back(term.expression);
      story.balance.push_back({term.formula, term.meaning, {}});
    }
    for (const EnergyShare& share : terms.shares) {
      outputs.push_back(share.expression);
      story.shares.push_back({share.kind, share.of, {}, {}});
    }
    std::vector<Expr> reduced;
    if (terms.reduced) {
      reduced = {terms.reduced->E, terms.reduced->dE_dt};
      for (const BalanceTerm& term : terms.reduced->balance) {
        reduced.push_back(term.expression);
        story.balance_star.push_back({term.formula, term.meaning, {}});
      }
      story.reduced = true;
    }
    // E does not need what E* divides by.
    const Program program = along.program(outputs), program_star = along.program(reduced);
    Interpreter interpreter(program), interpreter_star(program_star);
    std::vector<double> values(outputs.size()), values_star(reduced.size()), inputs;
    constexpr std::size_t most = 501;
    for (const std::size_t i : chosen(samples.size(), most)) {
      const bool there = along.inputs(samples.state(i), inputs);
      const auto run = [&](Interpreter& machine, std::vector<double>& into) {
        const bool good = there && machine(inputs, into) < 0;
        for (double& x : into)
          if (!good || !std::isfinite(x)) x = none;
      };
      run(interpreter, values);
      if (story.reduced) run(interpreter_star, values_star);
      story.t.push_back(samples.t[i]);
      story.E.push_back(values[0]);
      story.rate.push_back(values[1]);
      for (std::size_t k = 0; k < story.balance.size(); ++k) story.balance[k].values.push_back(values[2 + k]);
      for (std::size_t k = 0; k < story.shares.size(); ++k)
        story.shares[k].values.push_back(values[2 + story.balance.size() + k]);
      if (!story.reduced) continue;
      story.E_star.push_back(values_star[0]);
      story.rate_star.push_back(values_star[1]);
      for (std::size_t k = 0; k < story.balance_star.size(); ++k)
        story.balance_star[k].values.push_back(values_star[2 + k]);
    }
    for (EnergyAlong::Share& share : story.shares)
      if (share.kind == EnergyShare::Kind::force || share.kind == EnergyShare::Kind::reaction)
        share.work = running_integral(story.t, share.values);
    return story;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<ClaimAlong> constants_of_motion(const System& model, const Check* check, const Samples& samples) {
  const System& system = check != nullptr ? check->system : model;
  std::vector<ClaimAlong> claims;
  for (const NamedExpression& integral : system->integrals) {
    ClaimAlong claim{integral.name, integral.expression, "", {}};
    if (check != nullptr)
      for (const DeclaredIntegral& tested : check->integrals)
        if (tested.name == integral.name) claim.ground = ground(system, tested.conserved);
    claims.push_back(std::move(claim));
  }
  if (check != nullptr) {
    for (const LinearIntegral& integral : check->first_integrals)
      claims.push_back({integral.meaning, integral.integral, ground(system, integral.ground), {}});
    for (const FoundIntegral& integral : check->integrability.integrals)
      if (!integral.row) claims.push_back({"", integral.expression, ground(system, integral.finding), {}});
  }
  std::vector<Expr> outputs;
  for (const ClaimAlong& claim : claims) outputs.push_back(claim.expression);
  if (outputs.empty()) return claims;
  at_samples(system, samples, outputs, [&](std::size_t i, std::size_t k, double value) {
    if (i == 0) claims[k].value = value;
    note(claims[k], value - claims[k].value);
  });
  return claims;
}

std::vector<ClaimAlong> closed_forms(const System& system, const Samples& samples) {
  std::vector<ClaimAlong> claims;
  std::vector<Expr> outputs;
  for (const ClosedForm& form : system->closed_form) {
    claims.push_back({system->coordinates[form.coordinate], form.expression, "", {}});
    outputs.push_back(form.expression);
  }
  if (outputs.empty()) return claims;
  at_samples(system, samples, outputs, [&](std::size_t i, std::size_t k, double value) {
    note(claims[k], value - samples.q[system->closed_form[k].coordinate][i]);
  });
  return claims;
}

namespace {

// More samples than this no chart shows.
constexpr std::size_t most_compared = 1001;

// The samples of a motion, and how many steps it took.
class CountingRecorder final : public SampleRecorder {
 public:
  using SampleRecorder::SampleRecorder;
  bool wants_steps() const override { return true; }
  void step(double, double, const DenseStep&) override { ++steps_; }
  std::size_t steps() const { return steps_; }

 private:
  std::size_t steps_ = 0;
};

Companion companion_of(const std::optional<Form>& form, const std::string& label) {
  Companion result;
  result.form = form;
  result.label = label;
  return result;
}

// A page is waited for; what does not fit is left to `compare`.
Companion left_out(const std::optional<Form>& form, const std::string& label) {
  Companion result = companion_of(form, label);
  result.error =
      Error(ErrorCode::not_applicable, "left out, since it takes long; `cetaev compare` shows where it differs");
  return result;
}

Companion companion(const Workbench& bench, MotionOptions options, const std::optional<Form>& form,
                    const std::string& label) {
  Companion result = companion_of(form, label);
  options.form = form;
  // A picture needs less than a result; and no principle may keep a reader waiting.
  options.backend = Backend::interpreter;
  options.tolerance = std::max(options.tolerance, 1e-11);
  // In steps times the size of the system: what a step costs goes with it, about 0.3 microseconds each on a core of the 2020s.
  constexpr double most_work = 5e5;
  const double most_steps = most_work / size_of(bench.system());
  if (most_steps < 1) return left_out(form, label);
  try {
    CountingRecorder recorder(bench.system());
    options.keep_going = [&](double) { return static_cast<double>(recorder.steps()) < most_steps; };
    result.summary = bench.run(options, recorder);
    result.samples = recorder.samples();
  } catch (const Error& error) {
    result.error = error;
  }
  return result;
}

// Where it leaves the first, by more than a hundred-millionth of the state.
void hold_against(const System& system, const Samples& first, Companion& other) {
  if (!other.samples) return;
  constexpr double threshold = 1e-8;
  const std::size_t count = std::min(first.size(), other.samples->size());
  for (std::size_t i = 0; i < count; ++i) {
    double size = 1, here = 0;
    for (std::size_t c = 0; c < system->size(); ++c) {
      size = std::max(size, std::abs(first.q[c][i]));
      const double difference = std::abs(first.q[c][i] - other.samples->q[c][i]);
      here = std::max(here, difference);
      if (difference > other.difference) {
        other.difference = difference;
        other.coordinate = system->coordinates[c];
      }
    }
    if (!other.part_at && here > threshold * size) other.part_at = first.t[i];
  }
}

}  // namespace

std::vector<Companion> other_motions(const Workbench& bench, const MotionOptions& given) {
  const System& system = bench.system();
  MotionOptions options = given;
  const bool in_full = size_of(system) <= largest_in_full;
  options.samples = std::min(given.samples, most_compared);
  std::vector<Companion> list;
  const auto put = [&](const Workbench& from, Form form, const std::string& label) {
    list.push_back(in_full || list.empty() ? companion(from, options, form, label) : left_out(form, label));
  };

  const std::vector<Expr> own = system->initial.has_lambda ? system->initial.lambda : std::vector<Expr>();
  const System scratch = system.scratch();
  const auto starting_from = [&](int value) {
    return Workbench(scratch.with([&](SystemData& data) {
      data.initial.lambda.assign(data.constraints.size(), data.context->number(Rational(value)));
      data.initial.has_lambda = true;
    }));
  };
  for (const Form form : principles_of(system)) {
    if (form->dalembert_lagrange) continue;
    const std::string motion(form->motion.empty() ? form->name : form->motion);
    if (form->state == FormState::velocities_and_multipliers) {
      put(bench, form, motion + (own.empty() ? ", λ₀ = 0" : ", λ₀ of the model"));
      if (!list.back().samples) continue;
      for (const int value : {1, -1}) put(starting_from(value), form, motion + (value > 0 ? ", λ₀ = 1" : ", λ₀ = −1"));
    } else if (form->auxiliary_functions) {
      if (!system->auxiliary.empty()) put(bench, form, motion + ", auxiliary functions of the model");
    } else {
      put(bench, form, motion);
    }
  }
  return list;
}

std::vector<Companion> beside(const Workbench& bench, const MotionOptions& given, const MotionSummary& summary,
                              const Samples& samples, std::vector<Companion> others) {
  if (others.empty()) return {};
  std::vector<Companion> list;
  if (summary.form->dalembert_lagrange && given.samples <= most_compared) {
    list.push_back({summary.form, "d'Alembert–Lagrange", samples, summary, std::nullopt, std::nullopt, 0, ""});
  } else {
    MotionOptions options = given;
    options.samples = std::min(given.samples, most_compared);
    list.push_back(companion(bench, options, std::nullopt, "d'Alembert–Lagrange"));
  }
  if (!list[0].samples) return {};
  std::move(others.begin(), others.end(), std::back_inserter(list));
  // All were sampled at the same times, as far as each goes.
  for (std::size_t i = 1; i < list.size(); ++i) hold_against(bench.system(), *list[0].samples, list[i]);
  return list;
}

}  // namespace cetaev
