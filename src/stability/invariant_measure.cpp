#include "cetaev/stability/invariant_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "steady.hpp"
#include "written_out.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_candidates = 14, most_factors = 3, sampled_states = 24;
// The derivatives of all rates, and what is tried with them, grow with the cube of it: a second at a dozen.
constexpr std::size_t most_coordinates = 16;
constexpr double vanishes_beside_one = 1e-9;
constexpr long certain_bits_of_measure = 192;

// Short equations have factors in them that others hide. Of more dependent velocities than can be written out nothing will be proved.
ReducedField::Equations worth_shortening(Groundwork& work) {
  return work.setting_at(work.initial()).rank() > largest_determinant ? ReducedField::Equations::as_derived
                                                                      : ReducedField::Equations::shortened;
}

class MeasureSearch {
 public:
  explicit MeasureSearch(Groundwork work)
      : work_(std::move(work)),
        field_(work_, work_.initial(), false, ReducedField::Time::may_stand, worth_shortening(work_)) {
    result_.system = field_.system();
    const FirstOrderSystem& form = field_.form();
    Context& context = *field_.system()->context;
    divergence_ = context.zero();
    for (const std::size_t i : field_.kept()) {
      divergence_ = divergence_ + field_.jacobian().entries(i, i);
      result_.state.push_back(form.state[i].name);
      (field_.is_position(i) ? positions_ : velocities_).push_back(i);
    }
    for (std::size_t i = 0; i < form.state.size(); ++i) {
      if (!field_.is_position(i)) continue;
      all_positions_.push_back(i);
      if (std::ranges::find(positions_, i) == positions_.end()) left_out_.push_back(form.state[i].name);
    }
  }

  InvariantMeasure run() {
    if (!field_.autonomous()) {
      result_.because = "time stands in the equations of motion";
    } else if (field_.form().state.size() == 2 * field_.system()->size() && field_.system()->constraints.size() > 0) {
      result_.because = "the dependent velocities have no closed form";
    } else {
      if (find_steady_obstacle(field_.state(work_.initial().state, parameter_values(field_.system())), {})) {
        return std::move(result_);
      }
      find_candidates();
      sample();
      if (!find_density()) find_obstacle();
      if (result_.exists.answer == Finding::Answer::undecided) find_steady_obstacles();
    }
    return std::move(result_);
  }

 private:
  Expr symbol(std::size_t i) const { return field_.form().state[i].symbol; }

  // Functions of positions, of those too that the equations do not contain, and of nothing else that changes.
  bool is_of_positions(Expr e) const {
    bool any = false;
    for (std::size_t i = 0; i < field_.form().state.size(); ++i) {
      if (!depends_on(e, std::array{symbol(i)})) continue;
      if (std::ranges::find(all_positions_, i) == all_positions_.end()) return false;
      any = true;
    }
    for (const SolveStep& step : field_.form().steps)
      if (depends_on(e, step.block.unknowns)) return false;
    return any;
  }

  void add_candidate(Expr e) {
    if (candidates_.size() >= most_candidates || !is_of_positions(e)) return;
    if (std::ranges::find(candidates_, e) == candidates_.end()) candidates_.push_back(e);
  }

  // Determinants of the linear systems, what is divided by, and sines and cosines.
  void find_candidates() {
    const FirstOrderSystem& form = field_.form();
    std::vector<Expr> all = form.rates;
    for (const LinearBlock& block : form.needed_for(form.rates).blocks) {
      if (block.matrix.rows <= largest_determinant) add_candidate(determinant_of(block.matrix));
      all.insert(all.end(), block.matrix.entries.begin(), block.matrix.entries.end());
    }
    // of a free system the mass matrix has it (Liouville)
    const Matrix& mass = work_.terms().mass;
    if (mass.rows > 0 && mass.rows <= largest_determinant) add_candidate(determinant_of(mass));
    const std::vector<Expr> nodes = topological(all);
    for (const Expr e : nodes) {
      if (e.kind() != Kind::product) continue;
      for (std::size_t i = 0; i < e.size(); ++i)
        if (e.exponent(i).sign() < 0) add_candidate(e.base(i));
    }
    for (const Expr e : nodes)
      if (e.kind() == Kind::function && (e.function() == Function::sin || e.function() == Function::cos))
        add_candidate(e);
  }

  // d/dt ln g
  Expr logarithmic_rate(Expr g) const {
    Expr sum = field_.system()->context->zero();
    for (const std::size_t i : all_positions_) sum = sum + derivative(g, symbol(i)) * field_.form().rates[i];
    return sum / g;
  }

  void sample() {
    std::vector<Expr> outputs = {divergence_};
    for (const Expr g : candidates_) outputs.push_back(logarithmic_rate(g));
    const Program program(outputs, field_.form().inputs(), field_.jacobian().systems.blocks);
    const std::vector<double> parameters = parameter_values(field_.system());
    Interpreter run(program);
    for (std::uint64_t seed = 1; rows_.size() < sampled_states && seed <= 4 * sampled_states; ++seed) {
      const std::optional<State> at = work_.admissible().random(seed);
      if (!at) continue;
      std::vector<double> row(outputs.size());
      try {
        std::vector<double> inputs = field_.state(*at, parameters);
        inputs.push_back(0);
        inputs.insert(inputs.end(), parameters.begin(), parameters.end());
        if (run(inputs, row) >= 0 || !all_finite(row)) continue;
      } catch (const Error&) {
        continue;
      }
      rows_.push_back(std::move(row));
    }
  }

  // Exponents with which the sampled states have no change of the measure: half and quarter numbers.
  std::optional<std::vector<Rational>> exponents(const std::vector<std::size_t>& which) const {
    DenseMatrix matrix(rows_.size(), which.size());
    std::vector<double> right;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t k = 0; k < which.size(); ++k) matrix(r, k) = rows_[r][1 + which[k]];
      right.push_back(-rows_[r][0]);
    }
    std::vector<double> solved;
    if (!which.empty()) solved = LeastNorm(matrix, 1e-10).solve(right);
    std::vector<Rational> result;
    for (double& value : solved) {
      const double quarters = std::round(4 * value);
      if (quarters == 0 || std::abs(quarters) > 80 || std::abs(4 * value - quarters) > 1e-5) return std::nullopt;
      value = quarters / 4;
      result.push_back(Rational(static_cast<long>(quarters)) / Rational(4));
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double sum = rows_[r][0], size = 1 + std::abs(sum);
      for (std::size_t k = 0; k < which.size(); ++k) {
        const double part = solved[k] * matrix(r, k);
        sum += part;
        size += std::abs(part);
      }
      if (!(std::abs(sum) <= vanishes_beside_one * size)) return std::nullopt;
    }
    return result;
  }

  // The fewest factors first.
  bool find_density() {
    if (rows_.size() < sampled_states / 2) return false;
    std::vector<std::size_t> which;
    const auto search = [&](const auto& self, std::size_t from, std::size_t left) -> bool {
      if (left == 0) {
        const auto found = exponents(which);
        if (!found) return false;
        for (std::size_t k = 0; k < which.size(); ++k) result_.density.emplace_back(candidates_[which[k]], (*found)[k]);
        return true;
      }
      for (std::size_t i = from; i < candidates_.size(); ++i) {
        which.push_back(i);
        if (self(self, i + 1, left - 1)) return true;
        which.pop_back();
      }
      return false;
    };
    for (std::size_t factors = 0; factors <= most_factors; ++factors) {
      which.clear();
      if (!search(search, 0, factors)) continue;
      result_.exists = prove() ? Finding::proof() : Finding::evidence(static_cast<int>(rows_.size()), 9);
      Simplifier simplifier{1};
      for (auto& [factor, exponent] : result_.density) factor = simplifier.simplify(factor);
      result_.because = result_.density.empty() ? "the flow keeps volumes" : "the divergence is that of a density";
      return true;
    }
    return false;
  }

  // With the unknowns of all linear systems written out, by Cramer's rule.
  bool prove() const {
    Expr change = divergence_;
    for (const auto& [factor, exponent] : result_.density)
      change = change + field_.system()->context->number(exponent) * logarithmic_rate(factor);
    return is_zero_written_out(field_.system(), change, field_.jacobian().systems.blocks);
  }

  // Where the coordinates that are kept stand still, a density does not change: ∇·f ≠ 0 there leaves none. Their velocities are zero, the other ones are not.
  void find_obstacle() {
    const System& system = field_.system();
    const std::vector<double> parameters = parameter_values(system);
    const Program program(std::array{divergence_}, field_.form().inputs(), field_.jacobian().systems.blocks);
    for (const bool rest : {false, true}) {
      std::vector<Replacement> still;
      for (const std::size_t i : velocities_)
        if (rest || belongs_to_kept(i)) still.emplace_back(symbol(i), system->context->zero());
      const bool stands = std::ranges::all_of(positions_, [&](std::size_t i) {
        const Expr rate = substitute(field_.form().rates[i], still);
        return rate.is_zero() || prove_zero(with_parameter_values(system, rate)).verdict == Verdict::proved;
      });
      if (!stands) continue;
      for (std::uint64_t seed = 1; seed <= sampled_states; ++seed) {
        std::optional<State> at = work_.admissible().random(seed);
        if (!at) continue;
        try {
          std::vector<double> y = field_.state(*at, parameters);
          for (const auto& [velocity, zero] : still)
            for (const std::size_t i : velocities_)
              if (symbol(i) == velocity) y[i] = 0;
          std::vector<Ball> inputs, value;
          for (const double one : y) inputs.push_back(Ball::from_double(one));
          inputs.emplace_back();
          for (Ball& one : parameter_balls(system, certain_bits_of_measure)) inputs.push_back(std::move(one));
          if (run_in_balls(program, inputs, value, certain_bits_of_measure) >= 0) continue;
          if (!value[0].is_finite() || value[0].contains_zero()) continue;
          result_.exists = Finding::failure(field_.full(y, parameters), value[0].midpoint());
          result_.exists.proved = true;
          result_.because =
              fmt::format("where {} volumes {} at the rate {:.6g}, which no density of the coordinates makes up for{}",
                          rest ? "everything is at rest" : "the coordinates that matter stand still",
                          value[0].midpoint() < 0 ? "shrink" : "grow", value[0].midpoint(), rest ? "" : wherever());
          return;
        } catch (const Error&) {
          continue;
        }
      }
    }
    result_.because = rows_.size() < sampled_states / 2
                          ? "too few states were found at which the equations are regular"
                          : "no density was found among powers of what stands in the mass matrix";
  }

  // At a steady motion z' = f(z) vanishes, and with it the change of any density: then ∇·f, the sum of the eigenvalues, has to vanish, too. By proof, in
  // balls that have a steady motion in them.
  bool find_steady_obstacle(std::vector<double> y, const Movable& moves) {
    const std::vector<double> parameters = parameter_values(field_.system());
    try {
      SteadyPoint point = find_steady(field_, std::move(y), parameters, moves);
      // a sum that doubles do not tell from zero needs no proof
      const auto about = field_.matrix(point.dependent, point.slopes);
      const std::size_t n = field_.independent(point.dependent).size();
      if (!about) return false;
      double sum = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += (*about)[i * n + i];
        size += std::abs((*about)[i * n + i]);
      }
      if (!(std::abs(sum) > vanishes_beside_one * size)) return false;
      certify(field_, {}, point, certain_bits_of_measure);
      if (!point.certified) return false;
      const auto A = field_.matrix(point.dependent, point.y_balls, point.parameter_balls, certain_bits_of_measure);
      if (!A) return false;
      Ball trace;
      for (std::size_t i = 0; i < n; ++i) trace += (*A)[i * n + i];
      if (trace.contains_zero()) return false;
      result_.exists = Finding::failure(field_.full(point.y, parameters), trace.midpoint());
      result_.exists.proved = true;
      result_.because = fmt::format(
          "at a steady motion volumes {} at the rate {:.6g}, the sum of its eigenvalues, which no density makes up "
          "for{}",
          trace.midpoint() < 0 ? "shrink" : "grow", trace.midpoint(), wherever());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // From random states to the nearest steady motions.
  void find_steady_obstacles() {
    constexpr std::uint64_t tried = 32;  // of six, five led nowhere where rounding was another
    const std::vector<double> parameters = parameter_values(field_.system());
    Movable moves;
    moves.components = field_.kept();
    for (std::uint64_t seed = 1; seed <= tried; ++seed) {
      const std::optional<State> at = work_.admissible().random(seed);
      try {
        if (at && find_steady_obstacle(field_.state(*at, parameters), moves)) return;
      } catch (const Error&) {
        continue;
      }
    }
  }

  // Coordinates that the equations do not contain could be in a density, too: of those nothing is said.
  std::string wherever() const {
    return left_out_.empty() ? "" : fmt::format(" that is the same for all {}", fmt::join(left_out_, ", "));
  }

  bool belongs_to_kept(std::size_t velocity) const {
    const Motion& motion = field_.system()->motion;
    return std::ranges::any_of(positions_, [&](std::size_t i) {
      const auto coordinate = std::ranges::find(motion.q, symbol(i)) - motion.q.begin();
      return motion.v[static_cast<std::size_t>(coordinate)] == symbol(velocity);
    });
  }

  mutable Groundwork work_;
  ReducedField field_;
  std::vector<std::size_t> positions_, velocities_;  // those of y that are kept
  std::vector<std::size_t> all_positions_;
  std::vector<std::string> left_out_;  // of the positions
  Expr divergence_;
  std::vector<Expr> candidates_;
  std::vector<std::vector<double>> rows_;  // at each state: the divergence, and the logarithmic rates
  InvariantMeasure result_;
};

// Lagrangian systems keep the volume of phase space, whatever the kinetic energy is.
std::optional<InvariantMeasure> by_liouville(Groundwork& work) {
  const System& system = work.system();
  const Motion& motion = system->motion;
  const auto contains = [](Expr e, std::span<const Expr> symbols) { return depends_on(e, symbols); };
  const std::array<Expr, 1> time = {motion.t};
  if (contains(system->lagrangian, time)) return std::nullopt;
  for (const Expr force : system->forces)
    if (contains(force, time) || contains(force, motion.v)) return std::nullopt;
  for (const Constraint& constraint : system->constraints)
    if (constraint.order != 0 || contains(constraint.expression, time)) return std::nullopt;
  try {
    (void)Multipliers(system, work.terms()).evaluate(work.initial().state);
  } catch (const Error&) {
    return std::nullopt;  // not regular
  }
  InvariantMeasure result;
  result.system = system;
  result.exists = Finding::proof();
  result.of_phase_space = true;
  for (const std::string& name : system->coordinates) result.state.push_back(name);
  for (const std::string& name : system->coordinates) result.state.push_back(name + "'");
  const Matrix& mass = work.terms().mass;
  if (system->constraints.empty() && mass.rows <= largest_determinant) {
    Simplifier simplifier{1};
    result.density.emplace_back(simplifier.simplify(determinant_of(mass)), Rational(1));
  }
  result.because = system->constraints.empty() ? "no force depends on velocities"
                                               : "constraints tie positions alone, and no force depends on velocities";
  return result;
}

}  // namespace

InvariantMeasure invariant_measure(const System& system) { return invariant_measure(Groundwork::apart(system)); }

InvariantMeasure invariant_measure(Groundwork work) {
  const System system = work.model();
  std::optional<InvariantMeasure> liouville = by_liouville(work);
  if (liouville && system->size() > largest_determinant) return std::move(*liouville);
  if (system->size() > most_coordinates) {
    InvariantMeasure result;
    result.system = system;
    result.because = fmt::format("it is not looked for where there are more than {} coordinates", most_coordinates);
    return result;
  }
  try {
    InvariantMeasure found = MeasureSearch(std::move(work)).run();
    return liouville && !(found.exists.holds() && found.exists.proved) ? std::move(*liouville) : found;
  } catch (const Error& error) {
    if (liouville) return std::move(*liouville);
    InvariantMeasure result;
    result.system = system;
    result.because = error.message();
    return result;
  }
}

}  // namespace cetaev
