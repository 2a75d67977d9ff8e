"""Trees of expressions to SymPy and back. Imported when somebody asks for SymPy."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, List, Optional, Set

import sympy

from ._expressions import Tree

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
}
_NAMES = {"Abs": "abs", "ln": "log", "elliptic_f": "ellipticF", "elliptic_e": "ellipticE", "elliptic_k": "ellipticK"}
_T = sympy.Symbol("t")


def names_in(tree: Any, found: Optional[Set[str]] = None) -> Set[str]:
    """Of all symbols, with their primes."""
    found = set() if found is None else found
    if isinstance(tree, dict):
        if tree.get("op") == "symbol":
            found.add(tree["name"])
        else:
            for part in tree.values():
                names_in(part, found)
    elif isinstance(tree, list):
        for part in tree:
            names_in(part, found)
    return found


def moving(names: Iterable[str], coordinates: Iterable[str] = ()) -> Set[str]:
    """Whatever has a rate moves, and so do the coordinates."""
    return {name.rstrip("'") for name in names if name.endswith("'")} | set(coordinates)


def symbol(name: str, functions: Set[str]) -> Any:
    """x' of what moves is Derivative(x(t), t)."""
    if name == "t":
        return _T
    base = name.rstrip("'")
    if base not in functions:
        return sympy.Symbol(name)
    value = sympy.Function(base)(_T)
    for _ in range(len(name) - len(base)):
        value = value.diff(_T)
    return value


def to_sympy(tree: Tree, functions: Optional[Set[str]] = None) -> Any:
    """The tree in SymPy."""
    if functions is None:
        functions = moving(names_in(tree))
    op = tree["op"]
    if op == "number":
        return sympy.Rational(tree["value"])
    if op == "pi":
        return sympy.pi
    if op == "symbol":
        return symbol(tree["name"], functions)
    if op == "sum":
        return sympy.Add(*(to_sympy(a, functions) for a in tree["args"]))
    if op == "product":
        return sympy.Mul(*(to_sympy(a, functions) for a in tree["args"]))
    if op == "power":
        return sympy.Pow(to_sympy(tree["base"], functions), to_sympy(tree["exponent"], functions))
    if op == "vector":
        return sympy.Matrix([to_sympy(a, functions) for a in tree["args"]])
    if op == "call":
        arguments = [to_sympy(a, functions) for a in tree["args"]]
        if tree["name"] == "dot":
            return arguments[0].dot(arguments[1])
        if tree["name"] == "cross":
            return arguments[0].cross(arguments[1])
        if tree["name"] == "norm":
            return arguments[0].norm()
        return _CALLS[tree["name"]](*arguments)
    if op == "component":
        return to_sympy(tree["of"], functions)["xyz".index(tree["name"])]
    if op == "derivative":
        return to_sympy(tree["of"], functions).diff(_T)
    raise ValueError("this formula is too long to be told as a tree" if op == "too-long" else f"there is no '{op}' in expressions")


def from_sympy(e: Any) -> Tree:
    """A tree of what SymPy has: symbols, functions of t and their derivatives, numbers and the functions of the language."""
    if isinstance(e, sympy.MatrixBase):
        if len(e) != 3:
            raise TypeError("a vector has three components")
        return {"op": "vector", "args": [from_sympy(entry) for entry in e]}
    if not isinstance(e, sympy.Basic):
        raise TypeError(f"{type(e).__name__} is no expression")
    if e.is_Rational:
        return {"op": "number", "value": str(sympy.Rational(e))}
    if e.is_Float:
        return {"op": "number", "value": str(sympy.Rational(repr(float(e))))}
    if e is sympy.pi:
        return {"op": "pi"}
    if e is sympy.E:
        return {"op": "call", "name": "exp", "args": [{"op": "number", "value": "1"}]}
    if e.is_Symbol:
        return {"op": "symbol", "name": e.name}
    if e.is_Derivative:
        inner, (variable, order) = e.args[0], e.args[1]
        if len(e.args) == 2 and variable == _T:
            tree = from_sympy(inner)
            for _ in range(int(order)):
                tree = {"op": "symbol", "name": tree["name"] + "'"} if tree["op"] == "symbol" else {"op": "derivative", "of": tree}
            return tree
    elif e.is_Add:
        return {"op": "sum", "args": [from_sympy(a) for a in e.as_ordered_terms()]}
    elif e.is_Mul:
        return {"op": "product", "args": [from_sympy(a) for a in e.as_ordered_factors()]}
    elif e.is_Pow:
        return {"op": "power", "base": from_sympy(e.base), "exponent": from_sympy(e.exp)}
    elif isinstance(e, sympy.core.function.AppliedUndef):
        if e.args == (_T,):
            return {"op": "symbol", "name": e.func.__name__}
        if len(e.args) == 2 and e.func.__name__ in _CALLS:
            return {"op": "call", "name": e.func.__name__, "args": [from_sympy(a) for a in e.args]}
    elif isinstance(e, sympy.elliptic_e) and len(e.args) == 1:  # the complete one
        return {"op": "call", "name": "ellipticE", "args": [from_sympy(sympy.pi / 2), from_sympy(e.args[0])]}
    elif e.is_Function:
        name = _NAMES.get(e.func.__name__, e.func.__name__)
        if name in _CALLS:
            return {"op": "call", "name": name, "args": [from_sympy(a) for a in e.args]}
    raise TypeError(f"a model cannot say {e}, which SymPy calls {type(e).__name__}")


def equations(document: Any, coordinates: List[str]) -> Any:
    """The equations of motion in the JSON of `derive`: a list for one form, lists by the name of the form for several."""
    result = {}
    for form in document["forms"]:
        if "error" in form:
            continue
        functions = moving(names_in(form), coordinates)

        # names that papers would explain by "where", written out: later ones use earlier ones
        named: List[Any] = []

        def side(terms: List[Tree], functions: Set[str] = functions, named: List[Any] = named) -> Any:
            value = sympy.Add(*(to_sympy(term, functions) for term in terms))
            for name, meaning in reversed(named):
                value = value.subs(name, meaning)
            return value

        for line in form["where"]:
            named.append((sympy.Symbol(line["symbol"]), sympy.Add(*(to_sympy(term, functions) for term in line["terms"]))))

        result[form["name"]] = [
            sympy.Eq(side(e["left"]), side(e["right"]), evaluate=False) for e in form["equations"] + form["constraints"]
        ]
    return next(iter(result.values())) if len(result) == 1 else result


_NAME = re.compile(r"(?<!\w)[^\W\d]\w*'*")


def from_text(text: str) -> Any:
    """An expression as the language of model files has it, without vectors."""
    known: Dict[str, Any] = {}

    def replaced(found: Any) -> str:
        name = found.group()
        # by a name that Python can read and nobody has
        place = f"_{len(known)}_"
        call = text[found.end() :].lstrip().startswith("(") and name in _CALLS
        known[place] = _CALLS[name] if call else sympy.pi if name == "pi" else symbol(name, set())
        return place

    shown = _NAME.sub(replaced, text).replace("^", "**")
    return sympy.sympify(re.sub(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?)", r"Rational('\1')", shown), locals={**known, "Rational": sympy.Rational})


def matrix(rows: List[List[str]]) -> Any:
    """Of such texts."""
    return sympy.Matrix([[from_text(entry) for entry in row] for row in rows])
