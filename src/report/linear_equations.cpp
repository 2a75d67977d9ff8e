#include "cetaev/report/linear_equations.hpp"

#include <fmt/format.h>

#include <array>

#include "cetaev/constraint/state.hpp"
#include "json_values.hpp"
#include "latex_text.hpp"
#include "layout.hpp"

namespace cetaev {

namespace {

using Powers = std::vector<LinearEquations::Power>;

std::vector<std::string> names(const LinearEquations& found, const std::vector<std::size_t>& which, const char* mark) {
  std::vector<std::string> result;
  for (const std::size_t i : which) result.push_back(found.system->coordinates[i] + mark);
  return result;
}

// As the symbols are called: quasi-velocities have a mark in theirs, which tells them from names of the model.
std::vector<std::string> velocity_names(const LinearEquations& found) {
  std::vector<std::string> result = names(found, found.velocities, "'");
  for (const Expr u : found.u_symbols) result.emplace_back(u.name());
  return result;
}

std::string listed(Typesetter& typeset, const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& name : all) text += (text.empty() ? "" : ", ") + typeset.name(name);
  return "(" + text + ")";
}

// What the state is, where it is not zero.
std::string state_of(const LinearEquations& found, Typesetter& typeset) {
  std::string text;
  const auto add = [&](const std::string& name, Expr value, Expr itself) {
    if (value.is_zero()) return;
    text += (text.empty() ? "" : ", ") + typeset.name(name);
    if (value != itself) text += " = " + typeset.expression(value);
  };
  const Motion& motion = found.system->motion;
  for (std::size_t i = 0; i < found.q.size(); ++i) add(found.system->coordinates[i], found.q[i], motion.q[i]);
  for (std::size_t i = 0; i < found.v.size(); ++i) add(found.system->coordinates[i] + "'", found.v[i], motion.v[i]);
  for (std::size_t i = 0; i < found.u.size(); ++i)
    add(std::string(found.u_symbols[i].name()), found.u[i], found.u_symbols[i]);
  return text;
}

// "c > 0", where the sign of a parameter was used.
std::string signs_of(const LinearEquations& found, Typesetter& typeset) {
  std::string text;
  for (const auto& [parameter, sign] : found.signs)
    text += (text.empty() ? "" : ", ") + typeset.expression(parameter) + (sign > 0 ? " > 0" : " < 0");
  return text;
}

// No position matters: velocities alone.
bool of_velocities_alone(const LinearEquations& found) { return !found.second_order && found.positions.empty(); }

const char* equation_of(const LinearEquations& found) {
  if (of_velocities_alone(found)) return "M u' + C u = 0";
  return found.second_order ? "M x'' + C x' + K x = 0" : "M u' + C u + K p = 0, p' = P p + U u";
}

// C, or C = v C1 + v^2 C2
struct Named {
  std::string name;
  int exponent = 0;
  const Matrix* matrix;
};
std::vector<Named> parts(const std::string& name, const Matrix& whole, const Powers* powers) {
  std::vector<Named> result;
  if (powers == nullptr || powers->empty()) return {{name, 0, &whole}};
  if (powers->size() == 1 && powers->front().exponent == 0) return {{name, 0, &powers->front().matrix}};
  for (const auto& [exponent, matrix] : *powers) result.push_back({name + std::to_string(exponent), exponent, &matrix});
  return result;
}

std::vector<std::vector<Named>> matrices_of(const LinearEquations& found) {
  const auto* split = found.by_speed ? &*found.by_speed : nullptr;
  std::vector<std::vector<Named>> all = {parts("M", found.M, split ? &split->M : nullptr),
                                         parts("C", found.C, split ? &split->C : nullptr)};
  if (of_velocities_alone(found)) return all;
  all.push_back(parts("K", found.K, split ? &split->K : nullptr));
  if (!found.second_order) {
    all.push_back({{"P", 0, &found.P}});
    all.push_back({{"U", 0, &found.U}});
  }
  return all;
}

// Entries as they are to be read.
class Entries {
 public:
  Typesetter typeset;

  Entries(const LinearEquations& found, Notation notation, bool numeric)
      : typeset(found.system, notation), numeric_(numeric) {
    if (!numeric) return;
    for (const Replacement& one : exact_parameters(found.system))
      if (!found.by_speed || one.first != found.by_speed->speed) values_.push_back(one);
  }

  std::string operator()(Expr e) {
    if (numeric_) {
      e = substitute(e, values_);
      if (free_symbols(std::array{e}).empty()) return fmt::format("{:.15g}", evaluate(e, {}) + 0.0);
    }
    return typeset.expression(e);
  }

 private:
  bool numeric_;
  std::vector<Replacement> values_;
};

Json matrix_json(const Matrix& matrix, Entries& typeset) {
  Json list = Json::array();
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < matrix.columns; ++c) row.push_back(typeset(matrix(r, c)));
    list.push_back(std::move(row));
  }
  return list;
}

void put_matrices(Json& document, const LinearEquations& found, Entries& entry) {
  document["M"] = matrix_json(found.M, entry);
  document["C"] = matrix_json(found.C, entry);
  document["K"] = matrix_json(found.K, entry);
  if (!found.second_order) {
    document["P"] = matrix_json(found.P, entry);
    document["U"] = matrix_json(found.U, entry);
  }
  document["by_speed"] = nullptr;
  if (!found.by_speed) return;
  Json split;
  split["speed"] = entry.typeset.expression(found.by_speed->speed);
  const auto powers = [&](const Powers& all) {
    Json list = Json::array();
    for (const auto& [exponent, matrix] : all)
      list.push_back({{"exponent", exponent}, {"matrix", matrix_json(matrix, entry)}});
    return list;
  };
  split["M"] = powers(found.by_speed->M);
  split["C"] = powers(found.by_speed->C);
  split["K"] = powers(found.by_speed->K);
  document["by_speed"] = std::move(split);
}

}  // namespace

std::string to_text(const LinearEquations& found, Notation notation, bool numeric) {
  Entries entry(found, notation, numeric);
  Typesetter& typeset = entry.typeset;
  std::string text = found.system->name + "\n";
  const std::string state = state_of(found, typeset);
  text += fmt::format("small motions about {}\n", state.empty() ? "rest at zero" : state);
  if (!found.signs.empty()) text += "for " + signs_of(found, typeset) + "\n";
  text += fmt::format("\n{}\n", equation_of(found));
  if (found.second_order) {
    text += "  x = " + listed(typeset, names(found, found.velocities, "")) + "\n";
  } else {
    text += "  u = " + listed(typeset, velocity_names(found)) + "\n";
    if (!found.positions.empty()) text += "  p = " + listed(typeset, names(found, found.positions, "")) + "\n";
  }
  for (const auto& of_one : matrices_of(found)) {
    if (of_one.size() > 1 || of_one.front().exponent > 0) {
      std::string sum;
      for (const Named& part : of_one) {
        sum += sum.empty() ? "" : " + ";
        if (part.exponent > 0) sum += typeset.expression(found.by_speed->speed);
        if (part.exponent > 1) sum += "^" + std::to_string(part.exponent);
        sum += (part.exponent > 0 ? " " : "") + part.name;
      }
      text += fmt::format("\n{} = {}\n", of_one.front().name.substr(0, 1), sum);
    }
    for (const Named& part : of_one) {
      text += "\n" + part.name + " =\n";
      std::vector<std::vector<std::string>> rows;
      for (std::size_t r = 0; r < part.matrix->rows; ++r) {
        rows.emplace_back();
        for (std::size_t c = 0; c < part.matrix->columns; ++c) rows.back().push_back(entry((*part.matrix)(r, c)));
      }
      text += table(rows);
    }
  }
  if (!found.where.empty()) text += "\nwhere\n";
  for (const auto& [symbol, value] : found.where)
    text += "  " + typeset.expression(symbol) + " = " + typeset.expression(value) + "\n";
  return text;
}

std::string to_latex(const LinearEquations& found, bool numeric) {
  Entries entry(found, Notation::latex, numeric);
  Typesetter& typeset = entry.typeset;
  std::string text = "% " + latex_comment(found.system->name) + "\n% needs \\usepackage{amsmath}\n";
  const auto column = [&](const std::vector<std::string>& all) {
    std::string entries;
    for (const std::string& name : all) entries += (entries.empty() ? "" : ",\\; ") + typeset.name(name);
    return "\\left(" + entries + "\\right)";
  };
  text += "\\begin{gather*}\n";
  if (found.second_order) {
    text += "  M\\ddot{x} + C\\dot{x} + Kx = 0, \\qquad x = " + column(names(found, found.velocities, ""));
  } else if (of_velocities_alone(found)) {
    text += "  M\\dot{u} + Cu = 0, \\qquad u = " + column(velocity_names(found));
  } else {
    text += "  M\\dot{u} + Cu + Kp = 0, \\quad \\dot{p} = Pp + Uu, \\qquad u = " + column(velocity_names(found)) +
            ", \\quad p = " + column(names(found, found.positions, ""));
  }
  for (const auto& of_one : matrices_of(found)) {
    text += " \\\\\n  " + of_one.front().name.substr(0, 1) + " = ";
    bool first = true;
    for (const Named& part : of_one) {
      text += first ? "" : " + ";
      first = false;
      if (part.exponent > 0) text += typeset.expression(found.by_speed->speed);
      if (part.exponent > 1) text += "^{" + std::to_string(part.exponent) + "}";
      text += "\\begin{pmatrix} ";
      for (std::size_t r = 0; r < part.matrix->rows; ++r) {
        text += r == 0 ? "" : " \\\\ ";
        for (std::size_t c = 0; c < part.matrix->columns; ++c)
          text += (c == 0 ? "" : " & ") + entry((*part.matrix)(r, c));
      }
      text += " \\end{pmatrix}";
    }
  }
  for (std::size_t k = 0; k < found.where.size(); ++k) {
    text += std::string(" \\\\\n  ") + (k == 0 ? "\\text{where}\\quad " : "");
    text += typeset.expression(found.where[k].first) + " = " + typeset.expression(found.where[k].second);
  }
  if (!found.signs.empty()) text += " \\\\\n  " + signs_of(found, typeset);
  return text + "\n\\end{gather*}\n";
}

std::string to_json(const LinearEquations& found, bool numeric, const LinearEquations* named) {
  Entries entry(found, Notation::ascii, numeric);
  Typesetter& typeset = entry.typeset;
  Json document;
  document["model"] = found.system->name;
  document["velocities"] = found.quasi.empty() ? names(found, found.velocities, "'") : found.quasi;
  document["positions"] = names(found, found.positions, "");
  document["second_order"] = found.second_order;
  Json& q = document["q"] = Json::object();
  Json& v = document["v"] = Json::object();
  for (std::size_t i = 0; i < found.q.size(); ++i) {
    q[found.system->coordinates[i]] = typeset.expression(found.q[i]);
    v[found.system->coordinates[i]] = typeset.expression(found.v[i]);
  }
  if (!found.quasi.empty()) {
    Json& u = document["u"] = Json::object();
    for (std::size_t i = 0; i < found.u.size(); ++i) u[found.quasi[i]] = typeset.expression(found.u[i]);
  }
  Json& signs = document["signs"] = Json::object();
  for (const auto& [parameter, sign] : found.signs) signs[std::string(parameter.name())] = sign;
  put_matrices(document, found, entry);
  document["short"] = nullptr;
  if (named != nullptr && !named->where.empty()) {
    Json shorter;
    Json& where = shorter["where"] = Json::array();
    for (const auto& [symbol, value] : named->where)
      where.push_back({{"symbol", typeset.expression(symbol)}, {"text", typeset.expression(value)}});
    put_matrices(shorter, *named, entry);
    if (named->by_speed)  // in its parts alone
      for (const char* whole : {"M", "C", "K"}) shorter.erase(whole);
    document["short"] = std::move(shorter);
  }
  return dump(document);
}

std::string to_code(const LinearEquations& found, Language language) {
  const bool alone = of_velocities_alone(found);
  std::vector<NamedMatrix> matrices = {{"M", alone ? "M of M u' + C u = 0" : "M of M u' + C u + K p = 0", found.M},
                                       {"C", "C of the same", found.C}};
  if (!alone) matrices.push_back({"K", "K of the same", found.K});
  if (!alone && !found.second_order) {
    matrices.push_back({"P", "P of p' = P p + U u", found.P});
    matrices.push_back({"U", "U of the same", found.U});
  }
  Typesetter typeset(found.system, Notation::ascii);
  const std::string state = state_of(found, typeset);
  return export_linear(first_order(found), matrices,
                       fmt::format("Small motions about {}: {}, as state' = f(t, state). Written by cetaev derive "
                                   "--linear.",
                                   state.empty() ? "rest at zero" : state,
                                   found.second_order ? "M u' + C u + K p = 0, p' = u" : equation_of(found)),
                       language);
}

}  // namespace cetaev
