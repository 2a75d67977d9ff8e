"""One description makes parser, help, manual page and completion: they name the same commands and options."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import CETAEV, SOURCE, cetaev, gallery

FORMS = "multipliers gauss maggi hamel voronec caplygin appell vakonomic mvm1 mvm2 mvm3 reduced".split()


def commands():
    """The names of the commands, as `cetaev --help` lists them."""
    listing = cetaev("--help").out.split("\nCommands\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", listing, re.MULTILINE)


def groups(*command):
    """The options that the help of a command explains: their names, and what stands for the value."""
    found = []
    listing = cetaev(*command, "--help").out.split("\nOptions\n")[1].split("\n\n")[0]
    for line in re.findall(r"^  (-.*)", listing, re.MULTILINE):
        heading = re.split(r"  +", line)[0]
        value = re.search(r" ([A-Z][^ ]*)", heading)
        found.append((re.findall(r"--?[a-z][a-z-]*", heading), value[1] if value else ""))
    return found


def options(*command):
    return {name: value for names, value in groups(*command) for name in names}


class Help(unittest.TestCase):
    def test_names_every_command_with_a_line_about_it(self):
        self.assertEqual(
            commands(), "eval check derive run sweep compare limit transpose inverse equivalent linearize periodic lyapunov verify report plot gallery".split()
        )
        for command in commands():
            with self.subTest(command=command):
                result = cetaev(command, "--help")
                self.assertEqual((result.code, result.err), (0, ""))
                self.assertTrue(result.out.startswith(f"cetaev {command}: "), result.out)
                self.assertIn(f"Usage: cetaev {command}", result.out)
                self.assertRegex(result.out, rf"Examples?\n  cetaev .*{command}")
                self.assertLessEqual(max(map(len, result.out.splitlines())), 100)

    def test_options_that_are_shown_are_taken(self):
        for command in commands():
            for name, value in options(command).items():
                if name in ("-h", "--help"):
                    continue
                with self.subTest(command=command, option=name):
                    # without a model or with a value that fits nothing: whatever is wrong, the option is not
                    result = cetaev(command, name, *(["--"] if not value else ["?"]), "--help")
                    self.assertNotIn("was not expected", result.err)

    def test_an_option_that_is_not_shown_is_refused(self):
        for command in commands():
            result = cetaev(command, "--no-such-option", "skate")
            self.assertEqual(result.code, 2)
            self.assertIn("--no-such-option", result.err)

    def test_examples_are_commands_that_the_parser_takes(self):
        for command in commands():
            examples = cetaev(command, "--help").out.split("\nExample")[1].splitlines()[1:]
            self.assertTrue(examples)
            for example in examples:
                for name in re.findall(r" (--?[a-z][a-z-]*)", example.split("&&")[-1]):
                    self.assertIn(name, options(command), example)

    def test_a_wrong_value_is_named_with_its_option(self):
        for arguments, words in [
            (["run", "skate", "--t-end", "soon"], "--t-end: 'soon' is not a decimal number"),
            (["run", "skate", "--t-end", "0x10"], "--t-end: '0x10' is not a decimal number"),
            (["run", "skate", "--samples", "1e3"], "--samples: '1e3' is not a whole number"),
            (["compare", "skate", "--states", "-1"], "--states: '-1' is out of range"),
            (["derive", "skate", "--budget", "-1"], "--budget: '-1' is too small"),
            (["derive", "skate", "--ascii", "--unicode"], "excludes"),
            (["run", "skate", "--method", "euler"], "--method: euler not in {taylor,dop853,adams,bdf,auto}"),
            (["run", "skate", "--out", ""], "--out: the name of a file is missing"),
            (["run", "skate", "--t-end", "1", "--t-end", "2"], "--t-end"),
            (["run"], "MODEL is required"),
            ([], "a command is missing"),
        ]:
            with self.subTest(arguments=arguments):
                result = cetaev(*arguments)
                self.assertEqual(result.code, 2)
                self.assertIn(words, result.err)

    def test_values_may_follow_an_equals_sign_and_stand_before_the_model(self):
        plain = cetaev("eval", "skate", "--form", "voronec", "--set", "phi=0.3")
        self.assertEqual(plain.code, 0, plain.err)
        self.assertEqual(cetaev("eval", "--form=voronec", "--set=phi=0.3", "skate").out, plain.out)
        self.assertEqual(cetaev("eval", "--set", "phi=0.3", "--form", "voronec", "skate").out, plain.out)

    def test_the_reference_explains_the_options_that_there_are(self):
        page = (SOURCE / "docs/reference/cli.md").read_text(encoding="utf-8")
        sections = dict(re.findall(r"^## ([a-z]+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
        common = page.split("## Common options")[1].split("\n## ")[0]
        prose = re.compile(r"```.*?```", re.DOTALL)
        for command in commands():
            with self.subTest(command=command):
                section = prose.sub("", sections[command])
                known = options(command)
                for names, _ in groups(command):
                    named = rf"(?<![\w-])({'|'.join(names)})(?![\w-])"
                    if "--help" not in names:
                        self.assertRegex(section + common, named)
                for row in re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE):
                    for name in re.findall(r"`(--?[a-z][a-z-]*)", row):
                        self.assertIn(name, known)
                # the lines that show how it is called
                for usage in re.findall(rf"^`cetaev {command} [^`]*`", section, re.MULTILINE):
                    for name in re.findall(r"(?<=[\[ (])--?[a-z][a-z-]*", usage):
                        self.assertIn(name, known)


class ManualPage(unittest.TestCase):
    page = cetaev("--man").out

    def test_names_every_command_and_option(self):
        plain = self.page.replace("\\-", "-")
        for command in commands():
            section = plain.split(f"\n.SS {command}\n")[1].split("\n.S")[0]
            for name in options(command):
                if name not in ("-h", "--help"):
                    self.assertIn(f"\\fB{name}\\fR", section)
        for name in options():
            self.assertIn(f"\\fB{name}\\fR", plain)

    def test_knows_the_exit_codes_of_the_reference(self):
        reference = (SOURCE / "docs/reference/cli.md").read_text(encoding="utf-8")
        table = reference.split("\n## Exit codes\n")[1].split("\n## ")[0]
        table = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", table)  # links by their words
        self.assertEqual(
            re.findall(r"^\| (\d+) \| (.*?) \|$", table, re.MULTILINE),
            re.findall(r"\n\.TP\n\\fB(\d+)\\fR\n(.*)", self.page),
        )

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_is_well_formed(self):
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=self.page.encode(), capture_output=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout.decode())
        self.assertIn("--propose-auxiliary", shown)
        self.assertIn("text in Unicode: ẋ, ẍ", re.sub(r"\s+", " ", shown))

    @unittest.skipUnless(shutil.which("mandoc"), "needs mandoc")
    def test_mandoc_finds_nothing_to_say(self):
        done = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "warning"], input=self.page.encode(), capture_output=True, check=False
        )
        said = [line for line in done.stdout.decode().splitlines() if "missing date" not in line]
        self.assertEqual(said, [])


class Bash(unittest.TestCase):
    script = cetaev("--completion", "bash").out

    def complete(self, *words, cwd=None):
        """What bash offers for the last of the words."""
        program = self.script + '\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cetaev; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(
            ["bash", "--norc", "-c", program, "bash", "cetaev", *words],
            capture_output=True,
            cwd=cwd,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return [word for word in done.stdout.decode().split("\n") if word]

    def test_offers_commands_and_options(self):
        self.assertEqual(self.complete(""), commands())
        self.assertEqual(self.complete("e"), ["eval", "equivalent"])
        self.assertCountEqual(self.complete("-"), options())
        for command in commands():
            self.assertCountEqual(self.complete(command, "-"), options(command))
            self.assertCountEqual(self.complete(command, "word", "-"), options(command))
        self.assertEqual(self.complete("run", "skate", "--traj"), ["--trajectory"])

    def test_offers_the_values_of_options(self):
        self.assertEqual(self.complete("eval", "skate", "--form", ""), FORMS)
        self.assertEqual(self.complete("run", "--form", "a"), ["auto", "appell"])
        self.assertEqual(self.complete("run", "--form", "=", "vo"), ["voronec"])
        self.assertEqual(self.complete("run", "--method", "="), ["taylor", "dop853", "adams", "bdf", "auto"])
        self.assertEqual(self.complete("derive", "skate", "--format", "c"), ["c", "cpp", "cuda"])
        self.assertEqual(self.complete("run", "skate", "--t-end", ""), [])
        self.assertEqual(self.complete("--completion", ""), ["bash", "zsh"])

    def test_every_choice_that_is_offered_is_taken(self):
        for form in self.complete("compare", "skate", "--form", ""):
            result = cetaev("compare", "skate", "--states", "0", "--form", "multipliers", "--form", form)
            self.assertNotIn("not in {", result.err)

    def test_offers_models_of_the_gallery_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("mine one.toml", "skater.toml", "skate.csv", "notes.txt"):
                (pathlib.Path(folder) / name).write_text("", encoding="utf-8")
            (pathlib.Path(folder) / "skating").mkdir()
            shipped = [name for name in gallery() if name.startswith("ska")]
            self.assertIn("skate", shipped)
            self.assertCountEqual(
                self.complete("check", "ska", cwd=folder), [*shipped, "skater.toml", "skating/"]
            )
            self.assertEqual(self.complete("check", "mine", cwd=folder), ["mine one.toml"])
            self.assertCountEqual(self.complete("plot", "", cwd=folder), ["skate.csv", "skating/"])
            self.assertCountEqual(
                self.complete("derive", "skate", "-o", "", cwd=folder),
                ["mine one.toml", "skater.toml", "skate.csv", "notes.txt", "skating/"],
            )
        offered = self.complete("gallery", "")
        self.assertLessEqual(set(gallery()), set(offered))
        self.assertIn("trailer", offered)


class Zsh(unittest.TestCase):
    script = cetaev("--completion", "zsh").out

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_is_a_script(self):
        done = subprocess.run(["zsh", "-n"], input=self.script.encode(), capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_names_every_command_and_option(self):
        for command in commands():
            self.assertIn(f"'{command}:", self.script)
            section = self.script.split(f"\n      {command})\n")[1].split(" ;;\n")[0]
            for name in options(command):
                self.assertRegex(section, rf"[*)]{name}=?\[")
        for name in gallery():
            self.assertIn(name, self.script)


if __name__ == "__main__":
    unittest.main()
