// Two models beside each other, for people and for programs: what `cetaev compare A B --map …` and `cetaev limit` print.
#pragma once

#include <string>

#include "cetaev/analysis/two_models.hpp"

namespace cetaev {

// `to` is the model that the other is mapped to.
std::string to_text(const System& to, const TwoModels& found);
std::string to_json(const System& to, const TwoModels& found);
std::string to_text(const Limit& found, const std::string& model, const std::string& other);
std::string to_json(const Limit& found, const std::string& model, const std::string& other);

}  // namespace cetaev
