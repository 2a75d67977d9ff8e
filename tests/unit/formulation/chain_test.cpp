// Chains of bodies: accelerations from the leaves to the root, against the mass matrix and against Newton and Euler.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/model/read.hpp"
#include "unit/chain_model.hpp"
#include "unit/joint_torques.hpp"

namespace cetaev {
namespace {

using joint_vectors::cross;
using joint_vectors::V;
using joint_vectors::operator+;
using joint_vectors::operator*;

constexpr double mass = 1.5;
constexpr V inertia = {0.02, 0.03, 0.04}, centre = {0.05, 0.02, -0.2}, link = {0.1, 0.05, -0.4};

// The torques in the joints, by Newton and Euler link by link; zero in a chain that falls freely.
std::vector<double> torques(const State& state, const std::vector<double>& a) {
  const std::size_t N = a.size();
  const auto turn = [&](std::size_t i, const V& u, double sign) {
    const std::size_t k = (i + 1) % 3, x = (k + 1) % 3, y = (k + 2) % 3;
    const double c = std::cos(state.q[i]), s = sign * std::sin(state.q[i]);
    V r = u;
    r[x] = c * u[x] - s * u[y];
    r[y] = s * u[x] + c * u[y];
    return r;
  };
  V w{}, alpha{}, acceleration = {0, 0, 9.81}, joint{};
  std::vector<V> force(N), moment(N);
  for (std::size_t i = 0; i < N; ++i) {
    acceleration = turn(i, acceleration + cross(alpha, joint) + cross(w, cross(w, joint)), -1);
    V rate{}, second{};
    rate[(i + 1) % 3] = state.v[i];
    second[(i + 1) % 3] = a[i];
    w = turn(i, w, -1);
    alpha = turn(i, alpha, -1) + cross(w, rate) + second;
    w = w + rate;
    force[i] = mass * (acceleration + cross(alpha, centre) + cross(w, cross(w, centre)));
    V L{}, L_rate{};
    for (std::size_t c = 0; c < 3; ++c) L[c] = inertia[c] * w[c], L_rate[c] = inertia[c] * alpha[c];
    moment[i] = L_rate + cross(w, L) + cross(centre, force[i]);
    joint = link;
  }
  std::vector<double> result(N);
  V f{}, n{};
  for (std::size_t i = N; i-- > 0;) {
    n = n + moment[i] + (i + 1 < N ? cross(link, f) : V{});
    f = f + force[i];
    result[i] = n[(i + 1) % 3];
    n = turn(i, n, 1);
    f = turn(i, f, 1);
  }
  return result;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

TEST(Chain, FallsAsNewtonAndEulerSay) {
  for (const int N : {5, 12, 30}) {
    const System system = read_model(chain_model(N), "chain.toml").scratch();
    Groundwork work(system);
    const State state = work.initial().state;
    const Setting setting = work.setting_at(work.initial());
    const CompiledForm form(setting, Form::multipliers->derive(setting));
    const CompiledForm::Values values = form.evaluate(state);
    // the torques that weight alone gives to the joints
    std::vector<double> still =
        torques({0, state.q, std::vector<double>(state.v.size())}, std::vector<double>(state.q.size()));
    EXPECT_LT(largest(torques(state, values.a)), 1e-12 * largest(still)) << N;
    const Multipliers matrix(work.system(), work.terms());
    const std::vector<double> others = matrix.evaluate(state).a;
    for (std::size_t i = 0; i < others.size(); ++i) EXPECT_NEAR(values.a[i], others[i], 1e-9 * largest(others));
    // The motion itself is in the same accelerations.
    const FirstOrderProgram program(system, first_order_by_default(setting, state));
    const std::vector<double> rates = program.rates(state.t, program.state(state));
    for (std::size_t i = 0; i < others.size(); ++i)
      EXPECT_NEAR(rates[state.q.size() + i], values.a[i], 1e-9 * largest(others));
  }
}

std::size_t instructions(int N) {
  const System system = read_model(chain_model(N), "chain.toml").scratch();
  Groundwork work(system);
  const Setting setting = work.setting_at(work.initial());
  return CompiledForm(setting, Form::multipliers->derive(setting)).program().instructions().size();
}

TEST(Chain, CostsInProportionToItsLength) {
  const std::size_t ten = instructions(10), twenty = instructions(20), forty = instructions(40);
  EXPECT_NEAR(static_cast<double>(forty - twenty), 2.0 * static_cast<double>(twenty - ten),
              0.05 * static_cast<double>(forty - twenty));
}

TEST(Chain, WithALastLinkOfNothingHasNoAccelerations) {
  const System system =
      read_model(chain_model(12, "\"m\"", "[\"I\", \"I\", \"I\"]") + "[parameters]\nm = 0\nI = 0\n", "chain.toml")
          .scratch();
  Groundwork work(system);
  const Setting setting = work.setting_at(work.initial());
  const CompiledForm form(setting, Form::multipliers->derive(setting));
  try {
    (void)form.evaluate(work.initial().state);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::singular_mass_matrix);
  }
}

}  // namespace
}  // namespace cetaev
