#include "regularity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accuracy.hpp"
#include "approach.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "golden_section.hpp"
#include "guards.hpp"
#include "inputs.hpp"
#include "inverse_size.hpp"
#include "regularity_plan.hpp"

namespace cetaev {

namespace {

constexpr long enclosing_bits = 128;
constexpr int parts = 16;  // looks into a step that comes near

}  // namespace

struct RegularityWatch::Data {
  Data(const RegularityPlan::Data& plan, std::span<const double> parameters)
      : p(plan), run(p.program, p.program_in_code), inputs(p.equations, parameters) {
    if (p.empty()) return;
    if (p.given) of_given.emplace(*p.given);
    outputs.resize(p.program.output_count());
    y.resize(p.equations.size());
    largest.assign(p.count(), 0.0);
    fell.assign(p.count(), false);
    approaches.resize(p.count());
    if (!p.guards) return;
    run_guards.emplace(*p.guards, p.guards_in_code);
    guards.resize(p.guards->output_count());
    guards_before.resize(guards.size());
    guards_earlier.resize(guards.size());
    guards_largest.assign(guards.size(), 0.0);
  }

  const RegularityPlan::Data& p;
  double choice = 1, choice_at_start = 1;  // the last pivot of J on what the form has chosen
  std::optional<GivenQuality> of_given;
  double given = 1;  // its last look
  Look run;
  MotionInputs inputs;
  std::vector<double> outputs, y;
  std::vector<double> now, largest;  // measures: J, H, roots
  std::vector<double> last;          // at the last state that was measured
  std::vector<bool> fell;            // in the last step
  std::vector<Approach> approaches;  // of each to zero
  double rank = 0;                   // of J at the last state on the way, by size_of_rank() where it is near nothing
  // The largest entry of H: all inertia may vanish together, and its matrix relative to itself stays as it is.
  double inertia = 0, largest_inertia = 0;
  double located = 0;  // how well the time of a low point is known
  Approach inertia_approach;
  std::vector<std::vector<double>> in_step = std::vector<std::vector<double>>(parts + 1);
  std::optional<Look> run_guards;
  std::vector<double> guards, guards_before, guards_earlier, guards_largest;  // at this look and at those before it
  bool roots_may_vanish = false;
  bool far = false;  // at the end of the last step
  // Guards that were seen from near a set on alone are beside the largest value they have had far from it: they tell nothing.
  bool guards_begin_near = false;
  double last_length = 0, length_before = 0;
  // kept, so that measuring again allocates nothing
  PivotedQr qr, qr_of_choice, qr_of_rows;
  CompleteLu lu;
  Cholesky definite;
  DenseMatrix chosen, Z, HZ, free, inverse, border, directions, square, all_rows;
  std::optional<int> border_exponent;  // the determinant beside its size where the step begins
  GuardsInStep in_step_guards;
  std::vector<double> before, at_end, left_before, left_at_end;
  std::vector<double> divisors_at_start;
  std::size_t which = 0;
  std::size_t row = 0;  // of J, the one that is lost

  // The last pivot of J by QR with pivoting, and of H on the directions that J leaves free.
  void measure_matrices() {
    const DenseView JT = transposed_view(outputs.data(), p.k, p.n);
    const DenseView H(outputs.data() + p.at_inertia(), p.n, p.n);  // symmetric
    if (of_given) given = of_given->look(JT, std::span(outputs).subspan(p.at_given()));
    if (p.watch_H) inertia = largest_magnitude(H.entries());
    if (p.k == 0) {
      if (p.watch_H) now[1] = least_pivot(H, lu);
      return;
    }
    qr.compute(JT);
    if (p.watch_J && p.rank > 0) {
      now[0] = qr.pivot(p.rank - 1);
      row = qr.column(p.rank - 1);
      measure_choice(JT);
    }
    if (!p.watch_H) return;
    if (p.n == p.rank) {
      now[1] = 1;
      return;
    }
    // regular on all directions says something of those that are free only where nothing cancels
    if (const double whole = least_pivot(H, lu); whole > accuracy::near && definite.compute(H)) {
      now[1] = whole;
      return;
    }
    qr.complement(p.rank, Z);
    transposed_times(H, Z, HZ);
    transposed_times(Z, HZ, free);
    now[1] = least_of_free(H);
  }
  // 1/(|H| |F⁻¹|) of F = Zᵀ H Z with the sums of squares for norms: the same for every orthonormal basis Z of the kernel, which is another one at every
  // state, so that it is smooth where pivots are not. |F| would be no measure of a single free direction, beside which it is 1.
  double least_of_free(DenseView H) {
    double squares = 0;
    for (const double entry : H.entries()) squares += entry * entry;
    return squares > 0 ? 1 / std::sqrt(squares * squares_of_inverse(free, inverse)) : 0;
  }

  // 1/|J⁺| with the sum of squares for the norm, of what was measured last: it vanishes with the last pivot of J, and is smooth, where pivots bend
  // as one row after the other is the largest. On the directions of its rows, and where some are redundant on those of its columns, J is square.
  double size_of_rank() {
    qr.complement(0, directions);
    transposed_times(transposed_view(outputs.data(), p.k, p.n), first_of(directions), square);
    if (p.k > p.rank) {
      qr_of_rows.compute(square);
      qr_of_rows.complement(0, directions);
      all_rows = square;
      transposed_times(first_of(directions), all_rows, square);
    }
    return 1 / std::sqrt(squares_of_inverse(square, inverse));
  }
  // At a state of the motion.
  void measure_on_the_way(double t, std::span<const double> at) {
    measure(t, at);
    rank = p.watch_J && p.rank > 0 && now[0] > 0 && relative(0, now[0]) < accuracy::near ? size_of_rank() : now[0];
  }
  DenseView first_of(const DenseMatrix& columns) const { return {columns.entries().data(), columns.rows(), p.rank}; }

  void measure_choice(DenseView JT) {
    if (!chose_of_J()) return;
    p.choose(JT, chosen);
    qr_of_choice.compute(chosen);
    choice = qr_of_choice.pivot(p.rank - 1);
  }

  // Relative to the largest entry.
  static double least_pivot(DenseView M, CompleteLu& factors) {
    const double size = largest_magnitude(M.entries());
    if (!(size > 0)) return 0;
    factors.compute(M);
    return factors.last_pivot() / size;
  }

  void measure(double t, std::span<const double> at) {
    now.assign(p.count(), 1.0);
    if (run(inputs.at(t, at), outputs) >= 0) {
      now[0] = 0;
      return;
    }
    measure_matrices();
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
      const double under = outputs[p.at_roots() + i];
      now[2 + i] = std::sqrt(std::max(0.0, under));
    }
    for (double& value : now) {
      if (!std::isfinite(value)) value = 0;
    }
  }
  // Of the quantities, those that somebody asks about.
  std::size_t asked() const { return roots_may_vanish ? 2 : p.count(); }
  double relative(std::size_t i, double value) const { return largest[i] > 0 ? value / largest[i] : 1; }
  // Of the guards, once more: beside zero, and not changed by much since the last look, nor through zero.
  bool far_from_zero(double t, std::span<const double> at) {
    if (!run_guards) return false;
    std::swap(guards_earlier, guards_before);
    std::swap(guards_before, guards);
    if ((*run_guards)(inputs.at(t, at), guards) >= 0) return false;
    bool all = true;
    for (std::size_t i = 0; i < guards.size(); ++i) {
      const double size = std::abs(guards[i]), change = std::abs(guards[i] - guards_before[i]);
      guards_largest[i] = std::max(guards_largest[i], size);
      all = all && size > accuracy::guarded * guards_largest[i] && change < accuracy::sudden * guards_largest[i] &&
            !(guards[i] * guards_before[i] < 0);
    }
    return all;
  }
  // Nor do the guards come near zero between the last three looks, as parabolas through them do; `looks` into this step so far.
  bool far_between(int looks) const {
    if (looks < 2) return true;
    for (std::size_t i = 0; i < guards.size(); ++i) {
      const double a = guards_earlier[i], m = guards_before[i], b = guards[i];
      const double slope = 4 * m - 3 * a - b, bend = 2 * (a - 2 * m + b);            // a + slope s + bend s²
      if (!(slope * bend < 0) || !(std::abs(slope) < 2 * std::abs(bend))) continue;  // no vertex within
      const double vertex = a - slope * slope / (4 * bend);
      if (!(std::abs(vertex) > accuracy::guarded * guards_largest[i]) || vertex * m < 0) return false;
    }
    return true;
  }
  // In the middle and at the end of the step, and at more points of one much longer than the last, in which anything may happen.
  bool far_along(const LastStep& step) {
    const double begin = step.previous_time(), end = step.time(), length = std::abs(end - begin);
    const int pieces = length > accuracy::unusual_for_guards * last_length ? parts : 2;
    length_before = last_length;
    last_length = length;
    bool all = run_guards && !guards_begin_near;
    for (int i = 1; i <= pieces && all; ++i) {
      if (i < pieces) {
        const double t = begin + (end - begin) * i / pieces;
        step.glance(t, y);
        all = far_from_zero(t, y) && far_between(i);
      } else {
        all = far_from_zero(end, step.state()) && far_between(i);
      }
    }
    if (!all && run_guards) (void)far_from_zero(end, step.state());  // where the next step begins
    return all;
  }
  // Is a quantity zero at a state, for all that the state is known by? Small is not zero: x² + 1e-12 never is. Forms that divide by a part
  // of J know their own states no better than that part lets them, and there a small part of what it was counts. A motion that meets a set where J loses rank passes it
  // as near as its errors let it, which have grown to that: but no error of a state makes (t − 1)² + 1e-8 vanish.
  bool vanishes(std::size_t i, double value, double t, std::span<const double> at) {
    if (i == 0 && p.chose_dependent) return relative(i, value) <= accuracy::vanished_of_a_part(p.tolerance);
    if (i == 0 && relative(i, value) <= accuracy::passed_by(p.tolerance))
      return relative(i, value) <= accuracy::certainly || may_be_zero(i, t, at, accuracy::within_reach(p.tolerance));
    return relative(i, value) < accuracy::worth_enclosing(p.tolerance) &&
           may_be_zero(i, t, at, accuracy::near_to_nothing(p.tolerance));
  }
  bool may_be_zero(std::size_t i, double t, std::span<const double> at, double known) {
    const std::vector<double>& values = inputs.at(t, at);
    std::vector<Ball> near_by = around(std::span(values).first(p.n), p.kinds, known);
    // velocities, or quasi-velocities of any kind
    const std::size_t rates = at.size() - p.n;
    for (Ball& other : around(std::span(values).subspan(p.n, rates), rates == p.n ? p.kinds : Kinds(), known))
      near_by.push_back(std::move(other));
    near_by.push_back(Ball::between(t - located, t + located));
    for (const double value : std::span(values).subspan(at.size() + 1)) near_by.push_back(but_for_rounding(value));
    std::vector<Ball> found;
    if (run_in_balls(p.program, near_by, found, enclosing_bits) >= 0) return true;
    const std::span balls(found);
    const std::size_t of_J = p.at_inertia(), of_H = p.n * p.n;
    if (i >= 2) return !balls[p.at_roots() + i - 2].is_finite() || balls[p.at_roots() + i - 2].contains_zero();
    DenseMatrix J(p.k, p.n);
    std::vector<double> errors = row_errors(balls.first(of_J), p.n);
    for (std::size_t e = 0; e < of_J; ++e) J(e / p.n, e % p.n) = balls[e].midpoint();
    if (!all_finite(J.entries())) return true;
    if (i == 0) return pivots(J, errors, {all_indices(p.n)}).rows.size() < p.rank;
    return inertia_may_vanish(J, balls.subspan(of_J, of_H));
  }
  // H on ker J, and by how much it may be off.
  bool inertia_may_vanish(const DenseMatrix& J, std::span<const Ball> balls) {
    DenseMatrix Zs = DenseMatrix::identity(p.n);
    if (p.rank > 0) {
      PivotedQr rows;
      rows.compute(transposed(J));
      rows.complement(p.rank, Zs);
    }
    DenseMatrix H(p.n, p.n), error(p.n, p.n);
    for (std::size_t e = 0; e < balls.size(); ++e) {
      if (!balls[e].is_finite()) return true;
      H(e / p.n, e % p.n) = balls[e].midpoint();
      error(e / p.n, e % p.n) = balls[e].radius();
    }
    DenseMatrix sizes = Zs;
    for (double& entry : sizes.entries()) entry = std::abs(entry);
    const DenseMatrix inertias = transposed_times(Zs, H) * Zs, off = transposed_times(sizes, error) * sizes;
    std::vector<double> errors;
    for (std::size_t j = 0; j < off.rows(); ++j) errors.push_back(row_length(off, j));
    return pivots(inertias, errors, {all_indices(inertias.columns())}).rows.size() < inertias.rows();
  }
  bool is_near(const std::vector<double>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (relative(i, values[i]) < accuracy::near) return true;
    }
    return false;
  }
  // The first part of a step in which `found` says yes of numbers that go by: quarters are looked at, and more where numbers differ much, or are
  // small enough for the slope in the neighbourhood to reach zero between them.
  using Part = GuardsInStep::Part;
  static constexpr int finest = 40;  // halvings
  struct Half {
    std::vector<double> change, here;
  };
  std::vector<Half> halves = std::vector<Half>(finest + 1);
  template <class Numbers, class Found>
  std::optional<Part> part_where(const LastStep& step, const std::vector<double>& at_begin,
                                 const std::vector<double>& at_the_end, const Numbers& numbers, const Found& found) {
    // level 0 is the whole step, around which nothing is known
    halves[0].change.assign(at_begin.size(), 0.0);
    const auto within = [&](const auto& self, double t0, const std::vector<double>& first, double t1,
                            const std::vector<double>& second, int halvings) -> std::optional<Part> {
      if (halvings == finest) return std::nullopt;
      bool look_closer = halvings < 2;
      const std::vector<double>& change_around = halves[static_cast<std::size_t>(halvings)].change;
      auto& [change, here] = halves[static_cast<std::size_t>(halvings) + 1];
      change.resize(first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        const double a = first[i], b = second[i];
        change[i] = std::abs(a - b);
        // the slope around is change_around over twice this length
        look_closer = look_closer || change[i] > accuracy::sudden * std::max(1.0, std::min(a, b)) ||
                      a + b < accuracy::steeper * change_around[i] / 2;
      }
      if (!look_closer) return std::nullopt;
      const double t = t0 + (t1 - t0) / 2;
      step.interpolate(t, y);
      measure(t, y);
      numbers(here);
      if (found(here)) return Part(t0, t1);
      if (const auto first_half = self(self, t0, first, t, here, halvings + 1)) return first_half;
      return self(self, t, here, t1, second, halvings + 1);
    };
    return within(within, step.previous_time(), at_begin, step.time(), at_the_end, 0);
  }
  void guards_at(const LastStep& step, double t, std::vector<double>& values) {
    step.interpolate(t, y);
    if ((*run_guards)(inputs.at(t, y), values) >= 0) std::fill(values.begin(), values.end(), 0.0);
  }
  // There are determinants in short form, and they keep so far from zero all over a step of usual length that no quantity vanishes, small as it
  // may be.
  bool guards_keep_off(const LastStep& step) {
    return run_guards && !guards_begin_near && last_length <= accuracy::unusual_for_guards * length_before &&
           in_step_guards.all_beyond(step.previous_time(), step.time(), guards_largest,
                                     accuracy::determinant_of_regular(p.tolerance),
                                     [&](double t, std::vector<double>& values) { guards_at(step, t, values); });
  }
  // Where one of the guards may vanish: determinants in short form where there are some, else
  //   det [H Jᵀ; J 0]
  // on the rows in use, which vanishes where J loses rank or H is singular on its kernel, and what stands under roots.
  const std::vector<Part>& guards_may_vanish(const LastStep& step) {
    const auto short_ones = [&](double t, std::vector<double>& values) { guards_at(step, t, values); };
    const auto bordered = [&](double t, std::vector<double>& values) {
      step.interpolate(t, y);
      if (run(inputs.at(t, y), outputs) >= 0) {
        std::fill(values.begin(), values.end(), 0.0);
        return;
      }
      values[0] = bordered_determinant();
      std::copy(outputs.end() - static_cast<std::ptrdiff_t>(p.roots.size()), outputs.end(), values.begin() + 1);
    };
    border_exponent.reset();
    const double begin = step.previous_time(), end = step.time();
    return run_guards ? in_step_guards.may_vanish(begin, end, guards.size(), short_ones)
                      : in_step_guards.may_vanish(begin, end, 1 + p.roots.size(), bordered);
  }
  double bordered_determinant() {
    if (!p.watch_J && !p.watch_H) return 1;
    const DenseView JT = transposed_view(outputs.data(), p.k, p.n);
    const DenseView H(outputs.data() + p.at_inertia(), p.n, p.n);
    const std::vector<std::size_t>& rows = p.equations.form().rows;
    border.reset(p.n + rows.size(), p.n + rows.size());
    for (std::size_t j = 0; j < p.n; ++j) {
      for (std::size_t i = 0; i < p.n; ++i) border(i, j) = H(i, j);
      for (std::size_t i = 0; i < rows.size(); ++i) border(p.n + i, j) = border(j, p.n + i) = JT(j, rows[i]);
    }
    const ScaledDeterminant found = determinant_in_place(border);
    if (!border_exponent) border_exponent = found.exponent;
    return std::ldexp(found.mantissa, found.exponent - *border_exponent);
  }
  bool chose_of_J() const { return p.chose_rows || p.chose_dependent; }
  bool chose() const { return chose_of_J() || p.given; }
  // How much better than worn the choice is, at what was measured last; not above zero where another is wanted.
  double left_of_choice() const { return p.given ? std::min(left_of_given(), left_of_rows()) : left_of_rows(); }
  double left_of_given() const { return given / accuracy::worn - 1; }
  double left_of_rows() const {
    if (!chose_of_J()) return 1;
    const double best = now[0];
    // a part of J loses its digits as J does, whichever part it is
    if (p.chose_dependent && relative(0, best) < accuracy::close) return relative(0, best) / accuracy::close - 1;
    if (relative(0, best) < accuracy::hopeless) return 1;  // nor will other rows do for long
    return std::max(choice / choice_at_start, best > 0 ? choice / best : 1) / accuracy::worn - 1;
  }
  double left_at(const LastStep& step, double t) {
    step.interpolate(t, y);
    measure(t, y);
    return left_of_choice();
  }
  // Where that comes to nothing between two times: early enough is good enough, while more than half is left of what it is worn at.
  double first_worn(const LastStep& step, double fresh, double worn) {
    constexpr int halvings = 8;
    for (int i = 0; i < halvings || (i < finest && left_at(step, worn) < -0.5); ++i) {
      const double t = fresh + (worn - fresh) / 2;
      (left_at(step, t) > 0 ? fresh : worn) = t;
    }
    return worn;
  }
  std::optional<double> zero_between(const LastStep& stepper, double begin, double end);
  std::vector<double> divisors(double t, std::span<const double> at) {
    std::vector<double> values(p.divisors.size());
    if (!values.empty()) Interpreter(p.of_divisors)(inputs.at(t, at), values);
    return values;
  }
  // `now` is that of a state of the motion.
  void remember(double t) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      largest[i] = std::max(largest[i], now[i]);
      if (i > 0) approaches[i].note(t, now[i]);
    }
    if (relative(0, now[0]) < accuracy::near) {
      approaches[0].note(t, rank);
    } else {
      approaches[0].clear();
    }
    largest_inertia = std::max(largest_inertia, inertia);
    inertia_approach.note(t, inertia);
    last = now;
    guards_begin_near = guards_begin_near && is_near(now);
  }
  bool nearer_than(double part) const {
    if (far) return false;
    const std::size_t least = lowest();
    return relative(least, last[least]) < part;
  }
  // The one nearest to zero for its size.
  std::size_t lowest() const {
    std::size_t least = 0;
    for (std::size_t i = 1; i < asked(); ++i) {
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
  for (int part = 0; part <= parts; ++part) {
    look(time(part));
    in_step[part] = now;
  }
  // a lowest value that is known to ε has its time to √ε
  located = accuracy::half_the_digits * std::abs(end - begin);
  std::optional<double> first;
  for (std::size_t i = 0; i < asked(); ++i) {
    for (int lowest = 0; lowest <= parts; ++lowest) {
      // every low point between its neighbours
      const double least = in_step[lowest][i];
      const int left = std::max(lowest - 1, 0), right = std::min(lowest + 1, parts);
      if (least > in_step[left][i] || least > in_step[right][i] || relative(i, least) >= accuracy::near) continue;
      // at an end, where both neighbours of a zero may be as low, by the one after
      const double slope = std::max(in_step[std::min(left, parts - 2)][i], in_step[std::max(right, 2)][i]) - least;
      if (least > 2 * slope) continue;  // too far from zero to reach it between its neighbours
      const double t = golden_section(time(left), time(right), [&](double at) {
        look(at);
        return now[i];
      });
      look(t);
      if (!vanishes(i, now[i], t, y)) continue;
      // still falling at the end: the zero belongs to the next step
      if (std::abs(end - t) < accuracy::at_the_end * std::abs(end - begin) &&
          relative(i, in_step[parts][i]) > accuracy::certainly)
        continue;
      if (!first || std::abs(t - begin) < std::abs(*first - begin)) {
        first = t;
        which = i;
      }
    }
  }
  if (first) look(*first);  // what is told is told of that state
  return first;
}

RegularityWatch::RegularityWatch(const RegularityPlan& plan, std::span<const double> parameters)
    : data_(std::make_unique<Data>(*plan.data_, parameters)) {}
RegularityWatch::~RegularityWatch() = default;
bool RegularityWatch::empty() const { return data_->p.empty(); }

void RegularityWatch::start(double t, std::span<const double> y) {
  if (data_->divisors_at_start.empty()) data_->divisors_at_start = data_->divisors(t, y);
  if (empty()) return;
  data_->measure_on_the_way(t, y);
  for (Approach& approach : data_->approaches) approach.clear();
  data_->inertia_approach.clear();
  data_->remember(t);
  data_->far = data_->far_from_zero(t, y);
  data_->choice_at_start = data_->choice;
}

const GivenQuality* RegularityWatch::of_given() const { return data_->of_given ? &*data_->of_given : nullptr; }
void RegularityWatch::begin_given_as(const GivenQuality& other) {
  if (data_->of_given) data_->of_given->begin_as(other);
}

void RegularityWatch::inherit(const RegularityWatch& before) {
  data_->divisors_at_start = before.data_->divisors_at_start;
  const std::vector<double>& seen = before.data_->largest;
  for (std::size_t i = 0; i < std::min(seen.size(), data_->largest.size()); ++i) {
    data_->largest[i] = std::max(data_->largest[i], seen[i]);
    data_->approaches[i] = before.data_->approaches[i];
  }
  if (&data_->p == &before.data_->p) {
    data_->guards_largest = before.data_->guards_largest;
    data_->guards_begin_near = before.data_->guards_begin_near;
  } else if (!empty() && data_->is_near(data_->last)) {
    data_->guards_begin_near = true;
    data_->far = false;
  }
  data_->largest_inertia = std::max(data_->largest_inertia, before.data_->largest_inertia);
  data_->inertia_approach = before.data_->inertia_approach;
}

std::optional<double> RegularityWatch::find(const LastStep& stepper) {
  if (empty()) return std::nullopt;
  Data& d = *data_;
  const double begin = stepper.previous_time(), end = stepper.time();
  const bool was_far = d.far;
  d.far = d.far_along(stepper);
  if (d.far && was_far) return std::nullopt;
  std::vector<double>&before = d.before, &at_end = d.at_end;
  before = d.last;
  const double rank_before = d.rank;
  d.measure_on_the_way(end, stepper.state());
  const bool look = d.is_near(before) || d.is_near(d.now);
  at_end = d.now;
  const double inertia = d.inertia;
  // Coarse steps become shorter and shorter, miss the set by their errors, and become longer again.
  std::optional<std::size_t> missed;
  for (std::size_t i = 0; i < d.asked(); ++i) {
    const double earlier = i == 0 ? rank_before : before[i], later = i == 0 ? d.rank : at_end[i];
    if (later > earlier && d.fell[i] && d.relative(i, before[i]) < accuracy::near) {
      stepper.interpolate(begin, d.y);
      if (d.vanishes(i, before[i], begin, d.y)) missed = i;
    }
    d.fell[i] = later < earlier;
  }
  // where a set that was missed is, by the way there: steps so short that rounding alone lets a quantity rise are far from it beside their length
  std::optional<double> expected = missed ? d.approaches[*missed].zero() : std::nullopt;
  if (expected && !((*expected - begin) * (end - begin) > 0)) expected.reset();
  d.now = at_end;
  d.inertia = inertia;
  d.remember(end);
  if (d.guards_keep_off(stepper)) return std::nullopt;
  if (look) {
    if (const auto zero = d.zero_between(stepper, begin, end)) return zero;
  }
  // a zero between two ends that are far from it shows only in between
  for (const auto& [from, to] : d.guards_may_vanish(stepper)) {
    if (const auto zero = d.zero_between(stepper, from, to)) return zero;
  }
  if (!look) return std::nullopt;
  if (missed) {
    d.which = *missed;
    return expected.value_or(begin);
  }
  // Steps that become shorter and shorter never have the zero inside, and at last step over it: it is just beyond this one.
  if (d.last_length > 0.5 * d.length_before) return std::nullopt;
  for (std::size_t i = 0; i < d.asked(); ++i) {
    if (at_end[i] > 0.5 * before[i] || !d.vanishes(i, at_end[i], end, stepper.state())) continue;
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
  d.measure_on_the_way(t, stepper.state());
  d.remember(t);
  const std::size_t least = d.lowest();
  if (d.relative(least, d.last[least]) <= accuracy::close) {
    auto zero = d.approaches[least].zero();
    // so near that its times are all the same, or that the state may be one on the set
    if (!zero && (d.relative(least, d.last[least]) <= accuracy::certainly || t == stepper.previous_time() ||
                  d.vanishes(least, d.last[least], t, stepper.state())))
      zero = t;
    if (zero) {
      d.which = least;
      return zero;
    }
  }
  if (d.p.watch_H && d.inertia <= accuracy::close * d.largest_inertia) {
    auto zero = d.inertia_approach.zero();
    if (!zero && d.inertia <= accuracy::certainly * d.largest_inertia) zero = t;
    if (zero) {
      d.which = 1;
      return zero;
    }
  }
  return d.zero_between(stepper, t, t + (t - stepper.previous_time()));
}

std::optional<double> RegularityWatch::zero_ahead() const {
  return in_the_neighbourhood() ? data_->approaches[data_->lowest()].zero() : std::nullopt;
}

bool RegularityWatch::in_the_neighbourhood() const { return !empty() && data_->nearer_than(accuracy::near); }
double RegularityWatch::nearness() const {
  const std::size_t least = data_->lowest();
  return data_->relative(least, data_->last[least]);
}
bool RegularityWatch::is_as_near(double t, std::span<const double> y) {
  Data& d = *data_;
  d.measure(t, y);
  for (std::size_t i = 0; i < d.asked(); ++i)
    if (!(std::abs(d.now[i] - d.last[i]) <= accuracy::as_near * d.last[i])) return false;
  return true;
}
bool RegularityWatch::close_to_zero() const { return !empty() && data_->nearer_than(accuracy::close); }
bool RegularityWatch::well_away() const { return empty() || !data_->nearer_than(2 * accuracy::close); }
bool RegularityWatch::nearly_lost() {
  if (empty()) return false;
  data_->which = data_->lowest();
  return data_->nearer_than(accuracy::close);
}

bool RegularityWatch::is_of_rank() const { return !empty() && data_->p.k > 0 && data_->which == 0; }

bool RegularityWatch::rank_falls() const {
  const Data& d = *data_;
  return !empty() && d.p.k > 0 && d.lowest() == 0 && !(d.p.watch_H && d.inertia <= accuracy::close * d.largest_inertia);
}

std::optional<double> RegularityWatch::worn_at(const LastStep& step) {
  Data& d = *data_;
  // nothing is measured where nothing can be lost
  if (d.last.empty() || !d.chose()) return std::nullopt;
  double fresh = step.previous_time(), worn = step.time();
  d.left_before.assign(1, d.left_at(step, fresh));
  if (!(d.left_before[0] > 0)) return std::nullopt;
  d.left_at_end.assign(1, d.left_at(step, worn));
  const auto none_left = [](const std::vector<double>& left) { return !(left[0] > 0); };
  const auto part = d.part_where(
      step, d.left_before, d.left_at_end, [&](std::vector<double>& left) { left.assign(1, d.left_of_choice()); },
      none_left);
  if (part) {
    fresh = part->first;
    worn = part->first + (part->second - part->first) / 2;
  } else if (!none_left(d.left_at_end)) {
    return std::nullopt;
  }
  return d.first_worn(step, fresh, worn);
}

std::optional<double> RegularityWatch::worn_before(const LastStep& step, double t) {
  Data& d = *data_;
  if (!d.chose() || !(d.left_at(step, step.previous_time()) > 0) || d.left_at(step, t) > 0) return std::nullopt;
  const double worn = d.first_worn(step, step.previous_time(), t);
  (void)d.left_at(step, worn);
  d.last = d.now;
  return worn;
}

bool RegularityWatch::has_roots() const { return !data_->p.roots.empty(); }
bool RegularityWatch::is_a_root_beside_the_constraints() const {
  return data_->which >= 2 && !data_->p.roots[data_->which - 2].constraint;
}
void RegularityWatch::let_roots_vanish(bool let) { data_->roots_may_vanish = let; }

bool RegularityWatch::serves_badly() const {
  const Data& d = *data_;
  return d.chose_of_J() && !d.last.empty() && d.choice < accuracy::worn * d.last[0];
}

bool RegularityWatch::given_serve_badly(double t, std::span<const double> y) {
  Data& d = *data_;
  if (!d.of_given) return false;
  d.measure(t, y);
  return !(d.left_of_given() > 0);
}

bool RegularityWatch::lost_the_choice() const {
  const Data& d = *data_;
  return d.p.chose_dependent && !d.last.empty() && d.choice <= accuracy::vanished_of_a_part(d.p.tolerance) * d.last[0];
}

std::optional<Error> RegularityWatch::lost_divisor(double t, std::span<const double> y) {
  const std::vector<double> values = data_->divisors(t, y);
  std::optional<std::size_t> least;
  const auto left = [&](std::size_t i) { return std::abs(values[i]) / std::abs(data_->divisors_at_start[i]); };
  for (std::size_t i = 0; i < values.size(); ++i)
    if (left(i) <= accuracy::close && (!least || left(i) < left(*least))) least = i;
  if (!least) return std::nullopt;
  return Error(ErrorCode::non_finite,
               to_string(data_->p.divisors[*least]) + " reaches zero; the equations of motion are not defined there");
}

Error RegularityWatch::diagnosis() const {
  const Data& d = *data_;
  const System& system = d.p.equations.system();
  if (d.which >= 2) {
    const auto& [under, text, constraint] = d.p.roots[d.which - 2];
    const std::string what = text + " reaches zero, where it has no derivative";
    if (!constraint) return {ErrorCode::non_finite, what + "; the forces are not defined there"};
    return {ErrorCode::rank_lost, what + "; it stands in the constraint '" + system->constraints[*constraint].label() +
                                      "', whose virtual displacements are not defined there"};
  }
  if (d.which == 1) {
    return {ErrorCode::singular_mass_matrix,
            "the mass matrix becomes singular on the directions that the constraints leave free: the accelerations are "
            "not determined there"};
  }
  std::string text = "the constraints lose rank: at this state they restrict the velocities less than before";
  if (d.row < system->constraints.size())
    text += "; the constraint '" + system->constraints[d.row].label() + "' is the one lost";
  return {ErrorCode::rank_lost, text};
}

}  // namespace cetaev
