#include "regularity_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "definite_inertia.hpp"
#include "inputs.hpp"
#include "never_vanishes.hpp"
#include "sides.hpp"

namespace cetaev {

namespace {

// Of two that are equal, the one that takes less to compute.
Expr shorter_of(Expr a, Expr b) {
  return topological(std::array{a}).size() <= topological(std::array{b}).size() ? a : b;
}

Matrix rows_of(const Matrix& A, const std::vector<std::size_t>& rows) {
  Matrix result{rows.size(), A.columns, {}};
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < A.columns; ++j) result.entries.push_back(A(i, j));
  }
  return result;
}

// With v = N u + n₀ in a basis that serves everywhere, the minors of J are the complementary ones of N times one and the same
// function c of the state, up to signs, so that
//   c² = det(J Jᵀ) / det(Nᵀ N).
// J loses rank where c vanishes, and nowhere if c has the same value at states taken at random.
class KeepsItsRank {
 public:
  KeepsItsRank(const MotionEquations& equations, const Matrix& J)
      : equations_(equations), n_(equations.system()->size()), k_(J.rows) {
    const FirstOrderSystem& form = equations.form();
    std::vector<Expr> u;
    for (std::size_t i = n_; i < form.state.size(); ++i) u.push_back(form.state[i].symbol);
    std::vector<Expr> outputs = J.entries;
    const Matrix N = jacobian(form.velocities, u);
    outputs.insert(outputs.end(), N.entries.begin(), N.entries.end());
    program_ = equations.observing(outputs);
    about = std::move(outputs);
  }
  std::vector<Expr> about;

  bool operator()(std::span<const double> parameters) const {
    constexpr int states = 8;
    Interpreter run(program_);
    MotionInputs inputs(equations_, parameters);
    std::vector<double> y(equations_.size()), values(program_.output_count());
    Random random(1);
    const auto anywhere = [&] { return random.uniform(-1.5, 1.5); };
    ScaledDeterminant first;
    for (int i = 0; i < states; ++i) {
      for (double& value : y) value = anywhere();
      if (run(inputs.at(anywhere(), y), values) >= 0) return false;
      const DenseView rows = transposed_view(values.data(), k_, n_);
      const DenseMatrix basis = DenseMatrix::from_rows(values.data() + k_ * n_, n_, n_ - k_);
      // of many constraints beyond the range of doubles
      DenseMatrix of_rows = transposed_times(rows, rows), of_basis = transposed_times(basis, basis);
      const ScaledDeterminant above = determinant_in_place(of_rows), below = determinant_in_place(of_basis);
      const ScaledDeterminant square{above.mantissa / below.mantissa, above.exponent - below.exponent};
      if (i == 0) first = square;
      const double ratio = std::ldexp(square.mantissa / first.mantissa, square.exponent - first.exponent);
      if (!(square.mantissa > 0) || !(std::abs(ratio - 1) < accuracy::same_everywhere)) return false;
    }
    return true;
  }

 private:
  const MotionEquations& equations_;
  std::size_t n_, k_;
  Program program_;
};

// Powers that are not whole, of what is not constant: each base once.
std::vector<std::pair<Expr, Rational>> roots_in(std::span<const Expr> expressions, std::span<const Expr> moving) {
  std::vector<std::pair<Expr, Rational>> result;
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::product) continue;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Expr base = e.base(i);
      if (!e.exponent(i).is_integer() && depends_on(base, moving) &&
          std::none_of(result.begin(), result.end(), [&](const auto& root) { return root.first == base; }))
        result.emplace_back(base, e.exponent(i));
    }
  }
  return result;
}

// Σ (F u)ᵀ W (F u) with positive definite weights is positive where forms F of some of its parts, as many as there are u, are independent: the mass
// matrix is regular wherever their determinant is not zero. Of these the shortest one.
class RootOfInertia {
 public:
  RootOfInertia(const MotionEquations& equations, const std::vector<FirstOrderSystem::Squares>& squares) {
    constexpr std::size_t most = 12;  // parts, of which all choices are looked at
    if (squares.empty()) return;
    std::vector<Expr> symbols;
    for (const Parameter& p : equations.system()->parameters) symbols.push_back(p.symbol);
    for (const auto& part : squares) {
      about.insert(about.end(), part.weights.entries.begin(), part.weights.entries.end());
      sizes_.push_back(part.weights.rows);
    }
    weights_ = Program(about, symbols);
    if (!(*this)(equations.parameters())) return;
    if (squares.size() > most) {
      look_at_short(equations, squares);
      return;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t choice = 1; choice < (std::size_t{1} << squares.size()); ++choice) {
      Matrix F{0, squares[0].forms.columns, {}};
      for (std::size_t i = 0; i < squares.size(); ++i) {
        if ((choice >> i) % 2 == 0) continue;
        F.rows += squares[i].forms.rows;
        F.entries.insert(F.entries.end(), squares[i].forms.entries.begin(), squares[i].forms.entries.end());
      }
      const auto found = F.rows == F.columns ? small_determinant(F) : std::nullopt;
      if (!found) continue;
      const Expr e = normal_of(*found);
      if (e.is_zero() || !(written_size(e) < least)) continue;
      least = written_size(e);
      determinant = e;
    }
  }

  std::optional<Expr> determinant;
  std::vector<Expr> about;

  // Are the weights positive?
  bool operator()(std::span<const double> parameters) const { return are_positive(weights_, sizes_, parameters); }

 private:
  // Of many parts, the shortest ones: some more than there are u are independent where det(FᵀF) is not zero. That is of use where it never is.
  void look_at_short(const MotionEquations& equations, const std::vector<FirstOrderSystem::Squares>& squares) {
    constexpr std::size_t more = 4;
    constexpr int longest = 300;  // of the forms together, written out
    std::vector<std::pair<double, std::size_t>> by_length;
    for (std::size_t i = 0; i < squares.size(); ++i) {
      double length = 0;
      for (const Expr e : squares[i].forms.entries) length += written_size(e);
      by_length.emplace_back(length, i);
    }
    std::ranges::sort(by_length);
    Matrix columns{squares[0].forms.columns, 0, {}};
    std::vector<std::vector<Expr>> rows(columns.rows);
    double together = 0;
    const std::vector<Ball> parameters = parameter_balls(equations.system(), RangeOf::bits);
    for (const auto& [length, i] : by_length) {
      const Matrix& forms = squares[i].forms;
      together += length;
      columns.columns += forms.rows;
      if (together > longest || columns.columns > columns.rows + more) return;
      for (std::size_t k = 0; k < forms.entries.size(); ++k) rows[k % forms.columns].push_back(forms.entries[k]);
      if (columns.columns < columns.rows) continue;
      columns.entries.clear();
      for (const auto& row : rows) columns.entries.insert(columns.entries.end(), row.begin(), row.end());
      const auto found = small_determinant(gram(columns));
      if (!found) return;
      const Expr e = normal_of(*found);
      if (e.is_zero() || !NeverVanishes(equations.system(), e)(parameters)) continue;
      determinant = e;
      return;
    }
  }

  Program weights_;
  std::vector<std::size_t> sizes_;
};

// A matrix of numbers and parameters.
bool is_definite(const System& system, const Matrix& mass) {
  std::vector<Expr> symbols;
  for (const Parameter& p : system->parameters) symbols.push_back(p.symbol);
  const Program program(mass.entries, symbols);
  std::vector<double> entries(program.output_count());
  if (Interpreter(program)(parameter_values(system), entries) >= 0) return false;
  Cholesky factors(mass.rows);
  return factors.compute(DenseView(entries.data(), mass.rows, mass.rows));
}

}  // namespace

RegularityPlan::RegularityPlan(const MotionEquations& equations, const Terms& terms, double tolerance) {
  auto data = std::make_unique<Data>(equations);
  Data& d = *data;
  const System& system = equations.system();
  const ConstraintSet& set = terms.constraints;
  const FirstOrderSystem& form = equations.form();
  d.n = system->size();
  d.kinds = kinds_of(system);
  d.k = set.size();
  d.rank = form.rows.size();
  d.tolerance = tolerance;
  d.chose_rows = d.rank < d.k;
  d.given = GivenVelocities::of(form);
  d.chose_dependent = !form.global && !form.chosen.empty() && !d.given;
  const std::vector<Expr> moving = moving_symbols(system);
  const auto any_moves = [&](const Matrix& M) {
    return std::any_of(M.entries.begin(), M.entries.end(), [&](Expr e) { return depends_on(e, moving); });
  };
  const bool in_global_basis = form.form->state == FormState::quasi_velocities && form.global;
  const Matrix J = in_global_basis ? rows_of(set.jacobian, form.rows) : set.jacobian;
  d.watch_J = d.k > 0 && any_moves(set.jacobian);
  if (d.watch_J && in_global_basis && !form.of_rank) {
    KeepsItsRank keeps_its_rank(equations, J);
    if (keeps_its_rank(equations.parameters())) {
      d.watch_J = false;
      const std::vector<Expr> about = std::move(keeps_its_rank.about);
      d.add_fact(about, std::move(keeps_its_rank));
    }
  }
  if (d.rank > 0 && (d.chose_rows || d.chose_dependent) && !any_moves(set.jacobian)) {
    const Program of_J = equations.observing(set.jacobian.entries);
    const double least = accuracy::worn * std::min(1.0, d.quality_of_choice(of_J, equations.parameters()));
    d.add_fact(set.jacobian.entries,
               [&d, of_J, least](std::span<const double> other) { return d.quality_of_choice(of_J, other) >= least; });
  }
  const std::vector<Ball> parameters = parameter_balls(system, RangeOf::bits);
  // A mass matrix that stays as it is may be singular, or indefinite, and be lost on the kernel of a J that moves: a coordinate without mass is bound by constraints.
  const bool bound = !any_moves(terms.mass) && any_moves(set.jacobian) && !is_definite(system, terms.mass);
  d.watch_H = bound || any_moves(terms.mass);
  if (d.watch_H && !bound && terms.mass.rows > largest_determinant) {
    if (auto definite = DefiniteInertia::of(equations)) {
      d.watch_H = false;
      const std::vector<Expr> about = definite->about;
      d.add_fact(about, std::move(*definite));
    }
  }
  std::vector<Expr> guards;
  bool guarded_all = true;
  const auto guard = [&](const Matrix& M) {
    const auto determinant = small_determinant(M);
    guarded_all = guarded_all && determinant;
    if (!determinant) return true;
    const Expr in_normal_form = normal_of(*determinant);
    NeverVanishes never_vanishes(system, in_normal_form);
    if (!never_vanishes(parameters)) {
      guards.push_back(shorter_of(in_normal_form, *determinant));
      return true;
    }
    d.add_fact({&in_normal_form, 1}, std::move(never_vanishes));
    return false;
  };
  // of more rows no determinant is written, and their products are not needed
  if (d.watch_J) d.watch_J = guard(J.rows > largest_determinant ? J : gram(J)) || d.chose_rows || d.chose_dependent;
  if (d.watch_H) {
    bool any = false;
    RootOfInertia root(equations, form.squares);
    if (root.determinant) {
      NeverVanishes never_vanishes(system, *root.determinant);
      any = !never_vanishes(parameters);
      if (any) guards.push_back(*root.determinant);
      if (!any) d.add_fact({&*root.determinant, 1}, std::move(never_vanishes));
      const std::vector<Expr> about = root.about;
      d.add_fact(about, std::move(root));
    } else if (in_global_basis) {
      // the mass matrix on the free directions, as far as algebra has not divided by it
      for (const SolveStep& step : form.steps) any = guard(step.block.matrix) || any;
      for (const Matrix& M : form.divided_by) any = guard(M) || any;
    } else if (bound) {
      any = true;
      guarded_all = false;
    } else {
      any = guard(terms.mass);
    }
    d.watch_H = any;
  }
  const auto readable = [&](Expr e) { return without_sides(system, equations.jumps(), e); };
  std::vector<Expr> sources = set.phi;
  sources.push_back(system->lagrangian);
  sources.insert(sources.end(), system->forces.begin(), system->forces.end());
  std::vector<Expr> outputs = set.jacobian.entries;
  outputs.insert(outputs.end(), terms.mass.entries.begin(), terms.mass.entries.end());
  if (d.given) outputs.insert(outputs.end(), d.given->slopes.begin(), d.given->slopes.end());
  for (const auto& [under, exponent] : roots_in(sources, moving)) {
    NeverVanishes never_vanishes(system, under);
    if (never_vanishes(parameters)) {
      d.add_fact({&under, 1}, std::move(never_vanishes));
      continue;
    }
    const Expr written = readable(under);
    Data::Root root{
        under,
        exponent.denominator() == Rational(2) ? "sqrt(" + to_string(written) + ")" : to_string(pow(written, exponent)),
        {}};
    for (std::size_t i = 0; i < system->constraints.size() && !root.constraint; ++i) {
      const auto own = roots_in({&system->constraints[i].expression, 1}, moving);
      if (std::any_of(own.begin(), own.end(), [&](const auto& other) { return other.first == root.under; }))
        root.constraint = i;
    }
    d.roots.push_back(std::move(root));
    guards.push_back(under);
    outputs.push_back(under);
  }
  d.divisors = divisors_in(sources, moving);
  if (!d.divisors.empty()) d.of_divisors = equations.observing(d.divisors);
  for (Expr& e : d.divisors) e = readable(e);
  if (!d.empty()) {
    d.program = equations.observing(outputs);
    if (guarded_all && !d.chose_rows && !d.chose_dependent) d.guards = equations.observing(guards);
  }
  data_ = std::move(data);
}

RegularityPlan::~RegularityPlan() = default;

void RegularityPlan::write_guards(const MotionOptions& options) {
  if (data_->guards) {
    data_->guards_in_code = code_for_looks(*data_->guards, 2, data_->equations, options);
  } else if (!data_->empty()) {
    // every step is looked at in five places, and measured
    data_->program_in_code = code_for_looks(data_->program, 6, data_->equations, options);
  }
}

bool RegularityPlan::empty() const { return data_->empty(); }
bool RegularityPlan::watches_given_velocities() const { return data_->given.has_value(); }
bool RegularityPlan::has_rank_to_lose() const { return data_->watch_J; }
Program RegularityPlan::under_roots() const {
  if (data_->roots.empty()) return {};
  return data_->program.restricted_to(data_->program.outputs().last(data_->roots.size()));
}
const Program* RegularityPlan::guards() const { return data_->guards ? &*data_->guards : nullptr; }

bool RegularityPlan::holds_for(std::span<const double> parameters) const {
  const std::vector<double>& own = data_->equations.parameters();
  return std::all_of(data_->facts.begin(), data_->facts.end(), [&](const Data::Fact& fact) {
    const bool others = std::any_of(fact.parameters.begin(), fact.parameters.end(),
                                    [&](std::size_t i) { return parameters[i] != own[i]; });
    return !others || fact.holds(parameters);
  });
}

void RegularityPlan::Data::add_fact(std::span<const Expr> about,
                                    std::function<bool(std::span<const double> parameters)> holds) {
  facts.push_back({parameters_in(equations.system(), about), std::move(holds)});
}

void RegularityPlan::Data::choose(DenseView JT, DenseMatrix& chosen) const {
  const FirstOrderSystem& form = equations.form();
  chosen.reset(chose_dependent ? rank : n, rank);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j < chosen.rows(); ++j)
      chosen(j, i) = JT(chose_dependent ? form.chosen[j] : j, form.rows[i]);
  }
}

double RegularityPlan::Data::quality_of_choice(const Program& of_J, std::span<const double> parameters) const {
  MotionInputs inputs(equations, parameters);
  std::vector<double> values(of_J.output_count());
  if (Interpreter(of_J)(inputs.at(0, std::vector<double>(equations.size())), values) >= 0) return 0;
  const DenseView JT = transposed_view(values.data(), k, n);
  DenseMatrix chosen;
  choose(JT, chosen);
  PivotedQr best, own;
  best.compute(JT);
  own.compute(chosen);
  return own.pivot(rank - 1) / best.pivot(rank - 1);
}

}  // namespace cetaev
