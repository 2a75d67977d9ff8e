"""cetaev linearize: JSON, verdicts, values along a parameter, files, errors."""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import types
import unittest

from program import cetaev, table, under_debians_python

under_debians_python("h5py", "numpy")

import h5py
import numpy

UPRIGHT = ("linearize", "rolling-disc", "--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0")


class Linearize(unittest.TestCase):
    def test_json_has_what_the_reference_says(self):
        result = cetaev(*UPRIGHT, "--set", "phi'=5", "--json")
        self.assertEqual(result.code, 0)
        answer = json.loads(result.out)
        self.assertEqual(answer["steady"]["ignorable"], ["X", "Y", "psi", "phi"])
        self.assertEqual(answer["state"], ["theta", "psi'", "theta'", "phi'"])
        self.assertEqual(answer["zero"], 2)
        self.assertEqual(answer["verdict"], "undecided")
        largest = max(value["im"] for value in answer["eigenvalues"])
        self.assertAlmostEqual(largest, math.sqrt((12 * 25 - 4 * 9.81 / 0.5) / 5), delta=1e-12)
        for value in answer["eigenvalues"]:
            self.assertLess(value["radius"], 1e-12)
        # A has these eigenvalues: its trace is their sum
        trace = sum(row[i] for i, row in enumerate(answer["A"]))
        self.assertAlmostEqual(trace, sum(value["re"] for value in answer["eigenvalues"]), delta=1e-12)

    # beside M q'' = -K q by hand; of so many components the bounds and the modes are left out
    def test_a_chain_of_many_pendulums_has_its_matrices(self):
        count, M, m, l, g = 65, 2, 1, 0.5, 9.81
        result = cetaev("linearize", f"pendulums-{count}", "--json", *(word for i in range(count) for word in ("--set", f"th{i + 1}=0")))
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        along = numpy.tril(numpy.full((count, count + 1), l), 1)
        along[:, 0] = 1  # x and the points: P_i' = x' + l sum of th_j', j <= i
        mass = m * along.T @ along
        mass[0, 0] += M
        stiffness = numpy.diag([0.0] + [m * g * l * (count - i) for i in range(count)])[:, 1:]
        A = numpy.array(answer["A"])
        self.assertEqual(A.shape, (2 * count + 1, 2 * count + 1))
        self.assertLess(abs(mass @ A[count:, :count] + stiffness).max(), 1e-8)
        expected = numpy.sort(numpy.sqrt(numpy.linalg.eigvals(numpy.linalg.solve(mass, numpy.column_stack([numpy.zeros(count + 1), stiffness]))).real.clip(0)))
        found = numpy.sort([abs(value["im"]) for value in answer["eigenvalues"]])
        self.assertLess(abs(found[1::2] - expected[1:]).max() / expected[-1], 1e-8)
        self.assertEqual((answer["verdict"], answer["modes"]), ("stable", []))
        self.assertIn("left out, with 131 components of z, more than 128", answer["because"])
        self.assertTrue(all(value["radius"] is None for value in answer["eigenvalues"]))

    # no middle moves sideways: every link turns against the one before, as fast
    def test_a_straight_snake_of_a_hundred_links_keeps_its_rank(self):
        straight = [word for i in range(100) for word in ("--set", f"th{i + 1}=0")]
        answer = json.loads(cetaev("eval", "snake-100", "--json", *straight).out)
        self.assertEqual(answer["rank"], 100)
        rates = [answer["v"][f"th{i + 1}"] for i in range(100)]
        for before, after in zip(rates, rates[1:]):
            self.assertAlmostEqual(before, -after, delta=1e-9)

    def test_values_along_a_rate_go_into_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "locus.csv")
            result = cetaev(*UPRIGHT, "--vary", "phi'=1:5:9", "--out", path, "--json")
            self.assertEqual(result.code, 0)
            answer = json.loads(result.out)["vary"]
            self.assertEqual(len(answer["values"]), 9)
            self.assertEqual([one["kind"] for one in answer["critical"]], ["zero"])
            self.assertAlmostEqual(answer["critical"][0]["value"], math.sqrt(9.81 / 1.5), delta=1e-12)
            with open(path, newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], ["phi'", "re1", "im1", "re2", "im2", "re3", "im3", "re4", "im4"])
            self.assertEqual(len(rows), 10)
            self.assertEqual(float(rows[-1][1]), answer["eigenvalues"][-1][0]["re"])
            # HDF5 as sweeps have it, with the same numbers
            stored = os.path.join(folder, "locus.h5")
            self.assertEqual(cetaev(*UPRIGHT, "--vary", "phi'=1:5:9", "--out", stored).code, 0)
            with h5py.File(stored) as file:
                self.assertEqual(list(file["outputs"].attrs["names"]), rows[0][1:])
                for row, value, parts in zip(rows[1:], file["inputs"][:, 0], file["outputs"][:]):
                    self.assertEqual([float(cell) for cell in row], [value, *parts])
                kind, at = file.attrs["critical"][0].split()
                self.assertEqual((kind, float(at)), ("zero", answer["critical"][0]["value"]))
            # a line upwards at the critical value, beside the imaginary parts, which are dashed along the curve and in the legend
            drawn = os.path.join(folder, "locus.svg")
            self.assertEqual(cetaev(*UPRIGHT, "--vary", "phi'=1:5:9", "--out", drawn).code, 0)
            with open(drawn, encoding="utf-8") as file:
                self.assertEqual(file.read().count("stroke-dasharray"), 3)

    def test_a_chart_over_two_values_has_the_critical_rate_at_every_radius(self):
        over = ("--vary", "r=0.2:1:5", "--vary", "phi'=1:9:8")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "chart.csv")
            result = cetaev(*UPRIGHT, *over, "--out", path, "--threads", "2", "--json")
            self.assertEqual(result.code, 0, result.err)
            chart = json.loads(result.out)["chart"]
            self.assertEqual(chart["names"], ["r", "phi'"])
            rows = table(path)
            self.assertEqual(len(rows), 40)
            for k, row in enumerate(rows):
                r, rate = float(row["r"]), float(row["phi'"])
                self.assertEqual([r, rate], [chart["values"][0][k // 8], chart["values"][1][k % 8]])
                square = (4 * 9.81 / r - 12 * rate**2) / 5
                self.assertAlmostEqual(float(row["growth"]), math.sqrt(max(0, square)), delta=1e-9)
                self.assertEqual(float(row["growth"]), chart["growth"][k // 8][k % 8])
                self.assertEqual(row["status"], "finished")
            rows_of_figures = {}
            for ending in ("h5", "svg", "pdf", "png"):
                out = os.path.join(folder, "chart." + ending)
                self.assertEqual(cetaev(*UPRIGHT, *over, "--out", out).code, 0)
                with open(out, "rb") as file:
                    rows_of_figures[ending] = file.read()
            self.assertTrue(rows_of_figures["svg"].startswith(b"<?xml"))
            self.assertTrue(rows_of_figures["pdf"].startswith(b"%PDF"))
            again = os.path.join(folder, "again.svg")
            drawn = cetaev("plot", os.path.join(folder, "chart.h5"), "--x", "r", "--y", "phi'", "--colour", "growth",
                           "--level", "0", "--out", again)
            self.assertEqual(drawn.code, 0, drawn.err)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["again.svg", "chart.csv", "chart.h5", "chart.pdf", "chart.png", "chart.svg"])

    def test_conservative_systems_leave_the_axis_where_their_polynomial_says(self):
        # x'' = -a x beside y'' = 2 y, which grows all along; s^4 + (a + 3) s^2 - a; x'' = -x - c x'
        saddle = "lagrangian = \"(x'^2 + y'^2)/2 - a*x^2/2 + y^2\"\n[parameters]\na = 1\n"
        gyroscopic = "lagrangian = \"(x'^2 + y'^2)/2 + (x*y' - y*x') - (a*x^2 - y^2)/2\"\n[parameters]\na = -1\n"
        damped = "lagrangian = \"(x'^2 + y'^2 - x^2 - 9*y^2)/2\"\ndissipation = \"c*x'^2/2\"\n[parameters]\nc = 0\n"
        for text, name, counts, expected in (
            (saddle, "a=-0.5:0.5:", (4, 5, 12, 40), [("zero", 0)]),
            (gyroscopic, "a=-2:2:", (8, 9, 10, 17, 41), [("collision", -1), ("zero", 0)]),
            (damped, "c=-1:1:", (4, 5, 8), [("hopf", 0)]),
        ):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.toml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write('coordinates = ["x", "y"]\n' + text)
                for count in counts:
                    found = cetaev("linearize", path, "--vary", name + str(count), "--json").json["vary"]["critical"]
                    self.assertEqual([one["kind"] for one in found], [kind for kind, _ in expected], (name, count, found))
                    for one, (_, at) in zip(found, expected):
                        self.assertAlmostEqual(one["value"], at, delta=1e-11)

    def test_linear_equations_are_derived_in_symbols(self):
        arguments = ("derive", "rolling-disc", "--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0", "--linear")
        answer = json.loads(cetaev(*arguments, "--format", "json").out)
        self.assertEqual(answer["velocities"], ["psi'", "theta'", "phi'"])
        self.assertEqual(answer["K"][1][1], "-m*r*g")
        self.assertEqual(answer["by_speed"]["speed"], "phi'")
        self.assertEqual([power["exponent"] for power in answer["by_speed"]["C"]], [1])
        numbers = json.loads(cetaev(*arguments, "--format", "json", "--numeric").out)
        self.assertAlmostEqual(float(numbers["K"][1][1]), -9.81 * 0.5, delta=1e-13)
        self.assertIn("\\begin{pmatrix}", cetaev(*arguments, "--format", "latex").out)
        self.assertEqual(cetaev(*arguments, "--form", "maggi").code, 2)
        self.assertEqual(cetaev(*arguments, "--format", "c", "--numeric").code, 2)
        self.assertEqual(cetaev("derive", "skate", "--linear").code, 3)

    def test_linear_equations_are_written_as_code(self):
        for model, settings in (("rolling-disc-steady", ()), ("bicycle", ()), ("skate-level", ())):
            arguments = ("derive", model, *settings, "--linear", "--format")
            matrices = json.loads(cetaev(*arguments, "json", "--numeric").out)
            code = cetaev(*arguments, "python")
            self.assertEqual(code.code, 0, code.err)
            module = {"__name__": "linear"}
            sys.modules["linear"] = types.ModuleType("linear")
            exec(code.out, module)
            n = module["STATES"]
            # z' = A z, with the eigenvalues of the linearisation and zeros for what does not matter
            A = module["jacobian"](0.0, numpy.zeros(n)).reshape(n, n)
            state = numpy.linspace(1, 2, n)
            self.assertLess(numpy.abs(module["rhs"](0.0, state) - A @ state).max(), 1e-10 * (1 + numpy.abs(A).max()))
            left = list(numpy.linalg.eigvals(A))
            for one in json.loads(cetaev("linearize", model, *settings, "--json").out)["eigenvalues"]:
                value = complex(one["re"], one["im"])
                nearest = min(left, key=lambda other: abs(other - value))
                self.assertLess(abs(nearest - value), 1e-5 * (1 + abs(value)), model)
                left.remove(nearest)
            self.assertLess(max([abs(one) for one in left], default=0), 1e-5)
            self.assertEqual(len(module["M"](0.0, state).ravel()), len(matrices["velocities"]) ** 2)
        # C compiles, and its M is that of the formulas
        with tempfile.TemporaryDirectory() as folder:
            for language, compiler in (("c", "cc"), ("cpp", "c++")):
                arguments = ("derive", "rolling-disc", "--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0", "--linear",
                             "--format", language)
                header = os.path.join(folder, "disc.h")
                self.assertEqual(cetaev(*arguments, "-o", header).code, 0)
                source = os.path.join(folder, "main." + language)
                with open(source, "w", encoding="utf-8") as file:
                    file.write('#include <stdio.h>\n#include "disc.h"\nint main(void) {\n  double z[6] = {0}, m[9];\n')
                    if language == "c":
                        file.write("  rolling_disc_parameters p = rolling_disc_default_parameters();\n"
                                   "  rolling_disc_C(0, z, &p, m);\n")
                    else:
                        file.write("  rolling_disc disc;\n  disc.C(0, z, m);\n")
                    file.write('  for (int i = 0; i < 9; ++i) printf("%.17g ", m[i]);\n  return 0;\n}\n')
                program = os.path.join(folder, "disc")
                built = subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", program, source, "-lm"],
                                       capture_output=True, text=True, check=False)
                self.assertEqual(built.returncode, 0, built.stderr)
                printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
                # m r²/2 φ' and −3 m r²/2 φ', with φ' = 1.1 of the model
                expected = [0, 0.125 * 1.1, 0, -0.375 * 1.1, 0, 0, 0, 0, 0]
                for one, other in zip(printed.split(), expected):
                    self.assertAlmostEqual(float(one), other, delta=1e-15)

    def test_what_is_not_steady_is_named(self):
        result = cetaev("linearize", "rolling-disc", "--json")
        self.assertEqual(result.code, 3)
        error = json.loads(result.out)["error"]
        self.assertEqual(error["code"], "not-steady")
        self.assertIn("theta' = 0.3", error["message"])

    def test_wrong_options_are_told_and_nothing_is_written(self):
        for wrong in (
            ("--vary", "phi'=1:5"),
            ("--vary", "phi'=1:x:5"),
            ("--vary", "phi'=1:5:1"),
            ("--vary", "=1:5:3"),
            ("--vary", "phy=1:5:3"),
            ("--solve", "nobody"),
            ("--solve", "X'"),
            ("--solve", "theta,,phi"),
            ("--out", "locus.csv"),
            ("--vary", "phi'=1:5:3", "--vary", "phi'=1:5:3"),
            ("--vary", "phi'=1:5:3", "--vary", "phy=1:5:3"),
            ("--vary", "phi'=1:5:3", "--vary", "r=1:5:3", "--vary", "g=1:5:3"),
            ("--vary", "phi'=1:5:3", "--vary", "r=1:5:3", "--threads", "0"),
        ):
            with self.subTest(wrong=wrong):
                result = cetaev(*UPRIGHT, *wrong)
                self.assertEqual(result.code, 2, result.err)
                self.assertIn("error: ", result.err)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "locus.txt")
            self.assertEqual(cetaev(*UPRIGHT, "--vary", "phi'=1:5:9", "--out", path).code, 2)
            self.assertEqual(os.listdir(folder), [])

    def test_a_folder_that_is_not_there_is_named_before_anything_is_computed(self):
        for ending in ("csv", "h5", "svg"):
            path = f"/nonexistent/chart.{ending}"
            result = cetaev("linearize", "rolling-disc-steady", "--vary", "r=0.9:1.1:3", "--vary", "m=1:2:3", "--out", path)
            self.assertNotEqual(result.code, 0)
            self.assertEqual(result.out, "")
            self.assertIn(f"cannot write '{path}': there is no folder '/nonexistent'", result.err)

    def test_what_drives_itself_is_not_ignorable(self):
        # a trailer behind a car that reverses at the speed 1: a' = sin(a)/l; nothing else knows of the angle
        jack = """
coordinates = ["x", "y", "th", "a"]
lagrangian = "m/2*(x'^2 + y'^2) + J/2*th'^2"
constraints = ["x'*sin(th) - y'*cos(th) = 0", "l*(th' + a') = -(x'*cos(th) + y'*sin(th))*sin(a)"]
dependent = ["y", "a"]
dissipation = "c/2*th'^2"
parameters = {m = 1, J = 1, l = 0.5, c = 1}
initial = {"x'" = -1, "th'" = 0}
"""
        # x' = b x + y: its eigenvalue is b
        driven = """
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - y^2/2"
constraints = ["x' = b*x + y"]
dissipation = "c/2*y'^2"
parameters = {b = 1.5, c = 1}
"""
        for text, growth in ((jack, 2), (driven, 1.5)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.toml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                answer = cetaev("linearize", path, "--json").json
            self.assertEqual(answer["verdict"], "unstable")
            self.assertAlmostEqual(max(value["re"] for value in answer["eigenvalues"]), growth, delta=1e-12)

    def test_nothing_to_vary_is_no_periodic_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.toml")
            for constraints in ("[\"x' = 0\", \"y' = 0\"]", '["x = 1"]'):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = {constraints}\n")
                result = cetaev("periodic", path, "--period", "3")
                self.assertEqual(result.code, 3, result.err)


OSCILLATOR = """
coordinates = ["x"]
lagrangian = "m*x'^2/2 - k*x^2/2 + f*x"
parameters = {m = 1, k = 4, f = 2}
"""


class Solve(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(self.folder, "oscillator.toml")
        with open(self.model, "w", encoding="utf-8") as file:
            file.write(OSCILLATOR)

    # x = f/k
    def test_where_it_stands_is_in_text_json_and_files(self):
        answer = cetaev("linearize", self.model, "--solve", "x", "--vary", "k=2:4:3", "--json").json
        self.assertEqual(answer["steady"]["solved"], {"x": 0.5})
        self.assertTrue(answer["steady"]["certified"])
        self.assertEqual(answer["vary"]["solved"]["x"], [2 / 2, 2 / 3, 2 / 4])
        self.assertIn("solved for: x = 0.5\n", cetaev("linearize", self.model, "--solve", "x").out)
        path = os.path.join(self.folder, "locus.csv")
        self.assertEqual(cetaev("linearize", self.model, "--solve", "x", "--vary", "k=2:4:3", "--out", path).code, 0)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][-1], "x")
        self.assertEqual([float(row[-1]) for row in rows[1:]], [1, 2 / 3, 0.5])
        chart = os.path.join(self.folder, "chart.csv")
        vary = ("--vary", "k=2:4:3", "--vary", "f=1:2:2")
        self.assertEqual(cetaev("linearize", self.model, "--solve", "x", *vary, "--out", chart).code, 0)
        for row in table(chart):
            self.assertAlmostEqual(float(row["x"]), float(row["f"]) / float(row["k"]), delta=1e-15)

    def test_names_given_twice_are_refused(self):
        for arguments in (("--solve", "x,x"), ("--solve", "x", "--vary", "x=0:1:3")):
            result = cetaev("linearize", self.model, *arguments)
            self.assertEqual(result.code, 2, result.err)
            self.assertIn("x is", result.err)

    def test_the_place_of_a_failure_is_named(self):
        result = cetaev("linearize", self.model, "--solve", "x", "--vary", "m=0:0:3")
        self.assertEqual(result.code, 3)
        self.assertIn("at m = 0: the mass matrix is singular", result.err)

    def test_eigenvalues_that_leap_past_the_axis_are_no_crossing(self):
        # x'' + a x' + x = 0 where a goes from -pi/4 to pi/4 at p = 1/3: the real part leaps by pi/4
        path = os.path.join(self.folder, "leap.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("""
                coordinates = ["x"]
                lagrangian = "x'^2/2 - x^2/2"
                forces = {x = "-atan2(p - third, -1)*x'/4"}
                parameters = {p = 1, third = "1/3"}
            """)
        answer = json.loads(cetaev("linearize", path, "--vary", "p=-1:1.3:4", "--json").out)
        (leap,) = answer["vary"]["critical"]
        self.assertEqual(leap["kind"], "jump")
        self.assertAlmostEqual(leap["value"], 1 / 3, delta=1e-12)
        self.assertAlmostEqual(abs(leap["re"]), math.pi / 8, delta=1e-12)

    def test_values_without_a_spectrum_are_told_among_the_others(self):
        path = os.path.join(self.folder, "through.")
        vary = ("linearize", self.model, "--solve", "x", "--vary", "m=-1:1:3")
        for ending in ("csv", "h5", "svg"):
            result = cetaev(*vary, "--out", path + ending)
            self.assertEqual(result.code, 0, result.err)
            self.assertIn("singular-mass-matrix: at m = 0: the mass matrix is singular", result.out)
        answer = json.loads(cetaev(*vary, "--json").out)["vary"]
        self.assertEqual(answer["diagnosis"], [None, "singular-mass-matrix", None])
        self.assertEqual([len(row) for row in answer["eigenvalues"]], [2, 0, 2])
        self.assertIsNone(answer["solved"]["x"][1])
        rows = table(path + "csv")
        self.assertEqual([row["diagnosis"] for row in rows], ["", "singular-mass-matrix", ""])
        self.assertEqual((rows[1]["re1"], rows[1]["x"]), ("", ""))
        with h5py.File(path + "h5") as file:
            self.assertTrue(numpy.isnan(file["outputs"][1]).all())
            self.assertTrue(numpy.isfinite(file["outputs"][2]).all())

    def test_a_chart_without_steady_motions_fails_alike_for_every_file(self):
        for ending in ("csv", "h5", "svg"):
            path = os.path.join(self.folder, "chart." + ending)
            vary = ("--vary", "m=0:0:2", "--vary", "f=1:2:2")
            result = cetaev("linearize", self.model, "--solve", "x", *vary, "--out", path)
            self.assertEqual(result.code, 3, result.err)
            self.assertIn("the chart is empty", result.err)
            self.assertFalse(os.path.exists(path))

    def test_the_form_is_in_json_where_a_motion_is_stable_by_one(self):
        form = cetaev("linearize", self.model, "--solve", "x", "--json").json["form"]
        self.assertEqual(form["combination"], [{"constant": "the energy", "coefficient": 1.0}])
        self.assertEqual(form["variables"], ["x", "x'"])
        self.assertEqual(form["matrix"], [[4.0, 0.0], [0.0, 1.0]])
        self.assertEqual(form["definite"], "positive")
        self.assertIsNone(cetaev(*UPRIGHT, "--json").json["form"])

    # a matrix of one entry is a matrix
    def test_exported_matrices_have_rows_and_columns(self):
        code = cetaev("derive", self.model, "--set", "f=0", "--linear", "--format", "python").out
        module = types.ModuleType("small")
        sys.modules["small"] = module
        exec(compile(code, "small", "exec"), module.__dict__)
        for name in ("M", "C", "K"):
            self.assertEqual(getattr(module, name)(0, numpy.zeros(2)).shape, (1, 1), name)
        self.assertEqual(module.K(0, numpy.zeros(2))[0, 0], 4)


if __name__ == "__main__":
    unittest.main()
