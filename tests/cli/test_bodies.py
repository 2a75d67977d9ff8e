"""Bodies, contacts and outputs as users meet them on the command line."""

import csv
import io
import math
import tempfile
import unittest
from pathlib import Path

from program import cetaev, table

COIN = """coordinates = ["x", "y", "psi", "theta", "phi"]
gravity = ["0", "0", "-g"]
[frames]
yaw   = "z psi"
lean  = "yaw, x theta"
wheel = "lean, y phi"
[[bodies]]
name    = "disc"
frame   = "wheel"
mass    = "m"
centre  = "[x, y, 0] + lean([0, 0, r])"
inertia = ["A", "C", "A"]
[[contacts]]
name  = "touch"
body  = "disc"
wheel = {radius = "r", axle = "y"}
[parameters]
m = 2
r = 0.5
A = 0.125
C = 0.25
g = 9.81
[initial]
"phi'" = 4
[outputs]
spin  = "dot(omega(wheel), [0, 0, 1])"
force = "touch.force"
jolt  = "lambda[1]^2 + psi''"
"""


class Bodies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.coin = Path(self.folder.name) / "coin.toml"
        self.coin.write_text(COIN, encoding="utf-8")

    def test_eval_has_the_outputs_at_the_state(self):
        answer = cetaev("eval", self.coin, "--json").json
        self.assertEqual(list(answer["outputs"]), ["spin", "force", "jolt"])
        # upright and straight: it carries its weight and nothing else
        for found, expected in zip(answer["outputs"]["force"], (0, 0, 2 * 9.81)):
            self.assertAlmostEqual(found, expected, places=12)
        self.assertAlmostEqual(answer["v"]["x"], 2, places=14)
        self.assertIn("force.z", cetaev("eval", self.coin).out)

    def test_run_writes_them_as_columns(self):
        leaning = ("--set", "theta=0.2", "--set", "psi'=1", "--t-end", "1", "--samples", "5")
        result = cetaev("run", self.coin, *leaning, "--trajectory", "--quiet")
        rows = list(csv.DictReader(io.StringIO(result.out)))
        self.assertEqual(list(rows[0])[-5:], ["spin", "force.x", "force.y", "force.z", "jolt"])
        for row in rows:
            self.assertAlmostEqual(float(row["force.x"]), float(row["lambda1"]), places=12)
            # ω_z = ψ' + φ' sin θ
            self.assertAlmostEqual(
                float(row["spin"]), float(row["psi'"]) + float(row["phi'"]) * math.sin(float(row["theta"])), places=12
            )
        out = Path(self.folder.name) / "coin.h5"
        self.assertEqual(cetaev("run", self.coin, *leaning, "--out", out).code, 0)
        samples = cetaev("run", self.coin, *leaning, "--trajectory", "--json").json["trajectory"]["outputs"]
        self.assertEqual(samples["force.z"], [float(row["force.z"]) for row in rows])

    def test_a_reaction_is_a_force_under_dalembert_lagrange_only(self):
        leaning = ("--set", "theta=0.2", "--set", "psi'=1", "--t-end", "0.5", "--samples", "3", "--trajectory", "--json")
        answer = cetaev("run", self.coin, *leaning, "--form", "vakonomic").json
        outputs = answer["trajectory"]["outputs"]
        self.assertEqual(outputs["force.x"] + outputs["force.z"], [None] * 6)
        self.assertNotIn(None, outputs["spin"])
        # a multiplier is what the form has of it
        self.assertNotIn(None, outputs["jolt"])
        self.assertTrue(any("force has no value along this motion" in note for note in answer["notes"]), answer["notes"])
        for form in ("gauss", "voronec", "mvm3"):
            answer = cetaev("run", self.coin, *leaning, "--form", form)
            if answer.code == 0:
                self.assertNotIn(None, answer.json["trajectory"]["outputs"]["force.x"], form)

    def test_a_component_of_a_reaction_is_known_where_it_has_a_multiplier(self):
        # F = 3 at the centre of a disc of mass 2 that rolls: a = F/(3/2 m) = 1, and the ground holds with m a - F = -1
        wheel = (
            'coordinates = ["x", "ph"]\n[frames]\nW = "y ph"\n[[bodies]]\nname = "w"\nframe = "W"\nmass = 2\n'
            'centre = "[x, 0, 0.5]"\nuniform = {disc = 0.5, axis = "y"}\n[[contacts]]\nname = "c"\nbody = "w"\n'
            'wheel = {radius = 0.5, axle = "y"}\n[[loads]]\nforce = "[3, 0, 0]"\nat = "w"\n[outputs]\nf = "c.force%s"\n'
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wheel.toml"
            path.write_text(wheel % ".x", encoding="utf-8")
            self.assertAlmostEqual(cetaev("eval", path, "--json").json["outputs"]["f"], -1, places=14)
            for unknown in (".z", ".y", ""):
                path.write_text(wheel % unknown, encoding="utf-8")
                refused = cetaev("eval", path)
                self.assertEqual(refused.code, 2)
                self.assertIn("known in part, c.force.x:", refused.err)

    def test_reactions_of_redundant_contacts_are_the_least(self):
        # two wheels on one axle: the weight on each is not determined, and the least norm is one half of it
        axle = Path(self.folder.name) / "axle.toml"
        axle.write_text(
            """coordinates = ["x", "y", "z", "yaw", "left", "right"]
gravity = [0, 0, -9.81]
[frames]
axle = "z yaw"
l = "axle, y left"
r = "axle, y right"
[[bodies]]
name = "L"
frame = "l"
mass = 3
centre = "[x, y, z] + axle([0, 0.5, 0])"
uniform = {disc = 0.2, axis = "y"}
[[bodies]]
name = "R"
frame = "r"
mass = 3
centre = "[x, y, z] - axle([0, 0.5, 0])"
uniform = {disc = 0.2, axis = "y"}
[[contacts]]
name = "one"
body = "L"
wheel = {radius = 0.2, axle = "y"}
[[contacts]]
name = "other"
body = "R"
wheel = {radius = 0.2, axle = "y"}
[initial]
z = 0.2
"x'" = 1
[outputs]
first = "one.force.z"
second = "other.force"
""",
            encoding="utf-8",
        )
        answer = cetaev("eval", axle, "--json").json
        self.assertAlmostEqual(answer["outputs"]["first"], 3 * 9.81, places=10)
        self.assertAlmostEqual(answer["outputs"]["second"][2], 3 * 9.81, places=10)
        self.assertIn("least norm", answer["output_notes"][0])
        self.assertIn("first and second are those of least norm", " ".join(cetaev("eval", axle).out.split()))
        self.assertTrue(any("least norm" in note for note in cetaev("run", axle, "--t-end", "1", "--json").json["notes"]))

    def test_the_energy_is_told_in_parts(self):
        # upright at 4 rad/s: v = 2 m/s, T = m v²/2 + C φ'²/2, V = m g r
        parts = {part["of"]: part["value"] for part in cetaev("eval", self.coin, "--json").json["energy"]["parts"]}
        self.assertAlmostEqual(parts["disc"], 4 + 2, places=12)
        self.assertAlmostEqual(parts["weight"], 2 * 9.81 * 0.5, places=12)
        self.assertIn("kinetic energy    disc", cetaev("eval", self.coin).out)

    def model(self, name, text):
        path = Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_the_energy_of_moving_frames_is_told_to_the_last_part(self):
        # a point at rest in a frame that turns at the rate W: T = T0 = m (W r)²/2, E = -T0
        path = self.model(
            "turning.toml",
            """coordinates = ["r"]
[frames]
arm = "z W*t"
[[bodies]]
name = "bead"
frame = "arm"
mass = 2
centre = "arm([r, 0, 0])"
inertia = [0, 0, 0]
[parameters]
W = 3
[initial]
r = 0.5
""",
        )
        answer = cetaev("eval", path, "--json").json["energy"]
        self.assertAlmostEqual(answer["E"], -2.25, places=14)
        self.assertEqual(
            [(part["of"], part["what"]) for part in answer["parts"]],
            [("bead", "kinetic energy"), ("-(T1 + 2 T0)", "E - T - V")],
        )
        self.assertAlmostEqual(answer["parts"][0]["value"], 2.25, places=14)
        self.assertAlmostEqual(answer["parts"][1]["value"], -4.5, places=14)
        self.assertIn("E - T - V       -(T1 + 2 T0)  -4.5", cetaev("eval", path).out)

    # On a frame that is driven a slider has an energy without velocities, Omega^2 x^2: x'' = Omega^2 x, beside a chain and beside a constraint.
    def test_a_slider_on_a_frame_that_is_driven_flies_outwards(self):
        slider = '[[bodies]]\nframe = "F"\nmass = "2"\ncentre = "F([x, 0, 0])"\ninertia = ["1", "1", "1"]\n'
        names = [f"a{i}" for i in range(1, 7)]
        chain = 'coordinates = ["x", ' + ", ".join(f'"{a}"' for a in names) + ']\n[frames]\nF = "z t"\n'
        chain += "".join(f'P{i} = "x {a}"\n' for i, a in enumerate(names)) + slider
        above = "[0, 0, 0]"
        for i in range(6):
            chain += f'[[bodies]]\nframe = "P{i}"\nmass = "1"\ncentre = "{above} + P{i}([0, 0, -1/2])"\ninertia = ["1", "1", "1/9"]\n'
            above += f" + P{i}([0, 0, -1])"
        chain += "[initial]\nx = 1\n" + "".join(f"{a} = 0.{i + 1}\n" for i, a in enumerate(names))
        constrained = (
            """coordinates = ["x", "a", "b", "c"]
constraints = ["b' = c'*cos(a)"]
[frames]
F = "z t"
P = "x a"
Q = "P, y b, z c"
"""
            + slider
            + """[[bodies]]
frame = "Q"
mass = "1"
centre = "P([0, 0, -1]) + Q([0, 1/2, -1/2])"
inertia = ["1/12", "1/13", "1/100"]
[initial]
x = 1
a = 0.3
b = 0.4
"c'" = 1
"""
        )
        for name, text in (("chain", chain), ("constrained", constrained)):
            model = self.model(f"{name}.toml", text)
            forms = cetaev("eval", model, "--json").json["forms"]
            for form in ("multipliers", "gauss", "maggi", "appell"):
                self.assertAlmostEqual(forms[form]["a"]["x"], 1, places=12, msg=f"{name} {form}")
            for t_end in ("1", "10"):
                out = Path(self.folder.name) / "motion.csv"
                cetaev("run", model, "--t-end", t_end, "--samples", "2", "--out", out)
                last = table(out)[-1]
                self.assertAlmostEqual(float(last["x"]) / math.cosh(float(t_end)), 1, places=11, msg=name)

    def test_a_spring_whose_ends_meet_is_named(self):
        path = self.model(
            "meet.toml",
            """coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
[[springs]]
name = "seat"
between = ["[x, y, 0]", "[0, 0, 0]"]
stiffness = 3
length = 0.5
""",
        )
        for command in ("eval", "run"):
            result = cetaev(command, path, "--json")
            self.assertEqual((result.code, result.json["error"]["code"]), (3, "non-finite"))
            self.assertTrue(
                result.json["error"]["message"].endswith(
                    "by the force of seat; a spring whose ends meet pulls in no direction: begin with them apart"
                ),
                result.json["error"]["message"],
            )
        self.assertEqual(cetaev("eval", path, "--set", "x=0.1").code, 0)
        self.assertEqual(cetaev("derive", path).code, 0)

    def test_a_plane_without_a_point_goes_through_the_origin(self):
        for plane in ('normal = "[3, 0, 4]"', 'frame = "table"'):
            text = f"""coordinates = ["x", "y", "z", "e0", "e1", "e2", "e3"]
gravity = ["0", "0", "-9.81"]
[frames]
table = "y 0.3 + 0.1*t"
round = "quaternion e0 e1 e2 e3"
[[bodies]]
name = "ball"
frame = "round"
mass = 1
centre = "[x, y, z]"
uniform = {{ball = 0.1}}
[[contacts]]
name = "touch"
body = "ball"
ball = {{radius = 0.1}}
on = {{{plane}}}
[initial]
x = 0.5
y = 0.2
"""
            without = cetaev("eval", self.model("plane.toml", text), "--json").json
            through = text.replace(plane, plane + ', point = "[0, 0, 0]"')
            self.assertEqual(without, cetaev("eval", self.model("plane.toml", through), "--json").json)
            n = (0.6, 0, 0.8) if "normal" in plane else (math.sin(0.3), 0, math.cos(0.3))
            height = sum(a * b for a, b in zip(n, (without["q"]["x"], without["q"]["y"], without["q"]["z"])))
            self.assertAlmostEqual(height, 0.1, places=14)

    def test_reactions_are_observed_by_the_names_of_outputs(self):
        path = Path(self.folder.name) / "sweep.csv"
        answer = cetaev("sweep", self.coin, "--vary", "m=[1, 2]", "--observe", "force.z", "--t-end", "1", "--out", path)
        self.assertEqual(answer.code, 0, answer.err)
        for row, mass in zip(table(path), (1, 2), strict=True):
            self.assertAlmostEqual(float(row["force.z"]), mass * 9.81, places=10)
        refused = cetaev("sweep", self.coin, "--vary", "m=[1, 2]", "--observe", "touch.force.z", "--t-end", "1")
        self.assertEqual(refused.code, 2)
        self.assertIn("may stand in [outputs]: give it a name there, and observe that", refused.err)

    def test_what_corrections_of_the_start_leave_is_nothing(self):
        wheels = "".join(
            f"""[[bodies]]
name = "wheel{i}"
frame = "f{i}"
mass = 0.5
centre = "chassis + ch([{x}, {y}, -0.1])"
uniform = {{disc = 0.2, axis = "y"}}
[[contacts]]
name = "touch{i}"
body = "wheel{i}"
wheel = {{radius = 0.2, axle = "y"}}
"""
            for i, (x, y) in enumerate(((0.4, 0.3), (0.4, -0.3), (-0.4, 0.3), (-0.4, -0.3)))
        )
        cart = f"""coordinates = ["x", "y", "z", "psi", "pit", "rol", "w0", "w1", "w2", "w3"]
gravity = ["0.4", "0.2", "-9.81"]
[frames]
ch = "z psi, y pit, x rol"
f0 = "ch, y w0"
f1 = "ch, y w1"
f2 = "ch, y w2"
f3 = "ch, y w3"
[[bodies]]
name = "chassis"
frame = "ch"
mass = 10
centre = "[x, y, z]"
uniform = {{box = [1, 0.6, 0.2]}}
{wheels}
[initial]
z = 0.3
"x'" = 1
"""
        answer = cetaev("eval", self.model("cart.toml", cart), "--json").json
        smallest = 2.2250738585072014e-308
        for value in list(answer["q"].values()) + list(answer["v"].values()) + [answer["energy"]["reaction_power"]]:
            self.assertFalse(0 < abs(value) < smallest, value)

    def test_report_draws_them(self):
        page = Path(self.folder.name) / "coin.html"
        self.assertEqual(cetaev("report", self.coin, "-o", page).code, 0)
        text = page.read_text(encoding="utf-8")
        self.assertIn('id="chart-outputs"', text)
        self.assertIn("disc rolls: along x", text)

    def test_a_mistake_is_pointed_at_and_nothing_is_written(self):
        self.coin.write_text(COIN.replace('"yaw, x theta"', '"yow, x theta"'), encoding="utf-8")
        out = Path(self.folder.name) / "motion.csv"
        result = cetaev("run", self.coin, "--out", out, "--json")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.json["error"]["code"], "bad-model")
        self.assertEqual(result.json["error"]["suggestion"], "yaw")
        self.assertEqual((result.json["error"]["line"], result.json["error"]["column"]), (5, 10))
        self.assertFalse(out.exists())

    def test_a_quaternion_is_a_turn_whatever_its_length(self):
        """(1, 2, -2, 4) turns as its fifth does, whether other coordinates have a start or none."""
        block = """coordinates = ["x", "e0", "e1", "e2", "e3"]
[frames]
turned = "quaternion e0 e1 e2 e3"
[[bodies]]
name = "block"
frame = "turned"
mass = "1"
centre = "[x, 0, 0]"
uniform = {box = [1, 2, 3]}
[parameters]
k = 1
[initial]
"""
        model = Path(self.folder.name) / "block.toml"
        for beside in ("", "x = 0.5\n", "\"e1'\" = 0.1\n"):
            model.write_text(block + beside + "e0 = 'k'\ne1 = '2*k'\ne2 = '-2*k'\ne3 = '4*k'\n", encoding="utf-8")
            for scale in ("1", "3e-5", "-7"):
                q = cetaev("eval", model, "--set", f"k={scale}", "--json").json["q"]
                for e, part in zip(("e0", "e1", "e2", "e3"), (0.2, 0.4, -0.4, 0.8)):
                    self.assertAlmostEqual(q[e], math.copysign(1, float(scale)) * part, delta=1e-15)
        # in part: the rest is zero, and e0 what is left
        for written, expected in (
            ({"e0": 0.707, "e1": 0.707}, (math.sqrt(0.5), math.sqrt(0.5), 0, 0)),
            ({"e3": 0.6}, (0.8, 0, 0, 0.6)),
            ({"e1": 3, "e2": -4}, (0, 0.6, -0.8, 0)),
        ):
            model.write_text(block + "".join(f"{e} = {value}\n" for e, value in written.items()), encoding="utf-8")
            q = cetaev("eval", model, "--json").json["q"]
            for e, part in zip(("e0", "e1", "e2", "e3"), expected):
                self.assertAlmostEqual(q[e], part, delta=1e-15)
        model.write_text(block + "e0 = 0\ne1 = 0\ne2 = 0\ne3 = 0\n", encoding="utf-8")
        refused = cetaev("eval", model, "--json")
        self.assertEqual(refused.code, 2)
        self.assertEqual((refused.json["error"]["code"], refused.json["error"]["line"]), ("bad-model", 13))

    def test_a_ball_lies_on_a_plane_wherever_it_is(self):
        """What is not written of the place of its centre is found; where it is written and under the plane, that is said."""
        model = Path(self.folder.name) / "ball.toml"
        model.write_text(
            """coordinates = ["x", "z"]
[[bodies]]
name = "ball"
mass = 1
centre = "[x, 0, z]"
uniform = {ball = 0.3}
[[contacts]]
body = "ball"
ball = {radius = 0.3}
kind = "sliding"
on = {point = "[0, 0, 1]", normal = "[-3, 0, 4]"}
[initial]
x = 2
""",
            encoding="utf-8",
        )
        # (z - 1) 4/5 - x 3/5 = 0.3
        self.assertAlmostEqual(cetaev("eval", model, "--json").json["q"]["z"], 1 + 1.5 / 0.8, delta=1e-14)
        refused = cetaev("eval", model, "--set", "z=0.5", "--json")
        self.assertEqual(refused.code, 2)
        self.assertIn("is on the wrong side: the centre of 'ball' is 1.6 below", refused.json["error"]["message"])

    def test_reduced_equations_end_where_their_dependent_velocities_do(self):
        answer = cetaev("run", "chaplygin-ball", "--form", "reduced", "--t-end", "20", "--json").json
        self.assertEqual(answer["status"], "singular")
        self.assertEqual(answer["diagnosis"]["code"], "singular-dependent", answer["diagnosis"])

    def test_a_ball_on_a_turntable_goes_round_at_two_sevenths(self):
        # after one round of the ball, 7/2 of the table, it is where it was
        period = 2 * math.pi / (2 / 7 * 2)
        answer = cetaev("run", "ball-on-turntable-quaternion", "--t-end", repr(period), "--json").json
        self.assertAlmostEqual(answer["q"]["x"], 0.5, places=12)
        self.assertAlmostEqual(answer["q"]["y"], -0.2, places=12)

    def test_the_bicycle_is_short_and_known(self):
        text = cetaev("gallery", "bicycle").out
        self.assertLess(len(text.splitlines()), 60)
        answer = cetaev("check", "bicycle", "--json").json
        self.assertEqual(answer["set"]["degrees_of_freedom"], 3)
        self.assertEqual(answer["set"]["redundant"], 0)
        self.assertEqual(answer["constraints"][0]["text"], "rear wheel rolls: along x")
        self.assertTrue(answer["energy"]["conserved"])


class GalleryOfBodies(unittest.TestCase):
    """Models of the gallery in motions that are known in closed form, at any value of what is free in them."""

    def accelerations(self, model, **values):
        settings = [word for name, value in values.items() for word in ("--set", f"{name.replace('_dot', chr(39))}={value!r}")]
        answer = cetaev("eval", model, *settings, "--form", "multipliers", "--json").json
        return answer["forms"]["multipliers"]["a"], answer

    def test_eulers_disc_turns_about_its_centre(self):
        # the centre at rest: ω lies along the way r from it to the table, and Ω z × L is the moment of the weight
        m, R, c, g = 0.4, 0.0375, 0.003, 9.81
        A, C = m * R * R / 4 + m * (2 * c) ** 2 / 12, m * R * R / 2
        for theta in (0.4, 1.0, 1.45):
            sin, cos = math.sin(theta), math.cos(theta)
            far = R + c * cos
            rate = math.sqrt(m * g * R * far / (cos * (A * far - C * c * cos)))
            spin = rate * c * sin * cos / far - rate * sin
            a, answer = self.accelerations("euler-disc", theta=theta, psi_dot=rate, phi_dot=spin)
            for x in ("x", "y", "z"):
                self.assertAlmostEqual(answer["v"][x], 0, places=14)
                self.assertAlmostEqual(a[x], 0, places=11)
            for x in ("psi", "theta", "phi"):
                self.assertAlmostEqual(a[x] / rate**2, 0, places=12)
            for found, expected in zip(answer["outputs"]["force"], (0, 0, m * g)):
                self.assertAlmostEqual(found, expected, places=12)

    def test_the_tippe_top_rocks_in_a_plane(self):
        m, r, h, A, g = 1, 0.1, 0.02, 3.1e-3, 9.81
        for theta, rate in ((0.6, 1.0), (1.9, -7.0), (2.8, 3.0)):
            a, _ = self.accelerations("tippe-top", theta=theta, psi_dot=0.0, theta_dot=rate)
            inertia = A + m * (r * r + h * h - 2 * r * h * math.cos(theta))
            self.assertAlmostEqual(a["theta"], -m * h * math.sin(theta) * (g + r * rate**2) / inertia, places=10)
            self.assertAlmostEqual(a["psi"], 0, places=11)

    def solved(self, m11, m12, m22, f1, f2):
        determinant = m11 * m22 - m12 * m12
        return (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant

    def test_the_unicycle_is_a_pendulum_on_a_wheel(self):
        r, h, g, wheel, seat, inertia = 0.3, 0.6, 9.81, 2, 5, 0.3
        for pitch, rate, spin in ((0.1, 0.0, 10.0), (-0.8, 2.0, -3.0), (2.5, -1.0, 5.0)):
            a, answer = self.accelerations(
                "unicycle", lean=0.0, pitch=pitch, yaw_dot=0.0, pitch_dot=rate, spin_dot=spin
            )
            spin2, pitch2 = self.solved(
                (wheel + seat) * r * r + wheel * r * r,
                seat * h * r * math.cos(pitch),
                seat * h * h + inertia,
                seat * h * r * math.sin(pitch) * rate**2,
                seat * g * h * math.sin(pitch),
            )
            self.assertAlmostEqual(answer["v"]["x"], r * spin, places=14)
            for x, expected in (("spin", spin2), ("pitch", pitch2), ("x", r * spin2), ("lean", 0), ("yaw", 0)):
                self.assertAlmostEqual(a[x], expected, places=11)

    def test_the_balancer_is_held_up_by_its_motors(self):
        r, h, g, k, c = 0.2, 0.8, 9.81, 400, 80
        for pitch, rate in ((0.1, 0.0), (-0.4, 1.5)):
            a, _ = self.accelerations("segway", pitch=pitch, pitch_dot=rate, yaw_dot=0.0)
            u = k * pitch + c * rate
            x2, pitch2 = self.solved(
                66 + 2 * (3 * r * r / 2) / r**2,
                60 * h * math.cos(pitch),
                60 * h * h + 10,
                60 * h * math.sin(pitch) * rate**2 + 2 * u / r,
                60 * g * h * math.sin(pitch) - 2 * u,
            )
            for x, expected in (("x", x2), ("pitch", pitch2), ("left", x2 / r), ("right", x2 / r), ("yaw", 0)):
                self.assertAlmostEqual(a[x], expected, places=10)


if __name__ == "__main__":
    unittest.main()
