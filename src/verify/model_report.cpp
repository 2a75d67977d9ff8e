#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "../report/layout.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev {

namespace {

using ItemKind = VerifiedItem::Kind;
using Outcome = VerifiedItem::Outcome;
using Json = nlohmann::ordered_json;

constexpr std::array kinds = {ItemKind::expectation, ItemKind::integral, ItemKind::closed_form,
                              ItemKind::forms,       ItemKind::energy,   ItemKind::motion};
constexpr std::array headings = {"expect", "integrals", "closed form", "forms", "energy", "motion"};

// "7", "6 of 7" where one fails, "-" where there is nothing
std::string tally(const VerifiedModel& model, ItemKind kind) {
  std::size_t all = 0, fails = 0;
  for (const VerifiedItem& item : model.items) {
    if (item.kind != kind || item.outcome == Outcome::does_not_apply) continue;
    ++all;
    if (item.outcome == Outcome::fails) ++fails;
  }
  if (all == 0) return "-";
  return fails == 0 ? std::to_string(all) : fmt::format("{} of {}", all - fails, all);
}

std::string place(const VerifiedItem& item) {
  return item.position ? fmt::format("{}:{}: ", one_line(item.position->file), item.position->line) : std::string();
}

std::string item_line(const VerifiedItem& item) {
  return fmt::format("  {:<14}  {} {}: {}{}\n", to_string(item.outcome), to_string(item.kind), one_line(item.name),
                     item.outcome == Outcome::fails ? place(item) : "", one_line(item.evidence));
}

}  // namespace

std::string to_text(std::span<const VerifiedModel> models, bool every_item) {
  std::size_t widest = 5, failed = 0;
  for (const VerifiedModel& model : models) widest = std::max(widest, width(one_line(model.name)));
  std::string text = pad("model", widest);
  for (const char* heading : headings)
    text += fmt::format("  {:>{}}", heading, std::max<std::size_t>(7, std::string_view(heading).size()));
  text += "\n";
  for (const VerifiedModel& model : models) {
    text += pad(one_line(model.name), widest);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      text += fmt::format("  {:>{}}", model.error ? "-" : tally(model, kinds[i]),
                          std::max<std::size_t>(7, std::string_view(headings[i]).size()));
    text += model.passed() ? "  holds\n" : "  FAILS\n";
    if (!model.passed()) ++failed;
    if (model.error) {
      const auto& position = model.error->position();
      text += fmt::format("  {}{}\n", position ? fmt::format("{}:{}: ", one_line(position->file), position->line) : "",
                          one_line(model.error->message()));
    }
    for (const VerifiedItem& item : model.items)
      if (every_item || item.outcome == Outcome::fails) text += item_line(item);
  }
  if (failed > 0) {
    text += fmt::format("{} of {} {}.\n", failed, models.size(), models.size() == 1 ? "model fails" : "models fail");
  } else {
    text += models.size() == 1 ? "Everything holds.\n" : fmt::format("Everything holds in {} models.\n", models.size());
  }
  return text::printable(text);
}

std::string to_json(std::span<const VerifiedModel> models) {
  Json list = Json::array();
  bool passed = true;
  for (const VerifiedModel& model : models) {
    Json entry{{"name", model.name}, {"title", model.title}, {"passed", model.passed()}};
    passed = passed && model.passed();
    if (model.error) {
      entry["error"] = Json{{"code", to_string(model.error->code())}, {"message", model.error->message()}};
      if (const auto& position = model.error->position()) {
        entry["error"]["file"] = position->file;
        entry["error"]["line"] = position->line;
        entry["error"]["column"] = position->column;
      }
    }
    entry["items"] = Json::array();
    for (const VerifiedItem& item : model.items) {
      Json one{{"kind", to_string(item.kind)},
               {"name", item.name},
               {"outcome", to_string(item.outcome)},
               {"evidence", item.evidence}};
      if (item.position) {
        one["file"] = item.position->file;
        one["line"] = item.position->line;
        one["column"] = item.position->column;
      }
      entry["items"].push_back(std::move(one));
    }
    entry["seconds"] = model.seconds;
    list.push_back(std::move(entry));
  }
  const Json document{{"passed", passed}, {"models", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cetaev
