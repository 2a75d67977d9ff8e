// Two halves: the reader calls the library, in a process apart, and writes what it finds into a pipe; the listener believes nothing
// of what comes out of it. A record is a word that says what it is:
//   problem   an error code and a text
//   table     the names of the columns, the number of rows, and the rows
//   words     the name of an attribute, the number of its texts, and the texts
//   end
// Words have 64 bits; a text is its length and its bytes.
#include "read_hdf5.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <mutex>

#include "apart.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "cetaev/error.hpp"
#include "hdf5_library.hpp"

namespace cetaev::output {

namespace {

enum class Record : std::uint64_t { problem = 1, table, words, end };

// Rows are handed over in blocks of about so many bytes.
constexpr std::size_t block_bytes = std::size_t{1} << 20;
std::uint64_t rows_per_block(std::size_t columns) {
  return std::max<std::uint64_t>(1, block_bytes / (columns * sizeof(double)));
}

class Hdf5Reader {
 public:
  Hdf5Reader(const std::string& path, const ApartPipe& pipe)
      : path_(path), pipe_(pipe), h_(hdf5_library()), file_(h_.H5Fopen(path.c_str(), 0U, H5P_DEFAULT), h_.H5Fclose) {
    if (file_ < 0) refuse_motion(path, "it is no HDF5 file");
  }

  void read() const {
    const std::vector<std::string> coordinates = texts("model", "coordinates");
    std::vector<std::string> velocities;
    for (const std::string& x : coordinates) velocities.push_back(x + "'");
    table("states/t", {"t"});
    table("states/q", coordinates);
    table("states/v", velocities);
    if (h_.H5Lexists(file_, "multipliers/lambda", H5P_DEFAULT) > 0) {
      std::vector<std::string> lambda;
      const std::size_t count = texts("multipliers/lambda", "names").size();
      for (std::size_t i = 1; i <= count; ++i) lambda.push_back(fmt::format("lambda{}", i));
      table("multipliers/lambda", lambda);
    }
    table("energy/E", {"E"});
    table("states/residual", {"residual"});
    if (h_.H5Lexists(file_, "outputs", H5P_DEFAULT) > 0) table("outputs/values", texts("outputs/values", "names"));
    word(Record::end);
  }

  // The attributes of the file that are texts, lists of them, or numbers.
  void read_attributes() const {
    for (const char* name : {"creator", "version", "model", "text", "table", "form", "method", "device", "precision",
                             "settings", "vary", "observe"})
      if (h_.H5Aexists(file_, name) > 0) words(name, texts(".", name));
    for (const char* name : {"count", "seed", "t_end", "tolerance", "steps"})
      if (h_.H5Aexists(file_, name) > 0) words(name, {fmt::format("{}", number(name))});
    word(Record::end);
  }

  static void write_problem(const ApartPipe& pipe, const Error& error) {
    for (const auto value : {static_cast<std::uint64_t>(Record::problem), static_cast<std::uint64_t>(error.code())})
      pipe.write(&value, sizeof value);
    write_text(pipe, error.message());
  }

 private:
  hid_t checked(hid_t id) const {
    if (id < 0) refuse_motion(path_, "it is no motion that `cetaev run` wrote");
    return id;
  }

  std::vector<std::string> texts(const char* where, const char* name) const {
    const Handle attribute(checked(h_.H5Aopen_by_name(file_, where, name, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Aclose);
    const Handle space(checked(h_.H5Aget_space(attribute)), h_.H5Sclose);
    hsize_t count = 1;
    const int rank = h_.H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > 1) refuse_motion(path_, fmt::format("{} is no list of names", name));
    if (rank == 1) checked(h_.H5Sget_simple_extent_dims(space, &count, nullptr));
    if (count == 0) return {};
    const Handle type(checked(h_.H5Tcopy(h_.c_string)), h_.H5Tclose);
    h_.H5Tset_size(type, H5T_VARIABLE);
    h_.H5Tset_cset(type, H5T_CSET_UTF8);
    std::vector<char*> pointers(count, nullptr);
    checked(h_.H5Aread(attribute, type, pointers.data()));
    std::vector<std::string> list;
    for (char* pointer : pointers) {
      list.emplace_back(pointer == nullptr ? "" : pointer);
      h_.H5free_memory(pointer);
    }
    return list;
  }

  double number(const char* name) const {
    const Handle attribute(checked(h_.H5Aopen_by_name(file_, ".", name, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Aclose);
    const Handle space(checked(h_.H5Aget_space(attribute)), h_.H5Sclose);
    if (h_.H5Sget_simple_extent_ndims(space) != 0) refuse_motion(path_, fmt::format("{} is no number", name));
    double value = 0;
    checked(h_.H5Aread(attribute, h_.native_double, &value));
    return value;
  }

  void words(const char* name, const std::vector<std::string>& list) const {
    word(Record::words);
    write_text(pipe_, name);
    word(list.size());
    for (const std::string& text : list) write_text(pipe_, text);
  }

  void table(const char* name, const std::vector<std::string>& names) const {
    const Handle data(checked(h_.H5Dopen2(file_, name, H5P_DEFAULT)), h_.H5Dclose);
    const Handle space(checked(h_.H5Dget_space(data)), h_.H5Sclose);
    hsize_t size[2] = {0, 1};
    const int rank = h_.H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2) refuse_motion(path_, fmt::format("{} is no table", name));
    checked(h_.H5Sget_simple_extent_dims(space, size, nullptr));
    const std::size_t columns = names.size();
    if (size[1] != columns) refuse_motion(path_, fmt::format("{} has {} columns, not {}", name, size[1], columns));
    word(Record::table);
    word(columns);
    for (const std::string& column : names) write_text(pipe_, column);
    word(size[0]);
    if (columns == 0) return;
    const hsize_t most = rows_per_block(columns);
    std::vector<double> values;
    for (hsize_t row = 0; row < size[0]; row += most) {
      const hsize_t from[] = {row, 0}, block[] = {std::min(most, size[0] - row), columns};
      values.resize(block[0] * columns);
      checked(h_.H5Sselect_hyperslab(space, H5S_SELECT_SET, from, nullptr, block, nullptr));
      const Handle here(checked(h_.H5Screate_simple(rank, block, nullptr)), h_.H5Sclose);
      checked(h_.H5Dread(data, h_.native_double, here, space, H5P_DEFAULT, values.data()));
      pipe_.write(values.data(), values.size() * sizeof(double));
    }
  }

  template <class T>
  void word(T value) const {
    const auto bits = static_cast<std::uint64_t>(value);
    pipe_.write(&bits, sizeof bits);
  }
  static void write_text(const ApartPipe& pipe, const std::string& text) {
    const std::uint64_t size = text.size();
    pipe.write(&size, sizeof size);
    pipe.write(text.data(), text.size());
  }

  std::string path_;
  const ApartPipe& pipe_;
  const Hdf5Library& h_;
  Handle file_;
};

// How much a file of this size can hold: no filter of HDF5 makes less of numbers than deflate, 1 byte of 1032 at best. The names
// come on top.
std::size_t most_bytes(std::uintmax_t file) {
  constexpr std::size_t deflate = 1032, names = std::size_t{1} << 20;
  return file > (SIZE_MAX - names) / deflate ? SIZE_MAX : file * deflate + names;
}

// What is kept as numbers is there twice while it is read; half of the machine is for others.
std::size_t bytes_of_this_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4;
}

class Listener {
 public:
  Listener(const std::string& path, std::uintmax_t file_size, Apart& process)
      : path_(path), left_(most_bytes(file_size)), memory_left_(bytes_of_this_machine()), process_(process) {}

  MotionTable listen() {
    MotionTable motion;
    for (;;) {
      switch (static_cast<Record>(word())) {
        case Record::problem: problem();
        case Record::table: table(motion); break;
        case Record::words: words(); break;
        case Record::end: return motion;
        default: damaged();
      }
    }
  }

  const SweepTexts& texts() const { return texts_; }

 private:
  [[noreturn]] void damaged() const { refuse_motion(path_, "it is damaged"); }

  void read(void* to, std::size_t size) {
    if (size > left_) damaged();
    if (size > memory_left_)
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("cannot read '{}': it has more numbers than fit into the memory of this machine", path_));
    left_ -= size;
    memory_left_ -= size;
    if (!process_.read(to, size)) damaged();
  }

  std::uint64_t word() {
    std::uint64_t value = 0;
    read(&value, sizeof value);
    return value;
  }

  std::string text() {
    const std::uint64_t size = word();
    if (size > left_ || size > block_bytes) damaged();
    std::string value(size, '\0');
    read(value.data(), size);
    if (text::valid_prefix(value) != value.size()) damaged();
    return value;
  }

  [[noreturn]] void problem() {
    const std::uint64_t code = word();
    const std::string message = text();
    if (code == static_cast<std::uint64_t>(ErrorCode::cannot_write)) throw Error(ErrorCode::cannot_write, message);
    throw Error(ErrorCode::bad_model, message);
  }

  void words() {
    const std::string name = text();
    std::vector<std::string>& list = texts_[name];
    for (std::uint64_t count = word(); count > 0; --count) list.push_back(text());
  }

  void table(MotionTable& motion) {
    std::vector<std::string> names;
    for (std::uint64_t columns = word(); columns > 0; --columns) names.push_back(text());
    const std::uint64_t rows = word();
    if (motion.columns.empty() && names.size() != 1) damaged();
    if (names.empty()) return;
    std::vector<std::vector<double>> columns(names.size());
    const std::uint64_t most = rows_per_block(names.size());
    std::vector<double> values;
    for (std::uint64_t row = 0; row < rows; row += most) {
      values.resize(std::min(most, rows - row) * names.size());
      read(values.data(), values.size() * sizeof(double));
      for (std::size_t i = 0; i < values.size(); ++i) columns[i % names.size()].push_back(values[i]);
    }
    // As many rows as there are times. Forms without multipliers leave their table empty.
    for (std::size_t c = 0; c < names.size(); ++c) {
      columns[c].resize(motion.columns.empty() ? rows : motion.columns.front().size(), NAN);
      motion.names.push_back(std::move(names[c]));
      motion.columns.push_back(std::move(columns[c]));
    }
  }

  std::string path_;
  std::size_t left_, memory_left_;
  Apart& process_;
  SweepTexts texts_;
};

// What `read` does with the reader, in a process apart, comes out of what the listener gets.
template <class Read, class Listen>
auto read_apart(const std::string& path, const Read& read, const Listen& listen) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(path, problem);
  if (problem) refuse_motion(path, problem.message());
  // The library itself takes about 20 MiB and a hundredth of a second, and reads a hundred times as fast.
  constexpr std::size_t memory = std::size_t{512} << 20;
  constexpr std::uintmax_t bytes_per_second = std::uintmax_t{16} << 20;
  const auto seconds = static_cast<unsigned>(std::min<std::uintmax_t>(5 + size / bytes_per_second, 1U << 20));
  const auto work = [&](const ApartPipe& pipe) {
    try {
      read(Hdf5Reader(path, pipe));
    } catch (const Error& error) {
      Hdf5Reader::write_problem(pipe, error);
    }
  };
  // Held while the process is made: in the copy nobody is in the middle of using the library, and none of its files is kept open.
  std::unique_lock lock(hdf5_mutex());
  Apart process({.memory = memory, .seconds = seconds, .silence = std::chrono::seconds(60)}, work);
  lock.unlock();
  Listener listener(path, size, process);
  return listen(listener);
}

}  // namespace

void refuse_motion(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_model, fmt::format("cannot read '{}': {}", path, why));
}

MotionTable read_hdf5(const std::string& path) {
  return read_apart(
      path, [](const Hdf5Reader& reader) { reader.read(); }, [](Listener& listener) { return listener.listen(); });
}

SweepTexts read_attributes(const std::string& path) {
  return read_apart(
      path, [](const Hdf5Reader& reader) { reader.read_attributes(); },
      [](Listener& listener) {
        (void)listener.listen();
        return listener.texts();
      });
}

}  // namespace cetaev::output
