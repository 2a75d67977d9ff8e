// What the motors in the joints of the gallery's arm have to give, by recursion along its links.
#pragma once

#include <array>
#include <cmath>

namespace cetaev {

namespace joint_vectors {

using V = std::array<double, 3>;
inline V operator+(const V& a, const V& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline V operator*(double s, const V& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline V cross(const V& a, const V& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace joint_vectors

// Newton and Euler, link by link (Luh, Walker and Paul, 1980): the torques in the joints of the gallery's arm for given accelerations,
// everything in the components of each link. It shares nothing with the program but the numbers of the model.
inline std::array<double, 6> joint_torques(const std::array<double, 6>& q, const std::array<double, 6>& v,
                                           const std::array<double, 6>& a) {
  using namespace joint_vectors;
  const int axis[] = {2, 1, 1, 2, 1, 2};
  // from the joint of the link before to its own, in the link before; the first stand on the ground
  const V joint[] = {{0, 0, 0}, {0, 0, 0.67}, {0.43, 0.15, 0}, {-0.02, 0, 0.43}, {0, 0, 0}, {0, 0, 0}};
  const V centre[] = {{0, 0, 0.3}, {0.36, 0.15, 0.006}, {0, 0.014, 0.07}, {0, 0, -0.019}, {0, 0, 0}, {0, 0, 0.032}};
  const V inertia[] = {{1.1, 1.1, 0.35},         {0.13, 0.524, 0.539}, {0.066, 0.07, 0.0125},
                       {1.8e-3, 1.8e-3, 1.3e-3}, {3e-4, 3e-4, 4e-4},   {1.5e-4, 1.5e-4, 4e-5}};
  const double mass[] = {13, 17.4, 4.8, 0.82, 0.34, 0.09};
  const auto turn = [&](int i, const V& u, double sign) {
    const int k = axis[i], x = (k + 1) % 3, y = (k + 2) % 3;
    const double c = std::cos(q[static_cast<std::size_t>(i)]), s = sign * std::sin(q[static_cast<std::size_t>(i)]);
    V r = u;
    r[static_cast<std::size_t>(x)] = c * u[static_cast<std::size_t>(x)] - s * u[static_cast<std::size_t>(y)];
    r[static_cast<std::size_t>(y)] = s * u[static_cast<std::size_t>(x)] + c * u[static_cast<std::size_t>(y)];
    return r;
  };
  const auto along = [&](int i, double value) {
    V u{};
    u[static_cast<std::size_t>(axis[i])] = value;
    return u;
  };
  V w{}, alpha{}, acceleration = {0, 0, 9.81};
  std::array<V, 6> force, moment;
  for (int i = 0; i < 6; ++i) {
    const auto n = static_cast<std::size_t>(i);
    acceleration = turn(i, acceleration + cross(alpha, joint[i]) + cross(w, cross(w, joint[i])), -1);
    alpha = turn(i, alpha, -1);
    w = turn(i, w, -1);
    alpha = alpha + cross(w, along(i, v[n])) + along(i, a[n]);
    w = w + along(i, v[n]);
    force[n] = mass[i] * (acceleration + cross(alpha, centre[i]) + cross(w, cross(w, centre[i])));
    V L, L_rate;
    for (std::size_t c = 0; c < 3; ++c) L[c] = inertia[i][c] * w[c], L_rate[c] = inertia[i][c] * alpha[c];
    moment[n] = L_rate + cross(w, L) + cross(centre[i], force[n]);
  }
  std::array<double, 6> torques{};
  V f{}, n{};
  for (int i = 5; i >= 0; --i) {
    if (i < 5) {
      f = turn(i + 1, f, 1);
      n = turn(i + 1, n, 1) + cross(joint[i + 1], f);
    }
    f = f + force[static_cast<std::size_t>(i)];
    n = n + moment[static_cast<std::size_t>(i)];
    torques[static_cast<std::size_t>(i)] = n[static_cast<std::size_t>(axis[i])];
  }
  return torques;
}

}  // namespace cetaev
