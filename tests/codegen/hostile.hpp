// Models whose names and texts would break careless code generators.
#pragma once

namespace cetaev::exported {

struct HostileModel {
  const char* name;
  const char* text;
};

inline constexpr HostileModel hostile_models[] = {
    // reserved words, names that the files use themselves, letters of other scripts, one name in two scripts
    {"reserved_words", R"toml(
name = "ends here */ int x = \" ??/\n/ /* and \\"
description = "line one\r\nline two \\\n%{\n#include <none>\n\"\"\" ''' \u202e \u2028 {0} %s \u0001"
coordinates = ["double", "lambda", "end", "r", "θ", "theta", "y", "state", "жук", "_x"]
lagrangian = """(double'^2 + lambda'^2 + end'^2 + r'^2 + θ'^2 + theta'^2 + y'^2 + state'^2 + жук'^2 + _x'^2)/2
 - k*(double*lambda + end^2 + sin(r)^2 + θ*theta + y*state + жук^2/2 + _x*r) - p*cos(theta) - linux*matrix1*sin_r*r*M_PI*OVERFLOW"""
constraints = ["end' = double*lambda'", "θ' = r' + i*y'"]

[parameters]
k = 2
p = 0.3
i = "1/3"
linux = 0.1
matrix1 = 7
sin_r = 1e-3
class = 1
M_PI = 3
OVERFLOW = 1
)toml"},
    // every function, powers that are not whole, π, absolute values
    {"every_function", R"toml(
name = "Functions"
coordinates = ["x", "z"]
kinetic = "(x'^2 + z'^2)/2*(2 + sin(x)*cos(z) + tanh(x)^2 + exp(-x^2))"
potential = """abs(x - 3) + atan2(x, 2 + z^2) + (1 + x^2)^(1/3) + (2 + z^2)^1.7 + sinh(x/9) + cosh(z/7) + atan(x*z) + asinh(z)
 + acosh(3 + x^2) + atanh(x/(9 + x^2)) + asin(x/(5 + x^2)) + acos(z/(5 + z^2)) + log(1 + x^2) + sqrt(1 + z^4) + tan(pi/7)*x^7
 + pi*x + x/3 + (1 + x^2)^a + z^11/1000000"""
[parameters]
a = 0.4
[forces]
x = "-x'*abs(x')/3"
)toml"},
    // one linear system of several unknowns after another, time, redundant rows
    {"redundant", R"toml(
coordinates = ["x", "y", "z"]
kinetic = "(x'^2 + 2*y'^2 + 3*z'^2 + x'*y'*sin(t))/2"
constraints = ["x' = y*z' + t", "2*x' = 2*y*z' + 2*t", "3*x' - 3*y*z' = 3*t"]
[initial]
y = 1
)toml"},
    // masses in units beside which the multiplier is small
    {"units", R"toml(
coordinates = ["r", "phi"]
kinetic = "1e14*(r'^2 + r^2*phi'^2)/2"
constraints = ["phi' = 2"]
)toml"},
    // no parameters, no constraints
    {"free_particle", R"toml(
coordinates = ["s"]
kinetic = "s'^2/2"
)toml"},
};

}  // namespace cetaev::exported
