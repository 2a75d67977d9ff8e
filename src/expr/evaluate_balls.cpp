#include <array>

#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/interruption.hpp"
#include "require_value.hpp"

namespace cetaev {

std::vector<Ball> evaluate_balls(std::span<const Expr> roots, std::span<const BallValue> given, long bits) {
  const std::vector<Expr> order = topological(roots);
  if (order.empty()) return {};
  may_end_here(static_cast<double>(order.size()));
  const Places place(order);
  std::vector<Ball> balls(order.size());
  std::vector<bool> known(order.size());
  for (const auto& [symbol, value] : given) {
    const std::uint32_t i = place.find(symbol);
    if (i == Places::nowhere) continue;
    known[i] = true;
    balls[i] = value;
  }
  const auto ball = [&](Expr x) -> const Ball& { return balls[place[x]]; };
  Ball factor;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr e = order[i];
    Ball& out = balls[i];
    switch (e.kind()) {
      case Kind::number: out.set(e.number(), bits); break;
      case Kind::pi: out.set_pi(bits); break;
      case Kind::symbol: require_value(known[i], e); break;
      case Kind::sum:
        out = ball(e.operands()[0]);
        for (std::size_t k = 0; k < e.size(); ++k)
          out.add_product(ball(e.term(k)), ball(e.operands()[2 + 2 * k]), bits);
        break;
      case Kind::product:
        out.set(1L);
        for (std::size_t k = 0; k < e.size(); ++k) {
          factor.set_power(ball(e.base(k)), e.exponent(k), bits);
          out.set_product(out, factor, bits);
        }
        break;
      case Kind::power: out.set_power(ball(e.operands()[0]), ball(e.operands()[1]), bits); break;
      case Kind::function:
        if (e.operands().size() == 2) {
          out.set_function(e.function(), ball(e.operands()[0]), ball(e.operands()[1]), bits);
        } else {
          out.set_function(e.function(), ball(e.operands()[0]), bits);
        }
        break;
    }
  }
  std::vector<Ball> results;
  results.reserve(roots.size());
  for (const Expr root : roots) results.push_back(ball(root));
  return results;
}

Ball evaluate_ball(Expr e, std::span<const BallValue> values, long bits) {
  return std::move(evaluate_balls(std::array{e}, values, bits)[0]);
}

}  // namespace cetaev
