"""Every method gives the numbers of the command line, to the last bit."""

import pytest

import cetaev

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


def test_another_model_beside_it(told):
    arguments = ("compare", "rolling-disc", "rolling-disc-body", "--states", "10", "--t-end", "1", "--json")
    disc, body = cetaev.Model("rolling-disc"), cetaev.Model("rolling-disc-body")
    same_or_error(told, arguments, lambda: disc.compare_with(body, states=10, t_end=1))
    arguments = ("compare", "rolling-disc", "rolling-disc-body", "--map", "nothing = psi", "--json")
    same_or_error(told, arguments, lambda: disc.compare_with(body, "nothing = psi"))


def test_limit(told):
    arguments = ("limit", "appell-hamel-machine", "--vary", "rho=0.1:0.001:3", "--against", "appell-hamel-machine-centred", "--t-end", "1", "--json")
    machine, centred = cetaev.Model("appell-hamel-machine"), cetaev.Model("appell-hamel-machine-centred")
    same_or_error(told, arguments, lambda: machine.limit(centred, ("rho", 0.1, 0.001, 3), t_end=1))
    with pytest.raises(TypeError):
        machine.limit("appell-hamel-machine-centred", ("rho", 0.1, 0.001, 3))


def test_equivalent(told):
    same_or_error(
        told,
        ("equivalent", "circle", "pendulum", "--json"),
        lambda: {**cetaev.Model("circle").equivalent(cetaev.Model("pendulum")), "other": "pendulum"},
    )


def test_verify(told):
    same_or_error(told, ("verify", "skate", "--json"), lambda: cetaev.Model("skate").verify())


def test_linearize(told):
    for arguments, model in [
        (("rolling-disc-vertical",), cetaev.Model("rolling-disc-vertical")),
        (("rolling-disc-steady",), cetaev.Model("rolling-disc-steady")),
        (("skate",), cetaev.Model("skate")),
    ]:
        same_or_error(told, ("linearize", *arguments, "--json"), model.linearize)


def test_linearize_along_a_parameter(told):
    arguments = ("linearize", "rolling-disc", "--set", "theta=0", "--set", "theta'=0", "--set", "psi'=0", "--vary", "phi'=-5:-1:9", "--json")
    model = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    same_or_error(told, arguments, lambda: model.linearize(vary="phi'=-5:-1:9"))
    same_or_error(told, arguments, lambda: model.linearize(vary=("phi'", -5, -1, 9)))
    # a thin disc stays upright beyond the rate √(g/3r)
    (critical,) = model.linearize(vary="phi'=-5:-1:9")["vary"]["critical"]
    assert critical["value"] == pytest.approx(-((9.81 / 1.5) ** 0.5), abs=1e-11)


def test_periodic_and_lyapunov(told):
    arguments = ("periodic", "pendulum", "--period", "2", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("pendulum").periodic(2))
    arguments = ("lyapunov", "double-pendulum", "--t-end", "5", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("double-pendulum").lyapunov(5))


def test_transpose(told):
    same_or_error(told, ("transpose", "skate", "--json"), lambda: cetaev.Model("skate").transpose())


def test_report_is_the_page_of_the_program(program, tmp_path):
    model = cetaev.Model("pendulum")
    page = model.report(tmp_path / "pendulum.html", t_end=1, samples=11)
    assert (tmp_path / "pendulum.html").read_text(encoding="utf-8") == page
    assert page.startswith("<!DOCTYPE html>") and model.name in page and 'id="equations"' in page


def test_settings_and_trial_lists(told):
    arguments = ("eval", "skate", "--set", "m=2", "--set", "phi'=0.5", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", set={"m": 2, "phi'": 0.5}).eval())
    same_or_error(told, arguments, lambda: cetaev.Model("skate").set({"phi'": 0.5}, m=2).eval())
    arguments = ("eval", "skate", "--constraint", "x' = y'", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", constraints=["x' = y'"]).eval())
    arguments = ("eval", "skate", "--constraint", "", "--form", "multipliers", "--json")
    same_or_error(told, arguments, lambda: cetaev.Model("skate", constraints=[]).eval("multipliers"))


def test_code(program):
    import subprocess

    for language in ("c", "python"):
        arguments = [program, "derive", "skate", "--form", "hamel", "--format", language]
        said = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        assert cetaev.Model("skate").code(language, "hamel") == said


def test_gallery_is_that_of_the_program(told):
    document, _ = told("gallery", "--json")
    shown = str(document)
    assert all(name in shown for name in cetaev.gallery())
