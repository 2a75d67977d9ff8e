// A model by what a user calls it: the path of a file, or a name of the gallery.
#pragma once

#include <string>

#include "cetaev/model/read.hpp"

namespace cetaev {

// The gallery model that is spelled most like this; empty where none is close.
std::string closest_gallery_name(const std::string& name);

// A file of that name before a gallery model of that name. Throws as read_model, also where [simulation] names a form or a method that
// does not exist, and bad-model with the closest name where there is neither.
System open_model(const std::string& name, const ModelChanges& changes = {});
// The same from the text of a model file.
System open_model_text(const std::string& text, const std::string& file, const ModelChanges& changes = {});

}  // namespace cetaev
