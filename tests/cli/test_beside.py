"""cetaev run --variations, periodic and lyapunov: JSON, columns of files, errors."""

import csv
import json
import math
import os
import tempfile
import unittest

from program import cetaev, table, under_debians_python

under_debians_python("h5py")

import h5py

VAN_DER_POL = """
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
forces = {x = "(1 - x^2)*x'"}
[initial]
x = 2
"""


class Beside(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(self.folder, "van-der-pol.toml")
        with open(self.model, "w") as file:
            file.write(VAN_DER_POL)

    def test_variations_too_large_for_numbers_are_null(self):
        # x'' = 100 x: what begins beside x = 0 is away by cosh 10t
        path = os.path.join(self.folder, "away.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 + 50*x^2"\n')
        for end, expected in ((10, math.cosh(100)), (100, None)):
            found = cetaev("run", path, "--t-end", str(end), "--variations", "x", "--json").json
            self.assertEqual(found["status"], "finished")
            away = found["variations"]["x"]["q"]["x"]
            if expected is None:
                self.assertIsNone(away)
            else:
                self.assertAlmostEqual(away / expected, 1, 10)

    def test_variations_are_in_the_json_and_in_columns(self):
        path = os.path.join(self.folder, "out.csv")
        result = cetaev("run", "skate", "--t-end", "2", "--samples", "3", "--variations", "phi', m", "--out", path, "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)["variations"]
        self.assertEqual(list(answer), ["phi'", "m"])
        # phi = phi' t
        self.assertAlmostEqual(answer["phi'"]["q"]["phi"], 2, delta=1e-12)
        self.assertAlmostEqual(answer["phi'"]["v"]["phi"], 1, delta=1e-12)
        self.assertAlmostEqual(answer["m"]["q"]["x"], 0, delta=1e-12)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][-12:-6], ["d(x)/d(phi')", "d(y)/d(phi')", "d(phi)/d(phi')",
                                           "d(x')/d(phi')", "d(y')/d(phi')", "d(phi')/d(phi')"])
        self.assertEqual([float(row[rows[0].index("d(phi)/d(phi')")]) for row in rows[1:]], [0, 1, 2])
        self.assertEqual(float(rows[-1][-12]), answer["phi'"]["q"]["x"])

    def test_variations_at_an_event_are_those_of_its_time(self):
        throw = os.path.join(self.folder, "throw.toml")
        with open(throw, "w") as file:
            file.write("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - g*y\"\n[parameters]\ng = 9.81\n"
                       "[initial]\n\"x'\" = 3\n\"y'\" = 4\n[events]\nlands = {when = 'y', direction = -1, action = 'stop'}\n")
        result = cetaev("run", throw, "--variations", "y',g", "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        # t = 2 v/g, x = 3 t
        self.assertAlmostEqual(answer["variations"]["y'"]["event"]["t"], 2 / 9.81, delta=1e-13)
        self.assertAlmostEqual(answer["variations"]["g"]["event"]["t"], -8 / 9.81**2, delta=1e-13)
        self.assertAlmostEqual(answer["variations"]["g"]["event"]["q"]["x"], -24 / 9.81**2, delta=1e-13)
        self.assertAlmostEqual(answer["variations"]["g"]["q"]["y"], -(8 / 9.81) ** 2 / 2, delta=1e-12)
        text = cetaev("run", throw, "--variations", "y',g").out
        self.assertIn("How the event lands changes, and the state at it", text)
        self.assertNotIn("event", json.loads(cetaev("run", throw, "--t-end", "0.5", "--variations", "g", "--json").out)["variations"]["g"])

    def test_what_cannot_be_varied_is_refused(self):
        for names, code in (("mm", 2), ("m,,J", 2), ("", 2)):
            result = cetaev("run", "skate", "--variations", names)
            self.assertEqual(result.code, code, names)
            self.assertEqual(result.out, "")
        self.assertIn("did you mean", cetaev("run", "skate", "--variations", "phi''").err)

    def test_a_cycle_has_its_period(self):
        result = cetaev("periodic", self.model, "--period", "6", "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        self.assertAlmostEqual(answer["period"], 6.66328685932313, delta=1e-11)
        self.assertLess(answer["residual"], 1e-11)
        self.assertEqual(answer["stable"], True)
        self.assertEqual(answer["state"], ["x", "x'"])
        self.assertAlmostEqual(answer["multipliers"][0]["re"], 1, delta=1e-9)
        # and it is a motion: there after a period again
        start = ("--set", f"x={answer['q']['x']!r}", "--set", f"x'={answer['v']['x']!r}")
        there = json.loads(cetaev("run", self.model, *start, "--t-end", repr(answer["period"]), "--json").out)
        self.assertAlmostEqual(there["q"]["x"], answer["q"]["x"], delta=1e-11)

    def test_what_has_no_period_is_said(self):
        self.assertEqual(cetaev("periodic", self.model).code, 2)
        self.assertEqual(cetaev("periodic", self.model, "--period", "0").code, 2)
        falls = os.path.join(self.folder, "falls.toml")
        with open(falls, "w") as file:
            file.write("coordinates = ['x']\nlagrangian = \"x'^2/2 - x\"\n")
        result = cetaev("periodic", falls, "--period", "3", "--json")
        self.assertEqual(result.code, 3)
        self.assertEqual(json.loads(result.out)["error"]["code"], "not-periodic")

    def test_a_wrong_period_of_the_driver_is_said(self):
        driven = os.path.join(self.folder, "driven.toml")
        with open(driven, "w") as file:
            file.write("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"cos(3*t) - x'\"}\n")
        result = cetaev("periodic", driven, "--period", "2", "--json")
        self.assertEqual(result.code, 3)
        self.assertEqual(json.loads(result.out)["error"]["code"], "not-periodic")
        self.assertIn("2 is no period", json.loads(result.out)["error"]["message"])
        self.assertEqual(cetaev("periodic", driven, "--period", "2*pi/3").code, 0)

    def test_a_branch_along_a_parameter_that_has_the_name_of_a_column(self):
        """A driver of period T, and a spring of strength E: every column of the table has its own name."""
        driven = os.path.join(self.folder, "driven.toml")
        with open(driven, "w") as file:
            file.write("coordinates = ['x']\nlagrangian = \"x'^2/2 - E*x^2/2\"\nforces = {x = \"cos(2*pi*t/T) - x'\"}\n"
                       "[parameters]\nT = 3\nE = 5\n")
        for name, range_, own in (("T", "3:4:3", ["T", "motion(T)", "E"]), ("E", "5:6:3", ["E", "T", "motion(E)"])):
            path = os.path.join(self.folder, f"{name}.csv")
            result = cetaev("periodic", driven, "--period", "T", "--vary", f"{name}={range_}", "--quiet", "--out", path)
            self.assertEqual(result.code, 0, result.err)
            rows = table(path)
            self.assertEqual(list(rows[0])[:3], own)
            for row in rows:
                T, E = (float(row[name]) if own == name else other for own, other in (("T", 3), ("E", 5)))
                self.assertAlmostEqual(float(row["motion(T)" if name == "T" else "T"]), T, delta=1e-12)
                # the answer of a linear oscillator: its amplitude is known
                w = 2 * math.pi / T
                self.assertAlmostEqual(float(row["max(x)"]), 1 / math.hypot(E - w * w, w), delta=1e-9)
                told = float(row["x'"]) ** 2 / 2 + E * float(row["x"]) ** 2 / 2
                self.assertAlmostEqual(float(row["motion(E)" if name == "E" else "E"]), told, delta=1e-9)

    def test_a_branch_folds(self):
        duffing = os.path.join(self.folder, "duffing.toml")
        with open(duffing, "w") as file:
            file.write("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 - x^4/4\"\n"
                       "forces = {x = \"0.5*cos(W*t) - 0.1*x'\"}\n[parameters]\nW = 0.8\n[initial]\nx = 1\n")
        follow = ("periodic", duffing, "--period", "2*pi/W", "--vary", "W=0.8:2.5:18", "--quiet")
        path = os.path.join(self.folder, "branch.csv")
        result = cetaev(*follow, "--json", "--out", path)
        self.assertEqual(result.code, 0, result.err)
        vary = json.loads(result.out)["vary"]
        self.assertEqual([one["kind"] for one in vary["critical"]], ["fold", "fold"])
        self.assertEqual((vary["begins"], vary["ends"]), ("the range ends", "the range ends"))
        points = vary["points"]
        self.assertEqual((points[0]["value"], points[-1]["value"]), (0.8, 2.5))
        for one in points:
            self.assertAlmostEqual(one["period"] * one["value"], 2 * math.pi, delta=1e-12)
        for one in vary["critical"]:
            self.assertEqual(points[one["point"]]["value"], one["value"])
            nearest = min(abs(complex(m["re"], m["im"]) - 1) for m in points[one["point"]]["multipliers"])
            self.assertLess(nearest, 1e-5)
        # a point of the branch is a motion that comes back
        one = points[vary["critical"][0]["point"] + 2]
        there = json.loads(cetaev("run", duffing, "--set", f"W={one['value']!r}", "--set", f"x={one['q']['x']!r}", "--set",
                                  f"x'={one['v']['x']!r}", "--t-end", repr(one["period"]), "--json").out)
        self.assertAlmostEqual(there["q"]["x"], one["q"]["x"], delta=1e-9)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["W", "T", "E", "x", "x'", "min(x)", "max(x)", "re1", "im1", "re2", "im2", "stable", "kind"])
        self.assertEqual(len(rows), 1 + len(points))
        self.assertEqual([row[-1] for row in rows[1:] if row[-1]], ["fold", "fold"])
        # HDF5 has the same numbers
        stored = os.path.join(self.folder, "branch.h5")
        self.assertEqual(cetaev(*follow, "--out", stored).code, 0)
        with h5py.File(stored) as file:
            self.assertEqual(list(file["outputs"].attrs["names"]), rows[0][1:-1])
            self.assertEqual(len(file["inputs"]), len(points))
            for row, value, numbers in zip(rows[1:], file["inputs"][:, 0], file["outputs"][:]):
                for cell, number in zip(row[:-1], [value, *numbers]):
                    self.assertTrue(float(cell) == number if cell else math.isnan(number))
            self.assertEqual([one.split()[0] for one in file.attrs["critical"]], ["fold", "fold"])
        figure = os.path.join(self.folder, "branch.svg")
        self.assertEqual(cetaev(*follow, "--out", figure).code, 0)
        with open(figure) as file:
            self.assertEqual(file.read().count("stroke-width:1.6;"), 2)  # stable parts and unstable ones

    def test_what_cannot_be_followed_is_refused_and_writes_nothing(self):
        path = os.path.join(self.folder, "branch.csv")
        for arguments, code in ((("--vary", "nu=0:1:5"), 2), (("--vary", "x=0:1"), 2), (("--hold", "E"), 2),
                                (("--vary", "E=1:2:3", "--hold", "E"), 2), (("--vary", "E=1:2:3", "--vary", "period=1:2:3"), 2)):
            result = cetaev("periodic", self.model, "--period", "6", *arguments, "--out", path)
            self.assertEqual(result.code, code, arguments)
            self.assertEqual(result.out, "")
            self.assertFalse(os.path.exists(path))
        family = cetaev("periodic", "pendulum", "--period", "2", "--vary", "l=1:2:3")
        self.assertEqual(family.code, 2)
        self.assertIn("--hold", family.err)

    def test_exponents_add_up_to_the_divergence(self):
        result = cetaev("lyapunov", "chaplygin-sleigh", "--t-end", "40", "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        self.assertEqual(len(answer["exponents"]), 5)
        self.assertEqual(len(answer["spread"]), 5)
        self.assertEqual(answer["t"], 40)
        self.assertAlmostEqual(answer["sum"], sum(answer["exponents"]), delta=1e-12)
        self.assertAlmostEqual(answer["sum"], answer["divergence"], delta=1e-6)
        self.assertTrue(math.isfinite(answer["sum"]) and answer["sum"] < 0)


    # x'' = k^2 x grows like e^(k t); fifty coordinates are too many for all directions, and the largest exponents are found among all
    def test_of_many_coordinates_the_largest_exponents_are_found(self):
        path = os.path.join(self.folder, "many.toml")
        names = [f"x{i + 1}" for i in range(50)]
        springs = {48: -9, 49: -4, 50: -1}
        potential = " + ".join(f"{springs.get(i + 1, 1)}*{name}^2/2" for i, name in enumerate(names))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"coordinates = {json.dumps(names)}\nkinetic = \"{' + '.join(name + chr(39) + '^2/2' for name in names)}\"\n"
                       f"potential = \"{potential}\"\n[initial]\n" + "".join(f"{name} = 0\n" for name in names))
        result = cetaev("lyapunov", path, "--t-end", "20", "--json", "--quiet")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        self.assertEqual(len(answer["exponents"]), 39)
        for found, known in zip(answer["exponents"], (3, 2, 1, 0)):
            self.assertAlmostEqual(found, known, delta=0.1)
        self.assertIn("the 61 smaller ones", answer["left_out"])
        self.assertIsNone(answer["divergence"])

    def test_a_large_periodic_motion_says_why_it_is_not_looked_for(self):
        result = cetaev("periodic", "snake-100", "--period", "2")
        self.assertEqual((result.code, result.out), (3, ""))
        self.assertIn("with 104 directions beside a motion of 102 coordinates", result.err)

    def test_exponents_are_of_motions_forwards(self):
        for end in ("-5", "0"):
            result = cetaev("lyapunov", self.model, "--t-end", end)
            self.assertEqual(result.code, 2)
            self.assertIn("has to be later", result.err)

    # one degree of freedom has no pair of multipliers that could cross the circle
    def test_a_conservative_family_of_one_freedom_has_no_crossings(self):
        path = os.path.join(self.folder, "duffing.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("coordinates = [\"T\"]\nlagrangian = \"T'^2/2 + T^2/2 - T^4/4\"\ninitial = {T = 1.2}\n")
        out = os.path.join(self.folder, "family.csv")
        result = cetaev("periodic", path, "--period", "4.5", "--vary", "period=4.6:14:7", "--out", out, "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = result.json["vary"]
        self.assertEqual((answer["critical"], answer["notes"]), ([], []))
        with open(out, newline="") as file:
            names = next(csv.reader(file))
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
