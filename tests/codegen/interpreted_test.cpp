// Python and Matlab: run by the interpreters that are there, and held to the true values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace cetaev::exported {
namespace {

constexpr const char* python_driver = R"PY(import importlib, json, warnings
import numpy as np
warnings.simplefilter("error")
with open("results", "w") as out:
    for name, times, states in json.load(open("cases.json")):
        module = importlib.import_module(name)
        times, states = np.array(times), np.array(states)
        functions = ("rhs", "residual", "energy", "velocity", "jacobian")
        # all states in one call, and in a batch of two axes, and one by one
        whole = [getattr(module, f)(times, states) for f in functions]
        for k in range(len(states)):
            for f, values in zip(functions, whole):
                alone = getattr(module, f)(times[k], states[k])
                axes = getattr(module, f)(times.reshape(1, -1), states[np.newaxis])
                assert np.shape(alone) == values.shape[1:], (name, f)
                # to rounding: the vector routines of numpy and their remainders differ in the last bit
                small = 1e-12 * max(1, np.max(np.abs(values), initial=1))
                assert np.allclose(axes[0], values, rtol=1e-12, atol=small), (name, f)
                assert np.allclose(alone, values[k], rtol=1e-12, atol=small), (name, f)
                for x in np.ravel(values[k]):
                    print(repr(float(x)), file=out)
)PY";

TEST(ExportedPython, HasTheValuesOfTheLibraryInBatchesAndAlone) {
  if (std::string(CETAEV_PYTHON).empty()) GTEST_SKIP() << "there is no Python with NumPy here";
  const auto folder = scratch("python");
  std::string cases;
  for (const Case& c : all_cases()) {
    write(folder / (c.prefix + ".py"), export_code(c.equations, Language::python));
    std::vector<double> times;
    std::string states;
    for (const Case::At& at : c.states) {
      times.push_back(at.t);
      states += (states.empty() ? "" : ", ") + list(at.y, "[", "]");
    }
    cases += fmt::format("{}[\"{}\", {}, [{}]]\n", cases.empty() ? "" : ", ", c.prefix, list(times, "[", "]"), states);
  }
  write(folder / "cases.json", "[" + cases + "]");
  write(folder / "driver.py", python_driver);
  ASSERT_EQ(run(folder, CETAEV_PYTHON " -B driver.py"), 0) << log(folder);
  expect_results(folder, pointers(all_cases()));
}

TEST(ExportedPython, GivesNanForASingularMemberOfABatchOnly) {
  if (std::string(CETAEV_PYTHON).empty()) GTEST_SKIP() << "there is no Python with NumPy here";
  const auto folder = scratch("python_singular");
  const Case& circle = case_of("circle_in_multipliers");
  write(folder / "circle.py", export_code(circle.equations, Language::python));
  write(folder / "driver.py", R"PY(import circle, numpy as np
rate = circle.rhs(0.0, [[0, 0, 1, 0], [1, 0, 0, 1]])
assert np.isnan(rate[0, 2:]).all() and np.isfinite(rate[1]).all(), rate
# an array of parameters is a batch too
p = circle.Parameters()
field = circle.dataclasses.fields(p)[0].name
setattr(p, field, np.linspace(1, 2, 5))
assert circle.rhs(0.0, [1, 0, 0, 1], p).shape == (5, 4)
)PY");
  EXPECT_EQ(run(folder, CETAEV_PYTHON " -B driver.py"), 0) << log(folder);
}

TEST(ExportedMatlab, HasTheValuesOfTheLibraryInOctave) {
  if (std::string(CETAEV_OCTAVE).empty()) GTEST_SKIP() << "there is no Octave here";
  const auto folder = scratch("matlab");
  std::string text = "1;\nout = fopen('results', 'w');\n";
  for (const Case& c : all_cases()) {
    write(folder / (c.prefix + ".m"), export_code(c.equations, Language::matlab));
    text += fmt::format("model = {}();\n", c.prefix);
    for (const Case::At& at : c.states) {
      text += fmt::format("t = {}; y = {};\n", exact(at.t), list(at.y, "[", "]'"));
      for (const char* f : functions) {
        text += fmt::format("[r, code] = model.{}(t, y, model.parameters); assert(code == 0);\n", f);
        text += "fprintf(out, '%.17g\\n', r.');\n";
      }
    }
  }
  write(folder / "driver.m", text + "fclose(out);\n");
  ASSERT_EQ(run(folder, CETAEV_OCTAVE " --no-gui --norc --quiet driver.m"), 0) << log(folder);
  EXPECT_EQ(log(folder).find("warning"), std::string::npos) << log(folder);
  expect_results(folder, pointers(all_cases()));
}

}  // namespace
}  // namespace cetaev::exported
