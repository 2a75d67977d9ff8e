// Models: how they are read, and what they are.
#include <array>

#include "bindings.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/open_model.hpp"

namespace cetaev::python {

namespace {

Model open_named(const std::string& name, const ModelChanges& changes) {
  return Model(apart([&] { return open_model(name, changes); }));
}

Model read_text(const std::string& text, const std::string& file, const ModelChanges& changes) {
  return Model(apart([&] { return open_model_text(text, file, changes); }));
}

ModelChanges changes_of(Names settings, std::optional<Names> constraints, std::optional<Names> auxiliary,
                        std::optional<std::string> transpositional, Names along) {
  return {std::move(settings), std::move(constraints), std::move(auxiliary), std::move(transpositional),
          std::move(along)};
}

// What is fixed about a model, at once: a binding of each would be compiled each.
py::dict about_model(const Model& model) {
  py::dict result, parameters;
  const System& system = model.system();
  const std::vector<double> values = parameter_values(system);
  for (std::size_t i = 0; i < values.size(); ++i)
    parameters[py::str(std::string(system->parameters[i].symbol.name()))] = values[i];
  Names constraints, events, alternatives;
  for (const Constraint& c : system->constraints) constraints.push_back(c.label());
  for (const Alternative& a : system->alternatives) alternatives.push_back(a.name);
  for (const auto& event : system->events) events.push_back(event.name);
  result["name"] = system->name;
  result["description"] = system->description;
  result["text"] = system->text;
  result["coordinates"] = system->coordinates;
  result["parameters"] = parameters;
  result["constraints"] = constraints;
  result["alternatives"] = alternatives;
  result["events"] = events;
  return result;
}

Names gallery_names() {
  Names names;
  for (const GalleryModel& model : gallery()) names.emplace_back(model.name);
  return names;
}

// Name, title, description, group and source of each model.
std::vector<std::array<std::string, 5>> about_gallery() {
  return apart([] {
    std::vector<std::array<std::string, 5>> models;
    for (const GalleryModel& model : gallery()) {
      const System system = read_model(model.text, std::string(model.name));
      models.push_back({std::string(model.name), system->name, system->description, system->group, system->source});
    }
    return models;
  });
}

}  // namespace

void bind_models(py::module_& module, py::class_<Model>& model) {
  py::class_<ModelChanges>(module, "Changes").def(py::init(&changes_of));
  model.def_static("open", &open_named).def_static("read", &read_text).def("about", &about_model);
  module.def("gallery", &gallery_names);
  module.def("about_gallery", &about_gallery);
}

}  // namespace cetaev::python
