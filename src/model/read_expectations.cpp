// [expect]: what `check` must say of the model. Keys are those of its JSON, by their path ("energy.conserved", or a table
// [expect.energy]) or, being all different, by their last name alone ("conserved"). Keys of single constraints take a
// list with one value for each scalar constraint, or one value for all.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

namespace {

enum class Type { truth, count, counts, degree, linearity, names, choices, code, text };

struct Key {
  std::string_view name;
  std::string_view parent;  // "" at the top, "set", "energy" or "constraints"
  Type type;
};

constexpr std::array keys = {
    Key{"coordinates", "", Type::count},
    Key{"determinate", "", Type::truth},
    Key{"state", "", Type::code},
    Key{"rank", "set", Type::count},
    Key{"rank_at_state", "set", Type::count},
    Key{"redundant", "set", Type::count},
    Key{"degrees_of_freedom", "set", Type::count},
    Key{"conic", "set", Type::truth},
    Key{"homogeneous_functions", "set", Type::truth},
    Key{"holonomic_integrals", "set", Type::count},
    Key{"growth", "set", Type::counts},
    Key{"growth_at_state", "set", Type::counts},
    Key{"integrable", "set", Type::truth},
    Key{"caplygin", "set", Type::truth},
    Key{"caplygin_for", "set", Type::choices},
    Key{"ignorable", "set", Type::names},
    Key{"dependent", "set", Type::names},
    Key{"conserved", "energy", Type::truth},
    Key{"because", "energy", Type::text},
    Key{"jacobi", "energy", Type::truth},
    Key{"E_star_is_E", "energy", Type::truth},
    Key{"E_star_conserved", "energy", Type::truth},
    Key{"order", "constraints", Type::count},
    Key{"linearity", "constraints", Type::linearity},
    Key{"degree", "constraints", Type::degree},
    Key{"rheonomic", "constraints", Type::truth},
};

const std::vector<std::string>& linearities() {
  static const std::vector<std::string> words = {"none", "linear", "affine", "nonlinear"};
  return words;
}

std::string_view wanted(Type type) {
  switch (type) {
    case Type::truth: return "true, false or \"null\" (not decided)";
    case Type::count: return "a number";
    case Type::counts: return "a list of numbers or \"null\"";
    case Type::degree: return "a number or \"null\" (no degree)";
    case Type::linearity: return "\"none\", \"linear\", \"affine\" or \"nonlinear\"";
    case Type::names: return "a list of coordinates";
    case Type::choices: return "a list of lists of coordinates";
    case Type::code: return "the code of a diagnosis";
    case Type::text: return "a string";
  }
  return "";
}

// The known name closest to a wrong one, with its table.
std::vector<std::string> names_below(std::string_view parent, bool anywhere) {
  std::vector<std::string> names;
  for (const Key& key : keys)
    if (anywhere || key.parent == parent) names.emplace_back(key.name);
  if (anywhere) names.insert(names.end(), {"set", "energy", "constraints"});
  return names;
}

class ExpectationReader {
 public:
  ExpectationReader(const SourceText& source, SystemData& system) : source_(source), system_(system) {}

  void table(const TomlValue& value, const std::string& parent) {
    for (const Entry& entry : value.entries) {
      if (parent.empty() && (entry.key == "set" || entry.key == "energy")) {
        expect(source_, entry.value, TomlValue::Kind::table, in_quotes(entry.key) + " in [expect]", "a table");
        table(entry.value, entry.key);
      } else if (parent.empty() && entry.key == "constraints") {
        constraints(entry);
      } else {
        single(entry, parent);
      }
    }
  }

 private:
  const Key& key_of(const Entry& entry, const std::string& parent, bool anywhere) const {
    for (const Key& key : keys)
      if (key.name == entry.key && (anywhere || key.parent == parent)) return key;
    const std::vector<std::string> names = names_below(parent, anywhere);
    unknown_key(source_, entry, names, " in [expect" + (parent.empty() ? "" : "." + parent) + "]");
  }

  void single(const Entry& entry, const std::string& parent) {
    const Key& key = key_of(entry, parent, parent.empty());
    const std::string written = parent.empty() ? entry.key : parent + "." + entry.key;
    if (key.parent != "constraints") {
      const std::string path = "/" + (key.parent.empty() ? "" : std::string(key.parent) + "/") + entry.key;
      add(written, path, key.type, entry.value);
      return;
    }
    const bool list = entry.value.kind == TomlValue::Kind::array;
    if (list) require_count(entry.value, written);
    for (std::size_t i = 0; i < system_.constraints.size(); ++i)
      add(written, constraint_path(i, entry.key), key.type, list ? entry.value.elements[i] : entry.value);
  }

  // constraints = [{order = 1, linearity = "linear"}, …]
  void constraints(const Entry& entry) {
    expect(source_, entry.value, TomlValue::Kind::array, "'constraints' in [expect]", "a list of tables");
    require_count(entry.value, entry.key);
    for (std::size_t i = 0; i < entry.value.elements.size(); ++i) {
      const TomlValue& element = entry.value.elements[i];
      expect(source_, element, TomlValue::Kind::table, "an entry of 'constraints' in [expect]", "a table");
      for (const Entry& inner : element.entries) {
        const Key& key = key_of(inner, "constraints", false);
        add("constraints." + inner.key, constraint_path(i, inner.key), key.type, inner.value);
      }
    }
  }

  static std::string constraint_path(std::size_t i, const std::string& key) {
    return "/constraints/" + std::to_string(i) + "/" + key;
  }

  void require_count(const TomlValue& list, const std::string& key) const {
    const std::size_t given = list.elements.size(), there = system_.constraints.size();
    if (given == there) return;
    source_.fail(ErrorCode::bad_model,
                 in_quotes(key) + " in [expect] has " + std::to_string(given) + (given == 1 ? " entry" : " entries") +
                     ", but the model has " + std::to_string(there) +
                     (there == 1 ? " scalar constraint" : " scalar constraints"),
                 list.offset);
  }

  void add(const std::string& key, const std::string& path, Type type, const TomlValue& value) {
    const auto same = [&](const Expectation& e) { return e.path == path; };
    if (std::any_of(system_.expectations.begin(), system_.expectations.end(), same))
      source_.fail(ErrorCode::bad_model, in_quotes(key) + " in [expect] is given twice", value.offset);
    system_.expectations.push_back({key, path, read(key, type, value), source_.position(value.offset)});
  }

  [[noreturn]] void refuse(const std::string& key, Type type, const TomlValue& value) const {
    wrong_type(source_, value, in_quotes(key) + " in [expect]", std::string(wanted(type)));
  }

  ExpectedValue read(const std::string& key, Type type, const TomlValue& value) const {
    using Kind = ExpectedValue::Kind;
    const bool text = value.kind == TomlValue::Kind::string;
    const bool null = text && value.text == "null";
    switch (type) {
      case Type::truth:
        if (null) return {};
        if (value.kind != TomlValue::Kind::boolean) refuse(key, type, value);
        return {Kind::boolean, value.boolean, 0, "", {}};
      case Type::count:
      case Type::degree: {
        if (null && (type == Type::degree || key.ends_with("holonomic_integrals"))) return {};
        if (value.kind != TomlValue::Kind::number) refuse(key, type, value);
        const double number = std::strtod(value.text.c_str(), nullptr);
        if (!std::isfinite(number)) refuse(key, type, value);
        return {Kind::number, false, number, "", {}};
      }
      case Type::counts:
        if (null) return {};
        return list(key, type, Type::count, value);
      case Type::linearity:
        if (!text) refuse(key, type, value);
        if (std::find(linearities().begin(), linearities().end(), value.text) == linearities().end())
          source_.fail(ErrorCode::bad_model,
                       "unknown linearity " + in_quotes(value.text) + "; it is " + std::string(wanted(type)),
                       value.offset, closest(value.text, linearities()));
        return {Kind::text, false, 0, value.text, {}};
      case Type::names: {
        ExpectedValue names = list(key, type, Type::text, value);
        for (std::size_t i = 0; i < names.elements.size(); ++i)
          require_coordinate(names.elements[i].text, value.elements[i]);
        return names;
      }
      case Type::choices: return list(key, type, Type::names, value);
      case Type::code:
      case Type::text:
        if (!text) refuse(key, type, value);
        return {Kind::text, false, 0, value.text, {}};
    }
    refuse(key, type, value);
  }

  ExpectedValue list(const std::string& key, Type type, Type element, const TomlValue& value) const {
    if (value.kind != TomlValue::Kind::array) refuse(key, type, value);
    ExpectedValue result{ExpectedValue::Kind::list, false, 0, "", {}};
    for (const TomlValue& part : value.elements) result.elements.push_back(read(key, element, part));
    return result;
  }

  void require_coordinate(const std::string& name, const TomlValue& value) const {
    const auto& names = system_.coordinates;
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    source_.fail(ErrorCode::bad_model, in_quotes(name) + " in [expect] is not a coordinate", value.offset,
                 closest(name, names));
  }

  const SourceText& source_;
  SystemData& system_;
};

}  // namespace

void ModelReader::read_expectations() {
  const TomlValue* table = optional_table("expect", "a table of keys of `check` and their values");
  if (table != nullptr) ExpectationReader(source_, system_).table(*table, "");
}

}  // namespace cetaev::model
