// Reads one document into a System, section by section.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/read.hpp"
#include "contact_geometry.hpp"
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
  // A point, a definition, a frame, a body or a contact before its expressions are known.
  struct Named {
    struct Use {
      std::string name;
      std::size_t offset;
    };
    std::string name;
    NameKind kind = NameKind::definition;
    std::size_t index = 0;              // among its kind
    std::vector<ExpressionText> parts;  // one expression, the three components of a position, the angles of a frame, …
    std::vector<Use> uses = {};         // names besides those in the expressions
    Quantity value = {};
  };
  // A frame as it is written: from another, turn by turn.
  struct WrittenFrame {
    struct Turn {
      int axis = -1;                          // x, y or z; else
      bool vector = false;                    // the part before the angle is the axis, or
      std::array<std::size_t, 4> quaternion;  // these coordinates are a quaternion, and there is no angle
    };
    std::string from = "ground";
    std::size_t from_offset = 0;
    std::vector<Turn> turns = {};  // each with the next of the parts of its Named
  };
  struct WrittenBody {
    const TomlValue* table = nullptr;
    std::string frame;
    std::size_t frame_offset = 0;
    std::string shape = {};          // of `uniform`, with
    std::vector<Expr> lengths = {};  // its lengths
    int axis = 2;
  };
  // An axis whose length depends on parameters.
  struct WrittenAxis {
    Expr square;
    Origin origin;
    std::size_t place;
    std::string what;
  };
  // A force as it is written: on the material of a body, or wherever its place moves.
  struct WrittenLoad {
    Vector force;
    Parts place;
    std::optional<std::size_t> body = {};
  };
  // A contact as it is written, and what its reaction is made of.
  struct WrittenContact {
    const TomlValue* table = nullptr;
    std::string what;  // as messages call it: "contact 'touch'"
    std::size_t body = 0;
    struct Row {
      std::string text;
      Expr expression;
      int order = 1;
      Vector direction;                       // of the reaction for a multiplier of 1; none for a moment
      std::optional<std::size_t> constraint;  // which it became; none where it holds by itself
    };
    std::vector<Row> rows = {};  // touching first
    Vector normal;
    Expr radius;                      // of a wheel, a tyre or a ball
    std::optional<Vector> axle = {};  // of a wheel or a tyre, in the frame of the body
  };

  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& suggestion = {}) const {
    source_.fail(ErrorCode::bad_model, message, offset, suggestion);
  }
  const Entry* find(std::string_view key) const { return document_.find(key); }
  // Than the file has: what it says about the number of its own goes.
  bool other_constraints() const { return changes_.constraints.has_value() || !changes_.along.empty(); }
  std::string optional_string(std::string_view key) const;
  const TomlValue* optional_table(std::string_view key, const std::string& wanted) const;
  const TomlValue* optional_array(std::string_view key, const std::string& wanted) const;
  void add_named(Named named);
  std::size_t string_place(const TomlValue& value) const { return string_source(source_.text(), value.offset, 0); }

  // read.cpp: names
  void read_coordinates();
  void read_parameter_names();
  void add_name(const std::string& name, NameKind kind, std::size_t index, const Quantity& value, std::size_t place);
  void check_name(const std::string& name, const std::string& kind, std::size_t place) const;
  // Of what becomes a column by its name, as coordinates and outputs do.
  void check_column(const std::string& name, const std::string& kind, std::size_t place) const;

  // read_definitions.cpp: points, definitions and parameters
  void collect_points();
  void collect_definitions();
  void resolve_named();
  std::vector<std::size_t> resolution_order() const;
  std::vector<bool> behind_contacts(std::span<const std::size_t> order) const;
  // What the names in the expressions of an item refer to: which of named_, in which part, where.
  struct Use {
    std::size_t of;
    std::size_t part;  // a number beyond the parts for a name that is not in an expression
    std::size_t offset;
  };
  std::vector<Use> uses_of(const Named& named) const;
  std::string describe_circle(std::span<const std::size_t> items) const;
  void elaborate(Named& named);
  // A vector as it is written: one expression, or an array of three.
  std::vector<ExpressionText> vector_parts(const TomlValue& value, const std::string& what) const;
  Quantity vector_value(std::span<const ExpressionText> parts, const Contents& contents);
  void read_parameters();

  // read_frames.cpp
  void collect_frames();
  void read_frame_text(const TomlValue& value, Named& named, WrittenFrame& frame);
  void read_frame_table(const TomlValue& value, Named& named, WrittenFrame& frame);
  WrittenFrame::Turn read_quaternion(std::string_view names, const Origin& origin) const;
  void make_frame(Named& named);
  Vector unit_axis(const ExpressionText& text, const std::string& what);
  void check_axes();
  // The number of a frame, or of the frame of a body, by name.
  std::uint32_t frame_named(const std::string& name, std::size_t offset, const std::string& what) const;
  // "body 'wheel'", or "body 2" of one without a name
  static std::string body_in_words(const std::string& name, std::size_t index);
  std::string body_in_words(const Body& body) const;
  // read_bodies.cpp
  void collect_bodies();
  void read_bodies();
  void read_inertia(Body& body, WrittenBody& written);
  void read_uniform(const TomlValue& uniform, Body& body, WrittenBody& written);
  void check_inertia(const Body& body, std::size_t offset) const;
  bool is_tree() const;
  std::uint32_t frame_of_omega(const Body& body, std::uint32_t frame);
  Expr rotational_energy(const Body& body, const Vector& omega) const;
  Expr read_gravity();
  int axis_letter(const TomlValue& table, std::string_view key, const std::string& what) const;
  Expr required_scalar(const TomlValue& table, std::string_view key, const std::string& what, const Contents& contents);
  // read_contacts.cpp
  void collect_contacts();
  void make_contact(Named& named);
  ContactPlane read_plane(const WrittenContact& contact);
  void refuse_own_plane(const WrittenContact& contact, const ContactPlane& plane, std::uint32_t frame, bool slides);
  ContactPoint read_shape(WrittenContact& contact, const ContactPlane& plane, std::uint32_t frame);
  bool held_by_contact_alone(const WrittenContact& contact);
  bool acts_on_body(const WrittenLoad& load);
  void read_start();
  double at_start(Expr e) const;
  void read_contact_constraints();
  Elaborator::Properties contact_forces(std::span<const Expr> multipliers);
  // read_loads.cpp: springs, loads, dissipation
  Expr read_springs();
  void read_loads();
  void add_force(const TomlValue& table, const std::string& what, std::vector<Expr>& forces);
  void add_torque(const TomlValue& table, const std::string& what, std::vector<Expr>& forces);
  void add_power(const Parts& load, const Parts& velocity, std::vector<Expr>& forces);
  void add_forces(const std::string& of, std::vector<Expr> forces);
  std::uint32_t loaded_frame(const Entry& entry, const std::string& what) const;
  std::optional<std::size_t> loaded_body(const Entry& entry, const std::string& what) const;
  Parts material_velocity(std::size_t body, const Parts& place);
  std::string given_name(const TomlValue& table, const std::string& kind, std::size_t number) const;
  void read_dissipation();
  Quantity place(const TomlValue& value, const std::string& what, const Contents& contents);
  // read_outputs.cpp
  void read_outputs();
  void add_shares(std::span<const Expr> multipliers, Elaborator::Properties& properties);
  void read_units();
  void read_declared_units();

  // read_dynamics.cpp: energies, forces, constraints and what belongs to them
  void read_energies();
  Expr read_masses(bool required);
  void read_forces();
  void read_constraints();
  void read_driven();
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
  void begin_turned();
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
  View view_of_bodies();
  void view_of_body(View& view, const Body& body, const WrittenBody& written, const Quantity& centre);
  std::optional<double> constant_value(Expr e) const;
  // What is broken by the values that parameters have, or may be by others.
  void require(const SizeCondition& condition, std::size_t offset);

  double value_of(Expr e) const;
  void require_finite(Expr e, const ExpressionText& text) const;

  const SourceText& source_;
  const TomlValue& document_;
  const ModelChanges& changes_;
  SystemData system_;
  std::optional<Names> names_;
  std::optional<Elaborator> elaborator_;
  std::optional<FrameTree> frames_;
  std::vector<Named> named_;  // points first, then definitions, frames, bodies, contacts, each in file order
  std::unordered_map<std::string, std::size_t> named_places_;
  std::vector<WrittenFrame> written_frames_;
  std::vector<WrittenBody> written_bodies_;
  std::vector<WrittenContact> written_contacts_;
  std::vector<std::array<std::size_t, 4>> quaternions_;  // coordinates whose squares add up to 1
  std::vector<SourcePosition> quaternion_places_;
  std::optional<Vector> gravity_;
  std::vector<WrittenAxis> axes_;
  std::vector<WrittenLoad> written_loads_;
  std::vector<NamedExpression> damping_;             // Rayleigh's functions of springs
  std::unordered_map<std::uint32_t, double> start_;  // positions, velocities and time at the start
  std::unordered_set<std::uint32_t> not_written_;    // positions of which [initial] says nothing
  std::deque<Setting> settings_;
  std::deque<SourceText> tried_;
  std::unordered_map<std::string, const Setting*> overrides_;   // the last of each name
  std::unordered_map<std::uint32_t, double> parameter_values_;  // by number of the symbol
};

// The names of a system, for expressions read later; its frames are put into the tree.
Names names_of(const System& system, FrameTree& frames);

}  // namespace cetaev::model
