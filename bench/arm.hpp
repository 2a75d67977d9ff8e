// The accelerations of the gallery's arm of six joints by recursions written by hand: H by composite bodies, b by Newton and Euler, then
// H = L D Lᵀ; or by articulated bodies. For counting only: what is done with constants is done once and costs nothing, as where one writes such a thing
// for one arm and leaves out every zero.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

namespace cetaev::bench {

// A number that counts what is done with it; operations of constants, with 0 and with ±1 are not counted, nor sines and cosines.
struct Folded {
  double x = 0;
  bool constant = true;
  static inline long operations = 0;
  Folded() = default;
  Folded(double value) : x(value) {}  // NOLINT(google-explicit-constructor)
  static Folded varying(double value) {
    Folded f(value);
    f.constant = false;
    return f;
  }
  bool is(double value) const { return constant && x == value; }
  friend Folded made(double value, Folded a, Folded b) {
    Folded f(value);
    f.constant = a.constant && b.constant;
    if (!f.constant) ++operations;
    return f;
  }
  friend Folded operator-(Folded a) {
    a.x = -a.x;
    return a;
  }
  friend Folded operator+(Folded a, Folded b) { return a.is(0) ? b : b.is(0) ? a : made(a.x + b.x, a, b); }
  friend Folded operator-(Folded a, Folded b) { return a.is(0) ? -b : b.is(0) ? a : made(a.x - b.x, a, b); }
  friend Folded operator*(Folded a, Folded b) {
    if (a.is(0) || b.is(0)) return 0.0;
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.is(-1)) return -b;
    if (b.is(-1)) return -a;
    return made(a.x * b.x, a, b);
  }
  friend Folded operator/(Folded a, Folded b) { return a.is(0) ? a : made(a.x / b.x, a, b); }
};

inline double value_of(Folded x) { return x.x; }
template <class Real>
Real value_of(Real x) {
  return x;
}
template <class T, class Real>
T varying(Real value) {
  if constexpr (std::is_same_v<T, Folded>)
    return Folded::varying(value);
  else
    return value;
}

// In numbers that count what is done with them, or in others, where a compiler that knows that zeros have no sign leaves them out.
template <class T>
class ArmIn {
 public:
  using Real = decltype(value_of(T()));
  using V = std::array<T, 3>;
  using M = std::array<V, 3>;
  static constexpr std::size_t N = 6;

  // The accelerations by composite bodies and by articulated ones.
  std::array<Real, N> by_matrix(const Real* q, const Real* v) {
    start(q, v);
    const std::array<T, N> b = bias();
    const std::array<std::array<T, N>, N> H = matrix();
    return solved(H, b);
  }
  std::array<Real, N> by_articulated(const Real* q, const Real* v) {
    start(q, v);
    return articulated();
  }

 private:
  // About `axis` of the link before, `joint` from its joint and in its components. The tool is even about its axis and carries nothing: its
  // components are those of the hand, which do not spin with it.
  struct Link {
    std::size_t axis;
    bool spins;
    std::array<double, 3> joint;
    double mass;
    std::array<double, 3> centre, inertia;
  };
  static constexpr std::array<Link, N> links = {{
      {2, false, {0, 0, 0.67}, 13, {0, 0, -0.37}, {1.1, 1.1, 0.35}},
      {1, false, {0, 0, 0}, 17.4, {0.36, 0.15, 0.006}, {0.13, 0.524, 0.539}},
      {1, false, {0.43, 0.15, 0}, 4.8, {0, 0.014, 0.07}, {0.066, 0.07, 0.0125}},
      {2, false, {-0.02, 0, 0.43}, 0.82, {0, 0, -0.019}, {1.8e-3, 1.8e-3, 1.3e-3}},
      {1, false, {0, 0, 0}, 0.34, {0, 0, 0}, {3e-4, 3e-4, 4e-4}},
      {2, true, {0, 0, 0}, 0.09, {0, 0, 0.032}, {1.5e-4, 1.5e-4, 4e-5}},
  }};

  static V vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
  static V add(const V& a, const V& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  static V times(T s, const V& a) { return {s * a[0], s * a[1], s * a[2]}; }
  static T dot(const V& a, const V& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  static V cross(const V& a, const V& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  // To the components of the link, and back to those of the link before.
  V into(std::size_t i, const V& u) const { return turned(i, u, -s_[i]); }
  V back(std::size_t i, const V& u) const { return turned(i, u, s_[i]); }
  V turned(std::size_t i, const V& u, T s) const {
    const std::size_t x = (links[i].axis + 1) % 3, y = (links[i].axis + 2) % 3;
    V r = u;
    r[x] = c_[i] * u[x] - s * u[y];
    r[y] = s * u[x] + c_[i] * u[y];
    return r;
  }
  // R m Rᵀ of a symmetric matrix
  M back(std::size_t i, const M& m) const {
    const std::size_t k = links[i].axis, x = (k + 1) % 3, y = (k + 2) % 3;
    const T c = c_[i], s = s_[i], w = s * (m[x][x] - m[y][y]) + (c + c) * m[x][y], z = s * w;
    M r = m;
    r[x][x] = m[x][x] - z;
    r[y][y] = m[y][y] + z;
    r[x][y] = r[y][x] = c * w - m[x][y];
    r[x][k] = r[k][x] = c * m[x][k] - s * m[y][k];
    r[y][k] = r[k][y] = s * m[x][k] + c * m[y][k];
    return r;
  }
  // I + m (c·c 1 − c cᵀ): about the joint
  static M about_joint(std::size_t i) {
    const V c = vec(links[i].centre);
    M m{};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t s = 0; s < 3; ++s)
        m[r][s] = (r == s ? T(links[i].inertia[r] + links[i].mass * value_of(dot(c, c))) : T(0)) -
                  T(links[i].mass) * c[r] * c[s];
    return m;
  }
  static V times(const M& m, const V& u) { return {dot(m[0], u), dot(m[1], u), dot(m[2], u)}; }
  static V unit(std::size_t k) {
    V e{};
    e[k] = 1.0;
    return e;
  }

  void start(const Real* q, const Real* v) {
    for (std::size_t i = 0; i < N; ++i) {
      c_[i] = links[i].spins ? T(1) : varying<T>(std::cos(q[i]));
      s_[i] = links[i].spins ? T(0) : varying<T>(std::sin(q[i]));
      v_[i] = varying<T>(v[i]);
    }
    if constexpr (std::is_same_v<T, Folded>) Folded::operations = 0;
    // velocities, and accelerations where velocities keep
    V w{}, alpha{}, A = {0.0, 0.0, 9.81};
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t k = links[i].axis;
      const V l = vec(links[i].joint), c = vec(links[i].centre);
      A = into(i, add(A, add(cross(alpha, l), cross(w, cross(w, l)))));
      w = into(i, w);
      alpha = into(i, alpha);
      V rate{};
      rate[k] = v_[i];
      const V turning = w;
      if (links[i].spins) {
        w[k] = w[k] + v_[i];
        const V L = {T(links[i].inertia[0]) * w[0], T(links[i].inertia[1]) * w[1], T(links[i].inertia[2]) * w[2]};
        own_force_[i] = times(T(links[i].mass), cross(turning, cross(turning, c)));
        own_moment_[i] = add(cross(turning, L), cross(c, own_force_[i]));
      } else {
        alpha = add(alpha, cross(w, rate));
        w[k] = w[k] + v_[i];
        own_force_[i] = cross(w, cross(w, times(T(links[i].mass), c)));
        own_moment_[i] = cross(w, times(about_joint(i), w));
      }
      A_[i] = A;
      alpha_[i] = alpha;
    }
  }

  std::array<T, N> bias() {
    std::array<T, N> b;
    V f{}, n{};
    for (std::size_t i = N; i-- > 0;) {
      const V mc = times(T(links[i].mass), vec(links[i].centre));
      const V force = add(times(T(links[i].mass), A_[i]), add(cross(alpha_[i], mc), own_force_[i]));
      n = add(n, add(add(times(about_joint(i), alpha_[i]), own_moment_[i]), cross(mc, A_[i])));
      f = add(f, force);
      b[i] = -n[links[i].axis];
      f = back(i, f);
      n = add(back(i, n), cross(vec(links[i].joint), f));
    }
    return b;
  }

  std::array<std::array<T, N>, N> matrix() {
    std::array<std::array<T, N>, N> H;
    M J{};
    V h{};
    double mass = 0;
    for (std::size_t i = N; i-- > 0;) {
      const M own = about_joint(i);
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t s = 0; s <= r; ++s) J[r][s] = J[s][r] = J[r][s] + own[r][s];
      h = add(h, times(T(links[i].mass), vec(links[i].centre)));
      mass += links[i].mass;
      // what a unit of this acceleration takes, down to the ground
      const V e = unit(links[i].axis);
      V n = {J[0][links[i].axis], J[1][links[i].axis], J[2][links[i].axis]}, f = cross(e, h);
      H[i][i] = n[links[i].axis];
      for (std::size_t j = i; j-- > 0;) {
        f = back(j + 1, f);
        n = add(back(j + 1, n), cross(vec(links[j + 1].joint), f));
        H[i][j] = H[j][i] = n[links[j].axis];
      }
      // to the link before: J + 2 (l·h) 1 − l hᵀ − h lᵀ + m (l·l 1 − l lᵀ)
      J = back(i, J);
      h = back(i, h);
      const V l = vec(links[i].joint), half = {T(mass / 2) * l[0], T(mass / 2) * l[1], T(mass / 2) * l[2]};
      const V moved = add(h, half);
      for (std::size_t r = 0; r < 3; ++r) {
        const std::size_t u = (r + 1) % 3, w = (r + 2) % 3;
        J[r][r] = J[r][r] + (T(2 * value_of(l[u])) * moved[u] + T(2 * value_of(l[w])) * moved[w]);
        J[r][u] = J[u][r] = J[r][u] - (l[r] * moved[u] + l[u] * moved[r]);
      }
      h = add(h, times(T(mass), l));
    }
    return H;
  }

  // Without square roots.
  static std::array<Real, N> solved(std::array<std::array<T, N>, N> H, std::array<T, N> b) {
    for (std::size_t k = N; k-- > 0;) {  // from the tool, as the zeros are
      const T inverse = T(1) / H[k][k];
      for (std::size_t i = 0; i < k; ++i) {
        const T g = H[k][i] * inverse;
        for (std::size_t j = 0; j <= i; ++j) H[i][j] = H[i][j] - g * H[k][j];
        b[i] = b[i] - g * b[k];
        H[i][k] = g;
      }
      b[k] = b[k] * inverse;
    }
    std::array<Real, N> a{};
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t i = 0; i < k; ++i) b[k] = b[k] - H[i][k] * b[i];
      a[k] = value_of(b[k]);
    }
    return a;
  }

  // moment = J α + H A + n, force = Hᵀα + M A + f about the joints, as in chain.hpp; n and f at the accelerations that keep the velocities, so that α and A
  // are what is added to them.
  std::array<Real, N> articulated() {
    std::array<V, N> U, W;
    std::array<T, N> inverse, r;
    M J{}, H{}, m{};
    V n{}, f{};
    for (std::size_t i = N; i-- > 0;) {
      const std::size_t k = links[i].axis;
      const V mc = times(T(links[i].mass), vec(links[i].centre));
      const M own = about_joint(i);
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t s = 0; s <= a; ++s) J[a][s] = J[s][a] = J[a][s] + own[a][s];
        m[a][a] = m[a][a] + T(links[i].mass);
        const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
        H[a][b] = H[a][b] - mc[c];
        H[a][c] = H[a][c] + mc[b];
      }
      n = add(n, add(add(times(own, alpha_[i]), own_moment_[i]), cross(mc, A_[i])));
      f = add(f, add(times(T(links[i].mass), A_[i]), add(cross(alpha_[i], mc), own_force_[i])));
      inverse[i] = T(1) / J[k][k];
      for (std::size_t a = 0; a < 3; ++a) U[i][a] = J[a][k], W[i][a] = H[k][a];
      r[i] = -n[k] * inverse[i];
      if (i == 0) break;
      V g, h;
      for (std::size_t a = 0; a < 3; ++a) g[a] = U[i][a] * inverse[i], h[a] = W[i][a] * inverse[i];
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t s = 0; s < 3; ++s) {
          if (a != k && s != k && s <= a) J[a][s] = J[s][a] = J[a][s] - g[a] * U[i][s];
          if (a != k) H[a][s] = H[a][s] - g[a] * W[i][s];
          if (s <= a) m[a][s] = m[s][a] = m[a][s] - h[a] * W[i][s];
        }
        if (a != k) n[a] = n[a] + U[i][a] * r[i];
        f[a] = f[a] + W[i][a] * r[i];
      }
      for (std::size_t a = 0; a < 3; ++a) J[a][k] = J[k][a] = H[k][a] = 0.0;
      n[k] = 0.0;
      J = back(i, J);
      m = back(i, m);
      M rows, columns;
      for (std::size_t a = 0; a < 3; ++a) rows[a] = back(i, H[a]);
      for (std::size_t a = 0; a < 3; ++a) columns[a] = back(i, V{rows[0][a], rows[1][a], rows[2][a]});
      const V l = vec(links[i].joint);
      // H + l × M, J − H l× + l × H'ᵀ
      M moved;
      for (std::size_t a = 0; a < 3; ++a) {
        const V c = add(columns[a], cross(l, m[a]));
        for (std::size_t b = 0; b < 3; ++b) moved[b][a] = c[b], H[b][a] = columns[a][b];
      }
      for (std::size_t a = 0; a < 3; ++a) {
        const V row = cross(l, H[a]);
        const std::size_t u = (a + 1) % 3, w = (a + 2) % 3;
        for (std::size_t s = 0; s <= a; ++s)
          J[a][s] = J[s][a] = J[a][s] + row[s] + (l[u] * moved[s][w] - l[w] * moved[s][u]);
      }
      H = moved;
      f = back(i, f);
      n = add(back(i, n), cross(l, f));
    }
    std::array<Real, N> result{};
    V alpha{}, A{};
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t k = links[i].axis;
      A = into(i, add(A, cross(alpha, vec(links[i].joint))));
      alpha = into(i, alpha);
      // J[k][k] (α_k + a) + … = −n_k
      T sum = 0.0;
      for (std::size_t a = 0; a < 3; ++a) sum = sum + (a == k ? T(0) : U[i][a] * alpha[a]) + W[i][a] * A[a];
      const T whole = r[i] - sum * inverse[i];
      result[i] = value_of(whole - alpha[k]);
      alpha[k] = whole;
    }
    return result;
  }

  std::array<T, N> c_, s_, v_;
  std::array<V, N> own_force_, own_moment_, A_, alpha_;
};

using Arm = ArmIn<Folded>;

}  // namespace cetaev::bench
