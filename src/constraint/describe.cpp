#include "cetaev/detail/constraint/describe.hpp"

#include <fmt/format.h>

namespace cetaev {

std::optional<std::string> note_on_reactions(const System& system, std::size_t rank, std::string_view other_form) {
  std::vector<std::string> names;
  for (const Output& output : system->outputs)
    if (output.reaction) names.push_back(output.name);
  if (names.empty()) return std::nullopt;
  if (!other_form.empty())
    return enumerate(names) + (names.size() == 1 ? " has" : " have") +
           " no value along this motion: the multipliers of " + std::string(other_form) +
           " are no forces, and the reactions at contacts are those of d'Alembert–Lagrange";
  if (rank == system->constraints.size()) return std::nullopt;
  return "the constraints are redundant: reactions that they leave open in " + enumerate(names) +
         " are those of least norm";
}

std::string enumerate(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

namespace {

std::string assignments(const System& system, const char* mark, const std::vector<double>& values,
                        std::span<const std::size_t> which) {
  std::string text;
  for (const std::size_t i : which) {
    // + 0.0: no negative zero in front of a person
    text += fmt::format("{}{}{} = {:.6g}", text.empty() ? "" : ", ", system->coordinates[i], mark, values[i] + 0.0);
  }
  return text;
}

}  // namespace

std::string describe_positions(const System& system, const std::vector<double>& q, std::span<const std::size_t> which) {
  return assignments(system, "", q, which);
}

std::string describe_velocities(const System& system, const std::vector<double>& v,
                                std::span<const std::size_t> which) {
  return assignments(system, "'", v, which);
}

Error singular_dependent(const System& system, std::span<const std::size_t> dependent,
                         std::span<const std::size_t> better) {
  const auto names = [&](std::span<const std::size_t> which) {
    std::vector<std::string> list;
    for (const std::size_t i : which) list.push_back(system->coordinates[i] + "'");
    return enumerate(list);
  };
  std::string message = fmt::format("the constraints cannot be solved for the dependent {} {} at this state",
                                    dependent.size() == 1 ? "velocity" : "velocities", names(dependent));
  if (!better.empty()) message += "; " + names(better) + " would do";
  return Error(ErrorCode::singular_dependent, message);
}

std::string describe_rows(const System& system, std::span<const std::size_t> rows) {
  std::vector<std::string> items;
  for (const std::size_t i : rows) items.push_back(fmt::format("{} ({})", i + 1, system->constraints[i].label()));
  return (rows.size() == 1 ? "constraint " : "constraints ") + enumerate(items);
}

}  // namespace cetaev
