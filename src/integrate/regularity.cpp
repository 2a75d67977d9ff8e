#include "regularity.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "approach.hpp"
#include "cetaev/algebra/normal.hpp"
#include "inputs.hpp"

namespace cetaev {

namespace {

constexpr int parts = 16;          // looks into a step that comes near
constexpr double near = 0.2;       // of the largest value so far: look closer
constexpr double vanished = 1e-5;  // at the lowest point: it vanishes there, unless the tolerance is coarser
constexpr double unsafe = 1e-3;    // the same for forms that divide by a part of J and lose their digits sooner
constexpr double close = 1e-2;
constexpr double hopeless = 1e-6;  // no other choice will do for long
constexpr double certainly = 1e-12;
constexpr double guarded = 0.05;  // of determinants: no need to look
constexpr double jump = 0.3;      // nor if it has changed by less than this in a step
constexpr double calm = 0.1;      // and the middle of the step is left out if by less than this
constexpr double longer = 1.5;    // unless the step is so much longer than the last
constexpr double ending = 1e-2;   // at the last good state of a motion that cannot go on: that is why
constexpr double worn = 0.3;      // a choice of rows or of dependent velocities beside what it was when it was made

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<Expr> moving_symbols(const System& system) {
  std::vector<Expr> symbols = system.motion.q;
  symbols.insert(symbols.end(), system.motion.v.begin(), system.motion.v.end());
  symbols.push_back(system.motion.t);
  return symbols;
}

// What stands under square roots and is not constant.
std::vector<Expr> under_roots(std::span<const Expr> expressions, const System& system) {
  const std::vector<Expr> moving = moving_symbols(system);
  std::vector<Expr> result;
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::product) continue;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (e.exponent(i).denominator() == Rational(2) && depends_on(e.base(i), moving) &&
          std::find(result.begin(), result.end(), e.base(i)) == result.end())
        result.push_back(e.base(i));
    }
  }
  return result;
}

// Of matrices up to 3 × 3, in short form; nothing for larger ones.
std::optional<Expr> small_determinant(const Matrix& M) {
  const auto minor = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return M(i, k) * M(j, l) - M(i, l) * M(j, k);
  };
  Expr result;
  switch (M.rows) {
    case 1: result = M(0, 0); break;
    case 2: result = minor(0, 1, 0, 1); break;
    case 3: result = M(0, 0) * minor(1, 2, 1, 2) - M(0, 1) * minor(1, 2, 0, 2) + M(0, 2) * minor(1, 2, 0, 1); break;
    default: return std::nullopt;
  }
  try {
    return normal(result, Shape::factored);
  } catch (const Error&) {
    return result;
  }
}

Matrix gram(const Matrix& A) {
  Matrix result{A.rows, A.rows, {}};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.rows; ++j) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < A.columns; ++k) terms.push_back(A(i, k) * A(j, k));
      result.entries.push_back(A.entries.front().context().sum(terms));
    }
  }
  return result;
}

// Cannot vanish, whatever values the symbols have that are no parameters: by its enclosure when they may be anything.
bool never_vanishes(const System& system, Expr e) {
  const std::vector<Expr> symbols = free_symbols(e);
  std::vector<Expr> inputs;
  std::vector<Ball> values;
  const std::vector<Ball> parameters = parameter_balls(system, 128);
  for (const Expr symbol : symbols) {
    inputs.push_back(symbol);
    values.push_back(Ball::anything());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (system.parameters[i].symbol == symbol) values.back() = parameters[i];
    }
  }
  std::vector<Ball> result;
  if (run_in_balls(Program({&e, 1}, inputs), values, result, 128) >= 0) return false;
  return !result[0].contains_zero();
}

Matrix rows_of(const Matrix& A, const std::vector<std::size_t>& rows) {
  Matrix result{rows.size(), A.columns, {}};
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < A.columns; ++j) result.entries.push_back(A(i, j));
  }
  return result;
}

// With v = N u + n₀ in a basis that serves everywhere, the minors of J are the complementary ones of N times one and the same
// function c of the state, up to signs, so that
//   c² = det(J Jᵀ) / det(Nᵀ N).
// J loses rank where c vanishes, and nowhere if c has the same value at states taken at random.
bool keeps_its_rank(const MotionEquations& equations, const Matrix& J) {
  constexpr int states = 8;
  const FirstOrderSystem& form = equations.form();
  const auto n = static_cast<Eigen::Index>(equations.system().size()), k = static_cast<Eigen::Index>(J.rows);
  std::vector<Expr> u;
  for (std::size_t i = equations.system().size(); i < form.state.size(); ++i) u.push_back(form.state[i].symbol);
  std::vector<Expr> outputs = J.entries;
  const Matrix N = jacobian(form.velocities, u);
  outputs.insert(outputs.end(), N.entries.begin(), N.entries.end());
  const Program program = equations.observing(outputs);
  Interpreter run(program);
  MotionInputs inputs(equations);
  std::vector<double> y(equations.size()), values(program.output_count());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> anywhere(-1.5, 1.5);
  double first = 0;
  for (int i = 0; i < states; ++i) {
    for (double& value : y) value = anywhere(random);
    if (run(inputs.at(anywhere(random), y), values) >= 0) return false;
    const Eigen::Map<const RowMajor> rows(values.data(), k, n), basis(values.data() + k * n, n, n - k);
    const double square = (rows * rows.transpose()).determinant() / (basis.transpose() * basis).determinant();
    if (i == 0) first = square;
    if (!(square > 0) || !(std::abs(square - first) < 1e-8 * first)) return false;
  }
  return true;
}

}  // namespace

struct RegularityPlan::Data {
  explicit Data(const MotionEquations& e) : equations(e) {}

  const MotionEquations& equations;
  std::size_t n = 0, k = 0, rank = 0;
  double tolerance = 0;
  bool watch_J = false, watch_H = false;
  // The rows and velocities that the form has chosen, where there was a choice.
  bool chose_rows = false, chose_dependent = false;
  std::vector<Expr> roots;  // what stands under them
  std::vector<std::string> root_texts;
  Program program;  // J, H, what stands under the roots
  // Numbers that are not near zero as long as no quantity is, where there are some for all of them.
  std::optional<Program> guards;

  std::size_t count() const { return 2 + roots.size(); }
  bool empty() const { return !watch_J && !watch_H && roots.empty(); }
};

struct RegularityWatch::Data {
  explicit Data(const RegularityPlan::Data& plan) : p(plan), run(p.program), inputs(p.equations) {
    if (p.empty()) return;
    outputs.resize(p.program.output_count());
    y.resize(p.equations.size());
    largest.assign(p.count(), 0.0);
    approaches.resize(p.count());
    if (!p.guards) return;
    run_guards.emplace(*p.guards);
    guards.resize(p.guards->output_count());
    guards_before.resize(guards.size());
    guards_largest.assign(guards.size(), 0.0);
  }

  const RegularityPlan::Data& p;
  double choice = 1, choice_at_start = 1;  // the last pivot of J on what the form has chosen
  Interpreter run;
  MotionInputs inputs;
  std::vector<double> outputs, y;
  std::vector<double> now, largest;  // measures: J, H, roots
  std::vector<double> last;          // at the last state that was measured
  std::vector<Approach> approaches;  // of each to zero
  std::vector<std::vector<double>> in_step = std::vector<std::vector<double>>(parts + 1);
  std::optional<Interpreter> run_guards;
  std::vector<double> guards, guards_before, guards_largest;
  bool far = false;  // at the end of the last step
  bool quiet = false, was_quiet = false;
  double last_length = 0, length_before = 0;
  // kept, so that measuring again allocates nothing
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
  std::size_t which = 0;
  std::size_t row = 0;  // of J, the one that is lost

  // The last pivot of J by QR with pivoting, and of H on the directions that J leaves free.
  void measure_matrices() {
    const auto rows = static_cast<Eigen::Index>(p.k), columns = static_cast<Eigen::Index>(p.n),
               r = static_cast<Eigen::Index>(p.rank);
    const Eigen::Map<const RowMajor> J(outputs.data(), rows, columns);
    const Eigen::Map<const RowMajor> H(outputs.data() + p.k * p.n, columns, columns);
    if (p.k == 0) {
      if (p.watch_H) now[1] = least_pivot(H);
      return;
    }
    qr.compute(J.transpose());
    if (p.watch_J && r > 0) {
      now[0] = std::abs(qr.matrixR()(r - 1, r - 1));
      row = static_cast<std::size_t>(qr.colsPermutation().indices()[r - 1]);
      measure_choice(J);
    }
    if (!p.watch_H) return;
    if (const double whole = least_pivot(H); whole > near) {
      now[1] = whole;
      return;
    }
    const Eigen::MatrixXd Q = qr.householderQ();
    const Eigen::MatrixXd Z = Q.rightCols(columns - r);
    const Eigen::MatrixXd free = Z.transpose() * H * Z;
    now[1] = columns == r ? 1 : least_pivot(free);
  }

  void measure_choice(const Eigen::Map<const RowMajor>& J) {
    if (!p.chose_rows && !p.chose_dependent) return;
    const FirstOrderSystem& form = p.equations.form();
    const auto r = static_cast<Eigen::Index>(p.rank);
    Eigen::MatrixXd chosen(r, p.chose_dependent ? r : static_cast<Eigen::Index>(p.n));
    for (Eigen::Index i = 0; i < chosen.rows(); ++i) {
      const auto from = static_cast<Eigen::Index>(form.rows[static_cast<std::size_t>(i)]);
      for (Eigen::Index j = 0; j < chosen.cols(); ++j) {
        const auto column = static_cast<std::size_t>(j);
        chosen(i, j) = J(from, p.chose_dependent ? static_cast<Eigen::Index>(form.chosen[column]) : j);
      }
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> of_choice(chosen.transpose());
    choice = std::abs(of_choice.matrixR()(r - 1, r - 1));
  }

  // Relative to the largest entry.
  template <class Dense>
  double least_pivot(const Dense& M) {
    const double size = M.cwiseAbs().maxCoeff();
    if (!(size > 0)) return 0;
    lu.compute(M);
    return std::abs(lu.matrixLU()(M.rows() - 1, M.rows() - 1)) / size;
  }

  void measure(double t, std::span<const double> at) {
    now.assign(p.count(), 1.0);
    if (run(inputs.at(t, at), outputs) >= 0) {
      now[0] = 0;
      return;
    }
    measure_matrices();
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
      const double under = outputs[p.k * p.n + p.n * p.n + i];
      now[2 + i] = std::sqrt(std::max(0.0, under));
    }
    for (double& value : now) {
      if (!std::isfinite(value)) value = 0;
    }
  }
  double relative(std::size_t i, double value) const { return largest[i] > 0 ? value / largest[i] : 1; }
  bool far_from_zero(double t, std::span<const double> at) {
    quiet = false;
    if (!run_guards) return false;
    if ((*run_guards)(inputs.at(t, at), guards) >= 0) return false;
    bool all = quiet = true;
    for (std::size_t i = 0; i < guards.size(); ++i) {
      const double size = std::abs(guards[i]), change = std::abs(guards[i] - guards_before[i]);
      guards_largest[i] = std::max(guards_largest[i], size);
      all = all && size > guarded * guards_largest[i];
      // nor may it have gone through zero on the way
      all = all && change < jump * guards_largest[i];
      quiet = quiet && change < calm * guards_largest[i];
      guards_before[i] = guards[i];
    }
    return all;
  }
  // At the end of the step, and in the middle of one in which much may have happened.
  bool far_along(const LastStep& step) {
    const double begin = step.previous_time(), end = step.time(), length = std::abs(end - begin);
    const bool usual = length < longer * last_length;
    length_before = last_length;
    last_length = length;
    if (!run_guards) return false;
    bool all = true;
    if (!usual || !was_quiet) {
      const double middle = begin + (end - begin) / 2;
      step.interpolate(middle, y);
      all = far_from_zero(middle, y);
    }
    all = far_from_zero(end, step.state()) && all;
    was_quiet = quiet;
    return all;
  }
  bool is_near(const std::vector<double>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (relative(i, values[i]) < near) return true;
    }
    return false;
  }
  // The part of a step in which one of the quantities comes near zero: quarters are looked at, and more where values differ
  // much, or are small enough for the slope in the neighbourhood to reach zero between them.
  using Part = std::pair<double, double>;
  std::optional<Part> comes_near(const LastStep& step, const std::vector<double>& at_begin,
                                 const std::vector<double>& at_end) {
    constexpr int finest = 40;     // halvings
    constexpr double steeper = 4;  // than the slope seen
    const auto within = [&](const auto& self, double t0, const std::vector<double>& first, double t1,
                            const std::vector<double>& second, const std::vector<double>& change_around,
                            int halvings) -> std::optional<Part> {
      bool look_closer = halvings < 2;
      std::vector<double> change(first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        const double a = relative(i, first[i]), b = relative(i, second[i]);
        change[i] = std::abs(a - b);
        // the slope around is change_around over twice this length
        look_closer =
            look_closer || change[i] > jump * std::max(1.0, std::min(a, b)) || a + b < steeper * change_around[i] / 2;
      }
      if (!look_closer || halvings == finest) return std::nullopt;
      const double t = t0 + (t1 - t0) / 2;
      step.interpolate(t, y);
      measure(t, y);
      const std::vector<double> here = now;
      if (is_near(here)) return Part(t0, t1);
      if (const auto before = self(self, t0, first, t, here, change, halvings + 1)) return before;
      return self(self, t, here, t1, second, change, halvings + 1);
    };
    return within(within, step.previous_time(), at_begin, step.time(), at_end, std::vector<double>(at_end.size()), 0);
  }
  std::optional<double> zero_between(const LastStep& stepper, double begin, double end);
  // `now` is that of a state of the motion.
  void remember(double t) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      largest[i] = std::max(largest[i], now[i]);
      approaches[i].note(t, now[i]);
    }
    last = now;
  }
  bool nearer_than(double part) const {
    if (far) return false;
    const std::size_t least = lowest();
    return relative(least, last[least]) < part;
  }
  // The one nearest to zero for its size.
  std::size_t lowest() const {
    std::size_t least = 0;
    for (std::size_t i = 1; i < last.size(); ++i) {
      if (relative(i, last[i]) < relative(least, last[least])) least = i;
    }
    return least;
  }
};

// Where one of the quantities has a zero between two times, on the continuation of the last step.
std::optional<double> RegularityWatch::Data::zero_between(const LastStep& stepper, double begin, double end) {
  const auto time = [&](int part) { return part == parts ? end : begin + (end - begin) * part / parts; };
  const auto look = [&](double t) {
    stepper.interpolate(t, y);
    measure(t, y);
  };
  const auto value = [&](std::size_t i, double t) {
    look(t);
    return now[i];
  };
  for (int part = 0; part <= parts; ++part) {
    look(time(part));
    in_step[part] = now;
  }
  std::optional<double> first;
  for (std::size_t i = 0; i < p.count(); ++i) {
    int lowest = 0;
    for (int part = 1; part <= parts; ++part) {
      if (in_step[part][i] < in_step[lowest][i]) lowest = part;
    }
    const double least = in_step[lowest][i];
    if (relative(i, least) >= near) continue;
    const int left = std::max(lowest - 1, 0), right = std::min(lowest + 1, parts);
    const double slope = std::max(in_step[left][i], in_step[right][i]) - least;
    if (least > 2 * slope) continue;  // too far from zero to reach it between its neighbours
    // golden section: the quantities are like |t − t*| where they vanish
    constexpr double golden = 0.6180339887498949;
    double a = time(left), b = time(right);
    double x = b - golden * (b - a), z = a + golden * (b - a);
    double fx = value(i, x), fz = value(i, z);
    for (int step = 0; step < 90 && a != b; ++step) {
      if (fx < fz) {
        b = z;
        z = x;
        fz = fx;
        x = b - golden * (b - a);
        fx = value(i, x);
      } else {
        a = x;
        x = z;
        fx = fz;
        z = a + golden * (b - a);
        fz = value(i, z);
      }
    }
    if (relative(i, std::min(fx, fz)) > std::max(p.chose_dependent ? unsafe : vanished, std::sqrt(p.tolerance)))
      continue;
    const double t = fx < fz ? x : z;
    // still falling at the end: the zero belongs to the next step
    if (std::abs(end - t) < 1e-9 * std::abs(end - begin) && relative(i, in_step[parts][i]) > certainly) continue;
    if (!first || std::abs(t - begin) < std::abs(*first - begin)) {
      first = t;
      which = i;
      look(t);
    }
  }
  return first;
}

RegularityPlan::RegularityPlan(const MotionEquations& equations, const Terms& terms, double tolerance) {
  auto data = std::make_unique<Data>(equations);
  Data& d = *data;
  const System& system = equations.system();
  const ConstraintSet& set = terms.constraints;
  const FirstOrderSystem& form = equations.form();
  d.n = system.size();
  d.k = set.size();
  d.rank = form.rows.size();
  d.tolerance = tolerance;
  d.chose_rows = d.rank < d.k;
  d.chose_dependent = !form.global && !form.chosen.empty();
  const std::vector<Expr> moving = moving_symbols(system);
  const auto any_moves = [&](const Matrix& M) {
    return std::any_of(M.entries.begin(), M.entries.end(), [&](Expr e) { return depends_on(e, moving); });
  };
  const bool in_global_basis = form.form == "hamel" && form.global;
  const Matrix J = in_global_basis ? rows_of(set.jacobian, form.rows) : set.jacobian;
  d.watch_J = d.k > 0 && any_moves(set.jacobian) && !(in_global_basis && keeps_its_rank(equations, J));
  d.watch_H = any_moves(terms.mass);
  std::vector<Expr> guards;
  bool guarded_all = true;
  const auto guard = [&](const Matrix& M) {
    const auto determinant = small_determinant(M);
    guarded_all = guarded_all && determinant;
    if (!determinant) return true;
    if (never_vanishes(system, *determinant)) return false;
    guards.push_back(*determinant);
    return true;
  };
  if (d.watch_J) d.watch_J = guard(gram(J)) || d.chose_rows || d.chose_dependent;
  if (d.watch_H) {
    bool any = false;
    if (in_global_basis) {
      // the mass matrix on the free directions, as far as algebra has not divided by it
      for (const SolveStep& step : form.steps) any = guard(step.block.matrix) || any;
      for (const Matrix& M : form.divided_by) any = guard(M) || any;
    } else {
      any = guard(terms.mass);
    }
    d.watch_H = any;
  }
  std::vector<Expr> sources = set.phi;
  sources.push_back(system.lagrangian);
  sources.insert(sources.end(), system.forces.begin(), system.forces.end());
  d.roots = under_roots(sources, system);
  for (const Expr e : d.roots) d.root_texts.push_back(to_string(e));
  guards.insert(guards.end(), d.roots.begin(), d.roots.end());
  std::vector<Expr> outputs = set.jacobian.entries;
  outputs.insert(outputs.end(), terms.mass.entries.begin(), terms.mass.entries.end());
  outputs.insert(outputs.end(), d.roots.begin(), d.roots.end());
  if (!d.empty()) {
    d.program = equations.observing(outputs);
    if (guarded_all && !d.chose_rows && !d.chose_dependent) d.guards = equations.observing(guards);
  }
  data_ = std::move(data);
}

RegularityPlan::~RegularityPlan() = default;
bool RegularityPlan::empty() const { return data_->empty(); }

RegularityWatch::RegularityWatch(const RegularityPlan& plan) : data_(std::make_unique<Data>(*plan.data_)) {}
RegularityWatch::~RegularityWatch() = default;
bool RegularityWatch::empty() const { return data_->p.empty(); }

void RegularityWatch::start(double t, std::span<const double> y) {
  if (empty()) return;
  data_->measure(t, y);
  for (Approach& approach : data_->approaches) approach.clear();
  data_->remember(t);
  data_->far = data_->far_from_zero(t, y);
  data_->choice_at_start = data_->choice;
}

void RegularityWatch::inherit(const RegularityWatch& before) {
  const std::vector<double>& seen = before.data_->largest;
  for (std::size_t i = 0; i < std::min(seen.size(), data_->largest.size()); ++i) {
    data_->largest[i] = std::max(data_->largest[i], seen[i]);
    data_->approaches[i] = before.data_->approaches[i];
  }
}

std::optional<double> RegularityWatch::find(const LastStep& stepper) {
  if (empty()) return std::nullopt;
  Data& d = *data_;
  const double begin = stepper.previous_time(), end = stepper.time();
  const bool was_far = d.far;
  d.far = d.far_along(stepper);
  if (d.far && was_far) return std::nullopt;
  const std::vector<double> before = d.last;
  d.measure(end, stepper.state());
  bool look = d.is_near(before) || d.is_near(d.now);
  const std::vector<double> at_end = d.now;
  // a zero between two ends that are far from it shows only in between
  Data::Part part(begin, end);
  if (!look) {
    if (const auto found = d.comes_near(stepper, before, at_end)) {
      look = true;
      part = *found;
    }
  }
  d.now = at_end;
  d.remember(end);
  if (!look) return std::nullopt;
  if (const auto zero = d.zero_between(stepper, part.first, part.second)) return zero;
  // Steps that become shorter and shorter never have the zero inside, and at last step over it: it is just beyond this one.
  if (d.last_length > 0.5 * d.length_before) return std::nullopt;
  for (std::size_t i = 0; i < at_end.size(); ++i) {
    if (d.relative(i, at_end[i]) > (d.p.chose_dependent ? unsafe : vanished) || at_end[i] > 0.5 * before[i]) continue;
    d.which = i;
    if (const auto zero = d.approaches[i].zero()) return zero;
    return end + (end - begin) * at_end[i] / (before[i] - at_end[i]);
  }
  return std::nullopt;
}

std::optional<double> RegularityWatch::near_end(const LastStep& stepper) {
  if (empty()) return std::nullopt;
  Data& d = *data_;
  const double t = stepper.time();
  d.measure(t, stepper.state());
  d.remember(t);
  const std::size_t least = d.lowest();
  if (d.relative(least, d.last[least]) <= ending) {
    if (const auto zero = d.approaches[least].zero()) {
      d.which = least;
      return zero;
    }
  }
  return d.zero_between(stepper, t, t + (t - stepper.previous_time()));
}

std::optional<double> RegularityWatch::zero_ahead() const {
  return close_to_zero() ? data_->approaches[data_->lowest()].zero() : std::nullopt;
}

bool RegularityWatch::close_to_zero() const { return !empty() && data_->nearer_than(close); }
bool RegularityWatch::nearly_lost() {
  if (empty() || !data_->nearer_than(ending)) return false;
  data_->which = data_->lowest();
  return true;
}

bool RegularityWatch::wants_other_choice() const {
  const Data& d = *data_;
  if ((!d.p.chose_rows && !d.p.chose_dependent) || d.nearer_than(hopeless)) return false;
  return d.choice < worn * d.choice_at_start && d.choice < worn * d.last[0];
}

bool RegularityWatch::serves_badly() const {
  const Data& d = *data_;
  // nothing is measured where nothing can be lost
  return (d.p.chose_rows || d.p.chose_dependent) && !d.last.empty() && d.choice < worn * d.last[0];
}

Error RegularityWatch::diagnosis() const {
  const Data& d = *data_;
  const System& system = d.p.equations.system();
  if (d.which >= 2) {
    const std::size_t root = d.which - 2;
    std::string where;
    for (const Constraint& constraint : system.constraints) {
      const std::vector<Expr> roots = under_roots({&constraint.expression, 1}, system);
      if (std::find(roots.begin(), roots.end(), d.p.roots[root]) != roots.end()) where = constraint.label();
    }
    const std::string what = "sqrt(" + d.p.root_texts[root] + ") reaches zero, where it has no derivative";
    if (where.empty()) return {ErrorCode::non_finite, what + "; the forces are not defined there"};
    return {ErrorCode::rank_lost,
            what + "; it stands in the constraint '" + where + "', whose virtual displacements are not defined there"};
  }
  if (d.which == 1) {
    return {ErrorCode::singular_mass_matrix,
            "the mass matrix becomes singular on the directions that the constraints leave free: the accelerations are "
            "not determined there"};
  }
  std::string text = "the constraints lose rank: at this state they restrict the velocities less than before";
  if (d.row < system.constraints.size())
    text += "; the constraint '" + system.constraints[d.row].label() + "' is the one lost";
  return {ErrorCode::rank_lost, text};
}

}  // namespace cetaev
