// Frames: orientations as a tree of single turns, and vectors as sums of parts, each in the components of one frame.
//
// A rotation R = S₁ S₂ … is never multiplied out where a vector can stay in the components in which it is short: the time derivative of
// a part is a part of the same frame,
//
//   Dₜ(R c) = R (ω_F × c + c'),   ω_F = Rᵀω,
//
// and ω_F of a frame follows from that of the frame before it by one turn. All frames that begin with the same turns share them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "cetaev/expr/derivative.hpp"

namespace cetaev::model {

using Vector = std::array<Expr, 3>;

// R c of a frame.
struct FramePart {
  std::uint32_t frame = 0;
  Vector components;
};
// Σ R c, one part for each frame, by the number of the frame; no part is zero.
using Parts = std::vector<FramePart>;

class FrameTree {
 public:
  static constexpr std::uint32_t ground = 0;

  FrameTree(Context& context, const Motion& motion);

  // From `from`, turned about its axis x, y or z (0, 1, 2).
  std::uint32_t turn(std::uint32_t from, int axis, Expr angle);
  // About a unit vector that does not change, given in `from`.
  std::uint32_t turn(std::uint32_t from, const Vector& axis, Expr angle);
  // R = ((e₀² − e·e) 1 + 2 e eᵀ + 2 e₀ [e]×)/(e₀² + e·e)
  std::uint32_t quaternion(std::uint32_t from, const std::array<Expr, 4>& e);
  // Of all turns so far.
  const std::vector<Expr>& angles() const { return angles_; }
  // With a rotation and an angular velocity that are known already, both on the ground.
  std::uint32_t known(const Matrix& rotation, const Vector& omega);

  // From components in the frame to components on the ground.
  const Matrix& rotation(std::uint32_t frame) const { return nodes_[frame].rotation; }
  // The angular velocity, on the ground and in the frame itself.
  const Vector& omega_on_ground(std::uint32_t frame) const { return nodes_[frame].omega_on_ground; }
  const Vector& omega(std::uint32_t frame) const { return nodes_[frame].omega; }
  // The same in the components of another frame, as short as they are there.
  Vector omega_in(std::uint32_t frame, std::uint32_t in);
  // Relative to a frame that it was turned from, in the components of that frame.
  Vector omega_relative(std::uint32_t frame, std::uint32_t ancestor);
  bool descends(std::uint32_t frame, std::uint32_t ancestor) const;
  std::uint32_t parent(std::uint32_t frame) const { return nodes_[frame].parent; }
  // The frame without its last turns about an axis: what is the same all around that axis cannot tell them.
  std::uint32_t without_spin(std::uint32_t frame, int axis) const;

  // Vectors. `in_frame` gives the components of a sum in any frame.
  Vector on_ground(std::span<const FramePart> parts) { return in_frame(parts, ground); }
  Vector in_frame(std::span<const FramePart> parts, std::uint32_t frame);
  Parts sum(std::span<const FramePart> a, std::span<const FramePart> b) const;
  Parts scaled(Expr factor, std::span<const FramePart> parts) const;
  Parts derivative(std::span<const FramePart> parts);
  // Of the frames of parts, the one of most turns.
  std::uint32_t deepest(std::span<const FramePart> parts) const;
  // |v|²: every part squared where it stands, and products of two where they are short.
  Expr square(std::span<const FramePart> parts);
  // The one frame of all parts of both; nothing where there are several.
  static const std::uint32_t* common_frame(std::span<const FramePart> a, std::span<const FramePart> b);

  Expr dot(const Vector& a, const Vector& b) const;
  Vector cross(const Vector& a, const Vector& b) const;
  Vector sum(const Vector& a, const Vector& b) const;
  bool is_zero(const Vector& v) const;
  Parts part(std::uint32_t frame, const Vector& components) const;
  Vector unit(int axis) const;
  Vector derivative(const Vector& components);

 private:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    int axis = -1;         // of the turn from the parent, where it is one of x, y, z
    Matrix step;           // from components in the frame to components in its parent
    Vector relative;       // the angular velocity relative to the parent, in components of the parent,
    Vector relative_here;  // and in its own
    Matrix rotation;
    Vector omega, omega_on_ground;
  };

  std::uint32_t add(Node node);
  Vector times(const Matrix& m, const Vector& v) const;
  Vector transposed_times(const Matrix& m, const Vector& v) const;
  Matrix times(const Matrix& a, const Matrix& b) const;
  Matrix identity() const;

  Context& context_;
  Derivation derivation_;
  std::vector<Node> nodes_;
  std::vector<Expr> angles_;
  std::map<std::tuple<std::uint32_t, int, std::uint32_t>, std::uint32_t> turns_;  // by frame, axis and angle
};

}  // namespace cetaev::model
