#include "cetaev/detail/formulation/link_by_link.hpp"

#include "assemble.hpp"
#include "cetaev/detail/expr/nested.hpp"
#include "forces_on_sums.hpp"

namespace cetaev {

namespace {

// Kinetic energies of bodies as squares of velocities in the frames in which these are short.
Expr squares_of(const Body& body) {
  Context& context = body.mass.context();
  const auto& [v, v_in, w, w_in] = *body.twist;
  const auto& I = body.inertia;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    terms.push_back(Rational(1, 2) * (body.mass * pow(v[i], 2)));
    terms.push_back(Rational(1, 2) * (I[i] * pow(w[i], 2)));
    terms.push_back(I[3 + i] * (w[i] * w[j]));  // xy, yz, xz
  }
  return context.sum(terms);
}

System with_squares(const System& system) {
  return system.with([&](SystemData& data) {
    std::vector<Expr> terms = {data.lagrangian};
    for (Body& body : data.bodies) {
      if (!body.twist) continue;
      const Expr squares = squares_of(body);
      terms.push_back(-body.kinetic);
      terms.push_back(squares);
      body.kinetic = squares;
    }
    data.lagrangian = data.context->sum(terms);
  });
}

class Recursion {
 public:
  explicit Recursion(const Setting& s) : s_(s), phi_(s.phi()) { s_.system = with_squares(s.system); }

  std::optional<LinkByLink> run() {
    for (const std::size_t row : s_.rows)
      if (s_.terms.constraints.order[row] > 1) return std::nullopt;
    const SharedSums sums(s_.context(), s_.system->lagrangian, s_.system->motion.v, velocities());
    if (!sums.quadratic || !sums.homogeneous || sums.variables == s_.n()) return std::nullopt;
    named_ = named_forces_on_sums(s_, sums);
    add_reactions(sums);
    LinkByLink result;
    write_lines(sums, result);
    result.lagrangian = lagrangian(sums);
    return result;
  }

 private:
  // What forces are told along: of the bodies, of the points and of the constraints.
  std::vector<Expr> velocities() const {
    std::vector<Expr> list = phi_;
    for (const Body& body : s_.system->bodies) {
      if (!body.twist) continue;
      const Body::Twist& twist = *body.twist;
      for (const auto* vector : {&twist.velocity, &twist.velocity_in, &twist.omega, &twist.omega_in})
        list.insert(list.end(), vector->begin(), vector->end());
    }
    for (const auto& [m, velocity] : masses_of_points(s_.system))
      list.insert(list.end(), velocity.begin(), velocity.end());
    return list;
  }

  // λ ∂φ/∂x on the sums that a constraint is written with, or on the velocities.
  void add_reactions(const SharedSums& sums) {
    const Matrix J = s_.J();
    const std::vector<Expr> lambda = lambda_symbols(s_);
    for (std::size_t i = 0; i < s_.rank(); ++i) {
      if (const auto form = sums.form(phi_[i])) {
        for (const auto& [y, c] : *form) named_.force[y].push_back({c * lambda[i], 1});
        continue;
      }
      for (std::size_t j = 0; j < s_.n(); ++j)
        if (!J(i, j).is_zero()) named_.force[j].push_back({J(i, j) * lambda[i], 1});
    }
  }

  void write_lines(const SharedSums& sums, LinkByLink& result) {
    const std::size_t n = s_.n();
    Context& context = s_.context();
    const auto line = [&](LinkByLink::Kind kind, std::size_t of, Expr symbol, Expr value) {
      result.lines.push_back({kind, of, symbol, value});
    };
    for (std::size_t x = n; x < sums.variables; ++x)
      line(LinkByLink::Kind::velocity, x, named_.value[x], named_.value_is[x]);
    for (std::size_t x = n; x < sums.variables; ++x) line(LinkByLink::Kind::rate, x, named_.rate[x], named_.rate_is[x]);
    for (std::size_t x = sums.variables; x-- > n;)
      if (named_.momentum_is[x]) line(LinkByLink::Kind::momentum, x, named_.momentum[x], named_.momentum_is[x]);
    // what it takes to move a sum as it moves, and all that it is in
    std::vector<KeptTerms> force(sums.variables);
    for (std::size_t x = 0; x < sums.variables; ++x)
      for (const auto& [e, factor] : named_.force[x]) force[x].push_back({e, -factor});
    for (std::size_t x = sums.variables; x-- > n;) {
      const Expr total = nested_sum(context, force[x]);
      if (total.is_zero()) continue;
      const Expr symbol = context.symbol("$force" + std::to_string(x));
      line(LinkByLink::Kind::force, x, symbol, total);
      for (const auto& [y, A] : sums.definition[x]) force[y].push_back({nested_product(A, symbol), 1});
    }
    for (std::size_t j = 0; j < n; ++j) result.motion.push_back(nested_sum(context, force[j]));
  }

  Expr lagrangian(const SharedSums& sums) const {
    std::vector<Expr> terms = {sums.rest};
    for (std::size_t x = 0; x < sums.variables; ++x)
      for (const auto& [y, parts] : sums.products[x])
        terms.push_back((x == y ? Rational(1, 2) : Rational(1)) *
                        (s_.context().sum(parts) * (named_.value[x] * named_.value[y])));
    return s_.context().sum(terms);
  }

  Setting s_;
  std::vector<Expr> phi_;
  NamedSums named_;
};

}  // namespace

std::optional<LinkByLink> link_by_link(const Setting& s) { return Recursion(s).run(); }

}  // namespace cetaev
