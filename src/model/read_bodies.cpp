// [[bodies]] and gravity: rigid bodies and their energies,
//
//   T = ½ m |C'|² + ½ ω_Fᵀ I_F ω_F,   V = −m g·C.
#include <algorithm>
#include <cmath>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

// The principal moments of a symmetric matrix xx, yy, zz, xy, yz, xz, the least first: Jacobi's turns until nothing is left beside the
// diagonal.
std::array<double, 3> principal_moments(const std::array<double, 6>& inertia) {
  const auto& [xx, yy, zz, xy, yz, xz] = inertia;
  double m[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double angle = std::atan2(2 * m[p][q], m[q][q] - m[p][p]) / 2;
        const double c = std::cos(angle), s = std::sin(angle);
        for (auto& row : m) {
          const double a = row[p], b = row[q];
          row[p] = c * a - s * b;
          row[q] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k) {
          const double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
  }
  std::array<double, 3> moments = {m[0][0], m[1][1], m[2][2]};
  std::sort(moments.begin(), moments.end());
  return moments;
}

}  // namespace

void ModelReader::collect_bodies() {
  const TomlValue* list = optional_array("bodies", "a list of tables, each beginning with [[bodies]]");
  if (list == nullptr) return;
  static const std::vector<std::string> keys = {"name", "frame", "mass", "centre", "inertia", "uniform"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    expect(source_, table, TomlValue::Kind::table, "a body", "a table with 'frame', 'mass', 'centre' and 'inertia'");
    check_keys(source_, table, keys, " in [[bodies]]");
    Named named{.name = {}, .kind = NameKind::body, .index = i, .parts = {}};
    if (const Entry* name = table.find("name")) {
      expect(source_, name->value, TomlValue::Kind::string, "the name of a body", "a string");
      named.name = name->value.text;
      add_name(named.name, NameKind::body, i, {}, string_place(name->value));
    }
    const std::string whose = body_in_words(named.name, i);
    const Entry* centre = table.find("centre");
    if (centre == nullptr) fail(whose + " has no 'centre', the place of its centre of mass", table.offset);
    named.parts = vector_parts(centre->value, "the centre of " + whose);
    WrittenBody body{&table, "ground", table.offset};
    if (const Entry* frame = table.find("frame")) {
      expect(source_, frame->value, TomlValue::Kind::string, "'frame' of " + whose, "the name of a frame");
      body.frame = frame->value.text;
      body.frame_offset = string_place(frame->value);
      named.uses.push_back({body.frame, body.frame_offset});
    }
    system_.bodies.push_back({named.name, 0, {}, {}, {}, {}, {}});
    written_bodies_.push_back(std::move(body));
    add_named(std::move(named));
  }
}

Expr ModelReader::required_scalar(const TomlValue& table, std::string_view key, const std::string& what,
                                  const Contents& contents) {
  const Entry* entry = table.find(key);
  if (entry == nullptr) fail(what + " has no " + in_quotes(key), table.offset);
  return elaborator_->scalar(expression(source_, entry->value, in_quotes(key) + " of " + what), contents);
}

int ModelReader::axis_letter(const TomlValue& table, std::string_view key, const std::string& what) const {
  const Entry* entry = table.find(key);
  if (entry == nullptr) fail(what + " has no " + in_quotes(key) + ": x, y or z", table.offset);
  const std::string& text = entry->value.text;
  if (entry->value.kind != TomlValue::Kind::string || text.size() != 1 || text[0] < 'x' || text[0] > 'z')
    fail(in_quotes(key) + " of " + what + " must be \"x\", \"y\" or \"z\"", entry->value.offset);
  return text[0] - 'x';
}

void ModelReader::read_bodies() {
  for (const Named& named : named_) {
    if (named.kind != NameKind::body) continue;
    Body& body = system_.bodies[named.index];
    const TomlValue& table = *written_bodies_[named.index].table;
    const std::string whose = body_in_words(named.name, named.index);
    const std::uint32_t frame = named.value.frame;
    for (const Named& other : named_)
      if (other.kind == NameKind::frame && other.value.frame == frame && frame != FrameTree::ground) {
        body.frame = other.index + 1;
        break;
      }
    body.centre = named.value.components;
    body.mass = required_scalar(table, "mass", whose, Contents::positions());
    const Expr zero = system_.context->zero();
    require({body.mass, false, zero, "the mass of " + whose + " is negative"}, table.find("mass")->value.offset);
    read_inertia(body, written_bodies_[named.index]);
    const Parts velocity = frames_->derivative(elaborator_->parts_of(named.value));
    const std::uint32_t turning = frame_of_omega(body, frame);
    const Vector omega = frames_->omega_in(frame, turning);
    const std::uint32_t moving = frames_->deepest(velocity);
    const Vector components = frames_->in_frame(velocity, moving);
    const Expr square = is_tree() ? frames_->dot(components, components) : frames_->square(velocity);
    body.twist = Body::Twist{components, frames_->omega(moving), omega, frames_->omega(turning)};
    body.kinetic = Rational(1, 2) * (body.mass * square) + Rational(1, 2) * rotational_energy(body, omega);
  }
}

std::string ModelReader::body_in_words(const std::string& name, std::size_t index) {
  return "body " + (name.empty() ? std::to_string(index + 1) : in_quotes(name));
}

std::string ModelReader::body_in_words(const Body& body) const {
  return body_in_words(body.name, static_cast<std::size_t>(&body - system_.bodies.data()));
}

void ModelReader::read_inertia(Body& body, WrittenBody& written) {
  const TomlValue& table = *written.table;
  const Entry *inertia = table.find("inertia"), *uniform = table.find("uniform");
  const std::string whose = body_in_words(body);
  if (inertia == nullptr && uniform == nullptr)
    fail(whose + " has neither 'inertia' nor 'uniform'; a body without extent is one of [[points]]", table.offset);
  if (inertia != nullptr && uniform != nullptr)
    fail(whose + " has both 'inertia' and 'uniform': one says it all", std::max(inertia->offset, uniform->offset));
  body.inertia.fill(system_.context->zero());
  if (uniform != nullptr) {
    read_uniform(uniform->value, body, written);
    check_inertia(body, uniform->value.offset);
    return;
  }
  expect(source_, inertia->value, TomlValue::Kind::array, "'inertia' of " + whose,
         "an array of expressions: xx, yy, zz, then optionally xy, yz, xz");
  const auto& entries = inertia->value.elements;
  if (entries.size() != 3 && entries.size() != 6)
    fail("'inertia' of " + whose + " has three entries, xx, yy, zz, or six, with xy, yz, xz behind them; found " +
             std::to_string(entries.size()),
         inertia->value.offset);
  for (std::size_t i = 0; i < entries.size(); ++i)
    body.inertia[i] =
        elaborator_->scalar(expression(source_, entries[i], "an inertia of " + whose), Contents::positions());
  check_inertia(body, inertia->value.offset);
  const auto& I = body.inertia;
  if (!I[3].is_zero() || !I[4].is_zero() || !I[5].is_zero()) return;
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr others = I[(i + 1) % 3] + I[(i + 2) % 3];
    require({I[i], false, others, "no body has this inertia: a moment of inertia of " + whose + " is negative"},
            inertia->value.offset);
    require({others - I[i], false, others + I[i],
             "no body has this inertia: a moment of inertia of " + whose + " exceeds the sum of the other two"},
            inertia->value.offset);
  }
}

// Bodies of even density, about their centres. Moments of inertia for a mass of 1, times m.
void ModelReader::read_uniform(const TomlValue& uniform, Body& body, WrittenBody& written) {
  static const std::vector<std::string> keys = {"ball", "disc", "ring", "rod", "box", "cylinder", "axis"};
  const std::string whose = "'uniform' of " + body_in_words(body);
  expect(source_, uniform, TomlValue::Kind::table, whose, "a table such as {ball = \"r\"}");
  check_keys(source_, uniform, keys, " of " + whose);
  const Entry* shape = nullptr;
  for (const Entry& entry : uniform.entries) {
    if (entry.key == "axis") continue;
    if (shape != nullptr) fail(whose + " has two shapes, " + shape->key + " and " + entry.key, entry.offset);
    shape = &entry;
  }
  if (shape == nullptr) fail(whose + " names no shape: ball, disc, ring, rod, box or cylinder", uniform.offset);
  written.shape = shape->key;
  const auto length = [&](const TomlValue& value) {
    const Expr e =
        elaborator_->scalar(expression(source_, value, in_quotes(shape->key) + " of " + whose), Contents::positions());
    require({e, false, system_.context->zero(), "a negative length in " + whose}, value.offset);
    written.lengths.push_back(e);
    return pow(e, Rational(2));
  };
  const auto lengths = [&](std::size_t count, const char* wanted) {
    expect(source_, shape->value, TomlValue::Kind::array, in_quotes(shape->key) + " of " + whose, wanted);
    if (shape->value.elements.size() != count)
      fail(in_quotes(shape->key) + " of " + whose + " must be " + wanted, shape->value.offset);
    std::vector<Expr> squares;
    for (const TomlValue& value : shape->value.elements) squares.push_back(length(value));
    return squares;
  };
  const auto round = [&](Expr along, Expr across) {
    const int axis = written.axis = axis_letter(uniform, "axis", whose);
    for (int i = 0; i < 3; ++i) body.inertia[static_cast<std::size_t>(i)] = body.mass * (i == axis ? along : across);
  };
  const auto no_axis = [&] {
    if (const Entry* axis = uniform.find("axis")) fail("a " + shape->key + " has no 'axis'", axis->offset);
  };
  if (shape->key == "ball") {
    no_axis();
    const Expr moment = body.mass * (Rational(2, 5) * length(shape->value));
    std::fill_n(body.inertia.begin(), 3, moment);
  } else if (shape->key == "box") {
    no_axis();
    const std::vector<Expr> s = lengths(3, "an array of three lengths, along x, y and z");
    for (std::size_t i = 0; i < 3; ++i)
      body.inertia[i] = body.mass * (Rational(1, 12) * (s[(i + 1) % 3] + s[(i + 2) % 3]));
  } else if (shape->key == "cylinder") {
    const std::vector<Expr> s = lengths(2, "an array of two lengths, its radius and its height");
    round(Rational(1, 2) * s[0], Rational(1, 4) * s[0] + Rational(1, 12) * s[1]);
  } else {
    const Expr square = length(shape->value);
    if (shape->key == "disc") round(Rational(1, 2) * square, Rational(1, 4) * square);
    if (shape->key == "ring") round(square, Rational(1, 2) * square);
    if (shape->key == "rod") round(system_.context->zero(), Rational(1, 12) * square);
  }
}

void ModelReader::require(const SizeCondition& condition, std::size_t offset) {
  const auto value = constant_value(condition.value), size = constant_value(condition.beside);
  if (!value || !size) return;
  if (!condition.holds(*value, *size)) fail(condition.broken + ": " + short_decimal(*value), offset);
  if (!condition.value.is_number()) system_.conditions.push_back(condition);
}

// Masses are not negative, so ∫ x² dm = (yy + zz − xx)/2 along principal axes is not: no principal moment exceeds the sum of the others.
void ModelReader::check_inertia(const Body& body, std::size_t offset) const {
  std::array<double, 6> values{};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = constant_value(body.inertia[i]);
    if (!value || !std::isfinite(*value)) return;
    values[i] = *value;
  }
  constexpr double rounding = 1e-12;
  const std::array<double, 3> moments = principal_moments(values);
  const auto& [a, b, c] = moments;
  const double size = std::max(std::abs(a), std::abs(c));
  const std::string of = " of " + body_in_words(body);
  const bool principal = values[3] == 0 && values[4] == 0 && values[5] == 0;
  const std::string moment = principal ? "moment of inertia" : "principal moment of inertia";
  if (a < -rounding * size)
    fail("no body has this inertia: a " + moment + of + " is negative, " + short_decimal(a), offset);
  if (c > a + b + rounding * size)
    fail("no body has this inertia: a " + moment + of + " exceeds the sum of the other two, " + short_decimal(c) +
             " > " + short_decimal(a) + " + " + short_decimal(b),
         offset);
}

// Bodies that hang on each other and on nothing else: what they share is worth more than what is short in each.
bool ModelReader::is_tree() const {
  constexpr std::size_t few = 4;  // coordinates
  return system_.coordinates.size() > few && find("constraints") == nullptr && find("contacts") == nullptr;
}

// In which the angular velocity of a body is short and its inertia the same as in its own frame: turns about an axis of symmetry do not count.
std::uint32_t ModelReader::frame_of_omega(const Body& body, std::uint32_t frame) {
  const auto& I = body.inertia;
  const bool diagonal = I[3].is_zero() && I[4].is_zero() && I[5].is_zero();
  const auto even_about = [&](std::size_t axis) { return diagonal && I[(axis + 1) % 3] == I[(axis + 2) % 3]; };
  std::uint32_t in = frame;
  if (even_about(0) && even_about(1)) {
    const auto size = [&](std::uint32_t candidate) {
      double total = 0;
      for (const Expr e : frames_->omega_in(frame, candidate)) total += written_size(e);
      return total;
    };
    double least = size(in);
    for (std::uint32_t candidate = frame; candidate != FrameTree::ground;) {
      candidate = frames_->parent(candidate);
      if (const double here = size(candidate); here < least) {
        least = here;
        in = candidate;
      }
    }
  } else {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (even_about(axis)) in = frames_->without_spin(frame, static_cast<int>(axis));
  }
  return in;
}

// ωᵀ I ω
Expr ModelReader::rotational_energy(const Body& body, const Vector& omega) const {
  const auto& I = body.inertia;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < 3; ++i) terms.push_back(I[i] * pow(omega[i], Rational(2)));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t first = i == 2 ? 0 : i, second = i == 0 ? 1 : 2;  // xy, yz, xz
    terms.push_back(Rational(2) * (I[3 + i] * (omega[first] * omega[second])));
  }
  return system_.context->sum(terms);
}

// −Σ m g·C over points and bodies.
Expr ModelReader::read_gravity() {
  const Entry* entry = find("gravity");
  if (entry == nullptr) return system_.context->zero();
  const Vector g = vector_value(vector_parts(entry->value, "gravity"), Contents::positions()).components;
  std::vector<Expr> terms;
  for (const Point& point : system_.points) terms.push_back(point.mass * frames_->dot(g, point.position));
  for (const Body& body : system_.bodies) terms.push_back(body.mass * frames_->dot(g, body.centre));
  gravity_ = g;
  system_.potential_parts.push_back({"weight", -system_.context->sum(terms)});
  return system_.potential_parts.back().energy;
}

}  // namespace cetaev::model
