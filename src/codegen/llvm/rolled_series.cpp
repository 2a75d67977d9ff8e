// Machine code of a series that serves several rounds: of its tape, with k known when it runs.
//
// Unrolled, a sum of products has as many terms as the round has, and the code grows with the square of the order. Here a round has two parts. First come
// all sums of what earlier rounds have found,
//
//   Σ_{j=1}^{κ−1} a_j b_{κ−j},
//
// in whole vectors of eight: the code for 8 terms serves the rounds up to the ninth, that for 16 those up to the seventeenth, and so on. What lies
// behind the terms is multiplied by zeros. Then come the terms that this round finds, a₀ b_κ and a_κ b₀, and everything else: that code is the same in all
// rounds, and reads and writes at distances from pointers that move on with k. The first two rounds, in which there are functions, linear systems to
// factor and constants, go by the loops.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "compact.hpp"
#include "emitter.hpp"
#include "runtime.hpp"
#include "tape_layout.hpp"

namespace cetaev::native {

namespace {

constexpr std::int32_t first_rolled = 2, eight = 8;
// Functions have about so many operations.
constexpr std::size_t rolled_length = 400;

// Behind the rows of the tape: the sums of a round, and 1/k and k of all of them. Coefficients of order one lie at multiples of 64 bytes.
struct RolledLayout : TapeLayout {
  RolledLayout(const SeriesProgram& program, unsigned highest)
      : TapeLayout(program, highest, (padded(highest + 1 + eight) - highest - 1)) {}
  static constexpr std::size_t lead = eight - 1;
  static double* aligned(double* memory) {
    const auto beyond = (reinterpret_cast<std::uintptr_t>(memory) / sizeof(double)) % eight;
    return memory + (eight - beyond) % eight + lead;
  }
  std::size_t sums(const SeriesTape& tape) const { return padded(size(tape)) + 1; }
};

class RolledCode {
 public:
  RolledCode(const SeriesProgram& program, const SeriesTape& tape, const RolledLayout& layout)
      : p_(program), t_(tape), l_(layout), compiler_(Care::little), e_(compiler_, 1) {
    for (std::uint32_t r = 0; r < p_.register_count(); ++r) {
      if (t_.forwards[r] != SeriesTape::nowhere) in_row_[t_.forwards[r]] = r;
      if (t_.backwards[r] != SeriesTape::nowhere) in_row_back_[t_.backwards[r]] = r;
    }
    for (const SeriesTape::Step& step : t_.steps) {
      if (step.last > 0) add_sums(step);
    }
    for (Sum& sum : sums_)
      if (!sum.products.empty()) sum.place = known_++;
  }

  // 1/k and k for k up to the order.
  std::size_t inverses_of_rounds() const { return l_.sums(t_) + padded(known_); }
  std::size_t rounds() const { return inverses_of_rounds() + static_cast<std::size_t>(l_.order) + 1; }
  std::size_t size() const { return rounds() + static_cast<std::size_t>(l_.order) + 1; }

  Image compile() {
    std::vector<std::vector<llvm::Function*>> early;
    for (std::int32_t terms = eight; early.empty() || terms - eight + 1 < l_.order - 1; terms += eight)
      early.push_back(write_sums(terms));
    const std::vector<llvm::Function*> states = write_states(), steps = write_steps();
    e_.enter(e_.declare("run", 2, true, false));
    Value const table = e_.argument(0), memory = e_.argument(1);
    for (std::int32_t k = first_rolled; k <= l_.order; ++k) {
      const std::array<Value, pointers> arguments = {table, memory, e_.moved(memory, k), e_.moved(memory, -k)};
      const auto call = [&](const std::vector<llvm::Function*>& all) {
        for (llvm::Function* const f : all) e_.call(f, arguments, false);
      };
      if (k < l_.order) call(early[static_cast<std::size_t>((k - 2) / eight)]);
      call(states);
      if (k < l_.order) call(steps);
    }
    e_.finish(-1);
    return compiler_.compile("run");
  }

 private:
  // The table of functions, the rows, and the same k doubles ahead and back.
  static constexpr unsigned pointers = 4;
  Value rows() { return e_.argument(1); }
  Value ahead() { return e_.argument(2); }
  Value back() { return e_.argument(3); }

  // ± Σ a_j b_{κ−j}, of rows; with a₀ b_κ, if that belongs to it, and a_κ b₀.
  struct Product {
    std::uint32_t a, b;
    bool minus, with_first, with_last;
  };
  struct Sum {
    bool late;
    std::vector<Product> products;
    std::size_t place = 0;  // among those that have products
  };

  // Of a step, one after the other as the steps ask for them.
  void add_sums(const SeriesTape::Step& step) {
    switch (step.kind) {
      case SeriesTape::Kind::product: sums_.push_back({step.late, {whole(step.single, false)}}); return;
      case SeriesTape::Kind::products:
      case SeriesTape::Kind::sum: sums_.push_back(sum_of(step)); return;
      case SeriesTape::Kind::quotient: {
        Sum sum = sum_of(step);
        if (step.single.terms > 0) sum.products.push_back({step.single.a, step.single.b, true, false, true});
        sums_.push_back(std::move(sum));
        return;
      }
      case SeriesTape::Kind::sums:
      case SeriesTape::Kind::quotients:
        for (std::uint32_t m = 0; m < step.at_once; ++m) sums_.push_back(joint_sum_of(step, m));
        return;
      case SeriesTape::Kind::root: sums_.push_back({step.late, {{step.out, step.back, true, false, false}}}); return;
      case SeriesTape::Kind::solve: {
        const SeriesTape::Rows& all = t_.systems[step.number];
        const Program::System& s = p_.systems()[step.number];
        const std::uint32_t* begin = all.begins.data();
        for (std::uint32_t side = 0; side < s.right_hand_sides; side += SeriesTape::most_at_once) {
          const std::uint32_t n = std::min(SeriesTape::most_at_once, s.right_hand_sides - side);
          for (std::uint32_t i = 0; i < s.size; ++i, ++begin) {
            for (std::uint32_t m = 0; m < n; ++m) {
              Sum& sum = sums_.emplace_back(Sum{false, {}});
              for (std::uint32_t j = begin[0]; j < begin[1]; ++j)
                sum.products.push_back({all.entries[j].common, all.entries[j].others[m], true, false, true});
            }
          }
        }
        return;
      }
      default: return;
    }
  }
  static Product whole(const SeriesTape::Product& product, bool minus) {
    return {product.a, product.b, minus, true, true};
  }
  Sum sum_of(const SeriesTape::Step& step) const {
    Sum sum{step.late, {}};
    for (std::uint32_t i = step.products.begin; i < step.products.end; ++i)
      sum.products.push_back(whole(t_.products[i], i >= step.products.minus));
    return sum;
  }
  Sum joint_sum_of(const SeriesTape::Step& step, std::uint32_t m) const {
    Sum sum{step.late, {}};
    const auto add = [&](std::uint32_t i, bool minus, bool with_first) {
      const SeriesTape::Joint& joint = t_.joints[i];
      const std::uint32_t other = joint.others[m];
      const bool ahead = joint.common_forwards;
      sum.products.push_back({ahead ? joint.common : other, ahead ? other : joint.common, minus, with_first, true});
    };
    for (std::uint32_t i = step.products.begin; i < step.products.end; ++i) add(i, i >= step.products.minus, true);
    if (step.kind == SeriesTape::Kind::quotients && t_.joints[step.products.end].terms > 0)
      add(step.products.end, true, false);
    return sum;
  }

  // The place of b_{κ−j}, from the pointer back.
  std::size_t place_back(std::uint32_t row, bool late, std::int32_t j) const {
    return l_.backwards(t_) + row + static_cast<std::size_t>(l_.order + j + (late ? 1 : 0));
  }

  // The sums of what is known, of so many terms.
  std::vector<llvm::Function*> write_sums(std::int32_t terms) {
    Functions functions(*this, "sums" + std::to_string(terms) + "_");
    std::array<Value, eight> all{};
    for (const Sum& sum : sums_) {
      if (sum.products.empty()) continue;
      const std::size_t lane = sum.place % eight;
      if (lane == 0) {
        functions.room();
        all.fill(e_.zeros(eight));
      }
      all[lane] = sum_of_known(sum, terms);
      if (lane + 1 < eight && sum.place + 1 < known_) continue;
      e_.store_doubles(e_.sums(all), rows(), l_.sums(t_) + sum.place - lane);
      length_ += std::size_t{3} * eight;
    }
    return functions.done();
  }
  Value sum_of_known(const Sum& sum, std::int32_t terms) {
    Value total = nullptr;
    for (const Product& product : sum.products) {
      for (std::int32_t j = 1; j <= terms; j += eight) {
        Value const x = e_.load_doubles(rows(), product.a + static_cast<std::size_t>(j), eight);
        Value const y = e_.load_doubles(back(), place_back(product.b, sum.late, j), eight);
        Value const factor = product.minus ? e_.negate(x) : x;
        total = total == nullptr ? e_.multiply(factor, y) : e_.fused(factor, y, total);
        length_ += 3;
      }
    }
    return total;
  }

  // Several functions, one after the other: one that is being written, until it is long.
  class Functions {
   public:
    Functions(RolledCode& code, std::string name) : code_(code), name_(std::move(name)) {}
    void room() {
      if (!all_.empty() && code_.length_ < rolled_length) return;
      finish();
      all_.push_back(code_.e_.declare(name_ + std::to_string(all_.size()), pointers, false, false));
      code_.e_.enter(all_.back());
      code_.fresh_.clear();
      code_.zeroth_.clear();
      code_.length_ = 0;
    }
    std::vector<llvm::Function*> done() {
      finish();
      return std::move(all_);
    }

   private:
    void finish() {
      if (!all_.empty()) code_.e_.finish(-1);
    }
    RolledCode& code_;
    std::string name_;
    std::vector<llvm::Function*> all_;
  };

  // y_k = f_{k−1} / k: behind the sums, for which y_k is not yet there.
  std::vector<llvm::Function*> write_states() {
    Functions functions(*this, "states");
    for (std::size_t i = 0; i < p_.state_count(); ++i) {
      SeriesTape::Step step{};
      step.out = t_.forwards[p_.state(i)];
      step.back = t_.backwards[p_.state(i)];
      if (p_.degree(p_.state(i)) <= 0) continue;
      functions.room();
      set(step, quotient(in(t_.forwards[p_.rates()[i]], true)));
    }
    return functions.done();
  }

  std::vector<llvm::Function*> write_steps() {
    Functions functions(*this, "steps");
    next_sum_ = 0;
    for (const SeriesTape::Step& step : t_.steps) {
      if (step.last <= 0) continue;
      functions.room();
      write(step);
    }
    return functions.done();
  }

  // Coefficient κ of a row, as a sum that is late or not has it; those of this round may be in a register still.
  Value in(std::uint32_t row, bool late) {
    const auto known = p_.late(in_row_.at(row)) == late ? fresh_.find(row) : fresh_.end();
    if (known != fresh_.end()) return known->second;
    return e_.load(ahead(), row - (late ? 1U : 0U));
  }
  Value zeroth(std::uint32_t row) {
    Value& x = zeroth_[row];
    if (x == nullptr) x = e_.load(rows(), row);
    return x;
  }
  void set(const SeriesTape::Step& step, Value x) {
    e_.store(x, ahead(), step.out - (step.late ? 1U : 0U));
    if (step.back != SeriesTape::nowhere) e_.store(x, back(), place_back(step.back, step.late, 0));
    fresh_[step.out] = x;
    length_ += 3;
  }

  // x / k, as good as rounded once.
  Value quotient(Value x) {
    Value const inverse = e_.load(ahead(), inverses_of_rounds());
    Value const k = e_.load(ahead(), rounds());
    length_ += 6;
    Value const q = e_.multiply(inverse, x);
    return e_.fused(e_.fused(e_.negate(k), q, x), inverse, q);
  }

  // The next of the sums with the terms that this round has found.
  Value next_sum() {
    const Sum& sum = sums_[next_sum_++];
    Value total = sum.products.empty() ? nullptr : e_.load(rows(), l_.sums(t_) + sum.place);
    for (const Product& product : sum.products) {
      const std::uint32_t a = product.a, b = t_.forwards[in_row_back_.at(product.b)];
      const auto add = [&](Value x, Value y) {
        total = e_.fused(product.minus ? e_.negate(x) : x, y, total);
        length_ += 3;
      };
      if (product.with_first) add(zeroth(a), in(b, sum.late));
      // what was known before is among the others
      if (product.with_last && p_.late(in_row_.at(a)) == sum.late) add(zeroth(b), in(a, sum.late));
    }
    return total;
  }
  Value plus(Value total, Value x, bool minus) {
    ++length_;
    if (total == nullptr) return minus ? e_.negate(x) : x;
    return minus ? e_.subtract(total, x) : e_.add(total, x);
  }
  Value with_terms(Value total, const SeriesTape::Step& step) {
    for (std::uint32_t i = step.scaled.begin; i < step.scaled.end; ++i) {
      Value const factor = zeroth(t_.scaled[i].factor), x = in(t_.scaled[i].a, step.late);
      const bool minus = i >= step.scaled.minus;
      total = total == nullptr ? e_.multiply(minus ? e_.negate(factor) : factor, x)
                               : e_.fused(minus ? e_.negate(factor) : factor, x, total);
      length_ += 3;
    }
    for (std::uint32_t i = step.terms.begin; i < step.terms.end; ++i)
      total = plus(total, in(t_.terms[i], step.late), i >= step.terms.minus);
    return total == nullptr ? e_.constant(0) : total;
  }
  Value reciprocal(const SeriesTape::Step& step) { return e_.load(rows(), l_.reciprocals(t_) + step.number); }
  const SeriesTape::Step& one_of(const SeriesTape::Step& step, std::uint32_t m) const {
    return m == 0 ? step : t_.also[step.also + m - 1];
  }

  void write(const SeriesTape::Step& step) {
    const SeriesInstruction& i = p_.instructions()[step.instruction];
    const auto row = [&](std::uint32_t r) { return t_.forwards[r]; };
    switch (step.kind) {
      case SeriesTape::Kind::product: return set(step, next_sum());
      case SeriesTape::Kind::products:
      case SeriesTape::Kind::sum: return set(step, with_terms(next_sum(), step));
      case SeriesTape::Kind::quotient: return set(step, e_.multiply(with_terms(next_sum(), step), reciprocal(step)));
      case SeriesTape::Kind::sums:
        for (std::uint32_t m = 0; m < step.at_once; ++m) set(one_of(step, m), with_terms(next_sum(), one_of(step, m)));
        return;
      case SeriesTape::Kind::quotients:
        for (std::uint32_t m = 0; m < step.at_once; ++m) {
          const SeriesTape::Step& one = one_of(step, m);
          set(one, e_.multiply(with_terms(next_sum(), one), reciprocal(one)));
        }
        return;
      case SeriesTape::Kind::scaled: return set(step, e_.multiply(zeroth(step.single.a), in(step.single.b, step.late)));
      case SeriesTape::Kind::added:
        return set(step, e_.add(in(step.single.a, step.late), in(step.single.b, step.late)));
      case SeriesTape::Kind::subtracted:
        return set(step, e_.subtract(in(step.single.a, step.late), in(step.single.b, step.late)));
      case SeriesTape::Kind::root:
        return set(step, e_.multiply(e_.add(next_sum(), in(row(i.a), step.late)), reciprocal(step)));
      // late: coefficient k − 1 of the derivative is k times coefficient k
      case SeriesTape::Kind::derivative: return set(step, e_.multiply(e_.load(ahead(), rounds()), in(row(i.a), false)));
      case SeriesTape::Kind::integral: {
        Value const rate = in(row(i.a), true);
        return set(step, quotient(i.negative ? e_.negate(rate) : rate));
      }
      case SeriesTape::Kind::magnitude:
        return set(step, e_.multiply(e_.sign(zeroth(row(i.a))), in(row(i.a), step.late)));
      case SeriesTape::Kind::solve: return solve(step.number);
    }
  }

  // x_k = M₀⁻¹ (F_k − Σ_{j=1}^{k} M_j x_{k−j})
  void solve(std::uint32_t number) {
    const Program::System& s = p_.systems()[number];
    const std::uint32_t sides = s.right_hand_sides;
    for (std::uint32_t side = 0; side < sides; side += SeriesTape::most_at_once) {
      const std::uint32_t n = std::min(SeriesTape::most_at_once, sides - side);
      if (p_.degree(s.solution + side) <= 0) {
        next_sum_ += std::size_t{n} * s.size;
        continue;
      }
      std::vector<std::vector<Value>> rest(n);
      for (std::uint32_t i = 0; i < s.size; ++i) {
        for (std::uint32_t m = 0; m < n; ++m) {
          Value total = next_sum();
          const std::uint32_t right = s.right[i * sides + side + m];
          if (p_.degree(right) > 0) total = plus(total, in(t_.forwards[right], false), false);
          rest[m].push_back(total == nullptr ? e_.constant(0) : total);
        }
      }
      for (std::uint32_t m = 0; m < n; ++m) times_inverse(number, s, rest[m], side + m);
    }
  }
  void times_inverse(std::uint32_t number, const Program::System& s, const std::vector<Value>& rest,
                     std::uint32_t side) {
    constexpr std::uint32_t in_registers = 10;
    const auto inverse = [&](std::uint32_t i, std::size_t j) {
      return l_.inverse(t_) + l_.inverse_of[number] + i * padded(s.size) + j;
    };
    const auto found = [&](std::uint32_t i, Value x) {
      SeriesTape::Step step{};
      const std::uint32_t unknown = s.solution + i * s.right_hand_sides + side;
      step.out = t_.forwards[unknown];
      step.back = t_.backwards[unknown];
      set(step, x);
    };
    if (s.size <= in_registers) {
      for (std::uint32_t i = 0; i < s.size; ++i) {
        Value total = nullptr;
        for (std::uint32_t j = 0; j < s.size; ++j) {
          Value const x = e_.load(rows(), inverse(i, j));
          total = total == nullptr ? e_.multiply(x, rest[j]) : e_.fused(x, rest[j], total);
        }
        found(i, total);
        length_ += 2 * s.size;
      }
      return;
    }
    for (std::uint32_t j = 0; j < s.size; ++j) e_.store(rest[j], rows(), l_.rest(t_) + j);
    for (std::uint32_t first = 0; first < s.size; first += eight) {
      std::array<Value, eight> all{};
      for (std::uint32_t i = 0; i < eight; ++i) {
        if (first + i >= s.size) {
          all[i] = e_.zeros(eight);
          continue;
        }
        for (std::size_t j = 0; j < s.size; j += eight) {
          Value const x = e_.load_doubles(rows(), inverse(first + i, j), eight);
          Value const y = e_.load_doubles(rows(), l_.rest(t_) + j, eight);
          all[i] = all[i] == nullptr ? e_.multiply(x, y) : e_.fused(x, y, all[i]);
          length_ += 3;
        }
      }
      Value const sums = e_.sums(all);
      for (std::uint32_t i = 0; i < eight && first + i < s.size; ++i) found(first + i, e_.element(sums, i));
    }
  }

  const SeriesProgram& p_;
  const SeriesTape& t_;
  const RolledLayout& l_;
  Compiler compiler_;
  Emitter e_;
  std::map<std::uint32_t, std::uint32_t> in_row_, in_row_back_;  // registers
  std::vector<Sum> sums_;
  std::size_t known_ = 0, next_sum_ = 0, length_ = 0;
  std::map<std::uint32_t, Value> fresh_, zeroth_;  // by rows: of this round, and of order 0
};

class RolledSeries final : public CompactSeries {
 public:
  RolledSeries(const SeriesProgram& program, unsigned order)
      : p_(program), layout_(p_, order), tape_(p_, static_cast<std::uint32_t>(layout_.stride)) {
    const RolledCode code(p_, tape_, layout_);
    inverses_ = code.inverses_of_rounds();
    rounds_ = code.rounds();
    size_ = code.size();
  }

  bool make(const Digest& key, bool cache, NativeOrigin& origin) {
    image_ = find_or_make(key, cache, origin, [&] { return RolledCode(p_, tape_, layout_).compile(); });
    if (image_) run_ = reinterpret_cast<Run*>(const_cast<void*>(image_->entry()));
    return run_ != nullptr;
  }

  std::size_t workspace_size() const override { return size_ + 2 * eight; }

  int run(const double* statics, const double* t, const double* y, double* coefficients,
          double* workspace) const override {
    double* const memory = RolledLayout::aligned(workspace);
    // what the last step has left must be finite at least
    std::fill_n(memory, layout_.backwards(tape_), 0.0);
    for (std::int32_t k = 1; k <= layout_.order; ++k) {
      memory[inverses_ + static_cast<std::size_t>(k)] = 1.0 / k;
      memory[rounds_ + static_cast<std::size_t>(k)] = k;
    }
    const int singular = run_rounds(p_, tape_, layout_, {statics, t, y}, memory, first_rolled);
    if (singular >= 0) return singular;
    run_(function_table(1), memory);
    copy_coefficients(p_, tape_, layout_, 1, memory, coefficients);
    return -1;
  }

 private:
  using Run = int(Table, double*);
  SeriesProgram p_;
  RolledLayout layout_;
  SeriesTape tape_;
  std::size_t inverses_ = 0, rounds_ = 0, size_ = 0;
  std::unique_ptr<LoadedImage> image_;
  Run* run_ = nullptr;
};

}  // namespace

std::unique_ptr<CompactSeries> make_rolled(const SeriesProgram& program, unsigned order, const NativeOptions& options,
                                           const Digest& key, NativeOrigin& origin) {
  if (static_cast<std::int32_t>(order) <= first_rolled) return nullptr;
  auto series = std::make_unique<RolledSeries>(program, order);
  return series->make(key, options.cache, origin) ? std::move(series) : nullptr;
}

}  // namespace cetaev::native
