// A mechanical system as its author wrote it, every name resolved: the result of reading a model file.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

// One scalar equation. A vector equation gives one for each component that does not vanish identically.
struct Constraint {
  std::string text;       // as written in the file
  std::size_t entry = 0;  // which entry of `constraints` it comes from
  int component = -1;     // 0, 1, 2 for x, y, z of a vector equation
  Expr expression;        // lhs − rhs, never rescaled: f(q,t), φ(q,v,t) or h(q,v,a,t)
  int order = 1;          // 0, 1 or 2: the highest derivative it contains
  SourcePosition position;

  // "dot(P1', P2') = 0", "cross(P1', P2') = 0 (z)"
  std::string label() const;
};

struct Parameter {
  Expr symbol;
  Expr definition;  // in parameters written before it
  SourcePosition position;
};

struct Point {
  std::string name;  // may be empty
  Expr mass;
  std::array<Expr, 3> position;
};

struct Definition {
  std::string name;
  std::vector<Expr> components;  // one for a scalar, three for a vector
};

// An orientation. R takes components in the frame to components on the ground.
struct Frame {
  std::string name;
  Matrix rotation;
  std::array<Expr, 3> omega;  // its angular velocity, on the ground
};

// A rigid body.
struct Body {
  std::string name;
  std::size_t frame = 0;  // its place among `frames` plus one; 0 for the ground
  Expr mass;
  std::array<Expr, 3> centre;   // of mass
  std::array<Expr, 6> inertia;  // about the centre in the frame: xx, yy, zz, xy, yz, xz
  Expr kinetic;                 // its kinetic energy

  // Its velocities in components of frames in which they are short, and the angular velocities of these frames; the inertia is the same in `omega_in`.
  struct Twist {
    std::array<Expr, 3> velocity, velocity_in;  // of the centre
    std::array<Expr, 3> omega, omega_in;        // its angular velocity
  };
  std::optional<Twist>
      twist;  // of more than four coordinates that nothing constrains the kinetic energy is squares of these
};

// Where a body touches a plane.
struct Contact {
  std::string name;
  std::size_t body = 0;
  std::array<Expr, 3> point, normal;
};

// Another list of constraints that the author holds against the model's own.
struct Alternative {
  std::string name;
  std::vector<Constraint> constraints;
  SourcePosition position;
};

struct NamedExpression {
  std::string name;
  Expr expression;
  SourcePosition position;
};

// A coordinate along the motion from the initial state, as the model claims it: an expression in t and parameters.
struct ClosedForm {
  std::size_t coordinate = 0;
  Expr expression;
  SourcePosition position;
};

// A value that `check` is expected to give. "null" stands for JSON's null, which TOML cannot say.
struct ExpectedValue {
  enum class Kind { null, boolean, number, text, list };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<ExpectedValue> elements;
};
struct Expectation {
  std::string key;   // as it is written: "rank", "energy.conserved"
  std::string path;  // where it stands in the JSON of check, as a JSON pointer: "/set/rank", "/constraints/0/order"
  ExpectedValue value;
  SourcePosition position;
};

// A of δ(q̇) − Dₜ(δq) = A δq as the model gives it: the matrix itself, or whose point of view it is.
struct Transpositional {
  enum class View { written, hoelder, suslov, mvm2, mvm3 };

  View view = View::written;
  Matrix A;  // of q, v, a and t, where it is written; else empty
  SourcePosition position;
};
// The names of the views that have one, as model files write them; "" of a matrix that is written.
std::string_view name_of(Transpositional::View view);
std::optional<Transpositional::View> view_named(std::string_view name);
std::span<const Transpositional::View> named_views();

// What [initial] says; expressions of parameters. Absent entries were not written.
struct InitialData {
  std::vector<std::optional<Expr>> q, v;
  std::optional<Expr> t;
  std::vector<Expr> lambda;
  bool has_lambda = false;
  std::vector<Expr> lambda0;  // λ⁰ of the auxiliary functions: one for each, or none was written
};

// A zero of an expression to be found along the motion.
struct Event {
  std::string name;
  Expr when;          // of q, v and t
  int direction = 0;  // +1: from negative to positive only; −1: the other way; 0: both
  bool stop = false;  // else it is recorded
  SourcePosition position;
};

// What a reader of the motion wants to see of it: a scalar, or a vector of three components.
struct Output {
  std::string name;
  std::vector<Expr> components;  // of q, v, a, t and the multipliers
  SourcePosition position;
  // It contains a reaction at a contact: a force along motions of d'Alembert–Lagrange, and nothing along others.
  bool reaction = false;

  // Of one component, as columns are called: "spin", "force.x".
  std::string column(std::size_t component) const;
};

// A share of an energy by what has it: "disc", "weight of disc", "spring 1".
struct EnergyPart {
  std::string of;
  Expr energy;
};

// A share of the generalized forces by what they come from: "load 1", "dissipation".
struct ForcePart {
  std::string of;
  std::vector<Expr> forces;  // one per coordinate
};

// The unit in which a coordinate, a parameter or an output is counted; for charts.
struct Unit {
  std::string of, unit;
  bool declared = true;  // by the model; else it follows: what turns a frame is an angle, and a quaternion has no unit
};

// What to draw of a state: the author's picture. Places and directions are vectors of q, v and t.
struct View {
  using Vector = std::array<Expr, 3>;
  struct Mark {
    std::string label;  // the name of a point or of a definition, else empty
    Vector at;
  };
  struct Blade {
    Vector at, along;
  };
  struct Wheel {
    Vector at, axle;
    Expr radius;
    std::optional<Vector> spoke;  // a direction in its plane that turns with it
  };
  struct Ball {
    Vector at;
    Expr radius;
  };
  struct Camera {
    std::array<double, 3> from = {0, 0, 1}, up = {0, 1, 0};  // the direction one looks from, and what is up
  };

  std::vector<Mark> points, traces;
  std::vector<std::vector<Vector>> links;  // lines through two places or more
  std::vector<Blade> blades;
  std::vector<Wheel> wheels;
  std::vector<Ball> balls;
  std::optional<Camera> camera;
};

// Defaults of `run` that the model gives.
struct SimulationDefaults {
  // What a stage further down the road knows by this name.
  struct Choice {
    std::string name;
    SourcePosition position;
  };

  std::optional<double> t_end;
  std::optional<long> samples;
  std::optional<double> tolerance;
  std::optional<Choice> method;
  std::optional<Choice> form;
};

// What parameters have to be: lengths, masses, moments of inertia.
struct SizeCondition {
  Expr value;             // of parameters
  bool positive = false;  // else zero will do
  Expr beside;            // rounding errors of this size may make it negative
  std::string broken;     // "the mass of body 'disc' is negative"

  bool holds(double number, double size) const { return positive ? number > 0 : number >= -1e-12 * size; }
};

// What a System refers to, to be filled in by those who make one.
struct SystemData {
  std::shared_ptr<Context> context;  // owns every expression below

  std::string file;                   // where it was read from
  std::string text;                   // what stands there
  std::vector<std::string> settings;  // NAME=VALUE that were put over it, and "--auxiliary x'" of ModelChanges
  std::string name;
  std::string description;
  std::string source;  // where the system comes from: a paper, a book
  std::string group;   // under what heading a gallery lists it
  std::vector<std::string> coordinates;
  Motion motion;  // the symbols of q, v = q', a = q'' and t

  std::vector<Parameter> parameters;
  std::vector<Point> points;
  std::vector<Definition> definitions;
  std::vector<Frame> frames;
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<SizeCondition> conditions;  // that hold with the values of the model

  Expr lagrangian;
  std::optional<Expr> kinetic, potential;      // absent when the model gives `lagrangian`
  std::optional<Expr> kinetic_besides_points;  // the part of `kinetic` that does not come from [[points]]: bodies too
  std::vector<Expr> forces;                    // one per coordinate, zero by default
  std::vector<EnergyPart> kinetic_parts, potential_parts;  // they add up to `kinetic` and `potential`
  std::vector<ForcePart> force_parts;                      // they add up to `forces`

  std::vector<Constraint> constraints;
  std::size_t driven = 0;  // so many of them, the last ones, prescribe a motion: ModelChanges::along
  std::vector<Alternative> alternatives;
  std::vector<Constraint> substituted;                // constraints that the Lagrangian has in it already
  std::optional<std::vector<std::size_t>> dependent;  // indices of coordinates
  std::optional<SourcePosition> dependent_position;
  std::vector<Expr> auxiliary;
  std::optional<Transpositional> transpositional;
  std::vector<NamedExpression> quasi_velocities;
  std::vector<NamedExpression> integrals;  // constants of the motion, as the model claims
  std::vector<ClosedForm> closed_form;     // in the order of the file
  std::vector<Expectation> expectations;
  std::vector<Event> events;
  std::vector<Output> outputs;
  std::vector<Expr> multipliers;  // symbols of λ, one for each scalar constraint, where an output contains one
  std::vector<Unit> units;

  InitialData initial;
  SimulationDefaults simulation;
  std::optional<View> view;

  std::size_t size() const { return coordinates.size(); }
  // The names and the expressions of all components of the outputs.
  std::vector<std::string> output_columns() const;
  std::vector<Expr> output_expressions() const;
  // Empty where the model does not say; where it does not, angles of frames are in rad and quaternions in 1.
  std::string_view unit_of(std::string_view name) const;
  bool declares_unit_of(std::string_view name) const;
};

// A handle: copies are cheap and share what they refer to, which lives as long as one of them and never changes. So threads share
// a System without a lock, and what keeps one cannot outlive it.
//
// The expressions of a model are frozen: nothing can be added to their context. Derivations make new expressions, in a scratch copy
// with a context of its own; what they hand back keeps that copy alive.
class System {
 public:
  System() = default;  // refers to nothing; only assignment is allowed
  // Freezes the context of the data.
  explicit System(SystemData data);

  const SystemData* operator->() const { return data_.get(); }
  const SystemData& operator*() const { return *data_; }

  // The same system with expressions of its own, to be added to by one thread at a time.
  System scratch() const;
  // The same; `also` is given the copies of all expressions by their numbers, for what else belongs to them.
  System scratch(const std::function<void(std::span<const Expr> images)>& also) const;
  // The same in a context that is there already, which is not frozen; symbols of one name are then one symbol.
  System into(std::shared_ptr<Context> context) const;
  // Itself where it is a scratch copy already, else scratch().
  System workable() const;
  // The same after change(SystemData&), which may put in expressions of this context.
  template <typename Change>
  System with(Change&& change) const {
    auto data = std::make_shared<SystemData>(*data_);
    change(*data);
    return System(std::shared_ptr<const SystemData>(std::move(data)));
  }

 private:
  explicit System(std::shared_ptr<const SystemData> data) : data_(std::move(data)) {}

  std::shared_ptr<const SystemData> data_;
};

}  // namespace cetaev
