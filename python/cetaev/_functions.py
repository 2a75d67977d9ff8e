"""The functions of the language, of expressions."""

from __future__ import annotations

from typing import Any

from ._expressions import Expression, tree_of

# With their arguments; those of one are functions of x.
_ARGUMENTS = {
    **dict.fromkeys("sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log norm".split(), "x"),
    "atan2": "y x", "dot": "u v", "cross": "u v", "ellipticF": "phi m", "ellipticE": "phi m", "ellipticEpsilon": "u m",
    "ellipticK": "m", "am": "u m", "sn": "u m", "cn": "u m", "dn": "u m",
}  # fmt: skip


def _function(name: str) -> Any:
    given = _ARGUMENTS[name]
    count = len(given.split())

    def call(*arguments: Any) -> Expression:
        if len(arguments) != count:
            raise TypeError(f"{name} is a function of {'one argument' if count == 1 else 'two arguments'}, not of {len(arguments)}")
        return Expression._of({"op": "call", "name": name, "args": [tree_of(a) for a in arguments]})

    call.__name__ = call.__qualname__ = name
    shown = f"{name}({', '.join(given.split())})"
    symbol = f'{"*" if count > 1 else ""}cetaev.symbols("{given}")'
    call.__doc__ = f"`{shown}` of expressions.\n\n    >>> import cetaev\n    >>> print(cetaev.{name}({symbol}))\n    {shown}\n    "
    return call


sqrt, sin, cos, tan, asin, acos, atan, atan2 = map(_function, "sqrt sin cos tan asin acos atan atan2".split())
sinh, cosh, tanh, asinh, acosh, atanh, exp, log = map(_function, "sinh cosh tanh asinh acosh atanh exp log".split())
dot, cross, norm = map(_function, "dot cross norm".split())
ellipticF, ellipticE, ellipticK, ellipticEpsilon = map(_function, "ellipticF ellipticE ellipticK ellipticEpsilon".split())
am, sn, cn, dn = map(_function, "am sn cn dn".split())
