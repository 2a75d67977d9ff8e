#include <memory>

#include "cetaev/constraint/classify.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/text.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

int run(const ModelOptions& options) {
  const System system = load(options);
  const Classification classification = classify(system);
  print(options.json ? to_json(system, classification) : to_text(system, classification));
  return 0;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("check", "what kind of system a model describes");
  auto options = std::make_shared<ModelOptions>();
  add_model_options(*command, *options);
  command->footer("Example: cetaev check parallel-velocities");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
