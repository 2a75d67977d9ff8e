// What `derive` prints is read back, as text and as the trees that LaTeX is made from, and says what the principles say.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/detail/expr/nested.hpp"
#include "cetaev/detail/formulation/multiplied_out.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/report/typeset.hpp"
#include "random_system.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {
namespace {

constexpr double exact = 1e-12;  // of the terms of an equation
constexpr double zero = 1e-60;   // where all of them vanish
constexpr double pole = 1e60;    // where something that the equation is divided by vanishes
constexpr long bits = OnSet::bits;

// An equation as left − right with the sum of what its terms are in size.
struct ReadEquation {
  Expr value, size;
  std::string text;
};

// The model language, with names of the program's own symbols beside those of the model.
class Reader {
 public:
  Reader(const System& system, const WrittenForm& form) : typeset_(system, Notation::ascii) {
    std::vector<Expr> all;
    for (const WrittenEquation& e : form.equations) {
      all.insert(all.end(), e.left.begin(), e.left.end());
      all.insert(all.end(), e.right.begin(), e.right.end());
    }
    for (const WrittenDefinition& line : form.where) {
      all.insert(all.end(), line.value.begin(), line.value.end());
      all.push_back(system->context->symbol(line.symbol));
    }
    all.insert(all.end(), form.unknowns.begin(), form.unknowns.end());
    system_ = system.with([&](SystemData& data) {
      for (const Expr symbol : free_symbols(all)) {
        if (!symbol.name().starts_with("$")) continue;
        const std::string alias = "zz" + std::to_string(aliases_.size()) + "zz";
        const Expr other = system->context->symbol(alias);
        data.parameters.push_back({other, system->context->one(), {}});
        meaning_.emplace_back(other, symbol);
        aliases_.emplace(typeset_.expression(symbol), alias);
      }
    });
  }

  Expr operator()(const std::vector<Expr>& side) {
    const std::string text = typeset_.sum(side);
    static const std::regex name("[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*'*(\\[[^\\]]*\\])?");
    std::string spelled;
    auto from = text.cbegin();
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) {
      spelled.append(from, text.cbegin() + i->position());
      const auto known = aliases_.find(i->str());
      spelled += known == aliases_.end() ? i->str() : known->second;
      from = text.cbegin() + i->position() + i->length();
    }
    spelled.append(from, text.cend());
    return substitute(parse_expression(system_, spelled), meaning_);
  }

  std::string text(const WrittenEquation& e) { return typeset_.sum(e.left) + " = " + typeset_.sum(e.right); }

 private:
  Typesetter typeset_;
  System system_;
  std::map<std::string, std::string> aliases_;
  std::vector<Replacement> meaning_;
};

// The lines behind "where", each by the names before it, put in for their names.
class Meanings {
 public:
  Meanings(Reader& read, const System& system, const WrittenForm& form) {
    for (const WrittenDefinition& line : form.where) {
      const Expr value = (*this)(read(line.value));
      list_.emplace_back(system->context->symbol(line.symbol), value);
    }
  }
  // nothing multiplied out: lines that use lines would grow without end
  Expr operator()(Expr e) const { return list_.empty() ? e : nested_substitute(std::array{e}, list_).front(); }

 private:
  std::vector<Replacement> list_;
};

ReadEquation read_back(Reader& read, const Meanings& meaning, const WrittenEquation& e, Expr none) {
  std::vector<Expr> sizes = {none};
  for (const auto* side : {&e.left, &e.right})
    for (const Expr term : *side) sizes.push_back(abs(meaning(read({term}))));
  const Expr value = meaning(read(e.left) - read(e.right));
  return {value, none.context().sum(sizes), read.text(e)};
}

// u and u̇ from v and a, by the equations for the velocities that are printed: P(q, v, u) = 0 and Dₜ P = 0, by least squares.
std::vector<LinearBlock> rates_of_quasi_velocities(const System& system, const std::vector<Expr>& printed,
                                                   const std::vector<Expr>& u, const std::vector<Expr>& rates) {
  Context& context = *system->context;
  std::vector<Replacement> none;
  for (const Expr x : u) none.emplace_back(x, context.zero());
  for (const Expr x : rates) none.emplace_back(x, context.zero());
  Derivation total = total_derivative(system->motion);
  std::vector<LinearBlock> blocks;
  for (const bool differentiated : {false, true}) {
    std::vector<Expr> functions = printed;
    if (differentiated) {
      const Matrix slopes = jacobian(printed, u);
      for (std::size_t i = 0; i < printed.size(); ++i) {
        std::vector<Expr> terms = {total(printed[i])};
        for (std::size_t j = 0; j < u.size(); ++j) terms.push_back(slopes(i, j) * rates[j]);
        functions[i] = context.sum(terms);
      }
    }
    const std::vector<Expr>& unknowns = differentiated ? rates : u;
    std::vector<Replacement> without;
    for (const Expr x : unknowns) without.emplace_back(x, context.zero());
    const Matrix A = jacobian(functions, unknowns);
    const std::vector<Expr> b = substitute(functions, without);
    LinearBlock block{{unknowns.size(), unknowns.size(), {}}, {unknowns.size(), 1, {}}, unknowns};
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      std::vector<Expr> right;
      for (std::size_t k = 0; k < functions.size(); ++k) right.push_back(-(A(k, i) * b[k]));
      block.right.entries.push_back(context.sum(right));
      for (std::size_t j = 0; j < unknowns.size(); ++j) {
        std::vector<Expr> terms;
        for (std::size_t k = 0; k < functions.size(); ++k) terms.push_back(A(k, i) * A(k, j));
        block.matrix.entries.push_back(context.sum(terms));
      }
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

class WrittenBack {
 public:
  explicit WrittenBack(const System& system) : work_(system) {}

  // How many equations were held to the accelerations of multipliers, those of variational principles to their own.
  int compare(const std::vector<Form>& only = {}) {
    int count = 0;
    EquationOptions options;
    options.budget = 0.1;
    // solved for dependent velocities, equations nonlinear in them hold on one branch, that of the initial state
    const Matrix& J = work_.terms().constraints.jacobian;
    const bool linear = std::none_of(J.entries.begin(), J.entries.end(),
                                     [&](Expr e) { return depends_on(e, work_.system()->motion.v); });
    for (const Form form : principles_of(work_.system())) {
      const bool says_accelerations =
          (form->dalembert_lagrange && !form->auxiliary_functions && form->name != "gauss") || is_variational(form);
      const bool asked = only.empty() || std::ranges::find(only, form) != only.end();
      if (form->name.starts_with("mvm") && !modified) continue;
      if (asked && says_accelerations && (linear || !form->uses_dependent)) options.forms.push_back(form);
    }
    const WrittenSystem written = write_equations(work_, options);
    const Setting& setting = work_.setting();
    if (setting.nonlinear_accelerations("multipliers")) return 0;
    const CompiledForm reference(setting, Form::multipliers->derive(setting));
    if (reference.form().iterated) return 0;
    for (const WrittenForm& form : written.forms) {
      if (form.refusal || form.equations.empty()) continue;
      hold_derivatives_to_be_given(work_.system(), form);
      if (has_open_symbols(form)) continue;
      const Form principle = *std::ranges::find(options.forms, form.name, [](Form f) { return std::string(f->name); });
      Setting printed = setting;
      printed.with_equations = true;
      if (!form.where.empty()) hold_names_apart(form, principle->derive(printed));
      if (is_variational(principle)) {
        const int held = compare(written, form, CompiledForm(setting, principle->derive(setting)));
        count += held;
        variational += held;
      } else {
        count += compare(written, form, reference);
      }
      link_by_link += form.link_by_link ? 1 : 0;
      step_by_step += form.step_by_step && !form.link_by_link ? 1 : 0;
    }
    return count;
  }
  int step_by_step = 0;  // and so
  int variational = 0;   // equations of these
  bool modified = true;  // the modified vakonomic equations, too
  int link_by_link = 0;  // how many forms were written so

 private:
  static bool is_variational(Form form) { return form->name == "vakonomic" || form->name.starts_with("mvm"); }

  // Weights s of modified vakonomic equations, by the equations for them that are printed.
  static std::vector<LinearBlock> weights(const System& system, const std::vector<ReadEquation>& equations) {
    std::vector<Expr> all, s, of_weights;
    for (const ReadEquation& e : equations) all.push_back(e.value);
    static const std::regex weight("\\$s[0-9]+");
    for (const Expr symbol : free_symbols(all))
      if (std::regex_match(std::string(symbol.name()), weight)) s.push_back(symbol);
    if (s.empty()) return {};
    for (const Expr e : all) {
      const bool rates = std::ranges::any_of(free_symbols(e), [](Expr x) { return x.name().starts_with("$lambda"); });
      if (depends_on(e, s) && !depends_on(e, system->motion.a) && !rates) of_weights.push_back(e);
    }
    EXPECT_EQ(of_weights.size(), s.size());
    std::vector<Replacement> none;
    for (const Expr x : s) none.emplace_back(x, system->context->zero());
    LinearBlock block{jacobian(of_weights, s), {s.size(), 1, {}}, s};
    for (const Expr e : substitute(of_weights, none)) block.right.entries.push_back(-e);
    return {block};
  }

  // Derivatives of dependent velocities that are used by their names are given by an equation, whatever lines they stand in.
  static void hold_derivatives_to_be_given(const System& system, const WrittenForm& form) {
    std::map<Expr, std::set<Expr>> lines;
    const auto derivatives = [&](const std::vector<Expr>& formulas) {
      std::set<Expr> found;
      for (const Expr s : free_symbols(formulas)) {
        if (s.name().starts_with("$gamma[") || s.name().starts_with("$alpha[")) found.insert(s);
        if (const auto line = lines.find(s); line != lines.end())
          found.insert(line->second.begin(), line->second.end());
      }
      return found;
    };
    for (const WrittenDefinition& line : form.where)
      lines[system->context->symbol(line.symbol)] = derivatives(line.value);
    std::set<Expr> used, given;
    for (const WrittenEquation& e : form.equations) {
      std::vector<Expr> all = e.left;
      all.insert(all.end(), e.right.begin(), e.right.end());
      const std::set<Expr> here = derivatives(all);
      (e.label == "gamma" ? given : used).insert(here.begin(), here.end());
    }
    for (const Expr s : used) EXPECT_TRUE(given.contains(s)) << system->name << ", " << form.name << ": " << s.name();
  }

  // Names behind "where" stand for nothing else.
  static void hold_names_apart(const WrittenForm& form, const Formulation& derived) {
    std::vector<Expr> all;
    for (const Equation& e : derived.equations) all.push_back(e.expression);
    for (const Expr symbol : free_symbols(all))
      EXPECT_EQ(std::ranges::find(form.where, symbol.name(), &WrittenDefinition::symbol), form.where.end())
          << form.name << ": " << symbol.name();
  }

  // γ = −J_dep⁻¹ J_ind, where it is printed by its name.
  std::vector<LinearBlock> derivatives_by_name() {
    const Setting& s = work_.setting();
    const std::size_t r = s.rank(), m = s.independent.size();
    const Matrix J = s.J();
    LinearBlock block{{r, r, {}}, {r, m, {}}, {}};
    for (std::size_t v = 0; v < r; ++v) {
      for (std::size_t k = 0; k < r; ++k) block.matrix.entries.push_back(J(v, s.dependent[k]));
      for (std::size_t k = 0; k < m; ++k) block.right.entries.push_back(-J(v, s.independent[k]));
    }
    for (std::size_t v = 0; v < r; ++v)
      for (std::size_t k = 0; k < m; ++k)
        block.unknowns.push_back(s.context().symbol("$gamma[" + s.system->coordinates[s.dependent[v]] + "," +
                                                    s.system->coordinates[s.independent[k]] + "]"));
    return {block};
  }

  // α or γ without a closed form.
  static bool has_open_symbols(const WrittenForm& form) {
    return std::any_of(form.notes.begin(), form.notes.end(),
                       [](const std::string& note) { return note.find("no closed form") != std::string::npos; });
  }

  // Velocities of links that no equation has stand with the Lagrangian alone.
  static WrittenForm with_lines_of_the_lagrangian(const WrittenSystem& written, WrittenForm form) {
    if (!form.link_by_link) return form;
    std::vector<WrittenDefinition> all;
    for (const WrittenDefinition& line : written.names)
      if (line.symbol.starts_with("$")) all.push_back(line);
    for (const WrittenDefinition& line : form.where)
      if (std::ranges::find(all, line.symbol, &WrittenDefinition::symbol) == all.end()) all.push_back(line);
    form.where = std::move(all);
    return form;
  }

  int compare(const WrittenSystem& written, const WrittenForm& form, const CompiledForm& reference) {
    const System& system = written.system;
    const Motion& motion = system->motion;
    Context& context = *system->context;
    const WrittenForm lines = with_lines_of_the_lagrangian(written, form);
    Reader read(system, lines);
    const Meanings meaning(read, system, lines);
    std::vector<ReadEquation> equations;
    if (form.link_by_link) {  // so is the Lagrangian
      const Expr L = system->lagrangian;
      equations.push_back({meaning(read(written.lagrangian)) - L, abs(L), "L"});
    }
    for (const WrittenEquation& e : form.equations) {
      double size = 0;
      for (const auto* side : {&e.left, &e.right})
        for (const Expr term : *side) size += written_size(term);
      if (size > Typesetter::longest_formula / 2) return 0;  // nobody reads it
      equations.push_back(read_back(read, meaning, e, context.zero()));
    }
    std::vector<Expr> inputs = state_symbols(system);
    inputs.insert(inputs.end(), motion.a.begin(), motion.a.end());
    for (const char* marks : {"", "'"})
      for (const std::size_t row : work_.setting().rows)
        inputs.push_back(context.symbol("$lambda" + std::to_string(row + 1) + marks));
    const bool by_name = std::ranges::any_of(
        form.notes, [](const std::string& note) { return note.starts_with("gamma[y,x] stands for"); });
    std::vector<LinearBlock> blocks = by_name ? derivatives_by_name() : std::vector<LinearBlock>();
    for (const LinearBlock& block : weights(system, equations)) blocks.push_back(block);
    std::vector<Expr> u, rates;
    for (const Expr x : form.unknowns) {
      const std::string name(x.name());
      const bool is_rate = name.starts_with("$") && name.ends_with("'") && !name.starts_with("$lambda");
      if (!is_rate || std::find(motion.a.begin(), motion.a.end(), x) != motion.a.end()) continue;
      rates.push_back(x);
      u.push_back(context.symbol(name.substr(0, name.size() - 1)));
    }
    if (!u.empty()) {
      std::vector<Expr> printed;
      for (std::size_t i = 0; i < motion.v.size() && i < equations.size(); ++i) printed.push_back(equations[i].value);
      blocks = rates_of_quasi_velocities(system, printed, u, rates);
    }
    std::vector<Expr> outputs;
    for (const ReadEquation& e : equations) {
      outputs.push_back(e.value);
      outputs.push_back(e.size);
    }
    const Program program(outputs, inputs, blocks);
    int count = 0;
    for (const PreciseState& state : work_.set().states()) {
      std::vector<Ball> values = state.inputs(), lambda;
      for (std::size_t k = 0; k < reference.form().lambda.size(); ++k)
        lambda.emplace_back(Rational(static_cast<long>(3 * k + 2), 7), bits);
      CompiledForm::BallValues found;
      try {
        std::vector<Ball> all = values;
        all.insert(all.end(), lambda.begin(), lambda.end());
        found = reference.evaluate(all, bits);
      } catch (const Error&) {
        continue;  // a singular state
      }
      if (lambda.empty()) lambda = found.multipliers;
      std::vector<Ball> lambda_dot = found.lambda_dot;
      lambda.resize(work_.setting().rows.size());
      lambda_dot.resize(work_.setting().rows.size());
      for (const auto* list : {&found.a, &lambda, &lambda_dot}) values.insert(values.end(), list->begin(), list->end());
      std::vector<Ball> results;
      if (run_in_balls(program, values, results, bits) >= 0) continue;
      for (std::size_t i = 0; i < equations.size(); ++i) {
        if (!results[2 * i].is_finite() || !results[2 * i + 1].is_finite()) continue;
        if (results[2 * i + 1].magnitude() > pole) continue;
        ++count;
        EXPECT_LE(results[2 * i].magnitude(), exact * results[2 * i + 1].magnitude() + zero)
            << system->name << ", " << form.name << ": " << equations[i].text;
      }
    }
    return count;
  }

  Groundwork work_;
};

TEST(WrittenEquations, OfTheGalleryAreReadBackAsTheyWereDerived) {
  int count = 0;
  for (const GalleryModel& model : gallery()) {
    if (model.name.starts_with("snake") || model.name.starts_with("rattleback")) continue;
    count += WrittenBack(scratch_model(model.text, std::string(model.name) + ".toml")).compare();
  }
  EXPECT_GT(count, 5000);
}

// With vectors and bodies, quaternions, closed loops, constraints that hold for some time: the ways in which people write what they have.
TEST(WrittenEquations, OfModelsAsPeopleWriteThemAreReadBackAsTheyWereDerived) {
  int models = 0;
  for (const char* folder : {"/tests/conformance/models", "/tests/golden/models"}) {
    for (const auto& file : std::filesystem::directory_iterator(CETAEV_SOURCE_DIR + std::string(folder))) {
      if (file.path().extension() != ".toml") continue;
      ++models;
      EXPECT_GT(WrittenBack(scratch_model_file(file.path().string())).compare(), 0) << file.path();
    }
  }
  EXPECT_GT(models, 10);
}

// A tree of bodies and points that turn about each other: hinges about any axis, a root that is held or moves freely, springs, loops that rods close.
std::string random_tree(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  const auto number = [&] { return std::to_string(1 + below(29)) + "/10"; };
  const auto vector = [&] {
    return "[" + std::to_string(below(7) - 3) + "/10, " + std::to_string(below(7) - 3) + "/10, " + number() + "]";
  };
  const int bodies = 2 + below(3);
  const bool free = below(2) == 0, rod = below(3) == 0, driven = below(4) == 0, blade = below(2) == 0;
  std::string coordinates = free ? "\"x\", \"y\", \"z\"" : "", frames, points, list, initial;
  std::vector<std::string> joints = {free ? "[x, y, z]" : "[0, 0, 0]"};
  for (int i = 0; i < bodies; ++i) {
    const std::string k(1, static_cast<char>('a' + i));
    const int parent = i == 0 ? -1 : below(i);
    const std::string on(1, static_cast<char>('a' + std::max(parent, 0)));
    coordinates += (coordinates.empty() ? "\"" : ", \"") + k + "1\", \"" + k + "2\"";
    static constexpr std::array axes = {"x", "y", "z"};
    const int axis = below(3);
    const std::string ground = driven ? "z 3*t/10, " : "";
    frames += "F" + k + " = \"" + (parent < 0 ? ground : "F" + on + ", ") + axes[static_cast<std::size_t>(axis)] + " " +
              k + "1, " + axes[static_cast<std::size_t>((axis + 1 + below(2)) % 3)] + " " + k + "2\"\n";
    const std::string joint = joints[static_cast<std::size_t>(parent + 1)];
    const std::string end = joint + " + F" + k + "(" + vector() + ")";
    joints.push_back(end);
    list += "[[bodies]]\nframe = \"F" + k + "\"\nmass = \"" + number() + "\"\ncentre = \"" + joint + " + F" + k + "(" +
            vector() + ")\"\ninertia = [\"3\", \"4\", \"" + number() + " + 2\"" +
            (below(2) == 0 ? "" : ", \"1/5\", \"1/7\", \"-1/3\"") + "]\n";
    if (below(2) == 0) points += "[[points]]\nmass = \"" + number() + "\"\nposition = \"" + end + "\"\n";
    initial += k + "1 = 0." + std::to_string(1 + below(9)) + "\n" + k + "2 = 0." + std::to_string(1 + below(9)) +
               "\n\"" + k + "2'\" = 0.3\n";
  }
  std::string text = "coordinates = [" + coordinates + "]\ngravity = [\"0\", \"0\", \"-g\"]\n";
  if (below(2) == 0) text += "potential = \"a1^2 + (a2 - 1)^2\"\n";
  std::string constraints = rod ? "\"dot(" + joints.back() + ", " + joints.back() + ") = 2\"" : "";
  if (blade) constraints += std::string(rod ? ", " : "") + "\"b1' - a2'*sin(b2) + a1'*cos(a2)/3 = 0\"";
  text += "constraints = [" + constraints + "]\n";
  return text + "[frames]\n" + frames + list + points + "[parameters]\ng = 9.81\nw1 = 2\nf = 3\nF2 = 1\n[initial]\n" +
         initial;
}

// With multipliers, and in one of the other forms that their constraints leave.
TEST(WrittenEquations, ByLinksAndStepsOfRandomTreesAreReadBackAsTheyWereDerived) {
  static constexpr std::array others = {"maggi", "voronec", "appell", "vakonomic", "mvm2", "mvm3", "hamel"};
  int count = 0, links = 0, steps = 0, systems = 0;
  const Seeds all = seeds(21);
  for (std::uint64_t seed = all.first; seed < all.end(); ++seed) {
    WrittenBack written(scratch_model(random_tree(seed), "tree.toml"));
    try {
      count += written.compare({Form::multipliers, Form(others[seed % others.size()])});
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::internal_error) << seed << ": " << error.what();
      continue;  // a rod that is too short
    }
    ++systems;
    links += written.link_by_link;
    steps += written.step_by_step;
  }
  EXPECT_GT(systems, all.share(10));
  EXPECT_GT(count, systems * 6);
  EXPECT_GT(2 * links, systems);
  EXPECT_GT(steps, all.share(2));
}

// Sums of velocities put in from the end of a chain: the Lagrangian and H a − b of the system as it is, at random places in balls.
void expect_multiplied_out(const System& given, int& held) {
  Groundwork work(given);
  const System& system = work.system();
  const auto found = multiplied_out(work.setting());
  if (!found) return;
  Context& context = *system->context;
  std::vector<Expr> differences = {found->lagrangian - system->lagrangian};
  for (std::size_t i = 0; i < system->size(); ++i) {
    std::vector<Expr> terms = {found->inertial[i], work.terms().bias[i]};
    for (std::size_t j = 0; j < system->size(); ++j) terms.push_back(-(work.terms().mass(i, j) * system->motion.a[j]));
    differences.push_back(context.sum(terms));
  }
  std::vector<Expr> inputs = state_symbols(system);
  inputs.insert(inputs.end(), system->motion.a.begin(), system->motion.a.end());
  std::vector<Ball> values, results;
  std::mt19937_64 random(7);
  while (values.size() < inputs.size())
    values.emplace_back(Rational(static_cast<long>(random() % 2000) + 100, 1000), bits);
  const Program program(differences, inputs);
  ASSERT_LT(run_in_balls(program, values, results, bits), 0);
  for (std::size_t k = 0; k < results.size(); ++k)
    EXPECT_LT(results[k].magnitude(), 1e-30) << system->name << ", " << k;
  ++held;
}

TEST(WrittenEquations, OfLagrangiansMultipliedOutAreThoseOfTheSystem) {
  int held = 0;
  for (const char* name : {"snake-10", "pendulums-6"}) {
    const int before = held;
    expect_multiplied_out(open_model(name), held);
    EXPECT_EQ(held, before + 1) << name;
  }
  const Seeds all = seeds(12);
  for (std::uint64_t seed = all.first; seed < all.end(); ++seed)
    expect_multiplied_out(scratch_model(random_tree(seed), "tree.toml"), held);
  EXPECT_GT(held, all.share(6));
}

TEST(WrittenEquations, OfRandomSystemsAreReadBackAsTheyWereDerived) {
  int count = 0;
  const Seeds all = seeds(200);
  for (std::uint64_t seed = all.first; seed < all.end(); ++seed) {
    const System system = scratch_model(random_model(seed).text, "random.toml");
    try {
      WrittenBack written(system);
      written.modified = seed % 8 == 0;  // whose weights and relations take as long as all other forms together
      count += written.compare();
    } catch (const Error&) {
      continue;  // no state to start from
    }
  }
  EXPECT_GT(count, all.share(1600));
}

}  // namespace
}  // namespace cetaev::conformance
