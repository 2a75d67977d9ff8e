// The module: its errors, and what each of the other sources adds.
#include "bindings.hpp"
#include "cetaev/detail/text/as_error.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/version.hpp"

namespace cetaev::python {

namespace {

// As cetaev.Error, which knows the place and the caret.
void raise(const Error& error) {
  const auto& place = error.position();
  const py::object type = py::module_::import("cetaev._errors").attr("Error");
  const py::object none = py::none();
  const py::object value = type(
      std::string(to_string(error.code())), error.message(), place ? file_name(place->file) : none,
      place ? py::cast(place->line) : none, place ? py::cast(place->column) : none,
      error.suggestion().empty() ? none : py::cast(error.suggestion()), caret_text(error), exit_code(error.code()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

// What is pybind11's own (a wrong type, say) stays with it.
void translate(std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param)
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const std::exception& problem) {
    raise(text::as_error(problem));
  }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator(&translate);
  py::class_<Model> model(module, "Model");
  bind_models(module, model);
  bind_answers(module, model);
  bind_expressions(module, model);
  bind_pairs(module, model);
  bind_motions(module, model);
  bind_stability(model);
  bind_sweeps(module, model);
  bind_functions(module, model);
  bind_verification(module, model);
  module.attr("version") = std::string(version());
}

}  // namespace cetaev::python
