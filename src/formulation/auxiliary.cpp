#include "cetaev/detail/formulation/auxiliary.hpp"

#include <algorithm>
#include <cmath>

#include "assemble.hpp"
#include "basis.hpp"
#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

constexpr int largest_search = 300;  // sets of functions looked at
constexpr std::size_t states_wanted = 4;

class Search {
 public:
  Search(const Setting& s, Admissible& admissible) : s_(s), reference_(s, Form::multipliers->derive(s)) {
    for (std::uint64_t seed = 1; seed <= 40 && states_.size() < states_wanted; ++seed) {
      const auto state = admissible.random(seed);
      if (!state) continue;
      try {
        accelerations_.push_back(reference_.evaluate(*state).a);
        states_.push_back(*state);
      } catch (const Error&) {
        continue;  // a singular state
      }
    }
  }

  std::optional<std::vector<Expr>> run() {
    if (states_.size() < states_wanted) return std::nullopt;
    const std::size_t m = s_.independent.size();
    for (const std::vector<Expr>& pool : pools()) {
      if (pool.size() < m) continue;
      // all subsets of m functions, in order
      std::vector<bool> chosen(pool.size(), false);
      std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(m), true);
      do {
        std::vector<Expr> functions;
        for (std::size_t i = 0; i < pool.size(); ++i) {
          if (chosen[i]) functions.push_back(pool[i]);
        }
        if (fits(functions)) return functions;
        if (++looked_at_ >= largest_search) return std::nullopt;
      } while (std::prev_permutation(chosen.begin(), chosen.end()));
    }
    return std::nullopt;
  }

 private:
  Expr combination(const std::vector<Expr>& coefficients) const { return dot(s_, coefficients, s_.system->motion.v); }

  std::vector<std::vector<Expr>> pools() const {
    const Motion& motion = s_.system->motion;
    const Matrix J = s_.J();
    std::vector<std::vector<Expr>> result;
    std::vector<Expr> along;
    for (std::size_t i = 0; i < s_.rank(); ++i) {
      std::vector<std::size_t> tied;
      for (std::size_t j = 0; j < s_.n(); ++j) {
        if (!J(i, j).is_zero()) tied.push_back(j);
      }
      if (tied.size() != 2 || depends_on(J(i, tied[0]), motion.v) || depends_on(J(i, tied[1]), motion.v)) continue;
      along.push_back(J(i, tied[1]) * motion.v[tied[0]] - J(i, tied[0]) * motion.v[tied[1]]);
    }
    std::vector<Expr> pool = along;
    pool.insert(pool.end(), motion.v.begin(), motion.v.end());
    result.push_back(pool);
    bool affine = true;
    for (const Expr e : J.entries) affine = affine && !depends_on(e, motion.v);
    if (affine) {
      if (const auto basis = regular_basis(s_)) {
        std::vector<Expr> directions;
        for (std::size_t c = 0; c < basis->N.columns; ++c) {
          std::vector<Expr> coefficients;
          for (std::size_t i = 0; i < s_.n(); ++i) coefficients.push_back(basis->N(i, c));
          directions.push_back(combination(coefficients));
        }
        result.push_back(directions);
      }
    }
    return result;
  }

  bool fits(const std::vector<Expr>& auxiliary) const {
    RelationFunctions functions{s_.phi(), s_.n(), auxiliary.size(), {}};
    functions.f.insert(functions.f.end(), auxiliary.begin(), auxiliary.end());
    try {
      const CompiledForm form(s_, modified_vakonomic(s_, Form::mvm2.name(), functions, s_.zero()));
      for (std::size_t k = 0; k < states_.size(); ++k) {
        const std::vector<double> a = form.evaluate(states_[k]).a;
        double scale = 1;
        for (const double x : accelerations_[k]) scale = std::max(scale, std::fabs(x));
        for (std::size_t i = 0; i < a.size(); ++i) {
          if (std::fabs(a[i] - accelerations_[k][i]) > 1e-9 * scale) return false;
        }
      }
      return true;
    } catch (const Error&) {
      return false;  // det W = 0 somewhere
    }
  }

  const Setting& s_;
  CompiledForm reference_;
  std::vector<State> states_;
  std::vector<std::vector<double>> accelerations_;
  int looked_at_ = 0;
};

}  // namespace

std::optional<std::vector<Expr>> propose_auxiliary(const Setting& setting, Admissible& admissible) {
  if (const auto error = setting.second_order(Form::mvm2.name())) throw *error;
  return Search(setting, admissible).run();
}

}  // namespace cetaev
