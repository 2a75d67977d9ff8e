#include "prescribed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/algebra/switching.hpp"

namespace cetaev {

namespace {

std::vector<Expr> with_rates(std::vector<Expr> functions, Expr t) {
  const std::size_t n = functions.size();
  for (std::size_t i = 0; i < 2 * n; ++i) functions.push_back(derivative(functions[i], t));
  return functions;
}

std::vector<Expr> time_and_parameters(const System& system) {
  std::vector<Expr> list = state_symbols(system);
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(2 * system->size()));
  return list;
}

}  // namespace

std::unique_ptr<PrescribedMotion> PrescribedMotion::of(const System& system, double width) {
  const auto& motion = system->motion;
  const auto& constraints = system->constraints;
  if (std::any_of(system->events.begin(), system->events.end(), [](const Event& event) { return event.stop; }) ||
      std::any_of(constraints.begin(), constraints.end(), [](const Constraint& c) { return c.order == 2; }) ||
      system->driven != system->size())
    return nullptr;
  std::vector<std::optional<Expr>> functions(system->size());
  std::vector<std::string> texts(system->size());
  std::vector<Replacement> origin;
  for (const Expr q : motion.q) origin.push_back({q, system->context->integer(0)});
  for (std::size_t i = constraints.size() - system->driven; i < constraints.size(); ++i) {
    const std::vector<Expr> row = gradient(constraints[i].expression, motion.q);
    std::optional<std::size_t> moved;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == system->context->integer(0)) continue;
      if (moved || !row[j].is_number()) return nullptr;
      moved = j;
    }
    if (!moved || functions[*moved]) return nullptr;
    const Expr f = -substitute(constraints[i].expression, origin) / row[*moved];
    const std::array looked_at = {with_absolute_values(f)};
    if (!switching(looked_at, std::array{motion.t}).empty()) return nullptr;
    functions[*moved] = f;
    texts[*moved] = constraints[i].text;
  }
  std::vector<Expr> list;
  for (const auto& f : functions) list.push_back(*f);
  return std::unique_ptr<PrescribedMotion>(new PrescribedMotion(system, std::move(texts), std::move(list), width));
}

PrescribedMotion::PrescribedMotion(const System& system, std::vector<std::string> texts, std::vector<Expr> functions,
                                   double width)
    : texts_(std::move(texts)),
      width_(width),
      program_(with_rates(std::move(functions), system->motion.t), time_and_parameters(system)),
      run_(program_) {
  inputs_.push_back(0);
  const std::vector<double> parameters = parameter_values(system);
  inputs_.insert(inputs_.end(), parameters.begin(), parameters.end());
}

std::vector<double> PrescribedMotion::values(double t) {
  std::vector<double> list(program_.output_count());
  inputs_[0] = t;
  (void)run_(inputs_, list);
  return list;
}

// By the even polynomial through t ± h, …, t ± 4h, for smaller and smaller h, until two of them agree and the sides do.
std::optional<double> PrescribedMotion::limit(double t, std::size_t i) {
  constexpr std::array weights = {1.6, -0.8, 8.0 / 35, -1.0 / 35};
  constexpr double agreed = 1e-9;  // in parts of the largest value around
  constexpr int most = 12;
  std::optional<double> before;
  double sides_before = 0;
  double h = width_ / 64;
  for (int halving = 0; halving < most; ++halving, h /= 2) {
    double sum = 0, largest = 0, sides = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double right = values(t + static_cast<double>(k + 1) * h)[i];
      const double left = values(t - static_cast<double>(k + 1) * h)[i];
      sum += weights[k] * (right + left) / 2;
      largest = std::max({largest, std::abs(right), std::abs(left)});
      if (k == 0) sides = std::abs(right - left);
    }
    if (!std::isfinite(sum)) {
      before.reset();
      continue;
    }
    const bool one_sided = sides > agreed * largest && sides > 0.75 * sides_before;
    if (before && !one_sided && std::abs(sum - *before) <= agreed * largest) return sum;
    before = sum;
    sides_before = sides;
  }
  return std::nullopt;
}

MotionInstant PrescribedMotion::at(double t) {
  const std::size_t n = texts_.size();
  std::vector<double> list = values(t);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (std::isfinite(list[i])) continue;
    const std::optional<double> there = limit(t, i);
    if (!there) {
      constexpr std::array what = {"", "the rate of ", "the acceleration of "};
      throw Error(ErrorCode::non_finite,
                  fmt::format("{}the motion to be followed, {}, is not finite at t = {:.15g}; end before that, with "
                              "--t-end",
                              what[i / n], texts_[i % n], t));
    }
    list[i] = *there;
  }
  const auto part = [&](std::size_t k) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(k * n);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(n));
  };
  return {{t, part(0), part(1)}, part(2), {}};
}

}  // namespace cetaev
