#include "observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev::ensemble {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Seen = Observables::One::Kind;

// One --observe, with the places of what is wrong in it.
class ObserveText {
 public:
  ObserveText(const System& scratch, const std::string& text) : system_(scratch), text_(text) {}

  [[noreturn]] void fail(ErrorCode code, std::size_t offset, const std::string& why,
                         const std::string& suggestion = {}) const {
    Error error(code, why);
    error.at({"--observe", 1, text::character_count(std::string_view(text_).substr(0, offset)) + 1, text_});
    if (!suggestion.empty()) error.suggest(suggestion);
    throw error;
  }

  struct Read {
    Seen kind = Seen::end;
    std::optional<Expr> expression;
    std::size_t event = 0;
  };

  Read read() const {
    const auto [word, inside] = call();
    if (word == "max") return {Seen::maximum, expression(inside), 0};
    if (word == "min") return {Seen::minimum, expression(inside), 0};
    if (word == "mean") return {Seen::mean, expression(inside), 0};
    if (word == "time") return {Seen::time, std::nullopt, event(inside)};
    if (word == "at") {
      const std::size_t comma = last_comma(inside);
      if (comma == std::string::npos)
        fail(ErrorCode::bad_model, inside.begin, "what is seen at an event is written at(EXPRESSION, EVENT)");
      return {Seen::at_event, expression({inside.begin, comma}), event({comma + 1, inside.end})};
    }
    return {Seen::end, expression({0, text_.size()}), 0};
  }

 private:
  struct Piece {
    std::size_t begin = 0, end = 0;
  };

  Piece trimmed(Piece piece) const {
    while (piece.begin < piece.end && text_[piece.begin] == ' ') ++piece.begin;
    while (piece.begin < piece.end && text_[piece.end - 1] == ' ') --piece.end;
    return piece;
  }
  std::string str(Piece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }

  // WORD( … ) as a whole, or no word.
  std::pair<std::string, Piece> call() const {
    const Piece all = trimmed({0, text_.size()});
    std::size_t open = all.begin;
    while (open < all.end && std::isalpha(static_cast<unsigned char>(text_[open]))) ++open;
    if (open == all.begin || open == all.end || text_[open] != '(' || text_[all.end - 1] != ')') return {};
    int depth = 0;
    for (std::size_t i = open; i + 1 < all.end; ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0) return {};
    }
    return {str({all.begin, open}), {open + 1, all.end - 1}};
  }

  std::size_t last_comma(Piece piece) const {
    const std::size_t at = text_.rfind(',', piece.end);
    return at == std::string::npos || at < piece.begin ? std::string::npos : at;
  }

  std::size_t event(Piece piece) const {
    piece = trimmed(piece);
    std::vector<std::string> names;
    for (const Event& one : system_->events) names.push_back(one.name);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == str(piece)) return i;
    fail(ErrorCode::unknown_name, piece.begin,
         fmt::format("the model has no event '{}'{}", str(piece), names.empty() ? ": it has no [events] at all" : ""),
         text::closest(str(piece), names));
  }

  // An output of the model, or a component of one, by its name.
  std::optional<Expr> output(const std::string& name) const {
    for (const Output& one : system_->outputs) {
      for (std::size_t c = 0; c < one.components.size(); ++c)
        if (one.column(c) == name) return one.components[c];
    }
    return std::nullopt;
  }

  Expr expression(Piece piece) const {
    piece = trimmed(piece);
    const std::string part = str(piece);
    for (const Output& one : system_->outputs)
      if (one.name == part && one.components.size() > 1)
        fail(ErrorCode::bad_model, piece.begin,
             fmt::format("the output '{}' is a vector: observe its components, {} and so on", part, one.column(0)));
    if (part.empty()) fail(ErrorCode::parse_error, piece.begin, "an expression is missing here");
    Expr e;
    if (const auto named = output(part)) {
      e = *named;
    } else {
      try {
        e = parse_expression(system_, part);
      } catch (const Error& error) {
        const std::size_t column = error.position() ? error.position()->column - 1 : 0;
        std::string why = error.message();
        if (why.ends_with("may stand in [outputs]")) why += ": give it a name there, and observe that";
        fail(error.code(), piece.begin + text::byte_of_character(part, column), why, error.suggestion());
      }
    }
    std::vector<Expr> known = state_symbols(system_);
    for (const auto* more : {&system_->motion.a, &system_->multipliers})
      known.insert(known.end(), more->begin(), more->end());
    for (const Expr symbol : free_symbols(e))
      if (std::find(known.begin(), known.end(), symbol) == known.end())
        fail(ErrorCode::bad_model, piece.begin,
             fmt::format(
                 "observables are expressions of positions, velocities, accelerations, multipliers and time: this "
                 "one contains {}",
                 symbol.name()));
    return e;
  }

  const System& system_;
  const std::string& text_;
};

// What is divided by or has its logarithm taken, without the |…| around it.
std::vector<Expr> denominators(Expr e, std::span<const Expr> moving) {
  std::vector<Expr> found;
  const auto add = [&](Expr base) {
    if (base.kind() == Kind::function && base.function() == Function::abs) base = base.operands()[0];
    if (depends_on(base, moving) && std::find(found.begin(), found.end(), base) == found.end()) found.push_back(base);
  };
  for (const Expr node : topological(std::array{e})) {
    if (node.kind() == Kind::power) add(node.operands()[0]);
    if (node.kind() == Kind::function && node.function() == Function::tan) add(cos(node.operands()[0]));
    if (node.kind() == Kind::function && node.function() == Function::log) add(node.operands()[0]);
    if (node.kind() != Kind::product) continue;
    for (std::size_t i = 0; i < node.size(); ++i)
      if (node.exponent(i).sign() < 0) add(node.base(i));
  }
  return found;
}

}  // namespace

// Where it bends, jumps, is steep, has a pole or ends, some function of the state vanishes.
void Observables::watch(std::size_t expression, std::vector<Expr>& expressions, std::span<const Expr> moving) {
  const std::array<Expr, 1> one = {expressions[expression]};
  Watched watched{expression, {}, {}};
  const auto place = [&](Expr e) {
    const auto known = std::find(expressions.begin(), expressions.end(), e);
    const auto at = static_cast<std::size_t>(known - expressions.begin());
    if (known == expressions.end()) expressions.push_back(e);
    if (std::find(marks_.begin(), marks_.end(), at) == marks_.end()) marks_.push_back(at);
    return at;
  };
  for (const Expr e : switching(one, moving)) place(e);
  for (const Expr e : steep(one, moving)) place(e);
  for (const Expr e : denominators(one[0], moving)) watched.poles.push_back(place(e));
  for (const Expr e : margins(one, moving)) watched.margins.push_back(place(e));
  watched_.push_back(std::move(watched));
}

Observables::Observables(const System& system, const std::vector<std::string>& texts) : coordinates_(system->size()) {
  const System scratch = system.scratch();
  std::vector<Expr> expressions;
  if (texts.empty()) {
    for (std::size_t i = 0; i < 2 * coordinates_; ++i) {
      const bool velocity = i >= coordinates_;
      const std::size_t j = velocity ? i - coordinates_ : i;
      names_.push_back(scratch->coordinates[j] + (velocity ? "'" : ""));
      list_.push_back({Seen::end, i, 0});
      expressions.push_back(velocity ? scratch->motion.v[j] : scratch->motion.q[j]);
    }
  }
  for (const std::string& text : texts) {
    const ObserveText source(scratch, text);
    const ObserveText::Read read = source.read();
    if (std::find(names_.begin(), names_.end(), text) != names_.end())
      source.fail(ErrorCode::bad_model, 0, fmt::format("'{}' is observed already", text));
    names_.push_back(text);
    list_.push_back({read.kind, expressions.size(), read.event});
    if (read.expression) expressions.push_back(*read.expression);
  }
  std::vector<Expr> symbols = state_symbols(scratch);
  std::vector<Expr> moving(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(2 * coordinates_ + 1));
  std::vector<Expr> forces = scratch->motion.a;
  forces.insert(forces.end(), scratch->multipliers.begin(), scratch->multipliers.end());
  if (std::any_of(expressions.begin(), expressions.end(), [&](Expr e) { return depends_on(e, forces); })) {
    symbols.insert(symbols.end(), forces.begin(), forces.end());
    moving.insert(moving.end(), forces.begin(), forces.end());
    const Terms terms(scratch);
    forces_ = std::make_unique<const Multipliers>(scratch, terms);
    constraints_ = terms.constraints.size();
  }
  for (const One& one : list_)
    if (one.along()) watch(one.expression, expressions, moving);
  for (const Expr e : expressions) of_forces_.push_back(depends_on(e, forces));
  program_ = Program(expressions, symbols);
}

ExpressionValues::ExpressionValues(const Observables& observables)
    : observables_(&observables),
      run_(observables.program()),
      inputs_(observables.program().input_count()),
      outputs_(observables.program().output_count()),
      forces_(observables.forces()),
      known_(inputs_.size()) {
  if (forces_ == nullptr) return;
  workspace_.emplace(*forces_);
  known_ = forces_->program().input_count();
  a_.resize(observables.coordinates());
  multipliers_.resize(observables.constraints());
}

void ExpressionValues::evaluate(double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> parameters, bool with_forces) {
  auto into = std::copy(q.begin(), q.end(), inputs_.begin());
  into = std::copy(v.begin(), v.end(), into);
  *into++ = t;
  into = std::copy(parameters.begin(), parameters.end(), into);
  if (with_forces) {
    try {
      forces_->evaluate(std::span<const double>(inputs_).first(known_), *workspace_, a_, multipliers_);
    } catch (const Error&) {  // where the equations are singular
      std::fill(a_.begin(), a_.end(), not_a_number);
      std::fill(multipliers_.begin(), multipliers_.end(), not_a_number);
    }
    into = std::copy(a_.begin(), a_.end(), into);
    // symbols are there where an output contains one
    std::copy_n(multipliers_.begin(), inputs_.end() - into, into);
  }
  if (run_(inputs_, outputs_) >= 0) std::fill(outputs_.begin(), outputs_.end(), not_a_number);
  for (double& value : outputs_) value = std::isfinite(value) ? value + 0.0 : not_a_number;
}

std::span<const double> ExpressionValues::at(double t, std::span<const double> q, std::span<const double> v,
                                             std::span<const double> parameters) {
  evaluate(t, q, v, parameters, forces_ != nullptr);
  return outputs_;
}

double ExpressionValues::of(std::size_t expression, double t, std::span<const double> q, std::span<const double> v,
                            std::span<const double> parameters) {
  evaluate(t, q, v, parameters, observables_->has_forces(expression));
  return outputs_[expression];
}

}  // namespace cetaev::ensemble
