#include "words.hpp"

#include <fmt/format.h>

#include <array>

namespace cetaev {

std::string_view word(Linearity linearity) {
  switch (linearity) {
    case Linearity::none: return "none";
    case Linearity::linear: return "linear";
    case Linearity::affine: return "affine";
    case Linearity::nonlinear: return "nonlinear";
  }
  return "nonlinear";
}

std::string_view component_name(int component) {
  constexpr std::array<std::string_view, 3> names = {"x", "y", "z"};
  return names[static_cast<std::size_t>(component)];
}

std::string brief(const System& system, const Finding& finding) {
  if (!finding.fails()) return ground(system, finding);
  if (finding.states == 1) return fmt::format("fails at the initial state, by {:.3g}", finding.value);
  return fmt::format("fails at random admissible states, here by {:.3g}", finding.value);
}

}  // namespace cetaev
