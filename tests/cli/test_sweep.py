"""Sweeps: what `sweep` prints and writes, and that its files are the same however they came about."""

import csv
import json
import math
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zlib

from program import CETAEV, FREE_OSCILLATOR, cetaev, table, under_debians_python

under_debians_python("h5py", "numpy")

import h5py
import numpy

OSCILLATOR = FREE_OSCILLATOR + """[events]
fallen = {when = "x", direction = -1}
low = {when = "x + 2", action = "stop"}
"""

# Every way to end, each at a time that is known: x' = 1/(1 - f t) escapes at 1/f; the inertia c + z of y, with z = -t, vanishes at c; the
# clock stops at s; and there is no u to start from where r < 0.
ENDS = """coordinates = ["x", "y", "z", "u"]
lagrangian = "(x'^2 + (c + z)*y'^2 + z'^2 + u'^2)/2"
constraints = ["u^2 = r"]
[parameters]
f = 0.1
c = 5
s = 5
r = 1
[forces]
x = "f*x'^2"
[initial]
"x'" = 1
"z'" = -1
u = 1
[events]
clock = {when = "t - s", action = "stop"}
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "oscillator.toml"
        self.model.write_text(OSCILLATOR, encoding="utf-8")

    def sweep(self, *arguments, **options):
        return cetaev("sweep", str(self.model), *arguments, **options)

    def written(self, name, *arguments):
        done = self.sweep(*arguments, "--out", str(self.folder / name), "--quiet")
        self.assertEqual(done.code, 0, done.err)
        return (self.folder / name).read_bytes()

    def test_the_file_holds_inputs_outputs_and_how_each_motion_ended(self):
        out = self.folder / "o.h5"
        done = self.sweep("--vary", "k=1:9:5", "--vary", "x'=[0, -1]", "--observe", "x", "--observe", "max(x')",
                          "--observe", "time(fallen)", "--t-end", "3", "--out", str(out), "--json")
        self.assertEqual(done.code, 0, done.err)
        summary = done.json
        self.assertEqual(summary["count"], 10)
        self.assertEqual(summary["finished"] + summary["event"], 10)
        self.assertEqual(summary["failed"] + summary["singular"], 0)
        self.assertEqual(summary["ranks"], 1)
        self.assertEqual(summary["device"], "cpu")
        self.assertEqual(summary["out"], str(out))
        for key in ("threads", "wall_seconds", "per_second"):
            self.assertGreater(summary[key], 0)
        with h5py.File(out) as file:
            self.assertEqual(list(file["inputs"].attrs["names"]), ["k", "x'"])
            self.assertEqual(list(file["outputs"].attrs["names"]), ["x", "max(x')", "time(fallen)"])
            inputs, outputs, t = file["inputs"][:], file["outputs"][:], file["t"][:]
            self.assertEqual({word.decode() for word in file["status"][:]}, {"finished"})
            self.assertEqual(file.attrs["text"], OSCILLATOR)
            self.assertEqual(list(file.attrs["vary"]), ["k=1:9:5", "x'=[0, -1]"])
            self.assertIn("version", file.attrs)
            # the checksums, by another implementation of CRC-32
            block = int(file.attrs["block"])
            for number, told in enumerate(file["checksum"][:]):
                rows = slice(number * block, (number + 1) * block)
                crc = 0
                for part in (inputs, outputs, t, file["status"][:], file["diagnosis"][:]):
                    crc = zlib.crc32(part[rows].tobytes(), crc)
                self.assertEqual(int(told), 2**32 + crc)
        for (k, v), (x, fastest, fallen), end in zip(inputs, outputs, t):
            w = math.sqrt(k)
            self.assertAlmostEqual(x, math.cos(w * end) + v / w * math.sin(w * end), 12)
            self.assertEqual(end, 3)
            delay = math.atan2(v / w, 1)
            self.assertAlmostEqual(fallen, (math.pi / 2 + delay) / w, 11)
            if w * 3 > 1.5 * math.pi + delay:
                self.assertAlmostEqual(fastest, w * math.hypot(1, v / w), 12)

    def test_a_table_in_and_a_table_out(self):
        rows = self.folder / "rows.csv"
        rows.write_text("k,x\n4,1\n9,0.5\n", encoding="utf-8")
        out = self.folder / "o.csv"
        done = self.sweep("--table", str(rows), "--t-end", "1", "--out", str(out), "--json")
        self.assertEqual(done.code, 0, done.err)
        lines = table(out)
        self.assertEqual(list(lines[0]), ["k", "x", "end(x)", "x'", "t", "status", "diagnosis"])
        for line in lines:
            w = math.sqrt(float(line["k"]))
            self.assertAlmostEqual(float(line["end(x)"]), float(line["x"]) * math.cos(w), 13)
            self.assertEqual(line["status"], "finished")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["o.csv", "oscillator.toml", "rows.csv"])

    def test_every_column_of_a_table_has_its_own_name(self):
        out = self.folder / "o.csv"
        done = self.sweep("--vary", "t=0:1:3", "--vary", "x=1:2:2", "--observe", "t", "--observe", "x", "--t-end", "2",
                          "--out", out, "--quiet")
        self.assertEqual(done.code, 0, done.err)
        lines = table(out)
        self.assertEqual(list(lines[0]), ["t", "x", "end(t)", "end(x)", "status", "diagnosis"])
        self.assertEqual([line["end(t)"] for line in lines], ["2"] * 6)
        own = self.folder / "own.toml"
        own.write_text('coordinates = ["x"]\nlagrangian = "x\'^2/2 - status*x^2/2"\nparameters = {status = 4}\ninitial = {x = 1}\n', encoding="utf-8")
        done = cetaev("sweep", own, "--vary", "status=[1, 4]", "--observe", "x", "--t-end", "1", "--out", out, "--quiet")
        self.assertEqual(done.code, 0, done.err)
        lines = table(out)
        self.assertEqual(list(lines[0]), ["status", "x", "t", "motion(status)", "diagnosis"])
        for line in lines:
            self.assertAlmostEqual(float(line["x"]), math.cos(math.sqrt(float(line["status"]))), 13)
            self.assertEqual(line["motion(status)"], "finished")
        self.assertEqual(cetaev("plot", out, "--y", "x", "--out", self.folder / "o.svg", "--quiet").code, 0)
        done = self.sweep("--vary", "k=1:2:3", "--observe", "x", "--observe", "x", "--out", self.folder / "no.csv")
        self.assertEqual(done.code, 2)
        self.assertIn("'x' is observed already", done.err)

    def test_a_table_with_missing_parts_says_which_file_is_there(self):
        vary = ("--vary", "k=1:5:40")
        for k in (1, 2):
            self.assertEqual(self.sweep(*vary, "--shard", f"{k}/2", "--out", self.folder / "o.csv", "--quiet").code, 0)
        out = self.folder / "all.csv"
        done = cetaev("sweep", "--merge", self.folder / "o.1-of-2.h5", "--out", out, "--json")
        self.assertEqual((done.json["out"], done.json["missing"] > 0), (str(out) + ".part", True))
        self.assertEqual([p.name for p in self.folder.glob("all*")], ["all.csv.part"])
        said = cetaev("sweep", "--merge", self.folder / "o.1-of-2.h5", "--out", out).out
        self.assertIn("all.csv.part, of which", said)
        done = self.sweep(*vary, "--out", out, "--resume", "--json")
        self.assertEqual((done.json["out"], done.json["computed"] < 40), (str(out), True))
        self.assertEqual([p.name for p in self.folder.glob("all*")], ["all.csv"])
        whole = out.read_bytes()
        done = cetaev("sweep", "--merge", self.folder / "o.1-of-2.h5", self.folder / "o.2-of-2.h5", "--out", out)
        self.assertEqual((done.code, out.read_bytes()), (0, whole))

    def test_starts_are_those_of_run(self):
        # a dependent velocity from linear equations; where the blade lies across the wheels it cannot follow, and near there it is large
        self.model.write_text('coordinates = ["x", "y", "phi"]\nlagrangian = "(x\'^2 + y\'^2 + phi\'^2)/2"\n'
                              'constraints = ["x\'*sin(phi) = y\'*cos(phi)"]\ndependent = ["y"]\n[initial]\n'
                              'phi = 0.3\n"x\'" = 1\n"phi\'" = 0.5\n', encoding="utf-8")
        out = self.folder / "o.csv"
        values = "[0, 0.5, 1.5, 1.57, 1.5707963, 1.5707963267948966, 3, -1.5707963267948966]"
        done = self.sweep("--vary", "phi=" + values, "--t-end", "0", "--out", out, "--quiet")
        self.assertEqual(done.code, 0, done.err)
        statuses = set()
        for line in table(out):
            alone = cetaev("run", self.model, "--set", "phi=" + line["phi"], "--t-end", "0", "--json")
            statuses.add(line["status"])
            if line["status"] == "failed":
                self.assertEqual(alone.json["error"]["code"], line["diagnosis"])
                continue
            self.assertEqual(alone.code, 0, alone.err)
            for name, value in alone.json["v"].items():
                self.assertAlmostEqual(float(line[name + "'"]) / max(1, abs(value)), value / max(1, abs(value)), 12)
        self.assertEqual(statuses, {"finished", "failed"})

    def test_a_page_of_a_sweep(self):
        self.model.write_text(ENDS, encoding="utf-8")
        sweep, page = self.folder / "ends.h5", self.folder / "ends.html"
        done = self.sweep("--vary", "f=uniform(0, 0.55)", "--vary", "c=uniform(1.8, 9)", "--vary", "r=uniform(-0.01, 3)",
                          "--count", 500, "--t-end", "2", "--observe", "x", "--observe", "max(x')", "--out", sweep, "--json")
        self.assertEqual(done.code, 0, done.err)
        summary = done.json
        done = cetaev("report", sweep, "-o", page)
        self.assertEqual(done.code, 0, done.err)
        html = page.read_text(encoding="utf-8")
        for word in ("finished", "singular", "failed"):
            if summary[word]:
                self.assertRegex(html, f'<th scope="row">{word}</th><td>{summary[word]}</td>')
        self.assertIn("inconsistent-initial-state", html)
        self.assertIn("f=uniform(0, 0.55)", html)
        self.assertIn("constraints = [&quot;u^2 = r&quot;]", html)
        # nothing from elsewhere, no scripts, and a figure for each output: histogram, map, and one over each of what varies
        self.assertNotRegex(html, r'(src|href)="(?!#)|<script|url\(http')
        self.assertEqual(html.count('<svg class="chart"'), 2 * (1 + 1 + 3))
        # the numbers, by another road
        with h5py.File(sweep) as file:
            x = file["outputs"][:, 0]
        x = x[numpy.isfinite(x)]
        row = html[html.index('<th scope="row"><code>x</code></th>'):]
        told = [float(part.split('"')[0]) for part in row.split('<data value="')[1:5]]
        for value, expected in zip(told, (x.min(), x.mean(), x.max(), x.std())):
            self.assertAlmostEqual(value, expected, 12)
        self.assertIn(f"<td>{len(x)}</td>", row[:200])
        # an output that has the name of an input is told from it, and what is missing is counted
        self.model.write_text(OSCILLATOR, encoding="utf-8")
        done = self.sweep("--vary", "x=1:2:40", "--shard", "1/2", "--out", self.folder / "part.h5", "--json")
        self.assertEqual(cetaev("report", self.folder / "part.1-of-2.h5", "-o", self.folder / "part.html").code, 0)
        part = (self.folder / "part.html").read_text(encoding="utf-8")
        self.assertIn("<code>end(x)</code>", part)
        self.assertIn(f"<li>{40 - done.json['computed']} missing</li>", part)
        # again the same page, and wrong files
        before = html
        self.assertEqual(cetaev("report", sweep, "-o", page).code, 0)
        self.assertEqual(page.read_text(encoding="utf-8"), before)
        motion = self.folder / "motion.h5"
        self.assertEqual(cetaev("run", "skate", "--out", motion).code, 0)
        (self.folder / "table.csv").write_text("k,x\n1,2\n", encoding="utf-8")
        broken = self.folder / "broken.h5"
        broken.write_bytes(sweep.read_bytes()[:5000])
        for wrong, says in ((motion, "no file of a sweep"), (self.folder / "table.csv", "FILE.h5"),
                            (broken, "no file of a sweep"), (self.folder / "none.h5", "cannot be read")):
            out = self.folder / "wrong.html"
            done = cetaev("report", wrong, "-o", out)
            self.assertEqual(done.code, 2, done.err)
            self.assertIn(says, done.err)
            self.assertFalse(out.exists())
        self.assertEqual(cetaev("report", sweep, "--t-end", "3", "-o", page).code, 2)
        self.assertEqual(cetaev("report", sweep, "-o", self.folder / "page.pdf").code, 2)

    def test_figures_of_a_sweep(self):
        for name in ("o.h5", "o.csv"):
            self.written(name, "--vary", "k=1:4:6", "--vary", "x'=0:1:5", "--observe", "max(x)", "--observe", "x")
            for how in ((), ("--y", "max(x),x"), ("--histogram", "--y", "max(x)"),
                        ("--x", "k", "--y", "x'", "--colour", "max(x)")):
                out = self.folder / "o.svg"
                done = cetaev("plot", self.folder / name, *how, "-o", out)
                self.assertEqual(done.code, 0, done.err)
                drawing = out.read_text(encoding="utf-8")
                if "--colour" in how:  # a cell for each motion, and sixty of the bar
                    self.assertGreaterEqual(drawing.count("fill-rule"), 30 + 60)
            done = cetaev("plot", self.folder / name, "--colour", "z", "-o", self.folder / "no.svg")
            self.assertEqual(done.code, 2)
            self.assertIn("there is no column 'z'", done.err)

    def test_bad_input_is_pointed_at_and_writes_nothing(self):
        out = self.folder / "o.h5"
        for arguments, exit_code, says in (
            (("--vary", "x''=1:2:3"), 2, "did you mean 'x''?"),
            (("--vary", "k=1:2"), 2, "--vary:1:3"),
            ((), 2, "nothing varies"),
            (("--vary", "k=1:2:3", "--observe", "time(falen)"), 2, "did you mean 'fallen'?"),
            (("--vary", "k=uniform(1, 2)"), 2, "--count"),
            (("--vary", "k=1:2:3", "--shard", "4/3"), 2, "K/N"),
            (("--vary", "k=1:2:3", "--device", "gpu"), 4, "GPU"),
            (("--vary", "k=1:2:3", "--precision", "single"), 2, "--device gpu with --steps"),
            (("--vary", "k=1:2:3", "--t-end", "inf"), 2, "finite"),
        ):
            done = self.sweep(*arguments, "--out", str(out))
            self.assertEqual(done.code, exit_code, done.err)
            self.assertIn(says, done.err)
            self.assertFalse(out.exists())
        done = self.sweep("--vary", "k=1:2:3", "--out", str(self.folder / "o.txt"))
        self.assertEqual(done.code, 2)
        done = self.sweep("--vary", "k=1:2:3", "--out", str(self.folder / "no" / "o.h5"))
        self.assertEqual(done.code, 4)

    def test_every_motion_ends_in_its_own_way(self):
        self.model.write_text(ENDS, encoding="utf-8")
        count, end = 10000, 2
        out = self.folder / "ends.h5"
        done = self.sweep("--vary", "f=uniform(0, 0.55)", "--vary", "c=uniform(1.8, 9)", "--vary", "s=uniform(0.5, 9)",
                          "--vary", "r=uniform(-0.01, 3)", "--count", count, "--seed", "4", "--t-end", end, "--out", out,
                          "--json")
        self.assertEqual(done.code, 0, done.err)
        with h5py.File(out) as file:
            inputs, t = file["inputs"][:], file["t"][:]
            status = [word.decode() for word in file["status"][:]]
            codes = [file["diagnosis"].attrs["names"][code] for code in file["diagnosis"][:]]
        for (f, c, s, r), word, code, at in zip(inputs, status, codes, t):
            first = min((1 / f, "failed"), (c, "singular"), (s, "event"), (end, "finished"))
            if r < 0:
                self.assertEqual((word, code), ("failed", "inconsistent-initial-state"))
                self.assertTrue(math.isnan(at))
                continue
            self.assertEqual(word, first[1], (f, c, s, r))
            self.assertAlmostEqual(at, first[0], 3 if word == "failed" else 6)
            self.assertEqual(code, {"failed": "finite-escape", "singular": "singular-mass-matrix"}.get(word, ""))
        summary = done.json
        for word in ("finished", "singular", "event", "failed"):
            self.assertEqual(summary[word], status.count(word))
            self.assertGreater(summary[word], 0)

    def test_threads_lanes_and_shards_give_the_same_bytes(self):
        vary = ("--vary", "k=1:50:40", "--vary", "x'=sobol(-1, 1)", "--count", "9", "--observe", "max(x)")
        whole = self.written("whole.h5", *vary, "--threads", "1")
        for name, how in (("2.h5", ("--threads", "2")), ("lanes1.h5", ("--lanes", "1")), ("lanes2.h5", ("--lanes", "2")),
                          ("lanes4.h5", ("--lanes", "4")), ("both.h5", ("--threads", "2", "--lanes", "4"))):
            self.assertEqual(self.written(name, *vary, *how), whole, name)
        for k in (3, 1, 2):
            done = self.sweep(*vary, "--shard", f"{k}/3", "--out", str(self.folder / "part.h5"), "--json")
            self.assertEqual(done.code, 0, done.err)
        parts = [str(self.folder / f"part.{k}-of-3.h5") for k in (1, 2, 3)]
        merge = lambda files, out: cetaev("sweep", "--merge", *files, "--out", str(self.folder / out), "--json")
        self.assertEqual(merge([*parts, str(self.folder / "none.h5")], "none.out.h5").code, 2)
        one_by_one = cetaev("sweep", *[a for p in parts for a in ("--merge", p)], "--out", str(self.folder / "each.h5"))
        self.assertEqual((one_by_one.code, (self.folder / "each.h5").read_bytes()), (0, whole))
        self.assertEqual(merge(parts[:2], "some.h5").json["missing"] > 0, True)
        self.assertEqual(merge(parts, "all.h5").json["missing"], 0)
        self.assertEqual((self.folder / "all.h5").read_bytes(), whole)
        # what two of the parts have not is computed
        done = self.sweep(*vary, "--out", str(self.folder / "some.h5"), "--resume", "--json")
        self.assertLess(done.json["computed"], 360)
        self.assertEqual((self.folder / "some.h5").read_bytes(), whole)

    def test_another_sweep_is_not_resumed(self):
        self.written("o.h5", "--vary", "k=1:5:40")
        before = (self.folder / "o.h5").read_bytes()
        for other in (("--vary", "k=1:6:40"), ("--vary", "k=1:5:40", "--t-end", "3"),
                      ("--vary", "k=1:5:40", "--set", "m=2"), ("--vary", "k=1:5:40", "--observe", "x")):
            done = self.sweep(*other, "--out", str(self.folder / "o.h5"), "--resume")
            self.assertEqual(done.code, 2)
            self.assertIn("another sweep", done.err)
            self.assertEqual((self.folder / "o.h5").read_bytes(), before)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["o.h5", "oscillator.toml"])

    def test_what_is_damaged_is_computed_again(self):
        vary = ("--vary", "k=1:5:400", "--t-end", "2")
        whole = self.written("o.h5", *vary)
        with h5py.File(self.folder / "o.h5") as file:
            place = file["outputs"].id.get_offset()
        with open(self.folder / "o.h5", "r+b") as file:
            file.seek(place + 1000)
            file.write(b"\xff")
        done = self.sweep(*vary, "--out", str(self.folder / "o.h5"), "--resume", "--json")
        self.assertLess(0, done.json["computed"])
        self.assertLess(done.json["computed"], 400)
        self.assertEqual((self.folder / "o.h5").read_bytes(), whole)

    def test_a_killed_sweep_goes_on_where_it_was(self):
        chance = random.Random(23)
        for name in ("o.h5", "o.csv"):
            vary = ("--vary", "k=1:900:64", "--vary", "x'=0:1:32", "--t-end", "40", "--threads", "2")
            whole = self.written("undisturbed-" + name, *vary)
            command = [CETAEV, "sweep", str(self.model), *vary, "--out", str(self.folder / name), "--resume", "--quiet"]
            kills = 0
            for _ in range(40):
                process = subprocess.Popen(command)
                try:
                    process.wait(timeout=chance.uniform(0.01, 0.4))
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills += 1
            self.assertGreater(kills, 0)
            self.assertEqual(subprocess.run(command, check=False).returncode, 0)
            self.assertEqual((self.folder / name).read_bytes(), whole)

    def test_rows_without_a_start_are_rows_wherever_they_stand(self):
        model = self.folder / "root.toml"
        model.write_text('coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[parameters]\nw = 1\n[initial]\nx = "sqrt(w)"\n',
                         encoding="utf-8")
        for values, good in (("[1, -1, 1]", 2), ("[-1, 1]", 1), ("[-1]", 0), ("-1:2:100", 67)):
            done = subprocess.run([CETAEV, "sweep", str(model), "--vary", f"w={values}", "--t-end", "1", "--json"],
                                  capture_output=True, text=True, check=True)
            summary = json.loads(done.stdout)
            self.assertEqual((summary["finished"], summary["failed"]), (good, summary["count"] - good), values)

    def test_rows_are_refused_where_run_refuses_them(self):
        model = self.folder / "disc.toml"
        model.write_text("""coordinates = ["x", "phi"]
[parameters]
m = 1
r = 1
A = 0.3
C = 0.5
[frames]
wheel = "y phi"
[[bodies]]
name = "disc"
frame = "wheel"
mass = "m"
centre = "[x, 0, r]"
inertia = ["A", "C", "A"]
[[contacts]]
name = "touch"
body = "disc"
wheel = {radius = "r", axle = "y"}
[initial]
"x'" = 1
""", encoding="utf-8")
        cases = ("r=1", "r=-1", "r=0", "m=-1", "m=0", "A=-0.1", "A=0.2", "A=0.25", "C=0.6", "C=0.61", "C=-1")
        for case in cases:
            name, value = case.split("=")
            alone = subprocess.run([CETAEV, "run", str(model), "--set", case, "--t-end", "1", "--json"],
                                   capture_output=True, text=True, check=False)
            refused = json.loads(alone.stdout).get("error", {}).get("code") == "bad-model"
            subprocess.run([CETAEV, "sweep", str(model), "--vary", f"{name}=[{value}, 0.4]", "--t-end", "1", "--out",
                            str(self.folder / "o.csv"), "--quiet"], check=True)
            row = table(self.folder / "o.csv")[0]
            self.assertEqual(row["diagnosis"] == "bad-model", refused, case)

    def test_a_form_that_the_system_does_not_have_is_said_at_once(self):
        done = subprocess.run([CETAEV, "sweep", "snake-10", "--form", "caplygin", "--vary", "t=0:0.1:3"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("not of Čaplygin's type", done.stderr)

    def test_an_interrupt_leaves_what_is_finished(self):
        command = [CETAEV, "sweep", str(self.model), "--vary", "k=1:900:4096", "--t-end", "400", "--out",
                   str(self.folder / "o.h5"), "--json", "--threads", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        while not (self.folder / "o.h5").exists():
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        summary = json.loads(process.communicate(timeout=60)[0])
        self.assertTrue(summary["interrupted"])
        self.assertEqual(summary["missing"] + summary["computed"], 4096)
        with h5py.File(self.folder / "o.h5") as file:
            self.assertEqual(sum(1 for word in file["status"][:] if word), summary["computed"])

    def test_an_interrupt_is_heard_within_a_motion(self):
        # each of them would take hours
        for extra in ([], ["--lanes", "1"], ["--method", "bdf"], ["--observe", "max(x)"]):
            with self.subTest(extra):
                command = [CETAEV, "sweep", str(self.model), "--vary", "k=1:2:4", "--t-end", "1e9", "--out",
                           str(self.folder / "o.h5"), "--json"]
                process = subprocess.Popen(command + extra, stdout=subprocess.PIPE, text=True)
                while not (self.folder / "o.h5").exists():
                    time.sleep(0.01)
                time.sleep(0.3)
                process.send_signal(signal.SIGTERM)
                summary = json.loads(process.communicate(timeout=60)[0])
                self.assertTrue(summary["interrupted"])
                self.assertEqual((summary["missing"], summary["computed"]), (4, 0))
                (self.folder / "o.h5").unlink()

    def test_one_process_writes_a_file_at_a_time(self):
        command = [CETAEV, "sweep", str(self.model), "--vary", "k=1:900:4096", "--t-end", "400", "--out",
                   str(self.folder / "o.h5"), "--quiet"]
        process = subprocess.Popen(command)
        while not (self.folder / "o.h5").exists():
            time.sleep(0.01)
        done = subprocess.run(command + ["--resume"], capture_output=True, text=True, check=False)
        process.kill()
        process.wait()
        self.assertEqual(done.returncode, 4)
        self.assertIn("another process is writing it", done.stderr)

    def test_memory_does_not_grow_with_the_count(self):
        # 300,000 rows of 70 numbers are 168 MB, more than the program may have
        def confine():
            resource.setrlimit(resource.RLIMIT_DATA, (150 << 20, 150 << 20))

        wishes = [word for i in range(68) for word in ("--observe", f"x + {i}")]
        done = subprocess.run([CETAEV, "sweep", str(self.model), "--vary", "x=0:1:300000", "--t-end", "1e-9",
                               "--threads", "1", "--out", str(self.folder / "o.h5"), "--json", *wishes],
                              preexec_fn=confine, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["finished"], 300000)

    def test_a_full_disk_is_said_and_resumed(self):
        def confine():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

        command = [CETAEV, "sweep", str(self.model), "--vary", "k=1:2:5000", "--t-end", "1", "--out",
                   str(self.folder / "o.h5"), "--quiet"]
        done = subprocess.run(command, preexec_fn=confine, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(subprocess.run(command + ["--resume"], check=False).returncode, 0)

    @unittest.skipUnless(shutil.which("mpirun"), "Open MPI is not installed")
    def test_ranks_give_the_same_bytes(self):
        vary = ("--vary", "k=1:50:40", "--vary", "x'=0:1:9", "--observe", "max(x)")
        whole = self.written("whole.h5", *vary)
        for ranks in (1, 2, 4):
            out = self.folder / f"ranks{ranks}.h5"
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), CETAEV, "sweep",
                       str(self.model), *vary, "--threads", "1", "--out", str(out), "--json"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            summary = json.loads(done.stdout)
            self.assertEqual((summary["ranks"], summary["finished"]), (ranks, 360))
            self.assertEqual(out.read_bytes(), whole)
        self.assertEqual([p for p in self.folder.iterdir() if "rank" in p.suffix], [])

    @unittest.skipUnless(shutil.which("mpirun"), "Open MPI is not installed")
    def test_a_lost_rank_loses_no_more_than_its_block(self):
        vary = ("--vary", "k=1:900:64", "--vary", "x'=0:1:32", "--t-end", "40")
        whole = self.written("whole.h5", *vary)
        out = self.folder / "o.h5"
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", CETAEV, "sweep", str(self.model), *vary,
                   "--threads", "1", "--out", str(out), "--quiet"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        part = self.folder / "o.h5.rank1"
        while not part.exists():
            time.sleep(0.005)
        time.sleep(0.15)
        # the second rank, found by the file that it holds
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if any(os.readlink(f) == str(part) for f in (entry / "fd").iterdir()):
                    os.kill(int(entry.name), signal.SIGKILL)
                    break
            except OSError:
                continue
        self.assertNotEqual(process.wait(), 0)
        done = self.sweep(*vary, "--out", str(out), "--resume", "--json")
        self.assertEqual(done.code, 0, done.err)
        self.assertLess(done.json["computed"], 2048)
        self.assertEqual(out.read_bytes(), whole)
        self.assertFalse(part.exists())


if __name__ == "__main__":
    unittest.main()
