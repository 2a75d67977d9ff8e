#include <algorithm>

#include "cetaev/program/program.hpp"
#include "operands.hpp"

namespace cetaev {

Program Program::restricted_to(std::span<const std::uint32_t> registers) const {
  std::vector<bool> needed(register_count_);
  for (const std::uint32_t r : registers) needed[r] = true;
  // where every instruction writes
  std::vector<std::uint32_t> first;
  auto next = static_cast<std::uint32_t>(constants_.size() + input_count_);
  for (const Instruction& i : instructions_) {
    first.push_back(next);
    next += width(*this, i);
  }
  std::vector<bool> kept(instructions_.size());
  for (std::size_t n = instructions_.size(); n-- > 0;) {
    const Instruction& i = instructions_[n];
    const auto begin = needed.begin() + first[n];
    kept[n] = std::find(begin, begin + width(*this, i), true) != begin + width(*this, i);
    if (kept[n]) for_each_operand(*this, i, [&](std::uint32_t r) { needed[r] = true; });
  }
  Program result;
  result.input_count_ = input_count_;
  result.constants_ = constants_;
  result.exact_constants_ = exact_constants_;
  std::vector<std::uint32_t> place(register_count_);
  next = static_cast<std::uint32_t>(constants_.size() + input_count_);
  for (std::uint32_t r = 0; r < next; ++r) place[r] = r;
  for (std::size_t n = 0; n < instructions_.size(); ++n) {
    if (!kept[n]) continue;
    Instruction i = instructions_[n];
    for (std::uint32_t w = 0; w < width(*this, i); ++w) place[first[n] + w] = next + w;
    if (i.operation == Operation::solve) {
      System system = systems_[i.a];
      for (auto* list : {&system.matrix, &system.right}) {
        for (std::uint32_t& r : *list) r = place[r];
      }
      system.solution = next;
      i.a = static_cast<std::uint32_t>(result.systems_.size());
      result.systems_.push_back(std::move(system));
    } else {
      const int operands = operand_count(i.operation);
      i.a = place[i.a];
      if (operands > 1) i.b = place[i.b];
      if (operands > 2) i.c = place[i.c];
    }
    next += width(*this, instructions_[n]);
    result.instructions_.push_back(i);
  }
  for (const std::uint32_t r : registers) result.outputs_.push_back(place[r]);
  result.register_count_ = next;
  return result;
}

}  // namespace cetaev
