"""LaTeX read back: what is printed for a paper is what was derived, at random values of everything."""

import math
import random
import re
import tempfile
import unittest
from pathlib import Path

from program import SOURCE, cetaev
from random_models import random_model

EXACT = 1e-12  # of the terms of a side
# in every form
MODELS = (
    "skate", "chaplygin-sleigh", "rolling-disc", "roller-racer", "snakeboard", "segway", "trailer-3", "double-pendulum", "appell-hamel", "zekovic",
    "ball-on-turntable", "contact-oscillator", "relativistic-helix", "suslov", "cart", "heisenberg", "gyroscope", "constant-distance", "snake-10",
)
# and everything else in one of these, at a small effort: what is printed is read back, not how short it is
FORMS = ("multipliers", "hamel", "voronec")
RANDOM = range(200)
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|\d+(?:\.\d+)?|[-+=^_{}()\[\]|/,'*<>!.:;]|[^\x00-\x7f]")
SKIPPED = {r"\left", r"\right", r"\,", r"\;", r"\!", r"\ ", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr", r"\cdot", r"\quad"}
FUNCTIONS = {
    r"\sin": math.sin, r"\cos": math.cos, r"\tan": math.tan, r"\exp": math.exp, r"\ln": math.log, r"\log": math.log, r"\arctan": math.atan,
    r"\sinh": math.sinh, r"\cosh": math.cosh, r"\tanh": math.tanh, r"\arcsin": math.asin, r"\arccos": math.acos,
}
DOTS = {r"\dot": 1, r"\ddot": 2, r"\dddot": 3}


class Reader:
    """sums of products of powers, as a mathematician reads them; `values` by the spelling of a symbol."""

    def __init__(self, text, values):
        self.tokens = [t for t in TOKEN.findall(text) if t not in SKIPPED]
        self.at, self.values = 0, values

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.next()
        if wanted is not None and token != wanted:
            raise ValueError(f"{token!r} instead of {wanted!r} at {''.join(self.tokens[self.at:self.at + 8])}")
        self.at += 1
        return token

    def group(self):
        """What stands in braces, as text."""
        if self.next() != "{":
            return self.take()
        depth, found = 0, []
        while True:
            token = self.take()
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth == 0:
                return " ".join(found[1:])
            found.append(token)

    def inside(self, text):
        reader = Reader(text, self.values)
        value = reader.sum()
        if reader.next():
            raise ValueError(f"left over: {text}")
        return value

    def sum(self):
        total, sign = 0.0, 1
        if self.next() in "+-":
            sign = -1 if self.take() == "-" else 1
        total += sign * self.product()
        while self.next() in ("+", "-"):
            sign = -1 if self.take() == "-" else 1
            total += sign * self.product()
        return total

    def product(self):
        value, any_factor = 1.0, False
        while self.next() and self.next() not in ("+", "-", "=", ")", "}", "]", "|", r"\rvert", ",", "/"):
            value *= self.factor()
            any_factor = True
        while self.next() == "/":
            self.take()
            value /= self.factor()
        if not any_factor:
            raise ValueError(f"nothing to multiply at {''.join(self.tokens[self.at:self.at + 8])}")
        return value

    def exponent(self):
        if self.next() != "^":
            return None
        self.take()
        return self.inside(self.group())

    def powered(self, value):
        exponent = self.exponent()
        return value if exponent is None else value**exponent

    def factor(self):
        token = self.next()
        if token == "(":
            self.take()
            value = self.sum()
            self.take(")")
            return self.powered(value)
        if token in ("|", r"\lvert"):
            return self.symbol_or_length()
        if token == r"\frac":
            self.take()
            above, below = self.inside(self.group()), self.inside(self.group())
            return self.powered(above / below)
        if token == r"\sqrt":
            self.take()
            return self.powered(math.sqrt(self.inside(self.group())))
        if token in FUNCTIONS:
            return self.call()
        if token[0].isdigit():
            return self.powered(float(self.take()))
        if token == r"\pi":
            self.take()
            return self.powered(math.pi)
        if token == "{":
            return self.powered(self.inside(self.group()))
        return self.powered(self.symbol())

    def call(self):
        function = FUNCTIONS[self.take()]
        exponent = self.exponent()
        if self.next() == "(":
            self.take()
            argument = self.sum()
            self.take(")")
        else:  # sin 2a: what stands up to the next function or sum
            argument = self.argument()
        value = function(argument)
        return self.powered(value) if exponent is None else value**exponent

    def argument(self):
        if self.next()[0].isdigit():
            number = float(self.take())
            return number * self.symbol()
        if self.next() == r"\frac":
            return self.factor()
        return self.symbol()

    def symbol_or_length(self):
        closing = {"|": "|", r"\lvert": r"\rvert"}[self.take()]
        start = self.at
        name = self.spelled()
        if self.next() == closing and f"|{name}|" in self.values:
            self.take()
            return self.powered(self.values[f"|{name}|"])
        self.at = start
        value = abs(self.sum())
        self.take(closing)
        return self.powered(value)

    def spelled(self):
        """A symbol as a key: dots, stem, indices."""
        token, dots = self.take(), 0
        if token in DOTS:
            dots, token = DOTS[token], self.group().replace(" ", "")
        elif token in (r"\mathrm", r"\text", r"\tilde"):
            token = token + "{" + self.group().replace(" ", "") + "}"
        index = ""
        if self.next() == "_":
            self.take()
            index = self.group()
        return "'" * dots + token + "_" + re.sub(r"\\mathrm|[{},\s]", "", index)

    def symbol(self):
        name = self.spelled()
        if name not in self.values:
            raise KeyError(f"{name} among {sorted(self.values)[:12]}")
        return self.values[name]


def spelling(name):
    """The key of a name of the model, by the rules that typesetting states: Greek letters, digits and what follows `_` as indices, primes as dots."""
    greek = {"phi": r"\varphi", "epsilon": r"\varepsilon", "theta": r"\theta", "psi": r"\psi", "lambda": r"\lambda", "mu": r"\mu", "alpha": r"\alpha",
             "beta": r"\beta", "gamma": r"\gamma", "delta": r"\delta", "kappa": r"\kappa", "rho": r"\rho", "omega": r"\omega", "tau": r"\tau",
             "sigma": r"\sigma", "nu": r"\nu", "eta": r"\eta", "xi": r"\xi", "zeta": r"\zeta", "chi": r"\chi", "Omega": r"\Omega", "Delta": r"\Delta",
             "Gamma": r"\Gamma", "Theta": r"\Theta", "Phi": r"\Phi", "Psi": r"\Psi", "Lambda": r"\Lambda", "Sigma": r"\Sigma", "Xi": r"\Xi", "Pi": r"\Pi"}
    dots = len(name) - len(name.rstrip("'"))
    bare = name.rstrip("'")
    if bare.startswith("free_"):
        return "'" * dots + spelling(bare[5:]) + "free"
    if indexed := re.fullmatch(r"(\w+)\[(.*)\](?:_(.*))?", bare):  # gamma[y,x], alpha[y]_x
        of = indexed.group(2).split(",") + ([indexed.group(3)] if indexed.group(3) else [])
        return "'" * dots + greek[indexed.group(1)] + "_" + "".join(re.sub(r"\\mathrm|[{}]", "", spelling(i).rstrip("_")) for i in of)
    if bare.startswith("norm("):
        return f"|{spelling(bare[5:-1])}|"
    component = ""
    if "." in bare:
        bare, component = bare.rsplit(".", 1)
    pieces = bare.split("_")
    digits = re.search(r"\d*$", pieces[0]).group()
    stem = pieces[0][: len(pieces[0]) - len(digits)]
    indices = ([digits] if digits else []) + pieces[1:] + ([component] if component else [])
    indices = [greek.get(i, i) for i in indices]
    written = greek.get(stem, stem if len(stem) == 1 else r"\mathrm{" + stem + "}")
    return "'" * dots + written + "_" + "".join(indices)


def symbols(tree):
    if tree["op"] == "symbol":
        return {tree["name"]}
    found = set()
    for key in ("args",):
        for one in tree.get(key, ()):
            found |= symbols(one)
    for key in ("base", "exponent"):
        if key in tree:
            found |= symbols(tree[key])
    return found


def value(tree, at):
    kind = tree["op"]
    if kind == "number":
        above, _, below = tree["value"].partition("/")
        return float(above) / float(below or 1)
    if kind == "pi":
        return math.pi
    if kind == "symbol":
        return at[tree["name"]]
    if kind == "sum":
        return sum(value(one, at) for one in tree["args"])
    if kind == "product":
        return math.prod(value(one, at) for one in tree["args"])
    if kind == "power":
        return value(tree["base"], at) ** value(tree["exponent"], at)
    return {"abs": abs, "ln": math.log, "log": math.log}.get(tree["name"], getattr(math, tree["name"], None))(*(value(one, at) for one in tree["args"]))


class ReadBack(unittest.TestCase):
    def read(self, model, form):
        """How many sides of its equations are what their trees say."""
        read = 0
        for equation in form["equations"]:
            trees = equation["left"] + equation["right"]
            if any('"op": "too-long"' in str(t).replace("'", '"') for t in trees) or len(equation["latex"]) > 20000 or "too long" in equation["text"]:
                continue
            with self.subTest(model=model, form=form["name"], about=equation["label"]):
                names = sorted(set().union(set(), *map(symbols, trees)))
                generator = random.Random(model + equation["label"])
                at = {name: generator.uniform(0.3, 1.1) for name in names}
                values = {spelling(name): at[name] for name in names}
                self.assertEqual(len(values), len(names))
                for side, text in zip(("left", "right"), equation["latex"].split(" = ")):
                    try:
                        terms = [value(tree, at) for tree in equation[side]]
                    except (ValueError, ZeroDivisionError):
                        continue  # no such value
                    if any(isinstance(term, complex) or not math.isfinite(term) for term in terms):
                        continue
                    reader = Reader(text, values)
                    found = reader.sum() if text.strip() != "0" else 0
                    self.assertEqual(reader.next() if text.strip() != "0" else "", "", text[:200])
                    self.assertAlmostEqual(found, sum(terms), delta=EXACT * max(1, sum(map(abs, terms))), msg=text[:300])
                    read += 1
        return read

    def read_model(self, path, forms, *options):
        named = [argument for form in forms for argument in ("--form", form)]
        written = cetaev("derive", path, *named, "--format", "json", *options)
        if written.code == 3 and len(forms) == 1:
            return 0  # it does not apply
        self.assertEqual(written.code, 0, written.err)
        return sum(self.read(Path(path).stem, form) for form in written.json["forms"] if "error" not in form)

    def test_equations_in_latex_are_those_of_their_trees(self):
        self.assertGreater(sum(self.read_model(model, ()) for model in MODELS), 800)

    def test_so_are_those_of_the_whole_gallery_and_of_models_as_people_write_them(self):
        paths = [path for folder in ("gallery", "tests/conformance/models", "tests/golden/models") for path in sorted((SOURCE / folder).glob("*.toml"))]
        read = 0
        for i, path in enumerate(paths):
            read += sum(self.read_model(path, (form,), "--budget", 0.01) for form in (FORMS[0], FORMS[1 + i % 2]))
        self.assertGreater(read, 2000)

    def test_so_are_those_of_systems_by_chance(self):
        read = 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in RANDOM:
                path = Path(folder) / f"{seed}.toml"
                path.write_text(random_model(seed), encoding="utf-8")
                read += self.read_model(path, (FORMS[seed % len(FORMS)],), "--budget", 0.01)
        self.assertGreater(read, 800)


if __name__ == "__main__":
    unittest.main()
