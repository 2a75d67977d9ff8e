#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/verify/claims.hpp"
#include "cetaev/verify/claims_report.hpp"
#include "cetaev/verify/model.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct VerifyArguments {
  std::vector<std::string> models;
  std::string claims;  // a file of claims instead of those of the papers
  std::string html;    // where the page goes
  bool papers = false, json = false, markdown = false, quiet = false;
};

std::vector<ModelToVerify> models_of(const VerifyArguments& options) {
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

std::vector<Claim> claims_of(const VerifyArguments& options) {
  return options.claims.empty() ? paper_claims() : read_claims(read_text_file(options.claims), options.claims);
}

std::vector<PaperItem> items_of(const VerifyArguments& options) {
  return options.claims.empty() ? paper_items() : read_items(read_text_file(options.claims), options.claims);
}

// What was finished is shown also when the user had enough.
int interrupted(std::size_t done, std::size_t all, const char* what) {
  std::fputs(fmt::format("Interrupted: {} of {} {} were verified.\n", done, all, what).c_str(), stderr);
  return 1;
}

int run_papers(const VerifyArguments& options) {
  if (!options.models.empty())
    throw Error(ErrorCode::bad_model, "--papers verifies the claims of the papers and takes no MODEL");
  if (options.markdown && options.json) throw Error(ErrorCode::bad_model, "either --json or --markdown");
  const std::vector<Claim> claims = claims_of(options);
  const std::vector<PaperItem> items = items_of(options);
  if (claims.empty()) throw Error(ErrorCode::bad_model, options.claims + " has no claims");
  Progress progress(!options.quiet);
  const Interruption interruption;
  ClaimOptions verify;
  verify.progress = [&](const ClaimResult& result, std::size_t done, std::size_t total) {
    progress.show(static_cast<double>(done) / static_cast<double>(total), result.claim.id);
  };
  verify.interrupted = [] { return Interruption::asked(); };
  const std::vector<ClaimResult> results = verify_claims(claims, verify);
  progress.clear();
  const bool finished = results.size() == claims.size();
  if (!options.html.empty() && finished) {
    write_text(options.html, to_html(results, items, CETAEV_VERSION));
    if (!options.quiet && !options.json && !options.markdown) print("The page is in " + options.html + "\n");
  }
  // a page says it all; what is not as expected is said here too
  if (options.html.empty() || options.json || options.markdown || !finished || !passed(results, items))
    print(options.markdown ? to_markdown(results, items)
          : options.json   ? to_json(results, items)
                           : to_text(results, items));
  if (!finished) return interrupted(results.size(), claims.size(), "claims");
  return passed(results, items) ? 0 : 1;
}

int run_models(const VerifyArguments& options) {
  if (options.markdown) throw Error(ErrorCode::bad_model, "--markdown goes with --papers");
  if (!options.html.empty()) throw Error(ErrorCode::bad_model, "--html goes with --papers");
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
  if (results.size() < models.size()) return interrupted(results.size(), models.size(), "models");
  // What cannot be examined at all has the exit code of its diagnosis, alone and in company.
  int code = 0;
  for (const VerifiedModel& model : results)
    if (!model.passed()) code = std::max(code, model.error ? exit_code(model.error->code()) : 1);
  return code;
}

}  // namespace

Command verify_command() {
  auto options = std::make_shared<VerifyArguments>();
  Command command = {.name = "verify",
                     .summary = "do models and papers say the truth?",
                     .examples = {"cetaev verify skate"},
                     .action = [options] {
                       return options->papers || !options->claims.empty() ? run_papers(*options) : run_models(*options);
                     }};
  command.add({.names = "MODEL",
               .help = "paths or gallery names; the whole gallery when none is given",
               .value = text(options->models, Value::Kind::model)});
  command.add({.names = "--papers",
               .help = "the claims of the papers instead: what holds, what is a slip, what is false",
               .value = flag(options->papers)});
  command.add({.names = "--claims",
               .shown = "FILE",
               .help = "claims from this file instead (docs/reference/claims.md)",
               .value = input_file({".toml"}, options->claims)});
  command.add({.names = "--markdown",
               .help = "with --papers: the page of the documentation",
               .value = flag(options->markdown)});
  command.add({.names = "--html",
               .shown = "FILE",
               .help = "with --papers: write the page as one HTML file that needs nothing beside it",
               .value = output_file({".html"}, options->html)});
  command.add(json_option(options->json));
  command.add({.names = "--quiet", .help = "no progress", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
