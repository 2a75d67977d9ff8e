// The initial state, the defaults of runs, and settings from outside the file.
#include <algorithm>
#include <cmath>

#include "cetaev/detail/model/choice.hpp"
#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

// Needs the names; the values are read where they are used.
void ModelReader::read_settings(std::span<const std::string> settings) {
  for (const std::string& text : settings) {
    Setting& setting = settings_.emplace_back(Setting{SourceText("--set", text), {}, 0, {}});
    const std::string_view whole = setting.source.text();
    const std::size_t equals = whole.find('=');
    if (equals == std::string_view::npos)
      setting.source.fail(ErrorCode::bad_model, "a setting is written NAME=VALUE", whole.size());
    const std::size_t begin = std::min(whole.find_first_not_of(" \t"), equals);
    std::size_t end = equals;
    while (end > begin && (whole[end - 1] == ' ' || whole[end - 1] == '\t')) --end;
    setting.name = whole.substr(begin, end - begin);
    setting.name_offset = begin;

    const bool velocity = setting.name.ends_with('\'');
    const Names::Entry* entry = names_->find(velocity ? setting.name.substr(0, setting.name.size() - 1) : setting.name);
    const bool known =
        entry != nullptr && (entry->kind == NameKind::coordinate ||
                             (!velocity && (entry->kind == NameKind::parameter || entry->kind == NameKind::time)));
    if (!known) {
      std::vector<std::string> candidates;
      for (const Parameter& parameter : system_.parameters) candidates.emplace_back(parameter.symbol.name());
      for (const std::string& name : state_names(velocity)) candidates.push_back(name);
      setting.source.fail(ErrorCode::unknown_name,
                          in_quotes(setting.name) + " is not a parameter, a coordinate, a velocity or t of this model",
                          begin, closest(setting.name, candidates));
    }
    if (whole.find_first_not_of(" \t", equals + 1) == std::string_view::npos) {
      overrides_.erase(setting.name);
      continue;
    }
    const Origin origin = Origin::bare(setting.source, equals + 1);
    setting.value = ExpressionText{parse_syntax(whole.substr(equals + 1), origin), origin,
                                   "the value of " + in_quotes(setting.name)};
    overrides_[setting.name] = &setting;
  }
}

// Coordinates and velocities, the more likely first, for suggestions.
std::vector<std::string> ModelReader::state_names(bool velocities_first) const {
  std::vector<std::string> names = system_.coordinates;
  for (const std::string& x : system_.coordinates) names.push_back(x + "'");
  if (velocities_first)
    std::rotate(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(system_.size()), names.end());
  return names;
}

double ModelReader::value_of(Expr e) const {
  if (e.is_number()) return e.number().to_double();
  std::vector<Value> values;
  for (const Expr symbol : free_symbols(e)) values.emplace_back(symbol, parameter_values_.at(symbol.id()));
  return evaluate(e, values);
}

void ModelReader::require_finite(Expr e, const ExpressionText& text) const {
  if (std::isfinite(value_of(e))) return;
  text.origin.fail(ErrorCode::bad_model, text.what + " is not finite", text.syntax.nodes[text.syntax.left].offset);
}

Expr ModelReader::constant(const ExpressionText& text) {
  const Expr e = elaborator_->scalar(text, Contents::constants());
  require_finite(e, text);
  return e;
}

double ModelReader::number(const ExpressionText& text) { return value_of(constant(text)); }

// Of a quaternion of which nothing is written any turn may be meant: none. Else it is a turn whatever its length; what is not written of it is
// zero, and e0 what is left.
void ModelReader::begin_turned() {
  for (const auto& quaternion : quaternions_) {
    auto& q = system_.initial.q;
    const auto written = [&](std::size_t i) { return q[i].has_value(); };
    const bool anything = std::any_of(quaternion.begin(), quaternion.end(), written), e0 = written(quaternion[0]);
    if (!anything) {
      q[quaternion[0]] = system_.context->one();
      continue;
    }
    Expr square = system_.context->zero();
    for (const std::size_t i : quaternion) {
      if (!written(i)) q[i] = system_.context->zero();
      square = square + *q[i] * *q[i];
    }
    if (value_of(square) == 0) {
      const TomlValue* table = optional_table("initial", "a table");
      const std::string& first = system_.coordinates[quaternion[0]];
      const Entry* entry = table == nullptr ? nullptr : table->find(first);
      fail("the quaternion of " + in_quotes(first) + " is zero at the start, which is no turn; write " + first +
               " = 1 for the body unturned",
           entry == nullptr ? 0 : entry->offset);
    }
    if (!e0 && value_of(square) < 1) {
      q[quaternion[0]] = sqrt(system_.context->one() - square);
      continue;
    }
    for (const std::size_t i : quaternion) q[i] = *q[i] / sqrt(square);
  }
}

void ModelReader::read_initial() {
  InitialData& initial = system_.initial;
  initial.q.resize(system_.size());
  initial.v.resize(system_.size());
  const auto place_of = [&](const std::string& key) -> std::optional<Expr>* {
    const bool velocity = key.ends_with('\'');
    const Names::Entry* entry = names_->find(velocity ? key.substr(0, key.size() - 1) : key);
    if (entry == nullptr) return nullptr;
    if (entry->kind == NameKind::time && !velocity) return &initial.t;
    if (entry->kind != NameKind::coordinate) return nullptr;
    return velocity ? &initial.v[entry->index] : &initial.q[entry->index];
  };

  if (const TomlValue* table = optional_table("initial", "a table")) {
    for (const Entry& entry : table->entries) {
      // A coordinate may be called lambda; an array is always the multipliers. A parameter of that name is not set here.
      std::optional<Expr>* place = place_of(entry.key);
      if (entry.key == "lambda" && (place == nullptr || entry.value.kind == TomlValue::Kind::array)) {
        expect(source_, entry.value, TomlValue::Kind::array, "'lambda' in [initial]",
               names_->find(entry.key) == nullptr
                   ? "an array of numbers"
                   : "an array of numbers, the multipliers (the parameter 'lambda' has its value in [parameters])");
        if (other_constraints() && entry.value.elements.size() != system_.constraints.size()) continue;
        initial.has_lambda = true;
        for (const TomlValue& element : entry.value.elements)
          initial.lambda.push_back(constant(expression(source_, element, "an entry of 'lambda'")));
        continue;
      }
      if (entry.key == "lambda0" && (place == nullptr || entry.value.kind == TomlValue::Kind::array)) {
        read_lambda0(entry.value);
        continue;
      }
      if (place == nullptr) {
        if (entry.key.ends_with("''") && names_->find(entry.key.substr(0, entry.key.size() - 2)) != nullptr)
          fail("the initial state has positions and velocities, no accelerations", entry.offset);
        std::vector<std::string> known = state_names(entry.key.ends_with('\''));
        known.insert(known.end(), {"t", "lambda", "lambda0"});
        unknown_key(source_, entry, known, " in [initial]");
      }
      *place = constant(expression(source_, entry.value, "the initial value of " + in_quotes(entry.key)));
    }
  }
  for (const Setting& setting : settings_) {
    std::optional<Expr>* place = place_of(setting.name);
    if (place == nullptr) continue;
    place->reset();
    if (setting.value) *place = constant(*setting.value);
  }
}

void ModelReader::read_lambda0(const TomlValue& list) {
  expect(source_, list, TomlValue::Kind::array, "'lambda0' in [initial]",
         "an array of numbers, one for each auxiliary function");
  const std::size_t given = list.elements.size(), functions = system_.auxiliary.size();
  if (given != functions && changes_.auxiliary) return;
  if (given != functions)
    fail("'lambda0' in [initial] has " + std::to_string(given) + (given == 1 ? " entry" : " entries") + ", but there " +
             (functions == 1 ? "is 1 auxiliary function" : "are " + std::to_string(functions) + " auxiliary functions"),
         list.offset);
  for (const TomlValue& element : list.elements)
    system_.initial.lambda0.push_back(constant(expression(source_, element, "an entry of 'lambda0'")));
}

std::optional<SimulationDefaults::Choice> ModelReader::read_word(const TomlValue& table, std::string_view key,
                                                                 const std::string& where) const {
  const Entry* entry = table.find(key);
  if (entry == nullptr) return std::nullopt;
  expect(source_, entry->value, TomlValue::Kind::string, in_quotes(key) + where, "a string");
  return SimulationDefaults::Choice{entry->value.text, source_.position(string_place(entry->value))};
}

std::optional<std::string> ModelReader::read_choice(const TomlValue& table, std::string_view key,
                                                    std::span<const std::string> choices,
                                                    const std::string& where) const {
  const std::optional<SimulationDefaults::Choice> word = read_word(table, key, where);
  if (!word) return std::nullopt;
  if (std::find(choices.begin(), choices.end(), word->name) == choices.end())
    throw unknown_choice(key, word->name, choices).at(word->position);
  return word->name;
}

void ModelReader::read_simulation() {
  static const std::vector<std::string> keys = {"t_end", "samples", "tolerance", "method", "form"};
  const TomlValue* table = optional_table("simulation", "a table");
  if (table == nullptr) return;
  check_keys(source_, *table, keys, " in [simulation]");
  SimulationDefaults& defaults = system_.simulation;
  if (const Entry* entry = table->find("t_end")) defaults.t_end = number(expression(source_, entry->value, "'t_end'"));
  if (const Entry* entry = table->find("samples")) {
    const ExpressionText text = expression(source_, entry->value, "'samples'");
    const Expr e = constant(text);
    const auto count = e.is_number() ? e.number().to_long() : std::nullopt;
    if (!count || *count < 2 || *count > 1'000'000'000)
      fail("'samples' must be a whole number from 2 to 1000000000", entry->value.offset);
    defaults.samples = *count;
  }
  if (const Entry* entry = table->find("tolerance")) {
    defaults.tolerance = number(expression(source_, entry->value, "'tolerance'"));
    if (!(*defaults.tolerance > 0 && *defaults.tolerance < 1))
      fail("'tolerance' must be between 0 and 1", entry->value.offset);
  }
  defaults.method = read_word(*table, "method", " in [simulation]");
  defaults.form = read_word(*table, "form", " in [simulation]");
}

}  // namespace cetaev::model
