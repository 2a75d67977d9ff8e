#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "cetaev/error.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/json.hpp"
#include "command.hpp"

namespace {

using namespace cetaev;

int fail(const Error& error, bool json) {
  std::fputs(caret_text(error).c_str(), stderr);
  if (json) std::fputs(to_json(error).c_str(), stdout);
  return exit_code(error.code());
}

}  // namespace

int main(int argc, char** argv) {
  // Known before parsing, so that usage errors come as JSON too.
  bool json = false;
  for (int i = 1; i < argc; ++i) json = json || std::strcmp(argv[i], "--json") == 0;

  CLI::App program("Cetaev: equations and motion of constrained mechanical systems.");
  program.name("cetaev");
  program.set_version_flag("--version", "cetaev " CETAEV_VERSION);
  program.require_subcommand(1);
  program.footer("Example: cetaev check skate\n`cetaev COMMAND --help` says more about a command.");
  app::Action action;
  app::add_eval(program, action);
  app::add_check(program, action);
  app::add_derive(program, action);
  app::add_compare(program, action);
  app::add_gallery(program, action);

  try {
    program.parse(argc, argv);
    return action();
  } catch (const CLI::Success& success) {
    return program.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    return fail(Error(ErrorCode::bad_model, std::string(error.what()) + "; see `cetaev --help`"), json);
  } catch (const Error& error) {
    return fail(error, json);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return 4;
  }
}
