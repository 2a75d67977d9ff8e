// Steady motions of one model at other values of some parameters and initial values, and their spectra.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/initial_variation.hpp"
#include "steady.hpp"

namespace cetaev {

using Spectrum = std::vector<std::complex<double>>;

// Beside the size of A: eigenvalues of two that meet are known to the root of the rounding of A.
constexpr double told_from_zero = 1e-7;

// To be asked by several threads at once.
class SteadyElsewhere {
 public:
  // `names` have other values, `solve` move with them. Throws unknown-name.
  SteadyElsewhere(const System& system, const std::vector<std::string>& names, const std::vector<std::string>& solve,
                  bool quasi);

  SteadyPoint at(std::span<const double> values) const;
  // Of A there, and the largest of its entries. Throws what find_steady throws.
  Spectrum spectrum(std::span<const double> values, double* size = nullptr) const;
  // To more digits than doubles have, as well where eigenvalues are not enclosed; without so many that are zero all along.
  Spectrum fine_spectrum(std::span<const double> values, std::size_t zeros) const;

 private:
  void put_on_constraints(std::vector<double>& y, std::span<const double> parameters) const;

  mutable Groundwork work_;
  AdmissibleState start_ = work_.initial();
  ReducedField field_;
  Movable moves_;
  std::vector<GivenValue> varied_;
};

// What `find` gives for independent velocities; where these are not steady, for the quasi-velocities of the model.
template <class Find>
auto in_velocities_that_are_steady(const System& system, const Find& find) {
  try {
    return find(false);
  } catch (const Error& error) {
    if (system->quasi_velocities.empty() ||
        (error.code() != ErrorCode::not_steady && error.code() != ErrorCode::unknown_name))
      throw;
    try {
      return find(true);
    } catch (const Error&) {
      throw error;
    }
  }
}

}  // namespace cetaev
