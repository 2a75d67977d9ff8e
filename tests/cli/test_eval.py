"""What `eval` says at states that were refused, or moved to the wrong place."""

import math
import pathlib
import tempfile
import unittest

from program import cetaev


# A body whose ball rolls on the ground while its ellipsoid slides on a wall; L is its size and m its mass.
TWO_CONTACTS = """
coordinates = ["x", "y", "z", {angles}]
gravity = ["0", "0", "-9.81*L"]
[frames]
turned = "{frame}"
[[bodies]]
name = "body"
frame = "turned"
mass = "2*m"
centre = "[x, y, z]"
inertia = ["0.1*m*L^2", "0.2*m*L^2", "0.25*m*L^2"]
[[contacts]]
name = "floor"
body = "body"
ball = {{radius = "0.3*L"}}
[[contacts]]
name = "wall"
body = "body"
ellipsoid = {{axes = ["0.1*L", "0.2*L", "0.3*L"], centre = "[0.05*L, 0, 0.1*L]"}}
on = {{point = "[L, 0, 0]", normal = "[-1, 0.1, 0.3]"}}
kind = "sliding"
[parameters]
L = 1
m = 1
[initial]
{initial}
"""
BY_ANGLES = TWO_CONTACTS.format(
    angles='"a", "b", "c"', frame="z a, x b, y c", initial="a = 0.3\nb = 0.4\nc = 0.2\n\"b'\" = 1\n\"c'\" = 0.5"
)
BY_QUATERNION = TWO_CONTACTS.format(
    angles='"e0", "e1", "e2", "e3"',
    frame="quaternion e0 e1 e2 e3",
    initial="e0 = 0.9\ne1 = 0.3\ne2 = -0.2\n\"e1'\" = 0.4\n\"e2'\" = 0.5",
)


class Eval(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "model.toml"

    def evaluate(self, model, *arguments):
        self.path.write_text(model, encoding="utf-8")
        result = cetaev("eval", self.path, "--json", *arguments)
        self.assertEqual(result.code, 0, result.err + result.out)
        return result.json

    def accelerations(self, document, form):
        return list(document["forms"][form]["a"].values())

    def test_the_free_acceleration_may_satisfy_a_constraint_on_accelerations(self):
        document = self.evaluate("coordinates = ['x']\nlagrangian = \"x'^2/2 + x\"\nconstraints = [\"x''^3 = 1\"]\n")
        for form in ("multipliers", "gauss"):
            self.assertAlmostEqual(self.accelerations(document, form)[0], 1, 12)
        document = self.evaluate(
            "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 2*y\"\nconstraints = [\"x''^2 + y''^2 = 4\"]\n"
        )
        for form in ("multipliers", "gauss"):
            self.assertAlmostEqual(self.accelerations(document, form)[0], 0, 12)
            self.assertAlmostEqual(self.accelerations(document, form)[1], -2, 12)

    def test_the_nearest_of_several_states_is_taken(self):
        document = self.evaluate(
            "coordinates = ['x', 'z']\nlagrangian = \"(x'^2 + z'^2)/2\"\nconstraints = [\"atan(20*(z'-1)) = 0.1*z'\"]\n"
            "dependent = ['z']\n[initial]\n\"x'\" = 1\n\"z'\" = 1.591\n"
        )
        z = document["v"]["z"]
        self.assertAlmostEqual(math.atan(20 * (z - 1)), 0.1 * z, 12)
        self.assertAlmostEqual(z, 1.00504, 4)
        document = self.evaluate(
            "coordinates = ['x', 'z']\nlagrangian = \"(x'^2 + z'^2)/2\"\nconstraints = [\"tanh(30*(z'-2)) = -0.5\"]\n"
        )
        self.assertAlmostEqual(document["v"]["z"], 2 - math.atanh(0.5) / 30, 12)

    def test_multipliers_of_equal_constraints_act_through_both(self):
        model = (
            "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n"
            "constraints = [\"y' = x*x'^2\", \"y' = x*x'^2\"]\n[initial]\nx = 1\n\"x'\" = 1\nlambda = "
        )
        one, other, both = (
            self.accelerations(self.evaluate(model + values + "\n"), "vakonomic")
            for values in ("[0.5, 0]", "[0, 0.5]", "[1.25, -0.75]")
        )
        for i in range(2):
            self.assertAlmostEqual(other[i], one[i], 12)
            self.assertAlmostEqual(both[i], one[i], 12)

    def test_a_component_that_vanishes_contradicts_nothing(self):
        model = (
            "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2\"\n"
            'constraints = ["V - dot(V, e)*e = 0"]\n'
            "[definitions]\nV = \"[x', y', 0]\"\ne = \"[cos(phi), sin(phi), 0]\"\n"
            "[initial]\n\"x'\" = 1\n\"phi'\" = 1\n"
        )
        for angle in ("0", "pi", "100*pi"):
            document = self.evaluate(model, "--set", f"phi={angle}", "--set", "x'=1")
            forms = document["forms"]
            self.assertIn("voronec", forms)
            for name, form in forms.items():
                if "a" not in form:
                    continue
                # the blade turns: y'' = x' φ', whatever the angle's multiple of π
                for value, expected in zip(form["a"].values(), (0, 1, 0)):
                    self.assertAlmostEqual(value, expected, 9, f"{name} at {angle}")

    def test_accelerations_do_not_depend_on_the_units_of_length_and_mass(self):
        for model in (BY_ANGLES, BY_QUATERNION):
            plain = self.evaluate(model)
            for size, mass in ((1e-6, 1e-9), (1e6, 1)):
                scaled = self.evaluate(model, "--set", f"L={size}", "--set", f"m={mass}")
                self.assertEqual(scaled["rank"], plain["rank"])
                for form, there in plain["forms"].items():
                    if "a" not in there:
                        continue
                    for name, value in there["a"].items():
                        self.assertIn("a", scaled["forms"][form], f"{form}, L = {size}, m = {mass}: {scaled['forms'][form]}")
                        own = scaled["forms"][form]["a"][name] / (size if name in "xyz" else 1)
                        self.assertAlmostEqual(own, value, delta=1e-12, msg=f"{form}, {name}, L = {size}, m = {mass}")

    def test_motions_of_micrograms_are_those_of_tons(self):
        self.path.write_text(BY_ANGLES, encoding="utf-8")

        def end(form, size, mass):
            result = cetaev(
                "run", self.path, "--form", form, "--t-end", "0.2", "--samples", "2", "--json",
                "--set", f"L={size}", "--set", f"m={mass}",
            )  # fmt: skip
            self.assertEqual(result.code, 0, result.err + result.out)
            return result.json["q"]

        for form in ("multipliers", "gauss", "maggi", "hamel"):
            there = end(form, 1, 1)
            for size, mass in ((1e-6, 1e-12), (1e3, 1e12)):
                for name, value in end(form, size, mass).items():
                    own = value / (size if name in "xyz" else 1)
                    self.assertAlmostEqual(own, there[name], delta=1e-10, msg=f"{form}, {name}, L = {size}, m = {mass}")

    def test_a_heavy_coordinate_does_not_hide_light_ones(self):
        model = (
            "coordinates = ['x', 'y', 'psi', 'phi']\nlagrangian = \"m/2*(x'^2 + y'^2) + J/2*psi'^2 + I/2*phi'^2 + k*phi\"\n"
            "constraints = [\"x' = phi'*cos(psi)\", \"y' = phi'*sin(psi)\"]\n"
            "[parameters]\nm = 1e-7\nI = 1e-7\nJ = 1e9\nk = 1e-7\n[initial]\npsi = 0.3\n\"psi'\" = 0.8\n\"phi'\" = 2\n"
        )
        document = self.evaluate(model)
        for form in ("multipliers", "gauss", "maggi", "hamel", "voronec", "appell"):
            there = document["forms"][form]["a"]  # (m + I) phi'' = k
            self.assertAlmostEqual(there["phi"], 0.5, 12, form)
            self.assertAlmostEqual(there["x"], 0.5 * math.cos(0.3) - 1.6 * math.sin(0.3), 12, form)
        # of the system that determines the accelerations, whatever they are counted in
        determinants = [document["forms"][form]["determinant"] for form in ("multipliers", "maggi")]
        self.assertAlmostEqual(determinants[0] / determinants[1], 1, 10)

    def test_inertias_that_multipliers_change_are_no_units(self):
        document = self.evaluate(
            "coordinates = ['x', 'y']\nlagrangian = \"m/2*(x'^2 + y'^2)\"\nconstraints = [\"x'^2 + y'^2 = C^2\"]\n"
            "[parameters]\nm = 1\nC = 2\n[initial]\n\"x'\" = 1\n\"y'\" = 1.7\n"
        )
        self.assertEqual(self.accelerations(document, "vakonomic"), [0, 0])  # straight ahead

    def test_near_a_pole_accelerations_keep_their_digits(self):
        # a top whose mass matrix has a condition of 1/θ²; its momenta by hand
        model = (
            "coordinates = ['psi', 'theta', 'phi']\n"
            "lagrangian = \"(theta'^2 + psi'^2*sin(theta)^2)/2 + C/2*(phi' + psi'*cos(theta))^2 - 2*cos(theta)\"\n"
            "[parameters]\nC = 0.5\n[initial]\ntheta = 1e-6\n\"psi'\" = 3\n\"theta'\" = 0.5\n\"phi'\" = 2\n"
        )
        forms = self.evaluate(model)["forms"]
        sine, cosine = math.sin(1e-6), math.cos(1e-6)
        spin = 0.5 * (2 + 3 * cosine)
        psi = (spin * 0.5 - 2 * 3 * cosine * 0.5) / sine
        expected = (psi, (9 * cosine - 3 * spin + 2) * sine, 3 * sine * 0.5 - psi * cosine)
        for name in ("multipliers", "hamel", "maggi", "appell", "gauss"):
            for value, true in zip(forms[name]["a"].values(), expected, strict=True):
                self.assertLess(abs(value - true), 1e-12 * abs(true), name)
            self.assertIn("digits", " ".join(forms[name]["notes"]), name)


if __name__ == "__main__":
    unittest.main()
