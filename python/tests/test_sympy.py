"""Every expression that the package hands out in SymPy, and models of SymPy's expressions: against the numbers of the library."""

import random

import pytest

import cetaev
from conftest import MODELS

sympy = pytest.importorskip("sympy")
T = sympy.Symbol("t")


def values(model, here, accelerations=None):
    """What SymPy puts in at a state: the highest derivatives first."""
    listed = [(sympy.Symbol(name), value) for name, value in model.parameters.items()] + [(T, here["t"])]
    for name in model.coordinates:
        x = sympy.Function(name)(T)
        rates = [] if accelerations is None else [(x.diff(T, 2), accelerations[name])]
        listed = [*rates, (x.diff(T), here["v"][name]), (x, here["q"][name]), *listed]
    return sorted(listed, key=lambda pair: -pair[0].derivative_count if pair[0].is_Derivative else 0)


def number(expression, listed):
    return float(sympy.sympify(expression).subs(listed).evalf())


def somewhere(name, seed):
    """A model at a random admissible state beside its own."""
    model = cetaev.Model(name)
    here = model.eval("multipliers")
    chance = random.Random(seed)
    moved = {x: here["q"][x] + chance.uniform(-0.2, 0.2) for x in model.coordinates}
    moved.update({x + "'": here["v"][x] + chance.uniform(-0.2, 0.2) for x in model.coordinates})
    return model.set(moved)


@pytest.mark.parametrize("name", MODELS)
def test_the_expressions_of_a_model_have_the_values_of_eval(name):
    for seed in range(3):
        model = somewhere(name, seed)
        here = model.eval("multipliers")
        form = here["forms"]["multipliers"]
        listed = values(model, here, form["a"])
        own = model.expressions
        assert number(own["energy"].sympy(), listed) == pytest.approx(here["energy"]["E"], rel=1e-12, abs=1e-12)
        assert [number(e.sympy(), listed) for e in own["constraints"]] == pytest.approx(here["residual"], abs=1e-9)
        if "kinetic" in own:
            difference = own["kinetic"].sympy() - own.get("potential", cetaev.Expression(0)).sympy()
            assert number(difference - own["lagrangian"].sympy(), listed) == pytest.approx(0, abs=1e-12)
        motion = model.run(t_end=1e-9, samples=2)
        for output, expression in own["outputs"].items():
            seen = expression.sympy()
            marked = [(sympy.Symbol(f"lambda[{i + 1}]"), value) for i, value in enumerate(form["multipliers"])]
            columns = [column for column in motion.outputs if column.partition(".")[0] == output]
            for part, column in zip(seen if isinstance(seen, sympy.MatrixBase) else [seen], columns, strict=True):
                assert number(part.subs(marked), listed) == pytest.approx(motion.outputs[column][0], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", [*MODELS, "constant-distance-equal-speeds-plane", "ball-on-turntable"])  # with names: d, norm(d), rates of them
def test_equations_in_sympy_hold_at_the_accelerations_of_eval(name):
    model = somewhere(name, 7)
    here = model.eval("multipliers")
    form = here["forms"]["multipliers"]
    listed = values(model, here, form["a"])
    for i, multiplier in enumerate(form["multipliers"]):
        listed.append((sympy.Symbol(f"lambda{i + 1}"), multiplier))
    try:
        equations = model.equations("multipliers", energy=True)
    except cetaev.Error as error:
        assert (name, error.code) == ("prescribed-acceleration", "not-applicable")  # not linear in the accelerations
        return
    for equation in equations.sympy():
        assert number(equation.lhs - equation.rhs, listed) == pytest.approx(0, abs=1e-8)
    energy = equations.sympy("energy")
    assert number(energy["E"], listed) == pytest.approx(here["energy"]["E"], rel=1e-12, abs=1e-12)
    assert number(energy["lambda J v"], listed) == pytest.approx(here["energy"]["reaction_power"], rel=1e-9, abs=1e-9)
    assert number(equations.sympy("lagrangian") - model.lagrangian.sympy(), listed) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("expand", [True, False])
def test_equations_beyond_reading_are_there_in_sympy(expand):
    """Of the six links of an arm, whose equations have ten thousands of symbols: written out, and link by link."""
    model = cetaev.Model("arm")
    equations = model.equations("multipliers", budget=0.1, expand=expand)
    assert ("too long to print" in equations.text) == expand
    assert ("f1 " in equations.text) != expand
    here = model.eval("multipliers")
    a = here["forms"]["multipliers"]["a"]
    there, at_rest = ({name: sympy.Float(value) for name, value in values(model, here, some)} for some in (a, dict.fromkeys(a, 0.0)))
    for equation in equations.sympy():
        residual = equation.lhs - equation.rhs
        # what the accelerations balance
        assert abs(float(residual.xreplace(there))) < 1e-9 * abs(float(residual.xreplace(at_rest)))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", ["voronec", "vakonomic"])
def test_other_principles_in_sympy_hold_too(name, form):
    """Where they apply, at their own accelerations."""
    model = somewhere(name, 5)
    try:
        equations, here = model.equations(form).sympy(), model.eval(form)
    except cetaev.Error as error:
        assert error.exit_code == 3
        return
    found = here["forms"][form]
    listed = values(model, here, found["a"])
    for i, (value, rate) in enumerate(zip(found.get("lambda", []), found.get("lambda_dot", []))):
        multiplier = sympy.Function(f"lambda{i + 1}")(T)
        listed = [(multiplier.diff(T), rate), (multiplier, value), *listed]
    for equation in equations:
        assert number(equation.lhs - equation.rhs, listed) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_sympy_expressions_moves_as_the_gallery_does(name):
    """There and back: the Lagrangian, the forces and the constraints in SymPy make a model with the same accelerations."""
    model = somewhere(name, 11)
    own, here = model.expressions, model.eval("multipliers")
    again = cetaev.Model(
        coordinates=model.coordinates,
        lagrangian=own["lagrangian"].sympy(),
        forces={x: e.sympy() for x, e in own["forces"].items()},
        constraints=[e.sympy() for e in own["constraints"]],
        parameters=model.parameters,
        initial={**here["q"], **{x + "'": v for x, v in here["v"].items()}, "t": here["t"]},
    )
    there = again.eval("multipliers")
    for x in model.coordinates:
        assert there["forms"]["multipliers"]["a"][x] == pytest.approx(here["forms"]["multipliers"]["a"][x], rel=1e-9, abs=1e-9)
    assert there["forms"]["multipliers"]["multipliers"] == pytest.approx(here["forms"]["multipliers"]["multipliers"], rel=1e-8, abs=1e-9)


def test_parts_of_a_check_are_conserved_as_sympy_says():
    """A first integral, in SymPy, has no rate along the equations of SymPy."""
    model = cetaev.Model("rolling-disc")
    check, here = model.check(), model.eval("multipliers")
    listed = values(model, here, here["forms"]["multipliers"]["a"])
    for i, _ in enumerate(check["first_integrals"]):
        integral = check.sympy("first_integrals", i, "expression")
        assert number(integral.diff(T), listed) == pytest.approx(0, abs=1e-9)
    with pytest.raises(cetaev.Error, match="nothing at"):
        check.sympy("nothing")


def test_points_of_view_in_sympy_have_the_numbers_of_the_command_line():
    model = cetaev.Model("skate")
    found = model.transpose()
    listed = values(model, found, found["a"])
    for i, view in enumerate(found["views"]):
        matrix = found.sympy("views", i, "A")
        for row, numbers in zip(matrix, view["A_at_state"]):
            assert [number(entry, listed) for entry in row] == pytest.approx(numbers, abs=1e-12)


def test_vectors_frames_and_definitions_are_written_out():
    model = cetaev.Model("rolling-disc-body")
    here = model.eval("multipliers")
    listed = values(model, here)
    own = model.expressions
    for name in model.coordinates:
        assert isinstance(model.expression(name), cetaev.Expression)
    # a frame is a rotation: its axes are orthogonal, and their rates are ω × axis
    frame = next(iter(own["omega"]))
    F = cetaev.frames(frame)
    x, y, z = (model.expression(axis).sympy() for axis in (F.x, F.y, F.z))
    assert number(x.dot(y), listed) == pytest.approx(0, abs=1e-15) and number(x.dot(x), listed) == pytest.approx(1, abs=1e-15)
    omega = own["omega"][frame].sympy()
    assert (sympy.simplify(model.expression(cetaev.omega(F)).sympy() - omega)).is_zero_matrix
    for axis in (x, y, z):
        for left, right in zip(axis.diff(T), omega.cross(axis)):
            assert number(left - right, listed) == pytest.approx(0, abs=1e-14)
    with pytest.raises(cetaev.Error, match=r"model\.expression"):
        cetaev.omega(F).sympy()
    with pytest.raises(cetaev.Error, match=r"model\.expression"):
        cetaev.dot(cetaev.symbols("P"), cetaev.symbols("Q")).sympy()


def test_what_sympy_says_otherwise():
    x = sympy.Function("x")(T)
    for theirs in (sympy.sec(x), sympy.cot(x) + sympy.csc(x), sympy.coth(x) * sympy.sech(x), sympy.Float("0.1", 40) * x, sympy.E**x):
        again = cetaev.Expression(theirs).sympy()
        ours = again.subs({x: 1.4, sympy.Symbol("x"): 1.4})
        assert float(ours) == pytest.approx(float(theirs.subs(x, 1.4)), rel=1e-14)
    assert str(cetaev.Expression(sympy.Float("0.1", 40))) == "1/10"
    for refused in (sympy.I * x, sympy.oo, sympy.Piecewise((x, x > 0), (0, True)), sympy.Integral(x, T), sympy.Function("f")(x, T)):
        with pytest.raises(TypeError):
            cetaev.Expression(refused)
    with pytest.raises(cetaev.Error, match="name"):
        cetaev.Expression(sympy.Symbol("a b"))


def test_deep_and_long_expressions():
    """However deep in Python; SymPy and the reader of models have an end, and say so."""
    x = cetaev.symbols("x")
    deep = x
    for _ in range(20_000):
        deep = cetaev.sin(deep)
    assert str(deep).startswith("sin(sin(") and deep == deep and hash(deep) == hash(str(deep))
    with pytest.raises(cetaev.Error, match="too deep"):
        deep.sympy()
    with pytest.raises(cetaev.Error, match="nested too deeply"):
        cetaev.Model(coordinates=["x"], lagrangian=deep)
    theirs = sympy.Symbol("x")
    for _ in range(3000):
        theirs = sympy.Add(sympy.Mul(theirs, 2, evaluate=False), 1, evaluate=False)
    assert len(str(cetaev.Expression(theirs))) > 3000
    long = sum((x**k for k in range(1, 1000)), x)
    assert long.sympy().subs(sympy.Symbol("x"), 1) == 1000
    huge = cetaev.Expression(10**5000 + 7)
    assert len(str(huge)) == 5001 and str(huge).endswith("0007") and huge.sympy() == sympy.Integer(10**5000 + 7)
    assert cetaev.Expression(sympy.Integer(10**5000 + 7)) == huge
    assert cetaev.expression(str(huge)) == huge
