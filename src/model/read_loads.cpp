// Springs, loads and dissipation.
//
//   a spring        V = k/2 (|B − A| − l)²,  D = c/2 (|B − A|')²
//   a load          F_j = f·∂P'/∂v_j + τ·∂ω/∂v_j
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
  static const std::vector<std::string> keys = {"between", "stiffness", "length", "damping"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    const std::string what = "spring " + std::to_string(i + 1);
    expect(source_, table, TomlValue::Kind::table, what, "a table with 'between' and 'stiffness'");
    check_keys(source_, table, keys, " in [[springs]]");
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
    const auto value = [&](const char* key) {
      return table.find(key) == nullptr ? system_.context->zero()
                                        : required_scalar(table, key, what, Contents::positions());
    };
    const Expr stiffness = required_scalar(table, "stiffness", what, Contents::positions());
    const Expr length = value("length"), damping = value("damping");
    const Expr stretched = length.is_zero() ? square : pow(sqrt(square) - length, Rational(2));
    potential = potential + Rational(1, 2) * (stiffness * stretched);
    if (!damping.is_zero()) {
      const Expr rate = elaborator_->total_derivative(square) * pow(Rational(4) * square, Rational(-1, 2));
      damping_.push_back(Rational(1, 2) * (damping * pow(rate, Rational(2))));
    }
  }
  return potential;
}

void ModelReader::read_dissipation() {
  std::vector<Expr> functions = damping_;
  if (const Entry* entry = find("dissipation"))
    functions.push_back(
        elaborator_->scalar(expression(source_, entry->value, "the dissipation"), Contents::velocities_too()));
  if (functions.empty()) return;
  const std::vector<Expr> slopes = gradient(system_.context->sum(functions), system_.motion.v);
  for (std::size_t i = 0; i < system_.size(); ++i) system_.forces[i] = system_.forces[i] - slopes[i];
}

void ModelReader::read_loads() {
  const TomlValue* list = optional_array("loads", "a list of tables, each beginning with [[loads]]");
  if (list == nullptr) return;
  static const std::vector<std::string> keys = {"force", "at", "torque", "on", "against"};
  const auto add = [&](const Vector& load, const Vector& rate, std::span<const Expr> by) {
    const Matrix slopes = jacobian(rate, by);
    for (std::size_t j = 0; j < system_.size(); ++j)
      system_.forces[j] = system_.forces[j] + frames_->dot(load, {slopes(0, j), slopes(1, j), slopes(2, j)});
  };
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
    for (const Entry* entry : {on, against})
      if (entry != nullptr && torque == nullptr)
        fail(in_quotes(entry->key) + " without 'torque' in " + what, entry->offset);
    if (force != nullptr) {
      const Quantity f = place(force->value, "the force of " + what, Contents::velocities_too());
      const Quantity p = place(at->value, "the place of " + what, Contents::positions());
      add(f.components, p.components, system_.motion.q);
      load_forces_.push_back(f.components);
    }
    if (torque == nullptr) continue;
    const Quantity moment = place(torque->value, "the torque of " + what, Contents::velocities_too());
    const auto frame = [&](const Entry& entry) {
      expect(source_, entry.value, TomlValue::Kind::string, in_quotes(entry.key) + " of " + what,
             "the name of a frame or of a body");
      return frame_named(entry.value.text, string_place(entry.value), in_quotes(entry.key) + " of " + what);
    };
    const std::uint32_t turned = frame(*on), held = against == nullptr ? FrameTree::ground : frame(*against);
    if (turned == held)
      fail(what + " acts on nothing: " +
               (turned == FrameTree::ground ? "the ground does not turn" : "a torque between a frame and itself"),
           on->value.offset);
    // ω relative to the frame that takes the reaction, in its components where that is short
    if (frames_->descends(turned, held)) {
      add(frames_->in_frame(elaborator_->parts_of(moment), held), frames_->omega_relative(turned, held),
          system_.motion.v);
    } else {
      Vector rate = frames_->omega_on_ground(turned);
      for (std::size_t c = 0; c < 3; ++c) rate[c] = rate[c] - frames_->omega_on_ground(held)[c];
      add(moment.components, rate, system_.motion.v);
    }
  }
}

}  // namespace cetaev::model
