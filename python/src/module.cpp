// What the Python package needs of the library: models, motions and functions by handle, structured answers as the JSON documents of the
// command line, numbers as arrays over the library's own memory. What Python can do well is done there.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <mutex>
#include <tuple>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/analysis/two_models.hpp"
#include "cetaev/codegen/export.hpp"
#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/ensemble/ensemble.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/beside.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/equivalence.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/linear_equations.hpp"
#include "cetaev/report/linearize.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/report/points_of_view.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/two_models.hpp"
#include "cetaev/report/written.hpp"
#include "cetaev/verify/model.hpp"
#include "cetaev/version.hpp"
#include "function.hpp"

namespace py = pybind11;

namespace cetaev::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Names = std::vector<std::string>;

// As cetaev.Error, which knows the place and the caret.
void raise(const Error& error) {
  const auto& place = error.position();
  const py::object type = py::module_::import("cetaev._errors").attr("Error");
  const py::object none = py::none();
  const py::object value = type(
      std::string(to_string(error.code())), error.message(), place ? py::cast(place->file) : none,
      place ? py::cast(place->line) : none, place ? py::cast(place->column) : none,
      error.suggestion().empty() ? none : py::cast(error.suggestion()), caret_text(error), exit_code(error.code()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

// Work that takes a while, without the interpreter's lock.
template <class Work>
auto apart(Work&& work) {
  const py::gil_scoped_release release;
  release_thread_memory_at_exit();
  return work();
}

std::vector<Form> forms_named(const Names& names) { return {names.begin(), names.end()}; }

// Of two models: one for both, or one for each; multipliers where none is named.
std::pair<Form, Form> two_forms(const Names& names) {
  if (names.size() > 2) throw Error(ErrorCode::bad_model, "there are two models, and at most two forms");
  if (names.empty()) return {Form::multipliers, Form::multipliers};
  return {Form(names.front()), Form(names.back())};
}

// Asked now and then by a motion: has somebody pressed Ctrl-C? `progress`, where it is given, is told how far it is; what it throws, and
// the interruption itself, ends the motion and is thrown again at its end.
class Watch {
 public:
  Watch(py::object progress, double start, double t_end)
      : progress_(std::move(progress)), start_(start), t_end_(t_end) {}

  std::function<bool(double)> keep_going() {
    return [this](double t) {
      const auto now = std::chrono::steady_clock::now();
      if (now - last_ < std::chrono::milliseconds(50)) return true;
      last_ = now;
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) return stop();
      try {
        if (!progress_.is_none()) progress_(t_end_ == start_ ? 1.0 : (t - start_) / (t_end_ - start_), t);
      } catch (py::error_already_set& error) {
        error.restore();
        return stop();
      }
      return true;
    };
  }
  // With the lock.
  void rethrow() {
    if (!stopped_) return;
    PyErr_Restore(type_, value_, trace_);
    throw py::error_already_set();
  }

 private:
  bool stop() {
    PyErr_Fetch(&type_, &value_, &trace_);
    stopped_ = true;
    return false;
  }

  py::object progress_;
  double start_, t_end_;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

// A motion, or what is found along one, without the lock and asked now and then whether to go on.
template <class Work>
auto watched(const System& system, MotionOptions asked, const py::object& progress, Work&& work) {
  Watch watch(progress, given_state(system).t, asked.t_end);
  asked.keep_going = watch.keep_going();
  try {
    auto result = apart([&] { return work(asked); });
    watch.rethrow();
    return result;
  } catch (const Error&) {
    watch.rethrow();
    throw;
  }
}

// Many motions into arrays of rows; blocks come in any order, and have their place.
py::dict sweep(const System& system, SweepSpecification specification, EnsembleOptions options,
               const py::object& progress) {
  std::vector<double> inputs, outputs, t;
  std::vector<std::uint8_t> status;
  Names input_names, output_names;
  Watch watch(progress, 0, 1);
  const EnsembleSummary summary = apart([&] {
    const Ensemble ensemble(system, SweepInputs(system, std::move(specification)), std::move(options));
    input_names = ensemble.inputs().names();
    output_names = ensemble.observables();
    const std::size_t count = ensemble.inputs().count();
    inputs.assign(count * input_names.size(), std::nan(""));
    outputs.assign(count * output_names.size(), std::nan(""));
    t.assign(count, std::nan(""));
    status.assign(count, static_cast<std::uint8_t>(MotionStatus::interrupted));
    std::size_t done = 0;
    const auto keep_going = watch.keep_going();
    std::mutex mutex;
    const auto into = [](const auto& values, auto& all, std::size_t first) {
      std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
    };
    return ensemble.run(
        [&](const EnsembleBlock& block) {
          into(block.inputs, inputs, block.first * input_names.size());
          into(block.outputs, outputs, block.first * output_names.size());
          into(block.t, t, block.first);
          for (std::size_t i = 0; i < block.rows(); ++i)
            status[block.first + i] = static_cast<std::uint8_t>(block.status[i]);
          const std::lock_guard lock(mutex);
          done += block.rows();
        },
        nullptr,
        [&] {
          const std::lock_guard lock(mutex);
          return keep_going(count == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(count));
        });
  });
  watch.rethrow();
  const auto table = [&](const std::vector<double>& values, std::size_t columns) {
    return py::array_t<double>({static_cast<py::ssize_t>(t.size()), static_cast<py::ssize_t>(columns)}, values.data());
  };
  py::dict result, counts;
  result["inputs"] = table(inputs, input_names.size());
  result["outputs"] = table(outputs, output_names.size());
  result["t"] = py::array_t<double>(static_cast<py::ssize_t>(t.size()), t.data());
  result["status"] = py::array_t<std::uint8_t>(static_cast<py::ssize_t>(status.size()), status.data());
  result["input_names"] = input_names;
  result["output_names"] = output_names;
  counts["count"] = summary.count;
  counts["finished"] = summary.finished;
  counts["singular"] = summary.singular;
  counts["event"] = summary.event;
  counts["failed"] = summary.failed;
  counts["threads"] = summary.threads;
  counts["wall_seconds"] = summary.wall_seconds;
  result["counts"] = counts;
  return result;
}

// Times at which each event came, all of them.
class EventTimes : public Recorder {
 public:
  explicit EventTimes(const System& system) : times(system->events.size()) {}
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  void event(std::size_t number, const MotionPoint& point) override { times[number].push_back(point.t); }
  std::vector<std::vector<double>> times;
};

// How the samples change with what the motion is varied by: for each of these a column for each position, then for each velocity.
class VariationColumns : public Recorder {
 public:
  void sample(const MotionPoint& point) override {
    if (columns.empty()) columns.resize(point.variations.size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(point.variations[i]);
  }
  bool wants_samples() const override { return false; }
  std::vector<std::vector<double>> columns;
};

// A motion that was computed. Arrays of it are its own memory, which they keep.
struct Motion {
  System system;
  MotionOptions options;
  SampleRecorder kept;
  EventLog log;
  EventTimes events;
  VariationColumns variations;
  MotionSummary summary;
  std::once_flag once;
  std::optional<Trajectory> dense;

  explicit Motion(const System& model) : system(model), kept(model), log(model), events(model) {}
  const Samples& samples() const { return kept.samples(); }

  MotionRecord record() const {
    MotionRecord result;
    result.events = &log;
    return result;
  }

  // Computed when somebody first asks between the samples: the same motion again, as polynomials.
  const Trajectory& trajectory() {
    std::call_once(once, [this] {
      MotionOptions again = options;
      again.variations.clear();
      if (summary.status == MotionStatus::interrupted) again.t_end = summary.last.t;
      dense = compute_trajectory(system, again);
    });
    return *dense;
  }
};

py::array view(const py::object& owner, const std::vector<double>& column) {
  py::array array(py::dtype::of<double>(), {column.size()}, {sizeof(double)}, column.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// q and v, row by row, at each of the times.
py::array motion_at(Motion& motion, const Array& times) {
  const Trajectory& path = apart([&]() -> const Trajectory& { return motion.trajectory(); });
  const std::size_t width = 2 * path.coordinates();
  const auto count = static_cast<std::size_t>(times.size());
  // Row by row for the evaluation, and handed on as columns.
  py::array_t<double> values({count, width});
  double* out = values.mutable_data();
  const double* t = times.data();
  apart([&] {
    for (std::size_t i = 0; i < count; ++i) path.at(t[i], {out + i * width, width});
  });
  return values;
}

class Model {
 public:
  explicit Model(const System& system) : bench_(system) {}

  static Model open(const std::string& name, const ModelChanges& changes) {
    return Model(apart([&] { return open_model(name, changes); }));
  }
  static Model read(const std::string& text, const std::string& file, const ModelChanges& changes) {
    return Model(apart([&] { return open_model_text(text, file, changes); }));
  }

  const System& system() const { return bench_.system(); }
  const Workbench& bench() const { return bench_; }

  // An answer as texts: JSON, what people read, and more where there is more.
  Names check(const std::optional<std::string>& form) const {
    return apart([&] {
      const Check& found = bench_.check(form ? Form(*form) : Form::multipliers);
      const InvariantMeasure measure = invariant_measure(system());
      Names told = {to_json(system(), found, &measure), to_text(system(), found, &measure)};
      for (std::string& sentence : sentences(system(), found)) told.push_back(std::move(sentence));
      return told;
    });
  }

  Names eval(const Names& names, bool propose_auxiliary, bool zero_relations) const {
    return apart([&] {
      const std::vector<Form> forms = forms_named(names);
      const Workbench::AtState& here = bench_.at_initial({forms, propose_auxiliary, zero_relations});
      if (const Error* error = here.evaluation.failure(forms)) throw Error(*error);
      const Evaluation asked = here.evaluation.asked_for(forms);
      return Names{to_json(system(), asked, here.energy), to_text(system(), asked, here.energy)};
    });
  }

  Names equations(const Names& names, bool energy, bool numeric, bool expand, bool eliminate, double budget) const {
    return apart([&] {
      if (!std::isfinite(budget)) throw Error(ErrorCode::bad_model, "budget needs a finite number");
      const std::vector<Form> forms = forms_named(names);
      const WrittenSystem& written = bench_.equations({forms, energy, numeric, expand, eliminate, budget});
      for (const WrittenForm& form : written.forms)
        if (form.refusal && std::find(names.begin(), names.end(), form.name) != names.end()) throw Error(*form.refusal);
      return Names{to_json(written), to_text(written, Notation::ascii), to_text(written, Notation::unicode),
                   to_latex(written)};
    });
  }

  Names compare(const std::string& first, const std::string& second, std::size_t states, std::size_t seed,
                double tolerance, std::optional<double> t_end, double threshold,
                const std::optional<std::string>& method) const {
    return apart([&] {
      if (t_end && !std::isfinite(*t_end)) throw Error(ErrorCode::bad_model, "t_end needs a finite time");
      if (!(threshold > 0)) throw Error(ErrorCode::bad_model, "threshold needs a positive number");
      const Comparison& found = bench_.compare(Form(first), Form(second), {states, seed, tolerance});
      if (!t_end) return Names{to_json(system(), found), to_text(system(), found)};
      MotionOptions motion = default_options(system());
      motion.t_end = *t_end;
      if (method) motion.method = parse_method(*method);
      const MotionComparison along = compare_motions(system(), Form(first), Form(second), motion, threshold);
      return Names{to_json(system(), found, &along), to_text(system(), found) + to_text(system(), along)};
    });
  }

  // Another model beside this one; `forms` are of both, or of this one and of the other.
  Names compare_with(const Model& other, const Names& map, const Names& forms, std::size_t states, std::size_t seed,
                     double tolerance, std::optional<double> t_end, double threshold,
                     const std::optional<std::string>& method) const {
    return apart([&] {
      if (!(threshold > 0)) throw Error(ErrorCode::bad_model, "threshold needs a positive number");
      TwoModelsOptions two;
      two.at_states = {states, seed, tolerance};
      two.t_end = t_end;
      two.threshold = threshold;
      std::tie(two.first, two.second) = two_forms(forms);
      if (method) two.method = parse_method(*method);
      const TwoModels found = compare_models(system(), other.system(), map, two);
      const System& to = CoordinateMap(system(), other.system(), map).from_first() ? other.system() : system();
      return Names{to_json(to, found), to_text(to, found)};
    });
  }

  Names limit(const Model& other, const std::string& vary, const Names& map, const Names& forms,
              std::optional<double> t_end) const {
    return apart([&] {
      const Along along = Along::parse(vary);
      LimitOptions options{.from = along.from, .to = along.to, .count = along.count, .t_end = t_end};
      std::tie(options.first, options.second) = two_forms(forms);
      const Limit found = find_limit(system(), other.system(), along.name, map, options);
      return Names{to_json(found, system()->name, other.system()->name),
                   to_text(found, system()->name, other.system()->name)};
    });
  }

  Names equivalent(const Model& other, const std::string& name) const {
    return apart([&] {
      System second = with_constraints_of(system(), other.system());
      Equivalence found = compare_sets(system(), second);
      const NamedEquivalence comparison{name, false, std::move(second), std::move(found)};
      return Names{to_json(system(), comparison), to_text(system(), comparison)};
    });
  }

  Names verify(const std::string& name) const {
    return apart([&] {
      const std::vector<ModelToVerify> one = {{name, [this] { return system(); }}};
      const std::vector<VerifiedModel> results = verify_models(one);
      if (results.front().error) throw Error(*results.front().error);
      return Names{to_json(results), to_text(results, true)};
    });
  }

  Names linearize(const Names& solve, const std::optional<std::string>& vary) const {
    return apart([&] {
      std::optional<Along> along;
      if (vary) along = Along::parse(*vary);
      const Linearization found = cetaev::linearize(system(), solve);
      std::optional<VariedSpectrum> varied;
      if (along) varied = linearize_along(system(), *along, solve);
      return Names{to_json(system(), found, varied), to_text(system(), found, varied)};
    });
  }

  Names transpose() const {
    return apart([&] {
      const PointsOfView& found = bench_.transpositional_relations();
      return Names{to_json(found), to_text(found, Notation::ascii)};
    });
  }

  std::string code(const std::string& name, const std::optional<std::string>& form) const {
    return apart([&] {
      const std::optional<Language> language = find_language(name);
      if (!language) throw Error(ErrorCode::bad_model, "code is written in c, cpp, python, cuda or matlab");
      Groundwork work = bench_.groundwork();
      return export_code(equations_to_export(work, form ? std::optional<Form>(*form) : std::nullopt), *language);
    });
  }

  // What is given, else what the model says, else the defaults.
  struct Wishes {
    std::optional<std::string> form, method, backend;
    std::optional<double> t_end, tolerance;
    std::optional<long long> samples;
    bool through_singular = false, cache = true;
    Names variations;
  };
  MotionOptions options(const Wishes& wishes) const {
    MotionOptions motion = default_options(system());
    if (wishes.form) motion.form = parse_form(*wishes.form);
    if (wishes.method) motion.method = parse_method(*wishes.method);
    if (wishes.backend) motion.backend = parse_backend(*wishes.backend);
    if (wishes.t_end) motion.t_end = *wishes.t_end;
    if (wishes.tolerance) motion.tolerance = *wishes.tolerance;
    constexpr long long most = 1'000'000'000;
    if (wishes.samples && (*wishes.samples < 2 || *wishes.samples > most))
      throw Error(ErrorCode::bad_model, "samples needs a whole number from 2 to 1000000000");
    if (wishes.samples) motion.samples = static_cast<std::size_t>(*wishes.samples);
    motion.variations = wishes.variations;
    motion.through_singular = wishes.through_singular;
    motion.cache = wishes.cache;
    return motion;
  }

  std::shared_ptr<Motion> run(const Wishes& wishes, const py::object& progress) const {
    auto motion = std::make_shared<Motion>(system());
    motion->options = options(wishes);
    motion->options.once = true;
    watched(system(), motion->options, progress, [&](const MotionOptions& asked) {
      Recorders all;
      all.add(motion->kept);
      all.add(motion->log);
      all.add(motion->events);
      all.add(motion->variations);
      motion->summary = bench_.run(asked, all);
      return 0;
    });
    return motion;
  }

  Names periodic(double period, const Wishes& wishes) const {
    return watched(system(), options(wishes), py::none(), [&](const MotionOptions& asked) {
      const PeriodicMotion found = find_periodic(system(), period, asked);
      return Names{to_json(system(), found), to_text(system(), found)};
    });
  }

  Names lyapunov(const Wishes& wishes, const py::object& progress) const {
    return watched(system(), options(wishes), progress, [&](const MotionOptions& asked) {
      const LyapunovSpectrum found = cetaev::lyapunov(system(), asked);
      return Names{to_json(system(), found), to_text(system(), found)};
    });
  }

  py::dict sweep(Names vary, std::size_t count, std::uint64_t seed, Names observe, unsigned threads,
                 const Wishes& wishes, const py::object& progress) const {
    return python::sweep(system(), {std::move(vary), count, seed, {}},
                         {options(wishes), std::move(observe), threads, 0, Device::cpu}, progress);
  }

  Names linear(bool numeric) const {
    return apart([&] {
      const LinearEquations found = linear_equations(system());
      return Names{to_json(found, numeric), to_text(found, Notation::unicode, numeric), to_latex(found, numeric)};
    });
  }

  std::string report(const Wishes& wishes, double budget, const std::string& name) const {
    return apart([&] {
      PageOptions page;
      page.motion = options(wishes);
      page.motion.once = true;  // as `run` does, whose numbers it shows
      page.budget = budget;
      page.version = version();
      page.command = "cetaev report " + name;
      page.run = "cetaev run " + name + " --json --trajectory";
      return write_page(bench_, page).html;
    });
  }

 private:
  Workbench bench_;
};

// A function of t and y for the arrays of Python: y of one state, or of several side by side as solve_ivp(vectorized=True) has them.
py::array evaluated(const CompiledFunction& f, CompiledFunction::What what, double t, const Array& y,
                    const std::optional<Array>& parameters) {
  const auto n = static_cast<py::ssize_t>(f.size());
  const bool several = y.ndim() == 2;
  if ((y.ndim() != 1 && !several) || y.shape(0) != n)
    throw Error(ErrorCode::bad_model,
                "y needs " + std::to_string(n) + " entries, one for each of " + f.form().name() + "'s state");
  std::span<const double> values;
  if (parameters) {
    values = {parameters->data(), static_cast<std::size_t>(parameters->size())};
    if (values.size() != f.values().size())
      throw Error(ErrorCode::bad_model, "parameters needs " + std::to_string(f.values().size()) + " values");
  }
  const auto outputs = static_cast<py::ssize_t>(f.outputs(what));
  if (!several) {
    py::array_t<double> result(what == CompiledFunction::What::jacobian ? std::vector<py::ssize_t>{n, n}
                                                                        : std::vector<py::ssize_t>{outputs});
    f(what, t, y.data(), result.mutable_data(), values);
    return result;
  }
  if (what == CompiledFunction::What::jacobian) throw Error(ErrorCode::bad_model, "the Jacobian is that of one state");
  const py::ssize_t count = y.shape(1);
  py::array_t<double> result({outputs, count});
  double* to = result.mutable_data();
  const double* from = y.data();
  apart([&] {
    std::vector<double> state(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(outputs));
    for (py::ssize_t j = 0; j < count; ++j) {
      for (py::ssize_t i = 0; i < n; ++i) state[static_cast<std::size_t>(i)] = from[i * count + j];
      f(what, t, state.data(), out.data(), values);
      for (py::ssize_t i = 0; i < outputs; ++i) to[i * count + j] = out[static_cast<std::size_t>(i)];
    }
  });
  return result;
}

template <CompiledFunction::What what>
py::array call(const CompiledFunction& f, double t, const Array& y, const std::optional<Array>& parameters) {
  return evaluated(f, what, t, y, parameters);
}

// For those who call machine code: a capsule with the signature as its name and a Component as its context, as scipy.LowLevelCallable
// takes it. The capsule owns the context.
struct Component {
  std::shared_ptr<CompiledFunction> f;
  std::size_t index = 0;
};

constexpr const char* rates_signature = "int (double, double *, double *, void *)";
int low_level_rates(double t, double* y, double* dydt, void* data) {
  return static_cast<const Component*>(data)->f->rates(t, y, dydt) ? 0 : 1;
}

// One rate as a function of (t, y…), as scipy.integrate.quad takes it.
constexpr const char* component_signature = "double (int, double *, void *)";
double low_level_component(int n, double* x, void* data) {
  const auto* component = static_cast<const Component*>(data);
  if (n < 1 || static_cast<std::size_t>(n) != component->f->size() + 1) return std::numeric_limits<double>::quiet_NaN();
  thread_local std::vector<double> out;
  out.resize(component->f->size());
  component->f->rates(x[0], x + 1, out.data());
  return out[component->index];
}

py::object capsule_of(void* function, const char* signature, Component component) {
  auto context = std::make_unique<Component>(std::move(component));
  PyObject* capsule = PyCapsule_New(function, signature,
                                    [](PyObject* self) { delete static_cast<Component*>(PyCapsule_GetContext(self)); });
  if (capsule == nullptr) throw py::error_already_set();
  PyCapsule_SetContext(capsule, context.release());
  return py::reinterpret_steal<py::object>(capsule);
}

py::object capsule(const std::shared_ptr<CompiledFunction>& f, std::optional<std::size_t> index) {
  if (!index) return capsule_of(reinterpret_cast<void*>(&low_level_rates), rates_signature, {f, 0});
  if (*index >= f->size())
    throw Error(ErrorCode::bad_model, "the state has " + std::to_string(f->size()) + " components");
  return capsule_of(reinterpret_cast<void*>(&low_level_component), component_signature, {f, *index});
}

Model::Wishes wishes(std::optional<std::string> form, std::optional<double> t_end, std::optional<long long> samples,
                     std::optional<double> tolerance, std::optional<std::string> method,
                     std::optional<std::string> backend, bool through_singular, bool cache, Names variations) {
  return {std::move(form), std::move(method),    std::move(backend), t_end, tolerance, samples, through_singular,
          cache,           std::move(variations)};
}

// What is fixed about a thing, at once: a binding of each would be compiled each.
py::dict about(const Motion& motion) {
  py::dict result;
  result["name"] = motion.system->name;
  result["coordinates"] = motion.system->coordinates;
  result["varied"] = motion.options.variations;
  result["outputs"] = motion.system->output_columns();
  result["status"] = to_string(motion.summary.status);
  py::dict events;
  for (std::size_t i = 0; i < motion.system->events.size(); ++i) {
    const std::vector<double>& times = motion.events.times[i];
    events[py::str(motion.system->events[i].name)] =
        py::array_t<double>(static_cast<py::ssize_t>(times.size()), times.data());
  }
  result["events"] = events;
  return result;
}

py::dict about(const CompiledFunction& f) {
  py::dict result, parameters;
  for (std::size_t i = 0; i < f.values().size(); ++i) parameters[py::str(f.parameters()[i])] = f.values()[i];
  result["form"] = f.form().name();
  result["names"] = f.names();
  result["parameters"] = parameters;
  result["t0"] = f.start();
  return result;
}

py::dict about(const Model& model) {
  py::dict result, parameters;
  const System& system = model.system();
  const std::vector<double> values = parameter_values(system);
  for (std::size_t i = 0; i < values.size(); ++i)
    parameters[py::str(std::string(system->parameters[i].symbol.name()))] = values[i];
  Names constraints;
  for (const Constraint& c : system->constraints) constraints.push_back(c.label());
  result["name"] = system->name;
  result["description"] = system->description;
  result["text"] = system->text;
  result["coordinates"] = system->coordinates;
  result["parameters"] = parameters;
  result["constraints"] = constraints;
  return result;
}

py::list columns(const py::object& self, const std::string& which) {
  const auto& motion = self.cast<Motion&>();
  const Samples& samples = motion.samples();
  py::list list;
  if (which == "t") {
    for (const auto* column : {&samples.t, &samples.E, &samples.residual}) list.append(view(self, *column));
    return list;
  }
  for (const auto& column : which == "q"             ? samples.q
                            : which == "v"           ? samples.v
                            : which == "multipliers" ? samples.multipliers
                            : which == "outputs"     ? samples.outputs
                                                     : motion.variations.columns)
    list.append(view(self, column));
  return list;
}

std::string written(const Motion& motion, const std::string& how) {
  return apart([&] {
    if (how == "json") return to_json(motion.system, motion.summary, motion.record());
    if (how == "text") return to_text(motion.system, motion.summary, motion.record());
    return write_stage(motion.system, motion.summary, motion.samples(), std::string(version()));
  });
}

void raise_diagnosis(const Motion& motion) {
  if (motion.summary.diagnosis) throw Error(*motion.summary.diagnosis);
}

py::array_t<double> initial(const CompiledFunction& f) {
  return py::array_t<double>(static_cast<py::ssize_t>(f.initial().size()), f.initial().data());
}

std::shared_ptr<CompiledFunction> function(const Model& model, const std::optional<std::string>& form) {
  return apart([&] {
    return std::make_shared<CompiledFunction>(model.bench(), form ? std::optional<Form>(*form) : std::nullopt);
  });
}

ModelChanges changes(Names settings, std::optional<Names> constraints, std::optional<Names> auxiliary,
                     std::optional<std::string> transpositional) {
  return {std::move(settings), std::move(constraints), std::move(auxiliary), std::move(transpositional)};
}

Names gallery_names() {
  Names names;
  for (const GalleryModel& model : gallery()) names.emplace_back(model.name);
  return names;
}

void translate(std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param)
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const Error& error) {
    raise(error);
  }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator(&translate);
  py::class_<ModelChanges>(module, "Changes").def(py::init(&changes));
  py::class_<Model::Wishes>(module, "Wishes").def(py::init(&wishes));
  py::class_<Motion, std::shared_ptr<Motion>>(module, "Motion")
      .def("about", py::overload_cast<const Motion&>(&about))
      .def("columns", &columns)
      .def("at", &motion_at)
      .def("written", &written)
      .def("raise_diagnosis", &raise_diagnosis);
  py::class_<CompiledFunction, std::shared_ptr<CompiledFunction>>(module, "Function")
      .def("about", py::overload_cast<const CompiledFunction&>(&about))
      .def("y0", &initial)
      .def("rates", &call<CompiledFunction::What::rates>)
      .def("jacobian", &call<CompiledFunction::What::jacobian>)
      .def("velocities", &call<CompiledFunction::What::velocities>)
      .def("energy", &call<CompiledFunction::What::energy>)
      .def("capsule", &capsule);
  py::class_<Model>(module, "Model")
      .def_static("open", &Model::open)
      .def_static("read", &Model::read)
      .def("about", py::overload_cast<const Model&>(&about))
      .def("check", &Model::check)
      .def("eval", &Model::eval)
      .def("equations", &Model::equations)
      .def("compare", &Model::compare)
      .def("compare_with", &Model::compare_with)
      .def("limit", &Model::limit)
      .def("equivalent", &Model::equivalent)
      .def("verify", &Model::verify)
      .def("linearize", &Model::linearize)
      .def("transpose", &Model::transpose)
      .def("periodic", &Model::periodic)
      .def("lyapunov", &Model::lyapunov)
      .def("sweep", &Model::sweep)
      .def("linear", &Model::linear)
      .def("code", &Model::code)
      .def("run", &Model::run)
      .def("report", &Model::report)
      .def("function", &function);
  module.def("gallery", &gallery_names);
  module.attr("version") = std::string(version());
}

}  // namespace cetaev::python
