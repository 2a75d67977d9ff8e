// What `derive` prints is read back, as text and as the trees that LaTeX is made from, and says what the principles say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/gallery.hpp"
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
    static const std::regex name("[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*'*");
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
  Expr operator()(Expr e) const { return substitute(e, list_); }

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

  // How many equations were held to the accelerations of multipliers.
  int compare() {
    int count = 0;
    EquationOptions options;
    options.budget = 0.1;
    // solved for dependent velocities, equations nonlinear in them hold on one branch, that of the initial state
    const Matrix& J = work_.terms().constraints.jacobian;
    const bool linear = std::none_of(J.entries.begin(), J.entries.end(),
                                     [&](Expr e) { return depends_on(e, work_.system()->motion.v); });
    for (const Form form : principles_of(work_.system())) {
      const bool says_accelerations = form->dalembert_lagrange && !form->auxiliary_functions && form->name != "gauss";
      if (says_accelerations && (linear || !form->uses_dependent)) options.forms.push_back(form);
    }
    const WrittenSystem written = write_equations(work_, options);
    const System& system = written.system;
    const Setting& setting = work_.setting();
    if (setting.nonlinear_accelerations("multipliers")) return 0;
    const CompiledForm reference(setting, Form::multipliers->derive(setting));
    if (reference.form().iterated) return 0;
    for (const WrittenForm& form : written.forms) {
      if (form.refusal || form.equations.empty() || has_open_symbols(form)) continue;
      count += compare(system, form, reference);
    }
    return count;
  }

 private:
  // α or γ without a closed form.
  static bool has_open_symbols(const WrittenForm& form) {
    return std::any_of(form.notes.begin(), form.notes.end(),
                       [](const std::string& note) { return note.find("no closed form") != std::string::npos; });
  }

  int compare(const System& system, const WrittenForm& form, const CompiledForm& reference) {
    const Motion& motion = system->motion;
    Context& context = *system->context;
    Reader read(system, form);
    const Meanings meaning(read, system, form);
    std::vector<ReadEquation> equations;
    for (const WrittenEquation& e : form.equations) {
      double size = 0;
      for (const auto* side : {&e.left, &e.right})
        for (const Expr term : *side) size += written_size(term);
      if (size > Typesetter::longest_formula / 2) return 0;  // nobody reads it
      equations.push_back(read_back(read, meaning, e, context.zero()));
    }
    std::vector<Expr> inputs = state_symbols(system);
    inputs.insert(inputs.end(), motion.a.begin(), motion.a.end());
    for (const std::size_t row : work_.setting().rows)
      inputs.push_back(context.symbol("$lambda" + std::to_string(row + 1)));
    std::vector<LinearBlock> blocks;
    std::vector<Expr> u, rates;
    for (const Expr x : form.unknowns) {
      const std::string name(x.name());
      const bool is_rate = name.starts_with("$") && name.ends_with("'");
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
      std::vector<Ball> values = state.inputs();
      CompiledForm::BallValues found;
      try {
        found = reference.evaluate(values, bits);
      } catch (const Error&) {
        continue;  // a singular state
      }
      values.insert(values.end(), found.a.begin(), found.a.end());
      values.insert(values.end(), found.multipliers.begin(), found.multipliers.end());
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
    if (model.name.starts_with("snake") || model.name.starts_with("rattleback") || model.name == "bicycle") continue;
    count += WrittenBack(scratch_model(model.text, std::string(model.name) + ".toml")).compare();
  }
  EXPECT_GT(count, 5000);
}

// With vectors and bodies, quaternions, closed loops, constraints that hold for some time: the ways in which people write what they have.
TEST(WrittenEquations, OfModelsAsPeopleWriteThemAreReadBackAsTheyWereDerived) {
  int models = 0;
  for (const char* folder : {"/tests/conformance/models", "/tests/golden/models"}) {
    for (const auto& file : std::filesystem::directory_iterator(CETAEV_SOURCE_DIR + std::string(folder))) {
      if (file.path().extension() != ".toml" || file.path().stem() == "bicycle") continue;  // nobody reads that one
      ++models;
      EXPECT_GT(WrittenBack(scratch_model_file(file.path().string())).compare(), 0) << file.path();
    }
  }
  EXPECT_GT(models, 10);
}

TEST(WrittenEquations, OfRandomSystemsAreReadBackAsTheyWereDerived) {
  int count = 0;
  const Seeds all = seeds(200);
  for (std::uint64_t seed = all.first; seed < all.end(); ++seed) {
    const System system = scratch_model(random_model(seed).text, "random.toml");
    try {
      count += WrittenBack(system).compare();
    } catch (const Error&) {
      continue;  // no state to start from
    }
  }
  EXPECT_GT(count, all.share(1600));
}

}  // namespace
}  // namespace cetaev::conformance
