// Sweeps in HDF5 files that are written in any order, by whoever has something ready, and are whole after every interruption.
//
// A sweep knows how large it will be. So its file has its full size from the beginning: what is not computed yet is a hole, every row has
// its place, and a finished file has the same bytes however it came about. Rows belong to blocks; a block counts once the checksum of its
// rows is there and right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

// What a file says about its sweep, by the names of its attributes: `model`, `text`, `vary`, `t_end` and so on; numbers as they are written.
using SweepTexts = std::map<std::string, std::vector<std::string>>;

// Motions of a sweep, row by row.
struct SweepRows {
  std::size_t first = 0;        // motion
  std::vector<double> inputs;   // rows × inputs
  std::vector<double> outputs;  // rows × outputs; not numbers where there are none
  std::vector<double> t;        // of the last states; not a number where a motion has no start
  std::vector<MotionStatus> status;
  std::vector<std::optional<ErrorCode>> diagnosis;  // on `singular` and `failed`

  std::size_t rows() const { return t.size(); }
};

// What is in the file beside the rows.
struct SweepDescription {
  std::size_t count = 0, block = 1;  // motions, and how many of them are a block
  std::vector<std::string> inputs, outputs;
  // Attributes of the file: the model, the specification, the options. Not who computes it, nor when.
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
  std::vector<std::pair<std::string, double>> numbers;

  std::size_t blocks() const { return (count + block - 1) / block; }
  std::size_t rows_of(std::size_t number) const { return std::min(block, count - number * block); }
};

// /inputs and /outputs (count × columns, attribute `names`), /t, /status (words), /diagnosis (numbers into its attribute `names`) and
// /checksum, one for each block: 2³² + CRC-32 of its inputs, outputs, t, status and diagnosis, or 0. Every member throws cannot-write.
class SweepFile {
 public:
  // A new one in the place of what is there. The HDF5 library is loaded here.
  static SweepFile create(const std::string& path, const SweepDescription& description);
  // One that is there, or a new one. Throws bad-model where it is of another sweep.
  static SweepFile resume(const std::string& path, const SweepDescription& description);
  // One that is there, as it is. Throws bad-model where it is no sweep.
  static SweepFile open(const std::string& path);
  // Parts of one sweep as one file, in the place of what is at the path. Throws bad-model where they are not of one sweep; nothing is
  // written then.
  static SweepFile join(const std::vector<std::string>& parts, const std::string& path);
  // Is there a sweep in this file?
  static bool is_one(const std::string& path);
  ~SweepFile();
  SweepFile(SweepFile&&) noexcept;
  SweepFile& operator=(SweepFile&&) noexcept;

  const std::string& path() const;
  std::size_t count() const;
  std::size_t blocks() const;
  const std::vector<std::string>& inputs() const;
  const std::vector<std::string>& outputs() const;
  // By the HDF5 library, in a process of its own. Throws bad-model where the file is damaged.
  SweepTexts texts() const;
  // A checksum of all that is there beside the rows: another sweep has another.
  std::uint32_t fingerprint() const;

  // Is the block there, with every bit of it?
  bool has(std::size_t block) const;
  SweepRows read(std::size_t block) const;
  void write(std::size_t block, const SweepRows& rows);
  // All blocks that another file of the same sweep has and this one has not. Throws bad-model where it is of another sweep.
  void take(const SweepFile& other);

 private:
  struct Data;
  explicit SweepFile(std::unique_ptr<Data> data);
  template <class Make>
  static std::unique_ptr<Data> moved_there(const std::string& path, const Make& make);
  void require_same(const SweepFile& other) const;
  std::unique_ptr<Data> data_;
};

// The same as a table: inputs, outputs, t, status, diagnosis; numbers read back to the same double, cells without a value are empty. As a
// whole or not at all. An output with the name of an input x is called end(x). The column t is left out where the outputs have it. What it is
// a table of stands in an attribute of the file, user.cetaev.sweep, where the file system has such.
void write_csv(const SweepFile& sweep, const std::string& path);
// What a table at this path is, beside a sweep.
struct TableThere {
  enum class Of { this_sweep, another, unknown };
  Of of = Of::unknown;                          // unknown where the file does not say it, or has been changed since
  std::map<std::string, std::size_t> statuses;  // how many motions ended how, where it is of this sweep
};
TableThere table_there(const std::string& path, const SweepFile& sweep);
// The names of the columns of numbers of that table.
std::vector<std::string> table_names(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
// Is the time of the last state one of the outputs?
bool has_time(const std::vector<std::string>& outputs);

}  // namespace cetaev
