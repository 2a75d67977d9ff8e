"""Arguments are what the signature says, or the one that is not is named."""

from __future__ import annotations

import sys
from functools import wraps
from numbers import Real
from typing import Any, Callable, Dict, Tuple, TypeVar

from ._errors import Error
from ._numbers import is_decimal

Work = TypeVar("Work", bound=Callable[..., Any])


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    return value


def _real(value: Any, name: str) -> float:
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()  # of NumPy's
    if isinstance(value, bool) or not (isinstance(value, Real) or is_decimal(value)):
        raise TypeError(f"{name} is a number, not {type(value).__name__}")
    try:
        return float(value)
    except (ValueError, OverflowError) as problem:
        raise TypeError(f"{name} is a number as computers have them: {problem}") from None


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}")
    number = value.__index__()
    most = 2**32 - 1 if name in ("threads", "lanes") else 2**63 - 1
    if not 0 <= number <= most:
        raise Error("bad-model", f"{name} needs a whole number from 0 to {most}")
    return number


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool) and type(value).__name__ != "bool_":
        raise TypeError(f"{name} is True or False, not {type(value).__name__}")
    return bool(value)


_KINDS: Dict[str, Callable[[Any, str], Any]] = {"str": _text, "float": _real, "int": _whole, "bool": _flag}


def checked(work: Work) -> Work:
    """The same function, whose texts, numbers and truth values are looked at before."""
    said = {name: text for name, text in work.__annotations__.items() if isinstance(text, str)}
    wanted: Dict[str, Tuple[Callable[[Any, str], Any], bool]] = {}
    for name, text in said.items():
        optional = text.startswith("Optional[")
        kind = _KINDS.get(text[len("Optional[") : -1] if optional else text)
        if kind is not None:
            wanted[name] = (kind, optional)
    code = work.__code__
    order = code.co_varnames[: code.co_argcount]
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 0x04 else ""  # *forms

    def looked_at(name: str, value: Any) -> Any:
        kind, optional = wanted.get(name, (None, True))
        return value if kind is None or (optional and value is None) else kind(value, name)

    @wraps(work)
    def call(*arguments: Any, **named: Any) -> Any:
        given = [looked_at(order[i] if i < len(order) else rest, value) for i, value in enumerate(arguments)]
        return work(*given, **{name: looked_at(name, value) for name, value in named.items()})

    return call  # type: ignore[return-value]


def optional(package: str, what: str) -> Any:
    """A package that is there or not."""
    try:
        __import__(package)
    except ImportError as problem:
        name = package.partition(".")[0]
        raise ImportError(f"{what} needs {name}, which cannot be imported: {problem} (Debian: python3-{name})", name=name) from problem
    return sys.modules[package]
