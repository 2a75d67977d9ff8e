#include "cetaev/analysis/workbench.hpp"

#include <tuple>
#include <variant>

#include "answers.hpp"
#include "cetaev/codegen/export.hpp"

namespace cetaev {

struct Workbench::Implementation {
  explicit Implementation(const System& model) : system(model) {}

  // Terms and nothing else: frozen, so that every copy is the same.
  Groundwork copy() {
    return base(std::monostate(),
                [&] {
                  Groundwork work(system.scratch());
                  work.system()->context->freeze();
                  return work;
                })
        .copy();
  }

  System system;
  Answers<std::monostate, Groundwork> base;
  Answers<Form, Check> checks;
  Answers<EvaluationOptions, AtState> states;
  Answers<std::tuple<Form, Form, ComparisonOptions>, Comparison> comparisons;
  Answers<EquationOptions, WrittenSystem> equations;
  Answers<std::monostate, PointsOfView> relations;
  Answers<std::optional<Form>, FirstOrderSystem> first_order;
};

Workbench::Workbench(const System& system) : implementation_(std::make_shared<Implementation>(system)) {}

const System& Workbench::system() const { return implementation_->system; }
Groundwork Workbench::groundwork() const { return implementation_->copy(); }

const Check& Workbench::check(Form form) const {
  return implementation_->checks(form, [&] {
    Groundwork work = groundwork();
    return cetaev::check(work, form);
  });
}

const Workbench::AtState& Workbench::at_initial(const EvaluationOptions& options) const {
  return implementation_->states(options, [&] {
    Groundwork work = groundwork();
    Evaluation evaluation = evaluate(work, options);
    std::optional<EnergyAtState> energy = energy_at(work, evaluation);
    return AtState{std::move(work), std::move(evaluation), std::move(energy)};
  });
}

const Comparison& Workbench::compare(Form first, Form second, const ComparisonOptions& options) const {
  return implementation_->comparisons({first, second, options}, [&] {
    Groundwork work = groundwork();
    return cetaev::compare(work, first, second, options);
  });
}

const WrittenSystem& Workbench::equations(const EquationOptions& options) const {
  return implementation_->equations(options, [&] {
    Groundwork work = groundwork();
    return write_equations(work, options);
  });
}

const PointsOfView& Workbench::transpositional_relations() const {
  return implementation_->relations(std::monostate(), [&] {
    Groundwork work = groundwork();
    return points_of_view(work);
  });
}

const FirstOrderSystem& Workbench::first_order(std::optional<Form> form) const {
  return implementation_->first_order(form, [&] {
    Groundwork work = groundwork();
    return equations_to_export(work, form);
  });
}

CompiledMotion Workbench::motion(const MotionOptions& options) const { return {groundwork(), options}; }

MotionSummary Workbench::run(const MotionOptions& options, Recorder& recorder) const {
  return run_motion(groundwork(), options, recorder);
}

}  // namespace cetaev
