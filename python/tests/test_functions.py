"""Compiled right-hand sides, against closed forms, differences and the library's own motions."""

import ctypes

import numpy as np
import pytest

import cetaev
from conftest import MODELS


@pytest.mark.parametrize("form", ["multipliers", "hamel", "voronec", "vakonomic"])
def test_the_rates_are_the_accelerations_of_eval(form):
    """At the initial state: velocities and accelerations as the interpreter of another principle has them."""
    for model in (cetaev.Model("skate"), cetaev.Model("rolling-disc"), cetaev.Model("chaplygin-sleigh")):
        f = model.function(form)
        here = model.eval(form)
        rates = dict(zip(f.names, f(f.t0, f.y0)))
        for i, x in enumerate(model.coordinates):
            assert rates[x] == pytest.approx(here["v"][x], abs=1e-12)
            assert f.velocities(f.t0, f.y0)[i] == pytest.approx(here["v"][x], abs=1e-12)
            if x + "'" in rates:
                assert rates[x + "'"] == pytest.approx(here["forms"][form]["a"][x], abs=1e-9)
        if here.get("energy"):
            assert f.energy(f.t0, f.y0) == pytest.approx(here["energy"]["E"], abs=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_the_jacobian_is_the_limit_of_differences(name):
    try:
        f = cetaev.Model(name).function()
    except cetaev.Error as error:
        assert error.exit_code == 3  # a form that has no equations of first order says so
        return
    y = f.y0 + 0.1 * np.random.default_rng(1).uniform(size=len(f.names))
    exact = f.jacobian(f.t0, y)
    h = 1e-6
    for j in range(len(y)):
        step = h * np.eye(len(y))[j]
        difference = (f(f.t0, y + step) - f(f.t0, y - step)) / (2 * h)
        assert np.abs(exact[:, j] - difference).max() < 1e-6 * (1 + np.abs(exact).max())


def test_scipy_finds_the_motion_of_the_library():
    integrate = pytest.importorskip("scipy.integrate")
    model = cetaev.Model("rolling-disc")
    f = model.function("hamel")
    motion = model.run(t_end=2)
    for method, options in [("DOP853", {}), ("Radau", {"jac": f.jacobian})]:
        tolerance = 1e-11 if method == "DOP853" else 1e-8
        found = integrate.solve_ivp(f, (f.t0, 2), f.y0, method=method, rtol=tolerance, atol=tolerance, **options)
        assert found.success
        for i, name in enumerate(model.coordinates):
            assert found.y[f.names.index(name), -1] == pytest.approx(motion.q[name][-1], abs=1e3 * tolerance)
            assert f.velocities(2.0, found.y[:, -1])[i] == pytest.approx(motion.v[name][-1], abs=1e4 * tolerance)


def test_states_side_by_side_and_other_parameters():
    f = cetaev.Model(
        coordinates=["x"], lagrangian="m*x'^2/2 - k*x^2/2 + x*sin(t)", parameters={"m": 2, "k": 8}
    ).function("multipliers")
    assert f.parameters == {"m": 2.0, "k": 8.0}
    many = np.array([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])
    expected = np.array([many[1], -4 * many[0] + np.sin(0.5) / 2])
    assert np.abs(f(0.5, many) - expected).max() < 1e-15
    assert f(0.0, [1, 0], [1, 9]).tolist() == [0, -9]
    assert f.jacobian(0.0, [1, 0], np.array([1, 9])).tolist() == [[0, 1], [-9, 0]]


def test_low_level_callables_are_called_without_python():
    scipy = pytest.importorskip("scipy")
    from scipy import integrate

    f = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2 + x*cos(t)").function("multipliers")
    whole = f.low_level()
    assert isinstance(whole, scipy.LowLevelCallable)
    assert whole.signature == "int (double, double *, double *, void *)"
    # as machine code would call it
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    context = ctypes.pythonapi.PyCapsule_GetContext
    context.restype, context.argtypes = ctypes.c_void_p, [ctypes.py_object]
    capsule = f._native.capsule(None)
    numbers = ctypes.POINTER(ctypes.c_double)
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, numbers, numbers, ctypes.c_void_p)(
        get(capsule, whole.signature.encode())
    )
    y, rates = (ctypes.c_double * 2)(3, 5), (ctypes.c_double * 2)()
    assert call(0.0, y, rates, context(capsule)) == 0 and list(rates) == [5, 1]
    # ∫ x'' dt from 0 to 2 along x = x' = 0 is sin 2
    value, _ = integrate.quad(f.low_level(1), 0, 2, args=(0.0, 0.0))
    assert value == pytest.approx(np.sin(2), abs=1e-13)


def test_a_singular_state_is_diagnosed():
    f = cetaev.Model(coordinates=["x"], lagrangian="x*x'^2/2").function("multipliers")
    assert f(0.0, [1.0, 1.0]).tolist() == [1, -0.5]
    with pytest.raises(cetaev.Error) as caught:
        f(0.0, [0.0, 1.0])
    assert caught.value.code == "singular-mass-matrix"


def test_parameters_by_symbols_and_of_a_wrong_shape():
    f = cetaev.Model(coordinates=["x"], lagrangian="m*x'^2/2 - k*x^2/2", parameters={"m": 1, "k": 4}).function("multipliers")
    expected = f(0.0, [1, 0], [1, 9])
    assert (f(0.0, [1, 0], {cetaev.symbols("k"): 9}) == expected).all() and expected[1] == -9
    for wrong in ([[1, 9]], np.ones((2, 1)), 4.0, {"q": 1}, {3: 1}, {"k": None}, {"k": [1]}):
        with pytest.raises(TypeError):
            f(0.0, [1, 0], wrong)
