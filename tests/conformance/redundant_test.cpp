// Constraints written redundantly, with components that vanish at some states: every principle has the same accelerations, and the
// constraints the same reaction, as with each constraint once.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "forms.hpp"
#include "random_system.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {
namespace {

// Twice the same system.
struct Pair {
  std::string head;                        // coordinates, energies, dependent
  std::vector<std::string> once, written;  // constraints
  std::size_t angle = 0;                   // the coordinate at whose multiples of π components vanish

  System system(const std::vector<std::string>& constraints, const std::string& rest = "") const {
    std::string text = head + "constraints = [\n";
    for (const std::string& line : constraints) text += "  \"" + line + "\",\n";
    return scratch_model(text + "]\n" + rest, "redundant.toml");
  }
};

class PairWriter {
 public:
  explicit PairWriter(std::uint64_t seed) : dice_(seed) {}

  Pair write() {
    n_ = dice_.between(3, 5);
    const std::size_t k = dice_.between(1, n_ - 2);
    Pair pair;
    pair.angle = n_ - 1;
    angle_ = q(pair.angle);
    pair.head = "coordinates = [";
    for (std::size_t i = 0; i < n_; ++i) pair.head += "\"" + q(i) + "\", ";
    pair.head += "]\nkinetic = \"0";
    for (std::size_t i = 0; i < n_; ++i) {
      pair.head += " + " + number(0.5, 2) + "*" + v(i) + "^2/2";
      if (dice_.chance(30)) {
        pair.head += " + 0.2*cos(" + any() + ")*";
        pair.head += v(i) + "*" + v(dice_.below(n_));
      }
    }
    pair.head += "\"\npotential = \"" + smooth() + "\"\ndependent = [";
    for (std::size_t i = 0; i < k; ++i) pair.head += "\"" + q(i) + "\", ";
    pair.head += "]\n";
    for (std::size_t i = 0; i < k; ++i) {
      const std::string e = equation(i);
      pair.once.push_back(e + " = 0");
      for (const std::string& line : redundantly(e)) pair.written.push_back(line + " = 0");
    }
    for (std::size_t j = pair.written.size(); j-- > 1;) std::swap(pair.written[j], pair.written[dice_.below(j + 1)]);
    return pair;
  }

 private:
  static std::string q(std::size_t i) { return "q" + std::to_string(i + 1); }
  static std::string v(std::size_t i) { return q(i) + "'"; }
  std::string any() { return q(dice_.below(n_)); }
  std::string number(double low, double high) {
    std::ostringstream text;
    text << std::round(100 * (low + (high - low) * static_cast<double>(dice_.below(1000)) / 1000)) / 100;
    return text.str();
  }
  std::string smooth() {
    std::string result = "(" + number(0.2, 1);
    for (const char* f : {"sin", "cos", "atan"}) {
      if (!dice_.chance(60)) continue;
      result += " + " + number(0.2, 1);
      result += std::string("*") + f + "(" + any() + ")";
    }
    return result + ")";
  }
  std::string positive() {
    std::string x = any();
    switch (dice_.below(3)) {
      case 0: return "(2 + sin(" + x + "))";
      case 1: return "exp(" + x + "/4)";
      default: return number(0.5, 3);
    }
  }

  // Solvable for the velocity number l, which may be a blade, a rolling contact or something bent.
  std::string equation(std::size_t l) {
    std::string result = "(" + v(l);
    for (std::size_t j = 0; j < n_; ++j) {
      if (j == l || !dice_.chance(60)) continue;
      result += " - " + smooth();
      result += dice_.chance(20) ? "*" + v(j) + "^2/3" : "*" + v(j);
    }
    if (dice_.chance(30)) result += " - " + smooth();
    return result + ")";
  }

  // The same condition in several rows. Of (cos φ, sin φ) times it, and of its projection beside a unit vector, components vanish where
  // φ is a multiple of π/2.
  std::vector<std::string> redundantly(const std::string& e) {
    const std::string angle = angle_;
    switch (dice_.below(6)) {
      case 0: return {e, e};
      case 1: {
        std::string f = positive();
        return {e, f + "*" + e};
      }
      case 2: return {"cos(" + angle + ")*" + e, "sin(" + angle + ")*" + e};
      case 3: {
        const std::string f = positive();
        return {f + "*cos(2*" + angle + ")*" + e, "sin(2*" + angle + ")*" + e, "sin(" + angle + ")^2*" + e};
      }
      case 4: return {"sinh(" + e + ")", "sin(" + angle + ")*" + e};
      default: {
        const std::string E = "[cos(" + angle + "), sin(" + angle + "), 0]";
        const std::string V = e + "*[sin(" + angle + "), -cos(" + angle + "), 0]";
        return {V + " - dot(" + V + ", " + E + ")*" + E};
      }
    }
  }

  Dice dice_;
  std::size_t n_ = 0;
  std::string angle_;
};

// Jᵀλ
std::vector<double> reaction(const System& system, const Terms& terms, const State& state,
                             const std::vector<double>& lambda) {
  std::vector<Value> at;
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(state, parameter_values(system));
  for (std::size_t i = 0; i < symbols.size(); ++i) at.emplace_back(symbols[i], numbers[i]);
  const Matrix& J = terms.constraints.jacobian;
  const std::vector<double> entries = evaluate(J.entries, at);
  std::vector<double> result(J.columns, 0.0);
  for (std::size_t i = 0; i < J.rows; ++i) {
    for (std::size_t j = 0; j < J.columns; ++j) result[j] += lambda[i] * entries[i * J.columns + j];
  }
  return result;
}

class RedundantComparison {
 public:
  RedundantComparison(const Pair& pair, std::uint64_t seed)
      : seed_(seed), once_(pair.system(pair.once)), written_(pair.system(pair.written)) {
    for (const std::string& line : pair.written) text_ += line + "\n";
  }

  Forms& once() { return once_; }

  void at(const State& state, std::map<std::string_view, int>& compared) {
    const std::vector<std::size_t> dependent = once_.system()->dependent.value();
    SCOPED_TRACE("seed " + std::to_string(seed_) + " at " + describe(once_.system(), state) + "\n" + text_);
    try {
      const AtState truth = once_.at(state, dependent);
      const AtState found = written_.at(state, dependent);
      for (const Outcome& outcome : truth.outcomes) {
        if (!outcome.regular()) continue;
        const Outcome& other = found[outcome.name()];
        if (!other.values && other.error->code() == ErrorCode::not_applicable)
          continue;  // linear, but not as it is written
        if (!other.values) {
          ADD_FAILURE() << outcome.name() << ": " << other.error->message();
          continue;
        }
        ++compared[outcome.name()];
        EXPECT_LT(relative_difference(other.values->a, outcome.values->a), 1e-9) << outcome.name();
      }
      if (!truth["multipliers"].regular()) return;
      const Reaction one = Multipliers(once_.system(), once_.terms()).evaluate(state);
      const Reaction all = Multipliers(written_.system(), written_.terms()).evaluate(state);
      ++compared["reactions"];
      EXPECT_EQ(all.rank, one.rank);
      EXPECT_LT(relative_difference(all.a, one.a), 1e-9);
      EXPECT_LT(relative_difference(reaction(written_.system(), written_.terms(), state, all.multipliers),
                                    reaction(once_.system(), once_.terms(), state, one.multipliers)),
                1e-9);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }

  // Fourth order Runge–Kutta: a motion from nothing but the accelerations of the single constraints.
  State later(State state, double h) {
    const Multipliers form(once_.system(), once_.terms());
    const auto moved = [&](const State& from, const State& rate, const std::vector<double>& a, double by) {
      State result = from;
      result.t += by;
      for (std::size_t i = 0; i < from.q.size(); ++i) {
        result.q[i] += by * rate.v[i];
        result.v[i] += by * a[i];
      }
      return result;
    };
    const std::vector<double> a1 = form.evaluate(state).a;
    const State s2 = moved(state, state, a1, h / 2);
    const std::vector<double> a2 = form.evaluate(s2).a;
    const State s3 = moved(state, s2, a2, h / 2);
    const std::vector<double> a3 = form.evaluate(s3).a;
    const State s4 = moved(state, s3, a3, h);
    const std::vector<double> a4 = form.evaluate(s4).a;
    State result = state;
    result.t += h;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      result.q[i] += h / 6 * (state.v[i] + 2 * s2.v[i] + 2 * s3.v[i] + s4.v[i]);
      result.v[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
    }
    return result;
  }

 private:
  std::uint64_t seed_;
  std::string text_;
  Forms once_, written_;
};

TEST(RedundantConstraints, ChangeNothingAtAnyStateInAnyForm) {
  std::map<std::string_view, int> compared;
  const Seeds range = seeds(30);
  for (const std::uint64_t seed : range.all()) {
    const Pair pair = PairWriter(seed).write();
    try {
      RedundantComparison comparison(pair, seed);
      Dice dice(seed + 1000);
      for (std::uint64_t attempt = 1; attempt <= 6; ++attempt) {
        std::optional<State> state = comparison.once().admissible().random(attempt);
        if (!state) continue;
        // generic; where components vanish, exactly and but for rounding; and close to that
        const double pi = 3.141592653589793;
        const std::vector<double> angles = {state->q[pair.angle], 0, pi, pi / 2, pi + 1e-9, 3e-6};
        state->q[pair.angle] = angles[attempt - 1];
        state = comparison.once().admissible().random_velocity(*state, attempt);
        if (!state) continue;
        comparison.at(*state, compared);
        // away from there, and back to it
        if (attempt % 3 == 0) {
          for (int step = 0; step < 4; ++step) {
            *state = comparison.later(*state, 1e-3);
            // a fast motion drifts away, and at what is not admissible rows do contradict each other
            const std::vector<double> residual = comparison.once().admissible().residual(*state);
            if (std::ranges::any_of(residual, [](double off) { return std::fabs(off) > 1e-12; })) break;
            comparison.at(*state, compared);
          }
        }
      }
    } catch (const Error& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.message();
    }
  }
  for (const std::string_view name :
       {"reactions", "multipliers", "gauss", "maggi", "voronec", "appell", "vakonomic", "mvm3"})
    EXPECT_GE(compared[name], range.share(500)) << name;
  EXPECT_GE(compared["hamel"], range.share(160));
  EXPECT_GE(compared["caplygin"], range.share(8));
}

// A blade as a vector that is parallel to another.
TEST(RedundantConstraints, AVectorParallelToAnotherIsABladeAtEveryAngle) {
  const std::string head = "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2 + x\"\n";
  for (const double phi :
       {0.0, 1e-12, 1e-9, 1e-4, 0.3, 1.5707963267948966, 3.141592653589793, 100 * 3.141592653589793}) {
    std::ostringstream initial;
    initial.precision(17);
    initial << "[initial]\nphi = " << phi << "\n\"phi'\" = 0.7\n\"x'\" = " << 1.3 * std::cos(phi)
            << "\n\"y'\" = " << 1.3 * std::sin(phi) << "\n";
    const System blade =
        scratch_model(head + "constraints = [\"x'*sin(phi) = y'*cos(phi)\"]\n" + initial.str(), "one.toml");
    const System vector =
        scratch_model(head +
                          "constraints = [\"V - dot(V, e)*e = 0\"]\n[definitions]\nV = \"[x', y', 0]\"\n"
                          "e = \"[cos(phi), sin(phi), 0]\"\n" +
                          initial.str(),
                      "vector.toml");
    const Evaluation one = evaluate(blade), other = evaluate(vector);
    for (const FormResult& truth : one.forms) {
      if (!truth.values) continue;
      const FormResult& found = *other.find(truth.form);
      ASSERT_TRUE(found.values) << truth.form->name << " at " << phi << ": " << found.error->message();
      EXPECT_LT(relative_difference(found.values->a, truth.values->a), 1e-9) << truth.form->name << " at " << phi;
    }
    // u' = cos φ, x'' = u' cos φ − u φ' sin φ
    EXPECT_NEAR(other.find(Form::multipliers)->values->a[0], std::cos(phi) * std::cos(phi) - 1.3 * 0.7 * std::sin(phi),
                1e-9);
  }
}

}  // namespace
}  // namespace cetaev::conformance
