// Reads one document into a System, section by section.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/read.hpp"
#include "document.hpp"
#include "elaborate.hpp"
#include "values.hpp"

namespace cetaev::model {

class ModelReader {
 public:
  ModelReader(const SourceText& source, const TomlValue& document, const ModelChanges& changes);

  System read();

 private:
  // NAME=VALUE from outside the file, with positions of its own. Without a value it takes back what was set before, and
  // of the initial state also what the file says.
  struct Setting {
    SourceText source;
    std::string name;
    std::size_t name_offset = 0;
    std::optional<ExpressionText> value;
  };
  // A point or a definition before its expressions are known.
  struct Named {
    std::string name;
    bool point = false;
    std::vector<ExpressionText> parts;  // one expression, or the three components of a position
    Quantity value;
  };

  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& suggestion = {}) const {
    source_.fail(ErrorCode::bad_model, message, offset, suggestion);
  }
  const Entry* find(std::string_view key) const { return document_.find(key); }
  std::string optional_string(std::string_view key) const;
  const TomlValue* optional_table(std::string_view key, const std::string& wanted) const;
  const TomlValue* optional_array(std::string_view key, const std::string& wanted) const;
  std::size_t string_place(const TomlValue& value) const { return string_source(source_.text(), value.offset, 0); }

  // read.cpp: names
  void read_coordinates();
  void read_parameter_names();
  void add_name(const std::string& name, NameKind kind, std::size_t index, const Quantity& value, std::size_t place);
  void check_name(const std::string& name, const std::string& kind, std::size_t place) const;

  // read_definitions.cpp: points, definitions and parameters
  void collect_points();
  void collect_definitions();
  void resolve_named();
  std::vector<std::size_t> resolution_order() const;
  std::string describe_circle(std::span<const std::size_t> items) const;
  void elaborate(Named& named);
  // A vector as it is written: one expression, or an array of three.
  std::vector<ExpressionText> vector_parts(const TomlValue& value, const std::string& what) const;
  Quantity vector_value(std::span<const ExpressionText> parts, const Contents& contents);
  void read_parameters();

  // read_dynamics.cpp: energies, forces, constraints and what belongs to them
  void read_energies();
  Expr read_masses(bool required);
  void read_forces();
  void read_constraints();
  void read_alternatives();
  std::vector<Constraint> constraint_list(const TomlValue& list);
  // The scalar equations of one entry.
  void add_constraints(std::vector<Constraint>& constraints, std::size_t entry, const std::string& text,
                       const ExpressionText& equation);
  // An expression of the command line, with positions of its own.
  ExpressionText tried(const char* option, const std::string& text, const std::string& what,
                       bool equation_allowed = false);
  Constraint settled(Constraint constraint, int order_bound);
  void read_dependent();
  void read_auxiliary();
  void read_transpositional();
  void read_quasi_velocities();
  // read_claims.cpp
  void read_integrals();
  void read_closed_form();
  void read_events();
  Event read_event(const Entry& entry);
  // read_expectations.cpp
  void read_expectations();
  void check_linear(Expr e, const ExpressionText& text);

  // read_initial.cpp: the initial state, defaults of runs and settings
  void read_settings(std::span<const std::string> settings);
  std::vector<std::string> state_names(bool velocities_first) const;
  void read_initial();
  void read_lambda0(const TomlValue& list);
  Expr constant(const ExpressionText& text);
  double number(const ExpressionText& text);
  void read_simulation();
  std::optional<SimulationDefaults::Choice> read_word(const TomlValue& table, std::string_view key,
                                                      const std::string& where) const;
  std::optional<std::string> read_choice(const TomlValue& table, std::string_view key,
                                         std::span<const std::string> choices, const std::string& where) const;

  // read_view.cpp: the picture
  void read_view();
  const TomlValue* view_list(const TomlValue& view, std::string_view key, const std::string& wanted) const;
  View::Vector view_vector(const TomlValue& value, const std::string& what);
  View::Vector view_entry(const TomlValue& table, std::string_view key, const std::string& what);
  View::Mark view_mark(const TomlValue& value, const std::string& what);
  View::Camera read_camera(const TomlValue& value);
  std::optional<double> constant_value(Expr e) const;

  double value_of(Expr e) const;
  void require_finite(Expr e, const ExpressionText& text) const;

  const SourceText& source_;
  const TomlValue& document_;
  const ModelChanges& changes_;
  SystemData system_;
  std::optional<Names> names_;
  std::optional<Elaborator> elaborator_;
  std::vector<Named> named_;  // points first, then definitions, each in file order
  std::deque<Setting> settings_;
  std::deque<SourceText> tried_;
  std::unordered_map<std::string, const Setting*> overrides_;   // the last of each name
  std::unordered_map<std::uint32_t, double> parameter_values_;  // by number of the symbol
};

// The names of a system, for expressions read later.
Names names_of(const System& system);

}  // namespace cetaev::model
