#include "cetaev/codegen/export.hpp"

#include "cetaev/formulation/first_order.hpp"
#include "source.hpp"

namespace cetaev {

namespace {

struct Exporter {
  std::string_view name;
  Language language;
  std::string (*write)(const codegen::Source&);
  std::size_t first_index = 0;  // of the state
};

constexpr Exporter exporters[] = {{"c", Language::c, codegen::write_c},
                                  {"cpp", Language::cpp, codegen::write_cpp},
                                  {"python", Language::python, codegen::write_python},
                                  {"cuda", Language::cuda, codegen::write_cuda},
                                  {"matlab", Language::matlab, codegen::write_matlab, 1}};

// The system at its initial state, or at a generic one where that is singular.
class AtStart {
 public:
  explicit AtStart(const System& system)
      : terms_(system),
        admissible_(system),
        start_(starting_state(system, terms_, admissible_)),
        setting_(setting_at(system, terms_, admissible_, start_.at)) {}

  FirstOrderSystem operator()(Form form) const {
    Setting setting = setting_;
    setting.with_equations = true;
    return first_order(std::move(setting), start_.at.state, form);
  }

  FirstOrderSystem by_default() const {
    try {
      FirstOrderSystem hamel = (*this)(Form::hamel);
      if (hamel.global) return hamel;
    } catch (const Error&) {
      // it does not apply
    }
    return (*this)(Form::multipliers);
  }

 private:
  Terms terms_;
  Admissible admissible_;
  StartingState start_;
  Setting setting_;
};

}  // namespace

std::optional<Language> find_language(std::string_view name) {
  for (const Exporter& exporter : exporters) {
    if (exporter.name == name) return exporter.language;
  }
  return std::nullopt;
}

FirstOrderSystem equations_to_export(const System& system, std::optional<Form> form) {
  const AtStart derive(system.workable());
  return form ? derive(*form) : derive.by_default();
}

std::string export_code(const FirstOrderSystem& equations, Language language) {
  for (const Exporter& exporter : exporters) {
    if (exporter.language == language)
      return exporter.write(codegen::describe(equations, exporter.first_index));
  }
  return {};
}

std::string export_code(const System& system, std::optional<Form> form, Language language) {
  return export_code(equations_to_export(system, form), language);
}

}  // namespace cetaev
