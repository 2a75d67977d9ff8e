// The accelerations of the chain of tests/unit/chain_model.hpp by articulated bodies, written by hand.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace cetaev::bench {

// A number that counts what is done with it; sines and cosines are not counted.
struct Counted {
  double x = 0;
  static inline long operations = 0;
  Counted() = default;
  Counted(double value) : x(value) {}  // NOLINT(google-explicit-constructor)
  friend Counted operator+(Counted a, Counted b) { return ++operations, a.x + b.x; }
  friend Counted operator-(Counted a, Counted b) { return ++operations, a.x - b.x; }
  friend Counted operator*(Counted a, Counted b) { return ++operations, a.x * b.x; }
  friend Counted operator/(Counted a, Counted b) { return ++operations, a.x / b.x; }
  friend Counted operator-(Counted a) { return -a.x; }
};

// Featherstone's articulated bodies with classical accelerations: of every link, about its joint and in its own components,
//   moment = J α + H A + n,   force = Hᵀα + M A + f
// with J and M symmetric. Turns are about one axis and are done as such; constants of the links are folded.
template <typename T>
class Articulated {
 public:
  explicit Articulated(std::size_t N) : links_(N) {}

  void operator()(const double* q, const double* v, double* a) {
    const std::size_t N = links_.size();
    V w{};
    for (std::size_t i = 0; i < N; ++i) {
      Link& link = links_[i];
      link.c = std::cos(q[i]);
      link.s = std::sin(q[i]);
      const std::size_t k = (i + 1) % 3, x = (k + 1) % 3, y = (k + 2) % 3;
      link.drift = i > 0 ? back(i, centrifugal(w, length)) : V{};
      w = back(i, w);
      link.gyration = V{};
      link.gyration[x] = w[y] * T(v[i]);  // ω × e q'
      link.gyration[y] = -(w[x] * T(v[i]));
      w[k] = w[k] + T(v[i]);
      // about the joint: I + m (c·c 1 − c cᵀ)
      V L;
      for (std::size_t r = 0; r < 3; ++r) L[r] = own(r, 0) * w[0] + own(r, 1) * w[1] + own(r, 2) * w[2];
      link.n = cross(w, L);
      link.f = centrifugal(w, weighted);
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t s = 0; s < 3; ++s) {
          link.J[r][s] = own(r, s);
          link.M[r][s] = r == s ? mass : 0.0;
          link.H[r][s] = r == s ? 0.0 : (s == (r + 1) % 3 ? -weighted[(r + 2) % 3] : weighted[(r + 1) % 3]);
        }
    }
    for (std::size_t i = N; i-- > 0;) take_in(i);
    V alpha{}, A = {0, 0, 9.81};
    for (std::size_t i = 0; i < N; ++i) {
      const Link& link = links_[i];
      const std::size_t k = (i + 1) % 3;
      if (i > 0) A = sum(A, cross(alpha, length));
      A = sum(back(i, A), link.drift);
      alpha = sum(back(i, alpha), link.gyration);
      T torque = link.n_k;
      for (std::size_t r = 0; r < 3; ++r) torque = torque + link.U[r] * alpha[r] + link.W[r] * A[r];
      const T second = -(torque * link.inverse);
      alpha[k] = alpha[k] + second;
      a[i] = value(second);
    }
  }

 private:
  using V = std::array<T, 3>;
  using Matrix3 = std::array<V, 3>;
  struct Link {
    T c, s, inverse, n_k;
    V drift, gyration, n, f, U, W;
    Matrix3 J, H, M;
  };
  static constexpr double mass = 1.5;
  static constexpr std::array<double, 3> length = {0.1, 0.05, -0.4}, centre = {0.05, 0.02, -0.2},
                                         weighted = {mass * 0.05, mass * 0.02, mass * -0.2};
  static constexpr double own(std::size_t r, std::size_t s) {
    constexpr std::array<double, 3> inertia = {0.02, 0.03, 0.04};
    const double square = centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2];
    return (r == s ? inertia[r] + mass * square : 0.0) - mass * centre[r] * centre[s];
  }
  static double value(double x) { return x; }
  static double value(Counted x) { return x.x; }

  static V sum(const V& a, const V& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  template <typename B>
  static V cross(const V& a, const B& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static V centrifugal(const V& w, const std::array<double, 3>& r) { return cross(w, cross(w, r)); }
  // From the link before, and to it.
  V back(std::size_t i, const V& u) const { return turned(i, u, T(0) - links_[i].s); }
  V turned(std::size_t i, const V& u, T s) const {
    const std::size_t k = (i + 1) % 3, x = (k + 1) % 3, y = (k + 2) % 3;
    V r = u;
    r[x] = links_[i].c * u[x] - s * u[y];
    r[y] = s * u[x] + links_[i].c * u[y];
    return r;
  }

  // R m Rᵀ of a symmetric matrix, its lower half.
  Matrix3 turned_symmetric(std::size_t i, const Matrix3& m) const {
    const std::size_t k = (i + 1) % 3, x = (k + 1) % 3, y = (k + 2) % 3;
    const T c = links_[i].c, s = links_[i].s, cc = c * c, ss = s * s, cs = c * s;
    const T cross_term = cs * m[x][y], twice = cross_term + cross_term;
    Matrix3 r;
    r[x][x] = cc * m[x][x] + ss * m[y][y] - twice;
    r[y][y] = ss * m[x][x] + cc * m[y][y] + twice;
    r[x][y] = r[y][x] = cs * (m[x][x] - m[y][y]) + (cc - ss) * m[x][y];
    r[x][k] = r[k][x] = c * m[x][k] - s * m[y][k];
    r[y][k] = r[k][y] = s * m[x][k] + c * m[y][k];
    r[k][k] = m[k][k];
    return r;
  }

  void take_in(std::size_t i) {
    Link& link = links_[i];
    const std::size_t k = (i + 1) % 3, x = (k + 1) % 3, y = (k + 2) % 3;
    link.inverse = T(1) / link.J[k][k];
    link.n_k = link.n[k];
    for (std::size_t r = 0; r < 3; ++r) link.U[r] = link.J[r][k], link.W[r] = link.H[k][r];
    if (i == 0) return;
    Matrix3 J{}, H{}, M_{};
    V n = link.n, f = link.f;
    const T gx = link.U[x] * link.inverse, gy = link.U[y] * link.inverse;
    J[x][x] = link.J[x][x] - gx * link.U[x];
    J[y][y] = link.J[y][y] - gy * link.U[y];
    J[x][y] = J[y][x] = link.J[x][y] - gx * link.U[y];
    V h;
    for (std::size_t r = 0; r < 3; ++r) {
      h[r] = link.W[r] * link.inverse;
      H[x][r] = link.H[x][r] - gx * link.W[r];
      H[y][r] = link.H[y][r] - gy * link.W[r];
      for (std::size_t s = 0; s <= r; ++s) M_[r][s] = M_[s][r] = link.M[r][s] - h[r] * link.W[s];
      f[r] = f[r] - h[r] * link.n_k;
    }
    n[x] = n[x] - gx * link.n_k;
    n[y] = n[y] - gy * link.n_k;
    n[k] = 0;
    const V &zeta = link.gyration, &drift = link.drift;  // ζ has no component along the axis
    for (const std::size_t r : {x, y})
      n[r] =
          n[r] + J[r][x] * zeta[x] + J[r][y] * zeta[y] + H[r][0] * drift[0] + H[r][1] * drift[1] + H[r][2] * drift[2];
    for (std::size_t r = 0; r < 3; ++r)
      f[r] = f[r] + H[x][r] * zeta[x] + H[y][r] * zeta[y] + M_[r][0] * drift[0] + M_[r][1] * drift[1] +
             M_[r][2] * drift[2];
    // to the components of the link before; J has no row k, H none either
    const T c = link.c, s = link.s, cc = c * c, ss = s * s, cs = c * s, mixed = cs * J[x][y], twice = mixed + mixed;
    Matrix3 Jt{}, Ht{};
    Jt[x][x] = cc * J[x][x] + ss * J[y][y] - twice;
    Jt[y][y] = ss * J[x][x] + cc * J[y][y] + twice;
    Jt[x][y] = Jt[y][x] = cs * (J[x][x] - J[y][y]) + (cc - ss) * J[x][y];
    const V hx = turned(i, H[x], s), hy = turned(i, H[y], s);
    for (std::size_t r = 0; r < 3; ++r) {
      Ht[x][r] = c * hx[r] - s * hy[r];
      Ht[y][r] = s * hx[r] + c * hy[r];
    }
    const Matrix3 Mt = turned_symmetric(i, M_);
    n = turned(i, n, s);
    f = turned(i, f, s);
    // and about its joint: H' = H + l × M, J' = J − H l× + l × H'ᵀ
    Link& before = links_[i - 1];
    Matrix3 Hn;
    for (std::size_t s2 = 0; s2 < 3; ++s2) {
      const V column = cross_with_length({Mt[0][s2], Mt[1][s2], Mt[2][s2]});
      for (std::size_t r = 0; r < 3; ++r) Hn[r][s2] = r == k ? column[r] : Ht[r][s2] + column[r];
    }
    for (std::size_t r = 0; r < 3; ++r) {
      const V row = r == k ? V{} : cross_with_length(Ht[r]);  // −(H l×)_r = l × H_r
      for (std::size_t s2 = 0; s2 <= r; ++s2) {
        const std::size_t u = (r + 1) % 3, w = (r + 2) % 3;
        T entry = T(length[u]) * Hn[s2][w] - T(length[w]) * Hn[s2][u];
        if (r != k) entry = entry + row[s2];
        if (r != k && s2 != k) entry = entry + Jt[r][s2];
        before.J[r][s2] = before.J[r][s2] + entry;
        before.J[s2][r] = before.J[r][s2];
      }
      for (std::size_t s2 = 0; s2 < 3; ++s2) before.H[r][s2] = before.H[r][s2] + Hn[r][s2];
      for (std::size_t s2 = 0; s2 <= r; ++s2) {
        before.M[r][s2] = before.M[r][s2] + Mt[r][s2];
        before.M[s2][r] = before.M[r][s2];
      }
    }
    before.n = sum(before.n, sum(n, cross_with_length(f)));
    before.f = sum(before.f, f);
  }
  static V cross_with_length(const V& b) {
    const std::array<double, 3>& l = length;
    return {T(l[1]) * b[2] - T(l[2]) * b[1], T(l[2]) * b[0] - T(l[0]) * b[2], T(l[0]) * b[1] - T(l[1]) * b[0]};
  }

  std::vector<Link> links_;
};

}  // namespace cetaev::bench
