#include "cetaev/detail/series/series.hpp"

#include <algorithm>
#include <map>

#include "cetaev/error.hpp"
#include "operands.hpp"
#include "rules.hpp"

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
    r_.state_count_ = state_count;
  }

  void run() {
    if (source_.output_count() < r_.state_count_ || source_.input_count() < r_.state_count_ + 1)
      throw Error(ErrorCode::bad_model, "a program for y' has y and t among its inputs");
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
  friend class SeriesRules<SeriesLowering>;

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
  std::uint32_t emit_rate(SeriesOperation operation, std::uint32_t a, std::uint32_t b) {
    return emit(operation, a, b, 0, true);
  }

  // a' by the rules for sums, down to the variables, whose derivatives are known as the rates.
  std::uint32_t derivative(std::uint32_t a) {
    if (const auto known = derivatives_.find(a); known != derivatives_.end()) return known->second;
    std::uint32_t result = 0;
    if (const auto found = sums_.find(a); found != sums_.end()) {
      const SeriesInstruction sum = found->second;
      const std::uint32_t first = derivative(sum.a);
      result = emit_rate(sum.operation, first, sum.operation == SeriesOperation::negate ? 0 : derivative(sum.b));
    } else {
      result = emit_rate(SeriesOperation::derivative, a, 0);
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
    for (SeriesInstruction& i : r_.instructions_) for_each_register(i, use);
  }

  void lower() {
    auto next = static_cast<std::uint32_t>(first_input() + source_.input_count());
    for (const Instruction& i : source_.instructions()) {
      const std::uint32_t first = next;
      next += cetaev::width(source_, i);
      if (static_[first]) continue;
      if (i.operation == Operation::solve) {
        Program::System system = source_.systems()[i.a];
        for_each_entry(system, [&](std::uint32_t& r) { r = place_[r]; });
        SeriesInstruction s;
        s.operation = SeriesOperation::solve;
        s.a = i.a;  // singular systems are reported by the numbers of the program
        s.out = system.solution = next_;
        for (std::uint32_t w = first; w < next; ++w) place_[w] = fresh(false);
        r_.systems_.resize(source_.systems().size());
        r_.systems_[i.a] = std::move(system);
        r_.instructions_.push_back(s);
      } else {
        place_[first] = rules_(i, place_);
      }
    }
  }

  // The number 1 as t', for programs that do not contain it.
  std::uint32_t one() {
    if (!one_) one_ = emit(SeriesOperation::derivative, r_.time());
    return *one_;
  }
  bool is_number(std::uint32_t r) const { return r < r_.static_count(); }
  std::uint32_t magnitude(std::uint32_t a) {
    switches_.push_back(a);
    return emit(SeriesOperation::magnitude, a);
  }
  std::uint32_t reserve() { return fresh(false); }
  void append(const SeriesInstruction& i) { r_.instructions_.push_back(i); }

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
        for (std::uint32_t w = 0; w < unknown_count(s); ++w) raise(s.solution + w, degree);
      }
      for (std::size_t i = 0; i < r_.state_count_; ++i) {
        raise(r_.state(i), bounded(std::int64_t{r_.degree_[r_.outputs_[i]]} + 1));
      }
    }
  }

  std::uint32_t width(const SeriesInstruction& i) const {
    return i.operation == SeriesOperation::solve ? unknown_count(r_.systems_[i.a]) : 1;
  }

  void remove_unused() {
    std::vector<const SeriesInstruction*> writer(next_);
    for (const SeriesInstruction& i : r_.instructions_) {
      for (std::uint32_t w = 0; w < width(i); ++w) writer[i.out + w] = &i;
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
      if (i->operation == SeriesOperation::solve) {
        for_each_entry(r_.systems_[i->a], need);
        for (std::uint32_t w = 0; w < width(*i); ++w) needed[i->out + w] = true;
      } else {
        for_each_register(*i, need);
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
  SeriesRules<SeriesLowering> rules_{*this};
  std::optional<std::uint32_t> zero_, one_;  // registers of these numbers
};

SeriesProgram::SeriesProgram(const Program& program, std::size_t state_count) {
  SeriesLowering(*this, program, state_count).run();
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
