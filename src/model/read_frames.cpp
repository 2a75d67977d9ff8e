// [frames]: orientations, each from another by turns.
#include <algorithm>
#include <array>

#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

constexpr std::string_view blanks = " \t\n\r";

// A piece of a text and where it begins.
struct Piece {
  std::string_view text;
  std::size_t begin = 0;
};

Piece trimmed(Piece piece) {
  const std::size_t first = std::min(piece.text.find_first_not_of(blanks), piece.text.size());
  piece.text.remove_prefix(first);
  piece.begin += first;
  piece.text = piece.text.substr(0, piece.text.find_last_not_of(blanks) + 1);
  return piece;
}

// Apart at commas outside of brackets.
std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> list;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    list.push_back(trimmed({text.substr(begin, i - begin), begin}));
    begin = i + 1;
  }
  return list;
}

// 0, 1, 2 for x, y, z; −1 for everything else.
int axis_of(std::string_view letter) { return letter == "x" ? 0 : letter == "y" ? 1 : letter == "z" ? 2 : -1; }

constexpr const char* how_turns_are_written =
    "a turn is an axis x, y or z and an angle, as in \"z psi, x theta\", behind the frame it starts from";

}  // namespace

void ModelReader::collect_frames() {
  const TomlValue* table = optional_table("frames", "a table of frames");
  const std::size_t count = table == nullptr ? 0 : table->entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& entry = table->entries[i];
    if (entry.key == "ground") fail("'ground' is always there and cannot be turned", entry.offset);
    add_name(entry.key, NameKind::frame, i, {}, entry.offset);
    Named named{.name = entry.key, .kind = NameKind::frame, .index = i, .parts = {}};
    WrittenFrame frame;
    frame.from_offset = entry.value.offset;
    if (entry.value.kind == TomlValue::Kind::table) {
      read_frame_table(entry.value, named, frame);
    } else {
      expect(source_, entry.value, TomlValue::Kind::string, "the frame " + in_quotes(entry.key),
             "turns in quotes or a table with 'from', 'axis' and 'angle'");
      read_frame_text(entry.value, named, frame);
    }
    named.uses.push_back({frame.from, frame.from_offset});
    written_frames_.push_back(std::move(frame));
    add_named(std::move(named));
  }
  system_.frames.resize(count);
  names_->add("ground", NameKind::frame, count, {});
}

// "yaw, x theta, y (a + b)/2", "quaternion e0 e1 e2 e3"
void ModelReader::read_frame_text(const TomlValue& value, Named& named, WrittenFrame& frame) {
  const Origin whole = Origin::string(source_, value.offset);
  const std::string what = "the frame " + in_quotes(named.name);
  const std::vector<Piece> list = pieces(value.text);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto [text, begin] = list[i];
    const Origin origin = whole.from(begin);
    if (text.empty()) origin.fail(ErrorCode::bad_model, what + " has an empty turn: " + how_turns_are_written, 0);
    if (i == 0 && is_name(text)) {
      frame.from = text;
      frame.from_offset = origin.offset(0);
      continue;
    }
    const std::string_view word = name_at(text, 0);
    if (word == "quaternion") {
      frame.turns.push_back(read_quaternion(text, origin));
      continue;
    }
    const std::size_t angle = std::min(text.find_first_not_of(blanks, word.size()), text.size());
    if (axis_of(word) < 0 || angle == text.size())
      origin.fail(ErrorCode::bad_model, what + ": " + in_quotes(text) + " is no turn; " + how_turns_are_written, 0);
    frame.turns.push_back({axis_of(word), false, {}});
    const Origin there = whole.from(begin + angle);
    named.parts.push_back({parse_syntax(text.substr(angle), there), there, "an angle of " + what});
  }
}

ModelReader::WrittenFrame::Turn ModelReader::read_quaternion(std::string_view text, const Origin& origin) const {
  WrittenFrame::Turn turn{-1, false, {}};
  std::size_t count = 0;
  const std::size_t first = std::string_view("quaternion").size();
  for (std::size_t i = text.find_first_not_of(blanks, first); i < text.size(); i = text.find_first_not_of(blanks, i)) {
    const std::size_t end = std::min(text.find_first_of(blanks, i), text.size());
    const std::string name(text.substr(i, end - i));
    const auto& known = system_.coordinates;
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      origin.fail(ErrorCode::bad_model, in_quotes(name) + " in a quaternion is not a coordinate", i,
                  closest(name, known));
    const auto coordinate = static_cast<std::size_t>(found - known.begin());
    const auto before = turn.quaternion.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, 4));
    if (std::find(turn.quaternion.begin(), before, coordinate) != before)
      origin.fail(ErrorCode::bad_model, in_quotes(name) + " stands twice in a quaternion", i);
    if (count < 4) turn.quaternion[count] = coordinate;
    ++count;
    i = end;
  }
  if (count != 4)
    origin.fail(
        ErrorCode::bad_model,
        "a quaternion is made of four coordinates, as in \"quaternion e0 e1 e2 e3\"; found " + std::to_string(count),
        0);
  return turn;
}

// {from = "lean", axis = "[0, sin(k), cos(k)]", angle = "steer"}
void ModelReader::read_frame_table(const TomlValue& value, Named& named, WrittenFrame& frame) {
  static const std::vector<std::string> keys = {"from", "axis", "angle"};
  const std::string what = "the frame " + in_quotes(named.name);
  check_keys(source_, value, keys, " of " + what);
  if (const Entry* from = value.find("from")) {
    expect(source_, from->value, TomlValue::Kind::string, "'from' of " + what, "the name of a frame");
    frame.from = from->value.text;
    frame.from_offset = string_place(from->value);
  }
  const Entry *axis = value.find("axis"), *angle = value.find("angle");
  if (axis == nullptr) fail(what + " has no 'axis'", value.offset);
  if (angle == nullptr) fail(what + " has no 'angle'", value.offset);
  WrittenFrame::Turn turn{-1, false, {}};
  if (axis->value.kind == TomlValue::Kind::string) turn.axis = axis_of(axis->value.text);
  turn.vector = turn.axis < 0;
  if (turn.vector) named.parts.push_back(expression(source_, axis->value, "the axis of " + what));
  named.parts.push_back(expression(source_, angle->value, "the angle of " + what));
  frame.turns.push_back(turn);
}

std::uint32_t ModelReader::frame_named(const std::string& name, std::size_t offset, const std::string& what) const {
  if (name == "ground") return FrameTree::ground;
  const Names::Entry* entry = names_->find(name);
  if (entry != nullptr && (entry->kind == NameKind::frame || entry->kind == NameKind::body)) return entry->value.frame;
  std::vector<std::string> known = {"ground"};
  for (const Named& named : named_)
    if (named.kind == NameKind::frame || named.kind == NameKind::body) known.push_back(named.name);
  fail(what + ": there is no frame " + in_quotes(name), offset, closest(name, known));
}

// Of length 1. Values of parameters that leave it none are found where the parameters are known, by check_axes.
Vector ModelReader::unit_axis(const ExpressionText& text, const std::string& what) {
  const std::size_t place = text.syntax.nodes[text.syntax.left].offset;
  const auto refuse = [&](const std::string& why) { text.origin.fail(ErrorCode::bad_model, what + " " + why, place); };
  const Quantity value = elaborator_->quantity(text, Contents::constants());
  if (!value.vector) refuse("must be x, y, z or a vector \"[a, b, c]\"");
  Vector axis = value.components;
  const Expr square = frames_->dot(axis, axis);
  if (square.is_zero() || elaborator_->vanishes(square)) refuse("has no direction: its length is zero");
  if (square.is_one() || elaborator_->vanishes(square - Rational(1))) return axis;
  axes_.push_back({square, text.origin, place, what});
  for (Expr& e : axis) e = e * pow(square, Rational(-1, 2));
  return axis;
}

// Exactly, where rounding leaves a doubt: sin(k) of k = "pi" is zero.
void ModelReader::check_axes() {
  constexpr double doubtful = 1e-20;
  for (const WrittenAxis& axis : axes_) {
    const double size = value_of(axis.square);
    if (size > doubtful) continue;
    Expr exact = axis.square;
    for (auto p = system_.parameters.rbegin(); p != system_.parameters.rend(); ++p)
      exact = substitute(exact, std::array{Replacement(p->symbol, p->definition)});
    if (!elaborator_->vanishes(exact)) continue;
    axis.origin.fail(ErrorCode::bad_model,
                     axis.what + " has no direction: its length is zero for these values of the parameters",
                     axis.place);
  }
  axes_.clear();
}

void ModelReader::make_frame(Named& named) {
  const WrittenFrame& written = written_frames_[named.index];
  std::uint32_t frame = frame_named(written.from, written.from_offset, "the frame " + in_quotes(named.name));
  int order = -1;
  if (const Names::Entry* from = names_->find(written.from); from != nullptr) order = from->value.order;
  auto part = named.parts.begin();
  for (const WrittenFrame::Turn& turn : written.turns) {
    if (turn.axis < 0 && !turn.vector) {
      std::array<Expr, 4> e;
      for (std::size_t i = 0; i < 4; ++i) e[i] = system_.motion.q[turn.quaternion[i]];
      frame = frames_->quaternion(frame, e);
      order = std::max(order, 0);
      quaternions_.push_back(turn.quaternion);
      quaternion_places_.push_back(source_.position(find("frames")->value.entries[named.index].value.offset));
      continue;
    }
    const ExpressionText* axis = turn.vector ? &*part++ : nullptr;
    const ExpressionText& text = *part++;
    const Quantity angle = elaborator_->quantity(text, Contents::positions());
    if (angle.vector)
      text.origin.fail(ErrorCode::bad_model, "a vector where a scalar is needed: " + text.what,
                       text.syntax.nodes[text.syntax.left].offset);
    order = std::max(order, angle.order);
    if (axis != nullptr)
      frame = frames_->turn(frame, unit_axis(*axis, axis->what), angle.scalar());
    else
      frame = frames_->turn(frame, turn.axis, angle.scalar());
  }
  named.value.frame = frame;
  named.value.order = order;
  system_.frames[named.index] = {named.name, frames_->rotation(frame), frames_->omega_on_ground(frame)};
}

}  // namespace cetaev::model
