// A model on which formulas are tried: random admissible states in balls, and the motions of every principle there.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/formulation/groundwork.hpp"

namespace cetaev::verify {

// A model as a claim uses it.
struct ModelUse {
  std::string model;  // of the gallery, or of the file's [models]
  std::vector<std::string> dependent, auxiliary, settings;
  std::size_t offset = 0;  // in the file
  std::string key() const;
};

// An independent subset of the constraints with the dependent velocities as closed forms on one branch.
struct Frame {
  std::unique_ptr<Setting> setting;
  std::optional<std::vector<Expr>> alpha;  // where there is a closed form
};

// What a principle says at a state; lists as long as the rank.
struct MotionValues {
  std::vector<Ball> a, lambda, lambda_dot;
};

struct Sample {
  const PreciseState* state = nullptr;
  std::size_t number = 0;
  Frame* frame = nullptr;
  std::vector<Ball> inputs;  // of state_symbols()
};

class Bench {
 public:
  // Throws what reading the model throws, and inconsistent-constraints.
  Bench(std::string_view text, const std::string& file, const ModelUse& use);

  const System& system() const { return work_.system(); }
  OnSet& set() { return work_.set(); }
  const Terms& terms() const { return work_.terms(); }
  const std::vector<std::size_t>& dependent() const { return dependent_; }
  std::vector<Sample>& samples() { return samples_; }

  // By the name of a form, or
  //   "admissible"  any accelerations that satisfy J a = c
  //   "free"        any at all
  // Throws the form's diagnosis where it does not apply.
  const MotionValues& motion(const Sample& sample, const std::string& along);

  // A number between 1/4 and 2 in absolute value, the same in every run.
  static Ball some_number(std::size_t sample, const std::string& name);

  std::mutex& mutex() { return mutex_; }

 private:
  void make_samples();
  MotionValues make_motion(const Sample& sample, const std::string& along);

  Groundwork work_;
  std::vector<std::size_t> dependent_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<Sample> samples_;
  std::map<std::pair<std::size_t, std::string>, MotionValues> motions_;
  std::map<std::pair<const Frame*, std::string>, std::unique_ptr<CompiledForm>> forms_;
  std::mutex mutex_;
};

}  // namespace cetaev::verify
