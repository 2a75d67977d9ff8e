#include "cetaev/program/series.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "cetaev/error.hpp"
#include "operands.hpp"

namespace cetaev {

namespace {

// Polynomials of higher degree are treated as series without end.
constexpr std::int32_t largest_degree = 6;

std::int32_t bounded(std::int64_t degree) {
  return degree > largest_degree ? SeriesProgram::unbounded : static_cast<std::int32_t>(degree);
}

// Of a product; −1 is the degree of zero.
std::int32_t degree_of_product(std::int32_t a, std::int32_t b) {
  if (a < 0 || b < 0) return -1;
  return bounded(std::int64_t{a} + b);
}

}  // namespace

class SeriesLowering {
 public:
  SeriesLowering(SeriesProgram& result, const Program& program, std::size_t state_count)
      : r_(result), source_(program), place_(program.register_count()), static_(program.register_count()) {
    if (program.output_count() < state_count || program.input_count() < state_count + 1)
      throw std::invalid_argument("a program for y' has y and t among its inputs");
    r_.state_count_ = state_count;
    find_statics();
    lower();
    for (const std::uint32_t r : source_.outputs()) r_.outputs_.push_back(place_[r]);
    use_rates();
    r_.outputs_.insert(r_.outputs_.end(), switches_.begin(), switches_.end());
    r_.switch_count_ = switches_.size();
    find_degrees();
    remove_unused();
  }

 private:
  std::uint32_t first_input() const { return static_cast<std::uint32_t>(source_.constants().size()); }

  // What depends on numbers and parameters alone, as far as anything else uses it.
  void find_statics() {
    const std::size_t moving = r_.state_count_ + 1;  // y, t
    const Statics statics = cetaev::find_statics(source_, moving);
    static_ = statics.is;
    const std::vector<std::uint32_t>& registers = statics.wanted;
    for (std::uint32_t i = 0; i < registers.size(); ++i) {
      place_[registers[i]] = i;
      if (registers[i] < first_input() && source_.constants()[registers[i]] == 0) zero_ = i;
    }
    r_.statics_ = source_.restricted_to(registers);
    next_ = static_cast<std::uint32_t>(registers.size());
    for (std::uint32_t i = 0; i < moving; ++i) place_[first_input() + i] = next_++;
    r_.late_.assign(next_, false);
  }

  std::uint32_t fresh(bool late) {
    r_.late_.push_back(late);
    return next_++;
  }

  std::uint32_t emit(SeriesOperation operation, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0,
                     bool late = false) {
    SeriesInstruction i;
    i.operation = operation;
    i.out = fresh(late);
    i.a = a;
    i.b = b;
    i.c = c;
    r_.instructions_.push_back(i);
    const bool sum = operation == SeriesOperation::add || operation == SeriesOperation::subtract;
    if (!late && (sum || operation == SeriesOperation::negate) && sums_states(a) && (!sum || sums_states(b)))
      sums_[i.out] = i;
    return i.out;
  }
  std::uint32_t emit_late(SeriesOperation operation, std::uint32_t a, std::uint32_t b) {
    return emit(operation, a, b, 0, true);
  }

  // a' by the rules for sums, down to the variables, whose derivatives are known as the rates.
  std::uint32_t derivative(std::uint32_t a) {
    if (const auto known = derivatives_.find(a); known != derivatives_.end()) return known->second;
    std::uint32_t result = 0;
    if (const auto found = sums_.find(a); found != sums_.end()) {
      const SeriesInstruction sum = found->second;
      const std::uint32_t first = derivative(sum.a);
      result = emit_late(sum.operation, first, sum.operation == SeriesOperation::negate ? 0 : derivative(sum.b));
    } else {
      result = emit_late(SeriesOperation::derivative, a, 0);
    }
    derivatives_[a] = result;
    return result;
  }
  bool is_state(std::uint32_t r) const { return r >= r_.state(0) && r < r_.time(); }
  bool sums_states(std::uint32_t r) const { return is_state(r) || sums_.contains(r); }
  // y_i' is f_i, known one round earlier than the derivative of the series of y_i.
  void use_rates() {
    std::map<std::uint32_t, std::uint32_t> rate;  // by register of the derivative
    for (const auto& [of, slope] : derivatives_) {
      if (is_state(of)) rate[slope] = r_.outputs_[of - r_.state(0)];
    }
    const auto use = [&](std::uint32_t& r) {
      if (const auto found = rate.find(r); found != rate.end()) r = found->second;
    };
    for (SeriesInstruction& i : r_.instructions_) {
      if (i.operation == SeriesOperation::solve) continue;
      use(i.a);
      use(i.b);
      use(i.c);
    }
  }

  // A register for ±∫ of something still to be written; `finish` says of what and puts the instruction where it stands now.
  SeriesInstruction begin_integral(Function function, std::uint32_t of, bool negative = false) {
    SeriesInstruction i;
    i.operation = SeriesOperation::integral;
    i.out = fresh(false);
    i.function = function;
    i.b = of;
    i.negative = negative;
    return i;
  }
  std::uint32_t finish(SeriesInstruction i, std::uint32_t integrand) {
    i.a = integrand;
    r_.instructions_.push_back(i);
    return i.out;
  }

  void lower() {
    auto next = static_cast<std::uint32_t>(first_input() + source_.input_count());
    for (const Instruction& i : source_.instructions()) {
      const std::uint32_t first = next;
      next += width(source_, i);
      if (static_[first]) continue;
      if (i.operation == Operation::solve) {
        Program::System system = source_.systems()[i.a];
        for (auto* list : {&system.matrix, &system.right}) {
          for (std::uint32_t& r : *list) r = place_[r];
        }
        SeriesInstruction s;
        s.operation = SeriesOperation::solve;
        s.a = i.a;  // singular systems are reported by the numbers of the program
        s.out = system.solution = next_;
        for (std::uint32_t w = first; w < next; ++w) place_[w] = fresh(false);
        r_.systems_.resize(source_.systems().size());
        r_.systems_[i.a] = std::move(system);
        r_.instructions_.push_back(s);
      } else {
        place_[first] = lower(i);
      }
    }
  }

  std::uint32_t lower(const Instruction& i) {
    const std::uint32_t a = place_[i.a];
    const auto b = [&] { return place_[i.b]; };
    switch (i.operation) {
      case Operation::add: return emit(SeriesOperation::add, a, b());
      case Operation::subtract: return emit(SeriesOperation::subtract, a, b());
      case Operation::multiply: return emit(SeriesOperation::multiply, a, b());
      case Operation::divide: return emit(SeriesOperation::divide, a, b());
      case Operation::negate: return emit(SeriesOperation::negate, a);
      case Operation::multiply_add: return emit(SeriesOperation::multiply_add, a, b(), place_[i.c]);
      case Operation::square: return emit(SeriesOperation::square, a);
      case Operation::square_root: return emit(SeriesOperation::square_root, a);
      case Operation::integer_power: return integer_power(a, i.b);
      case Operation::power: return power(a, b(), static_[i.b]);
      case Operation::arctangent2: return arctangent2(a, b());
      case Operation::function: return function(static_cast<Function>(i.b), a);
      case Operation::solve: break;
    }
    throw std::logic_error("not an instruction of one result");
  }

  std::uint32_t integer_power(std::uint32_t a, std::uint32_t n) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t result = none;
    for (;; a = emit(SeriesOperation::square, a)) {
      if (n & 1) result = result == none ? a : emit(SeriesOperation::multiply, result, a);
      n >>= 1;
      if (n == 0) return result;
    }
  }

  // y = a^p: y' = p y a' / a; with an exponent that moves, exp(p log a)
  std::uint32_t power(std::uint32_t a, std::uint32_t p, bool constant_exponent) {
    if (!constant_exponent) {
      return function(Function::exp, emit(SeriesOperation::multiply, p, function(Function::log, a)));
    }
    SeriesInstruction y = begin_integral(Function::exp, a);
    y.start = Operation::power;
    y.c = p;
    const std::uint32_t slope = emit_late(SeriesOperation::multiply, y.out, derivative(a));
    return finish(y, emit_late(SeriesOperation::multiply, p, emit_late(SeriesOperation::divide, slope, a)));
  }

  // y' = (a' b − a b') / (a² + b²)
  std::uint32_t arctangent2(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t squares =
        emit(SeriesOperation::add, emit(SeriesOperation::square, a), emit(SeriesOperation::square, b));
    const std::uint32_t first = emit_late(SeriesOperation::multiply, derivative(a), b);
    const std::uint32_t second = emit_late(SeriesOperation::multiply, derivative(b), a);
    SeriesInstruction y = begin_integral(Function::atan2, a);
    y.start = Operation::arctangent2;
    y.c = b;
    return finish(y, emit_late(SeriesOperation::divide, emit_late(SeriesOperation::subtract, first, second), squares));
  }

  // sin and cos, or sinh and cosh, of the same argument are made together.
  std::uint32_t pair(Function first, Function second, std::uint32_t a, Function wanted) {
    const auto known = pairs_.find({first, a});
    if (known == pairs_.end()) {
      const std::uint32_t slope = derivative(a);
      const SeriesInstruction s = begin_integral(first, a);
      const SeriesInstruction c = begin_integral(second, a, first == Function::sin);
      const std::uint32_t s_slope = emit_late(SeriesOperation::multiply, slope, c.out);
      const std::uint32_t c_slope = emit_late(SeriesOperation::multiply, slope, s.out);
      pairs_[{first, a}] = {finish(s, s_slope), finish(c, c_slope)};
    }
    const auto& made = pairs_[{first, a}];
    return wanted == first ? made.first : made.second;
  }

  // y' = a' (1 ± y²)
  std::uint32_t tangent(Function f, std::uint32_t a) {
    const std::uint32_t slope = derivative(a);
    const SeriesInstruction y = begin_integral(f, a);
    // y² is written after y and read by the late registers before it
    SeriesInstruction square;
    square.operation = SeriesOperation::square;
    square.a = y.out;
    square.out = fresh(false);
    const std::uint32_t rest = emit_late(SeriesOperation::multiply, slope, square.out);
    finish(y, emit_late(f == Function::tan ? SeriesOperation::add : SeriesOperation::subtract, slope, rest));
    r_.instructions_.push_back(square);
    return y.out;
  }

  // y' = a' / d
  std::uint32_t quotient(Function f, std::uint32_t a, std::uint32_t d, bool negative = false) {
    const SeriesInstruction y = begin_integral(f, a, negative);
    return finish(y, emit_late(SeriesOperation::divide, derivative(a), d));
  }

  // 1 ± a², a² − 1
  std::uint32_t with_one(SeriesOperation operation, bool one_first, std::uint32_t square) {
    return one_first ? emit(operation, one(), square) : emit(operation, square, one());
  }
  // The number 1 as t', for programs that do not contain it.
  std::uint32_t one() {
    if (!one_) one_ = emit(SeriesOperation::derivative, r_.time());
    return *one_;
  }

  std::uint32_t function(Function f, std::uint32_t a) {
    const auto square = [&] { return emit(SeriesOperation::square, a); };
    const auto root = [&](std::uint32_t x) { return emit(SeriesOperation::square_root, x); };
    switch (f) {
      case Function::sin:
      case Function::cos: return pair(Function::sin, Function::cos, a, f);
      case Function::sinh:
      case Function::cosh: return pair(Function::sinh, Function::cosh, a, f);
      case Function::tan:
      case Function::tanh: return tangent(f, a);
      case Function::exp: {
        const std::uint32_t slope = derivative(a);
        const SeriesInstruction y = begin_integral(f, a);
        return finish(y, emit_late(SeriesOperation::multiply, slope, y.out));
      }
      case Function::log: return quotient(f, a, a);
      case Function::atan: return quotient(f, a, with_one(SeriesOperation::add, true, square()));
      case Function::atanh: return quotient(f, a, with_one(SeriesOperation::subtract, true, square()));
      case Function::asin: return quotient(f, a, root(with_one(SeriesOperation::subtract, true, square())));
      case Function::acos: return quotient(f, a, root(with_one(SeriesOperation::subtract, true, square())), true);
      case Function::asinh: return quotient(f, a, root(with_one(SeriesOperation::add, true, square())));
      case Function::acosh: return quotient(f, a, root(with_one(SeriesOperation::subtract, false, square())));
      case Function::abs: switches_.push_back(a); return emit(SeriesOperation::magnitude, a);
      case Function::atan2: break;
    }
    throw std::logic_error("not a function of one argument");
  }

  std::int32_t degree_of(const SeriesInstruction& i) const {
    const std::int32_t a = r_.degree_[i.a];
    const auto b = [&] { return r_.degree_[i.b]; };
    switch (i.operation) {
      case SeriesOperation::add:
      case SeriesOperation::subtract: return std::max(a, b());
      case SeriesOperation::negate:
      case SeriesOperation::magnitude: return a;
      case SeriesOperation::multiply: return degree_of_product(a, b());
      case SeriesOperation::multiply_add: return std::max(degree_of_product(a, b()), r_.degree_[i.c]);
      case SeriesOperation::square: return degree_of_product(a, a);
      case SeriesOperation::divide: return a < 0 ? -1 : b() <= 0 ? a : SeriesProgram::unbounded;
      case SeriesOperation::square_root: return a <= 0 ? a : SeriesProgram::unbounded;
      case SeriesOperation::derivative: return a == SeriesProgram::unbounded ? a : std::max(a - 1, -1);
      case SeriesOperation::integral: return bounded(std::int64_t{a} + 1);
      case SeriesOperation::solve: break;
    }
    return SeriesProgram::unbounded;
  }

  std::int32_t degree_of_solution(const Program::System& s) const {
    std::int32_t right = -1;
    for (const std::uint32_t r : s.right) right = std::max(right, r_.degree_[r]);
    if (right < 0) return right;
    for (const std::uint32_t r : s.matrix) {
      if (r_.degree_[r] > 0) return SeriesProgram::unbounded;
    }
    return right;
  }

  // The least degrees that agree with every instruction, from below.
  void find_degrees() {
    r_.degree_.assign(next_, -1);
    for (std::uint32_t r = 0; r < r_.time(); ++r) r_.degree_[r] = 0;
    r_.degree_[r_.time()] = 1;
    if (zero_) r_.degree_[*zero_] = -1;
    for (bool changed = true; changed;) {
      changed = false;
      const auto raise = [&](std::uint32_t r, std::int32_t degree) {
        if (degree <= r_.degree_[r]) return;
        r_.degree_[r] = degree;
        changed = true;
      };
      for (const SeriesInstruction& i : r_.instructions_) {
        if (i.operation != SeriesOperation::solve) {
          raise(i.out, degree_of(i));
          continue;
        }
        const Program::System& s = r_.systems_[i.a];
        const std::int32_t degree = degree_of_solution(s);
        for (std::uint32_t w = 0; w < s.size * s.right_hand_sides; ++w) raise(s.solution + w, degree);
      }
      for (std::size_t i = 0; i < r_.state_count_; ++i) {
        raise(r_.state(i), bounded(std::int64_t{r_.degree_[r_.outputs_[i]]} + 1));
      }
    }
  }

  void remove_unused() {
    std::vector<const SeriesInstruction*> writer(next_);
    for (const SeriesInstruction& i : r_.instructions_) {
      const std::uint32_t count =
          i.operation == SeriesOperation::solve ? r_.systems_[i.a].size * r_.systems_[i.a].right_hand_sides : 1;
      for (std::uint32_t w = 0; w < count; ++w) writer[i.out + w] = &i;
    }
    std::vector<bool> needed(next_);
    std::vector<std::uint32_t> open;
    const auto need = [&](std::uint32_t r) {
      if (r_.degree_[r] < 0 || needed[r]) return;
      needed[r] = true;
      open.push_back(r);
    };
    for (const std::uint32_t r : r_.outputs_) need(r);
    while (!open.empty()) {
      const std::uint32_t r = open.back();
      open.pop_back();
      const SeriesInstruction* i = writer[r];
      if (i == nullptr) continue;
      switch (i->operation) {
        case SeriesOperation::solve:
          for (const std::uint32_t entry : r_.systems_[i->a].matrix) need(entry);
          for (const std::uint32_t entry : r_.systems_[i->a].right) need(entry);
          for (std::uint32_t w = 0; w < r_.systems_[i->a].size * r_.systems_[i->a].right_hand_sides; ++w) {
            needed[i->out + w] = true;
          }
          break;
        case SeriesOperation::integral:
          if (r_.degree_[r] > 0) need(i->a);
          need(i->b);
          if (i->start != Operation::function) need(i->c);
          break;
        case SeriesOperation::multiply_add: need(i->c); [[fallthrough]];
        case SeriesOperation::add:
        case SeriesOperation::subtract:
        case SeriesOperation::multiply:
        case SeriesOperation::divide: need(i->b); [[fallthrough]];
        default: need(i->a);
      }
    }
    std::erase_if(r_.instructions_, [&](const SeriesInstruction& i) { return !needed[i.out]; });
  }

  SeriesProgram& r_;
  const Program& source_;
  std::vector<std::uint32_t> place_;  // registers of the source here
  std::vector<bool> static_;          // of the source
  std::vector<std::uint32_t> switches_;
  std::uint32_t next_ = 0;
  std::map<std::uint32_t, std::uint32_t> derivatives_;
  std::map<std::uint32_t, SeriesInstruction> sums_;  // sums and differences of variables, by register
  std::map<std::pair<Function, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::optional<std::uint32_t> zero_, one_;  // registers of these numbers
};

SeriesProgram::SeriesProgram(const Program& program, std::size_t state_count) {
  SeriesLowering(*this, program, state_count);
}

std::vector<double> SeriesProgram::static_values(std::span<const double> parameters) const {
  std::vector<double> inputs(statics_.input_count());
  std::copy(parameters.begin(), parameters.end(), inputs.end() - static_cast<std::ptrdiff_t>(parameters.size()));
  std::vector<double> values(static_count());
  Interpreter interpreter(statics_);
  const int singular = interpreter(inputs, values);
  if (singular >= 0)
    throw Error(ErrorCode::singular_mass_matrix, "a linear system of the parameters alone is singular");
  return values;
}

}  // namespace cetaev
