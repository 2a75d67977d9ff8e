#include "cetaev/report/derive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cetaev/algebra/normal.hpp"
#include "cetaev/constraint/describe.hpp"
#include "cetaev/energy/energies.hpp"
#include "cetaev/formulation/evaluation.hpp"

namespace cetaev {

namespace {

// Shared parts are printed wherever they occur; beyond this many symbols a formula is of no use to a reader.
constexpr double longest_formula = 4000;
constexpr double longest_to_simplify = 300;

// Symbols made by the program carry a $ that no model can write; a reader need not see it.
std::string without_marks(std::string text) {
  std::erase(text, '$');
  return text;
}

std::string formula(Expr e) {
  const double size = written_size(e);
  if (size > longest_formula) return fmt::format("(too long to print: about {:.0e} symbols)", size);
  std::string text = to_string(e);
  if (size < longest_to_simplify) {
    try {
      const std::string simple = to_string(normal(e));
      if (simple.size() < text.size()) text = simple;
    } catch (const Error&) {
      // undefined somewhere; it is printed as it stands
    }
  }
  return without_marks(std::move(text));
}

std::string names_of(const System& system, const std::vector<std::size_t>& which, const char* mark) {
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back(system.coordinates[i] + mark);
  return names.empty() ? "none" : enumerate(names);
}

class Writer {
 public:
  Writer(const System& system, const Setting& setting, const std::optional<std::vector<Expr>>& alpha)
      : system_(system), s_(setting), alpha_(alpha) {
    if (alpha_) {
      for (std::size_t v = 0; v < s_.rank(); ++v)
        in_alpha_.emplace_back(system.motion.v[s_.dependent[v]], (*alpha_)[v]);
    }
  }

  void heading(const Principle& principle) { text_ += fmt::format("\n{}: {}\n", principle.name, principle.title); }

  void form(const Principle& principle) {
    const Formulation form = principle.derive(s_);
    const bool independent = principle.name == "voronec" || principle.name == "caplygin" ||
                             principle.name == "appell" || principle.name == "reduced";
    line("state: " + form.state);
    line("unknowns: " + (principle.name == "hamel" ? quasi_unknowns(form) : unknowns(form, independent)));
    if (independent) explicit_part(principle.name);
    for (const std::string& note : form.notes) line("note: " + note);
    for (const Equation& equation : form.equations) {
      if (equation.label == "least") {
        line("minimise");
        line("  " + formula(equation.expression));
        line("subject to");
        continue;
      }
      const bool constraint = equation.label.starts_with("constraint");
      const Expr e =
          independent && alpha_ && !constraint ? substitute(equation.expression, in_alpha_) : equation.expression;
      line("  " + formula(e) + " = 0");
    }
    transpositional_part(form.transpositional_formula);
  }

  // E, E* and what changes them, [T1] (18)–(22)
  void energy() {
    const EnergyTerms terms(s_);
    text_ += "\nenergy: E = v dL/dv - L and its rate along the motions of d'Alembert-Lagrange\n";
    std::vector<Replacement> lambda;
    for (std::size_t i = 0; i < terms.lambda.size(); ++i) {
      lambda.emplace_back(terms.lambda[i], system_.context->symbol("$lambda" + std::to_string(i + 1)));
    }
    line("E = " + formula(terms.E));
    balance("E'", terms.balance, lambda);
    if (!terms.reduced) {
      line("there is no E*: the constraints have no dependent velocities to eliminate");
      return;
    }
    if (s_.rank() == 0) return;
    const EnergyTerms::Reduced& r = *terms.reduced;
    for (std::size_t v = 0; v < s_.rank() && alpha_; ++v) {
      const std::string& name = system_.coordinates[s_.dependent[v]];
      line("alpha: " + name + "' = " + formula((*alpha_)[v]));
      line("alphabar[" + name + "] = " + formula(substitute(r.alpha_bar[v], in_alpha_)));
    }
    line("E* = " + formula(substitute(r.E, in_alpha_)));
    line("E* - E = sum (alphabar - alpha) p = " + formula(substitute(r.E_by_excess - terms.E, in_alpha_)));
    balance("E*'", r.balance, in_alpha_);
  }

  void refusal(const Error& error) {
    line(fmt::format("does not apply: {} ({})", error.message(), to_string(error.code())));
  }

  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  std::string take() { return std::move(text_); }

 private:
  // name = sum of the terms, each on a line of its own
  void balance(const std::string& name, const std::vector<BalanceTerm>& terms, std::span<const Replacement> insert) {
    std::string sum;
    for (const BalanceTerm& term : terms) sum += (sum.empty() ? "" : " + ") + term.formula;
    line(name + " = " + sum);
    for (const BalanceTerm& term : terms) {
      line("  " + term.formula + " = " + formula(substitute(term.expression, insert)) + "   (" + term.meaning + ")");
    }
  }

  std::string unknowns(const Formulation& form, bool independent) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < system_.size(); ++i) {
      const bool is_independent = std::find(s_.independent.begin(), s_.independent.end(), i) != s_.independent.end();
      if (!independent || is_independent) names.push_back(system_.coordinates[i] + "''");
    }
    const char* mark = form.lambda_dot.empty() ? "" : "'";
    if (!form.multipliers.empty() || !form.lambda_dot.empty()) {
      for (const std::size_t i : s_.rows) names.push_back("lambda" + std::to_string(i + 1) + mark);
    }
    return names.empty() ? "none" : enumerate(names);
  }

  // δ(q̇) − Dₜ(δq) = A δq: the entries of A that are not zero
  void transpositional_part(const Matrix& A) {
    if (A.entries.empty()) return;
    std::vector<std::string> vanishing;
    line("transpositional relations, delta(q') - (delta q)' = A delta q:");
    for (std::size_t i = 0; i < A.rows; ++i) {
      std::string row;
      for (std::size_t j = 0; j < A.columns; ++j) {
        const std::string entry = formula(A(i, j));
        if (entry == "0") continue;
        row += (row.empty() ? "" : " + ") + fmt::format("({})*delta {}", entry, system_.coordinates[j]);
      }
      if (row.empty()) {
        vanishing.push_back(system_.coordinates[i]);
      } else {
        line("  " + system_.coordinates[i] + ": " + row);
      }
    }
    if (!vanishing.empty()) line("  zero for " + enumerate(vanishing));
  }

  // u' for every quasi-velocity that has an equation
  static std::string quasi_unknowns(const Formulation& form) {
    std::vector<std::string> names;
    for (const Equation& e : form.equations) {
      if (e.label != "velocity" && e.label != "definition" && !e.label.starts_with("constraint"))
        names.push_back(e.label + "'");
    }
    return names.empty() ? "the accelerations" : enumerate(names);
  }

  // α, L* and B, which these equations are about
  void explicit_part(std::string_view form) {
    if (s_.rank() == 0) return;
    if (!alpha_) {
      line("the dependent velocities " + names_of(system_, s_.dependent, "'") +
           " have no closed form here; alpha[y] stands for them, gamma[y,x] for their derivatives by independent "
           "velocities,");
      line("defined by the constraints");
      return;
    }
    for (std::size_t v = 0; v < s_.rank(); ++v)
      line("alpha: " + system_.coordinates[s_.dependent[v]] + "' = " + formula((*alpha_)[v]));
    if (form == "appell") return;
    line("L* = " + formula(substitute(system_.lagrangian, in_alpha_)));
    if (form == "reduced") return;
    const Jets& jets = s_.jets();
    for (std::size_t v = 0; v < s_.rank(); ++v) {
      for (std::size_t r = 0; r < s_.independent.size(); ++r) {
        // B_r^ν = Dₜγ_νr − ∂α_ν/∂q_r − Σ_μ γ_μr ∂α_ν/∂q_{m+μ}
        std::vector<Expr> terms = {jets.gamma_drift(v, r), -jets.by_position(v, s_.independent[r])};
        for (std::size_t d = 0; d < s_.independent.size(); ++d) {
          terms.push_back(jets.gamma_by_velocity[d](v, r) * system_.motion.a[s_.independent[d]]);
        }
        for (std::size_t u = 0; u < s_.rank(); ++u)
          terms.push_back(-(jets.gamma(u, r) * jets.by_position(v, s_.dependent[u])));
        line(fmt::format("B[{},{}] = {}", system_.coordinates[s_.dependent[v]], system_.coordinates[s_.independent[r]],
                         formula(substitute(system_.context->sum(terms), in_alpha_))));
      }
    }
  }

  const System& system_;
  const Setting& s_;
  const std::optional<std::vector<Expr>>& alpha_;
  std::vector<Replacement> in_alpha_;
  std::string text_;
};

}  // namespace

DerivedText derive_text(const System& system, const DeriveOptions& options) {
  const std::vector<std::string>& forms = options.forms;
  const Terms terms(system);
  Admissible admissible(system);
  const Start start = starting_state(system, terms, admissible);
  Setting setting = setting_at(system, terms, admissible, start.at);
  setting.with_equations = true;
  std::optional<std::vector<Expr>> alpha;
  try {
    alpha = setting.closed_form(start.at.state);
    if (alpha) setting.use_explicit(*alpha);
  } catch (const Error&) {
    alpha.reset();  // constraints on accelerations: there is no α
  }

  DerivedText result;
  Writer writer(system, setting, alpha);
  writer.line("coordinates " +
              names_of(
                  system,
                  [&] {
                    std::vector<std::size_t> all(system.size());
                    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
                    return all;
                  }(),
                  "") +
              "; dependent velocities " + names_of(system, setting.dependent, "'"));
  writer.line("L = " + formula(system.lagrangian));
  if (setting.rows.size() < system.constraints.size()) {
    writer.line("redundant constraints: used are " + describe_rows(system, setting.rows));
  }
  if (start.generic)
    writer.line("the initial state is singular; dependent velocities and branches are those of a generic state");

  if (options.energy) writer.energy();
  for (const Principle& principle : principles()) {
    if (forms.empty() && options.energy) break;
    const bool named = std::find(forms.begin(), forms.end(), principle.name) != forms.end();
    if (!forms.empty() && !named) continue;
    writer.heading(principle);
    try {
      writer.form(principle);
    } catch (const Error& error) {
      writer.refusal(error);
      if (named && !result.failure) result.failure = error;
    }
  }
  result.text = system.name + "\n" + writer.take();
  return result;
}

}  // namespace cetaev
