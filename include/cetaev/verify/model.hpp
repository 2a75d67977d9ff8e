// What a model claims about itself, put to the test: the answers of check ([expect]), constants of the motion ([integrals]) and
// the motion itself ([closed_form]); and what must hold for every model: the principles that have to agree do, the balance of
// energy closes, the computed motion keeps both.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

struct VerifiedItem {
  enum class Kind { expectation, integral, closed_form, forms, energy, motion };
  enum class Outcome { holds, fails, does_not_apply };

  Kind kind = Kind::expectation;
  std::string name;  // "conic", the name of the integral, of the coordinate, of the principle
  Outcome outcome = Outcome::holds;
  std::string evidence;                    // on what ground; what is wrong; why it does not apply
  std::optional<SourcePosition> position;  // of the claim in the model file
};
std::string_view to_string(VerifiedItem::Kind kind);
std::string_view to_string(VerifiedItem::Outcome outcome);

struct VerifiedModel {
  std::string name;   // as it was asked for
  std::string title;  // the model's own name
  std::vector<VerifiedItem> items;
  std::optional<Error> error;  // why it could not be examined at all
  double seconds = 0;
  bool passed() const;
};

// Throws what check throws: inconsistent-constraints, bad-model.
VerifiedModel verify_model(const System& system);

// A model by name, read when its turn comes.
struct ModelToVerify {
  std::string name;
  std::function<System()> read;
};
struct VerifyOptions {
  // After each model, in no particular order but never two at once.
  std::function<void(const VerifiedModel& model, std::size_t done, std::size_t total)> progress;
  std::function<bool()> interrupted;  // asked before each model: true ends the work
  std::size_t threads = 0;            // 0: as many as there are processors
};
// In their order; fewer when interrupted. A model that cannot be read or examined carries its error.
std::vector<VerifiedModel> verify_models(std::span<const ModelToVerify> models, const VerifyOptions& options = {});

// A table with a line for each model and what fails below it; with `every_item` each item has its line.
std::string to_text(std::span<const VerifiedModel> models, bool every_item);
std::string to_json(std::span<const VerifiedModel> models);

}  // namespace cetaev
