// What the sources of the module share. Models, motions and functions cross by handle, structured answers as the JSON documents of the
// command line, numbers as arrays over the library's own memory. What Python can do well is done there.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/analysis/workbench.hpp"
#include "texts.hpp"
#include "watch.hpp"

namespace cetaev::python {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Names = std::vector<std::string>;

// An answer as texts: JSON, what people read, and more where there is more.
using Texts = std::vector<std::string>;

// A model that was read, with the answers it has given.
class Model {
 public:
  explicit Model(const System& system) : bench_(system) {}
  const System& system() const { return bench_.system(); }
  const Workbench& bench() const { return bench_; }

 private:
  Workbench bench_;
};

// How a motion is wanted: what is given, else what the model says, else the defaults.
struct Wishes {
  std::optional<std::string> form, method, backend;
  std::optional<double> t_end, tolerance;
  std::optional<long long> samples;
  bool through_singular = false, cache = true;
  Names variations;

  MotionOptions of(const System& system) const;
};

// A motion, or what is found along one.
template <class Work>
auto watched_motion(const System& system, MotionOptions asked, const py::object& progress, Work&& work) {
  Watch watch(progress);
  const double start = given_state(system).t, end = asked.t_end;
  asked.keep_going = [&watch, start, end](double t) {
    return watch.keep_going(end == start ? 1.0 : (t - start) / (end - start), t);
  };
  return watched(watch, [&] { return work(asked); });
}

inline std::vector<Form> forms_named(const Names& names) { return {names.begin(), names.end()}; }
inline std::optional<Form> form_named(const std::optional<std::string>& name) {
  return name ? std::optional<Form>(*name) : std::nullopt;
}

// A copy of its own.
template <class Number>
py::array_t<Number> array_of(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

// Each source adds what it is about to the module and to its models.
void bind_models(py::module_& module, py::class_<Model>& model);
void bind_answers(py::module_& module, py::class_<Model>& model);
void bind_expressions(py::module_& module, py::class_<Model>& model);
void bind_pairs(py::module_& module, py::class_<Model>& model);
void bind_motions(py::module_& module, py::class_<Model>& model);
void bind_stability(py::class_<Model>& model);
void bind_sweeps(py::module_& module, py::class_<Model>& model);
void bind_functions(py::module_& module, py::class_<Model>& model);
void bind_verification(py::module_& module, py::class_<Model>& model);

}  // namespace cetaev::python
