#include "cetaev/interruption.hpp"

#include <utility>

#include "cetaev/detail/text/patience.hpp"

namespace cetaev {

namespace {

// Asking costs a clock or a call, some tens of nanoseconds; this much work takes some tens of microseconds.
constexpr double units_between = 256;

thread_local Interruptible* here = nullptr;
thread_local double units_done = 0;
thread_local Patience* patience = nullptr;

}  // namespace

Interruptible::Interruptible(std::function<bool()> enough)
    : enough_(std::move(enough)), before_(std::exchange(here, this)) {}

Interruptible::~Interruptible() { here = before_; }

Interruptible* Interruptible::current() { return here; }

Interruptible::Helper::Helper(Interruptible* helped) : before_(std::exchange(here, helped)) {}

Interruptible::Helper::~Helper() { here = before_; }

void Interruptible::look() {
  if (!ended_ && enough_()) ended_ = true;
  if (ended_) throw Interrupted();
}

Patience::Here::Here(Patience& own) : before_(std::exchange(patience, &own)) { own.around_ = before_; }
Patience::Here::~Here() { patience = before_; }

void Patience::spend(double units) {
  for (Patience* own = patience; own != nullptr; own = own->around_)
    if ((own->left_ -= units) < 0) throw OutOfPatience{own};
}

void may_end_here(double units) {
  Patience::spend(units);
  if (here == nullptr) return;
  units_done += units;
  if (units_done < units_between) return;
  units_done = 0;
  here->look();
}

}  // namespace cetaev
