// A folder that belongs to the effective user and in which nobody else can write, and files in it of which the same holds.
// All questions are asked of what is open, so nothing can be exchanged between the question and the use.
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cetaev::native {

// Something is there, but others may have had a hand in it.
struct Distrust {
  std::string why;  // of the folder: "its file 'key' belongs to another user"
};

// An open file that closes itself.
class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() { close(); }
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&&) = delete;

  bool good() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }  // whoever takes it closes it
  bool read(void* to, std::size_t size);
  bool write(const void* from, std::size_t size);
  bool close();

 private:
  int number_;
};

// Who may do what with a file besides its owner.
enum class Others { may_read, may_not_read };

class PrivateFolder {
 public:
  // Nothing where there is none. Throws Distrust.
  static std::optional<PrivateFolder> find(const std::string& path);
  // Made with the folders on the way to it where there is none: for this user alone, and not among the files of another.
  // Nothing where that is impossible. Throws Distrust.
  static std::optional<PrivateFolder> find_or_make(const std::string& path);

  struct Readable {
    File file;
    std::size_t size;
  };
  // A regular file; nothing where there is none. Throws Distrust.
  std::optional<Readable> read(const std::string& name, Others others = Others::may_read) const;

  // A whole file under its name, or none: what is there is `first` and then `second`. An existing file is replaced only when
  // that is wanted.
  enum class Existing { stays, goes };
  bool write(const std::string& name, std::string_view first, std::string_view second, Existing existing) const;
  void remove(const std::string& name) const;

  struct Entry {
    std::string name;
    timespec used;
    std::size_t size;
  };
  // Regular files whose names end so.
  std::vector<Entry> entries(std::string_view end) const;
  // What writing left unfinished, in processes that died an hour ago or earlier.
  void remove_unfinished() const;

 private:
  explicit PrivateFolder(File folder) : folder_(std::move(folder)) {}

  File folder_;
};

}  // namespace cetaev::native
