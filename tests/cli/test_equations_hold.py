"""The equations that `derive` prints hold for the accelerations that `eval` computes.

The printed text is evaluated as it stands at the initial state, so that simplification, signs and the division by common
factors are all held to the numbers of another part of the program.
"""

import math
import pathlib
import re
import tempfile
import unittest

from program import SOURCE, cetaev, table

NAME = re.compile(r"[^\W\d]\w*'*")
NEARBY = 1e-3  # by which accelerations are moved to see the size of the terms
FORMS = ("multipliers", "maggi", "voronec", "caplygin", "appell", "vakonomic")
FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log")
} | {"abs": abs, "pi": math.pi}

FREE_TOP = """coordinates = ["psi", "theta", "phi"]
[frames]
F = "z psi, x theta, z phi"
[[bodies]]
name = "top"
frame = "F"
mass = 1
centre = "[0, 0, 0]"
inertia = ["A", "B", "C"]
[parameters]
A = 2
B = 1.5
C = 3
[initial]
theta = 1.2
phi = 0.3
"psi'" = 0.4
"theta'" = -0.3
"phi'" = 1.1
"""


def value(text, names):
    """A formula of the model language in Python."""
    scope = dict(FUNCTIONS)

    def rename(match):
        name = match.group(0)
        if name in FUNCTIONS:
            return name
        key = "n_" + name.replace("'", "_p")
        scope[key] = names[name]
        return key

    return eval(NAME.sub(rename, text).replace("^", "**"), {"__builtins__": {}}, scope)  # noqa: S307


class Equations(unittest.TestCase):
    def test_hold_for_the_accelerations_of_the_same_form(self):
        checked = 0
        for path in sorted((SOURCE / "gallery").glob("*.toml")):
            if path.stem.startswith("snake"):
                continue
            state = cetaev("eval", path.stem, "--json").json
            arguments = [argument for form in FORMS for argument in ("--form", form)]
            written = cetaev("derive", path.stem, *arguments, "--format", "json", "--numeric", "--expand").json
            for form in written["forms"]:
                found = state["forms"][form["name"]]
                if "error" in form or "error" in found:
                    continue
                names = {"t": state["t"]}
                for name in state["q"]:
                    names[name] = state["q"][name]
                    names[name + "'"] = state["v"][name]
                    names[name + "''"] = found["a"][name]
                for i, number in enumerate(found.get("multipliers", found.get("lambda", []))):
                    names[f"lambda{i + 1}"] = number
                for i, number in enumerate(found.get("lambda_dot", [])):
                    names[f"lambda{i + 1}'"] = number
                # by turns up and down: in an equation homogeneous in the velocities a common factor would show nothing
                nearby = {
                    name: number * (1 + NEARBY * (-1) ** i * name.endswith("'"))
                    for i, (name, number) in enumerate(names.items())
                }
                last_places = {name: number + 4e-16 * (-1) ** i * (1 + abs(number)) for i, (name, number) in enumerate(names.items())}
                if "independent_constraints" in state and form["name"] == "multipliers":
                    continue  # least-norm multipliers belong to all rows, the equations to independent ones
                for equation in form["equations"]:
                    with self.subTest(model=path.stem, form=form["name"], equation=equation["text"][:200]):
                        try:
                            sides = equation["text"].split(" = ")
                            left, right = (value(side, names) for side in sides)
                            moved = [value(side, nearby) for side in sides]
                            rounded = [value(side, last_places) for side in sides]
                        except (KeyError, ZeroDivisionError):
                            continue  # gamma and alpha without a closed form; a singular choice of velocities
                        checked += 1
                        # velocities and accelerations are known to a few units of their last place; large terms may cancel
                        terms = abs(left - right - moved[0] + moved[1]) / NEARBY
                        # and what the last places, beside one, make of them
                        noise = abs(left - right - rounded[0] + rounded[1])
                        allowed = 1e-9 * (1 + abs(left) + abs(right)) + 1e-12 * terms + 100 * noise
                        self.assertLessEqual(abs(left - right), allowed)
        self.assertGreater(checked, 500)

    def test_momenta_behind_eulers_equations_are_constant(self):
        """Along a motion that other equations gave, with the angular velocity in its axes from a textbook."""
        with tempfile.TemporaryDirectory() as folder:
            model, motion = pathlib.Path(folder) / "top.toml", pathlib.Path(folder) / "motion.csv"
            model.write_text(FREE_TOP, encoding="utf-8")
            form = cetaev("derive", model, "--form", "hamel", "--numeric", "--format", "json").json["forms"][0]
            self.assertEqual(len(form["conserved"]), 3)
            cetaev("run", model, "--form", "multipliers", "--t-end", "5", "--tolerance", "1e-13", "--out", motion)
            rows = [{name: float(text) for name, text in row.items()} for row in table(motion)]
        momenta = []
        for row in rows:
            psi_, theta_, phi_ = (row[name + "'"] for name in ("psi", "theta", "phi"))
            s, c = math.sin(row["theta"]), math.cos(row["theta"])
            omega = {
                "omega_x": psi_ * s * math.sin(row["phi"]) + theta_ * math.cos(row["phi"]),
                "omega_y": psi_ * s * math.cos(row["phi"]) - theta_ * math.sin(row["phi"]),
                "omega_z": psi_ * c + phi_,
            }
            momenta.append([value(e["text"], row | omega) for e in form["conserved"]])
        self.assertGreater(len(momenta), 10)
        self.assertGreater(max(abs(row["phi"] - rows[0]["phi"]) for row in rows), 1)
        for later in momenta:
            for one, first in zip(later, momenta[0]):
                self.assertAlmostEqual(one, first, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
