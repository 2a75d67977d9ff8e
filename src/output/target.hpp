// The place in the file system where a motion goes.
#pragma once

#include <string>

namespace cetaev::output {

// [[noreturn]] cannot-write: "cannot write 'a/b.csv': No such file or directory"
[[noreturn]] void refuse(const std::string& path, int problem);
[[noreturn]] void refuse(const std::string& path, const std::string& why);

// Seen to be writable, and untouched until `claim`. If it did not exist and is never claimed, it does not exist afterwards.
class Target {
 public:
  // Of a kind of file that is not written from front to back: no pipe and no device.
  struct Seekable {};
  explicit Target(std::string path);
  Target(std::string path, Seekable);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const std::string& path() const { return path_; }
  // From here on the file is ours.
  void claim() { claimed_ = true; }

 private:
  std::string path_;
  bool created_ = false, claimed_ = false;
};

}  // namespace cetaev::output
