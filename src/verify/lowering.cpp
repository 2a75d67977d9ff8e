#include "lowering.hpp"

#include <algorithm>
#include <array>

#include "../model/names.hpp"
#include "../model/unicode.hpp"

namespace cetaev::verify {

namespace {

using Kind = FormulaNode::Kind;

std::vector<Expr> named_symbols(Context& context, const std::string& stem, std::size_t count) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(context.symbol("$" + stem + "[" + std::to_string(i) + "]"));
  return result;
}

}  // namespace

Lowering::Lowering(Bench& bench, const Frame& frame, const std::vector<std::string>& random)
    : bench_(bench),
      frame_(frame),
      setting_(*frame.setting),
      system_(bench.system()),
      context_(*system_->context),
      random_(random),
      total_({}) {
  // Dₜ: q → v, v → a, t → 1, and multipliers that belong to the state
  std::vector<Derivation::Seed> seeds;
  const Motion& motion = system_->motion;
  for (std::size_t i = 0; i < system_->size(); ++i) {
    seeds.emplace_back(motion.q[i], motion.v[i]);
    seeds.emplace_back(motion.v[i], motion.a[i]);
  }
  seeds.emplace_back(motion.t, context_.one());
  const std::vector<Expr> lambda = lambda_symbols(""), rate = lambda_dot_symbols("");
  for (std::size_t v = 0; v < lambda.size(); ++v) seeds.emplace_back(lambda[v], rate[v]);
  total_ = Derivation(seeds);
}

std::vector<Expr> Lowering::acceleration_symbols(const std::string& form) const {
  return form.empty() ? system_->motion.a : named_symbols(context_, "a_" + form, system_->size());
}
std::vector<Expr> Lowering::lambda_symbols(const std::string& form) const {
  return named_symbols(context_, "lambda_" + form, setting_.rank());
}
std::vector<Expr> Lowering::lambda_dot_symbols(const std::string& form) const {
  return named_symbols(context_, "lambda_dot_" + form, setting_.rank());
}

void Lowering::fail(const Statement& s, const FormulaNode& node, const std::string& message,
                    const std::string& suggestion) const {
  s.origin.fail(ErrorCode::bad_model, message + " (on " + model::in_quotes(system_->name) + ")", node.offset,
                suggestion);
}

// --- indices

std::optional<long> Lowering::range(const std::string& index) const {
  static const std::map<std::string, char> letters = {{"i", 'n'},     {"j", 'n'}, {"h", 'n'},  {"l", 'n'},
                                                      {"r", 'm'},     {"s", 'm'}, {"nu", 'k'}, {"mu", 'k'},
                                                      {"sigma", 'k'}, {"pt", 'N'}};
  const auto found = letters.find(index);
  if (found == letters.end()) return std::nullopt;
  const auto n = static_cast<long>(system_->size()), k = static_cast<long>(setting_.rank());
  switch (found->second) {
    case 'n': return n;
    case 'm': return n - k;
    case 'k': return k;
    default: return static_cast<long>(system_->points.size());
  }
}

long Lowering::index_value(const Statement& s, const Index& index, const Environment& env) const {
  long value = 0;
  for (const Index::Part& part : index.parts) {
    long one = part.number;
    if (!part.name.empty()) {
      const auto n = static_cast<long>(system_->size()), k = static_cast<long>(setting_.rank());
      const auto bound = env.find(part.name);
      const auto coordinate = std::find(system_->coordinates.begin(), system_->coordinates.end(), part.name);
      if (bound != env.end()) {
        one = bound->second;
      } else if (coordinate != system_->coordinates.end()) {
        // the place of the coordinate when the independent ones come first
        const auto c = static_cast<std::size_t>(coordinate - system_->coordinates.begin());
        const auto free = std::find(setting_.independent.begin(), setting_.independent.end(), c);
        one = free != setting_.independent.end()
                  ? free - setting_.independent.begin() + 1
                  : n - k +
                        (std::find(setting_.dependent.begin(), setting_.dependent.end(), c) -
                         setting_.dependent.begin()) +
                        1;
      } else if (part.name == "n") {
        one = n;
      } else if (part.name == "m") {
        one = n - k;
      } else if (part.name == "k") {
        one = k;
      } else if (part.name == "N") {
        one = static_cast<long>(system_->points.size());
      } else {
        s.origin.fail(ErrorCode::unknown_name,
                      "unknown index " + model::in_quotes(part.name) +
                          ": neither an index letter nor a coordinate of " + model::in_quotes(system_->name),
                      index.offset);
      }
    }
    value += part.sign * one;
  }
  return value;
}

std::vector<long> Lowering::index_values(const Statement& s, const FormulaNode& node, const Environment& env) const {
  std::vector<long> result;
  for (const Index& index : node.indices) result.push_back(index_value(s, index, env));
  return result;
}

std::size_t Lowering::place(const Statement& s, const FormulaNode& node, long index) const {
  const auto n = static_cast<long>(system_->size()), m = static_cast<long>(setting_.independent.size());
  if (index < 1 || index > n)
    fail(s, node,
         "the index " + std::to_string(index) + " of '" + node.text + "' is not between 1 and " + std::to_string(n));
  return index <= m ? setting_.independent[static_cast<std::size_t>(index - 1)]
                    : setting_.dependent[static_cast<std::size_t>(index - m - 1)];
}

std::size_t Lowering::row(const Statement& s, const FormulaNode& node, long index) const {
  if (index < 1 || index > static_cast<long>(setting_.rank()))
    fail(s, node,
         "the index " + std::to_string(index) + " of '" + node.text + "' is not between 1 and " +
             std::to_string(setting_.rank()));
  return static_cast<std::size_t>(index - 1);
}

void Lowering::free_indices(const Statement& s, std::uint32_t number, std::set<std::string>& bound,
                            std::set<std::string>& found) const {
  const FormulaNode& node = s.nodes[number];
  for (const Index& index : node.indices)
    for (const Index::Part& part : index.parts)
      if (!part.name.empty() && !bound.contains(part.name) && range(part.name)) found.insert(part.name);
  const bool binds = node.kind == Kind::sum && bound.insert(node.text).second;
  for (const std::uint32_t operand : node.operands) free_indices(s, operand, bound, found);
  if (binds) bound.erase(node.text);
}

// --- statements

void Lowering::define(const Statement& statement) { definitions_[statement.name].push_back(&statement); }

std::vector<LoweredComparison> Lowering::lower(const Statement& statement) {
  std::vector<LoweredComparison> result;
  for (const Statement::Comparison& comparison : statement.comparisons) {
    std::set<std::string> bound, names;
    free_indices(statement, comparison.left, bound, names);
    free_indices(statement, comparison.right, bound, names);
    const std::vector<std::string> indices(names.begin(), names.end());
    Environment env;
    const auto every = [&](const auto& self, std::size_t depth) -> void {
      if (depth < indices.size()) {
        for (long i = 1; i <= *range(indices[depth]); ++i) {
          env[indices[depth]] = i;
          self(self, depth + 1);
        }
        return;
      }
      Value left = value(statement, comparison.left, env), right = value(statement, comparison.right, env);
      // 0 may stand for the zero vector
      const auto widen = [&](Value& a, const Value& b) {
        if (b.vector() && !a.vector() && a.parts[0].is_zero()) a.parts.assign(3, a.parts[0]);
      };
      widen(left, right);
      widen(right, left);
      if (left.vector() != right.vector())
        statement.origin.fail(ErrorCode::bad_model, "one side is a vector and the other is not", comparison.offset);
      std::string text;
      for (const auto& [index, number] : env)
        text += (text.empty() ? "" : ", ") + index + " = " + std::to_string(number);
      for (std::size_t c = 0; c < left.parts.size(); ++c)
        result.push_back({comparison.relation, left.parts[c], right.parts[c], &statement, text});
    };
    every(every, 0);
  }
  return result;
}

Expr Lowering::defined(const std::string& name, const std::vector<long>& indices) {
  const Statement& s = *definitions_.at(name).front();
  FormulaNode node = s.nodes[s.body];
  node.text = name;
  const Value result = defined(s, node, indices);
  if (result.vector()) fail(s, node, "a scalar is expected here, not a vector");
  return result.parts[0];
}

Expr Lowering::scalar(const Statement& s, std::uint32_t node, const Environment& env) {
  const Value result = value(s, node, env);
  if (result.vector()) fail(s, s.nodes[node], "a scalar is expected here, not a vector");
  return result.parts[0];
}

Lowering::Value Lowering::value(const Statement& s, std::uint32_t number, const Environment& env) {
  const FormulaNode& node = s.nodes[number];
  const auto operand = [&](std::size_t i) { return value(s, node.operands[i], env); };
  const auto number_of = [&](std::size_t i) { return scalar(s, node.operands[i], env); };
  switch (node.kind) {
    case Kind::number: return {{context_.number(*Rational::parse(node.text))}};
    case Kind::name: return name(s, node, env);
    case Kind::subscript: return subscript(s, node, env);
    case Kind::call: return call(s, node, env);
    case Kind::prime: return prime(s, node, env);
    case Kind::sum: {
      long from = 1, to = 0;
      if (node.indices.size() == 2) {
        from = index_value(s, node.indices[0], env);
        to = index_value(s, node.indices[1], env);
      } else if (const auto end = range(node.text)) {
        to = *end;
      } else {
        fail(s, node, "the range of the index '" + node.text + "' is not known: write sum(" + node.text + ", 1, n, …)");
      }
      Environment inner = env;
      std::vector<std::vector<Expr>> terms(1);
      bool vector = false;
      for (long i = from; i <= to; ++i) {
        inner[node.text] = i;
        const Value term = value(s, node.operands[0], inner);
        vector = term.vector();
        terms.resize(std::max(terms.size(), term.parts.size()));
        for (std::size_t c = 0; c < term.parts.size(); ++c) terms[c].push_back(term.parts[c]);
      }
      Value result;
      for (std::size_t c = 0; c < (vector ? 3 : 1); ++c) result.parts.push_back(context_.sum(terms[c]));
      return result;
    }
    case Kind::vector: return {{number_of(0), number_of(1), number_of(2)}};
    case Kind::component: {
      const Value v = operand(0);
      if (!v.vector()) fail(s, node, "only vectors have components");
      return {{v.parts[static_cast<std::size_t>(node.component)]}};
    }
    case Kind::negative: {
      Value v = operand(0);
      for (Expr& e : v.parts) e = -e;
      return v;
    }
    case Kind::add:
    case Kind::subtract: {
      Value a = operand(0);
      const Value b = operand(1);
      if (a.vector() != b.vector()) fail(s, node, "a vector and a scalar cannot be added");
      for (std::size_t c = 0; c < a.parts.size(); ++c)
        a.parts[c] = node.kind == Kind::add ? a.parts[c] + b.parts[c] : a.parts[c] - b.parts[c];
      return a;
    }
    case Kind::multiply: {
      Value a = operand(0), b = operand(1);
      if (a.vector() && b.vector()) fail(s, node, "the product of two vectors is dot(a, b) or cross(a, b)");
      if (b.vector()) std::swap(a, b);
      for (Expr& e : a.parts) e = e * b.parts[0];
      return a;
    }
    case Kind::divide: {
      Value a = operand(0);
      const Expr b = number_of(1);
      if (b.is_zero()) fail(s, node, "division by zero");
      for (Expr& e : a.parts) e = e / b;
      return a;
    }
    case Kind::power: return {{pow(number_of(0), number_of(1))}};
  }
  fail(s, node, "not understood");
}

Lowering::Value Lowering::prime(const Statement& s, const FormulaNode& node, const Environment& env) {
  Value v = value(s, node.operands[0], env);
  for (Expr& e : v.parts) {
    refuse_derivative(s, node, e);
    if (depends_on(e, system_->motion.a)) fail(s, node, "accelerations cannot be differentiated");
    e = total_(e);
  }
  return v;
}

Lowering::Value Lowering::defined(const Statement& s, const FormulaNode& node, const std::vector<long>& indices) {
  const auto key = std::pair(node.text, indices);
  const auto found = known_.find(key);
  if (found != known_.end()) {
    if (found->second.parts.empty()) fail(s, node, "the definition of '" + node.text + "' refers to itself");
    return found->second;
  }
  // The first case that fits: numbers and coordinates stand for themselves, other names for any index.
  for (const Statement* definition : definitions_[node.text]) {
    if (definition->parameters.size() != indices.size())
      fail(s, node,
           "'" + node.text + "' was defined with " + std::to_string(definition->parameters.size()) + " indices");
    Environment env;
    bool fits = true;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const Index& parameter = definition->parameters[i];
      const std::string& name = parameter.parts[0].name;
      const bool coordinate =
          std::find(system_->coordinates.begin(), system_->coordinates.end(), name) != system_->coordinates.end();
      if (name.empty() || (coordinate && !range(name))) {
        fits = fits && index_value(*definition, parameter, {}) == indices[i];
      } else {
        env[name] = indices[i];
      }
    }
    if (!fits) continue;
    known_[key] = {};
    const Value result = value(*definition, definition->body, env);
    return known_[key] = result;
  }
  fail(s, node, "'" + node.text + "' is not defined for these indices");
}

Lowering::Value Lowering::name(const Statement& s, const FormulaNode& node, const Environment&) {
  const std::string& name = node.text;
  if (is_defined(name)) return defined(s, node, {});
  if (std::find(random_.begin(), random_.end(), name) != random_.end()) {
    const Expr symbol = context_.symbol("$number " + name);
    needed_.numbers[name] = symbol;
    return {{symbol}};
  }
  for (std::size_t i = 0; i < system_->size(); ++i)
    if (system_->coordinates[i] == name) return {{system_->motion.q[i]}};
  for (const Parameter& parameter : system_->parameters)
    if (parameter.symbol.name() == name) return {{parameter.symbol}};
  for (const Point& point : system_->points)
    if (point.name == name) return {{point.position.begin(), point.position.end()}};
  for (const Definition& definition : system_->definitions)
    if (definition.name == name) return {definition.components};
  if (name == "t") return {{system_->motion.t}};
  if (name == "pi") return {{context_.pi()}};
  if (name == "n") return {{context_.integer(static_cast<long>(system_->size()))}};
  if (name == "N") return {{context_.integer(static_cast<long>(system_->points.size()))}};
  if (name == "L") return {{system_->lagrangian}};
  if (name == "T") return {{kinetic()}};
  if (name == "V") return {{kinetic() - system_->lagrangian}};
  if (name == "U") return {{system_->lagrangian - kinetic()}};
  if (name == "Lstar") return {{star(s, node, system_->lagrangian)}};
  if (name == "Tstar") return {{star(s, node, kinetic())}};
  std::vector<std::size_t> all(system_->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (name == "E") return {{energy(system_->lagrangian, all)}};
  if (name == "Estar") return {{energy(star(s, node, system_->lagrangian), setting_.independent)}};
  std::vector<std::string> known = system_->coordinates;
  for (const Parameter& parameter : system_->parameters) known.emplace_back(parameter.symbol.name());
  for (const char* word : {"L", "Lstar", "T", "Tstar", "V", "U", "E", "Estar"}) known.emplace_back(word);
  s.origin.fail(ErrorCode::unknown_name,
                "unknown name " + model::in_quotes(name) + " (on " + model::in_quotes(system_->name) + ")", node.offset,
                model::closest(name, known));
}

}  // namespace cetaev::verify
