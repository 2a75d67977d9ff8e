#include "cetaev/detail/output/beside.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <vector>

#include "target.hpp"

namespace cetaev::output {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view unfinished = ".new";

bool take_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// A dot, a word and a number at the end of a name.
bool take_numbered_end(std::string_view& text, std::string_view word, long& number) {
  const std::size_t last = text.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == text.size()) return false;
  const std::string_view before = text.substr(0, last + 1), digits = text.substr(last + 1);
  if (!before.ends_with("." + std::string(word))) return false;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc()) return false;
  text.remove_suffix(digits.size() + word.size() + 1);
  return true;
}

bool has_ended(long process) { return process > 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH; }

// Names as `beside` makes them, of the file, of its rows until a table is made of them, and of the parts of ranks.
bool is_leftover(std::string_view name, std::string_view of) {
  long process = 0, rank = 0;
  if (!name.starts_with(of) || !take_end(name, unfinished) || !take_numbered_end(name, "", process)) return false;
  take_numbered_end(name, "rank", rank);
  if (name != of && !take_end(name, ".part")) return false;
  return name == of && has_ended(process);
}

}  // namespace

std::string replaced_by(const std::string& path) {
  constexpr int most_links = 40;  // as many as Linux follows
  fs::path at = path;
  std::error_code problem;
  for (int links = 0; fs::is_symlink(at, problem); ++links) {
    if (links == most_links) refuse(path, ELOOP);
    at = at.parent_path() / fs::read_symlink(at, problem);
    if (problem) refuse(path, problem.value());
  }
  const fs::file_status there = fs::status(at, problem);
  if (fs::is_directory(there)) refuse(path, EISDIR);
  if (fs::exists(there) && !fs::is_regular_file(there))
    refuse(path, "files of this kind are written back and forth, which a pipe or a device cannot be");
  return at.string();
}

std::string beside(const std::string& path) { return fmt::format("{}.{}{}", path, getpid(), unfinished); }

void remove_leftovers(const std::string& path) {
  const fs::path file = replaced_by(path);
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_leftover(entry.path().filename().string(), file.filename().string())) found.push_back(entry.path());
  for (const fs::path& one : found) fs::remove(one, ignored);
}

}  // namespace cetaev::output
