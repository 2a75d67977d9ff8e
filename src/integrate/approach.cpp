#include "approach.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"

namespace cetaev {

void Approach::note(double t, double value) {
  while (count_ > 0 && marks_[count_ - 1].value <= value) --count_;
  now_ = {t, value};
  if (count_ > 0 && !(value < accuracy::marked * marks_[count_ - 1].value)) return;
  if (count_ == most) {
    std::copy(marks_.begin() + 1, marks_.end(), marks_.begin());
    --count_;
  }
  marks_[count_++] = now_;
}

// With s = |T − t|, from  ln(σ₀/σ₁) / ln(σ₁/σ₂) = ln(s₀/s₁) / ln(s₁/s₂),  whose right-hand side grows with s₂ from 0 to
// (t₁ − t₀)/(t₂ − t₁), which is that of an exponential.
std::optional<double> Approach::zero() const {
  // the value of now, unless it is too near the last mark to tell anything
  const bool fresh = count_ > 0 && now_.value < accuracy::tells_something * marks_[count_ - 1].value;
  if (count_ < (fresh ? 2 : 3)) return std::nullopt;
  const Mark& third = fresh ? now_ : marks_[count_ - 1];
  const Mark& second = marks_[count_ - (fresh ? 1 : 2)];
  const Mark& first = marks_[count_ - (fresh ? 2 : 3)];
  if (!(third.value > 0)) return third.t;
  const double ratio = std::log(first.value / second.value) / std::log(second.value / third.value);
  const double later = std::abs(third.t - second.t), earlier = std::abs(second.t - first.t);
  const auto of = [&](double s) { return std::log1p(earlier / (s + later)) / std::log1p(later / s); };
  double low = accuracy::here * later, high = accuracy::furthest_ahead * later;
  if (!(later > 0) || !(earlier > 0) || !(of(high) > ratio)) return std::nullopt;
  if (of(low) > ratio) return third.t;
  while (high > low * (1 + accuracy::solved_for)) {
    const double middle = std::sqrt(low * high);
    if (middle <= low || middle >= high) break;
    (of(middle) > ratio ? high : low) = middle;
  }
  return third.t + std::copysign(high, third.t - second.t);
}

}  // namespace cetaev
