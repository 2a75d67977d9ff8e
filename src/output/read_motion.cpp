#include "cetaev/output/read_motion.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cetaev/error.hpp"
#include "hdf5_library.hpp"

namespace cetaev {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_model, fmt::format("cannot read '{}': {}", path, why));
}

// The cells of one line; quotes as in RFC 4180.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
        list.back() += '"';
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        list.back() += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      list.emplace_back();
    } else if (c != '\r') {
      list.back() += c;
    }
  }
  return list;
}

MotionTable read_csv(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, "it cannot be opened");
  MotionTable table;
  std::string line;
  if (!std::getline(in, line)) refuse(path, "it is empty; a motion begins with the names of its columns");
  table.names = cells(line);
  table.columns.resize(table.names.size());
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const std::vector<std::string> values = cells(line);
    const auto fail = [&](std::size_t column, const std::string& why) {
      Error error(ErrorCode::bad_model, why);
      error.at({path, number, column, line});
      throw error;
    };
    if (values.size() != table.names.size())
      fail(1, fmt::format("this line has {} cells, the first has {}", values.size(), table.names.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& text = values[i];
      double value = NAN;
      if (!text.empty()) {
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem != std::errc() || end != text.data() + text.size()) {
          const std::size_t at = line.find(text);
          fail(at == std::string::npos ? 1 : at + 1, fmt::format("'{}' is not a number", text));
        }
      }
      table.columns[i].push_back(value);
    }
  }
  return table;
}

class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path)
      : path_(path), h_(output::hdf5_library()), file_(h_.H5Fopen(path.c_str(), 0U, H5P_DEFAULT), h_.H5Fclose) {
    if (file_ < 0) refuse(path, "it is no HDF5 file");
  }

  MotionTable read() {
    MotionTable table;
    const std::vector<std::string> coordinates = texts("model", "coordinates");
    std::vector<std::string> velocities;
    for (const std::string& x : coordinates) velocities.push_back(x + "'");
    put(table, "states/t", {"t"});
    put(table, "states/q", coordinates);
    put(table, "states/v", velocities);
    if (h_.H5Lexists(file_, "multipliers/lambda", H5P_DEFAULT) > 0) {
      std::vector<std::string> lambda;
      const std::size_t count = texts("multipliers/lambda", "names").size();
      for (std::size_t i = 1; i <= count; ++i) lambda.push_back(fmt::format("lambda{}", i));
      put(table, "multipliers/lambda", lambda);
    }
    put(table, "energy/E", {"E"});
    put(table, "states/residual", {"residual"});
    return table;
  }

 private:
  using Handle = output::Handle;

  hid_t checked(hid_t id) const {
    if (id < 0) refuse(path_, "it is no motion that `cetaev run` wrote");
    return id;
  }

  std::vector<std::string> texts(const char* where, const char* name) const {
    const Handle attribute(checked(h_.H5Aopen_by_name(file_, where, name, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Aclose);
    const Handle space(checked(h_.H5Aget_space(attribute)), h_.H5Sclose);
    hsize_t count = 0;
    checked(h_.H5Sget_simple_extent_dims(space, &count, nullptr));
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

  void put(MotionTable& table, const char* name, const std::vector<std::string>& names) const {
    const Handle data(checked(h_.H5Dopen2(file_, name, H5P_DEFAULT)), h_.H5Dclose);
    const Handle space(checked(h_.H5Dget_space(data)), h_.H5Sclose);
    hsize_t size[2] = {0, 1};
    const int rank = h_.H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2) refuse(path_, fmt::format("{} is no table", name));
    checked(h_.H5Sget_simple_extent_dims(space, size, nullptr));
    if (size[1] != names.size()) refuse(path_, fmt::format("{} has {} columns, not {}", name, size[1], names.size()));
    std::vector<double> values(size[0] * size[1]);
    if (!values.empty()) checked(h_.H5Dread(data, h_.native_double, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    for (std::size_t c = 0; c < names.size(); ++c) {
      table.names.push_back(names[c]);
      auto& column = table.columns.emplace_back();
      for (std::size_t r = 0; r < size[0]; ++r) column.push_back(values[r * names.size() + c]);
    }
    // Forms without multipliers leave their table empty.
    const std::size_t rows = table.columns.front().size();
    for (auto& column : table.columns) column.resize(rows, NAN);
  }

  std::string path_;
  const output::Hdf5Library& h_;
  Handle file_;
};

}  // namespace

MotionTable read_motion(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) refuse(path, "there is no such file");
  if (std::filesystem::is_directory(status)) refuse(path, "it is a directory");
  const bool hdf5 = path.ends_with(".h5") || path.ends_with(".hdf5");
  return hdf5 ? Hdf5Reader(path).read() : read_csv(path);
}

}  // namespace cetaev
