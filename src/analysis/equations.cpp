#include "cetaev/analysis/equations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/voronec_terms.hpp"
#include "cetaev/energy/energies.hpp"
#include "cetaev/formulation/symmetry.hpp"
#include "displacements.hpp"
#include "model_names.hpp"
#include "momenta.hpp"
#include "where_names.hpp"

namespace cetaev {

namespace {

using Summands = std::vector<Simplifier::Summand>;

constexpr double longest_entry = 400;
// Sets of more constraints are solved for their dependent velocities where a form is written in the others.
constexpr std::size_t always_solved = 6;

// Equations ordered by their unknowns and velocities are read with less effort than those that are not. These must save a tenth.
constexpr double plain_beside_ordered = 0.9;

// Nodes of the tree of a Lagrangian beyond which nobody reads it, nor its equations in a dozen forms.
constexpr double longest_read = 4000;

// Pairs of coordinates on whose difference alone the constraints depend, as the positions of two points do.
std::vector<std::pair<Expr, Expr>> differences(const System& system, const ConstraintSet& set) {
  std::vector<std::pair<Expr, Expr>> pairs;
  std::vector<bool> taken(system->size(), false);
  const std::vector<Expr>& q = system->motion.q;
  const Matrix slopes = jacobian(set.phi.empty() ? std::vector<Expr>{system->lagrangian} : set.phi, q);
  std::map<Expr, bool> known;  // slopes of one coordinate alone come up with every other one
  const auto is_zero = [&](Expr e) {
    if (e.is_zero()) return true;
    const auto [place, fresh] = known.emplace(e, false);
    if (fresh) place->second = vanishes(e);
    return place->second;
  };
  for (std::size_t i = 0; i < system->size(); ++i) {
    for (std::size_t j = i + 1; j < system->size() && !taken[i]; ++j) {
      if (taken[j]) continue;
      bool together = false, only = true;
      for (std::size_t k = 0; k < slopes.rows; ++k)
        together = together || (!slopes(k, i).is_zero() && !slopes(k, j).is_zero());
      for (std::size_t k = 0; k < set.phi.size() && together && only; ++k) only = is_zero(slopes(k, i) + slopes(k, j));
      if (!together || !only) continue;
      pairs.emplace_back(q[i], q[j]);
      taken[i] = taken[j] = true;
    }
  }
  return pairs;
}

class EquationWriter {
 public:
  EquationWriter(Groundwork& work, const EquationOptions& options)
      : work_(work),
        system_(work.system()),
        options_(options),
        simplifier_(options.budget),
        plain_(0),
        generic_(work.start().generic),
        setting_(work.setting()),
        velocities_(system_->motion.v) {
    const System& system = system_;
    setting_.with_equations = true;
    std::vector<Expr> nonzero;
    const std::vector<double> values = parameter_values(system);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) nonzero.push_back(system->parameters[i].symbol);
    }
    simplifier_.assume_nonzero(std::move(nonzero));
    simplifier_.expect_differences(differences(system, work.terms().constraints));
    forms_ = asked_for();
    // many dependent velocities take long, and some forms do without
    const bool needed =
        options.energy || !options.objects.empty() || std::any_of(forms_.begin(), forms_.end(), [](Form form) {
          return form->uses_dependent && form->state != FormState::quasi_velocities;
        });
    if (needed || setting_.rank() <= always_solved) solve_for_dependent(work.start().at.state);
  }

  WrittenSystem write() {
    WrittenSystem result;
    result.system = system_;
    result.dependent = setting_.dependent;
    result.lagrangian = collected(prepared(system_->lagrangian));
    if (setting_.rows.empty() && !system_->constraints.empty()) {
      result.notes.emplace_back("the constraints say nothing at these values of the parameters; none is used");
    } else if (setting_.rows.size() < system_->constraints.size()) {
      result.notes.push_back("redundant constraints: used are " + describe_rows(system_, setting_.rows));
    }
    if (generic_) {
      result.notes.emplace_back(
          "the initial state is singular; dependent velocities and branches are those of a generic state");
    }
    if (options_.energy) result.energy = energy();
    for (const PaperObject object : options_.objects) result.objects.push_back(written(object));
    for (const Form principle : forms_) result.forms.push_back(form(principle));
    find_same(result);
    if (!options_.expand) use_names(result);
    if (forms_.size() < principles_of(system_).size() && all_are_meant()) {
      result.notes.emplace_back(
          "too large to be read in every form: the equations with multipliers stand for them. --form names another; "
          "--format c, cpp, python, cuda or matlab writes code");
    }
    if (!simplifier_.complete()) {
      result.notes.emplace_back(
          simplifier_.sufficient()
              ? "some formulas are too large to be simplified and stand as they were derived"
              : "the budget for simplification is spent; some formulas stand as they were derived");
    }
    result.effort = simplifier_.spent();
    return result;
  }

 private:
  std::vector<Form> asked_for() const {
    if (all_are_meant() && written_size(system_->lagrangian) > longest_read) return {Form::multipliers};
    if (all_are_meant()) return principles_of(system_);
    std::vector<Form> forms(principles().begin(), principles().end());
    std::erase_if(forms, [&](Form form) { return std::ranges::find(options_.forms, form) == options_.forms.end(); });
    return forms;
  }

  bool all_are_meant() const { return options_.forms.empty() && !options_.energy && options_.objects.empty(); }

  // Without constraints most forms say the same.
  static void find_same(WrittenSystem& result) {
    const auto same = [](const std::vector<WrittenEquation>& a, const std::vector<WrittenEquation>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const WrittenEquation& x, const WrittenEquation& y) {
        return x.left == y.left && x.right == y.right;
      });
    };
    for (auto form = result.forms.begin(); form != result.forms.end(); ++form) {
      if (form->equations.empty() || form->minimise) continue;
      const auto other = std::find_if(result.forms.begin(), form, [&](const WrittenForm& f) {
        return f.same_as.empty() && !f.minimise && same(f.equations, form->equations) &&
               same(f.constraints, form->constraints);
      });
      if (other != form) form->same_as = other->name;
    }
  }

  // Without sign and power: −d² does not vanish where d does not.
  static Expr bare(Expr e) {
    if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) e = e.term(0);
    if (e.kind() == Kind::product && e.size() == 1 && e.exponent(0).sign() > 0 && e.exponent(0).is_integer())
      e = e.base(0);
    return e;
  }

  void use_names(WrittenSystem& result) const {
    ModelNames names(system_);
    const auto all = [&](std::vector<Expr>& list) {
      for (Expr& e : list) e = names(e);
    };
    const auto equations = [&](std::vector<WrittenEquation>& list) {
      for (WrittenEquation& e : list) {
        all(e.left);
        all(e.right);
      }
    };
    const auto definitions = [&](std::vector<WrittenDefinition>& list) {
      for (WrittenDefinition& d : list) all(d.value);
    };
    all(result.lagrangian);
    definitions(result.energy);
    for (WrittenObject& object : result.objects) {
      for (WrittenObject::Array& array : object.arrays) {
        for (std::vector<Expr>& entry : array.entries) all(entry);
      }
    }
    for (WrittenForm& form : result.forms) {
      definitions(form.definitions);
      definitions(form.transpositional);
      if (form.minimise) all(form.minimise->left);
      equations(form.equations);
      equations(form.constraints);
      std::vector<Expr> conditions;
      for (const Expr e : form.nonzero) {
        const Expr condition = bare(names(e));
        if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
          conditions.push_back(condition);
      }
      form.nonzero = std::move(conditions);
      name_what_recurs(system_, form);
    }
    result.names = names.used();
  }

  void solve_for_dependent(const State& state) {
    try {
      alpha_ = setting_.closed_form(state);
    } catch (const Error&) {
      return;  // constraints on accelerations: there is no α
    }
    if (!alpha_) return;
    for (Expr& e : *alpha_) e = simplifier_.simplify(e);
    setting_.use_explicit(*alpha_);
    for (std::size_t v = 0; v < setting_.rank(); ++v) {
      in_alpha_.emplace_back(system_->motion.v[setting_.dependent[v]], (*alpha_)[v]);
    }
  }

  Expr prepared(Expr e) const { return options_.numeric ? with_parameter_values(system_, e) : e; }

  std::vector<Expr> collected(Expr e) { return collected_by(e, system_->motion.v); }

  // Forms share equations: each is brought to its shape once.
  struct Question {
    Expr e;
    std::vector<Expr> unknowns, reactions, velocities;
    auto operator<=>(const Question&) const = default;
  };
  struct Answer {
    WrittenEquation equation;
    std::vector<Expr> nonzero;
  };

  WrittenEquation equation(const std::string& label, Expr e, const std::vector<Expr>& unknowns,
                           const std::vector<Expr>& reactions, std::vector<Expr>& nonzero) {
    const auto [place, fresh] = answers_.try_emplace({e, unknowns, reactions, velocities_});
    Answer& answer = place->second;
    if (fresh) answer.equation = ordered_equation(e, unknowns, reactions, answer.nonzero);
    for (const Expr condition : answer.nonzero) {
      if (std::find(nonzero.begin(), nonzero.end(), condition) == nonzero.end()) nonzero.push_back(condition);
    }
    WrittenEquation result = answer.equation;
    result.label = label;
    return result;
  }

  // Unknowns and velocity terms on the left, the rest, with the reactions, on the right.
  WrittenEquation ordered_equation(Expr e, const std::vector<Expr>& unknowns, const std::vector<Expr>& reactions,
                                   std::vector<Expr>& nonzero) {
    std::vector<Expr> all = unknowns;
    all.insert(all.end(), reactions.begin(), reactions.end());
    Simplifier::Equation found = simplifier_.equation(prepared(e), all, velocities_, unknowns.size());
    if (in_quasi_velocities()) {
      // products with sums of quasi-velocities may be shorter than squares and products of these
      Simplifier::Equation other = simplifier_.equation(prepared(e), all, system_->motion.v, unknowns.size());
      if (length_on_paper(other) < length_on_paper(found)) found = std::move(other);
    }
    WrittenEquation result;
    for (const auto& summand : found.unknowns) {
      const bool reaction = std::find(reactions.begin(), reactions.end(), summand.monomial) != reactions.end();
      (reaction ? result.right : result.left).push_back(reaction ? -summand.expr() : summand.expr());
    }
    for (const auto& summand : found.rest) {
      const Expr term = summand.expr();
      const bool moving = (!in_quasi_velocities() && depends_on(term, velocities_)) || depends_on(term, all);
      if (moving) {
        result.left.push_back(term);
      } else {
        result.right.insert(result.right.end() - static_cast<std::ptrdiff_t>(reaction_count(found, reactions)), -term);
      }
    }
    if (result.left.empty()) std::swap(result.left, result.right);
    for (const Expr condition : found.nonzero) {
      if (!is_known_nonzero(condition)) nonzero.push_back(condition);
    }
    return result;
  }

  // Their equations are rates, as a first-order system has them: only unknowns on the left.
  bool in_quasi_velocities() const { return velocities_.size() > system_->size(); }

  // A function of the parameters alone that does not vanish at their values, such as m r² + I.
  bool is_known_nonzero(Expr condition) const {
    std::vector<Value> values;
    const std::vector<double> numbers = parameter_values(system_);
    for (const Expr symbol : free_symbols(condition)) {
      bool found = false;
      for (std::size_t i = 0; i < numbers.size() && !found; ++i) {
        found = system_->parameters[i].symbol == symbol;
        if (found) values.emplace_back(symbol, numbers[i]);
      }
      if (!found) return false;
    }
    const double value = evaluate(condition, values);
    return std::isfinite(value) && value != 0;
  }

  static std::size_t reaction_count(const Simplifier::Equation& found, const std::vector<Expr>& reactions) {
    return static_cast<std::size_t>(std::count_if(found.unknowns.begin(), found.unknowns.end(), [&](const auto& s) {
      return std::find(reactions.begin(), reactions.end(), s.monomial) != reactions.end();
    }));
  }

  // symbol = the rest of an equation that is linear in the symbol
  WrittenEquation solved_for(Expr symbol, Expr e, std::vector<Expr>& nonzero) {
    WrittenEquation result = equation({}, e, {symbol}, {}, nonzero);
    for (std::size_t i = result.left.size(); i-- > 1;) {
      result.right.insert(result.right.begin(), -result.left[i]);
      result.left.erase(result.left.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return result;
  }

  static WrittenForm titled(const Principle& principle) {
    WrittenForm result;
    result.name = principle.name;
    result.title = principle.title;
    return result;
  }

  WrittenForm form(const Principle& principle) {
    WrittenForm result = titled(principle);
    try {
      Formulation derived = principle.derive(setting_);
      if (options_.eliminate && !derived.multipliers.empty()) {
        derived.equations = Form::maggi->derive(setting_).equations;
        derived.multipliers.clear();
        result.notes.emplace_back("the multipliers are eliminated by a basis of the admissible directions");
      }
      write_shorter(result, principle, derived);
      if (derived.quasi) shorten_by_other_velocities(principle, derived, result);
      if (derived.quasi && result.equations.empty()) {
        throw Error(
            ErrorCode::not_applicable,
            system_->quasi_velocities.empty()
                ? "no quasi-velocities were found in which these equations can be written; [quasi_velocities] "
                  "of the model may give some. `run` and `eval` compute with the independent velocities"
                : "the velocities are too many to be written out in the quasi-velocities of the model; --form "
                  "multipliers prints equations, and --format c, cpp, python, cuda or matlab writes code in them");
      }
      for (const WrittenEquation& e : result.equations) {
        const Expr difference = system_->context->sum(e.left) - system_->context->sum(e.right);
        if (!difference.is_number() || difference.is_zero()) continue;
        result.notes.emplace_back("no motion satisfies these equations: one of them is never true");
        break;
      }
    } catch (const Error& error) {
      result = titled(principle);
      result.refusal = error;
    }
    return result;
  }

  // Equations in quasi-velocities may be shorter in axes that turn with the system, where it is the same in all directions, and with some
  // velocities standing for what they are. Simplified where they are shorter as derived.
  void shorten_by_other_velocities(const Principle& principle, const Formulation& derived, WrittenForm& result) {
    if (!symmetry_) {
      // apart, so that what is looked at there does not change the order in which the rest is read
      Groundwork other = work_.copy();
      symmetry_ = symmetry(other.set(), other.terms());
    }
    Setting turning = setting_;
    for (const Symmetry* group : {static_cast<const Symmetry*>(nullptr), static_cast<const Symmetry*>(&*symmetry_)}) {
      turning.symmetry = group;
      for (const bool keep : {false, true}) {
        if (group == nullptr && !keep) continue;  // that is how it was derived
        turning.keep_velocities = keep;
        Formulation found = principle.derive(turning);
        if (group != nullptr && !found.quasi->turning) continue;
        if (says_motion(derived) && as_derived(found) >= as_derived(derived)) continue;
        if (!says_motion(found)) continue;
        if (found.quasi->turning) {
          found.notes.push_back("velocities in axes that turn with " + system_->coordinates[*found.quasi->turning] +
                                ": the system is the same under " + symmetry_->group);
        }
        WrittenForm other = titled(principle);
        write_shorter(other, principle, found);
        if (result.equations.empty() || length(other) < length(result)) result = std::move(other);
      }
    }
  }

  static bool says_motion(const Formulation& derived) {
    return std::ranges::any_of(derived.equations,
                               [](const Equation& e) { return e.kind == Equation::Kind::quasi_motion; });
  }

  static double as_derived(const Formulation& derived) {
    double sum = 0;
    for (const Equation& e : derived.equations) sum += written_size(e.expression);
    return sum;
  }

  // With the names that they will have.
  double length(WrittenForm form) const {
    if (!options_.expand) name_what_recurs(system_, form);
    return length_with_names(form);
  }

  // What recurs is lost where fractions are cleared and products multiplied out: the equations as they were derived may be the shorter ones
  // once it has names.
  void write_shorter(WrittenForm& result, const Principle& principle, const Formulation& derived) {
    fill(result, principle, derived);
    if (options_.expand || result.equations.empty()) return;
    WrittenForm plain = titled(principle);
    std::swap(simplifier_, plain_);
    std::swap(answers_, plain_answers_);
    fill(plain, principle, derived);
    std::swap(simplifier_, plain_);
    std::swap(answers_, plain_answers_);
    WrittenForm named = plain;
    name_what_recurs(system_, named);
    if (named.where.empty() || length_with_names(named) >= plain_beside_ordered * length(result)) return;
    result.equations = std::move(plain.equations);
    result.nonzero = std::move(plain.nonzero);
  }

  void fill(WrittenForm& result, const Principle& principle, const Formulation& derived) {
    const bool independent = principle.state == FormState::independent_velocities;
    result.state = derived.state;
    result.notes.insert(result.notes.end(), derived.notes.begin(), derived.notes.end());
    std::vector<Expr> reactions;
    for (const Expr s : free_symbols(expressions_of(derived))) {
      if (s.name().starts_with("$lambda") || s.name().starts_with("$mu")) reactions.push_back(s);
    }
    std::sort(reactions.begin(), reactions.end(), [](Expr a, Expr b) { return a.name() < b.name(); });
    const bool lambda_is_state = !derived.lambda.empty();
    if (lambda_is_state) {
      std::erase_if(reactions, [&](Expr s) {
        return std::find(derived.lambda.begin(), derived.lambda.end(), s) != derived.lambda.end();
      });
    }
    std::vector<Expr> unknowns;
    for (const Equation& e : derived.equations) {
      if (e.kind == Equation::Kind::quasi_motion)
        unknowns.push_back(system_->context->symbol("$" + derived.quasi->names[e.about] + "'"));
    }
    if (unknowns.empty()) {
      for (std::size_t i = 0; i < system_->size(); ++i) {
        const auto& list = setting_.independent;
        if (!independent || std::find(list.begin(), list.end(), i) != list.end())
          unknowns.push_back(system_->motion.a[i]);
      }
    }
    velocities_ = system_->motion.v;
    if (derived.quasi) velocities_.insert(velocities_.end(), derived.quasi->u.begin(), derived.quasi->u.end());
    result.unknowns = unknowns;
    result.unknowns.insert(result.unknowns.end(), reactions.begin(), reactions.end());
    if (independent) explicit_part(result, principle);

    const std::vector<Replacement> gamma = known_gamma();
    for (const Equation& e : derived.equations) {
      const std::string name = label(system_, derived.quasi, e);
      switch (e.kind) {
        case Equation::Kind::least:
          result.minimise = WrittenEquation{name, {simplifier_.simplify(prepared(e.expression))}, {}};
          break;
        case Equation::Kind::constraint: result.constraints.push_back({name, {prepared(e.expression)}, {}}); break;
        case Equation::Kind::velocity:  // v − N u − n₀ = 0
          result.equations.push_back(solved_for(system_->motion.v[e.about], e.expression, result.nonzero));
          break;
        case Equation::Kind::definition: {
          const Expr u = derived.quasi->u[e.about];
          result.definitions.push_back({WrittenDefinition::Kind::quasi,
                                        std::string(u.name()),
                                        {},
                                        solved_for(u, e.expression, result.nonzero).right,
                                        ""});
          break;
        }
        case Equation::Kind::free_motion: {
          // H a₀ = b: the accelerations without constraints
          const Expr own = system_->context->symbol("$free_" + system_->coordinates[e.about] + "''");
          result.equations.push_back(equation(name, e.expression, {own}, {}, result.nonzero));
          break;
        }
        case Equation::Kind::derivatives:
          if (alpha_) break;  // known in closed form and inserted
          [[fallthrough]];
        case Equation::Kind::motion:
        case Equation::Kind::quasi_motion:
        case Equation::Kind::weights: {
          Expr inserted = substitute(e.expression, gamma);
          if (independent && alpha_) inserted = substitute(inserted, in_alpha_);
          result.equations.push_back(equation(name, inserted, unknowns, reactions, result.nonzero));
          if (e.kind != Equation::Kind::quasi_motion) break;
          if (const auto momentum = conserved_momentum(system_, derived, e.expression))
            result.conserved.push_back(collected_by(prepared(*momentum), velocities_));
          break;
        }
      }
    }
    transpositional(result, derived.transpositional_formula);
  }

  // The derivatives γ of the dependent velocities, where α has a closed form.
  std::vector<Replacement> known_gamma() const {
    std::vector<Replacement> list;
    if (!alpha_) return list;
    const Jets& jets = setting_.jets();
    for (std::size_t v = 0; v < setting_.rank(); ++v) {
      for (std::size_t r = 0; r < setting_.independent.size(); ++r) {
        const std::string name = "$gamma(" + system_->coordinates[setting_.dependent[v]] + "," +
                                 system_->coordinates[setting_.independent[r]] + ")";
        list.emplace_back(system_->context->symbol(name), jets.gamma(v, r));
      }
    }
    return list;
  }

  static std::vector<Expr> expressions_of(const Formulation& derived) {
    std::vector<Expr> list;
    for (const Equation& e : derived.equations) list.push_back(e.expression);
    return list;
  }

  // α, L* and B, which these equations are about
  void explicit_part(WrittenForm& result, const Principle& principle) {
    using Kind = WrittenDefinition::Kind;
    if (setting_.rank() == 0) return;
    if (!alpha_) {
      result.notes.emplace_back(
          "the dependent velocities have no closed form here; alpha stands for them, gamma for their derivatives by "
          "independent velocities");
      return;
    }
    for (std::size_t v = 0; v < setting_.rank(); ++v) {
      const std::string& name = system_->coordinates[setting_.dependent[v]];
      result.definitions.push_back({Kind::velocity, name + "'", {}, collected(prepared((*alpha_)[v])), ""});
    }
    if (principle.reduced_lagrangian) {
      result.definitions.push_back(
          {Kind::reduced, "L*", {}, collected(substitute(prepared(system_->lagrangian), in_alpha())), ""});
    }
    if (!principle.nonholonomic_terms) return;
    const VoronecTerms voronec(setting_, setting_.jets());
    for (std::size_t v = 0; v < setting_.rank(); ++v) {
      for (std::size_t r = 0; r < setting_.independent.size(); ++r) {
        const Expr B = simplifier_.simplify(substitute(prepared(voronec.B(v, r)), in_alpha()));
        result.definitions.push_back(
            {Kind::nonholonomic,
             "B",
             {system_->coordinates[setting_.dependent[v]], system_->coordinates[setting_.independent[r]]},
             {B},
             ""});
      }
    }
  }

  std::vector<Replacement> in_alpha() const {
    std::vector<Replacement> list;
    for (const auto& [v, e] : in_alpha_) list.emplace_back(v, prepared(e));
    return list;
  }

  // δ(q̇) − Dₜ(δq) = A δq: the rows of A that are not zero
  void transpositional(WrittenForm& result, const Matrix& A) {
    std::vector<std::string> vanishing;
    for (std::size_t i = 0; i < A.rows; ++i) {
      std::vector<Expr> entries;
      for (std::size_t j = 0; j < A.columns; ++j) {
        const Expr given = prepared(A(i, j));
        // entries of matrices are many, and long ones are not read
        entries.push_back(written_size(given) < longest_entry ? simplifier_.simplify(given) : given);
      }
      std::vector<Expr> row = by_displacements(system_, entries);
      if (row.empty()) {
        vanishing.push_back(system_->coordinates[i]);
      } else {
        result.transpositional.push_back(
            {WrittenDefinition::Kind::name, system_->coordinates[i], {}, std::move(row), ""});
      }
    }
    if (!vanishing.empty()) result.notes.push_back("transpositional relations vanish for " + enumerate(vanishing));
  }

  WrittenObject written(PaperObject object) {
    WrittenObject result;
    result.object = object;
    try {
      ObjectFormulas formulas = formulas_of(setting_, alpha_, object);
      result.notes = std::move(formulas.notes);
      for (const FormulaArray& array : formulas.arrays) {
        WrittenObject::Array& to = result.arrays.emplace_back();
        to.symbol = array.symbol;
        to.axes = array.axes;
        for (const Expr entry : array.entries) {
          const Expr given = prepared(entry);
          if (array.axes.empty()) {
            to.entries.push_back(collected_by(given));
            continue;
          }
          const Expr e = written_size(given) < longest_entry ? simplifier_.simplify(given) : given;
          to.entries.push_back(e.is_zero() ? std::vector<Expr>{} : std::vector<Expr>{e});
        }
      }
    } catch (const Error& error) {
      result.arrays.clear();
      result.refusal = error;
    }
    return result;
  }

  // By accelerations, multipliers and velocities, where it is a polynomial in them.
  std::vector<Expr> collected_by(Expr e) {
    std::vector<Expr> symbols = system_->motion.a;
    for (const Expr s : free_symbols(e)) {
      if (s.name().starts_with("$lambda")) symbols.push_back(s);
    }
    symbols.insert(symbols.end(), system_->motion.v.begin(), system_->motion.v.end());
    return collected_by(e, symbols);
  }

  std::vector<Expr> collected_by(Expr e, std::span<const Expr> symbols) {
    std::vector<Expr> list;
    for (const auto& summand : simplifier_.collect(e, symbols)) list.push_back(summand.expr());
    return list;
  }

  std::vector<WrittenDefinition> energy() {
    using Kind = WrittenDefinition::Kind;
    std::vector<WrittenDefinition> list;
    const EnergyTerms terms(setting_);
    std::vector<Replacement> lambda;
    for (std::size_t i = 0; i < terms.lambda.size(); ++i) {
      lambda.emplace_back(terms.lambda[i], system_->context->symbol("$lambda" + std::to_string(i + 1)));
    }
    const auto balance = [&](const std::vector<BalanceTerm>& all, std::span<const Replacement> insert) {
      for (const BalanceTerm& term : all) {
        list.push_back(
            {Kind::energy, term.formula, {}, collected(substitute(prepared(term.expression), insert)), term.meaning});
      }
    };
    const auto sum = [](const std::vector<BalanceTerm>& all) {
      std::string text;
      for (const BalanceTerm& term : all) text += (text.empty() ? "" : " + ") + term.formula;
      return text;
    };
    list.push_back({Kind::energy, "E", {}, collected(prepared(terms.E)), ""});
    list.push_back({Kind::energy, "E'", {}, {}, sum(terms.balance)});
    balance(terms.balance, lambda);
    if (!terms.reduced || setting_.rank() == 0) return list;
    const EnergyTerms::Reduced& r = *terms.reduced;
    for (std::size_t v = 0; v < setting_.rank() && alpha_; ++v) {
      const std::string& name = system_->coordinates[setting_.dependent[v]];
      list.push_back({Kind::velocity, name + "'", {}, collected(prepared((*alpha_)[v])), ""});
      list.push_back(
          {Kind::energy, "alphabar", {name}, collected(substitute(prepared(r.alpha_bar[v]), in_alpha())), ""});
    }
    list.push_back({Kind::energy, "E*", {}, collected(substitute(prepared(r.E), in_alpha())), ""});
    list.push_back(
        {Kind::energy, "E* - E", {}, collected(substitute(prepared(r.E_by_excess - terms.E), in_alpha())), ""});
    list.push_back({Kind::energy, "E*'", {}, {}, sum(r.balance)});
    balance(r.balance, in_alpha());
    return list;
  }

  Groundwork& work_;
  std::optional<Symmetry> symmetry_;
  System system_;
  const EquationOptions& options_;
  Simplifier simplifier_, plain_;  // the second leaves everything as it stands
  bool generic_;
  Setting setting_;
  std::vector<Expr> velocities_;  // that terms are ordered by: v, and u of the form at hand
  std::vector<Form> forms_;
  std::optional<std::vector<Expr>> alpha_;
  std::vector<Replacement> in_alpha_;
  std::map<Question, Answer> answers_, plain_answers_;
};

}  // namespace

bool stands_elsewhere(const WrittenSystem& system, const WrittenForm& form) {
  return !form.same_as.empty() &&
         std::ranges::find(system.forms, form.same_as, &WrittenForm::name) != system.forms.end();
}

WrittenSystem write_equations(Groundwork& work, const EquationOptions& options) {
  return EquationWriter(work, options).write();
}

WrittenSystem write_equations(const System& system, const EquationOptions& options) {
  Groundwork work(system);
  return write_equations(work, options);
}

}  // namespace cetaev
