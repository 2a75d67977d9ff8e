// Small motions about a steady one, and whether it is stable.
//
// A coordinate is ignorable where neither the equations nor the constraints contain it. A steady motion keeps all independent velocities
// and all other coordinates. Of these, those that the constraints leave independent are the state z: z' = f(z), f(z₀) = 0, and A = ∂f/∂z
// at z₀, with derivatives along the constraints.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/constraint/state.hpp"

namespace cetaev {

struct SteadyMotion {
  State state;
  double residual = 0;                                 // the largest of the rates that vanish
  std::vector<std::size_t> ignorable;                  // coordinates, by proof
  bool certified = false;                              // proved: there is one, of which the state is an approximation
  std::vector<std::pair<std::string, double>> solved;  // what has moved to make it one, where it stands
};

struct Eigenvalue {
  std::complex<double> value;
  std::optional<double> radius;  // proved bound of its error
};

// A way to move small: z = Re(e^{λ t} ζ). Of a conjugate pair there is one.
struct Mode {
  std::complex<double> value;    // λ; its imaginary part is not negative
  std::size_t multiplicity = 1;  // how many eigenvalues are the same, by numbers
  std::size_t directions =
      1;  // how many ζ they have: where these are fewer, differences grow by a power of time beside the exponential
  // Coordinates that move, or quasi-velocities, the largest first: how far, as a part of the largest, and how many degrees ahead of it. Of an ignorable coordinate it
  // is its velocity that is part of the state; divided by λ that is how far it moves.
  struct Part {
    std::string name;
    double size = 1, ahead = 0;
  };
  std::vector<Part> parts;
  std::string name;     // "lean and steer"
  std::string meaning;  // what it does: "decays to half in 1.83, period 1.62"
};

// What keeps motions near: a combination of constants of the motion without first variation, and its second variation, which is definite where
// others of them keep their values.
struct DefiniteForm {
  struct Term {
    std::string constant;
    double coefficient = 0;
  };
  std::vector<Term> combination;
  std::vector<std::string> kept;       // constants
  std::vector<std::string> variables;  // components of z that are then free
  std::vector<double> matrix;          // of second derivatives in these, row after row
  bool positive = true;
};

enum class Stability { asymptotically_stable, stable, unstable, undecided };
std::string_view to_string(Stability stability);

struct Linearization {
  SteadyMotion steady;
  std::vector<std::string> state;       // the names of z
  std::vector<double> A;                // row after row
  std::vector<Eigenvalue> eigenvalues;  // those that grow fastest first
  std::size_t zero = 0;                 // eigenvalues that are zero, or that nothing tells from zero
  std::vector<std::string>
      families;  // components of z that tell the steady motions near by apart: there are some for all their values, by proof
  std::vector<Mode> modes;  // in the order of the eigenvalues
  Stability verdict = Stability::undecided;
  std::string because;
  std::optional<DefiniteForm> form;  // by which it is stable, where it is by one
};

// NAME=FROM:TO:COUNT of a parameter or an initial value.
struct Along {
  std::string name;
  double from = 0, to = 0;
  std::size_t count = 0;

  static Along parse(const std::string& text);
  double value(std::size_t i) const;
};

// Eigenvalues along a parameter or an initial value, paired from value to value.
struct VariedSpectrum {
  std::string name;
  std::vector<double> values;
  std::vector<std::vector<std::complex<double>>> eigenvalues;  // none where there is a diagnosis
  std::vector<std::optional<Error>> diagnosis;                 // why there is no steady motion with a spectrum
  // Where an eigenvalue crosses the imaginary axis, or two on it meet and leave it; also where they pass infinity, as the equations are singular
  // there, and where they jump past the axis.
  struct Critical {
    enum class Kind { hopf, zero, collision, singular, jump };
    double value = 0;
    Kind kind = Kind::hopf;
    std::complex<double> eigenvalue;
  };
  std::vector<Critical> critical;
  std::vector<std::string> solve;           // what moves to make the motion steady
  std::vector<std::vector<double>> solved;  // and where it stands at every value
};
std::string_view to_string(VariedSpectrum::Critical::Kind kind);

// About the initial state. Named initial values (or parameters) in `solve` move so as to make it a steady motion. Throws not-steady where it is
// none, with the rates that do not vanish.
Linearization linearize(const System& system, const std::vector<std::string>& solve = {});
VariedSpectrum linearize_along(const System& system, const Along& along, const std::vector<std::string>& solve = {});

}  // namespace cetaev
