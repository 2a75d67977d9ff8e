"""Runs the commands shown in README.md and docs/ and compares what they print with what the pages say.

A page is read from top to bottom and has one temporary folder of its own. In it,

* a ```toml block whose first line is `# file: NAME.toml` is written to that file;
* a ```console block holds commands, each on a line that begins with `$ `, followed by their output. A line `...` stands
  for any number of lines. stdout and stderr are one text, as in a terminal; a last line `[exit 2]` says that the command
  ends with that exit code, otherwise it must be 0.

Only blocks that begin at the margin count, and every command must be one of `cetaev`, `cat` and `ls`: pages are not the
place to run anything else. With --update the outputs in the pages are replaced by the true ones, except where the
page's own text with its `...` already fits. An output of nothing but `...` is a placeholder, which --update fills in.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOWED = {"cetaev", "cat", "ls"}
BLOCK = re.compile(r"^```(console|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# file: ([\w.-]+)\n")


def fits(actual: list[str], expected: list[str]) -> bool:
    """Whether the lines are the expected ones, with `...` for any lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def split(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that follow it."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
        else:
            raise ValueError(f"a console block begins with a command, not with {line!r}")
    return commands


def run(command: str, folder: str, environment: dict[str, str]) -> list[str]:
    if command.split()[0] not in ALLOWED:
        raise ValueError(f"commands in pages begin with one of {', '.join(sorted(ALLOWED))}: {command}")
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    lines = [line.rstrip() for line in done.stdout.decode().splitlines()]
    if done.returncode != 0:
        lines.append(f"[exit {done.returncode}]")
    return lines


class Page:
    def __init__(self, path: pathlib.Path, program: pathlib.Path, fill: bool):
        self.path = path
        self.fill = fill
        self.name = path.relative_to(ROOT)
        self.program = program
        self.commands = 0
        self.failures: list[str] = []

    def check(self) -> str:
        """Runs the page and returns its text with the true outputs."""
        text = self.path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as scratch:
            # The program goes by its name, wherever it was built.
            tools, self.folder = pathlib.Path(scratch, "bin"), pathlib.Path(scratch, "page")
            tools.mkdir()
            self.folder.mkdir()
            (tools / "cetaev").symlink_to(self.program)
            path = f"{tools}:{os.environ['PATH']}"
            self.environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
            return BLOCK.sub(lambda match: self.block(match, text), text)

    def block(self, match: re.Match, text: str) -> str:
        kind, body = match.groups()
        if kind == "toml":
            if file := FILE.match(body):
                (self.folder / file[1]).write_text(body, encoding="utf-8")
            return match[0]

        lines = []
        for command, expected in split(body):
            self.commands += 1
            actual = run(command, str(self.folder), self.environment)
            lines.append(f"$ {command}")
            placeholder = [line for line in expected if not line.startswith("[exit ")] == ["..."]
            if fits(actual, expected) and not (self.fill and placeholder):
                lines += expected
                continue
            lines += actual
            line = text.count("\n", 0, match.start()) + 1
            difference = difflib.unified_diff(expected, actual, "the page", "the program", lineterm="")
            self.failures.append("\n".join([f"{self.name}:{line}: $ {command}", *difference]))
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the commands in README.md and docs/.")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "cetaev")
    parser.add_argument("--update", action="store_true", help="write the true outputs into the pages")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="README.md and docs/**/*.md if none is given")
    options = parser.parse_args()

    pages = [page.resolve() for page in options.pages] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    commands, failures = 0, 0
    for path in pages:
        page = Page(path, options.program.resolve(), fill=options.update)
        text = page.check()
        commands += page.commands
        if not page.failures:
            continue
        if options.update:
            path.write_text(text, encoding="utf-8")
            print(f"{page.name}: {len(page.failures)} outputs updated")
        else:
            failures += len(page.failures)
            print("\n\n".join(page.failures), end="\n\n")
    print(f"{commands} commands in {len(pages)} pages, {failures} not as shown")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
