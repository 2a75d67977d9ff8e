// Sines and cosines within the code: docs/decisions/0032 says why they are not called.
#include <array>
#include <numbers>
#include <span>

#include "emitter.hpp"
#include "host.hpp"
#include "llvm/IR/MDBuilder.h"

namespace cetaev::native {

namespace {

// x = k π/2 + r with |r| ≤ π/4, π/2 in three parts; beyond the largest x k takes so many digits that k times the first part is no double.
constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54,
                 half_pi_lowest = -0x1.f1976b7ed8fbcp-110;
constexpr double largest = 1e6;
// A double that is so large has its units in its last digits.
constexpr double to_whole = 0x1.8p52;

// (sin r − r)/r³ and (cos r − 1 + r²/2)/r⁴ as polynomials in r², through Čebyšëv's points: to 2⁻⁵⁷ of the sine and 2⁻⁵⁹ of the cosine.
constexpr std::array sine = {-0x1.5555555555555p-3, 0x1.1111111111110p-7,   -0x1.a01a01a019934p-13,
                             0x1.71de3a5460281p-19, -0x1.ae64541207023p-26, 0x1.61217e74a8c33p-33,
                             -0x1.ab177b1e72186p-41};
constexpr std::array cosine = {0x1.5555555555555p-5,   -0x1.6c16c16c16965p-10, 0x1.a01a019f4e5cdp-16,
                               -0x1.27e4fa176e25bp-22, 0x1.1eeb6878d27e4p-29,  -0x1.907d526f03016p-37};

}  // namespace

bool Emitter::has_own_sines() const { return lanes_ == 1 && host().fused; }

std::vector<std::pair<Value, Value>> Emitter::sines_cosines(std::span<const Value> x) {
  const auto count = static_cast<unsigned>(x.size());
  const unsigned width = count <= 2 ? count : 4;
  llvm::Type* const type = width == 1 ? double_ : llvm::FixedVectorType::get(double_, width);
  llvm::Type* const integer = b_.getInt64Ty();
  llvm::Type* const whole = width == 1 ? integer : llvm::FixedVectorType::get(integer, width);
  const auto number = [&](double value) -> Value { return llvm::ConstantFP::get(type, value); };
  const auto bits = [&](std::uint64_t value) -> Value { return llvm::ConstantInt::get(whole, value); };
  const auto of = [&](Value vector, unsigned i) -> Value {
    return width == 1 ? vector : b_.CreateExtractElement(vector, std::uint64_t{i});
  };
  const auto fma = [&](Value a, Value b, Value c) -> Value {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
  };
  Value angles = x[0];
  if (width > 1) {
    angles = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < width; ++i)
      angles = b_.CreateInsertElement(angles, x[i < count ? i : 0], std::uint64_t{i});
  }

  auto* const usual = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  auto* const far = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  auto* const on = llvm::BasicBlock::Create(b_.getContext(), "", function_);
  Value near = b_.CreateFCmpOLE(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, angles), number(largest));
  if (width > 1) near = b_.CreateAndReduce(near);
  b_.CreateCondBr(near, usual, far, llvm::MDBuilder(b_.getContext()).createBranchWeights(1000, 1));

  b_.SetInsertPoint(usual);
  Value const shifted = fma(angles, number(2 / std::numbers::pi), number(to_whole));
  Value const k = subtract(shifted, number(to_whole));
  Value const minus_k = negate(k);
  Value const first = fma(minus_k, number(half_pi), angles);  // exact
  Value const second = multiply(k, number(half_pi_low));
  Value const r = subtract(first, second);
  Value low = subtract(subtract(first, r), second);
  low = add(low, fma(minus_k, number(half_pi_low), second));
  low = fma(minus_k, number(half_pi_lowest), low);
  Value const z = multiply(r, r);
  const auto polynomial = [&](std::span<const double> c) {
    Value p = number(c.back());
    for (std::size_t i = c.size() - 1; i-- > 0;) p = fma(p, z, number(c[i]));
    return p;
  };
  Value const half = multiply(z, number(0.5)), most = subtract(number(1), half);
  Value s = add(r, fma(multiply(z, r), polynomial(sine), multiply(low, most)));
  // and of what rounding has taken from z, a half
  Value const lost = subtract(subtract(number(1), most), half);
  Value const square = fma(r, r, negate(z));
  Value c =
      add(most, add(lost, fma(multiply(z, z), polynomial(cosine), negate(fma(r, low, multiply(square, number(0.5)))))));
  // in which quarter
  Value const quarter = b_.CreateBitCast(shifted, whole);
  Value const odd = b_.CreateICmpNE(b_.CreateAnd(quarter, bits(1)), bits(0));
  Value const across = b_.CreateSelect(odd, c, s), along = b_.CreateSelect(odd, s, c);
  const auto signed_by = [&](Value value, Value second_bit) -> Value {
    Value const sign = b_.CreateShl(b_.CreateAnd(second_bit, bits(2)), bits(62));
    return b_.CreateBitCast(b_.CreateXor(b_.CreateBitCast(value, whole), sign), type);
  };
  s = signed_by(across, quarter);
  c = signed_by(along, b_.CreateAdd(quarter, bits(1)));
  auto* const end_of_usual = b_.GetInsertBlock();
  b_.CreateBr(on);

  b_.SetInsertPoint(far);
  Value called_s = number(0), called_c = number(0);
  for (unsigned i = 0; i < count; ++i) {
    const auto [own_s, own_c] = sine_cosine(x[i]);
    called_s = width == 1 ? own_s : b_.CreateInsertElement(called_s, own_s, std::uint64_t{i});
    called_c = width == 1 ? own_c : b_.CreateInsertElement(called_c, own_c, std::uint64_t{i});
  }
  auto* const end_of_far = b_.GetInsertBlock();
  b_.CreateBr(on);

  b_.SetInsertPoint(on);
  const auto either = [&](Value here, Value there) {
    auto* const value = b_.CreatePHI(type, 2);
    value->addIncoming(here, end_of_usual);
    value->addIncoming(there, end_of_far);
    return value;
  };
  Value const all_s = either(s, called_s), all_c = either(c, called_c);
  std::vector<std::pair<Value, Value>> result;
  for (unsigned i = 0; i < count; ++i) result.emplace_back(of(all_s, i), of(all_c, i));
  return result;
}

}  // namespace cetaev::native
