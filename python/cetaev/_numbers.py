"""Numbers as the language of model files has them: exactly, and of any length."""

from __future__ import annotations

import sys
from numbers import Integral, Rational, Real
from typing import Any, List, Optional

from ._errors import Error

_CHUNK = 4000  # digits; Python converts no more than 4300 at once


def _digits(value: int) -> str:
    """In decimal, however long."""
    if value < 0:
        return "-" + _digits(-value)
    pieces = []
    while value >= 10**_CHUNK:
        value, low = divmod(value, 10**_CHUNK)
        pieces.append(str(low).zfill(_CHUNK))
    return str(value) + "".join(reversed(pieces))


def _whole(digits: str) -> int:
    """And back."""
    value = 0
    for begin in range(0, len(digits), _CHUNK):
        piece = digits[begin : begin + _CHUNK]
        value = value * 10 ** len(piece) + int(piece)
    return value


def number_text(decimal: str) -> str:
    """12.5e-3 as 1/80."""
    from math import gcd

    mantissa, _, exponent = decimal.lower().partition("e")
    before, _, behind = mantissa.partition(".")
    above, below = _whole(before + behind), 1
    shift = int(exponent or 0) - len(behind)
    if shift >= 0:
        above *= 10**shift
    else:
        below = 10**-shift
    common = gcd(above, below)
    return _digits(above // common) + (f"/{_digits(below // common)}" if below != common else "")


def ratio(text: str) -> Any:
    """(1, 80) of 1/80: as integers, of any length."""
    above, _, below = text.partition("/")
    sign = -1 if above.startswith("-") else 1
    return sign * _whole(above.lstrip("-")), _whole(below or "1")


def exact(value: Any) -> str:
    """A Python number, exactly as it is written."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise TypeError("a truth value is no number of an expression")
    if isinstance(value, Integral):
        return _digits(int(value))
    if isinstance(value, Rational):
        above, below = _digits(int(value.numerator)), _digits(int(value.denominator))
        return above if below == "1" else f"{above}/{below}"
    if isinstance(value, Real) or is_decimal(value):
        text = str(value) if is_decimal(value) else repr(float(value))
        if not text.lstrip("-")[0].isdigit():
            raise Error("bad-model", f"{text} is no number of an expression")
        return "-" + number_text(text[1:]) if text.startswith("-") else number_text(text)
    raise TypeError(f"{type(value).__name__} is no expression")


def is_decimal(value: Any) -> bool:
    """Without importing decimal: whoever has such a number has done so."""
    return "decimal" in sys.modules and isinstance(value, sys.modules["decimal"].Decimal)


def is_sympy(value: Any) -> bool:
    """Without importing SymPy, which takes longer than everything here."""
    return any(str(base.__module__).partition(".")[0] == "sympy" for base in type(value).__mro__)


def listed(value: Any) -> Optional[List[Any]]:
    """The entries of a list, of a row of an array, or of a matrix of SymPy's; None of anything else."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if getattr(value, "ndim", None) == 1 and hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if is_sympy(value) and hasattr(value, "shape") else None
