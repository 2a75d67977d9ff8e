#include "cetaev/gallery.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options {
  std::string name;
  bool copy = false;
  bool json = false;
};

const GalleryModel& find(const std::string& name) {
  for (const GalleryModel& model : gallery()) {
    if (model.name == name) return model;
  }
  Error error(ErrorCode::bad_model, fmt::format("there is no gallery model '{}'; `cetaev gallery` lists them", name));
  const std::string close = closest_gallery_name(name);
  if (!close.empty()) error.suggest(close);
  throw error;
}

std::string listing() {
  std::size_t width = 0;
  for (const GalleryModel& model : gallery()) width = std::max(width, model.name.size());
  std::string text;
  for (const GalleryModel& model : gallery()) {
    text += fmt::format("{:<{}}  {}\n", model.name, width, read_model(model.text, std::string(model.name)).name);
  }
  return text;
}

std::string listing_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const GalleryModel& model : gallery()) {
    const System system = read_model(model.text, std::string(model.name));
    list.push_back({{"name", model.name}, {"title", system.name}, {"description", system.description}});
  }
  return nlohmann::ordered_json{{"gallery", list}}.dump(2) + "\n";
}

// Never over a file that is already there: it may be the user's work.
void copy(const GalleryModel& model, bool json) {
  const std::string path = std::string(model.name) + ".toml";
  std::FILE* file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr) {
    throw Error(ErrorCode::cannot_write,
                errno == EEXIST ? path + " is there already; it is left as it is" : "cannot write " + path);
  }
  const bool written = std::fwrite(model.text.data(), 1, model.text.size(), file) == model.text.size();
  if (std::fclose(file) != 0 || !written) throw Error(ErrorCode::cannot_write, "cannot write " + path);
  print(json ? nlohmann::ordered_json{{"wrote", path}}.dump(2) + "\n" : "wrote " + path + "\n");
}

int run(const Options& options) {
  if (options.name.empty()) {
    if (options.copy) throw Error(ErrorCode::bad_model, "--copy needs the name of a gallery model");
    print(options.json ? listing_json() : listing());
    return 0;
  }
  const GalleryModel& model = find(options.name);
  if (options.copy) {
    copy(model, options.json);
  } else if (options.json) {
    print(nlohmann::ordered_json{{"name", model.name}, {"text", model.text}}.dump(2) + "\n");
  } else {
    print(std::string(model.text));
  }
  return 0;
}

}  // namespace

void add_gallery(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("gallery", "the models that ship with the program");
  auto options = std::make_shared<Options>();
  command->add_option("NAME", options->name, "print this model");
  command->add_flag("--copy", options->copy, "write it to NAME.toml in the current folder instead");
  command->add_flag("--json", options->json, "print one JSON document");
  command->footer("Example: cetaev gallery skate --copy");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
