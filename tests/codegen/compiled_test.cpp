// C, C++ and the host path of CUDA: compiled under strict flags, run, and held to the true values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "../../src/integrate/equations.hpp"
#include "cases.hpp"
#include "cetaev/detail/formulation/rounding.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev::exported {
namespace {

// How a language calls the functions of a case at a state; {} stands for case, function, parameters.
struct Driver {
  Language language;
  std::string extension;
  std::string prologue, call;
};

const Driver c_driver{Language::c, "h", "#include <stdio.h>\n",
                      "    {0}_parameters p = {0}_default_parameters();\n"
                      "    if ({0}_{1}(t, y, &p, result) != 0) return 1;\n"};
const Driver cpp_driver{
    Language::cpp, "hpp",
    "#include <cstdio>\nusing std::fprintf; using std::FILE; using std::fopen; using std::fclose;\n",
    "    {0} system;\n"
    "    if (system.{1}(t, y, result) != 0) return 1;\n"};
const Driver cuda_driver{Language::cuda, "cu", "#include <cstdio>\n",
                         "    {0}_parameters p;\n"
                         "    if ({0}_{1}(t, y, p, result) != 0) return 1;\n"};

// Writes the files and a main program that includes them all, twice, and prints every result to the file `results`.
void write_driver(const std::filesystem::path& folder, const std::vector<const Case*>& cases, const Driver& driver,
                  const std::string& name) {
  std::string text = driver.prologue;
  for (const Case* c : cases) {
    const std::string file = c->prefix + "." + driver.extension;
    write(folder / file, export_code(c->equations, driver.language));
    text += fmt::format("#include \"{0}\"\n#include \"{0}\"\n", file);
  }
  std::string body;
  for (const Case* c : cases) {
    if (c->states.empty()) continue;
    std::string times, states, calls;
    for (const Case::At& at : c->states) {
      times += exact(at.t) + ", ";
      states += list(at.y, "{", "}") + ", ";
    }
    for (std::size_t f = 0; f < std::size(functions); ++f) {
      calls += "    {\n" + fmt::format(fmt::runtime(driver.call), c->prefix, functions[f]) + "    }\n";
      calls += fmt::format("    for (i = 0; i < {}; ++i) fprintf(out, \"%.17g\\n\", result[i]);\n",
                           c->states[0].expected[f].size());
    }
    text += fmt::format(
        "static int run_{0}(FILE *out)\n{{\n  static const double times[] = {{{1}}};\n"
        "  static const double states[][{2}] = {{{3}}};\n  int k, i;\n  for (k = 0; k < {4}; ++k) {{\n"
        "    const double t = times[k];\n    const double *y = states[k];\n    double storage[{5}];\n"
        "    double *result = storage;\n{6}  }}\n  return 0;\n}}\n",
        c->prefix, times, c->equations.state.size(), states, c->states.size(),
        c->equations.state.size() * c->equations.state.size() + c->system->constraints.size(), calls);
    body += fmt::format("  if (run_{}(out) != 0) return 1;\n", c->prefix);
  }
  text += "int main(void)\n{\n  FILE *out = fopen(\"results\", \"w\");\n" + body + "  fclose(out);\n  return 0;\n}\n";
  write(folder / name, text);
}

// Operators and calls of the right-hand side in C; constants are inputs there, so signs of numbers count too.
std::size_t operations_in_rhs(const std::string& source, const std::string& prefix) {
  const std::size_t begin = source.find("static inline int " + prefix + "_rhs(");
  const std::size_t end = source.find("\n}\n", begin);
  std::size_t count = 0;
  for (std::size_t i = source.find('{', begin); i + 1 < end; ++i) {
    const char c = source[i], before = source[i - 1];
    if ((c == '+' || c == '-' || c == '*' || c == '/') && before == ' ' && source[i + 1] == ' ') ++count;
    if (c == '(' && (std::isalpha(static_cast<unsigned char>(before)) != 0)) ++count;
  }
  return count;
}

// What doubles lose of the accelerations at a state, of the greatest of them.
double lost_of_accelerations(const System& system, const FirstOrderSystem& e, const State& at) {
  const Program program(e.accelerations, e.inputs(), e.needed_for(e.accelerations).blocks);
  std::vector<double> inputs = FirstOrderProgram(system, e).state(at, {}), found(e.accelerations.size());
  inputs.push_back(at.t);
  for (const double p : parameter_values(system)) inputs.push_back(p);
  std::vector<Ball> balls, exact;
  for (const double x : inputs) balls.push_back(Ball::from_double(x));
  EXPECT_LT(Interpreter(program)(inputs, found), 0);
  EXPECT_LT(run_in_balls(program, balls, exact, 256), 0);
  double size = 0, error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    size = std::max(size, std::abs(exact[i].midpoint()));
    error = std::max(error, std::abs(found[i] - exact[i].midpoint()));
  }
  return size > 0 ? error / size : error;
}

// What has several users is computed once, as in machine code.
TEST(ExportedC, CostsWhatTheProgramCosts) {
  for (const Case& c : all_cases()) {
    const FirstOrderSystem& e = c.equations;
    const NumberedBlocks systems = e.needed_for(e.rates);
    const std::string source = export_code(e, Language::c);
    // what would do elsewhere is not known where the code is written
    EXPECT_EQ(source.find("would do"), std::string::npos) << c.prefix;
    if (!systems.blocks.empty()) continue;  // the solution is a loop in both
    const Program program(e.rates, e.inputs(), systems.blocks);
    double cost = 0;
    for (const Instruction& i : program.instructions()) cost += i.operation == Operation::integer_power ? 4 : 1;
    EXPECT_LE(static_cast<double>(operations_in_rhs(source, c.prefix)), cost + 2) << c.prefix;
  }
}

// The same question that a motion is asked: what rounding makes of the equations near the initial state.
TEST(Exported, KeepsTheDigitsThatAMotionKeeps) {
  for (const Case& c : all_cases()) {
    Groundwork work(c.system);
    const double error = rounding_error(c.system, c.equations, work.start().at.state);
    const bool said = std::ranges::any_of(c.equations.notes, [](const std::string& note) {
      return note.find("digits of a double") != std::string::npos;
    });
    EXPECT_TRUE(error < much_rounding || said) << c.prefix << " " << error;
  }
  // what exact algebra makes of these is solved at run time, by the form itself
  Groundwork work(case_of("blades").system);
  const State& at = work.start().at.state;
  EXPECT_LT(rounding_error(work.system(), first_order(work.setting(), at, Form::hamel), at), much_rounding);
  // and a mass that is what is left of 10⁶ is known to some digits of it alone: the measure says so
  Groundwork lost(read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(sqrt(1e12 + x^2) - 1e6)*x'^2 + y'^2/2"
[initial]
x = 1
"x'" = 1
)toml",
                             "lost.toml"));
  const State& there = lost.start().at.state;
  EXPECT_GT(rounding_error_at(lost.system(), first_order(lost.setting(), there, Form::multipliers), there),
            much_rounding);
}

// Close to singular states, where closed forms may divide a small number by a small one, what a motion does with the same states is the measure.
TEST(Exported, KeepsTheDigitsThatAMotionKeepsNearSingularStates) {
  for (const NearlySingular& place : nearly_singular()) {
    const System system = system_at(place);
    Groundwork work(system);
    const AdmissibleState& at = work.initial();
    const std::optional<Form> form = *place.form ? std::optional<Form>(place.form) : std::nullopt;
    const MotionEquations motion(work.system(), work.terms(), work.admissible(), at, form);
    const double kept = lost_of_accelerations(work.system(), motion.form(), at.state);
    const double exported = lost_of_accelerations(system, equations_to_export(system, form), at.state);
    EXPECT_LE(exported, 10 * kept + 1e-14) << place.model << " " << place.form;
  }
}

TEST(ExportedC, CompilesByItselfUnderStrictFlags) {
  const auto folder = scratch("c_alone");
  std::string files;
  for (const Case& c : all_cases()) {
    if (c.prefix.starts_with("nearly_")) continue;  // written as the same model elsewhere
    write(folder / (c.prefix + ".c"), export_code(c.equations, Language::c));
    files += " " + c.prefix + ".c";
  }
  EXPECT_EQ(run(folder, CETAEV_CC " -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only" + files), 0) << log(folder);
  // -c generates code; one file shows that
  EXPECT_EQ(run(folder, CETAEV_CC " -std=c99 -Wall -Wextra -Werror -pedantic -Wshadow -O2 -c skate.c rolling_disc.c"),
            0)
      << log(folder);
}

TEST(ExportedC, HasTheValuesOfTheLibrary) {
  const auto folder = scratch("c");
  write_driver(folder, pointers(all_cases()), c_driver, "main.c");
  ASSERT_EQ(run(folder, CETAEV_CC " -std=c99 -Wall -Wextra -Werror -pedantic -O0 main.c -lm -o main && ./main"), 0)
      << log(folder);
  expect_results(folder, pointers(all_cases()));
}

TEST(ExportedC, CanBeIncludedInSeveralFilesOfAProgram) {
  const auto folder = scratch("c_several");
  const Case& skate = case_of("skate");
  write(folder / "skate.h", export_code(skate.equations, Language::c));
  write(folder / "one.c", "#include \"skate.h\"\nint one(void) { return skate_states; }\n");
  write(folder / "two.c", "#include \"skate.h\"\nint one(void);\nint main(void) { return one() - skate_states; }\n");
  EXPECT_EQ(run(folder, CETAEV_CC " -std=c99 -Wall -Wextra -Werror -pedantic one.c two.c -lm -o main && ./main"), 0)
      << log(folder);
}

TEST(ExportedCpp, HasTheValuesOfTheLibrary) {
  const auto folder = scratch("cpp");
  write_driver(folder, pointers(all_cases()), cpp_driver, "main.cpp");
  ASSERT_EQ(run(folder, CETAEV_CXX " -std=c++11 -Wall -Wextra -Werror -pedantic -O0 main.cpp -o main && ./main"), 0)
      << log(folder);
  expect_results(folder, pointers(all_cases()));
}

TEST(ExportedCuda, HasTheValuesOfTheLibraryOnTheHost) {
  const auto folder = scratch("cuda_host");
  // the bodies are those of C; what differs is around them
  const std::vector<const Case*> cases = some_cases();
  write_driver(folder, cases, cuda_driver, "main.cpp");
  ASSERT_EQ(run(folder, CETAEV_CXX " -std=c++14 -Wall -Wextra -Werror -pedantic -O0 main.cpp -o main && ./main"), 0)
      << log(folder);
  expect_results(folder, cases);
}

TEST(ExportedCuda, CompilesWithNvcc) {
  if (std::string(CETAEV_NVCC).empty()) GTEST_SKIP() << "there is no nvcc here";
  const auto folder = scratch("cuda_device");
  write_driver(folder, some_cases(), cuda_driver, "main.cu");
  std::string kernels = "#include \"main.cu\"\n";
  for (const Case* c : some_cases()) {
    for (const char* function : functions) {
      kernels += fmt::format(
          "__global__ void {0}_{1}_kernel(double t, const double *y, {0}_parameters p, double *result, int *code)\n"
          "{{ *code = {0}_{1}(t, y, p, result); }}\n",
          c->prefix, function);
    }
  }
  write(folder / "kernels.cu", kernels);
  EXPECT_EQ(run(folder, CETAEV_NVCC " --Werror all-warnings -c kernels.cu -o kernels.o"), 0) << log(folder);
}

// The circle x² + y² has no tangent at its centre.
TEST(ExportedC, SaysWhichLinearSystemIsSingular) {
  const auto folder = scratch("c_singular");
  const Case& circle = case_of("circle_in_multipliers");
  write(folder / "circle.h", export_code(circle.equations, Language::c));
  write(folder / "main.c", R"(#include "circle.h"
int main(void) {
  const double centre[4] = {0, 0, 1, 0};
  const double rim[4] = {1, 0, 0, 1};
  double result[16];
  circle_in_multipliers_parameters p = circle_in_multipliers_default_parameters();
  if (circle_in_multipliers_rhs(0, rim, &p, result) != 0) return 1;
  if (circle_in_multipliers_rhs(0, centre, &p, result) != 1) return 2;
  return circle_in_multipliers_jacobian(0, centre, &p, result) == 1 ? 0 : 3;
}
)");
  EXPECT_EQ(run(folder, CETAEV_CC " -std=c99 main.c -lm -o main && ./main"), 0) << log(folder);
}

// What Boost.odeint asks of a system, with a stepper of the same shape.
TEST(ExportedCpp, IsASystemForOdeint) {
  const auto folder = scratch("odeint");
  const Case& skate = case_of("skate");
  write(folder / "skate.hpp", export_code(skate.equations, Language::cpp));
  write(folder / "main.cpp", R"(#include "skate.hpp"
#if __has_include(<boost/numeric/odeint.hpp>)
#include <boost/numeric/odeint.hpp>
#endif
template <class System, class State>
void step(System system, State& x, double t, double h) {
  State k1, k2, k3, k4, y;
  const auto at = [&](const State& k, double s) { for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + s*k[i]; };
  system(x, k1, t);
  at(k1, h/2);
  system(y, k2, t + h/2);
  at(k2, h/2);
  system(y, k3, t + h/2);
  at(k3, h);
  system(y, k4, t + h);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += h/6*(k1[i] + 2*k2[i] + 2*k3[i] + k4[i]);
}
int main() {
  skate system;
  skate::state_type x;
  if (skate::initial_state(x) != 0) return 2;
  const double t = 2;
  const int n = 2000;
#if __has_include(<boost/numeric/odeint.hpp>)
  boost::numeric::odeint::runge_kutta4<skate::state_type> stepper;
  boost::numeric::odeint::integrate_n_steps(stepper, system, x, 0.0, t/n, n);
#else
  for (int i = 0; i < n; ++i) step(system, x, i*t/n, t/n);
#endif
  // the cycloid: x = g sin(slope)/(2 w^2) sin(w t)^2
  const double exact = system.p.g*std::sin(system.p.slope)/(2*1.3*1.3)*std::pow(std::sin(1.3*t), 2);
  return std::fabs(x[0] - exact) < 1e-9 ? 0 : 1;
}
)");
  EXPECT_EQ(run(folder, CETAEV_CXX " -std=c++17 -O1 -Wall -Wextra main.cpp -o main && ./main"), 0) << log(folder);
}

}  // namespace
}  // namespace cetaev::exported
