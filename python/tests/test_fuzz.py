"""Inputs at random: what is said is right, or is a diagnosis."""

from fractions import Fraction

import pytest

hypothesis = pytest.importorskip("hypothesis", reason="Debian's python3-hypothesis is not installed")
from hypothesis import given, settings, strategies as st  # noqa: E402

import cetaev  # noqa: E402

quick = settings(max_examples=150, deadline=None, derandomize=True, database=None)
pieces = st.sampled_from(
    ["x", "x'", "y", "'", "''", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", ".x", "=", "sin", "norm", "1", "0.1", "1e400", "é", "\n", '"', "#", " "]
)


@quick
@given(st.lists(pieces, max_size=12).map("".join) | st.text(max_size=20))
def test_any_lagrangian_is_read_or_diagnosed(text):
    try:
        cetaev.Model(coordinates=["x", "y"], lagrangian=text)
    except cetaev.Error as error:
        assert error.code in ("parse-error", "unknown-name", "bad-model", "non-finite")
        assert error.line is None or error.line >= 1


@quick
@given(st.text(max_size=40))
def test_any_text_is_a_model_or_a_diagnosis(text):
    try:
        cetaev.Model(text)
    except cetaev.Error as error:
        assert error.exit_code in (2, 4)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
keys = st.sampled_from(
    "name coordinates lagrangian kinetic potential constraints parameters initial forces points dependent events view definitions".split()
)


@quick
@given(st.dictionaries(keys, values, min_size=1, max_size=4))
def test_any_keys_are_a_model_or_a_diagnosis(document):
    try:
        cetaev.Model(**document)
    except (TypeError, cetaev.Error):
        pass


numbers = st.integers(-9, 9) | st.fractions(-9, 9, max_denominator=9)


class Pair:
    """The same arithmetic in Python's fractions and in expressions."""

    def __init__(self, exact, written):
        self.exact, self.written = exact, written


def combine(inner):
    def of(operation):
        def make(pair):
            a, b = pair
            try:
                return Pair(operation(a.exact, b.exact), operation(a.written, b.written))
            except ZeroDivisionError:
                return a

        return make

    both = st.tuples(inner, inner)
    return (
        both.map(of(lambda a, b: a + b))
        | both.map(of(lambda a, b: a - b))
        | both.map(of(lambda a, b: a * b))
        | both.map(of(lambda a, b: a / b))
        | inner.map(lambda a: Pair(-a.exact, -a.written))
        | st.tuples(inner, st.integers(0, 3)).map(lambda p: Pair(p[0].exact ** p[1], p[0].written ** p[1]))
    )


expressions = st.recursive(numbers.map(lambda n: Pair(Fraction(n), cetaev.Expression(n))), combine, max_leaves=8)


@quick
@given(expressions)
def test_what_is_written_means_what_python_computes(pair):
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", parameters={"a": pair.written})
    assert model.parameters["a"] == pytest.approx(float(pair.exact), rel=1e-12, abs=1e-12)


@quick
@given(expressions)
def test_what_is_written_is_read_back(pair):
    once = cetaev.expression(str(pair.written))
    model = cetaev.Model(coordinates=["x"], lagrangian="x'^2/2", parameters={"a": once, "b": cetaev.expression(str(once))})
    assert model.parameters["a"] == pytest.approx(float(pair.exact), rel=1e-12, abs=1e-12)
    assert model.parameters["b"] == pytest.approx(float(pair.exact), rel=1e-12, abs=1e-12)


@quick
@given(st.lists(pieces, max_size=12).map("".join) | st.text(max_size=20))
def test_any_text_is_an_expression_or_a_diagnosis(text):
    try:
        found = cetaev.expression(text)
    except cetaev.Error as error:
        assert error.code in ("parse-error", "bad-model")
        return
    cetaev.expression(str(found))  # what it says is read again
    try:
        found.sympy()
    except (cetaev.Error, ImportError):  # a name of a vector; no SymPy
        pass
