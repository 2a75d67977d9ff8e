// Programs too large to be compiled quickly, or that run too seldom: loops over their instructions, compiled with the library.
#pragma once

#include <cstddef>
#include <memory>

#include "cetaev/detail/series/series.hpp"
#include "cetaev/program/program.hpp"
#include "code.hpp"

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

// Of one trajectory, with machine code for the later rounds that serves several of them; null where there can be none.
std::unique_ptr<CompactSeries> make_rolled(const SeriesProgram& program, unsigned order, const NativeOptions& options,
                                           const Digest& key, NativeOrigin& origin);

}  // namespace cetaev::native
