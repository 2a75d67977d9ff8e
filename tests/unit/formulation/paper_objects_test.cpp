// The objects of the papers against what defines them, at random admissible states and accelerations.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/paper_objects.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

// A model with its dependent velocities in closed form, at random states.
class Bench {
 public:
  explicit Bench(const std::string& name)
      : work_(scratch_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml")),
        system(work_.system()),
        setting(work_.setting()) {
    alpha = setting.closed_form(work_.start().at.state);
    if (alpha) setting.use_explicit(*alpha);
  }

  ObjectFormulas operator()(PaperObject object) const { return formulas_of(setting, alpha, object); }
  std::vector<Expr> entries(PaperObject object, std::size_t array = 0) const {
    return (*this)(object).arrays.at(array).entries;
  }

  // A random admissible state on the branch of α; false where that is not found.
  bool next() {
    for (int tries = 0; tries < 50; ++tries) {
      const auto found = work_.admissible().random(seed_++);
      if (!found) continue;
      state = *found;
      a.assign(state.q.size(), 0);
      if (!alpha) return true;
      bool same = true;
      const std::vector<double> velocities = values(*alpha);
      for (std::size_t v = 0; v < velocities.size(); ++v)
        same = same && std::fabs(velocities[v] - state.v[setting.dependent[v]]) < 1e-9;
      if (same) return true;
    }
    return false;
  }

  // Accelerations that the constraints allow, and no law of motion.
  void any_accelerations() {
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (const std::size_t i : setting.independent) a[i] = uniform(random_);
    const Jets& jets = setting.jets();
    const std::vector<double> drift = values(jets.drift), gamma = values(jets.gamma.entries);
    const std::size_t m = setting.independent.size();
    for (std::size_t v = 0; v < setting.rank(); ++v) {
      a[setting.dependent[v]] = drift[v];
      for (std::size_t r = 0; r < m; ++r) a[setting.dependent[v]] += gamma[v * m + r] * a[setting.independent[r]];
    }
  }

  std::vector<double> values(const std::vector<Expr>& expressions) const {
    std::vector<Value> given;
    const std::vector<Expr> symbols = state_symbols(system);
    const std::vector<double> numbers = state_values(state, parameter_values(system));
    for (std::size_t i = 0; i < symbols.size(); ++i) given.emplace_back(symbols[i], numbers[i]);
    for (std::size_t i = 0; i < a.size(); ++i) given.emplace_back(system->motion.a[i], a[i]);
    return evaluate(expressions, given);
  }

  // f along the i-th admissible direction
  std::vector<double> projected(const std::vector<double>& f) const {
    const std::vector<double> gamma = values(setting.jets().gamma.entries);
    const std::size_t m = setting.independent.size();
    std::vector<double> result;
    for (std::size_t i = 0; i < m; ++i) {
      result.push_back(f[setting.independent[i]]);
      for (std::size_t v = 0; v < setting.rank(); ++v) result.back() += gamma[v * m + i] * f[setting.dependent[v]];
    }
    return result;
  }

  // E T of the kinetic energy; of L without its part without velocities where L is given whole.
  std::vector<double> inertia() const {
    std::vector<Replacement> rest;
    for (const Expr v : system->motion.v) rest.emplace_back(v, setting.zero());
    const Expr T = system->kinetic ? *system->kinetic : system->lagrangian - substitute(system->lagrangian, rest);
    return values(lagrangian_derivative(T, system->motion));
  }

 private:
  Groundwork work_;
  std::uint64_t seed_ = 1;
  std::mt19937 random_{7};

 public:
  System system;
  Setting setting;
  std::optional<std::vector<Expr>> alpha;
  State state;
  std::vector<double> a;
};

constexpr const char* models[] = {"skate",        "appell-hamel-machine", "chaplygin-sleigh", "gantmacher-rod",
                                  "rolling-disc", "pursuit-straight",     "affine-degree-2",  "appell-hamel",
                                  "heisenberg",   "bead-on-rotating-rod"};

void expect_close(double x, double y, double scale) { EXPECT_NEAR(x, y, 1e-11 * std::max(1.0, scale)); }

double size_of(const std::vector<double>& x) {
  double largest = 0;
  for (const double e : x) largest = std::max(largest, std::fabs(e));
  return largest;
}

TEST(PaperObjects, NewtonsCoefficientsAndGibbsFunctionAreTheInertia) {
  int states = 0;
  for (const char* name : models) {
    SCOPED_TRACE(name);
    Bench bench(name);
    ASSERT_TRUE(bench.alpha);
    const std::vector<Expr> C = bench.entries(PaperObject::C), D = bench.entries(PaperObject::D),
                            E = bench.entries(PaperObject::E), G = bench.entries(PaperObject::G);
    const ObjectFormulas S = bench(PaperObject::S);
    const std::vector<std::size_t>& independent = bench.setting.independent;
    const std::size_t m = independent.size();
    std::vector<Expr> slopes;  // ∂S*/∂a
    for (const std::size_t i : independent)
      slopes.push_back(derivative(S.arrays.back().entries[0], bench.system->motion.a[i]));
    const std::vector<Expr> free = gradient(S.arrays[0].entries[0], bench.system->motion.a);
    for (int trial = 0; trial < 6 && bench.next(); ++trial, ++states) {
      bench.any_accelerations();
      const std::vector<double> all = bench.inertia(), expected = bench.projected(all);
      const std::vector<double> c = bench.values(C), d = bench.values(D), e = bench.values(E), g = bench.values(G),
                                s = bench.values(slopes), f = bench.values(free);
      const auto v = [&](std::size_t r) { return bench.state.v[independent[r]]; };
      for (std::size_t i = 0; i < m; ++i) {
        double left = g[i];
        for (std::size_t r = 0; r < m; ++r) {
          left += c[i * m + r] * bench.a[independent[r]] + e[i * m + r] * v(r);
          for (std::size_t k = 0; k < m; ++k) left += d[(i * m + r) * m + k] * v(r) * v(k);
        }
        expect_close(left, expected[i], size_of(all));
        expect_close(s[i], expected[i], size_of(all));
      }
      for (std::size_t i = 0; i < f.size(); ++i) expect_close(f[i], all[i], size_of(all));
    }
  }
  EXPECT_GT(states, 45);
}

// ½ Σ m |P̈|² of points: two accelerations differ in it by what they differ in S.
TEST(PaperObjects, GibbsFunctionIsThatOfThePoints) {
  for (const char* name : {"zekovic", "midpoint-along-plane"}) {
    SCOPED_TRACE(name);
    Bench bench(name);
    ASSERT_FALSE(bench.system->points.empty());
    const std::vector<Expr> S = {bench(PaperObject::S).arrays[0].entries[0]};
    Derivation rate = total_derivative(bench.system->motion);
    Derivation at_fixed = derivative_at_fixed_velocity(bench.system->motion);
    std::vector<Expr> halves;
    for (const Point& point : bench.system->points) {
      for (const Expr x : point.position)
        halves.push_back(Rational(1, 2) * point.mass * pow(rate(at_fixed(x)), Rational(2)));
    }
    const std::vector<Expr> gibbs = {bench.setting.context().sum(halves)};
    ASSERT_TRUE(bench.next());
    const double s0 = bench.values(S)[0], g0 = bench.values(gibbs)[0];
    for (std::size_t i = 0; i < bench.a.size(); ++i) bench.a[i] = 0.7 * static_cast<double>(i) - 1.1;
    expect_close(bench.values(S)[0] - s0, bench.values(gibbs)[0] - g0, 10);
  }
}

TEST(PaperObjects, RelationsSolveTheirEquationsAndAreThoseOfTheForms) {
  for (const char* name : {"skate", "appell-hamel-machine", "gantmacher-rod", "circle", "appell-hamel"}) {
    SCOPED_TRACE(name);
    Bench bench(name);
    const std::size_t n = bench.system->size();
    for (std::size_t theorem = 0; theorem < 2; ++theorem) {
      const Form form = theorem == 0 ? Form::mvm2 : Form::mvm3;
      const std::vector<Expr> W = bench.entries(PaperObject::W, theorem),
                              O = bench.entries(PaperObject::Omega, theorem),
                              A = bench.entries(PaperObject::A, theorem);
      const CompiledForm compiled(bench.setting, form->derive(bench.setting));
      for (int trial = 0; trial < 4 && bench.next(); ++trial) {
        const CompiledForm::Values at = compiled.evaluate(bench.state);
        bench.a = at.a;
        const std::vector<double> w = bench.values(W), o = bench.values(O), a = bench.values(A);
        for (std::size_t i = 0; i < n * n; ++i) expect_close(a[i], at.transpositional[i], size_of(a));
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += w[i * n + k] * a[k * n + j];
            expect_close(sum, o[i * n + j], size_of(a) * size_of(w));
          }
        }
      }
    }
  }
}

// E L − F − F₁ does no work on virtual displacements along the motion of mvm2.
TEST(PaperObjects, TheForceOfTheRelationsDrivesMvm2) {
  for (const char* name : {"skate", "appell-hamel-machine", "gantmacher-rod", "contact-oscillator"}) {
    SCOPED_TRACE(name);
    Bench bench(name);
    const ObjectFormulas F1 = bench(PaperObject::F1);
    const CompiledForm compiled(bench.setting, Form::mvm2->derive(bench.setting));
    const std::vector<Expr> E = lagrangian_derivative(bench.system->lagrangian, bench.system->motion);
    for (int trial = 0; trial < 4 && bench.next(); ++trial) {
      bench.a = compiled.evaluate(bench.state).a;
      std::vector<double> left = bench.values(E);
      const std::vector<double> f = bench.values(F1.arrays[0].entries), forces = bench.values(bench.system->forces),
                                along = bench.values(F1.arrays[1].entries), projected = bench.projected(f);
      for (std::size_t i = 0; i < left.size(); ++i) left[i] -= forces[i] + f[i];
      for (const double x : bench.projected(left)) expect_close(x, 0, size_of(f) + size_of(bench.a));
      for (std::size_t i = 0; i < along.size(); ++i) expect_close(along[i], projected[i], size_of(f));
    }
  }
}

TEST(PaperObjects, TheReducedLagrangianAndTheFullOnes) {
  for (const char* name : models) {
    SCOPED_TRACE(name);
    Bench bench(name);
    const std::vector<Expr> reduced = bench.entries(PaperObject::Lstar), L = {bench.system->lagrangian};
    ASSERT_TRUE(bench.next());
    expect_close(bench.values(reduced)[0], bench.values(L)[0], std::fabs(bench.values(L)[0]));
    const std::vector<double> alpha = bench.values(bench.entries(PaperObject::alpha));
    for (std::size_t v = 0; v < alpha.size(); ++v) expect_close(alpha[v], bench.state.v[bench.setting.dependent[v]], 1);
  }
  const Bench skate("skate");
  const ObjectFormulas action = skate(PaperObject::action);
  ASSERT_EQ(action.arrays.size(), 2u);
  for (const FormulaArray& array : action.arrays)
    EXPECT_EQ(derivative(array.entries[0], skate.setting.context().symbol("$lambda1")), -skate.setting.phi()[0]);
}

TEST(PaperObjects, ThatAModelDoesNotHaveSayWhy) {
  const Bench no_formula("rattleback-ellipsoid");
  if (!no_formula.alpha) {
    try {
      (void)no_formula(PaperObject::alpha);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_applicable);
    }
  }
  const Bench relativistic("relativistic-blade");
  try {
    (void)relativistic(PaperObject::S);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("quadratic in the velocities"), std::string::npos);
  }
}

TEST(PaperObjects, AreFoundByTheirNames) {
  for (const PaperObject object : paper_objects()) EXPECT_EQ(paper_object(name_of(object)), object);
  EXPECT_FALSE(paper_object("Wronski"));
}

}  // namespace
}  // namespace cetaev
