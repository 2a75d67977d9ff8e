"""Trees of expressions to SymPy and back. Imported when somebody asks for SymPy."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any, Dict, Iterable, List, Set

from ._checked import optional
from ._errors import Error
from ._expressions import Equation, expression
from ._numbers import exact, ratio
from ._trees import Tree, fold, symbol_tree

sympy = optional("sympy", "sympy()")
_ELLIPTIC = "ellipticF ellipticE am dn ellipticEpsilon".split()
_CALLS = {
    "sqrt": sympy.sqrt,
    "abs": sympy.Abs,
    "log": sympy.log,
    "ellipticF": sympy.elliptic_f,
    "ellipticE": sympy.elliptic_e,
    "ellipticK": sympy.elliptic_k,
    # SymPy has no functions of Jacobi, and no names for derivatives by m
    **{name: sympy.Function(name) for name in "am dn ellipticEpsilon".split()},
    **{f"{name}_{'m' * order}": sympy.Function(f"{name}_{'m' * order}") for name in _ELLIPTIC for order in range(1, 7)},
    # as equations have them
    "sn": lambda u, m: sympy.sin(sympy.Function("am")(u, m)),
    "cn": lambda u, m: sympy.cos(sympy.Function("am")(u, m)),
    **{name: getattr(sympy, name) for name in "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp".split()},
    "dot": lambda u, v: u.dot(v),
    "cross": lambda u, v: u.cross(v),
    "norm": lambda u: sympy.sqrt(u.dot(u)),
}
_NAMES = {"Abs": "abs", "ln": "log", "elliptic_f": "ellipticF", "elliptic_e": "ellipticE", "elliptic_k": "ellipticK"}
# What the language says by others.
_BY_OTHERS = {
    "sec": lambda x: 1 / sympy.cos(x),
    "csc": lambda x: 1 / sympy.sin(x),
    "cot": lambda x: sympy.cos(x) / sympy.sin(x),
    "sech": lambda x: 1 / sympy.cosh(x),
    "csch": lambda x: 1 / sympy.sinh(x),
    "coth": lambda x: sympy.cosh(x) / sympy.sinh(x),
}
_T = sympy.Symbol("t")


def names_in(tree: Any) -> Set[str]:
    """Of all symbols in trees, and in lists and dictionaries of them, with their primes."""
    found: Set[str] = set()
    waiting, seen = [tree], set()
    while waiting:
        part = waiting.pop()
        if id(part) in seen or not isinstance(part, (dict, list)):
            continue
        seen.add(id(part))
        if isinstance(part, dict) and part.get("op") == "symbol":
            found.add(part["name"])
        else:
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return found


def moving(names: Iterable[str], coordinates: Iterable[str] = ()) -> Set[str]:
    """Whatever has a rate moves, and so do the coordinates."""
    return {name.rstrip("'") for name in names if name.endswith("'")} | set(coordinates)


class Converter:
    """Trees to SymPy, where it is known which names move and what others stand for."""

    def __init__(self, functions: Set[str]) -> None:
        self._functions = functions
        self._known: Dict[str, Any] = {}

    def define(self, lines: List[Any]) -> "Converter":
        """Names that papers would explain by "where", written out: later ones use earlier ones."""
        for line in lines:
            name = line["symbol"]
            if "components" not in line:
                self._known[name] = self.sum(line["terms"])
                continue
            vector = sympy.Matrix([self(part) for part in line["components"]])
            self._known[f"norm({name})"] = sympy.sqrt(vector.dot(vector))
            for part, value in zip("xyz", vector):
                for order in range(3):
                    self._known[f"{name}{order * chr(39)}.{part}"] = value.diff(_T, order)
        return self

    def symbol(self, name: str) -> Any:
        """x' of what moves is Derivative(x(t), t)."""
        if name == "t":
            return _T
        if name in self._known:  # a rate may have a line of its own
            return self._known[name]
        base = name.rstrip("'")
        if base not in self._known and base not in self._functions:
            return sympy.Symbol(name)
        value = self._known[base] if base in self._known else sympy.Function(base)(_T)
        for _ in range(len(name) - len(base)):
            value = value.diff(_T)
        return value

    def sum(self, terms: List[Tree]) -> Any:
        """Of trees that are added."""
        return sympy.Add(*map(self, terms))

    def equation(self, left: List[Tree], right: List[Tree]) -> Any:
        """Two sums that are equal."""
        return sympy.Eq(self.sum(left), self.sum(right), evaluate=False)

    def __call__(self, root: Tree) -> Any:
        try:
            return fold(root, self._make)
        except (AttributeError, TypeError, IndexError) as problem:  # a name that stands for a vector of the model
            raise Error(
                "bad-model", f"a vector is wanted where SymPy has a symbol: model.expression(…) writes out what a name stands for ({problem})"
            ) from problem
        except RecursionError:
            raise Error("not-applicable", "this formula is too deep for SymPy", exit_code=3) from None

    def _make(self, tree: Tree, args: List[Any]) -> Any:
        op = tree["op"]
        if op == "number":
            return sympy.Rational(*ratio(tree["value"]))
        if op == "pi":
            return sympy.pi
        if op == "symbol":
            return self.symbol(tree["name"])
        if op in ("sum", "product"):
            if any(isinstance(a, sympy.MatrixBase) for a in args):
                return reduce(add if op == "sum" else mul, args)
            return (sympy.Add if op == "sum" else sympy.Mul)(*args)
        if op == "power":
            return sympy.Pow(*args)
        if op == "vector":
            return sympy.Matrix(args)
        if op == "call" and tree["name"] in _CALLS:
            return _CALLS[tree["name"]](*args)
        if op == "component":
            return args[0]["xyz".index(tree["name"])]
        if op == "derivative":
            return args[0].diff(_T)
        if op == "too-long":
            raise Error("not-applicable", "this formula is too long to be told as a tree; equations, model.lagrangian and model.energy have no such limit", exit_code=3)
        raise Error("bad-model", f"SymPy has no '{tree.get('name', op)}': what a model knows about it, model.expression(…) writes out")


def to_sympy(tree: Tree, coordinates: Iterable[str] = ()) -> Any:
    """The tree in SymPy."""
    return Converter(moving(names_in(tree), coordinates))(tree)


def equation(left: Tree, right: Tree, coordinates: Iterable[str] = ()) -> Any:
    """Two of them that are equal."""
    return Converter(moving(names_in([left, right]), coordinates)).equation([left], [right])


def from_sympy(root: Any) -> Tree:
    """A tree of what SymPy has: symbols, functions of t and their derivatives, numbers and the functions of the language."""
    if isinstance(root, sympy.MatrixBase):
        if len(root) != 3:
            raise TypeError("a vector has three components")
        return {"op": "vector", "args": [from_sympy(entry) for entry in root]}
    if not isinstance(root, sympy.Basic):
        raise TypeError(f"{type(root).__name__} is no expression")
    try:
        return _from_basic(root, ordered=True)
    except RecursionError:  # SymPy's order looks at all that is below; its own is as good for those who do not read it
        pass
    try:
        return _from_basic(root, ordered=False)
    except RecursionError:
        raise Error("not-applicable", "this formula is too deep for SymPy", exit_code=3) from None


def _from_basic(root: Any, ordered: bool) -> Tree:
    done: Dict[Any, Tree] = {}
    known: Dict[Any, List[Any]] = {}
    waiting = [root]
    while waiting:
        e = waiting[-1]
        if e in done:
            waiting.pop()
            continue
        below = known.get(e)
        if below is None:
            below = known[e] = _below(e, ordered)
        missing = [part for part in below if part not in done]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        done[e] = _tree(e, [done[part] for part in below])
    return done[root]


def _below(e: Any, ordered: bool) -> List[Any]:
    """What has to be converted before it, in the order in which people read, or in SymPy's."""
    few = 100  # the order of many takes long
    if e.is_Add and ordered and len(e.args) < few:
        return e.as_ordered_terms()
    if e.is_Mul and ordered:
        return e.as_ordered_factors()
    if e.is_Derivative:
        return [e.args[0]]
    if isinstance(e, sympy.core.function.AppliedUndef) and e.args == (_T,):
        return []
    if e.is_Function and e.func.__name__ in _BY_OTHERS:
        return [_BY_OTHERS[e.func.__name__](*e.args)]
    if isinstance(e, sympy.elliptic_e) and len(e.args) == 1:  # the complete one
        return [sympy.pi / 2, e.args[0]]
    return list(e.args)


def _tree(e: Any, args: List[Tree]) -> Tree:
    if e.is_Rational:
        from fractions import Fraction  # here: SymPy has imported it already

        return {"op": "number", "value": exact(Fraction(int(e.p), int(e.q)))}
    if e.is_Float:
        return _tree(sympy.Rational(repr(float(e)) if e._prec <= 53 else str(e)), [])
    if e is sympy.pi:
        return {"op": "pi"}
    if e is sympy.E:
        return {"op": "call", "name": "exp", "args": [{"op": "number", "value": "1"}]}
    if e.is_Symbol:
        return symbol_tree(e.name)
    if e.is_Derivative and len(e.args) == 2 and e.args[1][0] == _T:
        tree = args[0]
        for _ in range(int(e.args[1][1])):
            plain = tree["op"] == "symbol" and not tree["name"].endswith("''")
            tree = {"op": "symbol", "name": tree["name"] + "'"} if plain else {"op": "derivative", "of": tree}
        return tree
    if e.is_Add:
        return {"op": "sum", "args": args}
    if e.is_Mul:
        return {"op": "product", "args": args}
    if e.is_Pow:
        return {"op": "power", "base": args[0], "exponent": args[1]}
    if isinstance(e, sympy.core.function.AppliedUndef):
        if e.args == (_T,):
            return symbol_tree(e.func.__name__)
        if len(e.args) == 2 and e.func.__name__ in _CALLS:
            return {"op": "call", "name": e.func.__name__, "args": args}
    elif e.is_Function:
        if e.func.__name__ in _BY_OTHERS:
            return args[0]
        name = _NAMES.get(e.func.__name__, e.func.__name__)
        if name in _CALLS:
            return {"op": "call", "name": name, "args": args}
    raise TypeError(f"a model cannot say {e}, which SymPy calls {type(e).__name__}")


def equations(document: Any) -> Any:
    """The equations of motion in the JSON of `derive`: a list for one form, lists by the name of the form for several."""
    result = {}
    for form in document["forms"]:
        if "error" not in form:
            made = _of_document(document, form)
            result[form["name"]] = [made.equation(e["left"], e["right"]) for e in form["equations"] + form["constraints"]]
    return next(iter(result.values())) if len(result) == 1 else result


def _of_document(document: Any, part: Any, where: Any = ()) -> Converter:
    made = Converter(moving(names_in([part, document["names"], where]), document["coordinates"]))
    made.define(document["names"])
    return made.define(part["where"] if isinstance(part, dict) and "where" in part else where)


def converted(document: Any, keys: Any, part: Any) -> Any:
    """A part of the JSON of `derive`: what has trees is expressions, equations and dictionaries of what is defined. Other values stay."""
    inside_a_form = len(keys) > 2 and keys[0] == "forms"
    made = _of_document(document, part, document["forms"][keys[1]]["where"] if inside_a_form else ())

    def defined(entry: Any) -> bool:
        return isinstance(entry, dict) and "symbol" in entry and ("terms" in entry or "components" in entry)

    def told(entry: Any) -> bool:  # a rate stands for a sum of others, and has no terms of its own
        return bool(entry.get("terms") or entry.get("components") or entry["text"].endswith(" = 0"))

    def one(entry: Any) -> Any:
        if isinstance(entry, list):
            if entry and all(map(defined, entry)):
                return {line["text"].partition(" = ")[0]: one(line) for line in entry if told(line)}
            return [one(element) for element in entry]
        if not isinstance(entry, dict):
            return entry
        if "op" in entry:
            return made(entry)
        if "tree" in entry:
            return made(entry["tree"])
        if "terms" in entry:
            return made.sum(entry["terms"])
        if "components" in entry:
            return sympy.Matrix([made(component) for component in entry["components"]])
        if "left" in entry and "right" in entry:
            return made.equation(entry["left"], entry["right"])
        return {key: one(element) for key, element in entry.items()}

    return one(part)


def parsed(value: Any, coordinates: Iterable[str]) -> Any:
    """Texts in the language of model files, in lists and dictionaries: the same of SymPy's expressions. Other values stay."""
    if isinstance(value, str):
        found = expression(value)
        return found.sympy(coordinates)
    if isinstance(value, list):
        return [parsed(entry, coordinates) for entry in value]
    if isinstance(value, dict):
        return {key: parsed(entry, coordinates) for key, entry in value.items()}
    return value


def matrix(rows: List[List[str]]) -> Any:
    """Of such texts, whose names are symbols."""

    def entry(text: str) -> Any:
        found = expression(text)
        assert not isinstance(found, Equation)
        return Converter(set())(found.tree)

    return sympy.Matrix([[entry(text) for text in row] for row in rows])


def latex(value: Any) -> str:
    """With dots for derivatives."""
    from sympy.physics.vector.printing import vlatex

    return f"$\\displaystyle {vlatex(value)}$"
