"""Expressions and models written in Python, and SymPy's."""

import math
from fractions import Fraction

import numpy as np
import pytest

import cetaev

x, y, phi, m, J, g, slope = cetaev.symbols("x y phi m J g slope")


def skate():
    return cetaev.Model(
        name="Skate",
        coordinates=[x, y, phi],
        lagrangian=m / 2 * (x.dot**2 + y.dot**2) + J / 2 * phi.dot**2 + m * g * x * cetaev.sin(slope),
        constraints=[cetaev.Eq(x.dot * cetaev.sin(phi), y.dot * cetaev.cos(phi))],
        parameters={m: 1, J: 1, g: 9.81, slope: cetaev.pi / 6},
        initial={phi.dot: 1.3},
    )


def test_the_skate_written_in_python_is_that_of_the_gallery():
    ours, theirs = skate().run(t_end=3, samples=11), cetaev.Model("skate").run(t_end=3, samples=11)
    for name in ours.q:
        assert np.abs(ours.q[name] - theirs.q[name]).max() < 1e-12


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (x - (y - phi), "x - (y - phi)"),
        (-(x + y), "-(x + y)"),
        (-x * y, "-x*y"),
        (x - -y, "x + y"),
        (2 * -x, "-2*x"),
        (x * -3, "-x*3"),
        (3 * (-2 * x), "3*(-2)*x"),
        ((-x) ** 2, "(-x)^2"),
        (-(x**2), "-x^2"),
        ((x**y) ** 2, "(x^y)^2"),
        (x ** (y**2), "x^(y^2)"),
        (x / y / phi, "x/(y*phi)"),
        (x / (y / phi), "x/(y/phi)"),
        (1 / x, "1/x"),
        (x**-2, "1/x^2"),
        (0.1 * x, "1/10*x"),
        (x * Fraction(2, 3), "x*(2/3)"),
        (np.float64(0.5) * x, "1/2*x"),
        (x ** Fraction(1, 2), "x^(1/2)"),
        (2**x, "2^x"),
        (abs(x), "abs(x)"),
        ((x * y).dot, "(x*y)'"),
        (x.ddot, "x''"),
        (cetaev.symbols("P").dot.x, "P'.x"),
        (cetaev.cross(cetaev.vector(1, x, 0), cetaev.symbols("d")), "cross([1, x, 0], d)"),
    ],
)
def test_how_expressions_are_written(made, text):
    assert str(made) == text


def test_points_forces_events_and_definitions():
    P, d = cetaev.symbols("P d")
    model = cetaev.Model(
        coordinates=["x", "y"],
        points=[{"name": "P", "mass": "m", "position": [x, y, 0]}],
        definitions={"d": P - cetaev.vector(1, 0, 0)},
        constraints=[cetaev.Eq(cetaev.norm(d), 2)],
        forces={y: -m * g},
        parameters={m: 3, g: np.float64(9.81)},
        initial={x: 3, y.dot: 1},
        events={"top": {"when": y.dot, "direction": -1, "action": "stop"}},
    )
    motion = model.run(t_end=5)
    # a pendulum of length 2 about (1, 0), from its horizontal upwards with speed 1: it turns at the height v²/(2g)
    assert motion.status == "event"
    assert motion.summary["q"]["y"] == pytest.approx(1 / (2 * 9.81), abs=1e-12)
    assert motion(motion.summary["t"]).v["y"] == pytest.approx(0, abs=1e-12)
    assert np.abs(np.hypot(motion.q["x"] - 1, motion.q["y"]) - 2).max() < 1e-12


def test_one_constraint_alone_and_a_comparison_that_is_none():
    rest = dict(coordinates=[x, y], lagrangian=x.dot**2 + y.dot**2)
    for one in (cetaev.Eq(x.dot, y), "x' = y", [cetaev.Eq(x.dot, y)], (cetaev.Eq(x.dot, y),)):
        assert cetaev.Model(**rest, constraints=one).constraints == ["x' = y"]
    with pytest.raises(TypeError, match=r"cetaev\.Eq"):
        cetaev.Model(**rest, constraints=[x.dot == y])
    assert str(sum([x, y])) == "x + y" and str(0 - x) == "0 - x"


def test_names_of_symbols():
    for wrong in ("a-b", "1x", "a.b", "x" + 3 * "'", "x+y", "[1]", "é!", ""):
        with pytest.raises(cetaev.Error, match="name"):
            cetaev.symbols(wrong)
    assert [str(s) for s in cetaev.symbols("θ, x_1 x' lambda[2]")] == ["θ", "x_1", "x'", "lambda[2]"]
    assert cetaev.symbols("pi") == cetaev.pi


def test_an_expression_is_no_truth_value():
    with pytest.raises(TypeError, match="cetaev.Eq"):
        bool(x)
    assert x == cetaev.symbols("x") and x != y and len({x, cetaev.symbols("x"), y}) == 2
    assert (x == 0) is False


def test_equations_in_sympy_have_the_accelerations_of_eval():
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    for name, form in [("skate", "voronec"), ("skate", "hamel"), ("chaplygin-sleigh", "multipliers")]:
        model = cetaev.Model(name)
        here = model.eval(form)
        equations = model.equations(form, numeric=True).sympy()
        residuals = [sympy.simplify(e.lhs - e.rhs) for e in equations]
        values = []
        for q in model.coordinates:
            f = sympy.Function(q)(t)
            values += [(f.diff(t, 2), here["forms"][form]["a"][q]), (f.diff(t), here["v"][q]), (f, here["q"][q])]
        for i, multiplier in enumerate(here["forms"][form].get("multipliers", [])):
            values.append((sympy.Symbol(f"lambda{i + 1}"), multiplier))
        if form == "hamel":  # in u = forward speed and w = φ': check ẋ = u cos φ and its like
            u, w = sympy.Function("u")(t), sympy.Function("w")(t)
            speed = here["v"]["x"] * np.cos(here["q"]["phi"]) + here["v"]["y"] * np.sin(here["q"]["phi"])
            rate = here["forms"]["hamel"]["a"]["x"] * np.cos(here["q"]["phi"])
            values = [(u.diff(t), rate), (w.diff(t), here["forms"]["hamel"]["a"]["phi"]), (u, speed), (w, here["v"]["phi"])] + values
        for residual in residuals:
            assert abs(float(residual.subs(values))) < 1e-9


def test_lagrange_of_sympy_and_ours_are_one_equation():
    sympy = pytest.importorskip("sympy")
    mechanics = pytest.importorskip("sympy.physics.mechanics")
    theta = mechanics.dynamicsymbols("theta")
    m_, l_, g_ = sympy.symbols("m l g")
    t = mechanics.dynamicsymbols._t
    L = m_ * l_**2 * theta.diff(t) ** 2 / 2 + m_ * g_ * l_ * sympy.cos(theta)
    theirs = mechanics.LagrangesMethod(L, [theta]).form_lagranges_equations()[0]
    model = cetaev.Model(coordinates=[theta], lagrangian=L, parameters={m_: 1, l_: 2, g_: 9.81}, initial={theta.diff(t): 1})
    ours = model.equations("multipliers").sympy()[0]
    second = theta.diff(t, 2)
    by_ours = sympy.solve(ours, second)[0]
    by_theirs = sympy.solve(theirs, second)[0]
    assert sympy.simplify(by_ours - by_theirs) == 0


def test_models_from_sympy_with_constraints():
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    X, Y, P = (sympy.Function(n)(t) for n in ("x", "y", "phi"))
    k = sympy.Symbol("k")
    model = cetaev.Model(
        coordinates=[X, Y, P],
        lagrangian=(X.diff(t) ** 2 + Y.diff(t) ** 2 + P.diff(t) ** 2) / 2 + k * X,
        constraints=[sympy.Eq(X.diff(t) * sympy.sin(P), Y.diff(t) * sympy.cos(P))],
        parameters={k: sympy.Rational(981, 200)},
        initial={P.diff(t): 1.3},
    )
    motion = model.run(t_end=1, samples=2)
    assert motion.q["x"][-1] == pytest.approx(cetaev.Model("skate").run(t_end=1, samples=2).q["x"][-1], abs=1e-12)


def test_sympy_and_back():
    sympy = pytest.importorskip("sympy")
    e = cetaev.sqrt(x**2 + 1) * x.dot / (2 * m) - cetaev.atan2(y.ddot, 3) ** 3 + abs(phi) + cetaev.exp(-cetaev.t)
    there = e.sympy()
    again = cetaev.Expression(there).sympy()
    assert sympy.simplify(there - again) == 0
    assert cetaev.Eq(x.dot, 1).sympy() == sympy.Eq(sympy.Function("x")(sympy.Symbol("t")).diff(sympy.Symbol("t")), 1)
    for other in (sympy.Symbol("x") > 1, sympy.gamma(sympy.Symbol("x")), sympy.Function("f")(sympy.Symbol("s")), sympy.I):
        with pytest.raises(TypeError):
            cetaev.Expression(other)


def mean_of_gauss(a, b):
    while abs(a - b) > 4e-16 * a:
        a, b = (a + b) / 2, (a * b) ** 0.5
    return a


def value(e):
    """Of an expression of numbers: the acceleration that it gives to a unit mass."""
    return cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", forces={"x": e}).eval("multipliers")["forms"]["multipliers"]["a"]["x"]


def test_elliptic_functions():
    """At a quarter of the period, which is that of Gauss; and what holds between them everywhere."""
    m, u = 0.64, 0.7
    quarter = math.pi / 2 / mean_of_gauss(1, math.sqrt(1 - m))
    assert value(cetaev.ellipticK(m)) == pytest.approx(quarter, rel=1e-14)
    assert value(cetaev.ellipticF(cetaev.pi / 2, m)) == pytest.approx(quarter, rel=1e-14)
    assert value(cetaev.am(quarter, m)) == pytest.approx(math.pi / 2, rel=1e-14)
    assert value(cetaev.sn(quarter, m)) == pytest.approx(1, rel=1e-14)
    assert value(cetaev.cn(quarter, m)) == pytest.approx(0, abs=1e-14)
    assert value(cetaev.dn(quarter, m)) == pytest.approx(0.6, rel=1e-14)
    assert value(cetaev.ellipticEpsilon(quarter, m)) == pytest.approx(value(cetaev.ellipticE(cetaev.pi / 2, m)), rel=1e-14)
    sn, cn, dn, am = (value(f(u, m)) for f in (cetaev.sn, cetaev.cn, cetaev.dn, cetaev.am))
    assert (sn, cn) == pytest.approx((math.sin(am), math.cos(am)), rel=1e-14)
    assert dn == pytest.approx(math.sqrt(1 - m * sn**2), rel=1e-14)
    assert value(cetaev.ellipticF(am, m)) == pytest.approx(u, rel=1e-14)
    # by the trapezoidal rule, which converges fast for what is periodic
    theta = [math.pi * (k + 0.5) / 80 for k in range(40)]
    whole = math.pi / 80 * sum(math.sqrt(1 - m * math.sin(a) ** 2) for a in theta)
    assert value(cetaev.ellipticE(cetaev.pi / 2, m)) == pytest.approx(whole, rel=1e-13)
    for wrong in ((), (1,), (1, 2, 3)):
        with pytest.raises(TypeError, match="two arguments"):
            cetaev.sn(*wrong)


def test_elliptic_functions_in_sympy_and_back():
    sympy = pytest.importorskip("sympy")
    u, k = cetaev.symbols("u k")
    U, K = sympy.symbols("u k")
    assert cetaev.ellipticF(u, k).sympy() == sympy.elliptic_f(U, K)
    assert cetaev.ellipticE(u, k).sympy() == sympy.elliptic_e(U, K)
    assert cetaev.ellipticK(k).sympy() == sympy.elliptic_k(K)
    assert cetaev.sn(u, k).sympy() == sympy.sin(sympy.Function("am")(U, K))
    for f in (cetaev.ellipticF, cetaev.ellipticE, cetaev.ellipticEpsilon, cetaev.am, cetaev.sn, cetaev.cn, cetaev.dn):
        there = f(u, k).sympy()
        back = cetaev.Expression(there)
        assert back.sympy() == there
        assert value(cetaev.Expression(there.subs({U: sympy.Rational(7, 10), K: sympy.Rational(1, 3)}))) == value(f(Fraction(7, 10), Fraction(1, 3)))
    # SymPy's parameter is ours, and it has a name for the complete integral of the second kind
    assert value(cetaev.ellipticF(0.7, 0.3)) == pytest.approx(float(sympy.elliptic_f(0.7, 0.3)), rel=1e-14)
    assert value(cetaev.Expression(sympy.elliptic_e(sympy.Rational(1, 3)))) == pytest.approx(float(sympy.elliptic_e(1 / 3)), rel=1e-14)


def test_linear_equations_in_sympy_have_the_numbers_of_the_command_line():
    """The matrices with symbols, at the values of the model, are those with numbers."""
    sympy = pytest.importorskip("sympy")
    model = cetaev.Model("rolling-disc-steady")
    matrices, numbers = model.linear().sympy(), model.linear(numeric=True)
    values = {sympy.Symbol(name): value for name, value in model.parameters.items()}
    for name, matrix in matrices.items():
        found = np.array(matrix.subs(values).evalf(), dtype=float)
        # Python reads them, too; the speed stays a symbol
        told = [[eval(entry.replace("^", "**"), {**vars(math), **model.parameters}) for entry in row] for row in numbers[name]]
        assert np.abs(found - np.array(told)).max() < 1e-12, name


def test_texts_become_expressions():
    sympy = pytest.importorskip("sympy")
    x = sympy.Function("x")(sympy.Symbol("t"))
    rate = x.diff()
    assert cetaev.expression("-2*x'^2/3 + 1.5e-3*abs(x)*pi - sin(x)").sympy() == -sympy.Rational(2, 3) * rate**2 + sympy.Rational(3, 2000) * sympy.Abs(x) * sympy.pi - sympy.sin(x)


def test_names_and_numbers_in_whatever_python_keeps_them():
    """One alone, a tuple, an array, a matrix of SymPy; numbers of NumPy without a dimension, fractions, SymPy's."""
    x, y = cetaev.symbols("x y")
    expected = cetaev.Model(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", constraints=["x' - y"]).text
    for names in ((x, y), np.array(["x", "y"]), np.array([x, y], dtype=object)):
        for held in (x.dot - y, [x.dot - y], np.array([x.dot - y], dtype=object)):
            assert cetaev.Model(coordinates=names, lagrangian="x'^2/2 + y'^2/2", constraints=held).text == expected
    assert cetaev.Model(coordinates=x, lagrangian=x.dot**2 / 2).coordinates == ["x"]
    model = cetaev.Model(coordinates=x, lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 4})
    assert model.set(k=np.array(2.5)).parameters == model.set(k=Fraction(5, 2)).parameters == {"k": 2.5}
    assert list(model.linearize(vary=("k", Fraction(1, 2), np.array(3.5), 4)).values) == [0.5, 1.5, 2.5, 3.5]
    assert model.sweep({"k": [1]}, observe=x, t_end=1).names == ["k", "x"]
    assert list(model.run(t_end=1, variations=cetaev.symbols("k")).variations) == ["k"]
    for wrong in (float("nan"), float("inf"), np.float32("-inf"), np.array(np.nan)):
        with pytest.raises(cetaev.Error, match="a value is a finite number, not"):
            model.set(k=wrong)
    for wrong in ({x, y}, {"x": 1}, (name for name in "xy"), np.array([["x"]])):
        with pytest.raises(TypeError, match="coordinates is a list"):
            cetaev.Model(coordinates=wrong, lagrangian="x'^2/2")


def test_a_matrix_of_sympy_is_a_list_of_names_or_of_constraints():
    sympy = pytest.importorskip("sympy")
    mechanics = pytest.importorskip("sympy.physics.mechanics")
    q = sympy.Matrix(mechanics.dynamicsymbols("x y z"))
    rates = q.diff(sympy.Symbol("t"))
    made = cetaev.Model(coordinates=q, lagrangian=rates.dot(rates) / 2, constraints=sympy.Matrix([rates[0] - q[1]]))
    assert made.coordinates == ["x", "y", "z"] and made.constraints == ["-y + x'"]
    assert cetaev.Model(coordinates=q, lagrangian=rates.dot(rates) / 2).linearize(vary=("x", sympy.Rational(1, 2), sympy.pi, 2)).values[1] == np.pi
