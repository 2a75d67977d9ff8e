"""Expressions written in Python: symbols with operators."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, Iterable, List, Sequence, Tuple, Union

from . import _native
from ._errors import Error
from ._numbers import exact, is_sympy
from ._trees import MINUS_ONE, Tree, fold, from_written, product, rate, symbol_tree, to_text


def tree_of(value: Any) -> Tree:
    """The tree of an Expression, a number, a SymPy expression or a list of three of them."""
    if isinstance(value, Expression):
        return value.tree
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1:
        if len(value) != 3:
            raise TypeError("a vector has three components")
        return {"op": "vector", "args": [tree_of(entry) for entry in value]}
    if is_sympy(value):
        from ._sympy import from_sympy

        return from_sympy(value)
    return {"op": "number", "value": exact(value)}


def _moving(*values: Any) -> FrozenSet[str]:
    """The coordinates that expressions of a model bring with them."""
    return frozenset().union(*(value.moving for value in values if isinstance(value, Expression)))


def _flat(root: Tree) -> List[Tuple[Tree, List[int]]]:
    """Its nodes without their parts, and the places of these: what can be pickled, however deep."""
    entries: List[Tuple[Tree, List[int]]] = []

    def add(tree: Tree, places: List[int]) -> int:
        entries.append(({key: value for key, value in tree.items() if isinstance(value, str)}, places))
        return len(entries) - 1

    fold(root, add)
    return entries


def _restored(kind: Any, entries: Sequence[Tuple[Tree, List[int]]], moving: FrozenSet[str]) -> Any:
    trees: List[Tree] = []
    for node, places in entries:
        below: Dict[str, Any] = {}
        if node["op"] == "power":
            below = {"base": trees[places[0]], "exponent": trees[places[1]]}
        elif node["op"] in ("component", "derivative"):
            below = {"of": trees[places[0]]}
        elif node["op"] in ("sum", "product", "call", "vector"):
            below = {"args": [trees[place] for place in places]}
        trees.append({**node, **below})
    return kind._of(trees[-1], moving)


def _in_notebooks(shown: Any) -> Any:
    """By SymPy, where it is installed and knows all that stands there; else notebooks show the text."""
    longest = 2000  # characters; SymPy takes seconds for more, and nobody reads them
    try:
        from ._sympy import latex

        return latex(shown.sympy()) if len(str(shown)) <= longest else None
    except (ImportError, Error):
        return None


class Expression:
    """An expression of a model, made from `symbols` by the operators and functions of Python.

    >>> import cetaev
    >>> m, g, x = cetaev.symbols("m g x")
    >>> print(m/2*x.dot**2 - m*g*x)
    m*x'^2/2 - m*g*x

    Of a number, of a list of three for a vector, or of SymPy's:

    >>> print(cetaev.Expression([1, 0.5, x]))
    [1, 1/2, x]
    """

    __slots__ = ("_moving", "_tree")
    __array_ufunc__ = None  # NumPy's numbers leave the operators to us

    _tree: Tree
    _moving: FrozenSet[str]

    def __init__(self, value: Any) -> None:
        self._tree = tree_of(value)
        self._moving = _moving(value)

    @property
    def tree(self) -> Tree:
        """As dictionaries and lists, in the words of the trees of `cetaev derive --format json`.

        >>> import cetaev
        >>> cetaev.symbols("x").dot.tree
        {'op': 'symbol', 'name': "x'"}
        """
        return self._tree

    @property
    def moving(self) -> FrozenSet[str]:
        """What moves without having a rate here: the coordinates of the model that it comes from.

        >>> import cetaev
        >>> sorted(cetaev.Model("skate").lagrangian.moving)
        ['phi', 'x', 'y']
        """
        return self._moving

    @classmethod
    def _of(cls, tree: Tree, moving: FrozenSet[str] = frozenset()) -> Any:
        made = object.__new__(cls)
        made._tree = tree
        made._moving = moving
        return made

    def __reduce__(self) -> Any:
        return _restored, (type(self), _flat(self.tree), self.moving)

    @property
    def dot(self) -> "Expression":
        """The derivative with respect to time.

        >>> import cetaev
        >>> x, y = cetaev.symbols("x y")
        >>> print(x.dot, x.dot.dot, (x*y).dot)
        x' x'' (x*y)'
        """
        return Expression._of(rate(self.tree), self.moving)

    @property
    def ddot(self) -> "Expression":
        """The second derivative with respect to time.

        >>> import cetaev
        >>> print(cetaev.symbols("x").ddot)
        x''
        """
        return self.dot.dot

    def _component(self, name: str) -> "Expression":
        known = self.tree["op"] == "vector"
        return Expression._of(self.tree["args"]["xyz".index(name)] if known else {"op": "component", "of": self.tree, "name": name}, self.moving)

    @property
    def x(self) -> "Expression":
        """The first component of a vector, such as the position of a point; of a frame, its first axis.

        >>> import cetaev
        >>> print(cetaev.symbols("P").dot.x)
        P'.x
        """
        return self._component("x")

    @property
    def y(self) -> "Expression":
        """The second component of a vector; of a frame, its second axis.

        >>> import cetaev
        >>> print(cetaev.symbols("P").y)
        P.y
        """
        return self._component("y")

    @property
    def z(self) -> "Expression":
        """The third component of a vector; of a frame, its third axis.

        >>> import cetaev
        >>> print(cetaev.frames("lean").z)
        lean.z
        """
        return self._component("z")

    def _property(self, what: str) -> "Expression":
        if self.tree["op"] != "symbol":
            raise Error("bad-model", f"'{self}' is no name: only what has a name has a '{what}'")
        return Expression._of({"op": "symbol", "name": f"{self.tree['name']}.{what}"}, self.moving)

    @property
    def force(self) -> "Expression":
        """The reaction at a contact, for `outputs`.

        >>> import cetaev
        >>> print(cetaev.symbols("touch").force.z)
        touch.force.z
        """
        return self._property("force")

    @property
    def kinetic(self) -> "Expression":
        """The kinetic energy of a body or a point, for `outputs`.

        >>> import cetaev
        >>> print(cetaev.symbols("disc").kinetic)
        disc.kinetic
        """
        return self._property("kinetic")

    @property
    def potential(self) -> "Expression":
        """The potential energy of a body, a point or a spring, for `outputs`.

        >>> import cetaev
        >>> print(cetaev.symbols("seat").potential)
        seat.potential
        """
        return self._property("potential")

    @property
    def power(self) -> "Expression":
        """The power of a load or of the reaction at a contact, for `outputs`.

        >>> import cetaev
        >>> print(cetaev.symbols("motor").power)
        motor.power
        """
        return self._property("power")

    def sympy(self, coordinates: Iterable[str] = ()) -> Any:
        """The same in SymPy: what has a rate here is a function of t, and so are the `coordinates`, which expressions of a model know.

        >>> import cetaev
        >>> x, k = cetaev.symbols("x k")
        >>> print((k*x.dot**2/2).sympy())
        k*Derivative(x(t), t)**2/2
        >>> print((k*x**2/2).sympy(["x"]))
        k*x(t)**2/2
        """
        from ._sympy import to_sympy

        return to_sympy(self.tree, [*self.moving, *coordinates])

    def __str__(self) -> str:
        return to_text(self.tree)

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"

    def _repr_latex_(self) -> Any:
        return _in_notebooks(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and (self.tree is other.tree or str(self) == str(other))

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false; an equation is written cetaev.Eq(left, right)")

    def __iter__(self) -> Any:
        raise TypeError("an expression has no entries; the components of a vector are .x, .y and .z")

    def _sum(self, other: Any, sign: int, swapped: bool = False) -> Any:
        try:
            right = tree_of(other)
        except TypeError:
            return NotImplemented
        left = self.tree
        if swapped:
            left, right = right, left
            if sign > 0 and left == {"op": "number", "value": "0"}:
                return self  # as sum(…) begins
        if sign < 0:
            right = product(MINUS_ONE, right)
        args: List[Tree] = []
        for term in (left, right):
            args.extend(term["args"] if term["op"] == "sum" else [term])
        return Expression._of({"op": "sum", "args": args}, _moving(self, other))

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
            right = {"op": "power", "base": right, "exponent": MINUS_ONE}
        return Expression._of(product(left, right), _moving(self, other))

    def __mul__(self, other: Any) -> "Expression":
        return self._times(other, False, False)

    def __rmul__(self, other: Any) -> "Expression":
        return self._times(other, True, False)

    def __truediv__(self, other: Any) -> "Expression":
        return self._times(other, False, True)

    def __rtruediv__(self, other: Any) -> "Expression":
        return self._times(other, True, True)

    def _raised(self, other: Any, swapped: bool) -> Any:
        try:
            base, exponent = self.tree, tree_of(other)
        except TypeError:
            return NotImplemented
        if swapped:
            base, exponent = exponent, base
        return Expression._of({"op": "power", "base": base, "exponent": exponent}, _moving(self, other))

    def __pow__(self, other: Any) -> "Expression":
        return self._raised(other, False)

    def __rpow__(self, other: Any) -> "Expression":
        return self._raised(other, True)

    def __neg__(self) -> "Expression":
        return Expression._of(product(MINUS_ONE, self.tree), self.moving)

    def __pos__(self) -> "Expression":
        return self

    def __abs__(self) -> "Expression":
        return call("abs", self)


def call(name: str, *arguments: Any) -> Expression:
    """A function of the language, or a frame, of expressions."""
    return Expression._of({"op": "call", "name": name, "args": [tree_of(a) for a in arguments]}, _moving(*arguments))


class Frame(Expression):
    """A frame of the model: what turns a vector of its own components. Made by `frames`.

    >>> import cetaev
    >>> lean = cetaev.frames("lean")
    >>> r = cetaev.symbols("r")
    >>> print(lean(0, 0, r), lean([0, 0, r]), lean.y)
    lean([0, 0, r]) lean([0, 0, r]) lean.y
    """

    __slots__ = ()

    def __call__(self, *components: Any) -> Expression:
        """The vector with these components in the frame.

        >>> import cetaev
        >>> print(cetaev.frames("lean")(0, 0, 1))
        lean([0, 0, 1])
        """
        if len(components) not in (1, 3):
            raise TypeError(f"a frame is a function of a vector or of its three components, not of {len(components)} arguments")
        return call(str(self), components[0] if len(components) == 1 else list(components))


class Equation:
    """Two sides that are equal: a constraint. Made by `Eq`.

    >>> import cetaev
    >>> held = cetaev.Eq(cetaev.symbols("x").dot, 2)
    >>> print(held.left, held.right)
    x' 2
    """

    __slots__ = ("_left", "_right")

    def __init__(self, left: Any, right: Any = 0) -> None:
        self._left = Expression(left)
        self._right = Expression(right)

    def __reduce__(self) -> Any:
        return Equation, (self._left, self._right)

    @property
    def left(self) -> Expression:
        """The side before the sign.

        >>> import cetaev
        >>> print(cetaev.expression("x' = 2*y").left)
        x'
        """
        return self._left

    @property
    def right(self) -> Expression:
        """The side behind the sign.

        >>> import cetaev
        >>> print(cetaev.expression("x' = 2*y").right)
        2*y
        """
        return self._right

    def __str__(self) -> str:
        return f"{self.left} = {self.right}"

    def __repr__(self) -> str:
        return f"Eq({self.left}, {self.right})"

    def _repr_latex_(self) -> Any:
        return _in_notebooks(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equation) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        raise TypeError("an equation is neither true nor false")

    def sympy(self, coordinates: Iterable[str] = ()) -> Any:
        """The same in SymPy, as of an `Expression`.

        >>> import cetaev
        >>> cetaev.Eq(cetaev.symbols("x").dot, 1).sympy()
        Eq(Derivative(x(t), t), 1)
        """
        from ._sympy import equation

        return equation(self.left.tree, self.right.tree, [*_moving(self.left, self.right), *coordinates])


def Eq(left: Any, right: Any = 0) -> Equation:  # noqa: N802
    """The equation left = right, for `constraints`.

    >>> import cetaev
    >>> x, y, phi = cetaev.symbols("x y phi")
    >>> print(cetaev.Eq(x.dot*cetaev.sin(phi), y.dot*cetaev.cos(phi)))
    x'*sin(phi) = y'*cos(phi)
    """
    return Equation(left, right)


def expression(text: str) -> Union[Expression, Equation]:
    """A text in the language of model files as an `Expression`, or as an `Equation` where it has two sides.

    >>> import cetaev
    >>> energy = cetaev.expression("m*x'^2/2 + m*g*x")
    >>> print(energy/cetaev.symbols("m"))
    (m*x'^2/2 + m*g*x)/m
    >>> print(cetaev.expression("x' = y").right)
    y
    """
    if not isinstance(text, str):
        raise TypeError(f"an expression is read from a text, not from {type(text).__name__}")
    entries, sides = _native.written_expression(text)
    trees = from_written(entries)
    left, *right = (Expression._of(trees[side]) for side in sides)
    return Equation(left, right[0]) if right else left


def _named(names: Union[str, Sequence[str]], kind: Any, what: str) -> Any:
    if isinstance(names, str):
        made = tuple(kind._of(symbol_tree(name)) for name in names.replace(",", " ").split())
        if not made:
            raise Error("bad-model", f"{what} need names, and there is none")
        return made[0] if len(made) == 1 else made
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} are named by a text or a list of texts, not by {type(names).__name__}")
    return tuple(_named(name, kind, what) for name in names)


def symbols(names: Union[str, Sequence[str]]) -> Any:
    """Symbols by their names: coordinates, parameters, points; one alone, or a tuple of several.

    >>> import cetaev
    >>> theta = cetaev.symbols("theta")
    >>> x, y = cetaev.symbols("x y")
    >>> print(cetaev.sqrt(x**2 + y**2)*theta.dot)
    sqrt(x^2 + y^2)*theta'
    """
    return _named(names, Expression, "symbols")


def frames(names: Union[str, Sequence[str]]) -> Any:
    """Frames by their names; one alone, or a tuple of several. A frame is a function of vectors, and has axes:

    >>> import cetaev
    >>> yaw, lean = cetaev.frames("yaw lean")
    >>> print(cetaev.dot(lean(0, 0, 1), yaw.x), cetaev.omega(lean, yaw))
    dot(lean([0, 0, 1]), yaw.x) omega(lean, yaw)
    """
    return _named(names, Frame, "frames")


def multiplier(number: int) -> Expression:
    """The multiplier of a scalar constraint, counted from 1, for `outputs`.

    >>> import cetaev
    >>> print(2*cetaev.multiplier(1))
    2*lambda[1]
    """
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"multipliers are counted by whole numbers, not by {type(number).__name__}")
    return Expression._of(symbol_tree(f"lambda[{number.__index__()}]"))


def vector(x: Any, y: Any, z: Any) -> Expression:
    """A vector of three components.

    >>> import cetaev
    >>> x, P = cetaev.symbols("x P")
    >>> print(cetaev.dot(P.dot, cetaev.vector(1, x, 0)))
    dot(P', [1, x, 0])
    """
    return Expression([x, y, z])


t = Expression._of({"op": "symbol", "name": "t"})
pi = Expression._of({"op": "pi"})
