// [outputs] and [units]: what is to be seen of a motion.
#include <algorithm>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

// Expressions of positions, velocities, accelerations, time and reactions, along every motion.
void ModelReader::read_outputs() {
  const TomlValue* table = optional_table("outputs", "a table of expressions");
  if (table == nullptr) return;
  std::vector<Expr> multipliers;
  for (std::size_t i = 1; i <= system_.constraints.size(); ++i)
    multipliers.push_back(system_.context->symbol("lambda[" + std::to_string(i) + "]"));
  Elaborator::Properties properties = contact_forces(multipliers);
  add_shares(multipliers, properties);
  elaborator_->set_along_motions(multipliers, std::move(properties));
  for (const Entry& entry : table->entries) {
    if (!is_name(entry.key))
      fail(in_quotes(entry.key) +
               " cannot be the name of an output: names have letters, digits and '_' and begin with a letter",
           entry.offset);
    // With other constraints there are other multipliers: what the file says about its own goes.
    if (changes_.constraints && entry.value.text.find("lambda[") != std::string::npos) continue;
    const Names::Entry* taken = names_->find(entry.key);
    if (taken != nullptr && taken->kind == NameKind::coordinate)
      fail(in_quotes(entry.key) + " is a column of every motion already; an output needs a name of its own",
           entry.offset);
    check_column(entry.key, "an output", entry.offset);
    const ExpressionText text = expression(source_, entry.value, "the output " + in_quotes(entry.key));
    const Quantity value = elaborator_->quantity(text, Contents::along_motions());
    const auto is_reaction = [&](const SyntaxNode& node) {
      const Names::Entry* owner = names_->find(text.syntax.text_of(node));
      return node.kind == SyntaxNode::Kind::force_at ||
             (node.kind == SyntaxNode::Kind::power_of && owner != nullptr && owner->kind == NameKind::contact);
    };
    system_.outputs.push_back({entry.key,
                               {value.span().begin(), value.span().end()},
                               source_.position(entry.value.offset),
                               std::any_of(text.syntax.nodes.begin(), text.syntax.nodes.end(), is_reaction)});
  }
  system_.multipliers = std::move(multipliers);
}

// Energies of bodies, points and springs, powers F·v of loads and λ J v of the reactions at contacts, by their names.
void ModelReader::add_shares(std::span<const Expr> multipliers, Elaborator::Properties& properties) {
  Context& context = *system_.context;
  const auto add = [&](const std::string& name, const char* what, Expr e, int order = 1) {
    if (!name.empty()) properties.emplace(name + what, Quantity::scalar(e, order));
  };
  const auto weight = [&](Expr mass, const std::array<Expr, 3>& place) {
    return gravity_ ? -(mass * frames_->dot(*gravity_, place)) : context.zero();
  };
  for (const EnergyPart& part : system_.kinetic_parts)
    if (names_->find(part.of) != nullptr) add(part.of, ".kinetic", part.energy);
  for (const Point& point : system_.points) add(point.name, ".potential", weight(point.mass, point.position));
  for (const Body& body : system_.bodies) {
    add(body.name, ".kinetic", body.kinetic);
    add(body.name, ".potential", weight(body.mass, body.centre));
  }
  for (const EnergyPart& part : system_.potential_parts) add(part.of, ".potential", part.energy);
  const auto power = [&](std::span<const Expr> forces) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < system_.size(); ++j) terms.push_back(forces[j] * system_.motion.v[j]);
    return context.sum(terms);
  };
  for (const ForcePart& part : system_.force_parts) add(part.of, ".power", power(part.forces));
  for (std::size_t i = 0; i < written_contacts_.size(); ++i) {
    Expr total = context.zero();
    for (const WrittenContact::Row& row : written_contacts_[i].rows) {
      if (!row.constraint) continue;
      const Constraint& constraint = system_.constraints[*row.constraint];
      const auto& by = constraint.order == 0 ? system_.motion.q : system_.motion.v;
      total = total + multipliers[*row.constraint] * power(gradient(constraint.expression, by));
    }
    add(system_.contacts[i].name, ".power", total, 2);
  }
}

void ModelReader::read_units() {
  read_declared_units();
  for (std::size_t i = 0; i < system_.size(); ++i) {
    const std::string& x = system_.coordinates[i];
    const auto turns_by_it = [&](Expr angle) {
      const Expr share = derivative(angle, system_.motion.q[i]);
      return share.is_number() && !share.is_zero();
    };
    if (system_.unit_of(x).empty() && std::any_of(frames_->angles().begin(), frames_->angles().end(), turns_by_it))
      system_.units.push_back({x, "rad", false});
  }
  for (const auto& quaternion : quaternions_)
    for (const std::size_t i : quaternion)
      if (const std::string& x = system_.coordinates[i]; system_.unit_of(x).empty())
        system_.units.push_back({x, "1", false});
}

void ModelReader::read_declared_units() {
  const TomlValue* table = optional_table("units", "a table of units by name");
  if (table == nullptr) return;
  std::vector<std::string> known = system_.coordinates;
  for (const std::string& x : system_.coordinates) known.push_back(x + "'");
  for (const Parameter& parameter : system_.parameters) known.emplace_back(parameter.symbol.name());
  for (const Output& output : system_.outputs) known.push_back(output.name);
  for (const Entry& entry : table->entries) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      fail(in_quotes(entry.key) + " in [units] is not a coordinate, a velocity, a parameter or an output", entry.offset,
           closest(entry.key, known));
    expect(source_, entry.value, TomlValue::Kind::string, "the unit of " + in_quotes(entry.key), "a string");
    system_.units.push_back({entry.key, entry.value.text});
  }
}

}  // namespace cetaev::model
