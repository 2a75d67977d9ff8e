"""Equations as text, LaTeX and JSON, as users of `derive` meet them."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

from program import CETAEV, cetaev, gallery

HOSTILE = r'''
name = "100% & \\input{x} #1 _^~ {"
description = "Cost: $5 \\end{document} — Četaev, Четаев, 世界, θ̇ ≠ 0"
coordinates = ["phi", "φ", "x1", "x_1", "x_cm", "ж", "ä", "long_name_2"]
lagrangian = "(phi'^2 + φ'^2 + x1'^2 + x_1'^2 + x_cm'^2 + ж'^2 + ä'^2 + long_name_2'^2)/2 - lambda1*x1 - _a*x_1"
constraints = ["x1'*sin(phi) = x_1'*cos(φ)"]
[parameters]
lambda1 = 2
_a = 1
'''


def derived(text, form):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.toml"
        path.write_text(text, encoding="utf-8")
        return cetaev("derive", path, "--form", form, "--format", "json").json


class AsAReaderWrites(unittest.TestCase):
    def test_conditions_are_said_once(self):
        def conditions(model, form):
            written = cetaev("derive", model, "--form", form, "--format", "json").json["forms"][0]
            return {condition["text"] for condition in written["nonzero"]}

        # not d and its length multiplied out, nor a speed and its square
        self.assertEqual(conditions("constant-distance-equal-speeds-plane", "maggi"), {"norm(d)", "x1'^2 + y1'^2", "x2'^2 + y2'^2"})
        # not its square and its cube
        self.assertEqual(conditions("roller-racer", "voronec"), {"Delta"})
        # what does not vanish where one of its squares does not
        self.assertEqual(conditions("zekovic", "voronec"), {"d.x", "d.y"})

    def test_squares_of_sums_with_sines_show(self):
        # by hand: B = d/dt of 1/(2 + sin y) before x', so -cos y/(2 + sin y)^2
        found = derived(
            """
            coordinates = ["x", "y", "z"]
            lagrangian = "(x'^2 + y'^2 + z'^2)/2"
            constraints = ["(2 + sin(y))*z' = x'"]
            dependent = ["z"]
            """,
            "voronec",
        )["forms"][0]
        self.assertIn("(2 + sin(y))^2", next(d["text"] for d in found["definitions"] if d.get("indices") == ["z", "y"]))
        self.assertEqual(found["nonzero"], [])

    def test_bodies_that_turn_have_eulers_equations(self):
        folder = pathlib.Path(__file__).parents[1] / "conformance" / "models"

        def equations(model):
            form = cetaev("derive", model, "--form", "hamel", "--format", "json").json["forms"][0]
            return [e["text"] for e in form["equations"]], form

        euler = ["A*omega_x' = (B - C)*omega_y*omega_z", "B*omega_y' = (C - A)*omega_x*omega_z", "C*omega_z' = (A - B)*omega_x*omega_y"]
        found, form = equations(folder / "euler-top.toml")
        self.assertEqual(found[-3:], euler)
        self.assertEqual([c["text"] for c in form["nonzero"]], ["sin(theta)"])
        found, form = equations(folder / "top-in-quaternion.toml")
        self.assertEqual(found[-1], "omega_z' = 0")
        self.assertIn("(m*l^2 + A - C)*D*omega_y*omega_z", found[-3])

    def test_a_root_has_its_name_wherever_it_stands(self):
        written = derived(
            """
            coordinates = ["x", "y"]
            lagrangian = "(x'^2 + y'^2)/2 - k/2*(r - b)^2"
            definitions = {r = "sqrt(1 + x^2 + y^2)"}
            parameters = {k = 3, b = 0.5}
            """,
            "multipliers",
        )
        self.assertEqual([e["text"] for e in written["forms"][0]["equations"]], ["x'' = k*x*(b - r)/r", "y'' = k*y*(b - r)/r"])
        self.assertEqual(written["lagrangian"]["text"], "x'^2/2 + y'^2/2 - k*(b - r)^2/2")

    def test_return_codes_of_code_say_different_things(self):
        text = cetaev("derive", "both-across", "--form", "maggi", "--format", "c").out
        lines = re.sub(r"\s*\n \*\s+(?=[^\s\d])", " ", text[text.index("Return codes") :].split("*/")[0])
        meanings = re.findall(r"\n \*   \d[^:]*: (.*)", lines)
        self.assertTrue(meanings)
        self.assertEqual(len(meanings), len(set(meanings)))


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        path = self.folder / "model.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def test_pipes_get_the_model_language_and_terminals_unicode(self):
        self.assertIn("m*x'' ", cetaev("derive", "skate", "--form", "multipliers").out)
        self.assertIn("m ẍ ", cetaev("derive", "skate", "--form", "multipliers", "--unicode").out)
        for locale, expected in (("C.UTF-8", "m ẍ "), ("C", "m*x'' ")):
            with self.subTest(locale=locale):
                ours, theirs = pty.openpty()
                environment = dict(os.environ, LC_ALL=locale)
                command = [CETAEV, "derive", "skate", "--form", "multipliers"]
                with subprocess.Popen(command, stdout=theirs, env=environment, stdin=subprocess.DEVNULL) as process:
                    os.close(theirs)
                    text = b""
                    try:
                        while chunk := os.read(ours, 4096):
                            text += chunk
                    except OSError:
                        pass  # the other end is closed
                    self.assertEqual(process.wait(), 0)
                os.close(ours)
                self.assertIn(expected, text.decode())

    def test_lines_of_text_fit_a_screen(self):
        for model in ("ball-on-turntable", "rolling-disc", "car"):
            for line in cetaev("derive", model, "--form", "voronec").out.splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_json_carries_trees_that_evaluate_to_the_text(self):
        import math

        def value(tree, at):
            match tree["op"]:
                case "sum":
                    return sum(value(a, at) for a in tree["args"])
                case "product":
                    return math.prod(value(a, at) for a in tree["args"])
                case "power":
                    return value(tree["base"], at) ** value(tree["exponent"], at)
                case "call":
                    return getattr(math, tree["name"])(*(value(a, at) for a in tree["args"]))
                case "symbol":
                    return at[tree["name"]]
                case "number":
                    numerator, _, denominator = tree["value"].partition("/")
                    return int(numerator) / int(denominator or 1)
                case "pi":
                    return math.pi

        class Values(dict):
            def __missing__(self, name):
                return 0.3 + (sum(map(ord, name)) % 17) / 20

        def by_text(text, at):
            names = {}
            for name in sorted(at.used, key=len, reverse=True):
                key = f"v{len(names)}_"
                text = text.replace(name, key) if "'" in name else __import__("re").sub(rf"\b{name}\b(?!')", key, text)
                names[key] = at[name]
            return eval(text.replace("^", "**"), {**vars(math), **names})  # noqa: S307

        def symbols(tree):
            if tree["op"] == "symbol":
                return {tree["name"]}
            parts = tree.get("args", []) + [tree[k] for k in ("base", "exponent") if k in tree]
            return set().union(*map(symbols, parts))

        for model in ("skate", "rolling-disc", "appell-hamel-machine"):
            document = cetaev("derive", model, "--form", "voronec", "--format", "json").json
            form = document["forms"][0]
            self.assertEqual(form["name"], "voronec")
            self.assertTrue(form["unknowns"])
            for equation in form["equations"]:
                left, right = equation["text"].split(" = ")
                for side, text in (("left", left), ("right", right)):
                    at = Values()
                    at.used = set().union(*map(symbols, equation[side]))
                    expected = sum(value(tree, at) for tree in equation[side])
                    self.assertAlmostEqual(by_text(text, at), expected, places=9, msg=text)

    def test_a_form_that_does_not_apply_is_an_error_in_its_place(self):
        result = cetaev("derive", "appell-hamel", "--format", "json")
        self.assertEqual(result.code, 0)
        hamel = next(form for form in result.json["forms"] if form["name"] == "hamel")
        self.assertEqual(hamel["error"]["code"], "not-applicable")
        self.assertEqual(cetaev("derive", "appell-hamel", "--form", "hamel", "--format", "json").code, 3)

    def test_files_are_written_whole_or_not_at_all(self):
        path = self.folder / "skate.tex"
        self.assertEqual(cetaev("derive", "skate", "--format", "latex", "-o", path).code, 0)
        self.assertTrue(path.read_text(encoding="utf-8").rstrip().endswith("."))
        self.assertEqual(os.listdir(self.folder), ["skate.tex"])
        result = cetaev("derive", "skate", "-o", self.folder / "nowhere" / "skate.txt")
        self.assertEqual(result.code, 4)
        self.assertIn("cannot write", result.err)
        self.assertEqual(cetaev("derive", "skate", "-o", self.folder).code, 4)
        self.assertEqual(cetaev("derive", "skate", "--document").code, 2)
        self.assertEqual(cetaev("derive", "skate", "--ascii", "--unicode").code, 2)

    def test_latex_has_one_align_environment_per_form(self):
        text = cetaev("derive", "skate", "--form", "voronec", "--format", "latex").out
        self.assertEqual(text.count("\\begin{align}"), 1)
        self.assertIn("\\ddot{\\varphi} &= 0", text)
        self.assertNotIn("documentclass", text)


class Latex(unittest.TestCase):
    """Every gallery model through one run of pdflatex; documents through one each."""

    def setUp(self):
        if shutil.which("pdflatex") is None:
            self.skipTest("there is no pdflatex here: no LaTeX is compiled (scripts/setup --tests installs it)")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, text):
        (self.folder / "page.tex").write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=500,
            check=False,
        )
        log = done.stdout.decode(errors="replace")
        self.assertEqual(done.returncode, 0, log[-3000:])
        self.assertNotIn("Missing character", log)
        self.assertTrue((self.folder / "page.pdf").stat().st_size > 1000)
        return log

    def test_every_gallery_model_compiles(self):
        parts = ["\\documentclass{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\begin{document}\n"]
        for name in gallery():
            result = cetaev("derive", name, "--format", "latex", "--budget", 1)
            self.assertEqual(result.code, 0, result.err)
            parts.append(f"\\typeout{{model {name}}}\n\\section{{{name}}}\n{result.out}\n")
            if name in ("skate", "appell-hamel", "parallel-velocities", "prescribed-speed"):
                parts.append(cetaev("transpose", name, "--format", "latex").out)
        parts.append("\\end{document}\n")
        self.compile("".join(parts))

    def test_documents_compile(self):
        for name in ("skate", "prescribed-speed", "pendulum"):
            with self.subTest(model=name):
                result = cetaev("derive", name, "--format", "latex", "--document")
                self.assertEqual(result.code, 0, result.err)
                self.compile(result.out)

    def test_nothing_in_a_model_file_reaches_tex(self):
        path = self.folder / "hostile.toml"
        path.write_text(HOSTILE, encoding="utf-8")
        result = cetaev("derive", path, "--format", "latex", "--document")
        self.assertEqual(result.code, 0, result.err)
        self.assertNotIn("\\input", result.out)
        self.assertEqual(result.out.count("\\end{document}"), 1)
        self.compile(result.out)


if __name__ == "__main__":
    unittest.main()
