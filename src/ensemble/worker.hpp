// What one thread has to compute blocks of motions.
#pragma once

#include <optional>
#include <vector>

#include "prepared.hpp"
#include "starts.hpp"

namespace cetaev {

// A block whose motions have their starts.
struct Ensemble::StartedBlock {
  EnsembleBlock block;
  std::vector<std::size_t> rows;  // of those that have a start, whose data follow one after the other
  std::vector<double> states, times, parameters;
};

class Ensemble::Worker final : public BatchListener {
 public:
  explicit Worker(const Data& data);

  EnsembleBlock compute(std::size_t number) { return complete(start(number)); }

  StartedBlock start(std::size_t number);
  EnsembleBlock complete(StartedBlock&& started);

  // The same by a GPU in between: motions of a block have places of a batch that follow each other.
  void put(const StartedBlock& started, gpu::MotionBatch& batch, std::size_t place);
  EnsembleBlock complete(StartedBlock&& started, const gpu::MotionBatch& batch, std::size_t place);

  // The i-th motion of the block that has a start.
  Recorder& begin(std::size_t i) override;

 private:
  void start_row(StartedBlock& started, std::size_t row);
  void run_alone(std::size_t i);
  void finish(std::size_t i, MotionStatus status, const std::optional<Error>& diagnosis, const State& last);
  State start_of(std::size_t i) const;
  std::span<const double> parameters_of(std::size_t i) const;

  const Data& data_;
  ensemble::Starts starts_;
  ensemble::ExpressionValues values_;
  std::vector<ensemble::ObservedMotion> observed_;
  std::size_t n_, parameter_count_;
  std::optional<gpu::MotionHost> host_;  // where there is a GPU
  StartedBlock at_;                      // the one that is completed
  std::vector<std::size_t> numbers_;     // of its motions, where some of them are run by themselves
};

}  // namespace cetaev
