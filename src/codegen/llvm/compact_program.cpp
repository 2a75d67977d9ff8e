#include "compact.hpp"
#include "lanes.hpp"

namespace cetaev::native {

namespace {

template <unsigned lanes>
class CompactInLanes final : public CompactProgram {
 public:
  explicit CompactInLanes(const Program& program) : p_(program) {}

  int run(const double* inputs, double* outputs, double* workspace) const override {
    double* out = workspace;
    for (const double c : p_.constants()) put(L::of(c), out);
    for (std::size_t i = 0; i < p_.input_count(); ++i) put(L::load(inputs + i * lanes), out);
    const auto at = [&](std::uint32_t r) { return L::load(workspace + std::size_t{r} * lanes); };
    double* const scratch = workspace + p_.register_count() * lanes;
    for (const Instruction& i : p_.instructions()) {
      if (i.operation == Operation::solve) {
        const Program::System& s = p_.systems()[i.a];
        const std::size_t n = s.size, m = s.right_hand_sides;
        double* matrix = scratch;
        double* right = out;
        for (const std::uint32_t r : s.matrix) put(at(r), matrix);
        for (const std::uint32_t r : s.right) put(at(r), right);
        if (!LaneFunctions<lanes>::solve(n, m, scratch, out, matrix)) return static_cast<int>(i.a);
        out = right;
        continue;
      }
      const L a = at(i.a);
      switch (i.operation) {
        case Operation::add: put(a + at(i.b), out); break;
        case Operation::subtract: put(a - at(i.b), out); break;
        case Operation::multiply: put(a * at(i.b), out); break;
        case Operation::divide: put(a / at(i.b), out); break;
        case Operation::negate: put(-a, out); break;
        case Operation::multiply_add: put(a * at(i.b) + at(i.c), out); break;
        case Operation::square: put(a * a, out); break;
        case Operation::square_root: put(a.map([](double x) { return std::sqrt(x); }), out); break;
        case Operation::integer_power: put(integer_power(a, i.b), out); break;
        case Operation::power: put(LaneFunctions<lanes>::two(slot_power, a, at(i.b)), out); break;
        case Operation::function: put(LaneFunctions<lanes>::one(i.b, a), out); break;
        case Operation::function_of_two:
          put(LaneFunctions<lanes>::two(slot_of(static_cast<Function>(i.c)), a, at(i.b)), out);
          break;
        case Operation::solve: break;
      }
    }
    for (const std::uint32_t r : p_.outputs()) put(at(r), outputs);
    return -1;
  }

 private:
  using L = Lanes<lanes>;

  static void put(const L& x, double*& to) {
    x.store(to);
    to += lanes;
  }
  static L integer_power(L base, std::uint32_t n) {
    L result = L::of(1);
    for (; n != 0; n >>= 1) {
      if (n & 1) result = result * base;
      base = base * base;
    }
    return result;
  }

  Program p_;
};

}  // namespace

std::unique_ptr<CompactProgram> make_compact(const Program& program, unsigned lanes) {
  switch (lanes) {
    case 1: return std::make_unique<CompactInLanes<1>>(program);
    case 2: return std::make_unique<CompactInLanes<2>>(program);
    case 4: return std::make_unique<CompactInLanes<4>>(program);
    default: return std::make_unique<CompactInLanes<8>>(program);
  }
}

}  // namespace cetaev::native
