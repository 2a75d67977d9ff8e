// Two of them: two principles, two models, two sets of constraints.
#include <cmath>
#include <tuple>

#include "bindings.hpp"
#include "cetaev/analysis/two_models.hpp"
#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/report/equivalence.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/two_models.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev::python {

namespace {

// One for both models, or one for each; multipliers where none is named.
std::pair<Form, Form> two_forms(const Names& names) {
  if (names.size() > 2) throw Error(ErrorCode::bad_model, "there are two models, and at most two forms");
  if (names.empty()) return {Form::multipliers, Form::multipliers};
  return {Form(names.front()), Form(names.back())};
}

// How two motions are put beside each other.
struct Beside {
  std::size_t states = 0, seed = 0;
  double tolerance = 0;
  std::optional<double> t_end;
  double threshold = 0;
  std::optional<std::string> method;

  Beside(std::size_t states_, std::size_t seed_, double tolerance_, std::optional<double> t_end_, double threshold_,
         std::optional<std::string> method_)
      : states(states_),
        seed(seed_),
        tolerance(tolerance_),
        t_end(t_end_),
        threshold(threshold_),
        method(std::move(method_)) {
    if (t_end && !std::isfinite(*t_end)) throw Error(ErrorCode::bad_model, "t_end needs a finite time");
    if (!(threshold > 0)) throw Error(ErrorCode::bad_model, "threshold needs a positive number");
  }
};

Texts compare_forms(const Model& model, const std::string& first, const std::string& second, const Beside& how) {
  return apart([&] {
    const System& system = model.system();
    const Comparison& found = model.bench().compare(Form(first), Form(second), {how.states, how.seed, how.tolerance});
    if (!how.t_end) return Texts{to_json(system, found), to_text(system, found)};
    MotionOptions motion = default_options(system);
    motion.t_end = *how.t_end;
    if (how.method) motion.method = parse_method(*how.method);
    const MotionComparison along = compare_motions(system, Form(first), Form(second), motion, how.threshold);
    return Texts{to_json(system, found, &along), to_text(system, found) + to_text(system, along)};
  });
}

// `forms` are of both models, or of this one and of the other.
Texts compare_with(const Model& model, const Model& other, const Names& map, const Names& forms, const Beside& how) {
  return apart([&] {
    TwoModelsOptions two;
    two.at_states = {how.states, how.seed, how.tolerance};
    two.t_end = how.t_end;
    two.threshold = how.threshold;
    std::tie(two.first, two.second) = two_forms(forms);
    if (how.method) two.method = parse_method(*how.method);
    const TwoModels found = compare_models(model.system(), other.system(), map, two);
    const System& to =
        CoordinateMap(model.system(), other.system(), map).from_first() ? other.system() : model.system();
    return Texts{to_json(to, found), to_text(to, found)};
  });
}

Texts limit_of(const Model& model, const Model& other, const std::string& vary, const Names& map, const Names& forms,
               std::optional<double> t_end) {
  return apart([&] {
    const Along along = Along::parse(vary);
    LimitOptions options{.from = along.from, .to = along.to, .count = along.count, .t_end = t_end};
    std::tie(options.first, options.second) = two_forms(forms);
    const Limit found = find_limit(model.system(), other.system(), along.name, map, options);
    const std::string &name = model.system()->name, &limit = other.system()->name;
    return Texts{to_json(found, name, limit), to_text(found, name, limit)};
  });
}

NamedEquivalence against(const System& system, const std::string& name, bool alternative, System second) {
  Equivalence found = compare_sets(system, second, name);
  return {name, alternative, std::move(second), std::move(found)};
}

Texts equivalent_to(const Model& model, const Model& other, const std::string& name) {
  return apart([&] {
    const NamedEquivalence found =
        against(model.system(), name, false, with_constraints_of(model.system(), other.system()));
    return Texts{to_json(model.system(), found), to_text(model.system(), found)};
  });
}

// An alternative of the model, or all of them.
Texts equivalent_alternatives(const Model& model, const std::optional<std::string>& name) {
  return apart([&] {
    const System& system = model.system();
    std::vector<NamedEquivalence> found;
    std::string text;
    for (const Alternative& one : system->alternatives) {
      if (name && one.name != *name) continue;
      found.push_back(against(system, one.name, true, with_alternative(system, one)));
      text += (text.empty() ? "" : "\n") + to_text(system, found.back());
    }
    if (found.empty())
      throw Error(ErrorCode::bad_model, name ? "the model has no alternative '" + *name + "'"
                                             : "the model has no [alternatives] to compare its constraints with; name "
                                               "another model");
    return Texts{name ? to_json(system, found.front()) : to_json(system, found), text};
  });
}

}  // namespace

void bind_pairs(py::module_& module, py::class_<Model>& model) {
  py::class_<Beside>(module, "Beside")
      .def(py::init<std::size_t, std::size_t, double, std::optional<double>, double, std::optional<std::string>>());
  model.def("compare", &compare_forms)
      .def("compare_with", &compare_with)
      .def("limit", &limit_of)
      .def("equivalent", &equivalent_to)
      .def("equivalent_alternatives", &equivalent_alternatives);
}

}  // namespace cetaev::python
