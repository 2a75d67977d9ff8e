#include "cetaev/report/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>

#include "cetaev/detail/ensemble/threads.hpp"
#include "cetaev/detail/output/write_text.hpp"
#include "cetaev/detail/text/as_error.hpp"
#include "cetaev/error.hpp"
#include "cetaev/interruption.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/version.hpp"

namespace cetaev {

namespace {

// Writes one page and says what the index needs to know of it.
IndexEntry write_one(const SiteModel& model, const std::filesystem::path& folder, double budget) {
  const std::string name(model.name);
  const System system = read_model(model.text, name + ".toml");
  PageOptions options;
  options.motion = default_options(system);
  options.motion.once = true;
  options.budget = budget;
  options.version = version();
  options.command = "cetaev report " + name;
  options.run = "cetaev run " + name + " --json --trajectory";
  options.index = "index.html";
  const ReportPage page = write_page(Workbench(system), options);
  output::write_text((folder / (name + ".html")).string(), page.html);
  return {name + ".html", system->name, system->description, page.kind, system->group, page.thumbnail};
}

}  // namespace

std::string write_site(std::span<const SiteModel> models, const std::string& folder, const SiteOptions& options) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem || !std::filesystem::is_directory(folder))
    throw Error(ErrorCode::cannot_write, fmt::format("cannot make the folder '{}'", folder));

  std::vector<IndexEntry> entries(models.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of what follows, and of who is told
  std::size_t done = 0;
  bool ended = false;
  const auto work = [&](unsigned) {
    for (std::size_t i = next++; i < models.size(); i = next++) {
      try {
        entries[i] = write_one(models[i], folder, options.budget);
      } catch (const std::exception& trouble) {
        next = models.size();
        const Error error = text::as_error(trouble);
        throw Error(error.code(), fmt::format("the report of {}: {}", models[i].name, error.message()));
      } catch (const Interrupted&) {
        next = models.size();
        throw;
      }
      const std::lock_guard lock(mutex);
      ++done;
      if (ended || !options.progress || options.progress(done, models.size())) continue;
      ended = true;
      next = models.size();
    }
  };
  const std::size_t wanted = options.threads > 0 ? options.threads : processors();
  in_threads(static_cast<unsigned>(std::clamp<std::size_t>(models.size(), 1, wanted)), work);
  if (ended) return "";
  std::string index = (std::filesystem::path(folder) / "index.html").string();
  output::write_text(index, write_index(options.title, entries, std::string(version())));
  return index;
}

}  // namespace cetaev
