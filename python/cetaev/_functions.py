"""The functions of the language, of expressions."""

from __future__ import annotations

from typing import Any

from ._expressions import Expression, Frame, call

# With their arguments; those of one are functions of x.
_ARGUMENTS = {
    **dict.fromkeys("sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log norm".split(), "x"),
    "atan2": "y x", "dot": "u v", "cross": "u v", "ellipticF": "phi m", "ellipticE": "phi m", "ellipticEpsilon": "u m",
    "ellipticK": "m", "am": "u m", "sn": "u m", "cn": "u m", "dn": "u m",
}  # fmt: skip


def _function(name: str) -> Any:
    given = _ARGUMENTS[name]
    count = len(given.split())

    def applied(*arguments: Any) -> Expression:
        if len(arguments) != count:
            raise TypeError(f"{name} is a function of {'one argument' if count == 1 else 'two arguments'}, not of {len(arguments)}")
        return call(name, *arguments)

    applied.__name__ = applied.__qualname__ = name
    shown = f"{name}({', '.join(given.split())})"
    symbol = f'{"*" if count > 1 else ""}cetaev.symbols("{given}")'
    applied.__doc__ = f"`{shown}` of expressions.\n\n    >>> import cetaev\n    >>> print(cetaev.{name}({symbol}))\n    {shown}\n    "
    return applied


sqrt, sin, cos, tan, asin, acos, atan, atan2 = map(_function, "sqrt sin cos tan asin acos atan atan2".split())
sinh, cosh, tanh, asinh, acosh, atanh, exp, log = map(_function, "sinh cosh tanh asinh acosh atanh exp log".split())
dot, cross, norm = map(_function, "dot cross norm".split())
ellipticF, ellipticE, ellipticK, ellipticEpsilon = map(_function, "ellipticF ellipticE ellipticK ellipticEpsilon".split())
am, sn, cn, dn = map(_function, "am sn cn dn".split())


def _is_frame(value: Any) -> Any:
    """A frame, or a body, which has one."""
    if not isinstance(value, Frame) and not (isinstance(value, Expression) and value.tree["op"] == "symbol"):
        raise TypeError(f"a frame or the symbol of a body is wanted, not {type(value).__name__}")
    return value


def omega(frame: Any, against: Any = None) -> Expression:
    """The angular velocity of a frame, or of a body, relative to the ground or to another one.

    >>> import cetaev
    >>> wheel, lean = cetaev.frames("wheel lean")
    >>> print(cetaev.omega(wheel), cetaev.omega(wheel, lean))
    omega(wheel) omega(wheel, lean)
    """
    return call("omega", _is_frame(frame), *(() if against is None else (_is_frame(against),)))


def components(of: Any, frame: Any) -> Expression:
    """The components of a vector in a frame, as a vector.

    >>> import cetaev
    >>> wheel = cetaev.frames("wheel")
    >>> print(cetaev.components(cetaev.omega(wheel), wheel).y)
    components(omega(wheel), wheel).y
    """
    return call("components", of, _is_frame(frame))
