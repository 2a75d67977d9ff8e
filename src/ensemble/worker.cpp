#include "worker.hpp"

#include <algorithm>
#include <limits>

#include "cetaev/error.hpp"

namespace cetaev {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::span<double> row_of(std::vector<double>& values, std::size_t row, std::size_t width) {
  return std::span(values).subspan(row * width, width);
}

}  // namespace

Ensemble::Worker::Worker(const Data& data)
    : data_(data),
      starts_(data.base, data.inputs.names()),
      values_(data.observables),
      observed_(data.block_size, ensemble::ObservedMotion(data.observables, values_)),
      n_(data.system->size()),
      parameter_count_(data.system->parameters.size()) {
  if (data.gpu) host_.emplace(*data.gpu);
}

Recorder& Ensemble::Worker::begin(std::size_t i) {
  if (!numbers_.empty()) i = numbers_[i];
  observed_[i].begin(parameters_of(i));
  return observed_[i];
}

std::span<const double> Ensemble::Worker::parameters_of(std::size_t i) const {
  return std::span(at_.parameters).subspan(i * parameter_count_, parameter_count_);
}

State Ensemble::Worker::start_of(std::size_t i) const {
  const double* const q = at_.states.data() + 2 * n_ * i;
  return {at_.times[i], {q, q + n_}, {q + n_, q + 2 * n_}};
}

Ensemble::StartedBlock Ensemble::Worker::start(std::size_t number) {
  StartedBlock started;
  EnsembleBlock& block = started.block;
  block.number = number;
  block.first = number * data_.block_size;
  const std::size_t rows = std::min(data_.block_size, data_.inputs.count() - block.first);
  block.inputs.resize(rows * data_.inputs.names().size());
  block.outputs.assign(rows * data_.observables.names().size(), no_value);
  block.t.resize(rows);
  block.status.assign(rows, MotionStatus::failed);
  block.diagnosis.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) start_row(started, row);
  return started;
}

void Ensemble::Worker::start_row(StartedBlock& started, std::size_t row) {
  EnsembleBlock& block = started.block;
  const std::span<double> inputs = row_of(block.inputs, row, data_.inputs.names().size());
  data_.inputs.row(block.first + row, inputs);
  try {
    const State state = starts_.find(inputs);
    started.states.insert(started.states.end(), state.q.begin(), state.q.end());
    started.states.insert(started.states.end(), state.v.begin(), state.v.end());
    started.times.push_back(state.t);
    const std::span<const double> parameters = starts_.parameters();
    started.parameters.insert(started.parameters.end(), parameters.begin(), parameters.end());
    started.rows.push_back(row);
  } catch (const Error& error) {
    block.diagnosis[row] = error.code();
    block.t[row] = no_value;
  }
}

EnsembleBlock Ensemble::Worker::complete(StartedBlock&& started) {
  at_ = std::move(started);
  numbers_.clear();
  if (!data_.batch) {
    for (std::size_t i = 0; i < at_.rows.size(); ++i) run_alone(i);
  } else if (!at_.rows.empty()) {
    const BatchResult result = data_.batch->run({at_.states, at_.times, at_.parameters}, *this);
    for (std::size_t i = 0; i < at_.rows.size(); ++i) {
      const BatchEnd& end = result.ends[i];
      finish(i, end.status, end.diagnosis, result.last_state(i));
      at_.block.steps += end.steps;
      at_.block.alone += end.alone ? 1 : 0;
    }
  }
  return std::move(at_.block);
}

void Ensemble::Worker::put(const StartedBlock& started, gpu::MotionBatch& batch, std::size_t place) {
  State state{0, std::vector<double>(n_), std::vector<double>(n_)};
  for (std::size_t i = 0; i < started.rows.size(); ++i) {
    const double* const q = started.states.data() + 2 * n_ * i;
    state.t = started.times[i];
    std::copy(q, q + n_, state.q.begin());
    std::copy(q + n_, q + 2 * n_, state.v.begin());
    host_->put(batch, place + i, state, std::span(started.parameters).subspan(i * parameter_count_, parameter_count_));
  }
}

// Those that the GPU has left alone are followed by the processor.
EnsembleBlock Ensemble::Worker::complete(StartedBlock&& started, const gpu::MotionBatch& batch, std::size_t place) {
  at_ = std::move(started);
  numbers_.clear();
  std::vector<std::size_t> alone;
  State last;
  for (std::size_t i = 0; i < at_.rows.size(); ++i) {
    std::size_t steps = 0;
    if (const auto why = host_->finish(batch, place + i, parameters_of(i), last, steps)) {
      ++at_.block.left[to_string(*why)];
      alone.push_back(i);
      continue;
    }
    begin(i);
    finish(i, MotionStatus::finished, std::nullopt, last);
    at_.block.steps += steps;
  }
  if (alone.empty()) return std::move(at_.block);
  std::vector<double> states, times, parameters;
  for (const std::size_t i : alone) {
    const State start = start_of(i);
    states.insert(states.end(), start.q.begin(), start.q.end());
    states.insert(states.end(), start.v.begin(), start.v.end());
    times.push_back(start.t);
    parameters.insert(parameters.end(), parameters_of(i).begin(), parameters_of(i).end());
  }
  numbers_ = alone;
  const BatchResult result = data_.batch->run({states, times, parameters}, *this);
  numbers_.clear();
  for (std::size_t k = 0; k < alone.size(); ++k) {
    finish(alone[k], result.ends[k].status, result.ends[k].diagnosis, result.last_state(k));
    at_.block.steps += result.ends[k].steps;
    ++at_.block.alone;
  }
  return std::move(at_.block);
}

// With equations of its own.
void Ensemble::Worker::run_alone(std::size_t i) {
  ++at_.block.alone;
  try {
    const std::span<double> inputs = row_of(at_.block.inputs, at_.rows[i], data_.inputs.names().size());
    const System own = ensemble::with_values(data_.system, data_.inputs.names(), inputs);
    const MotionSummary summary = run_motion(own, data_.options.motion, begin(i));
    finish(i, summary.status, summary.diagnosis, summary.last);
    at_.block.steps += summary.steps;
  } catch (const Error& error) {
    begin(i);
    finish(i, MotionStatus::failed, error, start_of(i));
  }
}

void Ensemble::Worker::finish(std::size_t i, MotionStatus status, const std::optional<Error>& diagnosis,
                              const State& last) {
  const std::size_t row = at_.rows[i];
  at_.block.status[row] = status;
  if (diagnosis) at_.block.diagnosis[row] = diagnosis->code();
  at_.block.t[row] = last.t;
  observed_[i].finish(last, row_of(at_.block.outputs, row, data_.observables.names().size()));
}

}  // namespace cetaev
