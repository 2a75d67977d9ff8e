// Points of view on the transpositional relations δ(q̇) − Dₜ(δq) = A δq, side by side on one system ([L] 3.4–3.6).
//
// Each one is a matrix A: zero for Hölder and Hamel; zero rows for the independent coordinates and [L] (34) for the dependent ones for Suslov and
// Voronec; W⁻¹Ω of Theorem 2 or 3 for Llibre, Ramírez and Sadovskaia. Its motion is that of Hamilton's principle with these relations, `mvm1`.
// All of them take the virtual displacements of Četaev, (B) J δq = 0, for which
//
//   δφ_α = Σ_k (J_α A − E φ_α)_k δq_k,
//
// so that not all of (A) δφ = 0, (B) and (C) A = 0 hold where the constraints are not integrable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// A motion among those that have a name.
enum class KindOfMotion { dalembert_lagrange, vakonomic, other };

struct PointOfView {
  Transpositional::View view = Transpositional::View::hoelder;
  std::optional<Error> error;  // it has no A for this model; everything below is then empty
  std::vector<std::string> notes;

  // In q, v, a and t; empty where the model is too large for a formula.
  Matrix A;
  // A δq, row by row: summands that are not zero.
  std::vector<std::vector<Expr>> relations;
  // At random admissible states, with any accelerations that the constraints allow: (A), what fails being the largest coefficient of an
  // independent displacement; (C), A = 0; and A δq = 0 for virtual displacements, which is less.
  Finding constraints_stay, all_commute, virtual_ones_commute;
  // At those states, with multipliers at random; nothing where no accelerations are determined.
  std::optional<KindOfMotion> motion;
  // δφ of each constraint in use, summands with δq; empty where (A) holds or A has no formula.
  std::vector<std::vector<Expr>> variation;

  // At the initial state, with the multipliers of the model.
  struct Here {
    std::vector<double> A;          // row by row
    std::vector<double> a;          // accelerations
    std::vector<double> variation;  // of each constraint in use, by each independent displacement, row by row
    double discrepancy = 0;         // the largest difference of accelerations from d'Alembert–Lagrange
    KindOfMotion motion = KindOfMotion::other;
  };
  std::optional<Here> here;
  std::optional<Error> error_here;  // why there is none
};

struct PointsOfView {
  System system;  // whose expressions these are: a scratch copy
  AdmissibleState at;
  bool generic = false;                      // the initial state is singular, and this is another one
  std::vector<std::size_t> rows, dependent;  // constraints in use, coordinates of the dependent velocities
  std::vector<double> reference;             // accelerations of d'Alembert–Lagrange there
  std::vector<std::vector<Expr>> commuting;  // δφ_α where all commute: summands −E_kφ_α δq_k, of each constraint in use
  std::vector<PointOfView> views;  // hoelder, suslov, mvm2, mvm3, and the matrix of the model where it writes one
};

// Throws not-applicable for constraints on accelerations, and where the model has no admissible state.
PointsOfView points_of_view(Groundwork& work);
PointsOfView points_of_view(const System& system);

}  // namespace cetaev
