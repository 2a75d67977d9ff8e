#include "cetaev/detail/program/steady.hpp"

#include <algorithm>

namespace cetaev {

namespace {

// To take a program apart costs as much as some hundred runs of it.
constexpr std::size_t many_runs = 200;

}  // namespace

struct SteadyInterpreter::Apart {
  Apart(const Program& program, std::size_t moving)
      : programs(program.hoisted(moving)),
        statics(programs.statics),
        rest(programs.rest),
        inputs(programs.rest.input_count()) {}

  Program::Hoisted programs;
  Interpreter statics, rest;
  std::vector<double> inputs;  // the moving ones, and what the others determine
  bool regular = false;        // what the others determine
};

SteadyInterpreter::SteadyInterpreter(const Program& program, std::size_t moving)
    : program_(&program), moving_(moving), whole_(program) {}
SteadyInterpreter::~SteadyInterpreter() = default;
SteadyInterpreter::SteadyInterpreter(SteadyInterpreter&&) noexcept = default;

bool SteadyInterpreter::operator()(std::span<const double> inputs, std::span<double> outputs) {
  const std::span<const double> others = inputs.subspan(moving_);
  // bit by bit would be the same but for zeros and what is no number, which never stays
  const bool stayed = std::ranges::equal(others, steady_);
  if (!stayed) steady_.assign(others.begin(), others.end());
  runs_ = stayed ? runs_ + 1 : 0;
  const bool begins = apart_ == nullptr && runs_ >= many_runs;
  if (begins) apart_ = std::make_unique<Apart>(*program_, moving_);
  if (apart_ == nullptr) return whole_(inputs, outputs) < 0;
  Apart& parts = *apart_;
  if (begins || !stayed) parts.regular = parts.statics(inputs, std::span(parts.inputs).subspan(moving_)) < 0;
  if (!parts.regular) return false;
  for (std::size_t i = 0; i < moving_; ++i) parts.inputs[i] = inputs[i];
  return parts.rest(parts.inputs, outputs) < 0;
}

}  // namespace cetaev
