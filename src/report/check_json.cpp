#include "cetaev/report/check.hpp"
#include "json_values.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

Json names_json(const System& system, const std::vector<std::size_t>& which) {
  Json list = Json::array();
  for (const std::size_t i : which) list.push_back(system->coordinates[i]);
  return list;
}

Json constraints_json(const System& system, const Check& check) {
  Json list = Json::array();
  for (std::size_t i = 0; i < system->constraints.size(); ++i) {
    const Constraint& constraint = system->constraints[i];
    const ConstraintKind& kind = check.classification.constraints[i];
    Json entry;
    entry["text"] = constraint.text;
    if (constraint.component >= 0) entry["component"] = component_name(constraint.component);
    entry["order"] = kind.order;
    entry["linearity"] = word(kind.linearity);
    entry["degree"] = degree(kind.degree);
    entry["rheonomic"] = kind.rheonomic;
    list.push_back(entry);
  }
  return list;
}

Json set_json(const System& system, const Check& check) {
  const Classification& classification = check.classification;
  Json set;
  set["rank"] = classification.rank;
  if (classification.rank_at_state) set["rank_at_state"] = *classification.rank_at_state;
  set["redundant"] = classification.redundant;
  set["degrees_of_freedom"] = classification.degrees_of_freedom;
  if (!classification.regular) set["regular"] = false;

  for (const OnSet::RankThere& piece : check.ranks)
    set["pieces"].push_back(Json{{"where", piece.where}, {"rank", piece.rank}});
  if (!check.branches.empty()) {
    set["branches"] = Json::array();
    for (const Check::Branch& branch : check.branches) {
      Json entry;
      entry["equations"] = Json::array();
      for (const Expr e : branch.equations) entry["equations"].push_back(to_string(e) + " = 0");
      entry["conic"] = truth(branch.conic);
      entry["conic_ground"] = ground(system, branch.conic);
      entry["energy_conserved"] = truth(branch.conserved);
      entry["energy_ground"] = ground(system, branch.conserved);
      entry["integrable"] = branch.integrability.decided ? Json(branch.integrability.integrable) : Json(nullptr);
      entry["integrals_found"] = Json::array();
      for (const FoundIntegral& integral : branch.integrability.integrals)
        entry["integrals_found"].push_back(to_string(integral.expression));
      set["branches"].push_back(std::move(entry));
    }
    set["branches_complete"] = check.branches_complete;
  }
  for (const std::vector<Expr>& equations : check.lower_order) {
    Json entry = Json::array();
    for (const Expr e : equations) entry.push_back(to_string(e) + " = 0");
    set["lower_order"].push_back(std::move(entry));
  }
  const Homogeneity& homogeneity = check.homogeneity;
  set["conic"] = truth(homogeneity.conic);
  set["conic_ground"] = ground(system, homogeneity.conic);
  if (homogeneity.conic.fails()) set["conic_witness"] = witness(system, homogeneity.conic);
  set["homogeneous_functions"] = homogeneity.functions;
  if (!homogeneity.rewritten.empty()) {
    set["rewritten"] = Json::array();
    for (const Expr e : homogeneity.rewritten) set["rewritten"].push_back(to_string(e) + " = 0");
  }

  const Integrability& integrability = check.integrability;
  set["holonomic_integrals"] = integrability.decided ? Json(integrability.hidden) : Json(nullptr);
  Json found = Json::array();
  for (const FoundIntegral& integral : integrability.integrals) {
    found.push_back(Json{{"expression", to_string(integral.expression)}, {"ground", ground(system, integral.finding)}});
    for (const Expr u : integral.jumps) found.back()["jumps_where_zero"].push_back(to_string(u));
  }
  set["integrals_found"] = found;
  // a set that is linear in disguise has a growth vector, but its functions are nonlinear
  set["growth"] = integrability.growth && integrability.linear_rows ? Json(*integrability.growth) : Json(nullptr);
  if (integrability.growth_at_state && integrability.linear_rows)
    set["growth_at_state"] = *integrability.growth_at_state;
  set["integrable"] = integrability.decided ? Json(integrability.integrable) : Json(nullptr);
  set["integrable_ground"] = integrability.ground;

  const CaplyginType& caplygin = check.caplygin;
  set["caplygin"] = caplygin.in_use;
  set["caplygin_for"] = Json::array();
  for (const auto& choice : caplygin.choices) set["caplygin_for"].push_back(names_json(system, choice));
  if (caplygin.more) set["caplygin_for_complete"] = false;
  if (!caplygin.obstacle.empty()) set["caplygin_obstacle"] = caplygin.obstacle;
  Json ignorable = Json::array();
  Json obstacles = Json::object();
  for (std::size_t i = 0; i < system->size(); ++i) {
    const CaplyginType::Coordinate& coordinate = caplygin.coordinates[i];
    if (coordinate.ignorable.holds()) {
      ignorable.push_back(system->coordinates[i]);
    } else {
      obstacles[system->coordinates[i]] = coordinate.obstacle;
    }
  }
  set["ignorable"] = ignorable;
  set["not_ignorable"] = obstacles;
  set["dependent"] = names_json(system, check.dependent);
  return set;
}

Json terms_json(const System& system, const std::vector<EnergyVerdict::Term>& terms) {
  Json list = Json::array();
  for (const EnergyVerdict::Term& term : terms) {
    list.push_back(Json{{"term", term.formula},
                        {"meaning", term.meaning},
                        {"zero", truth(term.zero)},
                        {"ground", ground(system, term.zero)}});
  }
  return list;
}

Json energy_json(const System& system, const EnergyVerdict& energy) {
  Json object;
  object["conserved"] = truth(energy.conserved);
  object["because"] = energy.because;
  object["ground"] = ground(system, energy.conserved);
  if (energy.conserved.fails()) object["witness"] = witness(system, energy.conserved);
  object["jacobi"] = energy.jacobi;
  object["E_star_is_E"] = energy.same;
  if (energy.star_conserved) {
    object["E_star_conserved"] = truth(*energy.star_conserved);
    object["E_star_because"] = energy.star_because;
    object["E_star_ground"] = ground(system, *energy.star_conserved);
  }
  object["balance"] = terms_json(system, energy.terms);
  if (!energy.star_terms.empty()) object["E_star_balance"] = terms_json(system, energy.star_terms);
  return object;
}

Json integrals_json(const System& system, const Check& check) {
  Json list = Json::array();
  for (const LinearIntegral& integral : check.first_integrals) {
    Json entry;
    entry["expression"] = to_string(integral.integral);
    entry["field"] = Json::object();
    for (std::size_t i = 0; i < system->size(); ++i) {
      if (!integral.field[i].is_zero()) entry["field"][system->coordinates[i]] = to_string(integral.field[i]);
    }
    if (!integral.meaning.empty()) entry["meaning"] = integral.meaning;
    entry["ground"] = ground(system, integral.ground);
    list.push_back(entry);
  }
  return list;
}

// Fields by the coordinates that they move.
Json symmetry_json(const System& system, const Symmetry& symmetry) {
  Json object;
  object["group"] = symmetry.group.empty() ? Json(nullptr) : Json(symmetry.group);
  object["fields"] = Json::array();
  for (const SymmetryField& field : symmetry.fields) {
    const std::vector<Expr> xi = field.at(system->motion.q);
    Json entry = Json::object();
    for (std::size_t i = 0; i < system->size(); ++i)
      if (!xi[i].is_zero()) entry[system->coordinates[i]] = to_string(xi[i]);
    object["fields"].push_back(entry);
  }
  if (!symmetry.fields.empty()) object["ground"] = ground(system, symmetry.ground);
  if (!symmetry.turns_looked_for) object["turns_looked_for"] = false;
  return object;
}

Json displacements_json(const System& system, const VirtualDisplacements& d) {
  Json object;
  object["dependent"] = names_json(system, d.dependent);
  object["independent"] = names_json(system, d.independent);
  object["gamma"] = Json::array();
  for (const auto& row : d.gamma) object["gamma"].push_back(numbers(row));
  object["basis"] = Json::array();
  for (const auto& vector : d.basis) object["basis"].push_back(by_coordinate(system, vector));
  object["velocity_is_virtual"] = d.velocity_is_virtual;
  object["same_vectors"] = d.same_vectors ? Json(*d.same_vectors) : Json(nullptr);
  if (!d.other_velocity.empty()) object["admissible_not_virtual"] = by_coordinate(system, d.other_velocity);
  return object;
}

Json substitution_json(const System& system, const Substitution& s) {
  Json object;
  object["dependent"] = names_json(system, s.dependent);
  object["harmless"] = s.harmless();
  object["restriction"] = s.still_there.empty();
  Json terms = Json::array();
  for (const auto& term : s.terms) {
    Json entry;
    entry["equation"] = system->coordinates[term.independent];
    entry["momentum"] = system->coordinates[term.dependent];
    if (term.B) entry["B"] = to_string(*term.B);
    entry["value"] = term.value ? number(*term.value) : Json(nullptr);
    entry["zero"] = truth(term.zero);
    entry["ground"] = ground(system, term.zero);
    terms.push_back(entry);
  }
  object["missing"] = terms;
  if (!s.momenta.empty()) {
    object["momenta"] = Json::object();
    for (std::size_t i = 0; i < s.dependent.size(); ++i)
      object["momenta"][system->coordinates[s.dependent[i]]] = number(s.momenta[i]);
  }
  if (!s.missing.empty()) {
    object["missing_values"] = Json::object();
    for (std::size_t i = 0; i < s.independent.size(); ++i)
      object["missing_values"][system->coordinates[s.independent[i]]] = number(s.missing[i]);
  }
  return object;
}

Json measure_json(const System& system, const InvariantMeasure& measure) {
  Json object;
  object["exists"] = truth(measure.exists);
  object["proved"] = measure.exists.proved;
  object["state"] = measure.state;
  object["density"] = Json::array();
  for (const auto& [factor, exponent] : measure.density)
    object["density"].push_back({{"factor", to_string(factor)}, {"exponent", number(exponent.to_double())}});
  object["of_phase_space"] = measure.of_phase_space;
  object["witness"] = witness(system, measure.exists);
  object["because"] = measure.because;
  return object;
}

}  // namespace

std::string to_json(const System& system, const Check& check, const InvariantMeasure* measure) {
  Json document;
  document["model"] = system->name;
  document["coordinates"] = system->size();
  document["constraints"] = constraints_json(system, check);
  document["set"] = set_json(system, check);
  document["energy"] = energy_json(system, check.energy);
  document["determinate"] = check.determinate ? Json(*check.determinate) : Json(nullptr);
  document["determinate_because"] = check.determinate_because;
  document["symmetry"] = symmetry_json(check.system, check.symmetry);
  document["first_integrals"] = integrals_json(system, check);
  if (!check.integrals.empty()) {
    Json declared = Json::object();
    for (const DeclaredIntegral& integral : check.integrals) {
      declared[integral.name] =
          Json{{"conserved", truth(integral.conserved)}, {"ground", ground(system, integral.conserved)}};
    }
    document["integrals"] = declared;
    document["integrals_form"] = check.form.name();
  }
  if (measure != nullptr) document["invariant_measure"] = measure_json(system, *measure);
  if (check.displacements) document["virtual_displacements"] = displacements_json(system, *check.displacements);
  if (check.substitution) document["substituted"] = substitution_json(system, *check.substitution);
  if (check.classification.state) document["state"] = diagnosis(*check.classification.state);
  return dump(document);
}

}  // namespace cetaev
