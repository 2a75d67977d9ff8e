// Do models and papers say the truth?
#include "bindings.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/verify/claims.hpp"
#include "cetaev/verify/claims_report.hpp"
#include "cetaev/verify/model.hpp"
#include "cetaev/version.hpp"

namespace cetaev::python {

namespace {

// After each of them, and before the next.
template <class Options>
Options watched_options(Watch& watch) {
  Options options;
  options.progress = [&watch](const auto&, std::size_t done, std::size_t total) {
    (void)watch.told(static_cast<double>(done) / static_cast<double>(total), static_cast<double>(done));
  };
  options.interrupted = [&watch] { return watch.stopped(); };
  return options;
}

Texts verified(const std::vector<ModelToVerify>& models, const py::object& progress) {
  Watch watch(progress);
  return watched_beside(watch, [&] {
    const std::vector<VerifiedModel> results = verify_models(models, watched_options<VerifyOptions>(watch));
    if (models.size() == 1 && results.size() == 1 && results.front().error) throw Error(*results.front().error);
    return Texts{to_json(results), to_text(results, models.size() == 1)};
  });
}

Texts verify_one(const Model& model, const std::string& name, const py::object& progress) {
  return verified({{name, [system = model.system()] { return system; }}}, progress);
}

// By their names; the whole gallery where there is none.
Texts verify_named(Names names, const py::object& progress) {
  if (names.empty())
    for (const GalleryModel& model : gallery()) names.emplace_back(model.name);
  std::vector<ModelToVerify> models;
  for (const std::string& name : names) models.push_back({name, [name] { return open_model(name); }});
  return verified(models, progress);
}

// Of the papers, or of a file.
Texts verify_claims_of(const std::optional<std::string>& file, const py::object& progress) {
  Watch watch(progress);
  return watched_beside(watch, [&] {
    const std::string text = file ? read_text_file(*file) : std::string();
    const std::vector<Claim> claims = file ? read_claims(text, *file) : paper_claims();
    const std::vector<PaperItem> items = file ? read_items(text, *file) : paper_items();
    if (claims.empty()) throw Error(ErrorCode::bad_model, *file + " has no claims");
    const std::vector<ClaimResult> results = verify_claims(claims, watched_options<ClaimOptions>(watch));
    return Texts{to_json(results, items), to_text(results, items), to_markdown(results, items),
                 to_html(results, items, std::string(version()))};
  });
}

}  // namespace

void bind_verification(py::module_& module, py::class_<Model>& model) {
  model.def("verify", &verify_one);
  module.def("verify_models", &verify_named);
  module.def("verify_claims", &verify_claims_of);
}

}  // namespace cetaev::python
