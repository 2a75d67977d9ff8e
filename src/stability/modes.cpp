#include "modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cetaev/detail/expr/balanced_balls.hpp"

namespace cetaev {

namespace {

using Complex = std::complex<double>;

// A part this small beside the largest is none; one this large gives the mode its name.
constexpr double least_part = 1e-6, names_it = 0.1;

// Vectors ζ = u + i v with A ζ = λ ζ, independent of each other: (A − α) u + β v = 0 and (A − α) v − β u = 0 with λ = α + i β. By elimination with complete
// pivoting, so that each is one of the components and what follows from it; in numbers of many digits, of which some are left where modes of very
// different rates stand beside each other, and in units in which rows and columns are of one size.
class Directions {
 public:
  Directions(std::span<const Ball> A, std::size_t n, const ComplexBall& value, std::size_t most, long bits)
      : n_(n), real_(value.im.contains_zero()), size_(real_ ? n : 2 * n), bits_(bits), matrix_(size_ * size_) {
    exponents_.assign(n, 0);
    for (const BalancedPart& part : balanced_parts(A, n)) {
      for (std::size_t i = 0; i < part.members.size(); ++i) exponents_[part.members[i]] = part.exponents[i];
    }
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        Ball e = A[r * n + c].center();
        if (r == c) e.set_difference(e, value.re.center(), bits);
        e.set_product(e, power_of_two(exponents_[c] - exponents_[r]), bits);
        entry(r, c) = e.center();
        if (!real_) entry(n + r, n + c) = e.center();
      }
      if (!real_) {
        entry(r, n + r) = value.im.center();
        entry(n + r, r) = -value.im.center();
      }
    }
    eliminate(most);
  }

  std::vector<std::vector<Complex>> found() const {
    std::vector<std::vector<Complex>> result;
    std::vector<bool> taken(n_);
    const std::size_t rank = columns_.size();
    for (std::size_t free = 0; free < size_; ++free) {
      if (std::ranges::find(columns_, free) != columns_.end() || taken[free % n_]) continue;
      if (!real_ && 2 * result.size() >= size_ - rank) break;
      taken[free % n_] = true;
      // upwards through the rows that are left of each pivot
      std::vector<Ball> x(size_);
      x[free].set(1L);
      for (std::size_t k = rank; k-- > 0;) {
        Ball sum;
        for (std::size_t c = 0; c < size_; ++c)
          if (c != columns_[k]) sum.subtract_product(at(rows_[k], c), x[c], bits_);
        x[columns_[k]].set_quotient(sum, at(rows_[k], columns_[k]), bits_);
        x[columns_[k]] = x[columns_[k]].center();
      }
      // in the units of the state, the largest as one: these may be far apart
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < size_; ++i) {
        x[i].set_product(x[i], power_of_two(exponents_[i % n_]), bits_);
        largest = std::max(largest, x[i].magnitude_log10());
      }
      std::vector<Complex> vector(n_);
      for (std::size_t i = 0; i < size_; ++i) {
        x[i].set_product(x[i], power_of_two(-std::lround(largest / std::log10(2.0))), bits_);
        vector[i % n_] += i < n_ ? Complex(x[i].midpoint(), 0) : Complex(0, x[i].midpoint());
      }
      result.push_back(std::move(vector));
    }
    return result;
  }

 private:
  static Ball power_of_two(long exponent) { return Ball(Rational(2).power(exponent)); }
  Ball& entry(std::size_t r, std::size_t c) { return matrix_[r * size_ + c]; }
  const Ball& at(std::size_t r, std::size_t c) const { return matrix_[r * size_ + c]; }

  // There is a direction, and there are not more than `most`; between, what is left of a pivot tells.
  void eliminate(std::size_t most) {
    const double nothing =
        -static_cast<double>(bits_) / 4 * std::log10(2.0);  // digits: eigenvalues that meet are known to half of them
    const std::size_t each = real_ ? 1 : 2;
    double first = 0;
    std::vector<bool> row_used(size_), column_used(size_);
    while (columns_.size() < size_ - each) {
      double best = -std::numeric_limits<double>::infinity();
      std::size_t row = size_, column = size_;
      for (std::size_t r = 0; r < size_; ++r) {
        for (std::size_t c = 0; c < size_; ++c) {
          if (row_used[r] || column_used[c]) continue;
          const double here = at(r, c).magnitude_log10();
          if (!(here > best)) continue;
          best = here;
          row = r;
          column = c;
        }
      }
      if (row == size_) return;
      if (columns_.empty()) first = best;
      if (best < first + nothing && columns_.size() + each * most >= size_) return;
      row_used[row] = column_used[column] = true;
      rows_.push_back(row);
      columns_.push_back(column);
      for (std::size_t r = 0; r < size_; ++r) {
        if (row_used[r] || at(r, column).is_exact_zero()) continue;
        Ball factor;
        factor.set_quotient(at(r, column), at(row, column), bits_);
        factor = factor.center();
        for (std::size_t c = 0; c < size_; ++c) {
          entry(r, c).subtract_product(factor, at(row, c), bits_);
          entry(r, c) = c == column ? Ball() : at(r, c).center();
        }
      }
    }
  }

  std::size_t n_;
  bool real_;
  std::size_t size_;
  long bits_;
  std::vector<long> exponents_;
  std::vector<Ball> matrix_;
  std::vector<std::size_t> rows_, columns_;
};

// How far each coordinate moves, the largest first.
std::vector<Mode::Part> parts_of(const std::vector<std::string>& state, const std::vector<Complex>& vector,
                                 Complex value) {
  struct One {
    std::string name;
    Complex size;
  };
  std::vector<One> all;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const bool velocity = state[i].ends_with("'");
    const std::string name = velocity ? state[i].substr(0, state[i].size() - 1) : state[i];
    // of a coordinate of the state the velocity says nothing new
    if (velocity && std::ranges::find(state, name) != state.end()) continue;
    if (velocity && value != 0.0)
      all.push_back({name, vector[i] / value});
    else
      all.push_back({state[i], vector[i]});
  }
  // such a mode has velocities alone
  const auto largest_of = [](const std::vector<One>& list) {
    return std::ranges::max_element(list, {}, [](const One& one) { return std::abs(one.size); });
  };
  if (all.empty() || std::abs(largest_of(all)->size) == 0) {
    all.clear();
    for (std::size_t i = 0; i < state.size(); ++i) all.push_back({state[i], vector[i]});
  }
  std::vector<Mode::Part> moving;
  if (all.empty()) return moving;
  const Complex largest = largest_of(all)->size;
  for (const One& one : all) {
    const Complex part = one.size / largest;
    if (!(std::abs(part) > least_part)) continue;
    const double ahead = std::arg(part) * 180 / std::numbers::pi;
    moving.push_back({one.name, std::abs(part), std::abs(ahead) < 1e-6 ? 0 : ahead});
  }
  std::ranges::stable_sort(moving, std::ranges::greater(), &Mode::Part::size);
  return moving;
}

std::string name_of(const std::vector<Mode::Part>& moving) {
  std::vector<std::string> names;
  for (const Mode::Part& part : moving)
    if (part.size >= names_it) names.push_back(part.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string meaning_of(const Mode& mode, bool of_family) {
  std::string text;
  const double growth = mode.value.real(), turn = mode.value.imag();
  if (growth != 0)
    text = fmt::format("{} in {:.4g}", growth > 0 ? "doubles" : "falls to half", std::numbers::ln2 / std::abs(growth));
  if (turn > 0)
    text += fmt::format("{}period {:.4g}", text.empty() ? "keeps its size, " : ", ", 2 * std::numbers::pi / turn);
  if (text.empty()) text = of_family ? "stays: another steady motion" : "stays";
  if (mode.directions < mode.multiplicity)
    text += fmt::format("; {} eigenvalues have {} between them, so that differences grow by a power of time beside",
                        mode.multiplicity,
                        mode.directions == 1 ? "one direction" : fmt::format("{} directions", mode.directions));
  return text;
}

}  // namespace

std::vector<Mode> modes_of(const Linearization& found, std::span<const Ball> A, std::span<const ComplexBall> enclosures,
                           long bits) {
  const std::size_t n = found.state.size();
  // by numbers alone where there are no enclosures
  const auto enclosure = [&](std::size_t i) -> ComplexBall {
    if (!enclosures.empty()) return enclosures[i];
    const Complex value = found.eigenvalues[i].value;
    return {Ball::from_double(value.real()), Ball::from_double(value.imag())};
  };
  const auto the_same = [&](std::size_t i, std::size_t j) {
    const ComplexBall a = enclosure(i), b = enclosure(j);
    return a.re.overlaps(b.re) && a.im.overlaps(b.im);
  };
  std::vector<Mode> result;
  std::vector<bool> done(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Complex value = found.eigenvalues[i].value;
    if (done[i] || value.imag() < 0) continue;
    Mode mode;
    mode.value = value;
    mode.multiplicity = 0;
    for (std::size_t j = i; j < n; ++j) {
      if (done[j] || !the_same(i, j)) continue;
      done[j] = true;
      ++mode.multiplicity;
    }
    const std::vector<std::vector<Complex>> directions =
        Directions(A, n, enclosure(i), mode.multiplicity, bits).found();
    mode.directions = directions.size();
    for (const std::vector<Complex>& direction : directions) {
      mode.parts = parts_of(found.state, direction, value);
      mode.name = name_of(mode.parts);
      mode.meaning = meaning_of(mode, value == 0.0 && mode.directions <= found.families.size());
      result.push_back(mode);
    }
  }
  return result;
}

}  // namespace cetaev
