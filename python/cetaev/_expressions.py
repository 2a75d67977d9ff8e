"""Expressions written in Python: symbols with operators, in the vocabulary of trees that `cetaev derive --format json` has.

A tree is a dictionary: {"op": "number", "value": "1/10"}, "pi", {"op": "symbol", "name": "x'"}, {"op": "sum", "args": […]}, "product"
likewise, {"op": "power", "base": …, "exponent": …}, {"op": "call", "name": "sin", "args": […]}. Beside these stand what the language of
model files has: "vector" with three args, "component" of a vector, "derivative" with respect to time.
"""

from __future__ import annotations

import sys
from numbers import Integral, Rational, Real
from typing import Any, Dict, List, Union

from ._errors import Error

Tree = Dict[str, Any]


def number_tree(value: Any) -> Tree:
    """A Python number, exactly as it is written."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise TypeError("a truth value is no number of an expression")
    if isinstance(value, Integral):
        return {"op": "number", "value": str(int(value))}
    if isinstance(value, Rational):
        return {"op": "number", "value": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, Real) or is_decimal(value):
        from fractions import Fraction

        text = str(value) if is_decimal(value) else repr(float(value))
        try:
            exact = Fraction(text)
        except ValueError:
            raise Error("bad-model", f"{text} is no number of an expression") from None
        return {"op": "number", "value": str(exact)}
    raise TypeError(f"{type(value).__name__} is no expression")


def is_decimal(value: Any) -> bool:
    """Without importing decimal: whoever has such a number has done so."""
    return "decimal" in sys.modules and isinstance(value, sys.modules["decimal"].Decimal)


def is_sympy(value: Any) -> bool:
    """Without importing SymPy, which takes longer than everything here."""
    return any(str(base.__module__).partition(".")[0] == "sympy" for base in type(value).__mro__)


def tree_of(value: Any) -> Tree:
    """The tree of an Expression, a number, a SymPy expression or a list of three of them."""
    if isinstance(value, Expression):
        return value.tree
    if isinstance(value, (list, tuple)):
        if len(value) != 3:
            raise TypeError("a vector has three components")
        return {"op": "vector", "args": [tree_of(entry) for entry in value]}
    if is_sympy(value):
        from ._sympy import from_sympy

        return from_sympy(value)
    return number_tree(value)


_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_MINUS_ONE: Tree = {"op": "number", "value": "-1"}


def _negative(tree: Tree) -> bool:
    if tree["op"] == "number":
        return tree["value"].startswith("-")
    return tree["op"] == "product" and bool(tree["args"]) and tree["args"][0]["op"] == "number" and _negative(tree["args"][0])


def _without_sign(tree: Tree) -> Tree:
    if tree["op"] == "number":
        return {"op": "number", "value": tree["value"][1:]}
    first = _without_sign(tree["args"][0])
    rest = tree["args"][1:]
    if first["value"] != "1":
        return {"op": "product", "args": [first, *rest]}
    return rest[0] if len(rest) == 1 else {"op": "product", "args": rest}


def _level(tree: Tree) -> int:
    op = tree["op"]
    if op == "sum" or _negative(tree):
        return _SUM
    if op == "product" or (op == "number" and "/" in tree["value"]):
        return _PRODUCT
    if op == "power":
        return _PRODUCT if _negative(tree["exponent"]) else _POWER
    return _ATOM


def _at(tree: Tree, level: int) -> str:
    text = to_text(tree)
    return text if _level(tree) >= level else f"({text})"


def to_text(tree: Tree) -> str:
    """The tree in the language of model files."""
    op = tree["op"]
    if op == "number":
        return tree["value"]
    if op == "pi":
        return "pi"
    if op == "symbol":
        return tree["name"]
    if _negative(tree):
        return "-" + _at(_without_sign(tree), _PRODUCT)
    if op == "sum":
        text = ""
        for term in tree["args"]:
            if not text:
                text = to_text(term)
            elif _negative(term):
                text += " - " + _at(_without_sign(term), _PRODUCT)
            else:
                text += " + " + _at(term, _PRODUCT)
        return text or "0"
    if op == "product" or (op == "power" and _negative(tree["exponent"])):
        above: List[str] = []
        below: List[str] = []
        for factor in tree["args"] if op == "product" else [tree]:
            if factor["op"] == "power" and _negative(factor["exponent"]):
                exponent = _without_sign(factor["exponent"])
                one = exponent == {"op": "number", "value": "1"}
                below.append(_at(factor["base"] if one else {**factor, "exponent": exponent}, _POWER))
            else:
                above.append(_at(factor, _POWER if above else _PRODUCT))
        text = "*".join(above) or "1"
        if below:
            text += "/" + (below[0] if len(below) == 1 else "(" + "*".join(below) + ")")
        return text
    if op == "power":
        return _at(tree["base"], _ATOM) + "^" + _at(tree["exponent"], _ATOM)
    if op == "call":
        return f"{tree['name']}({', '.join(map(to_text, tree['args']))})"
    if op == "vector":
        return f"[{', '.join(map(to_text, tree['args']))}]"
    if op == "component":
        return f"{_at(tree['of'], _ATOM)}.{tree['name']}"
    if op == "derivative":
        return f"({to_text(tree['of'])})'"
    raise ValueError(f"there is no '{op}' in expressions")


class Expression:
    """An expression of a model, made from `symbols` by the operators and functions of Python.

    >>> import cetaev
    >>> m, g, x = cetaev.symbols("m g x")
    >>> print(m/2*x.dot**2 - m*g*x)
    m*x'^2/2 - m*g*x
    """

    __slots__ = ("tree",)
    __array_ufunc__ = None  # NumPy's numbers leave the operators to us

    def __init__(self, value: Any) -> None:
        self.tree: Tree = tree_of(value)

    @classmethod
    def _of(cls, tree: Tree) -> "Expression":
        made = object.__new__(cls)
        made.tree = tree
        return made

    @property
    def dot(self) -> "Expression":
        """The derivative with respect to time.

        >>> import cetaev
        >>> x, y = cetaev.symbols("x y")
        >>> print(x.dot, x.dot.dot, (x*y).dot)
        x' x'' (x*y)'
        """
        if self.tree["op"] == "symbol" and not self.tree["name"].endswith("''"):
            return Expression._of({"op": "symbol", "name": self.tree["name"] + "'"})
        return Expression._of({"op": "derivative", "of": self.tree})

    @property
    def ddot(self) -> "Expression":
        """The second derivative with respect to time."""
        return self.dot.dot

    @property
    def x(self) -> "Expression":
        """The first component of a vector, such as the position of a point."""
        return Expression._of({"op": "component", "of": self.tree, "name": "x"})

    @property
    def y(self) -> "Expression":
        """The second component of a vector."""
        return Expression._of({"op": "component", "of": self.tree, "name": "y"})

    @property
    def z(self) -> "Expression":
        """The third component of a vector."""
        return Expression._of({"op": "component", "of": self.tree, "name": "z"})

    def sympy(self) -> Any:
        """The same in SymPy: coordinates are functions of t.

        >>> import cetaev
        >>> x, k = cetaev.symbols("x k")
        >>> print((k*x.dot**2/2).sympy())
        k*Derivative(x(t), t)**2/2
        """
        from ._sympy import to_sympy

        return to_sympy(self.tree)

    def __str__(self) -> str:
        return to_text(self.tree)

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false; an equation is written cetaev.Eq(left, right)")

    def _sum(self, other: Any, sign: int, swapped: bool = False) -> Any:
        try:
            right = tree_of(other)
        except TypeError:
            return NotImplemented
        left = self.tree
        if swapped:
            left, right = right, left
        if sign < 0:
            right = _product(_MINUS_ONE, right)
        args: List[Tree] = []
        for term in (left, right):
            args.extend(term["args"] if term["op"] == "sum" else [term])
        return Expression._of({"op": "sum", "args": args})

    def __add__(self, other: Any) -> "Expression":
        return self._sum(other, 1)

    def __radd__(self, other: Any) -> "Expression":
        return self._sum(other, 1, swapped=True)

    def __sub__(self, other: Any) -> "Expression":
        return self._sum(other, -1)

    def __rsub__(self, other: Any) -> "Expression":
        return self._sum(other, -1, swapped=True)

    def _times(self, other: Any, swapped: bool, divided: bool) -> Any:
        try:
            right = tree_of(other)
        except TypeError:
            return NotImplemented
        left = self.tree
        if swapped:
            left, right = right, left
        if divided:
            right = {"op": "power", "base": right, "exponent": _MINUS_ONE}
        return Expression._of(_product(left, right))

    def __mul__(self, other: Any) -> "Expression":
        return self._times(other, False, False)

    def __rmul__(self, other: Any) -> "Expression":
        return self._times(other, True, False)

    def __truediv__(self, other: Any) -> "Expression":
        return self._times(other, False, True)

    def __rtruediv__(self, other: Any) -> "Expression":
        return self._times(other, True, True)

    def __pow__(self, other: Any) -> "Expression":
        try:
            return Expression._of({"op": "power", "base": self.tree, "exponent": tree_of(other)})
        except TypeError:
            return NotImplemented

    def __rpow__(self, other: Any) -> "Expression":
        try:
            return Expression._of({"op": "power", "base": tree_of(other), "exponent": self.tree})
        except TypeError:
            return NotImplemented

    def __neg__(self) -> "Expression":
        return Expression._of(_product(_MINUS_ONE, self.tree))

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Expression":
        return Expression._of({"op": "call", "name": "abs", "args": [self.tree]})


def _product(left: Tree, right: Tree) -> Tree:
    if _negative(right) and left["op"] != "number":
        return _product(_MINUS_ONE, _product(left, _without_sign(right)))
    args: List[Tree] = []
    for factor in (left, right):
        args.extend(factor["args"] if factor["op"] == "product" else [factor])
    if left["op"] == "number" and args[1] == _MINUS_ONE:
        args[:2] = [args[1], args[0]]
    if args[0] == _MINUS_ONE and args[1]["op"] == "number":
        # a sign goes into the number that it stands before
        value = args[1]["value"]
        args[:2] = [{"op": "number", "value": value[1:] if value.startswith("-") else "-" + value}]
        if args[0]["value"] == "1" and len(args) > 1:
            del args[0]
    return args[0] if len(args) == 1 else {"op": "product", "args": args}


class Equation:
    """Two sides that are equal: a constraint. Made by `Eq`."""

    __slots__ = ("left", "right")

    def __init__(self, left: Any, right: Any = 0) -> None:
        self.left = Expression(left)
        self.right = Expression(right)

    def __str__(self) -> str:
        return f"{self.left} = {self.right}"

    def __repr__(self) -> str:
        return f"Eq({self.left}, {self.right})"

    def sympy(self) -> Any:
        """The same in SymPy.

        >>> import cetaev
        >>> cetaev.Eq(cetaev.symbols("x").dot, 1).sympy()
        Eq(Derivative(x(t), t), 1)
        """
        import sympy

        return sympy.Eq(self.left.sympy(), self.right.sympy(), evaluate=False)


def Eq(left: Any, right: Any = 0) -> Equation:  # noqa: N802
    """The equation left = right, for `constraints`.

    >>> import cetaev
    >>> x, y, phi = cetaev.symbols("x y phi")
    >>> print(cetaev.Eq(x.dot*cetaev.sin(phi), y.dot*cetaev.cos(phi)))
    x'*sin(phi) = y'*cos(phi)
    """
    return Equation(left, right)


def symbols(names: Union[str, List[str]]) -> Any:
    """Symbols by their names: coordinates, parameters, points; one alone, or a tuple of several.

    >>> import cetaev
    >>> theta = cetaev.symbols("theta")
    >>> x, y = cetaev.symbols("x y")
    >>> print(cetaev.sqrt(x**2 + y**2)*theta.dot)
    sqrt(x^2 + y^2)*theta'
    """
    if isinstance(names, str):
        parts = names.replace(",", " ").split()
        made = tuple(Expression._of({"op": "symbol", "name": name}) for name in parts)
        return made[0] if len(made) == 1 else made
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"symbols are named by a text or a list of texts, not by {type(names).__name__}")
    return tuple(symbols(name) for name in names)


def vector(x: Any, y: Any, z: Any) -> Expression:
    """A vector of three components.

    >>> import cetaev
    >>> x, P = cetaev.symbols("x P")
    >>> print(cetaev.dot(P.dot, cetaev.vector(1, x, 0)))
    dot(P', [1, x, 0])
    """
    return Expression([x, y, z])


t = symbols("t")
pi = Expression._of({"op": "pi"})
