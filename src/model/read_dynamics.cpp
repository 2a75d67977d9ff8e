// Energies, forces, constraints, and the lists that go with them.
#include <algorithm>
#include <array>
#include <map>

#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/model/choice.hpp"
#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

// A text as it is written, or, when it has several lines, those lines joined by single spaces.
std::string on_one_line(const std::string& text) {
  if (text.find('\n') == std::string::npos) return text;
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n\r") == std::string_view::npos; }

// "1 row", "2 rows"
std::string counted(std::size_t count, const std::string& one, const std::string& several = {}) {
  return std::to_string(count) + " " + (count == 1 ? one : several.empty() ? one + "s" : several);
}

}  // namespace

void ModelReader::read_energies() {
  const Entry *lagrangian = find("lagrangian"), *kinetic = find("kinetic"), *potential = find("potential");
  for (const Entry* other : {kinetic, potential, find("gravity"), find("springs")})
    if (lagrangian != nullptr && other != nullptr)
      fail(in_quotes(other->key) + " beside 'lagrangian': " +
               (other == kinetic || other == potential ? "a model has one or the other"
                                                       : "the Lagrangian says already what the energies are"),
           std::max(other->offset, lagrangian->offset));
  if (lagrangian == nullptr && kinetic == nullptr && potential == nullptr && system_.points.empty() &&
      system_.bodies.empty())
    fail("the model has no energy: it needs 'lagrangian', or any of 'kinetic', 'potential', [[points]] and [[bodies]]",
         0);

  if (lagrangian != nullptr) {
    read_masses(false);
    system_.lagrangian =
        elaborator_->scalar(expression(source_, lagrangian->value, "the Lagrangian"), Contents::velocities_too());
    return;
  }
  const auto energy = [&](const Entry* entry, const std::string& what, std::vector<EnergyPart>& parts) {
    if (entry == nullptr) return system_.context->zero();
    const Expr value = elaborator_->scalar(expression(source_, entry->value, what), Contents::velocities_too());
    parts.push_back({"as written", value});
    return value;
  };
  Expr besides = energy(kinetic, "the kinetic energy", system_.kinetic_parts);
  for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
    const Body& body = system_.bodies[i];
    besides = besides + body.kinetic;
    system_.kinetic_parts.push_back({body.name.empty() ? "body " + std::to_string(i + 1) : body.name, body.kinetic});
  }
  system_.kinetic_besides_points = besides;
  system_.kinetic = besides + read_masses(true);
  const Expr written = energy(potential, "the potential energy", system_.potential_parts);
  const Expr weight = read_gravity(), springs = read_springs();
  system_.potential = written + weight + springs;
  system_.lagrangian = *system_.kinetic - *system_.potential;
}

// The masses of the points, and their kinetic energy ½ Σ m |Dₜ P|².
Expr ModelReader::read_masses(bool required) {
  std::vector<Expr> energies;
  for (std::size_t i = 0; i < system_.points.size(); ++i) {
    Point& point = system_.points[i];
    const TomlValue& table = find("points")->value.elements[i];
    const Entry* mass = table.find("mass");
    const std::string whose = point.name.empty() ? std::to_string(i + 1) : point.name;
    if (mass == nullptr) {
      if (required)
        fail("point " + in_quotes(whose) + " has no 'mass'; a point without mass has mass = 0", table.offset);
      continue;
    }
    point.mass = elaborator_->scalar(expression(source_, mass->value, "the mass of point " + in_quotes(whose)),
                                     Contents::positions());
    std::array<Expr, 3> squares;
    for (std::size_t c = 0; c < 3; ++c) squares[c] = pow(elaborator_->total_derivative(point.position[c]), Rational(2));
    energies.push_back(Rational(1, 2) * (point.mass * system_.context->sum(squares)));
    if (required)
      system_.kinetic_parts.push_back({point.name.empty() ? "point " + whose : point.name, energies.back()});
  }
  return system_.context->sum(energies);
}

void ModelReader::read_forces() {
  system_.forces.assign(system_.size(), system_.context->zero());
  const TomlValue* table = optional_table("forces", "a table of expressions by coordinate");
  if (table == nullptr) return;
  std::vector<Expr> forces = system_.forces;
  for (const Entry& entry : table->entries) {
    const Names::Entry* name = names_->find(entry.key);
    if (name == nullptr || name->kind != NameKind::coordinate)
      unknown_key(source_, entry, system_.coordinates, " in [forces]");
    forces[name->index] = elaborator_->scalar(expression(source_, entry.value, "the force on " + in_quotes(entry.key)),
                                              Contents::velocities_too());
  }
  add_forces("forces", std::move(forces));
}

void ModelReader::read_constraints() {
  const TomlValue* list = optional_array("constraints", "an array of equations");
  if (changes_.constraints) {
    std::size_t entry = 0;
    for (const std::string& text : *changes_.constraints) {
      if (!is_blank(text))
        add_constraints(system_.constraints, entry++, text, tried("--constraint", text, "a constraint", true));
    }
  } else if (list != nullptr) {
    system_.constraints = constraint_list(*list);
  }
  const TomlValue* substituted = optional_array("substituted", "an array of equations");
  if (substituted != nullptr) system_.substituted = constraint_list(*substituted);
}

// Behind all others, contacts included.
void ModelReader::read_driven() {
  const std::size_t before = system_.constraints.size();
  std::size_t entry = before == 0 ? 0 : system_.constraints.back().entry + 1;
  std::map<std::string, std::string> followed;  // by the left side, without spaces
  for (const std::string& text : changes_.along) {
    const ExpressionText equation = tried("--along", text, "the motion to be followed", true);
    const auto refuse = [&](const std::string& why) {
      equation.origin.fail(ErrorCode::bad_model, why, equation.syntax.nodes[equation.syntax.left].offset);
    };
    std::string left = text.substr(0, text.find('='));
    std::erase_if(left, [](char c) { return c == ' ' || c == '\t'; });
    if (const auto [known, added] = followed.try_emplace(left, text); !added)
      refuse("two motions are given to " + in_quotes(left) + ": \"" + known->second + "\" and \"" + text +
             "\"; one of them is enough");
    const std::size_t first = system_.constraints.size();
    add_constraints(system_.constraints, entry++, text, equation);
    if (first == system_.constraints.size()) refuse("nothing is to be followed: the two sides are the same");
    for (std::size_t i = first; i < system_.constraints.size(); ++i) {
      if (system_.constraints[i].order > 0)
        refuse("a motion to be followed gives positions, as in \"x = sin(t)\"; this is an equation of " +
               std::string(system_.constraints[i].order == 1 ? "velocities" : "accelerations"));
    }
  }
  system_.driven = system_.constraints.size() - before;
}

void ModelReader::read_alternatives() {
  const std::string wanted = "a table of tables, each beginning with [alternatives.NAME]";
  const TomlValue* table = optional_table("alternatives", wanted);
  if (table == nullptr) return;
  static const std::vector<std::string> keys = {"constraints"};
  for (const Entry& entry : table->entries) {
    const std::string what = "the alternative " + in_quotes(entry.key);
    expect(source_, entry.value, TomlValue::Kind::table, what, "a table with 'constraints'");
    if (entry.key.empty()) fail("an alternative needs a name", entry.offset);
    check_keys(source_, entry.value, keys, " in [alternatives." + entry.key + "]");
    const Entry* list = entry.value.find("constraints");
    if (list == nullptr) fail(what + " has no 'constraints'", entry.offset);
    expect(source_, list->value, TomlValue::Kind::array, "'constraints' of " + what, "an array of equations");
    if (list->value.elements.empty() && !system_.constraints.empty())
      fail("'constraints' of " + what + " is empty, but the model has constraints", list->value.offset);
    system_.alternatives.push_back({entry.key, constraint_list(list->value), source_.position(entry.offset)});
  }
}

std::vector<Constraint> ModelReader::constraint_list(const TomlValue& list) {
  std::vector<Constraint> constraints;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    const TomlValue& element = list.elements[i];
    add_constraints(constraints, i, element.text, expression(source_, element, "a constraint", true));
  }
  return constraints;
}

void ModelReader::add_constraints(std::vector<Constraint>& constraints, std::size_t entry, const std::string& text,
                                  const ExpressionText& equation) {
  const Quantity value = elaborator_->quantity(equation);
  Constraint constraint;
  constraint.text = on_one_line(text);
  constraint.entry = entry;
  constraint.position =
      equation.origin.source().position(equation.origin.offset(equation.syntax.nodes[equation.syntax.left].offset));
  for (std::size_t c = 0; c < value.size(); ++c) {
    if (elaborator_->vanishes(value.components[c])) continue;
    constraint.component = value.vector ? static_cast<int>(c) : -1;
    constraint.expression = value.components[c];
    constraints.push_back(settled(constraint, value.order));
  }
}

ExpressionText ModelReader::tried(const char* option, const std::string& text, const std::string& what,
                                  bool equation_allowed) {
  const SourceText& source = tried_.emplace_back(option, text);
  const Origin origin = Origin::bare(source, 0);
  return {parse_syntax(source.text(), origin, equation_allowed), origin, what};
}

// With its order, and without derivatives that have no influence: those of the highest order that occur in factors alone that are never
// zero, as in (1 + x'^2)*(x - y), say nothing.
Constraint ModelReader::settled(Constraint constraint, int order_bound) {
  constraint.order = elaborator_->order(constraint.expression, order_bound);
  while (constraint.order > 0) {
    const auto& highest = constraint.order == 2 ? system_.motion.a : system_.motion.v;
    const std::optional<Expr> lower = zeros_without(constraint.expression, highest);
    if (!lower) break;
    constraint.expression = *lower;
    constraint.order = elaborator_->order(*lower, constraint.order - 1);
  }
  // A velocity or acceleration that occurs without any influence, as in sin(x'')² + cos(x'')², is given a value, so
  // that the later stages find the variables that the order promises and no others.
  const Motion& motion = system_.motion;
  std::vector<Expr> idle;
  const auto symbols = order_bound > constraint.order ? free_symbols(constraint.expression) : std::vector<Expr>();
  for (const Expr symbol : symbols) {
    const bool velocity = constraint.order < 1 && std::find(motion.v.begin(), motion.v.end(), symbol) != motion.v.end();
    const bool acceleration =
        constraint.order < 2 && std::find(motion.a.begin(), motion.a.end(), symbol) != motion.a.end();
    if (velocity || acceleration) idle.push_back(symbol);
  }
  for (long value = 0; !idle.empty() && value < 4; ++value) {
    std::vector<Replacement> replacements;
    replacements.reserve(idle.size());
    for (const Expr symbol : idle) replacements.emplace_back(symbol, system_.context->number(Rational(value, 3)));
    try {
      constraint.expression = substitute(constraint.expression, replacements);
      break;
    } catch (const Error&) {
      // Not defined at this value: the next.
    }
  }
  return constraint;
}

void ModelReader::read_dependent() {
  const TomlValue* list = optional_array("dependent", "an array of coordinates");
  if (list == nullptr || other_constraints()) return;
  system_.dependent_position = source_.position(list->offset);
  std::vector<std::size_t> indices;
  for (const TomlValue& element : list->elements) {
    expect(source_, element, TomlValue::Kind::string, "an entry of 'dependent'", "the name of a coordinate");
    const Names::Entry* name = names_->find(element.text);
    if (name == nullptr || name->kind != NameKind::coordinate)
      fail(in_quotes(element.text) + " in 'dependent' is not a coordinate", string_place(element),
           closest(element.text, system_.coordinates));
    if (std::find(indices.begin(), indices.end(), name->index) != indices.end())
      fail(in_quotes(element.text) + " is named twice in 'dependent'", string_place(element));
    indices.push_back(name->index);
  }
  system_.dependent = std::move(indices);
}

void ModelReader::read_auxiliary() {
  const TomlValue* list = optional_array("auxiliary", "an array of expressions");
  if (changes_.auxiliary) {
    for (const std::string& text : *changes_.auxiliary) {
      if (is_blank(text)) continue;
      system_.auxiliary.push_back(
          elaborator_->scalar(tried("--auxiliary", text, "an auxiliary function"), Contents::velocities_too()));
    }
    return;
  }
  if (list == nullptr) return;
  for (const TomlValue& element : list->elements)
    system_.auxiliary.push_back(
        elaborator_->scalar(expression(source_, element, "an auxiliary function"), Contents::velocities_too()));
}

void ModelReader::read_transpositional() {
  const auto named = [&](const std::string& name, const SourcePosition& place) {
    const auto view = view_named(name);
    if (view) return Transpositional{*view, {}, place};
    std::vector<std::string> names;
    for (const Transpositional::View known : named_views()) names.emplace_back(name_of(known));
    throw unknown_choice("point of view on transpositional relations", name, names).at(place);
  };
  if (const auto& view = changes_.transpositional) {
    system_.transpositional = named(*view, SourceText("--transpositional", *view).position(0));
    return;
  }
  const Entry* entry = find("transpositional");
  if (entry == nullptr) return;
  const TomlValue& value = entry->value;
  if (value.kind == TomlValue::Kind::string) {
    system_.transpositional = named(value.text, source_.position(string_place(value)));
    return;
  }
  const std::size_t n = system_.size();
  expect(source_, value, TomlValue::Kind::array, "'transpositional'",
         "a matrix of expressions, an array of rows, or one of hoelder, suslov, mvm2, mvm3");
  const std::string asked = ": as many as coordinates, " + std::to_string(n) + ", are needed";
  if (value.elements.size() != n)
    fail("'transpositional' has " + counted(value.elements.size(), "row") + asked, value.offset);
  Transpositional relations{Transpositional::View::written, {n, n, {}}, source_.position(value.offset)};
  for (std::size_t i = 0; i < n; ++i) {
    const TomlValue& row = value.elements[i];
    const std::string what = "row " + std::to_string(i + 1) + " of 'transpositional'";
    expect(source_, row, TomlValue::Kind::array, what, "an array of expressions");
    if (row.elements.size() != n)
      fail(what + " has " + counted(row.elements.size(), "entry", "entries") + asked, row.offset);
    for (const TomlValue& element : row.elements)
      relations.A.entries.push_back(
          elaborator_->scalar(expression(source_, element, "an entry of 'transpositional'"), Contents::anything()));
  }
  system_.transpositional = std::move(relations);
}

void ModelReader::read_quasi_velocities() {
  const TomlValue* table = optional_table("quasi_velocities", "a table of expressions");
  if (table == nullptr || other_constraints()) return;
  for (const Entry& entry : table->entries) {
    check_name(entry.key, "a quasi-velocity", entry.offset);
    const ExpressionText text = expression(source_, entry.value, "the quasi-velocity " + in_quotes(entry.key));
    const Expr e = elaborator_->scalar(text, Contents::velocities_too());
    check_linear(e, text);
    system_.quasi_velocities.push_back({entry.key, e, source_.position(entry.value.offset)});
  }
}

// u = Y(q,t) v + y₀(q,t)
void ModelReader::check_linear(Expr e, const ExpressionText& text) {
  const auto& v = system_.motion.v;
  for (const Expr slope : gradient(e, v)) {
    for (const Expr symbol : free_symbols(slope)) {
      if (std::find(v.begin(), v.end(), symbol) == v.end()) continue;
      if (elaborator_->vanishes(derivative(slope, symbol))) continue;
      text.origin.fail(ErrorCode::bad_model, text.what + " is not linear in the velocities",
                       text.syntax.nodes[text.syntax.left].offset);
    }
  }
}

}  // namespace cetaev::model
