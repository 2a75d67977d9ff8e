// Writes the intermediate form of LLVM: values of one or several lanes, functions, small linear systems.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"
#include "compiler.hpp"
#include "llvm/IR/IRBuilder.h"

namespace cetaev::native {

using Value = llvm::Value*;

// Entries of a linear system; an absent one is zero whatever happens.
using Row = std::vector<Value>;

class Emitter {
 public:
  Emitter(Compiler& compiler, unsigned lanes);

  // A function of pointers, the first to the table of functions; it returns an int. Code goes to its end from now on.
  llvm::Function* begin(const std::string& name, unsigned pointers, bool entry);
  // The same in two steps.
  // The pointers lead to different memory, or not.
  llvm::Function* declare(const std::string& name, unsigned pointers, bool entry, bool apart = true);
  void enter(llvm::Function* function);
  Value argument(unsigned i);
  // Calls a function of this kind; where it may find a linear system singular, its answer is passed on.
  void call(llvm::Function* function, std::span<const Value> arguments, bool may_be_singular);
  void finish(int result);
  // Returns `result` unless every lane of `condition` holds; code goes on where it does.
  void leave_unless(Value condition, int result);

  llvm::Type* real() { return real_; }
  Value constant(double x);
  // Arrays of values: [index][lane].
  Value load(Value array, std::size_t index);
  void store(Value x, Value array, std::size_t index);
  Value address(Value array, std::size_t index);
  // `width` doubles in a row, of one lane.
  Value load_doubles(Value array, std::size_t index, unsigned width);

  Value add(Value x, Value y) { return b_.CreateFAdd(x, y); }
  Value subtract(Value x, Value y) { return b_.CreateFSub(x, y); }
  Value multiply(Value x, Value y) { return b_.CreateFMul(x, y); }
  Value divide(Value x, Value y) { return b_.CreateFDiv(x, y); }
  Value negate(Value x) { return b_.CreateFNeg(x); }
  Value fused(Value x, Value y, Value z);  // x y + z, rounded once
  Value square_root(Value x) { return unary(llvm::Intrinsic::sqrt, x); }
  Value magnitude(Value x) { return unary(llvm::Intrinsic::fabs, x); }
  Value sign(Value x);  // ±1
  Value sum(Value vector, unsigned width);
  // The sums of eight vectors of eight, side by side.
  Value sums(std::array<Value, 8> vectors);
  void store_doubles(Value x, Value array, std::size_t index);
  Value zeros(unsigned width) { return llvm::ConstantAggregateZero::get(llvm::FixedVectorType::get(double_, width)); }
  Value element(Value vector, unsigned i) { return b_.CreateExtractElement(vector, std::uint64_t{i}); }
  // The pointer so many doubles ahead.
  Value moved(Value array, std::int64_t doubles) {
    return b_.CreateConstGEP1_64(double_, array, static_cast<std::uint64_t>(doubles));
  }
  Value function(Function f, Value x);
  std::pair<Value, Value> sine_cosine(Value x);
  // Of up to four at once, without a call as long as none is large.
  bool has_own_sines() const;
  static constexpr std::size_t sines_at_once = 4;
  std::vector<std::pair<Value, Value>> sines_cosines(std::span<const Value> x);
  Value power(Value x, Value y);
  Value function(Function f, Value x, Value y);

  // Solves a linear system written out, by elimination with scaled partial pivoting or what amounts to it: x is the right-hand
  // side and becomes the solution. Returns the condition that the matrix is not singular. Rows beyond `largest_unrolled` are
  // for solve_by_call.
  static constexpr std::size_t largest_unrolled = 3;
  // A symmetric matrix without zeros on its diagonal, most likely positive definite, is unrolled further.
  static constexpr std::size_t largest_symmetric = 6;
  Value solve(std::vector<Row>& a, std::vector<Row>& x, bool symmetric = false);
  // The same by a call, through arrays in memory: n (n + m) values, and as many doubles of scratch behind them.
  Value solve_by_call(std::vector<Row>& a, std::vector<Row>& x, Value array);

 private:
  Value unary(llvm::Intrinsic::ID intrinsic, Value x) { return b_.CreateUnaryIntrinsic(intrinsic, x); }
  Value binary_call(unsigned slot, Value x, Value y);
  Value entry_of_table(unsigned slot);
  Value buffer(unsigned values);
  Value maximum(Value x, Value y) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x, y); }
  Value minor(Value x, Value y, Value z, Value w);
  Value solve_two(const std::vector<Row>& a, std::vector<Row>& x);
  Value solve_symmetric(std::vector<Row>& a, std::vector<Row>& x);
  Value eliminate(std::vector<Row>& a, std::vector<Row>& x);
  void swap_where(Value condition, Value& x, Value& y);

  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  unsigned lanes_;
  llvm::Type* double_;
  llvm::Type* real_;
  llvm::Type* pointer_;
  llvm::Function* function_ = nullptr;
};

}  // namespace cetaev::native
