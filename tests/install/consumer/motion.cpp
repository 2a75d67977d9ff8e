// A user of the installed library who has no model files: the skate written in C++, its motion as a function of time, held
// to the cycloid that it is known to be.
#include <cetaev/integrate/trajectory.hpp>
#include <cetaev/model/build.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

int main() {
  const double g = 4.905, w = 1.3;
  const cetaev::System skate = cetaev::SystemBuilder()
                                   .name("skate")
                                   .coordinates({"x", "y", "phi"})
                                   .lagrangian("(x'^2 + y'^2 + phi'^2)/2 + g*x")
                                   .constraint("x'*sin(phi) - y'*cos(phi) = 0")
                                   .parameter("g", g)
                                   .initial("phi'", w)
                                   .build();
  cetaev::MotionOptions options;
  options.t_end = 10;
  const cetaev::Trajectory motion = cetaev::compute_trajectory(skate, options);

  // x = c sin²φ, y = c (φ − sin φ cos φ), φ = ωt with c = g/(2ω²)
  const double c = g / (2 * w * w);
  double error = 0;
  for (int i = 0; i <= 10000; ++i) {
    const cetaev::State state = motion.at(0.001 * i);
    const double phi = w * state.t;
    error = std::max({error, std::abs(state.q[0] - c * std::pow(std::sin(phi), 2)),
                      std::abs(state.q[1] - c * (phi - std::sin(phi) * std::cos(phi))), std::abs(state.q[2] - phi)});
  }
  std::cout << skate->name << " by " << motion.summary().form.name() << ": " << motion.summary().steps << " steps\n";
  if (!(error < 1e-12)) {
    std::cout << "off by " << error << "\n";
    return 1;
  }
  std::cout << "the cycloid to 1e-12\n";
  return 0;
}
