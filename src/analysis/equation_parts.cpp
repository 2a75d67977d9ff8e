// What stands beside the equations of a form.
#include <algorithm>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/voronec_terms.hpp"
#include "cetaev/energy/energies.hpp"
#include "displacements.hpp"
#include "equation_writer.hpp"
#include "where_names.hpp"

namespace cetaev {

namespace {

// Nodes of the graph of an entry of a matrix: a page, whatever names it is written with.
constexpr std::size_t most_nodes_of_entry = 4000;
// Entries of matrices are many, and those of more nodes are not read.
constexpr double longest_entry = 400;

// What stands before the equations is read by its velocities. As it was given it must be a fifth shorter, as one fraction is beside two.
constexpr double given_beside_collected = 0.8;

}  // namespace

void EquationWriter::explicit_part(WrittenForm& result, const Principle& principle) {
  using Of = WrittenDefinition::Kind;
  if (setting_.rank() == 0) return;
  if (!alpha_) {
    result.notes.emplace_back(
        "the dependent velocities have no closed form here: gamma[y,x] stands for the derivative of y' by x', "
        "alpha[y]_x for "
        "that by x; the last equations of motion give them");
    return;
  }
  for (std::size_t v = 0; v < setting_.rank(); ++v) {
    const std::string& name = system_->coordinates[setting_.dependent[v]];
    result.definitions.push_back({Of::velocity, name + "'", {}, collected(prepared((*alpha_)[v])), ""});
  }
  if (principle.reduced_lagrangian) {
    result.definitions.push_back(
        {Of::reduced, "L*", {}, collected(substitute(prepared(system_->lagrangian), in_alpha())), ""});
  }
  if (!principle.nonholonomic_terms) return;
  const VoronecTerms voronec(setting_, setting_.jets());
  for (std::size_t v = 0; v < setting_.rank(); ++v) {
    for (std::size_t r = 0; r < setting_.independent.size(); ++r) {
      const Expr B = of_velocities_.simplify(substitute(prepared(voronec.B(v, r)), in_alpha()));
      result.definitions.push_back(
          {Of::nonholonomic,
           "B",
           {system_->coordinates[setting_.dependent[v]], system_->coordinates[setting_.independent[r]]},
           {B},
           ""});
    }
  }
}

std::vector<Replacement> EquationWriter::vanishing_jets() const {
  std::vector<Replacement> list;
  if (alpha_ || setting_.rank() == 0) return list;
  for (const LinearBlock& block : setting_.jets().blocks) {
    for (std::size_t c = 0; c < block.right.columns; ++c) {
      bool nothing = true;
      for (std::size_t i = 0; i < block.right.rows && nothing; ++i)
        nothing = substitute(block.right(i, c), list).is_zero();
      for (std::size_t v = 0; v < block.matrix.columns && nothing; ++v)
        list.emplace_back(block.unknown(v, c), system_->context->zero());
    }
  }
  return list;
}

void EquationWriter::implicit_part(WrittenForm& result, const Formulation& derived) {
  if (alpha_ || setting_.rank() == 0) return;
  const std::vector<Replacement> vanishing = vanishing_jets();
  std::vector<Expr> used;
  for (const Expr e : expressions_of(derived))
    for (const Expr s : free_symbols(substitute(e, vanishing))) used.push_back(s);
  std::vector<std::pair<std::vector<Expr>, std::vector<Expr>>> lines;  // equations and what they are for
  const std::vector<LinearBlock>& blocks = setting_.jets().blocks;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    for (std::size_t c = 0; c < block->right.columns; ++c) {
      std::vector<Expr> unknowns, equations;
      for (std::size_t v = 0; v < block->matrix.columns; ++v) unknowns.push_back(block->unknown(v, c));
      if (std::ranges::none_of(unknowns, [&](Expr u) { return std::ranges::find(used, u) != used.end(); })) continue;
      for (std::size_t i = 0; i < block->matrix.rows; ++i) {
        std::vector<Expr> terms = {-block->right(i, c)};
        for (std::size_t v = 0; v < unknowns.size(); ++v) terms.push_back(block->matrix(i, v) * unknowns[v]);
        equations.push_back(substitute(system_->context->sum(terms), vanishing));
      }
      const std::vector<Expr> inside = free_symbols(equations);
      used.insert(used.end(), inside.begin(), inside.end());
      lines.emplace_back(std::move(equations), std::move(unknowns));
    }
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    for (const Expr e : line->first) result.equations.push_back(equation("gamma", e, line->second, {}, result.nonzero));
}

std::vector<Replacement> EquationWriter::in_alpha() const {
  std::vector<Replacement> list;
  for (const auto& [v, e] : in_alpha_) list.emplace_back(v, prepared(e));
  return list;
}

void EquationWriter::transpositional(WrittenForm& result, const Matrix& A) {
  const auto is_endless = [](Expr e) { return topological(std::span(&e, 1)).size() > most_nodes_of_entry; };
  if (!options_.expand && std::ranges::any_of(A.entries, is_endless)) {
    result.notes.emplace_back(
        "the transpositional relations delta(q') - (delta q)' = A delta q are too long to be written solved: W A = "
        "Omega, and --show W,Omega writes these");
    return;
  }
  std::vector<std::string> vanishing;
  for (std::size_t i = 0; i < A.rows; ++i) {
    std::vector<Expr> entries;
    for (std::size_t j = 0; j < A.columns; ++j) {
      const Expr given = prepared(A(i, j));
      // entries of matrices are many, and long ones are not read
      entries.push_back(written_size(given) < longest_entry ? of_velocities_.simplify(given) : given);
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

WrittenObject EquationWriter::written(PaperObject object) {
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

std::vector<Expr> EquationWriter::collected_by(Expr e) {
  std::vector<Expr> symbols = system_->motion.a;
  for (const Expr s : free_symbols(e)) {
    if (s.name().starts_with("$lambda")) symbols.push_back(s);
  }
  symbols.insert(symbols.end(), system_->motion.v.begin(), system_->motion.v.end());
  return collected_by(e, symbols);
}

std::vector<Expr> EquationWriter::collected_by(Expr e, std::span<const Expr> symbols) {
  std::vector<Expr> list;
  for (const auto& summand : of_velocities_.collect(e, symbols)) list.push_back(summand.expr());
  if (list.size() == 1) list = summands_of(list.front());
  std::vector<Expr> given = summands_of(with_whole_sums(e));
  return length_of_summands(given) < given_beside_collected * length_of_summands(list) ? given : list;
}

std::vector<Expr> EquationWriter::lagrangian() {
  if (multiplied_out_) return summands_of(prepared(*multiplied_out_));
  const Expr given = prepared(system_->lagrangian);
  std::vector<Expr> list, at_rest;
  for (const auto& summand : of_velocities_.collect(given, system_->motion.v))
    (depends_on(summand.expr(), system_->motion.v) ? list : at_rest).push_back(summand.expr());
  // the potential may be shorter as it was given: k (r − b)²/2
  std::vector<Replacement> rest;
  for (const Expr v : system_->motion.v) rest.emplace_back(v, system_->context->zero());
  if (std::ranges::all_of(list, [&](Expr e) { return substitute(e, rest).is_zero(); })) {
    std::vector<Expr> potential = summands_of(substitute(given, rest));
    if (length_of_summands(potential) < length_of_summands(at_rest)) at_rest = std::move(potential);
  }
  list.insert(list.end(), at_rest.begin(), at_rest.end());
  return list;
}

std::vector<WrittenDefinition> EquationWriter::energy() {
  using Of = WrittenDefinition::Kind;
  std::vector<WrittenDefinition> list;
  const EnergyTerms terms(setting_);
  std::vector<Replacement> lambda;
  for (std::size_t i = 0; i < terms.lambda.size(); ++i) {
    lambda.emplace_back(terms.lambda[i], system_->context->symbol("$lambda" + std::to_string(i + 1)));
  }
  const auto balance = [&](const std::vector<BalanceTerm>& all, std::span<const Replacement> insert) {
    for (const BalanceTerm& term : all) {
      list.push_back(
          {Of::energy, term.formula, {}, collected(substitute(prepared(term.expression), insert)), term.meaning});
    }
  };
  const auto sum = [](const std::vector<BalanceTerm>& all) {
    std::string text;
    for (const BalanceTerm& term : all) text += (text.empty() ? "" : " + ") + term.formula;
    return text;
  };
  // each summand by itself, as the Lagrangian has them: of many links these are alike
  const auto by_summands = [&] {
    std::vector<Expr> result;
    for (const Expr e : lagrangian()) {
      std::vector<Expr> parts = {-e};
      for (const Expr v : system_->motion.v)
        if (depends_on(e, std::span(&v, 1))) parts.push_back(v * derivative(e, v));
      if (const Expr energy = system_->context->sum(parts); !energy.is_zero()) result.push_back(energy);
    }
    return result;
  };
  list.push_back({Of::energy, "E", {}, multiplied_out_ ? by_summands() : collected(prepared(terms.E)), ""});
  if (!options_.expand) list.back().in_sums = sums_over_indices(system_, by_summands());
  list.push_back({Of::energy, "E'", {}, {}, sum(terms.balance)});
  balance(terms.balance, lambda);
  if (!terms.reduced || setting_.rank() == 0 || beyond_reading()) return list;
  const EnergyTerms::Reduced& r = *terms.reduced;
  for (std::size_t v = 0; v < setting_.rank() && alpha_; ++v) {
    const std::string& name = system_->coordinates[setting_.dependent[v]];
    list.push_back({Of::velocity, name + "'", {}, collected(prepared((*alpha_)[v])), ""});
    list.push_back({Of::energy, "alphabar", {name}, collected(substitute(prepared(r.alpha_bar[v]), in_alpha())), ""});
  }
  list.push_back({Of::energy, "E*", {}, collected(substitute(prepared(r.E), in_alpha())), ""});
  list.push_back({Of::energy, "E* - E", {}, collected(substitute(prepared(r.E_by_excess - terms.E), in_alpha())), ""});
  list.push_back({Of::energy, "E*'", {}, {}, sum(r.balance)});
  balance(r.balance, in_alpha());
  return list;
}

}  // namespace cetaev
