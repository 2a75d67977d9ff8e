#include "several.hpp"

#include "operands.hpp"
#include "rules.hpp"

namespace cetaev {

Monomials::Monomials(std::vector<std::size_t> degrees) : degrees_(std::move(degrees)) {
  std::size_t size = 1;
  std::size_t total = 0;
  for (const std::size_t d : degrees_) {
    strides_.push_back(size);
    size *= d + 1;
    total += d;
  }
  line_ = degrees_.empty() ? 1 : degrees_[0] + 1;
  degree_.resize(size);
  by_degree_.resize(total + 1);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < degrees_.size(); ++i) degree_[k] += exponent(k, i);
    by_degree_[degree_[k]].push_back(static_cast<std::uint32_t>(k));
  }
  const auto divides = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < degrees_.size(); ++i) {
      if (exponent(a, i) > exponent(b, i)) return false;
    }
    return true;
  };
  splits_.resize(size / line_);
  for (std::size_t line = 0; line < splits_.size(); ++line) {
    for (std::size_t part = 0; part <= line; ++part) {
      if (!divides(part * line_, line * line_)) continue;
      splits_[line].emplace_back(part * line_, (line - part) * line_);
    }
    product_cost_ += splits_[line].size() * line_ * (line_ + 1) / 2;
  }
}

namespace {

class SeveralLowering {
 public:
  SeveralLowering(TaylorCode& code, const Program& program, const std::vector<bool>& varying,
                  const std::vector<bool>& late)
      : code_(code), program_(program), varying_(varying), late_(late) {}

  void run() {
    for (const auto& exact : program_.exact_constants()) place_.push_back(constant(exact));
    for (std::size_t i = 0; i < program_.input_count(); ++i) {
      code_.inputs.push_back(fresh(false, varying_[i], late_[i]));
      place_.push_back(code_.inputs.back());
    }
    for (const Instruction& i : program_.instructions()) place_.push_back(rules_(i, place_));
    for (const std::uint32_t r : program_.outputs()) code_.outputs.push_back(place_[r]);
    count();
  }

 private:
  friend class SeriesRules<SeveralLowering>;

  std::uint32_t fresh(bool rate, bool varies = false, bool late = false) {
    code_.is_rate.push_back(rate);
    code_.varies.push_back(varies);
    code_.depends_on_late.push_back(late);
    return static_cast<std::uint32_t>(code_.varies.size() - 1);
  }
  std::uint32_t constant(const std::optional<Rational>& value) {
    const std::uint32_t r = fresh(false);
    code_.constants[r] = value;
    return r;
  }

  // What SeriesRules asks for. A rate that reads a reserved register reads the derivative of its argument, too, and varies
  // with that.
  std::uint32_t reserve() { return fresh(false); }
  void append(const SeriesInstruction& i) {
    for_each_register(i, [&](std::uint32_t r) {
      if (code_.varies[r]) code_.varies[i.out] = true;
      if (code_.depends_on_late[r]) code_.depends_on_late[i.out] = true;
    });
    code_.instructions.push_back(i);
  }
  std::uint32_t emit(SeriesOperation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0,
                     bool rate = false) {
    SeriesInstruction i;
    i.operation = operation;
    i.out = fresh(rate);
    i.a = a;
    i.b = b;
    i.c = c;
    append(i);
    return i.out;
  }
  std::uint32_t emit_rate(SeriesOperation operation, std::uint32_t a, std::uint32_t b = 0) {
    return emit(operation, a, b, 0, true);
  }
  std::uint32_t derivative(std::uint32_t a) {
    const auto [known, is_new] = derivatives_.try_emplace(a);
    if (is_new) known->second = emit_rate(SeriesOperation::derivative, a);
    return known->second;
  }
  std::uint32_t magnitude(std::uint32_t a) { return emit(SeriesOperation::magnitude, a); }
  std::uint32_t one() {
    if (!one_) one_ = constant(Rational(1));
    return *one_;
  }
  bool is_number(std::uint32_t r) const { return !code_.varies[r]; }

  void count() {
    for (std::uint32_t n = 0; n < code_.instructions.size(); ++n) {
      const SeriesInstruction& i = code_.instructions[n];
      if (!code_.varies[i.out]) continue;
      code_.series_steps.push_back(n);
      if (code_.depends_on_late[i.out]) code_.late_steps.push_back(n);
      switch (i.operation) {
        case SeriesOperation::multiply:
        case SeriesOperation::multiply_add:
        case SeriesOperation::square:
        case SeriesOperation::divide:
        case SeriesOperation::square_root: ++code_.products; break;
        default: break;
      }
    }
  }

  TaylorCode& code_;
  const Program& program_;
  const std::vector<bool>&varying_, &late_;
  std::vector<std::uint32_t> place_;  // of the program's registers
  std::map<std::uint32_t, std::uint32_t> derivatives_;
  std::optional<std::uint32_t> one_;
  SeriesRules<SeveralLowering> rules_{*this};
};

}  // namespace

TaylorCode::TaylorCode(const Program& program, const std::vector<bool>& varying, const std::vector<bool>& late) {
  SeveralLowering(*this, program, varying, late).run();
}

}  // namespace cetaev
