"""Model files from Python's dictionaries, lists, numbers and expressions."""

from __future__ import annotations

import json
import re
from numbers import Integral, Rational, Real
from typing import Any, Dict, List, Mapping

from ._errors import Error
from ._expressions import Equation, Expression
from ._numbers import exact, is_decimal, is_sympy

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def text_of(value: Any) -> str:
    """A name or an expression as the file has it."""
    if isinstance(value, str):
        return value
    if is_sympy(value):
        if type(value).__name__ == "Equality":
            return str(Equation(value.lhs, value.rhs))
        return str(Expression(value))
    if isinstance(value, (Expression, Equation)):
        return str(value)
    raise TypeError(f"a name or an expression is wanted, not {type(value).__name__}")


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _key(key: Any) -> str:
    text = text_of(key)
    return text if _BARE.match(text) else _string(text)


def _value(value: Any) -> str:
    if isinstance(value, (str, Expression, Equation)) or is_sympy(value):
        return _string(text_of(value))
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, Integral) and abs(int(value)) < 2**63:
        return str(int(value))
    if isinstance(value, Rational):  # and what TOML has no integers for
        return _string(exact(value))
    if isinstance(value, Real) or is_decimal(value):
        try:
            return repr(float(value))
        except (ValueError, OverflowError) as problem:
            raise TypeError(f"a model file cannot hold this number: {problem}") from None
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if hasattr(value, "tolist"):  # an array of NumPy
        return _value(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(f"a model file cannot hold {type(value).__name__}")


def number_text(value: Any) -> str:
    """The value of a setting NAME=VALUE."""
    if isinstance(value, (str, Expression)) or is_sympy(value):
        return text_of(value)
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()  # of NumPy's
    if isinstance(value, bool) or not (isinstance(value, Real) or is_decimal(value)):
        raise TypeError(f"a value is a number or an expression, not {type(value).__name__}")
    text = _value(value).strip('"')
    if not text.lstrip("-")[0].isdigit():
        raise Error("bad-model", f"a value is a finite number, not {text}")
    return text


def dump(document: Mapping[str, Any]) -> str:
    """The text of a model file."""
    try:
        return _dump(document)
    except RecursionError:
        raise TypeError("a model file cannot hold what contains itself, or so many lists in lists") from None


def _dump(document: Mapping[str, Any]) -> str:
    top: List[str] = []
    tables: List[str] = []
    for key, value in document.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            tables.append("\n".join([f"\n[{_key(key)}]"] + [f"{_key(k)} = {_value(v)}" for k, v in value.items()]))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(entry, Mapping) for entry in value):
            for entry in value:
                tables.append("\n".join([f"\n[[{_key(key)}]]"] + [f"{_key(k)} = {_value(v)}" for k, v in entry.items()]))
        else:
            top.append(f"{_key(key)} = {_value(value)}")
    return "\n".join(top + tables) + "\n"


def settings(values: Dict[Any, Any]) -> List[str]:
    """NAME=VALUE, as `--set` takes them; None unsets."""
    if not isinstance(values, Mapping):
        raise TypeError(f"settings are a dictionary of names and values, not {type(values).__name__}")
    return [f"{text_of(name)}={'' if value is None else number_text(value)}" for name, value in values.items()]
