// Equations prepared for a reader as HTML with MathML. Every summand is a formula of its own, so that the browser breaks long
// lines between them, wherever the window ends.
#pragma once

#include <string>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

class FormulaWriter {
 public:
  explicit FormulaWriter(const WrittenSystem& written);

  std::string lagrangian();
  std::string equations(const std::vector<WrittenEquation>& equations);
  std::string definitions(const std::vector<WrittenDefinition>& definitions);
  // Everything of one form; the reason where it does not apply.
  std::string form(const WrittenForm& form);

  // Within a sentence.
  std::string name(const std::string& name);
  std::string expression(Expr e);

 private:
  std::string sum(const std::vector<TypesetTerm>& terms, bool behind_equals);
  std::string row(const std::string& left, double left_width, const std::string& right, const std::string& remark = {});
  std::string row(const WrittenEquation& equation, double widest);
  std::string row(const std::vector<WrittenDefinition>& list, std::size_t i);

  const WrittenSystem& written_;
  Typesetter typeset_;
};

}  // namespace cetaev
