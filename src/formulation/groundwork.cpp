#include "cetaev/formulation/groundwork.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/classify.hpp"

namespace cetaev {

namespace {

// ∂L*/∂v_r of the independent velocities, by solving J_dep γ = −J_ind in a small program.
std::vector<double> reduced_momenta(const Setting& s, const State& state) {
  const Jets& jets = s.jets();
  std::vector<Expr> outputs;
  for (std::size_t r = 0; r < s.independent.size(); ++r) {
    std::vector<Expr> terms = {s.terms.momentum[s.independent[r]]};
    for (std::size_t v = 0; v < s.rank(); ++v) terms.push_back(jets.gamma(v, r) * s.terms.momentum[s.dependent[v]]);
    outputs.push_back(s.context().sum(terms));
  }
  const Program program(outputs, state_symbols(s.system), jets.blocks);
  Interpreter run(program);
  std::vector<double> result(outputs.size());
  if (run(state_values(state, parameter_values(s.system)), result) >= 0) return {};
  return result;
}

}  // namespace

struct Groundwork::Implementation {
  explicit Implementation(const System& of) : model(of), system(of.workable()), terms(system) {}
  Implementation(System of, System copied, Terms derived)
      : model(std::move(of)), system(std::move(copied)), terms(std::move(derived)) {}

  System model, system;
  Terms terms;
  std::shared_ptr<Admissible> admissible;
  std::optional<OnSet> set;
  std::optional<AdmissibleState> initial;
  std::optional<Error> not_initial;
  std::optional<StartingState> start;
  std::optional<Setting> setting;
  // The last one that was asked for: evaluation and energies ask at the same state.
  struct Known {
    AdmissibleState at;
    Setting setting;
  };
  std::optional<Known> known;
};

Groundwork::Groundwork(const System& system) : implementation_(std::make_unique<Implementation>(system)) {}
Groundwork::Groundwork(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Groundwork::~Groundwork() = default;
Groundwork::Groundwork(Groundwork&&) noexcept = default;
Groundwork& Groundwork::operator=(Groundwork&&) noexcept = default;

Groundwork Groundwork::apart(const System& system) {
  return Groundwork(system->context->frozen() ? system : system.scratch());
}

Groundwork Groundwork::copy() const {
  Terms terms = implementation_->terms;
  System system = implementation_->system.scratch([&](std::span<const Expr> images) { terms.move_to(images); });
  return Groundwork(std::make_unique<Implementation>(implementation_->system, std::move(system), std::move(terms)));
}

const System& Groundwork::model() const { return implementation_->model; }
const System& Groundwork::system() const { return implementation_->system; }
const Terms& Groundwork::terms() const { return implementation_->terms; }

OnSet& Groundwork::set() {
  Implementation& inside = *implementation_;
  (void)admissible();
  if (!inside.set) inside.set.emplace(inside.system, inside.admissible);
  return *inside.set;
}

Admissible& Groundwork::admissible() {
  Implementation& inside = *implementation_;
  if (!inside.admissible) inside.admissible = std::make_shared<Admissible>(inside.system);
  return *inside.admissible;
}

const AdmissibleState& Groundwork::initial() {
  Implementation& inside = *implementation_;
  if (inside.not_initial) throw *inside.not_initial;
  if (inside.initial) return *inside.initial;
  try {
    return inside.initial.emplace(admissible().initial());
  } catch (const Error& error) {
    inside.not_initial = error;
    throw;
  }
}

const StartingState& Groundwork::start() {
  Implementation& inside = *implementation_;
  if (inside.start) return *inside.start;
  std::optional<Error> first;
  const auto begin_at = [&](const AdmissibleState& at, bool generic) -> const StartingState& {
    inside.setting.emplace(setting_at(at));
    return inside.start.emplace(StartingState{at, generic});
  };
  try {
    return begin_at(initial(), false);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_model || error.code() == ErrorCode::inconsistent_constraints) throw;
    first = error;
  }
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto state = admissible().random(seed);
    if (!state) continue;
    try {
      return begin_at({*state, true, inside.system->dependent.value_or(std::vector<std::size_t>{})}, true);
    } catch (const Error&) {
      continue;
    }
  }
  throw *first;
}

const Setting& Groundwork::setting() {
  (void)start();
  return *implementation_->setting;
}

Setting Groundwork::setting_at(const AdmissibleState& at) {
  Implementation& inside = *implementation_;
  const auto is_known = [&](const AdmissibleState& known) {
    return known.state.t == at.state.t && known.state.q == at.state.q && known.state.v == at.state.v &&
           known.dependent == at.dependent;
  };
  if (!inside.known || !is_known(inside.known->at))
    inside.known.emplace(Implementation::Known{at, cetaev::setting_at(inside.system, inside.terms, admissible(), at)});
  return inside.known->setting;
}

Setting setting_at(const System& system, const Terms& terms, Admissible& admissible, const AdmissibleState& at) {
  const RankReport report = admissible.rank(at.state);
  if (const auto error = rank_diagnosis(system, admissible, report)) throw *error;
  std::vector<std::size_t> pivots = report.pivot_columns;
  std::sort(pivots.begin(), pivots.end());
  Setting s(system, terms, report.independent_rows, at.dependent.size() == report.rank ? at.dependent : pivots);
  s.dependent_error = admissible.dependent_diagnosis(at.state);
  // mvm3 leaves out the velocity with the largest momentum
  bool second_order = false;
  for (const int order : terms.constraints.order) second_order = second_order || order == 2;
  if (!second_order && system->auxiliary.empty() && !s.dependent_error) {
    const std::vector<double> momenta = reduced_momenta(s, at.state);
    if (!momenta.empty()) {
      const auto largest = std::max_element(momenta.begin(), momenta.end(),
                                            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
      s.mvm3_left_out = static_cast<std::size_t>(largest - momenta.begin());
    }
  }
  return s;
}

}  // namespace cetaev
