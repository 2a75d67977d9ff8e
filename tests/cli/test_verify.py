"""`cetaev verify`: what it prints, what it exits with."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import SOURCE, cetaev

CLAIM = """[papers]
X = "A paper"

[[claim]]
id        = "X-1"
where     = "equation (1)"
statement = "The energy is T + V."
verdict   = "holds"
on        = ["skate"]
printed   = "E = T + V"
"""


class Verify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_true_model_holds(self):
        result = cetaev("verify", "skate", "--json")
        self.assertEqual(result.code, 0, result.err)
        self.assertTrue(result.json["passed"])
        kinds = {item["kind"] for item in result.json["models"][0]["items"]}
        self.assertEqual(kinds, {"expect", "integral", "closed form", "form", "energy", "motion"})
        for item in result.json["models"][0]["items"]:
            self.assertIn(item["outcome"], ("holds", "does not apply"), item)

    def test_a_motion_that_escapes_contradicts_nothing(self):
        # x'' = x³ with x' = x²/√2: x = 1/(1 − t/√2)
        path = self.file(
            "escape.toml",
            'coordinates = ["x"]\nlagrangian = "x\'^2/2 + x^4/4"\n[initial]\nx = 1\n"x\'" = "1/sqrt(2)"\n[simulation]\nt_end = 10\n',
        )
        result = cetaev("verify", path, "--json")
        self.assertEqual(result.code, 0, result.err)
        motion = [item for item in result.json["models"][0]["items"] if item["kind"] == "motion"][0]
        self.assertEqual(motion["outcome"], "holds")
        self.assertIn("leaves every bound at t = 1.41421356", motion["evidence"])

    def test_a_false_statement_is_named_with_its_place(self):
        text = (SOURCE / "gallery" / "skate.toml").read_text(encoding="utf-8")
        for section, old, new in (("[closed_form]", "sin(", "-sin("), ("[expect]", "= true", "= false")):
            with self.subTest(section=section):
                head, tail = text.split(section)
                path = self.file("mine.toml", head + section + tail.replace(old, new, 1))
                result = cetaev("verify", path)
                self.assertEqual(result.code, 1, result.out)
                line = 1 + (head + section + tail[: tail.index(old)]).count("\n")
                self.assertIn(f"mine.toml:{line}:", result.out)
                self.assertFalse(cetaev("verify", path, "--json").json["passed"])

    def test_bad_files_are_refused_before_any_work(self):
        path = self.file("bad.toml", "coordinates = ['x']\nlagrangian = \"x'^2\"\n[expect]\nranc = 0\n")
        result = cetaev("verify", "skate", path, "--json")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.json["error"]["code"], "bad-model")
        self.assertEqual(result.json["error"]["line"], 4)
        self.assertEqual(result.json["error"]["suggestion"], "rank")
        self.assertEqual(cetaev("verify", "no-such-model").code, 2)

    def test_what_cannot_be_examined_has_its_code_alone_and_in_company(self):
        text = "coordinates = ['x']\nlagrangian = \"x'^2/2\"\nconstraints = [\"x' = 1\", \"x' = 2\"]\n"
        path = self.file("two\nlines.toml", text)
        self.assertEqual(cetaev("verify", path).code, 3)
        result = cetaev("verify", "pendulum", path, "skate")
        self.assertEqual(result.code, 3)
        self.assertIn("1 of 3 models fail", result.out)
        # one line for each model, with its verdict at the end
        self.assertRegex(result.out, r"(?m)^\S*two lines\.toml +(- +){6}FAILS$")
        false = self.file("false.toml", "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[expect]\nrank = 1\n")
        self.assertEqual(cetaev("verify", "pendulum", false).code, 1)
        self.assertEqual(cetaev("verify", false, path).code, 3)

    def test_the_papers_have_their_verdicts(self):
        result = cetaev("verify", "--papers", "--json", timeout=300)
        self.assertEqual(result.code, 0, result.err)
        claims = result.json["claims"]
        self.assertGreaterEqual(len(claims), 60)
        self.assertEqual({claim["verdict"] for claim in claims}, {"holds", "corrected", "false", "open", "opinion", "definition"})
        self.assertEqual(result.json["items"]["missing"], [])
        self.assertGreater(result.json["items"]["count"], 250)
        places = [place for claim in claims for place in claim.get("occurrences", [])]
        self.assertTrue(places)
        for claim in claims + places:
            self.assertEqual(claim["verdict"], claim["expected"])
            for key in ("id", "paper", "statement", "verdict", "evidence"):
                self.assertTrue(claim[key], claim)

    def test_the_page_is_one_file_or_nothing(self):
        claims = self.file("mine.toml", CLAIM + "tex = '\\\\mathcal{E} = T + V'\n")
        page = self.folder / "page.html"
        result = cetaev("verify", "--claims", claims, "--html", page)
        self.assertEqual(result.code, 0, result.err)
        self.assertIn(str(page), result.out)
        text = page.read_text(encoding="utf-8")
        self.assertIn('id="X-1"', text)
        self.assertIn("<math", text)
        self.assertNotIn("http://", text.replace("http://www.w3.org/", ""))
        self.assertEqual(cetaev("verify", "--claims", claims, "--html", self.folder / "no" / "page.html").code, 4)
        self.assertEqual(cetaev("verify", "skate", "--html", self.folder / "other.html").code, 2)
        self.assertFalse((self.folder / "other.html").exists())

    def test_the_page_sets_indices(self):
        words = "Σ_j s_j E f_j with v_{m+ν} and a_νr, B_r^ν, E_rφ_ν, 2^{p+1}; a_multipliers and `x_1` & x_Q'"
        claims = self.file("mine.toml", CLAIM.replace("T + V", words, 1))
        self.assertIn(words, claims.read_text(encoding="utf-8"))
        html = (
            "Σ<sub>j</sub> s<sub>j</sub> E f<sub>j</sub> with v<sub>m+ν</sub> and a<sub>νr</sub>, B<sub>r</sub><sup>ν</sup>, "
            "E<sub>r</sub>φ<sub>ν</sub>, 2<sup>p+1</sup>; a_multipliers and `x_1` & x<sub>Q</sub>'"
        )
        self.assertIn(html, cetaev("verify", "--claims", claims, "--markdown").out)
        page = self.folder / "page.html"
        cetaev("verify", "--claims", claims, "--html", page)
        self.assertIn(html.replace("&", "&amp;").replace("'", "&#39;"), page.read_text(encoding="utf-8"))

    def test_a_conclusion_that_says_nothing_is_no_evidence(self):
        model = '''[models]
two = """
coordinates = ["x1", "y1", "x2", "y2"]
[[points]]
name = "P1"
mass = 1
position = ["x1", "y1", "0"]
[[points]]
name = "P2"
mass = 1
position = ["x2", "y2", "0"]
"""
'''
        head = '[papers]\nX = "a paper"\n' + model + '[[claim]]\nid = "X-1"\nwhere = "here"\nstatement = "s"\nverdict = "holds"\n'
        for conclusion, verdict in (("cross(P2', P1') = 0", "holds"), ("cross(P1', P1') = 0", "undecided"), ("cross(P2', P1') = 0, P1 - P1 = 0", "undecided")):
            line = f"check = \"sets\"\non = \"two\"\nprinted = \"cross(P1', P2') = 0 => {conclusion}\"\n"
            claim = cetaev("verify", "--claims", self.file("sets.toml", head + line), "--json").json["claims"][0]
            self.assertEqual(claim["verdict"], verdict, claim["evidence"])
            self.assertEqual("0 = 0" in claim["evidence"], verdict == "undecided", claim["evidence"])

    def test_the_numbered_items_of_a_paper_are_read_off_its_text(self):
        text = (
            "$$(1) \\quad x = y$$\n\n$$\\begin{aligned}\n(2) \\quad a &= b\n\\end{aligned}$$\n\nas in (7)\n\n$$u = v \\quad (3)$$\n\n"
            "$$w = 0 \\tag{4}$$\n\n**Remark 2** *of the author*, see Theorem 9.\n\nTheorem 1. *It is so.*\n"
        )
        script = [sys.executable, SOURCE / "scripts" / "paper-items"]
        found = subprocess.run([*script, self.file("paper.txt", text)], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found.strip(), '"(1)", "(2)", "(3)", "(4)", "Theorem 1", "Remark 2"')
        gap = subprocess.run([*script, self.file("gap.txt", text.replace("(3)", "(5)"))], capture_output=True, text=True, check=False)
        self.assertEqual(gap.returncode, 1)
        self.assertIn("missing", gap.stderr)

    def test_items_without_a_claim_fail(self):
        items = '[items]\nX = ["(1)", "(2)"]\n\n[[claim]]\nitems = ["(1)"]\n'
        result = cetaev("verify", "--claims", self.file("mine.toml", CLAIM.replace("[[claim]]\n", items)), "--json")
        self.assertEqual(result.code, 1, result.err)
        self.assertEqual(result.json["items"], {"count": 2, "missing": [{"paper": "X", "item": "(2)"}]})

    def test_claims_of_ones_own(self):
        self.assertEqual(cetaev("verify", "--claims", self.file("mine.toml", CLAIM)).code, 0)
        result = cetaev("verify", "--claims", self.file("mine.toml", CLAIM.replace("T + V", "T - V")))
        self.assertEqual(result.code, 1)
        self.assertIn("X-1", result.out)

    def test_mistakes_in_claims_are_pointed_at(self):
        for old, new in (
            ('"holds"', '"maybe"'),
            ("T + V", "T + Q["),
            ("E = T + V", "E"),
            ("where ", "wehre "),
        ):
            with self.subTest(new=new):
                result = cetaev("verify", "--claims", self.file("mine.toml", CLAIM.replace(old, new)), "--json")
                self.assertEqual(result.code, 2, result.out + result.err)
                self.assertEqual(result.json["error"]["file"], str(self.folder / "mine.toml"))
        self.assertEqual(cetaev("verify", "--claims", self.file("none.toml", "")).code, 2)
        self.assertEqual(cetaev("verify", "--papers", "skate").code, 2)
        self.assertEqual(cetaev("verify", "--papers", "--json", "--markdown").code, 2)


if __name__ == "__main__":
    unittest.main()
