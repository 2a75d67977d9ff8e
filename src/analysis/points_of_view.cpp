#include "cetaev/analysis/points_of_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/formulation/relations.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "displacements.hpp"

namespace cetaev {

namespace {

using View = Transpositional::View;

constexpr double longest_relation = 400;  // longer ones are not simplified, nor read
constexpr double agreement = 1e-9;        // of accelerations in doubles, beside their size or 1
constexpr double rounding = 1e-13;        // of sums in doubles, beside what was added
constexpr double effort = 10;             // of simplification, as Simplifier counts it

// J, E φ, A and N = [I; γ] at a state and accelerations, and what follows for virtual displacements δq = N w.
class Varied {
 public:
  explicit Varied(const Setting& s) : n_(s.n()), k_(s.rank()), m_(s.independent.size()) {
    std::vector<Expr> outputs = s.J().entries;
    for (const Expr phi : s.phi()) {
      const std::vector<Expr> row = lagrangian_derivative(phi, s.system->motion);
      outputs.insert(outputs.end(), row.begin(), row.end());
    }
    const RelationMatrix relations = relation_matrix(s);
    outputs.insert(outputs.end(), relations.A.entries.begin(), relations.A.entries.end());
    const Jets& jets = s.jets();
    std::vector<Expr> N(n_ * m_, s.zero());
    for (std::size_t r = 0; r < m_; ++r) {
      N[s.independent[r] * m_ + r] = s.context().one();
      for (std::size_t v = 0; v < k_; ++v) N[s.dependent[v] * m_ + r] = jets.gamma(v, r);
    }
    outputs.insert(outputs.end(), N.begin(), N.end());
    std::vector<LinearBlock> blocks = jets.blocks;
    steps_ = std::vector<Diagnosis>(blocks.size(), {ErrorCode::singular_dependent, dependent_are_singular});
    for (const SolveStep& step : relations.steps) {
      blocks.push_back(step.block);
      steps_.emplace_back(step.if_singular, step.meaning);
    }
    std::vector<Expr> inputs = state_symbols(s.system);
    inputs.insert(inputs.end(), s.system->motion.a.begin(), s.system->motion.a.end());
    program_ = Program(outputs, inputs, blocks);
    basis_ = program_.restricted_to(program_.outputs().last(n_ * m_));
  }

  template <typename Number>
  struct Values {
    std::vector<Number> A;
    std::vector<Number> N;
    std::vector<Number> relations;  // A N, n × m
    std::vector<Number> variation;  // (J A − E φ) N, k × m
    double size = 0;                // log10 of the largest product that was added, or of 1
  };

  // Inputs in the order of state_symbols(), then the accelerations.
  Values<Ball> at(std::span<const Ball> inputs) const {
    std::vector<Ball> given;
    if (const int singular = run_in_balls(program_, inputs, given, OnSet::bits); singular >= 0) refuse(singular);
    return products(given, [](const Ball& x) { return x.magnitude_log10(); });
  }
  // N alone, which is the same in every view.
  std::vector<Ball> basis(std::span<const Ball> inputs) const {
    std::vector<Ball> N;
    if (const int singular = run_in_balls(basis_, inputs, N, OnSet::bits); singular >= 0)
      throw Error(ErrorCode::singular_dependent, dependent_are_singular);
    return N;
  }
  Values<double> at(std::span<const double> inputs) const {
    std::vector<double> given(program_.output_count());
    Interpreter run(program_);
    if (const int singular = run(inputs, given); singular >= 0) refuse(singular);
    return products(given, [](double x) { return x == 0 ? -HUGE_VAL : std::log10(std::fabs(x)); });
  }

 private:
  using Diagnosis = std::pair<ErrorCode, std::string>;
  static constexpr const char* dependent_are_singular =
      "the constraints cannot be solved for the dependent velocities at this state";

  [[noreturn]] void refuse(int singular) const {
    const auto& [code, meaning] = steps_[static_cast<std::size_t>(singular)];
    throw Error(code, meaning);
  }

  template <typename Number, typename Size>
  Values<Number> products(const std::vector<Number>& given, Size size) const {
    const auto J = given.begin(), E = J + distance(k_ * n_), A = E + distance(k_ * n_), N = A + distance(n_ * n_);
    Values<Number> result{{A, N}, {N, given.end()}, {}, {}, 0};
    const auto product = [&](const Number& x, const Number& y) {
      result.size = std::max(result.size, size(x) + size(y));
      return x * y;
    };
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t r = 0; r < m_; ++r) {
        Number sum{};
        for (std::size_t j = 0; j < n_; ++j) sum = sum + product(result.A[i * n_ + j], result.N[j * m_ + r]);
        result.relations.push_back(sum);
      }
    }
    // J (A N) − E φ N
    for (std::size_t v = 0; v < k_; ++v) {
      for (std::size_t r = 0; r < m_; ++r) {
        Number sum{};
        for (std::size_t i = 0; i < n_; ++i) {
          sum = sum + product(J[distance(v * n_ + i)], result.relations[i * m_ + r]);
          sum = sum - product(E[distance(v * n_ + i)], result.N[i * m_ + r]);
        }
        result.variation.push_back(sum);
      }
    }
    return result;
  }

  static std::ptrdiff_t distance(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

  std::size_t n_, k_, m_;
  Program program_, basis_;
  std::vector<Diagnosis> steps_;
};

// What every view is compared with at one choice of independent constraints and dependent velocities.
struct Principles {
  explicit Principles(const Setting& s)
      : reference(s, Form::multipliers->derive(s)), vakonomic(s, Form::vakonomic->derive(s)) {}

  CompiledForm reference, vakonomic;
};

// And what a view makes of the same choice.
struct Viewed {
  Viewed(const Setting& s, const Principles& all) : varied(s), principles(all), mvm1(s, Form::mvm1->derive(s)) {}

  Varied varied;
  const Principles& principles;
  CompiledForm mvm1;
};

class Writer {
 public:
  explicit Writer(Groundwork& work) : work_(work), simplifier_(effort) {
    const System& system = work.system();
    std::vector<Expr> nonzero;
    const std::vector<double> values = parameter_values(system);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) nonzero.push_back(system->parameters[i].symbol);
    }
    simplifier_.assume_nonzero(std::move(nonzero));
  }

  PointsOfView write() {
    const Setting& setting = work_.setting();
    if (const auto error = setting.second_order("the theory of transpositional relations")) throw *error;
    PointsOfView result;
    result.system = work_.system();
    result.at = work_.start().at;
    result.generic = work_.start().generic;
    result.rows = setting.rows;
    result.dependent = setting.dependent;
    result.reference = CompiledForm(setting, Form::multipliers->derive(setting)).evaluate(result.at.state).a;
    for (const Expr phi : setting.phi()) {
      std::vector<Expr> row = lagrangian_derivative(phi, result.system->motion);
      for (Expr& e : row) e = simplified(-e);
      result.commuting.push_back(by_displacements(result.system, row));
    }
    for (const View view : named_views()) result.views.push_back(write(view, result));
    if (const auto& own = result.system->transpositional; own && own->view == View::written)
      result.views.push_back(write(View::written, result));
    return result;
  }

 private:
  Expr simplified(Expr e) { return written_size(e) < longest_relation ? simplifier_.simplify(e) : e; }

  // The setting of a model that takes this view, and nothing else: λ⁰ goes with the matrix that is written.
  static Setting with_view(Setting setting, View view) {
    if (view == View::written) return setting;
    setting.system = setting.system.with([&](SystemData& data) {
      data.transpositional = Transpositional{view, {}, {}};
      data.initial.lambda0.clear();
    });
    return setting;
  }

  PointOfView write(View view, const PointsOfView& all) {
    PointOfView result;
    result.view = view;
    Setting setting = with_view(work_.setting(), view);
    setting.with_equations = true;
    try {
      Formulation form = Form::mvm1->derive(setting);
      result.notes = form.notes;
      result.A = form.transpositional_formula;
      for (Expr& e : result.A.entries) e = simplified(e);
      for (std::size_t i = 0; i < result.A.rows; ++i)
        result.relations.push_back(by_displacements(
            setting.system, std::span<const Expr>(result.A.entries).subspan(i * result.A.columns, result.A.columns)));
    } catch (const Error& error) {
      result.error = error;
      return result;
    }
    setting.with_equations = false;
    judge(result, setting);
    if (!result.A.entries.empty()) write_out(result, setting);
    try {
      result.here = here(setting, all, result.motion);
    } catch (const Error& error) {
      result.error_here = error;
    }
    return result;
  }

  // (J_α A − E φ_α) δq as formulas; what they show to be zero whatever the displacement is proved.
  void write_out(PointOfView& result, const Setting& setting) {
    if (std::ranges::all_of(result.A.entries, [](Expr e) { return e.is_zero(); }))
      result.all_commute = result.virtual_ones_commute = Finding::proof();
    const Matrix J = setting.J();
    const std::vector<Expr> phi = setting.phi();
    const std::size_t n = setting.n();
    for (std::size_t v = 0; v < setting.rank(); ++v) {
      std::vector<Expr> row = lagrangian_derivative(phi[v], setting.system->motion);
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<Expr> terms = {-row[j]};
        for (std::size_t i = 0; i < n; ++i) terms.push_back(J(v, i) * result.A(i, j));
        row[j] = simplified(setting.context().sum(terms));
      }
      result.variation.push_back(by_displacements(setting.system, row));
    }
    if (std::ranges::all_of(result.variation, [](const auto& row) { return row.empty(); }))
      result.constraints_stay = Finding::proof();
    if (result.constraints_stay.holds()) result.variation.clear();
  }

  // At random admissible states in balls: the conditions at any accelerations that the constraints allow, since paths are varied before
  // they are motions, and the motion with multipliers that nobody chose, since it is more than one instant.
  void judge(PointOfView& result, const Setting& base) {
    std::map<Choice, std::optional<Viewed>> viewed;
    Judgement stay, commute, commute_virtually;
    bool as_dalembert = true, as_vakonomic = true;
    int motions = 0;
    std::optional<Error> singular;
    const std::vector<PreciseState>& states = work_.set().states();
    accelerations_.resize(states.size());
    for (std::size_t number = 0; number < states.size(); ++number) {
      const PreciseState& state = states[number];
      const auto& dependent = base.dependent.size() == state.rows.size() ? base.dependent : state.dependent;
      try {
        auto [entry, fresh] = viewed.try_emplace({state.rows, dependent});
        if (fresh) {
          Setting here(base.system, base.terms, state.rows, dependent);
          here.mvm3_left_out = base.mvm3_left_out;
          entry->second.emplace(here, principles(here));
        }
        if (!entry->second) continue;
        const Viewed& d = *entry->second;
        const std::vector<Ball> inputs = state.inputs();
        auto& [reference, other] = accelerations_[number];
        if (other.empty()) {
          reference = d.principles.reference.evaluate(inputs, OnSet::bits).a;
          other = other_accelerations(d.varied.basis(joined(inputs, reference)), reference);
        }
        const auto values = d.varied.at(joined(inputs, other));
        stay.look_at(values.variation, values.size, state.rounded);
        commute_virtually.look_at(values.relations, values.size, state.rounded);
        commute.look_at(values.A, values.size, state.rounded);

        std::vector<Ball> lambda;
        for (std::size_t i = 0; i < state.rows.size(); ++i)
          lambda.emplace_back(Rational(static_cast<long>(3 + 2 * i), 7), OnSet::bits);
        const std::vector<Ball> a = d.mvm1.evaluate(joined(inputs, lambda), OnSet::bits).a;
        as_vakonomic = as_vakonomic && equal(a, d.principles.vakonomic.evaluate(joined(inputs, lambda), OnSet::bits).a);
        as_dalembert = as_dalembert && equal(a, reference);
        ++motions;
      } catch (const Error& error) {
        singular = error;  // there, or everywhere
      }
    }
    result.constraints_stay = stay.finding();
    result.all_commute = commute.finding();
    result.virtual_ones_commute = commute_virtually.finding();
    if (motions > 0) {
      result.motion = as_dalembert   ? KindOfMotion::dalembert_lagrange
                      : as_vakonomic ? KindOfMotion::vakonomic
                                     : KindOfMotion::other;
    } else if (singular) {
      result.notes.push_back("no motion at random admissible states: " + singular->message());
    }
  }

  // What is zero at every state that was looked at.
  class Judgement {
   public:
    void look_at(const std::vector<Ball>& values, double size, const State& at) {
      ++states_;
      for (const Ball& value : values) {
        if (value.magnitude_log10() <= size - OnSet::wanted_digits) continue;
        if (!failure_ || std::fabs(value.midpoint()) > std::fabs(failure_->value))
          failure_ = Finding::failure(at, value.midpoint());
      }
    }
    Finding finding() const { return failure_.value_or(Finding::evidence(states_, OnSet::wanted_digits)); }

   private:
    int states_ = 0;
    std::optional<Finding> failure_;
  };

  static std::vector<Ball> joined(std::vector<Ball> x, const std::vector<Ball>& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
  }

  // a + N w for some w: J a = c still
  static std::vector<Ball> other_accelerations(const std::vector<Ball>& N, std::vector<Ball> a) {
    const std::size_t m = N.size() / a.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t r = 0; r < m; ++r)
        a[i] += N[i * m + r] * Ball(Rational(static_cast<long>(5 + 3 * r), 11), OnSet::bits);
    }
    return a;
  }

  static bool equal(const std::vector<Ball>& x, const std::vector<Ball>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!((x[i] - y[i]).magnitude_log10() <= std::max(0.0, y[i].magnitude_log10()) - OnSet::wanted_digits))
        return false;
    }
    return true;
  }

  PointOfView::Here here(const Setting& setting, const PointsOfView& all, std::optional<KindOfMotion> generic) {
    const Viewed d(setting, principles(setting));
    const State& at = all.at.state;
    const std::vector<double> of_all = initial_lambda(setting.system, at);
    std::vector<double> lambda;
    for (const std::size_t row : setting.rows) lambda.push_back(of_all[row]);
    const CompiledForm::Values motion = d.mvm1.evaluate(at, lambda);
    std::vector<double> inputs = state_values(at, parameter_values(setting.system));
    inputs.insert(inputs.end(), motion.a.begin(), motion.a.end());
    const auto values = d.varied.at(inputs);
    PointOfView::Here result{values.A, motion.a, values.variation, 0, KindOfMotion::other};
    for (double& x : result.variation) {
      if (std::fabs(x) < rounding * std::pow(10, values.size)) x = 0;
    }

    const auto difference = [&](const std::vector<double>& other) {
      double largest = 0;
      for (std::size_t i = 0; i < other.size(); ++i) largest = std::max(largest, std::fabs(motion.a[i] - other[i]));
      return largest;
    };
    double size = 1;
    for (const double a : all.reference) size = std::max(size, std::fabs(a));
    result.discrepancy = difference(all.reference);
    const bool as_dalembert = result.discrepancy <= agreement * size;
    const bool as_vakonomic = difference(d.principles.vakonomic.evaluate(at, lambda).a) <= agreement * size;
    // what it is in general, where it is that here
    if (as_vakonomic && generic == KindOfMotion::vakonomic) {
      result.motion = KindOfMotion::vakonomic;
    } else if (as_dalembert) {
      result.motion = KindOfMotion::dalembert_lagrange;
    } else if (as_vakonomic) {
      result.motion = KindOfMotion::vakonomic;
    }
    return result;
  }

  // None of them asks how displacements vary: they are the same in every view.
  const Principles& principles(const Setting& setting) {
    auto [entry, fresh] = principles_.try_emplace({setting.rows, setting.dependent});
    if (!entry->second) entry->second = std::make_unique<const Principles>(setting);
    return *entry->second;
  }

  using Choice = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;  // of rows and dependent velocities

  Groundwork& work_;
  Simplifier simplifier_;
  std::map<Choice, std::unique_ptr<const Principles>> principles_;
  // Accelerations at the states that are looked at: those with multipliers, and others that the constraints allow.
  std::vector<std::pair<std::vector<Ball>, std::vector<Ball>>> accelerations_;
};

}  // namespace

PointsOfView points_of_view(Groundwork& work) { return Writer(work).write(); }

PointsOfView points_of_view(const System& system) {
  Groundwork work(system);
  return points_of_view(work);
}

}  // namespace cetaev
