"""Sweeps as arrays: closed forms, the rows of the command line, wrong arguments, Ctrl-C by a function that raises."""

import csv
import subprocess

import cetaev
import numpy as np
import pytest


def test_a_sweep_is_that_of_the_command_line(program, tmp_path):
    out = tmp_path / "out.csv"
    arguments = [program, "sweep", "chaplygin-sleigh", "--vary", "phi'=[1, 2, 3]", "--vary", "a=[0.1, 0.2]", "--t-end", "2"]
    subprocess.run([*arguments, "--out", out, "--quiet"], check=True, capture_output=True)
    with open(out, newline="") as file:
        rows = list(csv.reader(file))
    swept = cetaev.Model("chaplygin-sleigh").sweep({"phi'": [1, 2, 3], "a": [0.1, 0.2]}, t_end=2)
    assert len(swept) == len(rows) - 1 == 6
    column = rows[0].index("x", 2)
    assert [float(row[column]) for row in rows[1:]] == list(swept["x"])


def test_an_oscillator_over_its_stiffness():
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1}, initial={"x": 1})
    k = np.linspace(0.5, 9, 40)
    swept = model.sweep({"k": k}, observe=["x", "max(x')"], t_end=5)
    assert np.allclose(swept["k"], k, rtol=0, atol=0)
    assert np.allclose(swept["x"], np.cos(np.sqrt(k) * 5), atol=1e-11)
    # within five units of time each has passed three quarters of a turn, where it is fastest
    fast = k > (1.5 * np.pi / 5) ** 2
    assert np.allclose(swept["max(x')"][fast], np.sqrt(k)[fast], atol=1e-10)
    assert set(swept.status) == {"finished"} and swept.counts["finished"] == 40
    same = model.sweep({"k": k}, observe=["x", "max(x')"], t_end=5, threads=1)
    assert np.array_equal(same.outputs, swept.outputs)


def test_random_values_are_those_of_their_seed():
    model = cetaev.Model("skate")
    one = model.sweep({"phi'": "uniform(1, 2)"}, count=20, seed=7, t_end=1)
    two = model.sweep({"phi'": "uniform(1, 2)"}, count=20, seed=7, t_end=1)
    assert np.array_equal(one.inputs, two.inputs) and np.array_equal(one.outputs, two.outputs)
    assert one.inputs.min() >= 1 and one.inputs.max() <= 2


def test_wrong_arguments():
    model = cetaev.Model("skate")
    for vary in (3, ["m"], {"m": "1:2"}, {"mm": [1]}, {"m": [[1, 2]]}, {"m": []}, {"m": [float("nan")]}):
        with pytest.raises((TypeError, cetaev.Error)):
            model.sweep(vary, t_end=1)
    with pytest.raises(cetaev.Error):
        model.sweep({"m": [1]}, observe=["nothing"], t_end=1)
    with pytest.raises(KeyError):
        model.sweep({"m": [1]}, t_end=1)["z"]


def test_progress_that_raises_ends_it():
    def stop(fraction, t):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cetaev.Model("double-pendulum").sweep({"theta1": np.linspace(1, 2, 4000)}, t_end=50, progress=stop)


def test_linear_equations():
    model = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    linear = model.linear()
    assert linear["K"][1][1] == "-m*r*g" and linear["by_speed"]["speed"] == "phi'"
    assert "pmatrix" in linear.latex
    with pytest.raises(cetaev.Error) as raised:
        cetaev.Model("skate").linear()
    assert raised.value.code == "not-steady"


def test_a_table_has_a_row_for_each_motion(tmp_path):
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1}, initial={"x": 1})
    k, x = np.array([1.0, 4.0, 9.0]), np.array([1.0, 2.0, 0.1])
    swept = model.sweep(table={"k": k, "x": x}, observe=["x"], t_end=2)
    assert np.abs(swept.outputs[:, 0] - x * np.cos(np.sqrt(k) * 2)).max() < 1e-12
    (tmp_path / "table.csv").write_text("k,x\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(k.tolist(), x.tolist())), encoding="utf-8")
    assert np.array_equal(model.sweep(table=tmp_path / "table.csv", observe=["x"], t_end=2).outputs, swept.outputs)
    for wrong in ({"k": [1, 2], "x": [1]}, {}, {"k": [[1]]}, 3):
        with pytest.raises((TypeError, cetaev.Error)):
            model.sweep(table=wrong, t_end=1)


def test_a_data_frame_is_a_table():
    pandas = pytest.importorskip("pandas")
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1})
    frame = pandas.DataFrame({"k": [1.0, 4.0], "x": [2.0, 3.0]}, index=[7, 8])
    assert (model.sweep(table=frame, t_end=1).outputs == model.sweep(table={"k": [1, 4], "x": [2, 3]}, t_end=1).outputs).all()


@pytest.mark.parametrize("count", [2**53 + 1, 2**62, 2**63 - 1])
def test_more_motions_than_can_be_counted(count):
    with pytest.raises(cetaev.Error, match="more motions than whole numbers in a double"):
        cetaev.Model("pendulum").sweep({"g": "uniform(9, 10)"}, count=count)


def test_files_parts_and_what_is_missing(tmp_path):
    model = cetaev.Model("skate")
    what = {"phi'": np.linspace(1, 2, 7)}
    rows = model.sweep(what, t_end=1)
    whole = tmp_path / "all.csv"
    parts = [model.sweep_into(tmp_path / "part.csv", what, t_end=1, shard=f"{k}/2")["out"] for k in (1, 2)]
    assert cetaev.merge_sweeps(parts, whole)["finished"] == 7
    again = model.sweep_into(whole, what, t_end=1, resume=True)
    assert again["finished"] == 7 and again["count"] == 7
    with open(whole, newline="") as file:
        table = list(csv.reader(file))
    column = table[0].index("x")
    assert [float(row[column]) for row in table[1:]] == rows["x"].tolist()
    with pytest.raises(cetaev.Error, match="no parts"):
        cetaev.merge_sweeps([], whole)


def test_a_device_that_is_not_there():
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("skate").sweep({"m": [1]}, device="abacus")
    assert caught.value.code == "bad-model"


def test_precision():
    model = cetaev.Model("skate")
    for precision in ("half", "", "Single"):
        with pytest.raises(cetaev.Error, match="double or single"):
            model.sweep({"m": [1]}, t_end=1, precision=precision)
    # floats are for equal steps on a device
    with pytest.raises(cetaev.Error, match="single") as caught:
        model.sweep({"m": [1]}, t_end=1, precision="single")
    assert caught.value.code == "bad-model"
    assert len(model.sweep({"m": [1]}, t_end=1, precision="double")) == 1


def test_the_page_of_a_sweep(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        cetaev.Model("skate").sweep_into("skate.h5", {"phi'": np.linspace(1, 2, 7)}, observe=["max(x)"], t_end=1)
    except cetaev.Error as error:
        if "HDF5" not in str(error):
            raise
        pytest.skip(str(error))  # without its library
    subprocess.run([program, "report", "skate.h5", "-o", "theirs.html", "--quiet"], check=True, capture_output=True)
    theirs = (tmp_path / "theirs.html").read_text(encoding="utf-8")
    assert cetaev.report_sweep("skate.h5", "ours.html") == theirs.replace("theirs.html", "ours.html")
    assert (tmp_path / "ours.html").read_text(encoding="utf-8") == cetaev.report_sweep(tmp_path / "skate.h5", "ours.html").replace(str(tmp_path / "skate.h5"), "skate.h5")
    before = (tmp_path / "skate.h5").read_bytes()
    for wrong, why in (("skate.csv", "is a table"), ("nothing.h5", "nothing.h5"), ("ours.html", "ours.html")):
        with pytest.raises(cetaev.Error, match=why):
            cetaev.report_sweep(wrong, "page.html")
    with pytest.raises(cetaev.Error, match="not overwritten"):
        cetaev.report_sweep("skate.h5", tmp_path / "skate.h5")
    assert (tmp_path / "skate.h5").read_bytes() == before and not (tmp_path / "page.html").exists()


def test_xarray_has_the_grid():
    pytest.importorskip("xarray")
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1}, initial={"x": 1})
    k, x = [1.0, 4.0, 9.0], [0.5, 2.0]
    data = model.sweep({"k": k, "x": x}, observe=["x"], t_end=2).to_xarray()
    assert data["x"].dims == ("k", "x (start)") and data["x"].shape == (3, 2)
    for one in k:
        for start in x:
            assert abs(float(data["x"].sel({"k": one, "x (start)": start})) - start * np.cos(np.sqrt(one) * 2)) < 1e-12
    # no grid: a row each
    rows = model.sweep(table={"k": [1, 2, 3], "x": [1, 2, 1]}, observe=["x"], t_end=2).to_xarray()
    assert rows["x"].dims == ("motion",) and rows["k"].values.tolist() == [1, 2, 3]
