#include "bench.hpp"

#include <algorithm>

#include "cetaev/model/read.hpp"

namespace cetaev::verify {

namespace {

// Values of a frame's branch agree with the velocities of a state beyond this many digits, or it is another branch.
constexpr int branch_digits = 40;

std::size_t coordinate(const System& system, const std::string& name) {
  const auto found = std::find(system->coordinates.begin(), system->coordinates.end(), name);
  if (found == system->coordinates.end())
    throw Error(ErrorCode::bad_model, "'" + name + "' is not a coordinate of " + system->name);
  return static_cast<std::size_t>(found - system->coordinates.begin());
}

System read(std::string_view text, const std::string& file, const ModelUse& use) {
  const System system = read_model(text, file, use.settings).scratch();
  return system.with([&](SystemData& data) {
    if (!use.dependent.empty()) data.dependent.emplace();
    for (const std::string& name : use.dependent) data.dependent->push_back(coordinate(system, name));
    if (!use.auxiliary.empty()) data.auxiliary.clear();
    for (const std::string& function : use.auxiliary) data.auxiliary.push_back(parse_expression(system, function));
  });
}

}  // namespace

std::string ModelUse::key() const {
  std::string result = model;
  for (const auto* list : {&dependent, &auxiliary, &settings}) {
    result += '\n';
    for (const std::string& item : *list) result += item + '\t';
  }
  return result;
}

Bench::Bench(std::string_view text, const std::string& file, const ModelUse& use) : work_(read(text, file, use)) {
  if (system()->dependent) {
    dependent_ = *system()->dependent;
  } else {
    try {
      dependent_ = work_.initial().dependent;
    } catch (const Error&) {  // the initial state is not what claims are about
      if (!set().states().empty()) dependent_ = set().states().front().dependent;
    }
  }
  make_samples();
}

void Bench::make_samples() {
  const bool positions_and_velocities =
      std::none_of(terms().constraints.order.begin(), terms().constraints.order.end(), [](int o) { return o == 2; });
  std::size_t number = 0;
  for (const PreciseState& state : set().states()) {
    Sample sample;
    sample.state = &state;
    sample.number = number++;
    sample.inputs = state.inputs();
    const std::vector<std::size_t>& dependent = dependent_.size() == state.rows.size() ? dependent_ : state.dependent;
    const auto fits = [&](const Frame& frame) {
      if (frame.setting->rows != state.rows || frame.setting->dependent != dependent) return false;
      if (!frame.alpha) return true;
      const std::vector<Ball> alpha = evaluate_balls(*frame.alpha, state.values, OnSet::bits);
      for (std::size_t v = 0; v < alpha.size(); ++v) {
        const Ball d = alpha[v] - state.values[system()->size() + dependent[v]].second;
        if (!d.is_finite() || d.magnitude_log10() > -branch_digits) return false;
      }
      return true;
    };
    for (const auto& frame : frames_)
      if (sample.frame == nullptr && fits(*frame)) sample.frame = frame.get();
    if (sample.frame == nullptr) {
      auto frame = std::make_unique<Frame>();
      frame->setting = std::make_unique<Setting>(system(), terms(), state.rows, dependent);
      if (positions_and_velocities) frame->alpha = frame->setting->closed_form(state.rounded);
      if (!fits(*frame)) frame->alpha.reset();
      sample.frame = frame.get();
      frames_.push_back(std::move(frame));
    }
    samples_.push_back(std::move(sample));
  }
}

Ball Bench::some_number(std::size_t sample, const std::string& name) {
  std::uint64_t hash = 1469598103934665603ULL + sample;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  hash = (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15ULL;
  const long size = 250 + static_cast<long>((hash >> 20) % 1751);
  return Ball(Rational((hash >> 13 & 1) != 0 ? size : -size, 1000), OnSet::bits);
}

const MotionValues& Bench::motion(const Sample& sample, const std::string& along) {
  const auto key = std::pair(sample.number, along);
  const auto found = motions_.find(key);
  if (found != motions_.end()) return found->second;
  return motions_.emplace(key, make_motion(sample, along)).first->second;
}

MotionValues Bench::make_motion(const Sample& sample, const std::string& along) {
  const Setting& setting = *sample.frame->setting;
  const std::size_t n = system()->size();
  MotionValues result;
  if (along == "free" || along == "admissible") {
    for (std::size_t i = 0; i < n; ++i) result.a.push_back(some_number(sample.number, "a" + std::to_string(i) + along));
    if (along == "free" || setting.rank() == 0) return result;
    // J_dep a_dep = c − J_ind a_ind
    const Matrix J = setting.J();
    const std::vector<Expr> c = setting.c();
    LinearBlock block{
        {setting.rank(), setting.rank(), {}}, {setting.rank(), 1, {}}, setting.symbols("bench_a", setting.rank())};
    for (std::size_t v = 0; v < setting.rank(); ++v) {
      Expr right = c[v];
      for (const std::size_t r : setting.independent) right = right - J(v, r) * system()->motion.a[r];
      block.right.entries.push_back(right);
      for (const std::size_t d : setting.dependent) block.matrix.entries.push_back(J(v, d));
    }
    std::vector<Expr> inputs = state_symbols(system());
    inputs.insert(inputs.end(), system()->motion.a.begin(), system()->motion.a.end());
    std::vector<Ball> values = sample.inputs, outputs;
    values.insert(values.end(), result.a.begin(), result.a.end());
    const Program program(block.unknowns, inputs, std::vector<LinearBlock>{block});
    if (run_in_balls(program, values, outputs, OnSet::bits) >= 0)
      throw Error(ErrorCode::singular_dependent, "the dependent velocities do not serve at this state");
    for (std::size_t v = 0; v < setting.rank(); ++v) result.a[setting.dependent[v]] = outputs[v];
    return result;
  }
  const Principle* principle = find_principle(along);
  if (principle == nullptr) throw Error(ErrorCode::bad_model, "'" + along + "' is not a form");
  auto& form = forms_[{sample.frame, along}];
  if (!form) form = std::make_unique<CompiledForm>(setting, principle->derive(setting));
  std::vector<Ball> inputs = sample.inputs;
  // multipliers that belong to the state (vakonomic) are as free as the velocities
  for (std::size_t i = 0; i < form->form().lambda.size(); ++i) {
    result.lambda.push_back(some_number(sample.number, "lambda" + std::to_string(i)));
    inputs.push_back(result.lambda.back());
  }
  CompiledForm::BallValues values = form->evaluate(inputs, OnSet::bits);
  for (const Ball& a : values.a)
    if (!a.is_finite()) throw Error(ErrorCode::non_finite, "the accelerations of " + along + " are not finite");
  result.a = std::move(values.a);
  if (result.lambda.empty()) result.lambda = std::move(values.multipliers);
  result.lambda_dot = std::move(values.lambda_dot);
  return result;
}

}  // namespace cetaev::verify
