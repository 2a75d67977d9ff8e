#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
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

bool as_json = false;

void write_all(int file, const char* text) {
  for (std::size_t left = std::strlen(text); left > 0;) {
    const ssize_t n = write(file, text, left);
    if (n <= 0) return;
    text += n;
    left -= static_cast<std::size_t>(n);
  }
}

// Memory can also run out where nothing may be thrown, such as in a destructor that needs some itself. Says so without any.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    write_all(STDERR_FILENO, "error: out of memory\n");
    if (as_json)
      write_all(STDOUT_FILENO, "{\"error\": {\"code\": \"cannot-write\", \"message\": \"out of memory\"}}\n");
    _exit(exit_code(ErrorCode::cannot_write));
  } catch (...) {  // a fault of the program
  }
  std::abort();
}

// CLI11 says only that a command is missing.
void refuse_unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw Error(ErrorCode::bad_model, "there is no command '" + std::string(argv[1]) + "'; there are " + names);
}

}  // namespace

int main(int argc, char** argv) {
  // Known before parsing, so that usage errors come as JSON too.
  for (int i = 1; i < argc; ++i) as_json = as_json || std::strcmp(argv[i], "--json") == 0;
  const bool json = as_json;
  std::set_terminate(end_without_memory);
  // A file beyond the limit of its size is a write that fails, and that is told.
  std::signal(SIGXFSZ, SIG_IGN);

  CLI::App program("Cetaev: equations and motion of constrained mechanical systems.");
  program.name("cetaev");
  program.set_version_flag("--version", "cetaev " CETAEV_VERSION);
  program.require_subcommand(1);
  program.footer("Example: cetaev check skate\n`cetaev COMMAND --help` says more about a command.");
  app::Action action;
  app::add_eval(program, action);
  app::add_check(program, action);
  app::add_derive(program, action);
  app::add_run(program, action);
  app::add_compare(program, action);
  app::add_equivalent(program, action);
  app::add_verify(program, action);
  app::add_report(program, action);
  app::add_plot(program, action);
  app::add_gallery(program, action);

  try {
    refuse_unknown_command(program, argc, argv);
    program.parse(argc, argv);
    return action();
  } catch (const CLI::Success& success) {
    program.exit(success);  // --help, --version
    std::cout.flush();
    return std::cout && std::fflush(stdout) == 0 ? 0 : exit_code(ErrorCode::cannot_write);
  } catch (const CLI::ParseError& error) {
    return fail(Error(ErrorCode::bad_model, std::string(error.what()) + "; see `cetaev --help`"), json);
  } catch (const Error& error) {
    return fail(error, json);
  } catch (const std::bad_alloc&) {
    return fail(Error(ErrorCode::cannot_write, "out of memory"), json);
  } catch (const std::exception& error) {
    return fail(Error(ErrorCode::cannot_write, std::string("internal error: ") + error.what()), json);
  }
}
