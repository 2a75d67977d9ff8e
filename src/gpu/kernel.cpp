#include "kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../integrate/accuracy.hpp"
#include "../integrate/dop853_coefficients.hpp"
#include "examples.hpp"
#include "kernel_text.hpp"
#include "lines.hpp"
#include "precision.hpp"

namespace cetaev::gpu {

namespace {

// Of a program that is put into each of the stages of a step; longer ones are called.
constexpr std::size_t longest_inlined = 400;
// And of one so short, sums and products alone, that two steps are put one behind the other: on an H200 Lorenz's equations in floats, of 8, take
// 13.6 instead of 14.1 ms.
constexpr std::size_t longest_unrolled = 40;
constexpr std::size_t average_line = 30;  // characters of it

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

bool is_arithmetic(const Program& program) {
  return std::ranges::all_of(program.instructions(), [](const Instruction& i) {
    return i.operation != Operation::function && i.operation != Operation::function_of_two &&
           i.operation != Operation::power && i.operation != Operation::solve;
  });
}

std::string coefficient(long double value) { return number(static_cast<double>(value)).text; }

// Σ row_j k_j[i], without the zeros of the table.
std::string combined(const long double* row, int count) {
  std::string sum;
  for (int j = 0; j < count; ++j) {
    if (row[j] == 0) continue;
    sum += fmt::format("{}{}*k{}[i]", sum.empty() ? "" : " + ", coefficient(row[j]), j);
  }
  return sum;
}

class Writer {
 public:
  Writer(const MotionPlan& plan, const KernelOptions& options)
      : prepared_(*plan.prepared()),
        equations_(prepared_.equations),
        options_(options),
        size_(equations_.size()),
        n_(size_ - (equations_.has_work() ? 1 : 0)),
        examples_(plan) {
    require_quiet();
  }

  Kernel run() {
    kernel_.own_parameters = options_.own_parameters;
    kernel_.variables = n_;
    kernel_.parameters = options_.own_parameters ? equations_.parameters().size() : 0;
    write_rates();
    if (const ProjectionPlan* const projection = prepared_.projection.get()) {
      if (const ProjectionPlan::Rows rows = projection->positions(); rows.program != nullptr)
        write_rows(rows, "positions", 0);
      if (const ProjectionPlan::Rows rows = projection->velocities(); rows.program != nullptr)
        write_rows(rows, "velocities", equations_.system()->size());
    }
    write_looks();
    write_beginning();
    std::string text(options_.fixed_steps ? fixed_text : adaptive_text);
    fill_in(text);
    kernel_.source = definitions() + std::string(common_text) + functions_ + text;
    if (options_.single) kernel_.source = with_single_literals(kernel_.source);
    return std::move(kernel_);
  }

 private:
  // What needs more than a look after every step.
  void require_quiet() const {
    if (!equations_.jumps().empty()) leave_to_processor("the equations jump");
    if (!prepared_.time_terms.empty()) leave_to_processor("terms of the model are large only for a short time");
    // where all that may vanish is a pivot
    const bool all_velocities = equations_.form().state.size() >= 2 * equations_.system()->size();
    const bool by_pivots =
        equations_.form().divided_by.empty() && (all_velocities || !prepared_.regularity.has_rank_to_lose());
    const bool given = prepared_.regularity.watches_given_velocities();
    if (given || (!prepared_.regularity.empty() && prepared_.regularity.guards() == nullptr && !by_pivots))
      leave_to_processor(fmt::format("the form {} has to be watched for singular sets more closely than a GPU does",
                                     equations_.form().form.name()));
  }

  Lines::Values inputs(const Lines::Values& behind) const {
    Lines::Values result = elements("y", n_);
    result.resize(size_, number(0));  // the work is not followed
    result.push_back({"t"});
    result.insert(result.end(), behind.begin(), behind.end());
    return result;
  }
  Lines::Values with_parameters() const { return inputs(elements("p", equations_.parameters().size())); }

  void write_rates() {
    const Program& all = equations_.rates();
    const std::vector<std::uint32_t> wanted(all.outputs().begin(),
                                            all.outputs().begin() + static_cast<std::ptrdiff_t>(n_));
    Program::Hoisted hoisted = all.restricted_to(wanted).with_static_factors(size_ + 1).hoisted(size_ + 1);
    kernel_.statics = std::move(hoisted.statics);
    const std::vector<PivotOrder> orders = examples_.orders_of(hoisted.rest, &kernel_.statics);
    const Lines::Values in = inputs(elements("s", kernel_.statics.output_count()));
    inline_ = hoisted.rest.instructions().size() <= longest_inlined;
    unrolled_ = hoisted.rest.instructions().size() <= longest_unrolled && is_arithmetic(hoisted.rest);

    Lines statics;
    const Lines::Values made =
        statics.add(kernel_.statics, with_parameters(), examples_.orders_of(kernel_.statics, nullptr));
    for (std::size_t i = 0; i < made.size(); ++i) statics.line(fmt::format("s[{}] = {};", i, made[i].text));
    function("void prepare(const real *p, real *s)", "real t = 0.0, y[N];\n  EACH(i, N) y[i] = 0.0;\n" +
                                                         statics.text() + "  (void)t; (void)y; (void)p; (void)s;\n");

    Lines lines;
    const Lines::Values rates = lines.add(hoisted.rest, in, orders);
    for (std::size_t i = 0; i < n_; ++i) lines.line(fmt::format("dy[{}] = {};", i, rates[i].text));
    pivots_ = lines.pivots().size();
    const std::string arguments = "(real t, const real *y, const real *p, const real *s, real *dy";
    function("void rates" + arguments + ")", lines.text());
    std::string watched = lines.text() + "  bool fine = true;\n";
    for (std::size_t i = 0; i < pivots_; ++i)
      watched += fmt::format("  fine = fine && stays_away({}, watch + {});\n", lines.pivots()[i].text, i);
    function("bool rates_watched" + arguments + ", real *watch)", watched + "  return fine;\n");

    Lines checked(true);
    checked.add(hoisted.rest, in, orders);
    std::string first = checked.text();
    for (std::size_t i = 0; i < pivots_; ++i)
      first += fmt::format("  watch[{0}] = {1};\n  fine = fine && fabs({1}) > 0.0 && is_number({1});\n", i,
                           checked.pivots()[i].text);
    inline_ = false;
    function("bool first_look(real t, const real *y, const real *p, const real *s, real *watch)",
             "bool fine = true;\n" + first + "  return fine;\n");
  }

  void function(const std::string& head, const std::string& body) {
    functions_ += fmt::format("\n__device__ {} {}\n{{\n  {}}}\n", inline_ ? "__forceinline__" : "__noinline__", head,
                              body.substr(body.find_first_not_of(' ')));
  }

  // The rows of constraints of one kind, whose unknowns begin at a place in y.
  void write_rows(const ProjectionPlan::Rows& rows, const std::string& name, std::size_t first) {
    const std::size_t n = equations_.system()->size(), k = rows.count;
    Lines::Values in = elements("y", std::min(2 * n, n_));
    in.resize(2 * n, number(0));
    in.push_back({"t"});
    const Lines::Values p = elements("p", equations_.parameters().size());
    in.insert(in.end(), p.begin(), p.end());

    Lines look;
    const Lines::Values values = look.add(*rows.program, in);
    for (std::size_t i = 0; i < k; ++i) {
      look.line(fmt::format("r[{}] = {};", i, values[i].text));
      std::string size = "0.0";
      for (std::size_t j = 0; j < n; ++j)
        if (!values[k + i * n + j].is_zero())
          size += fmt::format(" + fabs({}*y[{}])", values[k + i * n + j].text, first + j);
      look.line(fmt::format("size[{}] = {};", i, size));
    }
    inline_ = false;
    function(fmt::format("void rows_of_{}(real t, const real *y, const real *p, real *r, real *size)", name),
             look.text() + "  (void)t;\n");

    const auto [used, order] = examples_.independent_rows(rows, values);
    Lines shift;
    const Lines::Values again = shift.add(*rows.program, in);
    const std::size_t m = n + used.size();
    Lines::Values matrix(m * m, number(0)), right(m, number(0));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i * m + j] = again[k + k * n + i * n + j];
      for (std::size_t j = 0; j < used.size(); ++j)
        matrix[i * m + n + j] = matrix[(n + j) * m + i] = again[k + used[j] * n + i];
    }
    for (std::size_t j = 0; j < used.size(); ++j) right[n + j] = shift.name("-" + again[used[j]].text);
    const Lines::Values delta = shift.solve(m, 1, matrix, right, order);
    for (std::size_t i = 0; i < n; ++i)
      if (!delta[i].is_zero()) shift.line(fmt::format("y[{}] += {};", first + i, delta[i].text));
    function(fmt::format("void shift_{}(real t, real *y, const real *p)", name), shift.text() + "  (void)t;\n");
    std::string floor;
    for (const double value : examples_.rounding_in(rows, options_.single))
      floor += (floor.empty() ? "" : ", ") + number(value).text;
    functions_ += fmt::format(fmt::runtime(projection_text), name, k, floor);
    kinds_.push_back({name, k});
  }

  // What must not vanish, and the stopping events.
  void write_looks() {
    // where there are no guards for all, pivots are watched and what stands under roots
    const Program guards =
        prepared_.regularity.guards() != nullptr ? *prepared_.regularity.guards() : prepared_.regularity.under_roots();
    guards_ = guards.output_count();
    std::vector<std::uint32_t> stopping;
    const std::vector<Event>& events = equations_.system()->events;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].stop) stopping.push_back(prepared_.events.outputs()[i]);
    crossings_ = guards_ + stopping.size();
    // how narrow a place is passed is a question of steps that keep a tolerance
    const std::vector<bool> exponents = options_.fixed_steps ? std::vector<bool>() : prepared_.narrow.exponents();
    looks_ = crossings_ + 2 * exponents.size();
    if (looks_ == 0) return;
    Lines lines;
    std::size_t next = 0;
    const auto add = [&](const Program& program) {
      for (const Lines::Value& value : lines.add(program, with_parameters(), examples_.orders_of(program, nullptr)))
        lines.line(fmt::format("g[{}] = {};", next++, value.text));
    };
    if (guards_ > 0) add(guards);
    if (!stopping.empty()) add(prepared_.events.restricted_to(stopping));
    if (!exponents.empty()) {
      const Program& terms = prepared_.narrow.program();
      const Lines::Values values = lines.add(terms, with_parameters(), examples_.orders_of(terms, nullptr));
      for (std::size_t i = 0; i < exponents.size(); ++i) {
        const std::string &value = values[i].text, &rate = values[exponents.size() + i].text;
        lines.line(
            fmt::format("g[{}] = {};", next++, exponents[i] ? "-" + value : fmt::format("log(fabs({}))", value)));
        lines.line(fmt::format("g[{}] = {};", next++, exponents[i] ? "-" + rate : rate + "/" + value));
      }
    }
    inline_ = options_.fixed_steps && lines.text().size() <= longest_inlined * average_line;
    function("void look(real t, const real *y, const real *p, real *g)", lines.text() + "  (void)t;\n");
    if (options_.fixed_steps) {
      // whoever takes equal steps looks at their ends
      function("bool keeps_away(real t, const real *y, const real *p, const real *before, real *watch)",
               fmt::format(
                   "real g[{}];\n  look(t, y, p, g);\n  bool fine = true;\n"
                   "  EACH(i, {}) fine = fine && g[i]*before[i] > 0.0;\n"
                   "  EACH(i, {}) fine = fine && stays_away(g[i], watch + {} + i);\n  (void)watch;\n  return fine;\n",
                   looks_, crossings_, guards_, pivots_));
      return;
    }
    functions_ += fmt::format(R"(
// Nothing happens in a step: its middle is that of Hermite's cubic.
__device__ __noinline__ bool nothing_happens(real t, real step, const real *y, const real *k, const real *y_new,
                                             const real *k_new, const real *p, real *before, real *watch)
{{
  real z[N], middle[{0}], after[{0}];
  EACH(i, N) z[i] = 0.5*(y[i] + y_new[i]) + 0.125*step*(k[i] - k_new[i]);
  look(t + 0.5*step, z, p, middle);
  look(t + step, y_new, p, after);
  bool fine = true;
  for (int i = 0; i < {3}; ++i) {{
    fine = fine && on_one_side(before[i], middle[i], after[i]);
    if (i < {1}) fine = fine && stays_away(after[i], watch + {2} + i);
  }}
  for (int i = {3}; i < {0}; i += 2) fine = fine && !is_narrow(before[i], before[i + 1], after[i], after[i + 1], step);
  for (int i = 0; i < {0}; ++i) before[i] = after[i];
  return fine;
}}
)",
                              looks_, guards_, pivots_, crossings_);
  }

  std::size_t watched() const { return pivots_ + guards_; }
  std::size_t rows_seen() const {
    std::size_t sum = 0;
    for (const ProjectedRows& kind : kinds_) sum += kind.rows;
    return sum;
  }

  void write_beginning() {
    std::string body = "if (!first_look(t, y, p, s, watch)) return false;\n";
    if (looks_ > 0) {
      body += fmt::format("  real g[{}];\n  look(t, y, p, g);\n", looks_);
      body += fmt::format("  for (int i = 0; i < {}; ++i) if (!(fabs(g[i]) > 0.0)) return false;\n", crossings_);
      body += fmt::format("  for (int i = 0; i < {}; ++i) watch[{} + i] = g[i];\n", guards_, pivots_);
    }
    if (rows_seen() > 0) body += fmt::format("  for (int i = 0; i < {}; ++i) rows_seen[i] = 0.0;\n", rows_seen());
    std::size_t first = 0;
    for (const ProjectedRows& kind : kinds_) {
      body += fmt::format(
          "  if (off_{0}(t, y, p, rows_seen + {1}) > START_OFF && !back_to_{0}(t, y, p, rows_seen + {1})) return "
          "false;\n",
          kind.name, first);
      first += kind.rows;
    }
    inline_ = false;
    function("bool begin_well(real t, real *y, const real *p, const real *s, real *watch, real *rows_seen)",
             body + "  (void)watch; (void)rows_seen;\n  return true;\n");
  }

  std::string definitions() {
    const std::size_t own = kernel_.results() + kernel_.parameters;
    const std::size_t working = options_.fixed_steps ? 1 : 2 * n_ + 7;
    kernel_.fields = own + working + watched() + rows_seen();
    std::string text = fmt::format("#define N {}\n#define OWN {}\n#define START OWN\n#define NARROW {}\n", n_, own,
                                   number(accuracy::narrow).text);
    text += precision_text(options_.single);
    text += "enum { fresh, on_its_way, finished";
    for (std::size_t why = 0; why < reasons; ++why)
      text += fmt::format(", left_{}", to_string(static_cast<LeftAlone>(why)));
    text += " };\n";
    if (!options_.own_parameters)
      text += fmt::format("__constant__ real uniform_parameters[{}], uniform_statics[{}];\n",
                          std::max<std::size_t>(1, equations_.parameters().size()),
                          std::max<std::size_t>(1, kernel_.statics.output_count()));
    return text;
  }

  // Where the state has drifted off, relative to the terms of the rows.
  std::string projection(const std::string& t, const std::string& after) const {
    if (kinds_.empty()) return "";
    std::string off, back;
    std::size_t first = 0;
    for (const ProjectedRows& kind : kinds_) {
      off += fmt::format("{}off_{}({}, y, p, rows_seen + {}) > drift", off.empty() ? "" : " || ", kind.name, t, first);
      back += fmt::format("if (!back_to_{}({}, y, p, rows_seen + {})) why = left_constraints; ", kind.name, t, first);
      first += kind.rows;
    }
    return fmt::format("const real drift = fmax((real)tolerance, LEAST_DRIFT);\n    if (!why && ({})) {{ {}{} }}", off,
                       back, after);
  }

  void fill_in(std::string& text) const {
    const std::size_t p = equations_.parameters().size(), s = kernel_.statics.output_count();
    const std::size_t working = kernel_.results() + kernel_.parameters + (options_.fixed_steps ? 1 : 2 * n_ + 7);
    std::string load;
    if (options_.own_parameters) {
      load = fmt::format("real p[{}], s[{}];\n", std::max<std::size_t>(1, p), std::max<std::size_t>(1, s));
      load += fmt::format("  EACH(i, {}) p[i] = own[(N + 2 + i)*stride];\n  prepare(p, s);", p);
    } else {
      load = "const real *const p = uniform_parameters, *const s = uniform_statics;";
    }
    replace_all(text, "LOAD_PARAMETERS", load);
    const auto copy = [&](const char* what, std::size_t from, std::size_t count, bool store) {
      if (count == 0) return std::string();
      const std::string kept = fmt::format("own[({} + i)*stride]", from), own = fmt::format("{}[i]", what);
      return fmt::format("{}for (int i = 0; i < {}; ++i) {} = {};\n  ", store ? "" : "if (!begins) ", count,
                         store ? kept : own, store ? own : kept);
    };
    const auto all = [&](bool store) {
      return copy("watch", working, watched(), store) + copy("rows_seen", working + watched(), rows_seen(), store);
    };
    replace_all(text, "LOAD_WATCH",
                fmt::format("real watch[{}], rows_seen[{}];\n  ", std::max<std::size_t>(1, watched()),
                            std::max<std::size_t>(1, rows_seen())) +
                    all(false));
    replace_all(text, "STORE_WATCH", all(true));
    const std::string before = looks_ == 0 ? ""
                                           : fmt::format("real before[{}];\n  look({}, y, p, before);", looks_,
                                                         options_.fixed_steps ? "t_start + (real)step*h" : "t");
    replace_all(text, "LOOK_BEFORE", before);
    replace_all(text, "  UNROLLED\n", unrolled_ ? "#pragma unroll 2\n" : "");
    replace_all(text, "LOOK_FIXED",
                crossings_ == 0 ? "(void)t;" : "if (!keeps_away(t, y, p, before, watch)) why = left_event;");
    replace_all(text, "LOOK_STEP",
                looks_ == 0 ? ""
                            : "if (!nothing_happens(t, step, y, k0, y_new, k12, p, before, watch)) {\n        why = "
                              "left_event;\n        break;\n      }");
    replace_all(text, "PROJECT_FIXED", projection("t + h", ""));
    replace_all(text, "PROJECT_ADAPTIVE", projection("t", "EACH(i, N) low[i] = 0.0; rates(t, y, p, s, k0);"));
    if (options_.fixed_steps) return;
    std::string arrays, stages;
    for (int k = 1; k <= dop853::stages; ++k) arrays += fmt::format("{}k{}[N]", k > 1 ? ", " : "", k);
    for (int k = 1; k < dop853::stages; ++k) {
      stages += fmt::format("    EACH(i, N) z[i] = y[i] + step*({});\n", combined(dop853::a[k], k));
      stages += fmt::format("    rates(t + (t_low + {}*step), z, p, s, k{});\n", coefficient(dop853::c[k]), k);
    }
    std::vector<long double> third(dop853::b3, dop853::b3 + dop853::stages);
    replace_all(text, "K_ARRAYS", arrays);
    replace_all(text, "STAGES\n", stages);
    replace_all(text, "COMBINED_STEP", combined(dop853::a[dop853::stages], dop853::stages));
    replace_all(text, "COMBINED_ERROR", combined(dop853::error5, dop853::stages));
    replace_all(text, "COMBINED_THIRD", combined(third.data(), dop853::stages));
  }

  struct ProjectedRows {
    std::string name;
    std::size_t rows;
  };

  const PreparedMotion& prepared_;
  const MotionEquations& equations_;
  KernelOptions options_;
  std::size_t size_, n_;
  Examples examples_;
  Kernel kernel_;
  std::string functions_;
  bool inline_ = true, unrolled_ = false;
  std::size_t pivots_ = 0, guards_ = 0, crossings_ = 0, looks_ = 0;
  std::vector<ProjectedRows> kinds_;
};

}  // namespace

Kernel write_kernel(const MotionPlan& plan, const KernelOptions& options) { return Writer(plan, options).run(); }

}  // namespace cetaev::gpu
