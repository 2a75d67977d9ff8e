#include "elaborate.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "cetaev/detail/algebra/zero.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

// Exact arithmetic that leads to numbers of more bits is refused: thousands of terms or factors would take minutes.
constexpr std::size_t most_bits = std::size_t{1} << 18;
constexpr std::size_t few = 1000;  // operands that cannot get there, each number being bounded itself
constexpr const char* too_large = "the numbers here combine to one with too many digits";

}  // namespace

Elaborator::Elaborator(Context& context, const Motion& motion, const Names& names, FrameTree& frames)
    : context_(context),
      motion_(motion),
      names_(names),
      frames_(frames),
      derivation_(cetaev::total_derivative(motion)),
      other_velocities_(motion.v),
      other_accelerations_(motion.a) {
  for (std::size_t i = 0; i < motion.q.size(); ++i) {
    symbols_.emplace(motion.q[i].id(), std::pair('q', i));
    symbols_.emplace(motion.v[i].id(), std::pair('v', i));
    symbols_.emplace(motion.a[i].id(), std::pair('a', i));
  }
  symbols_.emplace(motion.t.id(), std::pair('t', std::size_t{0}));
}

Quantity Elaborator::quantity(const ExpressionText& text, const Contents& contents) {
  Run run{text, contents};
  mark_frames(run);
  const auto& nodes = text.syntax.nodes;
  run.values.reserve(nodes.size());
  for (const SyntaxNode& node : nodes) {
    try {
      run.values.push_back(value_of(run, node));
    } catch (Error& error) {
      // Building an expression may fail by itself, log(0); the place is known here.
      if (!error.position()) error.at(text.origin.source().position(text.origin.offset(node.offset)));
      throw;
    }
  }
  const Quantity result = text.syntax.equation ? equation(run) : run.values[text.syntax.left];
  check_contents(run, result, contents);
  return result;
}

Expr Elaborator::scalar(const ExpressionText& text, const Contents& contents) {
  const Quantity result = quantity(text, contents);
  if (result.vector)
    text.origin.fail(ErrorCode::bad_model, "a vector where a scalar is needed: " + text.what,
                     text.syntax.nodes[text.syntax.left].offset);
  return result.scalar();
}

// φ = lhs − rhs; the number 0 stands for the zero vector beside a vector.
Quantity Elaborator::equation(const Run& run) {
  const Syntax& syntax = run.syntax();
  const Quantity &left = run.values[syntax.left], &right = run.values[syntax.right];
  const auto is_zero = [](const Quantity& q) { return !q.vector && q.scalar().is_zero(); };
  if (left.vector != right.vector && !is_zero(left.vector ? right : left))
    run.fail("an equation between a vector and a scalar", left.vector ? syntax.right : syntax.left);
  Quantity result{{}, left.vector || right.vector, std::max(left.order, right.order)};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Expr l = left.vector == result.vector ? left.components[i] : context_.zero();
    const Expr r = right.vector == result.vector ? right.components[i] : context_.zero();
    result.components[i] = l - r;
  }
  return result;
}

Quantity Elaborator::value_of(const Run& run, const SyntaxNode& node) {
  const auto operands = run.syntax().operands_of(node);
  switch (node.kind) {
    case Kind::number: return number(run, node);
    case Kind::name: return name(run, node);
    case Kind::multiplier: return multiplier(run, node);
    case Kind::force_at:
    case Kind::kinetic_of:
    case Kind::potential_of:
    case Kind::power_of: return property(run, node);
    case Kind::call: return call(run, node);
    case Kind::vector: {
      Quantity result{{}, true, run.order_of(node)};
      for (std::size_t i = 0; i < 3; ++i) result.components[i] = run.scalar(operands[i], "a component of a vector");
      return result;
    }
    case Kind::component: return component(run, node);
    case Kind::derivative: return derivative(run, node);
    case Kind::negative: {
      Quantity result = run.values[operands[0]];
      if (!result.parts.empty()) return vector_of(frames_.scaled(context_.integer(-1), result.parts), result.order);
      for (std::size_t i = 0; i < result.size(); ++i) result.components[i] = -result.components[i];
      return result;
    }
    case Kind::sum: return sum(run, node);
    case Kind::product: return product(run, node);
    case Kind::inverse: return inverse(run, node);
    case Kind::power: return power(run, node);
  }
  return {};
}

Quantity Elaborator::number(const Run& run, const SyntaxNode& node) {
  const std::string_view text = run.syntax().text_of(node);
  // Each number is bounded by the grammar; a file full of the largest ones would still take minutes.
  constexpr std::size_t ordinary = 40, most = 4'000'000;
  const std::size_t mark = text.find_first_of("eE");
  if (text.size() > ordinary || mark != std::string_view::npos) {
    std::size_t exponent = 0;
    if (mark != std::string_view::npos)
      for (const char c : text.substr(mark + 1))
        if (c >= '0' && c <= '9') exponent = 10 * exponent + static_cast<std::size_t>(c - '0');
    large_numbers_ += exponent > ordinary ? exponent + text.size() : text.size();
    if (large_numbers_ > most)
      run.text.origin.fail(ErrorCode::parse_error, "too many large numbers in one model", node.offset);
  }
  const auto value = Rational::parse(text);
  if (!value) run.text.origin.fail(ErrorCode::parse_error, in_quotes(text) + " is not a number", node.offset);
  return Quantity::scalar(context_.number(*value));
}

Quantity Elaborator::name(const Run& run, const SyntaxNode& node) const {
  const std::string_view text = run.syntax().text_of(node);
  const Names::Entry* entry = names_.find(text);
  if (entry == nullptr)
    run.text.origin.fail(ErrorCode::unknown_name, "unknown name " + in_quotes(text), node.offset,
                         names_.suggestion(text));
  if (entry->kind == NameKind::function)
    run.text.origin.fail(ErrorCode::bad_model,
                         std::string(text) + " is a function and needs its argument in parentheses", node.offset);
  if (entry->kind == NameKind::frame && !run.frames[run.values.size()])
    run.text.origin.fail(ErrorCode::bad_model,
                         in_quotes(text) + " is a frame: its axes are " + std::string(text) +
                             ".x, .y and .z, and a vector in it is " + std::string(text) + "([a, b, c])",
                         node.offset);
  if (entry->kind != NameKind::frame && !entry->value.known())
    run.text.origin.fail(ErrorCode::bad_model,
                         run.text.what + " contains " + in_quotes(text) +
                             ", which depends on a contact and moves; it may contain parameters",
                         node.offset);
  return entry->value;
}

Quantity Elaborator::multiplier(const Run& run, const SyntaxNode& node) const {
  const std::string_view text = run.syntax().text_of(node);
  if (!run.contents.multipliers)
    run.text.origin.fail(
        ErrorCode::bad_model,
        run.text.what + " contains a multiplier; they follow from the motion and may stand in [outputs]", node.offset);
  std::size_t number = 0;
  for (const char c : text)
    if (c >= '0' && c <= '9')
      number = std::min<std::size_t>(10 * number + static_cast<std::size_t>(c - '0'), 1'000'000);
  const std::size_t count = multipliers_.size();
  if (number < 1 || number > count)
    run.text.origin.fail(ErrorCode::bad_model,
                         "there is no " + std::string(text) + ": " +
                             (count == 0   ? "the model has no constraints"
                              : count == 1 ? "the model has one scalar constraint, lambda[1]"
                                           : "the multipliers of the scalar constraints are lambda[1] to lambda[" +
                                                 std::to_string(count) + "]"),
                         node.offset);
  return Quantity::scalar(multipliers_[number - 1], 2);
}

Quantity Elaborator::property(const Run& run, const SyntaxNode& node) const {
  struct Property {
    Kind kind;
    std::string_view word, what, owners;
  };
  static constexpr std::array<Property, 4> all = {
      {{Kind::force_at, ".force", "a reaction", "only contacts have a '.force', the reaction there"},
       {Kind::kinetic_of, ".kinetic", "an energy", "only bodies and points have a '.kinetic', their kinetic energy"},
       {Kind::potential_of, ".potential", "an energy", "only bodies, points and springs have a '.potential'"},
       {Kind::power_of, ".power", "a power", "only loads and contacts have a '.power'"}}};
  const auto is_it = [&](const Property& p) { return p.kind == node.kind; };
  const Property& property = *std::find_if(all.begin(), all.end(), is_it);
  const auto refuse = [&](const std::string& why) { run.text.origin.fail(ErrorCode::bad_model, why, node.offset); };
  const std::string name(run.syntax().text_of(node));
  const Names::Entry* entry = names_.find(name);
  const bool force = node.kind == Kind::force_at;
  if (force && entry != nullptr && entry->kind != NameKind::contact)
    refuse(in_quotes(name) + " is " + std::string(kind_name(entry->kind)) + "; " + std::string(property.owners));
  if (!run.contents.multipliers)
    refuse(run.text.what + " contains " + std::string(property.what) +
           "; they follow from the motion and may stand in [outputs]");
  const auto found = properties_.find(name + std::string(property.word));
  if (found != properties_.end()) return found->second;
  if (entry == nullptr) {
    // springs and loads have names that stand nowhere else
    for (const Property& other : all)
      if (properties_.contains(name + std::string(other.word)))
        refuse(in_quotes(name) + " has a '" + std::string(other.word) + "' and no '" + std::string(property.word) +
               "'; " + std::string(property.owners));
    std::vector<std::string> known;
    for (const auto& [key, value] : properties_)
      if (key.ends_with(property.word)) known.push_back(key.substr(0, key.size() - property.word.size()));
    std::sort(known.begin(), known.end());
    run.text.origin.fail(ErrorCode::unknown_name, "unknown name " + in_quotes(name), node.offset, closest(name, known));
  }
  if (!force)
    refuse(in_quotes(name) + " is " + std::string(kind_name(entry->kind)) + "; " + std::string(property.owners));
  return part_of_reaction(run, node, name);
}

// A component that is known of a reaction that is not.
Quantity Elaborator::part_of_reaction(const Run& run, const SyntaxNode& node, const std::string& name) const {
  const std::vector<SyntaxNode>& nodes = run.syntax().nodes;
  const auto self = static_cast<std::uint32_t>(&node - nodes.data());
  std::string known;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string word = name + ".force." + "xyz"[c];
    const auto found = properties_.find(word);
    if (found == properties_.end()) continue;
    known += (known.empty() ? "" : " and ") + word;
    if (std::any_of(nodes.begin(), nodes.end(), [&](const SyntaxNode& other) {
          return other.kind == Kind::component && other.component == c && run.syntax().operands_of(other)[0] == self;
        })) {
      Quantity part = found->second;
      part.vector = true;
      const Expr value = part.components[0];
      part.components = {value, value, value};
      return part;
    }
  }
  run.text.origin.fail(
      ErrorCode::bad_model,
      "the reaction at " + in_quotes(name) +
          (known.empty() ? " is not known: the coordinates keep the contact touching or rolling by themselves, so that "
                           "no multiplier belongs to it, and it may not be all that holds its body"
                         : " is known in part, " + known +
                               ": for the rest the coordinates keep the contact touching or rolling by themselves, so "
                               "that no multiplier belongs to it, and it may not be all that holds its body") +
          "; give the height, or the way it rolls, a coordinate of its own",
      node.offset);
}

void Elaborator::set_along_motions(std::vector<Expr> multipliers, Properties properties) {
  multipliers_ = std::move(multipliers);
  properties_ = std::move(properties);
}

Quantity Elaborator::component(const Run& run, const SyntaxNode& node) {
  const std::uint32_t operand = run.syntax().operands_of(node)[0];
  const Quantity& whole = run.values[operand];
  if (!whole.vector && !whole.known())
    return vector_of(frames_.part(whole.frame, frames_.unit(node.component)), whole.order);
  const std::string role = std::string("only vectors have a component .") + "xyz"[node.component];
  run.vector(operand, role);
  return Quantity::scalar(whole.components[node.component], whole.order);
}

// The common denominator of like terms: x/3 + x/7 + x/11 + …
void Elaborator::refuse_huge_sum(const Run& run, std::span<const std::uint32_t> terms) const {
  if (terms.size() < few) return;
  std::unordered_map<std::uint32_t, std::size_t> bits;  // by what the coefficients multiply; 0 for plain numbers
  std::unordered_set<std::uint64_t> seen;               // equal denominators count once
  for (const std::uint32_t term : terms) {
    for (const Expr e : run.values[term].span()) {
      const bool scaled = e.kind() == cetaev::Kind::sum && e.size() == 1;
      if (!scaled && !e.is_number()) continue;
      const Rational& coefficient = scaled ? e.coefficient(0) : e.number();
      if (coefficient.is_integer()) continue;
      const std::uint32_t base = scaled ? e.term(0).id() + 1 : 0;
      const Rational denominator = coefficient.denominator();
      if (!seen.insert(denominator.hash() + base * 0x9E3779B97F4A7C15u).second) continue;
      std::size_t& total = bits[base];
      total += denominator.bits();
      if (total > most_bits) run.fail(too_large, term);
    }
  }
}

void Elaborator::refuse_huge_product(const Run& run, std::span<const std::uint32_t> factors) const {
  if (factors.size() < few) return;
  std::size_t bits = 0;
  for (const std::uint32_t factor : factors) {
    const Quantity& value = run.values[factor];
    if (value.vector || !value.scalar().is_number()) continue;
    bits += value.scalar().number().bits();
    if (bits > most_bits) run.fail(too_large, factor);
  }
}

Quantity Elaborator::sum(const Run& run, const SyntaxNode& node) {
  const auto operands = run.syntax().operands_of(node);
  refuse_huge_sum(run, operands);
  Quantity result{{}, run.values[operands[0]].vector, run.order_of(node)};
  for (const std::uint32_t operand : operands) {
    if (run.values[operand].vector == result.vector) continue;
    run.fail(result.vector ? "a scalar where a vector is needed: a term of a sum of vectors"
                           : "a vector where a scalar is needed: a term of a sum of scalars",
             operand);
  }
  const auto in_frames = [&](std::uint32_t operand) { return !run.values[operand].parts.empty(); };
  if (std::any_of(operands.begin(), operands.end(), in_frames)) {
    Parts parts;
    for (const std::uint32_t operand : operands) parts = frames_.sum(parts, parts_of(run.values[operand]));
    return vector_of(std::move(parts), result.order);
  }
  std::vector<Expr> terms(operands.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    for (std::size_t i = 0; i < operands.size(); ++i) terms[i] = run.values[operands[i]].components[c];
    result.components[c] = context_.sum(terms);
  }
  return result;
}

Quantity Elaborator::product(const Run& run, const SyntaxNode& node) {
  const auto operands = run.syntax().operands_of(node);
  refuse_huge_product(run, operands);
  std::vector<Expr> factors;
  factors.reserve(operands.size() + 1);
  const Quantity* vector = nullptr;
  for (const std::uint32_t operand : operands) {
    const Quantity& value = run.values[operand];
    if (!value.vector) {
      factors.push_back(value.scalar());
    } else if (vector != nullptr) {
      run.fail("a product of two vectors is written dot(u, v) or cross(u, v)", operand);
    } else {
      vector = &value;
    }
  }
  if (vector == nullptr) return Quantity::scalar(context_.product(factors), run.order_of(node));
  if (!vector->parts.empty())
    return vector_of(frames_.scaled(context_.product(factors), vector->parts), run.order_of(node));
  Quantity result{{}, true, run.order_of(node)};
  factors.emplace_back();
  for (std::size_t c = 0; c < 3; ++c) {
    factors.back() = vector->components[c];
    result.components[c] = context_.product(factors);
  }
  return result;
}

void Elaborator::refuse_zero_divisor(const Run& run, std::uint32_t divisor) {
  const Expr e = run.values[divisor].scalar();
  if (e.is_zero()) run.fail("division by zero", divisor);
  if (e.is_number() || e.is_symbol()) return;
  if (vanishes(e)) run.fail("division by an expression that is identically zero", divisor);
}

Quantity Elaborator::inverse(const Run& run, const SyntaxNode& node) {
  const std::uint32_t divisor = run.syntax().operands_of(node)[0];
  const Expr e = run.scalar(divisor, "a divisor");
  refuse_zero_divisor(run, divisor);
  return Quantity::scalar(context_.power(e, Rational(-1)), run.values[divisor].order);
}

Quantity Elaborator::power(const Run& run, const SyntaxNode& node) {
  const auto operands = run.syntax().operands_of(node);
  const Expr base = run.scalar(operands[0], "the base of a power");
  const Expr exponent = run.scalar(operands[1], "an exponent");
  if (exponent.is_number() && exponent.number().sign() < 0) refuse_zero_divisor(run, operands[0]);
  return Quantity::scalar(context_.power(base, exponent), run.order_of(node));
}

Quantity Elaborator::derivative(const Run& run, const SyntaxNode& node) {
  const std::uint32_t operand = run.syntax().operands_of(node)[0];
  Quantity result = run.values[operand];
  if (result.order >= 2) {
    for (const Expr symbol : free_symbols(result.span())) {
      const auto found = symbols_.find(symbol.id());
      if (found == symbols_.end() || found->second.first != 'a') continue;
      const std::string coordinate(motion_.q[found->second.second].name());
      run.fail("the third derivative of the coordinate " + in_quotes(coordinate) +
                   " is needed here; a model contains derivatives up to the second",
               operand);
    }
  }
  const auto with_reaction = [&](Expr e) { return depends_on(e, multipliers_); };
  if (run.contents.multipliers && std::any_of(result.span().begin(), result.span().end(), with_reaction))
    run.fail("the rate of a reaction is needed here; a motion gives reactions, not their rates", operand);
  const int order = result.order >= 0 ? std::min(result.order + 1, 2) : result.order;
  if (!result.parts.empty()) return vector_of(frames_.derivative(result.parts), order);
  for (std::size_t i = 0; i < result.size(); ++i) result.components[i] = derivation_(result.components[i]);
  result.order = order;
  return result;
}

Quantity Elaborator::call(const Run& run, const SyntaxNode& node) {
  const std::string name(run.syntax().text_of(node));
  const auto operands = run.syntax().operands_of(node);
  const std::size_t arity = function_arity(name);
  if (arity == 0) {
    if (const auto result = call_of_frames(run, node)) return *result;
    if (const Names::Entry* entry = names_.find(name); entry != nullptr)
      run.text.origin.fail(
          ErrorCode::bad_model,
          in_quotes(name) + " is " + std::string(kind_name(entry->kind)) + ", not a function; a product needs '*'",
          node.offset);
    const FunctionElsewhere here = function_elsewhere(name);
    run.text.origin.fail(
        ErrorCode::unknown_name,
        "unknown function " + in_quotes(name) + (here.formula.empty() ? "" : "; " + std::string(here.formula)),
        node.offset,
        !here.formula.empty() ? ""
        : !here.name.empty()  ? std::string(here.name)
                              : names_.suggestion(name, true));
  }
  if (operands.size() != arity)
    run.text.origin.fail(ErrorCode::bad_model,
                         name + " takes " + (arity == 1 ? "one argument" : "two arguments") + ", found " +
                             std::to_string(operands.size()),
                         node.offset);

  const int order = run.order_of(node);
  const std::string role = "the argument of " + name;
  if (name == "dot" || name == "cross") {
    const Quantity &a = run.vector(operands[0], role), &b = run.vector(operands[1], role);
    if (name == "dot") return Quantity::scalar(dot(a, b), order);
    return cross(a, b, order);
  }
  if (name == "norm") {
    const Quantity& u = run.vector(operands[0], role);
    return Quantity::scalar(sqrt(u.parts.empty() ? dot(u, u) : frames_.square(u.parts)), order);
  }
  std::array<Expr, 2> arguments;
  for (std::size_t i = 0; i < arity; ++i) arguments[i] = run.scalar(operands[i], role);
  if (name == "sqrt") return Quantity::scalar(sqrt(arguments[0]), order);
  if (name == "ellipticK")
    return Quantity::scalar(apply(Function::elliptic_f, Rational(1, 2) * context_.pi(), arguments[0]), order);
  if (name == "sn" || name == "cn") {
    const Expr amplitude = apply(Function::amplitude, arguments[0], arguments[1]);
    return Quantity::scalar(name == "sn" ? sin(amplitude) : cos(amplitude), order);
  }
  for (std::size_t i = 0; i < all_function_count; ++i)
    if (const auto function = static_cast<Function>(i); name_of(function) == name)
      return Quantity::scalar(context_.function(function, std::span(arguments).first(arity)), order);
  run.text.origin.fail(ErrorCode::unknown_name, "unknown function " + in_quotes(name), node.offset);
}

void Elaborator::check_contents(const Run& run, const Quantity& result, const Contents& contents) const {
  const bool all_parameters = contents.parameters_before == static_cast<std::size_t>(-1);
  // The bound on the order settles the usual case without a walk through the expression.
  const int highest = contents.accelerations ? 2 : contents.velocities ? 1 : contents.coordinates ? 0 : -1;
  if (contents.time && all_parameters && result.order <= highest) return;
  for (const Expr symbol : free_symbols(result.span())) {
    const auto found = symbols_.find(symbol.id());
    if (found == symbols_.end()) {
      if (all_parameters) continue;
      const Names::Entry* parameter = names_.find(symbol.name());
      if (parameter != nullptr && parameter->index >= contents.parameters_before) refuse_symbol(run, symbol, contents);
      continue;
    }
    const char kind = found->second.first;
    const bool allowed = kind == 'q'   ? contents.coordinates
                         : kind == 'v' ? contents.velocities
                         : kind == 'a' ? contents.accelerations
                                       : contents.time;
    if (!allowed) refuse_symbol(run, symbol, contents);
  }
}

void Elaborator::refuse_symbol(const Run& run, Expr symbol, const Contents& contents) const {
  // The innermost part that contains it: operands stand before the nodes that use them. Names of frames have no values.
  const std::array<Expr, 1> wanted = {symbol};
  std::uint32_t node = run.syntax().left;
  for (std::uint32_t i = 0; i < run.values.size(); ++i) {
    const auto components = run.values[i].span();
    if (std::any_of(components.begin(), components.end(), [&](Expr e) { return e && depends_on(e, wanted); })) {
      node = i;
      break;
    }
  }
  const std::string name(symbol.name());
  const auto found = symbols_.find(symbol.id());
  if (found == symbols_.end()) {
    const Names::Entry* parameter = names_.find(name);
    if (parameter->index == contents.parameters_before) run.fail(run.text.what + " is defined by itself", node);
    run.fail(run.text.what + " is defined by " + in_quotes(name) + ", which is written later", node);
  }
  const char kind = found->second.first;
  const std::string_view kind_text = kind == 'q'   ? "the coordinate "
                                     : kind == 'v' ? "the velocity "
                                     : kind == 'a' ? "the acceleration "
                                                   : "the time ";
  const std::string_view may = contents.velocities    ? "coordinates, velocities, the time and parameters"
                               : contents.coordinates ? "coordinates, the time and parameters"
                               : contents.time        ? "the time and parameters"
                                                      : "parameters";
  run.fail(run.text.what + " contains " + std::string(kind_text) + name + "; it may contain " + std::string(may), node);
}

bool Elaborator::vanishes(Expr e) {
  if (e.is_zero()) return true;
  if (e.is_number() || e.is_symbol() || witness_.nonzero(e)) return false;
  return cetaev::vanishes(e);
}

int Elaborator::order(Expr e, int bound) {
  const auto differs = [&](Witness& elsewhere) { return Witness::differ(witness_.at(e), elsewhere.at(e)); };
  if (bound >= 2 && differs(other_accelerations_)) return 2;
  if (bound == 1 && differs(other_velocities_)) return 1;
  if (bound <= 0) return 0;
  // Nothing seen at two points: which of them occur, and does the expression depend on any?
  const auto depends = [&](char kind) {
    const auto symbols = free_symbols(e);
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
      const auto found = symbols_.find(symbol.id());
      return found != symbols_.end() && found->second.first == kind && !vanishes(cetaev::derivative(e, symbol));
    });
  };
  if (depends('a')) return 2;
  return depends('v') ? 1 : 0;
}

}  // namespace cetaev::model
