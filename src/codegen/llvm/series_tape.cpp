#include "series_tape.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "../../series/operands.hpp"

namespace cetaev::native {

namespace {

class TapeMaker {
 public:
  TapeMaker(SeriesTape& tape, const SeriesProgram& program, std::uint32_t row_length)
      : t_(tape),
        p_(program),
        row_length_(row_length),
        uses_(p_.register_count()),
        reader_(p_.register_count()),
        open_(p_.register_count()),
        merged_(p_.register_count()) {
    t_.forwards.assign(p_.register_count(), SeriesTape::nowhere);
    t_.backwards.assign(p_.register_count(), SeriesTape::nowhere);
    for (std::uint32_t r = 0; r <= p_.time(); ++r) t_.forwards[r] = t_.forward_rows++;
    t_.systems.resize(p_.systems().size());
  }

  void run() {
    count_uses();
    const std::span<const SeriesInstruction> all = p_.instructions();
    for (std::uint32_t i = 0; i < all.size(); ++i) add(all[i], i);
    name_rows();
    put_side_by_side();
  }

 private:
  // The parts of a sum, with their signs.
  struct Parts {
    std::vector<std::pair<bool, SeriesTape::Product>> products;
    std::vector<std::pair<bool, SeriesTape::Scaled>> scaled;
    std::vector<std::pair<bool, std::uint32_t>> terms;
  };

  void read_backwards(std::uint32_t r) {
    if (!is_read_backwards(r)) t_.backwards[r] = t_.backward_rows++;
  }
  bool is_read_backwards(std::uint32_t r) const { return t_.backwards[r] != SeriesTape::nowhere; }

  // In the lists stand registers so far.
  void name_rows() {
    // what a solve writes has no instruction of its own, and what is zero is read by nobody but the systems
    for (std::uint32_t r = 0; r < p_.register_count(); ++r) {
      if (t_.forwards[r] == SeriesTape::nowhere && !merged_[r]) t_.forwards[r] = t_.forward_rows++;
    }
    for (std::vector<std::uint32_t>* const rows : {&t_.forwards, &t_.backwards})
      for (std::uint32_t& row : *rows) row = row == SeriesTape::nowhere ? row : row * row_length_;
    const auto name = [&](SeriesTape::Product& product) {
      product.a = t_.forwards[product.a];
      product.b = t_.backwards[product.b];
    };
    for (SeriesTape::Product& product : t_.products) name(product);
    for (SeriesTape::Rows& rows : t_.systems) {
      for (SeriesTape::Joint& joint : rows.entries) {
        joint.common = t_.forwards[joint.common];
        for (std::uint32_t& other : joint.others) other = t_.backwards[other];
      }
    }
    for (SeriesTape::Scaled& scaled : t_.scaled) scaled = {t_.forwards[scaled.factor], t_.forwards[scaled.a]};
    for (std::uint32_t& term : t_.terms) term = t_.forwards[term];
    for (SeriesTape::Step& step : t_.steps) {
      if (step.kind == SeriesTape::Kind::quotient) name(step.single);
      if (step.kind == SeriesTape::Kind::sum) make_simple(step);
      step.back = t_.backwards[step.out];
      step.out = t_.forwards[step.out];
    }
  }

  void count_uses() {
    const auto use = [&](std::uint32_t r) { ++uses_[r]; };
    for (const SeriesInstruction& i : p_.instructions()) {
      for_each_register(i, [&](std::uint32_t r) {
        use(r);
        reader_[r] = &i;
      });
    }
    for (const Program::System& s : p_.systems()) for_each_entry(s, use);
    for (const std::uint32_t r : p_.rates()) use(r);
    for (const std::uint32_t r : p_.further()) use(r);
  }

  void add(const SeriesInstruction& i, std::uint32_t number) {
    if (i.operation != SeriesOperation::solve && p_.degree(i.out) < 0) return;
    switch (i.operation) {
      case SeriesOperation::add:
      case SeriesOperation::subtract:
      case SeriesOperation::negate:
      case SeriesOperation::multiply:
      case SeriesOperation::multiply_add:
      case SeriesOperation::square: return add_sum(i, number);
      default: break;
    }
    SeriesTape::Step step = step_of(kind_of(i.operation), i, number);
    if (step.kind == SeriesTape::Kind::quotient) {
      step.number = t_.reciprocals++;
      Parts dividend;
      add_term(dividend, i.a, false);
      put_parts(step, dividend);
      step.single = product(i.b, i.out, true);
      if (p_.degree(i.b) == 0) step.single.terms = 0;
    } else if (step.kind == SeriesTape::Kind::root) {
      step.number = t_.reciprocals++;
      read_backwards(i.out);
    } else if (step.kind == SeriesTape::Kind::solve) {
      step.number = i.a;
      add_system(i.a);
    }
    t_.steps.push_back(step);
  }

  static SeriesTape::Kind kind_of(SeriesOperation operation) {
    switch (operation) {
      case SeriesOperation::divide: return SeriesTape::Kind::quotient;
      case SeriesOperation::square_root: return SeriesTape::Kind::root;
      case SeriesOperation::derivative: return SeriesTape::Kind::derivative;
      case SeriesOperation::integral: return SeriesTape::Kind::integral;
      case SeriesOperation::magnitude: return SeriesTape::Kind::magnitude;
      case SeriesOperation::solve: return SeriesTape::Kind::solve;
      default: return SeriesTape::Kind::sum;
    }
  }
  SeriesTape::Step step_of(SeriesTape::Kind kind, const SeriesInstruction& i, std::uint32_t number) const {
    SeriesTape::Step step{};
    step.kind = kind;
    step.at_once = 1;
    step.late = p_.late(i.out);
    step.last = kind == SeriesTape::Kind::solve ? SeriesProgram::unbounded : p_.degree(i.out);
    step.out = i.out;
    step.instruction = number;
    return step;
  }

  // Sums wait until somebody reads them: a single sum takes their parts over.
  void add_sum(const SeriesInstruction& i, std::uint32_t number) {
    Parts parts;
    switch (i.operation) {
      case SeriesOperation::add:
        add_term(parts, i.a, false);
        add_term(parts, i.b, false);
        break;
      case SeriesOperation::subtract:
        add_term(parts, i.a, false);
        add_term(parts, i.b, true);
        break;
      case SeriesOperation::negate: add_term(parts, i.a, true); break;
      case SeriesOperation::multiply_add:
        add_product(parts, i.a, i.b);
        add_term(parts, i.c, false);
        break;
      default: add_product(parts, i.a, i.operation == SeriesOperation::square ? i.a : i.b);
    }
    if (uses_[i.out] == 1 && is_term_of_a_sum(i.out)) {
      open_[i.out] = std::move(parts);
      merged_[i.out] = true;
      return;
    }
    SeriesTape::Step step = step_of(SeriesTape::Kind::sum, i, number);
    put_parts(step, parts);
    t_.steps.push_back(step);
  }
  void put_parts(SeriesTape::Step& step, const Parts& parts) {
    step.products = put(parts.products, t_.products);
    step.scaled = put(parts.scaled, t_.scaled);
    step.terms = put(parts.terms, t_.terms);
    for (const auto& [minus, product] : parts.products) read_backwards(product.b);
  }

  void make_simple(SeriesTape::Step& step) const {
    const auto has = [](const SeriesTape::Range& range, std::uint32_t plus, std::uint32_t minus) {
      return range.minus - range.begin == plus && range.end - range.minus == minus;
    };
    const bool no_products = has(step.products, 0, 0), no_scaled = has(step.scaled, 0, 0),
               no_terms = has(step.terms, 0, 0);
    if (no_scaled && no_terms && step.products.minus == step.products.end) {
      step.kind = has(step.products, 1, 0) ? SeriesTape::Kind::product : SeriesTape::Kind::products;
      step.single = t_.products[step.products.begin];
    } else if (no_products && no_terms && has(step.scaled, 1, 0)) {
      step.kind = SeriesTape::Kind::scaled;
      step.single = {t_.scaled[step.scaled.begin].factor, t_.scaled[step.scaled.begin].a, 0};
    } else if (no_products && no_scaled && (has(step.terms, 2, 0) || has(step.terms, 1, 1))) {
      step.kind = has(step.terms, 2, 0) ? SeriesTape::Kind::added : SeriesTape::Kind::subtracted;
      step.single = {t_.terms[step.terms.begin], t_.terms[step.terms.begin + 1], 0};
    }
  }

  // Of what is read once: is it read by an addition, or divided, in the same round?
  bool is_term_of_a_sum(std::uint32_t r) const {
    if (!reader_[r]) return false;
    const SeriesInstruction& i = *reader_[r];
    if (p_.late(i.out) != p_.late(r)) return false;
    switch (i.operation) {
      case SeriesOperation::add:
      case SeriesOperation::subtract:
      case SeriesOperation::negate: return true;
      case SeriesOperation::multiply_add: return i.c == r;
      case SeriesOperation::divide: return i.a == r && p_.degree(i.out) >= 0;
      default: return false;
    }
  }

  void add_term(Parts& parts, std::uint32_t r, bool minus) {
    if (p_.degree(r) < 0) return;
    if (!open_[r]) {
      parts.terms.emplace_back(minus, r);
      return;
    }
    const Parts inner = std::move(*open_[r]);
    open_[r].reset();
    for (auto part : inner.products) parts.products.emplace_back(part.first != minus, part.second);
    for (auto part : inner.scaled) parts.scaled.emplace_back(part.first != minus, part.second);
    for (auto part : inner.terms) parts.terms.emplace_back(part.first != minus, part.second);
  }
  void add_product(Parts& parts, std::uint32_t a, std::uint32_t b) {
    if (p_.degree(a) < 0 || p_.degree(b) < 0) return;
    if (p_.degree(a) == 0) {
      parts.scaled.emplace_back(false, SeriesTape::Scaled{a, b});
    } else if (p_.degree(b) == 0) {
      parts.scaled.emplace_back(false, SeriesTape::Scaled{b, a});
    } else {
      // polynomials forwards, where they end; else what is read backwards anyhow
      const bool as_written =
          p_.degree(a) != p_.degree(b) ? p_.degree(a) < p_.degree(b) : is_read_backwards(b) || !is_read_backwards(a);
      parts.products.emplace_back(false, as_written ? product(a, b, false) : product(b, a, false));
    }
  }
  SeriesTape::Product product(std::uint32_t a, std::uint32_t b, bool used) {
    if (used) read_backwards(b);
    const std::int32_t degree = p_.degree(a);
    return {a, b, degree == SeriesProgram::unbounded ? degree : degree + 1};
  }

  template <class T>
  static SeriesTape::Range put(const std::vector<std::pair<bool, T>>& parts, std::vector<T>& list) {
    SeriesTape::Range range{};
    range.begin = static_cast<std::uint32_t>(list.size());
    for (const bool sign : {false, true}) {
      if (sign) range.minus = static_cast<std::uint32_t>(list.size());
      for (const auto& [minus, part] : parts)
        if (minus == sign) list.push_back(part);
    }
    range.end = static_cast<std::uint32_t>(list.size());
    return range;
  }

  void add_system(std::uint32_t number) {
    const Program::System& s = p_.systems()[number];
    SeriesTape::Rows& rows = t_.systems[number];
    for (std::uint32_t side = 0; side < s.right_hand_sides; side += SeriesTape::most_at_once) {
      const std::uint32_t n = std::min(SeriesTape::most_at_once, s.right_hand_sides - side);
      for (std::uint32_t i = 0; i < s.size; ++i) {
        rows.begins.push_back(static_cast<std::uint32_t>(rows.entries.size()));
        for (std::uint32_t j = 0; j < s.size; ++j) {
          const std::uint32_t entry = s.matrix[i * s.size + j], unknown = s.solution + j * s.right_hand_sides + side;
          if (p_.degree(entry) <= 0 || p_.degree(unknown) < 0) continue;
          SeriesTape::Joint joint{entry, {}, product(entry, unknown, true).terms, true};
          for (std::uint32_t w = 0; w < SeriesTape::most_at_once; ++w) {
            joint.others[w] = unknown + std::min(w, n - 1);
            read_backwards(joint.others[w]);
          }
          rows.entries.push_back(joint);
        }
      }
    }
    rows.begins.push_back(static_cast<std::uint32_t>(rows.entries.size()));
  }

  // Steps that follow each other and have products with common factors, in the same order, are taken at once.
  void put_side_by_side() {
    std::vector<SeriesTape::Step> taken;
    for (std::size_t first = 0; first < t_.steps.size();) {
      std::vector<SeriesTape::Joint> joints = products_of(t_.steps[first]);
      std::uint32_t n = 1;
      while (n < SeriesTape::most_at_once && first + n < t_.steps.size() && add_to(joints, first, n)) ++n;
      SeriesTape::Step& step = taken.emplace_back(t_.steps[first]);
      if (n > 1) {
        const auto begin = static_cast<std::uint32_t>(t_.joints.size());
        const SeriesTape::Range own = step.products;
        step.products = {begin, begin + own.minus - own.begin, begin + own.end - own.begin};
        step.kind = step.kind == SeriesTape::Kind::quotient ? SeriesTape::Kind::quotients : SeriesTape::Kind::sums;
        step.at_once = static_cast<std::uint8_t>(n);
        step.also = static_cast<std::uint32_t>(t_.also.size());
        for (std::size_t m = first + 1; m < first + n; ++m) t_.also.push_back(t_.steps[m]);
        for (SeriesTape::Joint& joint : joints)
          std::fill(joint.others.begin() + n, joint.others.end(), joint.others[n - 1]);
        t_.joints.insert(t_.joints.end(), joints.begin(), joints.end());
      }
      first += n;
    }
    t_.steps = std::move(taken);
  }
  // With nothing in common so far: `common` is the first factor, and `others` the second.
  std::vector<SeriesTape::Joint> products_of(const SeriesTape::Step& step) const {
    std::vector<SeriesTape::Joint> result;
    const auto add = [&](const SeriesTape::Product& product) {
      result.push_back({product.a, {product.b}, product.terms, true});
    };
    switch (step.kind) {
      case SeriesTape::Kind::product:
      case SeriesTape::Kind::products:
      case SeriesTape::Kind::sum:
      case SeriesTape::Kind::quotient:
        for (std::uint32_t i = step.products.begin; i < step.products.end; ++i) add(t_.products[i]);
        break;
      default: break;
    }
    if (step.kind == SeriesTape::Kind::quotient) add(step.single);
    return result;
  }
  // The n-th beside those from `first` on, if it is like them and reads nothing of what they write.
  bool add_to(std::vector<SeriesTape::Joint>& joints, std::size_t first, std::uint32_t n) const {
    const SeriesTape::Step &like = t_.steps[first], &step = t_.steps[first + n];
    const bool quotient = like.kind == SeriesTape::Kind::quotient;
    if (joints.empty() || quotient != (step.kind == SeriesTape::Kind::quotient) || step.late != like.late ||
        step.last != like.last)
      return false;
    if (step.products.minus - step.products.begin != like.products.minus - like.products.begin) return false;
    const std::vector<SeriesTape::Joint> own = products_of(step);
    if (own.size() != joints.size()) return false;
    std::vector<SeriesTape::Joint> together = joints;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::uint32_t a = own[i].common, b = own[i].others[0];
      for (std::uint32_t m = 0; m < n; ++m) {
        const SeriesTape::Step& before = t_.steps[first + m];
        if (a == before.out || b == before.back) return false;
      }
      if (own[i].terms != joints[i].terms || !find_common(together[i], a, b, n)) return false;
    }
    joints = std::move(together);
    return true;
  }
  static bool find_common(SeriesTape::Joint& joint, std::uint32_t a, std::uint32_t b, std::uint32_t n) {
    if (n == 1 && a != joint.common && b == joint.others[0]) {
      joint.common_forwards = false;
      std::swap(joint.common, joint.others[0]);
    }
    joint.others[n] = joint.common_forwards ? b : a;
    return joint.common == (joint.common_forwards ? a : b);
  }

  SeriesTape& t_;
  const SeriesProgram& p_;
  std::uint32_t row_length_;
  std::vector<std::uint32_t> uses_;
  std::vector<const SeriesInstruction*> reader_;  // one that reads a register, if any
  std::vector<std::optional<Parts>> open_;        // of sums that are not written
  std::vector<bool> merged_;                      // into others
};

}  // namespace

SeriesTape::SeriesTape(const SeriesProgram& program, std::uint32_t row_length) {
  TapeMaker(*this, program, row_length).run();
}

}  // namespace cetaev::native
