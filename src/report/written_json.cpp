#include <map>

#include "balance_names.hpp"
#include "cetaev/report/written.hpp"
#include "json_values.hpp"

namespace cetaev {

namespace {

// Trees deeper or larger than this are left to the text: readers of JSON are recursive.
constexpr std::size_t deepest = 400;
constexpr double largest = 20000;

std::size_t depth(Expr root) {
  std::map<const Node*, std::size_t> known;
  const Expr roots[] = {root};
  for (const Expr e : topological(roots)) {
    std::size_t below = 0;
    for (const Expr operand : e.operands()) below = std::max(below, known[operand.node()]);
    known[e.node()] = below + 1;
  }
  return known[root.node()];
}

Json number_tree(const Rational& value) { return {{"op", "number"}, {"value", value.to_string()}}; }

Json power_tree(Json base, const Rational& exponent) {
  if (exponent.is_one()) return base;
  return {{"op", "power"}, {"base", std::move(base)}, {"exponent", number_tree(exponent)}};
}

// The depth is bounded by the caller.
Json tree(Typesetter& names, Expr e) {  // NOLINT(misc-no-recursion)
  switch (e.kind()) {
    case Kind::number: return number_tree(e.number());
    case Kind::pi: return {{"op", "pi"}};
    case Kind::symbol: return {{"op", "symbol"}, {"name", names.name(e.name())}};
    case Kind::sum: {
      Json terms = Json::array();
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Rational& c = e.coefficient(i);
        if (c.is_one()) {
          terms.push_back(tree(names, e.term(i)));
          continue;
        }
        Json factors = Json::array({number_tree(c)});
        Json of = tree(names, e.term(i));
        if (of["op"] == "product") {
          for (Json& f : of["args"]) factors.push_back(std::move(f));
        } else {
          factors.push_back(std::move(of));
        }
        terms.push_back({{"op", "product"}, {"args", std::move(factors)}});
      }
      if (!e.constant().is_zero()) terms.push_back(number_tree(e.constant()));
      if (terms.size() == 1) return terms[0];
      return {{"op", "sum"}, {"args", std::move(terms)}};
    }
    case Kind::product: {
      Json factors = Json::array();
      for (std::size_t i = 0; i < e.size(); ++i) factors.push_back(power_tree(tree(names, e.base(i)), e.exponent(i)));
      if (factors.size() == 1) return factors[0];
      return {{"op", "product"}, {"args", std::move(factors)}};
    }
    case Kind::power:
      return {{"op", "power"}, {"base", tree(names, e.operands()[0])}, {"exponent", tree(names, e.operands()[1])}};
    case Kind::function: {
      Json arguments = Json::array();
      for (const Expr a : e.operands()) arguments.push_back(tree(names, a));
      return {{"op", "call"}, {"name", std::string(name_of(e.function()))}, {"args", std::move(arguments)}};
    }
  }
  return nullptr;
}

class JsonWriter {
 public:
  explicit JsonWriter(const WrittenSystem& written)
      : written_(written), text_(written.system, Notation::ascii), latex_(written.system, Notation::latex) {}

  Json write() {
    const System& system = written_.system;
    Json document;
    document["model"] = system->name;
    document["coordinates"] = system->coordinates;
    document["dependent"] = Json::array();
    for (const std::size_t i : written_.dependent) document["dependent"].push_back(system->coordinates[i]);
    document["lagrangian"] = sum(written_.lagrangian);
    if (!written_.lagrangian_in_sums.empty()) document["lagrangian_in_sums"] = sum(written_.lagrangian_in_sums);
    document["names"] = definitions(written_.names);
    document["forms"] = Json::array();
    for (const WrittenForm& f : written_.forms) document["forms"].push_back(form(f));
    if (!written_.energy.empty()) document["energy"] = definitions(written_.energy);
    if (!written_.objects.empty()) {
      document["objects"] = Json::object();
      for (const WrittenObject& o : written_.objects) document["objects"][std::string(name_of(o.object))] = object(o);
    }
    document["notes"] = written_.notes;
    return document;
  }

 private:
  Json bounded(Expr e) {
    if (written_size(e) > largest || depth(e) > deepest) {
      return {{"op", "too-long"}, {"size", number(written_size(e))}};
    }
    return tree(text_, e);
  }

  Json trees(const std::vector<Expr>& summands) {
    Json list = Json::array();
    for (const Expr e : summands) list.push_back(bounded(e));
    return list;
  }

  Json sum(const std::vector<Expr>& summands) {
    return {{"terms", trees(summands)}, {"text", text_.sum(summands)}, {"latex", latex_.sum(summands)}};
  }

  Json equation(const WrittenEquation& e) {
    return {{"label", e.label},
            {"left", trees(e.left)},
            {"right", trees(e.right)},
            {"text", text_.sum(e.left) + " = " + text_.sum(e.right)},
            {"latex", latex_.sum(e.left) + " = " + latex_.sum(e.right)}};
  }

  Json families(const std::vector<WrittenFamily>& list) {
    Json result = Json::array();
    for (const WrittenFamily& family : list) {
      Json one = equation(family.equation);
      if (!family.index.empty()) {
        one["index"] = family.index;
        one["first"] = family.first;
        one["last"] = family.last;
      }
      result.push_back(std::move(one));
    }
    return result;
  }

  Json definitions(const std::vector<WrittenDefinition>& list) {
    using DefinitionKind = WrittenDefinition::Kind;
    Json result = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const WrittenDefinition& d = list[i];
      static constexpr const char* kinds[] = {"velocity", "reduced", "nonholonomic", "quasi",
                                              "name",     "energy",  "where"};
      Json object;
      object["kind"] = kinds[static_cast<int>(d.kind)];
      object["symbol"] = d.symbol.starts_with('$') ? d.symbol.substr(1) : d.symbol;
      if (!d.indices.empty()) object["indices"] = d.indices;
      const bool vector = d.kind == DefinitionKind::name && d.value.size() == 3;
      object[vector ? "components" : "terms"] = trees(d.value);
      const auto side = [&](Typesetter& typeset) {
        std::string left = left_side(typeset, d) + " = ";
        if (is_rate(d)) return left + rate(typeset, list, i);
        if (!vector) return left + typeset.sum(d.value);
        for (std::size_t k = 0; k < 3; ++k) left += (k == 0 ? "[" : ", ") + typeset.expression(d.value[k]);
        return left + "]";
      };
      object["text"] = side(text_);
      object["latex"] = side(latex_);
      if (!d.in_sums.empty()) object["in_sums"] = sum(d.in_sums);
      if (!d.comment.empty()) object["meaning"] = d.comment;
      result.push_back(std::move(object));
    }
    return result;
  }

  // Entries nested as their indices are.
  Json nested(const WrittenObject::Array& array, std::size_t axis, std::size_t& next) {  // NOLINT(misc-no-recursion)
    if (axis == array.axes.size()) return sum(array.entries[next++]);
    Json list = Json::array();
    for (std::size_t i = 0; i < array.axes[axis].size(); ++i) list.push_back(nested(array, axis + 1, next));
    return list;
  }

  Json object(const WrittenObject& o) {
    Json result{{"title", title_of(o.object)}};
    if (o.refusal) {
      result["error"] = diagnosis(*o.refusal);
      return result;
    }
    result["arrays"] = Json::array();
    for (const WrittenObject::Array& array : o.arrays) {
      std::size_t next = 0;
      result["arrays"].push_back({{"symbol", array.symbol}, {"axes", array.axes}, {"entries", nested(array, 0, next)}});
    }
    result["notes"] = o.notes;
    return result;
  }

  Json form(const WrittenForm& f) {
    Json object;
    object["name"] = f.name;
    object["title"] = f.title;
    if (f.refusal) {
      object["error"] = diagnosis(*f.refusal);
      return object;
    }
    object["state"] = f.state;
    object["unknowns"] = Json::array();
    for (const Expr e : f.unknowns) object["unknowns"].push_back(text_.expression(e));
    object["definitions"] = definitions(f.definitions);
    if (f.minimise) object["minimise"] = sum(f.minimise->left);
    if (!f.same_as.empty()) object["same_as"] = f.same_as;
    object["equations"] = Json::array();
    for (const WrittenEquation& e : f.equations) object["equations"].push_back(equation(e));
    if (!f.families.empty()) object["families"] = families(f.families);
    if (!f.families_of_constraints.empty()) object["families_of_constraints"] = families(f.families_of_constraints);
    object["constraints"] = Json::array();
    for (const WrittenEquation& e : f.constraints) object["constraints"].push_back(equation(e));
    object["where"] = definitions(f.where);
    object["conserved"] = Json::array();
    for (const std::vector<Expr>& momentum : f.conserved) object["conserved"].push_back(sum(momentum));
    object["nonzero"] = Json::array();
    for (const Expr e : f.nonzero) {
      object["nonzero"].push_back(
          {{"tree", bounded(e)}, {"text", text_.expression(e)}, {"latex", latex_.expression(e)}});
    }
    if (!f.transpositional.empty()) {
      object["transpositional"] = Json::array();
      for (const WrittenDefinition& d : f.transpositional) {
        object["transpositional"].push_back({{"coordinate", d.symbol},
                                             {"terms", trees(d.value)},
                                             {"text", transposition(text_, d.symbol) + " = " + text_.sum(d.value)},
                                             {"latex", transposition(latex_, d.symbol) + " = " + latex_.sum(d.value)}});
      }
    }
    object["length"] = number(f.length);
    object["notes"] = f.notes;
    return object;
  }

  const WrittenSystem& written_;
  Typesetter text_, latex_;
};

}  // namespace

std::string to_json(const WrittenSystem& written) { return dump(JsonWriter(written).write()); }

}  // namespace cetaev
