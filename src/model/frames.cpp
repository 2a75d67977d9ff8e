#include "frames.hpp"

#include <algorithm>

namespace cetaev::model {

FrameTree::FrameTree(Context& context, const Motion& motion)
    : context_(context), derivation_(total_derivative(motion)) {
  const Vector zero = {context.zero(), context.zero(), context.zero()};
  Node node;
  node.step = node.rotation = identity();
  node.relative = node.relative_here = node.omega = node.omega_on_ground = zero;
  nodes_.push_back(std::move(node));
}

Matrix FrameTree::identity() const {
  Matrix m{3, 3, std::vector<Expr>(9, context_.zero())};
  for (std::size_t i = 0; i < 3; ++i) m(i, i) = context_.one();
  return m;
}

Vector FrameTree::unit(int axis) const {
  Vector e = {context_.zero(), context_.zero(), context_.zero()};
  e[static_cast<std::size_t>(axis)] = context_.one();
  return e;
}

Expr FrameTree::dot(const Vector& a, const Vector& b) const {
  std::array<Expr, 3> terms;
  for (std::size_t i = 0; i < 3; ++i) terms[i] = a[i] * b[i];
  return context_.sum(terms);
}

Vector FrameTree::cross(const Vector& a, const Vector& b) const {
  Vector result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] = a[j] * b[k] - a[k] * b[j];
  }
  return result;
}

Vector FrameTree::sum(const Vector& a, const Vector& b) const { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

bool FrameTree::is_zero(const Vector& v) const {
  return std::all_of(v.begin(), v.end(), [](Expr e) { return e.is_zero(); });
}

Vector FrameTree::times(const Matrix& m, const Vector& v) const {
  Vector result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = dot({m(i, 0), m(i, 1), m(i, 2)}, v);
  return result;
}

Vector FrameTree::transposed_times(const Matrix& m, const Vector& v) const {
  Vector result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = dot({m(0, i), m(1, i), m(2, i)}, v);
  return result;
}

Matrix FrameTree::times(const Matrix& a, const Matrix& b) const {
  Matrix m{3, 3, std::vector<Expr>(9)};
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector column = times(a, Vector{b(0, j), b(1, j), b(2, j)});
    for (std::size_t i = 0; i < 3; ++i) m(i, j) = column[i];
  }
  return m;
}

Vector FrameTree::derivative(const Vector& components) {
  return {derivation_(components[0]), derivation_(components[1]), derivation_(components[2])};
}

// ω = ω_parent + ω_relative, on the ground and in the frame: Sᵀω_parent + …
std::uint32_t FrameTree::add(Node node) {
  const Node& from = nodes_[node.parent];
  node.depth = from.depth + 1;
  node.rotation = times(from.rotation, node.step);
  node.omega_on_ground = sum(from.omega_on_ground, times(from.rotation, node.relative));
  node.omega = sum(transposed_times(node.step, from.omega), node.relative_here);
  nodes_.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t FrameTree::turn(std::uint32_t from, int axis, Expr angle) {
  const auto [known, added] = turns_.try_emplace({from, axis, angle.id()}, 0);
  if (!added) return known->second;
  angles_.push_back(angle);
  const auto k = static_cast<std::size_t>(axis), i = (k + 1) % 3, j = (k + 2) % 3;
  const Expr c = cos(angle), s = sin(angle);
  Node node;
  node.parent = from;
  node.axis = axis;
  node.step = identity();
  node.step(i, i) = node.step(j, j) = c;
  node.step(i, j) = -s;
  node.step(j, i) = s;
  node.relative = unit(axis);
  node.relative[k] = derivation_(angle);
  node.relative_here = node.relative;
  return known->second = add(std::move(node));
}

// Rodrigues: S = cosφ 1 + (1 − cosφ) a aᵀ + sinφ [a]×
std::uint32_t FrameTree::turn(std::uint32_t from, const Vector& axis, Expr angle) {
  for (int k = 0; k < 3; ++k)
    if (axis == unit(k)) return turn(from, k, angle);
  angles_.push_back(angle);
  const Expr c = cos(angle), s = sin(angle), rest = context_.one() - c, rate = derivation_(angle);
  Node node;
  node.parent = from;
  node.step = identity();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Expr entry = rest * (axis[i] * axis[j]);
      if (i == j) entry = entry + c;
      if (j == (i + 1) % 3) entry = entry - s * axis[(i + 2) % 3];
      if (i == (j + 1) % 3) entry = entry + s * axis[(j + 2) % 3];
      node.step(i, j) = entry;
    }
  for (std::size_t i = 0; i < 3; ++i) node.relative[i] = rate * axis[i];
  node.relative_here = node.relative;
  return add(std::move(node));
}

// ω = 2 (e₀ e' − e₀' e ± e × e')/|e|²: + in components of the parent, − in its own
std::uint32_t FrameTree::quaternion(std::uint32_t from, const std::array<Expr, 4>& e) {
  std::array<Expr, 4> squares;
  for (std::size_t i = 0; i < 4; ++i) squares[i] = pow(e[i], Rational(2));
  const Expr inverse = pow(context_.sum(squares), Rational(-1));
  const Vector u = {e[1], e[2], e[3]};
  const Vector rate = derivative(u);
  const Expr e0_rate = derivation_(e[0]);
  Node node;
  node.parent = from;
  node.step = identity();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      Expr entry = Rational(2) * (u[i] * u[j]);
      if (i == j) entry = squares[0] + squares[i + 1] - squares[(i + 1) % 3 + 1] - squares[(i + 2) % 3 + 1];
      if (j == (i + 1) % 3) entry = entry - Rational(2) * (e[0] * u[(i + 2) % 3]);
      if (i == (j + 1) % 3) entry = entry + Rational(2) * (e[0] * u[(j + 2) % 3]);
      node.step(i, j) = entry * inverse;
    }
  }
  const Vector turning = cross(u, rate);
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr even = e[0] * rate[i] - e0_rate * u[i];
    node.relative[i] = Rational(2) * ((even + turning[i]) * inverse);
    node.relative_here[i] = Rational(2) * ((even - turning[i]) * inverse);
  }
  return add(std::move(node));
}

std::uint32_t FrameTree::known(const Matrix& rotation, const Vector& omega) {
  Node node;
  node.parent = ground;
  node.step = rotation;
  node.relative = omega;
  node.relative_here = transposed_times(rotation, omega);
  return add(std::move(node));
}

bool FrameTree::descends(std::uint32_t frame, std::uint32_t ancestor) const {
  while (nodes_[frame].depth > nodes_[ancestor].depth) frame = nodes_[frame].parent;
  return frame == ancestor;
}

std::uint32_t FrameTree::without_spin(std::uint32_t frame, int axis) const {
  while (frame != ground && nodes_[frame].axis == axis) frame = nodes_[frame].parent;
  return frame;
}

Vector FrameTree::omega_relative(std::uint32_t frame, std::uint32_t ancestor) {
  Vector relative = nodes_[ground].omega;
  for (; frame != ancestor; frame = nodes_[frame].parent)
    relative = sum(nodes_[frame].relative, times(nodes_[frame].step, relative));
  return relative;
}

Vector FrameTree::omega_in(std::uint32_t frame, std::uint32_t in) {
  if (in == ground) return nodes_[frame].omega_on_ground;
  if (descends(frame, in)) return sum(nodes_[in].omega, omega_relative(frame, in));
  return in_frame(part(frame, nodes_[frame].omega), in);
}

Parts FrameTree::part(std::uint32_t frame, const Vector& components) const {
  if (is_zero(components)) return {};
  return {{frame, components}};
}

Parts FrameTree::sum(std::span<const FramePart> a, std::span<const FramePart> b) const {
  Parts result(a.begin(), a.end());
  for (const FramePart& more : b) {
    const auto place = std::lower_bound(result.begin(), result.end(), more.frame,
                                        [](const FramePart& p, std::uint32_t frame) { return p.frame < frame; });
    if (place != result.end() && place->frame == more.frame) {
      place->components = sum(place->components, more.components);
      if (is_zero(place->components)) result.erase(place);
    } else {
      result.insert(place, more);
    }
  }
  return result;
}

Parts FrameTree::scaled(Expr factor, std::span<const FramePart> parts) const {
  Parts result(parts.begin(), parts.end());
  for (FramePart& p : result)
    for (Expr& e : p.components) e = factor * e;
  std::erase_if(result, [&](const FramePart& p) { return is_zero(p.components); });
  return result;
}

Parts FrameTree::derivative(std::span<const FramePart> parts) {
  Parts result;
  for (const FramePart& p : parts) {
    const Vector rate = sum(cross(nodes_[p.frame].omega, p.components), derivative(p.components));
    if (!is_zero(rate)) result.push_back({p.frame, rate});
  }
  return result;
}

// Up from where a part stands to the first frame on the way to the target, then all of them down that way, each turn once.
Vector FrameTree::in_frame(std::span<const FramePart> parts, std::uint32_t frame) {
  std::vector<std::uint32_t> way;  // from the ground
  for (std::uint32_t f = frame;; f = nodes_[f].parent) {
    way.push_back(f);
    if (f == ground) break;
  }
  std::reverse(way.begin(), way.end());
  Parts onto;
  for (const FramePart& p : parts) {
    if (frame == ground) {
      onto = sum(onto, part(ground, times(nodes_[p.frame].rotation, p.components)));
      continue;
    }
    FramePart at = p;
    while (at.frame != ground && (nodes_[at.frame].depth >= way.size() || way[nodes_[at.frame].depth] != at.frame)) {
      at.components = times(nodes_[at.frame].step, at.components);
      at.frame = nodes_[at.frame].parent;
    }
    onto = sum(onto, part(at.frame, at.components));
  }
  Vector result = nodes_[ground].omega;  // zero
  for (const std::uint32_t f : way) {
    if (f != ground && !is_zero(result)) result = transposed_times(nodes_[f].step, result);
    for (const FramePart& p : onto)
      if (p.frame == f) result = sum(result, p.components);
  }
  return result;
}

const std::uint32_t* FrameTree::common_frame(std::span<const FramePart> a, std::span<const FramePart> b) {
  static constexpr std::uint32_t nowhere = ground;
  if (a.empty() && b.empty()) return &nowhere;
  const std::uint32_t* frame = a.empty() ? &b.front().frame : &a.front().frame;
  const auto same = [&](const FramePart& p) { return p.frame == *frame; };
  return std::all_of(a.begin(), a.end(), same) && std::all_of(b.begin(), b.end(), same) ? frame : nullptr;
}

std::uint32_t FrameTree::deepest(std::span<const FramePart> parts) const {
  std::uint32_t result = ground;
  for (const FramePart& p : parts)
    if (nodes_[p.frame].depth > nodes_[result].depth) result = p.frame;
  return result;
}

Expr FrameTree::square(std::span<const FramePart> parts) {
  // Products of pairs keep each term free of the angles it does not depend on; of many parts there are too many pairs.
  constexpr std::size_t few = 4;
  if (parts.size() > few) {
    const Vector whole = in_frame(parts, deepest(parts));
    return dot(whole, whole);
  }
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    terms.push_back(dot(parts[i].components, parts[i].components));
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const FramePart &a = parts[i], &b = parts[j];
      // Numbers of frames grow with their depth along a branch.
      const std::uint32_t where = a.frame == ground || !descends(b.frame, a.frame) ? ground : b.frame;
      terms.push_back(Rational(2) * dot(in_frame(std::span(&a, 1), where), in_frame(std::span(&b, 1), where)));
    }
  }
  return context_.sum(terms);
}

}  // namespace cetaev::model
