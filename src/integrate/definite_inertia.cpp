#include "definite_inertia.hpp"

#include <algorithm>
#include <set>

#include "accuracy.hpp"
#include "cetaev/detail/formulation/kinetic_sums.hpp"
#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

namespace {

// Σ c y, y by number, and what its square is multiplied by: what is one over the other in L adds up.
struct Form {
  std::vector<std::pair<std::size_t, Expr>> terms;
  Expr weight;
};

// Which of some unknowns are zero.
class Zeros {
 public:
  Zeros(const System& system, std::size_t count)
      : system_(system), parameters_(parameter_balls(system, RangeOf::bits)), zero_(count) {}

  std::vector<Expr> never_zero;  // what this is so by
  void is_zero(std::size_t y) { zero_[y] = true; }
  // c y = 0, by c²
  void square_is_zero(std::size_t y, Expr square) { squares_.emplace_back(y, square); }
  bool knows(std::size_t y) const { return zero_[y]; }
  bool know(const Form& form) const {
    return std::ranges::all_of(form.terms, [&](const auto& term) { return zero_[term.first]; });
  }

  // What follows from forms that vanish. Does anything?
  bool follow_from(const std::vector<const Form*>& forms) {
    bool any = false;
    for (const auto& [y, square] : squares_)
      if (!zero_[y]) any = settle({y}, forms) || any;
    for (const Form* form : forms) {
      const std::vector<std::size_t> unknown = unknown_in(*form);
      if (!unknown.empty() && unknown.size() <= largest_determinant) any = settle(unknown, forms) || any;
    }
    return any;
  }

 private:
  std::vector<std::size_t> unknown_in(const Form& form) const {
    std::vector<std::size_t> result;
    for (const auto& [y, c] : form.terms)
      if (!zero_[y]) result.push_back(y);
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  bool settle(const std::vector<std::size_t>& unknown, const std::vector<const Form*>& forms) {
    constexpr int longest = 300;  // a determinant, written out
    const std::size_t n = unknown.size();
    Context& context = *system_->context;
    Matrix squares{n, n, std::vector<Expr>(n * n, context.zero())};
    std::size_t rows = 0;
    for (const Form* form : forms) {
      const std::vector<std::size_t> own = unknown_in(*form);
      if (own.empty() || !std::ranges::includes(unknown, own)) continue;
      ++rows;
      std::vector<Expr> by(n, context.zero());
      for (const auto& [y, c] : form->terms)
        if (const auto at = std::ranges::find(unknown, y); at != unknown.end()) {
          Expr& entry = by[static_cast<std::size_t>(at - unknown.begin())];
          entry = entry + c;
        }
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = 0; l < n; ++l) squares(k, l) = squares(k, l) + form->weight * by[k] * by[l];
    }
    if (!tried_.insert({unknown, rows}).second) return false;
    for (const auto& [y, square] : squares_)
      for (std::size_t k = 0; k < n; ++k)
        if (unknown[k] == y) squares(k, k) = squares(k, k) + square;
    const std::optional<Expr> determinant = small_determinant(squares);
    if (!determinant || written_size(*determinant) > longest) return false;
    const Expr e = normal_of(*determinant);
    if (e.is_zero() || !NeverVanishes(system_, e)(parameters_)) return false;
    never_zero.push_back(e);
    for (const std::size_t y : unknown) zero_[y] = true;
    return true;
  }

  const System& system_;
  std::vector<Ball> parameters_;
  std::vector<bool> zero_;
  std::vector<std::pair<std::size_t, Expr>> squares_;
  std::set<std::pair<std::vector<std::size_t>, std::size_t>> tried_;  // with so many forms
};

// Is e, in which something moves, nowhere negative if what does not move of its factors, and is added to `positive`, is so?
bool nowhere_negative(Expr e, std::span<const Expr> moving, std::vector<Expr>& positive) {
  if (!depends_on(e, moving)) {
    positive.push_back(e);
    return true;
  }
  if (e.is_nonnegative()) return true;
  Context& context = e.context();
  if (e.kind() == Kind::sum) {
    bool all = e.constant().sign() >= 0;
    for (std::size_t i = 0; i < e.size(); ++i)
      all = all && e.coefficient(i).sign() > 0 && nowhere_negative(e.term(i), moving, positive);
    return all;
  }
  if (e.kind() != Kind::product) return false;
  Expr moves = context.one(), stays = context.one();
  for (std::size_t i = 0; i < e.size(); ++i) {
    Expr& part = depends_on(e.base(i), moving) ? moves : stays;
    part = part * pow(e.base(i), e.exponent(i));
  }
  positive.push_back(stays);
  return moves.is_nonnegative();
}

// Do all velocities vanish where all squares do?
bool velocities_follow(const KineticSums& sums, std::size_t velocities, Expr one, Zeros& zeros) {
  std::vector<Form> forms;
  for (const auto& definition : sums.definition) forms.push_back({definition, one});
  for (const KineticSums::Part& part : sums.parts)
    if (part.variables.size() == 1) forms[part.variables[0]].weight = part.weights(0, 0);
  for (bool any = true; any;) {
    any = false;
    std::vector<const Form*> vanishing;
    for (std::size_t x = 0; x < forms.size(); ++x) {
      const Form& definition = forms[x];
      if (definition.terms.empty()) continue;
      if (zeros.knows(x)) {
        vanishing.push_back(&definition);
      } else if (zeros.know(definition)) {
        zeros.is_zero(x);
        any = true;
      }
    }
    for (const KineticSums::Turn& turn : sums.turns) {
      if (!zeros.knows(turn.t1) || !zeros.knows(turn.t2) || (zeros.knows(turn.y1) && zeros.knows(turn.y2))) continue;
      zeros.is_zero(turn.y1);
      zeros.is_zero(turn.y2);
      any = true;
    }
    any = zeros.follow_from(vanishing) || any;
  }
  for (std::size_t j = 0; j < velocities; ++j)
    if (!zeros.knows(j)) return false;
  return true;
}

// And the velocities of the state where those do?
bool state_follows(const MotionEquations& equations, std::vector<Expr>& never_zero) {
  const FirstOrderSystem& form = equations.form();
  if (form.form->state != FormState::quasi_velocities) return true;
  const System& system = equations.system();
  std::vector<Expr> u;
  for (std::size_t i = system->size(); i < form.state.size(); ++i) u.push_back(form.state[i].symbol);
  const Matrix N = jacobian(form.velocities, u);
  std::vector<Form> rows(N.rows);
  std::vector<const Form*> all;
  for (std::size_t i = 0; i < N.rows; ++i) {
    for (std::size_t j = 0; j < N.columns; ++j)
      if (!N(i, j).is_zero()) rows[i].terms.emplace_back(j, N(i, j));
    rows[i].weight = system->context->one();
    all.push_back(&rows[i]);
  }
  Zeros zeros(system, u.size());
  while (zeros.follow_from(all)) {
  }
  never_zero.insert(never_zero.end(), zeros.never_zero.begin(), zeros.never_zero.end());
  for (std::size_t j = 0; j < u.size(); ++j)
    if (!zeros.knows(j)) return false;
  return true;
}

}  // namespace

std::optional<DefiniteInertia> DefiniteInertia::of(const MotionEquations& equations) {
  const System& system = equations.system();
  const std::optional<KineticSums> sums = kinetic_sums(system);
  if (!sums) return std::nullopt;
  const std::vector<Expr> moving = moving_symbols(system);
  DefiniteInertia result;
  Zeros zeros(system, sums->definition.size());
  for (const KineticSums::Part& part : sums->parts) {
    const bool moves = std::ranges::any_of(part.weights.entries, [&](Expr e) { return depends_on(e, moving); });
    if (moves) {
      std::vector<Expr> positive;
      if (part.variables.size() > 1 || !nowhere_negative(part.weights(0, 0), moving, positive)) return std::nullopt;
      for (const Expr e : positive) {
        result.about.push_back(e);
        result.sizes_.push_back(1);
      }
      zeros.square_is_zero(part.variables[0], part.weights(0, 0));
      continue;
    }
    result.about.insert(result.about.end(), part.weights.entries.begin(), part.weights.entries.end());
    result.sizes_.push_back(part.variables.size());
    for (const std::size_t x : part.variables) zeros.is_zero(x);
  }
  std::vector<Expr> symbols;
  for (const Parameter& p : system->parameters) symbols.push_back(p.symbol);
  result.weights_ = Program(result.about, symbols);
  if (!are_positive(result.weights_, result.sizes_, equations.parameters())) return std::nullopt;
  if (!velocities_follow(*sums, system->size(), system->context->one(), zeros) ||
      !state_follows(equations, zeros.never_zero))
    return std::nullopt;
  for (const Expr e : zeros.never_zero) result.divisors_.emplace_back(system, e);
  result.about.insert(result.about.end(), zeros.never_zero.begin(), zeros.never_zero.end());
  return result;
}

bool DefiniteInertia::operator()(std::span<const double> parameters) const {
  return are_positive(weights_, sizes_, parameters) &&
         std::ranges::all_of(divisors_, [&](const NeverVanishes& never) { return never(parameters); });
}

bool are_positive(const Program& weights, std::span<const std::size_t> sizes, std::span<const double> parameters) {
  std::vector<double> entries(weights.output_count());
  if (Interpreter(weights)(parameters, entries) >= 0) return false;
  const double* block = entries.data();
  for (const std::size_t n : sizes) {
    Cholesky factors(n);
    if (!factors.compute(DenseView(block, n, n)) || !(factors.pivot_ratio() > accuracy::surely_positive)) return false;
    block += n * n;
  }
  return true;
}

}  // namespace cetaev
