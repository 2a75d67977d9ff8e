#include "formula_tex.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "../report/greek.hpp"

namespace cetaev::verify {

namespace {

using Kind = FormulaNode::Kind;

// How tightly a piece binds: what stands within something tighter is put in brackets.
enum Strength { sum_strength, product_strength, power_strength, atom_strength };

struct Piece {
  Piece(std::string tex, int binds = atom_strength, bool is_tall = false)
      : text(std::move(tex)), strength(binds), tall(is_tall) {}
  std::string text;
  int strength;
  bool tall;              // a fraction, a sum
  bool minus = false;     // a product that begins with a sign
  std::string subscript;  // what stands below it, without the braces
};

// Names that mean something else in formulas than their letters.
const std::map<std::string, std::string>& special_names() {
  static const std::map<std::string, std::string> names = {
      {"Lstar", "L^*"},
      {"Tstar", "T^*"},
      {"Estar", "\\mathcal{E}^*"},
      {"E", "\\mathcal{E}"},
      {"L", "L"},
      {"alphabar", "\\bar{\\alpha}"},
      {"Bbar", "\\bar{B}"},
      {"v", "\\dot{q}"},
      {"a", "\\ddot{q}"},
      {"dq", "\\delta q"},
      {"phi", "\\varphi"},
      {"constraint", "f"},
      {"lambda_dot", "\\dot{\\lambda}"},
      {"W", "W_1"},
      {"Omega", "\\Omega_1"},
      {"W3", "W_2"},
      {"Omega3", "\\Omega_2"},
      {"A3", "A^{(2)}"},
      {"s3", "s^{(2)}"},
      {"f3", "f^{(2)}"},
      {"point", "\\mathbf{r}"},
      {"mass", "m"},
      {"pt", "p"},
      {"delta", "\\delta"},
      {"gamma", "\\gamma"},
  };
  return names;
}

// "x1" → x_1, "theta" → \theta, "speed" → \mathrm{speed}
std::string plain_name(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  std::string stem = name.substr(0, digits);
  const std::string number = name.substr(digits);
  std::string text;
  const auto letter = std::find_if(greek_letters.begin(), greek_letters.end(),
                                   [&](const GreekLetter& l) { return !l.name.empty() && l.name == stem; });
  if (letter != greek_letters.end()) {
    text = std::string(letter->latex);
  } else if (stem.size() > 1 && static_cast<unsigned char>(stem[0]) < 0x80) {
    std::string word;
    for (const char c : stem) word += c == '_' ? std::string("\\_") : std::string(1, c);
    text = "\\mathrm{" + word + "}";
  } else {
    text = stem;
  }
  return number.empty() ? text : text + "_{" + number + "}";
}

class Printer {
 public:
  explicit Printer(const Statement& s) : s_(s) {}

  std::string statement() {
    if (s_.is_definition()) {
      std::string head = s_.parameters.empty() ? plain_name(s_.name) : subscripted(s_.name, s_.parameters, true).text;
      return head + " := " + print(s_.body).text;
    }
    std::string text = print(s_.comparisons.front().left).text;
    for (const Statement::Comparison& c : s_.comparisons) text += relation(c.relation) + print(c.right).text;
    return text;
  }

 private:
  static std::string relation(Statement::Relation r) {
    switch (r) {
      case Statement::Relation::equal: return " = ";
      case Statement::Relation::not_equal: return " \\neq ";
      case Statement::Relation::less: return " < ";
      case Statement::Relation::greater: return " > ";
    }
    return {};
  }

  static std::string bracket(const Piece& p) { return p.tall ? "\\left(" + p.text + "\\right)" : "(" + p.text + ")"; }
  static std::string within(const Piece& p, int strength) { return p.strength < strength ? bracket(p) : p.text; }

  static std::string index_text(const Index& index) {
    std::string text;
    for (const Index::Part& part : index.parts) {
      if (part.sign < 0) text += "-";
      if (part.sign > 0 && !text.empty()) text += "+";
      if (part.name.empty()) {
        text += std::to_string(part.number);
      } else if (part.name == "pt" || part.name == "phi") {
        text += special_names().at(part.name);
      } else {
        text += plain_name(part.name);
      }
    }
    return text;
  }

  static std::string index_list(const std::vector<Index>& indices) {
    std::string text;
    for (const Index& index : indices) text += (text.empty() ? "" : ",") + index_text(index);
    return text;
  }

  // A name with indices: W[j,i] is W_{1;j,i} where the name has one itself.
  Piece subscripted(const std::string& name, const std::vector<Index>& indices, bool own) const {
    const std::string list = index_list(indices);
    for (const std::string stem : {"a_", "lambda_dot_", "lambda_"}) {
      if (own || !name.starts_with(stem) || name == "lambda_dot") continue;
      const std::string base = stem == "a_" ? "\\ddot{q}" : stem == "lambda_" ? "\\lambda" : "\\dot{\\lambda}";
      return {base + "^{\\mathrm{" + name.substr(stem.size()) + "}}_{" + list + "}"};
    }
    const auto special = special_names().find(name);
    std::string base = special != special_names().end() ? special->second : plain_name(name);
    if (base.find('_') != std::string::npos) base = "(" + base + ")";
    Piece piece(base + "_{" + list + "}");
    piece.subscript = list;
    return piece;
  }

  Piece print(std::uint32_t number) const {
    const FormulaNode& node = s_.nodes[number];
    switch (node.kind) {
      case Kind::number: return {node.text};
      case Kind::name: {
        const auto special = special_names().find(node.text);
        const bool use = special != special_names().end() && node.text != "v" && node.text != "a" &&
                         node.text != "constraint" && node.text != "mass" && node.text != "point";
        return {use ? special->second : plain_name(node.text)};
      }
      case Kind::subscript: return subscripted(node.text, node.indices, false);
      case Kind::sum: return sum(node);
      case Kind::vector:
        return {"\\left(" + print(node.operands[0]).text + ",\\, " + print(node.operands[1]).text + ",\\, " +
                print(node.operands[2]).text + "\\right)"};
      case Kind::component:
        return {within(print(node.operands[0]), atom_strength) + "_{" +
                std::string(1, static_cast<char>('x' + node.component)) + "}"};
      case Kind::prime: return prime(node);
      case Kind::negative: {
        const Piece p = print(node.operands[0]);
        Piece result("-" + within(p, product_strength), sum_strength, p.tall);
        result.minus = true;
        return result;
      }
      case Kind::add:
      case Kind::subtract: {
        const Piece a = print(node.operands[0]), b = print(node.operands[1]);
        // a − (b + c) keeps its brackets, a + b + c has none
        const bool minus = node.kind == Kind::subtract;
        const std::string right = minus || b.text.starts_with('-') ? within(b, product_strength) : b.text;
        return {a.text + (minus ? " - " : " + ") + right, sum_strength, a.tall || b.tall};
      }
      case Kind::multiply: {
        const Piece a = print(node.operands[0]), b = print(node.operands[1]);
        const bool dot = !b.text.empty() && b.text[0] >= '0' && b.text[0] <= '9';
        if (a.minus) {  // −2 a, not (−2) a
          Piece result(a.text + (dot ? " \\cdot " : "\\, ") + within(b, product_strength), sum_strength,
                       a.tall || b.tall);
          result.minus = true;
          return result;
        }
        return {within(a, product_strength) + (dot ? " \\cdot " : "\\, ") + within(b, product_strength),
                product_strength, a.tall || b.tall};
      }
      case Kind::divide: {
        const Piece a = print(node.operands[0]), b = print(node.operands[1]);
        return {"\\frac{" + a.text + "}{" + b.text + "}", power_strength, true};
      }
      case Kind::power: {
        const Piece a = print(node.operands[0]), b = print(node.operands[1]);
        const bool scripted = a.text.find('^') != std::string::npos || a.text.starts_with("\\frac");
        return {(scripted ? bracket(a) : within(a, atom_strength)) + "^{" + b.text + "}", power_strength, a.tall};
      }
      case Kind::call: return call(node);
    }
    return {""};
  }

  Piece sum(const FormulaNode& node) const {
    const std::string index = node.text == "pt" ? "p" : plain_name(node.text);
    std::string head = "\\sum_{" + index;
    if (node.indices.size() == 2) head += "=" + index_text(node.indices[0]) + "}^{" + index_text(node.indices[1]);
    return {head + "} " + within(print(node.operands[0]), product_strength), product_strength, true};
  }

  // x' → \dot{x}; of more than a name, a derivative
  Piece prime(const FormulaNode& node) const {
    std::size_t dots = 1;
    std::uint32_t inner = node.operands[0];
    while (s_.nodes[inner].kind == Kind::prime) {
      ++dots;
      inner = s_.nodes[inner].operands[0];
    }
    const FormulaNode& base = s_.nodes[inner];
    const Piece p = print(inner);
    const std::string accent = dots == 1 ? "\\dot{" : "\\ddot{";
    if (base.kind == Kind::name && dots <= 2) {
      const std::size_t index = p.text.find('_');
      return {accent + p.text.substr(0, index) + "}" + (index == std::string::npos ? "" : p.text.substr(index))};
    }
    if (base.kind == Kind::subscript && base.text == "point" && dots <= 2)
      return {accent + "\\mathbf{r}}_{" + p.subscript + "}"};
    const std::string order = dots == 1 ? "" : "^" + std::to_string(dots);
    return {"\\frac{d" + order + "}{dt" + order + "} " + within(p, power_strength), product_strength, true};
  }

  Piece call(const FormulaNode& node) const {
    const std::string& name = node.text;
    const auto argument = [&](std::size_t i) { return print(node.operands[i]); };
    if (name == "d") return derivative(node);
    if (name == "D") return {"\\frac{d}{dt} " + within(argument(0), power_strength), product_strength, true};
    if (name == "euler")
      return {"E_{" + index_list(node.indices) + "} " + within(argument(0), atom_strength), product_strength, false};
    if (name == "sqrt") return {"\\sqrt{" + argument(0).text + "}"};
    if (name == "star") return restricted(argument(0), "\\dot{q}_{m+\\nu} = \\alpha_{\\nu}");
    if (name == "scaled") {
      const Piece factor = argument(1);
      return restricted(argument(0),
                        "\\dot{q} \\to " + (factor.text == "0" ? "0" : within(factor, product_strength) + " \\dot{q}"));
    }
    if (name == "subst") {
      std::string list;
      for (std::size_t i = 1; i + 1 < node.operands.size(); i += 2)
        list += (list.empty() ? "" : ",\\, ") + argument(i).text + " = " + argument(i + 1).text;
      return restricted(argument(0), list);
    }
    if (name == "det") return {"\\det " + argument(0).text, product_strength, false};
    if (name == "leading")
      return {"\\det " + argument(0).text + "_{1 \\dots " + index_list(node.indices) + "}", product_strength};
    if (name == "inverse") return {"(" + argument(0).text + "^{-1})_{" + index_list(node.indices) + "}"};
    if (name == "dot")
      return {within(argument(0), atom_strength) + " \\cdot " + within(argument(1), atom_strength), product_strength};
    if (name == "cross")
      return {within(argument(0), atom_strength) + " \\wedge " + within(argument(1), atom_strength), product_strength};
    if (name == "norm" || name == "abs") return {"\\left|" + argument(0).text + "\\right|"};
    static constexpr std::array known = {"sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh"};
    const bool tex = std::find(known.begin(), known.end(), name) != known.end();
    std::string list;
    bool tall = false;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      list += (i == 0 ? "" : ",\\, ") + argument(i).text;
      tall = tall || argument(i).tall;
    }
    const bool bare = node.operands.size() == 1 && s_.nodes[node.operands[0]].kind == Kind::name;
    return {(tex ? "\\" + name : "\\operatorname{" + name + "}") +
                (bare ? " " + list : bracket({list, sum_strength, tall})),
            product_strength, tall};
  }

  static Piece restricted(const Piece& p, const std::string& condition) {
    return {"\\left. " + within(p, product_strength) + " \\right|_{" + condition + "}", product_strength, true};
  }

  // ∂e/∂x, ∂²e/∂x∂y
  Piece derivative(const FormulaNode& node) const {
    const Piece of = print(node.operands[0]);
    std::string below;
    for (std::size_t i = 1; i < node.operands.size(); ++i)
      below += "\\partial " + print(node.operands[i]).text + (i + 1 < node.operands.size() ? "\\, " : "");
    const std::size_t count = node.operands.size() - 1;
    const std::string above = count == 1 ? "\\partial" : "\\partial^{" + std::to_string(count) + "}";
    if (of.strength == atom_strength)
      return {"\\frac{" + above + " " + of.text + "}{" + below + "}", power_strength, true};
    return {"\\frac{" + above + "}{" + below + "} " + within(of, power_strength), product_strength, true};
  }

  const Statement& s_;
};

}  // namespace

std::string formula_tex(const Statement& statement) { return Printer(statement).statement(); }

}  // namespace cetaev::verify
