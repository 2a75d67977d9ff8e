"""Source code from the command line, and what it computes beside what `eval` says."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import cetaev, under_debians_python
from random_models import random_model

under_debians_python("numpy")

import numpy as np

FORMATS = ("c", "cpp", "python", "cuda", "matlab")


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_code_goes_to_standard_output_or_to_a_file(self):
        for name in FORMATS:
            with self.subTest(format=name):
                shown = cetaev("derive", "skate", "--format", name)
                self.assertEqual(shown.code, 0, shown.err)
                self.assertEqual(shown.err, "")
                path = self.folder / name
                written = cetaev("derive", "skate", "--format", name, "-o", path)
                self.assertEqual((written.code, written.out), (0, ""))
                self.assertEqual(path.read_text(encoding="utf-8"), shown.out)
                self.assertIn("Form: hamel", shown.out)

    def test_the_header_names_the_form(self):
        self.assertIn("Form: voronec", cetaev("derive", "skate", "--format", "c", "--form", "voronec").out)
        self.assertIn("Form: multipliers", cetaev("derive", "appell-hamel", "--format", "python").out)

    def test_parameters_that_are_set_become_the_defaults(self):
        self.assertIn("p.g = 1.62;", cetaev("derive", "skate", "--format", "c", "--set", "g=1.62").out)

    def test_code_is_for_one_form(self):
        both = cetaev("derive", "skate", "--format", "c", "--form", "maggi", "--form", "hamel")
        self.assertEqual((both.code, both.out), (2, ""))
        self.assertEqual(cetaev("derive", "skate", "--format", "c", "--energy").code, 2)
        self.assertEqual(cetaev("derive", "skate", "--format", "cobol").code, 2)

    def test_where_a_form_does_not_apply_nothing_is_written(self):
        path = self.folder / "none.c"
        refused = cetaev("derive", "appell-hamel", "--format", "c", "--form", "hamel", "-o", path)
        self.assertEqual((refused.code, refused.out), (3, ""))
        self.assertIn("quasi-velocities", refused.err)
        self.assertFalse(path.exists())
        self.assertEqual(cetaev("derive", "prescribed-acceleration", "--format", "c", "-o", path).code, 3)
        self.assertFalse(path.exists())

    def test_a_file_that_cannot_be_written_is_exit_4(self):
        path = self.folder / "no" / "such" / "folder.c"
        self.assertEqual(cetaev("derive", "skate", "--format", "c", "-o", path).code, 4)


# How C, C++ and CUDA, which a C++ compiler reads for the host, call a function of NAME at t, y.
COMPILED = {
    "c": ("cc", "-std=c99", "c", "{name}_parameters p = {name}_default_parameters(); code |= {name}_{function}(t, y, &p, result);"),
    "cpp": ("c++", "-std=c++11", "hpp", "{name} system; code |= system.{function}(t, y, result);"),
    "cuda": ("c++", "-std=c++14", "cu", "{name}_parameters p; code |= {name}_{function}(t, y, p, result);"),
}
PROGRAM = """#include <math.h>
#include <stdio.h>
{includes}
int main(void)
{{
  int code = 0, i;
{calls}
  return code;
}}
"""
CALL = """  {{ const double y[] = {{{state}}}, t = {time}; double storage[{count}]; double *result = storage;
    {call}
    for (i = 0; i < {count}; ++i) printf("%.17g\\n", result[i]); }}
"""


class Matlab:
    """As much of the language as exported functions are written in: there may be no interpreter of it here."""

    class Array:
        def __init__(self, values):
            self.values = np.asarray(values, float)

        def __call__(self, i, j=1):
            return self.values[i - 1, j - 1]

        def put(self, i, j, value):
            self.values[i - 1, j - 1] = value

    def __init__(self, text):
        self.text = text
        body = re.sub(r"model\.parameters\.(\w+) = ", r"p.\1 = ", text)
        self.parameters = type("Parameters", (), {})()
        for name, value in re.findall(r"p\.(\w+) = ([^;]+);", body):
            setattr(self.parameters, name, float(eval(value.replace("^", "**"), {})))

    def __call__(self, function, time, state):
        names = {name: getattr(np, name) for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "sinh", "cosh", "tanh", "abs", "pi")}
        names |= {"zeros": lambda n, m: self.Array(np.zeros((n, m))), "atan": np.arctan, "substitute_": self.solution}
        names |= {"t": time, "p": self.parameters, "state": self.Array([[x] for x in state])}
        body = re.search(rf"function \[(\w+), code\] = {function}_\(t, state, p\)\n(.*?)\nend\n", self.text, re.DOTALL)
        body, result = body[2].replace("...\n", " "), body[1]
        for line in map(str.strip, body.split("\n")):
            if line.startswith(("%", "if ~", "[", "code =")) or "NaN(" in line:
                continue
            put = re.fullmatch(r"(\w+)\((\d+), (\d+)\) = (.*);", line)
            text = f"{put[1]}.put({put[2]}, {put[3]}, {put[4]})" if put else line.rstrip(";")
            exec(text.replace("^", "**"), names)
        return names[result].values.ravel()

    def solution(self, matrix, right):
        return self.Array(np.linalg.solve(matrix.values, right.values).reshape(-1, 1))


class Computed(unittest.TestCase):
    """Systems by chance at states by chance: rates and their slopes in every language, as accelerations beside those of `eval`."""

    SYSTEMS = 20
    EXACT = 1e-12  # of the greatest acceleration, or of one

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.cases = []  # name, form, time, state, accelerations
        seed = 0
        while len(cls.cases) < cls.SYSTEMS:
            seed += 1
            cls.add(seed)

    @classmethod
    def add(cls, seed):
        """By turns in multipliers and in the form of its own choice; none where there is no such state or a singular one."""
        name, text = f"random{seed}", random_model(seed)
        path = cls.folder / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        form = "multipliers" if seed % 2 == 0 or "t)" in text else None
        coordinates = re.findall(r'"(\w+)"', text.splitlines()[1])
        state = [f"--set={q}=0.{seed % 9}7" for q in coordinates[: seed % 3]]
        values = cetaev("eval", path, "--json", "--form", "multipliers", *state)
        for language in FORMATS:
            out = path.with_suffix({"python": ".py", "matlab": ".m"}.get(language) or "." + COMPILED[language][2])
            wanted = ["--form", form] if form else []
            if values.code != 0 or cetaev("derive", path, "--format", language, *wanted, *state, "-o", out).code != 0:
                return
        module = cls.module(name)
        accelerations = list(values.json["forms"]["multipliers"]["a"].values())
        cls.cases.append((name, form, module.INITIAL_TIME, module.INITIAL_STATE, accelerations))

    @classmethod
    def module(cls, name):
        specification = importlib.util.spec_from_file_location(name, cls.folder / f"{name}.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    def hold(self, language, found):
        """Rates and slopes, one after the other, of all cases."""
        self.assertEqual(len(found), sum(len(y) + len(y) ** 2 for _, _, _, y, _ in self.cases))
        at = 0
        for name, form, _, y, expected in self.cases:
            n, size = len(y), len(expected)
            rates, slopes = found[at : at + n], np.reshape(found[at + n : at + n + n * n], (n, n))
            at += n + n * n
            # the positions come first, and their rates are the velocities
            accelerations = rates[size:] if form else slopes[:size] @ rates
            error = np.max(np.abs(accelerations - expected)) / max(1, np.max(np.abs(expected)))
            self.assertLessEqual(error, self.EXACT, (language, (self.folder / f"{name}.toml").read_text(encoding="utf-8")))

    def test_python_computes_what_eval_does(self):
        found = []
        for name, _, t, y, _ in self.cases:
            module = self.module(name)
            found += [*module.rhs(t, y), *np.ravel(module.jacobian(t, y))]
        self.hold("python", np.array(found))

    def test_matlab_computes_what_eval_does(self):
        found = []
        for name, _, t, y, _ in self.cases:
            model = Matlab((self.folder / f"{name}.m").read_text(encoding="utf-8"))
            found += [*model("rhs", t, y), *model("jacobian", t, y)]
        self.hold("matlab", np.array(found))

    def test_compiled_code_computes_what_eval_does(self):
        for language, (compiler, standard, extension, call) in COMPILED.items():
            if shutil.which(compiler) is None:
                continue
            with self.subTest(language=language):
                includes = "".join(f'#include "{name}.{extension}"\n' for name, *_ in self.cases)
                calls = "".join(
                    CALL.format(state=", ".join(map(repr, y)), time=repr(t), count=count, call=call.format(name=name, function=function))
                    for name, _, t, y, _ in self.cases
                    for function, count in (("rhs", len(y)), ("jacobian", len(y) ** 2))
                )
                main = self.folder / ("main.c" if language == "c" else f"main_{language}.cpp")
                main.write_text(PROGRAM.format(includes=includes, calls=calls), encoding="utf-8")
                built = subprocess.run([compiler, standard, "-O0", main, "-lm", "-o", main.with_suffix("")], capture_output=True, check=False)
                self.assertEqual(built.returncode, 0, built.stderr.decode())
                done = subprocess.run([main.with_suffix("")], capture_output=True, check=False)
                self.assertEqual(done.returncode, 0)
                self.hold(language, np.array(list(map(float, done.stdout.split()))))


if __name__ == "__main__":
    unittest.main()
