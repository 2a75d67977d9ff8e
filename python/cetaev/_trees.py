"""Trees of expressions, in the vocabulary of trees that `cetaev derive --format json` has.

A tree is a dictionary: {"op": "number", "value": "1/10"}, "pi", {"op": "symbol", "name": "x'"}, {"op": "sum", "args": […]}, "product"
likewise, {"op": "power", "base": …, "exponent": …}, {"op": "call", "name": "sin", "args": […]}. Beside these stand what the language of
model files has: "vector" with three args, "component" of a vector, "derivative" with respect to time. Trees may share parts and be as deep as
they like: what goes through one does so by `fold`.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _native
from ._errors import Error
from ._numbers import number_text

Tree = Dict[str, Any]


def parts(tree: Tree) -> List[Tree]:
    """What a tree is made of."""
    if "args" in tree:
        return tree["args"]
    if tree["op"] == "power":
        return [tree["base"], tree["exponent"]]
    return [tree["of"]] if "of" in tree else []


def fold(root: Tree, make: Callable[[Tree, List[Any]], Any]) -> Any:
    """`make` of each tree and of what was made of its parts, from the leaves up: what is shared once, and however deep."""
    done: Dict[int, Any] = {}
    waiting = [root]
    while waiting:
        tree = waiting[-1]
        missing = [part for part in parts(tree) if id(part) not in done]
        if missing and id(tree) not in done:
            waiting.extend(missing)
            continue
        waiting.pop()
        if id(tree) not in done:
            done[id(tree)] = make(tree, [done[id(part)] for part in parts(tree)])
    return done[id(root)]


_SUM, _PRODUCT, _POWER, _ATOM = range(4)
MINUS_ONE: Tree = {"op": "number", "value": "-1"}


def _negative(tree: Tree) -> bool:
    if tree["op"] == "product" and tree["args"]:
        tree = tree["args"][0]
    return tree["op"] == "number" and tree["value"].startswith("-")


class _Written(NamedTuple):
    """An expression as text, and how tightly it holds together."""

    text: str
    level: int
    negated: Optional["_Written"] = None  # without its sign, where it has one
    below: Optional["_Written"] = None  # what stands below the stroke, where that is all

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


def _signed(without: _Written) -> _Written:
    return _Written("-" + without.at(_PRODUCT), _SUM, without)


def _number(value: str) -> _Written:
    return _signed(_number(value[1:])) if value.startswith("-") else _Written(value, _PRODUCT if "/" in value else _ATOM)


def _factors(factors: Sequence[_Written]) -> _Written:
    above: List[str] = []
    below: List[str] = []
    for factor in factors:
        if factor.below is not None:
            below.append(factor.below.at(_POWER))
        else:
            above.append(factor.at(_POWER if above else _PRODUCT))
    text = "*".join(above) or "1"
    if below:
        text += "/" + (below[0] if len(below) == 1 else "(" + "*".join(below) + ")")
    return _Written(text, _PRODUCT)


def _product_text(args: Sequence[_Written]) -> _Written:
    if not args or args[0].negated is None or args[0].negated.negated is not None or not args[0].text[1:2].isdigit():
        return _factors(args)
    first = args[0].negated
    rest = [*args[1:]] if first.text == "1" and len(args) > 1 else [first, *args[1:]]
    return _signed(rest[0] if len(rest) == 1 else _factors(rest))


def _power_text(base: _Written, exponent: _Written) -> _Written:
    def raised(to: _Written) -> _Written:
        return _Written(f"{base.at(_ATOM)}^{to.at(_ATOM)}", _POWER)

    if exponent.negated is None:
        return raised(exponent)
    below = base if exponent.negated.text == "1" else raised(exponent.negated)
    return _factors([_Written("", _PRODUCT, None, below)])._replace(below=below)


def _sum_text(terms: Sequence[_Written]) -> _Written:
    pieces = [terms[0].text] if terms else ["0"]
    for term in terms[1:]:
        pieces.append(" + " + term.at(_PRODUCT) if term.negated is None else " - " + term.negated.at(_PRODUCT))
    return _Written("".join(pieces), _SUM)


def _write(tree: Tree, args: List[_Written]) -> _Written:
    op = tree["op"]
    if op == "number":
        return _number(tree["value"])
    if op == "pi":
        return _Written("pi", _ATOM)
    if op == "symbol":
        return _Written(tree["name"], _ATOM)
    if op == "sum":
        return _sum_text(args)
    if op == "product":
        return _product_text(args)
    if op == "power":
        return _power_text(*args)
    if op == "component":
        return _Written(f"{args[0].at(_ATOM)}.{tree['name']}", _ATOM)
    if op == "derivative":
        return _Written(f"({args[0].text})'", _ATOM)
    listed = ", ".join(a.text for a in args)
    if op == "call":
        return _Written(f"{tree['name']}({listed})", _ATOM)
    if op == "vector":
        return _Written(f"[{listed}]", _ATOM)
    raise ValueError(f"there is no '{op}' in expressions")


def to_text(tree: Tree) -> str:
    """The tree in the language of model files."""
    return fold(tree, _write).text


def from_flat(entries: Sequence[Tuple[Any, ...]]) -> List[Tree]:
    """The expressions of the library, which names parts by their place: what is shared stays shared."""
    trees: List[Tree] = []

    def weighed(factor: str, tree: Tree) -> Tree:
        factors = tree["args"] if tree["op"] == "product" else [tree]
        return tree if factor == "1" else {"op": "product", "args": [{"op": "number", "value": factor}, *factors]}

    def raised(tree: Tree, exponent: str) -> Tree:
        return tree if exponent == "1" else {"op": "power", "base": tree, "exponent": {"op": "number", "value": exponent}}

    def several(op: str, args: List[Tree]) -> Tree:
        return args[0] if len(args) == 1 else {"op": op, "args": args}

    for op, *rest in entries:
        if op == "number":
            trees.append({"op": op, "value": rest[0]})
        elif op == "pi":
            trees.append({"op": op})
        elif op == "symbol":
            trees.append({"op": op, "name": rest[0]})
        elif op == "sum":
            terms = [weighed(factor, trees[i]) for i, factor in zip(rest[0], rest[1])]
            trees.append(several(op, terms if rest[2] == "0" else [*terms, {"op": "number", "value": rest[2]}]))
        elif op == "product":
            trees.append(several(op, [raised(trees[i], exponent) for i, exponent in zip(rest[0], rest[1])]))
        elif op == "power":
            trees.append({"op": op, "base": trees[rest[0]], "exponent": trees[rest[1]]})
        else:
            trees.append({"op": op, "name": rest[0], "args": [trees[i] for i in rest[1]]})
    return trees


def from_written(entries: Sequence[Tuple[str, str, List[int]]]) -> List[Tree]:
    """What stands in a text, as its syntax has it."""
    trees: List[Tree] = []
    for op, text, operands in entries:
        args = [trees[i] for i in operands]
        if op == "number":
            trees.append({"op": op, "value": number_text(text)})
        elif op == "symbol":
            trees.append({"op": "pi"} if text == "pi" else {"op": op, "name": text})
        elif op == "component":
            trees.append({"op": op, "of": args[0], "name": text})
        elif op == "derivative":
            trees.append(rate(args[0]))
        elif op == "negative":
            trees.append(product(MINUS_ONE, args[0]))
        elif op == "inverse":
            trees.append({"op": "power", "base": args[0], "exponent": MINUS_ONE})
        elif op == "power":
            trees.append({"op": op, "base": args[0], "exponent": args[1]})
        elif op == "product":
            trees.append(reduce(product, args))
        else:
            trees.append({"op": op, "args": args, **({"name": text} if op == "call" else {})})
    return trees


def rate(tree: Tree) -> Tree:
    """Its derivative by time."""
    if tree["op"] == "symbol" and not tree["name"].endswith("''"):
        return {"op": "symbol", "name": tree["name"] + "'"}
    return {"op": "derivative", "of": tree}


def symbol_tree(name: Any) -> Tree:
    """The tree of a name, which is one."""
    try:
        entries, sides = _native.written_expression(name)
        trees = from_written(entries)
    except Error:
        trees, sides = [], []
    if len(sides) != 1 or trees[sides[0]]["op"] not in ("symbol", "pi"):
        raise Error("bad-model", f"{name!r} cannot be the name of a symbol: names have letters, digits and '_' and begin with a letter")
    return trees[sides[0]]


def _without_sign(tree: Tree) -> Tree:
    if tree["op"] == "number":
        return {"op": "number", "value": tree["value"][1:]}
    first = _without_sign(tree["args"][0])
    rest = tree["args"][1:]
    if first["value"] != "1":
        return {"op": "product", "args": [first, *rest]}
    return rest[0] if len(rest) == 1 else {"op": "product", "args": rest}


def product(left: Tree, right: Tree) -> Tree:
    """With the sign in front."""
    if _negative(right) and left["op"] != "number":
        return product(MINUS_ONE, product(left, _without_sign(right)))
    args: List[Tree] = []
    for factor in (left, right):
        args.extend(factor["args"] if factor["op"] == "product" else [factor])
    if left["op"] == "number" and args[1] == MINUS_ONE:
        args[:2] = [args[1], args[0]]
    if args[0] == MINUS_ONE and args[1]["op"] == "number":
        # a sign goes into the number that it stands before
        value = args[1]["value"]
        args[:2] = [{"op": "number", "value": value[1:] if value.startswith("-") else "-" + value}]
        if args[0]["value"] == "1" and len(args) > 1:
            del args[0]
    return args[0] if len(args) == 1 else {"op": "product", "args": args}
