#include <algorithm>
#include <memory>

#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/report/equivalence.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct EquivalentArguments : ModelOptions {
  std::string other;
};

NamedEquivalence against(const System& system, const std::string& other, bool alternative, System second) {
  Equivalence equivalence = compare_sets(system, second, other);
  return {other, alternative, std::move(second), std::move(equivalence)};
}

bool is_path(const std::string& name) { return name.find('/') != std::string::npos || name.ends_with(".toml"); }

int run(const EquivalentArguments& options) {
  const System system = load(options);
  std::vector<NamedEquivalence> comparisons;
  for (const Alternative& alternative : system->alternatives) {
    if (!options.other.empty() && (is_path(options.other) || alternative.name != options.other)) continue;
    comparisons.push_back(against(system, alternative.name, true, with_alternative(system, alternative)));
  }
  if (comparisons.empty()) {
    if (options.other.empty())
      throw Error(ErrorCode::bad_model, system->file +
                                            " has no [alternatives] to compare its constraints with; name another "
                                            "model: cetaev equivalent MODEL OTHER");
    ModelOptions other;
    other.model = options.other;
    comparisons.push_back(against(system, options.other, false, with_constraints_of(system, load(other))));
  }

  if (options.json) {
    print(options.other.empty() ? to_json(system, comparisons) : to_json(system, comparisons.front()));
  } else {
    std::string text;
    for (const NamedEquivalence& c : comparisons) text += (text.empty() ? "" : "\n") + to_text(system, c);
    print(text);
  }
  const bool all = std::all_of(comparisons.begin(), comparisons.end(),
                               [](const NamedEquivalence& c) { return c.equivalence.equivalent(); });
  return all ? 0 : 1;
}

}  // namespace

Command equivalent_command() {
  auto options = std::make_shared<EquivalentArguments>();
  Command command = {.name = "equivalent",
                     .summary = "whether two sets of constraints allow the same motions, with the exceptions",
                     .examples = {"cetaev equivalent both-across-plane constant-distance-midpoint-across-plane"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "OTHER",
               .help = "an alternative of the model, or another model with the same coordinates; every alternative of "
                       "the model when it is absent",
               .value = text(options->other, Value::Kind::model)});
  return command;
}

}  // namespace cetaev::app
