// Right-hand sides in machine code, for the arrays of Python and for those who call machine code.
#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "function.hpp"

namespace cetaev::python {

namespace {

// A function of t and y for the arrays of Python: y of one state, or of several side by side as solve_ivp(vectorized=True) has them.
py::array evaluated(const CompiledFunction& f, CompiledFunction::What what, double t, const Array& y,
                    const std::optional<Array>& parameters) {
  const auto n = static_cast<py::ssize_t>(f.size());
  const bool several = y.ndim() == 2;
  if ((y.ndim() != 1 && !several) || y.shape(0) != n)
    throw Error(ErrorCode::bad_model, "y needs " + std::to_string(n) + " entries, one for each name of the state");
  std::span<const double> values;
  if (parameters) {
    values = {parameters->data(), static_cast<std::size_t>(parameters->size())};
    if (values.size() != f.values().size())
      throw Error(ErrorCode::bad_model, "parameters needs " + std::to_string(f.values().size()) + " values");
  }
  const auto outputs = static_cast<py::ssize_t>(f.outputs(what));
  if (!several) {
    py::array_t<double> result(what == CompiledFunction::What::jacobian ? std::vector<py::ssize_t>{n, n}
                                                                        : std::vector<py::ssize_t>{outputs});
    f(what, t, y.data(), result.mutable_data(), values);
    return result;
  }
  if (what == CompiledFunction::What::jacobian) throw Error(ErrorCode::bad_model, "the Jacobian is that of one state");
  const py::ssize_t count = y.shape(1);
  py::array_t<double> result({outputs, count});
  double* to = result.mutable_data();
  const double* from = y.data();
  apart([&] {
    std::vector<double> state(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(outputs));
    for (py::ssize_t j = 0; j < count; ++j) {
      for (py::ssize_t i = 0; i < n; ++i) state[static_cast<std::size_t>(i)] = from[i * count + j];
      f(what, t, state.data(), out.data(), values);
      for (py::ssize_t i = 0; i < outputs; ++i) to[i * count + j] = out[static_cast<std::size_t>(i)];
    }
  });
  return result;
}

template <CompiledFunction::What what>
py::array call(const CompiledFunction& f, double t, const Array& y, const std::optional<Array>& parameters) {
  return evaluated(f, what, t, y, parameters);
}

// For those who call machine code: a capsule with the signature as its name and a Component as its context, as scipy.LowLevelCallable
// takes it. The capsule owns the context.
struct Component {
  std::shared_ptr<CompiledFunction> f;
  std::size_t index = 0;
};

constexpr const char* rates_signature = "int (double, double *, double *, void *)";
int low_level_rates(double t, double* y, double* dydt, void* data) {
  return static_cast<const Component*>(data)->f->rates(t, y, dydt) ? 0 : 1;
}

// One rate as a function of (t, y…), as scipy.integrate.quad takes it.
constexpr const char* component_signature = "double (int, double *, void *)";
double low_level_component(int n, double* x, void* data) {
  const auto* component = static_cast<const Component*>(data);
  if (n < 1 || static_cast<std::size_t>(n) != component->f->size() + 1) return std::numeric_limits<double>::quiet_NaN();
  thread_local std::vector<double> out;
  out.resize(component->f->size());
  component->f->rates(x[0], x + 1, out.data());
  return out[component->index];
}

py::object capsule_of(void* function, const char* signature, Component component) {
  auto context = std::make_unique<Component>(std::move(component));
  PyObject* capsule = PyCapsule_New(function, signature,
                                    [](PyObject* self) { delete static_cast<Component*>(PyCapsule_GetContext(self)); });
  if (capsule == nullptr) throw py::error_already_set();
  PyCapsule_SetContext(capsule, context.release());
  return py::reinterpret_steal<py::object>(capsule);
}

py::object capsule(const std::shared_ptr<CompiledFunction>& f, std::optional<std::size_t> index) {
  if (!index) return capsule_of(reinterpret_cast<void*>(&low_level_rates), rates_signature, {f, 0});
  if (*index >= f->size())
    throw Error(ErrorCode::bad_model, "the state has " + std::to_string(f->size()) + " components");
  return capsule_of(reinterpret_cast<void*>(&low_level_component), component_signature, {f, *index});
}

py::dict about_function(const CompiledFunction& f) {
  py::dict result, parameters;
  for (std::size_t i = 0; i < f.values().size(); ++i) parameters[py::str(f.parameters()[i])] = f.values()[i];
  result["form"] = f.form().name();
  result["names"] = f.names();
  result["parameters"] = parameters;
  result["t0"] = f.start();
  return result;
}

py::array_t<double> initial(const CompiledFunction& f) { return array_of(f.initial()); }

std::shared_ptr<CompiledFunction> function(const Model& model, const std::optional<std::string>& form) {
  return apart([&] { return std::make_shared<CompiledFunction>(model.bench(), form_named(form)); });
}

}  // namespace

void bind_functions(py::module_& module, py::class_<Model>& model) {
  using What = CompiledFunction::What;
  py::class_<CompiledFunction, std::shared_ptr<CompiledFunction>>(module, "Function")
      .def("about", &about_function)
      .def("y0", &initial)
      .def("rates", &call<What::rates>)
      .def("jacobian", &call<What::jacobian>)
      .def("velocities", &call<What::velocities>)
      .def("energy", &call<What::energy>)
      .def("capsule", &capsule);
  model.def("function", &function);
}

}  // namespace cetaev::python
