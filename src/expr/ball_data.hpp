// The inside of a Ball, for the implementation files that speak Arb.
#pragma once

#include <arb.h>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

struct Ball::Data {
  arb_t value;
  Data() { arb_init(value); }
  ~Data() { arb_clear(value); }
  Data(const Data& other) : Data() { arb_set(value, other.value); }
  Data& operator=(const Data&) = delete;
};

void set_rational(arb_t out, const Rational& r, slong bits);
// A function of one argument.
void apply_in_balls(arb_t out, Function f, const arb_t x, slong bits);

}  // namespace cetaev
