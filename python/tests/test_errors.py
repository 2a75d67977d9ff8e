"""Wrong arguments of every kind give TypeError or cetaev.Error, and nothing ever falls over."""

import pathlib
import pickle

import numpy as np
import pytest

import cetaev


def test_an_error_has_code_place_and_caret():
    text = 'coordinates = ["x"]\nlagrangian = "x\'^2/2 - stif*x^2/2"\n[parameters]\nstiff = 1\n'
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model(text)
    error = caught.value
    assert (error.code, error.line, error.column, error.suggestion) == ("unknown-name", 2, 24, "stiff")
    assert error.exit_code == 2
    assert "lagrangian = " in error.caret and "\n" + " " * 27 + "^" in error.caret
    assert error.caret.strip() in str(error)


def test_the_place_of_a_mistake_written_in_python_is_in_the_text_it_became():
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - q*x")
    assert caught.value.file == "<python>" and caught.value.line == 2
    assert "lagrangian = \"x'^2/2 - q*x\"" in caught.value.caret


def test_a_name_that_is_not_there_has_a_suggestion():
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("skat")
    assert caught.value.code == "bad-model" and caught.value.suggestion == "skate" and caught.value.line is None
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("skate").equations("voronek")
    assert caught.value.suggestion == "voronec"
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("skate", set={"slop": 1})
    assert caught.value.suggestion == "slope"


def test_errors_can_be_pickled():
    error = cetaev.Error("bad-model", "something", "file", 1, 2, None, "caret", 2)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.line, again.caret) == ("bad-model", 1, "caret")


def test_paths_and_texts(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('coordinates = ["x"]\nlagrangian = "x\'^2/2"\n', encoding="utf-8")
    assert cetaev.Model(path).coordinates == ["x"]
    assert cetaev.Model(str(path)).text == path.read_text(encoding="utf-8")
    with pytest.raises(cetaev.Error):
        cetaev.Model(tmp_path / "missing.toml")
    with pytest.raises(cetaev.Error):
        cetaev.Model(tmp_path)  # a folder
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("pendulum").report(tmp_path / "no" / "such.html", t_end=0.1, samples=2)
    assert caught.value.code == "cannot-write" and caught.value.exit_code == 4


THINGS = [None, True, 3, -1, 2.5, float("nan"), float("inf"), 10**30, 1j, "", "x", "\0", "\ud800", b"x", [], [1], ["x"], (), {}, {1: 2}, set(), object(),
          lambda: 1, np.array([1.0]), np.float64("nan"), int, cetaev, pathlib.Path("x")]  # fmt: skip


def model():
    return cetaev.Model("pendulum")


CALLS = {
    "Model": lambda a: cetaev.Model(a),
    "set": lambda a: cetaev.Model("pendulum", set=a),
    "set of m": lambda a: cetaev.Model("pendulum", set={"m": a}),
    "set, name": lambda a: cetaev.Model("pendulum", set={a: 1}) if a.__hash__ else cetaev.Model("pendulum", set=a),
    "constraints": lambda a: cetaev.Model("pendulum", constraints=a),
    "transpositional": lambda a: cetaev.Model("pendulum", transpositional=a),
    "coordinates": lambda a: cetaev.Model(coordinates=a, lagrangian="1"),
    "lagrangian": lambda a: cetaev.Model(coordinates=["x"], lagrangian=a),
    "parameters": lambda a: cetaev.Model(coordinates=["x"], lagrangian="x'^2", parameters=a),
    "initial": lambda a: cetaev.Model(coordinates=["x"], lagrangian="x'^2", initial={"x": a}),
    "points": lambda a: cetaev.Model(coordinates=["x"], lagrangian="x'^2", points=[a]),
    "other key": lambda a: cetaev.Model(coordinates=["x"], lagrangian="x'^2", nonsense=a),
    "check": lambda a: model().check(a),
    "eval": lambda a: model().eval(a),
    "equations": lambda a: model().equations(a),
    "budget": lambda a: model().equations("hamel", budget=a),
    "compare": lambda a: model().compare("multipliers", a),
    "states": lambda a: model().compare("multipliers", "hamel", states=a) if a != 10**30 else model().compare(1, 2),
    "t_end": lambda a: model().run(a, samples=2) if a != 10**30 else None,
    "samples": lambda a: model().run(0.1, samples=a),
    "tolerance": lambda a: model().run(0.1, tolerance=a, samples=2),
    "form": lambda a: model().run(0.1, form=a, samples=2),
    "method": lambda a: model().run(0.1, method=a, samples=2),
    "variations": lambda a: model().run(0.1, variations=a, samples=2),
    "progress": lambda a: model().run(0.1, progress=a, samples=2),
    "periodic": lambda a: model().periodic(a) if a != 10**30 else None,
    "lyapunov": lambda a: model().lyapunov(a) if not isinstance(a, int) else None,
    "linearize": lambda a: model().linearize(a),
    "vary": lambda a: model().linearize(vary=a),
    "code": lambda a: model().code(a),
    "function": lambda a: model().function(a),
    "y": lambda a: model().function()(0.0, a),
    "t": lambda a: model().function()(a, [0.0, 0.0]),
    "low_level": lambda a: model().function().low_level(a),
    "dense": lambda a: model().run(1.0, samples=2)(a),
    "symbols": lambda a: cetaev.symbols(a),
    "plus": lambda a: cetaev.symbols("x") + a,
    "power": lambda a: cetaev.symbols("x") ** a,
    "Eq": lambda a: cetaev.Eq(a, a),
    "sin": lambda a: cetaev.sin(a),
    "vector": lambda a: cetaev.vector(a, a, a),
    "plot": lambda a: cetaev.plot(a),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments(call):
    if call == "low_level":
        pytest.importorskip("scipy")
    for thing in THINGS:
        try:
            CALLS[call](thing)
        except (TypeError, cetaev.Error, UnicodeEncodeError):
            pass
