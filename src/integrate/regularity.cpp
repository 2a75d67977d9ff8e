#include "regularity.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace cetaev {

namespace {

constexpr int parts = 8;           // looks into a step that comes near
constexpr double near = 0.2;       // of the largest value so far: look closer
constexpr double vanished = 1e-7;  // at the lowest point: it vanishes there
constexpr double ending = 1e-2;    // at the last good state of a motion that cannot go on: that is why

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

}  // namespace

struct RegularityWatch::Data {
  explicit Data(const MotionEquations& e) : equations(e) {}

  const MotionEquations& equations;
  std::size_t n = 0, k = 0, rank = 0;
  bool watch_J = false, watch_H = false;
  std::vector<Expr> roots;  // what stands under them
  std::vector<std::string> root_texts;
  Program program;
  std::unique_ptr<Interpreter> run;
  std::vector<double> inputs, outputs, y;
  std::vector<double> now, largest;  // measures: J, H, roots
  std::vector<double> last;          // at the end of the last step
  double last_time = 0;
  std::vector<std::vector<double>> in_step = std::vector<std::vector<double>>(parts + 1);
  std::size_t which = 0;
  std::size_t row = 0;  // of J, the one that is lost

  std::size_t count() const { return 2 + roots.size(); }

  // The last pivot of J by QR with pivoting, and of H on the directions that J leaves free.
  void measure_matrices() {
    const auto rows = static_cast<Eigen::Index>(k), columns = static_cast<Eigen::Index>(n),
               r = static_cast<Eigen::Index>(rank);
    const Eigen::Map<const RowMajor> J(outputs.data(), rows, columns);
    const Eigen::Map<const RowMajor> H(outputs.data() + k * n, columns, columns);
    if (k == 0) {
      if (watch_H) now[1] = least_pivot(H);
      return;
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.transpose());
    if (watch_J && r > 0) {
      now[0] = std::abs(qr.matrixR()(r - 1, r - 1));
      row = static_cast<std::size_t>(qr.colsPermutation().indices()[r - 1]);
    }
    if (!watch_H) return;
    if (const double whole = least_pivot(H); whole > near) {
      now[1] = whole;
      return;
    }
    const Eigen::MatrixXd Q = qr.householderQ();
    const Eigen::MatrixXd Z = Q.rightCols(columns - r);
    now[1] = columns == r ? 1 : least_pivot(Z.transpose() * H * Z);
  }

  // Relative to the largest entry.
  static double least_pivot(const Eigen::MatrixXd& M) {
    const double size = M.cwiseAbs().maxCoeff();
    if (!(size > 0)) return 0;
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(M);
    return std::abs(lu.matrixLU()(M.rows() - 1, M.rows() - 1)) / size;
  }

  void measure(double t, std::span<const double> at) {
    std::copy(at.begin(), at.end(), inputs.begin());
    inputs[at.size()] = t;
    now.assign(count(), 1.0);
    if ((*run)(inputs, outputs) >= 0) {
      now[0] = 0;
      return;
    }
    measure_matrices();
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const double under = outputs[k * n + n * n + i];
      now[2 + i] = std::sqrt(std::max(0.0, under));
    }
    for (double& value : now) {
      if (!std::isfinite(value)) value = 0;
    }
  }
  double relative(std::size_t i, double value) const { return largest[i] > 0 ? value / largest[i] : 1; }
  void remember() {
    for (std::size_t i = 0; i < now.size(); ++i) largest[i] = std::max(largest[i], now[i]);
  }
};

RegularityWatch::RegularityWatch(const MotionEquations& equations, const Terms& terms)
    : data_(std::make_unique<Data>(equations)) {
  Data& d = *data_;
  const System& system = equations.system();
  const ConstraintSet& set = terms.constraints;
  const FirstOrderSystem& form = equations.form();
  d.n = system.size();
  d.k = set.size();
  d.rank = form.rows.size();
  const std::vector<Expr> moving = moving_symbols(system);
  const auto any_moves = [&](const Matrix& M) {
    return std::any_of(M.entries.begin(), M.entries.end(), [&](Expr e) { return depends_on(e, moving); });
  };
  // a basis of admissible velocities that serves everywhere has been found: J keeps its rank
  d.watch_J = d.k > 0 && any_moves(set.jacobian) && !(form.form == "hamel" && form.global);
  d.watch_H = any_moves(terms.mass) && !equations.mass_is_regular();
  std::vector<Expr> sources = set.phi;
  sources.push_back(system.lagrangian);
  sources.insert(sources.end(), system.forces.begin(), system.forces.end());
  d.roots = under_roots(sources, system);
  for (const Expr e : d.roots) d.root_texts.push_back(to_string(e));
  std::vector<Expr> outputs = set.jacobian.entries;
  outputs.insert(outputs.end(), terms.mass.entries.begin(), terms.mass.entries.end());
  outputs.insert(outputs.end(), d.roots.begin(), d.roots.end());
  if (empty()) return;
  d.program = equations.observing(outputs);
  d.run = std::make_unique<Interpreter>(d.program);
  d.inputs.resize(d.program.input_count());
  std::copy(equations.parameters().begin(), equations.parameters().end(),
            d.inputs.end() - static_cast<std::ptrdiff_t>(equations.parameters().size()));
  d.outputs.resize(outputs.size());
  d.y.resize(equations.size());
  d.largest.assign(d.count(), 0.0);
}

RegularityWatch::~RegularityWatch() = default;

bool RegularityWatch::empty() const { return !data_->watch_J && !data_->watch_H && data_->roots.empty(); }

void RegularityWatch::start(double t, std::span<const double> y) {
  if (empty()) return;
  data_->measure(t, y);
  data_->remember();
  data_->last = data_->now;
  data_->last_time = t;
}

std::optional<double> RegularityWatch::find(const Stepper& stepper) {
  if (empty()) return std::nullopt;
  Data& d = *data_;
  const double begin = stepper.previous_time(), end = stepper.time();
  const std::vector<double> before = d.last;
  d.measure(end, stepper.state());
  const auto is_near = [&](const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (d.relative(i, values[i]) < near) return true;
    }
    return false;
  };
  const bool look = is_near(before) || is_near(d.now);
  d.remember();
  d.last = d.now;
  d.last_time = end;
  if (!look) return std::nullopt;
  const auto time = [&](int part) { return part == parts ? end : begin + (end - begin) * part / parts; };
  const auto value = [&](std::size_t i, double t) {
    stepper.interpolate(t, d.y);
    d.measure(t, d.y);
    return d.now[i];
  };
  for (int part = 0; part <= parts; ++part) {
    stepper.interpolate(time(part), d.y);
    d.measure(time(part), d.y);
    d.in_step[part] = d.now;
  }
  std::optional<double> first;
  for (std::size_t i = 0; i < d.count(); ++i) {
    int lowest = 0;
    for (int part = 1; part <= parts; ++part) {
      if (d.in_step[part][i] < d.in_step[lowest][i]) lowest = part;
    }
    const double least = d.in_step[lowest][i];
    if (d.relative(i, least) >= near) continue;
    const int left = std::max(lowest - 1, 0), right = std::min(lowest + 1, parts);
    const double slope = std::max(d.in_step[left][i], d.in_step[right][i]) - least;
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
    const double t = fx < fz ? x : z;
    if (d.relative(i, std::min(fx, fz)) > vanished) continue;
    if (!first || std::abs(t - begin) < std::abs(*first - begin)) {
      first = t;
      d.which = i;
      (void)value(i, t);
    }
  }
  return first;
}

std::optional<double> RegularityWatch::near_end(double t, std::span<const double> y) {
  if (empty()) return std::nullopt;
  Data& d = *data_;
  d.measure(t, y);
  std::size_t least = 0;
  for (std::size_t i = 1; i < d.count(); ++i) {
    if (d.relative(i, d.now[i]) < d.relative(least, d.now[least])) least = i;
  }
  if (d.relative(least, d.now[least]) > ending) return std::nullopt;
  d.which = least;
  return t;
}

Error RegularityWatch::diagnosis() const {
  const Data& d = *data_;
  const System& system = d.equations.system();
  if (d.which >= 2) {
    const std::size_t root = d.which - 2;
    std::string where;
    for (const Constraint& constraint : system.constraints) {
      const std::vector<Expr> roots = under_roots({&constraint.expression, 1}, system);
      if (std::find(roots.begin(), roots.end(), d.roots[root]) != roots.end()) where = constraint.label();
    }
    return {ErrorCode::rank_lost, "sqrt(" + d.root_texts[root] + ") reaches zero, where it has no derivative" +
                                      (where.empty() ? std::string()
                                                     : "; it stands in the constraint '" + where +
                                                           "', whose virtual "
                                                           "displacements are not defined there")};
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
