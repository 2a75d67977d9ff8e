#include "cetaev/interruption.hpp"

#include <utility>

namespace cetaev {

namespace {

// Asking costs a clock or a call, some tens of nanoseconds; this much work takes some tens of microseconds.
constexpr double units_between = 256;

thread_local Interruptible* here = nullptr;
thread_local double units_done = 0;

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

void may_end_here(double units) {
  if (here == nullptr) return;
  units_done += units;
  if (units_done < units_between) return;
  units_done = 0;
  here->look();
}

}  // namespace cetaev
