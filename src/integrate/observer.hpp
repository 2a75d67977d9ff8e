// What a state of the integration looks like from outside: positions, velocities, multipliers, energy, residual.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"
#include "inputs.hpp"

namespace cetaev {

// For the observer of these equations; without constraints there are accelerations alone.
std::unique_ptr<const Multipliers> reactions_of(const MotionEquations& equations, const Terms& terms);

// Machine code for what is observed, where there are samples enough for it; shared by threads.
struct ObserverCode {
  ObserverCode(NativeProgram of_observables, NativeOptions with)
      : observables(std::move(of_observables)), options_(std::move(with)) {}

  NativeProgram observables;
  std::optional<NativeProgram> reaction;

  // For q and v alone, which few ask for: made when the first one does.
  const NativeProgram& states(const Program& program) const {
    std::call_once(once_, [&] { states_.emplace(program, options_); });
    return *states_;
  }

 private:
  NativeOptions options_;
  mutable std::once_flag once_;
  mutable std::optional<NativeProgram> states_;
};
std::unique_ptr<const ObserverCode> code_for_samples(const MotionEquations& equations, const Multipliers* reaction,
                                                     const MotionOptions& options);

class Observer {
 public:
  // `reaction` gives the multipliers of d'Alembert–Lagrange, of least norm over all constraints, whatever form is integrated;
  // null where the form has multipliers of its own or there are none. `code` may be null, too. All must outlive the observer. States lie beside the
  // constraints as the tolerance allows.
  Observer(const MotionEquations& equations, const Multipliers* reaction, double tolerance = 0,
           const ObserverCode* code = nullptr);

  // Other values than those of the model, for what is observed from now on.
  void set_parameters(std::span<const double> parameters);

  // The point lives until the next call. Throws non-finite, and where multipliers are wanted the diagnosis of reactions that
  // are not determined.
  const MotionPoint& at(double t, std::span<const double> y, bool with_multipliers = true);
  // While it lives, states at which no reactions are determined have none (nan), and are no errors.
  class LackingReactions {
   public:
    explicit LackingReactions(Observer& observer) : observer_(observer) { observer_.may_lack_reactions_ = true; }
    ~LackingReactions() { observer_.may_lack_reactions_ = false; }
    LackingReactions(const LackingReactions&) = delete;
    LackingReactions& operator=(const LackingReactions&) = delete;

   private:
    Observer& observer_;
  };
  // Of d'Alembert–Lagrange at the last point, where there is a reaction and multipliers were wanted.
  std::span<const double> accelerations();
  double size_of_their_terms() const { return workspace_ ? workspace_->size_of_terms() : 0; }
  // With t, q and v alone.
  const MotionPoint& state_at(double t, std::span<const double> y);
  // The last point, as that of another time.
  const MotionPoint& told_as(double t) {
    point_.t = t;
    return point_;
  }
  // The last point as a state.
  State state() const;
  // ∫ balance dt in y.
  double work(std::span<const double> y) const { return equations_.has_work() ? y.back() : 0; }
  std::size_t multiplier_count() const { return multipliers_.size(); }

 private:
  bool is_free() const { return multipliers_.empty(); }
  int observe(std::span<const double> inputs);
  void prepare_states();
  void set_reaction_inputs();
  void find_reaction();
  void observe_outputs(std::span<const double> inputs);

  const MotionEquations& equations_;
  std::size_t n_;
  Interpreter run_;
  // Once states are asked for alone.
  std::optional<Program> states_;
  std::optional<Interpreter> run_states_;
  const NativeProgram* states_in_code_ = nullptr;
  MotionInputs inputs_;
  std::vector<double> outputs_, multipliers_;
  const ObserverCode* code_;
  std::vector<double> code_workspace_, reaction_outputs_;
  const Multipliers* reaction_;
  bool may_lack_reactions_ = false;
  std::optional<Multipliers::Workspace> workspace_;
  std::vector<double> reaction_inputs_, a_;
  std::optional<Interpreter> changes_;  // where there are variations
  std::vector<double> variations_;
  // The outputs of the model, where it has any.
  std::optional<Program> output_program_;
  std::optional<Interpreter> run_outputs_;
  std::vector<double> output_inputs_, model_outputs_;
  std::vector<bool> has_value_;  // reactions have none where the multipliers are no forces
  MotionPoint point_;
};

}  // namespace cetaev
