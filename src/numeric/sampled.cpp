#include "cetaev/detail/numeric/sampled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace cetaev {

namespace {

// Newton's form c₀ + (t − z₀)(c₁ + (t − z₁)(c₂ + …)); where slopes are known every node stands twice.
class Newton {
 public:
  Newton(std::span<const double> t, std::span<const double> y, std::span<const double> slopes) {
    const std::size_t times = slopes.empty() ? 1 : 2;
    for (std::size_t i = 0; i < t.size(); ++i) {
      nodes_.insert(nodes_.end(), times, t[i]);
      differences_.insert(differences_.end(), times, y[i]);
    }
    for (std::size_t order = 1; order < nodes_.size(); ++order) {
      for (std::size_t i = nodes_.size(); i-- > order;) {
        const double apart = nodes_[i] - nodes_[i - order];
        differences_[i] = apart == 0 ? slopes[i / 2] : (differences_[i] - differences_[i - 1]) / apart;
      }
    }
  }

  DerivativesAt at(double t) const {
    DerivativesAt p;
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      const double s = t - nodes_[k];
      p.second = p.second * s + 2 * p.first;
      p.first = p.first * s + p.value;
      p.value = p.value * s + differences_[k];
    }
    return p;
  }

 private:
  std::vector<double> nodes_, differences_;
};

// The first of `count` neighbours of the i-th of n samples, as evenly on both sides as there are.
std::size_t first_of(std::size_t i, std::size_t n, std::size_t count) {
  return std::min(i - std::min(i, (count - 1) / 2), n - count);
}

}  // namespace

DerivativesAt derivatives_at(std::span<const double> t, std::span<const double> y, std::span<const double> slopes,
                             std::size_t i, std::size_t neighbours) {
  const std::size_t count = std::min(neighbours, t.size()), first = first_of(i, t.size(), count);
  const Newton polynomial(t.subspan(first, count), y.subspan(first, count),
                          slopes.empty() ? slopes : slopes.subspan(first, count));
  return polynomial.at(t[i]);
}

// Between two samples the polynomial through the six around them, by Gauss's rule, which is exact for it.
std::vector<double> running_integral(std::span<const double> t, std::span<const double> y) {
  constexpr std::array points = {-0.7745966692414834, 0.0, 0.7745966692414834};
  constexpr std::array weights = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  std::vector<double> sum(t.size(), 0.0);
  const std::size_t count = std::min<std::size_t>(6, t.size());
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const std::size_t first = first_of(i, t.size(), count);
    const Newton polynomial(t.subspan(first, count), y.subspan(first, count), {});
    const double half = (t[i + 1] - t[i]) / 2, middle = t[i] + half;
    sum[i + 1] = sum[i];
    for (std::size_t k = 0; k < points.size(); ++k)
      sum[i + 1] += half * weights[k] * polynomial.at(middle + half * points[k]).value;
  }
  return sum;
}

namespace {

// The positive nodes of Kronrod's rule of 15 points, the even ones those of Gauss's of 7, and the weights of both (QUADPACK, qk15).
constexpr std::array nodes = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                              0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                              0.207784955007898467600689403773245, 0.0};
constexpr std::array kronrod = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::array gauss = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                              0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

struct Rule {
  std::vector<double> value, size, error;  // ∫ f, ∫ |f|, and what the two rules differ by
};

Rule rule(const std::function<std::vector<double>(double)>& f, double from, double to) {
  const double half = (to - from) / 2, middle = from + half;
  Rule result;
  std::vector<double> lesser;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    for (const double sign : {-1.0, 1.0}) {
      if (nodes[k] == 0 && sign > 0) continue;
      const std::vector<double> y = f(middle + sign * half * nodes[k]);
      result.value.resize(y.size());
      result.size.resize(y.size());
      lesser.resize(y.size());
      for (std::size_t i = 0; i < y.size(); ++i) {
        result.value[i] += half * kronrod[k] * y[i];
        result.size[i] += std::abs(half * kronrod[k] * y[i]);
        if (k % 2 == 1) lesser[i] += half * gauss[k / 2] * y[i];
      }
    }
  }
  for (std::size_t i = 0; i < lesser.size(); ++i) result.error.push_back(std::abs(result.value[i] - lesser[i]));
  return result;
}

std::vector<double> integral(const std::function<std::vector<double>(double)>& f, double from, double to,
                             const Rule& whole, int halvings) {
  // What the two rules differ by is the error of the lesser one; that of the other is about its square, of the size of the integral.
  const double settled = std::sqrt(std::numeric_limits<double>::epsilon());
  bool done = halvings == 0;
  if (!done) {
    done = true;
    for (std::size_t i = 0; i < whole.value.size(); ++i) done = done && !(whole.error[i] > settled * whole.size[i]);
  }
  if (done) return whole.value;
  const double middle = from + (to - from) / 2;
  std::vector<double> sum = integral(f, from, middle, rule(f, from, middle), halvings - 1);
  const std::vector<double> rest = integral(f, middle, to, rule(f, middle, to), halvings - 1);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
  return sum;
}

}  // namespace

std::vector<double> integral(const std::function<std::vector<double>(double)>& f, double from, double to) {
  constexpr int most_halvings =
      10;  // a function with a corner inside: a thousandth of the interval is left to the rule
  return integral(f, from, to, rule(f, from, to), most_halvings);
}

namespace {

struct Piece {
  double from, to;
  std::vector<double> known_from, known_to;
  Rule rule;
  bool smallest = false;
};

// What is left of the rule's error, as QUADPACK has it; of what is known, by how much it was missed beyond rounding.
void estimate_errors(Piece& piece) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  Rule& r = piece.rule;
  const std::size_t witnesses = piece.known_from.size(), first = r.value.size() - witnesses;
  for (std::size_t i = 0; i < first; ++i)
    if (r.size[i] > 0) r.error[i] = r.size[i] * std::min(1.0, std::pow(200 * r.error[i] / r.size[i], 1.5));
  for (std::size_t i = 0; i < witnesses; ++i) {
    const double a = piece.known_from[i], b = piece.known_to[i];
    const double missed = std::abs(r.value[first + i] - (b - a));
    r.error[first + i] = std::max(0.0, missed - 8 * rounding * (std::abs(a) + std::abs(b)));
  }
  piece.smallest =
      std::abs(piece.to - piece.from) <= 16 * rounding * std::max(std::abs(piece.from), std::abs(piece.to));
}

}  // namespace

Quadrature controlled_integral(const std::function<std::vector<double>(double)>& f,
                               const std::function<std::vector<double>(double)>& known, double from, double to,
                               double tolerance) {
  constexpr std::size_t pieces_at_first = 64, most_pieces = 8192;
  const double settled = std::sqrt(std::numeric_limits<double>::epsilon());  // of what only watches for pulses
  const auto piece_of = [&](double a, double b, std::vector<double> at_a, std::vector<double> at_b) {
    Piece piece{a, b, std::move(at_a), std::move(at_b), rule(f, a, b)};
    estimate_errors(piece);
    return piece;
  };
  std::vector<Piece> pieces;
  std::vector<double> before = known(from);
  for (std::size_t i = 0; i < pieces_at_first; ++i) {
    const auto end = [&](std::size_t k) {
      return k == pieces_at_first ? to : from + (to - from) * static_cast<double>(k) / pieces_at_first;
    };
    std::vector<double> after = known(end(i + 1));
    pieces.push_back(piece_of(end(i), end(i + 1), before, after));
    before = std::move(after);
  }
  Quadrature sum;
  while (true) {
    const std::size_t count = pieces.front().rule.value.size(), first_known = count - before.size();
    sum = {std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
    for (const Piece& piece : pieces) {
      for (std::size_t i = 0; i < count; ++i) {
        sum.value[i] += piece.rule.value[i];
        sum.error[i] += piece.rule.error[i];
        sum.size[i] += piece.rule.size[i];
      }
    }
    const auto allowed = [&](std::size_t i) { return (i < first_known ? tolerance : settled) * sum.size[i]; };
    const auto too_coarse = [&](const Piece& piece) {
      if (piece.smallest) return false;
      for (std::size_t i = 0; i < count; ++i) {
        const double share = allowed(i) / static_cast<double>(pieces.size());
        if (sum.error[i] > allowed(i) && piece.rule.error[i] > share) return true;
      }
      return false;
    };
    std::vector<Piece> next;
    for (Piece& piece : pieces) {
      if (next.size() >= most_pieces || !too_coarse(piece)) {
        next.push_back(std::move(piece));
        continue;
      }
      const double middle = piece.from + (piece.to - piece.from) / 2;
      const std::vector<double> there = known(middle);
      next.push_back(piece_of(piece.from, middle, piece.known_from, there));
      next.push_back(piece_of(middle, piece.to, there, piece.known_to));
    }
    const bool same = next.size() == pieces.size();
    pieces = std::move(next);
    if (same) return sum;
  }
}

}  // namespace cetaev
