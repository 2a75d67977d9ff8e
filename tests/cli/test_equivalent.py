"""cetaev equivalent: verdicts by exit code, witnesses that satisfy the one set and not the other, errors."""

import math
import pathlib
import tempfile
import unittest

from program import cetaev, gallery

TWO = """coordinates = ["x", "y"]
kinetic = "x'^2 + y'^2"
constraints = ["x' = k*y'"]
[parameters]
k = 2
"""


def vectors(state):
    """P1', P2', d of a state of two points."""
    axes = [axis for axis in "xyz" if f"{axis}1" in state["q"]]
    first = [state["v"][f"{axis}1"] for axis in axes]
    second = [state["v"][f"{axis}2"] for axis in axes]
    line = [state["q"][f"{axis}2"] - state["q"][f"{axis}1"] for axis in axes]
    return first, second, line


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Equivalent(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text, name="model.toml"):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_json(self, *arguments, code=0):
        result = cetaev("equivalent", *arguments, "--json")
        self.assertEqual(result.code, code, result.out + result.err)
        return result.json

    def test_both_across_is_constant_distance_with_the_middle_across(self):
        for suffix in ("", "-plane"):
            answer = self.run_json(f"both-across{suffix}", f"constant-distance-midpoint-across{suffix}")
            self.assertTrue(answer["equivalent"])
            self.assertEqual(answer["backward"]["holds"], "always")
            constraints = answer["forward"]["constraints"]
            self.assertEqual([c["text"] for c in constraints], ["norm(d) = l", "dot(B', d) = 0"])
            self.assertTrue(constraints[0]["up_to_constant"])
            self.assertEqual({c["ground"] for c in constraints}, {"proved by algebra"})

    def test_what_is_left_out_of_long_systems_is_told(self):
        names = [f"x{i}" for i in range(1, 20)]
        kinetic = " + ".join(f"{x}'^2" for x in names)
        rows = [f"{b}' = {a}*{a}'" for a, b in zip(names, names[1:])]
        chain = f'coordinates = {names}\nkinetic = "{kinetic}"\nconstraints = {rows}\n'
        long = self.write(chain, "long.toml")
        answer = self.run_json(long, long)
        self.assertTrue(answer["equivalent"])
        self.assertEqual(answer["left_out"], ["x17' = 0", "x18' = 0", "x19' = 0", "x17 = 0", "x18 = 0", "x19 = 0"])
        text = cetaev("equivalent", long, long).out
        self.assertIn("states where x17' = 0, or x18' = 0, or x19' = 0, or 3 others like these were not looked for", text)
        two = self.write(TWO)
        self.assertEqual(self.run_json(two, two)["left_out"], [])
        self.assertNotIn("not looked for", cetaev("equivalent", two, two).out)

    def test_sets_that_differ_beside_a_step_are_not_equivalent(self):
        plain = self.write(TWO.replace("x' = k*y'", "y' = 0"), "plain.toml")
        for term in ("(tanh(1000*(x-30))+1)*x'", "(tanh(1000*(t-30))+1)*x'", "x'/cosh(1000*(y-30))", "x'*exp(-(x-40)^2)"):
            step = self.write(TWO.replace("x' = k*y'", f"y' = {term}"), "step.toml")
            self.assertFalse(self.run_json(step, plain, code=1)["equivalent"], term)
            self.assertFalse(self.run_json(plain, step, code=1)["equivalent"], term)

    def test_a_set_without_states_is_equivalent_to_none(self):
        for never in ("tanh(x') = 1", "x'/sqrt(1+x'^2) = 1", "tanh(x' + y')^2 = 1", "exp(x') = 0"):
            empty = self.write(TWO.replace("x' = k*y'", never), "empty.toml")
            for arguments in ((empty, self.write(TWO)), (self.write(TWO), empty)):
                result = cetaev("equivalent", *arguments)
                self.assertEqual(result.code, 3, never + result.out)
                self.assertIn("no state ", result.err, never)

    def test_the_exception_is_a_motion_with_the_middle_at_rest(self):
        answer = self.run_json("both-across-plane", "midpoint-across-parallel-velocities-plane")
        self.assertTrue(answer["equivalent"])
        for constraint in answer["backward"]["constraints"]:
            self.assertEqual(constraint["implied"], "generically")
            (exception,) = constraint["exceptions"]
            first, second, line = vectors(exception)
            self.assertLess(math.hypot(*(a + b for a, b in zip(first, second))), 1e-12)
            self.assertGreater(abs(dot(first, line)), 1e-6)
            self.assertIn("B'", exception["vanishing"])
            self.assertTrue(exception["full_dimension"])
            self.assertEqual((exception["rank"], exception["generic_rank"]), (2, 2))
        (note,) = answer["notes"]
        self.assertEqual((note["rank"], note["generic_rank"]), ([2, 1], [2, 2]))
        first, second, line = vectors(note)
        self.assertAlmostEqual(dot(first, line), 0, 12)

    def test_in_space_it_fails_at_a_witness(self):
        answer = self.run_json("both-across", "midpoint-across-parallel-velocities", code=1)
        self.assertFalse(answer["equivalent"])
        self.assertEqual(answer["forward"]["holds"], "no")
        self.assertEqual(answer["backward"]["holds"], "generically")
        witness = answer["forward"]["constraints"][1]["exceptions"][0]
        first, second, line = vectors(witness)
        self.assertAlmostEqual(dot(first, line), 0, 9)
        self.assertAlmostEqual(dot(second, line), 0, 9)
        self.assertAlmostEqual(witness["value"], first[1] * second[2] - first[2] * second[1], 9)
        self.assertGreater(abs(witness["value"]), 1e-6)

    def test_every_gallery_model_is_equivalent_to_itself(self):
        for name in gallery():
            with self.subTest(model=name):
                answer = self.run_json(name, name)
                self.assertEqual(answer["forward"]["holds"], "always")
                self.assertEqual(answer["backward"]["holds"], "always")

    def test_without_other_every_alternative_is_compared(self):
        answer = self.run_json("both-across", code=1)
        names = [a["other"] for a in answer["alternatives"]]
        self.assertEqual(
            names, ["constant-distance-middle-across", "middle-across-parallel", "constant-distance-parallel"]
        )
        self.assertEqual([a["equivalent"] for a in answer["alternatives"]], [True, False, False])
        self.assertEqual(self.run_json("both-across", names[0])["other"], names[0])
        self.assertTrue(self.run_json("both-across-plane")["equivalent"])
        result = cetaev("equivalent", "skate", "--json")
        self.assertEqual((result.code, result.json["error"]["code"]), (2, "bad-model"))

    def test_an_alternative_comes_before_the_gallery_and_a_path_before_both(self):
        model = self.write(TWO + "[alternatives.skate]\nconstraints = [\"y' = x'/2\"]\n")
        self.assertTrue(self.run_json(model, "skate")["equivalent"])
        self.write(TWO.replace("k = 2", "k = 3"), "skate.toml")
        other = pathlib.Path(self.folder.name) / "skate.toml"
        self.assertFalse(self.run_json(model, other, code=1)["equivalent"])

    def test_another_model_keeps_its_parameters(self):
        model = self.write(TWO)
        swapped = self.write(TWO.replace('"x", "y"', '"y", "x"').replace("k = 2", "k = 4"), "other.toml")
        self.assertFalse(self.run_json(model, swapped, code=1)["equivalent"])
        self.assertTrue(self.run_json(model, swapped, "--set", "k=4")["equivalent"])

    def test_other_coordinates_are_an_error_that_names_them(self):
        model = self.write(TWO)
        other = self.write('coordinates = ["x", "phi", "psi"]\nkinetic = "x\'^2"\n', "other.toml")
        result = cetaev("equivalent", model, other, "--json")
        self.assertEqual(result.code, 2)
        error = result.json["error"]
        self.assertEqual(error["code"], "bad-model")
        for word in ("coordinate y", "coordinates phi and psi"):
            self.assertIn(word, error["message"])

    def test_a_contradictory_alternative_is_exit_3(self):
        model = self.write(TWO + "[alternatives.bad]\nconstraints = [\"x' = y'\", \"x' = y' + 1\"]\n")
        result = cetaev("equivalent", model, "bad", "--json")
        self.assertEqual((result.code, result.json["error"]["code"]), (3, "inconsistent-constraints"))

    def test_mistakes_in_alternatives_have_a_place(self):
        model = self.write(TWO + "[alternatives.a]\nconstraints = [\"x' = w'\"]\n")
        error = cetaev("equivalent", model, "a", "--json").json["error"]
        self.assertEqual((error["code"], error["line"], error["column"]), ("unknown-name", 7, 22))

    def test_the_text_says_what_numbers_do_not_see(self):
        """x' + 10^-90 y' = 0 is not x' = 0, but no computed state tells them apart; a proof is not in need of the caution."""
        small = self.write(
            """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["x' = 0"]
[alternatives.nearly]
constraints = ["x' + 1e-90*y' = 0"]
[alternatives.same]
constraints = ["2*x' = 0"]
"""
        )
        caution = "Not all of this is proved. A term smaller than 1e-60 of the largest in its equation may have been taken for zero."
        nearly = cetaev("equivalent", small, "nearly").out
        if "Equivalent" in nearly:
            self.assertIn(caution, nearly)
        same = cetaev("equivalent", small, "same").out
        self.assertIn("Equivalent", same)
        self.assertNotIn("Not all of this is proved", same)

    def test_the_text_says_what_is_special(self):
        result = cetaev("equivalent", "both-across-plane", "middle-across-parallel")
        self.assertEqual(result.code, 0)
        self.assertIn("where B' = 0", result.out)
        self.assertIn("branch of full dimension", result.out)
        self.assertIn("has rank 1 instead of 2", result.out)
        self.assertEqual(result.out, cetaev("equivalent", "both-across-plane", "middle-across-parallel").out)


if __name__ == "__main__":
    unittest.main()
