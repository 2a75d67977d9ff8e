"""What callers may say in several ways, as the library takes it."""

from __future__ import annotations

import os
from numbers import Real
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _toml
from ._errors import Error, MissingColumn
from ._numbers import is_decimal

Path = Union[str, "os.PathLike[str]"]
Range = Union[str, Tuple[Any, float, float, int]]


def names(value: Any, what: str) -> List[str]:
    """A list of names or expressions; one alone is a list of one."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{what} is a list, not {type(value).__name__}")
    return [_toml.text_of(entry) for entry in value]


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


def range_text(vary: Any) -> str:
    """NAME=FROM:TO:COUNT, or the four of them."""
    if not isinstance(vary, tuple):
        return _toml.text_of(vary)
    if len(vary) != 4:
        raise TypeError("vary is (name, from, to, count)")
    name, begin, end, count = vary
    return f"{_toml.text_of(name)}={_toml.number_text(begin)}:{_toml.number_text(end)}:{_toml.number_text(count)}"


def path_text(path: Any, what: str) -> str:
    """The name of a file."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError(f"{what} is named by text, not by {type(name).__name__}")
    if not name:
        raise Error("bad-model", f"the name of {what} is missing")
    if "\0" in name:
        raise Error("bad-model", f"the name of {what} has a character in it that no file has: {name!r}")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Error("bad-model", f"the name of {what} is not UTF-8: {name!r}; give it another one") from None
    return name


def spare(source: Optional[str], to: str, what: str) -> None:
    """What is read is not written over."""
    if source and os.path.isfile(source) and os.path.exists(to) and os.path.samefile(source, to):
        raise Error("bad-model", f"'{to}' is {what} and is not overwritten")


def write_text(path: Any, text: str) -> None:
    """A file as a whole; what cannot be written is `cannot-write`."""
    name = path_text(path, "a file")
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise Error("cannot-write", f"cannot write '{name}': {why}", exit_code=4) from problem


def paths(value: Any, what: str) -> List[str]:
    """Files, one at least."""
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Sequence):
        raise TypeError(f"{what} are a list of paths, not {type(value).__name__}")
    return [path_text(entry, what) for entry in value]
