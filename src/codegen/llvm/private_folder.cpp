#include "private_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <memory>

namespace cetaev::native {

namespace {

constexpr std::string_view unfinished = ".unfinished";

[[noreturn]] void distrust(const std::string& what, const char* why) { throw Distrust{what + " " + why}; }

void require_ours(const std::string& what, const struct stat& status) {
  if (status.st_uid != geteuid()) distrust(what, "belongs to another user");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) distrust(what, "can be changed by others (chmod go-w)");
}

// Whoever keeps HOME and becomes another, root above all, leaves nothing in that home.
void require_place(const std::filesystem::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) == 0 && status.st_uid != geteuid() && status.st_uid != 0)
    distrust("'" + folder.string() + "'", "belongs to another user");
}

bool make_folders(const std::filesystem::path& path) {
  std::filesystem::path existing = path;
  std::vector<std::filesystem::path> missing;
  struct stat status {};
  while (!existing.empty() && stat(existing.c_str(), &status) != 0) {
    missing.push_back(existing);
    existing = existing.parent_path();
  }
  require_place(existing.empty() ? "." : existing);
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    if (mkdir(folder->c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  }
  return true;
}

}  // namespace

bool File::read(void* to, std::size_t size) {
  auto* p = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t n = ::read(number_, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool File::write(const void* from, std::size_t size) {
  const auto* p = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t n = ::write(number_, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool File::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

std::optional<PrivateFolder> PrivateFolder::find(const std::string& path) {
  File folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.good()) {
    // O_DIRECTORY and O_NOFOLLOW together call a link "not a directory"
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) distrust("it", "is a link");
    return std::nullopt;
  }
  struct stat status {};
  if (fstat(folder.number(), &status) != 0) return std::nullopt;
  require_ours("it", status);
  return PrivateFolder(std::move(folder));
}

std::optional<PrivateFolder> PrivateFolder::find_or_make(const std::string& path) {
  return make_folders(path) ? find(path) : std::nullopt;
}

std::optional<PrivateFolder::Readable> PrivateFolder::read(const std::string& name, Others others) const {
  // O_NONBLOCK: a pipe is opened, and then refused, without waiting for somebody who writes into it
  File file(openat(folder_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  const int problem = errno;
  const std::string what = "its file '" + name + "'";
  if (!file.good()) {
    if (problem == ENOENT) return std::nullopt;
    distrust(what, problem == ELOOP ? "is a link" : "cannot be opened");
  }
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) distrust(what, "is no file");
  require_ours(what, status);
  if (others == Others::may_not_read && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    distrust(what, "can be read by others (remove the folder, and it is made anew)");
  return Readable{std::move(file), static_cast<std::size_t>(status.st_size)};
}

bool PrivateFolder::write(const std::string& name, std::string_view first, std::string_view second,
                          Existing existing) const {
  static std::atomic<unsigned> counter = 0;
  const std::string temporary =
      name + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + std::string(unfinished);
  File file(openat(folder_.number(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   S_IRUSR | S_IWUSR));
  if (!file.good()) return false;
  bool whole = file.write(first.data(), first.size()) && file.write(second.data(), second.size());
  whole = file.close() && whole;
  const int here = folder_.number();
  const bool named =
      whole && (existing == Existing::goes ? renameat(here, temporary.c_str(), here, name.c_str()) == 0
                                           : linkat(here, temporary.c_str(), here, name.c_str(), 0) == 0);
  if (!named || existing == Existing::stays) remove(temporary);
  return named;
}

void PrivateFolder::remove(const std::string& name) const { unlinkat(folder_.number(), name.c_str(), 0); }

std::vector<PrivateFolder::Entry> PrivateFolder::entries(std::string_view end) const {
  std::vector<Entry> all;
  // of a description of its own: reading a folder moves through it
  File again(openat(folder_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again.good()) return all;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(again.number()), closedir);
  if (!list) return all;
  again.release();
  while (const dirent* const entry = readdir(list.get())) {
    const std::string_view name = entry->d_name;
    struct stat status {};
    if (!name.ends_with(end) || fstatat(folder_.number(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    all.push_back({std::string(name), status.st_mtim, static_cast<std::size_t>(status.st_size)});
  }
  return all;
}

void PrivateFolder::remove_unfinished() const {
  constexpr std::time_t hour = 3600;
  for (const Entry& entry : entries(unfinished)) {
    if (std::time(nullptr) - entry.used.tv_sec > hour) remove(entry.name);
  }
}

}  // namespace cetaev::native
