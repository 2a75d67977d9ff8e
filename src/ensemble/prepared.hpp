// What is constant about an ensemble: made once, shared by all threads.
#pragma once

#include <memory>

#include "cetaev/detail/gpu/motions.hpp"
#include "cetaev/ensemble/ensemble.hpp"
#include "cetaev/integrate/batch.hpp"
#include "observables.hpp"

namespace cetaev {

struct Ensemble::Data {
  Data(const System& of, SweepInputs given, EnsembleOptions wanted);

  System system;
  SweepInputs inputs;
  EnsembleOptions options;
  ensemble::Observables observables;
  std::size_t block_size;
  System base;  // of which only what is written matters
  std::unique_ptr<CompiledMotion>
      motion;  // none where no row that was tried has equations: every motion is then prepared by itself
  std::unique_ptr<BatchMotion> batch;
  std::unique_ptr<gpu::Motions> gpu;  // where that is the device
  double compile_seconds = 0;

 private:
  void prepare();
  void use_gpu();
  gpu::MotionsOptions gpu_options(bool own_parameters) const;
};

}  // namespace cetaev
