#include "cetaev/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cetaev/error.hpp"
#include "cetaev/open_model.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct GalleryArguments {
  std::string name;
  std::optional<int> number;  // of parts, for a family
  bool copy = false;
  bool json = false;
};

struct Model {
  std::string name, text;
};

const ModelFamily* family_named(const std::string& name) {
  const auto found = std::ranges::find(model_families(), name, &ModelFamily::name);
  return found == model_families().end() ? nullptr : &*found;
}

std::string family_names() {
  std::string names;
  for (const ModelFamily& family : model_families()) names += (names.empty() ? "" : ", ") + std::string(family.name);
  return names;
}

Model find(const GalleryArguments& options) {
  const std::string& name = options.name;
  const ModelFamily* family = family_named(name);
  if (options.number) {
    if (family == nullptr)
      throw Error(ErrorCode::bad_model, fmt::format("'{}' is one model; --n is for {}", name, family_names()));
    return {fmt::format("{}-{}", name, *options.number), generated_model(*family, *options.number)};
  }
  if (family != nullptr)
    throw Error(ErrorCode::bad_model, fmt::format("say how many {}: `cetaev gallery {} --n 5`", family->parts, name));
  if (std::optional<std::string> text = gallery_text(name)) return {name, std::move(*text)};
  Error error(ErrorCode::bad_model, fmt::format("there is no gallery model '{}'; `cetaev gallery` lists them", name));
  const std::string close = closest_gallery_name(name);
  if (!close.empty()) error.suggest(close);
  throw error;
}

struct Heading {
  std::string_view group, title;
};
constexpr std::array headings = {
    Heading{"papers", "Systems of the papers"},
    Heading{"classics", "Classics"},
    Heading{"teaching", "To begin with"},
};

// By groups, in the order of the headings; what names no group comes last.
std::vector<std::pair<std::string_view, System>> by_groups() {
  std::vector<std::pair<std::string_view, System>> models;
  for (const GalleryModel& model : gallery())
    models.emplace_back(model.name, read_model(model.text, std::string(model.name)));
  std::ranges::stable_sort(models, {}, [](const auto& model) {
    return std::ranges::find(headings, model.second->group, &Heading::group) - headings.begin();
  });
  return models;
}

std::string listing() {
  const auto models = by_groups();
  std::size_t width = 0;
  for (const auto& [name, system] : models) width = std::max(width, name.size());
  std::string text, group;
  for (const auto& [name, system] : models) {
    if (text.empty() || system->group != group) {
      group = system->group;
      const auto heading = std::ranges::find(headings, group, &Heading::group);
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", heading == headings.end() ? "Others" : heading->title);
    }
    text += fmt::format("  {:<{}}  {}\n", name, width, system->name);
  }
  text += "\nFor every number\n";
  for (const ModelFamily& family : model_families()) {
    text += fmt::format("  {:<{}}  N {}, from {} to {}\n", fmt::format("{}-N", family.name), width, family.parts,
                        family.least, family.most);
  }
  return text;
}

std::string listing_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array(), families = nlohmann::ordered_json::array();
  for (const auto& [name, system] : by_groups()) {
    list.push_back({{"name", name},
                    {"title", system->name},
                    {"description", system->description},
                    {"group", system->group},
                    {"source", system->source}});
  }
  for (const ModelFamily& family : model_families()) {
    families.push_back(
        {{"name", family.name}, {"parts", family.parts}, {"least", family.least}, {"most", family.most}});
  }
  return nlohmann::ordered_json{{"gallery", list}, {"families", families}}.dump(2) + "\n";
}

// Never over a file that is already there: it may be the user's work.
void copy(const Model& model, bool json) {
  const std::string path = model.name + ".toml";
  std::FILE* file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr) {
    throw Error(ErrorCode::cannot_write,
                errno == EEXIST ? path + " is there already; it is left as it is" : "cannot write " + path);
  }
  const bool written = std::fwrite(model.text.data(), 1, model.text.size(), file) == model.text.size();
  if (std::fclose(file) != 0 || !written) throw Error(ErrorCode::cannot_write, "cannot write " + path);
  print(json ? nlohmann::ordered_json{{"wrote", path}}.dump(2) + "\n" : "wrote " + path + "\n");
}

int run(const GalleryArguments& options) {
  if (options.name.empty()) {
    if (options.copy || options.number)
      throw Error(ErrorCode::bad_model,
                  fmt::format("{} needs the name of a gallery model", options.copy ? "--copy" : "--n"));
    print(options.json ? listing_json() : listing());
    return 0;
  }
  const Model model = find(options);
  if (options.copy) {
    copy(model, options.json);
  } else if (options.json) {
    print(nlohmann::ordered_json{{"name", model.name}, {"text", model.text}}.dump(2) + "\n");
  } else {
    print(model.text);
  }
  return 0;
}

}  // namespace

Command gallery_command() {
  auto options = std::make_shared<GalleryArguments>();
  Command command = {.name = "gallery",
                     .summary = "the models that ship with the program",
                     .examples = {"cetaev gallery skate --copy", "cetaev gallery trailer --n 5"},
                     .action = [options] { return run(*options); }};
  command.add({.names = "NAME", .help = "print this model", .value = text(options->name, Value::Kind::gallery_name)});
  command.add({.names = "--n",
               .shown = "N",
               .help = "how many parts, for a family such as snake and trailer",
               .value = number(options->number)});
  command.add(
      {.names = "--copy", .help = "write it to NAME.toml in the current folder instead", .value = flag(options->copy)});
  command.add(json_option(options->json));
  return command;
}

}  // namespace cetaev::app
