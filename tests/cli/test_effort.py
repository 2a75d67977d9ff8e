"""A greater effort of simplification gives forms of equal length or shorter ones, by the measure of docs/reference/cli.md.

The gallery, and systems by chance. Lengths are counted here, from the trees in the JSON of `derive`, and are those that it says: a symbol two, a sign, a bar, a power, a parenthesis one, a
function one and a half.
"""

import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

from program import cetaev
from random_models import random_model

EFFORTS = (0, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10)
# where part of the effort once gave longer equations, and a little of everything else
SYSTEMS = (
    ("car", "voronec"), ("car", "appell"), ("car", "hamel"), ("atwood", "multipliers"), ("cart", "hamel"), ("cart", "voronec"),
    ("affine-degree-1", "hamel"), ("affine-degree-2", "maggi"), ("affine-degree-2", "appell"), ("both-across-plane", "voronec"),
    ("both-across", "appell"), ("ball-in-cylinder", "voronec"), ("constant-distance", "hamel"), ("equal-speeds-plane", "multipliers"),
    ("midpoint-across-plane", "hamel"), ("constant-distance-midpoint-along", "appell"), ("chaplygin-ball", "hamel"), ("skate", "voronec"),
    ("snakeboard", "hamel"), ("roller-racer", "hamel"), ("roller-racer", "voronec"), ("rolling-disc", "voronec"), ("suslov", "maggi"),
    ("circle", "mvm2"), ("pendulum", "vakonomic"), ("pendulums-3", "multipliers"), ("snake-4", "maggi"), ("trailer-3", "hamel"),
    ("heisenberg", "mvm3"), ("nonholonomic-particle", "gauss"), ("zekovic", "maggi"),
)  # fmt: skip
TERM = 3  # the end of a summand
LINE = 6  # a line that explains a name


def of_number(value, alone=False):
    value = abs(Fraction(value))
    length = 0 if value == 1 else 1 if value.denominator == 1 else 2
    return max(1, length) if alone else length


def length(tree):
    """Of a tree on paper."""
    operation = tree["op"]
    if operation == "number":
        return of_number(tree["value"], alone=True)
    if operation in ("symbol", "pi"):
        return 2
    if operation == "too-long":
        return tree["size"]
    if operation == "sum":
        total = -1
        for term in tree["args"]:
            number, rest = split(term)
            total += 1 + (of_number(number, alone=True) if rest is None else of_number(number) + length(rest))
            total += minus(number, rest) if rest is not None else 0
        return total
    if operation in ("product", "power"):
        number, rest = split(tree)
        if number != 1:
            return of_number(number, alone=rest is None) + minus(number, rest) + (length(rest) if rest else 0)
        return length_of_product(tree["args"] if operation == "product" else [tree])
    return 1.5 + sum(map(length, tree["args"]))


def minus(number, rest):
    """A sign, less those that a difference behind it saves: -(a - b) c is written (b - a) c."""
    if number > 0:
        return 0
    for factor in rest["args"] if rest and rest["op"] == "product" else [rest] if rest else []:
        if factor["op"] == "power" and factor["exponent"]["op"] == "number" and factor["exponent"]["value"] in ("3", "5", "7"):
            factor = factor["base"]
        if factor["op"] != "sum":
            continue
        negative = sum(split(term)[0] < 0 for term in factor["args"])
        if 2 * negative >= len(factor["args"]):
            return 0.5 * (len(factor["args"]) - 2 * negative)
    return 0.5


def split(tree):
    """The number before a product, and the rest."""
    if tree["op"] == "number":
        return Fraction(tree["value"]), None
    if tree["op"] == "product" and tree["args"][0]["op"] == "number":
        rest = tree["args"][1:]
        return Fraction(tree["args"][0]["value"]), rest[0] if len(rest) == 1 else {"op": "product", "args": rest}
    return Fraction(1), tree


def length_of_product(factors):
    total, above, below = 0, False, False
    for factor in factors:
        base, exponent = factor, Fraction(1)
        if factor["op"] == "power":
            if factor["exponent"]["op"] != "number":
                total += 1.5 + length(factor["base"]) + length(factor["exponent"])
                above = True
                continue
            base, exponent = factor["base"], Fraction(factor["exponent"]["value"])
        total += length(base) + (base["op"] == "sum") + (abs(exponent) != 1)
        above, below = above or exponent > 0, below or exponent < 0
    return total + (0 if not below else 1 if above else 2)


def length_of_form(form):
    """Of everything that is printed with it."""
    lines = (form.get("families") or form["equations"]) + (form.get("families_of_constraints") or form["constraints"])
    terms = [term for line in lines for side in ("left", "right") for term in line[side]]
    sums = form["definitions"] + form.get("transpositional", []) + form["conserved"] + ([form["minimise"]] if "minimise" in form else [])
    terms += [term for line in sums for term in line["terms"]] + [condition["tree"] for condition in form["nonzero"]]
    total = sum(length(term) + TERM for term in terms)
    return total + sum(LINE + sum(map(length, name["terms"])) for name in form["where"])


RANDOM = range(40)  # the seeds of systems by chance, each in one form
FORMS = ("multipliers", "hamel", "maggi", "voronec", "appell")


def by_efforts(model, form):
    """The form as it is written; none where the form does not apply."""
    results = [cetaev("derive", model, "--form", form, "--format", "json", "--budget", effort) for effort in EFFORTS]
    if any(result.code == 3 for result in results):
        return []
    return [result.json["forms"][0] for result in results]


class Effort(unittest.TestCase):
    def hold(self, forms):
        """Are they as long as they say, and the later ones no longer?"""
        found = [form["length"] for form in forms]
        for form in forms:
            if "too-long" not in str(form):
                self.assertEqual(form["length"], length_of_form(form))
        self.assertEqual(found, sorted(found, reverse=True))
        return found

    def test_more_effort_is_never_longer(self):
        shorter = 0
        for model, form in SYSTEMS:
            with self.subTest(model=model, form=form):
                found = self.hold(by_efforts(model, form))
                self.assertTrue(found)
                shorter += found[-1] < found[0]
        self.assertGreater(shorter, len(SYSTEMS) / 2)

    def test_nor_is_it_for_systems_by_chance(self):
        with tempfile.TemporaryDirectory() as folder:
            looked_at = 0
            for seed in RANDOM:
                path = Path(folder) / f"{seed}.toml"
                path.write_text(random_model(seed), encoding="utf-8")
                form = FORMS[seed % len(FORMS)]
                with self.subTest(seed=seed, form=form):
                    found = self.hold(by_efforts(path, form))
                    looked_at += len(found) > 0
            self.assertGreater(looked_at, len(RANDOM) / 2)


if __name__ == "__main__":
    unittest.main()
