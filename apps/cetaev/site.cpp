#include "site.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "cetaev/detail/text/as_error.hpp"
#include "cetaev/error.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/report/page.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

using Json = nlohmann::json;

// Writes one page and says what the index needs to know of it.
Json write_one(const GalleryModel& model, const std::filesystem::path& folder, double budget) {
  const std::string name(model.name);
  const System system = read_model(model.text, name + ".toml");
  PageOptions options;
  options.motion = default_options(system);
  options.motion.once = true;
  options.budget = budget;
  options.version = CETAEV_VERSION;
  options.command = "cetaev report " + name;
  options.run = "cetaev run " + name + " --json --trajectory";
  options.index = "index.html";
  const ReportPage page = write_page(Workbench(system), options);
  write_file((folder / (name + ".html")).string(), page.html);
  return {{"href", name + ".html"}, {"title", system->name},       {"description", system->description},
          {"kind", page.kind},      {"thumbnail", page.thumbnail}, {"group", system->group}};
}

// A page in the making, in a process of its own: the models share nothing, and the cores are used.
struct Worker {
  pid_t process = -1;
  int answer = -1;  // where it writes what the index needs
  std::size_t model = 0;
  std::string text;
};

Worker start(std::size_t number, const std::filesystem::path& folder, double budget) {
  std::fflush(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw Error(ErrorCode::out_of_memory, "the system has no pipe left");
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::out_of_memory, "the system has no process left");
  if (child == 0) {
    close(ends[0]);
    Json answer;
    try {
      answer = write_one(gallery()[number], folder, budget);
    } catch (const std::exception& problem) {
      const Error error = text::as_error(problem);
      answer = {{"error", error.message()}, {"code", static_cast<int>(error.code())}};
    }
    const std::string text = answer.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t more = write(ends[1], text.data() + done, text.size() - done);
      if (more <= 0) _exit(1);
      done += static_cast<std::size_t>(more);
    }
    _exit(0);
  }
  close(ends[1]);
  return {child, ends[0], number, ""};
}

// Reads what is there; true at the end.
bool listen(Worker& worker) {
  char buffer[65536];
  const ssize_t count = read(worker.answer, buffer, sizeof buffer);
  if (count > 0) worker.text.append(buffer, static_cast<std::size_t>(count));
  return count <= 0;
}

// Of a process that did not come so far as to say why. SIGKILL is how a system without memory helps itself.
Error ended_early(const std::string& name, int status) {
  const bool no_memory = WIFEXITED(status) ? WEXITSTATUS(status) == exit_code(ErrorCode::out_of_memory)
                                           : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (no_memory) return {ErrorCode::out_of_memory, fmt::format("the report of {}: out of memory", name)};
  const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                              : fmt::format("exit code {}", WEXITSTATUS(status));
  return text::as_error(
      std::runtime_error(fmt::format("the process that writes the report of {} ended with {}", name, how)));
}

IndexEntry finish(Worker& worker) {
  close(worker.answer);
  int status = 0;
  waitpid(worker.process, &status, 0);
  const std::string name(gallery()[worker.model].name);
  const Json answer = Json::parse(worker.text, nullptr, false);
  if (answer.is_discarded()) throw ended_early(name, status);
  if (answer.contains("error")) {
    throw Error(static_cast<ErrorCode>(answer["code"].get<int>()),
                fmt::format("the report of {}: {}", name, answer["error"].get<std::string>()));
  }
  return {answer["href"], answer["title"], answer["description"], answer["kind"], answer["group"], answer["thumbnail"]};
}

}  // namespace

std::string write_site(const std::string& folder, double budget, bool show_progress) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem || !std::filesystem::is_directory(folder))
    throw Error(ErrorCode::cannot_write, fmt::format("cannot make the folder '{}'", folder));

  const std::size_t count = gallery().size();
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Progress progress(show_progress);
  std::vector<std::optional<IndexEntry>> entries(count);
  std::vector<Worker> workers;
  std::optional<Error> failure;
  std::size_t next = 0, done = 0;
  while (!workers.empty() || (next < count && !failure)) {
    while (workers.size() < cores && next < count && !failure) workers.push_back(start(next++, folder, budget));
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers) waiting.push_back({worker.answer, POLLIN, 0});
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = workers.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || !listen(workers[i])) continue;
      try {
        entries[workers[i].model] = finish(workers[i]);
      } catch (const Error& error) {
        failure = error;
      }
      workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
      ++done;
      progress.show(static_cast<double>(done) / static_cast<double>(count),
                    fmt::format("{} of {} reports", done, count));
    }
  }
  progress.clear();
  if (failure) throw Error(*failure);

  std::vector<IndexEntry> list;
  for (auto& entry : entries) list.push_back(std::move(*entry));
  const std::string index = (std::filesystem::path(folder) / "index.html").string();
  write_file(index, write_index("Cetaev: the gallery", list, CETAEV_VERSION));
  return index;
}

}  // namespace cetaev::app
