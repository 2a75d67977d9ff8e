// What a ball is made of.
#pragma once

#include <arb.h>

#include "cetaev/expr/ball.hpp"

namespace cetaev {

struct BallInside {
  static arb_ptr of(Ball& ball) { return reinterpret_cast<arb_ptr>(ball.storage_.data()); }
  static arb_srcptr of(const Ball& ball) { return reinterpret_cast<arb_srcptr>(ball.storage_.data()); }
};

// Arrays of balls are read as vectors of Arb's.
static_assert(sizeof(Ball) == sizeof(arb_struct) && alignof(Ball) == alignof(arb_struct));

inline arb_ptr inside(Ball& ball) { return BallInside::of(ball); }
inline arb_srcptr inside(const Ball& ball) { return BallInside::of(ball); }

}  // namespace cetaev
