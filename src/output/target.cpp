#include "target.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cetaev/detail/output/existing.hpp"
#include "cetaev/error.hpp"

namespace cetaev::output {

void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::cannot_write, fmt::format("cannot write '{}': {}", path, why));
}

void refuse(const std::string& path, int problem) { refuse(path, std::generic_category().message(problem)); }

void require_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw Error(ErrorCode::cannot_write,
                fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string()));
}

int open_existing(const std::string& path, int flags) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags);
  if (file < 0 && errno == ENXIO) refuse(path, "it is a pipe that nobody reads");
  if (file < 0) refuse(path, errno);
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

Target::Target(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) refuse(path_, EISDIR);
    return;  // a device or a pipe is tried when it is used
  }
  int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  created_ = file >= 0;
  if (file < 0 && errno == EEXIST) file = open_existing(path_);
  if (file < 0) refuse(path_, errno);
  close(file);
}

Target::Target(std::string path, Seekable) : Target(std::move(path)) {
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    refuse(path_, "files of this kind are written back and forth, which a pipe or a device cannot be");
}

Target::~Target() {
  if (created_ && !claimed_) unlink(path_.c_str());
}

}  // namespace cetaev::output
