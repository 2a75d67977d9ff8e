// Sweeps as tables.
#include <fmt/format.h>

#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "cetaev/detail/numeric/checksum.hpp"
#include "cetaev/detail/output/beside.hpp"
#include "cetaev/detail/output/csv_cell.hpp"
#include "cetaev/detail/output/own_column.hpp"
#include "cetaev/output/sweep_file.hpp"
#include "target.hpp"

namespace cetaev {

namespace {

// In an attribute of the file, for readers of tables take everything in it for numbers.
constexpr const char* says_of_what = "user.cetaev.sweep";

std::string sweep_mark(std::uint32_t sweep) { return fmt::format("sweep crc32 {:08x}", sweep); }
std::string mark_of(std::uint32_t sweep, std::uint32_t table) {
  return fmt::format("{}, table crc32 {:08x}", sweep_mark(sweep), table);
}

}  // namespace

std::vector<std::string> table_names(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  std::vector<std::string> names = inputs;
  const auto add = [&](const std::string& name) {
    const bool taken = std::find(names.begin(), names.end(), name) != names.end();
    names.push_back(taken ? "end(" + name + ")" : name);
  };
  for (const std::string& name : outputs) add(name);
  if (!has_time(outputs)) add("t");
  return names;
}

bool has_time(const std::vector<std::string>& outputs) {
  return std::find(outputs.begin(), outputs.end(), "t") != outputs.end();
}

void write_csv(const SweepFile& sweep, const std::string& path) {
  const std::string place = output::replaced_by(path), made = output::beside(place);
  std::FILE* const file = std::fopen(made.c_str(), "wbe");
  if (file == nullptr) output::refuse(path, errno);
  int problem = 0;
  std::uint32_t sum = 0;
  const auto put = [&](const std::string& text) {
    sum = checksum_of(text.data(), text.size(), sum);
    if (problem == 0 && std::fwrite(text.data(), 1, text.size(), file) != text.size()) problem = errno;
  };
  std::string line;
  const std::vector<std::string> names = table_names(sweep.inputs(), sweep.outputs());
  for (const std::string& name : names) line += output::csv_cell(name) + ",";
  put(line + output::own_column("status", names) + "," + output::own_column("diagnosis", names) + "\n");
  const std::size_t inputs = sweep.inputs().size(), outputs = sweep.outputs().size();
  const bool time_is_there = has_time(sweep.outputs());
  for (std::size_t block = 0; block < sweep.blocks() && problem == 0; ++block) {
    const SweepRows rows = sweep.read(block);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      line.clear();
      const auto add = [&](double value) { line += std::isfinite(value) ? fmt::format("{},", value + 0.0) : ","; };
      for (std::size_t j = 0; j < inputs; ++j) add(rows.inputs[i * inputs + j]);
      for (std::size_t j = 0; j < outputs; ++j) add(rows.outputs[i * outputs + j]);
      if (!time_is_there) add(rows.t[i]);
      line += to_string(rows.status[i]) + ",";
      if (rows.diagnosis[i]) line += to_string(*rows.diagnosis[i]);
      put(line + "\n");
    }
  }
  const std::string mark = mark_of(sweep.fingerprint(), sum);
  (void)fsetxattr(fileno(file), says_of_what, mark.data(), mark.size(), 0);  // not everywhere
  if (std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && std::rename(made.c_str(), place.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  unlink(made.c_str());
  output::refuse(path, problem);
}

TableThere table_there(const std::string& path, const SweepFile& sweep) {
  TableThere result;
  std::array<char, 128> mark{};
  const ssize_t size = getxattr(path.c_str(), says_of_what, mark.data(), mark.size());
  if (size < 0) return result;
  std::ifstream in(path, std::ios::binary);
  std::uint32_t sum = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line); ++number) {
    line += "\n";
    sum = checksum_of(line.data(), line.size(), sum);
    // the words of the last two columns have no commas
    const std::size_t last = line.rfind(','), before = line.rfind(',', last == 0 ? 0 : last - 1);
    if (number > 0 && last != std::string::npos && before < last)
      ++result.statuses[line.substr(before + 1, last - before - 1)];
  }
  const std::string_view said(mark.data(), static_cast<std::size_t>(size));
  const std::uint32_t fingerprint = sweep.fingerprint();
  if (said == mark_of(fingerprint, sum) && number == sweep.count() + 1) {
    result.of = TableThere::Of::this_sweep;
  } else if (said.substr(0, said.find(',')) != sweep_mark(fingerprint)) {
    result.of = TableThere::Of::another;
  }
  return result;
}

}  // namespace cetaev
