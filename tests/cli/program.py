"""Runs the program under test; what every test of the command line imports."""

import dataclasses
import json
import os
import pathlib
import subprocess

CETAEV = os.environ.get("CETAEV", "build/cetaev")
SOURCE = pathlib.Path(__file__).resolve().parents[2]


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
