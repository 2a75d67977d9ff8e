#include "target.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "cetaev/error.hpp"

namespace cetaev::output {

void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::cannot_write, fmt::format("cannot write '{}': {}", path, why));
}

void refuse(const std::string& path, int problem) { refuse(path, std::generic_category().message(problem)); }

Target::Target(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) refuse(path_, EISDIR);
    return;  // a device or a pipe is tried when it is used
  }
  int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  created_ = file >= 0;
  if (file < 0 && errno == EEXIST) file = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) refuse(path_, errno);
  close(file);
}

Target::~Target() {
  if (created_ && !claimed_) unlink(path_.c_str());
}

}  // namespace cetaev::output
