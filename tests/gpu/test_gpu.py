"""Motions on a GPU against the same motions on the processor, and against closed forms.

Run with the program: test_gpu.py PROGRAM [--stand-in FOLDER]. With a stand-in the kernels are compiled for the processor, and everything around them
is the same; without one, and without a GPU, nothing is tested and that is said.
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = None
ENVIRONMENT = dict(os.environ, CETAEV_CACHE="off")
DEVICE = None


def cetaev(*arguments, environment=None, cwd=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=cwd,
                          env={**ENVIRONMENT, **(environment or {})}, timeout=600)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class OnGpu(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def sweep(self, model, *arguments, device="gpu", out="rows.csv", environment=None):
        path = self.folder / f"{device}-{out}"
        done = cetaev("sweep", model, *arguments, "--device", device, "--out", str(path), "--json",
                      environment=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["device"], device)
        return summary, table(path)

    def assert_same(self, here, there, names, tolerance):
        self.assertEqual(len(here), len(there))
        for one, other in zip(here, there):
            self.assertEqual((one["status"], one["diagnosis"]), (other["status"], other["diagnosis"]))
            size = max(1.0, *(abs(float(other[name])) for name in names if other[name]))
            for name in names:
                if other[name]:
                    self.assertLess(abs(float(one[name]) - float(other[name])), tolerance * size, (name, one, other))

    def write(self, text):
        path = self.folder / "model.toml"
        path.write_text(text)
        return str(path)

    def test_the_skate_moves_as_its_closed_form_says(self):
        summary, rows = self.sweep("skate", "--vary", "slope=0.1:1:30", "--t-end", "10")
        self.assertEqual((summary["finished"], summary["alone"]), (30, 0))
        for row in rows:
            a = 9.81 * math.sin(float(row["slope"])) / 1.3**2
            self.assertAlmostEqual(float(row["x"]), a / 2 * math.sin(13) ** 2, delta=1e-12)
            self.assertAlmostEqual(float(row["y"]), a / 4 * (26 - math.sin(26)), delta=1e-11)

    def test_equal_steps_have_the_error_of_their_order(self):
        errors = []
        for steps in ("50", "100"):
            summary, rows = self.sweep("skate", "--vary", "slope=[0.5]", "--t-end", "10", "--steps", steps)
            self.assertEqual(summary["fixed_steps"], int(steps))
            self.assertEqual(summary["steps"], int(steps))
            errors.append(abs(float(rows[0]["y"]) - 9.81 * math.sin(0.5) / (4 * 1.3**2) * (26 - math.sin(26))))
        self.assertLess(abs(math.log2(errors[0] / errors[1]) - 4), 0.3, errors)

    def test_models_of_every_kind_move_as_on_the_processor(self):
        # in quasi-velocities, without constraints, with multipliers, redundant, holonomic, with quaternions, driven, nonlinear, bodies
        for model, vary, names in [
                ("chaplygin-sleigh", "phi'=0.5:1.5:9", ["x", "y", "phi"]),
                ("double-pendulum", "theta1=0.1:1:9", ["theta1", "theta2"]),
                ("rolling-disc", "t=0:1:3", ["X", "Y"]),
                ("car", "t=0:1:3", ["x", "y"]),
                ("circle", "t=0:1:3", ["x", "y"]),
                ("pendulum", "t=0:1:3", ["x", "y"]),
                ("tippe-top", "t=0:1:3", []),
                ("snakeboard-driven", "t=0:1:3", ["x", "y"]),
                ("affine-degree-2", "t=0:1:3", []),
                ("bicycle", "lean'=0.1:0.3:3", ["x", "lean", "steer"])]:
            with self.subTest(model=model):
                arguments = ("--vary", vary, "--t-end", "3")
                summary, here = self.sweep(model, *arguments)
                _, there = self.sweep(model, *arguments, device="cpu")
                columns = [name for name in here[0] if name not in ("status", "diagnosis")]
                self.assertTrue(set(names) <= set(columns))
                self.assert_same(here, there, columns, 1e-10)
                self.assertLess(summary["alone"], len(here), summary)

    def test_parameters_of_their_own(self):
        arguments = ("--vary", "m=0.5:2:4", "--vary", "l=0.5:2:4", "--t-end", "3")
        summary, here = self.sweep("double-pendulum", *arguments)
        _, there = self.sweep("double-pendulum", *arguments, device="cpu")
        self.assertEqual(summary["alone"], 0)
        self.assert_same(here, there, ["theta1", "theta2", "theta1'", "theta2'"], 1e-10)

    def test_what_happens_on_the_way_is_told_as_on_the_processor(self):
        # the particle comes to rest on its singular set, the ball stops at its event, an oscillator escapes, some cannot start
        models = [("appell-hamel", "x'=1:5:5", "3"),
                  (self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 - g*x"\n[parameters]\ng = 9.81\n[initial]\n'
                              'x = 1\n[events]\nground = {when = "x", action = "stop"}\n'), "x=0.5:20:8", "1"),
                  (self.folder / "escape.toml", "x=[-1, 0.5, 2, 5]", "2")]
        (self.folder / "escape.toml").write_text(
            'coordinates = ["x"]\nlagrangian = "x\'^2/2 + x^4/2"\n[initial]\nx = 1\n"x\'" = 1\n')
        seen = set()
        for model, vary, t_end in models:
            with self.subTest(model=str(model)):
                arguments = ("--vary", vary, "--t-end", t_end)
                summary, here = self.sweep(str(model), *arguments)
                _, there = self.sweep(str(model), *arguments, device="cpu", out="cpu.csv")
                seen |= {row["status"] for row in here}
                self.assertEqual([row["status"] for row in here], [row["status"] for row in there])
                for one, other in zip(here, there):
                    self.assertAlmostEqual(float(one["t"]), float(other["t"]), delta=1e-6)
        self.assertEqual(seen, {"finished", "singular", "event", "failed"})

    def test_motions_whose_pivots_nearly_vanish_are_left_to_the_processor(self):
        # The inertia of y, e + z², falls from 1 + e to e as z passes through 0: pivots down to a thousandth of their largest are trusted.
        narrow = self.write('coordinates = ["y", "z"]\nlagrangian = "((e + z^2)*y\'^2 + z\'^2)/2"\n'
                            '[parameters]\ne = 0.1\n[initial]\nz = 1\n"z\'" = -1\n"y\'" = 0.01\n')
        arguments = ("--vary", "e=[0.1, 0.01, 0.002, 0.0005, 1e-5, 1e-6]", "--form", "multipliers", "--t-end", "2")
        summary, here = self.sweep(narrow, *arguments)
        self.assertEqual(sum(summary["left"].values()), 3, summary)
        _, there = self.sweep(narrow, *arguments, device="cpu")
        self.assert_same(here, there, ["y", "z", "y'", "z'"], 1e-9)

    def test_many_more_motions_than_there_is_room_for(self):
        little = {"CETAEV_STAND_IN_MEMORY": "400000"}
        arguments = ("--vary", "slope=uniform(0.1, 1)", "--count", "3000", "--seed", "3", "--t-end", "1")
        summary, here = self.sweep("skate", *arguments, environment=little)
        _, there = self.sweep("skate", *arguments, out="all.csv")
        self.assertEqual(summary["finished"], 3000)
        self.assertEqual(here, there)

    def test_a_sweep_is_taken_up_again(self):
        path = str(self.folder / "rows.h5")
        arguments = ["sweep", "skate", "--vary", "slope=0.1:1:300", "--t-end", "1", "--device", "gpu", "--out", path, "--json"]
        self.assertEqual(cetaev(*arguments, "--shard", "1/2").returncode, 0)
        self.assertEqual(cetaev(*arguments, "--shard", "2/2").returncode, 0)
        parts = [str(self.folder / f"rows.{k}-of-2.h5") for k in (1, 2)]
        merged = cetaev("sweep", "--merge", *parts, "--out", path, "--json")
        self.assertEqual(json.loads(merged.stdout)["finished"], 300, merged.stderr)
        again = cetaev(*arguments, "--resume")
        self.assertEqual(json.loads(again.stdout)["computed"], 0, again.stderr)

    def test_single_precision_has_seven_digits_and_says_so(self):
        path = self.folder / "single.h5"
        arguments = ["--vary", "slope=0.1:1:30", "--t-end", "10", "--steps", "1000", "--device", "gpu", "--json"]
        done = cetaev("sweep", "skate", *arguments, "--precision", "single", "--out", str(path))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["precision"], "single")
        self.assertIn(b"precision", path.read_bytes()[:200000])
        errors = {}
        for precision in ("double", "single"):
            summary, rows = self.sweep("skate", *arguments[:-3], "--precision", precision, out=precision + ".csv")
            self.assertEqual((summary["finished"], summary["alone"], summary["left"]), (30, 0, {}))
            errors[precision] = max(
                abs(float(row["x"]) - 9.81 * math.sin(float(row["slope"])) / 1.3**2 / 2 * math.sin(13) ** 2)
                for row in rows)
        # doubles: the error of the method, h^5/120 a step of numbers that turn at 2·1.3 and grow to 31, at worst all to one side
        self.assertLess(errors["double"], 1000 * (2.6 * 0.01) ** 5 / 120 * 31)
        # floats: every step rounds numbers of up to 31 (y) to 2^-24 of them, at worst all to one side; and they are no doubles
        self.assertLess(errors["single"], 1000 * 2**-24 * 31)
        self.assertGreater(errors["single"], 10 * errors["double"])
        done = cetaev("sweep", "skate", "--vary", "slope=0.1:1:3", "--device", "gpu", "--precision", "single")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--steps", done.stderr)

    def test_equations_of_first_order_are_constraints_that_leave_no_freedom(self):
        # Lorenz's equations, against themselves in doubles by the classical method
        model = self.write('coordinates = ["x", "y", "z"]\nlagrangian = "(x\'^2 + y\'^2 + z\'^2)/2"\n'
                           'constraints = ["x\' = 10*(y - x)", "y\' = x*(28 - z) - y", "z\' = x*y - 8/3*z"]\n'
                           '[initial]\nx = 1\ny = 1\nz = 1\n')
        steps, end = 200, 1.0

        def rate(q):
            x, y, z = q
            return (10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z)

        def followed(q):
            h = end / steps
            for _ in range(steps):
                k1 = rate(q)
                k2 = rate([a + h / 2 * k for a, k in zip(q, k1)])
                k3 = rate([a + h / 2 * k for a, k in zip(q, k2)])
                k4 = rate([a + h * k for a, k in zip(q, k3)])
                q = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(q, k1, k2, k3, k4)]
            return q

        # how much a small change of a start grows on the way, at most, by the same method
        small = 1e-6
        growth = max(abs(p - q) / small
                     for x in (1.0, 1.25, 1.5, 1.75, 2.0) for i in range(3)
                     for p, q in zip(followed([c + small * (j == i) for j, c in enumerate([x, 1.0, 1.0])]),
                                     followed([x, 1.0, 1.0])))
        # every step rounds numbers of up to 50 to their last digit, at worst all to one side, and each of these errors grows
        for precision, unit in (("double", 2**-53), ("single", 2**-24)):
            tolerance = steps * unit * 50 * max(1, growth)
            summary, rows = self.sweep(model, "--vary", "x=1:2:5", "--form", "hamel", "--t-end", str(end), "--steps",
                                       str(steps), "--precision", precision, out=precision + ".csv")
            self.assertEqual((summary["finished"], summary["alone"]), (5, 0))
            for row in rows:
                for name, value in zip("xyz", followed([float(row["x"]), 1.0, 1.0])):
                    there = float(row["end(x)" if name == "x" else name])
                    self.assertLess(abs(there - value), tolerance)

    def test_why_motions_are_left_to_the_processor_is_counted(self):
        ball = self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 - g*x"\n[parameters]\ng = 9.81\n[initial]\n'
                          'x = 1\n[events]\nground = {when = "x", action = "stop"}\n')
        summary, rows = self.sweep(ball, "--vary", "x=0.5:20:8", "--t-end", "1")
        stopped = sum(row["status"] == "event" for row in rows)
        self.assertEqual((summary["left"], summary["alone"]), ({"event": stopped}, stopped))
        done = cetaev("sweep", ball, "--vary", "x=0.5:20:8", "--t-end", "1", "--device", "gpu")
        self.assertIn(f"(event {stopped})", done.stdout)

    def test_what_a_gpu_does_not_do_is_said(self):
        for arguments, words in [(("--method", "taylor"), "dop853"), (("--observe", "max(x)"), "max(x) lies along it: that is seen with --device cpu")]:
            done = cetaev("sweep", "skate", "--vary", "slope=0.1:1:3", "--device", "gpu", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
        jumps = self.write('coordinates = ["x"]\nlagrangian = "x\'^2/2 - abs(x)"\n[initial]\nx = 1\n')
        done = cetaev("sweep", jumps, "--vary", "x=1:2:3", "--device", "gpu")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--device cpu", done.stderr)
        done = cetaev("sweep", "skate", "--vary", "slope=0.1:1:3", "--steps", "10")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--device gpu", done.stderr)

    def test_the_kernel_is_kept_on_disk(self):
        cache = {"CETAEV_CACHE": str(self.folder / "cache")}
        seconds = [self.sweep("bicycle", "--vary", "lean'=0.1:0.3:3", "--t-end", "0.1", environment=cache, out=f"{k}.csv")[0]
                   ["compile_seconds"] for k in range(2)]
        self.assertLess(seconds[1], seconds[0])


def find_device():
    done = cetaev("sweep", "skate", "--vary", "slope=[0.5]", "--t-end", "0.1", "--device", "gpu", "--json")
    if done.returncode == 0:
        return json.loads(done.stdout)["device_name"]
    print("no GPU: nothing was tested\n" + done.stderr, file=sys.stderr)
    return None


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    if "--stand-in" in sys.argv:
        folder = os.path.abspath(sys.argv[sys.argv.index("--stand-in") + 1])
        ENVIRONMENT["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("LD_LIBRARY_PATH")]))
    DEVICE = find_device()
    if DEVICE is None:
        sys.exit(1 if "--stand-in" in sys.argv else 77)
    print("device: " + DEVICE, file=sys.stderr)
    unittest.main(argv=sys.argv[:1])
