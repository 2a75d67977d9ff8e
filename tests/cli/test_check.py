"""What `check` says, with the keys of the contract, about systems whose nature is known."""

import json
import math
import pathlib
import tempfile
import unittest

from program import cetaev


class Check(unittest.TestCase):
    def test_the_group_under_which_a_system_is_the_same_is_named(self):
        # known for each: motions of the plane, turns about the vertical, turns of space, shifts
        free = "(x'^2 + y'^2 + z'^2)/2"
        top = "A/2*(theta'^2 + phi'^2*sin(theta)^2) + C/2*(psi' + phi'*cos(theta))^2"
        systems = {
            "SE(2)": """constraints = ["x'*sin(z) - y'*cos(z) = 0"]\nlagrangian = "%s"\n[initial]\n"x'" = 1""" % free,
            "SO(2)": """constraints = ["x^2 + y^2 + z^2 = 1"]\nlagrangian = "%s - z"\n[initial]\nz = -1""" % free,
            "SO(3)": """lagrangian = "%s + 1/sqrt(x^2 + y^2 + z^2)"\n[initial]\nx = 1""" % free,
            "R^2": """lagrangian = "%s - cos(z)*x'*y'"\nforces = {x = "3"}""" % free,
        }
        systems = {group: 'coordinates = ["x", "y", "z"]\n' + text for group, text in systems.items()}
        # Lagrange's top has two angles that do not occur
        systems["R^2 "] = (
            'coordinates = ["phi", "theta", "psi"]\nparameters = {A = 2, C = 1, h = 3}\n'
            f'lagrangian = "{top} - h*cos(theta)"\n[initial]\ntheta = 1\n'
        )
        for group, text in systems.items():
            with self.subTest(group=group), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.toml"
                path.write_text(text)
                found = cetaev("check", path, "--json").json["symmetry"]
                self.assertEqual(found["group"], group.strip())
                self.assertEqual(found["ground"], "proved by algebra")
                self.assertIn(f"The same under {group.strip()}", cetaev("check", path).out)

    def test_constants_are_written_in_symbols_where_they_are_constant_for_all_values(self):
        # free in the plane with two masses: x = a + b t, y = c + d t whatever the masses are
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "masses.toml"
            path.write_text(
                """
                coordinates = ["x", "y"]
                lagrangian = "m1/2*x'^2 + m2/2*y'^2"
                parameters = {m1 = 1.294, m2 = 1.377}
                """
            )
            found = cetaev("check", path, "--json").json["first_integrals"]
        self.assertEqual(len(found), 3)
        for integral in found:
            text = integral["expression"].replace("x'", "vx").replace("y'", "vy")
            values = [
                eval(text, {"m1": 2.5, "m2": 0.3, "x": 1 + 2 * t, "vx": 2, "y": 3 - 5 * t, "vy": -5}) for t in (0, 1)
            ]
            self.assertAlmostEqual(values[0], values[1], delta=1e-12, msg=text)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, model):
        path = pathlib.Path(self.folder.name) / "model.toml"
        path.write_text(model, encoding="utf-8")
        return path

    def check(self, model, *arguments, code=0):
        if "\n" in model:
            model = self.write(model)
        result = cetaev("check", model, "--json", *arguments)
        self.assertEqual(result.code, code, result.err + result.out)
        return result.json

    def test_the_skate_has_every_key_of_the_contract(self):
        document = self.check("skate")
        self.assertEqual(document["coordinates"], 3)
        self.assertEqual(
            {key: document["constraints"][0][key] for key in ("order", "linearity", "degree", "rheonomic")},
            {"order": 1, "linearity": "linear", "degree": 1, "rheonomic": False},
        )
        expected = {
            "rank": 1,
            "redundant": 0,
            "degrees_of_freedom": 2,
            "conic": True,
            "holonomic_integrals": 0,
            "growth": [2, 3],
            "integrable": False,
            "caplygin": True,
            "caplygin_for": [["y"]],  # x is in the potential
        }
        self.assertEqual({key: document["set"][key] for key in expected}, expected)
        self.assertIs(document["energy"]["conserved"], True)
        self.assertTrue(document["energy"]["because"])
        self.assertIs(document["determinate"], True)

    def particle(self, coordinates, potential, *constraints, rest=""):
        """Points of mass 1 in a potential."""
        kinetic = " + ".join(f"{q}'^2" for q in coordinates)
        names = ", ".join(f'"{q}"' for q in coordinates)
        listed = ", ".join(f'"{c}"' for c in constraints)
        text = f'coordinates = [{names}]\nlagrangian = "({kinetic})/2 - ({potential})"\nconstraints = [{listed}]\n{rest}'
        return self.check(text, code=1 if "NOT" in rest else 0)

    def test_a_free_system_keeps_the_measure_of_its_mass_matrix(self):
        # Liouville: also where the equations do not contain the coordinate
        for lagrangian in ("exp(2*x)*x'^2/2 + y'^2/2", "exp(2*x)*(x'^2 + y'^2)/2", "(1 + x^2)*x'^2/2 + x*x'*y' + y'^2/2 + y'^2*x^2/2"):
            measure = self.check(f'coordinates = ["x", "y"]\nlagrangian = "{lagrangian}"\n')["invariant_measure"]
            self.assertIs(measure["exists"], True, (lagrangian, measure))

    def test_a_measure_is_denied_for_the_coordinates_that_are_told(self):
        # exp(2 c x) is one for the force -c x'^2; none is that does not contain x
        text = cetaev("check", self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[forces]\nx = "-x\'^2/3"\n')).out
        self.assertIn("that is the same for all x", " ".join(text.split()))

    def test_every_branch_of_a_set_has_its_verdict(self):
        # y' = x' or y' = x' + 2; y' = 0 or y' = 2: only the first of them is a cone, and on the second the reaction works
        for constraint in ("(y' - x' - 1)^2 = 1", "y'^2 = 2*y'"):
            with self.subTest(constraint=constraint):
                found = self.particle("xy", "y", constraint)
                self.assertIs(found["set"]["conic"], False)
                self.assertIs(found["energy"]["conserved"], False)
                self.assertEqual(sorted(b["conic"] for b in found["set"]["branches"]), [False, True])
                self.assertEqual(sorted(b["energy_conserved"] for b in found["set"]["branches"]), [False, True])
                self.assertIs(found["set"]["branches_complete"], True)
        # on the branch x = 2 the force on y is -2, wherever the motion starts
        for start in ("", "x = 2\n", "x = 0\n"):
            found = self.particle("xy", "x*y", "(x - 1)^2 = 1", rest=f"[initial]\n{start}[integrals]\n# NOT\npy = \"y'\"\n")
            self.assertIs(found["integrals"]["py"]["conserved"], False)

    def test_what_is_not_one_to_one_is_not_linear(self):
        found = self.particle("xyw", "0", "w' = atan(tan(y'))")
        self.assertEqual(found["constraints"][0]["linearity"], "nonlinear")
        self.assertIs(found["set"]["conic"], False)

    def test_a_wall_that_no_random_state_meets_is_there(self):
        found = self.particle("xy", "(abs(x - 4) + x - 4)^2", rest="[integrals]\n# NOT\npx = \"x'\"\n")
        self.assertIs(found["integrals"]["px"]["conserved"], False)

    def test_a_found_integral_says_something(self):
        found = self.particle("xyz", "0", "z' = (x*y' - y*x')/(x^2 + y^2)")
        (integral,) = found["set"]["integrals_found"]
        self.assertIn("z", integral["expression"])
        self.assertTrue(integral["jumps_where_zero"])
        found = self.particle("xyz", "0", "y*z' + z*y' = 2*x*x'/(x^4 + 1)", rest="[initial]\nx = 1\ny = 1\nz = 1\n")
        (integral,) = found["set"]["integrals_found"]
        self.assertIn(integral["expression"], ("atan(x^2) - y*z", "y*z - atan(x^2)"))

    def test_a_constraint_that_holds_part_of_the_time_comes_in_pieces(self):
        found = self.particle("xy", "x^2/2 + y^2", "(1 - atan2(0, t - 1)/pi)*(x' - y') = 0", rest="[initial]\nx = 1\n\"y'\" = 1\n")
        self.assertEqual({piece["where"]: piece["rank"] for piece in found["set"]["pieces"]}, {"t - 1 < 0": 0, "t - 1 > 0": 1})

    def model(self, constraint, more="", potential="", names="x, y"):
        names = names.split(", ")
        kinetic = " + ".join(f"{name}'^2" for name in names)
        constraints = f"constraints = [{constraint}]\n" if constraint else ""
        return f'coordinates = {names}\nlagrangian = "({kinetic})/2 {potential}"\n{constraints}{more}'

    def test_a_constraint_that_says_nothing_on_one_side_fixes_nothing_there(self):
        # x' >= 0, x >= 0, |y' - x'| <= 1: regions, on which nothing is constant
        for region in ("abs(x') = x'", "abs(x) = x", "sqrt((y'-x')^2) = x'-y'", "abs((y'-x')-1)+abs((y'-x')+1) = 2"):
            document = self.check(self.model(f'"{region}"'))
            self.assertNotEqual(document["set"]["holonomic_integrals"], 1, region)
        # y' <= x', x' y' >= 0, y <= x: the edge, where the side that asks for something ends, is no piece
        for region in ("abs(y'-x')+y'-x' = 0", "y'*x' = abs(x'*y')", "abs(y-x)+y-x = 0", "sqrt((y'-x')^2) = x'-y'"):
            document = self.check(self.model(f'"{region}"'))
            self.assertEqual((document["set"]["rank"], document["set"].get("pieces")), (0, None), region)
        # with a branch on one side that is one
        document = self.check(self.model("\"(abs(x')-x')*(y'-1) = 0\""))
        self.assertEqual({piece["where"]: piece["rank"] for piece in document["set"]["pieces"]}, {"x' < 0": 1, "x' > 0": 0})
        # nothing is asked where x < 0, and x'' = -1 there
        document = self.check(
            self.model('"x\'*(x+abs(x)) = 0"', "[integrals]\npx = \"x'\"\n[initial]\nx = 1\n", "- x"), code=1
        )
        self.assertIs(document["integrals"]["px"]["conserved"], False)
        self.assertEqual(sorted(piece["rank"] for piece in document["set"]["pieces"]), [0, 1])

    def test_branches_are_reached_wherever_their_conditions_hold(self):
        for threshold in (1, 2, 5, 15, 60):
            document = self.check(
                self.model(f"\"y' = x'*(abs(x-{threshold})+x-{threshold})\"", '[integrals]\ny = "y"\n'), code=1
            )
            self.assertIs(document["integrals"]["y"]["conserved"], False, threshold)

    def test_other_zeros_are_looked_for(self):
        # y' = x' + c with another c than 0: no cone, and gravity does work on it
        for u in ("sin(U) = 0", "tan(U) = 0"):
            document = self.check(self.model('"' + u.replace("U", "(y'-x')") + '"', potential="- y"))
            self.assertIs(document["set"]["conic"], False, u)
            self.assertIs(document["energy"]["conserved"], False, u)

    def test_branches_far_away_are_found_from_every_start(self):
        # y' = x' or y' = x' + 10, wherever the model starts: the second is no cone, and gravity does work on it
        u = "(y'-x')*(y'-x'-10)"
        for start in ("", "[initial]\n\"x'\" = 3\n", "[initial]\n\"x'\" = 1\n\"y'\" = 10.5\n"):
            for constraint, known in (
                (f"atan({u}) + {u} = 0", True),
                (f"sinh({u}) + {u} = 0", True),
                (f"exp({u}) + 2*{u} = 1", True),
                (f"sinh({u}) = -tanh({u})", True),
                (f"atan({u}) + {u} = {u}*sin(x)", False),  # 2 - sin(x) is not known to be positive
            ):
                document = self.check(self.model(f'"{constraint}"', start, "- y"))
                self.assertIs(document["set"]["conic"], False, constraint + start)
                self.assertIs(document["energy"]["conserved"], False, constraint + start)
                if known:
                    self.assertEqual(sorted(b["conic"] for b in document["set"]["branches"]), [False, True], constraint)
                    self.assertIs(document["set"]["branches_complete"], True, constraint)
        # functions that take no value twice: y' = x' or y' = -x'
        for f in ("log(U^2 + 1)", "sqrt(U^2 + 1)", "exp(U^2)", "tanh(U^2 - 3)"):
            document = self.check(self.model(f'"{f.replace("U", "y" + chr(39))} = {f.replace("U", "x" + chr(39))}"'))
            self.assertEqual(len(document["set"]["branches"]), 2, f)
            self.assertIs(document["set"]["branches_complete"], True, f)

    def test_branches_of_accelerations_are_reached_on_every_side(self):
        # of y'' = 1 and y'' = -1 the second is nearer to the free acceleration, -2 or -1: E' = y' (y'' + 2), 0
        for constraint in ("abs(y'') = 1", "y''^2 = 1", "abs(y'' + x'') = 1 + abs(x'')"):
            document = self.check(self.model(f'"{constraint}"', potential="- 2*y"))
            self.assertIs(document["energy"]["conserved"], False, constraint)
        for constraint in ("abs(y'') = 1", "y''^2 = 1"):
            document = self.check(self.model(f'"{constraint}"', potential="- y"))
            self.assertIs(document["energy"]["conserved"], True, constraint)
            self.assertIs(document["set"]["branches_complete"], True, constraint)

    def test_a_position_without_derivatives_is_a_singular_point(self):
        result = cetaev("eval", self.write(self.model('"abs(x) = abs(y)"')))
        self.assertEqual(result.code, 3)
        self.assertIn("has no finite derivatives at this state, which is a singular point of the constraints", result.err)

    def test_what_is_tiny_at_most_states_is_there(self):
        for bump in ("exp(-10*(x-5)^2)*y", "y/cosh(x-400)", "exp(-(x-30)^2)*y"):
            document = self.check(self.model("", "[integrals]\npy = \"y'\"\n", f"- {bump}"), code=1)
            self.assertIs(document["integrals"]["py"]["conserved"], False, bump)

    def test_a_step_that_no_random_state_meets_is_there(self):
        for step in ("tanh(100*(t-3))", "tanh(1000*(t-30))", "1/(1+exp(-500*(t-20)))", "exp(-1000*(t-7)^2)"):
            document = self.check(self.model("", potential=f"- y*{step} - y"))
            self.assertIs(document["energy"]["conserved"], False, step)
        for step in ("tanh(1000*(x-30))", "1/(1+exp(-500*(x-20)))", "exp(-1000*(x-7)^2)", "1/cosh(300*(x+11))"):
            document = self.check(self.model("", "[integrals]\npx = \"x'\"\n", f"- {step}"), code=1)
            self.assertIs(document["integrals"]["px"]["conserved"], False, step)

    def test_states_are_drawn_where_the_model_is_defined(self):
        # linear in the velocities, and a cone, wherever the model starts
        for factor in ("sqrt(x-5)", "log(x-3)", "sqrt(x-50)", "acosh(x-4)", "asin(x-9)", "sqrt(1-x)*sqrt(x-0.99)", "sqrt(t-5)", "log(log(x-3))"):
            document = self.check(self.model(f"\"{factor}*y' = x'\""))
            self.assertEqual((document["set"]["rank"], document["set"]["conic"]), (1, True), factor)
        document = self.check(self.model("\"x'^1.5 = y'-9\""))
        self.assertEqual((document["set"]["rank"], document["set"]["conic"]), (1, False))
        self.assertIs(self.check(self.model("", potential="- sqrt(x-5)*y"))["determinate"], True)

    def test_a_side_that_was_not_reached_is_named_with_declared_integrals_too(self):
        result = cetaev("check", self.write(self.model("", "[integrals]\npx = \"x'\"\n", "- (abs(abs(x-50)-0.001)-abs(x-50)+0.001)^2")))
        self.assertIn("no state was found where", result.out[result.out.index("px") :])

    def test_rows_that_hide_a_condition_determine_no_motion(self):
        document = self.check(self.model("\"x' = y\", \"x' = z\"", names="x, y, z"))
        self.assertIs(document["determinate"], False)
        self.assertIn("hides a condition", document["determinate_because"])

    def test_a_limit_that_is_not_reached_is_no_zero(self):
        # what doubles, and balls of any size, cannot tell from zero far away
        for constraint, proved in (
            ("tanh(x'-1) = 1", True),
            ("atan(x') = pi/2", True),
            ("exp(-x') = 0", True),
            ("1/x' = 0", True),
            ("tanh(x) = 1", True),
            ("x'/sqrt(1+x'^2) = 1", False),
            ("sqrt(x'^2+1) = x'", False),
            ("cosh(x'+y')-sinh(x'+y') = 0", False),
            ("tanh(x'+2*y')^2 = 1", True),
        ):
            # both look for a state by the same search, which takes seconds where it proves nothing
            for command in ("check", "eval") if proved or "cosh" in constraint else ("check",):
                result = cetaev(command, self.write(self.model(f'"{constraint}"')))
                self.assertEqual(result.code, 3, constraint + result.out)
                self.assertIn("no state satisfies" if proved else "that there is none is not proved", result.err, constraint)
        # and one that is reached, beside such a limit
        for constraint, value in (("tanh(x'-30) = -0.5", 29.45069385566594), ("x'*(tanh(x')-1) = 0", 0)):
            result = cetaev("eval", self.write(self.model(f'"{constraint}"', "dependent = ['x']\n[initial]\n\"x'\" = 20\n")), "--json")
            self.assertAlmostEqual(json.loads(result.out)["v"]["x"], value, 12, constraint)

    def test_constraints_that_are_not_defined_at_the_data_are_refused_in_words(self):
        for constraint in ("abs(y') = 1/x + x'", "abs(x')*y' = log(x - 1)", "(x'-y')*(x'-1) = sqrt(x - 2)"):
            result = cetaev("eval", self.write(self.model(f'"{constraint}"')))
            self.assertEqual(result.code, 3, constraint + result.err)
            self.assertRegex(result.err, "no (admissible )?state ")

    def test_factors_that_never_vanish_are_no_branches(self):
        for factor in ("exp(y')", "cosh(x')", "(2 + sin(y'))", "(1 + x'^2)"):
            document = self.check(self.model(f"\"{factor}*(x' - 2*y') = 0\""))
            self.assertEqual(document["set"].get("branches", []), [], factor)
            self.assertIs(document["set"]["conic"], True, factor)

    def test_known_answers_of_the_theory(self):
        cases = {
            "rolling-disc-vertical": {"growth": [2, 3, 4], "integrable": False, "conic": True},
            "gantmacher-rod": {"holonomic_integrals": 1, "integrable": False},
            "pursuit": {"conic": True},
            "circle": {"integrable": True, "holonomic_integrals": 1, "growth": [1]},
            "parallel-velocities": {"rank": 2, "redundant": 1, "growth": None, "conic": True},
            "affine-degree-2": {"conic": False, "growth": None},
            "holonomic-chain": {"integrable": True},
        }
        for model, expected in cases.items():
            with self.subTest(model=model):
                found = self.check(model)["set"]
                self.assertEqual({key: found[key] for key in expected}, expected)

    def test_pursuit_keeps_its_energy_though_it_depends_on_time(self):
        document = self.check("pursuit")
        self.assertTrue(any(c["rheonomic"] for c in document["constraints"]))
        self.assertIs(document["energy"]["conserved"], True)

    def test_a_cone_may_have_functions_that_are_not_homogeneous(self):
        document = self.check(
            'coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2"\nconstraints = ["exp(y\' - x\') - 1 = 0"]\n'
        )
        self.assertIsNone(document["constraints"][0]["degree"])
        self.assertIs(document["set"]["conic"], True)
        self.assertIs(document["set"]["homogeneous_functions"], False)
        self.assertEqual(document["set"]["conic_ground"], "proved by algebra")
        self.assertEqual(len(document["set"]["rewritten"]), 1)

    def test_verdicts_that_fail_name_a_state(self):
        document = self.check("prescribed-speed-varying")
        self.assertIs(document["set"]["conic"], False)
        witness = document["set"]["conic_witness"]
        # |v| = C(t) there, and J v = |v| for the function |v| − C
        speed = sum(v * v for v in witness["v"].values()) ** 0.5
        self.assertAlmostEqual(witness["value"], speed, places=9)
        self.assertIs(document["energy"]["conserved"], False)
        self.assertIn("reactions", document["energy"]["because"])

    def test_a_constant_too_long_for_a_line_is_named_by_its_place_in_json(self):
        terms = range(1, 7)
        constant = " + ".join(f"{k}*sin({k + 2}*x)*cos({k + 1}*y)" for k in terms)
        model = pathlib.Path(self.folder.name) / "long.toml"
        model.write_text(
            f"""coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["({constant} + z)' = 0"]
[initial]
"x'" = 1
""",
            encoding="utf-8",
        )
        text = " ".join(cetaev("check", model).out.split())
        self.assertNotIn("a long expression", text)
        self.assertIn("set.integrals_found[0] of `check --json` = const (", text)
        written = self.check(str(model))["set"]["integrals_found"][0]["expression"]
        self.assertGreater(len(written), 90)

        def found(x, y, z):
            names = {"sin": math.sin, "cos": math.cos, "x": x, "y": y, "z": z}
            return eval(written.replace("^", "**"), {}, names)

        def expected(x, y, z):
            return z + sum(k * math.sin((k + 2) * x) * math.cos((k + 1) * y) for k in terms)

        # the same function, but for a factor and a constant
        first, *others = ((0.1, 0.2, 0.3), (0.9, -0.4, 0.7), (-1.3, 0.8, 0.1), (0.4, 0.6, -0.9))
        factors = [(found(*p) - found(*first)) / (expected(*p) - expected(*first)) for p in others]
        for factor in factors:
            self.assertAlmostEqual(factor, factors[0], 9)

    def test_declared_integrals_are_tested(self):
        model = (
            'coordinates = ["x", "y", "phi"]\nlagrangian = "(x\'^2 + y\'^2 + phi\'^2)/2"\n'
            'constraints = ["x\'*sin(phi) - y\'*cos(phi) = 0"]\n[integrals]\nspeed = "x\'*cos(phi) + y\'*sin(phi)"\n'
        )
        document = self.check(model)
        self.assertIs(document["integrals"]["speed"]["conserved"], True)
        wrong = self.check(model + 'slip = "x\'"\n', code=1)
        self.assertIs(wrong["integrals"]["slip"]["conserved"], False)
        # the turning of the vakonomic skate is not uniform
        vakonomic = self.check(model + 'turn = "phi\'"\n', "--form", "vakonomic", code=1)
        self.assertIs(vakonomic["integrals"]["turn"]["conserved"], False)

    def test_a_singular_initial_state_is_named_and_does_not_disturb_the_rest(self):
        rest = [f"--set={name}'=0" for name in ("x1", "y1", "z1", "x2", "y2", "z2")]
        document = self.check("parallel-velocities", *rest)
        self.assertEqual(document["state"]["code"], "rank-lost")
        self.assertEqual(document["set"]["rank"], 2)
        self.assertEqual(document["set"]["rank_at_state"], 0)
        self.assertIs(document["set"]["conic"], True)

    def test_a_substituted_constraint_is_diagnosed(self):
        document = self.check(
            'coordinates = ["x", "y", "z"]\nlagrangian = "(x\'^2 + y\'^2 + y^2*x\'^2)/2"\nsubstituted = ["z\' = y*x\'"]\n'
            "[initial]\ny = 0.5\n\"x'\" = 2\n\"y'\" = 3\n"
        )
        found = document["substituted"]
        self.assertIs(found["harmless"], False)
        self.assertEqual([(m["equation"], m["B"], m["value"]) for m in found["missing"]], [("x", "y'", 3.0), ("y", "-x'", -2.0)])

    def test_a_system_without_motion_is_named(self):
        document = self.check('coordinates = ["x", "spin"]\nkinetic = "x\'^2/2"\n')
        self.assertIs(document["determinate"], False)

    def test_mistakes_in_the_new_sections_are_pointed_at(self):
        model = 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n'
        for text, code, line in (
            ('[integrals]\np = "y\'"\n', "unknown-name", 4),
            ('[integrals]\np = "x\'\'"\n', "bad-model", 4),
            ('[integrals]\np = ["x"]\n', "bad-model", 4),
            ('substituted = "x\'"\n', "bad-model", 3),
            ('substituted = ["x\' = q"]\n', "unknown-name", 3),
        ):
            with self.subTest(text=text):
                error = self.check(model + text, code=2)["error"]
                self.assertEqual((error["code"], error["line"]), (code, line))

    def test_eval_gives_the_energy_and_its_balance(self):
        result = cetaev("eval", "prescribed-speed-varying", "--json")
        energy = result.json["energy"]
        for key in ("E", "E_star", "dE_dt", "dE_dt_balance", "dE_star_dt", "dE_star_dt_balance", "reaction_power"):
            self.assertIsInstance(energy[key], float, key)
        self.assertAlmostEqual(energy["dE_dt"], energy["dE_dt_balance"], places=10)
        self.assertAlmostEqual(energy["dE_star_dt"], energy["dE_star_dt_balance"], places=10)
        # E = m C²/2 + m g z: nothing but the reaction changes it
        self.assertAlmostEqual(energy["reaction_power"], energy["dE_dt"], places=10)

    def test_derive_prints_the_energy_on_request(self):
        result = cetaev("derive", "prescribed-speed", "--energy")
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"E\* += .*m\*g\*z")
        self.assertNotIn("voronec:", result.out)


if __name__ == "__main__":
    unittest.main()
