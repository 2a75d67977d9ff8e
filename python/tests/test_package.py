"""pip and make install put a package in place that works, without a network."""

import ast
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

import cetaev

ROOT = pathlib.Path(__file__).resolve().parents[2]
USE = "import cetaev; assert cetaev.Model('skate').run(t_end=1).status == 'finished'; print(cetaev.__version__, cetaev.__file__)"


def used_from(folder):
    """The package in that folder, and the version it says."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    said = subprocess.run([sys.executable, "-B", "-c", USE], env=environment, capture_output=True, text=True, check=True).stdout
    version, _, place = said.strip().partition(" ")
    assert pathlib.Path(place).parent == pathlib.Path(folder) / "cetaev"
    return version


def test_pip_installs_it_without_network_and_isolation(tmp_path):
    if "CETAEV_BUILD" not in os.environ:
        pytest.skip("the build folder is named by the environment variable CETAEV_BUILD")
    for package in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"Debian's python3-{package} is not installed")
    command = [sys.executable, "-m", "pip", "install", str(ROOT), "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
               "--disable-pip-version-check", "--root-user-action=ignore", "--target", str(tmp_path)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, text=True)
    assert used_from(tmp_path) == cetaev.__version__
    assert (tmp_path / "cetaev" / "py.typed").exists() and (tmp_path / "cetaev" / "_native.pyi").exists()


def test_make_install_puts_it_where_python_looks(tmp_path):
    build = os.environ.get("CETAEV_BUILD")
    if not build:
        pytest.skip("the build folder is named by the environment variable CETAEV_BUILD")
    command = ["cmake", "--install", build, "--prefix", str(tmp_path), "--component", "python"]
    subprocess.run(command, check=True, capture_output=True)
    (module,) = tmp_path.glob("lib/python3*/*-packages/cetaev")
    assert used_from(module.parent) == cetaev.__version__


def test_the_version_is_that_of_the_library():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert re.search(r"project\(cetaev VERSION ([\d.]+)", text).group(1) == cetaev.__version__


def test_the_stub_names_what_the_module_has():
    from cetaev import _native

    text = (ROOT / "python" / "cetaev" / "_native.pyi").read_text(encoding="utf-8")
    assert set(re.findall(r"^class (\w+)", text, re.MULTILINE)) | set(re.findall(r"^def (\w+)", text, re.MULTILINE)) | {"version"} == {
        name for name in dir(_native) if not name.startswith("__")
    }
    for name in re.findall(r"^class (\w+)", text, re.MULTILINE):
        body = re.search(rf"^class {name}\b.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL).group()
        members = set(re.findall(r"^    def (\w+)", body, re.MULTILINE)) - {"__init__"}
        assert members == {member for member in vars(getattr(_native, name)) if not member.startswith("_")}, name


def test_the_stub_takes_what_the_module_takes():
    """As many arguments of every function; pybind11 writes its signatures into docstrings."""
    from cetaev import _native

    tree = ast.parse((ROOT / "python" / "cetaev" / "_native.pyi").read_text(encoding="utf-8"))
    compared = 0
    for scope in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
        owner = _native if scope is tree else getattr(_native, scope.name)
        for function in (node for node in scope.body if isinstance(node, ast.FunctionDef)):
            said = getattr(owner, function.name).__doc__.splitlines()[0]
            takes = len(re.findall(r"\b(?:self|arg\d+): ", said))
            assert takes == len(function.args.args), f"{function.name}: {said}"
            compared += 1
    assert compared > 40
