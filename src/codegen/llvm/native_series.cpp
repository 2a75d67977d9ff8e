// The coefficients of a series program, written out round by round: functions of one or a few rounds, whose values go
// through the workspace.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/detail/series/coefficients.hpp"
#include "code.hpp"
#include "compact.hpp"
#include "emitter.hpp"
#include "host.hpp"
#include "joint_sums.hpp"
#include "runtime.hpp"
#include "series_plan.hpp"

namespace cetaev {

namespace native {

namespace {

// Rounds are put together in functions of about this many operations.
constexpr std::size_t function_length(Care care) { return care == Care::usual ? 200 : 400; }

// Code for one trajectory is written as it should run. With several lanes there are more values than registers, and care
// with them pays; batches run long enough for it, unless the program is large.
constexpr std::size_t largest_with_care = 20'000;
Care care_for(unsigned lanes, std::size_t length) {
  return lanes > 1 && length <= largest_with_care ? Care::usual : Care::little;
}

// Beyond this many operations code that serves several rounds is faster: what is written out fills the caches of the processor, and takes seconds to
// write. A cart with three pendulums has half of it, with five one and a half times as much.
constexpr std::size_t largest_series = 60'000;

// To write an operation takes about 10 µs, and each run of it takes 1 to 2 ns less than in a loop over tables: as long as some 6000 runs. What is
// written is kept, and comes from the cache the next time: half of that.
constexpr double runs_that_pay = runs_to_write / 2;

// The backend of SeriesCoefficients that writes machine code.
class WrittenOut {
 public:
  using Value = native::Value;

  WrittenOut(const SeriesProgram& program, unsigned order, unsigned lanes, const SeriesPlan& plan)
      : p_(program),
        plan_(plan),
        order_(static_cast<std::int32_t>(order)),
        lanes_(lanes),
        care_(care_for(lanes, plan.length())),
        compiler_(care_),
        e_(compiler_, lanes),
        joint_(program, plan, e_, order, lanes, [this](std::uint32_t r, std::int32_t k) { return known(r, k); }),
        inverse_is_zero_(program.systems().size()) {}

  Image compile() {
    std::vector<std::int32_t> starts = {0};
    std::size_t length = 0;
    for (std::int32_t k = 0; k < order_; ++k) {
      const std::size_t more = plan_.lengths()[static_cast<std::size_t>(k)];
      if (length > 0 && length + more > function_length(care_) && joint_.begins_block(k)) {
        starts.push_back(k);
        length = 0;
      }
      length += more;
    }
    starts.push_back(order_);
    std::vector<llvm::Function*> functions;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      functions.push_back(e_.declare(i == 0 ? "run" : "rounds" + std::to_string(starts[i]), pointers, i == 0));
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
      e_.enter(functions[i]);
      fresh_.clear();
      last_read_.clear();
      joint_.begin_function();
      if (i == 0) prologue();
      for (std::int32_t k = starts[i]; k < starts[i + 1]; ++k) write_round(k);
      if (i == 0) {
        std::vector<Value> arguments;
        for (unsigned a = 0; a < pointers; ++a) arguments.push_back(e_.argument(a));
        for (std::size_t f = 1; f < functions.size(); ++f) e_.call(functions[f], arguments, false);
      }
      e_.finish(-1);
    }
    return compiler_.compile("run");
  }

  // What SeriesCoefficients asks for

  Value get(std::uint32_t r, std::int32_t k) { return fresh_[{r, k}] = known(r, k); }

  void set(std::uint32_t r, std::int32_t k, Value x) {
    fresh_[{r, k}] = x;
    if (plan_.forwards(r) != SeriesPlan::nowhere) e_.store(x, workspace(), plan_.forwards(r, k));
    if (plan_.backwards(r) != SeriesPlan::nowhere) e_.store(x, workspace(), plan_.backwards(r, k));
    if (k == 0 && plan_.reciprocal(r) != SeriesPlan::nowhere) set_reciprocal(r, x);
    if (is_state(r)) e_.store(x, coefficients(), static_cast<std::size_t>(k) * p_.state_count() + (r - p_.state(0)));
  }

  Value zero() { return e_.constant(0); }
  Value add(Value x, Value y) { return e_.add(x, y); }
  Value subtract(Value x, Value y) { return e_.subtract(x, y); }
  Value negate(Value x) { return e_.negate(x); }
  Value multiply(Value x, Value y) { return e_.multiply(x, y); }
  Value divide(Value x, Value y) { return e_.divide(x, y); }
  Value square_root(Value x) { return e_.square_root(x); }
  Value scale(double factor, Value x) {
    if (factor == 1) return x;
    return factor == -1 ? e_.negate(x) : e_.multiply(e_.constant(factor), x);
  }

  // x (1/k), and once more for what is left, which only a fused product has exactly: that is x/k (Markstein 1990). The terms
  // of high order are too small for it to matter.
  Value quotient(Value x, std::int32_t k) {
    constexpr std::int32_t small_terms = 12;
    if (k == 1) return x;
    Value const inverse = e_.constant(1.0 / k);
    Value const q = e_.multiply(inverse, x);
    if ((k & (k - 1)) == 0 || k > small_terms) return q;
    if (!host().fused) return e_.divide(x, e_.constant(k));
    return e_.fused(e_.fused(e_.constant(-k), q, x), inverse, q);
  }

  // What was found first is summed first: the last terms to be known then wait for nothing else.
  Value dot(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) {
    const auto [range, joint] = joint_.part_of({a, b, k, {lo, hi}});
    Value sum = joint;
    struct Term {
      std::int32_t known, j;
    };
    std::vector<Term> terms;
    for (std::int32_t j = lo; j <= hi; ++j) {
      if (range.lo <= j && j <= range.hi) continue;
      terms.push_back({std::max(plan_.round_of(a, j), plan_.round_of(b, k - j)), j});
    }
    std::stable_sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) { return x.known < y.known; });
    const std::size_t many = 6;
    Value second = nullptr;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      Value const x = factor_of(a, terms[i].j);
      Value const y = factor_of(b, k - terms[i].j);
      Value& target = terms.size() >= many && i % 2 == 1 && i + 2 < terms.size() ? second : sum;
      target = target == nullptr ? e_.multiply(x, y) : e_.fused(x, y, target);
      if (second != nullptr && i + 3 == terms.size()) {
        sum = e_.add(sum, second);
        second = nullptr;
      }
    }
    if (second != nullptr) sum = e_.add(sum, second);
    last_read_ = std::exchange(read_, {});
    return sum;
  }

  Value reciprocal(std::uint32_t r) {
    const auto found = fresh_.find({r, -1});
    return found != fresh_.end() ? found->second : e_.load(workspace(), plan_.reciprocal(r));
  }
  Value sign(std::uint32_t r) { return e_.sign(get(r, 0)); }

  Value start(const SeriesInstruction& i) {
    Value const b = get(i.b, 0);
    if (i.start == Operation::power) return e_.power(b, get(i.c, 0));
    if (i.start == Operation::function_of_two) return e_.function(i.function, b, get(i.c, 0));
    if (i.function != Function::sin && i.function != Function::cos) return e_.function(i.function, b);
    const auto [place, is_new] = angles_.try_emplace(i.b);
    if (is_new) place->second = e_.sine_cosine(b);
    return i.function == Function::sin ? place->second.first : place->second.second;
  }

  // M (M⁻¹ | x) = (1 | F)
  void factor(std::uint32_t number, const Program::System& s) {
    const std::size_t n = s.size, m = s.right_hand_sides;
    std::vector<Row> matrix(n, Row(n)), right(n, Row(n + m));
    const auto entry = [&](std::uint32_t r) { return p_.degree(r) < 0 ? nullptr : get(r, 0); };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] = entry(s.matrix[i * n + j]);
      right[i][i] = e_.constant(1);
      for (std::size_t j = 0; j < m; ++j) right[i][n + j] = entry(s.right[i * m + j]);
    }
    Value const regular = n <= Emitter::largest_unrolled
                              ? e_.solve(matrix, right)
                              : e_.solve_by_call(matrix, right, e_.address(workspace(), plan_.scratch()));
    e_.leave_unless(regular, static_cast<int>(number));
    inverse_is_zero_[number].assign(n * n, false);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (right[i][j] == nullptr) {
          inverse_is_zero_[number][i * n + j] = true;
        } else {
          e_.store(right[i][j], workspace(), plan_.inverse(number) + i * n + j);
        }
      }
      for (std::size_t j = 0; j < m; ++j) {
        const auto unknown = static_cast<std::uint32_t>(s.solution + i * m + j);
        if (p_.degree(unknown) >= 0) set(unknown, 0, right[i][n + j] == nullptr ? zero() : right[i][n + j]);
      }
    }
  }
  void begin_rest(std::uint32_t size) { rest_.assign(size, nullptr); }
  void set_rest(std::uint32_t i, std::optional<Value> x) { rest_[i] = x.value_or(nullptr); }
  Value times_inverse(std::uint32_t number, const Program::System& s, std::uint32_t i) {
    Value sum = nullptr;
    for (std::uint32_t j = 0; j < s.size; ++j) {
      const std::size_t place = std::size_t{i} * s.size + j;
      if (rest_[j] == nullptr || inverse_is_zero_[number][place]) continue;
      Value const x = e_.load(workspace(), plan_.inverse(number) + place);
      sum = sum == nullptr ? e_.multiply(x, rest_[j]) : e_.fused(x, rest_[j], sum);
    }
    return sum == nullptr ? zero() : sum;
  }

 private:
  static constexpr unsigned pointers = SeriesArguments::count;
  Value statics() { return e_.argument(SeriesArguments::statics); }
  Value coefficients() { return e_.argument(SeriesArguments::coefficients); }
  Value workspace() { return e_.argument(SeriesArguments::workspace); }
  bool is_state(std::uint32_t r) const { return r >= p_.state(0) && r < p_.time(); }
  // In a register, or from memory.
  Value known(std::uint32_t r, std::int32_t k) {
    const auto found = fresh_.find({r, k});
    return found != fresh_.end() ? found->second : load(r, k);
  }

  Value load(std::uint32_t r, std::int32_t k) {
    if (r < p_.static_count()) return e_.load(statics(), r);
    if (r == p_.time()) return k == 0 ? e_.load(e_.argument(SeriesArguments::time), 0) : e_.constant(1);
    if (is_state(r) && k == 0) return e_.load(e_.argument(SeriesArguments::state), r - p_.state(0));
    if (plan_.forwards(r) != SeriesPlan::nowhere) return e_.load(workspace(), plan_.forwards(r, k));
    return e_.load(workspace(), plan_.backwards(r, k));
  }

  // A factor in a sum: most are read once or, by the next sum, twice. Kept longer they would only fill the registers, which
  // a compiler that takes care sees by itself.
  Value factor_of(std::uint32_t r, std::int32_t k) {
    if (care_ == Care::usual) return get(r, k);
    const std::pair place(r, k);
    if (const auto found = fresh_.find(place); found != fresh_.end()) return found->second;
    if (const auto found = last_read_.find(place); found != last_read_.end()) return read_[place] = found->second;
    Value const x = load(r, k);
    if (lanes_ <= host().doubles_per_vector) read_[place] = x;
    return x;
  }

  void set_reciprocal(std::uint32_t r, Value x) {
    Value const inverse = e_.divide(e_.constant(1), x);
    fresh_[{r, -1}] = inverse;
    e_.store(inverse, workspace(), plan_.reciprocal(r));
  }

  void prologue() {
    for (std::uint32_t r = 0; r < p_.static_count(); ++r) {
      if (plan_.reciprocal(r) != SeriesPlan::nowhere) set_reciprocal(r, get(r, 0));
    }
    for (std::uint32_t r = p_.state(0); r <= p_.time(); ++r) set(r, 0, load(r, 0));
    if (order_ > 0) set(p_.time(), 1, e_.constant(1));
  }

  void write_round(std::int32_t k) {
    joint_.begin_round(k);
    last_read_.clear();
    // older values are read again rather than kept
    std::erase_if(fresh_,
                  [&](const auto& item) { return plan_.round_of(item.first.first, item.first.second) < k - 1; });
    SeriesCoefficients<WrittenOut> series(p_, *this);
    for (const SeriesInstruction& i : p_.instructions()) series.instruction(i, k);
    const std::span<const std::uint32_t> further = p_.further();
    const std::size_t behind = (static_cast<std::size_t>(order_) + 1) * p_.state_count();
    for (std::size_t i = 0; i < further.size(); ++i) {
      e_.store(k <= p_.degree(further[i]) ? get(further[i], k) : zero(), coefficients(),
               behind + static_cast<std::size_t>(k) * further.size() + i);
    }
    series.advance_state(k + 1);
    for (std::size_t i = 0; i < p_.state_count(); ++i) {
      if (k + 1 > p_.degree(p_.state(i)))
        e_.store(zero(), coefficients(), static_cast<std::size_t>(k + 1) * p_.state_count() + i);
    }
  }

  const SeriesProgram& p_;
  const SeriesPlan& plan_;
  std::int32_t order_;
  unsigned lanes_;
  Care care_;
  Compiler compiler_;
  Emitter e_;
  std::map<std::pair<std::uint32_t, std::int32_t>, Value> fresh_;  // in registers; order −1: the reciprocal
  std::map<std::uint32_t, std::pair<Value, Value>> angles_;        // sine and cosine
  std::map<std::pair<std::uint32_t, std::int32_t>, Value> read_, last_read_;  // for this sum, and the one before
  JointSums joint_;
  std::vector<std::vector<bool>> inverse_is_zero_;
  std::vector<Value> rest_;
};

Digest key_of(const SeriesProgram& p, unsigned order, const NativeOptions& options, const SeriesPlan& plan,
              const char* kind) {
  Hasher h = begin_key(kind, options);
  h.word(order);
  h.word(plan.size());  // code for a larger workspace would write beyond it
  h.word(p.static_count());
  h.word(p.state_count());
  h.word(p.register_count());
  h.word(p.instructions().size());
  for (const SeriesInstruction& i : p.instructions()) {
    h.word(static_cast<std::uint64_t>(i.operation) | static_cast<std::uint64_t>(i.start) << 8 |
           static_cast<std::uint64_t>(i.function) << 16 | std::uint64_t{i.negative} << 24 | std::uint64_t{i.out} << 32);
    h.word(std::uint64_t{i.a} << 32 | i.b);
    h.word(i.c);
  }
  h.word(p.systems().size());
  for (const Program::System& s : p.systems()) add_system(h, s);
  for (std::uint32_t r = 0; r < p.register_count(); ++r) {
    h.word(static_cast<std::uint64_t>(p.degree(r)) << 1 | std::uint64_t{p.late(r)});
  }
  h.list(p.rates());
  h.list(p.further());
  return h.digest();
}

}  // namespace

}  // namespace native

struct NativeSeries::Code {
  using Run = int(native::Table, const double*, const double*, const double*, double*, double*);
  std::unique_ptr<native::LoadedImage> image;
  std::unique_ptr<native::CompactSeries> compact;
  Run* run = nullptr;
  native::Table table = nullptr;
  std::size_t workspace = 0;
  NativeOrigin origin;
};

double series_length(const SeriesProgram& program, unsigned order) {
  return static_cast<double>(native::SeriesPlan(program, order, 1).length());
}

SeriesCode best_series_code(double operations, double runs) {
  if (operations > static_cast<double>(native::largest_series))
    return runs >= runs_to_write_rolled ? SeriesCode::rolled : SeriesCode::tables;
  return runs >= native::runs_that_pay ? SeriesCode::written_out : SeriesCode::tables;
}

NativeSeries::NativeSeries(const SeriesProgram& program, unsigned order, const NativeOptions& options)
    : code_(std::make_unique<Code>()) {
  native::require_lanes(options.lanes);
  const auto start = std::chrono::steady_clock::now();
  code_->table = native::function_table(options.lanes);
  const native::SeriesPlan plan(program, order, options.lanes);
  const auto key = [&](const char* kind) { return native::key_of(program, order, options, plan, kind); };
  const SeriesCode wanted = options.series.value_or(best_series_code(static_cast<double>(plan.length()), options.runs));
  if (wanted == SeriesCode::written_out) {
    code_->workspace = plan.size() * options.lanes;
    code_->image = native::find_or_make(key("series"), options.cache, code_->origin, [&] {
      return native::WrittenOut(program, order, options.lanes, plan).compile();
    });
  } else if (wanted == SeriesCode::rolled && options.lanes == 1) {
    code_->compact = native::make_rolled(program, order, options, key("rolled series"), code_->origin);
  }
  if (code_->image) {
    code_->run = reinterpret_cast<Code::Run*>(const_cast<void*>(code_->image->entry()));
  } else {
    if (!code_->compact) {
      code_->compact = native::make_compact(program, order, options.lanes);
      code_->origin.compact = true;
    }
    code_->workspace = code_->compact->workspace_size();
  }
  code_->origin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

NativeSeries::~NativeSeries() = default;
NativeSeries::NativeSeries(NativeSeries&&) noexcept = default;
NativeSeries& NativeSeries::operator=(NativeSeries&&) noexcept = default;

std::size_t NativeSeries::workspace_size() const { return code_->workspace; }
const NativeOrigin& NativeSeries::origin() const { return code_->origin; }

int NativeSeries::operator()(const double* statics, const double* t, const double* y, double* coefficients,
                             double* workspace) const {
  if (code_->run != nullptr) return code_->run(code_->table, statics, t, y, coefficients, workspace);
  return code_->compact->run(statics, t, y, coefficients, workspace);
}

}  // namespace cetaev
