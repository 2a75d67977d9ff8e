// What happens beside a motion: small motions about a steady one, periodic motions, how fast others part.
#include <algorithm>
#include <array>
#include <cmath>

#include "bindings.hpp"
#include "cetaev/report/beside.hpp"
#include "cetaev/report/linear_equations.hpp"
#include "cetaev/report/linearize.hpp"

namespace cetaev::python {

namespace {

Texts linearized(const Model& model, const Names& solve, const std::optional<std::string>& vary) {
  return apart([&] {
    std::optional<Along> along;
    if (vary) along = Along::parse(*vary);
    const Linearization found = linearize(model.system(), solve);
    std::optional<VariedSpectrum> varied;
    if (along) varied = linearize_along(model.system(), *along, solve);
    return Texts{to_json(model.system(), found, varied), to_text(model.system(), found, varied)};
  });
}

py::dict arrays_of_chart(const StabilityChart& chart) {
  const auto shape = std::vector<py::ssize_t>{static_cast<py::ssize_t>(chart.axes[0].count),
                                              static_cast<py::ssize_t>(chart.axes[1].count)};
  py::array_t<double> growth(shape), frequency(shape);
  py::array_t<std::int64_t> growing(shape);
  py::list diagnoses;
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const StabilityChart::Place& place = chart.places[i];
    const bool known = place.has_values();
    growth.mutable_data()[i] = known ? place.growth : std::nan("");
    frequency.mutable_data()[i] = known ? place.frequency : std::nan("");
    growing.mutable_data()[i] = known ? static_cast<std::int64_t>(place.growing) : -1;
    diagnoses.append(place.diagnosis ? py::object(py::str(std::string(to_string(*place.diagnosis)))) : py::none());
  }
  py::dict result;
  py::list axes;
  for (const Along& axis : chart.axes) {
    std::vector<double> values;
    for (std::size_t i = 0; i < axis.count; ++i) values.push_back(axis.value(i));
    axes.append(py::make_tuple(axis.name, array_of(values)));
  }
  result["axes"] = axes;
  result["growth"] = growth;
  result["frequency"] = frequency;
  result["growing"] = growing;
  result["diagnoses"] = diagnoses;
  return result;
}

py::tuple charted(const Model& model, const Names& solve, const std::string& across, const std::string& upwards,
                  unsigned threads, const py::object& progress) {
  Watch watch(progress);
  ChartOptions options;
  options.threads = threads;
  options.progress = [&](std::size_t done, std::size_t of) {
    return watch.told(static_cast<double>(done) / static_cast<double>(of), static_cast<double>(done));
  };
  const std::array<Along, 2> axes = {Along::parse(across), Along::parse(upwards)};
  auto [found, chart] = watched_beside(watch, [&] {
    Linearization here = linearize(model.system(), solve);
    return std::pair(std::move(here), std::optional(stability_chart(model.system(), axes, solve, options)));
  });
  return py::make_tuple(to_json(model.system(), found, {}, chart), to_text(model.system(), found, {}, chart),
                        arrays_of_chart(*chart));
}

Texts linear_about(const Model& model, bool numeric) {
  return apart([&] {
    const LinearEquations found = linear_equations(model.system());
    const LinearEquations named = numeric ? found : with_names(found);
    return Texts{to_json(found, numeric, &named), to_text(named, Notation::unicode, numeric), to_latex(named, numeric)};
  });
}

// The period is a number or an expression of parameters.
Texts periodic_near(const Model& model, const std::string& period, const Wishes& wanted) {
  return watched_motion(model.system(), wanted.of(model.system()), py::none(), [&](const MotionOptions& asked) {
    const PeriodicMotion found = find_periodic(model.system(), period_of(model.system(), period), asked);
    return Texts{to_json(model.system(), found), to_text(model.system(), found)};
  });
}

Texts periodic_along(const Model& model, const std::string& period, const std::string& vary, const Names& hold,
                     const Wishes& wanted, const py::object& progress) {
  Watch watch(progress);
  return watched_beside(watch, [&] {
    const Along along = Along::parse(vary);
    BranchOptions options{.motion = wanted.of(model.system()), .period = period, .hold = hold, .progress = {}};
    options.motion.keep_going = [&](double) { return !watch.stopped(); };
    options.progress = [&](std::size_t points, double value) {
      const double part = (value - along.from) / (along.to - along.from);
      return watch.told(std::clamp(part, 0.0, 1.0), static_cast<double>(points));
    };
    const PeriodicBranch found = follow_periodic(model.system(), along, options);
    return Texts{to_json(model.system(), found), to_text(model.system(), found), to_csv(model.system(), found)};
  });
}

Texts lyapunov_along(const Model& model, const Wishes& wanted, const py::object& progress) {
  return watched_motion(model.system(), wanted.of(model.system()), progress, [&](const MotionOptions& asked) {
    const LyapunovSpectrum found = lyapunov(model.system(), asked);
    return Texts{to_json(model.system(), found), to_text(model.system(), found)};
  });
}

}  // namespace

void bind_stability(py::class_<Model>& model) {
  model.def("linearize", &linearized)
      .def("chart", &charted)
      .def("linear", &linear_about)
      .def("periodic", &periodic_near)
      .def("periodic_along", &periodic_along)
      .def("lyapunov", &lyapunov_along);
}

}  // namespace cetaev::python
