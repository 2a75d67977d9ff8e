#include "cetaev/integrate/choices.hpp"

#include <array>
#include <ostream>

#include "cetaev/detail/model/choice.hpp"
#include "cetaev/formulation/principle.hpp"

namespace cetaev {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 4> methods = {"taylor", "dop853", "adams", "bdf"};
constexpr std::array<std::string_view, 2> backends = {"jit", "interpreter"};
constexpr std::string_view chosen_by_program = "auto";

template <class Choice, std::size_t count>
std::optional<Choice> find_choice(std::string_view name, const std::array<std::string_view, count>& names) {
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == name) return static_cast<Choice>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(Method method) { return std::string(methods[static_cast<std::size_t>(method)]); }
std::string to_string(Backend backend) { return std::string(backends[static_cast<std::size_t>(backend)]); }

std::ostream& operator<<(std::ostream& out, Method method) { return out << to_string(method); }
std::ostream& operator<<(std::ostream& out, Backend backend) { return out << to_string(backend); }

Backend parse_backend(std::string_view name) {
  if (const auto found = find_choice<Backend>(name, backends)) return *found;
  throw unknown_choice("backend", name, backend_names());
}

std::vector<std::string> backend_names() { return {backends.begin(), backends.end()}; }

std::string to_string(const std::optional<Method>& method) {
  return method ? to_string(*method) : std::string(chosen_by_program);
}
std::optional<Method> parse_method(std::string_view name) {
  if (name == chosen_by_program) return std::nullopt;
  if (const auto found = find_choice<Method>(name, methods)) return found;
  throw unknown_choice("method", name, method_names());
}
std::vector<std::string> method_names() {
  std::vector<std::string> names(methods.begin(), methods.end());
  names.emplace_back(chosen_by_program);
  return names;
}

std::string to_string(const std::optional<Form>& form) { return form ? form->name() : std::string(chosen_by_program); }

std::optional<Form> parse_form(std::string_view name) {
  if (name == chosen_by_program) return std::nullopt;
  if (const Principle* principle = find_principle(name)) return *principle;
  throw unknown_choice("form", name, form_names());
}

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const Form form : principles()) names.push_back(form.name());
  names.emplace_back(chosen_by_program);
  return names;
}

}  // namespace cetaev
