"""Inverse dynamics on the command line: forces that follow a motion."""

import csv
import math
import tempfile
import unittest
from pathlib import Path

from program import cetaev


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

    def test_the_table_has_the_forces_beside_the_motion_and_can_be_followed(self):
        out, again = (Path(self.folder.name) / name for name in ("forces.csv", "again.csv"))
        cetaev("inverse", self.mass, "--along", "x = t^3", "--along", "y = cos(t)", "--t-end", "1", "--out", out)
        with out.open(encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual(list(rows[0]), ["t", "x", "y", "x'", "y'", "force x", "force y", "power x", "power y"])
        result = cetaev("inverse", self.mass, "--motion", out, "--out", again)
        self.assertEqual(result.code, 0)
        with again.open(encoding="utf-8") as lines:
            for first, second in zip(rows, csv.DictReader(lines)):
                t = float(first["t"])
                self.assertAlmostEqual(float(first["force x"]), 12 * t + 3 * t**3, places=12)
                self.assertAlmostEqual(float(second["force x"]), 12 * t + 3 * t**3, places=8)
                self.assertAlmostEqual(float(second["force y"]), -2 * math.cos(t), places=8)

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
        motion = Path(self.folder.name) / "motion.csv"
        motion.write_text("t,x\n0,1\n", encoding="utf-8")
        error = refused(2, "bad-model", self.mass, "--motion", motion)
        self.assertIn("no column 'y'", error["message"])

    def test_more_motions_than_freedom_share_the_force(self):
        # twice the same motion: each force is half of it
        answer = cetaev("inverse", self.mass, "--along", "x = t^2", "--along", "2*x = 2*t^2", "--t-end", "1", "--json").json
        self.assertIn("least norm", answer["notes"][0])
        for t, one, two in zip(answer["t"], answer["forces"]["x"], answer["forces"]["2*x"]):
            self.assertAlmostEqual(one + 2 * two, 4 + 3 * t * t, places=11)
            self.assertAlmostEqual(two, 2 * one, places=11)


if __name__ == "__main__":
    unittest.main()
