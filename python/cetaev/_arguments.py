"""What callers may say in several ways, as the library takes it."""

from __future__ import annotations

import os
from numbers import Integral, Rational, Real
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _toml
from ._errors import Error, MissingColumn
from ._expressions import Equation, Expression
from ._numbers import is_decimal, is_sympy, listed

Path = Union[str, "os.PathLike[str]"]
Range = Union[str, Tuple[Any, float, float, int]]


def names(value: Any, what: str) -> List[str]:
    """A list of names or expressions, or an array of them; one alone is a list of one."""
    entries = listed(value)
    if entries is None and (isinstance(value, (str, Expression, Equation)) or is_sympy(value)):
        entries = [value]
    if entries is None:
        raise TypeError(f"{what} is a list, not {type(value).__name__}")
    return [_toml.text_of(entry) for entry in entries]


def equations(value: Any, what: str) -> List[str]:
    """Equations as texts, or the right sides by what they are equal to."""
    if isinstance(value, Mapping):
        return [f"{_toml.text_of(left)} = {_toml.number_text(right)}" for left, right in value.items()]
    return names(value, what)


def numbers(value: Any, what: str) -> np.ndarray:
    """Real numbers as floats: NumPy's own, or whatever Python calls real."""
    try:
        if np.ma.is_masked(value):
            raise TypeError
        array = np.asarray(value)
        if array.dtype.kind == "O" and not all(isinstance(one, Real) or is_decimal(one) for one in array.flat):
            raise TypeError
        if array.size and array.dtype.kind not in "fiuO":
            raise TypeError
        return array.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError, RecursionError, ArithmeticError):
        kind = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"{what} are real numbers, not {kind}") from None


def finite_list(value: Any, what: str) -> np.ndarray:
    """One number, or a list of them."""
    array = numbers(value, what)
    if array.ndim > 1:
        raise TypeError(f"{what} are one number or a list of them")
    if array.size == 0 or not np.all(np.isfinite(array)):
        raise Error("bad-model", f"{what} are finite numbers, and one at least")
    return array


def column_name(name: Any, columns: Iterable[str]) -> str:
    """What a column is called: a text, or a symbol, and one of these."""
    try:
        text = _toml.text_of(name)
    except TypeError:
        raise MissingColumn.of(name, columns) from None
    if text not in columns:
        raise MissingColumn.of(text, columns)
    return text


def holds(columns: Iterable[str], name: Any) -> bool:
    """Is it the name of one of these?"""
    try:
        return _toml.text_of(name) in columns
    except TypeError:
        return False


def _end(value: Any) -> str:
    """Of a range, whose ends are no expressions: a fraction, and what SymPy has of numbers, as a decimal."""
    fraction = isinstance(value, Rational) and not isinstance(value, Integral)
    if fraction or (is_sympy(value) and getattr(value, "is_number", False)):
        try:
            value = float(value)
        except (TypeError, ValueError, OverflowError) as problem:
            raise TypeError(f"the ends of a range are numbers as computers have them: {problem}") from None
    return _toml.number_text(value)


def range_text(vary: Any) -> str:
    """NAME=FROM:TO:COUNT, or the four of them."""
    if not isinstance(vary, tuple):
        return _toml.text_of(vary)
    if len(vary) != 4:
        raise TypeError("vary is (name, from, to, count)")
    name, begin, end, count = vary
    return f"{_toml.text_of(name)}={_end(begin)}:{_end(end)}:{_toml.number_text(count)}"


def path_text(path: Any, what: str) -> str:
    """The name of a file: any that Python has for one."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise TypeError(f"{what} is named by a text or a path, not by {type(path).__name__}")
    name = os.fspath(path)
    if not name:
        raise Error("bad-model", f"the name of {what} is missing")
    try:
        none = b"\0" in os.fsencode(name)
    except UnicodeEncodeError:  # half of a character
        none = True
    if none:
        raise Error("bad-model", f"the name of {what} has a character in it that no file has: {name!r}")
    return name


def columns_of(table: Any) -> Optional[Mapping[Any, Any]]:
    """Columns by their names, of a dictionary, of a data frame, where `t` may be the index, or of a dataset of xarray; None of anything else."""
    if hasattr(table, "data_vars") and hasattr(table, "coords"):
        return {**table.coords, **table.data_vars}
    if isinstance(table, Mapping):
        return table
    if not (hasattr(table, "columns") and hasattr(table, "index")):
        return None
    return {**({"t": table.index} if table.index.name == "t" else {}), **{name: table[name] for name in table.columns}}


def shown_path(name: str) -> str:
    """The name of a file for people, as the command line shows it."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def spare(source: Optional[str], to: str, what: str) -> None:
    """What is read is not written over."""
    if source and os.path.isfile(source) and os.path.exists(to) and os.path.samefile(source, to):
        raise Error("bad-model", f"'{shown_path(to)}' is {what} and is not overwritten")


def write_text(path: Any, text: str) -> None:
    """A file as a whole; what cannot be written is `cannot-write`."""
    name = path_text(path, "a file")
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise Error("cannot-write", f"cannot write '{shown_path(name)}': {why}", exit_code=4) from problem


def paths(value: Any, what: str) -> List[str]:
    """Files, one at least."""
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Sequence):
        raise TypeError(f"{what} are a list of paths, not {type(value).__name__}")
    return [path_text(entry, what) for entry in value]
