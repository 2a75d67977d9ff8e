#include "values.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "unicode.hpp"

namespace cetaev::model {

std::span<const std::string> model_keys() {
  static const std::vector<std::string> keys = {
      "name",      "description",     "source",      "group",       "coordinates",  "lagrangian",       "kinetic",
      "potential", "points",          "definitions", "constraints", "alternatives", "substituted",      "dependent",
      "auxiliary", "transpositional", "parameters",  "forces",      "initial",      "quasi_velocities", "simulation",
      "integrals", "closed_form",     "expect",      "events",      "view",         "frames",           "bodies",
      "contacts",  "springs",         "loads",       "gravity",     "dissipation",  "outputs",          "units"};
  return keys;
}

std::string short_decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

void unknown_key(const SourceText& source, const Entry& entry, std::span<const std::string> known,
                 const std::string& where) {
  const auto keys = model_keys();
  // The usual slip in TOML: a key of the model written after a [table] belongs to that table.
  if (!where.empty() && std::find(keys.begin(), keys.end(), entry.key) != keys.end())
    source.fail(ErrorCode::bad_model,
                "unknown key " + in_quotes(entry.key) + where + "; it belongs before the first [table]", entry.offset);
  source.fail(ErrorCode::bad_model, "unknown key " + in_quotes(entry.key) + where, entry.offset,
              closest(entry.key, known));
}

void check_keys(const SourceText& source, const TomlValue& table, std::span<const std::string> known,
                const std::string& where) {
  for (const Entry& entry : table.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) unknown_key(source, entry, known, where);
}

void wrong_type(const SourceText& source, const TomlValue& value, const std::string& what, const std::string& wanted) {
  source.fail(ErrorCode::bad_model, what + " must be " + wanted + ", found " + std::string(kind_name(value.kind)),
              value.offset);
}

void expect(const SourceText& source, const TomlValue& value, TomlValue::Kind kind, const std::string& what,
            const std::string& wanted) {
  if (value.kind != kind) wrong_type(source, value, what, wanted);
}

ExpressionText expression(const SourceText& source, const TomlValue& value, const std::string& what,
                          bool equation_allowed) {
  if (value.kind == TomlValue::Kind::string) {
    const Origin origin = Origin::string(source, value.offset);
    return {parse_syntax(value.text, origin, equation_allowed), origin, what};
  }
  if (value.kind != TomlValue::Kind::number)
    wrong_type(source, value, what, equation_allowed ? "an equation in quotes" : "a number or an expression in quotes");
  if (value.text.ends_with("inf") || value.text.ends_with("nan"))
    source.fail(ErrorCode::bad_model, what + " is not finite", value.offset);
  const Origin origin = Origin::bare(source, value.offset);
  return {parse_syntax(value.text, origin), origin, what};
}

}  // namespace cetaev::model
