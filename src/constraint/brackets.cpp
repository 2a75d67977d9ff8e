#include "brackets.hpp"

#include <algorithm>
#include <cmath>

#include "enclosed.hpp"

namespace cetaev {

namespace {

// Limits of the search at a special point.
constexpr std::size_t deepest = 9;
constexpr std::size_t most_words = 4000;
constexpr std::size_t terms_of_travel = 14;

}  // namespace

Charts::Charts(const System& system, std::vector<Expr> phi, bool with_time)
    : system_(system), phi_(std::move(phi)), with_time_(with_time) {}

const SetChart& Charts::operator()(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& dependent) {
  SetChart& chart = charts_[{rows, dependent}];
  if (chart.phi) return chart;
  const Motion& motion = system_->motion;
  const std::size_t n = system_->size();
  chart.rows = rows;
  chart.dependent = dependent;
  std::vector<Expr> phi, unknowns;
  for (const std::size_t i : rows) phi.push_back(phi_[i]);
  for (const std::size_t j : dependent) unknowns.push_back(motion.v[j]);

  std::vector<Expr> outputs;
  const auto collect = [&](const Matrix& m, std::vector<SetChart::Entry>& entries, std::size_t first) {
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.columns; ++j) {
        if (m(i, j).is_zero()) continue;
        entries.push_back({i, first + j, outputs.size()});
        outputs.push_back(m(i, j));
      }
    }
  };
  collect(jacobian(phi, motion.q), chart.by_position, 0);
  if (with_time_) collect(jacobian(phi, std::span(&motion.t, 1)), chart.by_position, n);
  collect(jacobian(phi, unknowns), chart.by_dependent, 0);

  const std::vector<Expr> inputs = state_symbols(system_);
  std::vector<bool> varying(inputs.size()), late(inputs.size());
  for (std::size_t i = 0; i < n; ++i) varying[i] = true;
  for (const std::size_t j : dependent) varying[n + j] = late[n + j] = true;
  varying[2 * n] = with_time_;
  chart.phi = std::make_unique<TaylorCode>(Program(phi, inputs), varying, late);
  chart.derivatives = std::make_unique<TaylorCode>(Program(outputs, inputs), varying, late);
  return chart;
}

template <class Scalar>
Brackets<Scalar>::Brackets(const Charts& charts, const BracketProblem& problem)
    : charts_(charts), n_(charts.system()->size()), dimension_(charts.dimension()) {
  for (const Ball& value : problem.values) values_.emplace_back(value);
  for (const Generator& generator : problem.generators) generators_.push_back(localize(generator));
}

namespace {

// The inverse of a small matrix by elimination with partial pivoting; entries that are not finite where it is singular.
template <class Scalar>
std::vector<Scalar> inverse_of(std::vector<Scalar> a, std::size_t n) {
  std::vector<Scalar> b(n * n);
  for (std::size_t i = 0; i < n; ++i) b[i * n + i].set(1L);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i * n + k].midpoint()) > std::fabs(a[pivot * n + k].midpoint())) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k * n + j], b[pivot * n + j]);
    }
    const Scalar head = a[k * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      a[k * n + j] /= head;
      b[k * n + j] /= head;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i * n + k].is_exact_zero()) continue;
      const Scalar factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j].subtract_product(factor, a[k * n + j]);
        b[i * n + j].subtract_product(factor, b[k * n + j]);
      }
    }
  }
  return b;
}

// −M r
template <class Scalar>
std::vector<Scalar> solve_negative(const std::vector<Scalar>& inverse, const std::vector<Scalar>& r) {
  const std::size_t k = r.size();
  std::vector<Scalar> x(k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) x[i].subtract_product(inverse[i * k + j], r[j]);
  }
  return x;
}

}  // namespace

template <class Scalar>
typename Brackets<Scalar>::Local Brackets<Scalar>::localize(const Generator& generator) {
  Local local{generator.chart, {}, {}};
  const SetChart& chart = *generator.chart;
  const std::size_t k = chart.rows.size();
  for (const Ball& v : generator.v) local.v.emplace_back(v);
  if (generator.solve) {
    for (const std::size_t j : chart.dependent) local.v[j].clear();
  }
  const Monomials point({});
  const auto fill = [&](TaylorRun<Scalar>& run) {
    for (std::size_t i = 0; i < values_.size(); ++i) *run.input(i) = values_[i];
    for (std::size_t i = 0; i < n_; ++i) *run.input(n_ + i) = local.v[i];
    run.advance(0);
  };
  TaylorRun<Scalar> slopes(*chart.derivatives, point);
  fill(slopes);
  std::vector<Scalar> matrix(k * k);
  for (const SetChart::Entry& e : chart.by_dependent) matrix[e.row * k + e.column] = *slopes.output(e.output);
  local.inverse = inverse_of(std::move(matrix), k);
  if (generator.solve && k > 0) {
    TaylorRun<Scalar> phi(*chart.phi, point);
    fill(phi);
    std::vector<Scalar> r;
    for (std::size_t i = 0; i < k; ++i) r.push_back(*phi.output(i));
    r = solve_negative(local.inverse, r);
    for (std::size_t i = 0; i < k; ++i) local.v[chart.dependent[i]] = r[i];
  }
  return local;
}

template <class Scalar>
std::vector<std::vector<Scalar>> Brackets<Scalar>::follow(const Local& local, Family& family,
                                                          std::optional<std::size_t> flow) {
  const Monomials& m = *family.monomials;
  const SetChart& chart = *local.chart;
  const std::size_t k = chart.rows.size();
  TaylorRun<Scalar> run(*chart.phi, m);
  for (std::size_t i = 0; i < values_.size(); ++i) *run.input(i) = values_[i];
  const auto coordinate = [&](std::size_t i) { return run.input(i < n_ ? i : 2 * n_); };
  for (std::size_t i = 0; i < n_; ++i) *run.input(n_ + i) = local.v[i];
  for (std::size_t p = 0; p <= m.total_degree(); ++p) {
    for (const std::uint32_t s : m.of_degree(p)) {
      for (std::size_t i = 0; i < dimension_; ++i) {
        Scalar& c = coordinate(i)[s];
        if (flow && m.exponent(s, *flow) > 0) {
          // ∂c/∂s = X(c)
          const std::size_t before = s - m.stride(*flow);
          if (i == n_) {
            c.set(before == 0 ? 1L : 0L);
          } else {
            const bool independent =
                before != 0 && std::find(chart.dependent.begin(), chart.dependent.end(), i) == chart.dependent.end();
            if (independent) {
              c.clear();
            } else {
              c = run.input(n_ + i)[before];
            }
          }
          c /= static_cast<long>(m.exponent(s, *flow));
        } else {
          c = family.c[i][s];
        }
      }
    }
    run.advance(p);
    if (p == 0) continue;
    // φ = 0 at this degree: what the other terms leave over is J_dep α_p
    for (const std::uint32_t s : m.of_degree(p)) {
      std::vector<Scalar> r;
      for (std::size_t i = 0; i < k; ++i) r.push_back(run.output(i)[run.output_varies(i) ? s : 0]);
      r = solve_negative(local.inverse, r);
      for (std::size_t i = 0; i < k; ++i) run.input(n_ + chart.dependent[i])[s] = std::move(r[i]);
    }
    run.advance_late(p);
  }
  cost_ += 1.5 * static_cast<double>(chart.phi->products * m.product_cost() + k * k * m.size());
  for (std::size_t i = 0; i < dimension_; ++i) family.c[i].assign(coordinate(i), coordinate(i) + m.size());
  std::vector<Series> v(n_, Series(m.size()));
  for (std::size_t i = 0; i < n_; ++i) v[i][0] = local.v[i];
  for (const std::size_t j : chart.dependent) v[j].assign(run.input(n_ + j), run.input(n_ + j) + m.size());
  return v;
}

template <class Scalar>
std::unique_ptr<TaylorRun<Scalar>> Brackets<Scalar>::slopes(const Local& local, const Family& family,
                                                            const std::vector<Series>& v) {
  const Monomials& m = *family.monomials;
  const SetChart& chart = *local.chart;
  auto run = std::make_unique<TaylorRun<Scalar>>(*chart.derivatives, m);
  for (std::size_t i = 0; i < values_.size(); ++i) *run->input(i) = values_[i];
  for (std::size_t i = 0; i < dimension_; ++i) {
    std::copy(family.c[i].begin(), family.c[i].end(), run->input(i < n_ ? i : 2 * n_));
  }
  for (std::size_t i = 0; i < n_; ++i) *run->input(n_ + i) = v[i][0];
  for (const std::size_t j : chart.dependent) std::copy(v[j].begin(), v[j].end(), run->input(n_ + j));
  for (std::size_t p = 0; p <= m.total_degree(); ++p) run->advance(p);
  cost_ += static_cast<double>(chart.derivatives->products * m.product_cost());
  return run;
}

template <class Scalar>
std::vector<std::vector<Scalar>> Brackets<Scalar>::derivative_along(const Local& local, const Monomials& m,
                                                                    const TaylorRun<Scalar>& run,
                                                                    const std::vector<Series>& u, std::size_t limit) {
  const SetChart& chart = *local.chart;
  const std::size_t k = chart.rows.size();
  std::vector<Series> slope(k, Series(m.size()));
  for (std::size_t p = 0; p <= m.total_degree(); ++p) {
    for (const std::uint32_t s : m.of_degree(p)) {
      if (s >= limit) continue;
      // φ_q·u + φ_t u_t + J_dep α' = 0, the slopes of lower degree being known
      std::vector<Scalar> r(k);
      const auto add = [&](const SetChart::Entry& e, const Series& factor) {
        if (run.output_varies(e.output)) {
          m.add_product(r[e.row], run.output(e.output), factor.data(), s);
        } else {
          r[e.row].add_product(run.output(e.output)[0], factor[s]);
        }
      };
      for (const SetChart::Entry& e : chart.by_position) add(e, u[e.column]);
      for (const SetChart::Entry& e : chart.by_dependent) add(e, slope[e.column]);
      r = solve_negative(local.inverse, r);
      for (std::size_t i = 0; i < k; ++i) slope[i][s] = std::move(r[i]);
    }
  }
  cost_ += static_cast<double>((chart.by_position.size() + chart.by_dependent.size()) * m.product_cost());
  return slope;
}

template <class Scalar>
typename Brackets<Scalar>::Value Brackets<Scalar>::operator()(const Word& word) {
  // the runs of equal letters
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    if (runs.empty() || runs.back().first != word[i]) runs.emplace_back(word[i], 0);
    ++runs.back().second;
  }
  Family family;
  family.monomials = std::make_unique<Monomials>(std::vector<std::size_t>{});
  for (std::size_t i = 0; i < dimension_; ++i) family.c.push_back({values_[i < n_ ? i : 2 * n_]});
  std::vector<std::unique_ptr<TaylorRun<Scalar>>> slope_runs;
  std::vector<std::unique_ptr<Monomials>> monomials;
  std::vector<std::size_t> degrees;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    degrees.push_back(runs[r].second);
    family.monomials = std::make_unique<Monomials>(degrees);
    for (Series& c : family.c) c.resize(family.monomials->size());
    const Local& local = generators_[runs[r].first];
    const std::vector<Series> v = follow(local, family, r);
    slope_runs.push_back(slopes(local, family, v));
    monomials.push_back(std::move(family.monomials));
    family.monomials = std::make_unique<Monomials>(degrees);
  }

  std::vector<Series> u = follow(generators_[word.back()], family, std::nullopt);
  if (dimension_ > n_) {
    u.emplace_back(family.monomials->size());
    u.back()[0].set(1L);
  }
  Value value;
  for (const Series& component : u) value.scale = std::max(value.scale, component[0].magnitude());
  for (std::size_t r = runs.size(); r-- > 0;) {
    const Monomials& m = *monomials[r];
    const Local& local = generators_[runs[r].first];
    for (std::size_t left = runs[r].second; left-- > 0;) {
      const std::size_t limit = m.stride(r) * (left + 1);
      const std::vector<Series> slope = derivative_along(local, m, *slope_runs[r], u, limit);
      // where both terms are zero but for rounding, the field itself gives the scale
      double size = 0;
      for (const Series& component : u) size = std::max(size, component[0].magnitude());
      std::vector<const Series*> change(dimension_, nullptr);
      for (std::size_t i = 0; i < local.chart->dependent.size(); ++i) change[local.chart->dependent[i]] = &slope[i];
      for (std::size_t i = 0; i < dimension_; ++i) {
        for (std::size_t s = 0; s < limit; ++s) {
          Scalar next = u[i][s + m.stride(r)];
          next *= static_cast<long>(s / m.stride(r) + 1);
          if (s == 0) size = std::max(size, next.magnitude());
          if (change[i] != nullptr) {
            next -= (*change[i])[s];
            if (s == 0) size = std::max(size, (*change[i])[s].magnitude());
          }
          u[i][s] = std::move(next);
        }
      }
      value.scale = size;
    }
    // s_r = 0 from here on
    const std::size_t size = m.stride(r);
    for (Series& component : u) component.resize(size);
  }
  for (Series& component : u) {
    value.finite = value.finite && component[0].is_finite();
    value.direction.push_back(std::move(component[0]));
  }
  return value;
}

template <class Scalar>
double Brackets<Scalar>::cost(const Word& word) const {
  double product = 1, size = 1, total = 0;
  for (std::size_t i = 0; i + 1 < word.size();) {
    std::size_t end = i;
    while (end + 1 < word.size() && word[end] == word[i]) ++end;
    const auto n = static_cast<double>(end - i);
    product *= (n + 1) * (n + 2) / 2;
    size *= n + 1;
    const SetChart& chart = *generators_[word[i]].chart;
    const double entries = static_cast<double>(chart.by_position.size() + chart.by_dependent.size());
    const auto k = static_cast<double>(chart.rows.size());
    total += (1.5 * static_cast<double>(chart.phi->products) + static_cast<double>(chart.derivatives->products) +
              n * entries) *
                 product +
             (1.5 + n) * k * k * size;
    i = end;
  }
  return total;
}

template <class Scalar>
std::vector<double> Brackets<Scalar>::travel(std::size_t letter, double s) {
  Family family;
  family.monomials = std::make_unique<Monomials>(std::vector<std::size_t>{terms_of_travel});
  for (std::size_t i = 0; i < dimension_; ++i) {
    family.c.emplace_back(family.monomials->size());
    family.c.back()[0] = values_[i < n_ ? i : 2 * n_];
  }
  follow(generators_[letter], family, 0);
  std::vector<double> point;
  for (const Series& c : family.c) {
    // a step so short that what is cut off cannot be seen
    const double last = std::fabs(c.back().midpoint());
    const double size = std::fabs(c.front().midpoint()) + 1e-3;
    if (last > 0) s = std::copysign(std::min(std::fabs(s), std::pow(1e-17 * size / last, 1.0 / terms_of_travel)), s);
  }
  for (const Series& c : family.c) {
    double value = 0;
    for (std::size_t i = c.size(); i-- > 0;) value = value * s + c[i].midpoint();
    point.push_back(value);
  }
  return point;
}

template <class Scalar>
Echelon<Scalar>::Echelon(double coarse) : coarse_(coarse) {}

template <class Scalar>
typename Echelon<Scalar>::Result Echelon<Scalar>::add(std::vector<Scalar> vector, double scale) {
  for (const Row& row : rows_) {
    if (vector[row.pivot].is_exact_zero()) continue;
    Scalar factor = vector[row.pivot];
    factor /= row.entries[row.pivot];
    for (std::size_t j = 0; j < vector.size(); ++j) {
      if (j == row.pivot) {
        vector[j].clear();
      } else {
        vector[j].subtract_product(factor, row.entries[j]);
      }
    }
  }
  std::size_t pivot = vector.size();
  double largest = 0;
  double bound = 0;
  for (std::size_t j = 0; j < vector.size(); ++j) {
    const Scalar& entry = vector[j];
    const double size = std::fabs(entry.midpoint());
    bound = std::max(bound, entry.magnitude());
    if (entry.contains_zero() || size <= coarse_ * scale) continue;
    if (size > largest) {
      largest = size;
      pivot = j;
    }
  }
  if (!(scale > 0)) scale = 1;
  if (pivot < vector.size()) {
    kept_ = std::min(kept_, largest / scale);
    rows_.push_back({std::move(vector), pivot});
    return Result::fresh;
  }
  discarded_ = std::max(discarded_, bound / scale);
  return bound <= std::max(coarse_, Scalar::zero) * scale ? Result::dependent : Result::unclear;
}

namespace {

template <class Scalar>
void finish(Closure& closure, const Brackets<Scalar>& brackets, const Echelon<Scalar>& echelon) {
  closure.kept = echelon.kept();
  closure.discarded = echelon.discarded();
  closure.cost = brackets.cost();
}

template <class Scalar>
typename Echelon<Scalar>::Result try_word(Brackets<Scalar>& brackets, Echelon<Scalar>& echelon, const Word& word,
                                          Closure& closure) {
  auto value = brackets(word);
  auto result = Echelon<Scalar>::Result::unclear;
  closure.finite = closure.finite && value.finite;
  if (value.finite) result = echelon.add(std::move(value.direction), value.scale);
  if (result == Echelon<Scalar>::Result::unclear) closure.clear = false;
  return result;
}

}  // namespace

template <class Scalar>
Closure close_generic(Brackets<Scalar>& brackets, double budget, double coarse) {
  using Result = typename Echelon<Scalar>::Result;
  Closure closure;
  Echelon<Scalar> echelon(coarse);
  std::vector<Word> fresh;
  for (std::size_t a = 0; a < brackets.letters(); ++a) {
    if (try_word(brackets, echelon, {a}, closure) == Result::fresh) fresh.push_back({a});
  }
  closure.growth.push_back(echelon.rank());
  std::vector<std::size_t> letters;  // independent generators
  for (const Word& word : fresh) letters.push_back(word[0]);
  while (!fresh.empty() && echelon.rank() < brackets.dimension()) {
    std::vector<Word> next;
    for (const Word& word : fresh) {
      // the same letter first: runs stay long
      std::vector<std::size_t> order = letters;
      std::stable_partition(order.begin(), order.end(), [&](std::size_t a) { return a == word[0]; });
      for (const std::size_t a : order) {
        if (word.size() == 1 && a >= word[0]) continue;
        if (echelon.rank() == brackets.dimension()) break;
        Word longer = {a};
        longer.insert(longer.end(), word.begin(), word.end());
        if (brackets.cost() + brackets.cost(longer) > budget) {
          closure.complete = false;
          finish(closure, brackets, echelon);
          return closure;
        }
        if (try_word(brackets, echelon, longer, closure) == Result::fresh) next.push_back(std::move(longer));
      }
    }
    fresh = std::move(next);
    if (!fresh.empty()) closure.growth.push_back(echelon.rank());
  }
  finish(closure, brackets, echelon);
  return closure;
}

template <class Scalar>
Closure close_at_point(Brackets<Scalar>& brackets, const std::vector<std::size_t>& generic, std::size_t rank,
                       double budget, double coarse) {
  Closure closure;
  Echelon<Scalar> echelon(coarse);
  std::vector<Word> words;
  for (std::size_t a = 0; a < brackets.letters(); ++a) words.push_back({a});
  for (std::size_t length = 1; length <= deepest && echelon.rank() < rank; ++length) {
    // no point has more than the generic dimension
    const std::size_t most = std::min(rank, generic[std::min(length, generic.size()) - 1]);
    for (const Word& word : words) {
      if (echelon.rank() >= most) break;
      closure.complete = brackets.cost() + brackets.cost(word) <= budget;
      if (!closure.complete) break;
      try_word(brackets, echelon, word, closure);
    }
    if (!closure.complete) break;
    closure.growth.push_back(echelon.rank());
    std::vector<Word> longer;
    for (std::size_t a = 0; a < brackets.letters(); ++a) {
      for (const Word& word : words) {
        if ((word.size() == 1 && a >= word[0]) || longer.size() > most_words) continue;
        longer.push_back({a});
        longer.back().insert(longer.back().end(), word.begin(), word.end());
      }
    }
    if (longer.size() > most_words) break;
    words = std::move(longer);
  }
  closure.complete = closure.complete && echelon.rank() == rank;
  finish(closure, brackets, echelon);
  return closure;
}

template class Brackets<Precise>;
template class Brackets<Quick>;
template class Echelon<Precise>;
template class Echelon<Quick>;
template Closure close_generic(Brackets<Precise>&, double, double);
template Closure close_generic(Brackets<Quick>&, double, double);
template Closure close_at_point(Brackets<Quick>&, const std::vector<std::size_t>&, std::size_t, double, double);

}  // namespace cetaev
