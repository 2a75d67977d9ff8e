// The equations of each form.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/detail/formulation/body_velocities.hpp"
#include "conditions.hpp"
#include "equation_writer.hpp"
#include "index_families.hpp"
#include "line_signs.hpp"
#include "momenta.hpp"
#include "shared_factors.hpp"
#include "standing_velocities.hpp"
#include "step_lines.hpp"
#include "where_names.hpp"

namespace cetaev {

namespace {

// Nodes of the tree of one formula on a page of its own.
constexpr double longest_on_a_page = 4000;

// Nodes of equations in quasi-velocities that may stand in steps: ten pages. The shorter way is taken then, so that a greater effort is never longer.
constexpr double shortest_in_steps = 10 * longest_on_a_page;

// The label of equations for derivatives of dependent velocities.
constexpr std::string_view gives_gamma = "gamma";

// Lines that each use those before them are read one after the other, with names to keep in mind: they stand for equations twice as long.
constexpr double by_lines_must_shorten_to = 0.5;

// One simplifier in the place of another for as long as this lives.
class Instead {
 public:
  Instead(Simplifier& usual, Simplifier& now) : usual_(usual), now_(now) { std::swap(usual_, now_); }
  ~Instead() { std::swap(usual_, now_); }
  Instead(const Instead&) = delete;
  Instead& operator=(const Instead&) = delete;

 private:
  Simplifier &usual_, &now_;
};

// Another value for as long as this lives.
template <class T>
class While {
 public:
  While(T& variable, T value) : variable_(variable), usual_(std::exchange(variable, value)) {}
  ~While() { variable_ = usual_; }
  While(const While&) = delete;
  While& operator=(const While&) = delete;

 private:
  T& variable_;
  T usual_;
};

// Nodes of the graph of all equations: written step by step, about half as many lines, a hundred pages.
constexpr std::size_t most_in_steps = 10000;

bool are_beyond_steps(std::span<const Expr> formulas) { return topological(formulas).size() > most_in_steps; }

Error alpha_beyond_reading() {
  return {ErrorCode::not_applicable,
          "the dependent velocities are too long to be written, and these equations contain them; --form "
          "multipliers prints equations, and --format c, cpp, python, cuda or matlab writes code in these"};
}

bool can_be_read(Expr e) { return written_size(e) <= longest_on_a_page; }

}  // namespace

WrittenEquation EquationWriter::equation(const std::string& label, Expr e, const std::vector<Expr>& unknowns,
                                         const std::vector<Expr>& reactions, std::vector<Expr>& nonzero) {
  std::vector<Expr> all = unknowns;
  all.insert(all.end(), reactions.begin(), reactions.end());
  Simplifier::Equation found = in_steps_ ? Simplifier::in_order(prepared(e), all)
                                         : simplifier_.equation(prepared(e), all, velocities_, unknowns.size());
  if (in_steps_ && !found.rest.empty()) {
    const Expr rest = found.rest.front().coefficient;
    found.rest.clear();
    for (const Expr summand : summands_of(rest)) found.rest.push_back({summand, rest.context().one()});
  }
  if (in_quasi_velocities() && !are_links_alone() && !in_steps_) {
    // products with sums of quasi-velocities may be shorter than squares and products of these
    Simplifier::Equation other = simplifier_.equation(prepared(e), all, system_->motion.v, unknowns.size());
    if (length_on_paper(other) < length_on_paper(found)) found = std::move(other);
  }
  WrittenEquation result;
  result.label = label;
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
    const bool listed = std::find(nonzero.begin(), nonzero.end(), condition) != nonzero.end();
    if (!listed && !is_known_nonzero(condition)) nonzero.push_back(condition);
  }
  return result;
}

bool EquationWriter::is_known_nonzero(Expr condition) const {
  return never_zero(with_parameter_values(system_, condition));
}

void EquationWriter::complete(WrittenForm& form) {
  const auto gives_derivatives = [](const WrittenEquation& e) { return e.label == gives_gamma; };
  std::set<Expr> used;
  // what stands in lines of their own stands in what these are used by
  std::map<Expr, std::set<Expr>> in_lines;
  const auto derivatives_in = [&](std::span<const Expr> formulas) {
    std::set<Expr> symbols;
    for (const Expr s : free_symbols(formulas)) {
      if (s.name().starts_with("$gamma[") || s.name().starts_with("$alpha[")) symbols.insert(s);
      if (const auto line = in_lines.find(s); line != in_lines.end())
        symbols.insert(line->second.begin(), line->second.end());
    }
    return symbols;
  };
  for (const WrittenDefinition& line : form.where)
    in_lines[system_->context->symbol(line.symbol)] = derivatives_in(line.value);
  const auto symbols_in = [&](const WrittenEquation& e) {
    std::vector<Expr> all = e.left;
    all.insert(all.end(), e.right.begin(), e.right.end());
    return derivatives_in(all);
  };
  const auto use = [&](const WrittenEquation& e) {
    for (const Expr s : symbols_in(e)) used.insert(s);
  };
  for (const WrittenEquation& e : form.equations)
    if (!gives_derivatives(e)) use(e);
  const auto is_used = [&](const WrittenEquation& e) {
    return !gives_derivatives(e) || std::ranges::any_of(symbols_in(e), [&](Expr s) { return used.contains(s); });
  };
  for (std::size_t before = 0; before != used.size();) {
    before = used.size();
    for (const WrittenEquation& e : form.equations)
      if (is_used(e)) use(e);
  }
  std::erase_if(form.equations, [&](const WrittenEquation& e) { return !is_used(e); });
  if (form.step_by_step) leave_out_unused_lines(form);
  complete_conditions(form);
}

void EquationWriter::leave_out_unused_lines(WrittenForm& form) {
  std::set<Expr> used;
  for (const Expr* e : written_in(form))
    for (const Expr s : free_symbols(*e)) used.insert(s);
  for (std::size_t i = form.where.size(); i-- > 0;) {
    const WrittenDefinition& line = form.where[i];
    if (!used.contains(system_->context->symbol(line.symbol))) {
      form.where.erase(form.where.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    for (const Expr s : free_symbols(line.value)) used.insert(s);
  }
}

void EquationWriter::complete_conditions(WrittenForm& form) {
  if (form.equations.empty() || !form.families.empty()) return;
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& list) { all.insert(all.end(), list.begin(), list.end()); };
  for (const WrittenEquation& e : form.equations) {
    add(e.left);
    add(e.right);
  }
  for (const auto* lines : {&form.definitions, &form.where})
    for (const WrittenDefinition& d : *lines) add(d.value);
  const auto is_listed = [&](Expr e) {
    return std::ranges::any_of(form.nonzero,
                               [&](Expr condition) { return bare_condition(condition) == bare_condition(e); });
  };
  if (!names_) names_.emplace(system_);
  const auto length = [&](Expr e) { return length_on_paper(options_.expand ? e : (*names_)(e)); };
  std::set<Expr> divisors;
  for (const auto& [base, exponent] : negative_powers(all)) divisors.insert(bare_condition(base));
  const Expr unknown = system_->context->symbol("$quotient");
  for (const Expr divisor : divisors) {
    if (is_listed(divisor)) continue;
    const auto [known, first] = conditions_of_divisor_.try_emplace(divisor);
    std::vector<Expr>& factors = known->second;
    if (first && !is_known_nonzero(divisor)) {
      // written as other conditions are: by its factors, or as it stands where that is shorter
      factors = of_velocities_.equation(divisor * unknown, std::span(&unknown, 1), {}, 1).nonzero;
      if (factors.empty() || (factors.size() == 1 && length(divisor) <= length(factors.front()))) factors = {divisor};
    }
    for (const Expr factor : factors)
      if (!is_listed(factor)) form.nonzero.push_back(factor);
  }
  const auto [place, fresh] = independent_.try_emplace(form.nonzero);
  if (fresh) {
    place->second = independent_conditions(form.nonzero, length);
    std::erase_if(place->second, [&](Expr e) { return is_known_nonzero(e); });
  }
  form.nonzero = place->second;
}

std::size_t EquationWriter::reaction_count(const Simplifier::Equation& found, const std::vector<Expr>& reactions) {
  return static_cast<std::size_t>(std::count_if(found.unknowns.begin(), found.unknowns.end(), [&](const auto& s) {
    return std::find(reactions.begin(), reactions.end(), s.monomial) != reactions.end();
  }));
}

WrittenEquation EquationWriter::solved_for(Expr symbol, Expr e, std::vector<Expr>& nonzero) {
  WrittenEquation result = equation({}, e, {symbol}, {}, nonzero);
  for (std::size_t i = result.left.size(); i-- > 1;) {
    result.right.insert(result.right.begin(), -result.left[i]);
    result.left.erase(result.left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return result;
}

WrittenForm EquationWriter::titled(const Principle& principle) {
  WrittenForm result;
  result.name = principle.name;
  result.title = principle.title;
  return result;
}

WrittenForm EquationWriter::form(const Principle& principle) {
  WrittenForm result = titled(principle);
  try {
    // they contain α, of large systems beyond what is worth deriving
    const bool alpha_is_too_long = principle.state == FormState::independent_velocities && !alpha_is_readable_;
    if (alpha_is_too_long && (options_.expand || are_beyond_steps(*alpha_))) throw alpha_beyond_reading();
    Formulation derived = principle.derive(setting_);
    if (alpha_is_too_long && are_beyond_steps(expressions_of(derived))) throw alpha_beyond_reading();
    if (principle.state == FormState::independent_velocities && options_.expand && nothing_can_be_read(derived)) {
      throw Error(
          ErrorCode::not_applicable,
          "these equations have more than a hundred thousand symbols each and cannot be read; --form multipliers "
          "prints equations, and --format c, cpp, python, cuda or matlab writes code in these");
    }
    if (options_.eliminate && !derived.multipliers.empty()) {
      derived.equations = Form::maggi->derive(setting_).equations;
      derived.multipliers.clear();
      result.notes.emplace_back("the multipliers are eliminated by a basis of the admissible directions");
    }
    if (!write_by_lines(result, principle, derived)) write_shorter(result, principle, derived);
    if (derived.quasi) {
      shorten_by_other_velocities(principle, derived, result);
      write_quasi_by_steps(principle, derived, result);
    }
    if (derived.quasi && result.equations.empty()) {
      throw Error(
          ErrorCode::not_applicable,
          system_->quasi_velocities.empty()
              ? "no quasi-velocities were found in which these equations are short enough to be written; "
                "[quasi_velocities] of the model may give some. `run` and `eval` compute with the independent "
                "velocities"
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

void EquationWriter::shorten_by_other_velocities(const Principle& principle, const Formulation& derived,
                                                 WrittenForm& result) {
  if (!symmetry_) {
    // apart, so that what is looked at there does not change the order in which the rest is read
    Groundwork other = work_.copy();
    symmetry_ = symmetry(other.set(), other.terms());
  }
  const auto write = [&](const Formulation& found) {
    WrittenForm other = titled(principle);
    write_shorter(other, principle, found);
    if (result.equations.empty() || length(other) < length(result)) result = std::move(other);
  };
  // equations that divide by more hold at fewer states: they have to be half as long
  const auto conditions = [&](WrittenForm written) {
    complete(written);
    return written.nonzero.size();
  };
  std::optional<Formulation> in_place;
  const auto write_in_place = [&](const Formulation& found) {
    WrittenForm other = titled(principle);
    write_shorter(other, principle, found);
    if (!result.equations.empty()) {
      const double worth = conditions(other) > conditions(result) ? 2 : 1;
      if (worth * length(other) >= length(result)) return;
    }
    result = std::move(other);
    in_place = found;
  };
  const auto consider = [&](const Formulation& found) {
    if (!says_motion(found) || (says_motion(derived) && as_derived(found) >= as_derived(derived))) return;
    write(found);
    if (Formulation divided = found; let_velocities_stand(system_, of_velocities_, divided)) write(divided);
  };
  if (Formulation divided = derived; let_velocities_stand(system_, of_velocities_, divided)) write(divided);
  consider(with_velocities(derived));
  Setting turning = setting_;
  turning.symmetry = &*symmetry_;
  Formulation turned = principle.derive(turning);
  if (turned.quasi->turning) {
    turned.notes.push_back("velocities in axes that turn with " + system_->coordinates[*turned.quasi->turning] +
                           ": the system is the same under " + symmetry_->group);
    consider(turned);
    consider(with_velocities(std::move(turned)));
  }
  if (!system_->quasi_velocities.empty()) return;
  for (const BodyVelocities& velocities : velocities_of_bodies(setting_)) {
    turning.in_place = &velocities;
    Formulation of_body = principle.derive(turning);
    of_body.notes = {in_words(velocities)};
    // long as they are derived, since products with the matrix of the angles have to cancel
    if (says_motion(of_body)) write_in_place(of_body);
    if (const Formulation standing = with_velocities(std::move(of_body)); says_motion(standing))
      write_in_place(standing);
  }
  if (!in_place || !result.conserved.empty()) return;
  std::vector<Expr> symbols = system_->motion.v;
  symbols.insert(symbols.end(), in_place->quasi->u.begin(), in_place->quasi->u.end());
  for (const Expr momentum : momenta_of_symmetry(setting_, *symmetry_, *in_place))
    result.conserved.push_back(collected_by(prepared(momentum), symbols));
}

std::string EquationWriter::in_words(const BodyVelocities& velocities) const {
  const Body& body = system_->bodies[velocities.body];
  const std::string whose = body.name.empty() ? "body " + std::to_string(velocities.body + 1) : body.name;
  using Axes = BodyVelocities::Axes;
  const std::string axes = velocities.axes == Axes::body     ? "in its axes"
                           : velocities.axes == Axes::ground ? "in the axes of the ground"
                                                             : "in axes that follow it but do not spin with it";
  return "omega is the angular velocity of " + whose + ' ' + axes +
         "; `run` and `eval` take other velocities of the same motion";
}

void EquationWriter::write_quasi_by_steps(const Principle& principle, Formulation derived, WrittenForm& result) {
  if (options_.expand) return;
  if (result.equations.empty()) {  // they were too long to be made
    Setting all = setting_;
    all.longest_equations = std::numeric_limits<double>::infinity();
    derived = principle.derive(all);
  }
  if (!says_motion(derived) || as_derived(derived) <= shortest_in_steps) return;
  WrittenForm steps = by_steps(principle, derived);
  if (result.equations.empty() || length(steps) < length(result)) result = std::move(steps);
}

bool EquationWriter::are_links_alone() const {
  return !options_.expand && setting_.rank() == 0 && has_links(system_, system_->size());
}

bool EquationWriter::nothing_can_be_read(const Formulation& derived) {
  bool any = false;
  for (const Equation& e : derived.equations) {
    if (e.kind != Equation::Kind::motion) continue;
    if (!Simplifier::is_too_large(e.expression)) return false;
    any = true;
  }
  return any;
}

Formulation EquationWriter::with_velocities(Formulation derived) {
  derived.equations = std::move(derived.with_velocities);
  return derived;
}

bool EquationWriter::says_motion(const Formulation& derived) {
  return std::ranges::any_of(derived.equations,
                             [](const Equation& e) { return e.kind == Equation::Kind::quasi_motion; });
}

double EquationWriter::as_derived(const Formulation& derived) {
  double sum = 0;
  for (const Equation& e : derived.equations) sum += written_size(e.expression);
  for (const Expr e : derived.transpositional_formula.entries) sum += written_size(e);
  return sum;
}

double EquationWriter::length(WrittenForm form) {
  complete(form);
  if (!options_.expand && can_have_names(form)) {
    if (form.families.empty()) form.families = families_of(system_, form.equations);
    if (!form.families.empty()) return length_of_form(form);
    if (!names_) names_.emplace(system_);
    use_names(form, *names_);
  }
  finish(form);
  return form.length;
}

void EquationWriter::finish(WrittenForm& form) const {
  share_factors(system_, form);
  turn_signs(system_, work_.start().at.state, form);
  form.length = length_of_form(form);
}

bool EquationWriter::write_as_chain(WrittenForm& result, const Principle& principle, const Formulation& derived) {
  if (options_.budget >= effort_of_chains) return false;  // as everything is
  WrittenForm chain = result;
  {
    const Instead instead(simplifier_, of_chains_);
    fill(chain, principle, derived);
  }
  chain.families = families_of(system_, chain.equations);
  if (chain.families.empty()) return false;
  result = std::move(chain);
  return true;
}

void EquationWriter::write_shorter(WrittenForm& result, const Principle& principle, const Formulation& derived) {
  const bool links = !options_.expand && has_links(system_, derived.equations.size());
  if (links && multiplied_out_) {  // nothing has to be simplified to be alike
    WrittenForm chain = result;
    fill_in_steps(chain, principle, derived);
    chain.families = families_of(system_, chain.equations);
    if (!chain.families.empty()) {
      result = std::move(chain);
      return;
    }
  }
  if (links && write_as_chain(result, principle, derived)) return;
  const std::vector<std::size_t> conditions = fill(result, principle, derived);
  if (result.equations.empty()) return;
  if (links) result.families = families_of(system_, result.equations);
  if (!result.families.empty()) return;
  WrittenForm plain = titled(principle);
  {
    const Instead instead(simplifier_, plain_);
    fill(plain, principle, derived);
  }
  const std::size_t all = result.equations.size();
  std::optional<double> least;
  const WrittenForm written = std::move(result);
  for (const std::size_t count : std::set<std::size_t>{0, all / 2, all}) {
    if (count > conditions.size()) break;
    WrittenForm some = written;
    for (std::size_t i = count; i < all; ++i) some.equations[i] = plain.equations[i];
    some.nonzero.resize(count == 0 ? 0 : conditions[count - 1]);
    const double own = length(some);
    if (least && own > *least) continue;
    least = own;
    result = std::move(some);
  }
}

const std::optional<LinkLines>& EquationWriter::links() {
  if (!links_) links_ = link_lines(setting_, of_links_, [this](Expr e) { return prepared(e); });
  return *links_;
}

bool EquationWriter::says_what_multipliers_do(const Principle& principle, const Formulation& derived) const {
  return (principle.name == Form::multipliers->name || setting_.rank() == 0) && !options_.eliminate &&
         std::ranges::count(derived.equations, Equation::Kind::motion, &Equation::kind) ==
             static_cast<std::ptrdiff_t>(system_->size());
}

std::optional<Formulation> EquationWriter::in_links(const Principle& principle, const Formulation& derived,
                                                    const LinkLines& lines) {
  if (says_what_multipliers_do(principle, derived)) {
    Formulation links = derived;
    for (Equation& e : links.equations)
      if (e.kind == Equation::Kind::motion) e.expression = lines.motion[e.about];
    return links;
  }
  if (options_.eliminate) return std::nullopt;  // they are those of another form
  // what is free of constraints is asked for at other accelerations there
  if (std::ranges::find(derived.equations, Equation::Kind::free_motion, &Equation::kind) != derived.equations.end())
    return std::nullopt;
  Setting setting = setting_;
  setting.inertial = lines.motion;
  return principle.derive(setting);
}

bool EquationWriter::write_by_lines(WrittenForm& result, const Principle& principle, const Formulation& derived) {
  if (options_.expand || derived.quasi || as_derived(derived) <= longest_on_a_page) return false;
  const bool beyond_reading = std::ranges::any_of(derived.equations, [](const Equation& e) {
    return e.kind == Equation::Kind::motion && Simplifier::is_too_large(e.expression);
  });
  std::optional<WrittenForm> written_out;
  if (!beyond_reading || has_links(system_, derived.equations.size())) {
    const Instead instead(simplifier_, of_links_);
    written_out = titled(principle);
    write_shorter(*written_out, principle, derived);
  }
  const auto take = [&](WrittenForm form) {
    form.notes.insert(form.notes.begin(), result.notes.begin(), result.notes.end());
    result = std::move(form);
  };
  // with the effort of links or a greater one they are what they would be
  const auto as_written_out = [&] {
    if (!written_out || options_.budget < effort_of_chains || !of_links_.sufficient()) return false;
    take(std::move(*written_out));
    return true;
  };
  if (written_out && !written_out->families.empty()) return as_written_out();
  std::optional<WrittenForm> links = by_links(principle, derived);
  WrittenForm by_lines = links ? std::move(*links) : by_steps(principle, derived);
  if (written_out && length(by_lines) > by_lines_must_shorten_to * length(*written_out)) return as_written_out();
  take(std::move(by_lines));
  return true;
}

void EquationWriter::fill_in_steps(WrittenForm& result, const Principle& principle, const Formulation& derived) {
  const Instead instead(simplifier_, plain_);
  const While in_steps(in_steps_, true);
  fill(result, principle, derived);
}

WrittenForm EquationWriter::by_steps(const Principle& principle, const Formulation& derived) {
  WrittenForm result = titled(principle);
  fill_in_steps(result, principle, derived);
  name_steps_of(result);
  result.notes.emplace_back(
      "written out these equations are beyond reading: what recurs in them has lines of its own, each by those before "
      "it. --expand writes them out, --format c, cpp, python, cuda or matlab writes code");
  return result;
}

std::vector<Expr*> EquationWriter::written_in(WrittenForm& form) {
  std::vector<Expr*> formulas;
  const auto add = [&](std::vector<Expr>& list) {
    for (Expr& e : list) formulas.push_back(&e);
  };
  for (auto* lines : {&form.definitions, &form.transpositional})
    for (WrittenDefinition& line : *lines) add(line.value);
  if (form.minimise) add(form.minimise->left);
  for (auto* equations : {&form.equations, &form.constraints}) {
    for (WrittenEquation& e : *equations) {
      add(e.left);
      add(e.right);
    }
  }
  add(form.nonzero);
  return formulas;
}

void EquationWriter::name_steps_of(WrittenForm& form) {
  // the Lagrangian may be written with the names of links
  std::vector<WrittenDefinition> taken;
  if (links()) {
    for (const auto* lines : {&(**links_).velocities, &(**links_).others})
      taken.insert(taken.end(), lines->begin(), lines->end());
  }
  const std::vector<WrittenDefinition> lines = name_steps(system_, written_in(form), form.where, taken, of_links_);
  form.where.insert(form.where.end(), lines.begin(), lines.end());
  form.step_by_step = true;
}

std::optional<WrittenForm> EquationWriter::by_links(const Principle& principle, const Formulation& derived) {
  if (!links()) return std::nullopt;
  LinkLines lines = **links_;
  if (!says_what_multipliers_do(principle, derived)) {
    std::vector<Expr> reactions;
    for (const std::size_t row : setting_.rows)
      reactions.push_back(system_->context->symbol("$lambda" + std::to_string(row + 1)));
    lines = without(std::move(lines), reactions);
  }
  const std::optional<Formulation> links = in_links(principle, derived, lines);
  if (!links || as_derived(*links) == as_derived(derived)) return std::nullopt;
  WrittenForm result = titled(principle);
  {
    const While in_lines(in_lines_, static_cast<const LinkLines*>(&lines));
    if (as_derived(*links) > longest_on_a_page) {
      fill_in_steps(result, principle, *links);
    } else {
      const Instead instead(simplifier_, of_links_);
      fill(result, principle, *links);
    }
  }
  result.where = lines.velocities;
  result.where.insert(result.where.end(), lines.others.begin(), lines.others.end());
  result.link_by_link = true;
  name_steps_of(result);
  result.notes.emplace_back(
      "written out these equations are beyond reading: here the velocities that bodies share go up from one to the "
      "next, forces down again. "
      "--expand writes them out, --format c, cpp, python, cuda or matlab writes code");
  return result;
}

std::vector<std::size_t> EquationWriter::fill(WrittenForm& result, const Principle& principle,
                                              const Formulation& derived) {
  std::vector<std::size_t> conditions;
  const auto count_conditions = [&] {
    if (simplifier_.sufficient() && conditions.size() < result.equations.size())
      conditions.push_back(result.nonzero.size());
  };
  const bool independent = principle.state == FormState::independent_velocities;
  result.state = derived.state;
  result.notes.insert(result.notes.end(), derived.notes.begin(), derived.notes.end());
  std::vector<Expr> reactions;
  for (const Expr s : free_symbols(expressions_of(derived))) {
    if (s.name().starts_with("$lambda") || s.name().starts_with("$mu")) reactions.push_back(s);
  }
  // lambda2 before lambda10
  std::sort(reactions.begin(), reactions.end(),
            [](Expr a, Expr b) { return std::pair(a.name().size(), a.name()) < std::pair(b.name().size(), b.name()); });
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
  if (in_lines_) velocities_.insert(velocities_.end(), in_lines_->w.begin(), in_lines_->w.end());
  std::vector<Expr> sought = unknowns;
  if (in_lines_) sought.insert(sought.begin(), in_lines_->inertial.begin(), in_lines_->inertial.end());
  result.unknowns = unknowns;
  result.unknowns.insert(result.unknowns.end(), reactions.begin(), reactions.end());
  if (independent) explicit_part(result, principle);

  // derivatives of dependent velocities by their names, with what gives them
  const bool gamma_stands = in_lines_ && !independent;
  std::vector<Replacement> gamma = gamma_stands ? std::vector<Replacement>() : known_gamma();
  if (independent)
    for (const Replacement& zero : vanishing_jets()) gamma.push_back(zero);
  for (const Equation& e : derived.equations) {
    count_conditions();
    const std::string name = label(system_, derived.quasi, e);
    switch (e.kind) {
      case Equation::Kind::least:
        // the effort is for the equations, and where it is too long to be read there is none
        result.minimise = WrittenEquation{
            name,
            {can_be_read(e.expression) ? of_velocities_.simplify(prepared(e.expression)) : prepared(e.expression)},
            {}};
        break;
      case Equation::Kind::constraint: {
        // on velocities as the model has it; on accelerations it is derived
        const Expr given = prepared(e.expression);
        const bool derived_here = depends_on(given, system_->motion.a);
        result.constraints.push_back({name, derived_here ? collected_by(given) : std::vector<Expr>{given}, {}});
        break;
      }
      case Equation::Kind::velocity:  // v − N u − n₀ = 0
        result.equations.push_back(solved_for(system_->motion.v[e.about], e.expression, result.nonzero));
        if (are_links_alone()) result.equations.back().label = name;
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
        std::vector<Expr> free;
        for (const std::string& q : system_->coordinates) free.push_back(system_->context->symbol("$free_" + q + "''"));
        result.equations.push_back(equation(name, e.expression, free, {}, result.nonzero));
        break;
      }
      case Equation::Kind::derivatives:
        if (alpha_ && !gamma_stands) break;  // known in closed form and inserted
        [[fallthrough]];
      case Equation::Kind::motion:
      case Equation::Kind::quasi_motion:
      case Equation::Kind::weights: {
        Expr inserted = substitute(e.expression, gamma);
        if (independent && alpha_) inserted = substitute(inserted, in_alpha_);
        result.equations.push_back(equation(name, inserted, sought, reactions, result.nonzero));
        if (e.kind != Equation::Kind::quasi_motion) break;
        if (const auto momentum = conserved_momentum(system_, derived, e.expression))
          result.conserved.push_back(collected_by(prepared(*momentum), velocities_));
        break;
      }
    }
  }
  count_conditions();
  if (independent) {
    implicit_part(result, derived);
    while (simplifier_.sufficient() && conditions.size() < result.equations.size())
      conditions.push_back(result.nonzero.size());
  } else if ((!alpha_ || gamma_stands) && std::ranges::find(derived.equations, Equation::Kind::derivatives,
                                                            &Equation::kind) != derived.equations.end()) {
    result.notes.emplace_back("gamma[y,x] stands for the derivative of y' by x'; the last equations of motion give it");
  }
  transpositional(result, derived.transpositional_formula);
  return conditions;
}

std::vector<Replacement> EquationWriter::known_gamma() const {
  std::vector<Replacement> list;
  if (!alpha_) return list;
  std::vector<Expr> independent;
  for (const std::size_t r : setting_.independent) independent.push_back(system_->motion.v[r]);
  const Matrix gamma = jacobian(*alpha_, independent);
  for (std::size_t v = 0; v < setting_.rank(); ++v) {
    for (std::size_t r = 0; r < setting_.independent.size(); ++r) {
      const std::string name = "$gamma[" + system_->coordinates[setting_.dependent[v]] + "," +
                               system_->coordinates[setting_.independent[r]] + "]";
      list.emplace_back(system_->context->symbol(name), gamma(v, r));
    }
  }
  return list;
}

std::vector<Expr> EquationWriter::expressions_of(const Formulation& derived) {
  std::vector<Expr> list;
  for (const Equation& e : derived.equations) list.push_back(e.expression);
  return list;
}

}  // namespace cetaev
