// What an instruction about series reads; for_each_register and for_each_entry are those of programs.
#pragma once

#include "../program/operands.hpp"
#include "cetaev/detail/series/series.hpp"

namespace cetaev {

// How many of a, b, c are registers, in this order; a solve has lists of its own.
constexpr int operand_count(const SeriesInstruction& i) {
  switch (i.operation) {
    case SeriesOperation::negate:
    case SeriesOperation::square:
    case SeriesOperation::square_root:
    case SeriesOperation::derivative:
    case SeriesOperation::magnitude: return 1;
    case SeriesOperation::add:
    case SeriesOperation::subtract:
    case SeriesOperation::multiply:
    case SeriesOperation::divide: return 2;
    case SeriesOperation::multiply_add: return 3;
    case SeriesOperation::integral: return i.start == Operation::function ? 2 : 3;
    case SeriesOperation::solve: return 0;
  }
  return 0;
}

}  // namespace cetaev
