#include <algorithm>

#include "cetaev/program/program.hpp"
#include "operands.hpp"

namespace cetaev {

// An instruction in other registers; its linear system, if it has one, is added to `systems`.
Instruction Program::moved(Instruction i, const std::vector<std::uint32_t>& place, std::vector<System>& systems) const {
  const auto move = [&](std::uint32_t& r) { r = place[r]; };
  if (i.operation == Operation::solve) {
    System system = systems_[i.a];
    for_each_entry(system, move);
    move(system.solution);
    i.a = static_cast<std::uint32_t>(systems.size());
    systems.push_back(std::move(system));
  } else {
    for_each_register(i, move);
  }
  return i;
}

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
    for (std::uint32_t w = 0; w < width(*this, instructions_[n]); ++w) place[first[n] + w] = next + w;
    result.instructions_.push_back(moved(instructions_[n], place, result.systems_));
    next += width(*this, instructions_[n]);
  }
  for (const std::uint32_t r : registers) result.outputs_.push_back(place[r]);
  result.register_count_ = next;
  return result;
}

Program::Hoisted Program::hoisted(std::size_t moving) const {
  const Statics statics = find_statics(*this, moving);
  const auto constants = static_cast<std::uint32_t>(constants_.size());
  std::vector<std::uint32_t> place(register_count_), wanted;
  for (std::uint32_t r = 0; r < constants + moving; ++r) place[r] = r;
  auto next = static_cast<std::uint32_t>(constants + moving);
  for (const std::uint32_t r : statics.wanted) {
    if (r < constants) continue;
    wanted.push_back(r);
    place[r] = next++;
  }
  Hoisted result{restricted_to(wanted), {}};
  Program& rest = result.rest;
  rest.input_count_ = moving + wanted.size();
  rest.constants_ = constants_;
  rest.exact_constants_ = exact_constants_;
  auto from = static_cast<std::uint32_t>(constants + input_count_);
  for (const Instruction& i : instructions_) {
    const std::uint32_t first = from;
    from += width(*this, i);
    if (statics.is[first]) continue;
    for (std::uint32_t w = first; w < from; ++w) place[w] = next++;
    rest.instructions_.push_back(moved(i, place, rest.systems_));
  }
  for (const std::uint32_t r : outputs_) rest.outputs_.push_back(place[r]);
  rest.register_count_ = next;
  return result;
}

}  // namespace cetaev
