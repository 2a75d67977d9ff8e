"""Extrema and means along motions, where what is observed bends, jumps, is steep, has poles or no value; held against closed forms."""

import math
import pathlib
import subprocess
import tempfile
import unittest

from program import CETAEV, cetaev, table

# x = cos t
OSCILLATOR = """coordinates = ["x"]
lagrangian = "x'^2/2 - k*x^2/2"
[parameters]
k = 1
[initial]
x = 1
"""


def arch(end):
    """The integral of |sin t| from 0."""
    n = int(end / math.pi)
    return 2 * n + 1 - abs(math.cos(end)) if (end - n * math.pi) < math.pi / 2 else 2 * n + 1 + abs(math.cos(end))

PENDULUM = """coordinates = ["x", "y"]
lagrangian = "m*(x'^2 + y'^2)/2 - m*g*y"
constraints = ["x^2 + y^2 = l^2"]
[parameters]
m = 1
g = 9.81
l = 1.5
[initial]
x = 1.5
[outputs]
pull = "2*l*lambda[1]"
up = "y''"
"""


class Along(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "o.toml").write_text(OSCILLATOR, encoding="utf-8")

    def observed(self, end, names, start=0):
        wishes = [word for name in names for word in ("--observe", name)]
        out = self.folder / "o.csv"
        done = cetaev("sweep", self.folder / "o.toml", "--vary", "k=[1]", "--set", f"t={start}", "--t-end", end, "--out",
                      out, "--quiet", *wishes)
        self.assertEqual(done.code, 0, done.err)
        row = table(out)[0]
        return {name: row[name] for name in names}

    def test_where_there_is_no_value_on_the_way_nothing_is_told(self):
        names = [f"{kind}({what})" for kind in ("max", "min", "mean")
                 for what in ("sqrt(x)", "sqrt(x + 0.999999)", "log(x)", "asin(2*x)", "1/x", "1/x + 1e6", "1/x^2",
                              "tan(t)", "1/(1 + x)", "1/sqrt(abs(x))", "log(abs(x))", "1/(t - 3)", "x'/(x^2 - 0.25)")]
        seen = self.observed(10, [*names, "max(x)", "mean(x)"])
        for name in names:
            self.assertEqual(seen[name], "", name)
        # they take nothing from others
        self.assertAlmostEqual(float(seen["max(x)"]), 1, 13)
        self.assertAlmostEqual(float(seen["mean(x)"]), math.sin(10) / 10, 13)

    def test_before_a_pole_is_reached_there_are_values(self):
        seen = self.observed(1, ["max(1/x)", "mean(tan(t))", "min(log(x))", "max(1/(1 + x))", "mean(1/(x - 1.001))"])
        for name, value in (("max(1/x)", 1 / math.cos(1)), ("mean(tan(t))", -math.log(math.cos(1))),
                            ("min(log(x))", math.log(math.cos(1))), ("max(1/(1 + x))", 1 / (1 + math.cos(1)))):
            self.assertAlmostEqual(float(seen[name]) / value, 1, 12, name)
        # ∫ dt/(cos t − a), a > 1, is −2/√(a² − 1) · atan(√((a + 1)/(a − 1)) tan(t/2))
        a = 1.001
        value = -2 / math.sqrt(a * a - 1) * math.atan(math.sqrt((a + 1) / (a - 1)) * math.tan(0.5))
        self.assertAlmostEqual(float(seen["mean(1/(x - 1.001))"]) / value, 1, 10)

    def test_bends_jumps_and_what_only_touches(self):
        inside = 2 * math.acos(0.3)
        values = {
            "max(-abs(x - 0.3))": 0,
            "min(abs(x) + abs(x'))": 1,
            "mean(abs(sin(50*t)))": arch(500) / 500,
            "mean(abs(x'))": arch(10) / 10,
            "mean(sqrt(1 - x^2))": arch(10) / 10,
            "max(sqrt(1 - x^2))": 1,
            "max(x/abs(x))": 1,
            "min(x/abs(x))": -1,
            "mean(x/abs(x))": (2 * (math.pi / 2 + math.pi) - 10) / 10,
            "max(sin(x)/x)": 1,
            "mean(tanh(1e6*(x - 0.3)))": (2 * (inside / 2 + inside) - 10) / 10,
            "max(exp(-1e8*(t - 3.3)^2))": 1,
            "mean(exp(-1e8*(t - 3.3)^2))": math.sqrt(math.pi / 1e8) / 10,
            "max(1/(1 + 1e8*(t - 3.3)^2))": 1,
            "max(atan2(x', x))": math.pi,
        }
        seen = self.observed(10, list(values))
        for name, value in values.items():
            self.assertAlmostEqual(float(seen[name]), value, 11, name)

    def test_maxima_beside_the_ends_of_steps(self):
        # wherever the steps happen to end
        peaks = [round(0.2 + 0.009 * i, 3) for i in range(300)]
        seen = self.observed(3, [f"max(-(t - {peak})^2*(2 + x))" for peak in peaks])
        for name, value in seen.items():
            self.assertAlmostEqual(float(value), 0, 13, name)

    def test_outputs_stand_in_expressions(self):
        # A pendulum let go at rest, level with its pivot: y'' is -g there and 2 g at the bottom, where 3 m g pull. The constraint stands there
        # twice, once and doubled, and by least multipliers the first one has a fifth of the force. It touches zero where the pendulum turns back.
        model = self.folder / "pendulum.toml"
        model.write_text(PENDULUM.replace('l^2"]', 'l^2", "2*x^2 + 2*y^2 = 2*l^2"]'), encoding="utf-8")
        subprocess.run([CETAEV, "sweep", str(model), "--vary", "g=1:10:4", "--observe", "max(abs(pull))", "--observe",
                        "max(abs(up) - up/2)", "--observe", "max(up)", "--observe", "mean(abs(sin(50*t)))", "--out",
                        str(self.folder / "o.csv"), "--quiet"], check=True)
        for row in table(self.folder / "o.csv"):
            g = float(row["g"])
            self.assertAlmostEqual(float(row["max(abs(pull))"]) / g, 0.6, 10)
            self.assertAlmostEqual(float(row["max(abs(up) - up/2)"]) / g, 1.5, 10)
            self.assertAlmostEqual(float(row["max(up)"]) / g, 2, 10)

    def test_means_at_the_edges_of_arc_functions(self):
        # acos of cos is a triangle wave; by rounding the cosine is beyond 1 where it turns back
        model = self.folder / "wave.toml"
        model.write_text("""coordinates = ["x"]
lagrangian = "x'^2/2 - w^2*x^2/2"
[parameters]
w = 1
a = 1
[initial]
x = "a"
""", encoding="utf-8")
        for method in ("taylor", "dop853", "adams", "bdf"):
            subprocess.run([CETAEV, "sweep", str(model), "--vary", "w=[2.7, 11.1]", "--vary", "a=[-2.5, 1, 0.001]",
                            "--t-end", "7.3", "--method", method, "--observe", "mean(acos(x/a))", "--out",
                            str(self.folder / "o.csv"), "--quiet"], check=True)
            for row in table(self.folder / "o.csv"):
                end = float(row["w"]) * 7.3
                turns, rest = divmod(end, math.pi)
                area = turns * math.pi**2 / 2 + (rest**2 / 2 if turns % 2 == 0 else math.pi * rest - rest**2 / 2)
                self.assertAlmostEqual(float(row["mean(acos(x/a))"]), area / end, 7, method)

    def test_forces_and_accelerations(self):
        # λ∇(x² + y² − l²) keeps a pendulum on its circle: 2λl² = mgy − mv², and from rest at y = 0 it is 3mgy/2l²
        model = self.folder / "pendulum.toml"
        model.write_text(PENDULUM, encoding="utf-8")
        names = ["x", "y", "x'", "y'", "pull", "up", "min(pull)", "mean(up)", "x''"]
        out = self.folder / "p.csv"
        wishes = [word for name in names for word in ("--observe", name)]
        run = lambda *more: cetaev("sweep", model, "--vary", "m=[1, 2, 5]", "--vary", "g=[9.81, 1.6]", "--t-end", "4",
                                   "--out", out, "--quiet", *wishes, *more)
        for form in ("auto", "multipliers", "voronec"):
            done = run("--form", form)
            self.assertEqual(done.code, 0, done.err)
            rows = [{key: float(value) for key, value in row.items() if key not in ("status", "diagnosis")}
                    for row in table(out)]
            self.assertEqual(len(rows), 6)
            for row in rows:
                m, g, l = row["m"], row["g"], 1.5
                force = 3 * m * g * row["y"] / (2 * l * l)
                self.assertAlmostEqual(row["pull"], 2 * l * force, 8)
                self.assertAlmostEqual(row["x''"], 2 * force * row["x"] / m, 8)
                self.assertAlmostEqual(row["up"], 2 * force * row["y"] / m - g, 8)
                self.assertAlmostEqual(row["min(pull)"], -3 * m * g, 8)
                self.assertAlmostEqual(row["mean(up)"], row["y'"] / 4, 8)
        done = run("--form", "vakonomic")
        self.assertEqual(done.code, 2)
        self.assertIn("is another mechanics", done.err)


if __name__ == "__main__":
    unittest.main()
