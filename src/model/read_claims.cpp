// What a model says about its own motion.
#include <algorithm>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {

// Constants of the motion, by names that stand for nothing but themselves.
void ModelReader::read_integrals() {
  const TomlValue* table = optional_table("integrals", "a table of expressions");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    system_.integrals.push_back(
        {entry.key,
         elaborator_->scalar(expression(source_, entry.value, "the integral " + in_quotes(entry.key)),
                             Contents::velocities_too()),
         source_.position(entry.value.offset)});
  }
}

// Coordinates as functions of time, from the initial state on.
void ModelReader::read_closed_form() {
  const TomlValue* table = optional_table("closed_form", "a table of expressions in t by coordinate");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    const auto& names = system_.coordinates;
    const auto found = std::find(names.begin(), names.end(), entry.key);
    if (found == names.end())
      fail(in_quotes(entry.key) + " in [closed_form] is not a coordinate", entry.offset, closest(entry.key, names));
    system_.closed_form.push_back(
        {static_cast<std::size_t>(found - names.begin()),
         elaborator_->scalar(expression(source_, entry.value, "the closed form of " + in_quotes(entry.key)),
                             Contents::functions_of_time()),
         source_.position(entry.value.offset)});
  }
}

// name = "expression" or name = {when = "expression", direction = -1|0|1, action = "record"|"stop"}
void ModelReader::read_events() {
  const TomlValue* table = optional_table("events", "a table");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) system_.events.push_back(read_event(entry));
}

Event ModelReader::read_event(const Entry& entry) {
  static const std::vector<std::string> keys = {"when", "direction", "action"};
  static const std::vector<std::string> actions = {"record", "stop"};
  const std::string what = "the event " + in_quotes(entry.key);
  if (entry.key.empty()) fail("an event needs a name", entry.offset);
  Event event;
  event.name = entry.key;
  event.position = source_.position(entry.offset);

  const TomlValue* when = &entry.value;
  if (entry.value.kind == TomlValue::Kind::table) {
    check_keys(source_, entry.value, keys, " of " + what);
    const Entry* written = entry.value.find("when");
    if (written == nullptr) fail(what + " has no 'when', the expression whose zeros it is", entry.offset);
    when = &written->value;
    if (const Entry* direction = entry.value.find("direction")) {
      const std::string& text = direction->value.text;
      const bool number = direction->value.kind == TomlValue::Kind::number;
      if (!number || (text != "-1" && text != "0" && text != "1" && text != "+1"))
        fail("'direction' of " + what + " must be -1 (falling), 0 (both) or 1 (rising)", direction->value.offset);
      event.direction = text == "-1" ? -1 : text == "0" ? 0 : 1;
    }
    event.stop = read_choice(entry.value, "action", actions, " of " + what) == "stop";
  } else if (when->kind != TomlValue::Kind::string && when->kind != TomlValue::Kind::number) {
    wrong_type(source_, *when, what, "an expression in quotes or a table with 'when'");
  }

  const ExpressionText text = expression(source_, *when, what);
  event.when = elaborator_->scalar(text, Contents::velocities_too());
  const auto symbols = free_symbols(event.when);
  const bool moves = std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    const Motion& m = system_.motion;
    return symbol == m.t || std::find(m.q.begin(), m.q.end(), symbol) != m.q.end() ||
           std::find(m.v.begin(), m.v.end(), symbol) != m.v.end();
  });
  if (!moves)
    text.origin.fail(ErrorCode::bad_model, what + " never changes: it contains no coordinate, no velocity and no time",
                     text.syntax.nodes[text.syntax.left].offset);
  return event;
}

}  // namespace cetaev::model
