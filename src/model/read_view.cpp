// [view]: what to draw of a state. Every place and direction is a vector of coordinates, velocities, time and parameters.
#include <algorithm>
#include <cmath>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

const TomlValue* ModelReader::view_list(const TomlValue& view, std::string_view key, const std::string& wanted) const {
  const Entry* entry = view.find(key);
  if (entry == nullptr) return nullptr;
  expect(source_, entry->value, TomlValue::Kind::array, in_quotes(key) + " in [view]", wanted);
  return &entry->value;
}

View::Vector ModelReader::view_vector(const TomlValue& value, const std::string& what) {
  return vector_value(vector_parts(value, what), Contents::velocities_too()).components;
}

View::Vector ModelReader::view_entry(const TomlValue& table, std::string_view key, const std::string& what) {
  const Entry* entry = table.find(key);
  if (entry == nullptr) fail(what + " has no " + in_quotes(key), table.offset);
  return view_vector(entry->value, in_quotes(key) + " of " + what);
}

// A name of the model is its own label.
View::Mark ModelReader::view_mark(const TomlValue& value, const std::string& what) {
  const bool named = value.kind == TomlValue::Kind::string && names_->find(value.text) != nullptr;
  return {named ? value.text : "", view_vector(value, what)};
}

// "plane", or {from = [...], up = [...]} in numbers.
View::Camera ModelReader::read_camera(const TomlValue& value) {
  static const std::vector<std::string> keys = {"from", "up"};
  View::Camera camera;
  if (value.kind == TomlValue::Kind::string) {
    if (value.text != "plane")
      fail("unknown camera " + in_quotes(value.text) + "; there is \"plane\", or a table with 'from' and 'up'",
           string_place(value));
    return camera;
  }
  expect(source_, value, TomlValue::Kind::table, "'camera' in [view]", "\"plane\" or a table with 'from' and 'up'");
  check_keys(source_, value, keys, " of 'camera'");
  const auto direction = [&](const char* key, std::array<double, 3>& into) {
    const Entry* entry = value.find(key);
    if (entry == nullptr) return false;
    const std::string what = in_quotes(key) + " of the camera";
    const auto parts = vector_parts(entry->value, what);
    const Quantity vector = vector_value(parts, Contents::constants());
    for (std::size_t i = 0; i < 3; ++i) {
      into[i] = value_of(vector.components[i]);
      if (!std::isfinite(into[i])) fail(what + " is not finite", entry->value.offset);
    }
    if (std::hypot(into[0], into[1], into[2]) == 0) fail(what + " has no direction", entry->value.offset);
    return true;
  };
  if (!direction("from", camera.from)) fail("the camera has no 'from', the direction one looks from", value.offset);
  if (!direction("up", camera.up)) camera.up = {0, 0, 1};
  const auto& [a, b] = std::pair(camera.from, camera.up);
  const double across = std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  if (across <= 1e-9 * std::hypot(a[0], a[1], a[2]) * std::hypot(b[0], b[1], b[2]))
    fail("'up' of the camera is the direction one looks in", value.offset);
  return camera;
}

// The value of what the motion does not change.
std::optional<double> ModelReader::constant_value(Expr e) const {
  for (const Expr symbol : free_symbols(e))
    if (!parameter_values_.contains(symbol.id())) return std::nullopt;
  return value_of(e);
}

// Wheels and balls from contacts, and what `uniform` says a body looks like: a circle, a ball, a rod, the edges of a box.
View ModelReader::view_of_bodies() {
  View view;
  std::vector<bool> drawn(system_.bodies.size(), false);
  for (const Named& named : named_) {
    if (named.kind != NameKind::contact) continue;
    const WrittenContact& contact = written_contacts_[named.index];
    const Body& body = system_.bodies[contact.body];
    const std::uint32_t frame = named_[named_places_.at(body.name)].value.frame;
    const auto along = [&](int axis) { return frames_->on_ground(frames_->part(frame, frames_->unit(axis))); };
    drawn[contact.body] = true;
    if (contact.axle) {
      const int across = *contact.axle == frames_->unit(0) ? 1 : 0;
      view.wheels.push_back(
          {body.centre, frames_->on_ground(frames_->part(frame, *contact.axle)), contact.radius, along(across)});
    } else if (contact.radius) {
      view.balls.push_back({body.centre, contact.radius});
    } else {
      drawn[contact.body] = false;
    }
    view.traces.push_back({named.name, named.value.components});
  }
  for (const Named& named : named_) {
    if (named.kind != NameKind::body || drawn[named.index]) continue;
    view_of_body(view, system_.bodies[named.index], written_bodies_[named.index], named.value);
  }
  return view;
}

void ModelReader::view_of_body(View& view, const Body& body, const WrittenBody& written, const Quantity& centre) {
  const Parts middle = elaborator_->parts_of(centre);
  const auto place = [&](const Vector& from_centre) {
    return frames_->on_ground(frames_->sum(middle, frames_->part(centre.frame, from_centre)));
  };
  const auto along = [&](int axis) { return frames_->on_ground(frames_->part(centre.frame, frames_->unit(axis))); };
  const int axis = written.axis, across = axis == 0 ? 1 : 0;
  const Expr zero = system_.context->zero();
  if (written.shape == "ball") {
    view.balls.push_back({body.centre, written.lengths[0]});
  } else if (written.shape == "disc" || written.shape == "ring" || written.shape == "cylinder") {
    view.wheels.push_back({body.centre, along(axis), written.lengths[0], along(across)});
  } else if (written.shape == "rod") {
    Vector half = {zero, zero, zero};
    half[static_cast<std::size_t>(axis)] = Rational(1, 2) * written.lengths[0];
    view.links.push_back({place({-half[0], -half[1], -half[2]}), place(half)});
  } else if (written.shape == "box") {
    // The twelve edges in four lines: around below, around above, and up at two corners each.
    const auto corner = [&](int x, int y, int z) {
      return place({Rational(x, 2) * written.lengths[0], Rational(y, 2) * written.lengths[1],
                    Rational(z, 2) * written.lengths[2]});
    };
    for (const int z : {-1, 1})
      view.links.push_back({corner(-1, -1, z), corner(1, -1, z), corner(1, 1, z), corner(-1, 1, z), corner(-1, -1, z)});
    for (const auto& [x, y] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}})
      view.links.push_back({corner(x, y, -1), corner(x, y, 1)});
  } else {
    view.points.push_back({body.name, body.centre});
  }
}

void ModelReader::read_view() {
  static const std::vector<std::string> keys = {"points", "links", "blades", "wheels", "balls", "traces", "camera"};
  static const std::vector<std::string> blade_keys = {"at", "along"};
  static const std::vector<std::string> wheel_keys = {"at", "axle", "radius", "spoke"};
  static const std::vector<std::string> ball_keys = {"at", "radius"};
  const TomlValue* table = optional_table("view", "a table");
  if (!system_.bodies.empty()) system_.view = view_of_bodies();
  if (table == nullptr) return;
  check_keys(source_, *table, keys, " in [view]");
  // What is written replaces what the bodies say by themselves.
  View view = system_.view.value_or(View());
  const auto clear = [&](std::string_view key, auto& list) {
    if (table->find(key) != nullptr) list.clear();
  };
  clear("points", view.points);
  clear("traces", view.traces);
  clear("links", view.links);
  clear("blades", view.blades);
  clear("wheels", view.wheels);
  clear("balls", view.balls);
  const std::string places = "a list of places: names of points, or vectors";
  if (const TomlValue* list = view_list(*table, "points", places))
    for (const TomlValue& value : list->elements) view.points.push_back(view_mark(value, "a point of [view]"));
  if (const TomlValue* list = view_list(*table, "traces", places))
    for (const TomlValue& value : list->elements) view.traces.push_back(view_mark(value, "a trace of [view]"));
  if (const TomlValue* list = view_list(*table, "links", "a list of links, each a list of places")) {
    for (const TomlValue& value : list->elements) {
      expect(source_, value, TomlValue::Kind::array, "a link of [view]", "a list of places: [\"P1\", \"P2\"]");
      if (value.elements.size() < 2) fail("a link of [view] joins two places or more", value.offset);
      auto& link = view.links.emplace_back();
      for (const TomlValue& place : value.elements) link.push_back(view_vector(place, "the end of a link of [view]"));
    }
  }

  const auto tables = [&](std::string_view key, const std::string& what, const std::vector<std::string>& known,
                          const auto& read) {
    const TomlValue* list = view_list(*table, key, "a list of tables");
    if (list == nullptr) return;
    for (const TomlValue& value : list->elements) {
      expect(source_, value, TomlValue::Kind::table, what, "a table");
      check_keys(source_, value, known, " of " + what);
      read(value);
    }
  };
  const auto radius = [&](const TomlValue& value, const std::string& what) {
    const Entry* entry = value.find("radius");
    if (entry == nullptr) fail(what + " has no 'radius'", value.offset);
    const Expr e =
        elaborator_->scalar(expression(source_, entry->value, "'radius' of " + what), Contents::velocities_too());
    if (const auto size = constant_value(e); size && !(*size > 0 && std::isfinite(*size)))
      fail("'radius' of " + what + " is not positive", entry->value.offset);
    return e;
  };
  const auto direction = [&](const TomlValue& value, std::string_view key, const std::string& what) {
    const View::Vector vector = view_entry(value, key, what);
    const auto nowhere = [&](Expr e) {
      const auto number = constant_value(e);
      return number && *number == 0;
    };
    if (std::all_of(vector.begin(), vector.end(), nowhere))
      fail(in_quotes(key) + " of " + what + " has no direction", value.find(key)->value.offset);
    return vector;
  };
  const std::string a_blade = "a blade of [view]", a_wheel = "a wheel of [view]", a_ball = "a ball of [view]";
  tables("blades", a_blade, blade_keys, [&](const TomlValue& value) {
    view.blades.push_back({view_entry(value, "at", a_blade), direction(value, "along", a_blade)});
  });
  tables("wheels", a_wheel, wheel_keys, [&](const TomlValue& value) {
    View::Wheel wheel{view_entry(value, "at", a_wheel), direction(value, "axle", a_wheel), radius(value, a_wheel), {}};
    if (value.find("spoke") != nullptr) wheel.spoke = direction(value, "spoke", a_wheel);
    view.wheels.push_back(std::move(wheel));
  });
  tables("balls", a_ball, ball_keys, [&](const TomlValue& value) {
    view.balls.push_back({view_entry(value, "at", a_ball), radius(value, a_ball)});
  });
  if (const Entry* camera = table->find("camera")) view.camera = read_camera(camera->value);
  system_.view = std::move(view);
}

}  // namespace cetaev::model
