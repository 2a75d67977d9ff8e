#include "cetaev/output/read_motion.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "cetaev/detail/output/own_column.hpp"
#include "cetaev/error.hpp"
#include "cetaev/output/sweep_file.hpp"
#include "read_hdf5.hpp"

namespace cetaev {

namespace {

using output::refuse_motion;

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

MotionTable read_csv(const std::string& path, const std::vector<std::string>& wanted) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse_motion(path, "it cannot be opened");
  MotionTable table;
  std::string line;
  if (!std::getline(in, line)) refuse_motion(path, "it is empty; a table begins with the names of its columns");
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // which some programs write in front
  if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  table.names = cells(line);
  const std::size_t cell_count = table.names.size();
  // words, not numbers: how each motion of a sweep has ended
  const auto is_own = [&](std::size_t i, const std::string& name) {
    return table.names[i] == output::own_column(name, std::span(table.names).first(cell_count - 2));
  };
  const bool sweep = cell_count > 3 && is_own(cell_count - 2, "status") && is_own(cell_count - 1, "diagnosis");
  if (sweep) {
    table.names.resize(cell_count - 2);
    table.inputs = 1;
  }
  table.columns.resize(table.names.size());
  const auto may_hold_words = [&](const std::string& name) {
    return !wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end();
  };
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const std::vector<std::string> values = cells(line);
    const auto fail = [&](std::size_t column, const std::string& why) {
      Error error(ErrorCode::bad_model, why);
      error.at({path, number, column, line});
      throw error;
    };
    if (values.size() != cell_count)
      fail(1, fmt::format("this line has {} {}, the first has {}", values.size(), values.size() == 1 ? "cell" : "cells",
                          cell_count));
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      const std::string& text = values[i];
      double value = NAN;
      if (!text.empty()) {
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool is_number = problem == std::errc() && end == text.data() + text.size();
        if (!is_number && may_hold_words(table.names[i])) {
          value = NAN;
        } else if (!is_number) {
          const std::size_t at = line.find(text);
          fail(at == std::string::npos ? 1 : at + 1, fmt::format("'{}' is not a number", text));
        }
      }
      table.columns[i].push_back(value);
    }
  }
  return table;
}

// Whole blocks, so many apart that no more than enough are read.
MotionTable read_sweep(const std::string& path) {
  constexpr std::size_t enough = 2'000'000;
  const SweepFile sweep = SweepFile::open(path);
  MotionTable table;
  table.names = table_names(sweep.inputs(), sweep.outputs());
  table.columns.resize(table.names.size());
  table.inputs = sweep.inputs().size();
  const std::size_t outputs = sweep.outputs().size();
  const bool time_is_there = has_time(sweep.outputs());
  for (std::size_t block = 0; block < sweep.blocks(); block += sweep.count() / enough + 1) {
    if (!sweep.has(block)) continue;
    const SweepRows rows = sweep.read(block);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t j = 0; j < table.inputs; ++j) table.columns[j].push_back(rows.inputs[i * table.inputs + j]);
      for (std::size_t j = 0; j < outputs; ++j)
        table.columns[table.inputs + j].push_back(rows.outputs[i * outputs + j]);
      if (!time_is_there) table.columns.back().push_back(rows.t[i]);
    }
  }
  return table;
}

}  // namespace

MotionTable read_motion(const std::string& path, const std::vector<std::string>& wanted) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) refuse_motion(path, "there is no such file");
  if (std::filesystem::is_directory(status)) refuse_motion(path, "it is a directory");
  if (!path.ends_with(".h5") && !path.ends_with(".hdf5")) return read_csv(path, wanted);
  if (!std::filesystem::is_regular_file(status)) refuse_motion(path, "it is no file on a disk");
  if (SweepFile::is_one(path)) return read_sweep(path);
  return output::read_hdf5(path);
}

}  // namespace cetaev
