// What the names of a model stand for, and which known name a wrong one comes close to.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cetaev/detail/text/closest.hpp"
#include "cetaev/expr/expr.hpp"
#include "frames.hpp"

namespace cetaev::model {

// The value of an expression: a scalar or a vector of three components.
struct Quantity {
  std::array<Expr, 3> components;  // a scalar has the first only
  bool vector = false;
  // A bound on the derivatives of coordinates it may contain: 0, 1, 2, or −1 when it contains no coordinates.
  int order = -1;
  // Of a vector that is written in frames: the same, each part where it is short. Empty where the components are all there is.
  Parts parts = {};
  // Of a frame or a body: its frame.
  std::uint32_t frame = FrameTree::ground;

  static Quantity scalar(Expr e, int order = -1) { return {{e, {}, {}}, false, order}; }
  Expr scalar() const { return components[0]; }
  std::size_t size() const { return vector ? 3 : 1; }
  std::span<const Expr> span() const { return std::span(components).first(size()); }
  bool known() const { return static_cast<bool>(components[0]); }
};

enum class NameKind { coordinate, parameter, point, definition, frame, body, contact, output, time, pi, function };
// "a coordinate", "a point": how messages say it.
std::string_view kind_name(NameKind kind);

// "the column of the energy in tables of motions": what else has this name wherever coordinates and outputs are columns by theirs; empty
// where nothing has. They cannot be called so; parameters can.
std::string_view own_column(std::string_view name);

class Names {
 public:
  struct Entry {
    NameKind kind;
    std::size_t index = 0;  // among its kind, in file order
    Quantity value;
  };

  // Knows the functions, t and pi.
  Names(Context& context, Expr time);

  // False when the name is taken.
  bool add(std::string_view name, NameKind kind, std::size_t index, const Quantity& value);
  void set_value(std::string_view name, const Quantity& value);
  const Entry* find(std::string_view name) const;
  // The known name closest to an unknown one; empty when none is close.
  std::string suggestion(std::string_view unknown, bool functions_only = false) const;

 private:
  std::vector<std::string> order_;  // as they were added, so that suggestions do not depend on hashing
  std::unordered_map<std::string, Entry> entries_;
};

using text::closest;

}  // namespace cetaev::model
