#include "cetaev/detail/output/write_text.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cetaev/detail/output/existing.hpp"
#include "cetaev/error.hpp"

namespace cetaev::output {

void write_text(const std::string& path, const std::string& text) {
  const auto refuse = [&](int problem) {
    throw Error(ErrorCode::cannot_write,
                fmt::format("cannot write '{}': {}", path, std::generic_category().message(problem)));
  };
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(there)) refuse(EISDIR);
  const bool replace = !std::filesystem::exists(there) || std::filesystem::is_regular_file(there);
  const std::string target = replace ? fmt::format("{}.{}.part", path, getpid()) : path;
  std::FILE* file = replace ? std::fopen(target.c_str(), "wb") : fdopen(output::open_existing(target), "wb");
  if (file == nullptr) refuse(errno);
  int problem = std::fwrite(text.data(), 1, text.size(), file) == text.size() ? 0 : errno;
  if (std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && replace && std::rename(target.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  if (replace) std::remove(target.c_str());
  refuse(problem);
}

}  // namespace cetaev::output
