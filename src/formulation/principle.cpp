#include "cetaev/formulation/principle.hpp"

#include <algorithm>
#include <deque>
#include <ostream>

#include "cetaev/detail/model/choice.hpp"
#include "principles.hpp"

namespace cetaev {

constinit const Form Form::multipliers(multipliers_principle);
constinit const Form Form::gauss(gauss_principle);
constinit const Form Form::maggi(maggi_principle);
constinit const Form Form::hamel(hamel_principle);
constinit const Form Form::voronec(voronec_principle);
constinit const Form Form::caplygin(caplygin_principle);
constinit const Form Form::appell(appell_principle);
constinit const Form Form::vakonomic(vakonomic_principle);
constinit const Form Form::mvm1(mvm1_principle);
constinit const Form Form::mvm2(mvm2_principle);
constinit const Form Form::mvm3(mvm3_principle);
constinit const Form Form::reduced(reduced_principle);

namespace {

std::vector<Form>& registry() {
  static std::vector<Form> all = {Form::multipliers, Form::gauss,    Form::maggi,  Form::hamel,
                                  Form::voronec,     Form::caplygin, Form::appell, Form::vakonomic,
                                  Form::mvm1,        Form::mvm2,     Form::mvm3,   Form::reduced};
  return all;
}

}  // namespace

std::span<const Form> principles() { return registry(); }

std::vector<Form> principles_of(const System& system) {
  std::vector<Form> result;
  for (const Form form : registry()) {
    if (form->listed == nullptr || form->listed(system)) result.push_back(form);
  }
  return result;
}

const Principle* find_principle(std::string_view name) {
  for (const Form form : registry()) {
    if (form->name == name) return &form.principle();
  }
  return nullptr;
}

Form register_principle(const Principle& principle) {
  static std::deque<Principle> added;  // they stay where they are
  if (find_principle(principle.name) != nullptr)
    throw Error(ErrorCode::bad_model, "there is a form '" + std::string(principle.name) + "' already");
  return registry().emplace_back(added.emplace_back(principle));
}

Form::Form(std::string_view name) : principle_(find_principle(name)) {
  if (principle_ != nullptr) return;
  std::vector<std::string> names;
  for (const Form form : registry()) names.push_back(form.name());
  throw unknown_choice("form", name, names);
}

std::string Form::name() const { return std::string(principle_->name); }

std::ostream& operator<<(std::ostream& out, Form form) { return out << form->name; }

std::string_view describe(FormState state) {
  switch (state) {
    case FormState::all_velocities: return "positions and all velocities";
    case FormState::independent_velocities: return "positions and the independent velocities";
    case FormState::quasi_velocities: return "positions and quasi-velocities";
    case FormState::velocities_and_multipliers: return "positions, all velocities and the multipliers";
  }
  return "";
}

std::optional<Error> Principle::obstacle(const Setting& setting) const {
  if (auto error = constraints_on_accelerations ? setting.nonlinear_accelerations(name) : setting.second_order(name))
    return error;
  return own_obstacle != nullptr ? own_obstacle(setting) : std::nullopt;
}

Formulation Principle::derive(const Setting& setting) const {
  if (const auto error = obstacle(setting)) throw *error;
  Formulation form = equations(setting);
  form.name = name;
  if (form.state.empty()) form.state = describe(state);
  return form;
}

}  // namespace cetaev
