#include "cetaev/model/build.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "cetaev/model/read.hpp"

namespace cetaev {

namespace {

// A TOML string.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", byte);
      result += escape.data();
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// The decimal number that reads back to the same double.
std::string number(std::string_view name, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::bad_model, "the value of '" + std::string(name) + "' is not a finite number");
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return quoted({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
}

std::string numbers(std::string_view name, const std::vector<double>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + number(name, values[i]);
  return text + "]";
}

std::string list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + quoted(items[i]);
  return text + "]";
}

}  // namespace

ContactShape ContactShape::wheel(std::string_view radius, std::string_view axle) {
  return {"wheel = {radius = " + quoted(radius) + ", axle = " + quoted(axle) + "}"};
}

ContactShape ContactShape::tyre(std::string_view radius, std::string_view crown, std::string_view axle) {
  return {"tyre = {radius = " + quoted(radius) + ", crown = " + quoted(crown) + ", axle = " + quoted(axle) + "}"};
}

ContactShape ContactShape::ball(std::string_view radius) { return {"ball = {radius = " + quoted(radius) + "}"}; }

ContactShape ContactShape::ellipsoid(const std::vector<std::string>& axes, std::string_view centre) {
  return {"ellipsoid = {axes = " + list(axes) + ", centre = " + quoted(centre) + "}"};
}

ContactGround ContactGround::plane(std::string_view point, std::string_view normal) {
  return {"{point = " + quoted(point) + ", normal = " + quoted(normal) + "}"};
}

ContactGround ContactGround::frame(std::string_view frame, std::string_view point) {
  return {"{frame = " + quoted(frame) + ", point = " + quoted(point) + "}"};
}

SystemBuilder& SystemBuilder::gravity(const std::vector<std::string>& components) {
  top_.emplace_back("gravity", list(components));
  return *this;
}

SystemBuilder& SystemBuilder::dissipation(std::string_view expression) {
  top_.emplace_back("dissipation", quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::frame(std::string_view name, std::string_view turns) {
  frames_.emplace_back(quoted(name), quoted(turns));
  return *this;
}

SystemBuilder& SystemBuilder::frame(std::string_view name, std::string_view from, std::string_view axis,
                                    std::string_view angle) {
  frames_.emplace_back(quoted(name),
                       "{from = " + quoted(from) + ", axis = " + quoted(axis) + ", angle = " + quoted(angle) + "}");
  return *this;
}

SystemBuilder& SystemBuilder::body(std::string_view name, std::string_view frame, std::string_view mass,
                                   std::string_view centre, const std::vector<std::string>& inertia) {
  bodies_.push_back("name = " + quoted(name) + "\nframe = " + quoted(frame) + "\nmass = " + quoted(mass) +
                    "\ncentre = " + quoted(centre) + "\ninertia = " + list(inertia) + "\n");
  return *this;
}

SystemBuilder& SystemBuilder::body(std::string_view name, std::string_view frame, std::string_view mass,
                                   std::string_view centre, const Uniform& uniform) {
  const std::string size = uniform.lengths.size() == 1 ? quoted(uniform.lengths[0]) : list(uniform.lengths);
  bodies_.push_back("name = " + quoted(name) + "\nframe = " + quoted(frame) + "\nmass = " + quoted(mass) +
                    "\ncentre = " + quoted(centre) + "\nuniform = {" + uniform.shape + " = " + size +
                    (uniform.axis.empty() ? "" : ", axis = " + quoted(uniform.axis)) + "}\n");
  return *this;
}

SystemBuilder& SystemBuilder::contact(std::string_view name, std::string_view body, const ContactShape& shape,
                                      const ContactGround& on, std::string_view kind) {
  contacts_.push_back("name = " + quoted(name) + "\nbody = " + quoted(body) + "\n" + shape.text + "\non = " + on.text +
                      "\nkind = " + quoted(kind) + "\n");
  return *this;
}

namespace {
std::string given(std::string_view key, std::string_view value) {
  return value.empty() ? "" : std::string(key) + " = " + quoted(value) + "\n";
}
}  // namespace

SystemBuilder& SystemBuilder::spring(std::string_view from, std::string_view to, std::string_view stiffness,
                                     std::string_view length, std::string_view damping, std::string_view name) {
  springs_.push_back(given("name", name) + "between = " + list({std::string(from), std::string(to)}) +
                     "\nstiffness = " + quoted(stiffness) + "\nlength = " + quoted(length) +
                     "\ndamping = " + quoted(damping) + "\n");
  return *this;
}

SystemBuilder& SystemBuilder::load(std::string_view force, std::string_view at, std::string_view on,
                                   std::string_view against, std::string_view name) {
  loads_.push_back(given("name", name) + "force = " + quoted(force) + "\nat = " + quoted(at) + "\n" + given("on", on) +
                   given("against", against));
  return *this;
}

SystemBuilder& SystemBuilder::torque(std::string_view torque, std::string_view on, std::string_view against,
                                     std::string_view name) {
  loads_.push_back(given("name", name) + "torque = " + quoted(torque) + "\non = " + quoted(on) +
                   "\nagainst = " + quoted(against) + "\n");
  return *this;
}

SystemBuilder& SystemBuilder::output(std::string_view name, std::string_view expression) {
  outputs_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::unit(std::string_view name, std::string_view unit) {
  units_.emplace_back(quoted(name), quoted(unit));
  return *this;
}

SystemBuilder& SystemBuilder::name(std::string_view name) {
  top_.emplace_back("name", quoted(name));
  return *this;
}

SystemBuilder& SystemBuilder::coordinates(const std::vector<std::string>& names) {
  top_.emplace_back("coordinates", list(names));
  return *this;
}

SystemBuilder& SystemBuilder::lagrangian(std::string_view expression) {
  top_.emplace_back("lagrangian", quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::kinetic(std::string_view expression) {
  top_.emplace_back("kinetic", quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::potential(std::string_view expression) {
  top_.emplace_back("potential", quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::constraint(std::string_view equation) {
  constraints_.emplace_back(equation);
  return *this;
}

SystemBuilder& SystemBuilder::dependent(const std::vector<std::string>& coordinates) {
  top_.emplace_back("dependent", list(coordinates));
  return *this;
}

SystemBuilder& SystemBuilder::auxiliary(std::string_view expression) {
  auxiliary_.emplace_back(expression);
  return *this;
}

SystemBuilder& SystemBuilder::transpositional(const std::vector<std::vector<std::string>>& rows) {
  std::string matrix = "[";
  for (std::size_t i = 0; i < rows.size(); ++i) matrix += (i == 0 ? "" : ", ") + list(rows[i]);
  top_.emplace_back("transpositional", matrix + "]");
  return *this;
}

SystemBuilder& SystemBuilder::transpositional_view(std::string_view name) {
  top_.emplace_back("transpositional", quoted(name));
  return *this;
}

SystemBuilder& SystemBuilder::point(std::string_view name, std::string_view mass,
                                    const std::vector<std::string>& position) {
  points_.push_back("name = " + quoted(name) + "\nmass = " + quoted(mass) + "\nposition = " + list(position) + "\n");
  return *this;
}

SystemBuilder& SystemBuilder::definition(std::string_view name, std::string_view expression) {
  definitions_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::parameter(std::string_view name, double value) {
  parameters_.emplace_back(quoted(name), number(name, value));
  return *this;
}

SystemBuilder& SystemBuilder::parameter(std::string_view name, std::string_view expression) {
  parameters_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::force(std::string_view coordinate, std::string_view expression) {
  forces_.emplace_back(quoted(coordinate), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::quasi_velocity(std::string_view name, std::string_view expression) {
  quasi_velocities_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::integral(std::string_view name, std::string_view expression) {
  integrals_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::closed_form(std::string_view coordinate, std::string_view expression) {
  closed_form_.emplace_back(quoted(coordinate), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::event(std::string_view name, std::string_view when, int direction, bool stop) {
  events_.emplace_back(quoted(name), "{when = " + quoted(when) + ", direction = " + std::to_string(direction) +
                                         ", action = " + (stop ? "\"stop\"" : "\"record\"") + "}");
  return *this;
}

SystemBuilder& SystemBuilder::initial(std::string_view name, double value) {
  initial_.emplace_back(quoted(name), number(name, value));
  return *this;
}

SystemBuilder& SystemBuilder::initial(std::string_view name, std::string_view expression) {
  initial_.emplace_back(quoted(name), quoted(expression));
  return *this;
}

SystemBuilder& SystemBuilder::lambda(const std::vector<double>& values) {
  initial_.emplace_back("lambda", numbers("lambda", values));
  return *this;
}

SystemBuilder& SystemBuilder::lambda0(const std::vector<double>& values) {
  initial_.emplace_back("lambda0", numbers("lambda0", values));
  return *this;
}

std::string SystemBuilder::text() const {
  std::string text;
  const auto write = [&](const Entries& entries) {
    for (const auto& [key, value] : entries) text += key + " = " + value + "\n";
  };
  const auto table = [&](const char* header, const Entries& entries) {
    if (!entries.empty()) text += std::string("\n") + header + "\n";
    write(entries);
  };
  write(top_);
  if (!constraints_.empty()) text += "constraints = " + list(constraints_) + "\n";
  if (!auxiliary_.empty()) text += "auxiliary = " + list(auxiliary_) + "\n";
  table("[parameters]", parameters_);
  const auto tables = [&](const char* header, const std::vector<std::string>& items) {
    for (const std::string& item : items) text += std::string("\n") + header + "\n" + item;
  };
  table("[frames]", frames_);
  tables("[[points]]", points_);
  tables("[[bodies]]", bodies_);
  tables("[[contacts]]", contacts_);
  tables("[[springs]]", springs_);
  tables("[[loads]]", loads_);
  table("[definitions]", definitions_);
  table("[forces]", forces_);
  table("[quasi_velocities]", quasi_velocities_);
  table("[integrals]", integrals_);
  table("[closed_form]", closed_form_);
  table("[events]", events_);
  table("[outputs]", outputs_);
  table("[units]", units_);
  table("[initial]", initial_);
  return text;
}

System SystemBuilder::build() const { return read_model(text(), "built-in-c++.toml"); }

}  // namespace cetaev
