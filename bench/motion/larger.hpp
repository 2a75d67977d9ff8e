// More systems by hand, as handwritten.cpp has them: a cart with a chain of pendulums, a rattleback in its body rates, a snakeboard, Andrews' squeezer
// mechanism, an arm.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "arm.hpp"

namespace motion {

// M = 2, m = 1, l = 1/2. With c_i the number of points from i on:
//   (M + N m) x'' + m l Σ c_i cos θ_i θ_i'' = m l Σ c_i sin θ_i θ_i'²,
//   m l c_i cos θ_i x'' + m l² Σ_j c_max(i,j) cos(θ_i − θ_j) θ_j'' = −m l² Σ_j c_max(i,j) sin(θ_i − θ_j) θ_j'² − m g l c_i sin θ_i,
// solved by Cholesky's decomposition; one sine and one cosine for each angle.
template <int N>
struct CartPendulums {
  static constexpr std::size_t n = N + 1, size = 2 * n;  // x, theta_1, …, and their rates
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    using std::cos, std::sin, std::sqrt;
    const Real l = Real(0.5L), g = Real(9.81L);
    std::array<Real, N> s, c;
    for (std::size_t i = 0; i < N; ++i) {
      s[i] = sin(y[i + 1]);
      c[i] = cos(y[i + 1]);
    }
    const Real* const rate = y + n;
    Real a[n][n];  // the lower half
    Real b[n];
    a[0][0] = 2 + N;
    b[0] = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const Real below = Real(N - i);
      a[i + 1][0] = l * below * c[i];
      b[0] += l * below * s[i] * rate[i + 1] * rate[i + 1];
      Real f = -g * l * below * s[i];
      for (std::size_t j = 0; j <= i; ++j) a[i + 1][j + 1] = l * l * below * (c[i] * c[j] + s[i] * s[j]);
      for (std::size_t j = 0; j < N; ++j)
        f -= l * l * Real(N - (i > j ? i : j)) * (s[i] * c[j] - c[i] * s[j]) * rate[j + 1] * rate[j + 1];
      b[i + 1] = f;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        Real rest = a[i][j];
        for (std::size_t k = 0; k < j; ++k) rest -= a[i][k] * a[j][k];
        a[i][j] = i == j ? 1 / sqrt(rest) : rest * a[j][j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
      b[i] *= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      b[i] *= a[i][i];
      for (std::size_t k = 0; k < i; ++k) b[k] -= a[i][k] * b[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      dy[i] = rate[i];
      dy[n + i] = b[i];
    }
  }
  template <class Real>
  static std::array<Real, size> start() {  // the gallery's
    std::array<Real, size> y{};
    for (int i = 1; i <= N; ++i)
      y[static_cast<std::size_t>(i)] = std::round(100 * (0.2 + 0.6 * std::sin(0.8 * i))) / 100;
    return y;
  }
};

// The gallery's rattleback. With r from its mass centre to the point of contact, γ upward, both in its own axes:
//   (I + m (r² − r rᵀ)) ω' = −ω × I ω + m r × (r' × ω + ω × (r × ω) + g γ),  γ' = γ × ω
struct Rattleback {
  static constexpr std::size_t size = 8;  // x, y, psi, alpha, beta, ω
  template <class Real>
  using Vector = std::array<Real, 3>;
  template <class Real>
  static Vector<Real> cross(const Vector<Real>& u, const Vector<Real>& v) {
    return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  }
  template <class Real>
  static Real dot(const Vector<Real>& u, const Vector<Real>& v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  }
  // The axes of the stone in the frame that turns with psi.
  template <class Real>
  static std::array<Vector<Real>, 3> axes(Real alpha, Real beta) {
    using std::cos, std::sin;
    const Real ca = cos(alpha), sa = sin(alpha), cb = cos(beta), sb = sin(beta);
    return {Vector<Real>{cb, sa * sb, -ca * sb}, {0, ca, sa}, {sb, -sa * cb, ca * cb}};
  }
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    using std::cos, std::sin, std::sqrt;
    const Vector<Real> squares = {Real(0.04L), Real(0.0009L), Real(0.0004L)};  // of its semi-axes
    const Real h = Real(0.01L), g = Real(9.81L), A = Real(2e-4L), B = Real(1.6e-3L), C = Real(1.7e-3L),
               D = Real(-2e-5L);
    const std::array<Vector<Real>, 3> e = axes(y[3], y[4]);
    const Vector<Real> up = {e[0][2], e[1][2], e[2][2]}, omega = {y[5], y[6], y[7]};
    const Vector<Real> turn = cross(up, omega);
    Real middle = 0, change = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      middle += squares[i] * up[i] * up[i];
      change += squares[i] * up[i] * turn[i];
    }
    const Real over = 1 / sqrt(middle);
    change *= over * over;  // of the root, beside it
    Vector<Real> r, rolls;
    for (std::size_t i = 0; i < 3; ++i) {
      r[i] = -squares[i] * up[i] * over;
      rolls[i] = -squares[i] * turn[i] * over - r[i] * change;
    }
    r[2] += h;
    const Vector<Real> momentum = {A * omega[0] + D * omega[1], D * omega[0] + B * omega[1], C * omega[2]};
    const Vector<Real> gyroscopic = cross(omega, momentum), one = cross(rolls, omega),
                       two = cross(omega, cross(r, omega));
    const Vector<Real> force = {one[0] + two[0] + g * up[0], one[1] + two[1] + g * up[1], one[2] + two[2] + g * up[2]};
    Vector<Real> f = cross(r, force);
    for (std::size_t i = 0; i < 3; ++i) f[i] -= gyroscopic[i];
    const Real a11 = A + r[1] * r[1] + r[2] * r[2], a22 = B + r[0] * r[0] + r[2] * r[2],
               a33 = C + r[0] * r[0] + r[1] * r[1];
    const Real a12 = D - r[0] * r[1], a13 = -r[0] * r[2], a23 = -r[1] * r[2];
    const Real c11 = a22 * a33 - a23 * a23, c12 = a13 * a23 - a12 * a33, c13 = a12 * a23 - a13 * a22;
    const Real c22 = a11 * a33 - a13 * a13, c23 = a12 * a13 - a11 * a23, c33 = a11 * a22 - a12 * a12;
    const Real determinant = 1 / (a11 * c11 + a12 * c12 + a13 * c13);
    dy[5] = (c11 * f[0] + c12 * f[1] + c13 * f[2]) * determinant;
    dy[6] = (c12 * f[0] + c22 * f[1] + c23 * f[2]) * determinant;
    dy[7] = (c13 * f[0] + c23 * f[1] + c33 * f[2]) * determinant;
    Vector<Real> w{}, contact{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        w[j] += omega[i] * e[i][j];
        contact[j] += r[i] * e[i][j];
      }
    }
    const Vector<Real> v = cross(contact, w);
    const Real cp = cos(y[2]), sp = sin(y[2]), steep = 1 / e[1][1];
    dy[0] = v[0] * cp - v[1] * sp;
    dy[1] = v[0] * sp + v[1] * cp;
    dy[2] = w[2] - w[1] * e[1][2] * steep;
    dy[3] = w[0];
    dy[4] = w[1] * steep;
  }
  template <class Real>
  static std::array<Real, size> start() {
    const Real tilt = Real(3.14159265358979323846264338327950288L) / 360;
    const std::array<Vector<Real>, 3> e = axes(tilt, tilt);
    return {0, 0, 0, tilt, tilt, -5 * e[0][2], -5 * e[1][2], -5 * e[2][2]};
  }
};

// The gallery's snakeboard. Rotor and axles keep their rates Ω in space. Both axles leave the board one velocity s: along and across itself and turning
//   a = 2 l cos φf cos φb s,  b = l sin(φf + φb) s,  θ' = sin(φf − φb) s,
// and what it has of the energy, K s²/2 with K = m (a² + b²)/s² + J θ'²/s², does not change: s' = −s K'/(2 K).
struct Snakeboard {
  static constexpr std::size_t size = 7;  // x, y, theta, psi, phif, phib, s
  template <class Real>
  struct Rates {
    Real s, rotor, front, back;
  };
  template <class Real>
  static Rates<Real> at_start() {
    using std::cos, std::sin;
    const Real theta = Real(0.2L), front = Real(0.5L), back = Real(-0.3L), l = Real(0.2L);
    const Real a = 2 * l * cos(front) * cos(back), b = l * sin(front + back), turn = sin(front - back);
    const Real s = Real(0.8L) / (a * cos(theta) - b * sin(theta));
    return {s, turn * s + 2, turn * s - Real(1.5L), turn * s - Real(1.2L)};
  }
  template <class Real>
  static inline const Rates<Real> kept = at_start<Real>();
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    using std::cos, std::sin;
    const Real m = 6, J = Real(0.15L), l = Real(0.2L);
    const Real ct = cos(y[2]), st = sin(y[2]), cf = cos(y[4]), sf = sin(y[4]), cb = cos(y[5]), sb = sin(y[5]), s = y[6];
    const Real along = 2 * l * cf * cb, across = l * (sf * cb + cf * sb), turn = sf * cb - cf * sb;
    const Real a = along * s, b = across * s, omega = turn * s;
    const Real front = kept<Real>.front - omega, back = kept<Real>.back - omega;
    const Real K = m * (along * along + across * across) + J * turn * turn;
    const Real change = m * (along * (-2 * l) * (sf * cb * front + cf * sb * back) +
                             across * l * (cf * cb - sf * sb) * (front + back)) +
                        J * turn * (cf * cb + sf * sb) * (front - back);
    dy[0] = a * ct - b * st;
    dy[1] = a * st + b * ct;
    dy[2] = omega;
    dy[3] = kept<Real>.rotor - omega;
    dy[4] = front;
    dy[5] = back;
    dy[6] = -s * change / K;
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {0, 0, Real(0.2L), 0, Real(0.5L), Real(-0.3L), at_start<Real>().s};
  }
};

// Andrews' squeezer mechanism, with the rate of the crank as the only velocity: each loop gives two rates, by the rule of Cramer.
//   q' = S b,  Sᵀ M S b' = Sᵀ (f − M q''|_{b' = 0})
struct Squeezer {
  static constexpr std::size_t size = 8;  // be, th, ga, ph, de, om, ep, be'
  template <class Real>
  using Pair = std::array<Real, 2>;
  // a x + b y = f, columns first
  template <class Real>
  static Pair<Real> solved(const Pair<Real>& a, const Pair<Real>& b, const Pair<Real>& f) {
    const Real over = 1 / (a[0] * b[1] - a[1] * b[0]);
    return {(f[0] * b[1] - f[1] * b[0]) * over, (a[0] * f[1] - a[1] * f[0]) * over};
  }
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    using std::cos, std::sin, std::sqrt;
    const auto n = [](long double x) { return Real(x); };
    const Real m2 = n(0.00365L), m4 = n(0.00706L), m6 = n(0.00706L), d = n(0.028L), da = n(0.0115L), e = n(0.02L),
               rr = n(0.007L), ss = n(0.035L), sc = n(0.018L), sd = n(0.02L), u = n(0.04L), zf = n(0.02L),
               zt = n(0.04L), ez = n(0.02L - 0.01421L), zz = n(0.02L - 0.01421L), c0 = 4530, l0 = n(0.07785L);
    const Real I1 = n(0.04325L * 0.00092L * 0.00092L + 2.194e-6L), I2 = n(4.41e-7L), I4 = n(5.667e-7L),
               I6 = n(5.667e-7L), I3 = n(0.02373L * (0.01874L * 0.01874L + 0.01043L * 0.01043L) + 5.255e-6L),
               I5 = n(0.0705L * (0.02308L * 0.02308L + 0.00916L * 0.00916L) + 1.169e-5L),
               I7 = n(0.05498L * (0.01228L * 0.01228L + 0.00449L * 0.00449L) + 1.912e-5L);
    const Real cb = cos(y[0]), sb = sin(y[0]), ct = cos(y[1]), st = sin(y[1]), cg = cos(y[2]), sg = sin(y[2]),
               cp = cos(y[3]), sp = sin(y[3]), cd = cos(y[4]), sdd = sin(y[4]), co = cos(y[5]), so = sin(y[5]),
               ce = cos(y[6]), se = sin(y[6]), b = y[7];
    const Real cbt = cb * ct - sb * st, sbt = sb * ct + cb * st, cpd = cp * cd - sp * sdd, spd = sp * cd + cp * sdd,
               coe = co * ce - so * se, soe = so * ce + co * se;
    // the sums of two angles and the second one as rates: columns of the loops
    const Pair<Real> w1 = {d * sbt, -d * cbt}, g1 = {-ss * cg, -ss * sg}, p1 = {e * cpd, e * spd},
                     d1 = {-zt * sdd, zt * cd}, o1 = {-zf * soe, zf * coe}, e1 = {u * ce, u * se};
    const Pair<Real> first = solved(w1, g1, {rr * sb, -rr * cb});
    const Pair<Real> tip = {-rr * sb + w1[0] * first[0], rr * cb + w1[1] * first[0]};
    const Pair<Real> second = solved(p1, d1, tip), third = solved(o1, e1, tip);
    const Real S[7] = {1, first[0] - 1, first[1], second[0] - second[1], second[1], third[0] - third[1], third[1]};
    Real v[7];
    for (std::size_t i = 0; i < 7; ++i) v[i] = S[i] * b;
    // accelerations that keep b
    const Real w = first[0] * b, p = second[0] * b, o = third[0] * b;
    const Pair<Real> turn = {-rr * cb * b * b + d * cbt * w * w, -rr * sb * b * b + d * sbt * w * w};
    const Pair<Real> fourth = solved(w1, g1, {-turn[0] - ss * sg * v[2] * v[2], -turn[1] + ss * cg * v[2] * v[2]});
    const Pair<Real> bent = {turn[0] + w1[0] * fourth[0], turn[1] + w1[1] * fourth[0]};
    const Pair<Real> fifth =
        solved(p1, d1,
               {bent[0] + e * spd * p * p + zt * cd * v[4] * v[4], bent[1] - e * cpd * p * p + zt * sdd * v[4] * v[4]});
    const Pair<Real> sixth = solved(
        o1, e1, {bent[0] + zf * coe * o * o + u * se * v[6] * v[6], bent[1] + zf * soe * o * o - u * ce * v[6] * v[6]});
    const Real a[7] = {0, fourth[0], fourth[1], fifth[0] - fifth[1], fifth[1], sixth[0] - sixth[1], sixth[1]};
    const Real M[3][3] = {
        {I1 + m2 * (rr * rr - 2 * da * rr * ct + da * da) + I2, m2 * (da * da - da * rr * ct) + I2, m2 * da * da + I2},
        {m4 * ez * ez + I4, m4 * (ez * ez + zt * ez * sp) + I4, m4 * (zt * zt + 2 * zt * ez * sp + ez * ez) + I5 + I4},
        {m6 * zz * zz + I6, m6 * (zz * zz - u * zz * so) + I6, m6 * (zz * zz - 2 * u * zz * so + u * u) + I6 + I7}};
    const Real X = sd * cg + sc * sg + n(-0.03635L - 0.014L), Y = sd * sg - sc * cg + n(0.03273L - 0.072L);
    const Real length = sqrt(X * X + Y * Y), pull = -c0 * (length - l0) / length;
    const Real f[7] = {n(0.033L) - m2 * da * rr * v[1] * (v[1] + 2 * b) * st,
                       m2 * da * rr * b * b * st,
                       pull * (X * (sc * cg - sd * sg) + Y * (sd * cg + sc * sg)),
                       m4 * zt * ez * v[4] * v[4] * cp,
                       -m4 * zt * ez * v[3] * (v[3] + 2 * v[4]) * cp,
                       -m6 * u * zz * v[6] * v[6] * co,
                       m6 * u * zz * v[5] * (v[5] + 2 * v[6]) * co};
    Real mass = I3 * S[2] * S[2], force = S[2] * (f[2] - I3 * a[2]);
    constexpr std::size_t pairs[3] = {0, 3, 5};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = pairs[k], j = i + 1;
      const Real x = M[k][0] * S[i] + M[k][1] * S[j], z = M[k][1] * S[i] + M[k][2] * S[j];
      mass += S[i] * x + S[j] * z;
      force += S[i] * f[i] + S[j] * f[j] - x * a[i] - z * a[j];
    }
    for (std::size_t i = 0; i < 7; ++i) dy[i] = v[i];
    dy[7] = force / mass;
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {Real(-0.0617138900142764496358948458001L), 0,
            Real(0.455279819163070380255912382449L),   Real(0.222668390165885884674473185609L),
            Real(0.487364979543842550225598953530L),   Real(-0.222668390165885884674473185609L),
            Real(1.23054744454982119249735015568L),    0};
  }
};

// The gallery's arm of six joints.
struct SixJoints {
  static constexpr std::size_t size = 12;
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    arm_rates(y, dy);
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {Real(0.1L), Real(-0.3L), Real(0.5L), Real(0.2L), Real(0.7L), Real(0.3L), Real(0.5L), 0, 0, 1, 0, 0};
  }
};

}  // namespace motion
