// The quantities that formulas of claims can name, on a concrete system.
#include <algorithm>

#include "../model/names.hpp"
#include "lowering.hpp"

namespace cetaev::verify {

const std::vector<Expr>& Lowering::alpha(const Statement& s, const FormulaNode& node) const {
  if (!frame_.alpha) fail(s, node, "the dependent velocities have no closed form here");
  return *frame_.alpha;
}

// e with the dependent velocities replaced by α
Expr Lowering::star(const Statement& s, const FormulaNode& node, Expr e) const {
  std::vector<Replacement> replacements;
  const std::vector<Expr>& closed = alpha(s, node);
  for (std::size_t v = 0; v < closed.size(); ++v)
    replacements.emplace_back(system_->motion.v[setting_.dependent[v]], closed[v]);
  return substitute(e, replacements);
}

// Σ v ∂L/∂v − L over some of the velocities
Expr Lowering::energy(Expr lagrangian, const std::vector<std::size_t>& over) const {
  std::vector<Expr> terms = {-lagrangian};
  for (const std::size_t i : over) terms.push_back(system_->motion.v[i] * derivative(lagrangian, system_->motion.v[i]));
  return context_.sum(terms);
}

// As the model gives it; else what of L vanishes with the velocities.
Expr Lowering::kinetic() const {
  if (system_->kinetic) return *system_->kinetic;
  std::vector<Replacement> at_rest;
  for (const Expr v : system_->motion.v) at_rest.emplace_back(v, context_.zero());
  return system_->lagrangian - substitute(system_->lagrangian, at_rest);
}

// E_j f = Dₜ(∂f/∂v_j) − ∂f/∂q_j
Expr Lowering::euler(Expr f, std::size_t place) {
  return total_(derivative(f, system_->motion.v[place])) - derivative(f, system_->motion.q[place]);
}

// δq with J δq = 0: arbitrary in the independent coordinates
const std::vector<Expr>& Lowering::virtual_displacement() {
  if (!displacement_.empty()) return displacement_;
  displacement_.resize(system_->size());
  for (const std::size_t r : setting_.independent) {
    const std::string name = "dq " + system_->coordinates[r];
    displacement_[r] = needed_.numbers[name] = context_.symbol("$number " + name);
  }
  const Matrix J = setting_.J();
  const std::size_t k = setting_.rank();
  if (k == 0) return displacement_;
  LinearBlock block{{k, k, {}}, {k, 1, {}}, setting_.symbols("dq", k)};
  for (std::size_t v = 0; v < k; ++v) {
    std::vector<Expr> right;
    for (const std::size_t r : setting_.independent) right.push_back(-(J(v, r) * displacement_[r]));
    block.right.entries.push_back(context_.sum(right));
    for (const std::size_t d : setting_.dependent) block.matrix.entries.push_back(J(v, d));
  }
  for (std::size_t v = 0; v < k; ++v) displacement_[setting_.dependent[v]] = block.unknowns[v];
  blocks_.push_back(std::move(block));
  return displacement_;
}

// The functions of [L], Theorems 2 and 3: constraints, auxiliary functions, and L in the place of the last.
const std::vector<Expr>& Lowering::functions(const Statement& s, const FormulaNode& node, bool theorem3) {
  std::vector<Expr>& result = theorem3 ? functions3_ : functions2_;
  if (!result.empty()) return result;
  const std::size_t m = setting_.independent.size();
  if (system_->auxiliary.size() < m - (theorem3 ? 1 : 0))
    fail(s, node, "the model needs " + std::to_string(m) + " auxiliary functions for '" + node.text + "'");
  result = setting_.phi();
  for (std::size_t i = 0; i < m; ++i)
    result.push_back(theorem3 && i + 1 == m ? system_->lagrangian : system_->auxiliary[i]);
  return result;
}

// g_ij = Σ m ∂P/∂q_i·∂P/∂q_j, ξ_ijh = Σ m ∂²P/∂q_i∂q_j·∂P/∂q_h, η_ij = Σ m ∂²P/∂q_i∂t·∂P/∂q_j, ζ_i = Σ m ∂²P/∂t²·∂P/∂q_i;
// from T = ½ g v v + b·v + c where the kinetic energy is not that of points
std::optional<Expr> Lowering::metric(const Statement& s, const FormulaNode& node, const std::vector<long>& index) {
  const std::string& name = node.text;
  const std::size_t wanted = name == "g" || name == "eta" ? 2 : (name == "xi" ? 3 : (name == "zeta" ? 1 : 0));
  if (wanted == 0) return std::nullopt;
  if (index.size() != wanted) fail(s, node, "'" + name + "' takes " + std::to_string(wanted) + " indices");
  const Motion& motion = system_->motion;
  std::vector<Expr> q, v;
  for (const long i : index) {
    q.push_back(motion.q[place(s, node, i)]);
    v.push_back(motion.v[place(s, node, i)]);
  }
  const Expr t = motion.t;
  const bool points = system_->kinetic && !system_->points.empty() &&
                      (!system_->kinetic_besides_points || system_->kinetic_besides_points->is_zero());
  if (points) {
    std::vector<Expr> terms;
    for (const Point& point : system_->points) {
      for (const Expr p : point.position) {
        const Expr first = name == "zeta"  ? derivative(derivative(p, t), t)
                           : name == "eta" ? derivative(derivative(p, q[0]), t)
                           : name == "xi"  ? derivative(derivative(p, q[0]), q[1])
                                           : derivative(p, q[0]);
        terms.push_back(point.mass * first * derivative(p, q.back()));
      }
    }
    return context_.sum(terms);
  }
  const Expr T = kinetic();
  std::vector<Replacement> at_rest;
  for (const Expr velocity : motion.v) at_rest.emplace_back(velocity, context_.zero());
  const auto metric = [&](std::size_t i, std::size_t j) { return derivative(derivative(T, v[i]), v[j]); };
  const auto linear = [&](std::size_t i) { return substitute(derivative(T, v[i]), at_rest); };
  const Rational half(1, 2);
  if (name == "g") return metric(0, 1);
  if (name == "xi")
    return half * (derivative(metric(0, 2), q[1]) + derivative(metric(1, 2), q[0]) - derivative(metric(0, 1), q[2]));
  if (name == "eta")
    return half * (derivative(metric(0, 1), t) + derivative(linear(1), q[0]) - derivative(linear(0), q[1]));
  return derivative(linear(0), t) - derivative(substitute(T, at_rest), q[0]);
}

// f[j], W[j,i] = ∂f_j/∂v_i, Omega[j,i] = E_i f_j, A = W⁻¹Ω, s = W⁻ᵀp of Theorem 2; with a 3 behind the name of Theorem 3,
// where the row of L in Omega is zero
std::optional<Expr> Lowering::modified(const Statement& s, const FormulaNode& node, const std::vector<long>& index) {
  std::string name = node.text;
  const bool theorem3 = name.ends_with('3');
  if (theorem3) name.pop_back();
  const bool vector = name == "f" || name == "s";
  if (!vector && name != "W" && name != "Omega" && name != "A") return std::nullopt;
  if (index.size() != (vector ? 1 : 2)) fail(s, node, "'" + node.text + "' has another number of indices");
  const std::size_t n = system_->size();
  const std::vector<Expr>& f = functions(s, node, theorem3);
  const auto function = [&](long j) {
    if (j < 1 || j > static_cast<long>(n)) fail(s, node, "an index of '" + node.text + "' is out of range");
    return static_cast<std::size_t>(j - 1);
  };
  const auto omega = [&](std::size_t j, std::size_t c) {
    return theorem3 && j + 1 == n ? context_.zero() : euler(f[j], c);
  };
  if (name == "f") return f[function(index[0])];
  if (name == "W") return derivative(f[function(index[0])], system_->motion.v[place(s, node, index[1])]);
  if (name == "Omega") return omega(function(index[0]), place(s, node, index[1]));
  // A and s, as solutions of W A = Ω and Wᵀ s = p
  if (!matrices_.contains(node.text)) {
    const std::size_t columns = name == "A" ? n : 1;
    LinearBlock block{{n, n, {}}, {n, columns, {}}, setting_.symbols("claims_" + node.text, n * columns)};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        block.matrix.entries.push_back(name == "A" ? derivative(f[i], system_->motion.v[j])
                                                   : derivative(f[j], system_->motion.v[i]));
      for (std::size_t j = 0; j < columns; ++j)
        block.right.entries.push_back(name == "A" ? omega(i, j)
                                                  : derivative(system_->lagrangian, system_->motion.v[i]));
    }
    matrices_[node.text] = Matrix{n, columns, block.unknowns};
    blocks_.push_back(std::move(block));
  }
  const Matrix& solution = matrices_[node.text];
  if (name == "s") return solution(function(index[0]), 0);
  return solution(place(s, node, index[0]), place(s, node, index[1]));
}

Lowering::Value Lowering::subscript(const Statement& s, const FormulaNode& node, const Environment& env) {
  const std::vector<long> index = index_values(s, node, env);
  if (is_defined(node.text)) return defined(s, node, index);
  if (node.text == "point") {
    if (index.size() != 1 || index[0] < 1 || index[0] > static_cast<long>(system_->points.size()))
      fail(s, node, "there is no such point");
    const Point& point = system_->points[static_cast<std::size_t>(index[0] - 1)];
    return {{point.position.begin(), point.position.end()}};
  }
  return {{entry(s, node, index)}};
}

Expr Lowering::entry(const Statement& s, const FormulaNode& node, const std::vector<long>& index) {
  const std::string& name = node.text;
  const Motion& motion = system_->motion;
  const auto expect = [&](std::size_t count) {
    if (index.size() != count)
      fail(s, node, "'" + name + "' takes " + std::to_string(count) + (count == 1 ? " index" : " indices"));
  };
  const auto coordinate = [&](std::size_t i) { return place(s, node, index[i]); };
  const auto constraint = [&](std::size_t i) { return row(s, node, index[i]); };
  const auto one = [&](const std::vector<Expr>& list) {
    expect(1);
    return list[coordinate(0)];
  };
  if (name == "q") return one(motion.q);
  if (name == "v") return one(motion.v);
  if (name == "a") return one(motion.a);
  if (name == "F") return one(system_->forces);
  if (name == "p") return one(bench_.terms().momentum);
  if (name == "b") return one(bench_.terms().bias);
  if (name == "dq") return one(virtual_displacement());
  if (name == "mass") {
    expect(1);
    if (index[0] < 1 || index[0] > static_cast<long>(system_->points.size())) fail(s, node, "there is no such point");
    return system_->points[static_cast<std::size_t>(index[0] - 1)].mass;
  }
  if (name == "delta") {
    expect(2);
    return index[0] == index[1] ? context_.one() : context_.zero();
  }
  if (name == "H") {
    expect(2);
    return bench_.terms().mass(coordinate(0), coordinate(1));
  }
  if (name == "phi" || name == "constraint" || name == "c" || name == "lambda" || name == "lambda_dot") {
    expect(1);
    const std::size_t v = constraint(0);
    if (name == "phi") return setting_.phi()[v];
    if (name == "constraint") return bench_.terms().constraints.residual[setting_.rows[v]];
    if (name == "c") return setting_.c()[v];
    return name == "lambda" ? lambda_symbols("")[v] : lambda_dot_symbols("")[v];
  }
  if (name == "J") {
    expect(2);
    return setting_.J()(constraint(0), coordinate(1));
  }
  if (name == "alpha" || name == "alphabar") {
    expect(1);
    const Expr closed = alpha(s, node)[constraint(0)];
    if (name == "alpha") return closed;
    std::vector<Expr> terms;
    for (const std::size_t r : setting_.independent) terms.push_back(motion.v[r] * derivative(closed, motion.v[r]));
    return context_.sum(terms);
  }
  if (name == "gamma") {
    expect(2);
    return derivative(alpha(s, node)[constraint(0)], motion.v[coordinate(1)]);
  }
  // B_r^ν = Dₜ(∂α_ν/∂v_r) − ∂α_ν/∂q_r − Σ_μ (∂α_μ/∂v_r) ∂α_ν/∂q_{m+μ}, and B̄_ν = Σ_r B_r^ν v_r
  if (name == "B" || name == "Bbar") {
    expect(name == "B" ? 2 : 1);
    const std::vector<Expr>& closed = alpha(s, node);
    const Expr along = closed[constraint(index.size() - 1)];
    const auto coefficient = [&](std::size_t r) {
      std::vector<Expr> terms = {total_(derivative(along, motion.v[r])), -derivative(along, motion.q[r])};
      for (std::size_t mu = 0; mu < closed.size(); ++mu)
        terms.push_back(-(derivative(closed[mu], motion.v[r]) * derivative(along, motion.q[setting_.dependent[mu]])));
      return context_.sum(terms);
    };
    if (name == "B") return coefficient(coordinate(0));
    std::vector<Expr> terms;
    for (const std::size_t r : setting_.independent) terms.push_back(coefficient(r) * motion.v[r]);
    return context_.sum(terms);
  }
  if (const auto found = metric(s, node, index)) return *found;
  if (const auto found = modified(s, node, index)) return *found;
  // a_FORM[i], lambda_FORM[nu], lambda_dot_FORM[nu]
  for (const std::string stem : {"a_", "lambda_dot_", "lambda_"}) {
    if (!name.starts_with(stem) || find_principle(name.substr(stem.size())) == nullptr) continue;
    expect(1);
    const std::string form = name.substr(stem.size());
    needed_.forms.insert(form);
    if (stem == "a_") return acceleration_symbols(form)[coordinate(0)];
    return (stem == "lambda_" ? lambda_symbols(form) : lambda_dot_symbols(form))[constraint(0)];
  }
  static const std::vector<std::string> known = {
      "q",        "v",     "a", "F",    "p",   "b",          "c",      "dq",         "mass",
      "point",    "delta", "H", "J",    "phi", "constraint", "lambda", "lambda_dot", "alpha",
      "alphabar", "gamma", "B", "Bbar", "g",   "xi",         "eta",    "zeta",       "f",
      "W",        "Omega", "A", "s",    "f3",  "W3",         "Omega3", "A3"};
  s.origin.fail(ErrorCode::unknown_name, "unknown quantity '" + name + "[…]'", node.offset,
                model::closest(name, known));
}

}  // namespace cetaev::verify
