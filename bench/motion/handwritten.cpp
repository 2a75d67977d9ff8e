// Compiled with -O3 -march=native and the compiler's own idea of fusing products and sums.
#include "handwritten.hpp"

#include <array>
#include <chrono>
#include <cmath>

#if __has_include(<boost/numeric/odeint.hpp>)
#include <boost/numeric/odeint.hpp>
#define CETAEV_BENCH_BOOST
#endif

#include "../../src/integrate/dop853.hpp"
#include "larger.hpp"

namespace motion {
namespace {

using std::cos, std::sin;

// Each: the state by name, y' = f(y), the initial state. Real is double, or long double for references.

// A skate on a slope: u along the blade, w turning; g sin β = 4.905, w = 1.3.
struct Skate {
  static constexpr std::size_t size = 5;  // x, y, phi, u, w
  template <class Real>
  static void rates(const Real* s, Real* ds) {
    const Real c = cos(s[2]), n = sin(s[2]);
    ds[0] = s[3] * c;
    ds[1] = s[3] * n;
    ds[2] = s[4];
    ds[3] = Real(4.905L) * c;
    ds[4] = 0;
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {0, 0, 0, 0, Real(1.3L)};
  }
};

// Chaplygin's sleigh: v along the blade, w turning; m = 1, a = 0.2, I = 0.3.
struct Sleigh {
  static constexpr std::size_t size = 5;  // x, y, phi, v, w
  template <class Real>
  static void rates(const Real* s, Real* ds) {
    ds[0] = s[3] * cos(s[2]);
    ds[1] = s[3] * sin(s[2]);
    ds[2] = s[4];
    ds[3] = Real(0.2L) * s[4] * s[4];
    ds[4] = Real(-0.2L / 0.34L) * s[3] * s[4];
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {0, 0, 0, 1, 2};
  }
};

// A thin rolling disc, m = r = 1: p = θ' about the heading, q about the axle, s about the upward diameter.
//   p' = (6 q s − s² tan θ + 4 g sin θ)/5,  q' = −2 p s/3,  s' = p (s tan θ − 2 q)
struct Disc {
  static constexpr std::size_t size = 8;  // X, Y, psi, theta, phi, p, q, s
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    const Real p = y[5], q = y[6], s = y[7];
    const Real n = sin(y[3]), c = cos(y[3]), over = 1 / c, tangent = n * over;
    const Real spin = q - s * tangent;
    dy[0] = -spin * cos(y[2]);
    dy[1] = -spin * sin(y[2]);
    dy[2] = s * over;
    dy[3] = p;
    dy[4] = spin;
    dy[5] = Real(1.2L) * q * s - Real(0.2L) * s * s * tangent + Real(0.8L * 9.81L) * n;
    dy[6] = Real(-2.0L / 3.0L) * p * s;
    dy[7] = p * (s * tangent - 2 * q);
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {0, 0, 0, Real(0.2L), 0, 0, 5, Real(0.5L)};
  }
};

// The planar double pendulum in angles from the vertical, m = l = 1:
//   2 θ₁'' + c θ₂'' = −s θ₂'² − 2 g sin θ₁,  c θ₁'' + θ₂'' = s θ₁'² − g sin θ₂,  c, s of θ₁ − θ₂
struct DoublePendulum {
  static constexpr std::size_t size = 4;  // theta1, theta2, theta1', theta2'
  template <class Real>
  static void rates(const Real* y, Real* dy) {
    const Real g = Real(9.81L);
    const Real s = sin(y[0] - y[1]), c = cos(y[0] - y[1]);
    const Real f1 = -s * y[3] * y[3] - 2 * g * sin(y[0]);
    const Real f2 = s * y[2] * y[2] - g * sin(y[1]);
    const Real over = 1 / (2 - c * c);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (f1 - c * f2) * over;
    dy[3] = (2 * f2 - c * f1) * over;
  }
  template <class Real>
  static std::array<Real, size> start() {
    return {2, 1, 0, 0};
  }
};

// The tolerances of Hairer's code: absolute plus relative, both the same.
template <class Real>
struct Tolerances {
  static constexpr Real integral_gain = 0;
  Real tolerance;
  Real unit(std::size_t, Real y) const { return tolerance * (1 + std::abs(y)); }
  void accepted(const Real*) {}
  void coarsen() {}
};

template <class System, class Real>
struct Rates {
  int operator()(Real, const Real* y, Real* dy) const {
    System::template rates<Real>(y, dy);
    return -1;
  }
};

// The least time of runs repeated until the budget is spent, at least three times.
template <class Run>
double best(double budget, const Run& run) {
  double least = 1e300, spent = 0;
  for (int i = 0; i < 3 || spent < budget; ++i) {
    const auto start = Clock::now();
    run();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least;
}

template <class System>
Timed dop853(double t_end, double tolerance, double budget) {
  Timed timed;
  timed.seconds = best(budget, [&] {
    cetaev::Dop853<double, Rates<System, double>, Tolerances<double>, System::size> method({}, {tolerance});
    const auto start = System::template start<double>();
    method.start(0, start.data(), t_end);
    while (method.time() < t_end && method.step(t_end) == cetaev::StepStatus::done) {
    }
    timed.state.assign(method.state(), method.state() + System::size);
    timed.steps = method.counts().steps;
  });
  return timed;
}

#ifdef CETAEV_BENCH_BOOST
template <class System>
Timed rkf78(double t_end, double tolerance, double budget) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, System::size>;
  Timed timed;
  timed.seconds = best(budget, [&] {
    State y = System::template start<double>();
    const auto rates = [](const State& state, State& derivative, double) {
      System::template rates<double>(state.data(), derivative.data());
    };
    timed.steps = odeint::integrate_adaptive(
        odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<State>()), rates, y, 0.0, t_end,
        1e-3);
    timed.state.assign(y.begin(), y.end());
  });
  return timed;
}
#endif

template <class System>
std::vector<double> reference(double t_end) {
  using Real = long double;  // 113 bits on AArch64, 64 on x86
  const Real tolerance = std::max(Real(1e-22L), 100 * std::numeric_limits<Real>::epsilon());
  cetaev::Dop853<Real, Rates<System, Real>, Tolerances<Real>, System::size> method({}, {tolerance});
  const auto start = System::template start<Real>();
  method.start(0, start.data(), t_end);
  while (method.time() < t_end && method.step(t_end) == cetaev::StepStatus::done) {
  }
  return {method.state(), method.state() + System::size};
}

// With g' = g sin β: x = g'/(2w²) sin² φ, y = g'/(4w²) (2φ − sin 2φ), u = g'/w sin φ, φ = w t.
template <>
std::vector<double> reference<Skate>(double t_end) {
  const long double w = 1.3L, g = 4.905L, phi = w * t_end;
  return {static_cast<double>(g / (2 * w * w) * sin(phi) * sin(phi)),
          static_cast<double>(g / (4 * w * w) * (2 * phi - sin(2 * phi))), static_cast<double>(phi),
          static_cast<double>(g / w * sin(phi)), static_cast<double>(w)};
}

template <class System>
double rates(double budget) {
  constexpr int calls = 1000;
  auto y = System::template start<double>();
  for (double& value : y) value += 0.7;  // away from zero angles, whose sines cost nothing
  std::array<double, System::size> dy{};
  const double seconds = best(budget, [&] {
    for (int i = 0; i < calls; ++i) {
      System::template rates<double>(y.data(), dy.data());
      asm volatile("" : : "r"(y.data()), "r"(dy.data()) : "memory");  // as if both were used and changed
    }
  });
  return seconds / calls;
}

// The same by a call through a pointer, as of any function that an integrator is handed.
template <class System>
double called_rates(double budget) {
  constexpr int calls = 1000;
  using Function = int(const double*, double*);
  static Function* const function = [](const double* y, double* dy) {
    System::template rates<double>(y, dy);
    return -1;
  };
  Function* volatile pointer = function;
  auto y = System::template start<double>();
  for (double& value : y) value += 0.7;
  std::array<double, System::size> dy{};
  const double seconds = best(budget, [&] {
    for (int i = 0; i < calls; ++i) {
      pointer(y.data(), dy.data());
      asm volatile("" : : "r"(y.data()), "r"(dy.data()) : "memory");
    }
  });
  return seconds / calls;
}

template <class System>
Problem problem(const char* name, double t_end, const char* model, std::size_t coordinates) {
#ifdef CETAEV_BENCH_BOOST
  constexpr auto boost = &rkf78<System>;
#else
  constexpr Timed (*boost)(double, double, double) = nullptr;
#endif
  return {name,
          t_end,
          model,
          coordinates,
          &dop853<System>,
          boost,
          &reference<System>,
          &rates<System>,
          &called_rates<System>};
}

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      problem<Skate>("skate", 1000, "gallery/skate.toml", 3),
      problem<Sleigh>("sleigh", 1000, "bench/motion/sleigh.toml", 3),
      problem<Disc>("disc", 100, "bench/motion/disc.toml", 5),
      problem<DoublePendulum>("double pendulum", 10, "gallery/double-pendulum.toml", 2),
      problem<DoublePendulum>("double pendulum", 100, "gallery/double-pendulum.toml", 2),
  };
  return all;
}

const std::vector<Problem>& larger_problems() {
  static const std::vector<Problem> all{
      problem<CartPendulums<3>>("3 pendulums", 2, "pendulums-3", 4),
      problem<CartPendulums<5>>("5 pendulums", 2, "pendulums-5", 6),
      problem<CartPendulums<10>>("10 pendulums", 2, "pendulums-10", 11),
      problem<CartPendulums<20>>("20 pendulums", 2, "pendulums-20", 21),
      problem<CartPendulums<50>>("50 pendulums", 2, "pendulums-50", 51),
      problem<Rattleback>("rattleback", 4, "gallery/rattleback.toml", 5),
      problem<Snakeboard>("snakeboard", 5, "gallery/snakeboard.toml", 6),
      problem<Squeezer>("squeezer", 0.03, "bench/motion/squeezer.toml", 7),
      problem<SixJoints>("arm", 1, "gallery/arm.toml", 6),
  };
  return all;
}

}  // namespace motion
