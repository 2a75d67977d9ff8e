"""Runs the program under test; what every test of the command line imports."""

import csv
import dataclasses
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

CETAEV = os.environ.get("CETAEV", "build/cetaev")
SOURCE = pathlib.Path(__file__).resolve().parents[2]

# x = cos(t sqrt(k/m))
FREE_OSCILLATOR = """coordinates = ["x"]
lagrangian = "m*x'^2/2 - k*x^2/2"
[parameters]
m = 1
k = 1
[initial]
x = 1
"""


def under_debians_python(*modules):
    """Debian's packages serve Debian's interpreter, which need not be the one that runs the tests: then it takes over."""
    debians = "/usr/bin/python3"
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing and sys.executable != debians and os.access(debians, os.X_OK):
        os.execv(debians, [debians, "-B", *sys.argv])


def table(path):
    """The rows of a CSV file, by the names of its columns."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON document on stdout. Strict: nan and infinity are not JSON."""

        def refuse(name):
            raise ValueError(f"{name} in the output")

        return json.loads(self.out, parse_constant=refuse)


def cetaev(*arguments, cwd=None, timeout=300, env=None):
    done = subprocess.run(
        [CETAEV, *map(str, arguments)],
        cwd=cwd,
        env=None if env is None else {**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def gallery():
    """The names of the models that ship."""
    return [entry["name"] for entry in cetaev("gallery", "--json").json["gallery"]]
