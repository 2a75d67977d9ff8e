#include <fmt/format.h>

#include <memory>

#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/verify/model.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct Options {
  std::vector<std::string> models;
  bool json = false, quiet = false;
};

std::vector<ModelToVerify> models_of(const Options& options) {
  std::vector<ModelToVerify> models;
  if (options.models.empty()) {
    for (const GalleryModel& model : gallery()) {
      const std::string name(model.name);
      models.push_back({name, [text = model.text, name] { return read_model(text, "gallery/" + name + ".toml"); }});
    }
  }
  // A bad file is an error before any work is done, as with every other command.
  for (const std::string& name : options.models) {
    ModelOptions one;
    one.model = name;
    load(one);
    models.push_back({name, [one] { return load(one); }});
  }
  return models;
}

int run(const Options& options) {
  const std::vector<ModelToVerify> models = models_of(options);
  Progress progress(!options.quiet);
  const Interruption interruption;
  VerifyOptions verify;
  verify.progress = [&](const VerifiedModel& model, std::size_t done, std::size_t total) {
    progress.show(static_cast<double>(done) / static_cast<double>(total), model.name);
  };
  verify.interrupted = [] { return Interruption::asked(); };
  const std::vector<VerifiedModel> results = verify_models(models, verify);
  progress.clear();
  if (models.size() == 1 && results.size() == 1 && results.front().error) throw Error(*results.front().error);

  print(options.json ? to_json(results) : to_text(results, models.size() == 1));
  if (results.size() < models.size()) {
    std::fputs(fmt::format("interrupted: {} of {} models were verified\n", results.size(), models.size()).c_str(),
               stderr);
    return 1;
  }
  for (const VerifiedModel& model : results)
    if (!model.passed()) return 1;
  return 0;
}

}  // namespace

void add_verify(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("verify", "do models and papers say the truth?");
  auto options = std::make_shared<Options>();
  command->add_option("MODEL", options->models, "paths or gallery names; the whole gallery when none is given");
  command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->footer("Example: cetaev verify skate");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
