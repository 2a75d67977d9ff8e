// What a model is asked: its kind, its equations, its values at a state, and the whole story.
#include <algorithm>
#include <cmath>

#include "bindings.hpp"
#include "cetaev/codegen/export.hpp"
#include "cetaev/detail/analysis/objects_named.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/report/points_of_view.hpp"
#include "cetaev/report/site.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/written.hpp"
#include "cetaev/version.hpp"
#include "flat_list.hpp"

namespace cetaev::python {

namespace {

Texts check_of(const Model& model, const std::optional<std::string>& form) {
  return apart([&] {
    const System& system = model.system();
    const Check& found = model.bench().check(form_named(form).value_or(Form::multipliers));
    const InvariantMeasure measure = invariant_measure(system);
    Texts told = {to_json(system, found, &measure), to_text(system, found, &measure)};
    for (std::string& sentence : sentences(system, found)) told.push_back(std::move(sentence));
    return told;
  });
}

Texts eval_at_start(const Model& model, const Names& names, bool propose_auxiliary, bool zero_relations) {
  return apart([&] {
    if (zero_relations && !propose_auxiliary)
      throw Error(ErrorCode::bad_model, "zero_relations needs propose_auxiliary");
    const std::vector<Form> forms = forms_named(names);
    const Workbench::AtState& here = model.bench().at_initial({forms, propose_auxiliary, zero_relations});
    if (const Error* error = here.evaluation.failure(forms)) throw Error(*error);
    const Evaluation asked = here.evaluation.asked_for(forms);
    return Texts{to_json(model.system(), asked, here.energy), to_text(model.system(), asked, here.energy)};
  });
}

// What the reader of equations wants: which forms, which objects of the papers, and how they are written.
struct Reading {
  Names forms, show;
  bool energy = false, numeric = false, expand = false, eliminate = false, document = false;
  double budget = 0;
};

Reading reading(Names forms, Names show, bool energy, bool numeric, bool expand, bool eliminate, bool document,
                double budget) {
  return {std::move(forms), std::move(show), energy, numeric, expand, eliminate, document, budget};
}

// Seconds.
double budget_of(double given) {
  if (!std::isfinite(given) || given < 0) throw Error(ErrorCode::bad_model, "budget needs a finite number, 0 or more");
  return given;
}

// Without the lock.
WrittenSystem written_of(const Workbench& bench, const Reading& wanted) {
  EquationOptions options{
      forms_named(wanted.forms), wanted.energy || wanted.document, wanted.numeric, wanted.expand, wanted.eliminate,
      budget_of(wanted.budget),  objects_named(wanted.show)};
  if (wanted.document && options.forms.empty()) options.forms = principles_of(bench.system());
  WrittenSystem written = bench.equations(options);
  const auto refused = [](const auto& one) { return one.refusal.has_value(); };
  for (const WrittenForm& form : written.forms)
    if (refused(form) && std::ranges::find(wanted.forms, form.name) != wanted.forms.end()) throw Error(*form.refusal);
  for (const WrittenObject& object : written.objects)
    if (refused(object)) throw Error(*object.refusal);
  if (wanted.document) std::erase_if(written.forms, refused);
  return written;
}

Texts equations_of(const Model& model, const Reading& wanted) {
  return apart([&] {
    const WrittenSystem written = written_of(model.bench(), wanted);
    if (wanted.document) return Texts{to_latex_document(written, model.bench().check())};
    return Texts{to_json(written), to_text(written, Notation::ascii), to_text(written, Notation::unicode),
                 to_latex(written)};
  });
}

// The same formulas whatever their length, which trees in a document are not: of the names, of each form its equations with its constraints, what
// stands under "where" and its definitions, of the energy, and of the arrays of objects, all in the order of the document.
py::tuple flat_equations(const Model& model, const Reading& wanted) {
  const WrittenSystem written = apart([&] { return written_of(model.bench(), wanted); });
  Typesetter names(written.system, Notation::ascii);
  FlatList flat([&](std::string_view name) { return names.name(name); });
  const auto definitions = [&](const std::vector<WrittenDefinition>& list) {
    py::list result;
    for (const WrittenDefinition& one : list) result.append(flat.list(one.value));
    return result;
  };
  py::list forms;
  for (const WrittenForm& form : written.forms) {
    py::list sides;
    for (const auto* list : {&form.equations, &form.constraints})
      for (const WrittenEquation& e : *list) sides.append(py::make_tuple(flat.list(e.left), flat.list(e.right)));
    forms.append(py::make_tuple(sides, definitions(form.where), definitions(form.definitions)));
  }
  py::list objects;
  for (const WrittenObject& object : written.objects) {
    py::list arrays;
    for (const WrittenObject::Array& array : object.arrays) {
      py::list entries;
      for (const std::vector<Expr>& entry : array.entries) entries.append(flat.list(entry));
      arrays.append(entries);
    }
    objects.append(arrays);
  }
  py::list named = definitions(written.names), energy = definitions(written.energy);
  return py::make_tuple(flat.entries(), named, forms, energy, objects);
}

Texts transposed(const Model& model) {
  return apart([&] {
    const PointsOfView& found = model.bench().transpositional_relations();
    return Texts{to_json(found), to_text(found, Notation::ascii), to_latex(found)};
  });
}

std::string code_of(const Model& model, const std::string& name, const std::optional<std::string>& form) {
  return apart([&] {
    const std::optional<Language> language = find_language(name);
    if (!language) throw Error(ErrorCode::bad_model, "code is written in c, cpp, python, cuda or matlab");
    return export_code(model.bench().first_order(form_named(form)), *language);
  });
}

// `command` makes the same page, `run` the same motion.
std::string report_of(const Model& model, const Wishes& wishes, double budget, const std::string& command,
                      const std::string& run) {
  Watch watch;
  return watched_beside(watch, [&] {
    PageOptions page;
    page.motion = wishes.of(model.system());
    page.motion.once = true;  // as `run` does, whose numbers it shows
    page.budget = budget_of(budget);
    page.version = version();
    page.command = command;
    page.run = run;
    return write_page(model.bench(), page).html;
  });
}

// Models of the gallery by their names, all of them where there is none, and an index.
py::object report_gallery(const std::string& folder, const Names& names, double budget, unsigned threads,
                          const py::object& progress) {
  Watch watch(progress);
  return file_name(watched_beside(watch, [&] {
    std::vector<SiteModel> models;
    for (const GalleryModel& model : gallery())
      if (names.empty() || std::ranges::find(names, model.name) != names.end())
        models.push_back({model.name, model.text});
    for (const std::string& name : names)
      if (std::ranges::none_of(models, [&](const SiteModel& model) { return model.name == name; })) {
        Error error(ErrorCode::bad_model, "the gallery has no '" + name + "'");
        if (const std::string close = closest_gallery_name(name); !close.empty()) error.suggest(close);
        throw error;
      }
    SiteOptions site;
    site.budget = budget_of(budget);
    site.threads = threads;
    site.progress = [&](std::size_t done, std::size_t of) {
      return watch.told(static_cast<double>(done) / static_cast<double>(of), static_cast<double>(done));
    };
    return write_site(models, folder, site);
  }));
}

}  // namespace

void bind_answers(py::module_& module, py::class_<Model>& model) {
  py::class_<Reading>(module, "Reading").def(py::init(&reading));
  model.def("check", &check_of)
      .def("eval", &eval_at_start)
      .def("equations", &equations_of)
      .def("flat_equations", &flat_equations)
      .def("transpose", &transposed)
      .def("code", &code_of)
      .def("report", &report_of);
  module.def("report_gallery", &report_gallery);
}

}  // namespace cetaev::python
