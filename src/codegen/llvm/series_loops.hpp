// The loops over a tape; included once for each kind of processor, in a namespace of its own, with `fuse(x, y, sum)` of fours.
//
// For one trajectory the terms of a sum lie side by side in fours: coefficients forwards, and those of second factors from the highest order
// down. What a coefficient is stored with are the three zeros behind it, and behind the lowest coefficient of what is read backwards there are
// zeros for ever, so that a sum ends with whole fours. For several trajectories their lanes lie side by side.

template <unsigned lanes>
class Loops {
 public:
  using Value = Lanes<lanes>;
  using Functions = LaneFunctions<lanes>;

  Loops(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout, double* workspace)
      : p_(program), t_(tape), l_(layout), forwards_(workspace) {
    highest_ = workspace + (l_.backwards(t_) + static_cast<std::size_t>(l_.order)) * lanes;
    reciprocals_ = workspace + l_.reciprocals(t_) * lanes;
    inverses_ = workspace + l_.inverse(t_) * lanes;
    rest_ = workspace + l_.rest(t_) * lanes;
    scratch_ = rest_ + SeriesTape::most_at_once * l_.largest * lanes;
  }

  // The first rounds; behind the last one of all, the state to one order more.
  int run(const double* statics, const double* t, const double* y, std::int32_t rounds) {
    for (std::uint32_t i = 0; i < p_.static_count(); ++i) set(i, 0, Value::load(statics + i * lanes));
    for (std::size_t i = 0; i < p_.state_count(); ++i) set(p_.state(i), 0, Value::load(y + i * lanes));
    set(p_.time(), 0, Value::load(t));
    if (l_.order > 0) set(p_.time(), 1, Value::of(1));
    for (std::int32_t k = 0; k < rounds; ++k) {
      if (k > 0) advance_state(k);
      for (const SeriesTape::Step& step : t_.steps) {
        const std::int32_t own = step.late ? k - 1 : k;
        if (own >= 0 && own <= step.last) take(step, own);
      }
      if (singular_ >= 0) return singular_;
    }
    if (rounds == l_.order) advance_state(rounds);
    return -1;
  }
  // Of a register.
  Value get(std::uint32_t r, std::int32_t k) const { return in_row(t_.forwards[r], k); }

 private:
  Value in_row(std::uint32_t row, std::int32_t k) const { return Value::load(forwards(row, k)); }
  double* forwards(std::uint32_t row, std::int32_t k) const {
    return forwards_ + row + static_cast<std::size_t>(k) * lanes;
  }
  double* backwards(std::uint32_t row, std::int32_t k) const {
    return highest_ + row - static_cast<std::size_t>(k) * lanes;
  }
  // What is left of the right-hand sides of a system, for some of them at once.
  double* rest(std::uint32_t side, std::size_t i) const { return rest_ + (side * l_.largest + i) * lanes; }
  void set(std::uint32_t r, std::int32_t k, const Value& x) { put(t_.forwards[r], t_.backwards[r], k, x); }
  [[gnu::always_inline]] void put(std::uint32_t row, std::uint32_t back, std::int32_t k, const Value& x) {
    double* const place = forwards(row, k);
    if constexpr (lanes == 1) {
      const Four with_zeros = {x.v[0], 0, 0, 0};
      std::memcpy(place, &with_zeros, sizeof with_zeros);
    } else {
      x.store(place);
    }
    if (back != SeriesTape::nowhere) x.store(backwards(back, k));
  }

  // y_k = f_{k−1} / k
  void advance_state(std::int32_t k) {
    for (std::size_t i = 0; i < p_.state_count(); ++i) {
      if (k <= p_.degree(p_.state(i))) set(p_.state(i), k, get(p_.rates()[i], k - 1) / Value::of(k));
    }
  }

  using Total = std::conditional_t<lanes == 1, Four, Value>;
  static Value in_all(const Total& all) {
    if constexpr (lanes == 1) {
      return {{(all[0] + all[2]) + (all[1] + all[3])}};
    } else {
      return all;
    }
  }
  // Σ of products of terms, from memory. One product after the other is added to another total: none waits for the one before it.
  struct Sum {
    Total total{}, next{};
    [[gnu::always_inline]] void add(const double* x, const double* y, std::int32_t n) {
      Total sum = next;
      if constexpr (lanes == 1) {
        for (std::int32_t j = 0; j < n; j += 4) fuse(x + j, y + j, sum);
      } else {
        for (std::int32_t j = 0; j < n; ++j, x += lanes, y += lanes)
          sum = Value::fused(Value::load(x), Value::load(y), sum);
      }
      next = total;
      total = sum;
    }
    Value value() const { return in_all(total + next); }
  };
  // Σ_{j=lo}^{…} a_j b_{k−j}, as many terms as there are.
  void add_product(Sum& sum, const SeriesTape::Product& product, std::int32_t k, std::int32_t lo) const {
    const std::int32_t n = std::min(k + 1, product.terms) - lo;
    sum.add(forwards(product.a, lo), backwards(product.b, k - lo), n);
  }
  Value products(std::uint32_t begin, std::uint32_t end, std::int32_t k) const {
    Sum sum;
    for (std::uint32_t i = begin; i < end; ++i) add_product(sum, t_.products[i], k, 0);
    return sum.value();
  }
  // Several sums, of products with a factor in common.
  template <unsigned n>
  void add_joint(Total (&sums)[n], const SeriesTape::Joint& joint, std::int32_t k, std::int32_t lo) const {
    const std::int32_t terms = std::min(k + 1, joint.terms) - lo;
    const auto begin = [&](std::uint32_t row, bool ahead) {
      return ahead ? forwards(row, lo) : backwards(row, k - lo);
    };
    const double* const x = begin(joint.common, joint.common_forwards);
    const double* y[n];
    for (unsigned m = 0; m < n; ++m) y[m] = begin(joint.others[m], !joint.common_forwards);
    if constexpr (lanes == 1) {
      for (std::int32_t j = 0; j < terms; j += 4)
        for (unsigned m = 0; m < n; ++m) fuse(x + j, y[m] + j, sums[m]);
    } else {
      for (std::size_t j = 0; j < std::size_t(std::max(terms, 0)) * lanes; j += lanes)
        for (unsigned m = 0; m < n; ++m) sums[m] = Value::fused(Value::load(x + j), Value::load(y[m] + j), sums[m]);
    }
  }
  template <unsigned n>
  void joint_products(const SeriesTape::Joint* begin, const SeriesTape::Joint* end, std::int32_t k, std::int32_t lo,
                      Value* values) const {
    Total sums[n] = {};
    for (; begin < end; ++begin) add_joint(sums, *begin, k, lo);
    if constexpr (lanes == 1 && n == 4) {
      const auto pairs = [](const Four& x, const Four& y) {
        return __builtin_shufflevector(x, y, 0, 4, 2, 6) + __builtin_shufflevector(x, y, 1, 5, 3, 7);
      };
      const Four x = pairs(sums[0], sums[1]), y = pairs(sums[2], sums[3]);
      const Four all = __builtin_shufflevector(x, y, 0, 1, 4, 5) + __builtin_shufflevector(x, y, 2, 3, 6, 7);
      std::memcpy(values, &all, sizeof all);
    } else {
      for (unsigned m = 0; m < n; ++m) values[m] = in_all(sums[m]);
    }
  }
  void joint_products(const std::vector<SeriesTape::Joint>& list, std::uint32_t from, std::uint32_t to, std::uint32_t n,
                      std::int32_t k, std::int32_t lo, Value* values) const {
    const SeriesTape::Joint *const begin = list.data() + from, *const end = list.data() + to;
    switch (n) {
      case 1: return joint_products<1>(begin, end, k, lo, values);
      case 2: return joint_products<2>(begin, end, k, lo, values);
      case 3: return joint_products<3>(begin, end, k, lo, values);
      default: return joint_products<4>(begin, end, k, lo, values);
    }
  }
  // What the products of all of them come to.
  void joint_sums(const SeriesTape::Step& step, std::int32_t k, Value* sums) const {
    const SeriesTape::Range& range = step.products;
    joint_products(t_.joints, range.begin, range.minus, step.at_once, k, 0, sums);
    if (range.minus == range.end) return;
    Value minus[SeriesTape::most_at_once];
    joint_products(t_.joints, range.minus, range.end, step.at_once, k, 0, minus);
    for (std::uint32_t m = 0; m < step.at_once; ++m) sums[m] = sums[m] - minus[m];
  }
  const SeriesTape::Step& one_of(const SeriesTape::Step& step, std::uint32_t m) const {
    return m == 0 ? step : t_.also[step.also + m - 1];
  }
  [[gnu::noinline]] void take_sums(const SeriesTape::Step& step, std::int32_t k) {
    Value sums[SeriesTape::most_at_once];
    joint_sums(step, k, sums);
    for (std::uint32_t m = 0; m < step.at_once; ++m) {
      const SeriesTape::Step& one = one_of(step, m);
      put(one.out, one.back, k, with_terms(sums[m], one, k));
    }
  }
  [[gnu::noinline]] void take_quotients(const SeriesTape::Step& step, std::int32_t k) {
    const std::uint32_t divisor = step.products.end;
    Value dividends[SeriesTape::most_at_once], sums[SeriesTape::most_at_once];
    joint_sums(step, k, dividends);
    if (k > 0) joint_products(t_.joints, divisor, divisor + 1, step.at_once, k, 1, sums);
    for (std::uint32_t m = 0; m < step.at_once; ++m) {
      const SeriesTape::Step& one = one_of(step, m);
      take_quotient(one, k, with_terms(dividends[m], one, k), sums[m]);
    }
  }

  Value sum_of(const SeriesTape::Step& step, std::int32_t k) const {
    Value total = Value::of(0);
    if (step.products.begin < step.products.minus) total = products(step.products.begin, step.products.minus, k);
    if (step.products.minus < step.products.end) total = total - products(step.products.minus, step.products.end, k);
    return with_terms(total, step, k);
  }
  Value with_terms(Value total, const SeriesTape::Step& step, std::int32_t k) const {
    const auto scaled = [&](std::uint32_t i) { return in_row(t_.scaled[i].factor, 0) * in_row(t_.scaled[i].a, k); };
    for (std::uint32_t i = step.scaled.begin; i < step.scaled.minus; ++i) total = total + scaled(i);
    for (std::uint32_t i = step.scaled.minus; i < step.scaled.end; ++i) total = total - scaled(i);
    for (std::uint32_t i = step.terms.begin; i < step.terms.minus; ++i) total = total + in_row(t_.terms[i], k);
    for (std::uint32_t i = step.terms.minus; i < step.terms.end; ++i) total = total - in_row(t_.terms[i], k);
    return total;
  }

  [[gnu::always_inline]] void take(const SeriesTape::Step& step, std::int32_t k) {
    const auto done = [&](const Value& x) __attribute__((always_inline)) { put(step.out, step.back, k, x); };
    const auto& [first, second, terms] = step.single;
    switch (step.kind) {
      case SeriesTape::Kind::product: {
        Sum sum;
        add_product(sum, step.single, k, 0);
        return done(sum.value());
      }
      case SeriesTape::Kind::products: return done(products(step.products.begin, step.products.end, k));
      case SeriesTape::Kind::scaled: return done(in_row(first, 0) * in_row(second, k));
      case SeriesTape::Kind::added: return done(in_row(first, k) + in_row(second, k));
      case SeriesTape::Kind::subtracted: return done(in_row(first, k) - in_row(second, k));
      case SeriesTape::Kind::sum: return done(sum_of(step, k));
      case SeriesTape::Kind::sums: return take_sums(step, k);
      case SeriesTape::Kind::quotients: return take_quotients(step, k);
      default: return take_other(step, k);
    }
  }
  [[gnu::noinline]] void take_other(const SeriesTape::Step& step, std::int32_t k) {
    const auto done = [&](const Value& x) { put(step.out, step.back, k, x); };
    const SeriesInstruction& i = p_.instructions()[step.instruction];
    double* const reciprocal = reciprocals_ + std::size_t{step.number} * lanes;
    switch (step.kind) {
      case SeriesTape::Kind::quotient: {
        Sum sum;
        if (k > 0) add_product(sum, step.single, k, 1);
        take_quotient(step, k, sum_of(step, k), sum.value());
        return;
      }
      case SeriesTape::Kind::root: {
        if (k == 0) {
          const Value root = get(i.a, 0).map([](double x) { return std::sqrt(x); });
          (Value::of(0.5) / root).store(reciprocal);
          done(root);
          return;
        }
        // y² = a: 2 y₀ y_k = a_k − Σ_{j≠0,k} y_j y_{k−j}
        Sum sum;
        sum.add(forwards(step.out, 1), backwards(step.back, k - 1), k - 1);
        done((get(i.a, k) - sum.value()) * Value::load(reciprocal));
        return;
      }
      case SeriesTape::Kind::derivative: done(Value::of(k + 1) * get(i.a, k + 1)); return;
      case SeriesTape::Kind::integral: {
        if (k == 0) {
          done(start(i));
          return;
        }
        const Value rate = get(i.a, k - 1);
        done((i.negative ? -rate : rate) / Value::of(k));
        return;
      }
      case SeriesTape::Kind::magnitude: {
        const Value sign = get(i.a, 0).map([](double x) { return std::copysign(1.0, x); });
        done(sign * get(i.a, k));
        return;
      }
      case SeriesTape::Kind::solve: solve(step.number, k); return;
      default: return;
    }
  }
  // b c = a: c_k = (a_k − Σ_{j≠0} b_j c_{k−j}) / b₀
  void take_quotient(const SeriesTape::Step& step, std::int32_t k, const Value& dividend, const Value& sum) {
    double* const reciprocal = reciprocals_ + std::size_t{step.number} * lanes;
    if (k > 0) return put(step.out, step.back, k, (dividend - sum) * Value::load(reciprocal));
    const Value b = get(p_.instructions()[step.instruction].b, 0);
    (Value::of(1) / b).store(reciprocal);
    put(step.out, step.back, 0, dividend / b);
  }
  Value start(const SeriesInstruction& i) const {
    const Value b = get(i.b, 0);
    if (i.start == Operation::power) return Functions::two(slot_power, b, get(i.c, 0));
    if (i.start == Operation::function_of_two) return Functions::two(slot_of(i.function), b, get(i.c, 0));
    return Functions::one(slot_of(i.function), b);
  }

  // M₀ x_k = F_k − Σ_{j=1}^{k} M_j x_{k−j}
  void solve(std::uint32_t number, std::int32_t k) {
    const Program::System& s = p_.systems()[number];
    if (k == 0) {
      factor(number, s);
      return;
    }
    const SeriesTape::Rows& rows = t_.systems[number];
    const std::uint32_t sides = s.right_hand_sides;
    const std::uint32_t* begin = rows.begins.data();
    for (std::uint32_t side = 0; side < sides; side += SeriesTape::most_at_once) {
      const std::uint32_t n = std::min(SeriesTape::most_at_once, sides - side);
      if (k > p_.degree(s.solution + side)) return;  // all unknowns have one degree
      for (std::uint32_t i = 0; i < s.size; ++i, ++begin) {
        Value sums[SeriesTape::most_at_once];
        joint_products(rows.entries, begin[0], begin[1], n, k, 1, sums);
        for (std::uint32_t m = 0; m < n; ++m) (get(s.right[i * sides + side + m], k) - sums[m]).store(rest(m, i));
      }
      for (std::uint32_t i = 0; i < s.size; ++i)
        for (std::uint32_t m = 0; m < n; ++m) set(s.solution + i * sides + side + m, k, times_inverse(number, s, i, m));
    }
  }
  // What lies behind a row of the inverse belongs to zeros.
  Value times_inverse(std::uint32_t number, const Program::System& s, std::uint32_t i, std::uint32_t side = 0) const {
    Sum sum;
    sum.add(inverses_ + (l_.inverse_of[number] + i * padded(s.size)) * lanes, rest(side, 0),
            static_cast<std::int32_t>(s.size));
    return sum.value();
  }

  // M (M⁻¹ | x) = (1 | F)
  void factor(std::uint32_t number, const Program::System& s) {
    const std::size_t n = s.size, m = s.right_hand_sides, columns = n + m;
    double* const matrix = scratch_;
    double* const right = matrix + n * n * lanes;
    for (std::size_t i = 0; i < n * n; ++i) get(s.matrix[i], 0).store(matrix + i * lanes);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) Value::of(i == j ? 1 : 0).store(right + (i * columns + j) * lanes);
      for (std::size_t j = 0; j < m; ++j) get(s.right[i * m + j], 0).store(right + (i * columns + n + j) * lanes);
    }
    if (!Functions::solve(n, columns, matrix, right, right + n * columns * lanes) && singular_ < 0)
      singular_ = static_cast<int>(number);
    for (std::size_t i = 0; i < n; ++i) {
      const auto solved = [&](std::size_t j) { return Value::load(right + (i * columns + j) * lanes); };
      double* const row = inverses_ + (l_.inverse_of[number] + i * padded(n)) * lanes;
      for (std::size_t j = 0; j < n; ++j) solved(j).store(row + j * lanes);
      for (std::size_t j = 0; j < m; ++j) {
        const auto unknown = static_cast<std::uint32_t>(s.solution + i * m + j);
        if (p_.degree(unknown) >= 0) set(unknown, 0, solved(n + j));
      }
    }
    for (std::uint32_t side = 0; side < SeriesTape::most_at_once; ++side)
      for (std::size_t j = n; j < padded(n); ++j) Value::of(0).store(rest(side, j));
    for (std::size_t side = 0; side < m; ++side) refine(number, s, static_cast<std::uint32_t>(side));
  }
  // x + M⁻¹ (F − M x), as the interpreter has it: near a singular matrix the series is no better than its first terms.
  void refine(std::uint32_t number, const Program::System& s, std::uint32_t side) {
    const auto unknown = [&](std::uint32_t i) { return s.solution + i * s.right_hand_sides + side; };
    for (std::uint32_t i = 0; i < s.size; ++i) {
      Value left = get(s.right[i * s.right_hand_sides + side], 0);
      for (std::uint32_t j = 0; j < s.size; ++j) left = left - get(s.matrix[i * s.size + j], 0) * get(unknown(j), 0);
      left.store(rest(0, i));
    }
    for (std::uint32_t i = 0; i < s.size; ++i) {
      if (p_.degree(unknown(i)) >= 0) set(unknown(i), 0, get(unknown(i), 0) + times_inverse(number, s, i));
    }
  }

  const SeriesProgram& p_;
  const SeriesTape& t_;
  const TapeLayout& l_;
  double *forwards_, *highest_, *reciprocals_, *inverses_, *rest_, *scratch_;
  int singular_ = -1;
};
