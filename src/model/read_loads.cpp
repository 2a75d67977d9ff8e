// Springs, loads and dissipation.
//
//   a spring        V = k/2 (|B − A| − l)²,  D = c/2 (|B − A|')²
//   a load          F_j = f·∂u/∂v_j + τ·∂ω/∂v_j,  u = P' of its place, or C' + ω × (P − C) of the body that it is on
//   dissipation     F_j = −∂D/∂v_j
#include <algorithm>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

Quantity ModelReader::place(const TomlValue& value, const std::string& what, const Contents& contents) {
  return vector_value(vector_parts(value, what), contents);
}

Expr ModelReader::read_springs() {
  const TomlValue* list = optional_array("springs", "a list of tables, each beginning with [[springs]]");
  Expr potential = system_.context->zero();
  if (list == nullptr) return potential;
  static const std::vector<std::string> keys = {"name", "between", "stiffness", "length", "damping"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    std::string what = "spring " + std::to_string(i + 1);
    expect(source_, table, TomlValue::Kind::table, what, "a table with 'between' and 'stiffness'");
    check_keys(source_, table, keys, " in [[springs]]");
    if (const Entry* called = table.find("name"); called != nullptr && called->value.kind == TomlValue::Kind::string)
      what = "spring " + in_quotes(called->value.text);
    const Entry* between = table.find("between");
    if (between == nullptr) fail(what + " has no 'between', the two places it joins", table.offset);
    expect(source_, between->value, TomlValue::Kind::array, "'between' of " + what, "an array of two places");
    const auto& ends = between->value.elements;
    if (ends.size() != 2)
      fail("a spring joins two places, found " + std::to_string(ends.size()), between->value.offset);
    const Quantity a = place(ends[0], "an end of " + what, Contents::positions());
    const Quantity b = place(ends[1], "an end of " + what, Contents::positions());
    const Parts apart =
        frames_->sum(elaborator_->parts_of(b), frames_->scaled(system_.context->integer(-1), elaborator_->parts_of(a)));
    if (apart.empty()) fail(what + " joins a place with itself", between->value.offset);
    const Expr square = frames_->square(apart);
    const auto moves = [&](const Quantity& end) {
      const Vector on_ground = frames_->on_ground(elaborator_->parts_of(end));
      return std::any_of(on_ground.begin(), on_ground.end(), [&](Expr e) { return depends_on(e, system_.motion.q); });
    };
    if (!moves(a) && !moves(b))
      fail(what + " joins two places that no coordinate moves: it does nothing; name a place on a body",
           between->value.offset);
    const auto value = [&](const char* key) {
      return table.find(key) == nullptr ? system_.context->zero()
                                        : required_scalar(table, key, what, Contents::positions());
    };
    const Expr stiffness = required_scalar(table, "stiffness", what, Contents::positions());
    const Expr length = value("length"), damping = value("damping");
    if (damping.is_number() && damping.number().sign() < 0)
      fail("'damping' of " + what +
               " is negative: it would drive what it is to slow down; a parameter may be so, where that is meant",
           table.find("damping")->value.offset);
    const Expr stretched = length.is_zero() ? square : pow(sqrt(square) - length, Rational(2));
    const std::string name = given_name(table, "spring", i + 1);
    const Expr energy = Rational(1, 2) * (stiffness * stretched);
    potential = potential + energy;
    system_.potential_parts.push_back({name, energy});
    if (!damping.is_zero()) {
      const Expr rate = elaborator_->total_derivative(square) * pow(Rational(4) * square, Rational(-1, 2));
      damping_.push_back(
          {"damping of " + name, Rational(1, 2) * (damping * pow(rate, Rational(2))), source_.position(table.offset)});
    }
  }
  return potential;
}

void ModelReader::add_forces(const std::string& of, std::vector<Expr> forces) {
  for (std::size_t i = 0; i < system_.size(); ++i) system_.forces[i] = system_.forces[i] + forces[i];
  system_.force_parts.push_back({of, std::move(forces)});
}

void ModelReader::read_dissipation() {
  std::vector<NamedExpression> functions = damping_;
  if (const Entry* entry = find("dissipation")) {
    const Expr D =
        elaborator_->scalar(expression(source_, entry->value, "the dissipation"), Contents::velocities_too());
    if (!D.is_zero() && !depends_on(D, system_.motion.v))
      fail(
          "the dissipation does nothing: there are no velocities in it, and its forces are its derivatives by these; "
          "damping of a coordinate is c*x'^2/2, what has an energy belongs into 'potential'",
          entry->value.offset);
    functions.push_back({"dissipation", D, source_.position(entry->offset)});
  }
  for (const NamedExpression& function : functions) {
    std::vector<Expr> slopes = gradient(function.expression, system_.motion.v);
    for (Expr& slope : slopes) slope = -slope;
    add_forces(function.name, std::move(slopes));
  }
}

// "load 1", or the name it has.
std::string ModelReader::given_name(const TomlValue& table, const std::string& kind, std::size_t number) const {
  const Entry* name = table.find("name");
  if (name == nullptr) return kind + " " + std::to_string(number);
  expect(source_, name->value, TomlValue::Kind::string, "the name of a " + kind, "a string");
  check_name(name->value.text, "a " + kind, string_place(name->value));
  const auto taken = [&](const auto& parts) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.of == name->value.text; });
  };
  if (taken(system_.potential_parts) || taken(system_.force_parts))
    fail(in_quotes(name->value.text) + " is named twice", string_place(name->value));
  return name->value.text;
}

void ModelReader::read_loads() {
  const TomlValue* list = optional_array("loads", "a list of tables, each beginning with [[loads]]");
  if (list == nullptr) return;
  static const std::vector<std::string> keys = {"name", "force", "at", "torque", "on", "against"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    const std::string what = "load " + std::to_string(i + 1);
    expect(source_, table, TomlValue::Kind::table, what, "a table with 'force' and 'at', or with 'torque' and 'on'");
    check_keys(source_, table, keys, " in [[loads]]");
    const Entry *force = table.find("force"), *at = table.find("at"), *torque = table.find("torque"),
                *on = table.find("on"), *against = table.find("against");
    if (force == nullptr && torque == nullptr) fail(what + " has neither 'force' nor 'torque'", table.offset);
    if (force != nullptr && at == nullptr) fail(what + " acts on nothing: a force has a place, 'at'", force->offset);
    if (torque != nullptr && on == nullptr)
      fail(what + " acts on nothing: a torque is 'on' a frame or a body", torque->offset);
    if (at != nullptr && force == nullptr) fail("'at' without 'force' in " + what, at->offset);
    if (against != nullptr && on == nullptr) fail("'against' without 'on' in " + what, against->offset);
    std::vector<Expr> forces(system_.size(), system_.context->zero());
    if (force != nullptr) add_force(table, what, forces);
    if (torque != nullptr) add_torque(table, what, forces);
    add_forces(given_name(table, "load", i + 1), std::move(forces));
  }
}

// f·∂u/∂v_j, every part of the velocity u where it stands.
void ModelReader::add_power(const Parts& load, const Parts& velocity, std::vector<Expr>& forces) {
  for (const FramePart& part : velocity) {
    const Vector here = frames_->in_frame(load, part.frame);
    const Matrix slopes = jacobian(part.components, system_.motion.v);
    for (std::size_t j = 0; j < system_.size(); ++j)
      forces[j] = forces[j] + frames_->dot(here, {slopes(0, j), slopes(1, j), slopes(2, j)});
  }
}

// What 'on' or 'against' of a load names.
std::uint32_t ModelReader::loaded_frame(const Entry& entry, const std::string& what) const {
  const std::string whose = in_quotes(entry.key) + " of " + what;
  expect(source_, entry.value, TomlValue::Kind::string, whose, "the name of a frame or of a body");
  return frame_named(entry.value.text, string_place(entry.value), whose);
}

// The same of a force; none for the ground.
std::optional<std::size_t> ModelReader::loaded_body(const Entry& entry, const std::string& what) const {
  const std::uint32_t frame = loaded_frame(entry, what);
  for (std::size_t b = 0; b < system_.bodies.size(); ++b)
    if (system_.bodies[b].name == entry.value.text) return b;
  if (frame != FrameTree::ground)
    fail(what + " acts on nothing: " + in_quotes(entry.value.text) +
             " is a frame, which has no material; a force is 'on' a body",
         string_place(entry.value));
  return std::nullopt;
}

// On the material of the bodies that it is `on` and `against`; else wherever its place moves.
void ModelReader::add_force(const TomlValue& table, const std::string& what, std::vector<Expr>& forces) {
  const Quantity force = place(table.find("force")->value, "the force of " + what, Contents::velocities_too());
  const Quantity at = place(table.find("at")->value, "the place of " + what, Contents::positions());
  const Parts load = elaborator_->parts_of(force), where = elaborator_->parts_of(at);
  const Entry *on = table.find("on"), *against = table.find("against");
  const bool on_frame = table.find("torque") != nullptr && on != nullptr && names_->find(on->value.text) != nullptr &&
                        names_->find(on->value.text)->kind != NameKind::body;
  if (on == nullptr || on_frame) {
    const Matrix slopes = jacobian(at.components, system_.motion.q);
    if (std::all_of(slopes.entries.begin(), slopes.entries.end(), [](Expr e) { return e.is_zero(); }))
      fail(what + " acts on nothing: no coordinate moves its place; a force on a body that passes there is 'on' it",
           table.find("at")->value.offset);
    for (std::size_t j = 0; j < system_.size(); ++j)
      forces[j] = forces[j] + frames_->dot(force.components, {slopes(0, j), slopes(1, j), slopes(2, j)});
    written_loads_.push_back({force.components, where});
    return;
  }
  const std::optional<std::size_t> body = loaded_body(*on, what);
  const std::optional<std::size_t> other = against == nullptr ? std::nullopt : loaded_body(*against, what);
  if (body == other)
    fail(what + " acts on nothing: " + (body ? "a force between a body and itself" : "the ground does not move"),
         on->value.offset);
  Parts minus = frames_->scaled(system_.context->integer(-1), load);
  for (const auto& [which, pull] : {std::pair(body, load), std::pair(other, minus)}) {
    if (!which) continue;
    add_power(pull, material_velocity(*which, where), forces);
    written_loads_.push_back({frames_->on_ground(pull), where, which});
  }
}

Parts ModelReader::material_velocity(std::size_t body, const Parts& place) {
  const auto named = std::find_if(named_.begin(), named_.end(),
                                  [&](const Named& each) { return each.kind == NameKind::body && each.index == body; });
  return ContactGeometry(*system_.context, *frames_)
      .material_velocity(named->value.frame, elaborator_->parts_of(named->value), place);
}

void ModelReader::add_torque(const TomlValue& table, const std::string& what, std::vector<Expr>& forces) {
  const Quantity moment = place(table.find("torque")->value, "the torque of " + what, Contents::velocities_too());
  const Entry *on = table.find("on"), *against = table.find("against");
  const std::uint32_t turned = loaded_frame(*on, what),
                      held = against == nullptr ? FrameTree::ground : loaded_frame(*against, what);
  if (turned == held)
    fail(what + " acts on nothing: " +
             (turned == FrameTree::ground ? "the ground does not turn" : "a torque between a frame and itself"),
         on->value.offset);
  // ω relative to the frame that takes the reaction, in its components where that is short
  const bool short_there = frames_->descends(turned, held);
  Vector rate = short_there ? frames_->omega_relative(turned, held) : frames_->omega_on_ground(turned);
  if (!short_there)
    for (std::size_t c = 0; c < 3; ++c) rate[c] = rate[c] - frames_->omega_on_ground(held)[c];
  add_power(elaborator_->parts_of(moment), frames_->part(short_there ? held : FrameTree::ground, rate), forces);
}

}  // namespace cetaev::model
