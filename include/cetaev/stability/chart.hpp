// Where a steady motion is stable, over two parameters or initial values.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {

struct StabilityChart {
  std::array<Along, 2> axes;  // across, upwards
  // The second one changes fastest. Judged by numbers, of as many digits as it takes to tell signs: what nothing tells from the imaginary axis lies on it, and eigenvalues that are zero
  // all over the chart are left aside.
  struct Place {
    bool computed = false;
    std::optional<ErrorCode> diagnosis;  // why there is no steady motion, or no spectrum of it
    double growth = 0;                   // the largest real part of an eigenvalue, and the imaginary part of that one
    double frequency = 0;
    std::size_t growing = 0;     // eigenvalues with positive real parts
    std::vector<double> solved;  // values of what moves to make the motion steady
    bool has_values() const { return computed && !diagnosis; }
  };
  std::vector<Place> places;
  std::size_t zero = 0;  // eigenvalues, everywhere
  bool interrupted = false;
  std::vector<std::string> solve;  // names of what moves

  std::array<double, 2> at(std::size_t place) const {
    return {axes[0].value(place / axes[1].count), axes[1].value(place % axes[1].count)};
  }
};

struct ChartOptions {
  unsigned threads = 0;  // as many as this process may use
  // Asked now and then, by one thread at a time: places that are done, and all. No ends the work.
  std::function<bool(std::size_t done, std::size_t of)> progress;
};

// Throws unknown-name, and bad-model where both names are the same or there are too many places. That there is no steady motion at some values
// is a diagnosis of their place.
StabilityChart stability_chart(const System& system, const std::array<Along, 2>& axes,
                               const std::vector<std::string>& solve = {}, const ChartOptions& options = {});

}  // namespace cetaev
