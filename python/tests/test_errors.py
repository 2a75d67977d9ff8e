"""What cetaev.Error says."""

import pickle

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


def test_a_model_of_a_file_stays_what_it_was_read_as(tmp_path, monkeypatch):
    path = tmp_path / "own.toml"
    path.write_text("coordinates = ['x']\nlagrangian = \"x'^2/2 - k*x^2/2\"\nparameters = {k = 1}\ninitial = {x = 1}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    model = cetaev.Model("own.toml")
    before = model.run(t_end=1).q["x"][-1]
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("k = 1", "k = 9"), encoding="utf-8")
    assert model.set({}).run(t_end=1).q["x"][-1] == before
    assert model.set(k=4).parameters["k"] == 4
    changed = path.read_text(encoding="utf-8")
    for write in (lambda: model.report("../own.toml", t_end=0.1), lambda: model.run(t_end=0.1, out="../own.toml")):
        with pytest.raises(cetaev.Error):
            write()
    assert path.read_text(encoding="utf-8") == changed


def test_names_that_no_file_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cetaev.Error):
        cetaev.Model("skate").run(t_end=1, out="a\0.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("view", [5, [["0"] * 3] * 3, b"suslov"])
def test_a_point_of_view_has_a_name(view):
    with pytest.raises(TypeError, match="the name of a point of view"):
        cetaev.Model("skate", transpositional=view)
