#include "cetaev/output/samples.hpp"

#include <algorithm>
#include <limits>

namespace cetaev {

Samples::Samples(const System& system)
    : q(system->size()),
      v(system->size()),
      multipliers(system->constraints.size()),
      outputs(system->output_columns().size()) {}

State Samples::state(std::size_t i) const {
  State state{t[i], {}, {}};
  for (const auto& column : q) state.q.push_back(column[i]);
  for (const auto& column : v) state.v.push_back(column[i]);
  return state;
}

void Samples::add(const MotionPoint& point) {
  t.push_back(point.t);
  E.push_back(point.E);
  residual.push_back(point.residual);
  for (std::size_t i = 0; i < q.size(); ++i) q[i].push_back(point.q[i]);
  for (std::size_t i = 0; i < v.size(); ++i) v[i].push_back(point.v[i]);
  if (point.multipliers.size() < multipliers.size()) multipliers.clear();
  for (std::size_t i = 0; i < multipliers.size(); ++i) multipliers[i].push_back(point.multipliers[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i].push_back(i < point.outputs.size() ? point.outputs[i] : std::numeric_limits<double>::quiet_NaN());
}

void EventLog::event(std::size_t number, const MotionPoint& point) {
  Span& span = spans_[number];
  if (span.count++ == 0) span.first = point.t;
  span.last = point.t;
}

void Recorders::sample(const MotionPoint& point) {
  for (Recorder* recorder : recorders_) recorder->sample(point);
}

void Recorders::event(std::size_t number, const MotionPoint& point) {
  for (Recorder* recorder : recorders_) recorder->event(number, point);
}

bool Recorders::wants_samples() const {
  return std::any_of(recorders_.begin(), recorders_.end(), [](const Recorder* r) { return r->wants_samples(); });
}

bool Recorders::wants_steps() const {
  return std::any_of(recorders_.begin(), recorders_.end(), [](const Recorder* r) { return r->wants_steps(); });
}

void Recorders::step(double from, double to, const DenseStep& at) {
  for (Recorder* recorder : recorders_)
    if (recorder->wants_steps()) recorder->step(from, to, at);
}

}  // namespace cetaev
