#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "cetaev/constraint/state.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector3 unit(const Vector3& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

// x, y, z, or those with one ending: x1, y1, z1; X, Y, Z likewise. The axis and the ending.
std::optional<std::pair<std::size_t, std::string>> cartesian(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::size_t axis = std::string("xyzXYZ").find(name[0]);
  if (axis == std::string::npos) return std::nullopt;
  const std::string ending = name.substr(1);
  const bool index =
      std::all_of(ending.begin(), ending.end(), [](char c) { return (c >= '0' && c <= '9') || c == '_'; });
  if (!index) return std::nullopt;
  return std::pair(axis % 3, (axis < 3 ? "" : "^") + ending);
}

}  // namespace

std::size_t Scene::add(const View::Vector& vector) {
  const auto known = std::find(vectors_.begin(), vectors_.end(), vector);
  if (known != vectors_.end()) return static_cast<std::size_t>(known - vectors_.begin());
  vectors_.push_back(vector);
  return vectors_.size() - 1;
}

std::size_t Scene::add(Expr number) {
  numbers_.push_back(number);
  return numbers_.size() - 1;
}

void Scene::take(const View& view) {
  for (const View::Mark& mark : view.points) stage_.points.push_back({mark.label, add(mark.at)});
  for (const View::Mark& mark : view.traces) stage_.traces.push_back({mark.label, add(mark.at)});
  if (view.traces.empty()) stage_.traces = stage_.points;
  for (const auto& link : view.links) {
    auto& places = stage_.links.emplace_back();
    for (const View::Vector& place : link) places.push_back(add(place));
  }
  for (const View::Blade& blade : view.blades) stage_.blades.push_back({add(blade.at), add(blade.along)});
  for (const View::Wheel& wheel : view.wheels) {
    Stage::Wheel w{add(wheel.at), add(wheel.axle), add(wheel.radius), std::nullopt};
    if (wheel.spoke) w.spoke = add(*wheel.spoke);
    stage_.wheels.push_back(w);
  }
  for (const View::Ball& ball : view.balls) stage_.balls.push_back({add(ball.at), add(ball.radius)});
  if (view.traces.empty() && view.points.empty()) {
    for (const Stage::Blade& blade : stage_.blades) stage_.traces.push_back({"", blade.at});
    for (const Stage::Ball& ball : stage_.balls) stage_.traces.push_back({"", ball.at});
    for (const Stage::Wheel& wheel : stage_.wheels) stage_.traces.push_back({"", wheel.at});
  }
  camera_ = view.camera;
}

// A constraint A x' + B y' = 0 with no other velocity in it is a blade along (B, −A) at the point (x, y).
void Scene::find_blades(const System& system, View& view) const {
  const Motion& motion = system->motion;
  for (const Constraint& constraint : system->constraints) {
    if (constraint.order != 1) continue;
    std::vector<std::size_t> velocities;
    for (std::size_t i = 0; i < system->size(); ++i) {
      const std::array<Expr, 1> v = {motion.v[i]};
      if (depends_on(constraint.expression, v)) velocities.push_back(i);
    }
    if (velocities.size() != 2) continue;
    const Expr A = derivative(constraint.expression, motion.v[velocities[0]]);
    const Expr B = derivative(constraint.expression, motion.v[velocities[1]]);
    const std::array<Expr, 2> v = {motion.v[velocities[0]], motion.v[velocities[1]]};
    if (depends_on(A, v) || depends_on(B, v)) continue;
    if (!(constraint.expression - A * v[0] - B * v[1]).is_zero()) continue;
    const Expr zero = system->context->zero();
    for (const View::Mark& mark : view.points) {
      if (mark.at[0] != motion.q[velocities[0]] || mark.at[1] != motion.q[velocities[1]]) continue;
      view.blades.push_back({mark.at, {B, -A, zero}});
      break;
    }
  }
}

View Scene::suggested(const System& system) {
  const Expr zero = system->context->zero();
  View view;
  for (const Point& point : system->points) view.points.push_back({point.name, point.position});
  if (view.points.empty()) {
    std::map<std::string, std::array<std::optional<Expr>, 3>> found;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < system->size(); ++i) {
      const auto place = cartesian(system->coordinates[i]);
      if (!place) continue;
      if (!found.contains(place->second)) order.push_back(place->second);
      found[place->second][place->first] = system->motion.q[i];
    }
    for (const std::string& ending : order) {
      const auto& [x, y, z] = found[ending];
      if (x && y) view.points.push_back({"", {*x, *y, z.value_or(zero)}});
    }
  }
  if (view.points.empty()) {
    const Motion& motion = system->motion;
    const bool one = system->size() == 1;
    view.points.push_back({"", {motion.q[0], one ? motion.v[0] : motion.q[1], zero}});
    view.camera = View::Camera{};
    stage_.axes = {system->coordinates[0], one ? system->coordinates[0] + "'" : system->coordinates[1]};
    stage_.caption = one ? "the phase plane" : "the plane of the first two coordinates";
  }
  find_blades(system, view);
  return view;
}

Scene::Scene(const System& model, const Samples& samples) : parameters_(parameter_values(model)) {
  const System system = model.workable();
  // a [view] that only says where to look from leaves the rest to the program
  const bool drawn =
      system->view && !(system->view->points.empty() && system->view->traces.empty() && system->view->links.empty() &&
                        system->view->blades.empty() && system->view->wheels.empty() && system->view->balls.empty());
  View view = drawn ? *system->view : suggested(system);
  if (!drawn && system->view && system->view->camera) view.camera = system->view->camera;
  take(view);
  std::vector<Expr> outputs;
  for (const View::Vector& vector : vectors_) outputs.insert(outputs.end(), vector.begin(), vector.end());
  outputs.insert(outputs.end(), numbers_.begin(), numbers_.end());
  program_ = Program(outputs, state_symbols(system));
  if (!drawn) join_points(frames(samples));
}

void Scene::join_points(const Frames& frames) {
  const auto& points = stage_.points;
  if (frames.size() < 2 || points.size() < 2 || points.size() > 12) return;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      double least = INFINITY, most = 0;
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const Vector3 d = frames.vector(points[i].at, f) - frames.vector(points[j].at, f);
        const double length = std::sqrt(dot(d, d));
        least = std::min(least, length);
        most = std::max(most, length);
      }
      if (most > 0 && most - least <= 1e-7 * most) stage_.links.push_back({points[i].at, points[j].at});
    }
  }
}

Frames Scene::frames(const Samples& samples) const {
  // More frames than this no screen shows one by one.
  constexpr std::size_t most = 1500;
  const std::size_t count = samples.size(), stride = (count + most - 1) / most;
  Frames frames;
  frames.vectors.resize(vectors_.size());
  frames.numbers.resize(numbers_.size());
  Interpreter interpreter(program_);
  std::vector<double> inputs, outputs(program_.output_count());
  for (std::size_t i = 0; i < count; ++i) {
    if (i % stride != 0 && i + 1 != count) continue;
    inputs.clear();
    for (const auto& column : samples.q) inputs.push_back(column[i]);
    for (const auto& column : samples.v) inputs.push_back(column[i]);
    inputs.push_back(samples.t[i]);
    inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
    (void)interpreter(inputs, outputs);
    if (!std::all_of(outputs.begin(), outputs.end(), [](double x) { return std::isfinite(x); })) {
      ++frames.left_out;
      continue;
    }
    frames.t.push_back(samples.t[i]);
    const double* out = outputs.data();
    for (auto& vector : frames.vectors) {
      vector.insert(vector.end(), out, out + 3);
      out += 3;
    }
    for (auto& number : frames.numbers) number.push_back(*out++);
  }
  return frames;
}

std::array<double, 2> Scene::Eye::operator()(const Vector3& p) const { return {dot(p, right), dot(p, up)}; }
double Scene::Eye::depth(const Vector3& p) const { return dot(p, from); }

Scene::Eye Scene::eye(const Frames& frames) const {
  Eye eye{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, true};
  View::Camera camera;
  if (camera_) {
    camera = *camera_;
  } else {
    // Does everything stay at one height?
    double least = INFINITY, most = -INFINITY, extent = 0;
    const auto look = [&](std::size_t which) {
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const Vector3 p = frames.vector(which, f);
        extent = std::max({extent, std::abs(p[0]), std::abs(p[1])});
        least = std::min(least, p[2]);
        most = std::max(most, p[2]);
      }
    };
    for (const Stage::Mark& mark : stage_.points) look(mark.at);
    for (const Stage::Mark& mark : stage_.traces) look(mark.at);
    for (const auto& link : stage_.links)
      for (const std::size_t place : link) look(place);
    const bool flat = !(most - least > 1e-9 * std::max(extent, 1e-300));
    const bool upright_wheels = std::all_of(stage_.wheels.begin(), stage_.wheels.end(), [&](const Stage::Wheel& wheel) {
      return frames.size() > 0 && std::abs(unit(frames.vector(wheel.axle, 0))[2]) > 0.999;
    });
    if (flat && (stage_.wheels.empty() || upright_wheels)) return eye;
    camera.from = {1.1, -1.9, 1.0};
    camera.up = {0, 0, 1};
  }
  eye.from = unit(camera.from);
  eye.right = unit(cross(camera.up, eye.from));
  eye.up = cross(eye.from, eye.right);
  eye.plane = eye.from[2] > 0.999999;
  return eye;
}

}  // namespace cetaev
