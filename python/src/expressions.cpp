// Expressions of a model, and texts in its language.
#include "bindings.hpp"
#include "cetaev/detail/energy/energy_of.hpp"
#include "cetaev/detail/model/written_expression.hpp"
#include "flat_list.hpp"

namespace cetaev::python {

namespace {

// All that the model has, by the keys of its file, and its energy.
py::tuple own_expressions(const Model& model) {
  const System system = model.system().scratch();
  FlatList flat;
  py::dict all;
  const auto named = [&](const auto& list, const auto& name, const auto& value) {
    py::dict result;
    for (const auto& one : list)
      if (!std::string(name(one)).empty()) result[py::str(std::string(name(one)))] = flat.add(value(one));
    return result;
  };
  const auto own_name = [](const auto& one) { return one.name; };
  const auto expression = [](const auto& one) { return one.expression; };
  all["lagrangian"] = flat.add(system->lagrangian);
  all["energy"] = flat.add(energy_of(system));
  if (system->kinetic) all["kinetic"] = flat.add(*system->kinetic);
  if (system->potential) all["potential"] = flat.add(*system->potential);
  py::dict forces;
  for (std::size_t i = 0; i < system->size(); ++i)
    forces[py::str(system->coordinates[i])] = flat.add(system->forces[i]);
  all["forces"] = forces;
  py::list constraints, auxiliary;
  for (const Constraint& constraint : system->constraints) constraints.append(flat.add(constraint.expression));
  for (const Expr e : system->auxiliary) auxiliary.append(flat.add(e));
  all["constraints"] = constraints;
  all["auxiliary"] = auxiliary;
  const auto components = [](const auto& one) { return std::span<const Expr>(one.components); };
  all["definitions"] = named(system->definitions, own_name, components);
  all["outputs"] = named(system->outputs, own_name, components);
  all["points"] = named(system->points, own_name, [](const Point& p) { return std::span<const Expr>(p.position); });
  all["bodies"] = named(system->bodies, own_name, [](const Body& b) { return std::span<const Expr>(b.centre); });
  all["contacts"] = named(system->contacts, own_name, [](const Contact& c) { return std::span<const Expr>(c.point); });
  all["omega"] = named(system->frames, own_name, [](const Frame& f) { return std::span<const Expr>(f.omega); });
  all["quasi_velocities"] = named(system->quasi_velocities, own_name, expression);
  all["integrals"] = named(system->integrals, own_name, expression);
  all["events"] = named(system->events, own_name, [](const Event& event) { return event.when; });
  all["parameters"] = named(
      system->parameters, [](const Parameter& p) { return p.symbol.name(); },
      [](const Parameter& p) { return p.definition; });
  all["closed_form"] = named(
      system->closed_form, [&](const ClosedForm& c) { return system->coordinates[c.coordinate]; }, expression);
  return py::make_tuple(flat.entries(), all);
}

// In the names of the model: what a point or a definition stands for is written out.
py::tuple expanded(const Model& model, const std::string& text) {
  const System system = model.system().scratch();
  const std::vector<Expr> found = apart([&] { return parse_quantity(system, text); });
  FlatList flat;
  py::object root = flat.add(found);
  return py::make_tuple(flat.entries(), root);
}

// As it stands.
py::tuple written(const std::string& text) {
  const WrittenExpression found = written_expression(text);
  py::list entries;
  for (const WrittenExpression::Node& node : found.nodes)
    entries.append(py::make_tuple(std::string(node.op), node.text, node.operands));
  return py::make_tuple(entries, found.sides);
}

}  // namespace

void bind_expressions(py::module_& module, py::class_<Model>& model) {
  model.def("expressions", &own_expressions).def("expanded", &expanded);
  module.def("written_expression", &written);
}

}  // namespace cetaev::python
