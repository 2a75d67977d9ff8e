// Vectors in frames: what the language says about them, and vectors as sums of parts.
#include "elaborate.hpp"
#include "unicode.hpp"

namespace cetaev::model {

Parts Elaborator::parts_of(const Quantity& vector) const {
  return vector.parts.empty() ? frames_.part(FrameTree::ground, vector.components) : vector.parts;
}

Quantity Elaborator::vector_of(Parts parts, int order) {
  Quantity result{frames_.on_ground(parts), true, order};
  result.parts = std::move(parts);
  return result;
}

// Two vectors of one frame are multiplied in its components, others on the ground.
Expr Elaborator::dot(const Quantity& a, const Quantity& b) {
  const Parts first = parts_of(a), second = parts_of(b);
  if (FrameTree::common_frame(first, second) != nullptr) {
    if (first.empty() || second.empty()) return context_.zero();
    return frames_.dot(first[0].components, second[0].components);
  }
  return frames_.dot(a.components, b.components);
}

Quantity Elaborator::cross(const Quantity& a, const Quantity& b, int order) {
  const Parts first = parts_of(a), second = parts_of(b);
  const std::uint32_t* frame = FrameTree::common_frame(first, second);
  if (frame == nullptr || *frame == FrameTree::ground || first.empty() || second.empty())
    return {frames_.cross(a.components, b.components), true, order};
  return vector_of(frames_.part(*frame, frames_.cross(first[0].components, second[0].components)), order);
}

// The nodes at which a frame may be named: F.x, omega(F), components(v, F).
void Elaborator::mark_frames(Run& run) const {
  const Syntax& syntax = run.syntax();
  run.frames.assign(syntax.nodes.size(), false);
  for (const SyntaxNode& node : syntax.nodes) {
    const auto operands = syntax.operands_of(node);
    if (node.kind == Kind::component) run.frames[operands[0]] = true;
    if (node.kind != Kind::call) continue;
    const std::string_view name = syntax.text_of(node);
    if (name == "omega")
      for (const std::uint32_t operand : operands) run.frames[operand] = true;
    if (name == "components" && operands.size() == 2) run.frames[operands[1]] = true;
  }
}

// A frame, or a body for its frame, by name.
Quantity Elaborator::frame_argument(const Run& run, std::uint32_t operand, std::string_view function) const {
  const SyntaxNode& node = run.syntax().nodes[operand];
  const Names::Entry* entry = node.kind == Kind::name ? names_.find(run.syntax().text_of(node)) : nullptr;
  if (entry == nullptr || (entry->kind != NameKind::frame && entry->kind != NameKind::body))
    run.fail("the argument of " + std::string(function) + " is the name of a frame or of a body", operand);
  return entry->value;
}

std::optional<Quantity> Elaborator::call_of_frames(const Run& run, const SyntaxNode& node) {
  const std::string_view name = run.syntax().text_of(node);
  const auto operands = run.syntax().operands_of(node);
  const Names::Entry* entry = names_.find(name);
  const auto refuse = [&](const std::string& message) {
    run.text.origin.fail(ErrorCode::bad_model, message + ", found " + std::to_string(operands.size()), node.offset);
  };
  if (entry != nullptr && entry->kind == NameKind::frame) {
    if (operands.size() != 1)
      refuse("a vector in the frame " + in_quotes(name) + " is written " + std::string(name) +
             "([a, b, c]): one argument");
    const Quantity& vector = run.vector(operands[0], "the components in the frame " + in_quotes(name));
    return vector_of(frames_.part(entry->value.frame, vector.components), std::max(vector.order, entry->value.order));
  }
  // These two are names like others: a parameter may be called omega.
  const auto is_frame = [&](std::uint32_t operand) {
    const SyntaxNode& argument = run.syntax().nodes[operand];
    const Names::Entry* known = argument.kind == Kind::name ? names_.find(run.syntax().text_of(argument)) : nullptr;
    return known != nullptr && (known->kind == NameKind::frame || known->kind == NameKind::body);
  };
  if (entry != nullptr && (operands.empty() || !is_frame(operands.back()))) return std::nullopt;
  if (name == "omega") {
    if (operands.empty() || operands.size() > 2) refuse("omega takes a frame, or two: omega(F, G)");
    const Quantity frame = frame_argument(run, operands[0], name);
    const auto rate_order = [](int order) { return order < 0 ? order : std::min(order + 1, 2); };
    if (operands.size() == 1)
      return vector_of(frames_.part(frame.frame, frames_.omega(frame.frame)), rate_order(frame.order));
    const Quantity other = frame_argument(run, operands[1], name);
    const int order = rate_order(std::max(frame.order, other.order));
    if (frames_.descends(frame.frame, other.frame))
      return vector_of(frames_.part(other.frame, frames_.omega_relative(frame.frame, other.frame)), order);
    return vector_of(
        frames_.sum(frames_.part(frame.frame, frames_.omega(frame.frame)),
                    frames_.scaled(context_.integer(-1), frames_.part(other.frame, frames_.omega(other.frame)))),
        order);
  }
  if (name == "components") {
    if (operands.size() != 2) refuse("components takes a vector and a frame: components(v, F)");
    const Quantity& vector = run.vector(operands[0], "the argument of components");
    const Quantity frame = frame_argument(run, operands[1], name);
    return Quantity{frames_.in_frame(parts_of(vector), frame.frame), true, std::max(vector.order, frame.order)};
  }
  return std::nullopt;
}

}  // namespace cetaev::model
