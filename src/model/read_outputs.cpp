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
  elaborator_->set_reactions(multipliers, contact_forces(multipliers));
  std::vector<std::string> columns = {"t", "E", "residual"};
  for (std::size_t i = 1; i <= system_.constraints.size(); ++i) columns.push_back("lambda" + std::to_string(i));
  for (const Entry& entry : table->entries) {
    if (!is_name(entry.key))
      fail(in_quotes(entry.key) +
               " cannot be the name of an output: names have letters, digits and '_' and begin with a letter",
           entry.offset);
    // With other constraints there are other multipliers: what the file says about its own goes.
    if (changes_.constraints && entry.value.text.find("lambda[") != std::string::npos) continue;
    const Names::Entry* taken = names_->find(entry.key);
    if ((taken != nullptr && taken->kind == NameKind::coordinate) ||
        std::find(columns.begin(), columns.end(), entry.key) != columns.end())
      fail(in_quotes(entry.key) + " is a column of every motion already; an output needs a name of its own",
           entry.offset);
    const Quantity value = elaborator_->quantity(expression(source_, entry.value, "the output " + in_quotes(entry.key)),
                                                 Contents::along_motions());
    system_.outputs.push_back(
        {entry.key, {value.span().begin(), value.span().end()}, source_.position(entry.value.offset)});
  }
  system_.multipliers = std::move(multipliers);
}

void ModelReader::read_units() {
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
