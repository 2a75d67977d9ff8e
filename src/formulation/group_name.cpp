#include "group_name.hpp"

#include <algorithm>
#include <optional>

#include "cetaev/detail/algebra/simple_kernel.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

using Coefficients = std::vector<Rational>;
using Square = std::vector<Coefficients>;

// [ξ, η] = ξ·∂η/∂q − η·∂ξ/∂q
std::vector<Expr> bracket(const std::vector<Expr>& xi, const std::vector<Expr>& eta, const Motion& motion) {
  const auto along = [&](const std::vector<Expr>& field) {
    std::vector<Derivation::Seed> seeds;
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!field[i].is_zero()) seeds.emplace_back(motion.q[i], field[i]);
    return Derivation(seeds);
  };
  Derivation along_xi = along(xi), along_eta = along(eta);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < xi.size(); ++i) result.push_back(along_xi(eta[i]) - along_eta(xi[i]));
  return result;
}

// [ξᵢ, ξⱼ] = Σₖ cᵢⱼᵏ ξₖ
class Structure {
 public:
  Structure(const std::vector<SymmetryField>& fields, const Motion& motion) : motion_(motion), count_(fields.size()) {
    for (const SymmetryField& field : fields) xi_.push_back(field.at(motion.q));
    constants_.assign(count_ * count_, Coefficients(count_));
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = i + 1; j < count_; ++j) {
        if (fields[i].is_shift() && fields[j].is_shift()) continue;
        const std::optional<Coefficients> c = in_fields(bracket(xi_[i], xi_[j], motion));
        closed_ = closed_ && c;
        for (std::size_t k = 0; c && k < count_; ++k) {
          constants_[i * count_ + j][k] = (*c)[k];
          constants_[j * count_ + i][k] = -(*c)[k];
        }
      }
    }
  }

  bool closed() const { return closed_; }
  const Coefficients& of(std::size_t i, std::size_t j) const { return constants_[i * count_ + j]; }

 private:
  std::optional<Coefficients> in_fields(const std::vector<Expr>& field) const {
    const auto is_zero = [](Expr e) { return e.is_zero() || prove_zero(e).verdict == Verdict::proved; };
    if (std::ranges::all_of(field, is_zero)) return Coefficients(count_);
    const std::size_t n = field.size(), columns = count_ + 1;
    std::vector<Expr> outputs = field;
    for (const std::vector<Expr>& xi : xi_) outputs.insert(outputs.end(), xi.begin(), xi.end());
    const Program program(outputs, motion_.q);
    Interpreter run(program);
    std::vector<double> q(n), values(outputs.size()), numbers;
    Random random(22);
    for (std::size_t point = 0; point < columns + 2; ++point) {
      for (double& x : q) x = random.uniform(0.3, 1.2);
      run(q, values);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t f = 0; f < columns; ++f) numbers.push_back(values[f * n + i]);
    }
    for (const Coefficients& c :
         simple_kernel(DenseMatrix::from_rows(numbers.data(), numbers.size() / columns, columns))) {
      if (c.front().is_zero()) continue;
      Coefficients result;
      for (std::size_t k = 1; k < columns; ++k) result.push_back(-c[k] / c.front());
      return result;
    }
    return std::nullopt;
  }

  const Motion& motion_;
  std::size_t count_;
  bool closed_ = true;
  std::vector<std::vector<Expr>> xi_;
  std::vector<Coefficients> constants_;
};

// By elimination; of a symmetric matrix without a positive direction, as the Killing form of rotations is. Nothing of others.
std::optional<std::size_t> rank_if_negative(Square K) {
  std::size_t rank = 0;
  std::vector<bool> used(K.size());
  for (std::size_t step = 0; step < K.size(); ++step) {
    std::size_t at = 0;
    while (at < K.size() && (used[at] || K[at][at].is_zero())) ++at;
    if (at == K.size()) break;
    if (K[at][at].sign() > 0) return std::nullopt;
    used[at] = true;
    ++rank;
    for (std::size_t i = 0; i < K.size(); ++i) {
      if (used[i]) continue;
      const Rational factor = K[i][at] / K[at][at];
      for (std::size_t j = 0; j < K.size(); ++j) K[i][j] = K[i][j] - factor * K[at][j];
    }
  }
  for (std::size_t i = 0; i < K.size(); ++i)
    for (std::size_t j = 0; j < K.size(); ++j)
      if (!used[i] && !used[j] && !K[i][j].is_zero()) return std::nullopt;
  return rank;
}

// A basis of the x with A x = 0, by exact elimination.
Square kernel_of(Square A, std::size_t columns) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = 0; column < columns && pivots.size() < A.size(); ++column) {
    const std::size_t row = pivots.size();
    std::size_t at = row;
    while (at < A.size() && A[at][column].is_zero()) ++at;
    if (at == A.size()) continue;
    std::swap(A[at], A[row]);
    const Rational pivot = A[row][column];
    for (Rational& x : A[row]) x = x / pivot;
    for (std::size_t i = 0; i < A.size(); ++i) {
      if (i == row || A[i][column].is_zero()) continue;
      const Rational factor = A[i][column];
      for (std::size_t j = column; j < columns; ++j) A[i][j] = A[i][j] - factor * A[row][j];
    }
    pivots.push_back(column);
  }
  Square result;
  for (std::size_t free = 0; free < columns; ++free) {
    if (std::ranges::find(pivots, free) != pivots.end()) continue;
    Coefficients x(columns);
    x[free] = 1;
    for (std::size_t r = 0; r < pivots.size(); ++r) x[pivots[r]] = -A[r][free];
    result.push_back(std::move(x));
  }
  return result;
}

// d with d (d − 1)/2 = dimension
std::optional<std::size_t> rotations_of(std::size_t dimension) {
  for (std::size_t d = 2; d * (d - 1) / 2 <= dimension; ++d)
    if (d * (d - 1) / 2 == dimension) return d;
  return std::nullopt;
}

std::string power(const std::string& name, std::size_t count) {
  return count == 1 ? name : name + "^" + std::to_string(count);
}

// Of fields that do not commute: how many there are, how many combinations of them commute with all, how many are rotations, and how many of these turn
// no shift where others do.
struct Part {
  std::size_t size = 0, alone = 0;
  std::optional<std::size_t> rotations;
  std::size_t inner = 0;
};

Part part_of(const std::vector<std::size_t>& members, const Structure& structure) {
  const std::size_t d = members.size();
  const auto c = [&](std::size_t i, std::size_t j, std::size_t k) -> const Rational& {
    return structure.of(members[i], members[j])[members[k]];
  };
  Square killing(d, Coefficients(d));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l) killing[i][j] += c(i, k, l) * c(j, l, k);
  // how many combinations of all commute with these
  const auto commuting = [&](const Square& these) {
    Square conditions;
    for (const Coefficients& x : these) {
      for (std::size_t k = 0; k < d; ++k) {
        Coefficients row(d);
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < d; ++j) row[i] += x[j] * c(i, j, k);
        conditions.push_back(std::move(row));
      }
    }
    return kernel_of(std::move(conditions), d).size();
  };
  Square all(d, Coefficients(d));
  for (std::size_t i = 0; i < d; ++i) all[i][i] = 1;
  Part part{d, commuting(all), rank_if_negative(killing), 0};
  const Square others = kernel_of(std::move(killing), d);
  if (others.size() > part.alone) part.inner = commuting(others) - others.size();
  return part;
}

}  // namespace

std::optional<std::string> group_name(const std::vector<SymmetryField>& fields, const Motion& motion,
                                      const std::vector<bool>& angle) {
  const Structure structure(fields, motion);
  if (!structure.closed()) return std::nullopt;
  std::vector<std::size_t> part;
  for (std::size_t i = 0; i < fields.size(); ++i) part.push_back(i);
  const auto join = [&](std::size_t i, std::size_t j) {
    const std::size_t from = std::max(part[i], part[j]), to = std::min(part[i], part[j]);
    std::replace(part.begin(), part.end(), from, to);
  };
  const auto zero = [](const Rational& x) { return x.is_zero(); };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = i + 1; j < fields.size(); ++j) {
      const Coefficients& c = structure.of(i, j);
      if (std::ranges::all_of(c, zero)) continue;
      join(i, j);
      for (std::size_t k = 0; k < c.size(); ++k)
        if (!c[k].is_zero()) join(i, k);
    }
  }
  std::vector<std::string> factors;
  std::size_t circles = 0, lines = 0;
  for (std::size_t p = 0; p < fields.size(); ++p) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (part[i] == p) members.push_back(i);
    if (members.empty()) continue;
    if (members.size() == 1) {
      bool turns = !fields[p].is_shift();
      for (std::size_t i = 0; i < angle.size(); ++i) turns = turns || (angle[i] && !fields[p].shift[i].is_zero());
      ++(turns ? circles : lines);
      continue;
    }
    const Part found = part_of(members, structure);
    // rotations that commute with all others are turns about an axis of their own
    circles += found.alone;
    const std::size_t rest = found.size - found.alone;
    if (!found.rotations || *found.rotations == 0) {
      factors.push_back("a group of dimension " + std::to_string(rest));
      continue;
    }
    const std::size_t shifts = rest - *found.rotations, turning = *found.rotations - found.inner;
    const auto name_of_rotations = [](std::size_t dimension) {
      const auto d = rotations_of(dimension);
      return d ? "SO(" + std::to_string(*d) + ")" : "rotations of dimension " + std::to_string(dimension);
    };
    if (found.inner > 0) factors.push_back(name_of_rotations(found.inner));
    const auto d = rotations_of(turning);
    if (d && (shifts == 0 || shifts == *d)) {
      factors.push_back((shifts == 0 ? "SO(" : "SE(") + std::to_string(*d) + ")");
    } else {
      const std::string name = name_of_rotations(turning);
      factors.push_back(shifts == 0 ? name : "(" + name + " ⋉ " + power("R", shifts) + ")");
    }
  }
  std::ranges::sort(factors);
  if (circles > 0) factors.push_back(power("SO(2)", circles));
  if (lines > 0) factors.push_back(power("R", lines));
  std::string name;
  for (const std::string& factor : factors) name += (name.empty() ? "" : " × ") + factor;
  return name;
}

}  // namespace cetaev
