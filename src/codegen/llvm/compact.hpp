// Programs too large to be compiled quickly: loops over their instructions, compiled with the library.
#pragma once

#include <cstddef>
#include <memory>

#include "cetaev/detail/series/series.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev::native {

class CompactProgram {
 public:
  virtual ~CompactProgram() = default;
  // As NativeProgram; the workspace holds all registers, then n (n + m) values of the largest system twice.
  virtual int run(const double* inputs, double* outputs, double* workspace) const = 0;
};

std::unique_ptr<CompactProgram> make_compact(const Program& program, unsigned lanes);

class CompactSeries {
 public:
  virtual ~CompactSeries() = default;
  virtual std::size_t workspace_size() const = 0;
  // As NativeSeries.
  virtual int run(const double* statics, const double* t, const double* y, double* coefficients,
                  double* workspace) const = 0;
};

std::unique_ptr<CompactSeries> make_compact(const SeriesProgram& program, unsigned order, unsigned lanes);

}  // namespace cetaev::native
