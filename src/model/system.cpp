#include "cetaev/model/system.hpp"

#include <array>
#include <utility>

namespace cetaev {

namespace {

// Calls visit(e) for every expression of the data that is there. Everything that SystemData gains has to be visited here, else a
// scratch copy would refer to the context of its original.
template <typename Visit>
class EveryExpression {
 public:
  explicit EveryExpression(Visit visit) : visit_(std::move(visit)) {}

  void operator()(SystemData& data) {
    each(data.motion.q);
    each(data.motion.v);
    each(data.motion.a);
    one(data.motion.t);
    for (Parameter& parameter : data.parameters) one(parameter.symbol), one(parameter.definition);
    for (Point& point : data.points) one(point.mass), each(point.position);
    for (Definition& definition : data.definitions) each(definition.components);
    for (Frame& frame : data.frames) each(frame.rotation.entries), each(frame.omega);
    for (Body& body : data.bodies) {
      one(body.mass), each(body.centre), each(body.inertia), one(body.kinetic);
      if (!body.twist) continue;
      for (auto* vector : {&body.twist->velocity, &body.twist->velocity_in, &body.twist->omega, &body.twist->omega_in})
        each(*vector);
    }
    for (Contact& contact : data.contacts) each(contact.point), each(contact.normal);
    for (SizeCondition& condition : data.conditions) one(condition.value), one(condition.beside);
    one(data.lagrangian);
    one(data.kinetic);
    one(data.potential);
    one(data.kinetic_besides_points);
    each(data.forces);
    for (EnergyPart& part : data.kinetic_parts) one(part.energy);
    for (EnergyPart& part : data.potential_parts) one(part.energy);
    for (ForcePart& part : data.force_parts) each(part.forces);
    constraints(data.constraints);
    for (Alternative& alternative : data.alternatives) constraints(alternative.constraints);
    constraints(data.substituted);
    each(data.auxiliary);
    if (data.transpositional) each(data.transpositional->A.entries);
    for (NamedExpression& named : data.quasi_velocities) one(named.expression);
    for (NamedExpression& named : data.integrals) one(named.expression);
    for (ClosedForm& form : data.closed_form) one(form.expression);
    for (Event& event : data.events) one(event.when);
    for (Output& output : data.outputs) each(output.components);
    each(data.multipliers);
    each(data.initial.q);
    each(data.initial.v);
    one(data.initial.t);
    each(data.initial.lambda);
    each(data.initial.lambda0);
    if (data.view) view(*data.view);
  }

 private:
  void one(Expr& e) {
    if (e) visit_(e);
  }
  void one(std::optional<Expr>& e) {
    if (e) one(*e);
  }
  template <typename List>
  void each(List& list) {
    for (auto& e : list) one(e);
  }
  void constraints(std::vector<Constraint>& list) {
    for (Constraint& constraint : list) one(constraint.expression);
  }
  void view(View& view) {
    for (View::Mark& mark : view.points) each(mark.at);
    for (View::Mark& mark : view.traces) each(mark.at);
    for (auto& link : view.links)
      for (View::Vector& place : link) each(place);
    for (View::Blade& blade : view.blades) each(blade.at), each(blade.along);
    for (View::Wheel& wheel : view.wheels) {
      each(wheel.at);
      each(wheel.axle);
      one(wheel.radius);
      if (wheel.spoke) each(*wheel.spoke);
    }
    for (View::Ball& ball : view.balls) each(ball.at), one(ball.radius);
  }

  Visit visit_;
};

}  // namespace

std::string_view name_of(Transpositional::View view) {
  switch (view) {
    case Transpositional::View::written: return "";
    case Transpositional::View::hoelder: return "hoelder";
    case Transpositional::View::suslov: return "suslov";
    case Transpositional::View::mvm2: return "mvm2";
    case Transpositional::View::mvm3: return "mvm3";
  }
  return "";
}

std::span<const Transpositional::View> named_views() {
  using enum Transpositional::View;
  static constexpr std::array views = {hoelder, suslov, mvm2, mvm3};
  return views;
}

std::optional<Transpositional::View> view_named(std::string_view name) {
  for (const Transpositional::View view : named_views()) {
    if (name_of(view) == name) return view;
  }
  return std::nullopt;
}

std::string Constraint::label() const {
  if (component < 0) return text;
  return text + " (" + "xyz"[component] + ")";
}

std::string Output::column(std::size_t component) const {
  return components.size() == 1 ? name : name + "." + "xyz"[component];
}

std::vector<std::string> SystemData::output_columns() const {
  std::vector<std::string> names;
  for (const Output& output : outputs)
    for (std::size_t c = 0; c < output.components.size(); ++c) names.push_back(output.column(c));
  return names;
}

std::vector<Expr> SystemData::output_expressions() const {
  std::vector<Expr> expressions;
  for (const Output& output : outputs)
    expressions.insert(expressions.end(), output.components.begin(), output.components.end());
  return expressions;
}

std::string_view SystemData::unit_of(std::string_view of) const {
  for (const Unit& unit : units)
    if (unit.of == of) return unit.unit;
  return {};
}

bool SystemData::declares_unit_of(std::string_view of) const {
  return std::any_of(units.begin(), units.end(), [&](const Unit& unit) { return unit.of == of && unit.declared; });
}

System::System(SystemData data) {
  data.context->freeze();
  data_ = std::make_shared<const SystemData>(std::move(data));
}

System System::scratch() const {
  return scratch([](std::span<const Expr>) {});
}

System System::scratch(const std::function<void(std::span<const Expr>)>& also) const {
  auto data = std::make_shared<SystemData>(*data_);
  // Everything, also what only led to the expressions below: terms are ordered by first appearance, and so read as in the original.
  const Context::Copy copy = data_->context->copy();
  data->context = copy.context;
  EveryExpression([&](Expr& e) { e = copy.images[e.id()]; })(*data);
  also(copy.images);
  return System(std::shared_ptr<const SystemData>(std::move(data)));
}

System System::into(std::shared_ptr<Context> context) const {
  auto copy = std::make_shared<SystemData>(*data_);
  copy->context = std::move(context);
  std::vector<Expr> expressions;
  EveryExpression([&](Expr& e) { expressions.push_back(e); })(*copy);
  expressions = transfer(expressions, *copy->context);
  auto next = expressions.begin();
  EveryExpression([&](Expr& e) { e = *next++; })(*copy);
  return System(std::shared_ptr<const SystemData>(std::move(copy)));
}

System System::workable() const { return data_->context->frozen() ? scratch() : *this; }

}  // namespace cetaev
