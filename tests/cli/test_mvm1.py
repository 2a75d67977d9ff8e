"""Theorem 1 with a matrix that the model gives, and lists tried from the command line."""

import math
import pathlib
import tempfile
import unittest

from program import cetaev

BLADE = """
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + 4.905*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
auxiliary = ["x'*cos(phi) + y'*sin(phi)", "phi'"]
{}
[initial]
phi = 0.4
"x'" = 0.7
"phi'" = 1.3
lambda = [0.7]
lambda0 = [0.2, -1.5]
"""


class Models(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "model.toml"

    def write(self, relations):
        self.path.write_text(BLADE.format(relations), encoding="utf-8")
        return self.path

    def assert_same(self, one, other, places=12):
        for name, value in one["a"].items():
            self.assertAlmostEqual(value, other["a"][name], places, name)


class Mvm1(Models):
    def test_stands_behind_vakonomic_with_its_multipliers_and_relations(self):
        forms = cetaev("eval", self.write('transpositional = "hoelder"'), "--json").json["forms"]
        names = list(forms)
        self.assertEqual(names[names.index("vakonomic") + 1], "mvm1")
        self.assertEqual(forms["mvm1"]["lambda"], [0.7])
        self.assertEqual(len(forms["mvm1"]["lambda_dot"]), 1)
        self.assertEqual(forms["mvm1"]["transpositional"], [[0, 0, 0]] * 3)
        self.assertEqual(forms["mvm1"]["vanishing_relations"], ["x", "y", "phi"])
        self.assertGreater(forms["mvm1"]["discrepancy"], 0.1)
        # x' cos(phi) + y' sin(phi) has its E along the constraint, and phi' is a total derivative
        self.assert_same(forms["mvm1"], forms["vakonomic"])

    def test_is_each_theorem_with_its_matrix(self):
        for theorem in ("mvm2", "mvm3"):
            forms = cetaev("eval", self.write(f'transpositional = "{theorem}"'), "--json").json["forms"]
            self.assert_same(forms["mvm1"], forms[theorem])

    def test_is_not_among_the_forms_of_other_models(self):
        self.assertNotIn("mvm1", cetaev("eval", "skate", "--json").json["forms"])
        self.assertNotIn("mvm1", [form["name"] for form in cetaev("derive", "skate", "--format", "json").json["forms"]])
        result = cetaev("eval", "skate", "--form", "mvm1", "--json")
        self.assertEqual(result.code, 3)
        self.assertEqual(result.json["error"]["code"], "not-applicable")
        self.assertIn("`transpositional`", result.json["error"]["message"])

    def test_is_derived_run_and_compared_as_any_other_form(self):
        path = self.write("transpositional = [[0, 0, 0], [0, 0, \"0.1*phi''\"], [0, 0, 0]]")
        derived = cetaev("derive", path, "--form", "mvm1", "--format", "json").json["forms"][0]
        self.assertEqual(len(derived["equations"]), 3)
        self.assertEqual(derived["transpositional"][0]["coordinate"], "y")
        run = cetaev("run", path, "--form", "mvm1", "--t-end", "1", "--json").json
        self.assertEqual((run["form"], run["status"]), ("mvm1", "finished"))
        self.assertLess(run["max_residual"], 1e-10)
        self.assertEqual(len(run["lambda"]), 1)
        # another method, another form of the equations: exported code would be a third
        other = cetaev("run", path, "--form", "mvm1", "--t-end", "1", "--method", "dop853", "--json").json
        for name, value in run["q"].items():
            self.assertAlmostEqual(value, other["q"][name], 9)
        self.assertEqual(cetaev("compare", path, "--form", "mvm1", "--form", "multipliers").code, 1)
        self.assertIn("mvm1", cetaev("derive", path, "--form", "mvm1", "--format", "c").out)

    def test_with_the_matrix_of_theorem_3_moves_as_multipliers_do(self):
        path = self.write('transpositional = "mvm3"')
        one = cetaev("run", path, "--form", "mvm1", "--t-end", "2", "--json").json
        other = cetaev("run", path, "--form", "multipliers", "--t-end", "2", "--json").json
        for name, value in one["q"].items():
            self.assertAlmostEqual(value, other["q"][name], 9)

    def test_without_relations_moves_as_the_vakonomic_equations_do(self):
        path = self.write('transpositional = "hoelder"')
        one = cetaev("run", path, "--form", "mvm1", "--t-end", "2", "--auxiliary", "", "--json").json
        other = cetaev("run", path, "--form", "vakonomic", "--t-end", "2", "--json").json
        for name, value in one["q"].items():
            self.assertAlmostEqual(value, other["q"][name], 9)

    def test_is_in_the_report(self):
        page = self.path.with_suffix(".html")
        self.assertEqual(cetaev("report", self.write('transpositional = "suslov"'), "-o", page, "--t-end", "1").code, 0)
        self.assertIn("modified vakonomic with A of the model", page.read_text(encoding="utf-8"))

    def test_matrices_of_the_wrong_shape_and_names_are_shown(self):
        for relations, column, words in (
            ("transpositional = [[0, 0, 0], [0, 0], [0, 0, 0]]", 31, "row 2 of 'transpositional' has 2 entries"),
            ("transpositional = [[0]]", 19, "'transpositional' has 1 row"),
            ('transpositional = "suslow"', 20, "unknown point of view"),
        ):
            result = cetaev("eval", self.write(relations), "--json")
            self.assertEqual(result.code, 2)
            error = result.json["error"]
            self.assertEqual((error["code"], error["line"], error["column"]), ("bad-model", 6, column))
            self.assertIn(words, error["message"])
            self.assertIn(relations + "\n    " + " " * (column - 1) + "^", result.err)

    def test_nonlinear_accelerations_are_solved_at_a_state_and_give_no_motion(self):
        path = self.write("transpositional = [[0, 0, 0], [0, 0, 0], [0, 0, \"phi''^2/50\"]]")
        form = cetaev("eval", path, "--form", "mvm1", "--json").json["forms"]["mvm1"]
        # phi'' − E_phi(λ φ + λ⁰ u) = phi''²/50 · (phi' − λ⁰₂), E_phi φ = −u, E_phi u = 0 on the constraint
        u = 0.7 / math.cos(0.4)
        a = form["a"]["phi"]
        self.assertAlmostEqual(a + 0.7 * u, a * a / 50 * (1.3 + 1.5), 12)
        self.assertTrue(form["notes"])
        result = cetaev("run", path, "--form", "mvm1", "--json")
        self.assertEqual((result.code, result.json["error"]["code"]), (3, "not-applicable"))


class Trials(Models):
    def test_auxiliary_functions_can_be_tried(self):
        with_its_own = cetaev("eval", "skate", "--set", "phi=0.7", "--set", "x'=1", "--json").json["forms"]["mvm2"]
        self.assertLess(with_its_own["discrepancy"], 1e-12)
        arguments = ("--set", "phi=0.7", "--set", "x'=1", "--auxiliary", "y'", "--auxiliary", "phi'")
        tried = cetaev("eval", "skate", *arguments, "--json").json
        y = tried["v"]["y"]
        expected = -(y**2) * math.cos(0.7) / math.sin(0.7) ** 3
        self.assertAlmostEqual(tried["forms"]["mvm2"]["a"]["phi"], expected, 12)
        comparison = cetaev("compare", "skate", "--form", "mvm2", "--form", "multipliers", *arguments)
        self.assertEqual(comparison.code, 1)
        run = cetaev("run", "skate", "--form", "mvm2", "--t-end", "0.001", *arguments, "--json").json
        self.assertAlmostEqual(run["v"]["phi"], 1.3 + 0.001 * expected, 4)
        self.assertIn("y'", cetaev("derive", "skate", "--form", "mvm2", *arguments).out)

    def test_constraints_can_be_tried(self):
        document = cetaev("eval", "skate", "--constraint", "y' = 0", "--constraint", "phi' = 0.5", "--json").json
        self.assertEqual(document["rank"], 2)
        self.assertEqual(document["v"], {"x": 0, "y": 0, "phi": 0.5})
        self.assertAlmostEqual(document["forms"]["multipliers"]["a"]["x"], 4.905, 12)
        free = cetaev("run", "skate", "--constraint", "", "--t-end", "2", "--json").json
        self.assertAlmostEqual(free["q"]["x"], 4.905 / 2 * 4, 10)
        self.assertAlmostEqual(free["q"]["phi"], 2.6, 10)
        derived = cetaev("derive", "skate", "--form", "multipliers", "--constraint", "x' = y", "--format", "json").json
        self.assertIn("y", derived["forms"][0]["constraints"][0]["text"])

    def test_relations_can_be_tried(self):
        arguments = ("--set", "phi=0.7", "--set", "x'=1", "--form", "mvm1", "--form", "reduced", "--auxiliary", "")
        forms = cetaev("eval", "skate", *arguments, "--transpositional", "suslov", "--json").json["forms"]
        self.assert_same(forms["mvm1"], forms["reduced"])
        result = cetaev("eval", "skate", "--transpositional", "mvm4", "--json")
        self.assertEqual((result.code, result.json["error"]["code"]), (2, "bad-model"))

    def test_mistakes_are_shown_where_they_are(self):
        result = cetaev("eval", "skate", "--constraint", "x' = 2*phy", "--json")
        self.assertEqual(result.code, 2)
        error = result.json["error"]
        self.assertEqual((error["code"], error["file"], error["column"]), ("unknown-name", "--constraint", 8))
        self.assertEqual(error["suggestion"], "phi")
        self.assertIn("x' = 2*phy\n           ^", result.err)


if __name__ == "__main__":
    unittest.main()
