#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "elsewhere.hpp"
#include "spectrum.hpp"

namespace cetaev {

std::string_view to_string(VariedSpectrum::Critical::Kind kind) {
  switch (kind) {
    case VariedSpectrum::Critical::Kind::hopf: return "hopf";
    case VariedSpectrum::Critical::Kind::zero: return "zero";
    case VariedSpectrum::Critical::Kind::collision: return "collision";
    case VariedSpectrum::Critical::Kind::singular: return "singular";
    case VariedSpectrum::Critical::Kind::jump: return "jump";
  }
  return "hopf";
}

Along Along::parse(const std::string& text) {
  const auto fail = [&](const std::string& why) {
    return Error(ErrorCode::bad_model, "'" + text + "' " + why + "; write NAME=FROM:TO:COUNT, as in v=0:10:201");
  };
  const std::size_t equals = text.find('=');
  const std::size_t first = text.find(':', equals),
                    second = first == std::string::npos ? first : text.find(':', first + 1);
  if (equals == std::string::npos || equals == 0 || second == std::string::npos) throw fail("is not a range");
  Along result;
  result.name = text.substr(0, equals);
  while (result.name.ends_with(' ')) result.name.pop_back();
  const auto number = [&](std::string part, auto& into) {
    while (part.starts_with(' ')) part.erase(0, 1);
    while (part.ends_with(' ')) part.pop_back();
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), into);
    if (error != std::errc() || end != part.data() + part.size())
      throw fail("has '" + part + "' where a " +
                 (std::is_integral_v<std::remove_reference_t<decltype(into)>> ? "whole number from 2 on" : "number") +
                 " should stand");
  };
  number(text.substr(equals + 1, first - equals - 1), result.from);
  number(text.substr(first + 1, second - first - 1), result.to);
  number(text.substr(second + 1), result.count);
  if (!std::isfinite(result.from) || !std::isfinite(result.to)) throw fail("has no finite ends");
  constexpr std::size_t most = 1'000'000;
  if (result.count < 2 || result.count > most) throw fail("should have between 2 and 1,000,000 values");
  return result;
}

double Along::value(std::size_t i) const {
  if (i + 1 == count) return to;
  return from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
}

namespace {

using Critical = VariedSpectrum::Critical;

// Each of the new values in the place of the old one that it comes from: the nearest pairs first.
ToldSpectrum paired(const ToldSpectrum& before, const ToldSpectrum& now) {
  const std::size_t n = before.size();
  if (now.size() != n) return now;
  struct Pair {
    double apart;
    std::size_t i, j;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) pairs.push_back({std::abs(before[i].value - now[j].value), i, j});
  }
  std::ranges::stable_sort(pairs, {}, &Pair::apart);
  std::vector<bool> placed(n), taken(n);
  ToldSpectrum result(n);
  for (const auto& [apart, i, j] : pairs) {
    if (placed[i] || taken[j]) continue;
    placed[i] = taken[j] = true;
    result[i] = now[j];
  }
  return result;
}

std::complex<double> nearest(const ToldSpectrum& values, std::complex<double> to) {
  return std::ranges::min_element(values, {}, [&](const ToldEigenvalue& one) { return std::abs(one.value - to); })
      ->value;
}

// Whether an eigenvalue lies on the axis was told with its own error: then its real part is zero.
class CriticalValues {
 public:
  CriticalValues(const SteadyElsewhere& along, VariedSpectrum& result) : along_(along), result_(result) {}

  // Between values that have no spectrum.
  void find() {
    for (begin_ = 0; begin_ < result_.values.size(); begin_ = end_ + 1) {
      for (end_ = begin_; end_ < result_.values.size() && !result_.eigenvalues[end_].empty();) ++end_;
      if (end_ == begin_) continue;
      for (std::size_t b = 0; b < result_.eigenvalues[begin_].size(); ++b) follow(b);
    }
    std::ranges::stable_sort(found_, {}, &Critical::value);
    for (Critical& critical : found_) {
      if (std::abs(critical.value) <= 4 * std::numeric_limits<double>::epsilon() * span()) critical.value = 0;
      const bool known = std::ranges::any_of(result_.critical, [&](const Critical& other) {
        const double a = std::abs(other.eigenvalue.imag()), b = std::abs(critical.eigenvalue.imag());
        return other.kind == critical.kind &&
               std::abs(other.value - critical.value) <= 1e-9 * (std::abs(critical.value) + span()) &&
               std::abs(a - b) <= 1e-6 * std::max(a, b);
      });
      if (!known) result_.critical.push_back(critical);
    }
  }

 private:
  struct SingularAt {
    double value;
  };
  ToldSpectrum fine(double value) const {
    try {
      return along_.fine_spectrum({&value, 1});
    } catch (const Error&) {
      throw SingularAt{value};
    }
  }

  void follow(std::size_t b) {
    const auto look = [&](auto search, std::size_t from, std::size_t to) {
      try {
        (this->*search)(from, to, b);
      } catch (const SingularAt& at) {
        found_.push_back({at.value, Critical::Kind::singular, 0});
      }
    };
    std::optional<std::size_t> last;  // value at which the real part was certain
    for (std::size_t i = begin_; i < end_; ++i) {
      const double here = growth(i, b);
      if (here == 0) continue;
      const bool changes = last && (growth(*last, b) > 0) != (here > 0);
      if (changes && (*last + 1 == i || is_one_value(*last, b))) {
        look(&CriticalValues::crossing, *last, i);
      } else if (i > begin_ && on_axis(i - 1, b) && here > 0) {
        look(&CriticalValues::leaving, i - 1, i);
      }
      last = i;
    }
    // and from the other end
    for (std::size_t i = end_; i-- > begin_ + 1;) {
      if (!on_axis(i, b) || !(growth(i - 1, b) > 0)) continue;
      const bool goes_on_to_the_other_side = i + 1 < end_ && growth(i + 1, b) < 0;
      if (!goes_on_to_the_other_side || !is_one_value(i - 1, b)) look(&CriticalValues::leaving, i, i - 1);
    }
  }

  // Found by halving, between two values: what is no longer small beside what it was has not come to the axis.
  void add_found(std::size_t from, std::size_t to, double value, std::complex<double> there, Critical::Kind beside) {
    double size = 0;
    for (const std::size_t i : {from, to})
      for (const std::complex<double> one : result_.eigenvalues[i]) size = std::max(size, std::abs(one));
    const bool real = std::abs(there.imag()) <= at_zero * std::abs(there.real());
    if (std::abs(there) > 1 / gone * size) {
      found_.push_back({value, Critical::Kind::singular, 0});
    } else if (std::abs(there.real()) > gone * size) {
      found_.push_back({value, Critical::Kind::jump, there});
    } else {
      found_.push_back({value, real ? Critical::Kind::zero : beside, {0, real ? 0 : std::abs(there.imag())}});
    }
  }
  static constexpr double gone = 1e-6;

  double growth(std::size_t i, std::size_t branch) const { return result_.eigenvalues[i][branch].real(); }
  bool on_axis(std::size_t i, std::size_t branch) const { return growth(i, branch) == 0; }

  // One value alone, the next after `before`, has the eigenvalue on the axis: halfway to those beside it it is off.
  bool is_one_value(std::size_t before, std::size_t branch) const {
    if (before + 2 >= end_ || on_axis(before + 2, branch)) return false;
    for (const std::size_t i : {before, before + 1}) {
      const double between = result_.values[i] + (result_.values[i + 1] - result_.values[i]) / 2;
      const std::complex<double> about = (result_.eigenvalues[i][branch] + result_.eigenvalues[i + 1][branch]) / 2.0;
      try {
        if (nearest(fine(between), about).real() == 0) return false;
      } catch (const SingularAt&) {
        return false;
      }
    }
    return true;
  }

  double span() const { return std::abs(result_.values.back() - result_.values.front()); }

  // Of the pair of one that crosses there the other has been followed.
  bool is_conjugate_of_known(std::size_t from, std::size_t to, std::size_t branch) const {
    constexpr double rounding = 1e-9;
    return std::ranges::any_of(crossings_, [&](const std::array<std::size_t, 3>& one) {
      return one[0] == from && one[1] == to && std::ranges::all_of(std::array{from, to}, [&](std::size_t i) {
               const std::complex<double> here = result_.eigenvalues[i][branch];
               return std::abs(std::conj(here) - result_.eigenvalues[i][one[2]]) <= rounding * std::abs(here);
             });
    });
  }

  // The real part changes its sign: regula falsi with halving, on more digits than doubles have.
  void crossing(std::size_t from, std::size_t to, std::size_t branch) {
    if (is_conjugate_of_known(from, to, branch)) return;
    crossings_.push_back({from, to, branch});
    double a = result_.values[from], b = result_.values[to];
    std::complex<double> at_a = nearest(fine(a), result_.eigenvalues[from][branch]);
    std::complex<double> at_b = nearest(fine(b), result_.eigenvalues[to][branch]);
    const double at_ends = std::max(std::abs(at_a.real()), std::abs(at_b.real()));
    double weight_a = at_a.real(), weight_b = at_b.real();
    int side = 0;
    double ulps = 1;
    for (int step = 0; step < 200; ++step) {
      double middle = a + (b - a) * (weight_a / (weight_a - weight_b));
      // just beside one of the ends, as far as doubles tell: a few of them on, and more every time
      if (!(middle > std::min(a, b) && middle < std::max(a, b))) {
        const bool beside_a = std::abs(weight_a) < std::abs(weight_b);
        const double end = beside_a ? a : b, ulp = std::numeric_limits<double>::epsilon() * std::abs(end);
        middle = end + std::copysign(ulps * ulp, beside_a ? b - a : a - b);
        ulps *= 4;
        if (!(middle > std::min(a, b) && middle < std::max(a, b))) middle = a + (b - a) / 2;
      }
      if (middle == a || middle == b) break;
      const double part = (middle - a) / (b - a);
      const std::complex<double> here = nearest(fine(middle), at_a + part * (at_b - at_a));
      if (here.real() == 0) {
        a = b = middle;
        at_a = at_b = here;
        break;
      }
      if ((here.real() > 0) == (at_b.real() > 0)) {
        b = middle;
        at_b = here;
        weight_b = here.real();
        if (side == 1) weight_a /= 2;
        side = 1;
      } else {
        a = middle;
        at_a = here;
        weight_a = here.real();
        if (side == -1) weight_b /= 2;
        side = -1;
      }
      if (std::abs(b - a) <= 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b))) break;
    }
    const bool a_nearer = std::abs(at_a.real()) < std::abs(at_b.real());
    const std::complex<double> there = a_nearer ? at_a : at_b;
    // one that was followed wrongly, past others that it meets
    if (std::max(std::abs(at_a.real()), std::abs(at_b.real())) > gone * at_ends) return crossing_of_some(from, to);
    found_.push_back({a_nearer ? a : b,
                      there.imag() == 0 ? Critical::Kind::zero : Critical::Kind::hopf,
                      {0, std::abs(there.imag())}});
  }

  // How many grow changes: by halving, whichever they are.
  void crossing_of_some(std::size_t from, std::size_t to) {
    double a = result_.values[from], b = result_.values[to];
    const auto before = count_growing(fine(a));
    ToldSpectrum last = fine(b);
    if (count_growing(last) == before) return;
    for (;;) {
      const double middle = a + (b - a) / 2;
      if (middle == a || middle == b) break;
      ToldSpectrum here = fine(middle);
      if (count_growing(here) == before) {
        a = middle;
      } else {
        b = middle;
        last = std::move(here);
      }
    }
    if (last.empty()) return;
    const std::complex<double> there =
        std::ranges::min_element(last, {}, [](const ToldEigenvalue& one) { return std::abs(one.value.real()); })->value;
    add_found(from, to, b, there, Critical::Kind::hopf);
  }

  static std::ptrdiff_t count_growing(const ToldSpectrum& all) {
    return std::ranges::count_if(all, [&](const ToldEigenvalue& one) { return one.value.real() > 0; });
  }
  // Imaginary parts beside real ones that have just left the axis, by the root of the last digit of the value or by less: below this both are
  // small, as those of eigenvalues that meet at zero.
  static constexpr double at_zero = 1e3;

  // Eigenvalues on the imaginary axis meet and leave it, two beside it or some at zero.
  void leaving(std::size_t on, std::size_t off, std::size_t branch) {
    double a = result_.values[on], b = result_.values[off];
    std::complex<double> last = result_.eigenvalues[off][branch];
    // others may grow all along
    const auto before = std::min(count_growing(fine(a)), count_growing(fine(b)) - 1);
    for (int step = 0; step < 100; ++step) {
      const double middle = a + (b - a) / 2;
      if (middle == a || middle == b) break;
      const ToldSpectrum all = fine(middle);
      if (count_growing(all) <= before) {
        a = middle;
        continue;
      }
      b = middle;
      // the one that has left, near where it was last
      std::complex<double> outside = std::numeric_limits<double>::infinity();
      for (const ToldEigenvalue& one : all)
        if (one.value.real() > 0 && std::abs(one.value - last) < std::abs(outside - last)) outside = one.value;
      last = outside;
    }
    add_found(on, off, b, last, Critical::Kind::collision);
  }

  const SteadyElsewhere& along_;
  VariedSpectrum& result_;
  std::size_t begin_ = 0, end_ = 0;  // of the values that are looked at
  std::vector<Critical> found_;
  std::vector<std::array<std::size_t, 3>> crossings_;  // from, to, branch
};

VariedSpectrum spectra(const System& system, const Along& along, const std::vector<std::string>& solve, bool quasi) {
  SteadyElsewhere values(system, {along.name}, solve, quasi);
  VariedSpectrum result{along.name, {}, {}, {}, {}, solve, {}};
  // both ends may be special
  const std::size_t last = along.count - 1;
  const std::vector<std::vector<double>> some = {
      {along.value(0)}, {along.value(last / 3)}, {along.value(last / 2)}, {along.value(last)}};
  values.look_for_zeros(some);
  ToldSpectrum before;
  std::optional<Error> first;
  for (std::size_t i = 0; i < along.count; ++i) {
    result.values.push_back(along.value(i));
    std::vector<double> solved(solve.size(), std::nan(""));
    std::vector<std::complex<double>>& here = result.eigenvalues.emplace_back();
    std::optional<Error>& diagnosis = result.diagnosis.emplace_back();
    try {
      ToldSpectrum now = values.spectrum({&result.values.back(), 1}, &solved);
      if (before.empty()) sort_by_growth(now);
      before = before.empty() ? std::move(now) : paired(before, now);
      for (const ToldEigenvalue& one : before) here.push_back(one.value);
    } catch (const Error& error) {
      diagnosis = error;
      if (!first) first = error;
    }
    if (!solve.empty()) result.solved.push_back(std::move(solved));
  }
  const auto empty = [](const auto& one) { return one.empty(); };
  if (first && std::ranges::all_of(result.eigenvalues, empty)) throw *first;
  CriticalValues(values, result).find();
  return result;
}

}  // namespace

VariedSpectrum linearize_along(const System& system, const Along& along, const std::vector<std::string>& solve) {
  return in_velocities_that_are_steady(system, [&](bool quasi) { return spectra(system, along, solve, quasi); });
}

}  // namespace cetaev
