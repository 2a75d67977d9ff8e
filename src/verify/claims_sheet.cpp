#include "claims_sheet.hpp"

#include <fmt/format.h>

#include "../report/layout.hpp"
#include "claim_body.hpp"
#include "formula_tex.hpp"

namespace cetaev::verify {

namespace {

SheetRow formulas(const std::string& label, const Form& form) {
  if (form.statements.empty()) return {label, SheetRow::Kind::code, form.lines};
  SheetRow row{label, SheetRow::Kind::tex, {}};
  for (const Statement& s : form.statements) row.lines.push_back(formula_tex(s));
  return row;
}

std::string sentence(std::string text) {
  text = capital(std::move(text));
  return text.ends_with('.') || text.ends_with('?') ? text : text + ".";
}

}  // namespace

std::vector<SheetRow> sheet(const ClaimResult& result) {
  using Kind = SheetRow::Kind;
  const Claim& claim = result.claim;
  const ClaimBody& body = *claim.body;
  std::vector<SheetRow> rows;
  const auto add = [&](SheetRow row) {
    if (!row.lines.empty()) rows.push_back(std::move(row));
  };
  add({"The paper", Kind::tex, claim.tex});
  add(formulas(claim.tex.empty() ? "Printed, in our notation" : "The same in our notation", body.printed));
  add(formulas("Correct", body.correct));
  add(formulas("True instead", body.instead));
  add(formulas(claim.expected == ClaimVerdict::open ? "The answer" : "What can be computed", body.answer));
  Form given;
  for (const Statement& s : body.given) {
    given.lines.push_back(s.text);
    given.statements.push_back(s);
  }
  add(formulas("Where", given));
  if (!claim.remark.empty()) add({"Remark", Kind::words, {claim.remark}});
  if (!claim.extraction.empty())
    add({"Extraction",
         Kind::words,
         {"The text at hand came from a PDF, which may be to blame: " + claim.extraction + "."}});
  if (result.method.empty()) {
    add({"Evidence", Kind::found, {sentence(result.evidence)}});
  } else {
    add({"Evidence", Kind::found, {sentence(result.method), sentence(result.evidence)}});
  }
  if (result.verdict == ClaimVerdict::holds && !result.state.empty())
    add({"One of the states", Kind::found, {sentence(result.state)}});
  std::string models;
  for (const std::string& model : claim.models) models += (models.empty() ? "" : "; ") + model;
  if (!models.empty()) add({"Models", Kind::found, {models}});
  add({"Source",
       Kind::found,
       {fmt::format("[{}] {}; {}:{}", claim.paper, claim.where, claim.position.file, claim.position.line)}});
  return rows;
}

}  // namespace cetaev::verify
