// Points, definitions and parameters: everything that gives a name to an expression.
#include <algorithm>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

void ModelReader::collect_points() {
  const TomlValue* list = optional_array("points", "a list of tables, each beginning with [[points]]");
  if (list == nullptr) return;
  static const std::vector<std::string> keys = {"name", "mass", "position"};
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const TomlValue& table = list->elements[i];
    expect(source_, table, TomlValue::Kind::table, "a point", "a table with 'mass' and 'position'");
    check_keys(source_, table, keys, " in [[points]]");

    Named named{.name = {}, .kind = NameKind::point, .index = i, .parts = {}};
    if (const Entry* name = table.find("name")) {
      expect(source_, name->value, TomlValue::Kind::string, "the name of a point", "a string");
      named.name = name->value.text;
      add_name(named.name, NameKind::point, i, {}, string_place(name->value));
    }
    const Entry* position = table.find("position");
    const std::string whose = named.name.empty() ? "point " + std::to_string(i + 1) : named.name;
    if (position == nullptr)
      fail("point " + in_quotes(named.name.empty() ? std::to_string(i + 1) : named.name) + " has no 'position'",
           table.offset);
    named.parts = vector_parts(position->value, "the position of " + whose);
    system_.points.push_back({named.name, system_.context->zero(), {}});
    add_named(std::move(named));
  }
}

void ModelReader::collect_definitions() {
  const TomlValue* table = optional_table("definitions", "a table of expressions");
  if (table == nullptr) return;
  for (std::size_t i = 0; i < table->entries.size(); ++i) {
    const Entry& entry = table->entries[i];
    add_name(entry.key, NameKind::definition, i, {}, entry.offset);
    Named named{.name = entry.key, .kind = NameKind::definition, .index = i, .parts = {}};
    named.parts.push_back(expression(source_, entry.value, "the definition " + in_quotes(entry.key)));
    add_named(std::move(named));
  }
}

void ModelReader::add_named(Named named) {
  if (!named.name.empty()) named_places_.emplace(named.name, named_.size());
  named_.push_back(std::move(named));
}

// "defined in a circle: d → e → d"; of a long one its beginning and its end.
std::string ModelReader::describe_circle(std::span<const std::size_t> items) const {
  constexpr std::size_t shown = 10;
  std::string text = "defined in a circle: ";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == shown && items.size() > shown + 1) {
      text += "… → ";
      i = items.size() - 1;
    }
    text += named_[items[i]].name + " → ";
  }
  return text + named_[items[0]].name;
}

std::vector<ModelReader::Use> ModelReader::uses_of(const Named& named) const {
  std::vector<Use> uses;
  const auto add = [&](std::string_view name, std::size_t part, std::size_t offset) {
    const auto found = named_places_.find(std::string(name));
    if (found != named_places_.end()) uses.push_back({found->second, part, offset});
  };
  for (std::size_t p = 0; p < named.parts.size(); ++p) {
    const Syntax& syntax = named.parts[p].syntax;
    // A frame is also used by F([a, b, c]). Names that nobody knows are reported when the expression is read.
    for (const SyntaxNode& node : syntax.nodes)
      if (node.kind == SyntaxNode::Kind::name || node.kind == SyntaxNode::Kind::call)
        add(syntax.text_of(node), p, node.offset);
  }
  for (const Named::Use& use : named.uses) add(use.name, named.parts.size(), use.offset);
  return uses;
}

// Every one of them after those it uses. Depth first with a stack of its own: chains may be long.
std::vector<std::size_t> ModelReader::resolution_order() const {
  std::vector<std::vector<Use>> uses(named_.size());
  for (std::size_t i = 0; i < named_.size(); ++i) uses[i] = uses_of(named_[i]);

  enum class Mark { untouched, open, done };
  std::vector<Mark> marks(named_.size(), Mark::untouched);
  std::vector<std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> path;  // an item and the next of its uses
  for (std::size_t start = 0; start < named_.size(); ++start) {
    if (marks[start] != Mark::untouched) continue;
    path.emplace_back(start, 0);
    marks[start] = Mark::open;
    while (!path.empty()) {
      auto& [item, next] = path.back();
      if (next == uses[item].size()) {
        marks[item] = Mark::done;
        order.push_back(item);
        path.pop_back();
        continue;
      }
      const Use& use = uses[item][next++];
      if (marks[use.of] == Mark::untouched) {
        marks[use.of] = Mark::open;
        path.emplace_back(use.of, 0);
      } else if (marks[use.of] == Mark::open) {
        const auto first =
            std::find_if(path.begin(), path.end(), [&](const auto& step) { return step.first == use.of; });
        std::vector<std::size_t> circle;
        for (auto step = first; step != path.end(); ++step) circle.push_back(step->first);
        const Named& named = named_[item];
        if (use.part >= named.parts.size()) fail(describe_circle(circle), use.offset);
        named.parts[use.part].origin.fail(ErrorCode::bad_model, describe_circle(circle), use.offset);
      }
    }
  }
  return order;
}

void ModelReader::elaborate(Named& named) {
  switch (named.kind) {
    case NameKind::point: named.value = vector_value(named.parts, Contents::positions()); break;
    case NameKind::frame: make_frame(named); break;
    case NameKind::body: {
      const WrittenBody& body = written_bodies_[named.index];
      named.value = vector_value(named.parts, Contents::positions());
      named.value.frame =
          frame_named(body.frame, body.frame_offset, "'frame' of " + body_in_words(named.name, named.index));
      break;
    }
    case NameKind::contact: make_contact(named); break;
    default: named.value = elaborator_->quantity(named.parts[0]);
  }
  if (!named.name.empty()) names_->set_value(named.name, named.value);
}

// A contact needs the values of the start, and so of the parameters: on which side of the wheel it lies.
std::vector<bool> ModelReader::behind_contacts(std::span<const std::size_t> order) const {
  std::vector<bool> behind(named_.size(), false);
  for (const std::size_t i : order) {
    behind[i] = named_[i].kind == NameKind::contact;
    for (const Use& use : uses_of(named_[i])) {
      if (!behind[use.of]) continue;
      behind[i] = true;
      if (named_[i].kind != NameKind::frame) continue;
      const std::string message =
          "the frame " + in_quotes(named_[i].name) + " depends on a contact, " + in_quotes(named_[use.of].name);
      if (use.part >= named_[i].parts.size()) fail(message, use.offset);
      named_[i].parts[use.part].origin.fail(ErrorCode::bad_model, message, use.offset);
    }
  }
  return behind;
}

std::vector<ExpressionText> ModelReader::vector_parts(const TomlValue& value, const std::string& what) const {
  std::vector<ExpressionText> parts;
  if (value.kind == TomlValue::Kind::array) {
    const auto& components = value.elements;
    if (components.size() != 3)
      fail((what.starts_with("the position") ? "a position" : what) + " has three components, found " +
               std::to_string(components.size()),
           value.offset);
    for (const TomlValue& component : components) parts.push_back(expression(source_, component, what));
  } else if (value.kind == TomlValue::Kind::string) {
    parts.push_back(expression(source_, value, what));
  } else {
    wrong_type(source_, value, what, "an array of three expressions");
  }
  return parts;
}

Quantity ModelReader::vector_value(std::span<const ExpressionText> parts, const Contents& contents) {
  const ExpressionText& first = parts[0];
  if (parts.size() == 1) {
    Quantity value = elaborator_->quantity(first, contents);
    if (!value.vector)
      first.origin.fail(ErrorCode::bad_model, "a scalar where a vector is needed: " + first.what,
                        first.syntax.nodes[first.syntax.left].offset);
    return value;
  }
  Quantity value{{}, true, contents.velocities ? 1 : 0};
  for (std::size_t i = 0; i < 3; ++i) value.components[i] = elaborator_->scalar(parts[i], contents);
  return value;
}

void ModelReader::resolve_named() {
  const std::vector<std::size_t> order = resolution_order();
  const std::vector<bool> behind = behind_contacts(order);
  for (const std::size_t i : order)
    if (!behind[i]) elaborate(named_[i]);
  read_parameters();
  check_axes();
  if (!written_contacts_.empty()) read_start();
  for (const std::size_t i : order)
    if (behind[i]) elaborate(named_[i]);
  check_axes();
  for (const Named& named : named_) {
    const Quantity& value = named.value;
    if (named.kind == NameKind::point) system_.points[named.index].position = value.components;
    if (named.kind == NameKind::definition)
      system_.definitions.push_back({named.name, {value.span().begin(), value.span().end()}});
  }
}

void ModelReader::read_parameters() {
  const TomlValue* table = optional_table("parameters", "a table");
  if (table == nullptr) return;
  for (std::size_t i = 0; i < table->entries.size(); ++i) {
    const Entry& entry = table->entries[i];
    const std::string what = "the parameter " + in_quotes(entry.key);
    Contents contents = Contents::constants();
    contents.parameters_before = i;
    if (entry.value.kind == TomlValue::Kind::table || entry.value.kind == TomlValue::Kind::array) {
      const auto keys = model_keys();
      if (std::find(keys.begin(), keys.end(), entry.key) != keys.end())
        unknown_key(source_, entry, keys, " in [parameters]");
    }
    const ExpressionText text = expression(source_, entry.value, what);
    Parameter& parameter = system_.parameters[i];
    parameter.definition = elaborator_->scalar(text, contents);
    const auto setting = overrides_.find(entry.key);
    if (setting != overrides_.end()) {
      parameter.definition = elaborator_->scalar(*setting->second->value, contents);
      require_finite(parameter.definition, *setting->second->value);
    } else {
      require_finite(parameter.definition, text);
    }
    parameter_values_.emplace(parameter.symbol.id(), value_of(parameter.definition));
  }
}

}  // namespace cetaev::model
