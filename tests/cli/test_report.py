"""Reports and figures as files: well formed, complete without scripts, nothing from elsewhere; bad input is answered."""

import base64
import html.parser
import json
import math
import pathlib
import re
import struct
import tempfile
import unittest
import xml.etree.ElementTree

from program import cetaev

VOID = {"meta", "br", "wbr", "img", "input", "link", "hr", "col", "path", "circle", "rect"}


class Balanced(html.parser.HTMLParser):
    """Every element is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.problems = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def page(self, *arguments):
        out = self.folder / "page.html"
        result = cetaev("report", *arguments, "-o", out)
        self.assertEqual(result.code, 0, result.err)
        return out.read_text(encoding="utf-8")

    def test_a_steady_motion_has_a_section_on_its_stability(self):
        page = self.page("bicycle")
        section = re.search(r'<section id="stability".*?</section>', page, flags=re.S).group()
        self.assertIn("<details", section)
        # both critical speeds of the benchmark
        values = [float(value) for value in re.findall(r'<li>v = <data value="([^"]+)"', section)]
        self.assertAlmostEqual(values[0], 4.292382536341, delta=1e-11)
        self.assertAlmostEqual(values[1], 6.024262015388, delta=1e-11)
        self.assertIn('id="chart-locus"', section)
        self.assertIn('id="chart-plane"', section)
        parser = Balanced()
        parser.feed(section)
        self.assertEqual(parser.problems, [])
        self.assertNotIn('id="stability"', self.page("rolling-disc"))

    def test_pages_are_well_formed(self):
        for model in ("skate", "zekovic-space", "appell-hamel", "snake-10", "pendulum", "prescribed-acceleration"):
            with self.subTest(model=model):
                page = self.page(model)
                # Scripts, style and data are not markup.
                markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.S)
                parser = Balanced()
                parser.feed(markup)
                self.assertEqual(parser.problems, [])
                self.assertEqual(parser.open, [])
                formulas = re.findall(r"<math>.*?</math>", markup, flags=re.S)
                self.assertGreater(len(formulas), 5)
                for formula in formulas:
                    xml.etree.ElementTree.fromstring(formula)
                ids = re.findall(r'\bid="([^"]+)"', markup)
                self.assertEqual(len(ids), len(set(ids)))

    def test_everything_is_said_without_scripts_and_from_nowhere_else(self):
        page = self.page("skate")
        for part in ("motion", "kind", "equations", "energy", "constraints", "phase", "principles", "numbers", "model", "reproduce"):
            self.assertIn(f'<section id="{part}"', page)
        markup = re.sub(r"<script\b.*?</script>", "", page, flags=re.S)
        self.assertIn('<svg class="picture"', markup)
        self.assertGreaterEqual(markup.count('<svg class="chart"'), 8)
        self.assertNotRegex(page, r'(src|href)="(https?:)?//')
        self.assertNotIn("nan", re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.S).lower().split())
        self.assertLess(len(page.encode()), 3_000_000)

    def test_the_static_path_is_the_motion(self):
        """The curve of x in the chart of positions, against the samples of run."""
        page = self.page("skate")
        run = cetaev("run", "skate", "--json", "--trajectory").json
        chart = re.search(r'id="chart-positions"><svg.*?</svg>', page, flags=re.S).group()
        paths = re.findall(r'class="curve c\d" d="([^"]+)"', chart)
        points = [tuple(map(float, p.split())) for p in re.findall(r"[ML]([-\d.]+ [-\d.]+)", paths[0])]
        xs = run["trajectory"]["q"]["x"]
        # Affine from data to pixels: the extremes of the curve are the extremes of the data, and the ends are the ends.
        low, high = max(p[1] for p in points), min(p[1] for p in points)
        scale = (high - low) / (max(xs) - min(xs))
        self.assertAlmostEqual(points[0][1], low + scale * (xs[0] - min(xs)), delta=0.2)
        self.assertAlmostEqual(points[-1][1], low + scale * (xs[-1] - min(xs)), delta=0.2)

    def charted(self, page, chart):
        """The curves of a chart in the data of the page: {label: (xs, ys)}."""
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.S).group(1))

        def column(name):
            ((kind, text),) = data["columns"][name].items()
            code = base64.b64decode(text)
            return struct.unpack(f"<{len(code) // struct.calcsize(kind)}{kind}", code)

        (found,) = [one for one in data["charts"] if one["id"] == chart]
        return {curve["label"]: (column(curve["x"]), column(curve["y"])) for curve in found["curves"]}

    def figures(self, page, chart):
        """The figures of one heading, each with its curves as above."""
        ids = re.findall(rf'id="({chart}(?:-[0-9]+)?)"', page)
        return [self.charted(page, one) for one in ids]

    def test_curves_of_unlike_size_have_axes_of_their_own(self):
        """Five masses on springs, x = A cos t, each amplitude within ten times of the next, but not of all."""
        amplitudes = {"a": 0.05, "b": 0.4, "c": 3, "d": 25, "e": 200}
        model = self.folder / "sizes.toml"
        model.write_text(
            "coordinates = {}\nlagrangian = \"{}\"\n[initial]\n{}[simulation]\nt_end = 6.3\n".format(
                json.dumps(list(amplitudes)),
                "+".join(f"({x}'^2-{x}^2)/2" for x in amplitudes),
                "".join(f"{x} = {size}\n" for x, size in amplitudes.items()),
            )
        )
        groups = [set(curves) for curves in self.figures(self.page(model), "chart-positions")]
        self.assertEqual(groups, [{"a"}, {"b", "c"}, {"d", "e"}])
        model.write_text(model.read_text() + '[units]\na = "m"\nb = "m"\nc = "m"\nd = "m"\n')
        groups = [set(curves) for curves in self.figures(self.page(model), "chart-positions")]
        self.assertEqual(groups, [{"a", "b", "c", "d"}, {"e"}])

    def test_angles_of_frames_share_no_axis_with_lengths(self):
        page = self.page("euler-disc")
        for chart in ("chart-positions", "chart-velocities"):
            for curves in self.figures(page, chart):
                sizes = [size for xs, ys in curves.values() if (size := max(map(abs, ys))) > 0]
                self.assertLessEqual(max(sizes, default=0), 10 * min(sizes, default=0), curves.keys())
        force = {"force.x", "force.y", "force.z"}
        self.assertIn(force, [force & set(curves) for curves in self.figures(page, "chart-outputs")])
        places = {"x", "y", "z"}
        for curves in self.figures(page, "chart-positions"):
            self.assertIn(len(places & set(curves)), (0, len(curves)), curves.keys())

    def test_energies_and_works_are_charted(self):
        """Of a mass on a spring under a constant force: x = 1/2 + cos(t)/2."""
        model = self.folder / "pulled.toml"
        model.write_text(
            """coordinates = ["x"]
[frames]
still = "z 0"
[[bodies]]
name = "mass"
frame = "still"
mass = 2
centre = "[x, 0, 0]"
uniform = {ball = 0.1}
[[springs]]
name = "coil"
between = ["mass", "[0, 0, 0]"]
stiffness = 2
[[loads]]
name = "pull"
force = "[1, 0, 0]"
at = "mass"
[initial]
x = 1
""",
            encoding="utf-8",
        )
        page = self.page(model)
        energies = self.charted(page, "chart-energy-parts")
        works = self.charted(page, "chart-work")
        self.assertEqual(sorted(energies), ["T of mass", "V of coil"])
        self.assertEqual(sorted(works), ["pull"])
        for curves, label, law in (
            (energies, "T of mass", lambda t: (math.sin(t) / 2) ** 2),
            (energies, "V of coil", lambda t: (0.5 + math.cos(t) / 2) ** 2),
            (works, "pull", lambda t: (math.cos(t) - 1) / 2),
        ):
            ts, values = curves[label]
            self.assertGreater(len(ts), 100)
            for t, value in zip(ts, values):
                self.assertAlmostEqual(value, law(t), delta=1e-6, msg=f"{label} at {t}")

    def test_what_moving_frames_take_from_the_energy_is_charted(self):
        """A bead in a tube that turns at the rate 2, from rest in it: r = cosh(2 t)/2."""
        model = self.folder / "tube.toml"
        model.write_text(
            """coordinates = ["r"]
[frames]
tube = "z 2*t"
[[bodies]]
name = "bead"
frame = "tube"
mass = 3
centre = "tube([r, 0, 0])"
inertia = [0, 0, 0]
[initial]
r = 0.5
[simulation]
t_end = 1
""",
            encoding="utf-8",
        )
        curves = self.charted(self.page(model), "chart-energy-parts")
        self.assertEqual(sorted(curves), ["-(T1 + 2 T0)", "T of bead"])
        for t, value in zip(*curves["T of bead"]):
            self.assertAlmostEqual(value, 1.5 * (math.sinh(2 * t) ** 2 + math.cosh(2 * t) ** 2), delta=1e-5)
        for t, value in zip(*curves["-(T1 + 2 T0)"]):
            self.assertAlmostEqual(value, -3 * math.cosh(2 * t) ** 2, delta=1e-5)

    def test_a_model_without_a_motion_still_has_a_report(self):
        model = self.folder / "m.toml"
        model.write_text('coordinates = ["x"]\nlagrangian = "x*x\'"\n', encoding="utf-8")
        page = self.page(model)
        self.assertIn("There is no motion to show", page)
        self.assertIn('<section id="model"', page)

    def test_what_has_no_motion_claims_none(self):
        model = self.folder / "m.toml"
        model.write_text('coordinates = ["x"]\nlagrangian = "x*x\' + x"\n', encoding="utf-8")
        page = self.page(model)
        self.assertNotIn("The motion above", page)
        self.assertIn("No motion satisfies these equations: one of them is never true.", page)
        page = self.page("skate", "--t-end", "0")
        self.assertIn("It ends at the time at which it begins", page)
        self.assertNotIn('<svg class="chart"', page)

    def test_a_curve_that_stands_still_is_a_dot(self):
        """The skate that does not turn: phi and phi' are constant, and their portrait is one point."""
        page = self.page("skate-straight")
        portrait = re.search(r'id="chart-phase-2"><svg.*?</svg>', page, flags=re.S).group()
        self.assertRegex(portrait, r'class="curve c\d still" d="M[\d.]+ [\d.]+h0.01"')
        # what is exactly zero is told by the table and has no empty curve in a logarithmic chart
        for chart in re.findall(r'id="chart-(?:closed|integrals)"><svg.*?</svg>', page, flags=re.S):
            self.assertNotIn('d=""', chart)

    def test_constraints_on_accelerations(self):
        page = self.page("prescribed-acceleration")
        self.assertIn("not linear in the accelerations, and these follow from them only together with the equations", page)
        self.assertRegex(page, r"E begins at <data[^>]*>6.39</data> and ends at")
        self.assertIn("No constraint on positions follows", page)
        self.assertIn("Fails at random admissible states, here by 9.72", page)
        # x'' = 0 is integrable, to x' = const: nothing may say that it is not
        model = self.folder / "m.toml"
        model.write_text('coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2 - y"\nconstraints = ["x\'\' = 0"]\n', encoding="utf-8")
        for text in (self.page(model), cetaev("check", model).out):
            self.assertNotIn("not even in part", text)
            self.assertNotIn("cone", re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S))

    def test_a_motion_that_escapes_is_told_as_one(self):
        """x'' = 2 x^3 from x = x' = 1: x = 1/(1 - t), and E = 0 throughout."""
        model = self.folder / "m.toml"
        model.write_text('coordinates = ["x"]\nlagrangian = "x\'^2/2 + x^4/2"\n[initial]\nx = 1\n"x\'" = 1\n', encoding="utf-8")
        page = self.page(model)
        self.assertIn("The motion leaves every bound in finite time, at t = 1.", page)
        self.assertIn("Then the state grows beyond every bound, and the rounding of E with it", page)
        self.assertNotIn("Beside the work of its balance, E drifts", page)
        self.assertIn("It ends there, finite-escape:", cetaev("report", model, "-o", self.folder / "m.html").out)

    def test_other_principles_have_words_on_energy(self):
        page = self.page("skate", "--form", "vakonomic")
        self.assertRegex(page, r"E begins at <data[^>]*>0.845</data> and ends at <data[^>]*>0.845</data>. It moves by at most")
        self.assertIn("the reactions are others than under d&#39;Alembert–Lagrange".replace("&#39;", "'"), page)

    def test_a_picture_with_gaps_says_so(self):
        text = 'coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2"\n[initial]\nx = -1\n"x\'" = 1\n[simulation]\nt_end = 2\n[view]\npoints = [["x", "PLACE", 0]]\n'
        model = self.folder / "m.toml"
        model.write_text(text.replace("PLACE", "sqrt(x)"), encoding="utf-8")
        self.assertIn("Left out are 500 of 1001 instants, at which a place in the picture is not finite.", self.page(model))
        model.write_text(text.replace("PLACE", "sqrt(-1 - x^2)"), encoding="utf-8")
        page = self.page(model)
        self.assertIn("There is no picture.", page)
        self.assertNotIn('id="stage"', page)

    def test_settings_and_options_are_in_the_commands(self):
        page = self.page("skate", "--set", "phi'=2", "--t-end", "3")
        self.assertIn("cetaev run skate --set &#39;phi&#39;\\&#39;&#39;=2&#39; --t-end 3 --json --trajectory", page)

    def test_bad_input(self):
        self.assertEqual(cetaev("report").code, 2)
        self.assertEqual(cetaev("report", "skat", cwd=self.folder).code, 2)
        self.assertEqual(cetaev("report", "skate", "--gallery", cwd=self.folder).code, 2)
        self.assertEqual(cetaev("report", "skate", "-o", "no/such/folder/page.html", cwd=self.folder).code, 4)
        ending = cetaev("report", "skate", "-o", "skate.pdf", cwd=self.folder)
        self.assertEqual(ending.code, 2)
        self.assertIn("a report is FILE.html, not 'skate.pdf'", ending.err)
        self.assertEqual(list(self.folder.iterdir()), [])


    def test_without_a_browser_it_says_where_the_page_is(self):
        result = cetaev("report", "pendulum", "--open", "--quiet", cwd=self.folder, env={"PATH": str(self.folder)})
        self.assertEqual(result.code, 0, result.err)
        self.assertIn(f"No browser was found to open it with; open {self.folder.resolve() / 'pendulum.html'} yourself.", result.err)


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for ending in ("csv", "h5"):
            self.assertEqual(cetaev("run", "skate", "--out", f"run.{ending}", "--quiet", cwd=self.folder).code, 0)

    def plot(self, *arguments):
        return cetaev("plot", *arguments, cwd=self.folder)

    def test_every_kind_of_figure_from_every_kind_of_file(self):
        starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
        for ending, start in starts.items():
            for source in ("run.csv", "run.h5"):
                with self.subTest(ending=ending, source=source):
                    self.assertEqual(self.plot(source, "--y", "x,y", "-o", f"f.{ending}").code, 0)
                    self.assertTrue((self.folder / f"f.{ending}").read_bytes().startswith(start))

    def test_the_curve_of_an_output_is_its_law(self):
        """3 x'' of x = cos t, sample by sample, and beside lines at whole numbers."""
        (self.folder / "m.toml").write_text(
            """coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
x = 1
[outputs]
push = "3*x''"
""",
            encoding="utf-8",
        )
        run = cetaev("run", "m.toml", "--t-end", "6", "--samples", "61", "--out", "m.h5", "--quiet", cwd=self.folder)
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual(self.plot("m.h5", "--y", "push", "-o", "m.svg").code, 0)
        lines = [
            [tuple(map(float, p.split())) for p in re.findall(r"[ML] ([-\d.]+ [-\d.]+)", path)]
            for path in re.findall(r'<path style="fill:none;[^"]*" d="([^"]*)"', (self.folder / "m.svg").read_text("utf-8"))
        ]
        curve = max(lines, key=len)
        self.assertEqual(len(curve), 61)
        times = [0.1 * k for k in range(61)]
        values = [-3 * math.cos(t) for t in times]
        low, high = values.index(min(values)), values.index(max(values))
        across = (curve[-1][0] - curve[0][0]) / 6
        upwards = (curve[high][1] - curve[low][1]) / (values[high] - values[low])
        zero = curve[low][1] - upwards * values[low]
        self.assertLess(upwards, 0)
        for t, value, (x, y) in zip(times, values, curve):
            self.assertAlmostEqual(x, curve[0][0] + across * t, delta=0.01)
            self.assertAlmostEqual(y, zero + upwards * value, delta=0.01)
        level = [
            (one[1] - zero) / upwards
            for one, other in (line for line in lines if len(line) == 2)
            if one[1] == other[1] and abs(one[0] - other[0]) > 5 * across
        ]
        inside = [value for value in level if min(values) < value < max(values)]
        self.assertGreater(len(inside), 2)
        for value in inside:
            self.assertAlmostEqual(value, round(value), delta=1e-3)

    def test_both_files_give_the_same_figure(self):
        for source in ("run.csv", "run.h5"):
            self.assertEqual(self.plot(source, "--y", "E,residual,lambda1", "--log", "-o", source + ".svg").code, 0)
        self.assertEqual((self.folder / "run.csv.svg").read_bytes(), (self.folder / "run.h5.svg").read_bytes())

    def test_bad_input(self):
        unknown = self.plot("run.csv", "--y", "z")
        self.assertEqual(unknown.code, 2)
        self.assertIn("there is no column 'z'; there are t, x, y, phi", unknown.err)
        self.assertEqual(self.plot("run.csv", "-o", "figure.gif").code, 2)
        self.assertEqual(self.plot("none.csv").code, 2)
        self.assertEqual(self.plot("run.csv", "-o", "no/such/f.png").code, 4)
        (self.folder / "bad.csv").write_text("t,x\n0,1\n1,one\n", encoding="utf-8")
        bad = self.plot("bad.csv")
        self.assertEqual(bad.code, 2)
        self.assertIn("bad.csv:3:3: error: 'one' is not a number", bad.err)
        self.assertEqual(self.plot("run.csv", "-o", "").code, 2)
        self.assertIn("there is no folder 'no/such'", self.plot("run.csv", "-o", "no/such/f.svg").err)
        (self.folder / "bad.h5").write_bytes(b"nothing")
        self.assertEqual(self.plot("bad.h5").code, 2)

    def test_damaged_files_are_bad_input_and_nothing_worse(self):
        """Where words are all ones the HDF5 library goes astray; what it still reads may be any numbers."""
        good = (self.folder / "run.h5").read_bytes()
        places = list(range(0, 9000, 97)) + list(range(9000, len(good), 3001))
        codes = []
        for place in places:
            (self.folder / "bad.h5").write_bytes(good[:place] + b"\xff" * 8 + good[place + 8 :])
            result = self.plot("bad.h5", "--y", "x,y", "-o", "f.svg")
            self.assertIn(result.code, (0, 2), f"at {place}: {result.err}")
            if result.code == 2:
                self.assertRegex(result.err, r"^error: .+\n$", f"at {place}")
            codes.append(result.code)
        self.assertIn(2, codes)
        self.assertIn(0, codes)

    def test_names_may_stand_behind_blanks(self):
        self.assertEqual(self.plot("run.csv", "--y", "x, y", "-o", "a.svg").code, 0)
        self.assertEqual(self.plot("run.csv", "--y", "x,y", "-o", "b.svg").code, 0)
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())

    def test_there_is_no_figure_of_nothing(self):
        for text, arguments, message in (
            ("t,x\n", (), "the file has no samples"),
            ("t\n0\n1\n", (), "the file has no column besides t"),
            ("t,x\n0,\n1,\n", (), "'x' over 't' has no value at any sample"),
            ("t,x\n0,0\n1,0\n", ("--log",), "'x' is 0 at every sample, which has no place on a logarithmic scale"),
        ):
            with self.subTest(text=text):
                (self.folder / "r.csv").write_text(text, encoding="utf-8")
                result = self.plot("r.csv", *arguments, "-o", "none.svg")
                self.assertEqual(result.code, 2)
                self.assertIn(message, result.err)
                self.assertFalse((self.folder / "none.svg").exists())
        (self.folder / "r.csv").write_text("t,x,y\n0,1,\n", encoding="utf-8")
        dot = self.plot("r.csv", "-o", "dot.svg")
        self.assertEqual(dot.code, 0)
        self.assertEqual(dot.err, "Left out: 'y' over 't' has no value at any sample.\n")


if __name__ == "__main__":
    unittest.main()
