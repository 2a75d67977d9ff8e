#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "cetaev/detail/text/as_error.hpp"
#include "cetaev/detail/text/printable.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/json.hpp"
#include "command.hpp"
#include "command_help.hpp"

namespace {

using namespace cetaev;

// Under mpirun all ranks meet the same mistake. The first says it, and its exit code makes mpirun end the others; whoever is alone with its
// trouble says it a little later.
void let_the_first_rank_speak() {
  constexpr unsigned seconds = 2;  // mpirun takes a fraction of one to end the others
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank != nullptr && std::strtol(rank, nullptr, 10) > 0) sleep(seconds);
}

int fail(const Error& error, bool json) {
  let_the_first_rank_speak();
  std::fputs(caret_text(error).c_str(), stderr);
  if (json) std::fputs(text::printable(to_json(error)).c_str(), stdout);
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

// Says what is wrong without any memory, and ends.
[[noreturn]] void end_with(ErrorCode code, const char* message) {
  write_all(STDERR_FILENO, "error: ");
  write_all(STDERR_FILENO, message);
  write_all(STDERR_FILENO, "\n");
  if (as_json) {
    write_all(STDOUT_FILENO, "{\"error\": {\"code\": \"");
    write_all(STDOUT_FILENO, to_string(code).data());
    write_all(STDOUT_FILENO, "\", \"message\": \"");
    write_all(STDOUT_FILENO, message);
    write_all(STDOUT_FILENO, "\"}}\n");
  }
  _exit(exit_code(code));
}

// Exceptions can also come from where nothing may be thrown: lack of memory in a destructor that needs some itself.
[[noreturn]] void end_at_once() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    end_with(ErrorCode::out_of_memory, "out of memory");
  } catch (...) {
  }
  end_with(ErrorCode::internal_error,
           "internal error: an exception that nobody expected. This is a bug of cetaev " CETAEV_VERSION
           ", not of the model. Please report it, with the command line and the model.");
}

// What is asked for without a command.
struct Wishes {
  bool version = false, manual = false;
  std::string shell;  // whose completion
};

app::Program program(Wishes& wishes) {
  app::Program all = {.name = "cetaev",
                      .version = CETAEV_VERSION,
                      .summary = "equations and motion of constrained mechanical systems",
                      .examples = {"cetaev check skate"}};
  all.options = {{.names = "--version", .help = "the version of the program", .value = app::flag(wishes.version)},
                 {.names = "--man", .help = "print the manual page", .value = app::flag(wishes.manual)},
                 {.names = "--completion",
                  .shown = "SHELL",
                  .help = "print what makes a shell complete commands and options",
                  .value = app::choice({"bash", "zsh"}, wishes.shell)}};
  all.commands = {app::eval_command(),       app::check_command(),     app::derive_command(),
                  app::run_command(),        app::sweep_command(),     app::compare_command(),
                  app::limit_command(),      app::transpose_command(), app::inverse_command(),
                  app::equivalent_command(), app::linearize_command(), app::periodic_command(),
                  app::lyapunov_command(),   app::verify_command(),    app::report_command(),
                  app::plot_command(),       app::gallery_command()};
  return all;
}

int execute(int argc, char** argv) {
  Wishes wishes;
  const app::Program all = program(wishes);
  const app::Request request = app::parse(all, argc, argv);
  if (request.help) {
    app::print(request.command != nullptr ? app::help(all, *request.command) : app::help(all));
  } else if (wishes.version) {
    app::print(all.name + " " + all.version + "\n");
  } else if (wishes.manual) {
    app::print(app::manual_page(all));
  } else if (!wishes.shell.empty()) {
    app::print(wishes.shell == "bash" ? app::bash_completion(all) : app::zsh_completion(all));
  } else if (request.command != nullptr) {
    return request.command->action();
  } else {
    throw Error(ErrorCode::bad_model, "a command is missing; see `cetaev --help`");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Known before parsing, so that usage errors come as JSON too.
  for (int i = 1; i < argc; ++i) as_json = as_json || std::strcmp(argv[i], "--json") == 0;
  const bool json = as_json;
  std::set_terminate(end_at_once);
  // A file beyond the limit of its size is a write that fails, and that is told.
  std::signal(SIGXFSZ, SIG_IGN);

  try {
    return execute(argc, argv);
  } catch (const std::exception& problem) {
    return fail(text::as_error(problem), json);
  }
}
