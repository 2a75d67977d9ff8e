"""Reports and figures as files: well formed, complete without scripts, nothing from elsewhere; bad input is answered."""

import html.parser
import pathlib
import re
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
                self.assertGreater(len(formulas), 10)
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

    def test_a_model_without_a_motion_still_has_a_report(self):
        model = self.folder / "m.toml"
        model.write_text('coordinates = ["x"]\nlagrangian = "x*x\'"\n', encoding="utf-8")
        page = self.page(model)
        self.assertIn("There is no motion to show", page)
        self.assertIn('<section id="model"', page)

    def test_settings_and_options_are_in_the_commands(self):
        page = self.page("skate", "--set", "phi'=2", "--t-end", "3")
        self.assertIn("cetaev run skate --set &#39;phi&#39;\\&#39;&#39;=2&#39; --t-end 3 --json --trajectory", page)

    def test_bad_input(self):
        self.assertEqual(cetaev("report").code, 2)
        self.assertEqual(cetaev("report", "skat", cwd=self.folder).code, 2)
        self.assertEqual(cetaev("report", "skate", "--gallery", cwd=self.folder).code, 2)
        self.assertEqual(cetaev("report", "skate", "-o", "no/such/folder/page.html", cwd=self.folder).code, 4)
        self.assertEqual(list(self.folder.iterdir()), [])


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
        (self.folder / "bad.h5").write_bytes(b"nothing")
        self.assertEqual(self.plot("bad.h5").code, 2)


if __name__ == "__main__":
    unittest.main()
