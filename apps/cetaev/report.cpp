#include "cetaev/report/page.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

#include "cetaev/detail/text/printable.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/report/site.hpp"
#include "cetaev/report/sweep_page.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct ReportArguments : ModelOptions {
  std::optional<std::string> form;
  std::optional<double> t_end;
  std::optional<long> samples;
  double budget = PageOptions().budget;
  std::string out;
  bool open = false, gallery = false, quiet = false;
};

// A word of a command line as a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "-_./=+:,") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// What the command line says about the motion, as it is written there.
std::string arguments(const ReportArguments& options) {
  std::string text = " " + quoted(options.model);
  for (const std::string& setting : options.settings) text += " --set " + quoted(setting);
  if (options.form) text += " --form " + *options.form;
  if (options.t_end) text += fmt::format(" --t-end {}", *options.t_end);
  if (options.samples) text += fmt::format(" --samples {}", *options.samples);
  return text;
}

PageOptions page_options(const System& system, const ReportArguments& options) {
  PageOptions page;
  page.motion = default_options(system);
  page.motion.once = true;  // as `run` does, whose numbers it shows
  if (options.form) page.motion.form = parse_form(*options.form);
  if (options.t_end) page.motion.t_end = *options.t_end;
  if (options.samples) page.motion.samples = static_cast<std::size_t>(*options.samples);
  if (!std::isfinite(page.motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  constexpr long most = 100'000;
  if (options.samples && (*options.samples < 2 || *options.samples > most))
    throw Error(ErrorCode::bad_model, fmt::format("--samples needs a whole number from 2 to {} for a page", most));
  page.budget = options.budget;
  page.version = CETAEV_VERSION;
  page.command = "cetaev report" + arguments(options) + (options.out.empty() ? "" : " -o " + quoted(options.out));
  page.run = "cetaev run" + arguments(options) + " --json --trajectory";
  return page;
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// In the browser of the desktop, which may take its time.
void open_in_browser(const std::string& path) {
  const char* opener = nullptr;
  for (const char* program : {"xdg-open", "open", "x-www-browser"})
    if (opener == nullptr && on_path(program)) opener = program;
  if (opener == nullptr) {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
    std::fputs(fmt::format("No browser was found to open it with; open {} yourself.\n",
                           text::printable(whole.empty() ? path : whole.string()))
                   .c_str(),
               stderr);
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    // The browser outlives the command; what it says is not ours.
    if (fork() != 0) _exit(0);
    setsid();
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      _exit(1);
    execlp(opener, opener, path.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
}

// Another ending would say that it is something else; a name without one is the reader's own affair.
void require_page(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!ending.empty() && ending != ".html" && ending != ".htm" && ending != ".xhtml")
    throw Error(ErrorCode::bad_model, fmt::format("a report is FILE.html, not '{}'", path));
}

// The motions of a sweep, which are in a file.
int report_sweep(const ReportArguments& options) {
  if (options.form || options.t_end || options.samples || !options.settings.empty())
    throw Error(ErrorCode::bad_model,
                "the motions of a sweep are computed: its report goes without --form, --t-end, --samples and --set");
  if (options.model.ends_with(".csv"))
    throw Error(ErrorCode::bad_model,
                fmt::format("'{}' is a table: the report of a sweep is made of its FILE.h5, which also has the model",
                            options.model));
  const SweepFile sweep = SweepFile::open(options.model);
  const std::string out =
      options.out.empty() ? std::filesystem::path(options.model).stem().string() + ".html" : options.out;
  require_page(out);
  spare_input(options.model, out);
  SweepPageOptions page;
  page.version = CETAEV_VERSION;
  page.command = "cetaev report " + quoted(options.model) + " -o " + quoted(out);
  write_text(out, write_sweep_page(sweep, page));
  if (!options.quiet) print(fmt::format("{} motions\n\nThe report is in {}\n", sweep.count(), out));
  if (options.open) open_in_browser(out);
  return 0;
}

int report_gallery(const ReportArguments& options) {
  std::vector<SiteModel> models;
  for (const GalleryModel& model : gallery()) models.push_back({model.name, model.text});
  Progress progress(!options.quiet);
  SiteOptions site;
  site.budget = options.budget;
  site.progress = [&](std::size_t done, std::size_t of) {
    progress.show(static_cast<double>(done) / static_cast<double>(of), fmt::format("{} of {} reports", done, of));
    return true;
  };
  const std::string index = write_site(models, options.out, site);
  progress.clear();
  if (!options.quiet) print(index + "\n");
  if (options.open) open_in_browser(index);
  return 0;
}

int run(ReportArguments options) {
  if (options.gallery) {
    if (!options.model.empty())
      throw Error(ErrorCode::bad_model, "--gallery takes no model: it reports on all of them");
    if (options.form || options.t_end || options.samples || !options.settings.empty())
      throw Error(ErrorCode::bad_model,
                  "--gallery shows every model as it stands, without --form, --t-end, --samples and --set");
    if (options.out.empty()) options.out = "gallery";
    return report_gallery(options);
  }
  if (options.model.empty()) throw Error(ErrorCode::bad_model, "report needs a MODEL, or --gallery");
  const std::string ending = std::filesystem::path(options.model).extension().string();
  if (ending == ".h5" || ending == ".hdf5" || ending == ".csv") return report_sweep(options);
  const System system = load(options);
  if (options.out.empty()) options.out = std::filesystem::path(options.model).stem().string() + ".html";
  require_page(options.out);
  spare_input(options.model, options.out);
  const PageOptions page = page_options(system, options);
  const ReportPage report = write_page(Workbench(system), page);
  write_text(options.out, report.html);
  if (!options.quiet) {
    std::string text = system->name + "\n" + (report.kind.empty() ? "" : report.kind + "\n");
    if (!report.sketch.empty()) text += "\n" + report.sketch;
    if (report.summary) {
      const MotionSummary& motion = *report.summary;
      text += fmt::format("\nThe motion to t = {:.6g}: {}, {} in {} {}; energy drift {:.2g}, residual {:.2g}\n",
                          motion.last.t, motion.form.name(), to_string(motion.method), motion.steps,
                          motion.steps == 1 ? "step" : "steps", motion.energy_drift, motion.max_residual);
      if (motion.diagnosis) {
        text +=
            fmt::format("It ends there, {}: {}\n", to_string(motion.diagnosis->code()), motion.diagnosis->message());
      } else if (motion.status != MotionStatus::finished) {
        text += fmt::format("It ends there: {}\n", to_string(motion.status));
      }
    } else if (report.error) {
      text += fmt::format("\nThere is no motion: {}: {}\n", to_string(report.error->code()), report.error->message());
    }
    text += fmt::format("\nThe report is in {}\n", options.out);
    print(text);
  }
  if (options.open) open_in_browser(options.out);
  // the page is there and says why; a form that was asked for by name and has no motion is an error all the same
  return options.form && report.error ? exit_code(report.error->code()) : 0;
}

}  // namespace

Command report_command() {
  auto options = std::make_shared<ReportArguments>();
  Command command = {.name = "report",
                     .summary = "the whole story of a model as one page: motion, kind, equations, energy, principles",
                     .examples = {"cetaev report skate --open", "cetaev report sweep.h5 -o sweep.html"},
                     .action = [options] { return run(*options); }};
  add_model_arguments(command, *options);
  command.arguments.front().required = false;  // --gallery goes without
  command.arguments.front().help = "a model file, the name of a gallery model, or FILE.h5 of a sweep";
  command.add({.names = "--gallery",
               .help = "a folder with the report of every gallery model and an index",
               .value = flag(options->gallery)});
  command.add({.names = "-o,--out,--output",
               .shown = "FILE",
               .help = "the page (MODEL.html), or the folder of --gallery (gallery)",
               .value = output_file({".html"}, options->out)});
  command.add({.names = "--open", .help = "show it in the browser", .value = flag(options->open)});
  add_motion_options(command, options->form, options->t_end, options->samples);
  command.add({.names = "--budget",
               .shown = "EFFORT",
               .help = "effort of simplifying formulas, counted",
               .value = number(options->budget, 0),
               .preset = fmt::format("{}", options->budget)});
  command.add({.names = "--quiet", .help = "no progress and no summary", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
