#include "verdict_systems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cetaev::conformance {

const std::vector<std::string> letters = {"x", "y", "z"};

long whole(Dice& dice, long size) {
  return static_cast<long>(dice.below(static_cast<std::size_t>(2 * size + 1))) - size;
}

std::string term(long factor, const std::string& name) {
  return (factor < 0 ? " - " : " + ") + std::to_string(std::abs(factor)) + "*" + name;
}

AffineForm AffineForm::random(Dice& dice, std::size_t n) {
  AffineForm form;
  do {
    form.a.clear();
    for (std::size_t i = 0; i < n; ++i) form.a.push_back(whole(dice, 3));
  } while (std::all_of(form.a.begin(), form.a.end(), [](long x) { return x == 0; }));
  form.b = dice.chance(40) ? 0 : whole(dice, 40);
  return form;
}

std::string AffineForm::text() const {
  std::string sum = "0";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0) sum += term(a[i], letters[i] + "'");
  return "(" + sum + (b < 0 ? " - " : " + ") + std::to_string(std::abs(b)) + ")";
}

bool AffineForm::same_plane(const AffineForm& other) const {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[i] * other.a[j] != a[j] * other.a[i]) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] * other.b != b * other.a[i]) return false;
  return true;
}

Planes random_planes(Dice& dice, std::size_t n) {
  const AffineForm g = AffineForm::random(dice, n);
  const long c = 1 + static_cast<long>(dice.below(30));
  switch (dice.below(6)) {
    case 0: return {g.text() + "^2 = " + std::to_string(c * c), {g.shifted(c), g.shifted(-c)}};
    case 1: return {"abs" + g.text() + " = " + std::to_string(c), {g.shifted(c), g.shifted(-c)}};
    case 2: return {g.text() + "^2 = " + std::to_string(c) + "*" + g.text(), {g, g.shifted(-c)}};
    case 3: {
      const AffineForm h = AffineForm::random(dice, n);
      return {g.text() + "*" + h.text() + " = 0", {g, h}};
    }
    case 4: {
      const AffineForm h = AffineForm::random(dice, n);
      return {"sqrt(" + g.text() + "^2) = abs" + h.text(),
              {{[&] {
                  std::vector<long> a;
                  for (std::size_t i = 0; i < n; ++i) a.push_back(g.a[i] + h.a[i]);
                  return a;
                }(),
                g.b + h.b},
               {[&] {
                  std::vector<long> a;
                  for (std::size_t i = 0; i < n; ++i) a.push_back(g.a[i] - h.a[i]);
                  return a;
                }(),
                g.b - h.b}}};
    }
    default: return {"exp(" + g.text() + "*(2 + sin(x))) = 1", {g}};
  }
}

ForcedModel forced(Dice& dice, std::size_t n, const std::string& constraint, const std::string& free) {
  ForcedModel model;
  std::string kinetic, potential, names;
  for (std::size_t i = 0; i < n; ++i) {
    model.force.push_back(whole(dice, 2));
    kinetic += (i > 0 ? " + " : "") + letters[i] + "'^2";
    potential += term(-model.force.back(), letters[i]);
    names += (i > 0 ? ", " : "") + ("\"" + letters[i] + "\"");
  }
  if (!free.empty()) {
    kinetic += " + " + free + "'^2";
    names += ", \"" + free + "\"";
  }
  model.text = "coordinates = [" + names + "]\nlagrangian = \"(" + kinetic + ")/2 - (0" + potential +
               ")\"\nconstraints = [\"" + constraint + "\"]\n";
  return model;
}

long dot(const std::vector<long>& a, const std::vector<long>& b) {
  long sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<long> random_claim(Dice& dice, ForcedModel& model) {
  std::vector<long> c;
  std::string claim = "0";
  for (std::size_t i = 0; i < model.force.size(); ++i) {
    c.push_back(whole(dice, 1));
    if (c[i] != 0) claim += term(c[i], letters[i] + "'");
  }
  model.text += "[integrals]\nI = \"" + claim + "\"\n";
  return c;
}

bool Planes::are_distinct() const {
  for (const AffineForm& g : branches)
    if (std::all_of(g.a.begin(), g.a.end(), [](long x) { return x == 0; })) return false;  // everywhere, or nowhere
  // a square's gradients vanish on it
  return branches.size() == 1 || !branches[0].same_plane(branches[1]);
}

Truth truth_on(const Planes& planes, const std::vector<long>& force, const std::vector<long>& c) {
  Truth truth;
  for (const AffineForm& g : planes.branches) {
    const long aF = dot(g.a, force), aa = dot(g.a, g.a);
    truth.conic = truth.conic && g.b == 0;
    truth.conserved = truth.conserved && g.b * aF == 0;
    truth.constant = truth.constant && dot(c, force) * aa == dot(c, g.a) * aF;
  }
  return truth;
}

std::string as_difference(const std::string& constraint) {
  const std::size_t equals = constraint.rfind(" = ");
  return "(" + constraint.substr(0, equals) + " - (" + constraint.substr(equals + 3) + "))";
}

KineticTerm random_kinetic(Dice& dice, std::size_t n) {
  std::string square;
  for (std::size_t i = 0; i < n; ++i) square += (i > 0 ? " + " : "") + letters[i] + "'^2";
  const auto norm = [](const std::vector<long double>& v) {
    long double sum = 0;
    for (const long double x : v) sum += x * x;
    return sum;
  };
  switch (dice.below(6)) {
    case 0:
      return {"-100*sqrt(1 - (" + square + ")/10000)",
              [=](const auto& v) { return -100 * std::sqrt(1 - norm(v) / 10000); }};
    case 1:
      return {"(" + square + ")/2 + (" + square + ")^2/8",
              [=](const auto& v) { return norm(v) / 2 + norm(v) * norm(v) / 8; }};
    case 2: return {"sqrt(1 + " + square + ")", [=](const auto& v) { return std::sqrt(1 + norm(v)); }};
    case 3:
      return {"(" + square + ")/2 + x'^4", [=](const auto& v) { return norm(v) / 2 + v[0] * v[0] * v[0] * v[0]; }};
    case 4:
      return {"(" + square + ")/2 + cosh(y'/8)", [=](const auto& v) { return norm(v) / 2 + std::cosh(v[1] / 8); }};
    default:
      return {"(" + square + ")/2 + log(1 + y'^2)/4",
              [=](const auto& v) { return norm(v) / 2 + std::log(1 + v[1] * v[1]) / 4; }};
  }
}

std::vector<long double> solved(std::vector<std::vector<long double>> A, std::vector<long double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(A[i][k]) > std::fabs(A[best][k])) best = i;
    std::swap(A[k], A[best]);
    std::swap(b[k], b[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const long double f = A[i][k] / A[k][k];
      for (std::size_t j = 0; j < n; ++j) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= A[i][i];
  return b;
}

BentPotential bent(Dice& dice) {
  const long k = whole(dice, 60);
  const bool along_x = dice.chance(60);
  const std::string u = "(" + std::string(along_x ? "x" : "y") + term(-k, "1") + ")";
  const auto coordinate = [along_x](double x, double y) { return along_x ? x : y; };
  const double at = static_cast<double>(k);
  switch (dice.below(4)) {
    case 0:
      return {"(abs" + u + " + " + u + ")^2", [=](double x, double y) {
                const double d = coordinate(x, y) - at;
                return std::pow(std::fabs(d) + d, 2);
              }};
    case 1:
      return {"abs" + u + "^3", [=](double x, double y) { return std::pow(std::fabs(coordinate(x, y) - at), 3); }};
    case 2:
      return {"(sqrt(" + u + "^2) - " + u + ")^2", [=](double x, double y) {
                const double d = coordinate(x, y) - at;
                return std::pow(std::fabs(d) - d, 2);
              }};
    default:
      return {u + "*abs" + u, [=](double x, double y) {
                const double d = coordinate(x, y) - at;
                return d * std::fabs(d);
              }};
  }
}

FreeParticle free_particle(Dice& dice) {
  if (dice.below(3) != 0) return {"(x'^2 + y'^2)/2", "x'", "y'"};
  const std::vector<std::string> speeds = {"1/50", "1", "7", "3000"};
  const std::string c = "(" + speeds[dice.below(speeds.size())] + ")";
  const std::string root = "sqrt(1 - (x'^2 + y'^2)/" + c + "^2)";
  return {"(-" + c + "^2*" + root + ")", "x'/" + root, "y'/" + root, false};
}

}  // namespace cetaev::conformance
