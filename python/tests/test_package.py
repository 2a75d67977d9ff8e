"""pip and make install put a package in place that works, without a network."""

import ast
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

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


@pytest.fixture(scope="module")
def build():
    """The folder of what is built, which pip and make take as it is."""
    if "CETAEV_BUILD" not in os.environ:
        pytest.skip("the build folder is named by the environment variable CETAEV_BUILD")
    return os.environ["CETAEV_BUILD"]


def make(target, build, **variables):
    """`make TARGET` of what is built already, by this interpreter."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    words = [f"{name}={value}" for name, value in {"BUILD": build, "PYTHON": sys.executable, **variables}.items()]
    done = subprocess.run(["make", "-C", str(ROOT), "--no-print-directory", "-o", "all", target, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def require_pip():
    for package in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"Debian's python3-{package} is not installed")


def pip(*words):
    require_pip()
    quiet = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--root-user-action=ignore"]
    done = subprocess.run([sys.executable, "-m", "pip", *words, *quiet], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pip_installs_it_without_network_and_isolation(build, tmp_path):
    pip("install", str(ROOT), "--no-build-isolation", "--target", str(tmp_path))
    assert used_from(tmp_path) == cetaev.__version__
    assert (tmp_path / "cetaev" / "py.typed").exists() and (tmp_path / "cetaev" / "_native.pyi").exists()


def test_a_wheel_has_all_that_is_needed(build, tmp_path):
    require_pip()
    told = make("wheel", build, DIST=tmp_path / "dist")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert told.strip() == str(wheel) and wheel.name.startswith(f"cetaev-{cetaev.__version__}-cp")
    pip("install", str(wheel), "--target", str(tmp_path / "there"))
    assert used_from(tmp_path / "there") == cetaev.__version__
    # what the sources have, and nothing of them beside
    named = {path.name for path in (ROOT / "python" / "cetaev").iterdir() if path.suffix in (".py", ".pyi", ".typed")}
    with zipfile.ZipFile(wheel) as files:
        inside = {name.split("/")[1] for name in files.namelist() if name.startswith("cetaev/")}
        assert all(name.split("/")[0] in ("cetaev", f"cetaev-{cetaev.__version__}.dist-info") for name in files.namelist())
    assert {name for name in inside if not name.startswith("_native.cpython")} == named and len(inside) == len(named) + 1


def test_make_install_puts_it_where_python_looks(build, tmp_path):
    """Below DESTDIR, as those who make packages do: what lies there under /usr or /usr/local is where this interpreter looks for it."""
    for prefix in ("/usr", "/usr/local"):
        command = ["cmake", "--install", build, "--prefix", prefix, "--component", "python"]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "DESTDIR": str(tmp_path)})
        (module,) = (tmp_path / prefix[1:]).glob("lib/python3*/*-packages/cetaev")
        assert used_from(module.parent) == cetaev.__version__
        if pathlib.Path(sys.executable).resolve().parent == pathlib.Path("/usr/bin"):
            assert "/" + str(module.parent.relative_to(tmp_path)) in sys.path
        shutil.rmtree(tmp_path / "usr")


def test_make_install_has_the_program_too(build, tmp_path):
    make("install", build, PREFIX=tmp_path)
    said = subprocess.run([tmp_path / "bin" / "cetaev", "--version"], capture_output=True, text=True, check=True).stdout
    assert said == f"cetaev {cetaev.__version__}\n"
    (module,) = tmp_path.glob("lib/python3*/*-packages/cetaev")
    assert used_from(module.parent) == cetaev.__version__
    assert (tmp_path / "include" / "cetaev" / "cetaev.hpp").exists() and (tmp_path / "share" / "man" / "man1" / "cetaev.1").exists()


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
