#include "cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cetaev/gallery.hpp"
#include "hostile.hpp"
#include "scratch.hpp"

namespace cetaev::exported {

namespace {

constexpr std::size_t states_per_case = 3;
constexpr long bits = 256;
// What doubles themselves lose at a state that is used, so that the comparison is one of code and not of rounding.
constexpr double well_conditioned = 1e-13;
// Code rounds in another order than the library: a few times what that loses.
constexpr double as_the_library = 10;

// Multiplied out in powers of cos(a/10), these have numbers in them that cancel.
constexpr std::string_view blades = R"toml(
coordinates = ["x", "y", "z", "a"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + a'^2/2 - x - y/2 - z"
constraints = ["z'*cos(a) - x'*cos(1.3*a + 0.5) = 0", "x'*sin(a + 0.3) - y'*cos(a) = 0"]
[initial]
"x'" = 1
"a'" = 1
)toml";

double largest(const std::vector<double>& values) {
  double result = 1;
  for (const double v : values) result = std::max(result, std::fabs(v));
  return result;
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double result = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(x[i])) return HUGE_VAL;
    result = std::max(result, std::fabs(x[i] - y[i]));
  }
  return result / largest(y);
}

struct Truth {
  std::vector<double> values;
  double lost = 0;  // in doubles
};

// The outputs at the doubles y, correctly rounded; nothing where they are singular.
std::optional<Truth> truth(const Case& c, double t, const std::vector<double>& y, const std::vector<Expr>& outputs,
                           const NumberedBlocks& systems) {
  const Program program(outputs, c.equations.inputs(), systems.blocks);
  std::vector<double> inputs = y;
  inputs.push_back(t);
  for (const double p : parameter_values(c.system)) inputs.push_back(p);
  std::vector<Ball> balls, results;
  for (const double x : inputs) balls.push_back(Ball::from_double(x));
  std::vector<double> plain(outputs.size());
  if (Interpreter(program)(inputs, plain) >= 0) return std::nullopt;
  if (run_in_balls(program, balls, results, bits) >= 0) return std::nullopt;
  Truth found;
  for (const Ball& ball : results) found.values.push_back(ball.midpoint());
  found.lost = difference(plain, found.values);
  return found;
}

const GalleryModel& gallery_model(std::string_view name) {
  for (const GalleryModel& model : gallery()) {
    if (model.name == name) return model;
  }
  throw std::invalid_argument("no such gallery model: " + std::string(name));
}

}  // namespace

const std::vector<NearlySingular>& nearly_singular() {
  static const std::vector<NearlySingular> places = {
      {"skate", "", {"phi=1.5707"}},  // the blade across the slope: x' follows from y', not y' from x'
      {"skate", "voronec", {"phi=1.570796"}},
      {"chaplygin-sleigh", "", {"phi=1.5707963"}},
      {"ball-on-turntable", "", {"theta=1e-5"}},  // Euler's angles fail
      {"ball-on-turntable", "multipliers", {"theta=1e-3"}},
      {"tippe-top", "", {"theta=1e-4"}},
      {"rolling-disc", "", {"theta=1.5707"}},             // flat on the ground
      {"car", "", {"delta=1.5707"}},                      // wheels across
      {"snakeboard", "", {"phif=1e-6", "phib=1e-6"}},     // axles parallel
      {"appell-hamel", "", {"x'=3e-8", "y'=4e-8"}},       // √(x'² + y'²) at rest
      {"zekovic", "", {"x1=0.9999999", "y1=0.1250001"}},  // two points at one place
      {"trailer-3", "", {"th0=1.5707", "x'=1e-3"}},
  };
  return places;
}

System system_at(const NearlySingular& place) {
  return scratch_model(gallery_model(place.model).text, place.model, place.settings);
}

Case make_case(std::string_view text, const std::string& name, std::string_view form,
               std::span<const std::string> settings) {
  Case c;
  c.system = scratch_model(text, name, settings);
  c.prefix = name;
  c.equations = equations_to_export(c.system, form.empty() ? std::nullopt : std::optional<Form>(form));
  const FirstOrderSystem& e = c.equations;
  const FirstOrderProgram program(c.system, e);
  const FirstOrderSystem::Jacobian jacobian = e.jacobian();
  const std::vector<Expr> energy = {e.energy};
  Admissible admissible(c.system);
  const std::vector<double> lambda = {0.7, -0.4, 1.3, 0.2, -0.9, 0.5, 0.1, 0.3, -0.6, 0.8};
  for (std::uint64_t seed = 1; seed <= 60 && c.states.size() < states_per_case; ++seed) {
    if (!settings.empty() && seed > 1) break;
    const auto state = settings.empty() ? admissible.random(seed) : std::optional<State>(admissible.initial().state);
    if (!state) continue;
    Case::At at;
    at.t = state->t;
    try {
      at.y = program.state(*state, lambda);
    } catch (const Error&) {
      continue;
    }
    bool regular = true;
    for (const auto* outputs : {&e.rates, &e.residual, &energy, &e.velocities, &jacobian.entries.entries}) {
      const bool last = outputs == &jacobian.entries.entries;
      const auto values = truth(c, at.t, at.y, *outputs, last ? jacobian.systems : e.needed_for(*outputs));
      regular = regular && values && (!settings.empty() || values->lost <= well_conditioned);
      if (!regular) break;
      at.expected.push_back(values->values);
      at.lost.push_back(values->lost);
    }
    if (regular) c.states.push_back(std::move(at));
  }
  return c;
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> result;
    const auto add = [&](const GalleryModel& model, std::string_view form) {
      std::string name(model.name);
      std::replace(name.begin(), name.end(), '-', '_');
      if (!form.empty()) name.append("_in_").append(form);
      try {
        result.push_back(make_case(model.text, name, form));
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::bad_model) << error.message();
      }
    };
    for (const GalleryModel& model : gallery()) add(model, {});
    for (const char* name : {"skate", "appell-hamel", "rolling-disc", "zekovic", "circle", "pursuit", "gantmacher-rod",
                             "prescribed-speed-varying", "ball-on-turntable"}) {
      for (const Principle& principle : principles()) add(gallery_model(name), principle.name);
    }
    const std::string relations = "transpositional = [[\"x'\", 0, \"phi''/9\"], [0, 0, \"y\"], [\"phi'\", 0, 0]]\n";
    result.push_back(make_case(relations + std::string(gallery_model("skate").text), "skate_relations", "mvm1"));
    for (const char* form : {"", "hamel", "voronec", "multipliers"})
      result.push_back(make_case(blades, std::string("blades") + (*form ? "_in_" : "") + form, form));
    for (const HostileModel& model : hostile_models) {
      for (const char* form : {"", "multipliers", "voronec", "vakonomic"}) {
        result.push_back(make_case(model.text, std::string(model.name) + (*form ? "_" : "") + form, form));
      }
    }
    for (const NearlySingular& place : nearly_singular()) {
      std::string name = fmt::format("nearly_{}{}{}", place.model, *place.form ? "_in_" : "", place.form);
      std::replace(name.begin(), name.end(), '-', '_');
      Case c = make_case(gallery_model(place.model).text, name, place.form, place.settings);
      // more take compilers long, and are held to a motion all the same
      constexpr std::size_t few_variables = 8;
      if (c.equations.state.size() <= few_variables) result.push_back(std::move(c));
    }
    return result;
  }();
  return cases;
}

const Case& case_of(std::string_view prefix) {
  for (const Case& c : all_cases()) {
    if (c.prefix == prefix) return c;
  }
  throw std::invalid_argument("no such case: " + std::string(prefix));
}

std::vector<const Case*> some_cases() {
  std::vector<const Case*> result;
  for (const char* name : {"skate", "skate_in_vakonomic", "appell_hamel_in_voronec", "rolling_disc",
                           "rolling_disc_in_gauss", "pursuit", "zekovic_in_mvm2", "ball_on_turntable_in_voronec"}) {
    result.push_back(&case_of(name));
  }
  return result;
}

std::vector<const Case*> pointers(const std::vector<Case>& cases) {
  std::vector<const Case*> result;
  for (const Case& c : cases) result.push_back(&c);
  return result;
}

std::filesystem::path scratch(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(CETAEV_SCRATCH) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

int run(const std::filesystem::path& folder, const std::string& command) {
  return std::system(("cd '" + folder.string() + "' && ( " + command + " ) > log 2>&1").c_str());
}

std::string log(const std::filesystem::path& folder) {
  std::ostringstream text;
  text << std::ifstream(folder / "log").rdbuf();
  return text.str().substr(0, 4000);
}

std::string exact(double value) { return fmt::format("{:.17g}", value); }

std::string list(const std::vector<double>& values, const char* open, const char* close) {
  std::string text;
  for (const double v : values) text += (text.empty() ? "" : ", ") + exact(v);
  return open + text + close;
}

void expect_results(const std::filesystem::path& folder, const std::vector<const Case*>& cases) {
  std::ifstream in(folder / "results");
  std::size_t numbers = 0;
  for (const Case* c : cases) {
    EXPECT_FALSE(c->states.empty()) << c->prefix << " is not run anywhere";
    for (const Case::At& at : c->states) {
      for (std::size_t f = 0; f < at.expected.size(); ++f) {
        std::vector<double> found(at.expected[f].size());
        for (double& x : found) {
          std::string word;
          ASSERT_TRUE(in >> word) << c->prefix << " " << functions[f] << ": the results end here";
          x = std::strtod(word.c_str(), nullptr);
        }
        numbers += found.size();
        EXPECT_LE(difference(found, at.expected[f]), std::max(1e-12, as_the_library * at.lost[f]))
            << c->prefix << " " << functions[f];
      }
    }
  }
  std::string rest;
  EXPECT_FALSE(in >> rest) << "more results than expected";
  testing::Test::RecordProperty("numbers", static_cast<int>(numbers));
}

}  // namespace cetaev::exported
