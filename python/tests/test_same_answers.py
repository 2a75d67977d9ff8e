"""Every method gives the numbers of the command line, to the last bit."""

import csv
import json
import re
import subprocess

import numpy as np
import pytest

import cetaev
from conftest import MODELS

# What the clock, and not the mechanics, decides.
CLOCK = ("wall_seconds", "compile_seconds", "from_cache", "seconds")


def without_clock(document):
    if isinstance(document, dict):
        return {k: without_clock(v) for k, v in document.items() if k not in CLOCK}
    if isinstance(document, list):
        return [without_clock(v) for v in document]
    return document


def same_or_error(told, arguments, ask):
    """The document of the command, or its error with the same code, message and exit code."""
    document, code = told(*arguments)
    if code >= 2:
        # of `derive`, the error is that of the first named form
        error = document.get("error") or next(f["error"] for f in document["forms"] if "error" in f)
        with pytest.raises(cetaev.Error) as caught:
            ask()
        assert caught.value.code == error["code"]
        assert caught.value.message == error["message"]
        assert caught.value.exit_code == code
        return
    assert without_clock(ask()) == without_clock(document)


def test_check(name, told):
    same_or_error(told, ("check", name, "--json"), lambda: cetaev.Model(name).check())


def test_eval(name, told):
    same_or_error(told, ("eval", name, "--json"), lambda: cetaev.Model(name).eval())


@pytest.mark.parametrize("form", ["voronec", "caplygin"])
def test_eval_of_one_form_and_its_refusal(name, form, told):
    same_or_error(told, ("eval", name, "--form", form, "--json"), lambda: cetaev.Model(name).eval(form))


def test_equations(name, told):
    arguments = ("derive", name, "--form", "multipliers", "--form", "hamel", "--format", "json")
    same_or_error(told, arguments, lambda: cetaev.Model(name).equations("multipliers", "hamel").document)


def test_compare(name, told):
    arguments = ("compare", name, "--form", "multipliers", "--form", "appell", "--states", "10", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model(name).compare("multipliers", "appell", states=10))


def test_compare_along_the_motion(told):
    arguments = ("compare", "skate", "--form", "multipliers", "--form", "reduced", "--t-end", "1", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate").compare("multipliers", "reduced", t_end=1))


def test_run(name, told):
    document, _ = told("run", name, "--t-end", "1", "--samples", "11", "--trajectory", "--json")
    motion = cetaev.Model(name).run(t_end=1, samples=11)
    kept = document.pop("trajectory")
    assert without_clock(motion.summary) == without_clock(document)
    assert motion.t.tolist() == kept["t"]
    for coordinate in motion.q:
        assert motion.q[coordinate].tolist() == kept["q"][coordinate]
        assert motion.v[coordinate].tolist() == kept["v"][coordinate]
    assert [m.tolist() for m in motion.multipliers] == kept["multipliers"]
    assert motion.E.tolist() == kept["E"]
    assert motion.residual.tolist() == kept["residual"]


def test_transpose(name, told):
    same_or_error(told, ("transpose", name, "--json"), lambda: cetaev.Model(name).transpose())


def test_linearize(name, told):
    same_or_error(told, ("linearize", name, "--json"), lambda: cetaev.Model(name).linearize())


@pytest.mark.parametrize("model", [*MODELS, "rolling-disc-vertical", "rolling-disc-steady"])
def test_linear_equations(model, program):
    said = subprocess.run([program, "derive", model, "--linear", "--format", "json"], capture_output=True, text=True, check=False)
    try:
        assert cetaev.Model(model).linear() == json.loads(said.stdout)
    except cetaev.Error as error:
        assert error.exit_code == said.returncode and error.message in said.stderr


def test_periodic(name, told):
    same_or_error(told, ("periodic", name, "--period", "2", "--json"), lambda: cetaev.Model(name).periodic(2))


DUFFING = """
coordinates = ["x"]
lagrangian  = "x'^2/2 - x^2/2 - x^4/80"
parameters  = {W = 0.8, F = 0.3, c = 0.05}
forces      = {x = "F*cos(W*t) - c*x'"}
initial     = {x = 0.8}
"""


def test_a_branch_of_periodic_motions(told, program, tmp_path):
    """The response of an oscillator with a stiff spring, which folds; its numbers are those of the command's table."""
    file = tmp_path / "duffing.toml"
    file.write_text(DUFFING, encoding="utf-8")
    vary = "W=0.8:2.5:12"
    model = cetaev.Model(file)
    branch = model.periodic("2*pi/W", vary=("W", 0.8, 2.5, 12))
    same_or_error(told, ("periodic", str(file), "--period", "2*pi/W", "--vary", vary, "--quiet", "--json"), lambda: branch)
    assert branch == model.periodic("2*pi/W", vary=vary)
    out = tmp_path / "branch.csv"
    subprocess.run([program, "periodic", file, "--period", "2*pi/W", "--vary", vary, "--out", out, "--quiet"], check=True, capture_output=True)
    with open(out, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert list(rows[0]) == [*branch.columns, "kind"]
    for name, column in branch.columns.items():
        assert np.array_equal(column, [float(row[name] or "nan") for row in rows], equal_nan=True)
    assert ["1" if s else "0" if u else "" for s, u in zip(branch.stable, branch.unstable)] == [row["stable"] for row in rows]
    assert [kind or "" for kind in branch.kinds] == [row["kind"] for row in rows]
    # time stands in the equations: the period is that of the driver, and Liouville's theorem gives the product of the multipliers
    assert np.allclose(branch.periods, 2 * np.pi / branch.values, rtol=1e-14)
    assert np.allclose(branch.multipliers.prod(axis=1), np.exp(-0.05 * branch.periods), atol=1e-8)
    folds = [c for c in branch.critical if c["kind"] == "fold"]
    assert len(folds) == 2 and all(branch.kinds[c["point"]] == "fold" and branch.values[c["point"]] == c["value"] for c in folds)
    between = slice(folds[0]["point"] + 1, folds[1]["point"])
    assert branch.unstable[between].all() and branch.stable[: folds[0]["point"]].all()


def test_a_branch_that_needs_something_held(told):
    arguments = ("periodic", "pendulum", "--period", "2", "--vary", "l=0.8:1.2:3", "--quiet", "--json")
    pendulum = cetaev.Model("pendulum")
    same_or_error(told, arguments, lambda: pendulum.periodic(2, vary="l=0.8:1.2:3"))
    arguments = ("periodic", "pendulum", "--period", "2", "--vary", "g=9:10:3", "--hold", "E", "--quiet", "--json")
    same_or_error(told, arguments, lambda: pendulum.periodic(2, vary="g=9:10:3", hold=["E"]))
    with pytest.raises(TypeError, match="along vary"):
        pendulum.periodic(2, hold=["E"])
    with pytest.raises(cetaev.Error, match="finite"):
        pendulum.periodic(float("nan"))


def test_a_period_that_is_not_that_of_the_driver(told, tmp_path):
    file = tmp_path / "duffing.toml"
    file.write_text(DUFFING, encoding="utf-8")
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model(file).periodic(5)
    assert caught.value.code == "not-periodic" and caught.value.exit_code == 3
    same_or_error(told, ("periodic", str(file), "--period", "5", "--json"), lambda: cetaev.Model(file).periodic(5))
    same_or_error(told, ("periodic", str(file), "--period", "2*pi/W", "--json"), lambda: cetaev.Model(file).periodic("2*pi/W"))


def test_progress_that_raises_ends_a_branch():
    def stop(fraction, motions):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cetaev.Model(DUFFING).periodic("2*pi/W", vary="W=0.8:2.5:100000", progress=stop)


def test_lyapunov(name, told):
    same_or_error(told, ("lyapunov", name, "--t-end", "1", "--json"), lambda: cetaev.Model(name).lyapunov(1))


def test_verify(name, told):
    same_or_error(told, ("verify", name, "--json"), lambda: cetaev.Model(name).verify())


def test_the_model_beside_itself(name, told):
    arguments = ("compare", name, name, "--states", "5", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model(name).compare_with(cetaev.Model(name), states=5))


def test_equivalent_to_itself(name, told):
    model = cetaev.Model(name)
    same_or_error(told, ("equivalent", name, name, "--json"), lambda: {**model.equivalent(model), "other": name})


def test_inverse_dynamics(name, told):
    """The first coordinate at rest where it is: possible, or forbidden by the constraints, with the diagnosis."""
    model = cetaev.Model(name)
    first = model.coordinates[0]
    equation = f"{first} = {model.eval()['q'][first]!r}"
    arguments = ("inverse", name, "--along", equation, "--t-end", "0.5", "--samples", "5", "--json")
    same_or_error(told, arguments, lambda: model.inverse([equation], t_end=0.5, samples=5))


def test_code(name, program):
    for language in ("c", "python", "matlab"):
        said = subprocess.run([program, "derive", name, "--format", language], capture_output=True, text=True, check=False)
        try:
            assert cetaev.Model(name).code(language) == said.stdout
        except cetaev.Error as error:
            assert error.exit_code == said.returncode and error.message in said.stderr


def test_sweep(name, program, tmp_path):
    """The rows that the command writes, from random initial values."""
    model = cetaev.Model(name)
    what = model.coordinates[0] + "'"
    out = tmp_path / "rows.csv"
    vary = {what: "uniform(0.5, 0.6)"}
    arguments = ["--vary", f"{what}={vary[what]}", "--count", "3", "--t-end", "0.5", "--out", str(out), "--quiet"]
    said = subprocess.run([program, "sweep", name, *arguments], capture_output=True, text=True, check=False)
    try:
        swept = model.sweep(vary, count=3, t_end=0.5)
    except cetaev.Error as error:
        assert error.exit_code == said.returncode
        return
    rows = list(csv.reader(out.open(newline="")))
    written = [[float(cell) if cell else None for cell in row[: len(swept.names)]] for row in rows[1:]]
    assert written == [[None if x != x else x for x in (*i, *o)] for i, o in zip(swept.inputs.tolist(), swept.outputs.tolist())]


def test_sweep_into_a_file(name, program, tmp_path):
    """The same bytes, and the same document but for the clock."""
    model = cetaev.Model(name)
    what = model.coordinates[0] + "'"
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
    arguments = ["--vary", f"{what}=[0.5, 0.6]", "--t-end", "0.2", "--out", str(theirs), "--json", "--quiet"]
    said = subprocess.run([program, "sweep", name, *arguments], capture_output=True, text=True, check=False)
    document = json.loads(said.stdout)
    try:
        found = model.sweep_into(ours, {what: [0.5, 0.6]}, t_end=0.2)
    except cetaev.Error as error:
        assert error.exit_code == said.returncode and error.message == document["error"]["message"]
        return
    assert ours.read_bytes() == theirs.read_bytes()
    by_the_clock = (*CLOCK, "per_second", "out")
    assert {k: v for k, v in found.items() if k not in by_the_clock} == {k: v for k, v in document.items() if k not in by_the_clock}


def test_run_into_a_file_with_variations(name, program, tmp_path):
    model = cetaev.Model(name)
    by = model.coordinates[0] + "'"
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
    arguments = ["--t-end", "0.5", "--samples", "5", "--variations", by, "--out", str(theirs), "--quiet"]
    said = subprocess.run([program, "run", name, *arguments], capture_output=True, text=True, check=False)
    try:
        motion = model.run(t_end=0.5, samples=5, variations=[by], out=ours)
    except cetaev.Error as error:
        assert error.exit_code == said.returncode and error.message in said.stderr
        return
    assert ours.read_bytes() == theirs.read_bytes()
    columns = cetaev.read_motion(ours)
    for x in model.coordinates:
        assert (columns[f"d({x})/d({by})"] == motion.variations[by].q[x]).all()


def test_another_model_beside_it(told):
    arguments = ("compare", "rolling-disc", "rolling-disc-body", "--states", "10", "--t-end", "1", "--json")
    disc, body = cetaev.Model("rolling-disc"), cetaev.Model("rolling-disc-body")
    same_or_error(told, arguments, lambda: disc.compare_with(body, states=10, t_end=1))
    arguments = ("compare", "rolling-disc", "rolling-disc-body", "--map", "nothing = psi", "--json")
    same_or_error(told, arguments, lambda: disc.compare_with(body, "nothing = psi"))


def test_limit_against_itself(name, told):
    """Along the first parameter, or the diagnosis of a model that has none."""
    model = cetaev.Model(name)
    first, value = next(iter(model.parameters.items()), ("nothing", 1.0))
    vary = f"{first}={value + 0.1!r}:{value + 0.001!r}:3"
    arguments = ("limit", name, "--vary", vary, "--against", name, "--t-end", "0.5", "--json")
    same_or_error(told, arguments, lambda: model.limit(cetaev.Model(name), vary, t_end=0.5))


def test_limit(told):
    arguments = ("limit", "appell-hamel-machine", "--vary", "rho=0.1:0.001:3", "--against", "appell-hamel-machine-centred", "--t-end", "1", "--json")
    machine, centred = cetaev.Model("appell-hamel-machine"), cetaev.Model("appell-hamel-machine-centred")
    same_or_error(told, arguments, lambda: machine.limit(centred, ("rho", 0.1, 0.001, 3), t_end=1))
    with pytest.raises(TypeError):
        machine.limit("appell-hamel-machine-centred", ("rho", 0.1, 0.001, 3))


def test_alternatives(told):
    model = cetaev.Model("circle")
    same_or_error(told, ("equivalent", "circle", "--json"), model.equivalent)
    for name in model.alternatives:
        same_or_error(told, ("equivalent", "circle", name, "--json"), lambda name=name: model.equivalent(name))
    with pytest.raises(cetaev.Error, match="no alternative 'nothing'"):
        model.equivalent("nothing")


# Ten of the gallery about steady motions, and ten near periodic ones: numbers, and no diagnosis.
STEADY = {
    "bicycle": {}, "rolling-disc-steady": {}, "rolling-disc-vertical": {}, "skate-level": {}, "skate-vakonomic": {},
    "pendulum": {"x": 0, "y": -1, "x'": 0, "y'": 0}, "double-pendulum": {"theta1": 0, "theta2": 0, "theta1'": 0, "theta2'": 0},
    "rolling-disc": {"theta": 0, "theta'": 0, "psi'": 0}, "segway": {"pitch": 0, "yaw'": 0}, "rolling-disc-body": {"theta": 0, "theta'": 0, "psi'": 0},
}  # fmt: skip
PERIODS = {
    "pendulum": 2, "double-pendulum": 2, "spherical-pendulum": 2, "conical-pendulum": 2, "contact-oscillator": 3, "circle": 2, "circle-angle": 2, "top": 1,
    "gyroscope": 2, "skate-level": 3,
}  # fmt: skip


@pytest.mark.parametrize("model", STEADY)
def test_linearize_where_it_is_steady(model, told, program):
    settings = [word for name, value in STEADY[model].items() for word in ("--set", f"{name}={value}")]
    steady = cetaev.Model(model, set=STEADY[model])
    found = steady.linearize()
    document, code = told("linearize", model, *settings, "--json")
    assert code == 0 and found == document and found.A.tolist() == document["A"]
    said = subprocess.run([program, "derive", model, *settings, "--linear", "--format", "json"], capture_output=True, text=True, check=True)
    assert steady.linear() == json.loads(said.stdout)


@pytest.mark.parametrize("model", PERIODS)
def test_periodic_where_it_comes_back(model, told):
    document, code = told("periodic", model, "--period", str(PERIODS[model]), "--json")
    assert code == 0 and cetaev.Model(model).periodic(PERIODS[model]) == document


def test_a_chart_over_two_names(told):
    settings = ("--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0")
    arguments = ("linearize", "rolling-disc", *settings, "--vary", "phi'=-5:-1:9", "--vary", "r=0.5:2:4", "--json", "--quiet")
    model = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    same_or_error(told, arguments, lambda: model.linearize(vary=["phi'=-5:-1:9", "r=0.5:2:4"]))
    chart = model.linearize(vary=[("phi'", -5, -1, 9), ("r", 0.5, 2, 4)])
    rate, radius = np.meshgrid(chart.x, chart.y, indexing="ij")
    # a thin disc stays upright beyond the rate √(g/3r)
    assert (chart.stable == (rate**2 > 9.81 / (3 * radius))).all()
    assert np.array_equal(chart.growth > 0, ~chart.stable) and (chart.diagnoses == None).all()  # noqa: E711
    # the roots of λ² = k(g/3r − φ'²) are real where it falls, and no others grow
    assert np.abs(chart.frequency[~chart.stable]).max() == 0
    with pytest.raises(cetaev.Error, match="two names, and both"):
        model.linearize(vary=["r=1:2:3", "r=1:2:3"])


def test_objects_of_the_papers(told):
    arguments = ("derive", "skate", "--show", "alpha,B", "--format", "json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate").equations(show=["alpha", "B"]).document)
    with pytest.raises(cetaev.Error) as caught:
        cetaev.Model("skate").equations(show="alpa")
    assert caught.value.suggestion == "alpha"


def test_article_and_texts(name, program):
    """What is written, letter by letter."""
    model = cetaev.Model(name)
    asked = {
        ("derive", name, "--form", "multipliers", "--format", "latex", "--document"): lambda: model.article("multipliers"),
        ("derive", name, "--form", "multipliers", "--form", "hamel", "--format", "latex"): lambda: model.equations("multipliers", "hamel").latex,
        ("transpose", name, "--format", "latex"): lambda: model.transpose().latex,
        ("check", name): lambda: model.check().text,
        ("eval", name): lambda: model.eval().text,
    }
    for arguments, ask in asked.items():
        said = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        try:
            assert ask() == said.stdout, arguments
        except cetaev.Error as error:
            assert error.exit_code == said.returncode and error.message in said.stderr


def test_models_by_name_are_verified(told):
    same_or_error(told, ("verify", "skate", "pendulum", "--json"), lambda: cetaev.verify("skate", "pendulum"))


def test_claims_and_their_pages(told, program, tmp_path):
    file = tmp_path / "claims.toml"
    claim = {"id": "X-1", "where": "(1)", "statement": "The energy is T + V.", "verdict": "holds", "printed": "E = T + V"}
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in claim.items())
    file.write_text(f'[papers]\nX = "A paper"\n[[claim]]\n{lines}\non = ["skate"]\n', encoding="utf-8")
    same_or_error(told, ("verify", "--claims", str(file), "--quiet", "--json"), lambda: cetaev.verify_papers(file))
    found = cetaev.verify_papers(file)
    arguments = [program, "verify", "--claims", file, "--quiet", "--markdown", "--html", tmp_path / "claims.html"]
    said = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert found.markdown == said.stdout
    assert found.html == (tmp_path / "claims.html").read_text(encoding="utf-8")


def test_linearize_along_a_parameter(told):
    arguments = ("linearize", "rolling-disc", "--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0", "--vary", "phi'=-5:-1:9", "--json")
    model = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    same_or_error(told, arguments, lambda: model.linearize(vary="phi'=-5:-1:9"))
    same_or_error(told, arguments, lambda: model.linearize(vary=("phi'", -5, -1, 9)))
    # a thin disc stays upright beyond the rate √(g/3r)
    (critical,) = model.linearize(vary="phi'=-5:-1:9")["vary"]["critical"]
    assert critical["value"] == pytest.approx(-((9.81 / 1.5) ** 0.5), abs=1e-11)


def without_seconds(page):
    """The time that a motion took stands alone in a cell of the table, that of the page in its last sentence."""
    return re.sub(r"in [0-9.]+ s\. The same page", "The same page", re.sub(r"<td>[0-9.e-]+</td>", "", page))


def test_report(name, program, tmp_path, monkeypatch):
    """The page of the command, to the letter, with the line that makes it."""
    monkeypatch.chdir(tmp_path)
    settings = ["--set", f"{cetaev.Model(name).coordinates[0]}=0.1"]
    said = subprocess.run([program, "report", name, *settings, "--t-end", "0.5", "--samples", "11", "-o", "page.html", "--quiet"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    theirs = (tmp_path / "page.html").read_text(encoding="utf-8")
    model = cetaev.Model(name, set={cetaev.Model(name).coordinates[0]: 0.1})
    page = model.report("page.html", t_end=0.5, samples=11)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert without_seconds(page) == without_seconds(theirs)
    assert "0.1" in page.split("cetaev report ")[1].split("\n")[0]


def test_a_report_of_what_is_in_no_file():
    page = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2").report(t_end=1)
    assert "cetaev report model.toml --t-end 1" in page


def test_settings_and_trial_lists(told):
    arguments = ("eval", "skate", "--set", "m=2", "--set", "phi'=0.5", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", set={"m": 2, "phi'": 0.5}).eval())
    same_or_error(told, arguments, lambda: cetaev.Model("skate").set({"phi'": 0.5}, m=2).eval())
    arguments = ("eval", "skate", "--constraint", "x' = y'", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", constraints=["x' = y'"]).eval())
    arguments = ("eval", "skate", "--constraint", "", "--form", "multipliers", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", constraints=[]).eval("multipliers"))


def test_gallery_is_that_of_the_program(told):
    document, _ = told("gallery", "--json")
    shown = str(document)
    assert all(name in shown for name in cetaev.gallery())
    about = cetaev.gallery(about=True)
    assert list(about) == cetaev.gallery()
    assert sorted(({"name": name, **rest} for name, rest in about.items()), key=str) == sorted(document["gallery"], key=str)


def test_pages_of_the_gallery(program, tmp_path):
    index = cetaev.report_gallery(tmp_path / "ours", "skate", "pendulum")
    assert index == str(tmp_path / "ours" / "index.html")
    text = (tmp_path / "ours" / "index.html").read_text(encoding="utf-8")
    assert 'href="skate.html"' in text and 'href="pendulum.html"' in text and 'href="circle.html"' not in text
    subprocess.run([program, "report", "skate", "-o", "skate.html", "--quiet"], cwd=tmp_path, check=True, capture_output=True)
    theirs = (tmp_path / "skate.html").read_text(encoding="utf-8")
    ours = (tmp_path / "ours" / "skate.html").read_text(encoding="utf-8")
    # but for the way back to the index and how the page is made again
    assert abs(len(ours) - len(theirs)) < 1000 and ours.split("</head>")[0] == theirs.split("</head>")[0]
    with pytest.raises(cetaev.Error) as caught:
        cetaev.report_gallery(tmp_path / "none", "skat")
    assert caught.value.suggestion == "skate" and not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(cetaev.Error) as caught:
        cetaev.report_gallery(tmp_path / "file", "skate")
    assert caught.value.code == "cannot-write"
