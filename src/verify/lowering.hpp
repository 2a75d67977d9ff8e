// Formulas of claims as expressions on a concrete system.
//
// Indices count from 1 with the independent coordinates first: q[1…m] independent, q[m+1…n] dependent.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench.hpp"
#include "formula.hpp"

namespace cetaev::verify {

// Values that a formula takes from a motion or at random, as symbols; filled in sample by sample.
struct Needed {
  std::set<std::string> forms;          // whose accelerations or multipliers occur by name: a_mvm2[i]
  std::map<std::string, Expr> numbers;  // arbitrary numbers by name
};

struct LoweredComparison {
  Statement::Relation relation;
  Expr left, right;
  const Statement* statement;
  std::string indices;  // "r = 1, nu = 2"; empty when there are none
};

class Lowering {
 public:
  // `random`: names of arbitrary numbers. The bench and the frame must outlive it.
  Lowering(Bench& bench, const Frame& frame, const std::vector<std::string>& random);

  // Definitions come before what uses them.
  void define(const Statement& statement);
  // For every value of its free indices.
  std::vector<LoweredComparison> lower(const Statement& statement);
  bool is_defined(const std::string& name) const { return definitions_.contains(name); }
  // What a scalar definition says for these indices.
  Expr defined(const std::string& name, const std::vector<long>& indices);

  std::vector<LinearBlock>& blocks() { return blocks_; }
  const Needed& needed() const { return needed_; }
  // Symbols of a_FORM, lambda_FORM and lambda_dot_FORM, in the order of the coordinates and the rows of the setting.
  std::vector<Expr> acceleration_symbols(const std::string& form) const;
  std::vector<Expr> lambda_symbols(const std::string& form) const;
  std::vector<Expr> lambda_dot_symbols(const std::string& form) const;

 private:
  using Environment = std::map<std::string, long>;
  struct Value {
    std::vector<Expr> parts;  // one or three
    bool vector() const { return parts.size() == 3; }
  };

  Value value(const Statement& s, std::uint32_t node, const Environment& env);
  Expr scalar(const Statement& s, std::uint32_t node, const Environment& env);
  Value name(const Statement& s, const FormulaNode& node, const Environment& env);
  Value prime(const Statement& s, const FormulaNode& node, const Environment& env);
  Value call(const Statement& s, const FormulaNode& node, const Environment& env);
  Value defined(const Statement& s, const FormulaNode& node, const std::vector<long>& indices);
  Value subscript(const Statement& s, const FormulaNode& node, const Environment& env);
  Expr entry(const Statement& s, const FormulaNode& node, const std::vector<long>& index);
  std::optional<Expr> metric(const Statement& s, const FormulaNode& node, const std::vector<long>& index);
  std::optional<Expr> modified(const Statement& s, const FormulaNode& node, const std::vector<long>& index);
  Expr operator_call(const Statement& s, const FormulaNode& node, const Environment& env);
  Matrix matrix(const Statement& s, std::uint32_t node, long size);

  long index_value(const Statement& s, const Index& index, const Environment& env) const;
  std::vector<long> index_values(const Statement& s, const FormulaNode& node, const Environment& env) const;
  std::size_t place(const Statement& s, const FormulaNode& node, long index) const;  // of a coordinate
  std::size_t row(const Statement& s, const FormulaNode& node, long index) const;    // of an independent constraint
  std::optional<long> range(const std::string& index) const;
  void free_indices(const Statement& s, std::uint32_t node, std::set<std::string>& bound,
                    std::set<std::string>& found) const;

  [[noreturn]] void fail(const Statement& s, const FormulaNode& node, const std::string& message,
                         const std::string& suggestion = {}) const;

  const std::vector<Expr>& alpha(const Statement& s, const FormulaNode& node) const;
  Expr star(const Statement& s, const FormulaNode& node, Expr e) const;
  Expr derivative_by(const Statement& s, std::uint32_t node, Expr e, const Environment& env);
  // Values of linear systems are numbers at an instant, not functions.
  void refuse_derivative(const Statement& s, const FormulaNode& node, Expr e) const;
  Expr energy(Expr lagrangian, const std::vector<std::size_t>& over) const;
  Expr kinetic() const;
  Expr euler(Expr f, std::size_t place);
  const std::vector<Expr>& virtual_displacement();
  const std::vector<Expr>& functions(const Statement& s, const FormulaNode& node, bool theorem3);

  Bench& bench_;
  const Frame& frame_;
  const Setting& setting_;
  System system_;
  Context& context_;
  std::vector<std::string> random_;
  Derivation total_;
  std::map<std::string, std::vector<const Statement*>> definitions_;  // the cases of a name
  std::map<std::pair<std::string, std::vector<long>>, Value> known_;
  std::vector<LinearBlock> blocks_;
  std::vector<Expr> displacement_;
  std::map<std::string, Matrix> matrices_;
  std::vector<Expr> functions2_, functions3_;
  Needed needed_;
};

}  // namespace cetaev::verify
