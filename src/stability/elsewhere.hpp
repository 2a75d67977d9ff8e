// Steady motions of one model at other values of some parameters and initial values, and their spectra.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/initial_variation.hpp"
#include "steady.hpp"
#include "told_spectrum.hpp"

namespace cetaev {

using Spectrum = std::vector<std::complex<double>>;

// To be asked by several threads at once.
class SteadyElsewhere {
 public:
  // `names` have other values, `solve` move with them. Throws unknown-name, and bad-model where one is named twice.
  SteadyElsewhere(const System& system, const std::vector<std::string>& names, const std::vector<std::string>& solve,
                  bool quasi);

  // Throws what find_steady throws, with the values in the message.
  SteadyPoint at(std::span<const double> values) const;
  // Where those that are solved for stand at a point.
  std::vector<double> solved(const SteadyPoint& point) const { return values_of(moves_, field_, point); }
  // How many eigenvalues are zero all over: the least of these places, those left out where there is no steady motion. To be said before spectra are
  // asked for, which need no more digits then to see that they are.
  void look_for_zeros(std::span<const std::vector<double>> places);
  std::size_t zeros() const { return zeros_; }
  // Of A there: in doubles where these tell the signs of all real parts, else to more digits. Those of zeros() that are zero come last.
  ToldSpectrum spectrum(std::span<const double> values, std::vector<double>* solved = nullptr) const;
  // To more digits than doubles have; without those that are zero all over.
  ToldSpectrum fine_spectrum(std::span<const double> values) const;

 private:
  std::vector<double> parameters_at(std::span<const double> values) const;
  void put_on_constraints(std::vector<double>& y, std::span<const double> parameters) const;
  // Where the equations have no values: whether the mass matrix is why.
  bool has_singular_mass(const State& state, std::span<const double> parameters) const;
  SteadyPoint found_at(std::span<const double> values) const;
  ToldSpectrum fine(SteadyPoint point, std::span<const double> values) const;
  // The point in balls, as the model gives it at these values.
  void as_given(SteadyPoint& point, std::span<const double> values, long bits) const;
  std::optional<double> varied(std::optional<std::size_t> GivenValue::*kind, std::size_t i,
                               std::span<const double> values) const;

  mutable Groundwork work_;
  AdmissibleState start_ = work_.initial();
  ReducedField field_;
  Movable moves_;
  std::vector<std::string> names_;
  std::vector<GivenValue> varied_;
  std::size_t zeros_ = 0;
  Program mass_;  // of all coordinates
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
