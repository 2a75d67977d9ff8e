"""Motions as arrays: whose memory they are, how long it lives, and what lies between the samples."""

import copy
import gc
import json
import math
import pickle

import numpy as np
import pytest

import cetaev

OSCILLATOR = """
coordinates = ["x"]
lagrangian  = "x'^2/2 - k*x^2/2"
[parameters]
k = 4
[initial]
x = 1
[events]
zero = {when = "x"}
"""


def test_the_oscillator_is_a_cosine():
    motion = cetaev.Model(OSCILLATOR).run(t_end=10, samples=101)
    assert np.abs(motion.q["x"] - np.cos(2 * motion.t)).max() < 1e-12
    assert np.abs(motion.v["x"] + 2 * np.sin(2 * motion.t)).max() < 1e-12
    assert np.abs(motion.E - 2).max() < 1e-12


def test_between_the_samples_it_is_the_same_cosine():
    motion = cetaev.Model(OSCILLATOR).run(t_end=10, samples=3)
    t = np.random.default_rng(1).uniform(0, 10, (7, 11))
    states = motion(t)
    assert states.q["x"].shape == t.shape
    assert np.abs(states.q["x"] - np.cos(2 * t)).max() < 1e-12
    assert np.abs(states.v["x"] + 2 * np.sin(2 * t)).max() < 1e-12
    one = motion(math.pi)
    assert np.ndim(one.q["x"]) == 0 and abs(one.q["x"] - 1) < 1e-12
    assert motion([]).q["x"].shape == (0,)


def test_there_is_nothing_beyond_its_ends():
    motion = cetaev.Model(OSCILLATOR).run(t_end=1)
    for t in (-0.1, 1.1, math.nan, [0.5, 2]):
        with pytest.raises(cetaev.Error, match="there is nothing at"):
            motion(t)


def test_events_come_where_the_cosine_vanishes():
    times = cetaev.Model(OSCILLATOR).run(t_end=5).events["zero"]
    assert np.abs(times - (np.arange(3) + 0.5) * math.pi / 2).max() < 1e-12


def test_a_motion_can_go_backwards():
    motion = cetaev.Model(OSCILLATOR).run(t_end=-2, samples=5)
    assert motion.t.tolist() == [0, -0.5, -1, -1.5, -2]
    assert abs(motion(-0.25).q["x"] - math.cos(0.5)) < 1e-13


def test_nothing_is_copied():
    motion = cetaev.Model(OSCILLATOR).run(t_end=10, samples=10001)
    for array in (motion.t, motion.q["x"], motion.v["x"], motion.E):
        assert not array.flags.owndata
        assert not array.flags.writeable
    again = motion._native.columns()["q"][0]
    assert np.shares_memory(again, motion.q["x"])


def test_a_million_samples_are_one_piece_of_memory():
    motion = cetaev.Model(OSCILLATOR).run(t_end=10, samples=1_000_001)
    x = motion.q["x"]
    assert x.shape == (1_000_001,) and x.strides == (8,) and not x.flags.owndata
    assert np.abs(x[::1000] - np.cos(2 * motion.t[::1000])).max() < 1e-12


def test_arrays_outlive_their_motion_and_their_model():
    x = cetaev.Model(OSCILLATOR).run(t_end=10, samples=101).q["x"]
    function = cetaev.Model(OSCILLATOR).function()
    states = cetaev.Model(OSCILLATOR).run(t_end=1)(np.linspace(0, 1, 5))
    gc.collect()
    rubbish = [np.full(101, 7.0) for _ in range(1000)]
    assert np.abs(x - np.cos(2 * np.linspace(0, 10, 101))).max() < 1e-12
    assert function(0, [1, 0]).tolist() == [0, -4]
    assert np.abs(states.q["x"] - np.cos(2 * states.t)).max() < 1e-12
    del rubbish


def test_columns_have_the_names_of_the_csv_file():
    motion = cetaev.Model("skate").run(t_end=1, samples=3)
    assert motion.columns == ["t", "x", "y", "phi", "x'", "y'", "phi'", "lambda1", "E", "residual"]
    for column in motion.columns:
        assert motion[column].shape == (3,)
    assert motion["lambda1"] is motion.multipliers[0]
    # KeyErrors, as of dictionaries, and errors of the package
    for wrong, there in ((motion, "t, x, y, phi"), (motion.q, "x, y, phi")):
        with pytest.raises(KeyError, match=f"there is no column 'psi'; there are {there}") as caught:
            wrong["psi"]
        assert isinstance(caught.value, cetaev.Error) and caught.value.code == "unknown-name"


def test_a_singular_set_is_an_answer():
    motion = cetaev.Model("appell-hamel").run(t_end=1.3)
    assert motion.status == "singular"
    assert motion.diagnosis.code == "rank-lost"
    assert motion.raise_for_status() is motion
    between = motion(motion.t)
    assert all(np.abs(between.q[q] - motion.q[q]).max() < 1e-11 for q in motion.q)


def test_variations_are_derivatives_of_the_cosine():
    motion = cetaev.Model(OSCILLATOR).run(t_end=3, samples=31, variations=["k", "x"])
    t = motion.t
    by_k = motion.variations["k"].q["x"]  # d cos(sqrt(k) t)/dk = −t sin(sqrt(k) t)/(2 sqrt(k))
    assert np.abs(by_k + t * np.sin(2 * t) / 4).max() < 1e-12
    assert np.abs(motion.variations["x"].q["x"] - np.cos(2 * t)).max() < 1e-12
    assert np.abs(motion.variations["x"].v["x"] + 2 * np.sin(2 * t)).max() < 1e-12


def test_pandas():
    pandas = pytest.importorskip("pandas")
    motion = cetaev.Model("skate").run(t_end=1, samples=5)
    frame = motion.to_dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == motion.columns[1:]
    assert frame["phi'"].tolist() == motion.v["phi"].tolist()
    assert frame.index.name == "t"


def test_xarray():
    pytest.importorskip("xarray")
    motion = cetaev.Model("skate").run(t_end=1, samples=5)
    data = motion.to_xarray()
    assert data["x"].dims == ("t",)
    assert float(data["x"].sel(t=1.0)) == motion.q["x"][-1]


def test_matplotlib():
    pytest.importorskip("matplotlib").use("Agg")
    motion = cetaev.Model("skate").run(t_end=1)
    axes = cetaev.plot(motion, "y", x="x")
    (line,) = axes.get_lines()
    assert line.get_xdata().tolist() == motion.q["x"].tolist()
    assert line.get_ydata().tolist() == motion.q["y"].tolist()
    assert len(cetaev.plot(motion).get_lines()) == 3
    with pytest.raises(KeyError):
        cetaev.plot(motion, "nothing")
    with pytest.raises(TypeError):
        cetaev.plot("skate")


def test_notebooks_see_a_picture_that_needs_nothing_else():
    motion = cetaev.Model("skate").run(t_end=1)
    page = motion.page()
    assert '<figure id="stage">' in page and "<svg" in page
    assert "http://" not in page.replace("http://www.w3.org", "") and "src=" not in page.split("<script>")[0]
    shown = motion._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and page.count('"') == shown.count("&quot;")


def test_notebooks_see_equations_and_sentences():
    model = cetaev.Model("skate")
    latex = model.equations("voronec")._repr_latex_()
    assert latex.startswith("\\begin{align}") and "\\end{align}" in latex and "%" not in latex
    assert "<li>It is not integrable.</li>" in model.check()._repr_html_()
    linear = cetaev.Model("rolling-disc-vertical").linear()
    assert linear._repr_html_ is None and linear._repr_latex_().startswith("\\begin{gather*}")
    assert "&#x27;" in model._repr_html_()  # the text of the model, escaped


def test_outputs_are_columns():
    model = cetaev.Model(
        """
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
x = 1
[outputs]
twice = "2*x"
place = "[x, x', 0]"
"""
    )
    motion = model.run(t_end=1, samples=11)
    assert list(motion.outputs) == ["twice", "place.x", "place.y", "place.z"]
    assert np.array_equal(motion["twice"], 2 * motion.q["x"]) and np.array_equal(motion["place.y"], motion.v["x"])
    assert motion.columns[-4:] == list(motion.outputs)


def test_a_section_has_the_states_of_an_event():
    motion = cetaev.Model(OSCILLATOR).run(t_end=5, section="zero", variations=["x"])
    assert np.abs(motion.t - (np.arange(3) + 0.5) * math.pi / 2).max() < 1e-12
    assert np.abs(np.abs(motion.v["x"]) - 2).max() < 1e-12 and np.abs(motion.q["x"]).max() < 1e-12
    with pytest.raises(cetaev.Error, match="no event 'one'; there are zero"):
        cetaev.Model(OSCILLATOR).run(t_end=5, section="one")


@pytest.mark.parametrize("ending", ["csv", "h5"])
def test_what_is_written_reads_back(ending, tmp_path):
    path = tmp_path / f"motion.{ending}"
    motion = cetaev.Model("skate").run(t_end=1, samples=7, out=path)
    columns = cetaev.read_motion(path)
    assert list(columns) == motion.columns
    assert all(np.array_equal(columns[name], motion[name], equal_nan=True) for name in columns)


def test_the_model_is_not_overwritten(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(OSCILLATOR, encoding="utf-8")
    with pytest.raises(cetaev.Error, match="is not overwritten"):
        cetaev.Model(path).run(out=path)
    assert path.read_text(encoding="utf-8") == OSCILLATOR


def test_forces_that_make_an_oscillator_follow():
    """m x'' + k x = F along x = t²: F = 2 + 4 t²."""
    model = cetaev.Model(OSCILLATOR)
    for answer in (model.inverse({"x": "t^2"}, t_end=2, samples=9), model.inverse("x = t^2", t_end=2, samples=9)):
        assert np.abs(answer.forces["x"] - 2 - 4 * answer.t**2).max() < 1e-11
        assert np.abs(answer.powers["x"] - answer.forces["x"] * 2 * answer.t).max() < 1e-11
        assert np.abs(answer.q["x"] - answer.t**2).max() < 1e-12
    # along its own motion there is nothing to do, whoever tells it
    motion = model.run(t_end=2, samples=2001)
    for given in (motion, {"t": motion.t, "x": motion.q["x"], "x'": motion.v["x"]}):
        assert np.abs(model.inverse(motion=given).forces["x"][5:-5]).max() < 1e-4
    for wrong in ({}, {"along": ["x = t"], "motion": motion}):
        with pytest.raises(TypeError):
            model.inverse(**wrong)


def test_logarithmic_scales_and_histograms():
    pytest.importorskip("matplotlib").use("Agg")
    motion = cetaev.Model(OSCILLATOR).run(t_end=5, samples=400)
    axes = cetaev.plot(motion, "x'", log=True, equal=False)
    (line,) = axes.get_lines()
    # |x'| = 2 |sin 2t|, and nothing where it is zero: at the start
    assert axes.get_yscale() == "log" and np.isnan(line.get_ydata()[0])
    assert np.abs(line.get_ydata()[1:] - 2 * np.abs(np.sin(2 * motion.t[1:]))).max() < 1e-11
    assert cetaev.plot(motion, "x'", x="x", equal=True).get_aspect() == 1
    axes = cetaev.plot(motion, "x", histogram=True)
    steps = axes.patches[0].get_xy()
    # twenty parts, the root of 400; the corners of the steps have the heights that NumPy counts
    counted, edges = np.histogram(motion.q["x"], 20)
    assert sorted(set(steps[:, 0].round(12))) == sorted(set(edges.round(12)))
    assert set(counted) <= set(steps[:, 1]) and counted.sum() == 400
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "samples")
    for wrong in ({"histogram": True}, {"colour": "x"}, {"level": 1}):
        with pytest.raises(TypeError):
            cetaev.plot(motion, **wrong)


def test_levels_of_a_sweep():
    """The largest x of k x²/2 + x'²/2: on the map of x and x' it is passed along a circle, where the line has to be."""
    pytest.importorskip("matplotlib").use("Agg")
    swept = cetaev.Model(OSCILLATOR).sweep({"x": np.linspace(-2, 2, 21), "x'": np.linspace(-4, 4, 21)}, observe=["max(x)"], t_end=7)
    axes = cetaev.plot(swept, "x'", x="x", colour="max(x)", level=1.5)
    mesh, *lines = axes.collections
    assert mesh.norm.vcenter == 1.5 and mesh.norm(1.5) == 0.5
    points = np.concatenate([path.vertices for line in lines for path in line.get_paths()])
    cell = 0.2  # of x; linear interpolation within one leaves less than its square over the radius
    assert len(points) > 20 and np.abs(np.hypot(points[:, 0], points[:, 1] / 2) - 1.5).max() < cell**2
    (scatter,) = cetaev.plot(swept, "max(x)", x="x", colour="x'", level=0).collections
    assert scatter.norm.vcenter == 0
    axes = cetaev.plot(swept, "max(x)", histogram=True)
    assert axes.get_ylabel() == "motions" and len(cetaev.plot(swept, "x", "x'", histogram=True).patches) == 2
    with pytest.raises(TypeError, match="level"):
        cetaev.plot(swept, level=1)


def test_sweeps_and_charts_are_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    swept = cetaev.Model(OSCILLATOR).sweep({"k": [1, 2, 3], "x": [1, 2]}, observe=["max(x)"], t_end=7)
    (mesh,) = cetaev.plot(swept, "x", x="k", colour="max(x)").collections
    assert np.allclose(np.ma.getdata(mesh.get_array()).reshape(2, 3), [[1, 1, 1], [2, 2, 2]])
    (points,) = cetaev.plot(swept).get_lines()
    assert points.get_xdata().tolist() == swept["k"].tolist() and points.get_ydata().tolist() == swept["max(x)"].tolist()
    upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    axes = cetaev.plot(upright.linearize(vary=[("phi'", -5, -1, 5), ("r", 0.5, 2, 4)]))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("phi'", "r")
    assert cetaev.plot(upright.linearize(vary=("phi'", -5, -1, 5))).get_xlabel() == "phi'"
    with pytest.raises(cetaev.Error):
        cetaev.plot(upright.linearize())


def test_a_branch_of_periodic_motions_as_a_figure():
    pytest.importorskip("matplotlib").use("Agg")
    driven = cetaev.Model(
        coordinates=["x"], lagrangian="x'^2/2 - x^2/2 - x^4/80", parameters={"W": 0.8}, forces={"x": "0.3*cos(W*t) - x'/20"}, initial={"x": 0.8}
    )
    branch = driven.periodic("2*pi/W", vary=("W", 0.8, 2.5, 9))
    axes = cetaev.plot(branch)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("W", "max(x)")
    stable, unstable, critical = axes.get_lines()
    assert (stable.get_linestyle(), unstable.get_linestyle(), critical.get_linestyle()) == ("-", "--", "None")
    assert critical.get_xdata().tolist() == [c["value"] for c in branch.critical]
    drawn = np.isfinite(unstable.get_ydata())
    # both sides meet where it folds
    assert drawn[branch.unstable].all() and drawn[[c["point"] for c in branch.critical]].all()
    assert len({line.get_color() for line in axes.get_lines()}) == 1
    assert cetaev.plot(branch, "T", x="E").get_xlabel() == "E"
    with pytest.raises(KeyError, match="no column 'nothing'"):
        cetaev.plot(branch, "nothing")
    with pytest.raises(TypeError):
        cetaev.plot(branch, colour="E")


def test_a_data_frame_is_followed():
    pytest.importorskip("pandas")
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - 2*x^2", initial={"x": 1})
    motion = model.run(t_end=3, samples=301)
    by_frame, by_motion = model.inverse(motion=motion.to_dataframe()), model.inverse(motion=motion)
    assert (by_frame.forces["x"] == by_motion.forces["x"]).all()
    assert np.abs(by_frame.forces["x"]).max() < 1e-6  # its own motion


def test_columns_are_those_of_a_data_frame():
    """`in` and iteration are about the names, the length is that of the columns; symbols are names, too."""
    pandas = pytest.importorskip("pandas")
    model = cetaev.Model("skate")
    for made in (model.run(t_end=1, samples=5), model.sweep({"m": [1, 2, 3]}, t_end=1)):
        frame = made.to_dataframe()
        assert isinstance(frame, pandas.DataFrame) and len(made) == len(frame)
        assert "phi" in made and cetaev.symbols("phi") in made and "psi" not in made and 3 not in made and None not in made
        for name in made:
            assert name in ("t", *frame) and made[name].shape == (len(made),)
    motion = model.run(t_end=1, samples=5)
    assert list(motion) == motion.columns == ["t", *motion.to_dataframe()]
    states = motion([0.25, 0.5])
    for name in ["t", "x", "y", "phi", "x'", "y'", "phi'"]:
        assert states[name].shape == (2,) and np.abs(states[name] - motion[name][1:3]).max() < 1e-12
    with pytest.raises(cetaev.MissingColumn):
        states["E"]
    assert list(states) == ["t", "x", "y", "phi", "x'", "y'", "phi'"] and cetaev.symbols("x").dot in states and len(states) == 7


@pytest.mark.parametrize("name", ["skate", "rolling-disc", "double-pendulum", "pursuit"])
def test_a_motion_goes_on_from_a_state_of_another(name):
    model = cetaev.Model(name)
    whole = model.run(t_end=2, samples=5)
    onward = model.set(whole(0.75)).run(t_end=2, samples=2)
    assert onward.t[0] == 0.75
    for q in whole.q:
        assert onward.q[q][-1] == pytest.approx(whole.q[q][-1], abs=1e-9)
    with pytest.raises(TypeError, match="a value is a number"):
        model.set(whole([0.5, 0.75]))


def test_what_is_handed_out_changes_nothing():
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 4}, initial={"x": 1}, events={"zero": {"when": "x"}})
    motion = model.run(t_end=3, samples=5)
    motion.summary["q"]["x"] = motion.events["zero"][0] = 7
    motion.events["other"] = motion.variations["x"] = None
    motion.multipliers.append(None)
    assert motion.summary["q"]["x"] == motion.q["x"][-1] and motion.events["zero"][0] == pytest.approx(np.pi / 4)
    assert list(motion.events) == ["zero"] and not motion.variations and not motion.multipliers
    for values in (model.parameters, model.function().parameters):
        for write in (lambda: values.update(k=1), lambda: values.pop("k"), lambda: values.__setitem__("k", 1), values.clear):
            with pytest.raises(TypeError, match="do not change"):
                write()
        assert values == {"k": 4.0} and dict(values, k=5) == {"k": 5.0} and json.loads(json.dumps(values)) == values
    model.coordinates.append("y")
    assert model.coordinates == ["x"] and copy.deepcopy(model.parameters) == {"k": 4.0}


def test_between_the_samples_it_reaches_to_the_end():
    """Where a motion ends on a singular set, too, on which there are no reactions any more."""
    motion = cetaev.Model("appell-hamel").run(t_end=2)
    last = motion(motion.summary["t"])
    assert motion.status == "singular"
    for name in motion.q:
        assert last.q[name] == pytest.approx(motion.summary["q"][name], abs=1e-12) and last.v[name] == pytest.approx(motion.summary["v"][name], abs=1e-12)
    with pytest.raises(cetaev.Error, match="there is nothing at"):
        motion(motion.summary["t"] + 1e-9)


class Own(cetaev.Model):
    def twice(self):
        return 2 * self.parameters["m"]


def test_a_subclass_stays_one():
    for made in (Own("skate"), Own("skate").set(m=1), pickle.loads(pickle.dumps(Own("skate"))), copy.copy(Own("skate"))):
        assert type(made) is Own and made.twice() == 2
