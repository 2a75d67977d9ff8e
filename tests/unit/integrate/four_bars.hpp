// Two parallelograms of rods, and the pendulum that they are as long as they stay parallel.
#pragma once

namespace cetaev {

inline const char* const four_bars = R"toml(
coordinates = ["x0", "y0", "x1", "y1", "x2", "y2"]
kinetic = """(dot(B0', B0') + dot(B1', B1') + dot(B2', B2'))/6 + (dot(B0', B0') + dot(B0', B1') + dot(B1', B1'))/6
 + (dot(B1', B1') + dot(B1', B2') + dot(B2', B2'))/6"""
potential = "9.81/2*(2*y0 + 3*y1 + 2*y2)"
constraints = ["norm(B0) = 1", "norm(B1 - A1) = 1", "norm(B2 - A2) = 1", "norm(B1 - B0) = 1", "norm(B2 - B1) = 1"]
[definitions]
A1 = "[1, 0, 0]"
A2 = "[2, 0, 0]"
B0 = "[x0, y0, 0]"
B1 = "[x1, y1, 0]"
B2 = "[x2, y2, 0]"
[initial]
x0 = 0
y0 = 1
x1 = 1
y1 = 1
x2 = 2
y2 = 1
"x0'" = 1
)toml";
// three rods that turn, two that do not: T = (3/3 + 2) θ'²/2, V = 9.81 (3/2 + 2) cos θ
inline const char* const four_bars_as_pendulum = R"toml(
coordinates = ["th"]
lagrangian = "3*th'^2/2 - 9.81*3.5*cos(th)"
[initial]
"th'" = 1
)toml";

}  // namespace cetaev
