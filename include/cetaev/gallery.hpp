// The models that ship with the program: gallery/*.toml of the source tree, embedded in it, and families with one model
// for every number.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cetaev {

struct GalleryModel {
  std::string_view name;  // the name of its file without .toml, as the command line takes it
  std::string_view text;  // the file, byte for byte
};

// Every model, sorted by name.
std::span<const GalleryModel> gallery();

// One model for every number of its parts: the members of "snake" are "snake-1", "snake-2", ….
struct ModelFamily {
  std::string_view name;
  std::string_view parts;  // what the number counts, for people
  int least = 1;
  int most = 1;
};

std::span<const ModelFamily> model_families();

// The text of a member of a family, written in the way of the gallery, with what is known about it. Throws `bad_model`
// where the number is not between `least` and `most`.
std::string generated_model(const ModelFamily& family, int number);

// The same by name, "trailer-5". Nothing where the name does not end in a number or is that of no family.
std::optional<std::string> generated_model(std::string_view name);

// A model by name: one of the gallery, or a member of a family.
std::optional<std::string> gallery_text(std::string_view name);

}  // namespace cetaev
