#include "expectations.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cetaev::verify {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ExpectedValue& value) {
  switch (value.kind) {
    case ExpectedValue::Kind::null: return nullptr;
    case ExpectedValue::Kind::boolean: return value.boolean;
    case ExpectedValue::Kind::number:
      if (value.number == static_cast<double>(static_cast<long>(value.number))) return static_cast<long>(value.number);
      return value.number;
    case ExpectedValue::Kind::text: return value.text;
    case ExpectedValue::Kind::list: {
      Json list = Json::array();
      for (const ExpectedValue& element : value.elements) list.push_back(to_json(element));
      return list;
    }
  }
  return nullptr;
}

// "conic" of the first constraint: "order of constraint 1"
std::string name_of(const Expectation& expectation) {
  const std::string start = "/constraints/";
  if (!expectation.path.starts_with(start)) return expectation.key;
  return fmt::format("{} of constraint {}", expectation.key, 1 + std::stoul(expectation.path.substr(start.size())));
}

}  // namespace

std::vector<VerifiedItem> verify_expectations(const System& system, const Check& check) {
  std::vector<VerifiedItem> items;
  if (system->expectations.empty()) return items;
  const Json said = Json::parse(cetaev::to_json(system, check));
  for (const Expectation& expectation : system->expectations) {
    VerifiedItem item{VerifiedItem::Kind::expectation, name_of(expectation), VerifiedItem::Outcome::holds, "",
                      expectation.position};
    const Json wanted = to_json(expectation.value);
    const Json::json_pointer path(expectation.path);
    Json found = said.contains(path) ? said.at(path) : Json();
    if (expectation.path == "/state") found = found.is_object() ? found.at("code") : Json("fine");
    item.evidence = wanted.dump();
    if (found != wanted) {
      item.outcome = VerifiedItem::Outcome::fails;
      item.evidence = fmt::format("the model expects {}, check says {}", wanted.dump(),
                                  said.contains(path) || expectation.path == "/state" ? found.dump() : "nothing");
    }
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace cetaev::verify
