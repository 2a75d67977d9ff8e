"""Points of view on transpositional relations, as `transpose` shows them."""

import math
import pathlib
import tempfile
import unittest

from program import cetaev

SKATE = ("skate", "--set", "phi=0.7", "--set", "x'=0.9")


def views(*arguments):
    return {view["name"]: view for view in cetaev("transpose", *arguments, "--json").json["views"]}


class Transpose(unittest.TestCase):
    def test_has_the_keys_of_the_contract(self):
        document = cetaev("transpose", *SKATE, "--json").json
        self.assertEqual([view["name"] for view in document["views"]], ["hoelder", "suslov", "mvm2", "mvm3"])
        for view in document["views"]:
            self.assertEqual(list(view["holds"]), ["A", "B", "C"])
            for matrix in (view["A"], view["A_at_state"]):
                self.assertEqual([len(row) for row in matrix], [3, 3, 3])
        self.assertEqual(
            {view["name"]: (view["holds"], view["motion"]) for view in document["views"]},
            {
                "hoelder": ({"A": False, "B": True, "C": True}, "vakonomic"),
                "suslov": ({"A": True, "B": True, "C": False}, "other"),
                "mvm2": ({"A": True, "B": True, "C": False}, "dalembert-lagrange"),
                "mvm3": ({"A": True, "B": True, "C": False}, "dalembert-lagrange"),
            },
        )

    def test_expressions_are_those_of_the_numbers(self):
        document = cetaev("transpose", *SKATE, "--json").json
        values = {"sin": math.sin, "cos": math.cos, "m": 1, "J": 1}
        for name, value in document["q"].items():
            values[name] = value
        for name, value in document["v"].items():
            values[name + "_rate"] = value
        for view in document["views"]:
            for i, row in enumerate(view["A"]):
                for j, text in enumerate(row):
                    value = eval(text.replace("'", "_rate").replace("^", "**"), {}, values)
                    self.assertAlmostEqual(value, view["A_at_state"][i][j], 12, f"{view['name']} {text}")

    def test_accelerations_are_those_of_the_forms(self):
        document = cetaev("transpose", *SKATE, "--json").json
        forms = cetaev("eval", *SKATE, "--json").json["forms"]
        for name, form in (("hoelder", "vakonomic"), ("suslov", "reduced"), ("mvm2", "mvm2"), ("mvm3", "mvm3")):
            view = next(view for view in document["views"] if view["name"] == name)
            for coordinate, value in view["a"].items():
                self.assertAlmostEqual(value, forms[form]["a"][coordinate], 12, name)
        for coordinate, value in document["a"].items():
            self.assertAlmostEqual(value, forms["multipliers"]["a"][coordinate], 12)
        self.assertEqual(views(*SKATE)["hoelder"]["discrepancy"], 0)

    def test_functions_can_be_tried(self):
        tried = views(*SKATE, "--auxiliary", "y'", "--auxiliary", "phi'")
        self.assertEqual(tried["mvm2"]["motion"], "other")
        self.assertEqual(tried["mvm3"]["motion"], "dalembert-lagrange")
        missing = views(*SKATE, "--auxiliary", "y'", "--auxiliary", "phi'", "--auxiliary", "x'")
        self.assertEqual(missing["mvm2"]["error"]["code"], "needs-auxiliary")
        self.assertEqual(missing["hoelder"]["motion"], "vakonomic")

    def test_integrable_constraints_have_all_three(self):
        self.assertEqual(views("circle")["hoelder"]["holds"], {"A": True, "B": True, "C": True})
        self.assertEqual(views("circle")["hoelder"]["motion"], "dalembert-lagrange")
        moment = views("circle")["mvm2"]
        self.assertEqual(moment["holds"], {"A": True, "B": True, "C": False})
        self.assertTrue(moment["commutes_virtually"])
        self.assertTrue(views("circle-angle")["mvm2"]["holds"]["C"])

    def test_large_models_have_numbers_and_no_formulas(self):
        large = views("parallel-velocities")
        self.assertEqual(large["hoelder"]["A"], [["0"] * 6] * 6)
        self.assertIsNone(large["suslov"]["A"])
        self.assertEqual(len(large["suslov"]["A_at_state"]), 6)
        self.assertEqual(large["suslov"]["holds"]["A"], True)

    def test_the_matrix_of_a_model_is_one_more(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.toml"
            path.write_text(
                "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x' = y\"]\n"
                "transpositional = [[0, \"x''\"], [0, 0]]\n[initial]\ny = 2\n\"y'\" = 0.5\n",
                encoding="utf-8",
            )
            own = views(path)["model"]
            # E φ of x' − y is (0, 1), J A = (0, x''), and δx = 0 is all that virtual displacements are tied by
            self.assertEqual(own["holds"], {"A": False, "B": True, "C": False})
            self.assertEqual(own["variation"][0]["text"], "(x'' - 1)*delta y")
            self.assertEqual(own["A_at_state"][0][1], 0.5)

    def test_is_written_as_latex_and_text(self):
        latex = cetaev("transpose", *SKATE, "--format", "latex").out
        self.assertEqual(latex.count("\\begin{pmatrix}"), 4)
        self.assertIn("\\begin{tabular}", latex)
        text = cetaev("transpose", *SKATE).out
        for words in ("(A)", "(B)", "(C)", "vakonomic", "delta(y') - (delta y)'"):
            self.assertIn(words, text)
        self.assertIn("δẏ", cetaev("transpose", *SKATE, "--unicode").out)

    def test_is_a_folded_part_of_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "skate.html"
            self.assertEqual(cetaev("report", "skate", "-o", page, "--t-end", "1").code, 0)
            text = page.read_text(encoding="utf-8")
            begin = text.index("<summary>Points of view on the transpositional relations</summary>")
            part = text[begin : text.index("</details>", begin)]
            self.assertIn("neither d'Alembert–Lagrange nor vakonomic", part.replace("&#39;", "'"))
            self.assertEqual(part.count("<tr><th"), 5)
            self.assertIn("<math", part)
            page = pathlib.Path(folder) / "free.html"
            cetaev("report", "double-pendulum", "-o", page, "--t-end", "1")
            self.assertNotIn("Points of view", page.read_text(encoding="utf-8"))

    def test_constraints_on_accelerations_are_refused(self):
        result = cetaev("transpose", "skate", "--constraint", "x'' = 1", "--json")
        self.assertEqual((result.code, result.json["error"]["code"]), (3, "not-applicable"))


if __name__ == "__main__":
    unittest.main()
