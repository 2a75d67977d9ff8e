#include "cetaev/output/motion_file.hpp"

#include <filesystem>
#include <system_error>

#include "cetaev/error.hpp"

namespace cetaev {

std::vector<std::string> variation_columns(const System& system, const std::vector<std::string>& variations) {
  std::vector<std::string> columns;
  for (const std::string& name : variations) {
    for (const char* mark : {"", "'"}) {
      for (const std::string& x : system->coordinates) columns.push_back("d(" + x + mark + ")/d(" + name + ")");
    }
  }
  return columns;
}

std::unique_ptr<MotionFile> open_motion_file(const System& system, const MotionOptions& options,
                                             const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return open_csv(system, path, options.variations);
  if (ending == ".h5" || ending == ".hdf5") return open_hdf5(system, options, path);
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) return open_csv(system, path, options.variations);
  throw Error(ErrorCode::bad_model, "the name of the file for the motion ends in .csv or .h5: '" + path + "' does not");
}

}  // namespace cetaev
