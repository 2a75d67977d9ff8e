// What a series program shows about the solution before anything is computed.
#include <algorithm>

#include "cetaev/detail/series/series.hpp"
#include "operands.hpp"

namespace cetaev {

std::vector<std::size_t> SeriesProgram::angles() const {
  std::vector<bool> plain(register_count()), under(register_count());
  for (const std::uint32_t r : outputs_) plain[r] = true;
  const auto set_plain = [&](std::uint32_t r) { plain[r] = true; };
  for (const Program::System& s : systems_) for_each_entry(s, set_plain);
  for (const SeriesInstruction& i : instructions_) {
    const bool periodic =
        i.start == Operation::function && (i.function == Function::sin || i.function == Function::cos);
    switch (i.operation) {
      case SeriesOperation::solve:
      case SeriesOperation::derivative: break;  // the derivative does not know the value
      case SeriesOperation::integral:
        (periodic ? under : plain)[i.b] = true;
        if (i.start != Operation::function) plain[i.c] = true;
        break;
      case SeriesOperation::add:
      case SeriesOperation::subtract:
      case SeriesOperation::negate: break;  // below
      default: for_each_register(i, set_plain);
    }
  }
  // sums and differences of angles are angles; operands are written before
  for (std::size_t n = instructions_.size(); n-- > 0;) {
    const SeriesInstruction& i = instructions_[n];
    const bool sum = i.operation == SeriesOperation::add || i.operation == SeriesOperation::subtract;
    if (!sum && i.operation != SeriesOperation::negate) continue;
    for (auto* kind : {&plain, &under}) {
      if ((*kind)[i.out]) for_each_register(i, [&](std::uint32_t r) { (*kind)[r] = true; });
    }
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < state_count_; ++i) {
    if (under[state(i)] && !plain[state(i)]) result.push_back(i);
  }
  return result;
}

bool SeriesProgram::entire() const {
  for (const SeriesInstruction& i : instructions_) {
    switch (i.operation) {
      case SeriesOperation::divide:
        if (degree_[i.b] > 0) return false;
        break;
      case SeriesOperation::square_root:
      case SeriesOperation::magnitude:
      case SeriesOperation::solve: return false;
      case SeriesOperation::integral:
        if (degree_[i.out] <= 0) break;
        if (i.start != Operation::function) return false;
        switch (i.function) {
          case Function::sin:
          case Function::cos:
          case Function::sinh:
          case Function::cosh:
          case Function::exp: break;
          default: return false;
        }
        break;
      default: break;
    }
  }
  // follow each variable through the rates: does it come back?
  for (std::size_t first = 0; first < state_count_; ++first) {
    std::vector<bool> reached(register_count());
    reached[state(first)] = true;
    for (bool changed = true; changed;) {
      changed = false;
      const auto reach = [&](std::uint32_t r, bool from) {
        if (!from || reached[r] || degree_[r] <= 0) return;
        reached[r] = changed = true;
      };
      for (const SeriesInstruction& i : instructions_) {
        bool from = false;
        for_each_register(i, [&](std::uint32_t r) { from = from || reached[r]; });
        reach(i.out, from);
      }
      for (std::size_t i = 0; i < state_count_; ++i) {
        if (!reached[rates()[i]]) continue;
        if (i == first) return false;
        reach(state(i), true);
      }
    }
  }
  return true;
}

bool SeriesProgram::may_hide() const {
  return std::any_of(instructions_.begin(), instructions_.end(), [](const SeriesInstruction& i) {
    if (i.operation == SeriesOperation::magnitude) return true;
    if (i.operation != SeriesOperation::integral) return false;
    return i.start != Operation::function || (i.function != Function::sin && i.function != Function::cos);
  });
}

std::size_t SeriesProgram::cost() const {
  std::size_t count = 0;
  const auto moves = [&](std::uint32_t r) { return degree_[r] == unbounded; };
  for (const SeriesInstruction& i : instructions_) {
    switch (i.operation) {
      case SeriesOperation::multiply:
      case SeriesOperation::multiply_add: count += moves(i.a) && moves(i.b) ? 1 : 0; break;
      case SeriesOperation::divide: count += moves(i.b) ? 1 : 0; break;
      case SeriesOperation::square:
      case SeriesOperation::square_root: count += moves(i.a) ? 1 : 0; break;
      case SeriesOperation::solve: {
        const Program::System& s = systems_[i.a];
        for (const std::uint32_t r : s.matrix) count += moves(r) ? s.right_hand_sides : 0;
        count += s.size;  // the substitution
        break;
      }
      default: break;
    }
  }
  return count;
}

}  // namespace cetaev
