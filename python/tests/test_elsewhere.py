"""What goes to files, to other processes and to packages that may be missing."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import cetaev

TEXT = 'coordinates = ["x"]\nlagrangian = "x\'^2/2 - k*x^2/2"\nparameters = {k = 4}\ninitial = {x = 1}\n'


@pytest.mark.parametrize("taken", ["t", "E", "residual", "lambda1", "lambda27", "status", "diagnosis"])
def test_a_coordinate_has_no_name_of_a_column(taken, program, tmp_path):
    """One rule for Python and the command line: the reader says whose name it is."""
    with pytest.raises(cetaev.Error, match=f"'{taken}' cannot be the name of a coordinate: it is ") as caught:
        cetaev.Model(coordinates=[taken], lagrangian=f"{taken}'^2/2")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("bad-model", 1, 17)
    with pytest.raises(cetaev.Error, match=f"'{taken}' cannot be the name of an output"):
        cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", outputs={taken: "2*x"})
    file = tmp_path / "wrong.toml"
    file.write_text(f'coordinates = ["{taken}"]\nlagrangian = "{taken}\'^2/2"\n', encoding="utf-8")
    for command in ("run", "check", "sweep"):
        said = subprocess.run([program, command, file], capture_output=True, text=True, check=False)
        assert said.returncode == 2 and caught.value.message in said.stderr


def test_parameters_have_the_names_of_columns(tmp_path):
    """E, a modulus; T, a period; status, residual, lambda1: in arrays, data frames and files each column has its own numbers."""
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    values = {"E": 4.0, "residual": 2.0, "lambda1": 3.0, "status": 1.5, "T": 2.5}
    model = cetaev.Model(coordinates=["x"], lagrangian="residual*x'^2/4 - E*x^2/2", parameters=values, initial={"x": 1})
    motion = model.run(t_end=1, samples=11, out=tmp_path / "own.csv")
    assert np.abs(motion.q["x"] - np.cos(2 * motion.t)).max() < 1e-13 and np.abs(motion.E - 2).max() < 1e-12
    read = cetaev.read_motion(tmp_path / "own.csv")
    for name in motion.columns:
        assert (read[name] == motion[name]).all() and (name == "t" or (motion.to_dataframe()[name] == motion[name]).all())
    for name in ("E", "status", "T"):
        grid = np.array([1.0, 4.0])
        swept = model.sweep({name: grid}, observe=["x"], t_end=1)
        exact = np.cos(np.sqrt(grid)) if name == "E" else np.full(2, np.cos(2))
        assert np.abs(swept["x"] - exact).max() < 1e-13 and (swept[name] == grid).all()
        frame = swept.to_dataframe()
        assert isinstance(frame, pandas.DataFrame) and frame.shape == (2, 4) and len(set(frame)) == 4
        assert (frame["status"] == "finished").all()
        assert isinstance(swept.to_xarray(), xarray.Dataset) and (swept.to_xarray()["status"] == "finished").all()
    # its own motion needs no force
    assert np.abs(model.inverse(motion=motion).forces["x"]).max() < 1e-4
    branch = model.periodic(3, vary=("T", 1, 2, 2), hold=["motion(E)"])
    assert (branch.columns["T"] == branch.values).all() and np.abs(branch.columns["motion(T)"] - np.pi).max() < 1e-9
    with pytest.raises(cetaev.Error, match=r"motion\(E\)"):
        model.periodic(3, vary=("T", 1, 2, 2), hold=["E"])


def test_models_functions_answers_and_expressions_are_pickled():
    model = cetaev.Model(TEXT, set={"k": 9})
    for how in (lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy, copy.copy):
        assert how(model).parameters == {"k": 9.0}
        assert how(model).run(t_end=1).q["x"][-1] == model.run(t_end=1).q["x"][-1]
        f, g = model.function("multipliers"), how(model.function("multipliers"))
        assert (f(0.0, f.y0) == g(0.0, f.y0)).all() and f.form == g.form
        assert how(model.check()) == model.check() and how(model.check()).sentences == model.check().sentences
        assert how(model.equations("gauss")).text == model.equations("gauss").text
        assert how(model.lagrangian) == model.lagrangian and how(model.lagrangian).moving == {"x"}
        swept = model.sweep({"k": [1, 2]}, t_end=1)
        assert (how(swept)["x"] == swept["x"]).all()
        error = cetaev.MissingColumn.of("a", ["b"])
        assert str(how(error)) == str(error)


def test_motions_are_pickled():
    """The samples as they were, and the same function of time, computed again; with what a motion may have beside them."""
    model = cetaev.Model(TEXT + 'outputs = {twice = "2*x"}\nevents = {zero = {when = "x"}}\n')
    for motion in (model.run(t_end=3, samples=7, variations=["k"]), model.run(t_end=9, section="zero"), cetaev.Model("appell-hamel").run(t_end=2)):
        again = pickle.loads(pickle.dumps(motion))
        assert again.columns == motion.columns and all((again[name] == motion[name]).all() for name in motion)
        assert again.summary == motion.summary and str(again) == str(motion) and repr(again) == repr(motion)
        assert list(again.events) == list(motion.events) and all((again.events[name] == motion.events[name]).all() for name in motion.events)
        assert (again.diagnosis and again.diagnosis.args) == (motion.diagnosis and motion.diagnosis.args)
        for name, varied in motion.variations.items():
            assert (again.variations[name].q["x"] == varied.q["x"]).all() and not again.variations[name].q["x"].flags.writeable
        assert not any(again[name].flags.writeable for name in again)
        assert again._computed is None  # all that without computing
        t = np.linspace(0, float(motion.summary["t"]), 5)
        for q in motion.q:
            assert (again(t).q[q] == motion(t).q[q]).all()
        assert again.page() == motion.page()
        assert pickle.loads(pickle.dumps(again)).summary == motion.summary
    assert copy.copy(motion) is motion and copy.deepcopy(motion) is motion
    failed = cetaev.Model(TEXT.replace("k*x^2/2", "k*log(x)")).set(x=1).run(t_end=9)
    if failed.status == "failed":
        with pytest.raises(cetaev.Error):
            pickle.loads(pickle.dumps(failed)).raise_for_status()


def moved(model):
    return model.run(t_end=1)


def test_a_model_of_a_file_is_pickled_with_what_it_was_read_as(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(TEXT, encoding="utf-8")
    model = cetaev.Model(path)
    stored = pickle.dumps(model)
    path.unlink()
    assert pickle.loads(stored).parameters == model.parameters


def last(model):
    return float(model.run(t_end=1).q["x"][-1])


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
def test_other_processes(way):
    """Models go to them; after threads have worked here, too."""
    model = cetaev.Model(TEXT)
    model.sweep({"k": np.linspace(1, 2, 100)}, t_end=1, threads=4)
    threads = [threading.Thread(target=last, args=(model,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(way)) as pool:
        found = list(pool.map(last, [model.set(k=k) for k in (1, 4, 9)], timeout=120))
        motions = list(pool.map(moved, [model.set(k=k) for k in (1, 4, 9)], timeout=120))
    assert found == pytest.approx([np.cos(1), np.cos(2), np.cos(3)], abs=1e-13)
    assert [motion.q["x"][-1] for motion in motions] == found and [float(motion(1.0).q["x"]) for motion in motions] == found


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""),
                    reason="the allocator of AddressSanitizer is locked for ever in the child of a process with threads")
def test_a_child_may_compute_while_a_thread_of_the_parent_does():
    """The copy of a process that is in the middle of a motion has locks of its own."""
    code = f"""
import cetaev, os, signal, threading, time
text = {TEXT!r}
model = cetaev.Model(text)
going = threading.Thread(target=lambda: [cetaev.Model("double-pendulum").run(t_end=200, samples=2) for _ in range(3)], daemon=True)
going.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        ok = abs(model.run(t_end=1).q["x"][-1] - -0.4161468365471424) < 1e-12 and cetaev.Model(text).check()["energy"]["conserved"]
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("pandas", "motion.to_dataframe()"),
        ("pandas", "swept.to_dataframe()"),
        ("xarray", "motion.to_xarray()"),
        ("xarray", "swept.to_xarray()"),
        ("matplotlib", "cetaev.plot(motion)"),
        ("scipy", "model.function().low_level()"),
        ("sympy", "model.lagrangian.sympy()"),
        ("sympy", "model.equations('gauss').sympy()"),
    ],
)
def test_packages_that_are_missing_are_named(package, use):
    """And nothing else needs them."""
    code = f"""
import sys
sys.modules[{package!r}] = None
import cetaev
model = cetaev.Model("skate")
motion, swept = model.run(t_end=1), model.sweep({{"m": [1, 2]}}, t_end=1)
try:
    {use}
except ImportError as problem:
    assert problem.name == {package!r} and "python3-{package}" in str(problem), problem
else:
    raise SystemExit("it is not needed")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_of_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("k=4.toml", "a b.toml", "ünï.toml", "-x.toml", "plain"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
        assert cetaev.Model(name).parameters == {"k": 4.0}
        assert cetaev.Model(tmp_path / name).text == TEXT
    # what is no file and has an equation in it is a text
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("coordinates = []")
    assert caught.value.file == "<text>"
    for missing in ("no=4.toml", "no/such=1.toml"):
        with pytest.raises(cetaev.Error, match="there is no file"):
            cetaev.Model(missing)


def test_names_of_files_that_are_no_utf_8(tmp_path, monkeypatch, program):
    """A file has any name that the system has for one; what is said about it can be printed, as the command line prints it."""
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(b"caf\xe9")
    with open(odd + ".toml", "w", encoding="utf-8") as file:
        file.write(TEXT)
    model = cetaev.Model(tmp_path / (odd + ".toml"))
    assert model.name == "caf\\xe9" and pickle.loads(pickle.dumps(model)).text == TEXT
    expected = cetaev.Model(TEXT).run(t_end=1, samples=3).q["x"]
    for kind in (".csv", ".h5"):
        told = model.run(t_end=1, samples=3, out=odd + kind)
        assert (cetaev.read_motion(odd + kind)["x"] == expected).all() and str(told).endswith("in caf\\xe9" + kind)
        assert model.sweep_into("s" + odd + kind, {"k": [1, 4]}, t_end=1)["finished"] == 2
    assert model.report(odd + ".html", t_end=1) == open(odd + ".html", encoding="utf-8").read()
    assert cetaev.report_sweep("s" + odd + ".h5").startswith("<!DOCTYPE html>")
    assert cetaev.verify(odd + ".toml")["passed"]
    assert os.path.isfile(cetaev.report_gallery(odd, "pendulum"))
    assert {os.fsencode(name) for name in os.listdir()} >= {b"caf\xe9", b"caf\xe9.csv", b"caf\xe9.h5", b"caf\xe9.html", b"scaf\xe9.csv", b"scaf\xe9.h5"}
    for shown in (repr(model), str(model.run(t_end=1)), model.run(t_end=1).page()):
        shown.encode()  # without lone surrogates
    for ask in (lambda: cetaev.Model("no" + odd), lambda: model.run(t_end=1, out="no/" + odd + ".csv"), lambda: model.report("no/" + odd), lambda: model.report(odd + ".toml")):
        with pytest.raises(cetaev.Error) as caught:
            ask()
        assert "caf\\xe9" in str(caught.value) and str(caught.value).encode()
    with open(odd + ".toml", "a", encoding="utf-8") as file:
        file.write("wrong")
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model(odd + ".toml")
    assert os.path.samefile(caught.value.file, odd + ".toml")  # with which it can be opened
    said = subprocess.run([program, "check", os.fsencode(odd + ".toml")], capture_output=True, text=True, check=False).stderr
    assert said == caught.value.caret


def test_what_a_motion_became_is_followed():
    """As a data frame, a dataset, states of it, or columns of a file: the forces of its own motion are nothing."""
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    model = cetaev.Model(TEXT)
    motion = model.run(t_end=2, samples=201)
    expected = model.inverse(motion=motion).forces["x"]
    assert np.abs(expected).max() < 1e-4
    for handed_on in (motion.to_dataframe(), motion.to_xarray(), {**motion.q, "t": motion.t, "x'": motion.v["x"]}):
        assert np.array_equal(model.inverse(motion=handed_on).forces["x"], expected)
    assert np.abs(model.inverse(motion=motion(motion.t)).forces["x"] - expected).max() < 1e-9


def test_half_of_a_character_is_in_no_file():
    model = cetaev.Model(TEXT)
    half = "\ud800"
    for ask in (
        lambda: cetaev.Model(TEXT + "#" + half), lambda: cetaev.Model(half), lambda: cetaev.Model(name=half, coordinates=["x"], lagrangian="x'^2/2"),
        lambda: model.run(form=half), lambda: model.run(t_end=1, out=half + ".csv"), lambda: cetaev.expression(half), lambda: model.expression(half),
        lambda: model.set({half: 1}), lambda: model.sweep({half: [1]}), lambda: model.sweep(table={half: [1]}), lambda: cetaev.symbols(half),
    ):  # fmt: skip
        with pytest.raises(cetaev.Error) as caught:
            ask()
        assert str(caught.value).encode()


def test_a_table_with_names_that_are_no_text(tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"t,caf\xe9\n0,1\n1,2\n")
    assert list(cetaev.read_motion(tmp_path / "latin.csv")) == ["t", "caf\\xe9"]


def test_the_source_of_a_model_is_a_key_of_it():
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", source="A book")
    assert 'source = "A book"' in model.text
    with pytest.raises(TypeError, match="comes first"):
        cetaev.Model(source="skate")


def test_a_bar_without_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert cetaev.Model("double-pendulum").run(t_end=300, samples=2, progress=True).status == "finished"
