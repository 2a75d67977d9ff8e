#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "cetaev/error.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "command.hpp"

namespace cetaev::app {

void add_model_arguments(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.model, "a model file, or the name of a gallery model")->required();
  command
      .add_option("--set", options.settings,
                  "override a parameter, x or x' of the initial state, or t: NAME=VALUE (repeatable)")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  add_model_arguments(command, options);
  command.add_flag("--json", options.json, "print one JSON document");
}

void add_form_option(CLI::App& command, std::vector<std::string>& forms, const std::string& help) {
  std::vector<std::string> names;
  for (const Principle& principle : principles()) names.emplace_back(principle.name);
  command.add_option("--form", forms, help)
      ->type_name("NAME")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->check(CLI::IsMember(names));
}

namespace {

// Insertions, deletions and replacements that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string closest_gallery_name(const std::string& name) {
  std::string best;
  std::size_t distance = name.size() / 3 + 2;
  for (const GalleryModel& model : gallery()) {
    const std::size_t d = edit_distance(name, model.name);
    if (d < distance) {
      distance = d;
      best = model.name;
    }
  }
  return best;
}

namespace {

// A form or a method that does not exist is an error of the model for every command, also for those that run no motion.
System with_known_defaults(System system) {
  (void)default_options(system);
  return system;
}

}  // namespace

System load(const ModelOptions& options) {
  const std::string& name = options.model;
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(name, problem);
  const bool there = std::filesystem::exists(status);
  if (there && !std::filesystem::is_directory(status))
    return with_known_defaults(read_model_file(name, options.settings));
  if (const std::optional<std::string> text = gallery_text(name))
    return with_known_defaults(read_model(*text, name + ".toml", options.settings));
  // A folder, or a file behind one that may not be entered: reading it says what is wrong.
  if (there || (problem && problem != std::errc::no_such_file_or_directory))
    return read_model_file(name, options.settings);
  Error error(ErrorCode::bad_model,
              fmt::format("there is no file '{}' and no gallery model of that name; `cetaev gallery` "
                          "lists the gallery",
                          name));
  const std::string close = closest_gallery_name(name);
  if (!close.empty()) error.suggest(close);
  throw error;
}

namespace {

template <class Number>
bool reads_as(std::string_view text) {
  // one sign, and a plus that from_chars does not know
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string is_number(const std::string& text) {
  return reads_as<double>(text) ? "" : fmt::format("'{}' is not a decimal number", text);
}

std::string is_whole_number(const std::string& text) {
  return reads_as<long>(text) || reads_as<unsigned long>(text) ? "" : fmt::format("'{}' is not a whole number", text);
}

void spare_input(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored) && std::filesystem::is_regular_file(input, ignored))
    throw Error(ErrorCode::bad_model, fmt::format("'{}' is the input of this command and is not overwritten", output));
}

void require_name(const CLI::Option& option, const std::string& name) {
  if (option.count() > 0 && name.empty()) throw Error(ErrorCode::bad_model, "-o needs the name of a file");
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw Error(ErrorCode::cannot_write, "cannot write to standard output");
}

void write_file(const std::string& path, const std::string& text) {
  const auto refuse = [&](int problem) {
    throw Error(ErrorCode::cannot_write,
                fmt::format("cannot write '{}': {}", path, std::generic_category().message(problem)));
  };
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(there)) refuse(EISDIR);
  // A device or a pipe cannot be replaced; a file is, once the new one is complete.
  const bool replace = !std::filesystem::exists(there) || std::filesystem::is_regular_file(there);
  const std::string target = replace ? fmt::format("{}.{}.part", path, getpid()) : path;
  std::FILE* file = std::fopen(target.c_str(), "wb");
  if (file == nullptr) refuse(errno);
  int problem = std::fwrite(text.data(), 1, text.size(), file) == text.size() ? 0 : errno;
  if (std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && replace && std::rename(target.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  if (replace) std::remove(target.c_str());
  refuse(problem);
}

}  // namespace cetaev::app
