"""Motions: what `run` prints, the files it writes, and how it ends."""

import json
import math
import os
import pathlib
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import CETAEV, cetaev, table

# A heavy particle with the time of its fall known; the ball stops at the ground.
FALL = """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - g*y"
[parameters]
g = 2
[initial]
y = 9
"x'" = 1
[events]
half = {when = "y - 5", direction = -1}
rising = {when = "y - 5", direction = 1}
ground = {when = "y", action = "stop"}
"""

# So long that machine code is worth its making.
LONG = ("--t-end", "5000")

OSCILLATOR = """coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
x = 1
[events]
centre = "x"
up = {when = "x", direction = 1}
"""

# x'' = x'^2 with x'(0) = 1: x' = 1/(1 - t)
ESCAPE = """coordinates = ["x"]
lagrangian = "x'^2/2"
[forces]
x = "x'^2"
[initial]
"x'" = 1
"""

KEYS = {
    "model": str, "status": str, "t": float, "q": dict, "v": dict, "form": str, "method": str, "backend": str,
    "samples": int, "steps": int, "rhs_evaluations": int, "max_residual": float, "energy_drift": float,
    "E_start": float, "E_end": float, "projections": int, "projection_energy": float, "reselections": int,
    "notes": list, "compile_seconds": float, "wall_seconds": float,
}  # fmt: skip


def skate(t, g=9.81, slope=math.pi / 6, w=1.3):
    """From rest with phi' = w: a cycloid across the slope."""
    c, phi = g * math.sin(slope) / (2 * w * w), w * t
    return {
        "x": c * math.sin(phi) ** 2,
        "y": c / 2 * (2 * phi - math.sin(2 * phi)),
        "phi": phi,
        "x'": c * w * math.sin(2 * phi),
        "y'": c * w * (1 - math.cos(2 * phi)),
        "phi'": w,
    }


def python_with_h5py():
    """Debian's package serves Debian's interpreter, which need not be the one that runs the tests."""
    for interpreter in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([interpreter, "-c", "import h5py"], capture_output=True, check=False)
        if found.returncode == 0:
            return interpreter
    return None


H5PY = python_with_h5py()


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def write(self, text, name="model.toml"):
        self.path(name).write_text(text, encoding="utf-8")
        return self.path(name)

    def h5(self, path, expression):
        """The value of an expression in f = h5py.File(path), in one line of Python."""
        done = subprocess.run(
            [H5PY, "-c", f"import h5py, sys, json; f = h5py.File(sys.argv[1]); print(json.dumps({expression}))", path],
            capture_output=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def test_a_pipe_that_nobody_reads_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, words in (("motion.csv", "nobody reads"), ("motion.h5", "pipe or a device")):
                path = os.path.join(folder, name)
                os.mkfifo(path)
                result = cetaev("run", "skate", "--t-end", "1", "--out", path)
                self.assertEqual(result.code, 4, result.out + result.err)
                self.assertIn(words, result.err)

    def test_the_summary_has_its_keys(self):
        result = cetaev("run", "skate", "--t-end", 1, "--json")
        self.assertEqual(result.code, 0, result.err)
        for key, kind in KEYS.items():
            with self.subTest(key=key):
                self.assertIsInstance(result.json[key], kind)
        self.assertEqual(result.json["status"], "finished")
        self.assertEqual(result.json["t"], 1.0)
        self.assertEqual(list(result.json["q"]), ["x", "y", "phi"])
        self.assertEqual(result.json["samples"], 1001)
        self.assertEqual(result.json["method"], "taylor")
        self.assertNotIn("trajectory", result.json)
        self.assertEqual(result.err, "")

    def test_csv_has_the_closed_form_of_the_skate(self):
        out = self.path("skate.csv")
        result = cetaev("run", "skate", "--out", out, "--samples", 101)
        self.assertEqual(result.code, 0, result.err)
        rows = table(out)
        self.assertEqual(list(rows[0]), ["t", "x", "y", "phi", "x'", "y'", "phi'", "lambda1", "E", "residual"])
        self.assertEqual(len(rows), 101)
        # at tenths of a second, to the last bit
        self.assertEqual([row["t"] for row in rows[:4]] + [rows[-1]["t"]], ["0", "0.1", "0.2", "0.3", "10"])
        for row in rows:
            for name, value in skate(float(row["t"])).items():
                self.assertAlmostEqual(float(row[name]), value, delta=1e-12 * 20)
            self.assertLess(float(row["residual"]), 1e-12)

    def test_csv_and_the_json_trajectory_are_the_same_numbers(self):
        out = self.path("disc.csv")
        result = cetaev("run", "rolling-disc", "--t-end", 2, "--samples", 21, "--out", out, "--trajectory", "--json")
        self.assertEqual(result.code, 0, result.err)
        rows, trajectory = table(out), result.json["trajectory"]
        self.assertEqual([float(row["t"]) for row in rows], trajectory["t"])
        for name in result.json["q"]:
            self.assertEqual([float(row[name]) for row in rows], trajectory["q"][name])
            self.assertEqual([float(row[name + "'"]) for row in rows], trajectory["v"][name])
            self.assertEqual(trajectory["q"][name][-1], result.json["q"][name])
        for i, column in enumerate(trajectory["multipliers"]):
            self.assertEqual([float(row[f"lambda{i + 1}"]) for row in rows], column)
        self.assertEqual([float(row["E"]) for row in rows], trajectory["E"])
        # shortest numbers that read back to the same double
        for row in rows:
            for text in row.values():
                self.assertEqual(float(repr(float(text))), float(text))
                self.assertLessEqual(len(text), 24)

    def test_the_samples_go_to_stdout_as_csv_without_json(self):
        result = cetaev("run", "skate", "--t-end", 1, "--samples", 3, "--trajectory", "--quiet")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(len(result.out.splitlines()), 4)
        self.assertTrue(result.out.startswith("t,x,y,phi,"))

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_hdf5_is_read_in_one_line(self):
        out, other = self.path("skate.h5"), self.path("skate.csv")
        for path in (out, other):
            result = cetaev("run", "skate", "--samples", 1200, "--out", path, "--set", "g=9")
            self.assertEqual(result.code, 0, result.err)
        rows = table(other)
        q = self.h5(out, "f['states/q'][:].tolist()")
        self.assertEqual(q, [[float(row[x]) for x in ("x", "y", "phi")] for row in rows])
        self.assertEqual(self.h5(out, "f['states/v'][:, 0].tolist()"), [float(row["x'"]) for row in rows])
        self.assertEqual(self.h5(out, "f['states/t'][:].tolist()"), [float(row["t"]) for row in rows])
        self.assertEqual(self.h5(out, "f['energy/E'][:].tolist()"), [float(row["E"]) for row in rows])
        self.assertEqual(
            self.h5(out, "f['multipliers/lambda'][:, 0].tolist()"), [float(row["lambda1"]) for row in rows]
        )
        self.assertEqual(self.h5(out, "list(f['states/q'].attrs['names'])"), ["x", "y", "phi"])
        self.assertEqual(self.h5(out, "f['model'].attrs['text']"), cetaev("gallery", "skate").out)
        self.assertEqual(self.h5(out, "list(f['model'].attrs['settings'])"), ["g=9"])
        for key, value in (("status", "finished"), ("method", "taylor"), ("tolerance", 1e-14), ("t_end", 10.0)):
            self.assertEqual(self.h5(out, f"f.attrs['{key}']"), value)
        self.assertNotEqual(self.h5(out, "f.attrs['form']"), "auto")
        self.assertIn(self.h5(out, "f.attrs['version']"), cetaev("--version").out)

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_outputs_are_columns_of_hdf5(self):
        # x = cos t along the line y = 0, which bears the weight
        model = self.write(
            """coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - x^2/2 - 9.81*y"
constraints = ["y = 0"]
[initial]
x = 1
[outputs]
push = "x''"
place = "[x, 2*x', t]"
weight = "lambda[1]"
"""
        )
        out = self.path("outputs.h5")
        self.assertEqual(cetaev("run", model, "--t-end", 3, "--samples", 31, "--out", out).code, 0)
        self.assertEqual(
            self.h5(out, "list(f['outputs/values'].attrs['names'])"), ["push", "place.x", "place.y", "place.z", "weight"]
        )
        values = self.h5(out, "f['outputs/values'][:].tolist()")
        self.assertEqual(len(values), 31)
        for t, row in zip(self.h5(out, "f['states/t'][:].tolist()"), values):
            for found, expected in zip(row, (-math.cos(t), math.cos(t), -2 * math.sin(t), t, 9.81)):
                self.assertAlmostEqual(found, expected, places=13)

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_variations_have_columns_with_names(self):
        path = self.path("out.h5")
        result = cetaev("run", "skate", "--t-end", "2", "--samples", "5", "--variations", "phi'", "--out", path, "--json")
        self.assertEqual(result.code, 0, result.err)
        names = self.h5(path, "[str(x) for x in f['variations/changes'].attrs['names']]")
        self.assertEqual(names[2], "d(phi)/d(phi')")
        changes = self.h5(path, "f['variations/changes'][:].tolist()")
        self.assertEqual([len(row) for row in changes], [6] * 5)
        self.assertEqual(changes[-1][0], json.loads(result.out)["variations"]["phi'"]["q"]["x"])

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_events_are_in_the_hdf5_file(self):
        out = self.path("fall.h5")
        result = cetaev("run", self.write(FALL), "--out", out)
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(self.h5(out, "list(f['events'].attrs['names'])"), ["half", "rising", "ground"])
        self.assertEqual(self.h5(out, "f['events/event'][:].tolist()"), [0, 2])
        times = self.h5(out, "f['events/t'][:].tolist()")
        self.assertAlmostEqual(times[0], 2, delta=1e-14)
        self.assertAlmostEqual(times[1], 3, delta=1e-14)
        self.assertEqual(self.h5(out, "f.attrs['stopping_event']"), "ground")

    def test_an_event_stops_the_motion(self):
        result = cetaev("run", self.write(FALL), "--json")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual((result.json["status"], result.json["event"]), ("event", "ground"))
        self.assertAlmostEqual(result.json["t"], 3, delta=1e-14)
        self.assertAlmostEqual(result.json["q"]["x"], 3, delta=1e-14)
        self.assertAlmostEqual(result.json["v"]["y"], -6, delta=1e-13)
        self.assertEqual({n: e["count"] for n, e in result.json["events"].items()}, {"half": 1, "rising": 0, "ground": 1})

    def test_a_section_has_the_crossings_and_nothing_else(self):
        model, out = self.write(OSCILLATOR), self.path("section.csv")
        result = cetaev("run", model, "--t-end", 20, "--section", "up", "--json")
        self.assertEqual(result.code, 0, result.err)
        times = [1.5 * math.pi, 3.5 * math.pi, 5.5 * math.pi]
        section = result.json["section"]
        self.assertEqual(len(section["t"]), 3)
        for found, t, v in zip(section["t"], times, section["v"]["x"]):
            self.assertAlmostEqual(found, t, delta=1e-13 * 20)
            self.assertAlmostEqual(v, 1, delta=1e-12)
        self.assertEqual(result.json["events"]["centre"]["count"], 6)
        cetaev("run", model, "--t-end", 20, "--section", "up", "--out", out)
        self.assertEqual([float(row["t"]) for row in table(out)], section["t"])
        printed = cetaev("run", model, "--t-end", 20, "--section", "up", "--quiet")
        self.assertEqual(printed.out, out.read_text(encoding="utf-8"))

    def test_bad_values_are_refused_before_anything_is_written(self):
        out = self.path("motion.csv")
        for arguments in (
            ["--samples", "1"], ["--samples", "-3"], ["--samples", "x"], ["--samples", "2.5"], ["--tolerance", "0"],
            ["--tolerance", "1"], ["--tolerance", "nan"], ["--t-end", "nan"], ["--t-end", "inf"], ["--t-end", "soon"],
            ["--method", "euler"], ["--form", "newton"], ["--backend", "gpu"], ["--section", "noon"],
            ["--set", "gg=1"], ["--t-end", ""], ["--t-end", "0x10"], ["--samples", ""], ["--samples", "0x10"],
            ["--samples", "1_000"], ["--tolerance", ""], ["--tolerance", "0x1p-30"], ["--t-end", "1e400"],
        ):  # fmt: skip
            with self.subTest(arguments=arguments):
                result = cetaev("run", "skate", *arguments, "--out", out, "--json")
                self.assertEqual(result.code, 2, result.out)
                self.assertIn(result.json["error"]["code"], ("bad-model", "unknown-name"))
                self.assertFalse(out.exists())
        nameless = cetaev("run", "skate", "--out", "", "--json")
        self.assertEqual(nameless.code, 2)
        self.assertEqual(nameless.json["error"]["code"], "bad-model")
        named = cetaev("run", self.write(FALL), "--section", "grund", "--json")
        self.assertIn("ground", named.json["error"]["message"])

    def test_a_motion_that_cannot_start_leaves_the_old_file(self):
        out = self.write("mine", "motion.csv")
        result = cetaev("run", "appell-hamel", "--form", "hamel", "--out", out, "--json")
        self.assertEqual(result.code, 3)
        self.assertEqual(result.json["error"]["code"], "not-applicable")
        self.assertEqual(out.read_text(encoding="utf-8"), "mine")
        new = self.path("new.h5")
        self.assertEqual(cetaev("run", "appell-hamel", "--form", "hamel", "--out", new).code, 3)
        self.assertFalse(new.exists())

    def test_files_that_cannot_be_written_are_exit_4(self):
        for out in (self.path("no/such/folder.csv"), self.path("no/such/folder.h5")):
            with self.subTest(out=out):
                result = cetaev("run", "skate", "--t-end", 1e9, "--out", out, "--json", timeout=100)
                self.assertEqual(result.code, 4)
                self.assertEqual(result.json["error"]["code"], "cannot-write")
        self.assertEqual(cetaev("run", "skate", "--out", self.path("motion.txt")).code, 2)
        self.assertEqual(cetaev("run", "skate", "--out", self.folder.name).code, 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_exit_4(self):
        result = cetaev("run", "skate", "--out", "/dev/full", "--json")
        self.assertEqual(result.code, 4)
        self.assertEqual(result.json["error"]["code"], "cannot-write")

    def test_a_file_that_may_not_grow_is_exit_4(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        for name in ("motion.csv", "motion.h5"):
            with self.subTest(name=name):
                done = subprocess.run(
                    [CETAEV, "run", "skate", "--samples", "20000", "--out", self.path(name)],
                    preexec_fn=small_files,
                    capture_output=True,
                    timeout=300,
                    check=False,
                )
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn(b"cannot write", done.stderr)
        # what there was room for, in whole lines
        rows = table(self.path("motion.csv"))
        self.assertGreater(len(rows), 100)
        for row in rows:
            self.assertNotIn(None, row.values())
        self.assertTrue(self.path("motion.csv").read_bytes().endswith(b"\n"))

    def test_memory_that_runs_out_is_exit_4_wherever_it_does(self):
        def with_little(megabytes, *arguments):
            return subprocess.run(
                [CETAEV, *arguments],
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)),
                capture_output=True,
                timeout=300,
                check=False,
            )

        if with_little(80, "run", "skate").returncode != 0:
            self.skipTest("this build needs more address space")
        # while samples are kept, and while the document is made of them
        for limit in (80, 120, 200):
            with self.subTest(megabytes=limit):
                done = with_little(limit, "run", "skate", "--samples", "500000", "--trajectory", "--json")
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertEqual(done.stderr, b"error: out of memory\n")
                self.assertEqual(json.loads(done.stdout)["error"]["code"], "out-of-memory")

    def test_the_model_is_not_overwritten(self):
        for name in ("model.csv", "model.html"):
            model = self.write(OSCILLATOR, name)
            link = self.path("link-to-" + name)
            link.symlink_to(model)
            for command in (["run", model, "--out"], ["report", model, "-o"], ["derive", model, "-o"]):
                for out in (model, link):
                    with self.subTest(command=command[0], out=out.name):
                        result = cetaev(*command, out)
                        self.assertEqual(result.code, 2, result.err)
                        self.assertEqual(model.read_text(encoding="utf-8"), OSCILLATOR)
        samples = self.path("samples.csv")
        self.assertEqual(cetaev("run", self.path("model.csv"), "--out", samples).code, 0)
        figure = self.path("samples.svg")
        samples.rename(figure)
        self.assertEqual(cetaev("plot", figure, "-o", figure).code, 2)

    def test_settings_reach_the_motion(self):
        result = cetaev("run", "skate", "--t-end", 2, "--set", "g=3", "--set", "phi'=2", "--json")
        expected = skate(2, g=3, w=2)
        for name in ("x", "y", "phi"):
            self.assertAlmostEqual(result.json["q"][name], expected[name], delta=1e-12)

    def test_methods_and_forms_agree(self):
        for method in ("taylor", "dop853", "adams", "bdf"):
            for form in ("auto", "multipliers", "voronec"):
                with self.subTest(method=method, form=form):
                    result = cetaev(
                        "run", "skate", "--t-end", 1, "--method", method, "--form", form, "--tolerance", 1e-10, "--json"
                    )
                    self.assertEqual(result.code, 0, result.err)
                    self.assertEqual(result.json["method"], method)
                    self.assertAlmostEqual(result.json["q"]["y"], skate(1)["y"], delta=1e-6)

    def test_the_defaults_of_the_model_are_used(self):
        text = OSCILLATOR + '[simulation]\nt_end = "pi"\nsamples = 7\ntolerance = 1e-9\nmethod = "dop853"\n'
        model = self.write(text)
        result = cetaev("run", model, "--json")
        self.assertEqual((result.json["t"], result.json["samples"], result.json["method"]), (math.pi, 7, "dop853"))
        self.assertAlmostEqual(result.json["q"]["x"], -1, delta=1e-6)
        self.assertEqual(cetaev("run", model, "--samples", 5, "--json").json["samples"], 5)

    def test_a_finite_escape_is_a_diagnosis_with_everything_up_to_there(self):
        out = self.path("escape.csv")
        result = cetaev("run", self.write(ESCAPE), "--t-end", 2, "--samples", 2001, "--out", out, "--json")
        self.assertEqual(result.code, 3, result.out)
        self.assertEqual(result.json["status"], "failed")
        self.assertIn(result.json["error"]["code"], ("finite-escape", "step-too-small", "non-finite"))
        self.assertAlmostEqual(result.json["t"], 1, delta=1e-3)
        self.assertTrue(math.isfinite(result.json["v"]["x"]))
        rows = table(out)
        self.assertGreaterEqual(len(rows), 999)
        for row in rows:
            t = float(row["t"])
            if t < 1:  # the last time before 1 may be nearer to it than a double tells
                self.assertAlmostEqual(float(row["x'"]) * (1 - t), 1, delta=1e-9)
        self.assertIn("error:", result.err)

    def test_the_singular_set_is_an_answer(self):
        # the particle loses its horizontal speed at a constant rate and reaches u = 0
        result = cetaev("run", "appell-hamel", "--t-end", 100, "--json")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(result.json["status"], "singular")
        # u' = -a g/(1 + a^2) from u = 5 with a = 1/2
        self.assertAlmostEqual(result.json["at"], 5 * (1 + 0.25) / (0.5 * 9.81), delta=1e-9)
        self.assertIn("code", result.json["diagnosis"])
        self.assertIn("message", result.json["diagnosis"])
        self.assertNotIn("error", result.json)

    def test_times_in_messages_have_the_digits_they_need(self):
        late = cetaev("run", self.write(ESCAPE), "--t-end", 2)
        self.assertRegex(late.err, r"at t = (1|0\.99999\d*)\n")
        early = cetaev("run", self.write(ESCAPE), "--set", "x'=1e12", "--t-end", "1")
        self.assertRegex(early.err, r"at t = (1e-12|9\.\d+e-13)\n")
        huge = cetaev("run", self.write(ESCAPE), "--set", "t=1e308", "--t-end", "1.1e308")
        self.assertEqual(huge.code, 3)
        self.assertIn("t = 1e+308", huge.err)
        self.assertLess(len(huge.err), 200)

    def test_samples_that_nobody_reads_are_not_computed(self):
        result = cetaev("run", "skate", "--samples", 1_000_000_000, "--json", timeout=100)
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(result.json["t"], 10)
        self.assertLess(result.json["samples"], 100_000)
        self.assertLess(result.json["energy_drift"], 1e-12)

    def interrupt(self, out, seconds=1.5):
        process = subprocess.Popen(
            [CETAEV, "run", "rolling-disc", "--t-end", "1e7", "--samples", "10000001", "--out", out, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        return json.loads(output)

    def test_an_interrupted_run_leaves_a_complete_csv(self):
        out = self.path("disc.csv")
        summary = self.interrupt(out)
        self.assertEqual(summary["status"], "interrupted")
        text = out.read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"))
        rows = table(out)
        self.assertEqual(len(rows), summary["samples"])
        self.assertGreater(len(rows), 10)
        self.assertTrue(all(None not in row.values() and "" not in row.values() for row in rows[-3:]))
        self.assertLessEqual(float(rows[-1]["t"]), summary["t"])
        self.assertGreater(float(rows[-1]["t"]), summary["t"] - 2)

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_an_interrupted_run_leaves_a_complete_hdf5_file(self):
        out = self.path("disc.h5")
        summary = self.interrupt(out)
        self.assertEqual(self.h5(out, "f['states/q'].shape[0]"), summary["samples"])
        self.assertEqual(self.h5(out, "f['states/t'].shape[0]"), summary["samples"])
        self.assertEqual(self.h5(out, "f.attrs['status']"), "interrupted")

    @unittest.skipUnless(H5PY, "needs python3-h5py")
    def test_a_killed_run_leaves_what_was_finished(self):
        for name in ("disc.csv", "disc.h5"):
            with self.subTest(name=name):
                out = self.path(name)
                process = subprocess.Popen(
                    [CETAEV, "run", "rolling-disc", "--t-end", "1e7", "--samples", "10000001", "--out", out],
                    stdout=subprocess.DEVNULL,
                )
                time.sleep(2.5)
                process.kill()
                process.wait()
                if name.endswith("csv"):
                    self.assertGreater(len(table(out)), 100)
                    self.assertTrue(out.read_text(encoding="utf-8").endswith("\n"))
                else:
                    self.assertGreater(self.h5(out, "f['states/q'].shape[0]"), 100)
                    self.assertEqual(self.h5(out, "f.attrs['status']"), "running")
                    self.assertTrue(self.h5(out, "bool(abs(f['states/t'][-1] - (len(f['states/t']) - 1)) < 1e-6)"))

    def on_a_terminal(self, *options):
        """What a run of a second and a half shows on a terminal."""
        ours, theirs = os.openpty()
        process = subprocess.Popen(
            [CETAEV, "run", "rolling-disc", "--t-end", "1e7", "--out", self.path("disc.csv"), *options],
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
        )
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # Linux: the other end is closed
            pass
        os.close(ours)
        return shown.decode()

    def test_a_terminal_shows_the_time_left_and_is_clean_afterwards(self):
        shown = self.on_a_terminal()
        self.assertRegex(shown, r"\[#*\.+\] +\d+ %  t = [\d.e+]+  \d+ (s|min|h|days) left")
        self.assertTrue(shown.endswith("\r\x1b[K"))
        self.assertEqual(self.on_a_terminal("--quiet"), "")

    def test_a_second_interruption_ends_the_program_at_once(self):
        process = subprocess.Popen(
            [CETAEV, "run", "rolling-disc", "--t-end", "1e7", "--samples", "10000001", "--out", "/dev/stdout"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # nobody reads: soon the pipe is full and the first Ctrl-C cannot be answered
        self.assertTrue(select.select([process.stdout], [], [], 30)[0])
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=100)
        process.stdout.close()
        self.assertEqual(code, -signal.SIGINT)

    def test_the_text_says_what_happened(self):
        result = cetaev("run", "skate", "--t-end", 1)
        self.assertEqual(result.code, 0, result.err)
        for words in ("finished at t = 1", "multipliers", "taylor", "energy drift", "residual", "1.347343097"):
            self.assertIn(words, result.out)
        self.assertEqual(result.err, "")
        self.assertEqual(cetaev("run", "skate", "--t-end", 1, "--quiet").out, "")

    def test_machine_code_that_others_can_have_written_is_made_anew_and_a_note_says_so(self):
        cache = self.path("cache")
        env = {"CETAEV_CACHE": str(cache)}

        def run():
            return cetaev("run", "skate", *LONG, "--json", env=env).json

        fresh, kept = run(), run()
        self.assertEqual((fresh["from_cache"], fresh["notes"]), (False, []))
        self.assertEqual((kept["from_cache"], kept["notes"]), (True, []))
        self.assertEqual(sorted(p.suffix for p in cache.iterdir()), ["", ".cetaevcode"])
        (code,) = cache.glob("*.cetaevcode")
        good = code.read_bytes()
        code.unlink()
        os.mkfifo(code)
        refused = run()
        self.assertEqual(refused["q"], fresh["q"])
        self.assertFalse(refused["from_cache"])
        (note,) = refused["notes"]
        self.assertEqual(
            note,
            f"machine code was made anew, not taken from the cache in '{cache}': its file '{code.name}' is no file",
        )
        self.assertEqual(code.read_bytes(), good)
        cache.chmod(0o1777)
        text = cetaev("run", "skate", *LONG, env=env)
        self.assertEqual(text.code, 0)
        self.assertEqual(" ".join(text.out.split()).count("it can be changed by others (chmod go-w)"), 1)

    def test_the_cache_holds_all_that_was_compiled_and_no_values(self):
        cache = self.path("cache")
        env = {"CETAEV_CACHE": str(cache)}

        def run(*options):
            done = cetaev("run", *options, "--samples", 2, "--json", env=env)
            self.assertEqual(done.code, 0, done.err)
            return done.json, set(cache.glob("*.cetaevcode"))

        for how, others in (
            (("skate", *LONG), ("--set", "m=3", "--set", "x=0.5", "--set", "phi=0.3", "--set", "phi'=0.9")),
            (("skate", *LONG, "--form", "multipliers"), ("--set", "m=3", "--set", "phi'=0.9")),
            (("skate", "--t-end", "20", "--method", "dop853"), ("--set", "m=3", "--set", "phi=0.3")),
            (("rolling-disc", "--t-end", "8", "--method", "adams"), ("--set", "theta=0.45", "--set", "psi=1")),
        ):
            with self.subTest(how):
                first, made = run(*how)
                again, same = run(*how)
                other, still = run(*how, *others)
                self.assertEqual([r["from_cache"] for r in (first, again, other)], [False, True, True])
                self.assertEqual((made, same), (same, still))
                self.assertEqual(first["q"], again["q"])
                self.assertNotEqual(first["q"], other["q"])

    def test_short_motions_compile_nothing(self):
        # the same motion whether there is code in the cache or not: what decides is how many steps there will be
        cache = self.path("cache")
        env = {"CETAEV_CACHE": str(cache)}
        short = cetaev("run", "skate", "--t-end", 3, "--json", env=env).json
        self.assertEqual(list(cache.glob("*.cetaevcode")), [])
        cetaev("run", "skate", *LONG, "--json", env=env)
        self.assertEqual(len(list(cache.glob("*.cetaevcode"))), 1)
        again = cetaev("run", "skate", "--t-end", 3, "--json", env=env).json
        self.assertEqual((short["q"], short["from_cache"]), (again["q"], again["from_cache"]))
        for name, value in short["q"].items():
            self.assertAlmostEqual(value, skate(3)[name], delta=1e-12)

    def test_backwards_in_time_and_back(self):
        there = cetaev("run", "skate", "--t-end", -2, "--json")
        self.assertEqual(there.code, 0, there.err)
        for name, value in there.json["q"].items():
            self.assertAlmostEqual(value, skate(-2)[name], delta=1e-12)


class Compare(unittest.TestCase):
    def test_two_forms_of_one_mechanics_stay_together(self):
        result = cetaev("compare", "rolling-disc", "--form", "hamel", "--form", "multipliers", "--t-end", 5, "--json")
        self.assertEqual(result.code, 0, result.err)
        self.assertTrue(result.json["agree"])
        self.assertIsNone(result.json["motion"]["part_at"])
        self.assertLess(result.json["motion"]["position"]["difference"], 1e-9)

    def test_the_time_at_which_two_principles_part(self):
        # The reduced equations of the skate from rest on a slope: agree in accelerations at t = 0, then part.
        result = cetaev("compare", "skate", "--form", "voronec", "--form", "reduced", "--t-end", 1, "--json")
        self.assertEqual(result.code, 1, result.err)
        motion = result.json["motion"]
        self.assertGreater(motion["part_at"], 0)
        self.assertLess(motion["part_at"], 1)
        self.assertGreater(motion["position"]["difference"], 1e-3)
        # At that time they differ by the threshold, found here from two runs that end there.
        ends = [
            cetaev("run", "skate", "--form", form, "--t-end", repr(motion["part_at"]), "--json").json
            for form in ("voronec", "reduced")
        ]
        size = max(1, *(abs(end[k][x]) for end in ends for k in ("q", "v") for x in end["q"]))
        apart = max(abs(ends[0][k][x] - ends[1][k][x]) for k in ("q", "v") for x in ends[0]["q"])
        self.assertAlmostEqual(apart / size, motion["threshold"], delta=1e-3 * motion["threshold"])
        text = cetaev("compare", "skate", "--form", "voronec", "--form", "reduced", "--t-end", 1).out
        self.assertIn("part at t = ", text)


if __name__ == "__main__":
    unittest.main()
