// Programs as machine code of this processor, made by LLVM.
//
// Compiled code is constant: threads share it, each with a workspace of its own. With several lanes one call computes as many
// trajectories, side by side in the vector registers; every array then holds the values of all lanes for one thing next to
// each other: [thing][lane].
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "cetaev/detail/series/series.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// What a series becomes: machine code for every round, of a length that grows with the square of the order; machine code that serves several rounds, where
// there is one lane; loops over tables, compiled with the library.
enum class SeriesCode { written_out, rolled, tables };

struct NativeOptions {
  unsigned lanes = 1;  // 1, 2, 4 or 8
  bool cache = true;   // look for the code on disk first, and keep it there
  // How often it will run, about. Series that run seldom are loops over tables, whether the cache has code for them or not.
  double runs = std::numeric_limits<double>::infinity();
  std::optional<SeriesCode> series = {};  // what takes least, where none is given
  // A longer program as one function, too: twice the work of the compiler, for a quarter less in each run.
  bool with_care = false;
};

// The operations of a series of one trajectory to an order, written out.
double series_length(const SeriesProgram& program, unsigned order);
// What takes least for a series of so many operations, written out, and run so often.
SeriesCode best_series_code(double operations, double runs);
// To write an operation takes as long as what is saved when it has run so often; half of it where the code is kept, and comes from the cache the next time.
// Programs are written with more care than series. Rolled, few are written, but of long chains these take seconds: no run is to take longer for them.
constexpr double runs_to_write = 6000, runs_to_write_rolled = 2300, runs_to_write_program = 24000;
// A program of some hundred instructions is worth the care when it has run so often.
constexpr double runs_worth_care = 240'000;

// The doubles that a vector of this processor holds.
unsigned natural_lanes();

// How the code came about.
struct NativeOrigin {
  bool from_cache = false;
  std::string cache_refusal;  // why the cache was not used though it is there: others may have had a hand in it
  bool compact = false;       // too large to be written out, or not worth it: loops over tables
  double seconds = 0;
};

// A program in doubles, as Interpreter runs it.
class NativeProgram {
 public:
  explicit NativeProgram(const Program& program, const NativeOptions& options = {});
  ~NativeProgram();
  NativeProgram(NativeProgram&&) noexcept;
  NativeProgram& operator=(NativeProgram&&) noexcept;

  std::size_t workspace_size() const;  // doubles
  // −1, or the number of the first linear system that is singular (in any lane).
  int operator()(const double* inputs, double* outputs, double* workspace) const;
  const NativeOrigin& origin() const;

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

// The coefficients of a series program to an order, as SeriesInterpreter computes them.
class NativeSeries {
 public:
  NativeSeries(const SeriesProgram& program, unsigned order, const NativeOptions& options = {});
  ~NativeSeries();
  NativeSeries(NativeSeries&&) noexcept;
  NativeSeries& operator=(NativeSeries&&) noexcept;

  std::size_t workspace_size() const;  // doubles, which are zero before the first call
  // `statics`: values of the static registers; t one per lane, y[state][lane]; coefficients[order][state][lane], then
  // [order][further][lane]. −1, or the number of the first linear system that is singular (in any lane).
  int operator()(const double* statics, const double* t, const double* y, double* coefficients,
                 double* workspace) const;
  const NativeOrigin& origin() const;

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

// The folder of the cache: $CETAEV_CACHE, else cetaev/ in $XDG_CACHE_HOME or ~/.cache; empty when it is switched off
// (CETAEV_CACHE=off) or there is no such place.
std::string cache_folder();

}  // namespace cetaev
