#include "prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cetaev/error.hpp"
#include "starts.hpp"

namespace cetaev {

namespace {

// So many that every thread has its share, so few that uneven motions do not leave one of them alone with the last. A GPU takes many blocks at a
// time: there they are larger, for the sake of those who write them.
std::size_t block_size_for(std::size_t count, Device device) {
  constexpr std::size_t smallest = 8, blocks = 64;
  const std::size_t largest = device == Device::cpu ? 128 : 4096;
  return std::clamp((count + blocks - 1) / blocks, smallest, largest);
}

// Whatever the state is.
bool says_no_to_the_form(ErrorCode code) {
  return code == ErrorCode::not_caplygin || code == ErrorCode::not_applicable || code == ErrorCode::needs_auxiliary;
}

}  // namespace

Ensemble::Data::Data(const System& of, SweepInputs given, EnsembleOptions wanted)
    : system(of),
      inputs(std::move(given)),
      options(std::move(wanted)),
      observables(system, options.observe),
      block_size(block_size_for(inputs.count(), options.device)) {
  // what a sweep does not have
  options.motion.samples = 2;
  options.motion.once = false;
  options.motion.keep_going = nullptr;
  if (observables.forces() != nullptr && options.motion.form && !options.motion.form->principle().dalembert_lagrange)
    throw Error(
        ErrorCode::bad_model,
        fmt::format("accelerations, multipliers and reactions are observed along motions of d'Alembert–Lagrange: "
                    "--form {} is another mechanics",
                    to_string(*options.motion.form)));
  if (options.device == Device::gpu) use_gpu();
  prepare();
}

void Ensemble::Data::use_gpu() {
  if (options.motion.method && options.motion.method != Method::dop853)
    throw Error(ErrorCode::bad_model,
                "on a GPU motions are computed by dop853, or with --steps by the classical Runge–Kutta "
                "method: --method " +
                    to_string(*options.motion.method) + " is for --device cpu");
  options.motion.method = Method::dop853;
  using One = ensemble::Observables::One;
  std::vector<std::string> along;
  for (std::size_t i = 0; i < observables.list().size(); ++i)
    if (observables.list()[i].kind != One::Kind::end) along.push_back(observables.names()[i]);
  if (!along.empty())
    throw Error(ErrorCode::bad_model,
                fmt::format("on a GPU values at the end of a motion are observed, {} {} along it: that is seen with "
                            "--device cpu",
                            fmt::join(along, ", "), along.size() == 1 ? "lies" : "lie"));
}

gpu::MotionsOptions Ensemble::Data::gpu_options(bool own_parameters) const {
  gpu::MotionsOptions result;
  result.own_parameters = own_parameters;
  result.fixed_steps = options.fixed_steps;
  result.single = options.single_precision;
  result.cache = options.motion.cache;
  const std::size_t blocks = (inputs.count() + block_size - 1) / block_size;
  result.most = std::min(result.most, blocks * block_size);
  return result;
}

// Equations for all of them, made at the values of one. That should be none at which something vanishes: not the first and not in the
// middle, where people put zeros. Which one it is depends on the specification alone.
void Ensemble::Data::prepare() {
  const auto begin = std::chrono::steady_clock::now();
  const bool own_parameters = std::any_of(inputs.names().begin(), inputs.names().end(), [&](const std::string& name) {
    return std::any_of(system->parameters.begin(), system->parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol.name() == name; });
  });
  std::vector<double> values(inputs.names().size());
  for (const double share : {0.381966, 0.618034, 0.145898, 0.854102, 0.5, 0.0}) {
    inputs.row(static_cast<std::size_t>(share * static_cast<double>(inputs.count())), values);
    base = ensemble::with_values(system, inputs.names(), values);
    try {
      ensemble::RowValues(base, inputs.names()).take(values);
    } catch (const Error&) {
      continue;  // that row says so
    }
    try {
      motion = std::make_unique<CompiledMotion>(base, options.motion);
      batch = std::make_unique<BatchMotion>(*motion, 0, options.lanes);
      if (options.device == Device::gpu) gpu = std::make_unique<gpu::Motions>(*motion, gpu_options(own_parameters));
      break;
    } catch (const Error& error) {
      if (exit_code(error.code()) != 3 || (!own_parameters && says_no_to_the_form(error.code()))) throw;
    }
  }
  compile_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace cetaev
