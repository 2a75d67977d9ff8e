"""The objects of the papers, the inverse problem and elliptic functions, as users meet them."""

import importlib.util
import math
import os
import pathlib
import tempfile
import unittest

from program import cetaev, under_debians_python

under_debians_python("numpy", "scipy")  # exported code is run where they are

NAMES = "W,Omega,A,C,D,E,G,S,Lstar,alpha,B,F1,action"
PENDULUM = """
coordinates = ["phi"]
lagrangian  = "phi'^2/2 + k2/2*cos(phi)^2"
[parameters]
k2 = {k2}
[initial]
"phi'" = 1
[simulation]
t_end = 9
[closed_form]
phi = "am(t, k2)"
[outputs]
rate = "dn(t, k2)"
path = "ellipticF(am(t, k2), k2)"
"""


class Models(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text):
        path = pathlib.Path(self.folder.name) / "model.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)


class Objects(Models):
    def test_all_of_them_in_every_format(self):
        document = cetaev("derive", "skate", "--show", NAMES, "--format", "json").json
        self.assertEqual(list(document["objects"]), NAMES.split(","))
        self.assertEqual(document["forms"], [])
        arrays = {array["symbol"]: array for o in document["objects"].values() for array in o["arrays"]}
        self.assertEqual(arrays["W1"]["axes"], [["L1", "L2", "L3"], ["x", "y", "phi"]])
        self.assertEqual(arrays["W1"]["entries"][0][1]["text"], "-cos(phi)")
        self.assertEqual(len(arrays["D"]["entries"][0][0]), 2)
        self.assertEqual(arrays["L*"]["entries"]["text"], "m*x'^2/(2*cos(phi)^2) + J*phi'^2/2 + m*g*x*sin(slope)")
        text = cetaev("derive", "skate", "--show", NAMES).out
        latex = cetaev("derive", "skate", "--show", NAMES, "--format", "latex").out
        for name in NAMES.split(","):
            self.assertIn(f"\n{name}: ", text)
            self.assertIn(f"\n% {name}: ", latex)
        self.assertIn("\\begin{pmatrix}", latex)

    def test_a_is_that_of_transpose(self):
        arguments = ("gantmacher-rod", "--numeric")
        shown = cetaev("derive", *arguments, "--show", "A", "--format", "json").json["objects"]["A"]["arrays"][0]
        view = next(v for v in cetaev("transpose", "gantmacher-rod", "--json").json["views"] if v["name"] == "mvm2")
        self.assertEqual([[entry["text"] for entry in row] for row in shown["entries"]], view["A"])

    def test_with_a_form_beside(self):
        document = cetaev("derive", "skate", "--show", "alpha", "--form", "maggi", "--format", "json").json
        self.assertEqual([form["name"] for form in document["forms"]], ["maggi"])

    def test_unknown_names_and_absent_objects(self):
        result = cetaev("derive", "skate", "--show", "Omga")
        self.assertEqual((result.code, result.out), (2, ""))
        self.assertIn("did you mean 'Omega'?", result.err)
        absent = cetaev("derive", "skate", "--auxiliary", "x'", "--auxiliary", "y'", "--auxiliary", "phi'", "--show", "W,C", "--format", "json")
        self.assertEqual(absent.code, 3)
        self.assertEqual(absent.json["objects"]["W"]["error"]["code"], "needs-auxiliary")
        self.assertIn("arrays", absent.json["objects"]["C"])
        self.assertEqual(cetaev("derive", "prescribed-acceleration", "--show", "S").code, 3)
        self.assertEqual(cetaev("derive", "skate", "--show", "S", "--format", "c").code, 2)


class InverseProblem(unittest.TestCase):
    def proposals(self, *arguments):
        return cetaev("eval", *arguments, "--propose-auxiliary", "--json").json["forms"]["mvm2"]["proposals"]

    def test_proposals_tried_have_no_discrepancy(self):
        for model in ("skate", "contact-oscillator", "chaplygin-sleigh", "gantmacher-rod", "heisenberg"):
            found = self.proposals(model)
            self.assertIs(found["complement"]["integrable"], True)
            self.assertIn("total-derivatives", [s["kind"] for s in found["sets"]], model)
            for one in found["sets"]:
                tried = [x for f in one["functions"] for x in ("--auxiliary", f)]
                forms = cetaev("eval", model, *tried, "--form", "mvm2", "--json").json["forms"]
                self.assertLess(forms["mvm2"]["discrepancy"], 1e-12, (model, one["functions"]))
                for option in ((), ("--set", "t=1")):
                    self.assertEqual(cetaev("compare", model, *tried, "--form", "multipliers", "--form", "mvm2", *option).code, 0)

    def test_functions_that_depend_on_time_only_are_no_set(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('coordinates = ["x", "y", "z"]\nlagrangian = "(x\'^2 + y\'^2 + z\'^2)/2"\nconstraints = ["z\' = t*x\'"]\n')
            result = cetaev("eval", path, "--propose-auxiliary", "--json")
            self.assertEqual(result.code, 0, result.err)

    def test_says_what_was_searched(self):
        machine = self.proposals("appell-hamel-machine")
        self.assertEqual((machine["sets"], machine["complement"]["integrable"], machine["complement"]["proved"]), ([], False, True))
        self.assertEqual(len(machine["searched"]), 2)

    def test_zero_relations(self):
        circle = self.proposals("circle", "--zero-relations")
        self.assertTrue(circle["sets"] and all(s["zero_relations"] for s in circle["sets"]))
        self.assertIn("no auxiliary functions", self.proposals("skate", "--zero-relations")["impossible"])
        self.assertEqual(cetaev("eval", "skate", "--zero-relations").code, 2)

    def test_what_would_be_ignored_is_refused(self):
        refused = cetaev("eval", "skate", "--propose-auxiliary", "--form", "multipliers")
        self.assertEqual(refused.code, 2)
        self.assertIn("--form mvm2", refused.err)
        self.assertEqual(cetaev("eval", "skate", "--propose-auxiliary", "--form", "mvm2").code, 0)
        twice = cetaev("compare", "skate", "skate", "--map", "x = x", "--map", "x = y")
        self.assertEqual(twice.code, 2)
        self.assertIn("says twice what 'x' is", twice.err)
        nameless = cetaev("verify", "--claims", "")
        self.assertEqual(nameless.code, 2)
        self.assertIn("the name of a file is missing", nameless.err)


class EllipticFunctions(Models):
    def test_a_pendulum_turns_over_and_swings(self):
        for k2 in ("0.6", "1", "2.5", "-3"):
            path = self.write(PENDULUM.format(k2=k2))
            self.assertEqual(cetaev("verify", path).code, 0, k2)
            for method in ("taylor", "dop853"):
                motion = cetaev("run", path, "--method", method, "--trajectory", "--samples", "31", "--json").json
                for phi, rate in zip(motion["trajectory"]["v"]["phi"], motion["trajectory"]["outputs"]["rate"]):
                    self.assertAlmostEqual(phi, rate, 8)

    def test_in_equations_of_motion(self):
        # a force that is an elliptic function, and one of a coordinate in its parameter
        path = self.write(
            """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - x^2/2 - am(x, 1/3 + y/10)*dn(y, x/10 - 2)/5 - ellipticE(y, sin(x)/2 - 7/10)*ellipticF(x/5, 1/2)"
[initial]
x = 0.7
"y'" = 0.5
"""
        )
        ends = [cetaev("run", path, "--method", m, "--t-end", "3", "--tolerance", "1e-13", "--json").json for m in ("taylor", "dop853")]
        for name in ("x", "y"):
            self.assertAlmostEqual(ends[0]["q"][name], ends[1]["q"][name], 10)
        self.assertLess(ends[0]["energy_drift"], 1e-12)

    def test_wrong_use_is_pointed_at(self):
        for wrong, column in (("am(x)", 1), ("ellipticK(1)", 1), ("x + eliptikF(x, 1)", 5)):
            path = self.write(f'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[definitions]\nd = "{wrong}"\n')
            result = cetaev("check", path, "--json")
            self.assertEqual((result.code, result.json["error"]["line"], result.json["error"]["column"]), (2, 4, 5 + column), wrong)

    def test_the_parameter_is_a_coordinate_and_passes_zero_and_one(self):
        # where formulas for derivatives by m divide by zero
        path = self.write(
            """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - am(x, y)"
[initial]
x = 0.7
y = -0.5
"y'" = 1
"""
        )
        for place in ("0", "1"):
            here = cetaev("eval", path, "--set", f"y={place}", "--form", "multipliers", "--json").json
            near = [cetaev("eval", path, "--set", f"y={float(place) + h}", "--form", "multipliers", "--json").json for h in (-1e-6, 1e-6)]
            mean = sum(side["forms"]["multipliers"]["a"]["y"] for side in near) / 2
            self.assertAlmostEqual(here["forms"]["multipliers"]["a"]["y"], mean, 10, place)
        ends = [cetaev("run", path, "--method", m, "--t-end", "2", "--tolerance", "1e-12", "--json").json for m in ("taylor", "dop853")]
        self.assertAlmostEqual(ends[0]["q"]["x"], ends[1]["q"]["x"], 9)
        self.assertIn("am_m(x, y)", cetaev("derive", path, "--form", "multipliers").out)
        self.assertEqual(cetaev("check", self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 - am_m(x, 0)"\n')).code, 0)

    def test_export_of_every_parameter(self):
        path = self.write('coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2 - am(x, y) - dn(x, y) - ellipticE(x/9, y)"\n')
        code = cetaev("derive", path, "--format", "python").out
        self.assertIn("def _elliptic(", code)
        compile(code, "exported", "exec")
        if importlib.util.find_spec("scipy") is None or importlib.util.find_spec("numpy") is None:
            return
        module = {}
        exec(code, module)
        for y in (-30.0, -0.4, 0.3, 0.9, 1.7, 40.0):
            here = cetaev("eval", path, "--set", "x=0.8", "--set", f"y={y}", "--form", "multipliers", "--json").json
            for value, name in zip(module["rhs"](0, [0.8, y, 0, 0])[2:], ("x", "y")):
                self.assertTrue(math.isclose(float(value), here["forms"]["multipliers"]["a"][name], rel_tol=1e-9), (y, name))

    def test_export(self):
        path = self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 - am(x, 1/2) - ellipticF(x, 1/4)"\n')
        refused = cetaev("derive", path, "--format", "c")
        self.assertEqual(refused.code, 3)
        self.assertIn("elliptic function", refused.err)
        code = cetaev("derive", path, "--format", "python").out
        self.assertIn("from scipy import special", code)
        self.assertNotIn("scipy import", cetaev("derive", "skate", "--format", "python").out)
        if importlib.util.find_spec("scipy") is None or importlib.util.find_spec("numpy") is None:
            return
        module = {}
        exec(code, module)
        here = cetaev("eval", path, "--set", "x=0.4", "--form", "multipliers", "--json").json
        self.assertTrue(math.isclose(float(module["rhs"](0, [0.4, 0])[1]), here["forms"]["multipliers"]["a"]["x"], rel_tol=1e-12))


if __name__ == "__main__":
    unittest.main()
