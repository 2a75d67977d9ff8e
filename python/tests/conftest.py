"""The package as it was built, and the program beside it, whose answers the package has to give."""

import json
import os
import subprocess

import pytest

import cetaev

# Ten of the gallery, of every kind: linear and nonlinear, redundant, on accelerations, depending on time, with forces and events, or free.
MODELS = [
    "skate",
    "appell-hamel",
    "rolling-disc",
    "parallel-velocities-plane",
    "prescribed-acceleration",
    "pursuit",
    "snakeboard",
    "chaplygin-sleigh",
    "contact-oscillator",
    "damped-oscillator",
]


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("CETAEV")
    if not path:
        pytest.skip("the program to compare with is named by the environment variable CETAEV")
    return path


@pytest.fixture(scope="session")
def told(program):
    """The JSON of a command, and its exit code."""

    known = {}

    def ask(*arguments):
        if arguments not in known:
            done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
            known[arguments] = (json.loads(done.stdout), done.returncode)
        return known[arguments]

    return ask


@pytest.fixture(params=MODELS)
def name(request):
    assert request.param in cetaev.gallery()
    return request.param
