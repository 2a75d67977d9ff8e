// What differs from motion to motion in a sweep: values of parameters and initial values, given by a specification.
//
// The values of motion i follow from the specification and i alone, whatever was computed before: so work can be handed out in any
// order, to any machine, and taken up again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// How a sweep is written.
struct SweepSpecification {
  // NAME=FROM:TO:COUNT, NAME=log(FROM:TO:COUNT), NAME=[1, 2, 5], NAME=uniform(A, B), NAME=normal(M, S), NAME=sobol(A, B). NAME is a
  // parameter, x, x' or t; numbers may be expressions of parameters, as 2*pi.
  std::vector<std::string> vary;
  std::size_t count = 0;   // draws of the random ones, at every point of the grids; 0 where there are none
  std::uint64_t seed = 0;  // of the random ones; with 0 the points of sobol are the plain ones, else shifted
  std::string table;       // FILE.csv with a column for each name and a row for each motion, instead of `vary`
};

class SweepInputs {
 public:
  // Throws parse-error, unknown-name or bad-model at the place in the specification.
  SweepInputs(const System& system, SweepSpecification specification);
  ~SweepInputs();
  SweepInputs(SweepInputs&&) noexcept;
  SweepInputs& operator=(SweepInputs&&) noexcept;

  const SweepSpecification& specification() const;
  // Motions. Several grids multiply, the last one varies fastest but for the draws, which are the same at every point of the grids.
  std::size_t count() const;
  const std::vector<std::string>& names() const;  // of what varies
  // The values of one motion, in the order of the names. Threads may ask at the same time.
  void row(std::size_t motion, std::span<double> values) const;
  // Of all of them, where they do not follow from the text of the specification: "" or a checksum of the table.
  const std::string& fingerprint() const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace cetaev
