#include "cetaev/detail/gpu/motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../integrate/accuracy.hpp"
#include "../integrate/observer.hpp"
#include "../integrate/other_parameters.hpp"
#include "cetaev/error.hpp"
#include "cuda.hpp"
#include "kernel.hpp"

namespace cetaev::gpu {

namespace {

// Bytes of motions at a time on the side of the processor, of which there are two lots.
constexpr std::size_t most_bytes = std::size_t{1} << 28;
// Of the memory that is free on the device.
constexpr std::size_t share_of_memory = 2;
// Between two looks at who is on the way still; a motion that needs more launches than this is left alone.
constexpr long long steps_of_a_launch = 4096;
constexpr int most_launches = 256;

Kernel kernel_of(const CompiledMotion& motion, const MotionsOptions& options) {
  return write_kernel(motion.plan(), {options.own_parameters, options.fixed_steps > 0, options.single});
}

}  // namespace

const char* to_string(LeftAlone why) {
  constexpr std::array<const char*, reasons> words = {"start", "pivot",  "event",  "constraints",
                                                      "steps", "unsent", "length", "end"};
  return words[static_cast<std::size_t>(why)];
}

void MotionBatch::clear() { code_.assign(capacity_, finished); }

std::string kernel_source(const CompiledMotion& motion, const MotionsOptions& options) {
  return kernel_of(motion, options).source;
}

struct Motions::Data {
  Data(const CompiledMotion& motion, const MotionsOptions& wanted)
      : plan(motion.plan()), options(wanted), kernel(kernel_of(motion, wanted)) {
    function = cuda.compile(kernel.source, "follow", options.cache);
    if (!kernel.own_parameters) set_uniform();
    const std::size_t bytes_each = kernel.fields * sizeof(double) + 2 * sizeof(int);
    const std::size_t bytes_sent = (kernel.results() + kernel.parameters) * sizeof(double);
    const std::size_t most =
        std::min({cuda.free_memory() / share_of_memory / bytes_each, options.most, most_bytes / bytes_sent});
    capacity = std::max<std::size_t>(most, 1);
    data = cuda.allocate(capacity * kernel.fields * sizeof(double));
    codes = cuda.allocate(capacity * sizeof(int));
    list = cuda.allocate(capacity * sizeof(int));
  }

  void set_uniform() {
    const MotionEquations& equations = plan.prepared()->equations;
    set("uniform_parameters", equations.parameters());
    std::vector<double> inputs(equations.size() + 1), statics(kernel.statics.output_count());
    inputs.insert(inputs.end(), equations.parameters().begin(), equations.parameters().end());
    if (Interpreter(kernel.statics)(inputs, statics) >= 0)
      throw Error(ErrorCode::bad_model, "the equations have no values at the parameters of the model");
    set("uniform_statics", statics);
  }

  void set(const char* name, std::span<const double> values) {
    if (!options.single) return function.set(name, std::as_bytes(values));
    const std::vector<float> rounded(values.begin(), values.end());
    function.set(name, std::as_bytes(std::span(rounded)));
  }

  const MotionPlan& plan;
  MotionsOptions options;
  Kernel kernel;
  Cuda cuda;
  Cuda::Function function;
  std::size_t capacity = 0;
  Cuda::Memory data, codes, list;
  double seconds = 0;
};

Motions::Motions(const CompiledMotion& motion, const MotionsOptions& options)
    : data_(std::make_unique<Data>(motion, options)) {}
Motions::~Motions() = default;
const std::string& Motions::device() const { return data_->cuda.device(); }
bool Motions::from_cache() const { return data_->function.from_cache(); }
std::size_t Motions::capacity() const { return data_->capacity; }
double Motions::seconds() const { return data_->seconds; }
MotionBatch Motions::batch() const { return {data_->capacity, data_->kernel.results() + data_->kernel.parameters}; }

bool Motions::run(MotionBatch& batch, const std::function<bool()>& keep_going) {
  Data& d = *data_;
  const std::size_t given = d.kernel.results() + d.kernel.parameters;
  d.data.write(0, batch.data_.data(), given * batch.capacity_ * sizeof(double));
  d.codes.write(0, batch.code_.data(), batch.capacity_ * sizeof(int));
  const MotionOptions& options = d.plan.options();
  std::uint64_t data = d.data.address(), codes = d.codes.address(), list = 0;
  auto stride = static_cast<long long>(batch.capacity_), steps_all = static_cast<long long>(d.options.fixed_steps);
  double t_end = options.t_end, tolerance = accuracy::dop853_step(options.tolerance);
  long long steps = steps_of_a_launch;
  std::vector<int> going;
  long long count = stride;
  for (int launch = 0; launch < most_launches; ++launch) {
    // the first launch goes over all places, later ones over those that are on the way
    going.clear();
    for (std::size_t i = 0; i < batch.code_.size(); ++i)
      if (batch.code_[i] == fresh || batch.code_[i] == on_its_way) going.push_back(static_cast<int>(i));
    if (going.empty()) break;
    if (keep_going && !keep_going()) return false;
    const bool everybody = going.size() == batch.code_.size();
    if (!everybody) d.list.write(0, going.data(), going.size() * sizeof(int));
    list = everybody ? 0 : d.list.address();
    count = static_cast<long long>(going.size());
    std::array<void*, 9> arguments = {&count, &list, &data, &codes, &stride, &t_end, &tolerance, &steps, &steps_all};
    d.function.launch(going.size(), arguments);
    d.seconds += d.function.wait();
    d.codes.read(0, batch.code_.data(), batch.capacity_ * sizeof(int));
  }
  for (int& code : batch.code_)
    if (code == on_its_way) code = code_of(LeftAlone::length);
  d.data.read(0, batch.data_.data(), d.kernel.results() * batch.capacity_ * sizeof(double));
  return true;
}

struct MotionHost::Data {
  explicit Data(const Motions::Data& of)
      : motions(of),
        equations(of.plan.prepared()->equations),
        others(of.plan),
        observer(equations, nullptr),
        y(equations.size()) {}

  const Motions::Data& motions;
  const MotionEquations& equations;
  OtherParameters others;
  Observer observer;
  std::vector<double> y;
};

MotionHost::MotionHost(const Motions& motions) : data_(std::make_unique<Data>(*motions.data_)) {}
MotionHost::~MotionHost() = default;

void MotionHost::put(MotionBatch& batch, std::size_t place, const State& start, std::span<const double> parameters) {
  Data& d = *data_;
  const MotionPlan& plan = d.motions.plan;
  int& code = batch.code_[place];
  code = code_of(LeftAlone::unsent);
  if (start.t == plan.options().t_end) return;
  try {
    const std::vector<double> y = d.equations.state(start, plan.lambda(start, parameters), parameters);
    if (d.motions.options.own_parameters && !d.others.served(parameters, start, y)) return;
    const std::size_t n = d.motions.kernel.variables;
    double* const own = batch.data_.data() + place;
    for (std::size_t i = 0; i < n; ++i) own[i * batch.capacity_] = y[i];
    own[n * batch.capacity_] = start.t;
    own[(n + 1) * batch.capacity_] = 0;
    for (std::size_t i = 0; i < d.motions.kernel.parameters; ++i) own[(n + 2 + i) * batch.capacity_] = parameters[i];
    code = fresh;
  } catch (const Error&) {  // where it cannot be started is told by whoever follows it alone
  }
}

std::optional<LeftAlone> MotionHost::finish(const MotionBatch& batch, std::size_t place,
                                            std::span<const double> parameters, State& last, std::size_t& steps) {
  const int code = batch.code_[place];
  if (code != MotionCode::finished) return static_cast<LeftAlone>(code - left);
  Data& d = *data_;
  const std::size_t n = d.motions.kernel.variables;
  const double* const own = batch.data_.data() + place;
  for (std::size_t i = 0; i < n; ++i) d.y[i] = own[i * batch.capacity_];
  steps = static_cast<std::size_t>(own[(n + 1) * batch.capacity_]);
  try {
    d.observer.set_parameters(parameters);
    d.observer.at(own[n * batch.capacity_], d.y, false);
    last = d.observer.state();
    return std::nullopt;
  } catch (const Error&) {
    return LeftAlone::end;
  }
}

}  // namespace cetaev::gpu
