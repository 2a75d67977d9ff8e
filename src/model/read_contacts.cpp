// [[contacts]]: bodies on planes, touching, rolling, not spinning; and the constraints of quaternions.
#include <algorithm>
#include <cmath>

#include "contact_geometry.hpp"
#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

const std::vector<std::string>& shapes() {
  static const std::vector<std::string> names = {"wheel", "tyre", "ball", "ellipsoid"};
  return names;
}

}  // namespace

void ModelReader::collect_contacts() {
  const TomlValue* list = optional_array("contacts", "a list of tables, each beginning with [[contacts]]");
  if (list == nullptr) return;
  static const std::vector<std::string> keys = {"name", "body", "wheel", "tyre", "ball", "ellipsoid", "on", "kind"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    expect(source_, table, TomlValue::Kind::table, "a contact", "a table with 'body' and its shape");
    check_keys(source_, table, keys, " in [[contacts]]");
    Named named{.name = {}, .kind = NameKind::contact, .index = i, .parts = {}};
    if (const Entry* name = table.find("name")) {
      expect(source_, name->value, TomlValue::Kind::string, "the name of a contact", "a string");
      named.name = name->value.text;
      add_name(named.name, NameKind::contact, i, {}, string_place(name->value));
    }
    WrittenContact contact;
    contact.table = &table;
    contact.what = "contact " + in_quotes(named.name.empty() ? std::to_string(i + 1) : named.name);
    const Entry* body = table.find("body");
    if (body == nullptr) fail(contact.what + " has no 'body'", table.offset);
    expect(source_, body->value, TomlValue::Kind::string, "'body' of " + contact.what, "the name of a body");
    std::vector<std::string> known;
    for (const Body& each : system_.bodies) known.push_back(each.name);
    const auto found = std::find(known.begin(), known.end(), body->value.text);
    if (found == known.end() || body->value.text.empty())
      fail(contact.what + ": there is no body " + in_quotes(body->value.text), string_place(body->value),
           closest(body->value.text, known));
    contact.body = static_cast<std::size_t>(found - known.begin());
    named.uses.push_back({body->value.text, string_place(body->value)});

    // What the shape and the plane are made of, for the order in which names are resolved.
    std::vector<const TomlValue*> inside;
    for (const Entry& entry : table.entries)
      if (entry.value.kind == TomlValue::Kind::table) inside.push_back(&entry.value);
    for (std::size_t k = 0; k < inside.size(); ++k) {
      for (const Entry& entry : inside[k]->entries) {
        if (entry.key == "frame" && entry.value.kind == TomlValue::Kind::string)
          named.uses.push_back({entry.value.text, string_place(entry.value)});
        const bool list_of_values = entry.value.kind == TomlValue::Kind::array;
        const bool one = entry.value.kind == TomlValue::Kind::string && entry.key != "frame" && entry.key != "axle";
        if (one) named.parts.push_back(expression(source_, entry.value, in_quotes(entry.key) + " of " + contact.what));
        if (list_of_values)
          for (const TomlValue& value : entry.value.elements)
            named.parts.push_back(expression(source_, value, in_quotes(entry.key) + " of " + contact.what));
      }
    }
    system_.contacts.push_back({named.name, contact.body, {}, {}});
    written_contacts_.push_back(std::move(contact));
    add_named(std::move(named));
  }
}

// Positions, velocities and the time of [initial], before anything is solved for.
void ModelReader::read_start() {
  const TomlValue* table = optional_table("initial", "a table");
  const auto value = [&](const std::string& name) -> std::optional<double> {
    const auto setting = overrides_.find(name);
    if (setting != overrides_.end()) return number(*setting->second->value);
    const Entry* entry = table == nullptr ? nullptr : table->find(name);
    const bool unset =
        std::any_of(settings_.begin(), settings_.end(), [&](const Setting& s) { return s.name == name; });
    if (entry == nullptr || unset || entry->value.kind == TomlValue::Kind::array) return std::nullopt;
    return number(expression(source_, entry->value, "the initial value of " + in_quotes(name)));
  };
  for (std::size_t i = 0; i < system_.size(); ++i) {
    const std::optional<double> position = value(system_.coordinates[i]);
    if (!position) not_written_.insert(system_.motion.q[i].id());
    start_.emplace(system_.motion.q[i].id(), position.value_or(0));
    start_.emplace(system_.motion.v[i].id(), value(system_.coordinates[i] + "'").value_or(0));
  }
  start_.emplace(system_.motion.t.id(), value("t").value_or(0));
  // As `begin_turned` has it.
  for (const auto& quaternion : quaternions_) {
    double square = 0;
    for (const std::size_t i : quaternion) square += std::pow(start_.at(system_.motion.q[i].id()), 2);
    const std::uint32_t e0 = system_.motion.q[quaternion[0]].id();
    if (not_written_.contains(e0) && square < 1) start_.at(e0) = std::sqrt(1 - square);
  }
}

double ModelReader::at_start(Expr e) const {
  std::vector<Value> values;
  for (const Expr symbol : free_symbols(e)) {
    const auto found = start_.find(symbol.id());
    values.emplace_back(symbol, found != start_.end() ? found->second : parameter_values_.at(symbol.id()));
  }
  return evaluate(e, values);
}

ContactPlane ModelReader::read_plane(const WrittenContact& contact) {
  static const std::vector<std::string> keys = {"point", "normal", "frame"};
  const Vector nothing = frames_->omega(FrameTree::ground);
  ContactPlane plane{"the ground", {}, {}, {}, {"x", "y"}, FrameTree::ground, nothing};
  const auto straight = [&](std::uint32_t frame, int axis) { return frames_->part(frame, frames_->unit(axis)); };
  plane.normal = straight(FrameTree::ground, 2);
  plane.tangents = {straight(FrameTree::ground, 0), straight(FrameTree::ground, 1)};
  const Entry* on = contact.table->find("on");
  if (on == nullptr || (on->value.kind == TomlValue::Kind::string && on->value.text == "ground")) return plane;
  const std::string what = "'on' of " + contact.what;
  expect(source_, on->value, TomlValue::Kind::table, what,
         "\"ground\", {point = …, normal = …} or {frame = …, point = …}");
  check_keys(source_, on->value, keys, " of " + what);
  const Entry *point = on->value.find("point"), *normal = on->value.find("normal"), *frame = on->value.find("frame");
  if ((normal == nullptr) == (frame == nullptr))
    fail(what + (normal == nullptr ? " has neither a 'normal' nor a 'frame'" : " has both a 'normal' and a 'frame'") +
             ": one of them says how it lies",
         on->value.offset);
  if (point != nullptr)
    plane.origin = elaborator_->parts_of(place(point->value, "'point' of " + what, Contents::positions()));
  if (frame != nullptr) {
    expect(source_, frame->value, TomlValue::Kind::string, "'frame' of " + what, "the name of a frame");
    plane.frame = frame_named(frame->value.text, string_place(frame->value), what);
    plane.name = frame->value.text;
    const Parts upright = straight(plane.frame, 2);
    // A table that only turns about the vertical lies as the ground does.
    if (frames_->on_ground(upright) == frames_->unit(2)) return plane;
    plane.normal = upright;
    plane.tangents = {straight(plane.frame, 0), straight(plane.frame, 1)};
    plane.tangent_names = {plane.name + ".x", plane.name + ".y"};
    return plane;
  }
  plane.name = "the plane";
  const Quantity written = place(normal->value, "'normal' of " + what, Contents::positions());
  Vector n = written.components;
  const Expr square = frames_->dot(n, n);
  if (square.is_zero() || !(at_start(square) > 0))
    fail("'normal' of " + what + " has no direction: its length is zero", normal->value.offset);
  if (!square.is_one() && !elaborator_->vanishes(square - Rational(1)))
    for (Expr& e : n) e = e * pow(square, Rational(-1, 2));
  plane.normal = frames_->part(FrameTree::ground, n);
  const Vector rate = frames_->derivative(n);
  if (!frames_->is_zero(rate)) plane.omega_besides = frames_->cross(n, rate);
  // Along the axis that is closest to the plane, and across that.
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(at_start(n[static_cast<std::size_t>(k)])) <
        std::abs(at_start(n[static_cast<std::size_t>(axis)])) - 1e-9)
      axis = k;
  Vector first = frames_->unit(axis);
  const Expr tilt = n[static_cast<std::size_t>(axis)];
  if (!tilt.is_zero()) {
    const Expr shorter = pow(system_.context->one() - pow(tilt, Rational(2)), Rational(-1, 2));
    for (std::size_t i = 0; i < 3; ++i) first[i] = (first[i] - tilt * n[i]) * shorter;
  }
  plane.tangents = {frames_->part(FrameTree::ground, first),
                    frames_->part(FrameTree::ground, frames_->cross(n, first))};
  plane.tangent_names = {std::string(1, "xyz"[axis]), "the plane across " + std::string(1, "xyz"[axis])};
  return plane;
}

// A plane that turns with the body: nothing rolls on it. What only slides may keep its direction on a table that turns, if there is one: another
// body, or a turn that time gives.
void ModelReader::refuse_own_plane(const WrittenContact& contact, const ContactPlane& plane, std::uint32_t frame,
                                   bool slides) {
  const Entry* on = contact.table->find("on");
  if (on == nullptr || on->value.find("frame") == nullptr || frame == FrameTree::ground) return;
  if (!frames_->descends(plane.frame, frame)) return;
  const Vector &own = frames_->omega_on_ground(frame), &of_plane = frames_->omega_on_ground(plane.frame);
  for (std::size_t c = 0; c < 3; ++c)
    if (!elaborator_->vanishes(own[c] - of_plane[c])) return;
  const auto in_that_frame = [&](const Body& body) {
    const auto place = named_places_.find(body.name);
    return place != named_places_.end() && named_[place->second].value.frame == frame;
  };
  const bool by_itself = std::any_of(own.begin(), own.end(), [&](Expr e) { return depends_on(e, system_.motion.v); });
  if (slides && (!by_itself || std::count_if(system_.bodies.begin(), system_.bodies.end(), in_that_frame) > 1)) return;
  fail("'on' of " + contact.what + " is the frame " + in_quotes(plane.name) + ", which turns with " +
           in_quotes(system_.bodies[contact.body].name) + " itself: it cannot " + (slides ? "slide" : "roll") +
           " on a plane of its own; give the frame of what it touches, or leave 'on' out for the ground",
       on->value.find("frame")->value.offset);
}

ContactPoint ModelReader::read_shape(WrittenContact& contact, const ContactPlane& plane, std::uint32_t frame) {
  static const std::vector<std::string> wheel_keys = {"radius", "axle"}, tyre_keys = {"radius", "crown", "axle"},
                                        ball_keys = {"radius"}, ellipsoid_keys = {"axes", "centre"};
  const Entry* shape = nullptr;
  for (const Entry& entry : contact.table->entries) {
    if (std::find(shapes().begin(), shapes().end(), entry.key) == shapes().end()) continue;
    if (shape != nullptr) fail(contact.what + " has two shapes, " + shape->key + " and " + entry.key, entry.offset);
    shape = &entry;
  }
  if (shape == nullptr) fail(contact.what + " has no shape: wheel, tyre, ball or ellipsoid", contact.table->offset);
  const std::string what = in_quotes(shape->key) + " of " + contact.what;
  expect(source_, shape->value, TomlValue::Kind::table, what, "a table such as {radius = \"r\"}");
  const bool wheel = shape->key == "wheel", tyre = shape->key == "tyre", ball = shape->key == "ball";
  check_keys(source_, shape->value,
             wheel  ? wheel_keys
             : tyre ? tyre_keys
             : ball ? ball_keys
                    : ellipsoid_keys,
             " of " + what);
  const auto positive = [&](Expr e, const TomlValue& value, const std::string& length) {
    require({e, true, system_.context->zero(), length + " of " + what + " is not positive"}, value.offset);
    return e;
  };
  const auto length = [&](const char* key) {
    const Expr e = required_scalar(shape->value, key, what, Contents::constants());
    return positive(e, shape->value.find(key)->value, in_quotes(key));
  };
  ContactGeometry geometry(*system_.context, *frames_);
  if (ball) return geometry.ball(plane, frame, contact.radius = length("radius"));
  if (wheel || tyre) {
    const Expr radius = contact.radius = length("radius"), crown = tyre ? length("crown") : system_.context->zero();
    const Entry* axle = shape->value.find("axle");
    if (axle == nullptr)
      fail(what + " has no 'axle': x, y, z, or a vector in the frame of the body", shape->value.offset);
    const bool letter = axle->value.kind == TomlValue::Kind::string && axle->value.text.size() == 1 &&
                        axle->value.text[0] >= 'x' && axle->value.text[0] <= 'z';
    const int axis = letter ? axle->value.text[0] - 'x' : -1;
    const Vector direction =
        letter ? frames_->unit(axis)
               : unit_axis(expression(source_, axle->value, "'axle' of " + what), "'axle' of " + what);
    contact.axle = direction;
    const auto point =
        geometry.wheel(plane, frame, axis, direction, radius, crown, [&](Expr e) { return at_start(e); });
    if (!point)
      fail("the wheel of " + contact.what + " lies flat on " + plane.name +
               " at the start: it has no lowest point there; give its lean in [initial]",
           shape->offset);
    return *point;
  }
  const Entry* axes = shape->value.find("axes");
  if (axes == nullptr) fail(what + " has no 'axes', its three semi-axes", shape->value.offset);
  expect(source_, axes->value, TomlValue::Kind::array, "'axes' of " + what, "an array of three lengths");
  if (axes->value.elements.size() != 3)
    fail("an ellipsoid has three semi-axes, found " + std::to_string(axes->value.elements.size()), axes->value.offset);
  Vector semi_axes, centre = frames_->omega(FrameTree::ground);
  for (std::size_t i = 0; i < 3; ++i) {
    const TomlValue& value = axes->value.elements[i];
    semi_axes[i] = positive(elaborator_->scalar(expression(source_, value, "'axes' of " + what), Contents::constants()),
                            value, "a semi-axis");
  }
  if (const Entry* entry = shape->value.find("centre"))
    centre = place(entry->value, "'centre' of " + what, Contents::constants()).components;
  return geometry.ellipsoid(plane, frame, semi_axes, centre);
}

void ModelReader::make_contact(Named& named) {
  static const std::vector<std::string> kinds = {"rolling", "rubber", "sliding"};
  WrittenContact& contact = written_contacts_[named.index];
  const Body& body = system_.bodies[contact.body];
  const Quantity& centre = named_[named_places_.at(body.name)].value;
  const std::uint32_t frame = centre.frame;
  const std::string kind = read_choice(*contact.table, "kind", kinds, " of " + contact.what).value_or("rolling");

  const ContactPlane plane = read_plane(contact);
  refuse_own_plane(contact, plane, frame, kind == "sliding");
  const ContactPoint point = read_shape(contact, plane, frame);
  const Parts middle = elaborator_->parts_of(centre);
  const Parts touching = frames_->sum(middle, frames_->part(point.frame, point.from_centre));
  named.value = elaborator_->vector_of(touching, 0);

  ContactGeometry geometry(*system_.context, *frames_);
  const auto height = [&](const Parts& of) {
    return geometry.along(frames_->sum(of, frames_->scaled(system_.context->integer(-1), plane.origin)), plane.normal);
  };
  // where something of it is yet to be found, touching says where
  const Expr of_centre = height(middle);
  const std::vector<Expr> found_by = free_symbols(of_centre);
  const bool known =
      std::all_of(found_by.begin(), found_by.end(), [&](Expr x) { return !not_written_.contains(x.id()); });
  const double above = at_start(of_centre);
  if (known && above < -1e-9)
    fail(contact.what + " is on the wrong side: the centre of " + in_quotes(body.name) + " is " +
             short_decimal(-above) + " below " + plane.name + " at the start",
         contact.table->offset);

  const auto direction = [&](const Parts& parts) { return frames_->on_ground(parts); };
  std::string subject = body.name;
  std::replace(subject.begin(), subject.end(), '_', ' ');
  const auto same_body = [&](const WrittenContact& other) { return other.body == contact.body; };
  if (std::count_if(written_contacts_.begin(), written_contacts_.end(), same_body) > 1 && !named.name.empty())
    subject += " at " + named.name;
  contact.rows.push_back({subject + " touches " + plane.name, height(touching), 0, direction(plane.normal), {}});
  if (kind != "sliding") {
    const Parts slip = geometry.slip(plane, frame, middle, point);
    for (std::size_t i = 0; i < 2; ++i)
      contact.rows.push_back({subject + " rolls: along " + plane.tangent_names[i],
                              geometry.along(slip, plane.tangents[i]),
                              1,
                              direction(plane.tangents[i]),
                              {}});
  }
  if (kind == "rubber") contact.rows.push_back({subject + " does not spin", geometry.spin(plane, frame), 1, {}, {}});
  contact.normal = direction(plane.normal);
  system_.contacts[named.index].point = named.value.components;
  system_.contacts[named.index].normal = contact.normal;
}

void ModelReader::read_contact_constraints() {
  std::size_t entry = system_.constraints.empty() ? 0 : system_.constraints.back().entry + 1;
  const auto add = [&](const std::string& text, Expr expression, int order, const SourcePosition& position) {
    Constraint constraint;
    constraint.text = text;
    constraint.entry = entry++;
    constraint.position = position;
    constraint.expression = expression;
    system_.constraints.push_back(settled(std::move(constraint), order));
  };
  std::vector<std::array<std::size_t, 4>> done;
  for (std::size_t k = 0; k < quaternions_.size(); ++k) {
    const auto& quaternion = quaternions_[k];
    if (std::find(done.begin(), done.end(), quaternion) != done.end()) continue;
    done.push_back(quaternion);
    std::string text;
    Expr square = system_.context->integer(-1);
    for (const std::size_t i : quaternion) {
      text += (text.empty() ? "" : " + ") + system_.coordinates[i] + "^2";
      square = square + pow(system_.motion.q[i], Rational(2));
    }
    add(text + " = 1", square, 0, quaternion_places_[k]);
  }
  for (WrittenContact& contact : written_contacts_) {
    for (WrittenContact::Row& row : contact.rows) {
      if (elaborator_->vanishes(row.expression)) continue;
      row.constraint = system_.constraints.size();
      add(row.text, row.expression, row.order, source_.position(contact.table->offset));
    }
  }
}

// Σ λ d over the rows of a contact. Where the coordinates keep it touching by themselves there is no multiplier for the normal; the
// reaction of a body that nothing else holds follows from the motion of its centre, N = n·(m (C'' − g) − f). Where they make it roll along d by
// themselves nobody knows what acts there, unless nothing is needed: d·(C'' − g) = 0. Components across what is not known are.
Elaborator::Properties ModelReader::contact_forces(std::span<const Expr> multipliers) {
  Elaborator::Properties forces;
  Context& context = *system_.context;
  for (std::size_t i = 0; i < written_contacts_.size(); ++i) {
    const WrittenContact& contact = written_contacts_[i];
    const Body& body = system_.bodies[contact.body];
    const auto needed = [&](std::size_t c) {
      const Expr moves = elaborator_->total_derivative(elaborator_->total_derivative(body.centre[c]));
      return gravity_ ? moves - (*gravity_)[c] : moves;
    };
    std::array<bool, 3> known = {true, true, true};
    const auto unknown_along = [&](const Vector& d) {
      for (std::size_t c = 0; c < 3; ++c) known[c] = known[c] && elaborator_->vanishes(d[c]);
    };
    for (auto row = contact.rows.begin() + 1; row != contact.rows.end(); ++row) {
      if (row->constraint || !row->direction[0]) continue;
      const Vector& d = row->direction;
      if (!elaborator_->vanishes(needed(0) * d[0] + needed(1) * d[1] + needed(2) * d[2])) unknown_along(d);
    }
    Vector force = frames_->omega(FrameTree::ground);  // zero
    for (const WrittenContact::Row& row : contact.rows) {
      if (!row.constraint || !row.direction[0]) continue;
      for (std::size_t c = 0; c < 3; ++c) force[c] = force[c] + multipliers[*row.constraint] * row.direction[c];
    }
    if (!contact.rows.front().constraint) {
      if (held_by_contact_alone(contact)) {
        std::vector<Expr> terms;
        for (std::size_t c = 0; c < 3; ++c) {
          Expr by_contact = body.mass * needed(c);
          for (const WrittenLoad& load : written_loads_) by_contact = by_contact - load.force[c];
          terms.push_back(contact.normal[c] * by_contact);
        }
        const Expr pressure = context.sum(terms);
        for (std::size_t c = 0; c < 3; ++c) force[c] = force[c] + pressure * contact.normal[c];
      } else {
        unknown_along(contact.normal);
      }
    }
    const std::string name = system_.contacts[i].name + ".force";
    const auto has_multiplier = [&](std::size_t c) {
      return std::any_of(contact.rows.begin(), contact.rows.end(), [&](const WrittenContact::Row& row) {
        return row.constraint && row.direction[0] && !row.direction[c].is_zero();
      });
    };
    for (std::size_t c = 0; c < 3; ++c)
      if (known[c] && has_multiplier(c)) forces.emplace(name + "." + "xyz"[c], Quantity::scalar(force[c], 2));
    if (known != std::array<bool, 3>{true, true, true}) continue;
    forces.emplace(name, Quantity{force, true, 2});
  }
  return forces;
}

// On the only body: its place moves as the material does there.
bool ModelReader::acts_on_body(const WrittenLoad& load) {
  if (load.body) return true;
  const Parts minus = frames_->scaled(system_.context->integer(-1), frames_->derivative(load.place));
  const Vector apart = frames_->on_ground(frames_->sum(material_velocity(0, load.place), minus));
  return std::all_of(apart.begin(), apart.end(), [&](Expr e) { return elaborator_->vanishes(e); });
}

// One body in one contact, free to move along the plane, and no forces but weight and loads.
bool ModelReader::held_by_contact_alone(const WrittenContact& contact) {
  for (const char* key :
       {"lagrangian", "kinetic", "potential", "points", "springs", "forces", "constraints", "dissipation"})
    if (find(key) != nullptr) return false;
  if (system_.bodies.size() != 1 || written_contacts_.size() != 1) return false;
  if (!std::all_of(written_loads_.begin(), written_loads_.end(),
                   [&](const WrittenLoad& load) { return acts_on_body(load); }))
    return false;
  const auto moves_along = [&](const Vector& direction) {
    const Vector& centre = system_.bodies[contact.body].centre;
    return std::any_of(system_.motion.q.begin(), system_.motion.q.end(), [&](Expr q) {
      for (std::size_t c = 0; c < 3; ++c)
        if (derivative(centre[c], q) != direction[c]) return false;
      return true;
    });
  };
  return moves_along(frames_->unit(0)) && moves_along(frames_->unit(1)) && contact.normal == frames_->unit(2);
}

}  // namespace cetaev::model
