// A program as functions of a few hundred instructions each: the time the compiler takes grows faster than the length
// of a function. Values that a later function needs go through the workspace.
#include <algorithm>
#include <chrono>
#include <map>
#include <unordered_map>

#include "cetaev/detail/codegen/native.hpp"
#include "code.hpp"
#include "compact.hpp"
#include "emitter.hpp"
#include "runtime.hpp"

namespace cetaev {

namespace native {

namespace {

// Up to this many instructions are one function, compiled with care; or up to that many, where they are worth it.
constexpr std::size_t small_program = 400, careful_program = 1000;
constexpr std::size_t block_size = 150;
// Beyond, the loops over tables.
constexpr std::size_t largest_program = 200'000;

class ProgramCode {
 public:
  ProgramCode(const Program& program, unsigned lanes, bool with_care)
      : p_(program),
        is_one_(program.instructions().size() <= (with_care ? careful_program : small_program)),
        compiler_(is_one_ ? Care::usual : Care::little),
        e_(compiler_, lanes),
        first_(program.constants().size()),
        block_of_(program.register_count()),
        crosses_(program.register_count()),
        values_(program.register_count()) {
    plan();
  }

  Image compile() {
    std::vector<llvm::Function*> blocks;
    const std::size_t count = starts_.size();
    for (std::size_t block = 0; block < count; ++block) {
      blocks.push_back(e_.begin("block" + std::to_string(block), pointers, count == 1));
      values_.assign(values_.size(), nullptr);
      reciprocals_.assign(values_.size(), nullptr);
      const std::size_t end = block + 1 < count ? starts_[block + 1] : p_.instructions().size();
      if (block == 0) begin_with_sines();
      if (count == 1) begin_with_calls();
      for (std::size_t i = starts_[block]; i < end; ++i) emit(i);
      if (block + 1 == count) {
        for (std::size_t i = 0; i < p_.outputs().size(); ++i) e_.store(value(p_.outputs()[i]), outputs(), i);
      }
      e_.finish(-1);
    }
    if (count > 1) {
      e_.begin("run", pointers, true);
      const std::vector<Value> arguments = {e_.argument(0), e_.argument(1), e_.argument(2), e_.argument(3)};
      for (std::size_t block = 0; block < count; ++block) e_.call(blocks[block], arguments, has_solve_[block]);
      e_.finish(-1);
    }
    return compiler_.compile(count == 1 ? "block0" : "run");
  }

 private:
  static constexpr unsigned pointers = 4;  // table, inputs, outputs, workspace
  Value inputs() { return e_.argument(1); }
  Value outputs() { return e_.argument(2); }
  Value workspace() { return e_.argument(3); }

  // Which function each register is computed in, which registers a later one reads, which sines and cosines are pairs.
  void plan() {
    const std::span<const Instruction> code = p_.instructions();
    const std::size_t size = is_one_ ? code.size() : block_size;
    for (std::size_t i = 0; i == 0 || i < code.size(); i += size) {
      starts_.push_back(i);
      if (size == 0) break;
    }
    has_solve_.resize(starts_.size());
    registers_.resize(code.size());
    std::map<std::uint32_t, std::size_t> sines, cosines;
    auto next = static_cast<std::uint32_t>(first_ + p_.input_count());
    partner_.assign(code.size(), none);
    divisions_.assign(p_.register_count(), 0);
    for (const Instruction& i : code)
      if (i.operation == Operation::divide) ++divisions_[i.b];
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::size_t block = size == 0 ? 0 : i / size;
      registers_[i] = next;
      if (code[i].operation == Operation::solve) {
        const Program::System& s = p_.systems()[code[i].a];
        for (std::uint32_t w = 0; w < s.size * s.right_hand_sides; ++w) block_of_[next++] = block;
        has_solve_[block] = true;
        continue;
      }
      block_of_[next++] = block;
      if (code[i].operation != Operation::function) continue;
      const auto f = static_cast<Function>(code[i].b);
      if (f != Function::sin && f != Function::cos) continue;
      (f == Function::sin ? sines : cosines)[code[i].a] = i;
      const auto& others = f == Function::sin ? cosines : sines;
      if (const auto other = others.find(code[i].a); other != others.end()) {
        partner_[i] = other->second;
        partner_[other->second] = i;
        block_of_[registers_[i]] = block_of_[registers_[other->second]];
      }
    }
    choose_sines_at_once();
    const auto reads = [&](std::uint32_t r, std::size_t block) {
      if (r >= first_ + p_.input_count() && block_of_[r] != block) crosses_[r] = true;
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::size_t block = size == 0 ? 0 : i / size;
      for_each_read(code[i], [&](std::uint32_t r) { reads(r, block); });
    }
    for (const std::uint32_t r : p_.outputs()) reads(r, starts_.size() - 1);
  }

  template <class Visit>
  void for_each_read(const Instruction& i, Visit visit) {
    switch (i.operation) {
      case Operation::solve:
        for (const std::uint32_t r : p_.systems()[i.a].matrix) visit(r);
        for (const std::uint32_t r : p_.systems()[i.a].right) visit(r);
        return;
      case Operation::multiply_add: visit(i.c); [[fallthrough]];
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide:
      case Operation::power:
      case Operation::function_of_two: visit(i.b); [[fallthrough]];
      default: visit(i.a);
    }
  }

  Value value(std::uint32_t r) {
    Value& v = values_[r];
    if (v != nullptr) return v;
    if (r < first_) return v = e_.constant(p_.constants()[r]);
    if (r < first_ + p_.input_count()) return v = e_.load(inputs(), r - first_);
    return v = e_.load(workspace(), r - first_ - p_.input_count());
  }

  void set(std::uint32_t r, Value v) {
    values_[r] = v;
    if (crosses_[r]) e_.store(v, workspace(), r - first_ - p_.input_count());
  }

  // A number that is zero is left out of linear systems.
  Value entry(std::uint32_t r) { return r < first_ && p_.constants()[r] == 0 ? nullptr : value(r); }

  static bool is_call(const Instruction& i) {
    return i.operation == Operation::function || i.operation == Operation::power ||
           i.operation == Operation::function_of_two;
  }

  // Calls of functions stay in the order in which they are written, and what comes behind one begins late: those on which the
  // most waits come first, each behind what it needs.
  void begin_with_calls() {
    constexpr unsigned call = 60, system = 60, division = 15, other = 4;  // cycles, about
    const std::span<const Instruction> code = p_.instructions();
    std::vector<unsigned> rest(p_.register_count()), height(code.size());  // of the way to the end, from a register on
    const std::vector<std::size_t> writer = writers();
    std::vector<std::size_t> calls;
    for (std::size_t i = code.size(); i-- > 0;) {
      const Operation o = code[i].operation;
      for (std::size_t r = registers_[i]; r < end_of(i); ++r) height[i] = std::max(height[i], rest[r]);
      height[i] += is_call(code[i])                                        ? call
                   : o == Operation::solve                                 ? system
                   : o == Operation::divide || o == Operation::square_root ? division
                                                                           : other;
      for_each_read(code[i], [&](std::uint32_t r) { rest[r] = std::max(rest[r], height[i]); });
      if (is_call(code[i])) calls.push_back(i);
    }
    std::stable_sort(calls.begin(), calls.end(), [&](std::size_t x, std::size_t y) { return height[x] > height[y]; });
    for (const std::size_t i : calls) emit_with_operands(i, writer);
  }

  static bool is_sine(const Instruction& i) {
    return i.operation == Operation::function &&
           (static_cast<Function>(i.b) == Function::sin || static_cast<Function>(i.b) == Function::cos);
  }

  // Those that wait for no call and no linear system come first, several at once.
  void choose_sines_at_once() {
    const std::span<const Instruction> code = p_.instructions();
    at_once_.assign(code.size(), false);
    if (!e_.has_own_sines()) return;
    std::vector<bool> waits(p_.register_count());
    for (std::size_t i = 0; i < code.size(); ++i) {
      at_once_[i] = is_sine(code[i]) && !waits[code[i].a];
      bool any = is_call(code[i]) || code[i].operation == Operation::solve;
      for_each_read(code[i], [&](std::uint32_t r) { any = any || waits[r]; });
      for (std::size_t r = registers_[i]; any && r < end_of(i); ++r) waits[r] = true;
      if (at_once_[i]) block_of_[registers_[i]] = 0;
    }
  }

  void begin_with_sines() {
    const std::span<const Instruction> code = p_.instructions();
    std::vector<std::uint32_t> angles;
    for (std::size_t i = 0; i < code.size(); ++i)
      if (at_once_[i] && std::find(angles.begin(), angles.end(), code[i].a) == angles.end())
        angles.push_back(code[i].a);
    const std::vector<std::size_t> writer = writers();
    for (std::size_t begin = 0; begin < angles.size(); begin += Emitter::sines_at_once) {
      const std::span some = std::span(angles).subspan(begin, std::min(angles.size() - begin, Emitter::sines_at_once));
      std::vector<Value> values;
      for (const std::uint32_t r : some) {
        if (writer[r] != none && values_[r] == nullptr) emit_with_operands(writer[r], writer);
        values.push_back(value(r));
      }
      const auto pairs = e_.sines_cosines(values);
      for (std::size_t i = 0; i < code.size(); ++i) {
        const auto at = at_once_[i] ? std::ranges::find(some, code[i].a) : some.end();
        if (at == some.end()) continue;
        const auto& [sine, cosine] = pairs[static_cast<std::size_t>(at - some.begin())];
        set(registers_[i], static_cast<Function>(code[i].b) == Function::sin ? sine : cosine);
      }
    }
  }

  // The instruction that writes a register.
  std::vector<std::size_t> writers() const {
    std::vector<std::size_t> writer(p_.register_count(), none);
    for (std::size_t i = 0; i < registers_.size(); ++i)
      for (std::size_t r = registers_[i]; r < end_of(i); ++r) writer[r] = i;
    return writer;
  }

  std::size_t end_of(std::size_t i) const {
    const Instruction& instruction = p_.instructions()[i];
    if (instruction.operation != Operation::solve) return registers_[i] + 1;
    const Program::System& s = p_.systems()[instruction.a];
    return registers_[i] + s.size * s.right_hand_sides;
  }

  void emit_with_operands(std::size_t number, const std::vector<std::size_t>& writer) {
    for_each_read(p_.instructions()[number], [&](std::uint32_t r) {
      if (writer[r] != none && values_[r] == nullptr) emit_with_operands(writer[r], writer);
    });
    emit(number);
  }

  void emit(std::size_t number) {
    const Instruction& i = p_.instructions()[number];
    const std::uint32_t out = registers_[number];
    if (values_[out] != nullptr || at_once_[number]) return;
    if (i.operation == Operation::solve) return solve(i.a);
    if (partner_[number] != none) {
      if (starts_.size() > 1 && partner_[number] < number) return;
      const auto [sine, cosine] = e_.sine_cosine(value(i.a));
      const bool first_is_sine = static_cast<Function>(i.b) == Function::sin;
      set(out, first_is_sine ? sine : cosine);
      set(registers_[partner_[number]], first_is_sine ? cosine : sine);
      return;
    }
    set(out, result(i));
  }

  Value result(const Instruction& i) {
    const Value a = value(i.a);
    switch (i.operation) {
      case Operation::add: return e_.add(a, value(i.b));
      case Operation::subtract: return e_.subtract(a, value(i.b));
      case Operation::multiply: return e_.multiply(a, value(i.b));
      case Operation::divide: return divisions_[i.b] >= shared ? quotient(a, i.b) : e_.divide(a, value(i.b));
      case Operation::negate: return e_.negate(a);
      case Operation::multiply_add: return e_.fused(a, value(i.b), value(i.c));
      case Operation::square: return e_.multiply(a, a);
      case Operation::square_root: return e_.square_root(a);
      case Operation::integer_power: return integer_power(a, i.b);
      case Operation::power: return e_.power(a, value(i.b));
      case Operation::function: return e_.function(static_cast<Function>(i.b), a);
      case Operation::function_of_two: return e_.function(static_cast<Function>(i.c), a, value(i.b));
      case Operation::solve: break;
    }
    return nullptr;
  }

  // By the reciprocal of a divisor that several are divided by.
  static constexpr unsigned shared = 3;
  Value quotient(Value a, std::uint32_t divisor) {
    Value& reciprocal = reciprocals_[divisor];
    if (reciprocal == nullptr) reciprocal = e_.divide(e_.constant(1), value(divisor));
    return e_.multiply(a, reciprocal);
  }

  Value integer_power(Value base, std::uint32_t n) {
    Value result = nullptr;
    for (; n != 0; n >>= 1) {
      if (n & 1) result = result == nullptr ? base : e_.multiply(result, base);
      if (n > 1) base = e_.multiply(base, base);
    }
    return result == nullptr ? e_.constant(1) : result;
  }

  bool is_symmetric(const Program::System& s) {
    for (std::size_t i = 0; i < s.size; ++i) {
      if (entry(s.matrix[i * s.size + i]) == nullptr) return false;
      for (std::size_t j = 0; j < i; ++j)
        if (s.matrix[i * s.size + j] != s.matrix[j * s.size + i]) return false;
    }
    return true;
  }

  void solve(std::uint32_t number) {
    const Program::System& s = p_.systems()[number];
    const std::size_t n = s.size, m = s.right_hand_sides;
    std::vector<Row> matrix(n, Row(n)), right(n, Row(m));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] = entry(s.matrix[i * n + j]);
      for (std::size_t j = 0; j < m; ++j) right[i][j] = entry(s.right[i * m + j]);
    }
    const bool symmetric = n <= Emitter::largest_symmetric && is_symmetric(s);
    Value const regular = symmetric || n <= Emitter::largest_unrolled
                              ? e_.solve(matrix, right, symmetric)
                              : e_.solve_by_call(matrix, right, e_.address(workspace(), p_.register_count()));
    e_.leave_unless(regular, static_cast<int>(number));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        set(static_cast<std::uint32_t>(s.solution + i * m + j), right[i][j] == nullptr ? e_.constant(0) : right[i][j]);
      }
    }
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const Program& p_;
  bool is_one_;  // function
  Compiler compiler_;
  Emitter e_;
  std::size_t first_;  // number of constants: the register of the first input
  std::vector<std::size_t> block_of_;
  std::vector<bool> crosses_;
  std::vector<Value> values_;  // of the registers, in the function being written
  std::vector<Value> reciprocals_;
  std::vector<unsigned> divisions_;  // by each register
  std::vector<std::size_t> starts_;
  std::vector<bool> has_solve_;
  std::vector<std::uint32_t> registers_;  // that an instruction writes first
  std::vector<std::size_t> partner_;
  std::vector<bool> at_once_;
};

Digest key_of(const Program& p, const NativeOptions& options) {
  Hasher h = begin_key(options.with_care ? "careful program" : "program", options);
  h.word(p.input_count());
  h.word(p.register_count());
  h.list(p.constants());
  h.word(p.instructions().size());
  for (const Instruction& i : p.instructions()) {
    h.word(static_cast<std::uint64_t>(i.operation) << 32 | i.a);
    h.word(std::uint64_t{i.b} << 32 | i.c);
  }
  h.list(p.outputs());
  h.word(p.systems().size());
  for (const Program::System& s : p.systems()) add_system(h, s);
  return h.digest();
}

}  // namespace

}  // namespace native

struct NativeProgram::Code {
  using Run = int(native::Table, const double*, double*, double*);
  std::unique_ptr<native::LoadedImage> image;
  std::unique_ptr<native::CompactProgram> compact;
  Run* run = nullptr;
  native::Table table = nullptr;
  std::size_t workspace = 0;
  NativeOrigin origin;
};

NativeProgram::NativeProgram(const Program& program, const NativeOptions& options) : code_(std::make_unique<Code>()) {
  native::require_lanes(options.lanes);
  const auto start = std::chrono::steady_clock::now();
  // registers, and the matrix and right-hand sides of the largest linear system twice
  std::size_t largest = 0;
  for (const Program::System& s : program.systems()) {
    largest = std::max<std::size_t>(largest, std::size_t{s.size} * (s.size + s.right_hand_sides));
  }
  code_->workspace = (program.register_count() + 2 * largest) * options.lanes;
  code_->table = native::function_table(options.lanes);
  if (program.instructions().size() <= native::largest_program) {
    code_->image = native::find_or_make(native::key_of(program, options), options.cache, code_->origin, [&] {
      return native::ProgramCode(program, options.lanes, options.with_care).compile();
    });
  }
  if (code_->image) {
    code_->run = reinterpret_cast<Code::Run*>(const_cast<void*>(code_->image->entry()));
  } else {
    code_->compact = native::make_compact(program, options.lanes);
    code_->origin.compact = true;
  }
  code_->origin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

NativeProgram::~NativeProgram() = default;
NativeProgram::NativeProgram(NativeProgram&&) noexcept = default;
NativeProgram& NativeProgram::operator=(NativeProgram&&) noexcept = default;

std::size_t NativeProgram::workspace_size() const { return code_->workspace; }
const NativeOrigin& NativeProgram::origin() const { return code_->origin; }

int NativeProgram::operator()(const double* inputs, double* outputs, double* workspace) const {
  if (code_->run != nullptr) return code_->run(code_->table, inputs, outputs, workspace);
  return code_->compact->run(inputs, outputs, workspace);
}

}  // namespace cetaev
