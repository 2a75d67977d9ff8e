#include "cetaev/formulation/paper_objects.hpp"

#include <array>

#include "assemble.hpp"
#include "cetaev/detail/formulation/voronec_terms.hpp"
#include "inertia.hpp"
#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

struct Entry {
  PaperObject object;
  std::string_view name, title;
};

constexpr std::array entries = {
    Entry{PaperObject::W, "W", "derivatives of the constraints and the auxiliary functions by the velocities"},
    Entry{PaperObject::Omega, "Omega", "Lagrangian derivatives of the constraints and the auxiliary functions"},
    Entry{PaperObject::A, "A", "matrices of the transpositional relations"},
    Entry{PaperObject::C, "C", "Newton's equations in independent velocities: coefficients of the accelerations"},
    Entry{PaperObject::D, "D", "Newton's equations in independent velocities: coefficients of products of velocities"},
    Entry{PaperObject::E, "E", "Newton's equations in independent velocities: coefficients of the velocities"},
    Entry{PaperObject::G, "G", "Newton's equations in independent velocities: terms without independent velocities"},
    Entry{PaperObject::S, "S", "Gibbs' function, but for terms without accelerations"},
    Entry{PaperObject::Lstar, "Lstar", "the Lagrangian in independent velocities"},
    Entry{PaperObject::alpha, "alpha", "the dependent velocities by the independent ones"},
    Entry{PaperObject::B, "B", "the coefficients of Voronec's terms"},
    Entry{PaperObject::F1, "F1", "the force of the transpositional relations of Theorem 2"},
    Entry{PaperObject::action, "action", "the full Lagrangians of Theorems 2 and 3"},
};

const Entry& entry_of(PaperObject object) { return entries[static_cast<std::size_t>(object)]; }

class Objects {
 public:
  Objects(const Setting& s, const std::optional<std::vector<Expr>>& alpha)
      : s_(s), alpha_(alpha), motion_(s.system->motion) {}

  ObjectFormulas operator()(PaperObject object) {
    if (const auto error = s_.second_order("what the papers define")) throw *error;
    switch (object) {
      case PaperObject::W:
        both([&](const Theorem& t) { put("W" + t.number, functions_by_coordinates(), slopes(t)); });
        break;
      case PaperObject::Omega:
        both([&](const Theorem& t) { put("Omega" + t.number, functions_by_coordinates(), derivatives(t)); });
        break;
      case PaperObject::A:
        both([&](const Theorem& t) { put("A" + t.number, {coordinates(), coordinates()}, relations(t)); });
        break;
      case PaperObject::C: put("C", {independent(), independent()}, newton().C); break;
      case PaperObject::D: put("D", {independent(), independent(), independent()}, newton().D); break;
      case PaperObject::E: put("E", {independent(), independent()}, newton().E); break;
      case PaperObject::G: put("G", {independent()}, newton().G); break;
      case PaperObject::S: gibbs(); break;
      case PaperObject::Lstar: put("L*", {}, {on_constraints(s_.system->lagrangian)}); break;
      case PaperObject::alpha: put("alpha", {dependent()}, alpha()); break;
      case PaperObject::B: {
        require_alpha();
        const VoronecTerms terms(s_, s_.jets());
        put("B", {dependent(), independent()}, on_constraints(terms.B.entries));
        break;
      }
      case PaperObject::F1: force(); break;
      case PaperObject::action:
        both([&](const Theorem& t) { put("Lfull" + t.number, {}, {full_lagrangian(t)}); });
        break;
    }
    return std::move(result_);
  }

 private:
  struct Theorem {
    std::string number;  // of W, as the paper counts: 1 in Theorem 2, 2 in Theorem 3
    Form form;
    RelationFunctions functions;
  };

  void put(std::string symbol, std::vector<std::vector<std::string>> axes, std::vector<Expr> values) {
    result_.arrays.push_back({std::move(symbol), std::move(axes), std::move(values)});
  }

  // Of both theorems, as far as the model has enough functions for them; throws where it has for neither.
  template <class Make>
  void both(Make make) {
    std::optional<Error> first;
    for (const auto& [number, form] : {std::pair{"1", Form::mvm2}, std::pair{"2", Form::mvm3}}) {
      try {
        make(theorem(number, form));
      } catch (const Error& error) {
        if (first) throw *first;
        first = error;
      }
    }
    if (first) result_.notes.push_back(first->message());
  }

  Theorem theorem(const std::string& number, Form form) {
    if (form->own_obstacle != nullptr) {
      if (const auto error = form->own_obstacle(s_)) throw *error;
    }
    Theorem result{number, form, form == Form::mvm2 ? functions_of_theorem_2(s_) : functions_of_theorem_3(s_)};
    for (const std::string& note : result.functions.notes) result_.notes.push_back(form.name() + ": " + note);
    return result;
  }

  std::vector<std::string> names(const std::vector<std::size_t>& which) const {
    std::vector<std::string> list;
    for (const std::size_t i : which) list.push_back(s_.system->coordinates[i]);
    return list;
  }
  std::vector<std::string> coordinates() const { return s_.system->coordinates; }
  std::vector<std::string> independent() const { return names(s_.independent); }
  std::vector<std::string> dependent() const { return names(s_.dependent); }
  std::vector<std::vector<std::string>> functions_by_coordinates() const {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < s_.n(); ++i) rows.push_back("L" + std::to_string(i + 1));
    return {rows, coordinates()};
  }

  std::vector<Expr> slopes(const Theorem& t) const { return jacobian(t.functions.f, motion_.v).entries; }
  std::vector<Expr> derivatives(const Theorem& t) const {
    return relations_step(s_, t.form.name(), t.functions).block.right.entries;
  }
  std::vector<Expr> relations(const Theorem& t) const {
    Setting setting = s_;
    setting.with_equations = true;
    const Matrix A = modified_vakonomic(setting, t.form.name(), t.functions, s_.zero()).transpositional_formula;
    if (A.entries.empty())
      throw Error(ErrorCode::not_applicable,
                  "A of " + t.form.name() +
                      " has no formula here: det W vanishes identically, or the system is too large "
                      "for exact algebra; `cetaev eval` has its values");
    return A.entries;
  }

  void require_alpha() const {
    s_.require_dependent();
    if (!has_alpha())
      throw Error(ErrorCode::not_applicable,
                  "the dependent velocities have no closed form here, and this object contains them; `cetaev eval` has "
                  "its values");
  }

  bool has_alpha() const { return s_.rank() == 0 || (alpha_ && !s_.dependent_error); }
  std::vector<Expr> alpha() const {
    require_alpha();
    return s_.rank() == 0 ? std::vector<Expr>{} : *alpha_;
  }
  // v_dep → α
  std::vector<Replacement> in_alpha() const {
    std::vector<Replacement> list;
    for (std::size_t v = 0; v < s_.rank(); ++v) list.emplace_back(motion_.v[s_.dependent[v]], (*alpha_)[v]);
    return list;
  }
  Expr on_constraints(Expr e) const {
    require_alpha();
    return substitute(e, in_alpha());
  }
  std::vector<Expr> on_constraints(const std::vector<Expr>& list) const {
    require_alpha();
    return substitute(list, in_alpha());
  }

  struct Newton {
    std::vector<Expr> C, D, E, G;
  };
  Newton newton() const {
    require_alpha();
    const Inertia inertia = inertia_of(s_);
    const Jets& jets = s_.jets();
    const std::size_t n = s_.n(), k = s_.rank(), m = s_.independent.size();
    const std::vector<Expr> alpha_values = alpha();
    std::vector<Replacement> at_rest;
    for (const Expr v : motion_.v) at_rest.emplace_back(v, s_.zero());
    // w_l = Σ ξ_ijl v_i v_j + 2 Σ η_il v_i + ζ_l
    const Matrix by_velocity = jacobian(inertia.w, motion_.v);
    const auto xi = [&](std::size_t i, std::size_t j, std::size_t l) {
      return Rational(1, 2) * derivative(by_velocity(l, i), motion_.v[j]);
    };
    const auto twice_eta = [&](std::size_t i, std::size_t l) { return substitute(by_velocity(l, i), at_rest); };
    // {f}_i, with f by its formula in the free index
    const auto of_all = [&](auto f) {
      std::vector<Expr> list;
      for (std::size_t l = 0; l < n; ++l) list.push_back(f(l));
      return projected(s_, list);
    };
    Newton result{std::vector<Expr>(m * m), std::vector<Expr>(m * m * m), std::vector<Expr>(m * m), {}};
    for (std::size_t r = 0; r < m; ++r) {
      const std::size_t q_r = s_.independent[r];
      const std::vector<Expr> C = of_all([&](std::size_t l) {
        std::vector<Expr> terms = {inertia.g(l, q_r)};
        for (std::size_t v = 0; v < k; ++v) terms.push_back(inertia.g(l, s_.dependent[v]) * jets.gamma(v, r));
        return s_.context().sum(terms);
      });
      const std::vector<Expr> E = of_all([&](std::size_t l) {
        std::vector<Expr> terms = {twice_eta(q_r, l)};
        for (std::size_t v = 0; v < k; ++v) {
          terms.push_back(Rational(2) * xi(q_r, s_.dependent[v], l) * alpha_values[v]);
          terms.push_back(inertia.g(s_.dependent[v], l) * jets.by_position(v, q_r));
        }
        return s_.context().sum(terms);
      });
      for (std::size_t i = 0; i < m; ++i) {
        result.C[i * m + r] = C[i];
        result.E[i * m + r] = E[i];
      }
      for (std::size_t s = 0; s < m; ++s) {
        const std::vector<Expr> D = of_all([&](std::size_t l) { return xi(q_r, s_.independent[s], l); });
        for (std::size_t i = 0; i < m; ++i) result.D[(i * m + r) * m + s] = D[i];
      }
    }
    result.G = of_all([&](std::size_t l) {
      std::vector<Expr> terms = {substitute(inertia.w[l], at_rest)};
      for (std::size_t v = 0; v < k; ++v) {
        const std::size_t q_v = s_.dependent[v];
        terms.push_back(twice_eta(q_v, l) * alpha_values[v]);
        terms.push_back(inertia.g(q_v, l) * jets.by_time[v]);
        for (std::size_t u = 0; u < k; ++u) {
          terms.push_back(xi(q_v, s_.dependent[u], l) * alpha_values[v] * alpha_values[u]);
          terms.push_back(inertia.g(q_v, l) * jets.by_position(v, s_.dependent[u]) * alpha_values[u]);
        }
      }
      return s_.context().sum(terms);
    });
    for (auto* list : {&result.C, &result.D, &result.E, &result.G}) *list = on_constraints(*list);
    return result;
  }

  // S = ½ a·g a + w·a, and the same at a_dep = γ a + drift
  void gibbs() {
    const Inertia inertia = inertia_of(s_);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      terms.push_back(inertia.w[i] * motion_.a[i]);
      for (std::size_t j = 0; j < s_.n(); ++j)
        terms.push_back(Rational(1, 2) * inertia.g(i, j) * motion_.a[i] * motion_.a[j]);
    }
    const Expr S = s_.context().sum(terms);
    put("S", {}, {S});
    if (s_.rank() == 0) return;
    const Jets& jets = s_.jets();
    if (!has_alpha()) {
      result_.notes.emplace_back(
          "the dependent velocities have no closed form here, nor has S on the admissible accelerations");
      return;
    }
    std::vector<Replacement> admissible;
    for (std::size_t v = 0; v < s_.rank(); ++v) {
      std::vector<Expr> sum = {jets.drift[v]};
      for (std::size_t r = 0; r < s_.independent.size(); ++r)
        sum.push_back(jets.gamma(v, r) * motion_.a[s_.independent[r]]);
      admissible.emplace_back(motion_.a[s_.dependent[v]], s_.context().sum(sum));
    }
    const Expr inserted = on_constraints(substitute(S, admissible));
    std::vector<Replacement> at_rest;
    for (const Expr a : motion_.a) at_rest.emplace_back(a, s_.zero());
    put("S*", {}, {inserted - substitute(inserted, at_rest)});
  }

  // F₁ = Aᵀp
  void force() {
    const Theorem t = theorem("1", Form::mvm2);
    const std::vector<Expr> A = relations(t);
    const std::size_t n = s_.n();
    std::vector<Expr> F;
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back(A[i * n + j] * s_.terms.momentum[i]);
      F.push_back(s_.context().sum(terms));
    }
    put("F1", {coordinates()}, F);
    if (s_.rank() == 0 || !has_alpha()) return;
    put("F1*", {independent()}, on_constraints(projected(s_, F)));
  }

  // L − Σ λ_α φ_α − Σ λ⁰_j L_j, over the functions that are not L itself
  Expr full_lagrangian(const Theorem& t) const {
    std::vector<Expr> terms = {s_.system->lagrangian};
    for (std::size_t j = 0; j < t.functions.acting; ++j) {
      const std::string name = (j < s_.rank() ? "$lambda" : "$lambda0_") + std::to_string(j + 1);
      terms.push_back(-(s_.context().symbol(name) * t.functions.f[j]));
    }
    return s_.context().sum(terms);
  }

  const Setting& s_;
  const std::optional<std::vector<Expr>>& alpha_;
  const Motion& motion_;
  ObjectFormulas result_;
};

}  // namespace

std::string_view name_of(PaperObject object) { return entry_of(object).name; }
std::string_view title_of(PaperObject object) { return entry_of(object).title; }

std::span<const PaperObject> paper_objects() {
  static const auto list = [] {
    std::array<PaperObject, entries.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = entries[i].object;
    return all;
  }();
  return list;
}

std::optional<PaperObject> paper_object(std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.object;
  }
  return std::nullopt;
}

ObjectFormulas formulas_of(const Setting& setting, const std::optional<std::vector<Expr>>& alpha, PaperObject object) {
  return Objects(setting, alpha)(object);
}

}  // namespace cetaev
