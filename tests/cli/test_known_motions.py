"""Motions that are known exactly, in every form by every method: what finishes is right, and what ends does so where the motion ends.

Each line of the table is a system in which something was in the way once: a fold, a small mass, a pole, a wall, a pulse, a jump."""

import concurrent.futures
import dataclasses
import math
import os
import pathlib
import tempfile
import unittest

from program import cetaev

FORMS = ("multipliers", "gauss", "maggi", "hamel", "voronec", "caplygin", "appell", "auto")
# Without constraints all forms are H a = b.
FREE = ("multipliers", "auto")
# What errors of thousands of steps add up to, beside the size of the motion.
METHODS = {"taylor": 1e-11, "dop853": 1e-10, "adams": 1e-8, "bdf": 1e-8}

FREE_MOTION = "coordinates = ['x']\nlagrangian = \"{}\"\n"
PLANE = "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2{}\"\nconstraints = [\"{}\"]\n[initial]\n{}\n"

FOUR_BARS = """
coordinates = ["x0", "y0", "x1", "y1", "x2", "y2"]
kinetic = \"\"\"(dot(B0', B0') + dot(B1', B1') + dot(B2', B2'))/6 + (dot(B0', B0') + dot(B0', B1') + dot(B1', B1'))/6
 + (dot(B1', B1') + dot(B1', B2') + dot(B2', B2'))/6\"\"\"
potential = "9.81/2*(2*y0 + 3*y1 + 2*y2)"
constraints = ["norm(B0) = 1", "norm(B1 - A1) = 1", "norm(B2 - A2) = 1", "norm(B1 - B0) = 1", "norm(B2 - B1) = 1"]
[definitions]
A1 = "[1, 0, 0]"
A2 = "[2, 0, 0]"
B0 = "[x0, y0, 0]"
B1 = "[x1, y1, 0]"
B2 = "[x2, y2, 0]"
[initial]
x0 = 0
y0 = 1
x1 = 1
y1 = 1
x2 = 2
y2 = 1
"x0'" = 1
"""

CYLINDER = """
coordinates = ["phi", "z", "q0", "q1", "q2", "q3"]
kinetic = "m*a^2/5*dot(W, W)"
potential = "m*g*z"
constraints = ["q0^2 + dot(q, q) = 1", "C' + cross(W, a*er) = Om*R*ep"]
[definitions]
q = "[q1, q2, q3]"
W = "2*(q0*q' - q0'*q + cross(q, q'))"
er = "[cos(phi), sin(phi), 0]"
ep = "[-sin(phi), cos(phi), 0]"
[[points]]
name = "C"
mass = "m"
position = "[(R - a)*cos(phi), (R - a)*sin(phi), z]"
[parameters]
m = 2
a = 0.1
R = 1
g = 9.81
Om = 1.5
[initial]
phi = 0
z = 0
q0 = 1
q1 = 0
q2 = 0
q3 = 0
"q0'" = 0
"phi'" = 3
"z'" = 0
"q1'" = 0.35
"""


@dataclasses.dataclass
class Case:
    model: str
    t_end: float
    exact: dict  # positions at the end, or where the motion ends
    end: float | None = None  # the time of the set that is met
    forms: tuple = FORMS
    without: tuple = ()  # forms that do not apply
    ends_of: dict = dataclasses.field(default_factory=dict)  # forms that end at a time though the motion goes on
    options: tuple = ()
    factor: float = 1  # by which errors grow on the way
    status: str = "singular"  # of an end


def turning(t):
    """x' = 0.6 cos t + 0.8 sin t and y' = 0.8 cos t − 0.6 sin t."""
    return {
        "x": 0.6 * math.sin(t) + 0.8 * (1 - math.cos(t)),
        "y": 0.8 * math.sin(t) - 0.6 * (1 - math.cos(t)),
    }


def bobbing(t):
    """The ball in the cylinder bobs with √(2/7) of its rate of going round."""
    rate = 3
    depth = 9.81 / (2 / 7 * rate**2) * 5 / 7 + 0.1 * 0.7 / rate
    return {"phi": rate * t, "z": -depth * (1 - math.cos(math.sqrt(2 / 7) * rate * t))}


def under_a_logarithm(t):
    """x'' = log |t − 1| from rest."""
    s = t - 1
    return {"x": s * s / 2 * math.log(abs(s)) - 3 / 4 * s * s - s - 1 / 4}


def under_a_root(t):
    """x'' = √|t − π/2| from rest."""
    p = math.pi / 2
    return {"x": 2 / 3 * p**1.5 * t - 4 / 15 * (p**2.5 - (t - p) ** 2.5)}


# Eigenvalues of the mass matrix grow apart by ten powers.
WIDE = """
coordinates = ["q2", "q1", "q3"]
lagrangian = \"\"\"0.5*q2'^2/2 + q1'^2/2 + (1 + q1^2)*(q3' + 2*q3*q2')^2/2 + log(1 + q3^2)*q1' + (q3 - t)*q2'
 - asinh(cosh(q1/3))^3\"\"\"
constraints = ["q1' = cosh(q2/3)*q3' + 2*q3", "q2' = sin(3)*q3' + 2 + t"]
[forces]
q1 = "q3'"
[initial]
t = 0.7
q2 = 0.812
q1 = -0.981
q3 = -0.816
"q3'" = -0.772
"""

FOLD = ("x'^2 + y'^2 = 1", "\"x'\" = 1")
ROOT = ("sqrt(x'^2 + y'^2) = 1", "\"x'\" = 0.6\n\"y'\" = 0.8")
OSCILLATORS = "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - x^2/2 - y^2\"\n"

CASES = {
    # the constraint holds by itself on a circle; y' = ±√ has folds at which each of the velocities vanishes
    "fold": Case(
        PLANE.format(" + x*y'", *FOLD), 20, {"x": math.sin(20), "y": math.cos(20) - 1}, without=("hamel", "caplygin")
    ),
    "fold of a root": Case(
        PLANE.format(" + x*y'", *ROOT), 20, turning(20), without=("hamel",), ends_of={"caplygin": math.atan(4 / 3)}
    ),
    # quadratures of the energy by mpmath, to 40 digits: half a period; the energy at the centre is 10⁶ of that at the ends
    "softened centre": Case(
        FREE_MOTION.format("x'^2/2 + 1/sqrt(x^2 + 1e-12)") + "[initial]\nx = 1\n",
        2 * 1.110720735158449240574543,
        {"x": -1},
        forms=FREE,
        factor=1e3,
    ),
    "small mass": Case(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + (x^2 + 1e-6)*y'^2)/2\"\n"
        "[initial]\nx = -1\n\"x'\" = 1\n\"y'\" = 0.0001\n",
        2.000015747270381595535533,
        {"x": 1, "y": 0.3147494271258810098225032},
        forms=FREE,
    ),
    "past a pole": Case(
        "coordinates = ['th', 'ph']\nlagrangian = \"(th'^2 + sin(th)^2*ph'^2)/2 + cos(th)\"\n"
        "[initial]\nth = 1\n\"ph'\" = 0.001\n",
        3.349987872096737681254882,
        {"th": 1, "ph": 3.142577443203367696429823},
        forms=FREE,
    ),
    "force tanh": Case(
        FREE_MOTION.format("x'^2/2 + log(cosh(x))") + "[initial]\nx = 1\n\"x'\" = 1\n",
        100,
        {"x": 5091.201959477727366755772},
        forms=FREE,
    ),
    # r = cosh 2t
    "rod": Case(
        "coordinates = ['r', 'phi']\nlagrangian = \"(r'^2 + r^2*phi'^2)/2\"\nconstraints = ['phi = 2*t']\n"
        "[initial]\nr = 1\n",
        100,
        {"r": math.cosh(200), "phi": 200},
        factor=100,
    ),
    # not quadratic in the velocities
    "free at half the speed of light": Case(
        "coordinates = ['x', 'y']\nlagrangian = \"-sqrt(1 - x'^2 - y'^2)\"\n[initial]\n\"x'\" = 0.6\n",
        10,
        {"x": 6, "y": 0},
        forms=FREE,
    ),
    "towards the speed of light": Case(
        FREE_MOTION.format("-sqrt(1 - x'^2) + x"), 1e4, {"x": math.hypot(1, 1e4) - 1}, forms=FREE
    ),
    "towards the speed of light, coarsely": Case(
        FREE_MOTION.format("-sqrt(1 - x'^2) + x"),
        1e4,
        {"x": math.hypot(1, 1e4) - 1},
        forms=FREE,
        options=("--tolerance", "1e-6"),
        factor=1e4,
    ),
    # half a period of the wall of stiffness 10¹², written as a number: within it, 10⁻⁶ from x = 3, half of the digits of the place are left
    "wall": Case(
        FREE_MOTION.format("x'^2/2 - 1e12/2*((abs(x-3) + x - 3)/2)^2") + "[initial]\n\"x'\" = 1\n",
        8,
        {"x": -2 + math.pi / 1e6},
        forms=FREE,
        factor=100,
    ),
    "wall, interpreted": Case(
        FREE_MOTION.format("x'^2/2 - 1e12/2*((abs(x-3) + x - 3)/2)^2") + "[initial]\n\"x'\" = 1\n",
        8,
        {"x": -2 + math.pi / 1e6},
        forms=FREE,
        factor=100,
        options=("--backend", "interpreter"),
    ),
    "pulse": Case(
        FREE_MOTION.format("x'^2/2 + x*exp(-10000*(t-5)^2)"), 10, {"x": 5 * math.sqrt(math.pi) / 100}, forms=FREE
    ),
    # 1/cosh, whose divisor is beyond doubles a tenth of a second aside; the steps of two tanh; what bends in the product with the state
    "pulse of 1/cosh": Case(FREE_MOTION.format("x'^2/2 + x/cosh(1e4*(t-3))"), 10, {"x": 7 * math.pi / 1e4}, forms=FREE),
    "pulse of tanh": Case(
        FREE_MOTION.format("x'^2/2 + x*(tanh(1e4*(t-3.3)) - tanh(1e4*(t-3.3001)))"), 10, {"x": 2e-4 * (10 - 3.30005)}, forms=FREE
    ),
    # ∫ (10 − t)/(1 + 10¹² (t − 3)²) dt
    "pulse of a resonance": Case(
        FREE_MOTION.format("x'^2/2 + x/(1+(1e6*(t-3))^2)"),
        10,
        {"x": 7e-6 * (math.atan(7e6) + math.atan(3e6)) - math.log((1 + 49e12) / (1 + 9e12)) / 2e12},
        forms=FREE,
    ),
    # nothing in the motion shows that the mass of y vanishes at x = 1/2, in a dip 10⁻³ wide
    "mass that vanishes in a dip": Case(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + (1 - exp(-1e6*(x-0.5)^2))*y'^2)/2\"\n[initial]\n\"x'\" = 1\n",
        1,
        {"x": 0.5, "y": 0},
        end=0.5,
        forms=FREE,
    ),
    "mass that nearly vanishes in a dip": Case(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + (1.000001 - exp(-1e6*(x-0.5)^2))*y'^2)/2\"\n[initial]\n\"x'\" = 1\n",
        1,
        {"x": 1, "y": 0},
        forms=FREE,
    ),
    "mass that vanishes beside redundant rows": Case(
        "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + (x-0.5)^2*y'^2 + z'^2)/2\"\n"
        "constraints = [\"sin(t)*(z' - x') = 0\", \"cos(t)*(z' - x') = 0\"]\n[initial]\n\"x'\" = 1\n",
        1,
        {"x": 0.5},
        end=0.5,
    ),
    # along (cos 1.08 t, sin 1.08 t) by itself, with factors in other angles, which all are whole multiples of 0.01 t
    "angles with small common parts": Case(
        PLANE.format("", "(2 + cos(0.81*t))*((2 + cos(t))*sin(1.08*t)*x' - (2 + cos(t))*cos(1.08*t)*y') = 0", "\"x'\" = 1"),
        3,
        {"x": math.sin(3.24) / 1.08, "y": (1 - math.cos(3.24)) / 1.08},
    ),
    "long fall": Case(FREE_MOTION.format("x'^2/2 + x"), 1e9, {"x": 5e17}, forms=FREE),
    # one row in two components of which one and then the other vanishes
    "blade as a vector": Case(
        "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2\"\n"
        "constraints = ['V - dot(V, e)*e = 0']\n[definitions]\nV = \"[x', y', 0]\"\ne = '[cos(phi), sin(phi), 0]'\n"
        "[initial]\nphi = 0\n\"phi'\" = 1\n\"x'\" = 1\n",
        20,
        {"x": math.sin(20), "y": 1 - math.cos(20), "phi": 20},
    ),
    "ball in a cylinder": Case(
        CYLINDER, 1.5, bobbing(1.5), without=("gauss", "caplygin"), options=("--tolerance", "1e-12")
    ),
    # by extrapolation in numbers of 34 digits, of the multipliers' equations that SymPy has derived
    "masses apart": Case(
        WIDE,
        3,
        {"q2": -0.265482282829, "q1": -223.891758170244, "q3": -71.199232111321},
        without=("caplygin",),
        factor=100,
    ),
    # both velocities vanish at t = 2
    "a constraint without rank": Case(
        PLANE.format(" - y", "x'^2 = y'^2", "\"x'\" = 1\n\"y'\" = 1"), 5, {"x": 1, "y": 1}, end=2, without=("hamel",)
    ),
    # a constraint that comes into force at t = 1
    "jump": Case(
        OSCILLATORS + "constraints = [\"(1 - atan2(0, t - 1)/pi)*(x' - y') = 0\"]\n[initial]\nx = 1\n\"y'\" = 1\n",
        3,
        {"x": math.cos(1), "y": math.sin(math.sqrt(2)) / math.sqrt(2)},
        end=1,
    ),
    # the rods in line: the pendulum 3 θ'²/2 + 9.81·3.5 cos θ at θ = π/2, by a quadrature of its energy
    "four bars": Case(FOUR_BARS, 10, {}, end=0.7143555293, without=("caplygin",)),
    "pole of a constraint": Case(
        PLANE.format("", "y' = tan(t)*x'", "\"x'\" = 1"), 3, {"x": 1, "y": 1}, end=math.pi / 2, factor=1e6
    ),
    "pole of a force": Case(FREE_MOTION.format("x'^2/2 + x/(t-1)"), 3, {}, end=1, forms=FREE),
    "pole of second order": Case(FREE_MOTION.format("x'^2/2 + x/(t-1)^2"), 3, {}, end=1, forms=FREE),
    "logarithm in time": Case(FREE_MOTION.format("x'^2/2 + x*log(abs(t-1))"), 3, under_a_logarithm(3), forms=FREE),
    "root in time": Case(FREE_MOTION.format("x'^2/2 + x*sqrt(abs(t-pi/2))"), 3, under_a_root(3), forms=FREE),
    # x = tan t
    "escape": Case(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"2*x*x'\"\n[initial]\nx = 0\n\"x'\" = 1\n",
        3,
        {},
        end=math.pi / 2,
        forms=FREE,
        status="failed",
    ),
}

NOT_APPLICABLE = ("not-applicable", "not-caplygin", "singular-mass-matrix")
STEPS = 200_000  # more than any of them needs


class KnownMotions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = {}
        for number, (name, case) in enumerate(CASES.items()):
            cls.files[name] = pathlib.Path(folder.name) / f"case{number}.toml"
            cls.files[name].write_text(case.model, encoding="utf-8")

    def look(self, name, form, method):
        """What is wrong with one motion, or nothing."""
        case = CASES[name]
        run = cetaev(
            *("run", self.files[name], "--t-end", repr(case.t_end), "--form", form, "--method", method),
            *("--json", "--samples", "2", *case.options),
        )
        answer = run.json
        if form in case.without:
            return None if answer.get("error", {}).get("code") in NOT_APPLICABLE else f"applies: {run.out[:200]}"
        if "status" not in answer:
            return run.out[:200]
        end = case.ends_of.get(form, case.end)
        if answer["status"] != ("finished" if end is None else case.status if form not in case.ends_of else "singular"):
            return f"{answer['status']} at {answer['t']} {run.err}"
        if answer["steps"] > STEPS:
            return f"{answer['steps']} steps"
        if end is not None and abs(answer.get("at", answer["t"]) - end) > 1e-9:
            return f"ends at {answer.get('at', answer['t'])!r} in the place of {end!r}"
        if form in case.ends_of:
            return None
        allowed = case.factor * METHODS[method]
        for coordinate, value in case.exact.items():
            apart = abs(answer["q"][coordinate] - value) / max(1, abs(value))
            if not apart <= allowed:
                return f"{coordinate} = {answer['q'][coordinate]!r} in the place of {value!r}"
        return None

    def test_every_form_by_every_method(self):
        work = [(name, form, method) for name, case in CASES.items() for form in case.forms for method in METHODS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for which, wrong in zip(work, pool.map(lambda item: self.look(*item), work)):
                with self.subTest(case=which[0], form=which[1], method=which[2]):
                    self.assertIsNone(wrong)

    def test_poles_are_no_events(self):
        model = self.files["fold"].with_name("events.toml")
        model.write_text(
            "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\n\"x'\" = 1\n"
            "[events]\nnever = '1/(x-0.3)'\ntangent = 'tan(t)'\n",
            encoding="utf-8",
        )
        for method in METHODS:
            with self.subTest(method=method):
                run = cetaev("run", model, "--t-end", "100", "--samples", "2", "--method", method, "--json").json
                # tan t = 0 at π, …, 31 π
                self.assertEqual({name: event["count"] for name, event in run["events"].items()}, {"never": 0, "tangent": 31})

    def test_what_eval_calls_admissible_a_motion_starts_from(self):
        for rate in (-2.5, -1.1, -0.3, 0.1, 0.3, 0.7, 1.3, 2.9):
            with self.subTest(rate=rate):
                state = ("bicycle", "--set", f"lean'={rate}")
                evaluated = cetaev("eval", *state, "--json")
                self.assertEqual(evaluated.code, 0, evaluated.err)
                run = cetaev("run", *state, "--t-end", "0.01", "--samples", "2", "--json")
                self.assertEqual(run.json.get("status"), "finished", run.err)


if __name__ == "__main__":
    unittest.main()
