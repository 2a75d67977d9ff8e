#include "emitter.hpp"

#include <limits>

#include "cetaev/detail/program/elimination.hpp"
#include "host.hpp"
#include "llvm/IR/MDBuilder.h"
#include "runtime.hpp"

namespace cetaev::native {

namespace {

constexpr unsigned double_size = 8;

}  // namespace

Emitter::Emitter(Compiler& compiler, unsigned lanes)
    : module_(compiler.module()),
      b_(compiler.context()),
      lanes_(lanes),
      double_(b_.getDoubleTy()),
      real_(lanes == 1 ? double_ : llvm::FixedVectorType::get(double_, lanes)),
      pointer_(b_.getPtrTy()) {}

llvm::Function* Emitter::declare(const std::string& name, unsigned pointers, bool entry, bool apart) {
  const std::vector<llvm::Type*> arguments(pointers, pointer_);
  auto* const f =
      llvm::Function::Create(llvm::FunctionType::get(b_.getInt32Ty(), arguments, false),
                             entry ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage, name, module_);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  for (unsigned i = 0; apart && i < pointers; ++i) f->addParamAttr(i, llvm::Attribute::NoAlias);
  return f;
}

void Emitter::enter(llvm::Function* function) {
  function_ = function;
  b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "", function));
}

llvm::Function* Emitter::begin(const std::string& name, unsigned pointers, bool entry) {
  enter(declare(name, pointers, entry));
  return function_;
}

Value Emitter::argument(unsigned i) { return function_->getArg(i); }

void Emitter::call(llvm::Function* function, std::span<const Value> arguments, bool may_be_singular) {
  Value const result = b_.CreateCall(function, llvm::ArrayRef<Value>(arguments.data(), arguments.size()));
  if (!may_be_singular) return;
  auto* const out = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  auto* const on = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  b_.CreateCondBr(b_.CreateICmpSLT(result, b_.getInt32(0)), on, out);
  b_.SetInsertPoint(out);
  b_.CreateRet(result);
  b_.SetInsertPoint(on);
}

void Emitter::finish(int result) { b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(result))); }

void Emitter::leave_unless(Value condition, int result) {
  if (lanes_ > 1 && condition->getType()->isVectorTy()) condition = b_.CreateAndReduce(condition);
  auto* const out = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  auto* const on = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  b_.CreateCondBr(condition, on, out);
  b_.SetInsertPoint(out);
  finish(result);
  b_.SetInsertPoint(on);
}

Value Emitter::constant(double x) { return llvm::ConstantFP::get(real_, x); }

Value Emitter::address(Value array, std::size_t index) {
  return index == 0 ? array : b_.CreateConstInBoundsGEP1_64(double_, array, index * lanes_);
}

Value Emitter::load(Value array, std::size_t index) {
  return b_.CreateAlignedLoad(real_, address(array, index), llvm::Align(double_size));
}

void Emitter::store(Value x, Value array, std::size_t index) {
  b_.CreateAlignedStore(x, address(array, index), llvm::Align(double_size));
}

Value Emitter::load_doubles(Value array, std::size_t index, unsigned width) {
  llvm::Type* const type = width == 1 ? double_ : llvm::FixedVectorType::get(double_, width);
  return b_.CreateAlignedLoad(type, address(array, index), llvm::Align(double_size));
}

Value Emitter::fused(Value x, Value y, Value z) {
  if (!host().fused) return add(multiply(x, y), z);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

Value Emitter::sign(Value x) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, constant(1), x); }

Value Emitter::sum(Value vector, unsigned width) {
  while (width > 1) {
    std::vector<int> low, high;
    width /= 2;
    for (unsigned i = 0; i < width; ++i) {
      low.push_back(static_cast<int>(i));
      high.push_back(static_cast<int>(width + i));
    }
    if (width == 1) return add(b_.CreateExtractElement(vector, std::uint64_t{0}), b_.CreateExtractElement(vector, 1));
    vector = add(b_.CreateShuffleVector(vector, low), b_.CreateShuffleVector(vector, high));
  }
  return vector;
}

// Neighbours are added in pairs, then pairs, then halves.
Value Emitter::sums(std::array<Value, 8> v) {
  constexpr std::array<std::array<int, 8>, 3> first = {
      {{0, 8, 2, 10, 4, 12, 6, 14}, {0, 1, 8, 9, 4, 5, 12, 13}, {0, 1, 2, 3, 8, 9, 10, 11}}};
  constexpr std::array<std::array<int, 8>, 3> second = {
      {{1, 9, 3, 11, 5, 13, 7, 15}, {2, 3, 10, 11, 6, 7, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15}}};
  std::size_t count = v.size();
  for (std::size_t level = 0; level < first.size(); ++level) {
    count /= 2;
    for (std::size_t i = 0; i < count; ++i)
      v[i] = add(b_.CreateShuffleVector(v[2 * i], v[2 * i + 1], first[level]),
                 b_.CreateShuffleVector(v[2 * i], v[2 * i + 1], second[level]));
  }
  return v[0];
}

void Emitter::store_doubles(Value x, Value array, std::size_t index) {
  b_.CreateAlignedStore(x, address(array, index), llvm::Align(double_size));
}

Value Emitter::entry_of_table(unsigned slot) {
  auto* const p = b_.CreateConstInBoundsGEP1_64(pointer_, argument(0), slot);
  auto* const f = b_.CreateLoad(pointer_, p);
  f->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
  return f;
}

// Room on the stack, taken at the beginning of the function.
Value Emitter::buffer(unsigned values) {
  llvm::IRBuilder<> at(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  auto* const a = at.CreateAlloca(llvm::ArrayType::get(double_, std::uint64_t{values} * lanes_));
  a->setAlignment(llvm::Align(double_size));
  return a;
}

Value Emitter::function(Function f, Value x) {
  if (f == Function::abs) return magnitude(x);
  if (lanes_ == 1) {
    auto* const type = llvm::FunctionType::get(double_, {double_}, false);
    return b_.CreateCall(type, entry_of_table(slot_of(f)), {x});
  }
  Value const memory = buffer(2);
  store(x, memory, 0);
  auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_}, false);
  b_.CreateCall(type, entry_of_table(slot_of(f)), {memory, address(memory, 1)});
  return load(memory, 1);
}

std::pair<Value, Value> Emitter::sine_cosine(Value x) {
  if (lanes_ == 1) {
    Value const memory = buffer(2);
    auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {double_, pointer_, pointer_}, false);
    b_.CreateCall(type, entry_of_table(slot_sine_cosine), {x, memory, address(memory, 1)});
    return {load(memory, 0), load(memory, 1)};
  }
  Value const memory = buffer(3);
  store(x, memory, 0);
  auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_}, false);
  b_.CreateCall(type, entry_of_table(slot_sine_cosine), {memory, address(memory, 1)});
  return {load(memory, 1), load(memory, 2)};
}

Value Emitter::binary_call(unsigned slot, Value x, Value y) {
  if (lanes_ == 1) {
    auto* const type = llvm::FunctionType::get(double_, {double_, double_}, false);
    return b_.CreateCall(type, entry_of_table(slot), {x, y});
  }
  Value const memory = buffer(3);
  store(x, memory, 0);
  store(y, memory, 1);
  auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_}, false);
  b_.CreateCall(type, entry_of_table(slot), {memory, address(memory, 2)});
  return load(memory, 2);
}

Value Emitter::power(Value x, Value y) { return binary_call(slot_power, x, y); }
Value Emitter::function(Function f, Value x, Value y) { return binary_call(slot_of(f), x, y); }

void Emitter::swap_where(Value condition, Value& x, Value& y) {
  if (x == nullptr && y == nullptr) return;
  Value const first = x == nullptr ? constant(0) : x;
  Value const second = y == nullptr ? constant(0) : y;
  x = b_.CreateSelect(condition, second, first);
  y = b_.CreateSelect(condition, first, second);
}

// x y − z w, an absent factor being zero.
Value Emitter::minor(Value x, Value y, Value z, Value w) {
  Value const subtrahend = z == nullptr || w == nullptr ? nullptr : multiply(z, w);
  if (x == nullptr || y == nullptr) return subtrahend == nullptr ? nullptr : negate(subtrahend);
  return subtrahend == nullptr ? multiply(x, y) : fused(x, y, negate(subtrahend));
}

// Two unknowns by Cramer's rule, which is as accurate there as elimination and waits for one division instead of two; where
// |det| > 2 s L₁ L₂, with L the largest entries of the rows and s the size of a pivot that counts as none. The first pivot
// beside its row is at least |det|/(2 L₁ L₂), the second one beside its row |det|/(L₁ L₂), so that elimination would not find
// the matrix singular either.
Value Emitter::solve_two(const std::vector<Row>& a, std::vector<Row>& x) {
  Value const determinant = minor(a[0][0], a[1][1], a[0][1], a[1][0]);
  if (determinant == nullptr) return b_.CreateFCmpOGT(constant(0), constant(0));  // singular always
  const auto largest = [&](const Row& row) {
    if (row[0] == nullptr || row[1] == nullptr) return magnitude(row[0] == nullptr ? row[1] : row[0]);
    return maximum(magnitude(row[0]), magnitude(row[1]));
  };
  Value const regular = b_.CreateFCmpOGT(
      magnitude(determinant), multiply(multiply(largest(a[0]), constant(2 * singular_pivot)), largest(a[1])));
  Value const inverse = divide(constant(1), determinant);
  for (std::size_t j = 0; j < x[0].size(); ++j) {
    Value const first = minor(a[1][1], x[0][j], a[0][1], x[1][j]);
    Value const second = minor(a[0][0], x[1][j], a[1][0], x[0][j]);
    x[0][j] = first == nullptr ? nullptr : multiply(first, inverse);
    x[1][j] = second == nullptr ? nullptr : multiply(second, inverse);
  }
  return regular;
}

// Written out for matrices whose pivots are large beside their rows; where one is not, which is rare, a call decides.
Value Emitter::solve(std::vector<Row>& a, std::vector<Row>& x, bool symmetric) {
  const std::size_t n = a.size();
  if (n == 1) return eliminate(a, x);
  std::vector<Row> matrix = a, written_out = x;
  Value regular = n == 2      ? solve_two(matrix, written_out)
                  : symmetric ? solve_symmetric(matrix, written_out)
                              : eliminate(matrix, written_out);
  if (lanes_ > 1) regular = b_.CreateAndReduce(regular);
  auto* const before = b_.GetInsertBlock();
  auto* const careful = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  auto* const after = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  b_.CreateCondBr(regular, after, careful, llvm::MDBuilder(b_.getContext()).createLikelyBranchWeights());

  b_.SetInsertPoint(careful);
  Value const found = solve_by_call(a, x, buffer(static_cast<unsigned>(2 * n * (n + x[0].size()))));
  auto* const end_of_careful = b_.GetInsertBlock();
  b_.CreateBr(after);

  b_.SetInsertPoint(after);
  const auto joined = [&](Value here, Value by_call) {
    auto* const phi = b_.CreatePHI(here->getType(), 2);
    phi->addIncoming(here, before);
    phi->addIncoming(by_call, end_of_careful);
    return phi;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < x[i].size(); ++j) {
      x[i][j] = written_out[i][j] == nullptr ? nullptr : joined(written_out[i][j], x[i][j]);
    }
  }
  return joined(b_.getTrue(), found);
}

// L D Lᵀ x = b without exchanges, which is as accurate as Cholesky's decomposition where the matrix is positive definite: where every pivot keeps
// half of the digits of the diagonal entry it is left of. Half of the products of an elimination, and no row waits for a comparison.
Value Emitter::solve_symmetric(std::vector<Row>& a, std::vector<Row>& x) {
  constexpr double half_the_digits = 0x1p-26;
  const std::size_t n = a.size();
  std::vector<Value> diagonal(n), inverse(n);
  Value regular = nullptr;
  const auto require = [&](Value condition) {
    regular = regular == nullptr ? condition : b_.CreateAnd(regular, condition);
  };
  const auto reduce = [&](Value& entry, Value factor, Value by) {
    if (factor == nullptr || by == nullptr) return;
    Value const minus = negate(factor);
    entry = entry == nullptr ? multiply(minus, by) : fused(minus, by, entry);
  };
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = multiply(constant(half_the_digits), a[i][i]);
    require(b_.CreateFCmpOLT(a[i][i], constant(std::numeric_limits<double>::infinity())));
    // so that no pivot is too small to divide by
    require(b_.CreateFCmpOGT(diagonal[i], constant(std::numeric_limits<double>::min())));
  }
  for (std::size_t k = 0; k < n; ++k) {
    require(b_.CreateFCmpOGT(a[k][k], diagonal[k]));
    inverse[k] = divide(constant(1), a[k][k]);
    // below the diagonal the entries of column k, on its other side those of L
    for (std::size_t i = k + 1; i < n; ++i) a[k][i] = a[i][k] == nullptr ? nullptr : multiply(a[i][k], inverse[k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j <= i; ++j) reduce(a[i][j], a[k][i], a[j][k]);
      for (std::size_t j = 0; j < x[i].size(); ++j) reduce(x[i][j], a[k][i], x[k][j]);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < x[k].size(); ++j) {
      if (x[k][j] != nullptr) x[k][j] = multiply(x[k][j], inverse[k]);
      for (std::size_t i = k + 1; i < n; ++i) reduce(x[k][j], a[k][i], x[i][j]);
    }
  }
  return regular;
}

// The rows keep their size; pivots are compared as beside rows whose largest entry is 1, without a division:
// |a_i| / L_i > |a_k| / L_k.
Value Emitter::eliminate(std::vector<Row>& a, std::vector<Row>& x) {
  const std::size_t n = a.size();
  const std::size_t m = x.empty() ? 0 : x[0].size();
  std::vector<Value> largest(n);
  Value regular = nullptr;
  const auto require = [&](Value condition) {
    regular = regular == nullptr ? condition : b_.CreateAnd(regular, condition);
  };
  Value const none = constant(0);
  Value const infinite = constant(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < n; ++i) {
    Value l = nullptr;
    for (Value entry : a[i]) {
      if (entry == nullptr) continue;
      Value const size = magnitude(entry);
      l = l == nullptr ? size : maximum(l, size);
    }
    largest[i] = l == nullptr ? none : l;
    require(b_.CreateFCmpOGT(largest[i], none));
    require(b_.CreateFCmpOLT(largest[i], infinite));
  }
  std::vector<Value> inverse(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t first = k;
    while (first < n && a[first][k] == nullptr) ++first;
    if (first == n) return b_.CreateFCmpOGT(none, none);  // singular always
    std::swap(a[k], a[first]);
    std::swap(x[k], x[first]);
    std::swap(largest[k], largest[first]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == nullptr) continue;
      Value const better =
          b_.CreateFCmpOGT(multiply(magnitude(a[i][k]), largest[k]), multiply(magnitude(a[k][k]), largest[i]));
      for (std::size_t j = k; j < n; ++j) swap_where(better, a[k][j], a[i][j]);
      for (std::size_t j = 0; j < m; ++j) swap_where(better, x[k][j], x[i][j]);
      swap_where(better, largest[k], largest[i]);
    }
    require(b_.CreateFCmpOGT(magnitude(a[k][k]), multiply(constant(singular_pivot), largest[k])));
    if (n == 1) {
      for (Value& entry : x[0]) entry = entry == nullptr ? nullptr : divide(entry, a[0][0]);
      return regular;
    }
    inverse[k] = divide(constant(1), a[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == nullptr) continue;
      Value const factor = negate(multiply(a[i][k], inverse[k]));
      const auto reduce = [&](Value& entry, Value pivot) {
        if (pivot == nullptr) return;
        entry = entry == nullptr ? multiply(factor, pivot) : fused(factor, pivot, entry);
      };
      for (std::size_t j = k + 1; j < n; ++j) reduce(a[i][j], a[k][j]);
      for (std::size_t j = 0; j < m; ++j) reduce(x[i][j], x[k][j]);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < m; ++j) {
      Value value = x[k][j];
      for (std::size_t i = k + 1; i < n; ++i) {
        if (a[k][i] == nullptr || x[i][j] == nullptr) continue;
        Value const minus = negate(a[k][i]);
        value = value == nullptr ? multiply(minus, x[i][j]) : fused(minus, x[i][j], value);
      }
      x[k][j] = value == nullptr ? nullptr : multiply(value, inverse[k]);
    }
  }
  return regular;
}

Value Emitter::solve_by_call(std::vector<Row>& a, std::vector<Row>& x, Value array) {
  const std::size_t n = a.size();
  const std::size_t m = x[0].size();
  const auto stored = [&](Value entry) { return entry == nullptr ? constant(0) : entry; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) store(stored(a[i][j]), array, i * n + j);
    for (std::size_t j = 0; j < m; ++j) store(stored(x[i][j]), array, n * n + i * m + j);
  }
  llvm::Type* const integer = b_.getInt32Ty();
  auto* const type = llvm::FunctionType::get(integer, {integer, integer, pointer_, pointer_, pointer_}, false);
  Value const result =
      b_.CreateCall(type, entry_of_table(slot_eliminate),
                    {b_.getInt32(static_cast<std::uint32_t>(n)), b_.getInt32(static_cast<std::uint32_t>(m)), array,
                     address(array, n * n), address(array, n * (n + m))});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) x[i][j] = load(array, n * n + i * m + j);
  }
  return b_.CreateICmpNE(result, b_.getInt32(0));
}

}  // namespace cetaev::native
