#include "random_system.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace cetaev::conformance {

std::uint64_t Dice::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

namespace {

// Pieces that throw dice stand in braces, never around a +: only there is the order in which they are evaluated fixed.
std::string join(std::initializer_list<std::string_view> pieces) {
  std::string result;
  for (const std::string_view piece : pieces) result += piece;
  return result;
}

// One constraint as lhs = rhs; `order` is that of the equation.
struct Equation {
  std::string left, right;
  int order = 1;
  std::string difference() const { return join({"(", left, " - (", right, "))"}); }
  // on the level of velocities
  std::string rate() const { return difference() + (order == 0 ? "'" : ""); }
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : dice_(seed) {}

  RandomModel write() {
    n_ = dice_.between(2, 6);
    const std::size_t k = dice_.chance(5) ? 0 : dice_.between(1, n_ - 1);
    for (std::size_t i = 0; i < n_; ++i) lead_.push_back(i);
    for (std::size_t i = n_; i-- > 1;) std::swap(lead_[i], lead_[dice_.below(i + 1)]);
    model_.caplygin = k > 0 && dice_.chance(15);
    // The coordinates that may occur in functions: of Čaplygin's type, only the independent ones.
    pool_.assign(lead_.begin() + (model_.caplygin ? static_cast<std::ptrdiff_t>(k) : 0), lead_.end());
    rheonomic_ = dice_.chance(40);

    std::string& text = model_.text;
    std::vector<std::string> names, dependent;
    for (std::size_t i = 0; i < n_; ++i) names.push_back(q(i));
    for (std::size_t i = 0; i < k; ++i) dependent.push_back(q(lead_[i]));
    text = "coordinates = " + list(names);
    const bool points = write_energy();
    write_constraints(k);
    if (model_.caplygin) text += "dependent = " + list(dependent);
    write_auxiliary(n_ - k);
    if (points) write_points();
    write_forces();
    write_quasi_velocities(n_ - k);
    return model_;
  }

 private:
  static std::string q(std::size_t i) { return "q" + std::to_string(i + 1); }
  static std::string v(std::size_t i) { return q(i) + "'"; }
  static std::string list(const std::vector<std::string>& items) {
    std::string text = "[";
    for (const std::string& item : items) text += "\"" + item + "\", ";
    return text + "]\n";
  }

  // Hundredths, from integers alone.
  std::string number(std::size_t low, std::size_t high) {
    const std::size_t value = dice_.between(low, high);
    const std::string cents = std::to_string(value % 100);
    return join({std::to_string(value / 100), ".", cents.size() < 2 ? "0" : "", cents});
  }
  std::string signed_number(std::size_t low, std::size_t high) {
    return join({dice_.chance(50) ? "-" : "", number(low, high)});
  }
  std::size_t any() { return pool_[dice_.below(pool_.size())]; }
  std::string any_velocity() { return v(dice_.below(n_)); }

  // A factor of moderate size in positions and time.
  std::string factor() {
    const std::string x = q(any());
    if (rheonomic_ && dice_.chance(25)) {
      const std::string rate = number(50, 200);
      return dice_.chance(50) ? join({"sin(", rate, "*t + ", x, ")"}) : join({"cos(", rate, "*t)"});
    }
    switch (dice_.below(9)) {
      case 0: return x;
      case 1: return join({"sin(", x, " + ", number(0, 150), ")"});
      case 2: return join({"cos(", number(50, 150), "*", x, ")"});
      case 3: return join({x, "*", q(any())});
      case 4: return join({"exp(-", x, "^2/4)"});
      case 5: return join({"sqrt(1 + ", x, "^2)"});
      case 6: return join({"atan(", x, ")"});
      case 7: return join({"1/(1 + ", x, "^2)"});
      default: return join({"tanh(", x, " - ", q(any()), ")"});
    }
  }
  std::string smooth() {
    std::string result = join({"(", signed_number(20, 100), "*", factor()});
    if (dice_.chance(40)) result += "*" + factor();
    if (dice_.chance(50)) result += join({" + ", number(10, 80), "*", factor()});
    return result + ")";
  }
  std::string positive() {
    const std::string x = q(any());
    switch (dice_.below(5)) {
      case 0: return join({"(", number(150, 250), " + sin(", x, "))"});
      case 1: return join({"exp(", x, "/4)"});
      case 2: return join({"sqrt(1 + ", x, "^2)"});
      case 3: return rheonomic_ ? "(2 + cos(t))" : number(50, 200);
      default: return number(50, 200);
    }
  }

  // Writes kinetic, potential or lagrangian; whether points are to follow.
  bool write_energy() {
    const std::string potential = dice_.chance(80) ? join({smooth(), " + ", smooth()}) : "0";
    const std::size_t style = dice_.below(4);
    if (style < 3) {
      model_.text += "potential = \"" + potential + "\"\n";
      if (style > 0) model_.text += "kinetic = \"" + kinetic() + "\"\n";
      return style < 2;
    }
    std::string lagrangian = kinetic() + " - (" + potential + ")";
    // gyroscopic terms, and now and then a kinetic energy that is not quadratic
    for (std::size_t i = 0; i < n_; ++i) {
      if (dice_.chance(40)) lagrangian += join({" + ", smooth(), "*", v(i)});
    }
    if (dice_.chance(15)) lagrangian += join({" + ", any_velocity(), "^4/20"});
    model_.text += "lagrangian = \"" + lagrangian + "\"\n";
    return false;
  }

  std::string kinetic() {
    std::string result;
    for (std::size_t i = 0; i < n_; ++i) result += join({i > 0 ? " + " : "", positive(), "*", v(i), "^2/2"});
    for (std::size_t i = 0; i + 1 < n_; ++i) {
      if (dice_.chance(40)) result += join({" + 0.2*", factor(), "*", v(i), "*", v(dice_.between(i + 1, n_ - 1))});
    }
    return result;
  }

  void write_points() {
    // every coordinate leads one component, so that the points carry mass along all of them
    std::vector<std::string> components;
    const std::size_t count = (n_ + 2) / 3 + dice_.below(2);
    for (std::size_t i = 0; i < 3 * count; ++i) {
      if (i < n_) {
        components.push_back(q(i) + " + 0.3*" + smooth());
      } else {
        components.push_back(dice_.chance(50) ? smooth() : "0");
      }
    }
    for (std::size_t i = components.size(); i-- > 1;) std::swap(components[i], components[dice_.below(i + 1)]);
    for (std::size_t p = 0; p < count; ++p) {
      model_.text +=
          join({"[[points]]\nname = \"P", std::to_string(p + 1), "\"\nmass = ", number(30, 300), "\nposition = "});
      model_.text += list({components[3 * p], components[3 * p + 1], components[3 * p + 2]});
    }
  }

  // An equation that can be solved for the coordinate or velocity `l`.
  Equation equation(std::size_t l) {
    const std::string a = any_velocity(), b = any_velocity();
    const std::size_t kind = model_.caplygin ? dice_.between(2, 8) : dice_.below(9);
    if (kind < 2) return holonomic(l);
    if (kind < 5) {
      std::string sum = join({positive(), "*", v(l)});
      for (std::size_t j = 0; j < n_; ++j) {
        if (j != l && dice_.chance(50)) sum += join({" + ", smooth(), "*", v(j)});
      }
      return {sum, kind == 4 ? smooth() : "0", 1};
    }
    switch (kind) {
      case 5: return {join({v(l), "^2 + 0.3*", a, "^2"}), join({number(150, 300), " + 0.5*sin(", q(any()), ")"}), 1};
      case 6:
        return {join({v(l), " + 0.2*", v(l), "^3 + ", smooth(), "*", a, "^2"}),
                join({smooth(), " + ", smooth(), "*", b}), 1};
      case 7:
        return {v(l), join({number(20, 80), "*sqrt(", a, "^2 + ", b, "^2 + ", number(10, 50), ") + ", smooth()}), 1};
      default: return {join({v(l), " + 0.3*sin(", v(l), ")"}), join({"tanh(", a, ") + ", smooth(), "*", b}), 1};
    }
  }

  // The function of the other coordinates is smooth, so that some q_l always does.
  Equation holonomic(std::size_t l) {
    std::string sum = q(l);
    for (std::size_t j = 0; j < n_; ++j) {
      if (j == l || !dice_.chance(60)) continue;
      sum += join({" + ", signed_number(10, 60), dice_.chance(50) ? "*sin(" + q(j) + ")" : "*" + q(j) + "^2/2"});
    }
    if (rheonomic_ && dice_.chance(50)) sum += " + 0.3*sin(t)";
    return {sum, signed_number(0, 80), 0};
  }

  void write_constraints(std::size_t k) {
    std::vector<Equation> equations;
    std::vector<std::string> written;
    std::size_t i = 0;
    // rank 2 of three rows
    if (k >= 2 && !model_.caplygin && n_ >= 3 && dice_.chance(12)) {
      written.push_back(join({"cross([", v(lead_[0]), ", ", v(lead_[1]), ", ", v(lead_[2]), "], [", smooth(), ", ",
                              smooth(), ", ", positive(), "]) = 0"}));
      i = 2;
    }
    const bool on_accelerations = !model_.caplygin && dice_.chance(8);
    for (; i < k; ++i) {
      if (on_accelerations && i + 1 == k) {
        written.push_back(join({positive(), "*", v(lead_[i]), "' + 0.5*", factor(), "*", any_velocity(),
                                "' = ", smooth(), "*", any_velocity()}));
      } else {
        equations.push_back(equation(lead_[i]));
      }
    }
    model_.holonomic = written.empty() && !equations.empty();
    for (const Equation& e : equations) {
      written.push_back(e.left + " = " + e.right);
      model_.holonomic = model_.holonomic && e.order == 0;
    }
    if (!equations.empty() && dice_.chance(30)) written.push_back(consequence_of(equations));
    if (written.empty()) return;
    for (std::size_t j = written.size(); j-- > 1;) std::swap(written[j], written[dice_.below(j + 1)]);
    model_.text += "constraints = [\n";
    for (const std::string& line : written) model_.text += "  \"" + line + "\",\n";
    model_.text += "]\n";
  }

  // A copy, a combination, a derivative or another function of what is there.
  std::string consequence_of(const std::vector<Equation>& equations) {
    const Equation& one = equations[dice_.below(equations.size())];
    const Equation& other = equations[dice_.below(equations.size())];
    switch (dice_.below(4)) {
      case 0: return join({positive(), "*", one.difference(), " = 0"});
      case 1: return one.rate() + " = 0";
      case 2: return join({positive(), "*", one.rate(), " + ", smooth(), "*", other.rate(), " = 0"});
      default: return "sinh(" + one.rate() + ") = 0";
    }
  }

  void write_auxiliary(std::size_t m) {
    if (!dice_.chance(35)) return;
    // all that mvm2 needs, or the one less that mvm3 needs
    const std::size_t count = m > 1 && dice_.chance(30) ? m - 1 : m;
    model_.text += "auxiliary = [\n";
    for (std::size_t i = 0; i < count; ++i) {
      // led by the independent velocities, so that they are independent of the constraints as a rule
      const std::string x = v(lead_[n_ - 1 - i]);
      const std::string y = any_velocity();
      switch (dice_.below(3)) {
        case 0: model_.text += join({"  \"", positive(), "*", x, " + ", smooth(), "*", y, "\",\n"}); break;
        case 1: model_.text += join({"  \"", x, " + ", x, "^2/5 + 0.2*", y, "^2 + ", smooth(), "\",\n"}); break;
        default: model_.text += join({"  \"", x, "\",\n"}); break;
      }
    }
    model_.text += "]\n";
  }

  void write_forces() {
    if (!dice_.chance(50)) return;
    model_.text += "[forces]\n";
    for (std::size_t i = 0; i < n_; ++i) {
      if (!dice_.chance(60)) continue;
      const std::string a = any_velocity(), b = any_velocity();
      switch (dice_.below(3)) {
        case 0: model_.text += join({q(i), " = \"-", number(10, 90), "*", a, "\"\n"}); break;
        case 1: model_.text += join({q(i), " = \"", smooth(), "*", a, "*", b, "\"\n"}); break;
        default: model_.text += join({q(i), " = \"", smooth(), " + ", smooth(), "*", a, "\"\n"}); break;
      }
    }
  }

  void write_quasi_velocities(std::size_t m) {
    if (!dice_.chance(25)) return;
    model_.text += "[quasi_velocities]\n";
    for (std::size_t i = 0; i < m; ++i) {
      model_.text += join({"u", std::to_string(i + 1), " = \"", positive(), "*", v(lead_[n_ - 1 - i]), " + 0.3*",
                           factor(), "*", any_velocity(), "\"\n"});
    }
  }

  Dice dice_;
  RandomModel model_;
  std::size_t n_ = 0;
  std::vector<std::size_t> lead_;  // a permutation; the first k lead a constraint each
  std::vector<std::size_t> pool_;
  bool rheonomic_ = false;
};

}  // namespace

RandomModel random_model(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace cetaev::conformance
