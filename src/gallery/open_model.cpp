#include "cetaev/open_model.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cetaev/detail/text/closest.hpp"
#include "cetaev/error.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/motion.hpp"

namespace cetaev {

std::string closest_gallery_name(const std::string& name) {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery()) names.emplace_back(model.name);
  return text::closest(name, names);
}

namespace {

// A form or a method that does not exist is an error of the model for everyone, also for those who run no motion.
System with_known_defaults(System system) {
  (void)default_options(system);
  return system;
}

}  // namespace

System open_model_text(const std::string& text, const std::string& file, const ModelChanges& changes) {
  return with_known_defaults(read_model_with(changes, text, file));
}

System open_model(const std::string& name, const ModelChanges& changes) {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(name, problem);
  const bool there = std::filesystem::exists(status);
  if (there && !std::filesystem::is_directory(status)) return with_known_defaults(read_model_file_with(changes, name));
  if (const std::optional<std::string> text = gallery_text(name))
    return open_model_text(*text, name + ".toml", changes);
  // A folder, or a file behind one that may not be entered: reading it says what is wrong.
  if (there || (problem && problem != std::errc::no_such_file_or_directory)) return read_model_file_with(changes, name);
  Error error(ErrorCode::bad_model,
              fmt::format("there is no file '{}' and no gallery model of that name; `cetaev gallery` "
                          "lists the gallery",
                          name));
  const std::string close = closest_gallery_name(name);
  if (!close.empty()) error.suggest(close);
  throw error;
}

}  // namespace cetaev
