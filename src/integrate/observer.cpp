#include "observer.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"

namespace cetaev {

std::unique_ptr<const Multipliers> reactions_of(const MotionEquations& equations, const Terms& terms) {
  if (equations.observes_multipliers()) return nullptr;
  return std::make_unique<Multipliers>(equations.system(), terms);
}

std::unique_ptr<const ObserverCode> code_for_samples(const MotionEquations& equations, const Multipliers* reaction,
                                                     const MotionOptions& options) {
  // An operation takes about 10 µs to write, and 2 to 3 ns less each time. What is written is kept in the cache.
  constexpr std::size_t samples_that_pay = 3000;
  if (options.backend != Backend::jit || options.samples < samples_that_pay) return nullptr;
  const NativeOptions native{.lanes = 1, .cache = options.cache};
  auto code = std::make_unique<ObserverCode>(NativeProgram(equations.observables(), native), native);
  if (reaction != nullptr && equations.constraint_count() > 0) code->reaction.emplace(reaction->program(), native);
  return code;
}

Observer::Observer(const MotionEquations& equations, const Multipliers* reaction, double tolerance,
                   const ObserverCode* code)
    : equations_(equations),
      n_(equations.system()->size()),
      run_(equations.observables()),
      inputs_(equations, equations.parameters()),
      outputs_(equations.observables().output_count()),
      multipliers_(equations.multiplier_count()),
      code_(code),
      reaction_(reaction) {
  if (code_ != nullptr) {
    const std::size_t reactions = code_->reaction ? code_->reaction->workspace_size() : 0;
    code_workspace_.resize(std::max(code_->observables.workspace_size(), reactions));
    if (code_->reaction) reaction_outputs_.resize(reaction->program().output_count());
  }
  if (equations.variational() != nullptr) {
    changes_.emplace(equations.changes());
    variations_.resize(equations.changes().output_count());
    point_.variations = variations_;
  }
  if (!equations.system()->outputs.empty()) {
    output_program_.emplace(equations.outputs());
    run_outputs_.emplace(*output_program_);
    model_outputs_.resize(output_program_->output_count());
    const bool forces = equations.dalembert_lagrange();
    for (const Output& output : equations.system()->outputs)
      has_value_.insert(has_value_.end(), output.components.size(), forces || !output.reaction);
  }
  if (reaction_ == nullptr) return;
  multipliers_.resize(equations.constraint_count());
  workspace_.emplace(*reaction_);
  workspace_->allow(accuracy::contradiction(tolerance));
  reaction_inputs_.resize(2 * n_ + 1 + equations.parameters().size());
  a_.resize(n_);
  set_parameters(equations.parameters());
}

void Observer::set_parameters(std::span<const double> parameters) {
  inputs_.set_constants(parameters);
  if (reaction_ == nullptr) return;
  std::copy(parameters.begin(), parameters.end(), reaction_inputs_.begin() + static_cast<std::ptrdiff_t>(2 * n_) + 1);
}

void Observer::prepare_states() {
  const Program& all = equations_.observables();
  states_ = all.restricted_to(all.outputs().first(2 * n_));
  run_states_.emplace(*states_);
  if (code_ == nullptr || states_->instructions().empty()) return;
  states_in_code_ = &code_->states(*states_);
  code_workspace_.resize(std::max(code_workspace_.size(), states_in_code_->workspace_size()));
}

const MotionPoint& Observer::state_at(double t, std::span<const double> y) {
  if (!states_) prepare_states();
  const std::span<double> state = std::span(outputs_).first(2 * n_);
  const std::vector<double>& inputs = inputs_.at(t, y);
  const int singular = states_in_code_ != nullptr
                           ? (*states_in_code_)(inputs.data(), state.data(), code_workspace_.data())
                           : (*run_states_)(inputs, state);
  if (singular >= 0 || !std::all_of(state.begin(), state.end(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorCode::non_finite, "the motion is not finite here");
  point_.t = t;
  point_.q = state.first(n_);
  point_.v = state.last(n_);
  return point_;
}

int Observer::observe(std::span<const double> inputs) {
  return code_ != nullptr ? code_->observables(inputs.data(), outputs_.data(), code_workspace_.data())
                          : run_(inputs, outputs_);
}

void Observer::find_reaction() {
  if (code_ == nullptr || !code_->reaction) {
    reaction_->evaluate(reaction_inputs_, *workspace_, a_, multipliers_);
    return;
  }
  (*code_->reaction)(reaction_inputs_.data(), reaction_outputs_.data(), code_workspace_.data());
  reaction_->evaluate(reaction_inputs_, reaction_outputs_, *workspace_, a_, multipliers_);
}

const MotionPoint& Observer::at(double t, std::span<const double> y, bool with_multipliers) {
  const int singular = observe(inputs_.at(t, y));
  bool finite = singular < 0;
  for (const double value : outputs_) finite = finite && std::isfinite(value);
  if (!finite) throw Error(ErrorCode::non_finite, "the motion is not finite here");
  if (changes_) {
    (*changes_)(inputs_.at(t, y), variations_);
    for (std::size_t k = 0; k < equations_.variational()->directions(); ++k) {
      const double w = y[equations_.variational()->first(k) + equations_.variational()->size()];
      for (std::size_t i = 0; i < 2 * n_; ++i) variations_[k * 2 * n_ + i] /= w;
    }
  }
  const double* out = outputs_.data();
  point_.t = t;
  point_.q = {out, n_};
  point_.v = {out + n_, n_};
  out += 2 * n_;
  if (reaction_ != nullptr && with_multipliers && !is_free()) {
    set_reaction_inputs();
    try {
      find_reaction();
    } catch (const Error&) {
      if (!may_lack_reactions_) throw;
      std::ranges::fill(multipliers_, std::nan(""));
    }
  } else if (reaction_ == nullptr) {
    std::copy(out, out + equations_.multiplier_count(), multipliers_.begin());
  }
  out += equations_.multiplier_count();
  point_.multipliers = multipliers_;
  point_.E = *out++;
  point_.residual = 0;
  for (; out != outputs_.data() + outputs_.size(); ++out) point_.residual = std::max(point_.residual, std::abs(*out));
  if (run_outputs_ && with_multipliers) observe_outputs(inputs_.at(t, y));
  return point_;
}

// At the last point.
void Observer::set_reaction_inputs() {
  std::copy(outputs_.begin(), outputs_.begin() + static_cast<std::ptrdiff_t>(2 * n_), reaction_inputs_.begin());
  reaction_inputs_[2 * n_] = point_.t;
}

std::span<const double> Observer::accelerations() {
  // samples of systems without constraints want none
  if (reaction_ != nullptr && is_free()) {
    set_reaction_inputs();
    find_reaction();
  }
  return a_;
}

void Observer::observe_outputs(std::span<const double> inputs) {
  output_inputs_.assign(inputs.begin(), inputs.end());
  const std::size_t count = equations_.system()->multipliers.size();
  for (std::size_t i = 0; i < count; ++i)
    output_inputs_.push_back(i < multipliers_.size() ? multipliers_[i] : std::nan(""));
  if ((*run_outputs_)(output_inputs_, model_outputs_) >= 0)
    std::fill(model_outputs_.begin(), model_outputs_.end(), std::nan(""));
  for (std::size_t i = 0; i < model_outputs_.size(); ++i)
    if (!has_value_[i]) model_outputs_[i] = std::nan("");
  point_.outputs = model_outputs_;
}

State Observer::state() const {
  State state;
  state.t = point_.t;
  state.q.assign(point_.q.begin(), point_.q.end());
  state.v.assign(point_.v.begin(), point_.v.end());
  return state;
}

}  // namespace cetaev
