#include "cetaev/codegen/export.hpp"

#include <algorithm>

#include "cetaev/detail/formulation/rounding.hpp"
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

const Exporter& exporter_of(Language language) { return *std::ranges::find(exporters, language, &Exporter::language); }

}  // namespace

std::optional<Language> find_language(std::string_view name) {
  for (const Exporter& exporter : exporters) {
    if (exporter.name == name) return exporter.language;
  }
  return std::nullopt;
}

FirstOrderSystem equations_to_export(Groundwork& work, std::optional<Form> form) {
  Setting setting = work.setting();
  setting.with_equations = true;
  const State& at = work.start().at.state;
  if (form) return first_order_in_doubles(setting, at, *form);
  const auto keeps_digits = [&](const FirstOrderSystem& equations) {
    return rounding_error_at(work.system(), equations, at) < much_rounding;
  };
  FirstOrderSystem found = first_order_by_default(setting, at);
  if (keeps_digits(found)) return found;
  // where the mass matrix of one basis is nearly singular, that of another is diagonal: a disc that lies nearly flat
  if (found.quasi) {
    if (auto other = first_order_orthogonal(setting, at); other && keeps_digits(*other)) return std::move(*other);
  }
  return first_order_in_doubles(setting, at, Form::multipliers);
}

FirstOrderSystem equations_to_export(const System& system, std::optional<Form> form) {
  Groundwork work(system);
  return equations_to_export(work, form);
}

std::string export_code(const FirstOrderSystem& equations, Language language) {
  const Exporter& exporter = exporter_of(language);
  return exporter.write(codegen::describe(equations, exporter.first_index));
}

std::string export_linear(const FirstOrderSystem& equations, std::span<const NamedMatrix> matrices,
                          const std::string& about, Language language) {
  const Exporter& exporter = exporter_of(language);
  return exporter.write(codegen::describe_linear(equations, matrices, about, exporter.first_index));
}

std::string export_code(const System& system, std::optional<Form> form, Language language) {
  return export_code(equations_to_export(system, form), language);
}

}  // namespace cetaev
