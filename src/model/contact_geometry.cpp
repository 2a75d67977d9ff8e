#include "contact_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev::model {

Parts ContactGeometry::minus(const Parts& a, const Parts& b) const {
  return frames_.sum(a, frames_.scaled(context_.integer(-1), b));
}

Expr ContactGeometry::along(const Parts& v, const Parts& direction) {
  const std::uint32_t frame = direction.size() == 1 ? direction[0].frame : FrameTree::ground;
  return frames_.dot(frames_.in_frame(v, frame), frames_.in_frame(direction, frame));
}

std::optional<ContactPoint> ContactGeometry::wheel(const ContactPlane& plane, std::uint32_t frame, int axis,
                                                   const Vector& axle, Expr radius, Expr crown,
                                                   const AtStart& at_start) {
  ContactPoint contact;
  contact.frame = axis < 0 ? frame : frames_.without_spin(frame, axis);
  const Vector n = frames_.in_frame(plane.normal, contact.frame);
  Vector e = n;
  if (axis < 0) {
    const Expr tilt = frames_.dot(n, axle);
    for (std::size_t i = 0; i < 3; ++i) e[i] = n[i] - tilt * axle[i];
  } else {
    e[static_cast<std::size_t>(axis)] = context_.zero();
  }
  const Expr square = frames_.dot(e, e);
  constexpr double flat = 1e-14;
  if (square.is_zero() || !(at_start(square) > flat)) return std::nullopt;
  // A wheel that lies along one axis only leaves it where it lies flat, and never goes through that: the side is that of the start.
  const auto there = [](Expr component) { return !component.is_zero(); };
  const bool one_axis = std::count_if(e.begin(), e.end(), there) == 1;
  for (std::size_t i = 0; i < 3; ++i) {
    Expr down = e[i];
    if (one_axis && there(e[i])) down = context_.integer(at_start(e[i]) > 0 ? 1 : -1);
    if (!one_axis) down = e[i] * pow(square, Rational(-1, 2));
    contact.from_centre[i] = -(radius * down) - crown * n[i];
  }
  return contact;
}

ContactPoint ContactGeometry::ball(const ContactPlane& plane, std::uint32_t frame, Expr radius) {
  ContactPoint contact;
  if (plane.normal.size() == 1 && frames_.descends(frame, plane.normal[0].frame)) contact.frame = plane.normal[0].frame;
  const Vector n = frames_.in_frame(plane.normal, contact.frame);
  for (std::size_t i = 0; i < 3; ++i) contact.from_centre[i] = -(radius * n[i]);
  return contact;
}

ContactPoint ContactGeometry::ellipsoid(const ContactPlane& plane, std::uint32_t frame, const Vector& axes,
                                        const Vector& centre) {
  ContactPoint contact;
  contact.frame = frame;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (axes[i] == axes[j] && centre[i].is_zero() && centre[j].is_zero())
      contact.frame = frames_.without_spin(frame, static_cast<int>(k));
  }
  const Vector n = frames_.in_frame(plane.normal, contact.frame);
  Vector stretched;
  std::array<Expr, 3> terms;
  for (std::size_t i = 0; i < 3; ++i) {
    stretched[i] = pow(axes[i], Rational(2)) * n[i];
    terms[i] = stretched[i] * n[i];
  }
  const Expr height = pow(context_.sum(terms), Rational(-1, 2));
  for (std::size_t i = 0; i < 3; ++i) contact.from_centre[i] = centre[i] - stretched[i] * height;
  return contact;
}

// With C = … + R c and P − C = R d in one frame, whose own angular velocity is ω_F and that of the body relative to it ω_r:
// R (ω_F × (c + d) + ω_r × d + c'), where c + d is short, often zero.
Parts ContactGeometry::slip(const ContactPlane& plane, std::uint32_t frame, const Parts& centre,
                            const ContactPoint& contact) {
  const Vector& d = contact.from_centre;
  Vector c = frames_.omega(FrameTree::ground);  // zero
  Parts elsewhere;
  for (const FramePart& p : centre) {
    if (p.frame == contact.frame)
      c = p.components;
    else
      elsewhere.push_back(p);
  }
  const Vector turned = frames_.cross(frames_.omega(contact.frame), frames_.sum(c, d));
  const Vector spun = frames_.cross(frames_.omega_relative(frame, contact.frame), d);
  Parts velocity = frames_.derivative(elsewhere);
  velocity =
      frames_.sum(velocity, frames_.part(contact.frame, frames_.sum(frames_.sum(turned, spun), frames_.derivative(c))));
  return minus(velocity, material_velocity(plane, frames_.sum(centre, frames_.part(contact.frame, d))));
}

Parts ContactGeometry::material_velocity(const ContactPlane& plane, const Parts& place) {
  const Parts velocity = material_velocity(plane.frame, plane.origin, place);
  if (frames_.is_zero(plane.omega_besides)) return velocity;
  const Vector from_origin = frames_.on_ground(minus(place, plane.origin));
  return frames_.sum(velocity, frames_.part(FrameTree::ground, frames_.cross(plane.omega_besides, from_origin)));
}

Parts ContactGeometry::material_velocity(std::uint32_t frame, const Parts& origin, const Parts& place) {
  Parts velocity = frames_.derivative(origin);
  if (frame == FrameTree::ground) return velocity;
  for (const FramePart& p : minus(place, origin))
    velocity =
        frames_.sum(velocity, frames_.part(p.frame, frames_.cross(frames_.omega_in(frame, p.frame), p.components)));
  return velocity;
}

Expr ContactGeometry::spin(const ContactPlane& plane, std::uint32_t frame) {
  const std::uint32_t in = plane.normal.size() == 1 ? plane.normal[0].frame : FrameTree::ground;
  const Vector n = frames_.in_frame(plane.normal, in);
  const Vector own = frames_.omega_in(frame, in), under = frames_.omega_in(plane.frame, in);
  return frames_.dot(n, own) - frames_.dot(n, under);
}

}  // namespace cetaev::model
