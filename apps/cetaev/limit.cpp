#include <memory>

#include "cetaev/analysis/two_models.hpp"
#include "cetaev/report/two_models.hpp"
#include "cetaev/stability/linearize.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct LimitArguments : ModelOptions {
  std::string vary, against;
  std::vector<std::string> map, forms;
  std::optional<double> t_end;
};

int run(const LimitArguments& options) {
  if (options.vary.empty()) throw Error(ErrorCode::bad_model, "limit needs --vary NAME=FROM:TO:COUNT");
  if (options.against.empty()) throw Error(ErrorCode::bad_model, "limit needs --against OTHER, the model of the limit");
  if (options.forms.size() > 2) throw Error(ErrorCode::bad_model, "--form is given twice at most: of MODEL, of OTHER");
  const Along along = Along::parse(options.vary);
  const System model = load(options);
  ModelOptions second;
  second.model = options.against;
  const System other = load(second);
  LimitOptions limit{.from = along.from, .to = along.to, .count = along.count, .t_end = options.t_end};
  if (!options.forms.empty()) limit.first = limit.second = options.forms.front();
  if (options.forms.size() == 2) limit.second = options.forms.back();
  const Limit found = find_limit(model, other, along.name, options.map, limit);
  print(options.json ? to_json(found, model->name, other->name) : to_text(found, model->name, other->name));
  return found.verdict == Limit::Verdict::does_not ? 1 : 0;
}

}  // namespace

Command limit_command() {
  auto options = std::make_shared<LimitArguments>();
  Command command = {.name = "limit",
                     .summary = "do the motions of a model tend to those of another as a parameter goes to a limit",
                     .examples = {"cetaev limit MODEL --vary rho=0.1:1e-6:8 --against OTHER"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--vary",
               .shown = "NAME=FROM:TO:COUNT",
               .help = "the parameter and its values, in equal ratios where both ends have the same sign",
               .value = text(options->vary)});
  command.add({.names = "--against",
               .shown = "OTHER",
               .help = "the model of the limit: a file or a name of the gallery",
               .value = text(options->against, Value::Kind::model)});
  add_map_option(command, options->map);
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle of both models, or of MODEL and then of OTHER",
               .value = choice(form_names(), options->forms)});
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "the time up to which the motions are compared",
               .value = number(options->t_end),
               .preset = "10"});
  return command;
}

}  // namespace cetaev::app
