// Models written for a given number of parts. What they claim holds for every number: the comments say why.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cetaev/error.hpp"
#include "cetaev/gallery.hpp"

namespace cetaev {

namespace {

// A pattern for every number from … to, # being the number and @ the one before.
std::string each(int from, int to, std::string_view pattern) {
  std::string text;
  for (int i = from; i <= to; ++i) {
    for (const char c : pattern) {
      if (c == '#') {
        text += std::to_string(i);
      } else if (c == '@') {
        text += std::to_string(i - 1);
      } else {
        text += c;
      }
    }
  }
  return text;
}

// The same as a list or a sum.
std::string joined(int from, int to, std::string_view separator, std::string_view pattern) {
  const std::string rest = each(from + 1, to, std::string(separator) + std::string(pattern));
  return each(from, from, pattern) + rest;
}

// Initial angles: a wave, to hundredths.
std::string angles(int from, int to, double mean, double amplitude, double step) {
  std::string lines;
  for (int i = from; i <= to; ++i) {
    const double angle = mean + amplitude * std::sin(step * i);
    lines +=
        fmt::format("{:<6} = {:<8} # rad\n", fmt::format("th{}", i), std::round(100 * angle) / 100 + 0.0);  // no -0
  }
  return lines;
}

std::string plural(int count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// Each part brings one coordinate and one linear constraint, which hold it by the motion of the first part and leave that
// free: the rank is the number of constraints, the freedom 2, and every motion keeps its energy. Nor is any of the
// constraints integrable, together or in part; that is left out where there are too many brackets for `check` to try.
std::string expectations(int rank, const std::string& growth) {
  constexpr int most_brackets = 11;
  return fmt::format(
      R"toml([expect]
order                 = 1
linearity             = "linear"
degree                = 1
rheonomic             = false
rank                  = {}
redundant             = 0
degrees_of_freedom    = 2
conic                 = true
homogeneous_functions = true
{}ignorable             = ["x", "y"]
conserved             = true
E_star_is_E           = true
determinate           = true
)toml",
      rank, rank <= most_brackets ? growth + "holonomic_integrals   = 0\nintegrable            = false\n" : "");
}

std::string snake(int n) {
  const std::string rotation = fmt::format("I/2*({})", joined(1, n, " + ", "th#'^2"));
  return fmt::format(
             R"toml(# A planar snake of {links}, each with a blade under its middle: {coordinates}, {constraints}.
#
# The motion of the first link, two velocities, determines all the others without division, so that the quasi-
# velocities below serve in every shape: of link i + 1, th' = (2/l) times the sideways velocity of the joint behind it,
# counted to its right.

name        = "Snake of {links}"
description = "Equal rods on a level plane, joined end to end; the middle of each moves only along its rod."
source      = "a chain of skates; the wheeled snake without motors"
group       = "classics"
coordinates = ["x", "y", {angles}]

kinetic     = "{rotation}"
constraints = [    # no middle moves sideways
{blades}]

[parameters]
m = 1             # kg, mass of a link
l = 0.2           # m, length of a link
I = "m*l^2/12"    # kg m^2, moment of inertia of a link about its middle

[quasi_velocities]
u = "x'*cos(th1) + y'*sin(th1)"    # m/s, speed along the first link
w = "th1'"                         # rad/s, rate of turning of the first link

[definitions]     # m; u1 ... are the links, J0 the tail, J1 ... the joints
J0 = "[x, y, 0]"
{joints}
{points}[initial]         # the other velocities follow from the constraints
x      = 0        # m, the tail
y      = 0        # m
{initial}"x'"   = 0.5      # m/s
"th1'" = 0.3      # rad/s

[simulation]
t_end = 5         # s

[integrals]
energy = "m/2*({squares}) + {rotation}" # J

)toml",
             fmt::arg("links", plural(n, "link")), fmt::arg("coordinates", plural(n + 2, "coordinate")),
             fmt::arg("constraints", plural(n, "constraint")), fmt::arg("angles", joined(1, n, ", ", "\"th#\"")),
             fmt::arg("rotation", rotation),
             fmt::arg("blades", each(1, n, "  \"P#'.x*sin(th#) - P#'.y*cos(th#) = 0\",\n")),
             fmt::arg("joints", each(1, n, "u# = \"[l*cos(th#), l*sin(th#), 0]\"\nJ# = \"J@ + u#\"\n")),
             fmt::arg("points", each(1, n, R"toml([[points]]
name     = "P#"
mass     = "m"
position = ["J@.x + u#.x/2", "J@.y + u#.y/2", "0"]

)toml")),
             fmt::arg("initial", angles(1, n, 0, 0.5, 0.6)),
             fmt::arg("squares", joined(1, n, " + ", "dot(P#', P#')"))) +
         expectations(n, "") +
         fmt::format(R"toml(
[view]
links  = [[{}]]
blades = [
{}]
traces = ["J0", "J{}"]
)toml",
                     joined(0, n, ", ", "\"J#\""), each(1, n, "  {at = \"P#\", along = \"u#\"},\n"), n);
}

// Without a torque on the tractor th0' is constant: its axle may turn on the spot while nothing else moves.
std::string trailer(int n) {
  const std::string rotation = "J0/2*th0'^2" + each(1, n, " + J/2*th#'^2");
  return fmt::format(
             R"toml(# A tractor with {trailers}, each hitched to the middle of the axle before it.
#
# With u the speed of an axle, that of the next one is u cos(d), and its rate of turning u sin(d)/l, d being the angle
# between the two. The growth vector at states without a right angle is 2, 3, 4, ... (Goursat).

name        = "Tractor with {trailers}"
description = "A coasting tractor and its trailers seen from above; every axle moves only along its wheels."
source      = 'R. M. Murray, S. S. Sastry, "Nonholonomic motion planning: steering using sinusoids", 1993; F. Jean, "The car with n trailers: characterisation of the singular configurations", 1996'
group       = "classics"
coordinates = ["x", "y", {angles}]

kinetic     = "{rotation}"
constraints = [    # no axle moves sideways
{axles}]

[[points]]        # the middle of the tractor's axle, then those of the trailers
name     = "P0"
mass     = "m0"
position = ["x", "y", "0"]

{points}[parameters]
m0 = 200          # kg, mass of the tractor, its centre above the axle
J0 = 60           # kg m^2, its moment of inertia about it
m  = 80           # kg, mass of a trailer, its centre above the axle
J  = 20           # kg m^2, its moment of inertia about it
l  = 1.5          # m, from axle to axle

[quasi_velocities]
u = "x'*cos(th0) + y'*sin(th0)"    # m/s, speed of the tractor
w = "th0'"                         # rad/s, rate of turning of the tractor

[initial]         # the other velocities follow from the constraints
x      = 0        # m, the tractor
y      = 0        # m
{initial}"x'"   = 2        # m/s
"th0'" = 0.6      # rad/s

[simulation]
t_end = 10        # s

[integrals]
energy  = "m0/2*dot(P0', P0'){squares} + {rotation}" # J
turning = "th0'"  # rad/s

[closed_form]
th0 = "0.3 + 0.6*t"

)toml",
             fmt::arg("trailers", plural(n, "trailer")), fmt::arg("angles", joined(0, n, ", ", "\"th#\"")),
             fmt::arg("rotation", rotation),
             fmt::arg("axles", each(0, n, "  \"P#'.x*sin(th#) - P#'.y*cos(th#) = 0\",\n")),
             fmt::arg("points", each(1, n, R"toml([[points]]
name     = "P#"
mass     = "m"
position = ["P@.x - l*cos(th#)", "P@.y - l*sin(th#)", "0"]

)toml")),
             fmt::arg("initial", angles(0, n, 0.3, -0.9, 0.5)),
             fmt::arg("squares", each(1, n, " + m/2*dot(P#', P#')"))) +
         expectations(n + 1, fmt::format("growth                = [{}]\n", joined(2, n + 3, ", ", "#"))) +
         fmt::format(R"toml(
[view]
links  = [[{}]]
blades = [
{}]
traces = ["P0", "P{}"]
)toml",
                     joined(0, n, ", ", "\"P#\""),
                     each(0, n, "  {at = \"P#\", along = \"[cos(th#), sin(th#), 0]\"},\n"), n);
}

// Nothing holds the cart: its coordinate is ignorable and its momentum constant. Energy is kept.
std::string pendulums(int n) {
  return fmt::format(
      R"toml(# A cart on a level track with a chain of {pendulums} hanging from it: {coordinates}, no constraints.

name        = "Cart with {pendulums}"
description = "A cart that rolls freely and equal heavy points below it, one hanging from the other by rods of equal length; angles from the downward vertical."
source      = "the double pendulum, carried on; a standard test of programs for mechanics"
group       = "classics"
coordinates = ["x", {angles}]

potential   = "m*g*({heights})"

[parameters]
M = 2             # kg, mass of the cart
m = 1             # kg, mass of each point
l = 0.5           # m, length of a rod
g = 9.81          # m/s^2

[[points]]        # the cart; the points of the chain follow
name     = "P0"
mass     = "M"
position = ["x", "0", "0"]

{points}[initial]         # at rest
x      = 0        # m
{initial}
[simulation]
t_end = 2         # s

[integrals]
energy   = "M/2*x'^2 + m/2*({squares}) + m*g*({heights})" # J
momentum = "M*x' + m*({speeds})" # kg m/s

[expect]
rank                = 0
degrees_of_freedom  = {freedom}
conic               = true
holonomic_integrals = 0
conserved           = true
E_star_is_E         = true
determinate         = true
ignorable           = ["x"]

[view]
links  = [[{chain}]]
traces = ["P{n}"]
)toml",
      fmt::arg("pendulums", plural(n, "pendulum")), fmt::arg("coordinates", plural(n + 1, "coordinate")),
      fmt::arg("angles", joined(1, n, ", ", "\"th#\"")), fmt::arg("heights", joined(1, n, " + ", "P#.y")),
      fmt::arg("points", each(1, n, R"toml([[points]]
name     = "P#"
mass     = "m"
position = ["P@.x + l*sin(th#)", "P@.y - l*cos(th#)", "0"]

)toml")),
      fmt::arg("initial", angles(1, n, 0.2, 0.6, 0.8)), fmt::arg("squares", joined(1, n, " + ", "dot(P#', P#')")),
      fmt::arg("speeds", joined(1, n, " + ", "P#'.x")), fmt::arg("freedom", n + 1),
      fmt::arg("chain", joined(0, n, ", ", "\"P#\"")), fmt::arg("n", n));
}

struct Family {
  ModelFamily family;
  std::string (*write)(int);
};

constexpr std::array families = {
    Family{{"snake", "links", 1, 400}, snake},
    Family{{"trailer", "trailers", 1, 400}, trailer},
    Family{{"pendulums", "pendulums", 1, 400}, pendulums},
};

constexpr auto public_part = [] {
  std::array<ModelFamily, families.size()> all;
  std::ranges::transform(families, all.begin(), &Family::family);
  return all;
}();

}  // namespace

std::span<const ModelFamily> model_families() { return public_part; }

std::string generated_model(const ModelFamily& family, int number) {
  const auto found = std::ranges::find(families, family.name, [](const Family& f) { return f.family.name; });
  if (found == families.end())
    throw Error(ErrorCode::bad_model, fmt::format("there is no family of models '{}'", family.name));
  const auto& [name, parts, least, most] = found->family;
  if (number < least || number > most)
    throw Error(ErrorCode::bad_model,
                fmt::format("N in {}-N, the number of {}, goes from {} to {}", name, parts, least, most));
  return found->write(number);
}

std::optional<std::string> generated_model(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto found = std::ranges::find(public_part, name.substr(0, dash), &ModelFamily::name);
  const std::string_view digits = name.substr(dash + 1);
  const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
                      (digits.front() != '0' || digits == "0");
  if (found == public_part.end() || !number) return std::nullopt;
  int value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return generated_model(*found, problem == std::errc() ? value : found->most + 1);
}

std::optional<std::string> gallery_text(std::string_view name) {
  const auto found = std::ranges::find(gallery(), name, &GalleryModel::name);
  if (found != gallery().end()) return std::string(found->text);
  return generated_model(name);
}

}  // namespace cetaev
