"""Exit codes, errors as JSON, and what the commands leave behind."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import CETAEV, cetaev, gallery

SINGULAR = """coordinates = ["x", "spin"]
kinetic = "x'^2/2"
"""


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text, name="model.toml"):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_compare_says_by_its_exit_code_whether_two_principles_agree(self):
        same = cetaev("compare", "rolling-disc", "--form", "voronec", "--form", "maggi", "--json")
        self.assertEqual(same.code, 0, same.err)
        self.assertTrue(same.json["agree"])
        self.assertEqual(same.json["random_states"], 100)
        other = cetaev("compare", "rolling-disc", "--form", "voronec", "--form", "reduced", "--json")
        self.assertEqual(other.code, 1)
        self.assertFalse(other.json["agree"])
        self.assertGreater(other.json["worst"]["difference"], 1e-3)

    def test_compare_takes_two_forms_that_apply(self):
        self.assertEqual(cetaev("compare", "skate", "--form", "voronec").code, 2)
        declined = cetaev("compare", "appell-hamel", "--form", "hamel", "--form", "voronec", "--json")
        self.assertEqual(declined.code, 3)
        self.assertEqual(declined.json["error"]["code"], "not-applicable")

    def test_a_form_that_does_not_apply_is_an_error_only_when_it_was_named(self):
        every = cetaev("eval", "appell-hamel", "--json")
        self.assertEqual(every.code, 0, every.err)
        self.assertEqual(every.json["forms"]["caplygin"]["error"]["code"], "not-caplygin")
        named = cetaev("eval", "appell-hamel", "--form", "caplygin", "--json")
        self.assertEqual(named.code, 3)
        self.assertEqual(named.json["error"]["code"], "not-caplygin")

    def test_a_singular_model_is_diagnosed_in_json_on_stdout_and_in_words_on_stderr(self):
        result = cetaev("eval", self.write(SINGULAR), "--json")
        self.assertEqual(result.code, 3)
        self.assertEqual(result.json["error"]["code"], "singular-mass-matrix")
        self.assertIn("spin", result.err)

    def test_usage_errors_are_exit_2_and_json_when_asked(self):
        for arguments in (["eval"], ["frobnicate"], ["eval", "skate", "--nonsense"], ["eval", "no-such-model"]):
            with self.subTest(arguments=arguments):
                result = cetaev(*arguments, "--json")
                self.assertEqual(result.code, 2)
                self.assertEqual(result.json["error"]["code"], "bad-model")

    def test_a_misspelt_gallery_model_is_suggested(self):
        self.assertEqual(cetaev("eval", "skat", "--json").json["error"]["suggestion"], "skate")

    def test_the_place_of_a_mistake_is_given_in_characters(self):
        result = cetaev("eval", self.write('coordinates = ["θ"]\nlagrangian = "θ\'^2/2 - ω*θ"\n'), "--json")
        self.assertEqual(result.code, 2)
        error = result.json["error"]
        self.assertEqual((error["code"], error["line"], error["column"]), ("unknown-name", 2, 24))

    def test_derive_prints_the_equations_of_one_form(self):
        result = cetaev("derive", "skate", "--form", "voronec")
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"y' += x'\*(tan\(phi\)|sin\(phi\)/cos\(phi\))\n")
        self.assertRegex(result.out, r"phi'' += 0\n")
        self.assertEqual(cetaev("derive", "appell-hamel", "--form", "hamel").code, 3)

    def test_derive_prints_every_gallery_model(self):
        # as they are derived: what they are shortened to is held by cli.equations_hold and the page of equations
        for name in gallery():
            with self.subTest(model=name):
                result = cetaev("derive", name, "--budget", 1)
                self.assertEqual(result.code, 0, result.err)
                self.assertNotIn("$", result.out)

    def test_proposed_auxiliary_functions_have_no_discrepancy(self):
        model = cetaev("gallery", "skate").out.replace("x'*cos(phi) + y'*sin(phi)", "y'")
        path = self.write(model)
        result = cetaev("eval", path, "--propose-auxiliary", "--set", "phi=0.7", "--set", "x'=0.8*cos(0.7)/sin(0.7)", "--json")
        self.assertEqual(result.code, 0, result.err)
        mvm2 = result.json["forms"]["mvm2"]
        # phi'' = -y'^2 cos(phi)/sin(phi)^3 where the true motion has 0
        self.assertAlmostEqual(mvm2["a"]["phi"], -1.830854685, places=8)
        self.assertGreater(mvm2["discrepancy"], 0.1)
        self.assertEqual(len(mvm2["proposed_auxiliary"]), 2)

    def test_gallery_copies_a_model_and_never_over_a_file(self):
        first = cetaev("gallery", "skate", "--copy", cwd=self.folder.name)
        self.assertEqual(first.code, 0, first.err)
        path = pathlib.Path(self.folder.name) / "skate.toml"
        self.assertEqual(path.read_text(encoding="utf-8"), cetaev("gallery", "skate").out)
        path.write_text("mine", encoding="utf-8")
        again = cetaev("gallery", "skate", "--copy", "--json", cwd=self.folder.name)
        self.assertEqual(again.code, 4)
        self.assertEqual(again.json["error"]["code"], "cannot-write")
        self.assertEqual(path.read_text(encoding="utf-8"), "mine")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_exit_4(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([CETAEV, "eval", "skate"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"cannot write", done.stderr)

    def test_set_without_a_value_unsets(self):
        model = self.write(
            'coordinates = ["x", "y"]\nlagrangian = "m*(x\'^2 + y\'^2)/2"\nconstraints = ["y\' = 2*x\'"]\n'
            "[parameters]\nm = 3\n[initial]\n\"x'\" = 1\n\"y'\" = 1\n"
        )

        def velocity(*settings):
            result = cetaev("eval", model, "--json", *(word for text in settings for word in ("--set", text)))
            self.assertEqual(result.code, 0, result.err)
            return result.json["v"], result.json["energy"]["E"]

        # everything is written: the foot of the perpendicular from (1, 1) on y' = 2 x'
        both, _ = velocity()
        self.assertAlmostEqual(both["x"], 0.6, places=14)
        self.assertAlmostEqual(both["y"], 1.2, places=14)
        # y' is not: it follows from x'
        self.assertEqual(velocity("y'=")[0], {"x": 1.0, "y": 2.0})
        self.assertEqual(velocity("y'=7", "y'=")[0], {"x": 1.0, "y": 2.0})
        # a parameter has the value of the file again: E = m (1 + 4) / 2
        self.assertEqual(velocity("y'=", "m=5")[1], 12.5)
        self.assertEqual(velocity("y'=", "m=5", "m=")[1], 7.5)
        unknown = cetaev("eval", model, "--set", "z'=", "--json")
        self.assertEqual((unknown.code, unknown.json["error"]["code"]), (2, "unknown-name"))

    @unittest.skipUnless(shutil.which("g++"), "needs g++")
    def test_a_fault_of_the_program_is_exit_70_with_words_how_to_report_it(self):
        # a bug put in from outside: the C library throws where it cannot fail, in a call that may throw and in one that
        # may not
        for function, arguments, message in (
            (
                "size_t fwrite(const void*, size_t, size_t, FILE*)",
                ["gallery", "skate", "--json"],
                "internal error: planted\nThis is a bug",
            ),
            # where it ends depends on what the compiler inlines
            ("int isatty(int)", ["verify", "skate", "--json"], "internal error: "),
        ):
            with self.subTest(function=function):
                source = self.write(
                    f"#include <cstdio>\n#include <stdexcept>\n"
                    f'extern "C" {function} {{ throw std::logic_error("planted"); }}\n',
                    "planted.cpp",
                )
                library = source.with_suffix(".so")
                subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source], check=True)
                result = cetaev(*arguments, env={"LD_PRELOAD": str(library)})
                self.assertEqual(result.code, 70, result.err)
                self.assertEqual(result.json["error"]["code"], "internal-error")
                self.assertTrue(result.json["error"]["message"].startswith(message), result.out)
                self.assertIn("Please report it", result.err)

    def test_a_system_without_threads_says_so(self):

        def plant(name, code):
            source = self.write(code, f"{name}.cpp")
            library = source.with_suffix(".so")
            subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
            return {"LD_PRELOAD": str(library)}

        site = pathlib.Path(self.folder.name) / "site"
        # a system without threads
        threads = (
            "#include <cerrno>\n#include <pthread.h>\n"
            'extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) { return EAGAIN; }\n'
        )
        alone = plant("alone", threads)
        self.assertEqual(cetaev("verify", "skate", "pendulum", env=alone).code, 0)
        for arguments in (("skate", "-o", site / "skate.html"), ("--gallery", "-o", site)):
            page = cetaev("report", *arguments, "--quiet", env=alone)
            self.assertEqual((page.code, page.err), (4, "error: the system has no thread left\n"))

    def test_texts_of_a_model_do_not_command_the_terminal(self):
        """Control characters, C1 included, and overrides of the direction of writing are shown; JSON has them as they are."""
        evil = "\x1b]0;TITLE\x07\x1b[31mred\x9b2J\u202egnp.exe\x7f"
        shown = r"\u001b]0;TITLE\u0007\u001b[31mred\u009b2J\u202egnp.exe\u007f"
        text = json.dumps(evil).replace("\x7f", "\\u007f")  # TOML, too
        model = self.write(
            f"""name = {text}
description = {text}
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["y' = x*x'"]
[initial]
x = 1
"x'" = 1
[integrals]
{text} = "x'"
[events]
{text} = "x - 1.5"
[alternatives.{text}]
constraints = ["y' - x*x' = 0"]
"""
        )
        commands = ("check", "eval", "derive", "equivalent", "verify", "run --t-end 1")
        commands += ("derive --format latex", "derive --format c", "derive --format json")
        for command in commands:
            result = cetaev(*command.split(), model)
            with self.subTest(command=command):
                printed = (result.out + result.err).replace("\n", "").replace("\t", "")
                self.assertEqual([c for c in printed if c in evil and not c.isprintable()], [])
                if command in ("check", "eval", "run --t-end 1", "verify", "equivalent"):
                    self.assertIn(shown, result.out)
        document = cetaev("check", model, "--json")
        self.assertEqual(document.json["model"], evil)
        self.assertEqual([c for c in document.out if c in evil and not c.isprintable()], [])
        missing = cetaev("check", "\x1b[31mred\x9b.toml")
        self.assertEqual(missing.code, 2)
        self.assertNotIn("\x1b", missing.err)
        self.assertNotIn("\x9b", missing.err)

    def test_the_same_model_gives_the_same_bytes(self):
        for command in ("eval", "derive", "check"):
            with self.subTest(command=command):
                self.assertEqual(len({cetaev(command, "zekovic").out for _ in range(3)}), 1)

    def test_numbers_in_json_read_back(self):
        state = cetaev("eval", "skate", "--set", "x=0.1", "--set", "phi'=1e-3", "--json").json
        self.assertEqual(state["q"]["x"], 0.1)
        self.assertEqual(state["v"]["phi"], 1e-3)
        self.assertEqual(list(state["q"]), ["x", "y", "phi"])
        json.dumps(state, allow_nan=False)


if __name__ == "__main__":
    unittest.main()
