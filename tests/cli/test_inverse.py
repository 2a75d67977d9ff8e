"""Inverse dynamics on the command line: forces that follow a motion."""

import csv
import math
import tempfile
import unittest
from pathlib import Path

from program import cetaev, table


class Inverse(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.mass = Path(self.folder.name) / "mass.toml"
        self.mass.write_text(
            'coordinates = ["x", "y"]\nkinetic = "m/2*(x\'^2 + y\'^2)"\npotential = "k/2*x^2"\n'
            "[parameters]\nm = 2\nk = 3\n[initial]\n\"y'\" = 1\n",
            encoding="utf-8",
        )

    def test_a_spring_is_held_and_a_mass_is_moved(self):
        # m x'' + k x = F, and y is left alone
        answer = cetaev("inverse", self.mass, "--along", "x = sin(2*t)", "--t-end", "1", "--json").json
        self.assertEqual(len(answer["t"]), 101)
        for t, force, y in zip(answer["t"], answer["forces"]["x"], answer["q"]["y"]):
            self.assertAlmostEqual(force, (3 - 8) * math.sin(2 * t), places=12)
            self.assertAlmostEqual(y, t, places=12)
        # the work is what the energy has gained
        self.assertAlmostEqual(answer["work"]["x"], 4 * (math.cos(2) ** 2 - 1) + 1.5 * math.sin(2) ** 2, places=9)
        self.assertEqual(answer["motions"], {"x": "x = sin(2*t)"})

    def test_the_work_does_not_depend_on_the_samples(self):
        for samples in ("2", "7"):
            answer = cetaev(
                "inverse", self.mass, "--along", "x = sin(9*t)", "--t-end", "3", "--samples", samples, "--json"
            ).json
            gained = 81 * (math.cos(27) ** 2 - 1) + 1.5 * math.sin(27) ** 2
            self.assertAlmostEqual(answer["work"]["x"], gained, delta=1e-12 * 81)

    def test_an_event_that_stops_the_motion_is_named(self):
        with self.mass.open("a", encoding="utf-8") as model:
            model.write('[events]\nfar = {when = "y - 0.5", action = "stop"}\n')
        arguments = ("inverse", self.mass, "--along", "x = t", "--t-end", "1")
        self.assertIn("stopped at t = 0.5 by the event far", cetaev(*arguments).out)
        answer = cetaev(*arguments, "--json").json
        self.assertEqual((answer["status"], answer["event"]), ("event", "far"))
        self.assertAlmostEqual(answer["t"][-1], 0.5, places=12)

    def test_a_file_has_to_lie_on_the_constraints(self):
        motion, rounded, out = (Path(self.folder.name) / name for name in ("motion.csv", "rounded.csv", "out.csv"))
        cetaev("run", "pendulum", "--t-end", "1", "--samples", "101", "--out", motion)
        self.assertEqual(cetaev("inverse", "pendulum", "--motion", motion).code, 0)
        with motion.open(encoding="utf-8") as lines, rounded.open("w", encoding="utf-8") as few:
            for i, row in enumerate(csv.reader(lines)):
                cells = row if i == 0 else [row[0]] + [f"{float(cell):.6f}" for cell in row[1:5]] + row[5:]
                few.write(",".join(cells) + "\n")
        refused = cetaev("inverse", "pendulum", "--motion", rounded, "--out", out)
        self.assertEqual(refused.code, 3)
        self.assertIn("--tolerance 1e-08", refused.err)
        self.assertFalse(out.exists())
        self.assertEqual(cetaev("inverse", "pendulum", "--motion", rounded, "--tolerance", "1e-8").code, 0)
        # positions alone: what differentiation does to velocities is allowed for
        with motion.open(encoding="utf-8") as lines, rounded.open("w", encoding="utf-8") as few:
            for row in csv.reader(lines):
                few.write(",".join(row[:3]) + "\n")
        self.assertEqual(cetaev("inverse", "pendulum", "--motion", rounded).code, 0)

    def test_the_table_has_the_forces_beside_the_motion_and_can_be_followed(self):
        out, again = (Path(self.folder.name) / name for name in ("forces.csv", "again.csv"))
        cetaev("inverse", self.mass, "--along", "x = t^3", "--along", "y = cos(t)", "--t-end", "1", "--out", out)
        rows = table(out)
        self.assertEqual(list(rows[0]), ["t", "x", "y", "x'", "y'", "force x", "force y", "power x", "power y"])
        result = cetaev("inverse", self.mass, "--motion", out, "--out", again)
        self.assertEqual(result.code, 0)
        for first, second in zip(rows, table(again), strict=True):
            t = float(first["t"])
            self.assertAlmostEqual(float(first["force x"]), 12 * t + 3 * t**3, places=12)
            self.assertAlmostEqual(float(second["force x"]), 12 * t + 3 * t**3, places=8)
            self.assertAlmostEqual(float(second["force y"]), -2 * math.cos(t), places=8)

    def test_columns_that_are_not_used_may_hold_words(self):
        motion = Path(self.folder.name) / "words.csv"
        rows = [f"{t / 10},{(t / 10) ** 2},0,calm" for t in range(11)]
        motion.write_text("t,x,y,weather\n" + "\n".join(rows) + "\n", encoding="utf-8")
        answer = cetaev("inverse", self.mass, "--motion", motion, "--json").json
        for t, force in zip(answer["t"], answer["forces"]["x"]):
            self.assertAlmostEqual(force, 4 + 3 * t * t, places=9)
        motion.write_text("t,x,y\n" + "\n".join(row.replace(",0,calm", ",calm") for row in rows), encoding="utf-8")
        self.assertIn("'calm' is not a number", cetaev("inverse", self.mass, "--motion", motion).err)

    def test_what_cannot_be_followed_is_told(self):
        def refused(code, kind, *arguments):
            out = Path(self.folder.name) / "nothing.csv"
            result = cetaev("inverse", *arguments, "--out", out, "--json")
            self.assertEqual(result.code, code, result.out)
            self.assertEqual(result.json["error"]["code"], kind)
            self.assertFalse(out.exists())
            return result.json["error"]

        self.assertIn("--along", refused(2, "bad-model", self.mass)["message"])
        self.assertIn("--t-end", refused(2, "bad-model", self.mass, "--along", "x = t", "--t-end", "0")["message"])
        error = refused(2, "unknown-name", self.mass, "--along", "x = sin(T)")
        self.assertEqual((error["file"], error["line"], error["column"]), ("--along", 1, 9))
        self.assertIn("velocities", refused(2, "bad-model", self.mass, "--along", "x' = 1")["message"])
        self.assertIn("same", refused(2, "bad-model", self.mass, "--along", "x = x")["message"])
        refused(3, "inconsistent-initial-state", "pendulum", "--along", "x = 2 + t")
        twice = refused(2, "bad-model", self.mass, "--along", "x = t", "--along", "x=2*t")
        self.assertIn("two motions are given to 'x'", twice["message"])
        self.assertEqual(twice["file"], "--along")
        motion = Path(self.folder.name) / "motion.csv"
        motion.write_text("t,x\n0,1\n", encoding="utf-8")
        error = refused(2, "bad-model", self.mass, "--motion", motion)
        self.assertIn("no column 'y'", error["message"])
        for option, value in (("--t-end", "3"), ("--samples", "9")):
            error = refused(2, "bad-model", self.mass, "--motion", motion, option, value)
            self.assertIn(option, error["message"])
        out = Path(self.folder.name) / "forces.h5"
        result = cetaev("inverse", self.mass, "--along", "x = t", "--out", out)
        self.assertEqual(result.code, 2)
        self.assertIn("forces.h5", result.err)
        self.assertFalse(out.exists())

    def test_a_pole_of_the_motion_is_named(self):
        for along, end, pole, divisor in (
            ("x = 1/(t - 0.5)", "1", "0.5", "t - 1/2"),
            ("x = tan(t)", "2", "1.5707963267949", "cos(t)"),
        ):
            result = cetaev("inverse", self.mass, "--along", along, "--t-end", end, "--json")
            self.assertEqual((result.code, result.json["error"]["code"]), (3, "non-finite"))
            self.assertIn(f"{along}, is not finite at t = {pole}, where {divisor} vanishes", result.json["error"]["message"])
            before = cetaev("inverse", self.mass, "--along", along, "--t-end", "0.4", "--json")
            self.assertEqual((before.code, before.json["status"]), (0, "finished"))

    def test_the_end_of_a_motion_between_two_samples_is_told(self):
        """A bead on a circle, pushed along x = t²/2 as far as x = 1: T = t²/(2 (1 - x²)), and F x' is its rate."""
        self.mass.write_text(
            """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["x^2 + y^2 = 1"]
[initial]
x = 0
y = 1
""",
            encoding="utf-8",
        )
        arguments = ("inverse", self.mass, "--along", "x = t^2/2", "--t-end", "2", "--samples", "5")
        answer = cetaev(*arguments, "--json").json
        self.assertEqual((answer["status"], answer["diagnosis"]["code"]), ("singular", "rank-lost"))
        self.assertAlmostEqual(answer["at"], math.sqrt(2), delta=1e-12)
        self.assertEqual(answer["t"], [0, 0.5, 1])
        for t, force in zip(answer["t"], answer["forces"]["x"]):
            left = 1 - t**4 / 4
            self.assertAlmostEqual(force, 1 / left + t**4 / 2 / left**2, places=12)
        end = answer["work_up_to"]
        self.assertTrue(1 < end <= answer["at"])
        # so near to the end the time itself has few digits of what is left
        left = (math.sqrt(2) - end) * (math.sqrt(2) + end) * (1 + end * end / 2) / 2
        self.assertAlmostEqual(answer["work"]["x"] * left / (end * end / 2), 1, delta=1e-3)
        text = cetaev(*arguments).out
        self.assertIn("from t = 0 to t = 1 (the last sample), work up to t = 1.41421356", text)

    def test_what_is_held_still_is_carried(self):
        """Six legs of a platform that keep their length: nothing is left free, everything is at rest, and weights and reactions cancel."""
        hold = [word for i in range(1, 7) for word in ("--along", f"l{i} = l")]
        result = cetaev("inverse", "stewart", "--set", "F=0", "--set", "yaw'=0", *hold, "--t-end", "1", "--json")
        self.assertEqual((result.code, result.json["status"]), (0, "finished"), result.err)
        h, M, tube, rod, c, g = 0.9, 40, 3, 2, 0.25, 9.81
        across = 1 + 0.36 - 1.2 * math.cos(math.pi / 6)
        length = math.sqrt(h * h + across)
        force = ((M + 6 * rod) * g + 6 * (tube - rod) * g * c * across / length**3) * length / (6 * h)
        for i in range(1, 7):
            for found in result.json["forces"][f"l{i}"]:
                self.assertAlmostEqual(found, force, delta=1e-11 * force)

    def test_more_motions_than_freedom_share_the_force(self):
        # twice the same motion: each force is half of it
        answer = cetaev("inverse", self.mass, "--along", "x = t^2", "--along", "2*x = 2*t^2", "--t-end", "1", "--json").json
        self.assertIn("least norm", answer["notes"][0])
        for t, one, two in zip(answer["t"], answer["forces"]["x"], answer["forces"]["2*x"]):
            self.assertAlmostEqual(one + 2 * two, 4 + 3 * t * t, places=11)
            self.assertAlmostEqual(two, 2 * one, places=11)


if __name__ == "__main__":
    unittest.main()
