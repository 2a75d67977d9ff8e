// Rows of align environments.
#pragma once

#include <string>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

class LatexWriter {
 public:
  // What fits on a line, in letters of a formula: of an article as LaTeX makes it, and of a page of A4 with 25 mm margins.
  static constexpr double of_an_article = 60, of_a_page = 76;
  LatexWriter(const WrittenSystem& written, double line_width);

  // Constraints that the reader has seen already; forms then only mention them.
  void take_as_known(std::vector<Expr> constraints) { known_ = std::move(constraints); }

  // Definitions, equations and constraints of one form in one environment, with the conditions behind it.
  std::string form(const WrittenForm& form);
  std::string object(const WrittenObject& object);
  // Formulas in an environment of their own; nothing for an empty list.
  std::string equations(const std::vector<WrittenEquation>& equations);
  std::string definitions(const std::vector<WrittenDefinition>& definitions);
  std::string lagrangian();

  Typesetter& typeset() { return typeset_; }

 private:
  static std::string notes(const WrittenForm& form);
  struct Row {
    std::vector<TypesetTerm> left, right;
    std::string behind;  // a remark at the end
  };

  Row row(const WrittenEquation& equation);
  Row row(const std::vector<WrittenDefinition>& list, std::size_t i);
  std::vector<Row> rows_of(const std::vector<WrittenDefinition>& definitions);
  std::string align(const std::vector<Row>& rows);

  const WrittenSystem& written_;
  double line_width_;
  Typesetter typeset_;
  std::vector<Expr> known_;
};

}  // namespace cetaev
