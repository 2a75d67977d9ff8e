"""What is shown is run: the examples of docstrings, the guide, the notebooks; and the reference is that of the docstrings."""

import doctest
import importlib
import inspect
import json
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import cetaev
from conftest import MODELS

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What an example needs beside NumPy, by what it calls.
NEEDS = {".sympy(": "sympy", "to_dataframe": "pandas", "to_xarray": "xarray", "low_level": "scipy", ".plot(": "matplotlib"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def installed(package):
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


MODULES = ["__init__", *(m.name for m in pkgutil.iter_modules(cetaev.__path__) if m.name not in ("_native", "_sympy"))]


def imported(module):
    return importlib.import_module("cetaev" if module == "__init__" else f"cetaev.{module}")


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module):
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder().find(imported(module)):
        shown = "".join(example.source for example in test.examples)
        if all(installed(package) for call, package in NEEDS.items() if call in shown):
            runner.run(test)
    assert runner.failures == 0


def members():
    """Every public class, method, property and function, with where it is."""
    for name in cetaev.__all__:
        thing = getattr(cetaev, name)
        if isinstance(thing, type):
            yield name, thing
            for member in dir(thing):
                value = inspect.getattr_static(thing, member)
                ours = any(member in vars(part) for part in thing.__mro__ if part.__module__.startswith("cetaev"))
                if ours and not member.startswith("_") and (callable(value) or isinstance(value, (property, staticmethod))):
                    yield f"{name}.{member}", value
        elif callable(thing) and not isinstance(thing, cetaev.Expression):
            yield name, thing


def test_everything_public_has_a_docstring():
    assert not [name for name, thing in members() if not (thing.__doc__ or "").strip()]


def test_everything_public_has_an_example_that_is_run():
    """Of every class, method, property and function, its own, among those that the test above runs."""
    run = {test.docstring for module in MODULES for test in doctest.DocTestFinder().find(imported(module)) if test.examples}
    without = [name for name, thing in members() if thing.__doc__ not in run]
    assert not without
    assert len(list(members())) > 150


def test_what_is_public_is_a_property_or_a_method():
    """An attribute alone has no docstring and no example, and anybody could write another value to it."""
    from test_hostile import MADE

    for kind, one in MADE.items():
        assert not [name for name in getattr(one, "__dict__", {}) if not name.startswith("_")], kind
        for part in type(one).__mro__:
            public = [*vars(part).get("__annotations__", {}), *vars(part).get("__slots__", ())] if part.__module__.startswith("cetaev") else []
            assert not [name for name in public if not name.startswith("_")], kind
        for name in (name for name in dir(type(one)) if isinstance(inspect.getattr_static(type(one), name), property)):
            with pytest.raises(AttributeError):
                setattr(one, name, None)


def test_the_reference_has_everything():
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    for name, thing in members():
        if getattr(thing, "__module__", "") != "cetaev._functions" and "." not in name:
            assert re.search(rf"^##+ {name}$", page, re.MULTILINE), name


def test_the_guide(tmp_path, monkeypatch):
    for package in ("scipy", "sympy"):
        pytest.importorskip(package)
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/guide/python.md", None, 0)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_the_reference_is_that_of_the_docstrings():
    build = pathlib.Path(cetaev.__path__[0]).parents[1]
    subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "python-reference"), str(build), "--check"], check=True)


NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks(path, monkeypatch):
    """Cell by cell in this process, with what each would show; the next test runs one as Jupyter does."""
    document = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code), "notebooks are kept without outputs"
    source = ["".join(cell["source"]) for cell in code]
    for package in ("scipy", "matplotlib"):
        if any(package in text or "plot(" in text for text in source):
            pytest.importorskip(package)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    scope = {"__name__": "notebook"}
    for text in source:
        *lines, last = text.rstrip().rstrip(";").split("\n")
        exec(compile(text, str(path), "exec"), scope)
        # What the notebook would show of a cell that ends in a name or a call of ours.
        if last.isidentifier():
            shown = scope[last]
            for show in ("_repr_html_", "_repr_latex_"):
                if hasattr(shown, show):
                    assert getattr(shown, show)()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks_in_a_kernel(path, monkeypatch):
    """As Jupyter runs them, with what they show."""
    nbformat = pytest.importorskip("nbformat", reason="Debian's python3-nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="Debian's python3-nbclient is not installed")
    pytest.importorskip("ipykernel", reason="Debian's python3-ipykernel is not installed")
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel has its own
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png"} <= kinds and (path.stem != "skate" or {"text/latex", "text/html"} <= kinds)


@pytest.mark.parametrize("name", [*MODELS, "rolling-disc-body"])
def test_what_notebooks_show_of_equations_is_formulas_and_words(name):
    """Notebooks set what stands in formulas, and know no commands of pages. Names in backslashes outside of formulas would be shown as they are."""
    shown = cetaev.Model(name).equations(energy=False, budget=0.2)._repr_latex_()
    assert shown.count("\\begin{align}") == shown.count("\\end{align}")
    assert ("\\begin{align}" in shown) == (name != "prescribed-acceleration")  # no principle has equations linear in its accelerations
    words = re.sub(r"\$[^$]*\$", "", re.sub(r"\\begin\{align\}.*?\\end\{align\}", "", shown, flags=re.DOTALL))
    assert not re.findall(r"\\[A-Za-z]+", words)
    assert "ensuremath" not in shown


def test_expressions_are_formulas_in_notebooks():
    pytest.importorskip("sympy")
    x, k = cetaev.symbols("x k")
    assert (k * x.dot**2 / 2)._repr_latex_() == r"$\displaystyle \frac{k \dot{x}^{2}}{2}$"
    assert cetaev.Eq(x.ddot, -k)._repr_latex_() == r"$\displaystyle \ddot{x} = - k$"
    assert r"\dot{\phi}" in cetaev.Model("skate").lagrangian._repr_latex_()
    # what SymPy does not know, or what nobody reads, is text
    assert cetaev.omega(cetaev.frames("F"))._repr_latex_() is None
    assert cetaev.Model("bicycle").lagrangian._repr_latex_() is None
