"""Every public callable with every kind of wrong argument: TypeError or cetaev.Error, and nothing else ever comes out."""

import decimal
import fractions
import inspect
import itertools
import pathlib

import numpy as np
import pytest

import cetaev

TEXT = 'coordinates = ["x"]\nlagrangian = "x\'^2/2 - k*x^2/2"\nparameters = {k = 4}\ninitial = {x = 1}\nevents = {zero = {when = "x"}}\n'


def loop():
    """A list that contains itself."""
    one = []
    one.append(one)
    return one


def deep():
    one = []
    for _ in range(100_000):
        one = [one]
    return one


THINGS = {
    "None": None, "True": True, "3": 3, "-1": -1, "0": 0, "2.5": 2.5, "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"),
    "1e30": 1e30, "10**30": 10**30, "-10**30": -(10**30), "10**400": 10**400, "1j": 1j, "''": "", "'x'": "x", "nul": "\0", "surrogate": "\ud800",
    "bytes": b"x", "brackets": "(" * 10_000, "long": "x" * 100_000, "primes": "x" + "'" * 1000, "[]": [], "[1]": [1], "['x']": ["x"], "[None]": [None],
    "()": (), "(1, 2)": (1, 2), "four": ("k", 1, 2, 3), "two": [("k", 1, 2, 0), ("x", 1, 2, -1)], "loop": loop(), "deep": deep(), "{}": {},
    "{1: 2}": {1: 2}, "{'x': None}": {"x": None}, "{'k': nan}": {"k": float("nan")}, "{'k': []}": {"k": []}, "set": {1}, "range": range(3),
    "object": object(), "class": int, "module": cetaev, "function": lambda *_: 1, "iterator": iter(()), "array": np.array([1.0]),
    "matrix": np.zeros((2, 2)), "empty": np.array([]), "objects": np.array([None, "x"], dtype=object), "complexes": np.array([1j]),
    "texts": np.array(["x"]), "float64": np.float64("nan"), "path": pathlib.Path("x"), "folder": pathlib.Path("/"), "decimal": decimal.Decimal("sNaN"),
    "fraction": fractions.Fraction(1, 3), "memory": memoryview(b"12345678"), "expression": cetaev.symbols("x"), "Eq": cetaev.Eq(1, 2),
    "model": cetaev.Model(TEXT), "error": ValueError("x"),
}  # fmt: skip

# What makes a call right, by the name of the parameter; what is not here has a default.
RIGHT = {
    "forms": "multipliers", "first": "multipliers", "second": "gauss", "other": THINGS["model"], "language": "python", "period": 3.0, "t": 0.5,
    "y": [1.0, 0.0], "name": "x", "names": "x", "left": 1, "right": 2, "x": 1, "z": 1, "arguments": 1, "what": None, "models": "pendulum", "claims": "none.toml", "out": "out.csv", "parts": ["x"], "path": "x.csv",
    "value": 1, "sweep": "none.h5", "folder": "site", "frame": cetaev.frames("F"), "of": cetaev.vector(1, 0, 0), "number": 1, "text": "x", "written": "x",
    "keys": "model", "columns": ["x"], "about": "something", "components": [1, 2, 3],
}  # fmt: skip

# And of some callables more: all that makes a call that works, of several arguments a tuple.
SHORT = {"t_end": 0.1}
RIGHT_OF = {
    "Model": {"source": TEXT}, "vector": {"y": 1}, "Model.equivalent": {"other": THINGS["model"]}, "Model.inverse": {"along": {"x": "t"}, "samples": 3, **SHORT},
    "Model.limit": {"vary": ("k", 5, 4.1, 3), **SHORT}, "Model.sweep": {"vary": {"k": [1, 2]}, **SHORT}, "Model.sweep_into": {"vary": {"k": [1, 2]}, **SHORT},
    "Model.report": {**SHORT}, "Model.run": {**SHORT}, "Model.lyapunov": {**SHORT}, "Model.compare": {"states": 3}, "Model.compare_with": {"states": 3},
    "report_gallery": {"models": "pendulum"}, "Answer.sympy": {"keys": "rank"}, "Check.sympy": {"keys": "determinate"}, "Linearization.sympy": {"keys": "zero"},
    "LinearEquations.sympy": {"keys": "M"}, "PointsOfView.sympy": {"keys": "t"}, "Inverse.sympy": {"keys": "t"}, "Columns.__getitem__": {"name": "x"},
    **{name: {"arguments": (1, 2)} for name in "am atan2 cn cross dn dot ellipticE ellipticEpsilon ellipticF sn".split()},
}  # fmt: skip
# About a steady motion.
STEADY = ("linearize", "linear")

# Finite times so far away, or so many of something, that an honest answer takes for ever.
FOREVER = {"t_end": ("1e30", "10**30", "-10**30"), "period": ("1e30", "10**30"), "budget": ("1e30", "10**30")}


def made():
    """Something of every class that has methods."""
    model = cetaev.Model(TEXT)
    motion = model.run(t_end=1, samples=3)
    return {
        "Model": model,
        "Motion": motion,
        "States": motion(0.5),
        "Columns": motion.q,
        "Function": model.function(),
        "Equations": model.equations("multipliers"),
        "Answer": model.eval(),
        "Check": model.check(),
        "Sweep": model.sweep({"k": [1, 2]}, t_end=0.1),
        "Expression": cetaev.symbols("x"),
        "Frame": cetaev.frames("F"),
        "Linearization": cetaev.Model("rolling-disc-steady").linearize(),
        "LinearEquations": cetaev.Model("rolling-disc-vertical").linear(),
        "PointsOfView": cetaev.Model("skate").transpose(),
        "Inverse": model.inverse({"x": "t"}, t_end=0.1, samples=3),
        "Equation": cetaev.Eq(1, 2),
    }


MADE = made()
RIGHT["what"] = MADE["Motion"]  # of plot
# Of dictionaries, and what Python calls by itself.
SKIPPED = {"update", "setdefault", "pop", "popitem", "clear", "fromkeys", "get", "copy", "keys", "values", "items"}
OPERATORS = ("__add__ __sub__ __mul__ __truediv__ __pow__ __radd__ __rsub__ __rmul__ __rtruediv__ __rpow__ __eq__ __call__ __getitem__").split()


def callables():
    for name in cetaev.__all__:
        thing = getattr(cetaev, name)
        # the library makes the other classes; what needs no argument is tried by verifying models elsewhere
        if inspect.isfunction(thing) and name != "gallery" or name in ("Model", "Expression", "Equation"):
            yield name, thing
    for kind, one in MADE.items():
        for name, member in inspect.getmembers(type(one), callable):
            if (not name.startswith("_") or name in OPERATORS) and name not in SKIPPED and member is not getattr(dict, name, None):
                yield f"{kind}.{name}", getattr(one.set({"x": 0}) if name in STEADY else one, name)


def parameters_of(thing):
    try:
        return list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        return []


def calls():
    for name, thing in callables():
        for parameter in parameters_of(thing):
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                yield pytest.param(name, thing, parameter.name, id=f"{name}-{parameter.name}")


def attempt(name, thing, wrong, value):
    positional, named = [], {}
    more = RIGHT_OF.get(name, {})
    for parameter in parameters_of(thing):
        given = more.get(parameter.name, RIGHT.get(parameter.name, inspect.Parameter.empty))
        several = given if isinstance(given, tuple) and parameter.kind is inspect.Parameter.VAR_POSITIONAL else (given,)
        if parameter.name == wrong:
            several = (value, *several[1:])
            given = value
        if name == "report_gallery" and parameter.name == "models" != wrong:
            several = ("no such model",)  # before anything is written: "/" is a folder, too
        optional = parameter.default is not inspect.Parameter.empty and parameter.name not in more and parameter.name != "claims"
        if parameter.name != wrong and (optional or given is inspect.Parameter.empty):
            continue
        if parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_OR_KEYWORD) and not named:
            positional.extend(several)
        elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            named[parameter.name] = given
    return thing(*positional, **named)


@pytest.mark.parametrize(("name", "thing", "wrong"), calls())
def test_a_wrong_argument_is_a_type_error_or_a_diagnosis(name, thing, wrong, tmp_path, monkeypatch):
    for what, package in (("plot", "matplotlib"), ("sympy", "sympy"), ("low_level", "scipy")):
        if what in name:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    allowed = (TypeError, cetaev.Error)
    for kind, value in THINGS.items():
        if kind in FOREVER.get(wrong, ()) or (name == "verify_papers" and value is None):  # the papers take a minute
            continue
        try:
            attempt(name, thing, wrong, value)
        except allowed:
            pass
        except Exception as problem:
            pytest.fail(f"{name}({wrong}={kind}) raises {type(problem).__name__}: {str(problem)[:200]}")


def plotted():
    """One of every kind that is drawn, with arguments that are right."""
    model = MADE["Model"]
    upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    swept = model.sweep({"k": [1, 2, 3], "x": [1, 2]}, observe=["max(x)"], t_end=0.1)
    return {
        "motion": (MADE["Motion"], ["x"], {}),
        "histogram": (MADE["Motion"], ["x"], {"histogram": True}),
        "sweep": (swept, ["max(x)"], {}),
        "map": (swept, ["x"], {"x": "k", "colour": "max(x)", "level": 1.5}),
        "eigenvalues": (upright.linearize(vary=("phi'", -5, -1, 3)), [], {}),
        "chart": (upright.linearize(vary=[("phi'", -5, -1, 3), ("r", 1, 2, 2)]), [], {}),
        "branch": (model.periodic(3, vary=("E", 1, 2, 2)), ["T"], {}),
    }


@pytest.mark.parametrize("kind", ["motion", "histogram", "sweep", "map", "eigenvalues", "chart", "branch"])
def test_figures_of_wrong_arguments(kind):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    what, names, named = plotted()[kind]
    assert cetaev.plot(what, *names, **named).get_xlabel()  # right as it is
    drawn = 0
    for wrong in ("names", "x", "colour", "level", "histogram", "log", "equal", "ax", "color", "linewidth", "nonsense"):
        for thing, value in list(THINGS.items())[:: 3 if wrong in ("color", "linewidth", "nonsense") else 1]:  # what is matplotlib's
            try:
                if wrong == "names":
                    cetaev.plot(what, value, **named)
                else:
                    cetaev.plot(what, *names, **{**named, wrong: value})
                drawn += 1
            except (TypeError, cetaev.Error):
                pass
            except Exception as problem:
                pytest.fail(f"plot({kind}, {wrong}={thing}) raises {type(problem).__name__}: {str(problem)[:200]}")
            pyplot.close("all")
    assert drawn > 5


KEYS = "name description coordinates lagrangian kinetic potential constraints auxiliary dependent parameters initial forces points bodies contacts springs loads frames gravity dissipation outputs units events integrals definitions quasi_velocities simulation view expect closed_form transpositional alternatives nonsense".split()  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_wrong_value_of_a_key_is_a_type_error_or_a_diagnosis(key):
    rest = {"coordinates": ["x"], "lagrangian": "x'^2/2"}
    for kind, value in THINGS.items():
        for inside in (value, [value], {"x": value}, [{"name": value}]):
            try:
                cetaev.Model(**{**rest, key: inside})
            except (TypeError, cetaev.Error):
                pass
            except Exception as problem:
                pytest.fail(f"Model({key}={kind}) raises {type(problem).__name__}: {str(problem)[:200]}")


# What is right about these is a file that is there, or another class.
ELSEWHERE = {"merge_sweeps", "read_motion", "report_sweep", "verify_papers", "report_gallery"}


@pytest.mark.parametrize(("name", "thing"), [pytest.param(name, thing, id=name) for name, thing in callables()])
def test_what_is_called_right_works(name, thing, tmp_path, monkeypatch):
    """Else a wrong argument would be one of two, and its refusal would say nothing."""
    monkeypatch.chdir(tmp_path)
    if name not in ELSEWHERE and "__r" not in name:
        try:
            attempt(name, thing, None, None)
        except ImportError as problem:
            pytest.skip(str(problem))


def test_everything_public_is_tried():
    tried = {name for name, _ in callables()}
    methods = {f"{kind}.{name}" for kind, one in MADE.items() for name, member in inspect.getmembers(type(one), callable) if not name.startswith("_")}
    assert {m for m in methods if m.split(".")[1] not in SKIPPED} <= tried
    assert {"Model", "plot", "symbols", "sin", "vector", "merge_sweeps", "read_motion"} <= tried


def test_wrong_names_of_arguments():
    model = MADE["Model"]
    for method, _ in itertools.islice(inspect.getmembers(model, inspect.ismethod), 100):
        if not method.startswith("_") and method not in ("set",):
            with pytest.raises(TypeError):
                getattr(model, method)(no_such_argument=1)
