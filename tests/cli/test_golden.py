"""The equations of the gallery, as they were read and approved: tests/golden/MODEL--FORM.txt.

`test_golden.py --update` writes them anew; then read every difference and ask: would I print this?
"""

import json
import math
import random
import re
import sys
import unittest

from program import SOURCE, cetaev

GOLDEN = SOURCE / "tests" / "golden"
TWO_BLADES = GOLDEN / "models" / "two-blades.toml"
OPERATION = re.compile(r"\b(?:sin|cos|tan|sqrt|exp|log|abs|atan2|asin|acos|atan)\(|[-+*/^]")


def operations(equation):
    """Arithmetic operations and function calls; a sign in front of a whole side is none."""
    total = 0
    for side in equation.split(" = "):
        total += len(OPERATION.findall(side.strip().removeprefix("-")))
    return total


AS_THE_LITERATURE = 1.15  # times what a source prints
SYMBOL = r"[A-Za-z]\w*'*"
FUNCTIONS = {"sin", "cos", "tan", "sqrt", "exp", "log", "abs"}


def by_hand(linear=False):
    for name, hand in json.loads((GOLDEN / "hand.json").read_text(encoding="utf-8")).items():
        model, form = name.split()
        if linear == (form == "linear"):
            yield GOLDEN / model if model.endswith(".toml") else model, form, hand


def linear(model, *settings):
    """The matrices of small motions: all of the document."""
    return cetaev("derive", model, "--linear", "--format", "json", *(word for s in settings for word in ("--set", s))).json


def entries(matrices):
    """Every entry by its place: "K2_12", or "K_12" where a matrix has no powers of a speed but the first."""
    split = matrices["by_speed"]
    parts = [(name, [(0, matrices[name])] if split is None else [(p["exponent"], p["matrix"]) for p in split[name]]) for name in "MCK"]
    parts += [(name, [(0, matrices[name])]) for name in "PU" if name in matrices]
    return {
        f"{name}{exponent if len(powers) > 1 or exponent else ''}_{r + 1}{c + 1}": text
        for name, powers in parts
        for exponent, matrix in powers
        for r, row in enumerate(matrix)
        for c, text in enumerate(row)
    }


def random_values(seed, texts):
    generator = random.Random(seed)
    return {s: generator.uniform(0.2, 1.2) for s in sorted(set(re.findall(SYMBOL, " ".join(texts))) - FUNCTIONS - {"pi"})} | {"pi": math.pi}


def with_lines(where, values):
    values = dict(values)
    for line in where:
        name, value = line.split(" = ")
        values[name] = value_of(value, values)
    return values


def value_of(text, values):
    text = re.sub(SYMBOL, lambda m: m.group() if m.group() in FUNCTIONS else f"v[{m.group()!r}]", text)
    return eval(text.replace("^", "**"), {"v": values, **{f: getattr(math, f, abs) for f in FUNCTIONS}})


def gap(equation, where, values):
    values = with_lines(where, values)
    left, right = equation.split(" = ")
    return value_of(left, values) - value_of(right, values)


def linear_system(equations, where, state, unknowns):
    """Rows of coefficients and the rest, of equations that are linear in the unknowns."""
    at_zero = {**state, **dict.fromkeys(unknowns, 0)}
    rows = []
    for equation in equations:
        rest = gap(equation, where, at_zero)
        row = [gap(equation, where, {**at_zero, u: 1}) - rest for u in unknowns] + [rest]
        size = max(map(abs, row)) or 1
        rows.append([x / size for x in row])
    return rows


def rank(rows):
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0])):
        best = max(range(found, len(rows)), key=lambda i: abs(rows[i][column]), default=None)
        if best is None or abs(rows[best][column]) < 1e-9:  # of rows of size one, from numbers of sixteen digits
            continue
        rows[found], rows[best] = rows[best], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


def lines(form):
    """The equations of a form and the lines that explain their names."""
    return [e["text"] for e in form["equations"] + form["where"]]


def derive(model, form, *arguments):
    return cetaev("derive", model, "--form", form, *arguments)


class Golden(unittest.TestCase):
    def test_equations_are_those_that_were_approved(self):
        files = sorted(GOLDEN.glob("*--*.txt"))
        self.assertGreater(len(files), 10)
        for path in files:
            model, form = path.stem.split("--")
            with self.subTest(model=model, form=form):
                result = derive(model, form, "--ascii")
                self.assertEqual(result.code, 0, result.err)
                self.assertEqual(result.out, path.read_text(encoding="utf-8"))

    def test_no_equation_is_longer_than_by_hand(self):
        for model, form, hand in by_hand():
            with self.subTest(model=model, form=form):
                found = derive(model, form, "--format", "json").json["forms"][0]
                equations = [*hand["equations"], *hand.get("where", [])]
                if len(hand["equations"]) < len(found["equations"]):  # what a source prints
                    found = {"equations": found["equations"][: len(hand["equations"])], "where": []}
                self.assertEqual(len(found["equations"]), len(hand["equations"]), lines(found))
                most = AS_THE_LITERATURE if "source" in hand else 1
                self.assertLessEqual(sum(map(operations, lines(found))), most * sum(map(operations, equations)), lines(found))

    def test_equations_by_hand_are_true(self):
        # Both sets of equations have the same solutions at random states: they are linear in their unknowns.
        for model, form, hand in by_hand():
            with self.subTest(model=model, form=form):
                found = derive(model, form, "--format", "json", "--expand").json["forms"][0]
                ours = [e["text"] for e in found["equations"][: len(hand["equations"])]]
                texts = [*ours, *hand["equations"], *hand.get("where", [])]
                symbols = sorted(set(re.findall(SYMBOL, " ".join(texts))) - FUNCTIONS)
                unknowns = [s for s in symbols if s in found["unknowns"] or (form == "hamel" and s.endswith("'"))]
                for seed in range(3):
                    generator = random.Random(seed)
                    state = {s: generator.uniform(0.2, 1.2) for s in symbols}
                    a = linear_system(ours, [], state, unknowns)
                    b = linear_system(hand["equations"], hand.get("where", []), state, unknowns)
                    self.assertEqual([rank(a), rank(b)], [rank(a + b)] * 2, (ours, hand["equations"]))

    def test_linear_matrices_are_no_longer_than_by_hand(self):
        for model, _, hand in by_hand(linear=True):
            with self.subTest(model=model):
                found = linear(model, *hand.get("set", []))
                plain, short = entries(found), entries(found["short"])
                ours = [short[e.split(" = ")[0]] for e in hand["equations"]] + [w["text"] for w in found["short"]["where"]]
                theirs = [*hand["equations"], *hand["where"]]
                self.assertLessEqual(sum(map(operations, ours)), AS_THE_LITERATURE * sum(map(operations, theirs)), ours)
                for seed in range(3):
                    values = random_values(seed, [*plain.values(), *theirs])
                    named = with_lines(hand["where"], values)
                    for equation in hand["equations"]:
                        place, text = equation.split(" = ")
                        expected = value_of(text, named)
                        self.assertAlmostEqual(value_of(plain[place], values), expected, delta=1e-11 * (1 + abs(expected)), msg=place)

    def test_names_in_linear_matrices_stand_for_what_was_there(self):
        models = (
            (GOLDEN / "models" / "bicycle.toml",), ("bicycle",), ("rattleback", "alpha=0", "beta=0"),
            ("rolling-disc", "theta=0", "theta'=0", "psi'=0"), ("double-pendulum", "theta1=0", "theta2=0"),
        )  # fmt: skip
        with_names = 0
        for model, *settings in models:
            with self.subTest(model=model):
                found = linear(model, *settings)
                if found["short"] is None:
                    continue
                with_names += 1
                plain, short, where = entries(found), entries(found["short"]), found["short"]["where"]
                self.assertEqual(list(plain), list(short))
                values = random_values(1, plain.values())
                named = with_lines([f"{w['symbol']} = {w['text']}" for w in where], values)
                for place, text in plain.items():
                    expected = value_of(text, values)
                    self.assertAlmostEqual(value_of(short[place], named), expected, delta=1e-11 * (1 + abs(expected)), msg=place)
                used = " ".join([*short.values(), *(w["text"] for w in where)])
                for w in where:
                    self.assertGreaterEqual(len(re.findall(rf"\b{w['symbol']}\b", used)), 2, w)
        self.assertGreaterEqual(with_names, 3)
        self.assertNotIn("where", cetaev("derive", "bicycle", "--linear", "--expand").out)
        self.assertIn("\\text{where}", cetaev("derive", "bicycle", "--linear", "--format", "latex").out)

    def test_signs_of_parameters_are_told_where_they_were_used(self):
        settings = ("--set", "alpha=0", "--set", "beta=0")
        self.assertIn("for c > 0", cetaev("derive", "rattleback", "--linear", "--ascii", *settings).out)
        below = cetaev("derive", "rattleback", "--linear", "--format", "json", "--set", "c=-0.02", *settings).json
        self.assertEqual(below["signs"], {"c": -1})
        # the same stone with its axis the other way round
        values = {"a": 0.2, "b": 0.03, "h": 0.01, "m": 1, "A": 2e-4, "B": 1.6e-3, "C": 1.7e-3, "D": -2e-5, "g": 9.81, "psi'": 2}
        above = linear("rattleback", "alpha=0", "beta=0")
        for name in "MCK":
            for r in range(3):
                for c in range(3):
                    one, other = value_of(above[name][r][c], {**values, "c": 0.02}), value_of(below[name][r][c], {**values, "c": -0.02})
                    self.assertAlmostEqual(one, other, delta=1e-14)

    def test_a_heading_on_which_nothing_depends_leaves_the_equations(self):
        self.assertEqual(cetaev("check", TWO_BLADES, "--json").json["symmetry"]["group"], "SE(2)")
        found = [e["text"] for e in derive(TWO_BLADES, "hamel", "--format", "json").json["forms"][0]["equations"]]
        # x' = u cos(theta), y' = u sin(theta), theta' = w; the others are about phi
        self.assertEqual(["theta" in text for text in found], [True, True, True, False, False, False], found)

    def test_a_greater_budget_is_never_longer(self):
        for model, form in (("rolling-disc", "voronec"), ("snakeboard", "hamel"), ("suslov", "voronec"), ("cart", "maggi"), ("trailer-3", "hamel")):
            lengths = []
            for budget in (0, 0.001, 0.01, 0.1, 1, 10):
                document = derive(model, form, "--format", "json", "--budget", budget).json
                lengths.append(sum(map(operations, lines(document["forms"][0]))))
            with self.subTest(model=model, form=form, lengths=lengths):
                self.assertEqual(lengths, sorted(lengths, reverse=True))

    def test_what_recurs_has_a_name_where_the_whole_is_shorter(self):
        for model, form, least in (("suslov", "maggi", 2), ("spherical-pendulum", "multipliers", 1), ("car", "voronec", 1)):
            with self.subTest(model=model, form=form):
                named = derive(model, form, "--format", "json").json["forms"][0]
                plain = derive(model, form, "--format", "json", "--expand").json["forms"][0]
                self.assertGreaterEqual(len(named["where"]), least)
                self.assertEqual(plain["where"], [])
                self.assertLess(sum(map(operations, lines(named))), sum(map(operations, lines(plain))))
                # each line is read with the names before it alone
                seen = set()
                for line in named["where"]:
                    used = set(re.findall(r"[A-Za-z]\w*", line["text"].split(" = ", 1)[1]))
                    self.assertFalse(used & ({w["symbol"] for w in named["where"]} - seen), line["text"])
                    seen.add(line["symbol"])
        self.assertIn("where", derive("suslov", "maggi", "--format", "latex").out)
        self.assertRegex(derive("spherical-pendulum", "multipliers", "--ascii").out, r"where\n +Delta = x\^2 \+ y\^2 \+ z\^2")

    def test_lines_have_the_sign_of_their_inertia(self):
        form = derive("circle", "mvm2", "--format", "json").json["forms"][0]
        self.assertEqual([e["text"] for e in form["equations"][2:4]], ["x' = x*s1 - y*s2", "y' = x*s2 + y*s1"])
        self.assertRegex(derive("appell-hamel", "mvm3", "--ascii").out, r"m\*\(1 - s3\)\*z' += s1")
        # masses are positive, also behind other unknowns
        for model in ("double-pendulum", "spherical-pendulum", "top"):
            found = derive(model, "multipliers", "--format", "json", "--expand").json["forms"][0]
            for e in found["equations"]:
                values = random_values(3, [e["text"]])
                at_rest = {s: 0 if s in found["unknowns"] else value for s, value in values.items()}
                coefficient = gap(e["text"], [], {**at_rest, e["label"] + "''": 1}) - gap(e["text"], [], at_rest)
                self.assertGreater(coefficient, 0, e["text"])

    def test_forms_that_say_the_same_say_it_once(self):
        whole = cetaev("derive", "double-pendulum", "--format", "json").json
        same = {form["name"]: form.get("same_as") for form in whole["forms"] if "error" not in form}
        self.assertEqual(same["maggi"], "multipliers")
        self.assertIsNone(same["multipliers"])
        maggi, multipliers = (next(f for f in whole["forms"] if f["name"] == name) for name in ("maggi", "multipliers"))
        self.assertEqual(maggi["equations"], multipliers["equations"])
        self.assertIn("the same equations as multipliers", cetaev("derive", "double-pendulum", "--ascii").out)

    def test_quasi_velocities_that_serve_locally_say_where(self):
        form = derive("car", "hamel", "--format", "json").json["forms"][0]
        self.assertEqual([e["text"] for e in form["equations"][:4]], [
            "x' = u1*cos(theta)",
            "y' = u1*sin(theta)",
            "l*theta'*cos(delta) = u1*sin(delta)",
            "delta' = u2",
        ])
        self.assertIn("cos(delta)", [e["text"] for e in form["nonzero"]])
        self.assertEqual(len(form["conserved"]), 1)
        for e in form["equations"][4:]:
            self.assertNotIn("theta", e["text"])

    def test_large_systems_are_told_by_one_form_and_offer_code(self):
        out = cetaev("derive", "pendulums-20", "--ascii").out
        self.assertIn("writes code", out)
        self.assertNotIn("maggi", out)

    def test_forms_in_velocities_that_nobody_could_read_are_refused(self):
        result = derive("snake-30", "voronec", "--ascii")
        self.assertEqual(result.code, 3)
        self.assertIn("the dependent velocities are too long to be written", result.err)
        self.assertNotIn("B[", result.out)

    def test_names_of_the_model_are_used_and_written_out_on_request(self):
        named = derive("zekovic", "voronec", "--ascii").out
        self.assertIn("d = [x2 - x1, y2 - y1, 0]", named)
        self.assertIn("norm(d)^2", named)
        expanded = derive("zekovic", "voronec", "--ascii", "--expand").out
        self.assertNotIn("d.x", expanded)
        self.assertIn("(x1 - x2)^2", expanded)

    def test_multipliers_are_eliminated_and_parameters_inserted_on_request(self):
        eliminated = derive("skate", "multipliers", "--ascii", "--eliminate").out
        self.assertNotIn("lambda1", eliminated)
        # along the blade: x'' cos + y'' sin = g sin(slope) cos
        self.assertIn("x''*cos(phi) + y''*sin(phi)", eliminated)
        numeric = derive("skate", "hamel", "--ascii", "--numeric").out
        self.assertRegex(numeric, r"u' += 4\.905\*cos\(phi\)|u' += 981\*cos\(phi\)/200")

    def test_latex_is_no_longer_than_a_page(self):
        # the ball's dependent velocities are those of two Euler angles
        for model, limit in (
            ("ball-on-turntable", 12000),
            ("chaplygin-sleigh", 3000),
            ("rolling-disc", 3000),
            ("contact-oscillator", 3000),
        ):
            with self.subTest(model=model):
                result = derive(model, "voronec", "--format", "latex")
                self.assertEqual(result.code, 0, result.err)
                self.assertLessEqual(len(result.out.encode()), limit)


def update():
    for path in sorted(GOLDEN.glob("*--*.txt")):
        model, form = path.stem.split("--")
        path.write_text(derive(model, form, "--ascii").out, encoding="utf-8")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        unittest.main()
