#include "modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cetaev/detail/numeric/dense.hpp"
#include "reduced_field.hpp"

namespace cetaev {

namespace {

using Complex = std::complex<double>;

// Eigenvalues this near to each other, beside the size of A, are taken for one: two that meet are known to the root of its rounding.
constexpr double the_same = 1e-7;
// A part this small beside the largest is none; one this large gives the mode its name.
constexpr double least_part = 1e-6, names_it = 0.1;

// Vectors ζ = u + i v with A ζ = λ ζ, independent of each other: (A − α) u + β v = 0 and (A − α) v − β u = 0 with λ = α + i β. By elimination with complete
// pivoting, so that each is one of the components and what follows from it.
std::vector<std::vector<Complex>> directions_of(const std::vector<double>& A, std::size_t n, Complex value) {
  const bool real = value.imag() == 0;
  const std::size_t size = real ? n : 2 * n;
  std::vector<double> matrix(size * size);
  const auto entry = [&](std::size_t r, std::size_t c) -> double& { return matrix[r * size + c]; };
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      entry(r, c) = A[r * n + c] - (r == c ? value.real() : 0);
      if (!real) entry(n + r, n + c) = entry(r, c);
    }
    if (!real) {
      entry(r, n + r) = value.imag();
      entry(n + r, r) = -value.imag();
    }
  }
  RegularPart regular = regular_part(matrix, size, size);
  // that there is one is known
  const std::size_t least = real ? 1 : 2;
  const std::size_t rank = std::min(regular.rows.size(), size - least);
  regular.rows.resize(rank);
  regular.columns.resize(rank);
  DenseMatrix square(rank, rank);
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t c = 0; c < rank; ++c) square(r, c) = entry(regular.rows[r], regular.columns[c]);
  CompleteLu lu;
  if (rank > 0) lu.compute(square);
  std::vector<std::vector<Complex>> result;
  std::vector<bool> taken(n);
  for (std::size_t free = 0; free < size; ++free) {
    if (std::ranges::find(regular.columns, free) != regular.columns.end() || taken[free % n]) continue;
    if (2 * result.size() >= size - rank && !real) break;
    taken[free % n] = true;
    std::vector<double> right, solved;
    for (const std::size_t r : regular.rows) right.push_back(-entry(r, free));
    if (rank > 0) solved = lu.solve(right);
    std::vector<Complex> vector(n);
    const auto add = [&](std::size_t at, double part) {
      vector[at % n] += at < n ? Complex(part, 0) : Complex(0, part);
    };
    add(free, 1);
    for (std::size_t k = 0; k < rank; ++k) add(regular.columns[k], solved[k]);
    result.push_back(std::move(vector));
  }
  return result;
}

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

std::string meaning_of(const Mode& mode, bool of_family, double slack) {
  std::string text;
  const double growth = mode.value.real(), turn = mode.value.imag();
  if (std::abs(growth) > slack)
    text = fmt::format("{} in {:.4g}", growth > 0 ? "doubles" : "falls to half", std::numbers::ln2 / std::abs(growth));
  if (turn > slack)
    text += fmt::format("{}period {:.4g}", text.empty() ? "keeps its size, " : ", ", 2 * std::numbers::pi / turn);
  if (text.empty()) text = of_family ? "stays: another steady motion" : "stays";
  if (mode.directions < mode.multiplicity)
    text += fmt::format("; {} eigenvalues have {} between them, so that differences grow by a power of time beside",
                        mode.multiplicity,
                        mode.directions == 1 ? "one direction" : fmt::format("{} directions", mode.directions));
  return text;
}

}  // namespace

std::vector<Mode> modes_of(const Linearization& found) {
  const std::size_t n = found.state.size();
  const double slack = the_same * largest_magnitude(found.A);
  std::vector<Mode> result;
  std::vector<bool> done(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Complex value = found.eigenvalues[i].value;
    if (done[i] || value.imag() < 0) continue;
    Mode mode;
    mode.value = value;
    mode.multiplicity = 0;
    for (std::size_t j = i; j < n; ++j) {
      if (done[j] || std::abs(found.eigenvalues[j].value - value) > slack) continue;
      done[j] = true;
      ++mode.multiplicity;
    }
    std::vector<std::vector<Complex>> directions = directions_of(found.A, n, value);
    if (directions.size() > mode.multiplicity) directions.resize(mode.multiplicity);
    mode.directions = directions.size();
    for (const std::vector<Complex>& direction : directions) {
      mode.parts = parts_of(found.state, direction, value);
      mode.name = name_of(mode.parts);
      mode.meaning = meaning_of(mode, value == 0.0 && mode.directions <= found.families.size(), slack);
      result.push_back(mode);
    }
  }
  return result;
}

}  // namespace cetaev
