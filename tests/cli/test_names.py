"""Every name in printed equations is one of the model, one of the unknowns, or given by a line of the form.

Names come from the trees in the JSON of `derive`, which has every line that the text has.
"""

import re
import tempfile
import tomllib
import unittest
from pathlib import Path

from program import SOURCE, cetaev
from random_models import random_model

RANDOM = range(16)  # the seeds of systems by chance
# what the notes of the program introduce: Σ and the index of a chain's line, δ of the transpositional relations
MADE = re.compile(r"^(sum\d*|delta .*)$")
# two constraints on velocities that have no closed form
NO_CLOSED_FORM = """
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)"
constraints = ["x1'*y2' - y1'*x2'*(1 + x1^2) = 0.3", "x1'^2 + y1'^2 = x2'^2 + y2'^2"]
[parameters]
m = 1
[initial]
"x1'" = 1
"y2'" = 1
"""
NAMES_OF_THE_PROGRAM = """
coordinates = ["x", "y", "z"]
lagrangian = "m/2*(x'^2 + y'^2 + z'^2) - u1*x*y - lambda1*z - ln*d*y"
constraints = ["z' = y*x'"]
[parameters]
m = 1
u1 = 2
lambda1 = 3
ln = 2
d = 1.5
"""
# a constraint that moves, with a divisor that may vanish, cos(th), and one that does not, a + b sin(th) with a > b
MOVING = """
coordinates = ["x", "y", "th"]
kinetic = "a/2*(x'^2 + y'^2) + J/2*th'^2 + a*b*th'*(y'*cos(th) - x'*sin(th)) + M/8*x'*y'*cos(th - x)"
potential = "k*(x - c)^2/2 + a*k*b*cos(th + x)"
constraints = ["x'*(a + b*sin(th))*sin(th) - y'*(a + b*sin(th))*cos(th) = b*t"]
[parameters]
a = 1.3
J = 0.9
b = 0.35
k = 2.1
c = 0.6
M = 0.7
[initial]
t = 0.2
x = 0.4
y = 0.7
th = 0.5
"x'" = 1.1
"y'" = 0.6
"th'" = 0.8
"""


def symbols(tree):
    """In a tree, or a list of them."""
    if isinstance(tree, list):
        return set().union(*map(symbols, tree))
    if tree["op"] == "symbol":
        return {tree["name"]}
    return set().union(*(symbols(tree[key]) for key in ("args", "base", "exponent") if key in tree))


def stem(name):
    """Without primes; a vector of its components and its length."""
    return name.rstrip("'").removeprefix("norm(").rstrip(")" if name.startswith("norm(") else "'").split(".")[0]


def undefined(written, form, model_names):
    """Names without a line: not of the model, no unknown, nothing that a line is for."""
    lines = form.get("equations", []) + form.get("constraints", [])
    used = symbols([t for e in lines for side in ("left", "right") for t in e[side]])
    given = set(model_names) | {"t"} | {stem(name) for name in form["unknowns"]}
    for line in form["definitions"] + form["where"] + written["names"]:
        if "terms" in line:
            used |= symbols(line["terms"])
        given.add(stem(line["symbol"]))
    for line in lines:  # a line about what moves without constraints
        if line["label"].startswith("free "):
            given.add("free_" + line["label"].removeprefix("free "))
    left = {name for name in used if stem(name) not in given and not MADE.match(name)}
    # weights, and derivatives of dependent velocities: as many lines as names
    for kind, pattern in (("s", r"s\d+$"), ("gamma", r"(gamma|alpha)\W")):
        names = {name for name in left if re.match(pattern, name)}
        if len(names) <= sum(line["label"] == kind for line in lines):
            left -= names
    return left


class Names(unittest.TestCase):
    def names_of(self, path):
        model = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        names = list(model["coordinates"]) + list(model.get("parameters", {})) + list(model.get("definitions", {}))
        names += [p["name"] for p in model.get("points", []) + model.get("bodies", []) if "name" in p]
        return names

    def hold(self, path, **about):
        result = cetaev("derive", path, "--format", "json")
        if result.code == 3:
            return 0
        with self.subTest(**about):
            self.assertEqual(result.code, 0, result.err)
            for form in result.json["forms"]:
                if "error" in form:
                    continue
                self.assertNotIn("$", "".join(e["text"] for e in form["equations"]))
                self.assertEqual(undefined(result.json, form, self.names_of(path)), set(), form["name"])
        return 1

    def test_systems_by_chance(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.toml"
            looked_at = 0
            for seed in RANDOM:
                path.write_text(random_model(seed), encoding="utf-8")
                looked_at += self.hold(path, seed=seed)
            self.assertGreater(looked_at, len(RANDOM) / 2)

    def test_without_a_closed_form(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.toml"
            path.write_text(NO_CLOSED_FORM, encoding="utf-8")
            for form in ("voronec", "appell", "maggi"):
                written = cetaev("derive", path, "--form", form, "--format", "json").json["forms"][0]
                made = {n for e in written["equations"] for side in ("left", "right") for n in symbols(e[side]) if "[" in n or "(" in n}
                lines = [e for e in written["equations"] if e["label"] == "gamma"]
                self.assertTrue(made, form)
                self.assertEqual(len(made), len(lines), f"{form}: as many lines as names")

    def test_names_that_the_program_gives_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.toml"
            path.write_text(NAMES_OF_THE_PROGRAM, encoding="utf-8")
            text = cetaev("derive", path, "--form", "hamel", "--ascii").out
            self.assertIn("u1_", text)
            self.assertNotIn("$", text)
            self.assertIn("lambda1_", cetaev("derive", path, "--form", "multipliers", "--ascii").out)
            # not the logarithm of d, nor a differential
            equations = cetaev("derive", path, "--form", "multipliers", "--unicode").out
            self.assertIn("ln·d", equations)
            self.assertIn(r"\mathrm{ln}\cdot d", cetaev("derive", path, "--form", "multipliers", "--format", "latex").out)

    def test_conditions_and_what_cancels(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.toml"
            path.write_text(MOVING, encoding="utf-8")
            for form in ("voronec", "hamel"):
                for budget in ("0.001", "1"):
                    written = cetaev("derive", path, "--form", form, "--budget", budget, "--format", "json").json
                    conditions = [c["text"] for c in written["forms"][0]["nonzero"]]
                    self.assertEqual(conditions, ["cos(th)"], f"{form} with {budget}")
            # the equation for th has an inertia of its own, two forces and what the moving constraint adds: the other terms cancel
            terms = cetaev("derive", path, "--form", "voronec", "--format", "json").json["forms"][0]["equations"][1]
            self.assertLessEqual(len(terms["left"]) + len(terms["right"]), 4, terms["text"])
            tippe_top = cetaev("derive", "tippe-top", "--form", "hamel", "--format", "json").json["forms"][0]
            self.assertEqual([c["text"] for c in tippe_top["nonzero"]], ["sin(theta)"])
            self.assertTrue(tippe_top["equations"][-1]["text"].startswith("u2' = "), tippe_top["equations"][-1]["text"])

    def test_gallery(self):
        for path in sorted((SOURCE / "gallery").glob("*.toml"))[::12]:
            self.hold(path, model=path.stem)


if __name__ == "__main__":
    unittest.main()
