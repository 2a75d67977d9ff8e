#include "cetaev/analysis/equations.hpp"

#include <algorithm>
#include <map>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/multiplied_out.hpp"
#include "conditions.hpp"
#include "equation_writer.hpp"
#include "index_families.hpp"
#include "model_names.hpp"
#include "where_names.hpp"

namespace cetaev {

namespace {

// Sets of more constraints are solved for their dependent velocities where a form is written in the others.
constexpr std::size_t always_solved = 6;

// Nodes of the tree of a Lagrangian beyond which nobody reads it, nor its equations in a dozen forms.
constexpr double longest_read = 4000;

// Nodes of the trees of all equations in quasi-velocities together: a hundred times the longest formula that is printed. Nothing of more would be
// left to read.
constexpr double longest_as_derived = 4e5;

// Dependent velocities and what else stands before the equations are simplified with this effort whatever is given for these: all that is derived is
// made of them, and they must not grow with it.
constexpr double effort_of_velocities = 3;

// Pairs of coordinates on whose difference alone the constraints depend, as the positions of two points do; without constraints, two on which the
// Lagrangian depends. A coordinate is in one pair only, and in a chain of links every difference occurs: three pairs are one in five of
// the differences of six coordinates, and tell nothing.
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
  constexpr std::size_t most_without_constraints = 2;
  if (set.phi.empty() && pairs.size() > most_without_constraints) pairs.clear();
  return pairs;
}

}  // namespace

EquationWriter::EquationWriter(Groundwork& work, const EquationOptions& options)
    : work_(work),
      system_(work.system()),
      options_(options),
      simplifier_(options.budget),
      plain_(0),
      of_velocities_(effort_of_velocities),
      of_chains_(effort_of_chains),
      of_links_(effort_of_chains),
      generic_(work.start().generic),
      setting_(work.setting()),
      velocities_(system_->motion.v) {
  const System& system = system_;
  setting_.with_equations = true;
  setting_.local_bases = true;
  setting_.longest_equations = longest_as_derived;
  std::vector<Expr> nonzero;
  const std::vector<double> values = parameter_values(system);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) nonzero.push_back(system->parameters[i].symbol);
  }
  const auto pairs = differences(system, work.terms().constraints);
  for (Simplifier* simplifier : {&simplifier_, &of_velocities_, &of_chains_, &of_links_}) {
    simplifier->assume_nonzero(nonzero);
    simplifier->expect_differences(pairs);
  }
  if (!options.expand && beyond_reading() && has_links(system, system->size())) {
    if (auto found = multiplied_out(setting_)) {
      multiplied_out_ = found->lagrangian;
      setting_.inertial = std::move(found->inertial);
    }
  }
  forms_ = asked_for();
  // many dependent velocities take long, and some forms do without
  const bool needed = (options.energy && !beyond_reading()) || !options.objects.empty() ||
                      std::any_of(forms_.begin(), forms_.end(), [](Form form) {
                        return form->uses_dependent && form->state != FormState::quasi_velocities;
                      });
  if (needed || setting_.rank() <= always_solved) solve_for_dependent(work.start().at.state);
}

WrittenSystem EquationWriter::write() {
  WrittenSystem result;
  result.system = system_;
  if (options_.numeric)  // whose numbers are then those of the parameters too
    result.system = system_.with([&](SystemData& data) {
      data.lagrangian = prepared(data.lagrangian);
      for (Expr& force : data.forces) force = prepared(force);
      for (Constraint& constraint : data.constraints) constraint.expression = prepared(constraint.expression);
    });
  result.dependent = setting_.dependent;
  result.lagrangian = lagrangian();
  result.all_forms = all_are_meant();
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
  if (options_.energy && setting_.rank() > 0 && beyond_reading())
    result.notes.emplace_back("E* of the independent velocities is too large to be read and left out");
  for (const PaperObject object : options_.objects) result.objects.push_back(written(object));
  for (const Form principle : forms_) result.forms.push_back(form(principle));
  for (WrittenForm& form : result.forms) complete(form);
  find_same(result);
  if (!options_.expand) {
    for (WrittenForm& form : result.forms) {
      if (form.families.empty()) form.families = families_of(system_, form.equations);
      form.families_of_constraints = families_of(system_, form.constraints);
    }
    result.lagrangian_in_sums = sums_over_indices(system_, result.lagrangian);
    use_names(result);
    write_lagrangian_by_links(result);
  }
  for (WrittenForm& form : result.forms) finish(form);
  if (forms_.size() < principles_of(system_).size() && all_are_meant()) {
    result.notes.emplace_back(
        "too large to be read in every form: the equations with multipliers stand for them. --form names another; "
        "--format c, cpp, python, cuda or matlab writes code");
  }
  if (!simplifier_.complete() || !of_velocities_.complete() || !of_links_.complete()) {
    result.notes.emplace_back(simplifier_.sufficient()
                                  ? "some formulas are too large to be simplified and stand as they were derived"
                                  : "the budget for simplification is spent; some formulas stand as they were derived");
  }
  result.effort = simplifier_.spent();
  result.sufficient = simplifier_.sufficient();
  return result;
}

bool EquationWriter::beyond_reading() const { return written_size(system_->lagrangian) > longest_read; }

std::vector<Form> EquationWriter::asked_for() const {
  if (all_are_meant() && beyond_reading()) return {Form::multipliers};
  if (all_are_meant()) return principles_of(system_);
  std::vector<Form> forms(principles().begin(), principles().end());
  std::erase_if(forms, [&](Form form) { return std::ranges::find(options_.forms, form) == options_.forms.end(); });
  return forms;
}

void EquationWriter::find_same(WrittenSystem& result) {
  const auto same = [](const std::vector<WrittenEquation>& a, const std::vector<WrittenEquation>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const WrittenEquation& x, const WrittenEquation& y) {
      return x.left == y.left && x.right == y.right;
    });
  };
  for (auto form = result.forms.begin(); form != result.forms.end(); ++form) {
    if (form->equations.empty() || form->minimise) continue;
    const auto other = std::find_if(result.forms.begin(), form, [&](const WrittenForm& f) {
      return f.same_as.empty() && !f.minimise && same(f.equations, form->equations) &&
             same(f.constraints, form->constraints) &&
             std::ranges::equal(f.where, form->where, [](const WrittenDefinition& a, const WrittenDefinition& b) {
               return a.symbol == b.symbol && a.value == b.value;
             });
    });
    if (other != form) form->same_as = other->name;
  }
}

// Where it is beyond reading, or its equations are written so.
void EquationWriter::write_lagrangian_by_links(WrittenSystem& result) {
  if (!result.lagrangian_in_sums.empty()) return;
  const bool of_equations = std::ranges::any_of(result.forms, &WrittenForm::link_by_link);
  if ((!of_equations && !beyond_reading()) || !links()) return;
  const LinkLines& lines = **links_;
  result.lagrangian = summands_of(of_links_.simplify(lines.lagrangian));
  result.names.insert(result.names.end(), lines.velocities.begin(), lines.velocities.end());
}

void EquationWriter::use_names(WrittenForm& form, ModelNames& names) const {
  const auto all = [&](std::vector<Expr>& list) {
    for (Expr& e : list) e = names(e);
  };
  const auto equations = [&](std::vector<WrittenEquation>& list) {
    for (WrittenEquation& e : list) {
      all(e.left);
      all(e.right);
    }
  };
  for (auto* lines : {&form.definitions, &form.transpositional})
    for (WrittenDefinition& line : *lines) all(line.value);
  if (form.minimise) all(form.minimise->left);
  equations(form.equations);
  equations(form.constraints);
  all(form.nonzero);
  // the lines for many have none
  if (form.families.empty() && !form.step_by_step) name_what_recurs(system_, form);
  form.nonzero = conditions_by_factors(form.nonzero);
}

void EquationWriter::use_names(WrittenSystem& result) const {
  ModelNames names(system_);
  const auto all = [&](std::vector<Expr>& list) {
    for (Expr& e : list) e = names(e);
  };
  all(result.lagrangian);
  for (WrittenDefinition& line : result.energy) all(line.value);
  for (WrittenObject& object : result.objects) {
    for (WrittenObject::Array& array : object.arrays) {
      for (std::vector<Expr>& entry : array.entries) all(entry);
    }
  }
  for (WrittenForm& form : result.forms) use_names(form, names);
  result.names = names.used();
}

void EquationWriter::solve_for_dependent(const State& state) {
  try {
    alpha_ = setting_.closed_form(state);
  } catch (const Error&) {
    return;  // constraints on accelerations: there is no α
  }
  if (!alpha_) return;
  double length = 0;
  for (Expr& e : *alpha_) {
    // of many, those behind one that is too large are longer still
    const bool hopeless = setting_.rank() > always_solved && !of_velocities_.complete();
    if (length > longest_as_derived) break;
    if (!hopeless) e = of_velocities_.simplify(e);
    length += written_size(e);
  }
  alpha_is_readable_ = length <= longest_as_derived;
  setting_.use_explicit(*alpha_);
  for (std::size_t v = 0; v < setting_.rank(); ++v) {
    in_alpha_.emplace_back(system_->motion.v[setting_.dependent[v]], (*alpha_)[v]);
  }
}

bool stands_elsewhere(const WrittenSystem& system, const WrittenForm& form) {
  return !form.same_as.empty() &&
         std::ranges::find(system.forms, form.same_as, &WrittenForm::name) != system.forms.end();
}

std::vector<WrittenDefinition> explained_here(const WrittenSystem& system, const WrittenForm& form) {
  std::vector<WrittenDefinition> lines = form.where;
  std::erase_if(lines, [&](const WrittenDefinition& line) {
    return std::ranges::find(system.names, line.symbol, &WrittenDefinition::symbol) != system.names.end();
  });
  return lines;
}

WrittenSystem write_equations(Groundwork& work, const EquationOptions& options) {
  return EquationWriter(work, options).write();
}

WrittenSystem write_equations(const System& system, const EquationOptions& options) {
  Groundwork work(system);
  return write_equations(work, options);
}

}  // namespace cetaev
