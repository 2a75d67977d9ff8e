// Where a rolling body touches a plane, and how fast its material moves there.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frames.hpp"

namespace cetaev::model {

// A plane through O with unit normal n, in the parts in which they are short, and two directions along it.
struct ContactPlane {
  std::string name;  // "the ground"
  Parts origin, normal;
  std::array<Parts, 2> tangents;
  std::array<std::string, 2> tangent_names;  // "x", "table.x"
  std::uint32_t frame = FrameTree::ground;   // whose material moves with it
  Vector omega_besides;                      // of a plane whose normal turns by itself, on the ground; zero else
};

// A body at its point of contact, P − C in one frame.
struct ContactPoint {
  std::uint32_t frame = FrameTree::ground;  // the body's, or one that it was turned from
  Vector from_centre;
};

class ContactGeometry {
 public:
  ContactGeometry(Context& context, FrameTree& frames) : context_(context), frames_(frames) {}

  using AtStart = std::function<double(Expr)>;
  // P = C − r e/|e| − ρ n,  e = n − (n·a) a. An axle along an axis of the frame (0, 1, 2), or a unit vector in it where `axis` is −1.
  // Nothing where the wheel lies flat at the start: it has no lowest point there.
  std::optional<ContactPoint> wheel(const ContactPlane& plane, std::uint32_t frame, int axis, const Vector& axle,
                                    Expr radius, Expr crown, const AtStart& at_start);
  // P = C − r n
  ContactPoint ball(const ContactPlane& plane, std::uint32_t frame, Expr radius);
  // P = C + c − R S² Rᵀ n/√(nᵀ R S² Rᵀ n)
  ContactPoint ellipsoid(const ContactPlane& plane, std::uint32_t frame, const Vector& axes, const Vector& centre);

  // C' + ω × (P − C) − u(P), u the velocity of the plane's own material.
  Parts slip(const ContactPlane& plane, std::uint32_t frame, const Parts& centre, const ContactPoint& contact);
  // The velocity of its material at a place.
  Parts material_velocity(const ContactPlane& plane, const Parts& place);
  // The same of what moves with a frame and has a place O: O' + ω × (P − O).
  Parts material_velocity(std::uint32_t frame, const Parts& origin, const Parts& place);
  // (ω − ω_plane)·n
  Expr spin(const ContactPlane& plane, std::uint32_t frame);
  // v·d for a direction of one part
  Expr along(const Parts& v, const Parts& direction);

 private:
  Parts minus(const Parts& a, const Parts& b) const;

  Context& context_;
  FrameTree& frames_;
};

}  // namespace cetaev::model
