"""Equations of chains, one line for many: written out again they are those that stand one by one."""

import math
import pathlib
import random
import re
import tempfile
import tomllib
import unittest

from program import cetaev

SYMBOL = re.compile(r"[A-Za-z]\w*(?:(?<=_)\(i[-+]1\))?'*")
FUNCTIONS = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt}


def pendulums(count, mass=lambda i: "m", more=""):
    """A cart with so many pendulums, one below the other."""
    names = ["x", *(f"a{i}" for i in range(1, count + 1))]
    text = [f"coordinates = {names!r}"]
    text.append('potential = "' + " + ".join(f"{mass(i)}*g*P{i}.z" for i in range(1, count + 1)) + more + '"')
    text.append('[[points]]\nname = "P0"\nmass = "M"\nposition = ["x", "0", "0"]')
    for i in range(1, count + 1):
        text.append(f'[[points]]\nname = "P{i}"\nmass = "{mass(i)}"\nposition = "P{i - 1} + [l*sin(a{i}), 0, -l*cos(a{i})]"')
    text.append("[parameters]\nM = 1\nm = 1\nl = 1\ng = 9.81")
    text.extend(f"m{i} = {i}" for i in range(1, count + 1))
    return "\n".join(text)


def springs(count):
    """Masses on a line, joined by springs: neighbours only, and none beyond the ends."""
    names = [f"x{i}" for i in range(1, count + 1)]
    kinetic = " + ".join(f"m*{x}'^2/2" for x in names)
    potential = " + ".join(f"k*({b} - {a})^2/2" for a, b in zip(names, names[1:]))
    return f"coordinates = {names!r}\nlagrangian = \"{kinetic} - ({potential})\"\n[parameters]\nm = 1\nk = 2\n"


def plain(text, state, indices):
    """The value of an expression without sums."""
    def number(match):
        word = match.group()
        if word in FUNCTIONS:
            return word
        if word in indices:
            return str(indices[word])
        stem, _, rest = word.rpartition("_")
        index = rest.rstrip("'")
        beside = {**indices, **{f"({name}{sign}1)": at + by for name, at in indices.items() for sign, by in (("-", -1), ("+", 1))}}
        return f"s[{stem + str(beside[index]) + rest[len(index):] if index in beside else word!r}]"

    def quoted(match):
        found = number(match)
        return found if not found.startswith("s[") or "'" == found[2] or '"' == found[2] else f"s[{found[2:-1]!r}]"

    return eval(SYMBOL.sub(quoted, text).replace("^", "**"), {"s": state, **FUNCTIONS})


def side(text, state, indices):
    """The value of an expression with sums: sum(j=1..i-1, of this)."""
    begin = text.find("sum(")
    if begin < 0:
        return plain(text, state, indices)
    end, depth = begin + len("sum("), 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    head, inside = text[begin + len("sum("):end - 1].split(", ", 1)
    name, bounds = head.split("=")
    first, last = (plain(bound, state, indices) for bound in bounds.split(".."))
    total = sum(side(inside, state, {**indices, name: k}) for k in range(first, last + 1))
    return side(f"{text[:begin]}({total:.20f}){text[end:]}", state, indices)


def gap(equation, state, indices):
    left, right = equation.split(" = ")
    return side(left, state, indices) - side(right, state, indices)


class Families(unittest.TestCase):
    def derive(self, model, form, *more):
        if "\n" in model:
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            path = pathlib.Path(folder.name) / "chain.toml"
            path.write_text(model, encoding="utf-8")
            model = path
        return cetaev("derive", model, "--form", form, "--format", "json", *more).json

    def hold(self, families, equations, seed):
        """Written out in their order the families are the equations, at random states."""
        generator = random.Random(seed)
        names = set(SYMBOL.findall(" ".join(e["text"] for e in equations)))
        state = {name: generator.uniform(0.2, 1.2) for name in sorted(names)}
        out = []
        for family in families:
            for i in range(family.get("first", 0), family.get("last", 0) + 1):
                out.append(gap(family["text"], state, {family.get("index", "i"): i}))
        self.assertEqual(len(out), len(equations))
        for found, equation in zip(out, equations):
            expected = gap(equation["text"], state, {})
            self.assertAlmostEqual(found, expected, delta=1e-9 * max(1, abs(expected)), msg=equation["text"])

    def test_one_line_stands_for_many_and_says_the_same(self):
        for name, model, form, most in (
            ("five pendulums", pendulums(5), "multipliers", 2), ("twelve pendulums", pendulums(12), "multipliers", 2),
            ("snake", "snake-10", "multipliers", 3), ("Gauss", pendulums(12), "gauss", 2),
            ("quasi-velocities", pendulums(12), "hamel", 4),
        ):
            with self.subTest(name):
                document = self.derive(model, form)
                found = document["forms"][0]
                self.assertTrue("families" in found)
                self.assertLessEqual(len(found["families"]), most)
                self.hold(found["families"], found["equations"], name)
                if "families_of_constraints" in found:
                    self.hold(found["families_of_constraints"], found["constraints"], name)
                self.assertLess(len(found["families"]), len(found["equations"]))
                written_out = self.derive(model, form, "--expand")
                state = {s: random.Random(s).uniform(0.2, 1.2) for s in sorted(set(SYMBOL.findall(written_out["lagrangian"]["text"])))}
                lagrangians = [side(text, state, {}) for text in (document["lagrangian_in_sums"]["text"], written_out["lagrangian"]["text"])]
                self.assertAlmostEqual(*lagrangians, delta=1e-9 * abs(lagrangians[0]))
                self.assertFalse("families" in written_out["forms"][0])

    def test_what_does_not_follow_its_index_stands_one_by_one(self):
        for name, model in (("masses that differ", pendulums(6, mass=lambda i: f"m{i}")), ("few", pendulums(3)),
                            ("one that differs", pendulums(7, more=" + g*sin(a3)"))):
            with self.subTest(name):
                self.assertFalse("families" in self.derive(model, "multipliers")["forms"][0])

    def test_neighbours_and_ends_hold(self):
        found = self.derive(springs(19), "multipliers")["forms"][0]
        self.assertEqual([family.get("index") for family in found["families"]], [None, "i", None])
        self.hold(found["families"], found["equations"], 1)

    def test_long_chains_fold_whatever_the_effort(self):
        for form, most in (("multipliers", 2), ("gauss", 2), ("hamel", 4)):
            for budget in ("0.001", "10"):
                with self.subTest(form=form, budget=budget):
                    found = self.derive("pendulums-30", form, "--budget", budget)["forms"][0]
                    self.assertLessEqual(len(found["families"]), most)

    def test_the_energy_of_a_chain_is_what_eval_finds(self):
        """In sums over the links and written out; of systems beyond reading E* is left out, which is said."""
        for model, moved in (("pendulums-20", ("th1'=0.7", "th9'=-1.3", "x'=0.4")), ("snake-20", ())):
            with self.subTest(model):
                settings = [argument for name in moved for argument in ("--set", name)]
                at = cetaev("eval", model, "--json", *settings).json
                document = cetaev("derive", model, "--energy", "--format", "json", *settings).json
                state = {**at["q"], **{name + "'": v for name, v in at["v"].items()}}
                for name, given in tomllib.loads(cetaev("gallery", model).out)["parameters"].items():
                    state[name] = plain(given, state, {}) if isinstance(given, str) else given
                energy = document["energy"][0]
                self.assertEqual(energy["symbol"], "E")
                expected = at["energy"]["E"]
                for text in (energy["text"].split(" = ")[1], energy["in_sums"]["text"]):
                    self.assertAlmostEqual(side(text, state, {}), expected, delta=1e-11 * max(1, abs(expected)))
                reduced = any(d["symbol"] == "E*" for d in document["energy"])
                self.assertFalse(reduced)
                self.assertEqual(any("left out" in note for note in document["notes"]), model == "snake-20")

    def test_text_and_latex_have_the_sums(self):
        text = cetaev("derive", "snake-10", "--form", "multipliers").out
        self.assertIn("(i = 1, ..., 10)", text)
        self.assertIn("sum(j=i+1..10, ", text)
        self.assertLess(len(text.splitlines()), 40)
        self.assertIn(r"\sum_{j=i+1}^{10}", cetaev("derive", "snake-10", "--form", "multipliers", "--format", "latex").out)


if __name__ == "__main__":
    unittest.main()
